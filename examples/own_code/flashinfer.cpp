// SPDX-License-Identifier: BSL-1.0
// FlashInfer's own functions of swizzled shared memory, asked on the host: include/flashinfer/permuted_smem.cuh,
// smem_t.
#include <cuda_runtime.h>
// Its mma.cuh names these, which a host compiler lacks. No function that is asked uses either.
inline constexpr uint3 threadIdx{};
template <class T>
T __shfl_sync(unsigned, T, int, int = 32);

#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
#include <flashinfer/permuted_smem.cuh>
namespace co = coalescing;
using co::cuda::cc80;
using smem = flashinfer::smem_t<flashinfer::SwizzleMode::k128B>;

// 128 halves a row are 16 columns of 16 bytes. The function gives columns, so a factor of 16 makes bytes of them.
constexpr auto at = [](unsigned row, unsigned column) { return 16 * smem::get_permuted_offset<16>(row, column); };
constexpr auto matrices = [](unsigned lane, unsigned k) { return at(lane % 16, 2 * k + lane / 16); };
static_assert(co::total<cc80::ldmatrix<4>>(matrices, co::domain{8}).conflicts == 0);
static_assert(co::covers<cc80::ldmatrix<4>>(matrices, co::domain{8},
                                            co::tile{.rows = 16, .columns = 128, .element_bytes = 2})
                  .exactly_once);
static_assert(co::as_swizzle(co::bits_of(at, co::domain{16, 16})).swizzle ==
              co::swizzle{.bits = 3, .base = 4, .shift = 4});

// The loop of the kernel does not ask for each offset: it advances one. Both are one map.
constexpr auto advanced = [](unsigned lane, unsigned k) {
  auto offset = smem::get_permuted_offset<16>(lane % 16, lane / 16);
  for (unsigned step = 0; step != k; ++step) offset = smem::advance_offset_by_column<2>(offset, step);
  return 16 * offset;
};
static_assert(co::same(advanced, matrices, co::domain{32, 8}));
