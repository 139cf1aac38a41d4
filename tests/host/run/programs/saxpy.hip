// HIP's names, hipLaunchKernelGGL and <<<>>>.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

__global__ void saxpy(float* y, const float* x, float a, int n) {
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 512;
  std::vector<float> x(n, 2), y(n, 1);
  float *d_x = nullptr, *d_y = nullptr;
  if (hipMalloc((void**)&d_x, n * 4) != hipSuccess || hipMalloc(&d_y, n * 4) != hipSuccess) return 1;
  hipMemcpy(d_x, x.data(), n * 4, hipMemcpyHostToDevice);
  hipMemcpy(d_y, y.data(), n * 4, hipMemcpyHostToDevice);
  hipLaunchKernelGGL(saxpy, dim3(n / 256), dim3(256), 0, 0, d_y, d_x, 3.0f, n);
  saxpy<<<n / 256, 256, 0, 0>>>(d_y, d_x, 1.0f, n);
  hipDeviceSynchronize();
  hipMemcpy(y.data(), d_y, n * 4, hipMemcpyDeviceToHost);
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, 0);
  for (float each : y)
    if (each != 9) return 1;
  hipFree(d_x), hipFree(d_y);
  return properties.warpSize == 64 ? 0 : 1;
}
