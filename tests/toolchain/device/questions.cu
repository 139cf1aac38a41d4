// SPDX-License-Identifier: BSL-1.0
//
// Questions inside a kernel, in constant expressions (every_function.cu has them all), and at run time in host code of
// the same file. Compiled by nvcc, and by clang as HIP without ROCm. With COALESCE_ASK_AT_RUN_TIME the kernel asks at
// run time, which must not link. With COALESCE_EXPECT_NO_CONFLICTS it expects a wrong number, and nvcc prints both.
#include <coalesce/coalesce.hpp>

#ifndef __global__
#define __global__ __attribute__((global))
#endif

namespace co = coalescing;
namespace cdna = co::cdna;
namespace cuda = co::cuda;
namespace gcn = co::gcn;

struct swapped {  // not marked for the device: constexpr is enough
  constexpr unsigned operator()(unsigned lane) const { return 4 * (lane ^ 1); }
};
template <auto Cost>
struct carried {};

__global__ void kernel(unsigned long long* out) {
  constexpr auto cost = co::cost<gcn::buffer_load<32>>(swapped{});
  static_assert(cost.clocks == 4);
  static_assert(co::cost<cuda::cc90::load<32>>(co::linear{.stride = 4}, [](unsigned lane) {
                  return lane < 16;
                }).transactions == 2);
  static_assert(co::cost<cdna::gfx950::ds_read<128>>(co::linear{.stride = 16}).rounds == 4);
  static_assert(co::is<co::cost<cuda::h100::shared_load<32>>(co::linear{.stride = 128}).conflicts, 31>());
#ifdef COALESCE_EXPECT_NO_CONFLICTS
  static_assert(co::is<co::cost<cuda::h100::shared_load<32>>(co::linear{.stride = 128}).conflicts, 0>());
#endif
  out[0] = sizeof(carried<cost>);
#ifdef COALESCE_ASK_AT_RUN_TIME
  out[1] = co::cost<cuda::cc90::load<32>>(co::linear{.stride = static_cast<long long>(out[0])}).transactions;
#endif
}

// In host code of the same file, at run time.
unsigned long long on_the_host(unsigned stride) {
  auto const pattern = [=](unsigned lane) { return 16ull * stride * lane; };
  return co::cost<gcn::ds_read<128>>(pattern).rounds + co::cost<cuda::cc90::load<32>>(pattern).data_wavefronts +
         co::cost<cdna::gfx942::ds_read<128>>(pattern).rounds +
         co::cost<cdna::gfx950::global_load<64>>(pattern).transactions +
         cdna::mi300x::l2_caches(static_cast<cdna::partition>(stride)) +
         cdna::synchronize({}, {.l2_caches = stride}).text().size() + cdna::gfx950::occupancy({.sgprs = stride}).waves +
         static_cast<unsigned>(cdna::caches_of_load(cdna::from_aux(stride), {}).l2) +
         static_cast<unsigned>(cdna::buffer_inv<cdna::scope::system>::on({.l2_caches = stride}).l2) +
         co::cost<cuda::cc20::shared_load<32>>(pattern).rounds + co::cost<cuda::cc30::shared_load<32>>(pattern).rounds;
}
