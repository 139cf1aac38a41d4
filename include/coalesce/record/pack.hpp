// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// A tuple: it holds values of several types, in constant expressions and in device code.

namespace coalescing::detail {

/// Holds values of several types. (Construct a pack with braces: items in braces are evaluated from left to right,
/// while g++ evaluates the arguments of a call from right to left.)
template <class... Items>
struct pack {
  constexpr pack() {}
};
template <class First, class... Rest>
struct pack<First, Rest...> {
  First first;
  pack<Rest...> rest;
};
template <class First>
constexpr pack<First> packed_of(First const& first) {
  return {first, {}};
}
template <class First, class... Rest>
constexpr pack<First, Rest...> packed_of(First const& first, Rest const&... rest) {
  return {first, detail::packed_of(rest...)};
}
constexpr pack<> packed_of() { return {}; }
template <class First, class... Rest>
constexpr pack<First, Rest...> joined(First const& first, pack<Rest...> const& rest) {
  return {first, rest};
}
/// Calls f with all items as arguments.
template <class F, class... Taken>
constexpr void call_with(pack<> const&, F const& f, Taken const&... taken) {
  f(taken...);
}
template <class First, class... Rest, class F, class... Taken>
constexpr void call_with(pack<First, Rest...> const& items, F const& f, Taken const&... taken) {
  detail::call_with(items.rest, f, taken..., items.first);
}

}  // namespace coalescing::detail
