// Each half of a warp exchanges numbers of its own, the lower half twice. Then all lanes store. And stores right after
// exchanges of all lanes, in one basic block.
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
__global__ void turns(int* out) {
  int sum = threadIdx.x;
  sum += __shfl_xor_sync(0xffffffff, sum, 1);
  out[threadIdx.x] = sum;
  sum += __shfl_xor_sync(0xffffffff, sum, 2);
  out[32 + threadIdx.x] = sum;
}

int main() {
  int out[64], *d_out;
  cudaMalloc(&d_out, sizeof out);
  turns<<<1, 32>>>(d_out);
  halves<<<1, 32>>>(d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d\n", out[32], out[63]);
  return 0;
}
