// SPDX-License-Identifier: BSL-1.0
// What <coalesce/compare.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
namespace co = coalescing;

// ---- an_instruction_without_on ----
// EXPECT: machines are co::on<Instructions\.\.\.>\(\[active\]\)
constexpr auto rows = coalescing::compare(coalescing::linear{.stride = 4}, coalescing::cuda::cc90::load<32>{});

// ---- a_cost_without_a_name_for_a_number ----
// EXPECT: a cost names each of its numbers: .names. in the order of .numbers.
struct own_cost {
  std::uint64_t rounds = 0, stalls = 0;
  using numbers = co::detail::members<&own_cost::rounds, &own_cost::stalls>;
  static constexpr char const* names[1] = {"rounds"};
};
static_assert(co::number_named(own_cost{}, "rounds") == 0);
