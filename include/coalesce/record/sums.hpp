// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/numbers.hpp>

#include <cstdint>

// The kinds of access and of memory in a recording, and the sums of its costs.

namespace coalescing {

/// The kinds of access. `issued` is an instruction that the kernel names itself, by co::issue.
enum class touch { load, store, atomic, issued };
/// The memory of an access: global memory, or shared memory (LDS on AMD).
enum class memory_space { global, shared };

/// A place in source code.
struct source_place {
  char const* file = "";
  unsigned line = 0;
  unsigned column = 0;
};

/// The summed cost of accesses, each by one warp or wave. It has a member for every number that the cost of any
/// instruction has. A number is not_counted if none of the added costs has it. All other numbers are sums, except
/// `ways` and `lanes_on_one_address`, which are maxima.
struct recorded_cost : compared_cost {
  std::uint64_t issued =
      0;  ///< how many instructions were issued: one counts once for each warp or wave that executes it
  bool is_counted = true;  ///< false: no published source states what some access costs; every number is not_counted
  bool at_most = false;    ///< each number, also `issued`, is an upper bound on the true one (host/bounds.hpp)
  /// How many of the summed sites have only the cost of one iteration of a loop, so their total is not known. The sum
  /// leaves out the numbers of these sites, except for the maxima and the numbers that are 0.
  std::uint64_t left_out = 0;
  bool operator==(recorded_cost const&) const = default;
};

namespace detail {

/// Calls see(a's number, b's number, is_maximum) for each number of the two costs. `is_maximum`: a sum of costs keeps
/// the maximum of this number.
template <class A, class B, class See, auto... Members>
COALESCE_API constexpr void each_number(A& a, B& b, See const& see, members<Members...>) {
  (see(a.*Members, b.*Members, Members == &compared_cost::ways || Members == &compared_cost::lanes_on_one_address),
   ...);
}

/// Adds `times` times the cost `more` to a sum.
COALESCE_API constexpr void add_up(recorded_cost& sum, recorded_cost const& more, std::uint64_t times = 1) {
  sum.issued += times * more.issued, sum.left_out += more.left_out;
  sum.is_counted = sum.is_counted && more.is_counted, sum.at_most = sum.at_most || more.at_most;
  if (!sum.is_counted) return void(static_cast<compared_cost&>(sum) = compared_cost{});
  detail::each_number(
      sum, more,
      [times](std::uint64_t& to, std::uint64_t number, bool is_maximum) {
        to = number == not_counted ? to
             : is_maximum          ? (to == not_counted || to < number ? number : to)
                                   : (to == not_counted ? 0 : to) + times * number;
      },
      compared_cost::numbers{});
}

/// What a sum keeps of a cost that is known for one iteration of a loop only: the numbers that are 0, and the maxima.
/// All other numbers become not_counted.
COALESCE_API constexpr recorded_cost left_out(recorded_cost round) {
  detail::each_number(
      round, round,
      [](std::uint64_t& number, std::uint64_t, bool is_maximum) {
        if (!is_maximum && number != 0) number = not_counted;
      },
      compared_cost::numbers{});
  round.issued = 0, round.left_out = 1;
  return round;
}

/// Whether each number of `after` is the sum of those of `before` and `first`. (Numbers that are maxima and not sums
/// are not compared.)
COALESCE_API constexpr bool has_grown_by(recorded_cost const& first, recorded_cost const& before,
                                         recorded_cost const& after) {
  compared_cost growth = after;
  bool alike = after.issued - before.issued == first.issued;
  detail::each_number(
      growth, before, [](std::uint64_t& to, std::uint64_t number, bool) { to = to == not_counted ? to : to - number; },
      compared_cost::numbers{});
  detail::each_number(
      growth, first,
      [&alike](std::uint64_t number, std::uint64_t expected, bool is_maximum) {
        alike = alike && (is_maximum || number == expected);
      },
      compared_cost::numbers{});
  return alike;
}

}  // namespace detail
}  // namespace coalescing
