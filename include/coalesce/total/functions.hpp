// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/launch.hpp>

#include <concepts>
#include <cstdint>

// Makes patterns and masks of one instruction from functions of a point of a domain, or of a thread of a launch.

namespace coalescing::detail {

/// A function that takes the lane and Rank more numbers.
template <class Function, unsigned Rank>
concept takes_a_point = (Rank == 1 && requires(Function const& function, unsigned k) { function(k, k); }) ||
                        (Rank == 2 && requires(Function const& function, unsigned k) { function(k, k, k); }) ||
                        (Rank == 3 && requires(Function const& function, unsigned k) { function(k, k, k, k); }) ||
                        (Rank == 4 && requires(Function const& function, unsigned k) { function(k, k, k, k, k); });
template <class Function>
concept takes_a_thread = requires(Function const& function, invocation const& at) {
  function(at);
};
template <class Function>
concept tells_of_a_thread = requires(Function const& function, invocation const& at) {
  { function(at) } -> one_of<bool>;
};

#ifdef __GNUC__  // no warnings of conversions in calls of a user's function, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// A function of the lane, made from a function of the lane and a point: the point is fixed.
template <unsigned Rank, takes_a_point<Rank> Function>
struct at_point {
  // There is one operator() for each rank. A single one would need statements that choose the rank, and compilers limit
  // the number of statements in a constant expression.
  Function const& function;
  unsigned const (&at)[4];

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const requires(Rank == 1) { return function(lane, at[0]); }
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const requires(Rank == 2) {
    return function(lane, at[0], at[1]);
  }
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const requires(Rank == 3) {
    return function(lane, at[0], at[1], at[2]);
  }
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const requires(Rank == 4) {
    return function(lane, at[0], at[1], at[2], at[3]);
  }
};

/// A function of the thread in the form of a pattern. The type serves only to check whether the function returns what a
/// pattern may return. No object of the type is made.
template <takes_a_thread Function>
struct at_thread {
  Function const& function;

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned) const { return function(invocation{}); }
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// The default mask: every lane.
struct everyone {
  COALESCE_API constexpr bool operator()(invocation const&) const { return true; }
};

template <class Active>
COALESCE_API constexpr auto mask_of_lanes(Active const& active) {
  if constexpr (std::same_as<Active, everyone>)
    return all_lanes;
  else
    return active;
}
/// Whether `active` fits a domain of Rank dimensions. A mask fits, and so does a predicate of the lane alone, or of as
/// many numbers as the pattern takes. If a predicate takes another number of arguments, the compiler prints one
/// sentence, with the number that the predicate takes and the number that the pattern takes.
template <unsigned Rank, class Active>
COALESCE_API constexpr bool fits_the_domain() {
  // This is tested first: calling a lambda of (lane, auto...) with another number of arguments may be a compile error.
  if constexpr (takes_a_point<Active, Rank>) {
    return true;
  } else {
    constexpr unsigned predicate_takes = numbers_taken<Active>, pattern_takes = Rank + 1;
    if constexpr (predicate_takes > 1)
      static_assert(predicate_takes == pattern_takes,
                    "over a domain of N dimensions a predicate takes the lane alone, or the lane and N more numbers, "
                    "all unsigned");
    return predicate_takes <= 1;
  }
}

/// The mask at one point of a domain. `active` may be a predicate of the lane and the point. It may also be a mask, or
/// a predicate of the lane alone, that holds at every point.
template <unsigned Rank, class Active>
COALESCE_API constexpr auto mask_at(Active const& active, unsigned const (&at)[4]) {
  if constexpr (takes_a_point<Active, Rank>)
    return at_point<Rank, Active>{active, at};
  else
    return detail::mask_of_lanes(active);
}

}  // namespace coalescing::detail
