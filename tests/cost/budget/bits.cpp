// SPDX-License-Identifier: BSL-1.0
//
// Layouts over bits: the bases of a swizzled tile of 1,024 elements, the swizzle that they are, and the proof that
// other bases are no swizzle.
#include <coalesce/claims.hpp>

namespace co = coalescing;

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::bit_layout folded{co::bits{128 ^ 16, 256 ^ 32, 512 ^ 64, 1024, 2048}, co::bits{4, 8, 16, 32, 64}};
constexpr co::bit_layout folded_twice{co::bits{128 ^ 16, 256 ^ 32, 512 ^ 8, 1024, 2048}, co::bits{4, 8, 16, 32, 64}};

constexpr auto bases = co::bits_of(co::swizzle{.bits = 3, .base = 4, .shift = 3}.over(floats), co::domain{32, 32});
constexpr auto swizzle = co::as_swizzle(folded);
constexpr auto proof = co::as_swizzle(folded_twice);
