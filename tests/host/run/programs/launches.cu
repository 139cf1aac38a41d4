// Launches of kernels that are named by expressions, with a 0 as a number and as a pointer.
template <class T>
__global__ void fill(T* p, T v) { p[threadIdx.x] = v; }
template <int N>
__global__ void add(int* p, const int* more) { p[threadIdx.x] += N + (more == nullptr ? 1 : more[0]); }
__global__ void product(int* p) { p[threadIdx.x] += __mul24(0x01000003, -2) + __mul24(0x800000, 2); }

int main() {
  constexpr int N = 8;
  int h[32], *d, *e;
  cudaMalloc(&d, 128), cudaMalloc(&e, 128);
  void (*table[])(int*, const int*) = {add<0>, add<1>};
  fill<<<1, 32>>>(d, 0);
  fill<<<1, 32>>>(e, 5);
  add<(N >> 1)><<<1, 32, 0, cudaStreamDefault>>>(d, 0);
  add<(N > 1)><<<1, 32, 0, NULL>>>(d, NULL);
  add<sizeof(int)><<<1, 32>>>(d, e);
  table[1]<<<1, 32>>>(d, nullptr);
  product<<<1, 32>>>(d);
  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
  return h[7] == 5 + 2 + 9 + 2 - 6 - 16777216 ? 0 : 1;
}
