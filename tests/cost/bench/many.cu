#include <cuda_runtime.h>

// Each thread makes 48 accesses.
__global__ void add(float* to, float const* from, int count) {
  int const at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k != 24; ++k) to[at + k * count] = from[at + k * count] + 1;
}

int main() {
  int const count = 1 << 20;
  float *to, *from;
  cudaMalloc(&to, 24 * count * sizeof(float));
  cudaMalloc(&from, 24 * count * sizeof(float));
  add<<<count / 256, 256>>>(to, from, count);
  cudaDeviceSynchronize();
}
