// NVIDIA's own header of halves.
#include <cuda_fp16.h>

__global__ void scale(__half* out, const __half* in, float by) {
  int i = threadIdx.x;
  out[i] = __float2half(__half2float(in[i]) * by);
}

int main() {
  __half in[64], out[64], *d_in, *d_out;
  for (int k = 0; k < 64; ++k) in[k] = __float2half((float)k);
  cudaMalloc(&d_in, sizeof in), cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(d_out, d_in, 0.5f);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 64; ++k)
    if (__half2float(out[k]) != 0.5f * k) return 1;
  return 0;
}
