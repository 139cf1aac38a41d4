// SPDX-License-Identifier: BSL-1.0
//
// The kernels of the study, to be run: each indexes with a layout of layouts.hpp, the very one that the model counts.
// `profile` here builds and runs it; arguments: the L2 fetch granularity in bytes (32, 64, 128), 0 to leave it.
#include "layouts.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// A layout for each kernel, as a type: g++ refuses what nvcc 13 makes of one that is a kernel's template argument.
struct coalesced {
  static constexpr auto layout = saxpy::coalesced;
};
struct strided {
  static constexpr auto layout = saxpy::strided;
};
template <std::int64_t Together>
struct in_groups {
  static constexpr auto layout = saxpy::in_groups<Together>;
};
/// Rows longer by a sector, so that they do not lie a power of two apart.
struct padded {
  static constexpr coalescing::layout<2> layout{.shape = {saxpy::side / 4, saxpy::side},
                                                .stride = {4 * (saxpy::row_bytes + 32), 16}};
};
/// 1024 x 1024 floats, which L2 holds.
struct small_coalesced {
  static constexpr coalescing::layout<1> layout{.shape = {256 * 1024}, .stride = {16}};
};
struct small_strided {
  static constexpr coalescing::layout<2> layout{.shape = {256, 1024}, .stride = {4 * 4096, 16}};
};

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class Which>
__global__ void saxpy_by(char* xs, char const* ys, float a) {
  constexpr auto at = Which::layout;
  constexpr auto count = static_cast<unsigned>(at.size());
  for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += gridDim.x * blockDim.x) {
    auto const byte = at(t);
    auto x = *reinterpret_cast<float4 const*>(xs + byte);
    auto const y = *reinterpret_cast<float4 const*>(ys + byte);
    x = {a * x.x + y.x, a * x.y + y.y, a * x.z + y.z, a * x.w + y.w};
    *reinterpret_cast<float4*>(xs + byte) = x;
  }
}

/// The same without the store, but for a sum that is never met.
template <class Which>
__global__ void load_by(char* xs, char const* ys, float a) {
  constexpr auto at = Which::layout;
  constexpr auto count = static_cast<unsigned>(at.size());
  float sum = 0;
  for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += gridDim.x * blockDim.x) {
    auto const byte = at(t);
    auto const x = *reinterpret_cast<float4 const*>(xs + byte);
    auto const y = *reinterpret_cast<float4 const*>(ys + byte);
    sum += x.x + x.y + x.z + x.w + a * (y.x + y.y + y.z + y.w);
  }
  if (sum == 1.25f) *reinterpret_cast<float*>(xs) = sum;
}

using kernel = void (*)(char*, char const*, float);

/// Milliseconds of the fastest of 20 runs; `useful` bytes give the article's GB/s.
void time(char const* name, kernel run, char* xs, char const* ys, double useful) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin)), check(cudaEventCreate(&end));
  float best = 1e30f;
  for (int k = 0; k != 20; ++k) {
    check(cudaEventRecord(begin));
    run<<<1024, 256>>>(xs, ys, 0.5f);
    check(cudaEventRecord(end)), check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    if (milliseconds < best) best = milliseconds;
  }
  check(cudaGetLastError());
  std::printf("  %-30s%9.3f ms%8.0f GB/s\n", name, best, useful / best / 1e6);
}

}  // namespace

int main(int count, char** arguments) {
  int const granularity = count > 1 ? std::atoi(arguments[1]) : 0;
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  if (granularity != 0)
    check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, static_cast<std::size_t>(granularity)));
  std::printf("%s, CC %d.%d, L2 fetch granularity %d (0: as it is)\n", device.name, device.major, device.minor,
              granularity);

  auto const bytes = static_cast<std::size_t>(saxpy::side * (saxpy::row_bytes + 32));
  char *xs, *ys;
  check(cudaMalloc(&xs, bytes)), check(cudaMalloc(&ys, bytes));

  // Each kernel must compute what a loop does.
  std::vector<float> x(bytes / 4, 1.0f), y(bytes / 4, 2.0f);
  for (kernel run : {kernel(saxpy_by<coalesced>), kernel(saxpy_by<strided>), kernel(saxpy_by<in_groups<2>>)}) {
    check(cudaMemcpy(xs, x.data(), bytes, cudaMemcpyHostToDevice)),
        check(cudaMemcpy(ys, y.data(), bytes, cudaMemcpyHostToDevice));
    run<<<1024, 256>>>(xs, ys, 0.5f);
    std::vector<float> result(bytes / 4);
    check(cudaMemcpy(result.data(), xs, bytes, cudaMemcpyDeviceToHost));
    for (std::int64_t k = 0; k != 4 * saxpy::float4s; ++k)
      if (result[static_cast<std::size_t>(k)] != 2.5f) return std::fprintf(stderr, "wrong result\n"), 1;
  }

  double const all = 48.0 * saxpy::float4s, loads = 32.0 * saxpy::float4s;
  time("coalesced", saxpy_by<coalesced>, xs, ys, all);
  time("strided", saxpy_by<strided>, xs, ys, all);
  time("2 neighbours", saxpy_by<in_groups<2>>, xs, ys, all);
  time("4 neighbours", saxpy_by<in_groups<4>>, xs, ys, all);
  time("8 neighbours", saxpy_by<in_groups<8>>, xs, ys, all);
  time("16 neighbours", saxpy_by<in_groups<16>>, xs, ys, all);
  time("32 neighbours", saxpy_by<in_groups<32>>, xs, ys, all);
  time("strided, rows of 16,416 bytes", saxpy_by<padded>, xs, ys, all);
  time("coalesced, loads only", load_by<coalesced>, xs, ys, loads);
  time("strided, loads only", load_by<strided>, xs, ys, loads);
  time("coalesced, 1024 x 1024", saxpy_by<small_coalesced>, xs, ys, all / 16);
  time("strided, 1024 x 1024", saxpy_by<small_strided>, xs, ys, all / 16);
}
