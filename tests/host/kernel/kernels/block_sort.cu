// A bitonic sort of a block's values in shared memory.
__global__ void block_sort(int* data) {
  extern __shared__ int sorted[];
  unsigned const t = threadIdx.x, n = blockDim.x;
  sorted[t] = data[t];
  __syncthreads();
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned const other = t ^ j;
      int const mine = sorted[t], theirs = sorted[other];
      __syncthreads();
      bool const up = (t & k) == 0, low = t < other;
      sorted[t] = (mine < theirs) == (up == low) ? mine : theirs;
      __syncthreads();
    }
  data[t] = sorted[t];
}
