// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing else
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

constexpr auto steps = rdna::synchronize<rdna::gfx1170>({}, {});
