// SPDX-License-Identifier: BSL-1.0
// FlashAttention's own CuTe types, asked on the host: csrc/flash_attn/src/kernel_traits.h, Flash_fwd_kernel_traits.
#include <kernel_traits.h>

#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;
using co::cuda::cc80;

using traits = Flash_fwd_kernel_traits<128, 128, 64, 4>;  // heads of 128, 128 queries, 64 keys, 4 warps
constexpr co::tile queries{.rows = 128, .columns = 128, .element_bytes = 2};

// Q into shared memory, (thread, value, step): 4 warps in 16 steps.
constexpr auto by_thread = co::elements<cutlass::half_t>(traits::GmemTiledCopyQKV::tidfrg_D(traits::SmemLayoutQ{}));
constexpr auto stores = [](unsigned lane, unsigned warp, unsigned step) {
  return by_thread(32 * warp + lane, 0, step);
};
constexpr auto stored = co::total<cc80::cp_async<16>::shared>(stores, co::domain{4, 16});
static_assert(stored.rounds == 4 * 16 * 4 && stored.conflicts == 0);
static_assert(co::covers<cc80::cp_async<16>::shared>(stores, co::domain{4, 16}, queries).exactly_once);

// And out of it, by ldmatrix.x4 as the kernel reads it.
constexpr auto q = co::elements<cutlass::half_t>(traits::SmemLayoutQ{});
constexpr auto loads = [](unsigned lane, unsigned k) { return q(lane % 16, 16 * k + 8 * (lane / 16)); };
static_assert(co::total<cc80::ldmatrix<4>>(loads, co::domain{8}).conflicts == 0);
