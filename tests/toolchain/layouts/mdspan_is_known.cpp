// SPDX-License-Identifier: BSL-1.0
//
// The real types of mdspan are known by the members that tests/layout/foreign.hpp has stand-ins for.
#include <coalesce/layout.hpp>
#include <cstdint>
#include <mdspan>

namespace co = coalescing;

using extents = std::extents<int, 32, 33>;
template <class... Layout>
inline constexpr bool all_known = (co::detail::gives_elements<typename Layout::template mapping<extents>> && ...);
static_assert(all_known<std::layout_right, std::layout_left, std::layout_stride>);

using view = std::mdspan<float, extents>;
static_assert(co::detail::gives_values<view> && !co::detail::gives_values<view::mapping_type>);

// A view of addresses is an array of them.
static_assert(co::pattern<std::mdspan<std::uint64_t, std::extents<int, 32>>>);
