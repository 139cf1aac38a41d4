// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/config.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/transaction.hpp>

#include <cstddef>
#include <cstdint>

// The first lanes that make an access dearer than its ideal, in words. Only what the engines list is looked at, so this
// knows no machine.

namespace coalescing::detail {

/// The same active lanes at neighbouring words from byte 0 on, side by side, or each at its own place where that is
/// fewer transactions (on CC 1.0 places count); through the constant cache, all at one word: of a full wave this costs
/// co::ideal.
template <class Instruction>
COALESCE_API constexpr access<Instruction::lanes> at_best(access<Instruction::lanes> asked) {
  constexpr auto step = static_cast<std::uint64_t>(neighbours<Instruction>().stride);
  access<Instruction::lanes> in_place =
      detail::apply<Instruction::lanes>(neighbours<Instruction>(), asked.active, detail::limits_of<Instruction>());
  if (asked.active == wave_mask<Instruction::lanes>) return in_place;
  std::uint64_t next = 0, here = 0;
  asked.differ = 0;
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
    if ((asked.active >> lane & 1) != 0) here = next, next += step;
    asked.address[lane] = here, asked.differ |= here;
  }
  if constexpr (requires { Instruction::cost_of(asked).transactions; })
    if (Instruction::cost_of(in_place).transactions < Instruction::cost_of(asked).transactions) return in_place;
  return asked;
}

/// Two active lanes that follow each other.
struct lane_pair {
  unsigned first = 0, second = 0;
  bool found = false;
  std::uint64_t distance = 0;
};
/// The first whose words are neither one nor neighbours (`word`: bytes from a neighbour to the next) and which is
/// guilty.
template <unsigned Lanes, class Guilty>
COALESCE_API constexpr lane_pair first_gap(access<Lanes> const& asked, std::uint64_t word, Guilty const& is_guilty) {
  lane_pair pair;
  bool begun = false;
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    if ((asked.active >> lane & 1) == 0) continue;
    if (begun) {
      std::uint64_t const up = asked.address[lane] - asked.address[pair.first];
      pair.distance = up >> 63 != 0 ? 0 - up : up, pair.second = lane;
      pair.found = pair.distance != 0 && pair.distance != word && is_guilty(pair.first, lane);
      if (pair.found) return pair;
    }
    begun = true, pair.first = lane;
  }
  return pair;
}
template <std::size_t Capacity>
COALESCE_API constexpr void put(text<Capacity>& out, lane_pair const& pair) {
  detail::say(out, "lanes ", std::uint64_t{pair.first}, " and ", std::uint64_t{pair.second}, " are ", pair.distance,
              pair.distance == 1 ? " byte apart" : " bytes apart");
}

/// Some of its lanes alone. (The others stand where one of these does: access.hpp.)
template <unsigned Lanes>
COALESCE_API constexpr access<Lanes> only(access<Lanes> asked, std::uint64_t lanes) {
  asked.active &= lanes;
  unsigned first = 0;
  while (first != Lanes - 1 && (asked.active >> first & 1) == 0) ++first;
  std::uint64_t here = asked.address[first];
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0)
      here = asked.address[lane];
    else
      asked.address[lane] = here;
  return asked;
}

/// Bytes of a transaction that its lanes name.
template <unsigned Lanes>
COALESCE_API constexpr unsigned used_of(access<Lanes> const& asked, transaction const& piece) {
  bool named[256] = {};
  unsigned used = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((piece.lanes >> lane & 1) != 0)
      for (unsigned byte = 0; byte != asked.bytes; ++byte)
        if (std::uint64_t const at = asked.address[lane] + byte - piece.address; at < piece.bytes && !named[at])
          named[at] = true, ++used;
  return used;
}

