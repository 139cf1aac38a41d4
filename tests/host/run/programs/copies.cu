#include <cstring>
#include <cuda_runtime.h>

struct line { float of[16]; };
struct page { float of[4096]; };
struct node { int name; line value; };

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
  std::memcpy(to + threadIdx.x, from + threadIdx.x, sizeof(line));
  if (threadIdx.x == 0) *reinterpret_cast<page*>(to) = *reinterpret_cast<page const*>(from);
}

// Each copy has more bytes than the alignment of its address, which is 4.
__global__ void copy_parts(node* to, node const* from, float* out, float const* in, std::size_t bytes) {
  to[threadIdx.x].value = from[threadIdx.x].value;
  std::memcpy(out + 1 + 2 * threadIdx.x, in + 1 + 2 * threadIdx.x, bytes);
}

// Compilers know a function for this loop.
__global__ void count(int* lengths, char const* text) {
  int length = 0;
  while (text[length]) ++length;
  lengths[threadIdx.x] = length;
}

int main() {
  float *d_out, *d_in;
  line *d_to, *d_from;
  node *d_nodes, *d_others;
  int* d_lengths;
  char* d_text;
  cudaMalloc(&d_out, 65 * sizeof(float)), cudaMalloc(&d_in, 65 * sizeof(float));
  cudaMalloc(&d_to, sizeof(page)), cudaMalloc(&d_from, sizeof(page));
  cudaMalloc(&d_nodes, 32 * sizeof(node)), cudaMalloc(&d_others, 32 * sizeof(node));
  cudaMalloc(&d_lengths, 32 * sizeof(int)), cudaMalloc(&d_text, 8);
  cudaMemset(d_text, 0, 8), cudaMemcpy(d_text, "seven", 5, cudaMemcpyHostToDevice);
  copy<<<1, 32>>>(d_out, d_in);
  copy_structs<<<1, 32>>>(d_to, d_from);
  copy_parts<<<1, 32>>>(d_nodes, d_others, d_out, d_in, 8);
  count<<<1, 32>>>(d_lengths, d_text);
  return cudaDeviceSynchronize();
}
