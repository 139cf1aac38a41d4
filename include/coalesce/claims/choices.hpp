// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/wanted.hpp>
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/total/functions.hpp>

#include <cstdint>

// The choices of one instruction at one point: which words each lane can want, the most words of one place (a bank,
// say) that the lanes of a group can want at once, and choices for which they do.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void there_is_no_choice(std::int64_t) {
  detail::refuse("any{n}: n is less than 1, or more than 2^32 - 1");
}
[[noreturn]] COALESCE_API inline void no_lane_picks(std::int64_t) {
  detail::refuse("any{.together}: fewer than one lane picks");
}
[[noreturn]] COALESCE_API inline void choice_touches_two_pieces(unsigned lane, std::uint64_t address) {
  detail::refuse("any: a choice touches two pieces of memory, so that no matching tells the worst", lane, address);
}
[[noreturn]] COALESCE_API inline void lanes_that_pick_together_are_served_apart(unsigned lane) {
  detail::refuse(
      "any: lanes that pick together are served in different phases or requests: no matching tells the worst", lane, 0);
}

[[noreturn]] COALESCE_API inline void lanes_may_share_words(std::uint64_t) {
  detail::refuse(
      "any: no matching tells the worst of a load whose phases merge where pairs of lanes read one address, and these "
      "choices may make them do so: ask shared_mode::no_merge, whose rounds are an upper bound");
}

}  // namespace refused

namespace detail {

/// Whether an instruction declares what its cost grows with (engine/words.hpp).
template <class Instruction>
inline constexpr bool comes_apart = false;
template <class Instruction>
requires requires { Instruction::grows_with; }
inline constexpr bool comes_apart<Instruction> = Instruction::grows_with.groups != 0;

/// The number of a cost that grows with the words that lanes want.
template <class Cost>
COALESCE_API constexpr std::uint64_t number_that_grows(Cost const& cost) {
  if constexpr (requires { cost.rounds; })
    return cost.rounds;
  else if constexpr (requires { cost.transactions; })
    return cost.transactions;
  else
    return cost.requests;
}

/// A function of the lane, of Rank more numbers, and of a choice.
template <class Function, unsigned Rank>
concept takes_a_choice = takes_a_point<Function, Rank + 1> ||
    (Rank == 4 && requires(Function const& function, unsigned k) { function(k, k, k, k, k, k); });

#ifdef __GNUC__  // calls of a user's function do not warn of conversions, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// A function at one point, with a choice for each lane, as a function of the lane.
template <unsigned Rank, takes_a_choice<Rank> Function>
struct choosing {
  Function const& function;
  unsigned const (&at)[4];
  unsigned const* choice;
  unsigned choices;  ///< 1: the lanes' choice; else by lane

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

/// Which lanes pick together. The first active one of them stands for all, and is called the picker.
template <unsigned Lanes>
struct picking_lanes {
  std::uint64_t pickers = 0;       ///< bit k: lane k is one
  std::uint64_t with[Lanes] = {};  ///< by picker: the active lanes that pick with it, itself included

  COALESCE_API constexpr picking_lanes(std::uint64_t active, std::uint64_t together,
                                       unsigned const (&group_of_lane)[Lanes]) {
    for (unsigned lane = 0, picker = 0; lane != Lanes; ++lane) {
      if ((active >> lane & 1) == 0) continue;
      if (pickers == 0 || lane / together != picker / together) picker = lane, pickers |= std::uint64_t{1} << lane;
      if (group_of_lane[lane] != group_of_lane[picker]) refused::lanes_that_pick_together_are_served_apart(lane);
      with[picker] |= std::uint64_t{1} << lane;
    }
  }
  /// The pickers of a group.
  COALESCE_API constexpr std::uint64_t of_group(unsigned group, unsigned const (&group_of_lane)[Lanes]) const {
    std::uint64_t found = 0;
    for (std::uint64_t rest = pickers; rest != 0; rest &= rest - 1)
      if (unsigned const picker = detail::lowest_lane(rest); group_of_lane[picker] == group)
        found |= std::uint64_t{1} << picker;
    return found;
  }
};

/// The words that lanes want, by lane: their numbers, and their places, counted through all groups.
template <class Instruction>
struct words_of_lanes {
  static constexpr unsigned lanes = Instruction::lanes;
  std::uint64_t number[lanes] = {}, where[lanes] = {};

