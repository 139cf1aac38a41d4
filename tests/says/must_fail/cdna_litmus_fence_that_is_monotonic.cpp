// SPDX-License-Identifier: BSL-1.0
// EXPECT: ordering_does_not_exist_for_the_operation
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto wave = cdna::litmus_wave{}.fence(cdna::memory_order::monotonic, cdna::scope::device);
