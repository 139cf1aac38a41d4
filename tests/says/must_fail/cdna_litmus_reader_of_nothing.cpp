// SPDX-License-Identifier: BSL-1.0
// EXPECT: nothing_writes_that_location
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::litmus({}, cdna::litmus_wave{}.store(0)).reaches(1, cdna::scope::device));
