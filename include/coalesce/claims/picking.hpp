// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/wanted.hpp>
#include <coalesce/core/instruction.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// What lanes want from memory, for each choice that they may pick (claims/any.hpp): which lanes pick together, the word
// that each lane wants, how many lanes can name one address, and whether phases may merge.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void choice_touches_two_pieces(unsigned lane, std::uint64_t address) {
  detail::refuse("any: a choice touches two pieces of memory, so that no matching tells the worst", lane, address);
}
[[noreturn]] COALESCE_API inline void lanes_that_pick_together_are_served_apart(unsigned lane) {
  detail::refuse(
      "any: lanes that pick together are served in different phases or requests: no matching tells the worst", lane, 0);
}

}  // namespace refused

namespace detail {

/// The lanes that pick together. The first active one of them, the picker, stands for them all.
template <unsigned Lanes>
struct picking_lanes {
  std::uint64_t pickers = 0;       ///< bit k: lane k is a picker
  std::uint64_t with[Lanes] = {};  ///< for each picker, the active lanes that pick with it, itself included

  COALESCE_API constexpr picking_lanes(std::uint64_t active, std::uint64_t together,
                                       unsigned const (&group_of_lane)[Lanes]) {
    for (unsigned lane = 0, picker = 0; lane != Lanes; ++lane) {
      if ((active >> lane & 1) == 0) continue;
      if (pickers == 0 || lane / together != picker / together) picker = lane, pickers |= std::uint64_t{1} << lane;
      if (group_of_lane[lane] != group_of_lane[picker]) refused::lanes_that_pick_together_are_served_apart(lane);
      with[picker] |= std::uint64_t{1} << lane;
    }
  }
  /// The pickers among the lanes of a group.
  COALESCE_API constexpr std::uint64_t of_group(unsigned group, unsigned const (&group_of_lane)[Lanes]) const {
    std::uint64_t found = 0;
    for (std::uint64_t rest = pickers; rest != 0; rest &= rest - 1)
      if (unsigned const picker = detail::lowest_lane(rest); group_of_lane[picker] == group)
        found |= std::uint64_t{1} << picker;
    return found;
  }
};

/// The word that each lane wants: its number, and the place that serves it (engine/words.hpp). Places are numbered
/// through all groups of lanes.
template <class Instruction>
struct words_of_lanes {
  static constexpr unsigned lanes = Instruction::lanes;
  std::uint64_t number[lanes] = {}, where[lanes] = {};

  /// Refused: an access that touches two words.
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

/// Counts the most lanes that can name one address. With one choice, several of the lanes that pick together may name
/// it. So each address has a bit for each lane. If with some choice n lanes of a picker name the address, they set the
/// picker's bit and the n - 1 bits after it. Over all choices a picker then sets as many bits as the most of its lanes
/// that name the address with one choice.
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

/// Whether phases may merge for some combination of choices. Phases merge if each lane has the same address as its
/// neighbour (lane ^ 1), or if each has the same as its second neighbour (lane ^ 2). So they can merge only if
/// - two groups that could merge have active lanes, and
/// - every pair of active neighbours can share an address, or every pair of active second neighbours can.
///
/// A pair can never share an address in two cases. Its lanes always pick the same choice, and no choice gives them the
/// same address. Or each lane has one place (such as a bank) with all choices, and the two places differ.
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

}  // namespace detail
}  // namespace coalescing
