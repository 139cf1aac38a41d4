// SPDX-License-Identifier: BSL-1.0
// EXPECT: litmus_has_four_locations
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto wave = cdna::litmus_wave{}.store(4);
