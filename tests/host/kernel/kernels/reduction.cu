// A grid-stride sum: shuffles in a warp, then one value of each warp through shared memory.
__global__ void reduce(float const* in, float* out, unsigned n) {
  __shared__ float sums[32];
  float sum = 0.f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0.f;
    for (unsigned offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
