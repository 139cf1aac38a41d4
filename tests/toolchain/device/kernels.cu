// SPDX-License-Identifier: BSL-1.0
//
// Kernels that index with the very pattern that they assert. tests/toolchain/compilers/run compiles this file with and
// without the assertions, and with -DCOALESCE_ONE_MORE as the control; the first two must be the same code, byte for
// byte.
#ifdef COALESCE_ASSERT
#include <coalesce/coalesce.hpp>
#else
#include <coalesce/core/pattern.hpp>
#endif

#ifdef __clang__  // as HIP, without ROCm's headers
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
__device__ inline unsigned this_lane() { return __builtin_amdgcn_workitem_id_x(); }
#else
__device__ inline unsigned this_lane() { return threadIdx.x; }
#endif

namespace co = coalescing;

/// A functor of the user's.
struct padded_column {
  unsigned row_bytes = 33 * 4;
  __host__ __device__ constexpr unsigned operator()(unsigned lane) const { return lane * row_bytes; }
};

__device__ inline float& at(float* base, unsigned long long byte) { return base[byte / sizeof(float)]; }

__global__ void copy(float* out, float* in) {
  constexpr co::linear rows{.stride = 4};
#ifdef COALESCE_ASSERT
  static_assert(co::cost<co::cuda::cc90::load<32>>(rows).transactions == 4);
  static_assert(co::cost<co::gcn::buffer_load<32>>(rows).clocks == 4);
  static_assert(co::transactions<co::cuda::cc90::store<32>>(rows)[3].lanes == 0xff000000);
#endif
  at(out, rows(this_lane())) = at(in, rows(this_lane()));
}

__global__ void transpose(float* out, float* in) {
  __shared__ float tile[32 * 33];
  constexpr padded_column column;
#ifdef COALESCE_ASSERT
  static_assert(co::cost<co::cuda::cc90::shared_load<32>>(column).conflicts == 0);
  static_assert(co::cost<co::gcn::ds_read<32>>(column).conflicts == 0);
  static_assert(co::cost<co::cdna::gfx942::ds_read<32>>(column).conflicts == 0);
  static_assert(co::cdna::synchronize({.scope = co::cdna::scope::group}, {}).text() == "s_waitcnt lgkmcnt(0)");
  constexpr auto cost =
      co::cost<co::cuda::cc90::shared_load<32>>(padded_column{}, [](unsigned lane) { return lane < 16; });
  static_assert((cost + cost).rounds == 2);
#endif
  tile[this_lane()] = in[this_lane()];
  out[this_lane()] = at(tile, column(this_lane()));
}

/// A lambda in a kernel takes the pattern, and asserts it.
__global__ void in_lambdas(float* out, float* in) {
  auto const scale = [=](auto pattern) {
#ifdef COALESCE_ASSERT
    static_assert(co::cost<co::cuda::cc90::load<32>>(decltype(pattern){}).transactions == 32);
#endif
    auto const place = [](unsigned lane) {
      constexpr co::linear every_second{.base = 64, .stride = 8};
#ifdef COALESCE_ASSERT
      static_assert(co::cost<co::cuda::cc90::store<32>>(co::linear{.stride = 8}).partial_sectors == 8);
#endif
      return every_second(lane);
    };
    at(out, place(this_lane())) = 2 * at(in, pattern(this_lane()));
  };
  scale(padded_column{});
}

/// A layout as a template argument.
template <auto Pattern>
__global__ void gather(float* out, float* in) {
#ifdef COALESCE_ASSERT
  static_assert(co::cost<co::cuda::cc90::load<128>>(co::linear{.stride = 65536}).transactions == 32);
  static_assert(co::footprint<32>(Pattern, 4) == 2048);
#endif
  out[this_lane()] = at(in, Pattern(this_lane()));
}
template __global__ void gather<co::linear{.base = 0, .stride = 128}>(float*, float*);

#ifdef COALESCE_ONE_MORE
__global__ void one_more(float* out) { out[0] = 0; }
#endif
