// Virtual functions: the pointer to their table is memory, too, and lanes are together again after such a call.
#include <cstdio>
#include <new>

struct shape {
  float size;
  __device__ virtual float area() const = 0;
};
struct square : shape {
  __device__ square(float x) { size = x; }
  __device__ __noinline__ float area() const override { return size * size; }
};
struct disc : shape {
  __device__ disc(float x) { size = x; }
  __device__ __noinline__ float area() const override { return 3 * size; }
};

__global__ void make(square* squares, disc* discs, shape** to) {
  int k = threadIdx.x;
  if (k % 2)
    to[k] = new (squares + k) square(k);
  else
    to[k] = new (discs + k) disc(k);
}
__global__ void areas(float* out, shape** from) {
  shape* p = from[threadIdx.x];
  float x =
      p->area();
  out[threadIdx.x] = x;
}

int main() {
  float h_out[32], *d_out;
  square* d_squares;
  disc* d_discs;
  shape** d_list;
  cudaMalloc(&d_out, 128), cudaMalloc(&d_list, 256);
  cudaMalloc(&d_squares, 32 * sizeof(square)), cudaMalloc(&d_discs, 32 * sizeof(disc));
  make<<<1, 32>>>(d_squares, d_discs, d_list);
  areas<<<1, 32>>>(d_out, d_list);
  cudaMemcpy(h_out, d_out, 128, cudaMemcpyDeviceToHost);
  return h_out[5] == 25 && h_out[6] == 18 ? 0 : 1;
}
