// SPDX-License-Identifier: BSL-1.0
// EXPECT: litmus_has_no_lds
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto wave = cdna::litmus_wave{}.sequence(
    cdna::synchronize({.kind = cdna::operation::load, .space = cdna::address_space::local}, {}), 0);
