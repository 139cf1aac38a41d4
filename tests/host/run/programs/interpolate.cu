// A launch in a macro of several lines, in a template; a lerp of the program's own, as NVIDIA's samples have it.
#include <cmath>
#include <cstdio>

inline __device__ __host__ float lerp(float a, float b, float t) { return a + t * (b - a); }

template <class T, int Steps>
__global__ void interpolate(T* out, const T* ends) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = lerp(ends[0], ends[1], float(threadIdx.x) / Steps);
}

#define INTERPOLATE(steps)        \
  interpolate<T,                  \
              steps>              \
      <<<blocks, steps>>>(d_out,  \
                          d_ends)

template <class T>
int run(int blocks) {
  const T ends[2] = {1, 3};
  T out[64], *d_out, *d_ends;
  cudaMalloc(&d_out, sizeof out), cudaMalloc(&d_ends, sizeof ends);
  cudaMemcpy(d_ends, ends, sizeof ends, cudaMemcpyHostToDevice);
  INTERPOLATE(32);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  return out[16] == 2 && out[32] == 1 ? 0 : 1;
}
int main() { return run<float>(2); }
