// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/picking.hpp>
#include <coalesce/claims/wanted.hpp>
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/engine/words.hpp>
#include <coalesce/total/functions.hpp>

#include <cstdint>

// Each lane picks a number, its choice, on which its address depends (claims/any.hpp). This header finds the choices
// with which one instruction costs most at one point of a domain. The lanes of a group are served together. For each
// group the search finds the largest number of different words that its lanes can want from one place (such as a bank),
// and the choices with which the lanes want this many words.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void there_is_no_choice(std::int64_t) {
  detail::refuse("any{n}: n is less than 1, or more than 2^32 - 1");
}
[[noreturn]] COALESCE_API inline void no_lane_picks(std::int64_t) {
  detail::refuse("any{.together}: fewer than one lane picks");
}
[[noreturn]] COALESCE_API inline void lanes_may_share_words(std::uint64_t) {
  detail::refuse(
      "any: no matching tells the worst of a load whose phases merge where pairs of lanes read one address, and these "
      "choices may make them do so: ask shared_mode::no_merge, whose rounds are an upper bound");
}

}  // namespace refused

namespace detail {

/// Whether an instruction declares, as `grows_with`, which words decide its cost (engine/words.hpp).
template <class Instruction>
inline constexpr bool comes_apart = false;
template <class Instruction>
requires requires { Instruction::grows_with; }
inline constexpr bool comes_apart<Instruction> = Instruction::grows_with.groups != 0;

/// A function of the lane, of Rank more numbers (a point of the domain), and of the number that the lane picks (its
/// choice).
template <class Function, unsigned Rank>
concept takes_a_choice = takes_a_point<Function, Rank + 1> ||
    (Rank == 4 && requires(Function const& function, unsigned k) { function(k, k, k, k, k, k); });

#ifdef __GNUC__  // calls of a user's function do not warn of conversions, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// A function of the lane, made from a pattern, a point of the domain, and the numbers that the lanes pick (their
/// choices).
template <unsigned Rank, takes_a_choice<Rank> Function>
struct choosing {
  Function const& function;
  unsigned const (&at)[4];
  unsigned const* choice;
  unsigned choices;  ///< how many elements `choice` has: 1 if all lanes take the same choice, else one for each lane

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const {
    if constexpr (Rank == 0)
      return function(lane, choice[lane % choices]);
    else if constexpr (Rank == 1)
      return function(lane, at[0], choice[lane % choices]);
    else if constexpr (Rank == 2)
      return function(lane, at[0], at[1], choice[lane % choices]);
    else if constexpr (Rank == 3)
      return function(lane, at[0], at[1], at[2], choice[lane % choices]);
    else
      return function(lane, at[0], at[1], at[2], at[3], choice[lane % choices]);
  }
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// Each lane picks a number below `choices`, and the pattern makes the lane's address from it. Finds the picks of all
/// lanes with which the instruction costs most at one point of a domain, and this cost.
template <class Instruction, unsigned Rank, class Pattern, class Answer>
COALESCE_API constexpr void find_worst(Pattern const& pattern, unsigned const (&at)[4], unsigned choices,
                                       std::uint64_t together, std::uint64_t active, Answer& answer) {
  constexpr unsigned lanes = Instruction::lanes;
  constexpr auto words = Instruction::grows_with;
  constexpr bool is_atomic = requires { answer.lanes_on_one_address; };
  picking_lanes<lanes> const picking(active, together, words.group_of_lane);
  unsigned choice = 0;  // `all` gives every lane this choice
  choosing<Rank, Pattern> const all{pattern, at, &choice, 1};

  wanted_words<words.groups * words.places> wanted;
  [[maybe_unused]] meetings<lanes> meet;
  [[maybe_unused]] sharing<Instruction> share;
  for (; choice != choices; ++choice) {
    auto const asked = detail::apply<lanes>(all, active, limits_of<Instruction>());
    words_of_lanes<Instruction> const here(asked);
    if (together == 1)
      wanted.take_alone(here.number, here.where, active);
    else
      for (std::uint64_t rest = picking.pickers; rest != 0; rest &= rest - 1)
        wanted.take_together(here.number, here.where, picking.with[detail::lowest_lane(rest)]);
    if constexpr (is_atomic) meet.take(asked, picking);
    if constexpr (words.merged != 1) share.take(asked, here);
  }
  if constexpr (words.merged != 1)
    if (share.is_possible(together)) refused::lanes_may_share_words(together);

  // Some lanes must all pick the same number. The first of them, the picker, stands for all of them (picking.hpp).
  std::uint64_t set_of[lanes] = {};  // for each picker: the number of the set of words that its lanes want at worst
  std::uint64_t left = 0;            // a mask of the pickers whose choice is still to be found
  for (unsigned group = 0; group != words.groups; ++group) {
    auto const most =
        wanted.most_of(group * words.places, (group + 1) * words.places, picking.of_group(group, words.group_of_lane));
    for (std::uint64_t rest = most.pickers.matched; rest != 0; rest &= rest - 1) {
      unsigned const picker = detail::lowest_lane(rest);
      set_of[picker] = most.pickers.word_of[picker], left |= std::uint64_t{1} << picker;
    }
  }
  while (left != 0) {
    --choice;
    words_of_lanes<Instruction> const here(detail::apply<lanes>(all, active, limits_of<Instruction>()));
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      unsigned const picker = detail::lowest_lane(rest);
      bool wants = false;
      for (std::uint64_t with = picking.with[picker]; with != 0; with &= with - 1)
        if (unsigned const lane = detail::lowest_lane(with);
            wanted.set_of(here.number[lane], here.where[lane]) == set_of[picker])
          wants = true;
      if (!wants) continue;
      left &= ~(std::uint64_t{1} << picker);
      for (std::uint64_t with = picking.with[picker]; with != 0; with &= with - 1)
        answer.choice[detail::lowest_lane(with)] = choice;
    }
  }
  answer.cost = Instruction::cost_of(detail::apply<lanes>(choosing<Rank, Pattern>{pattern, at, answer.choice, lanes},
                                                          active, limits_of<Instruction>()));
  if constexpr (is_atomic) answer.lanes_on_one_address = meet.most();
}

}  // namespace detail
}  // namespace coalescing
