// SPDX-License-Identifier: BSL-1.0
// EXPECT: array_is_shorter_than_the_wave
#include <array>
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

constexpr std::array<unsigned, 32> addresses{};
static_assert(co::cost<gcn::buffer_load<32>>(addresses).transactions == 1);
