// Each half of a warp exchanges numbers of its own, the lower half twice. Then all lanes store.
#include <cstdio>

__global__ void halves(int* out) {
  int sum = threadIdx.x;
  if (threadIdx.x < 16) {
    sum += __shfl_xor_sync(0xffff, sum, 1);
    out[threadIdx.x] = sum;
    sum += __shfl_xor_sync(0xffff, sum, 2);
  } else {
    sum += __shfl_xor_sync(0xffff0000, sum, 1);
  }
  out[32 + threadIdx.x] = sum;
}

int main() {
  int out[64], *d_out;
  cudaMalloc(&d_out, sizeof out);
  halves<<<1, 32>>>(d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d\n", out[32], out[63]);
  return 0;
}
