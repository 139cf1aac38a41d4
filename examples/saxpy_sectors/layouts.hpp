// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/layout.hpp>

// x = a * x + y over 4096 x 4096 floats, a float4 a thread: which float4 the t-th thread takes. The article's kernels
// (README.md here) run so many threads as they have, and each goes on by that number: so the t-th float4 taken.

namespace saxpy {

inline constexpr std::int64_t side = 4096, float4s_a_row = side / 4, float4s = side * float4s_a_row;
inline constexpr std::int64_t row_bytes = side * 4;

/// Neighbouring threads take neighbouring float4s.
inline constexpr coalescing::layout<1> coalesced{.shape = {float4s}, .stride = {16}};

/// The article's strided kernel: i = 4 * t, column i / 4096, row i % 4096, float 4 * column + 4096 * row. So 1,024
/// threads walk down one column, each four rows below the one before: 16,384 floats, which are 65,536 bytes.
inline constexpr coalescing::layout<2> strided{.shape = {side / 4, side}, .stride = {4 * row_bytes, 16}};

/// In between: groups of `together` neighbours on neighbouring float4s, the groups as far apart.
template <std::int64_t Together>
inline constexpr coalescing::layout<3> in_groups{.shape = {Together, side / 4, side / Together},
                                                 .stride = {16, 4 * row_bytes, 16 * Together}};

}  // namespace saxpy
