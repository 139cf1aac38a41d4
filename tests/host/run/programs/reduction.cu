// Shared memory whose size the launch gives, shuffles, a __device__ variable, a symbol.
#include <cstdio>

__device__ float total;

__global__ void reduce(const float* in, int n) {
  extern __shared__ float sums[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= 32; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t < 32) {
    float sum = sums[t];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (t == 0) atomicAdd(&total, sum);
  }
}

int main() {
  const int n = 512;
  float in[n], zero = 0, sum = 0, *d_in;
  for (int k = 0; k < n; ++k) in[k] = 1.0f;
  cudaMalloc((void**)&d_in, sizeof in);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(total, &zero, sizeof zero);
  reduce<<<n / 128, 128, 128 * sizeof(float)>>>(d_in, n);
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  printf("%g\n", sum);
  cudaFree(d_in);
  return sum == n ? 0 : 1;
}
