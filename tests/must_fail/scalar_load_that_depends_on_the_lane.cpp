// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_of_a_scalar_load_depends_on_the_lane
#include <coalesce/gcn.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::gcn::s_load<1>>([](co::invocation const& at) { return 4 * at.thread.x; },
                                            co::launch{.block = {64}})
                  .transactions == 64);
