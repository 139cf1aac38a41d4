// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/wanted.hpp>
#include <coalesce/core/instruction.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// What lanes want from memory with each choice that they may pick (claims/any.hpp): which lanes pick together, which
// word each lane wants, how many lanes can name one address, and whether phases may merge.

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

/// Which lanes pick together, and so make the same choice. The first active one of such lanes is their picker: it
/// stands for all of them.
template <unsigned Lanes>
struct picking_lanes {
  std::uint64_t pickers = 0;       ///< bit k: lane k is a picker
  std::uint64_t with[Lanes] = {};  ///< for each picker: a mask of itself and of the active lanes that pick with it

  COALESCE_API constexpr picking_lanes(std::uint64_t active, std::uint64_t together,
                                       unsigned const (&group_of_lane)[Lanes]) {
    for (unsigned lane = 0, picker = 0; lane != Lanes; ++lane) {
      if ((active >> lane & 1) == 0) continue;
      if (pickers == 0 || lane / together != picker / together) picker = lane, pickers |= std::uint64_t{1} << lane;
      if (group_of_lane[lane] != group_of_lane[picker]) refused::lanes_that_pick_together_are_served_apart(lane);
      with[picker] |= std::uint64_t{1} << lane;
    }
  }
  /// A mask of the pickers among the lanes of one group. The lanes of a group are served together.
  COALESCE_API constexpr std::uint64_t of_group(unsigned group, unsigned const (&group_of_lane)[Lanes]) const {
    std::uint64_t found = 0;
    for (std::uint64_t rest = pickers; rest != 0; rest &= rest - 1)
      if (unsigned const picker = detail::lowest_lane(rest); group_of_lane[picker] == group)
        found |= std::uint64_t{1} << picker;
    return found;
  }
};

/// The word that each lane wants: the word's number, and the number of the place (such as a bank) that serves it
/// (engine/words.hpp). A bank counts as one place for each group of lanes, and all places are numbered in one sequence.
template <class Instruction>
struct words_of_lanes {
  static constexpr unsigned lanes = Instruction::lanes;
  std::uint64_t number[lanes] = {}, where[lanes] = {};

  /// Refused: a lane whose bytes lie in two words.
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

/// Finds the largest number of lanes that can name one address. Lanes that pick together all have the same choice, so
/// the lanes that name an address must be counted for each choice. This class keeps a mask for each address. If n lanes
/// that share a picker name the address with some choice, then the picker's bit and the n - 1 bits after it are set.
/// After all choices, each picker has set as many bits as its largest n. The number of bits in the mask is the answer
/// for this address.
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
/// A pair of lanes can never share an address in two cases:
/// - The two lanes always pick the same choice, and no choice gives both the same address.
/// - With all its choices, each of the two lanes stays at one place (such as a bank), and the two places differ.
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
