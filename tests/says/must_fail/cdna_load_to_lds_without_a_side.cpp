// SPDX-License-Identifier: BSL-1.0
// EXPECT: constraints|no matching function
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto cost = co::cost<cdna::gfx950::global_load_lds<128>>(co::linear{.stride = 16});
