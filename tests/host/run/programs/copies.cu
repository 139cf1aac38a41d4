#include <cstring>
#include <cuda_runtime.h>

struct line { float of[16]; };
struct page { float of[4096]; };

// Every second lane copies nothing.
__global__ void copy(float* out, float const* in) {
  unsigned const k = threadIdx.x;
  std::size_t const bytes = k % 2 * sizeof(float);
  std::memcpy(out + k, in + k, bytes);
  std::memmove(out + k, in + k, bytes);
  std::memset(out + k, 0, bytes);
}

__global__ void copy_structs(line* to, line const* from) {
  to[threadIdx.x] = from[threadIdx.x];
  if (threadIdx.x == 0) *reinterpret_cast<page*>(to) = *reinterpret_cast<page const*>(from);
}

int main() {
  float *d_out, *d_in;
  line *d_to, *d_from;
  cudaMalloc(&d_out, 32 * sizeof(float)), cudaMalloc(&d_in, 32 * sizeof(float));
  cudaMalloc(&d_to, sizeof(page)), cudaMalloc(&d_from, sizeof(page));
  copy<<<1, 32>>>(d_out, d_in);
  copy_structs<<<1, 32>>>(d_to, d_from);
  return cudaDeviceSynchronize();
}
