// SPDX-License-Identifier: BSL-1.0
// EXPECT: litmus_wave_has_too_many_accesses
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto four(cdna::litmus_wave const& wave) { return wave.load(0).load(1).load(2).load(3); }
constexpr auto wave = four(four(cdna::litmus_wave{})).load(0);
