// SPDX-License-Identifier: BSL-1.0
// EXPECT: generation_does_not_issue_that
#include <coalesce/rdna/issued.hpp>

namespace rdna = coalescing::rdna;

constexpr rdna::issued_operations<rdna::gfx12> wave(rdna::issued::tensor);
