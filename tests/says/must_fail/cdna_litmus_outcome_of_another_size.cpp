// SPDX-License-Identifier: BSL-1.0
// EXPECT: outcome_has_another_number_of_values
// Stores give no value.
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(!cdna::litmus({}, cdna::litmus_wave{}.store(0).load(0)).allows({1, 0}));
