// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/choices.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/total.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>

#include <concepts>
#include <cstdint>

// The worst cost of an access whose index is data, as in a histogram, a gather or a paged table: each lane picks its
// own index, and the answer is the worst of all combinations of picks. There are choices^lanes combinations, too many
// to try one by one. Maximum matchings give the exact maximum (claims/matching.hpp).

namespace coalescing {

/// Says that the last argument of a pattern is a choice: each lane picks its own, from 0 to choices - 1.
struct any {
  std::int64_t choices = 0;
  std::int64_t together = 1;  ///< this many neighbouring lanes pick the same choice, as 8 lanes that fetch one row do
  bool operator==(any const&) const = default;
};

/// For an atomic: the largest number of lanes that can name one address. The choices in `.choice` need not reach this
/// number.
template <class Cost>
struct worst_meeting {
  bool operator==(worst_meeting const&) const = default;
};
template <class Cost>
requires requires(Cost const& cost) { cost.lanes_on_one_address; }
struct worst_meeting<Cost> {
  std::uint64_t lanes_on_one_address = 0;
  bool operator==(worst_meeting const&) const = default;
};

/// The worst cost over all combinations of the lanes' choices, and one combination that reaches it.
template <class Cost, unsigned Lanes>
struct worst_choice : worst_meeting<Cost> {
  /// The cost of `choice` at the point `at`. Some of its numbers are also the highest that any choices reach at any
  /// point:
  /// - in shared memory and LDS: `rounds`, `conflicts`, `phases` and `ways`,
  /// - in global memory: `transactions` and `bytes_moved`,
  /// - through the constant cache: `requests`.
  ///
  /// All other numbers of `cost` may be higher with other choices.
  ///
  /// Over a domain there is one exception: an instruction with several phases may have more conflicts, phases or ways
  /// at a point with fewer rounds. Then each of these three numbers comes from the point where it is highest.
  Cost cost{};
  point at{};                   ///< the first point of the domain with the highest rounds, transactions or requests
  unsigned choice[Lanes] = {};  ///< the choice of each lane
  bool operator==(worst_choice const&) const = default;
};

namespace detail {

template <class Of>
concept is_any = std::same_as<Of, any>;

template <class Instruction>
COALESCE_API constexpr auto say_that_any_has_a_worst() {
  static_assert(sizeof(Instruction) == 0,
                "co::any has no best and no total: which choices a kernel makes is data. The claim is co::worst: no "
                "choices cost more");
  return typename Instruction::cost_type{};
}

/// Keeps the answer that costs more. If the other answer has more conflicts, phases, ways or lanes on one address, then
/// each such number is taken from the other answer.
template <class Answer>
COALESCE_API constexpr void keep_the_worse(Answer& kept, Answer other) {
  if (detail::number_that_grows(other.cost) > detail::number_that_grows(kept.cost)) {
    Answer const before = kept;
    kept = other, other = before;
  }
  if constexpr (requires { kept.cost.ways; }) {
    if (other.cost.conflicts > kept.cost.conflicts) kept.cost.conflicts = other.cost.conflicts;
    if (other.cost.phases > kept.cost.phases) kept.cost.phases = other.cost.phases;
    if (other.cost.ways > kept.cost.ways) kept.cost.ways = other.cost.ways;
  }
  if constexpr (requires { kept.lanes_on_one_address; })
    if (other.lanes_on_one_address > kept.lanes_on_one_address) kept.lanes_on_one_address = other.lanes_on_one_address;
}

/// Finds the worst choices over all points of a domain. If Rank is 0, there is no domain: the pattern takes only the
/// lane and the choice.
template <instruction Instruction, unsigned Rank, class Pattern, class Active>
COALESCE_API constexpr auto worst_of_any(Pattern const& pattern, std::int64_t const* extent, std::uint64_t points,
                                         any const& of, Active const& active) {
  using answer = worst_choice<typename Instruction::cost_type, Instruction::lanes>;
  constexpr bool known = comes_apart<Instruction> || is_missing<Instruction>, chooses = takes_a_choice<Pattern, Rank>;
  static_assert(known,
                "co::any: no matching gives the worst choices of this instruction, since its cost grows with more than "
                "the words or pieces that its lanes touch: with the order of lanes (CC 1.x), or with clocks (GCN, "
                "gfx1030's loads); or it does not declare what its cost grows with (Instruction::grows_with). Ask for "
                "samples");
  static_assert(
      chooses,
      "co::any: the pattern is const-callable with the lane, one number for each dimension of the domain, and "
      "at last the choice: [](unsigned lane, unsigned choice) { return 4 * choice; }");
  if constexpr (comes_apart<Instruction> && chooses) {
    using mask = decltype(detail::mask_at<Rank>(active, {}));
    using asked_at = std::conditional_t<gives_elements<Pattern>, Pattern, choosing<Rank, Pattern>>;
    if constexpr (!gives_elements<Pattern> && detail::well_formed<asked_at, mask, Instruction::lanes>) {
      if (of.choices < 1 || of.choices >> 32 != 0) refused::there_is_no_choice(of.choices);
      if (of.together < 1) refused::no_lane_picks(of.together);
      answer worst;
      bool found = false;
      unsigned at[4] = {};
      for (std::uint64_t k = 0; k != points; ++k) {
        std::uint64_t const lanes =
            detail::mask_of<Instruction::lanes>(detail::address_lanes<Instruction>(detail::mask_at<Rank>(active, at)));
        if (lanes != 0 || Rank == 0) {
          answer here;
          here.at = {{at[0], at[1], at[2], at[3]}};
          detail::find_worst<Instruction, Rank>(pattern, at, static_cast<unsigned>(of.choices),
                                                static_cast<std::uint64_t>(of.together), lanes, here);
          if (found)
            detail::keep_the_worse(worst, here);
          else
            worst = here, found = true;
        }
        for (unsigned digit = Rank; digit-- != 0;) {
          if (++at[digit] != extent[digit]) break;
          at[digit] = 0;
        }
      }
      if (!found) refused::nothing_is_issued();
      return worst;
    } else {
      return detail::ill_formed<answer, asked_at, mask, Instruction::lanes>();
    }
  } else {
    return answer{};
  }
}

}  // namespace detail

/// The highest cost of an access whose index is data. The pattern is f(lane, choice); with co::any{n} each lane picks
/// its own choice from 0 to n - 1. The answer holds for all n^lanes combinations, not for samples: the choices in
/// `.choice` cost `.cost`, and no choices cost more. `active` is a mask or a predicate of the lane.
///
/// With co::any{.choices, .together} several neighbouring lanes pick the same choice.
///
/// Refused:
/// - n below 1 or above 2^32 - 1; `together` below 1,
/// - an instruction whose cost depends on more than the words or pieces of memory that its lanes touch (CC 1.x, the
///   clocks of GCN and gfx1030),
/// - a choice that touches two pieces of memory,
/// - lanes that pick together but are not served together,
/// - two choices of lanes that pick together, if the choices have some words in common but not all,
/// - a load whose phases merge where pairs of lanes read one address (pair_merge), if some choices make such pairs.
template <instruction Instruction, class Pattern, detail::is_any Any, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto worst(Pattern const& pattern, Any const& of, Active const& active = {}) {
  return detail::worst_of_any<Instruction, 0>(pattern, nullptr, 1, of, detail::mask_of_lanes(active));
}
/// The highest cost over all choices and all points of a domain. The pattern is f(lane, ..., choice), with one number
/// for each dimension between the lane and the choice. `active` may also be a predicate of the lane and these numbers,
/// but not of the choice. Refused: a domain without an active lane.
template <instruction Instruction, class Pattern, unsigned Rank, detail::is_any Any, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto worst(Pattern const& pattern, domain<Rank> const& over, Any const& of,
                                                Active const& active = {}) {
  return detail::worst_of_any<Instruction, Rank>(pattern, over.extent, detail::points_of(over), of, active);
}

/// Refused: co::any as an argument before the domain.
template <instruction Instruction, class Pattern, detail::is_any Any, unsigned Rank, class Active = detail::everyone>
COALESCE_API constexpr auto worst(Pattern const&, Any const&, domain<Rank> const&, Active const& = {}) {
  static_assert(sizeof(Instruction) == 0,
                "co::any comes after the domain: co::worst<Instruction>(f, co::domain{4}, co::any{64})");
  return worst_choice<typename Instruction::cost_type, Instruction::lanes>{};
}
/// Refused: best() and total() over co::any. They would depend on the choices of a kernel, which are data.
template <instruction Instruction, class Pattern, detail::is_any Any, class Active = detail::everyone>
COALESCE_API constexpr auto best(Pattern const&, Any const&, Active const& = {}) {
  return detail::say_that_any_has_a_worst<Instruction>();
}
template <instruction Instruction, class Pattern, unsigned Rank, detail::is_any Any, class Active = detail::everyone>
COALESCE_API constexpr auto best(Pattern const&, domain<Rank> const&, Any const&, Active const& = {}) {
  return detail::say_that_any_has_a_worst<Instruction>();
}
template <instruction Instruction, class Pattern, detail::is_any Any, class Active = detail::everyone>
COALESCE_API constexpr auto total(Pattern const&, Any const&, Active const& = {}) {
  return detail::say_that_any_has_a_worst<Instruction>();
}
template <instruction Instruction, class Pattern, unsigned Rank, detail::is_any Any, class Active = detail::everyone>
COALESCE_API constexpr auto total(Pattern const&, domain<Rank> const&, Any const&, Active const& = {}) {
  return detail::say_that_any_has_a_worst<Instruction>();
}

}  // namespace coalescing
