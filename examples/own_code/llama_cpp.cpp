// SPDX-License-Identifier: BSL-1.0
// llama.cpp's own swizzle of K and V, asked on the host: ggml/src/ggml-cuda/fattn-swizzle.cuh, bytes_rc and lane_addr.
// Neither is constexpr, and lane_addr reads threadIdx: a program asks them, and each pattern says which thread it is.
#include <cstdint>
#include <cstdio>
#define __host__
#define __device__
#define __forceinline__ inline
#define GGML_UNUSED(x) static_cast<void>(x)
#define GGML_UNUSED_VARS(...)
#define NO_DEVICE_CODE static_cast<void>(0)
inline struct { unsigned x; } threadIdx;
struct half2 {
  std::uint16_t low, high;
};
inline bool turing_mma_available(int) { return true; }
namespace ggml_cuda_mma {
template <int, int, class>
struct tile {};
}  // namespace ggml_cuda_mma

#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
#include <fattn-swizzle.cuh>
namespace co = coalescing;
namespace llama = ggml_cuda_fattn_smem_swizzle;
using co::cuda::cc75;

int main() {
  static half2 tile[16 * 64];  // 16 rows of 128 halves
  auto const matrices = [](unsigned lane, unsigned k) {
    threadIdx.x = lane;
    auto const* const address = llama::lane_addr<64>(tile, 0, static_cast<int>(8 * k));
    return 4 * static_cast<std::uint64_t>(address - tile);
  };
  auto const by_place = [](unsigned lane, unsigned k) {
    return llama::bytes_rc<64>(static_cast<int>(lane % 16), static_cast<int>(8 * k + lane / 16 * 4));
  };
  auto const reads = co::total<cc75::ldmatrix<4>>(matrices, co::domain{8});
  bool const whole =
      co::covers<cc75::ldmatrix<4>>(matrices, co::domain{8}, co::tile{.rows = 16, .columns = 64, .element_bytes = 4})
          .exactly_once;
  bool const one_map = static_cast<bool>(co::same(matrices, by_place, co::domain{32, 8}));
  std::printf("rounds %llu, conflicts %llu\n", static_cast<unsigned long long>(reads.rounds),
              static_cast<unsigned long long>(reads.conflicts));
  return reads.rounds == 8 * 4 && reads.conflicts == 0 && whole && one_map ? 0 : 1;
}
