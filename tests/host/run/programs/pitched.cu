// Rows with a pitch, copies of two dimensions, kernels in an array of pointers, cudaLaunchKernel.
#include <cstdio>

__global__ void twice(float* rows, size_t pitch, int width) {
  float* row = (float*)((char*)rows + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] *= 2;
}
__global__ void add_one(float* rows, size_t pitch, int width) {
  float* row = (float*)((char*)rows + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] += 1;
}

int main() {
  const int width = 20, height = 3;
  float in[height][width], out[height][width], *rows;
  size_t pitch;
  for (int k = 0; k < width * height; ++k) in[0][k] = (float)k;
  if (cudaMallocPitch((void**)&rows, &pitch, width * sizeof(float), height) != cudaSuccess) return 1;
  cudaMemcpy2D(rows, pitch, in, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  void (*steps[])(float*, size_t, int) = {twice, add_one};
  for (auto step : steps) step<<<height, 32>>>(rows, pitch, width);
  int length = width;
  void* arguments[] = {&rows, &pitch, &length};
  if (cudaLaunchKernel((void*)twice, dim3(height), dim3(32), arguments, 0, 0) != cudaSuccess) return 1;
  cudaMemcpy2D(out, width * sizeof(float), rows, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
  for (int k = 0; k < width * height; ++k)
    if (out[0][k] != (2 * k + 1) * 2) return 1;
  return pitch % 512 == 0 ? 0 : 1;
}
