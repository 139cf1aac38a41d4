// SPDX-License-Identifier: BSL-1.0
//
// Questions inside a kernel, in constant expressions, about the functor that it indexes with. Compiled by nvcc, and by clang
// as HIP without ROCm. With COALESCE_ASK_AT_RUN_TIME the kernel asks at run time, which must not link.
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
  static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}, [](unsigned lane) { return lane < 16; }).clocks == 1);
  static_assert(co::cost<gcn::ds_read<128>>(co::linear{.stride = 16}).rounds == 8);
  static_assert(co::cost<gcn::s_load<16>>(co::broadcast{.base = 4}).transactions == 2);
  static_assert(gcn::peak_clocks<gcn::buffer_load<32>> == 4);
  static_assert(gcn::invocation_index({1, 2, 3}, {8, 4}) == 1 + 16 + 96);
  static_assert(gcn::buffer_load<32>::sources.clocks.evidence == co::evidence::measured);
  static_assert((cost + cost * 2).clocks == 12);
  static_assert(co::transactions<cuda::cc90::load<128>>(co::linear{.stride = 16})[0].lanes == 0b11);
  static_assert(co::cost<cuda::cc10::load<32>>(swapped{}).transactions == 32);
  static_assert(co::cost<cuda::cc13::load<32>>(co::linear{.base = 132, .stride = 4}).bytes_moved == 224);
  static_assert(co::cost<cuda::cc20::shared_load<128>>(co::linear{.stride = 16}).rounds == 2);
  static_assert(co::cost<cuda::cc35::shared_load<64, cuda::shared_mode::eight_byte_banks>>(co::linear{.stride = 8}).rounds == 1);
  static_assert(co::cost<cuda::cc90::store<32>>(co::linear{.stride = 4}, 0x7fffffff).partial_sectors == 1);
  static_assert(co::cost<cuda::cc90::atomic<32>>(co::broadcast{}).lanes_on_one_address == 32);
  static_assert(co::cost<cdna::gfx950::ds_read<128>>(co::linear{.stride = 16}).rounds == 4);
  static_assert(co::cost<cdna::gfx942::global_store<32>>(swapped{}).transactions == 4);
  static_assert(cdna::scoped_load<cdna::scope::device>::on(cdna::mi300x::agent(cdna::partition::spx)).l2 ==
                cdna::cache_op::coherent_bypass);
  static_assert(cdna::buffer_inv<cdna::scope::group>::on({.tg_split = true}).l1 == cdna::cache_action::invalidate);
  static_assert(cdna::mi300x::driver_memory_type({}) == cdna::memory_type::rw);
  static_assert(cdna::waitcnt{.vmcnt = 3}.text() == "s_waitcnt vmcnt(3)");
  static_assert(cdna::issued_operations(cdna::issued::lds, cdna::issued::lds).weakest_wait(0).lgkmcnt == 1);
  static_assert(cdna::synchronize({}, {}).text() == "buffer_wbl2 sc0 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc0 sc1");
  static_assert(cdna::gfx942::occupancy({.arch_vgprs = 128}).waves == 4);
  static_assert(co::footprint<128>(swapped{}, 4) == 256);
  out[0] = sizeof(carried<cost>);
#ifdef COALESCE_ASK_AT_RUN_TIME
  out[1] = co::cost<cuda::cc90::load<32>>(co::linear{.stride = static_cast<long long>(out[0])}).transactions;
#endif
}

// In host code of the same file, at run time.
unsigned long long on_the_host(unsigned stride) {
  auto const pattern = [=](unsigned lane) { return 16ull * stride * lane; };
  return co::cost<gcn::ds_read<128>>(pattern).rounds + co::cost<cuda::cc90::load<32>>(pattern).data_wavefronts +
         co::cost<cdna::gfx942::ds_read<128>>(pattern).rounds + co::cost<cdna::gfx950::global_load<64>>(pattern).transactions +
         cdna::mi300x::l2_caches(static_cast<cdna::partition>(stride)) +
         cdna::synchronize({}, {.l2_caches = stride}).text().size() + cdna::gfx950::occupancy({.sgprs = stride}).waves +
         static_cast<unsigned>(cdna::caches_of_load(cdna::from_aux(stride), {}).l2) +
         static_cast<unsigned>(cdna::buffer_inv<cdna::scope::system>::on({.l2_caches = stride}).l2) +
         co::cost<cuda::cc20::shared_load<32>>(pattern).rounds + co::cost<cuda::cc30::shared_load<32>>(pattern).rounds;
}
