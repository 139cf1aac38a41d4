// SPDX-License-Identifier: BSL-1.0
//
// Explanations: the dearest that were found, of words that are scattered, or in no order beside one that is far away.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>
namespace co = coalescing;
using co::cuda::cc10, co::cuda::cc100, co::rdna::gfx1030;

template <unsigned Bytes>
constexpr auto scattered = [](unsigned lane) { return (lane * 2654435761u >> 7) % 1000 * Bytes; };
constexpr auto but_one = [](unsigned lane) { return lane == 31 ? 131072u : lane * 5 % 31 * 32; };
static_assert(co::explain<cc100::store<256>>(but_one).size() > 2000);
static_assert(co::explain<cc10::shared_load<128>>(scattered<16>).size() > 500);
static_assert(co::explain<gfx1030::wave64::global_load<64>>(scattered<8>, 0x7777'7777'7777'7777).size() > 500);
