// SPDX-License-Identifier: BSL-1.0
// What <coalesce/claims.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
namespace co = coalescing;

// ---- bits_of_a_padded_pitch ----
// EXPECT: function_is_not_linear_over_bits
constexpr auto bases =
    co::bits_of(co::tile{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132}, co::domain{32, 32});

// ---- bits_of_48_lanes ----
// EXPECT: domain_is_no_power_of_two
constexpr auto bases = co::bits_of([](unsigned lane) { return 4 * lane; }, co::domain{48});

// ---- bits_of_a_layout_of_elements ----
// EXPECT: this layout gives elements, and bits_of\(\) finds
struct mapping {
  constexpr unsigned required_span_size() const { return 256; }
  constexpr unsigned extents() const { return 2; }
  constexpr unsigned operator()(unsigned row, unsigned column) const { return 8 * row + column; }
};
static_assert(co::bits_of(mapping{}, co::domain{32, 8}).bits_of[0] == 5);

// ---- bits_of_numbers_that_are_no_integers ----
// EXPECT: and gives an integer
constexpr auto bases = co::bits_of([](unsigned lane) { return 4.5 * lane; }, co::domain{2});

// ---- bits_of_too_few_numbers ----
// EXPECT: the function is const-callable with N
constexpr auto bases = co::bits_of([](unsigned lane, unsigned warp) { return 4 * lane + warp; }, co::domain{32});
