// SPDX-License-Identifier: BSL-1.0
// EXPECT: elements of this type are packed
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
namespace co = coalescing;

// An integer of 4 bits, as cutlass::int4b_t is known: its sizeof is 1.
struct int4b_t {
  using Storage = unsigned char;
  static constexpr Storage bits_mask_ = 0xf;
  Storage storage;
};
constexpr auto fours = co::elements<int4b_t>([](unsigned lane) { return 8 * lane; });
static_assert(co::cost<co::cuda::cc90::load<32>>(fours).transactions == 4);
