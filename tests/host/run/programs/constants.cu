// __device__ arrays that are const, constexpr or never written lie in global memory; __constant__ ones do not.
#include <cstdio>

__device__ const float fixed[64] = {1, 2};
__device__ constexpr float known[64] = {3, 4};
static __device__ float never_written[64] = {5, 6};
__constant__ float given[64] = {7, 8};
#ifdef IN_A_CONSTANT_EXPRESSION
static_assert(known[1] == 4);
#endif

__global__ void look(float* out, const int* at) {
  int k = at[threadIdx.x];
  float sum = fixed[k];
  sum += known[k];
  sum += never_written[k];
  sum += given[k];
  out[threadIdx.x] = sum;
}

int main() {
  int h_at[32];
  float h_out[32], *d_out;
  int* d_at;
  for (int k = 0; k < 32; ++k) h_at[k] = 2 * k;
  cudaMalloc(&d_out, 128), cudaMalloc(&d_at, 128);
  cudaMemcpy(d_at, h_at, 128, cudaMemcpyHostToDevice);
  look<<<1, 32>>>(d_out, d_at);
  cudaMemcpy(h_out, d_out, 128, cudaMemcpyDeviceToHost);
  return h_out[0] == 16 ? 0 : 1;
}
