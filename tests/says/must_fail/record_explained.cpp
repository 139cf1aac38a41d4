// SPDX-License-Identifier: BSL-1.0
// What <coalesce/record/explain.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a
// regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/explain.hpp>
namespace co = coalescing;
using co::cuda::cc90;

constexpr auto body = [](auto const& t, auto tile) { co::issue<cc90::ldmatrix<4>>(&tile[t.lane()][0]); };
constexpr auto seen = co::record<cc90>(co::kernel{co::launch{.block = {32}}, body, co::shared<float[32][4]>{"tile"}});

// ---- another_instruction ----
// EXPECT: site_is_of_another_machine
constexpr auto why = co::explain<cc90::ldmatrix<2>>(seen[0]);

// ---- another_machine ----
// EXPECT: site_is_of_another_machine
constexpr auto why = co::explain<co::cdna::gfx942>(seen[0]);

// ---- site_of_issue ----
// EXPECT: site_is_of_another_machine
constexpr auto why = co::explain<cc90>(seen[0]);