  /// Refused: an access of two words.
  COALESCE_API constexpr explicit words_of_lanes(access<lanes> const& asked) {
    constexpr auto words = Instruction::grows_with;
    auto const seen = detail::seen_by_banks<Instruction>(asked);
    for (unsigned lane = 0; lane != lanes; ++lane)
      number[lane] = seen.address[lane] / words.bytes,
      where[lane] = words.group_of_lane[lane] * words.places + number[lane] % words.places;
    if constexpr (Instruction::bytes > Instruction::alignment)
      for (unsigned lane = 0; lane != lanes; ++lane)
        if (asked.address[lane] % words.bytes + Instruction::bytes > words.bytes)
          refused::choice_touches_two_pieces(lane, asked.address[lane]);
  }
};

/// The most lanes that can meet on one address. An address has numbered seats. Lanes that pick together and meet there
/// take one seat after the other, so a picker takes at most as many seats as its lanes can meet there for one choice.
template <unsigned Lanes>
class meetings {
 public:
  COALESCE_API constexpr void take(access<Lanes> const& asked, picking_lanes<Lanes> const& picking) {
    constexpr std::uint64_t anywhere[Lanes] = {};
    if (picking.pickers == asked.active) return addresses_.take_alone(asked.address, anywhere, asked.active);
    std::uint64_t in_seat[Lanes] = {};
    for (std::uint64_t rest = picking.pickers; rest != 0; rest &= rest - 1) {
      unsigned const picker = detail::lowest_lane(rest);
      for (std::uint64_t with = picking.with[picker]; with != 0; with &= with - 1) {
        unsigned const lane = detail::lowest_lane(with);
        unsigned seat = picker;
        for (unsigned other = picker; other != lane; ++other)
          seat += (picking.with[picker] >> other & 1) != 0 && asked.address[other] == asked.address[lane];
        in_seat[seat] = asked.address[lane];
        addresses_.take_alone(in_seat, anywhere, std::uint64_t{1} << seat);
      }
    }
  }
  [[nodiscard]] COALESCE_API constexpr std::uint64_t most() const { return addresses_.most_lanes(); }

 private:
  wanted_words<1> addresses_;
};

/// Whether phases may merge. They may if neighbouring groups both have active lanes, unless it is sure that no lane
/// shares an address with its neighbour or its second neighbour. That is sure if the two lanes pick together and have
/// different addresses for each choice, or if each lane always has one and the same place, and the two places differ.
template <class Instruction>
class sharing {
  static constexpr unsigned lanes = Instruction::lanes;
  static constexpr auto words = Instruction::grows_with;

 public:
  COALESCE_API constexpr void take(access<lanes> const& asked, words_of_lanes<Instruction> const& here) {
    for (unsigned lane = 0; lane != lanes; ++lane) {
      std::uint64_t const bit = std::uint64_t{1} << lane;
      if (is_first_)
        place_[lane] = here.where[lane];
      else if (place_[lane] != here.where[lane])
        moving_ |= bit;
      for (unsigned distance = 1; distance != 3; ++distance)
        if (here.number[lane] == here.number[lane ^ distance]) met_[distance - 1] |= bit;
    }
    active_ = asked.active, is_first_ = false;
  }
  [[nodiscard]] COALESCE_API constexpr bool is_possible(std::uint64_t together) const {
    return two_groups() && !(never_meets(1, together) && never_meets(2, together));
  }

 private:
  [[nodiscard]] COALESCE_API constexpr bool two_groups() const {
    for (unsigned lane = 0; lane != lanes; ++lane)
      for (unsigned other = 0; other != lane; ++other) {
        unsigned const group = words.group_of_lane[lane], before = words.group_of_lane[other];
        if ((active_ >> lane & active_ >> other & 1) != 0 && group != before &&
            group / words.merged == before / words.merged)
          return true;
      }
    return false;
  }
  [[nodiscard]] COALESCE_API constexpr bool never_meets(unsigned distance, std::uint64_t together) const {
    for (unsigned lane = 0; lane != lanes; ++lane) {
      unsigned const other = lane ^ distance;
      bool const picks_with = lane / together == other / together;
      bool const stays = ((moving_ >> lane | moving_ >> other) & 1) == 0;
      if ((active_ >> lane & active_ >> other & 1) != 0 && (met_[distance - 1] >> lane & 1) == 0 &&
          (picks_with || (stays && place_[lane] != place_[other])))
        return true;
    }
    return false;
  }
  std::uint64_t active_ = 0, moving_ = 0, met_[2] = {}, place_[lanes] = {};
  bool is_first_ = true;
};

/// Finds the worst choices at one point: what they cost, and which they are.
template <class Instruction, unsigned Rank, class Pattern, class Answer>
COALESCE_API constexpr void find_worst(Pattern const& pattern, unsigned const (&at)[4], unsigned choices,
                                       std::uint64_t together, std::uint64_t active, Answer& answer) {
  constexpr unsigned lanes = Instruction::lanes;
  constexpr auto words = Instruction::grows_with;
  constexpr bool is_atomic = requires { answer.lanes_on_one_address; };
  picking_lanes<lanes> const picking(active, together, words.group_of_lane);
  unsigned choice = 0;  // of every lane
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

  // By picker: the set that it has to want. `left`: the pickers whose choice is still to be found.
  std::uint64_t set_of[lanes] = {}, left = 0;
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
