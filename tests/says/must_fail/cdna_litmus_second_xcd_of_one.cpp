// SPDX-License-Identifier: BSL-1.0
// EXPECT: agent_has_no_such_xcd
// By default an agent has one L2.
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto test = cdna::litmus({}, cdna::litmus_wave{.xcd = 1}.load(0));
