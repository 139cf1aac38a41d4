// Managed memory that host and device share, pointers within structs, vectors of four, a lambda for the device.
#include <cstdio>

struct fields {
  float4* position;
  float* mass;
};

template <class Change>
__global__ void change(fields of, int n, Change to) {
  int i = threadIdx.x;
  if (i < n) of.position[i] = to(of.position[i], of.mass[i]);
}

int main() {
  fields of;
  cudaMallocManaged(&of.position, 32 * sizeof(float4));
  cudaMallocManaged(&of.mass, 32 * sizeof(float));
  for (int k = 0; k < 32; ++k) of.position[k] = make_float4(1, 2, 3, 4), of.mass[k] = (float)k;
  change<<<1, 32>>>(of, 32, [] __device__(float4 p, float m) { return make_float4(p.w * m, p.z * m, p.y * m, p.x * m); });
  cudaDeviceSynchronize();
  for (int k = 0; k < 32; ++k)
    if (of.position[k].x != 4 * k || of.position[k].w != k) return 1;
  return 0;
}
