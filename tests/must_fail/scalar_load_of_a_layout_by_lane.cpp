// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_of_a_scalar_load_depends_on_the_lane
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::rdna::gfx1100::s_load<1>>(co::layout<1>{.shape = {64}, .stride = {4}}).transactions == 64);
