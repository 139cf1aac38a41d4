// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/total/domain.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// Whether two functions give equal values everywhere. The two may be a formula and a layout, a kernel's swizzle and the
// library's swizzle, or two functions that compute cells of a matrix.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void array_is_shorter_than_the_domain() {
  detail::refuse("same: the array has fewer elements than the domain has points");
}

}  // namespace refused

/// Whether two functions agree, and the first point where they do not.
template <class Value>
struct difference {
  bool same = true;
  point at = {};  ///< the first point where the functions differ; the domain's first dimension varies slowest
  Value first = {}, second = {};  ///< the values of the two functions at this point
  [[nodiscard]] COALESCE_API constexpr explicit operator bool() const { return same; }
  bool operator==(difference const&) const = default;
};

namespace detail {

#ifdef __GNUC__  // calls of a user's function do not warn of conversions, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

template <class Function, unsigned Rank>
concept is_a_function = (Rank == 1 && takes_numbers<Function, unsigned>) ||
                        (Rank == 2 && takes_numbers<Function, unsigned, unsigned>) ||
                        (Rank == 3 && takes_numbers<Function, unsigned, unsigned, unsigned>) ||
                        (Rank == 4 && takes_numbers<Function, unsigned, unsigned, unsigned, unsigned>);
/// Whether the type is a fragment: the values of a matrix that each lane of a warp holds. A fragment counts as a
/// function of (lane, number of the value) that gives a cell of the matrix.
template <class Fragment, unsigned Rank>
concept is_a_fragment = Rank == 2 && requires(unsigned k) {
  { Fragment::of(k, k) } -> one_of<cell>;
};

/// The value of a function at a point.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <unsigned Rank, class Function>
COALESCE_API constexpr auto value_at(Function const& function, unsigned const (&at)[4]) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (!__builtin_is_constant_evaluated()) device_code_must_ask_coalesce_in_a_constant_expression();
#endif
  if constexpr (is_a_fragment<Function, Rank>)
    return Function::of(at[0], at[1]);
  else if constexpr (!is_a_function<Function, Rank>)
    return function[at[0]];
  else if constexpr (Rank == 1)
    return function(at[0]);
  else if constexpr (Rank == 2)
    return function(at[0], at[1]);
  else if constexpr (Rank == 3)
    return function(at[0], at[1], at[2]);
  else
    return function(at[0], at[1], at[2], at[3]);
}
template <class Function, unsigned Rank>
concept has_values = is_a_function<Function, Rank> || is_a_fragment<Function, Rank> ||
    (Rank == 1 && array_pattern<Function>);

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// The type in which values are compared: 64 bits for integers and for types that convert to an integer, such as
/// integral constants.
template <class Given>
using compared = std::conditional_t<convertible_to_an_index<Given>, std::uint64_t, Given>;

/// Refuses an array that ends before the domain does.
template <class Function, unsigned Rank>
COALESCE_API constexpr void check_length(Function const& function, domain<Rank> const& over) {
  if constexpr (c_array<Function>) {
    if (static_cast<std::uint64_t>(over.extent[0]) > std::extent<Function>::value)
      refused::array_is_shorter_than_the_domain();
  } else if constexpr (!is_a_function<Function, Rank> && !is_a_fragment<Function, Rank>) {
    if (static_cast<std::uint64_t>(over.extent[0]) > function.size()) refused::array_is_shorter_than_the_domain();
  }
}

}  // namespace detail

/// Whether two functions give equal values at every point of a domain. Each takes as many numbers as the domain has
/// dimensions. A function may be a pattern, a layout, a fragment, an array (of one dimension), or a function that gives
/// cells. The lane is one of the dimensions, as a rule the first: same(f, g, co::domain{32, 8, 4}) compares two
/// patterns of (lane, warp, step). Integers are compared as 64 bits, other values by ==. Over a domain without a point
/// any two functions agree.
///
///     static_assert(co::same(formula, co::swizzle{3, 4, 3}.over(tile), co::domain{64, 64}));
///
/// Constexpr steps of clang: 4,096 points take under 150,000 (tests/cost/budget).
template <class First, class Second, unsigned Rank>
[[nodiscard]] COALESCE_API constexpr auto same(First const& first, Second const& second, domain<Rank> const& over) {
  constexpr bool have_values = detail::has_values<First, Rank> && detail::has_values<Second, Rank>;
  static_assert(have_values,
                "same(f, g, co::domain{n...}): over a domain of N dimensions both functions are const-callable with N "
                "numbers, all unsigned; the lane is one of them");
  if constexpr (have_values) {
    unsigned at[4] = {};
    using value = detail::compared<decltype(detail::value_at<Rank>(first, at))>;
    constexpr bool are_alike = std::same_as<value, detail::compared<decltype(detail::value_at<Rank>(second, at))>>;
    static_assert(are_alike,
                  "same(f, g, co::domain{n...}): both functions give an integer, or values of one type, such as "
                  "co::cell");
    if constexpr (are_alike) {
      std::uint64_t points = detail::points_of(over);
      detail::check_length(first, over);
      detail::check_length(second, over);
      for (; points != 0; --points) {
        auto const a = static_cast<value>(detail::value_at<Rank>(first, at)),
                   b = static_cast<value>(detail::value_at<Rank>(second, at));
        if (!(a == b)) return difference<value>{false, {{at[0], at[1], at[2], at[3]}}, a, b};
        for (unsigned digit = Rank; digit-- != 0;) {
          if (++at[digit] != over.extent[digit]) break;
          at[digit] = 0;
        }
      }
    }
    return difference<value>{};
  } else {
    return difference<std::uint64_t>{};
  }
}

}  // namespace coalescing
