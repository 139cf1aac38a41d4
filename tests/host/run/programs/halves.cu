// NVIDIA's own header of halves.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void scale(__half* out, const __half* in, float by) {
  int i = threadIdx.x;
  out[i] = __float2half(__half2float(in[i]) * by);
}

__global__ void copy(__half2* out, const __half2* in) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void column(__half2* out) {
  __shared__ __half2 tile[32][32];
  tile[threadIdx.x][0] = out[threadIdx.x];
  __syncthreads();
  __half2 own = tile[threadIdx.x][0];
  out[threadIdx.x] = __hadd2(own, own);
}
__global__ void copy_wide(__nv_bfloat162* out, const __nv_bfloat162* in) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  __half in[64], out[64], *d_in, *d_out;
  for (int k = 0; k < 64; ++k) in[k] = __float2half((float)k);
  cudaMalloc(&d_in, sizeof in), cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(d_out, d_in, 0.5f);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 64; ++k)
    if (__half2float(out[k]) != 0.5f * k) return 1;
  copy<<<1, 32>>>((__half2*)d_out, (__half2*)d_in);
  column<<<1, 32>>>((__half2*)d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 64; ++k)
    if (__half2float(out[k]) != 2.0f * k) return 2;
  copy_wide<<<1, 32>>>((__nv_bfloat162*)d_out, (__nv_bfloat162*)d_in);
  return 0;
}
