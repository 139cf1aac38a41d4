// Waves of 64 lanes: shuffles without a mask, LDS whose size the launch gives.
#include <hip/hip_runtime.h>

__global__ void sum(int* out, const int* in) {
  HIP_DYNAMIC_SHARED(int, waves)
  int value = in[threadIdx.x];
  for (int d = 32; d > 0; d /= 2) value += __shfl_down(value, d);
  if (threadIdx.x % 64 == 0) waves[threadIdx.x / 64] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int k = 0; k < blockDim.x / 64; ++k) all += waves[k];
    out[0] = all;
  }
}

int main() {
  int in[256], out = 0, *d_in, *d_out;
  for (int k = 0; k < 256; ++k) in[k] = k;
  hipMalloc(&d_in, sizeof in), hipMalloc(&d_out, sizeof out);
  hipMemcpy(d_in, in, sizeof in, hipMemcpyHostToDevice);
  sum<<<1, 256, 4 * sizeof(int)>>>(d_out, d_in);
  hipMemcpy(&out, d_out, sizeof out, hipMemcpyDeviceToHost);
  return out == 255 * 128 ? 0 : 1;
}
