// SPDX-License-Identifier: BSL-1.0
//
// The same on all capabilities of NVIDIA of words that are scattered: the dearest that was found is a load of 128 bits
// from shared memory.
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto scattered = [](unsigned lane) { return (lane * 2654435761u >> 7) % 1000 * 16; };
template <class... Machines>
constexpr auto on_all(co::machine_list<Machines...>) {
  return co::on<typename Machines::template shared_load<128>...>();
}
constexpr auto compared = co::compare(scattered, on_all(co::cuda::every_machine{}));
