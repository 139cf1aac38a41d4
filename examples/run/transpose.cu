#include <cstdio>
#include <vector>

__global__ void transpose(float* out, const float* in, int width) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  out[y * width + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int width = 64, bytes = width * width * sizeof(float);
  std::vector<float> in(width * width, 1), out(width * width);
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes), cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
  transpose<<<dim3(2, 2), dim3(32, 32)>>>(d_out, d_in, width);
  cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
  std::printf("%g\n", out[5]);
}
