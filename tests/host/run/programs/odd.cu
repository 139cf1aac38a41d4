// Structs whose size is not a power of two, passed by value.
#include <cstdio>

struct color {
  unsigned char r, g, b;
};
struct triple {
  short a, b, c;
};
__device__ int gray(color c) { return (c.r + c.g + c.b) / 3; }
__device__ __noinline__ int sum(triple t) { return t.a + t.b + t.c; }
__device__ __noinline__ color all(int n) { return {(unsigned char)n, (unsigned char)n, (unsigned char)n}; }
__global__ void k(color const* colors, triple const* triples, color* grays, int* sums) {
  grays[threadIdx.x] = all(gray(colors[threadIdx.x]));
  sums[threadIdx.x] = sum(triples[threadIdx.x]);
}
int main() {
  color *d_colors, *d_grays;
  triple* d_triples;
  int *d_sums, last;
  cudaMalloc(&d_colors, 96), cudaMalloc(&d_grays, 96), cudaMalloc(&d_triples, 192), cudaMalloc(&d_sums, 128);
  cudaMemset(d_colors, 6, 96), cudaMemset(d_triples, 1, 192);
  k<<<1, 32>>>(d_colors, d_triples, d_grays, d_sums);
  cudaMemcpy(&last, d_sums + 31, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", last);
}
