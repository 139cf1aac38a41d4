// SPDX-License-Identifier: BSL-1.0
// Controls of must_fail.cmake: it must complain of each section.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

// ---- compiles ----
// EXPECT: 16 == 4
// Nothing is wrong here.
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}).clocks == 4);

// ---- other_error ----
// EXPECT: 16 == 4
// This fails, but not with the expected words.
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}).clocks == 5);

// ---- expects_nothing ----
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}).clocks == 5);
