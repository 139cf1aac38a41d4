// A tile without padding: its columns lie in one bank. Launched by templates, through a macro, with an error check.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    cudaError_t error = (call);                                                             \
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error)), exit(1);           \
  } while (0)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

template <class T, int Pad>
__global__ void transpose(T* out, T const* in, int width) {
  __shared__ T tile[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  out[y * width + x] = tile[threadIdx.x][threadIdx.y];
}

int main(int count, char**) {
  const int width = 64;
  std::vector<float> in(width * width), out(width * width);
  for (int k = 0; k < width * width; ++k) in[k] = static_cast<float>(k);
  float *from, *to;
  CHECK(cudaMalloc(&from, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&to, in.size() * sizeof(float)));
  CHECK(cudaMemcpy(from, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 grid(width / 32, width / 32), block(32, 32);
  if (count == 1)
    transpose<float, 0><<<grid, /* rows of a warp */ block>>>(to, from, width);
  else
    LAUNCH((transpose<float, 1>), grid, block, to, from, width);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out.data(), to, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x)
      if (out[x * width + y] != in[y * width + x]) return 1;
  return 0;
}