/// Of global memory.
template <std::size_t Capacity, unsigned Lanes, unsigned Pieces>
COALESCE_API constexpr void say_why_pieces(text<Capacity>& out, access<Lanes> const& asked,
                                           transaction_list<Pieces> const& list, char const* noun) {
  auto const piece_of = [&](unsigned lane) {
    unsigned k = 0;
    while (k + 1 != list.count && (list.items[k].lanes >> lane & 1) == 0) ++k;
    return list.items[k];
  };
  auto const is_used_in_part = [&](transaction const& piece) { return detail::used_of(asked, piece) < piece.bytes; };
  lane_pair const gap = detail::first_gap(asked, asked.bytes, [&](unsigned first, unsigned second) {
    return is_used_in_part(piece_of(first)) || is_used_in_part(piece_of(second));
  });
  unsigned lane = gap.first;
  if (!gap.found)
    for (lane = 0; lane != Lanes - 1 && (asked.active >> lane & 1) == 0;) ++lane;
  lane_pair const apart = detail::first_gap(asked, asked.bytes, [](unsigned, unsigned) { return true; });
  transaction const first = piece_of(lane), second = piece_of(gap.second);
  std::uint64_t const used = detail::used_of(asked, first), into = asked.address[lane] - first.address;
  out.append("Why: ");
  if (gap.found) detail::say(out, gap, ": ");
  if (gap.found && first != second && first.bytes == second.bytes && used == detail::used_of(asked, second))
    detail::say(out, "each opens its own ", first.bytes, "-byte ", noun, " and uses ", used,
                used == 1 ? " byte of it" : " bytes of it");
  else if (!gap.found && apart.found)
    detail::say(out, apart, ": each ", noun, " is used whole, but they do not lie together");
  else if (!gap.found && into != 0 && into < first.bytes)
    detail::say(out, "lane ", std::uint64_t{lane}, " begins ", into, into == 1 ? " byte into a " : " bytes into a ",
                first.bytes, "-byte ", noun, ", so the lanes reach into more of them than if they began with one");
  else
    detail::say(out, "the ", first.bytes, "-byte ", noun, " at byte ", first.address, " serves ",
                lanes_named{first.lanes}, ", and ", used,
                used == 1 ? " of its bytes is used" : " of its bytes are used");
  out.append("\n");
}

/// Of clocks of L1: the first lanes that take more than they need, of those that are counted on their own (GCN: 16).
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_clocks(text<Capacity>& out, access<Instruction::lanes> const& asked) {
  constexpr unsigned lanes = lanes_of_clocks<Instruction>;
  for (unsigned group = 0; group != Instruction::lanes; group += lanes) {
    auto const some = detail::only(asked, wave_mask<lanes> << group);
    if (some.active == 0) continue;
    std::uint64_t const clocks = Instruction::cost_of(some).clocks,
                        ideal = Instruction::cost_of(detail::at_best<Instruction>(some)).clocks;
    if (clocks == ideal) continue;
    auto const gap = detail::first_gap(some, asked.bytes, [](unsigned, unsigned) { return true; });
    detail::say(out, "Why: ", lanes_named{some.active}, " take ", clocks, " clocks, where neighbours take ", ideal);
    if (gap.found) detail::say(out, ": ", gap);
    return out.append("\n");
  }
}

/// Of banks: the first phase with more rounds than one, and lanes that want different words of its busiest bank.
template <class Instruction, std::size_t Capacity, unsigned Phases>
COALESCE_API constexpr void say_why_banks(text<Capacity>& out, access<Instruction::lanes> asked,
                                          phase_list<Phases> const& list) {
  if constexpr (requires { Instruction::folded(asked); }) asked = Instruction::folded(asked);
  for (std::uint64_t k = 0; k != list.count; ++k) {
    bank_phase const phase = list.items[k];
    if (phase.rounds <= 1) continue;
    std::uint64_t different = 0, seen[64] = {};
    unsigned count = 0;
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
      bool fresh = (phase.colliding >> lane & 1) != 0;
      for (unsigned j = 0; fresh && j != count; ++j) fresh = seen[j] != asked.address[lane] / Instruction::unit;
      if (fresh) different |= std::uint64_t{1} << lane, seen[count++] = asked.address[lane] / Instruction::unit;
    }
    detail::say(out, "Why: in phase ", k + 1, " of ", list.count, " (", lanes_named{phase.lanes}, ") ",
                lanes_named{different}, count > 1 ? " want different words of bank " : " waits for bank ", phase.bank,
                ": ", phase.rounds, " rounds\n");
    return;
  }
}

/// Of atomics: who meets on the first address that two lanes name.
template <std::size_t Capacity, unsigned Lanes>
COALESCE_API constexpr void say_who_meets(text<Capacity>& out, access<Lanes> const& asked) {
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    std::uint64_t met = 0;
    for (unsigned other = lane; other != Lanes && (asked.active >> lane & 1) != 0; ++other)
      if ((asked.active >> other & 1) != 0 && asked.address[other] == asked.address[lane])
        met |= std::uint64_t{1} << other;
    if ((met & (met - 1)) == 0) continue;
    return detail::say(out, "Why: ", lanes_named{met}, " name byte ", asked.address[lane],
                       ": their operations follow one another\n");
  }
}

}  // namespace coalescing::detail
