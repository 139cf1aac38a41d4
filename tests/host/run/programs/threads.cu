// Several threads of the host: one computes while another launches, and each of two launches.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void turn(float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

int main() {
  float h_out[32], *d_out;
  cudaMalloc(&d_out, 128);
  std::vector<float> numbers(1 << 10, 1);
  std::atomic<bool> is_done{false};
  float volatile sum = 0;
  std::thread computes([&] {
    while (!is_done)
      for (float& x : numbers) x = x * 0.5f, sum = sum + x;
  });
  turn<<<200, 32>>>(d_out);
  is_done = true, computes.join();
  std::thread([&] { turn<<<1, 32>>>(d_out); }).join();
  turn<<<1, 32>>>(d_out);
  std::thread first([&] { turn<<<20, 32>>>(d_out); }), second([&] { turn<<<20, 32>>>(d_out); });
  first.join(), second.join();
  cudaMemcpy(h_out, d_out, 128, cudaMemcpyDeviceToHost);
  return h_out[0] == 31 ? 0 : 1;
}
