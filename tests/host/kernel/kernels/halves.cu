// Each half of a warp exchanges numbers of its own, the lower half twice. Then all lanes store.
__global__ void halves(int const* in, int* out) {
  int sum = in[threadIdx.x];
  if (threadIdx.x < 16) {
    sum += __shfl_xor_sync(0xffff, sum, 1);
    out[threadIdx.x] = sum;
    sum += __shfl_xor_sync(0xffff, sum, 2);
  } else {
    sum += __shfl_xor_sync(0xffff0000, sum, 1);
  }
  out[32 + threadIdx.x] = sum;
}
