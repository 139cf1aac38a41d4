// SPDX-License-Identifier: BSL-1.0
// An explanation is the message of a static_assert: C++26. Each section must not compile, and the compiler must say its
// EXPECT, a regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
namespace co = coalescing;

// ---- explanation_as_message ----
// EXPECT: cuda::cc90::load<128>: 32 lanes.*transactions 32, ideal 16: 2 times.*Why: lanes 0 and 1 are 65,536 bytes
// apart
using load = co::cuda::cc90::load<128>;
constexpr co::linear column{.stride = 65536};
static_assert(co::cost<load>(column) == co::ideal<load>, co::explain<load>(column));

// ---- explanation_of_conflicts_as_message ----
// EXPECT: conflicts 8, ideal 0.*lanes 0 to 3 and 20 to 23. lanes 0 and 20 want different words of bank 0
using read = co::cdna::gfx942::ds_read<128>;
constexpr co::linear rows{.stride = 160};
static_assert(co::cost<read>(rows).conflicts == 0, co::explain<read>(rows));
