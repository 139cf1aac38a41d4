// HIP's names in a launch, and a variable that is given by HIP_SYMBOL.
#include <hip/hip_runtime.h>

__constant__ float c[4];
__global__ void look(float* out, int at, float* more) {
  out[threadIdx.x] = c[at];
  if (more != nullptr) more[threadIdx.x] = 1;
}

int main() {
  float h[64] = {1, 2, 3, 4}, *d_out;
  if (hipMalloc(&d_out, 256) != hipSuccess) return 1;
  if (hipMemcpyToSymbol(HIP_SYMBOL(c), h, 16) != hipSuccess) return 1;
  look<<<1, 64, 0, hipStreamDefault>>>(d_out, hipSuccess, NULL);
  look<<<1, dim3(1, 1, 128)>>>(d_out, 1, 0);
  if (hipMemcpy(h, d_out, 256, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  return h[0] == 2 && h[63] == 1 ? 0 : 1;
}
