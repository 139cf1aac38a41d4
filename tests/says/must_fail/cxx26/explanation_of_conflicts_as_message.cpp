// SPDX-License-Identifier: BSL-1.0
// EXPECT: conflicts 8, ideal 0.*lanes 0 to 3 and 20 to 23. lanes 0 and 20 want different words of bank 0
#include <coalesce/cdna.hpp>
#include <coalesce/explain.hpp>
namespace co = coalescing;

using read = co::cdna::gfx942::ds_read<128>;
constexpr co::linear rows{.stride = 160};
static_assert(co::cost<read>(rows).conflicts == 0, co::explain<read>(rows));
