// Atomics on shared memory, a table in constant memory, cudaMemset, a stream and events.
#include <cstdio>
#include <vector>

__constant__ unsigned char bin_of[256];

__global__ void histogram(unsigned* bins, const unsigned char* data, int n) {
  __shared__ unsigned local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[bin_of[data[i]]], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int n = 4096;
  std::vector<unsigned char> data(n), table(256);
  for (int k = 0; k < n; ++k) data[k] = static_cast<unsigned char>(k);
  for (int k = 0; k < 256; ++k) table[k] = static_cast<unsigned char>(k / 16);
  unsigned char* d_data;
  unsigned* d_bins;
  unsigned bins[16];
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float milliseconds = -1;
  cudaStreamCreate(&stream), cudaEventCreate(&begin), cudaEventCreate(&end);
  cudaMalloc(&d_data, n), cudaMalloc(&d_bins, sizeof bins);
  cudaMemcpyToSymbol(bin_of, table.data(), 256);
  cudaMemcpyAsync(d_data, data.data(), n, cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(d_bins, 0, sizeof bins, stream);
  cudaEventRecord(begin, stream);
  histogram<<<4, 256, 0, stream>>>(d_bins, d_data, n);
  cudaEventRecord(end, stream);
  cudaEventSynchronize(end), cudaEventElapsedTime(&milliseconds, begin, end);
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  for (unsigned bin : bins)
    if (bin != n / 16) return 1;
  return milliseconds == 0 ? 0 : 1;
}
