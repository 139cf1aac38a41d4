// 1,000 floats in blocks of 256: the last warp of the last block has 8 lanes.
#include <cstdio>
#include <vector>

__global__ void add(float* out, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  std::vector<float> a(n, 1.5f), b(n), out(n);
  for (int k = 0; k < n; ++k) b[k] = static_cast<float>(k);
  float *d_a, *d_b, *d_out;
  cudaMalloc((void**)&d_a, n * sizeof(float));
  cudaMalloc(&d_b, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d_out, d_a, d_b, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int k = 0; k < n; ++k)
    if (out[k] != a[k] + b[k]) return 1;
  printf("sum of the last: %g\n", out[n - 1]);
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_out);
}
