// SPDX-License-Identifier: BSL-1.0
//
// The same access on all capabilities of NVIDIA, in no order, and on GCN.
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
namespace co = coalescing;

constexpr auto swapped = [](unsigned lane) { return 128 + 4 * (lane ^ 1); };
template <class... Machines>
constexpr auto on_all(co::machine_list<Machines...>) {
  return co::on<typename Machines::template load<32>..., co::gcn::buffer_load<32>>(0xffff'ffff);
}
constexpr auto compared = co::compare(swapped, on_all(co::cuda::every_machine{}));
