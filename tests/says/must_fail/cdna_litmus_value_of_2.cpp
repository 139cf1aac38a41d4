// SPDX-License-Identifier: BSL-1.0
// EXPECT: litmus_values_are_0_and_1
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(!cdna::litmus({}, cdna::litmus_wave{}.load(0)).allows({2}));
