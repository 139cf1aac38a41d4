// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_is_a_narrow_negative_number
#include <coalesce/gcn.hpp>

namespace co = coalescing;

// A table that ran past 32767.
constexpr auto overflowed = [](unsigned lane) { return static_cast<short>(lane == 63 ? -32768 : 4 * lane); };
static_assert(co::cost<co::gcn::buffer_load<32>>(overflowed).transactions == 4);
