// SPDX-License-Identifier: BSL-1.0
// EXPECT: litmus_has_four_locations
// A sequence with an access: to which location?
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto wave = cdna::litmus_wave{}.sequence(cdna::synchronize({.kind = cdna::operation::store}, {}));
