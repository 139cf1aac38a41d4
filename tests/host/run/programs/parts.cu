// Exchanges of each half of a warp, in a kernel of another file. And stores right after exchanges of all lanes, in one
// basic block.
#include <cstdio>

#include "../../kernel/kernels/halves.cu"

__global__ void turns(int* out) {
  int sum = threadIdx.x;
  sum += __shfl_xor_sync(0xffffffff, sum, 1);
  out[threadIdx.x] = sum;
  sum += __shfl_xor_sync(0xffffffff, sum, 2);
  out[32 + threadIdx.x] = sum;
}

int main() {
  int in[32], out[64], *d_in, *d_out;
  for (int k = 0; k < 32; ++k) in[k] = k;
  cudaMalloc(&d_in, sizeof in), cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  turns<<<1, 32>>>(d_out);
  halves<<<1, 32>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d\n", out[32], out[63]);
  return 0;
}
