// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/transaction.hpp>
#include <coalesce/engine/order.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/explain/words.hpp>

#include <cstddef>
#include <cstdint>

// The first lanes that make an access dearer than its ideal, in words. Only what the engines list is looked at, so this
// knows no machine.

namespace coalescing::detail {

/// Of each number the lesser.
template <template <class> class Cost>
COALESCE_API constexpr Cost<counts> lesser(Cost<counts> const& a, Cost<counts> const& b) {
  auto least = __builtin_bit_cast(row_of_numbers<Cost>, a);
  auto const other = __builtin_bit_cast(row_of_numbers<Cost>, b);
  for (unsigned k = 0; k != least.count; ++k)
    if (other.number[k] < least.number[k]) least.number[k] = other.number[k];
  return __builtin_bit_cast(Cost<counts>, least);
}

/// The same active lanes at neighbouring words from byte 0 on, each at its own place; through the constant cache, all
/// at one word.
template <class Instruction>
COALESCE_API constexpr auto in_place(access<Instruction::lanes> const& asked) {
  return detail::apply<Instruction::lanes>(neighbours<Instruction>(), asked.active, detail::limits_of<Instruction>());
}
/// The same active lanes at neighbouring words from byte 0 on, side by side.
template <class Instruction>
COALESCE_API constexpr auto side_by_side(access<Instruction::lanes> asked) {
  constexpr auto step = static_cast<std::uint64_t>(neighbours<Instruction>().stride);
  std::uint64_t next = 0, here = 0;
  asked.differ = 0;
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
    if ((asked.active >> lane & 1) != 0) here = next, next += step;
    asked.address[lane] = here, asked.differ |= here;
  }
  return asked;
}

/// The ideal: what the same active lanes cost at neighbouring words, side by side or each at its own place, of each
/// number the lesser. Of a full wave it is co::ideal. (Side by side they fill lines; but a phase of lanes that lie
/// apart has no conflict for sure where each is at its place, and on CC 1.0 places count.) An access whose lanes share
/// words can cost less.
template <class Instruction>
COALESCE_API constexpr auto ideal_of(access<Instruction::lanes> const& asked) {
  auto const cost = Instruction::cost_of(detail::in_place<Instruction>(asked));
  if (asked.active == wave_mask<Instruction::lanes>) return cost;
  return detail::lesser(cost, Instruction::cost_of(detail::side_by_side<Instruction>(asked)));
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
      std::uint64_t const one = asked.address[pair.first], other = asked.address[lane];
      pair.distance = one < other ? other - one : one - other, pair.second = lane;
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

/// Some of its lanes alone. (The others stand where one of these does: core/access.hpp.)
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

/// Bytes of a transaction that its lanes use, of each lane so many.
template <unsigned Lanes>
COALESCE_API constexpr unsigned used_of(access<Lanes> const& asked, unsigned bytes, transaction const& piece) {
  bool named[256] = {};
  unsigned used = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((piece.lanes >> lane & 1) != 0)
      for (unsigned byte = 0; byte != bytes; ++byte)
        if (std::uint64_t const at = asked.address[lane] + byte - piece.address; at < piece.bytes && !named[at])
          named[at] = true, ++used;
  return used;
}

/// A piece of memory, its lanes, and how much of it they use. It is a line, or what NVIDIA calls the transactions.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_use(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                    transaction const& piece, char const* noun) {
  unsigned const used = detail::used_of(asked, touched_bytes<Instruction>, piece);
  detail::say(out, "the ", piece.bytes, "-byte ", noun, " at byte ", piece.address, " serves ",
              lanes_named{piece.lanes}, ", and ", std::uint64_t{used},
              used == 1 ? " of its bytes is used" : " of its bytes are used");
}

/// Where lanes are coalesced only in order: the lane that keeps them from it; else a segment that is moved whole for
/// few of its bytes.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_order(text<Capacity>& out, access<Instruction::lanes> const& asked) {
  using serve = typename Instruction::serve;
  out.append("Why: ");
  if (auto const [lane, before, found] = serve::first_out_of_order(asked); found) {
    std::uint64_t const here = asked.address[lane], there = asked.address[before];
    detail::say(out, "lane ", std::uint64_t{lane});
    if (lane == before) {
      detail::say(out, " begins at byte ", here);
    } else {
      std::uint64_t const apart = here < there ? there - here : here - there;
      detail::say(out, " is ", apart, apart == 1 ? " byte " : " bytes ", here < there ? "before" : "after", " lane ",
                  std::uint64_t{before});
    }
    return detail::say(out, ": ", std::uint64_t{serve::lanes},
                       " lanes are coalesced only where lane k of them has word k from a multiple of ",
                       std::uint64_t{serve::segment}, " bytes on\n");
  }
  for (transaction const& piece : Instruction::transactions_of(asked))
    if (piece.bytes == serve::segment && detail::used_of(asked, Instruction::bytes, piece) < piece.bytes)
      return detail::say_use<Instruction>(out, asked, piece, "segment"), out.append("\n");
}

/// Of pieces of memory, more of which are touched, or more bytes moved in them, than by neighbours (which touch
/// `best`). They are lines, or what NVIDIA calls the transactions.
template <class Instruction, std::size_t Capacity, unsigned Pieces, class NumberOf>
COALESCE_API constexpr void say_why_pieces(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                           transaction_list<Pieces> const& list, family const& words,
                                           NumberOf const& number_of, std::uint64_t best) {
  constexpr unsigned word = bytes_to_the_next_word<Instruction>;
  auto const piece_of = [&](unsigned lane) {
    unsigned k = 0;
    while (k + 1 != list.count && (list.items[k].lanes >> lane & 1) == 0) ++k;
    return list.items[k];
  };
  auto const used_in = [&](transaction const& piece) {
    return detail::used_of(asked, touched_bytes<Instruction>, piece);
  };
  auto const is_used_in_part = [&](transaction const& piece) { return used_in(piece) < piece.bytes; };
  auto const noun = [&](transaction const& piece) { return piece.bytes == 32 ? words.piece_of_32 : words.piece; };
  auto const say_use = [&](transaction const& piece) { detail::say_use<Instruction>(out, asked, piece, noun(piece)); };
  out.append("Why: ");

  // Words that lie together and begin late.
  auto const ordered = detail::by_address(asked);
  auto const lowest = ordered.at[0], highest = ordered.at[ordered.count - 1];
  bool const together = highest.address - lowest.address + asked.bytes == detail::count_bytes(ordered);
  transaction const at_first = piece_of(lowest.lane);
  std::uint64_t const into = lowest.address - at_first.address;
  // Lanes on one piece need not be served together: not those of different parts of a warp.
  auto const serves_all_on_it = [&](transaction const& piece) {
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
      std::uint64_t const from = asked.address[lane] - piece.address, to = from + (asked.bytes - 1);
      if (((asked.active & ~piece.lanes) >> lane & 1) != 0 && (from < piece.bytes || to < piece.bytes)) return false;
    }
    return true;
  };
  auto const reach_into_fewer = [&](std::uint64_t back) {
    auto moved = asked;
    for (std::uint64_t& address : moved.address) address -= back;
    moved.differ = all_lanes;  // in whatever bits
    return number_of(Instruction::cost_of(moved)) < list.count;
  };
  constexpr std::uint64_t segment = [] {  // of which a piece may be a part: then it matters which piece they begin with
    if constexpr (requires { Instruction::serve::segment; })
      return std::uint64_t{Instruction::serve::segment};
    else
      return std::uint64_t{0};
  }();
  bool late = together && into != 0 && serves_all_on_it(at_first);
  for (std::uint64_t back = into; late && (back == into || back + 1 <= segment); back += at_first.bytes)
    late = reach_into_fewer(back);
  if (late)
    return detail::say(out, "lane ", std::uint64_t{lowest.lane}, " begins ", into,
                       into == 1 ? " byte into a " : " bytes into a ", at_first.bytes, "-byte ", noun(at_first),
                       ", so the lanes reach into more of them than if they began with one\n");

  // Pieces that are used in part.
  lane_pair const gap = detail::first_gap(asked, word, [&](unsigned first, unsigned second) {
    return is_used_in_part(piece_of(first)) || is_used_in_part(piece_of(second));
  });
  if (gap.found) {
    transaction const first = piece_of(gap.first), second = piece_of(gap.second);
    std::uint64_t const used = used_in(first);
    bool const alone = (first.lanes & (first.lanes - 1)) == 0 && (second.lanes & (second.lanes - 1)) == 0 &&
                       serves_all_on_it(first) && serves_all_on_it(second);
    detail::say(out, gap, ": ");
    if (alone && first.bytes == second.bytes && used == used_in(second))
      detail::say(out, "each opens its own ", first.bytes, "-byte ", noun(first), " and uses ", used,
                  used == 1 ? " byte of it" : " bytes of it");
    else
      say_use(used < first.bytes ? first : second);
    return out.append("\n");
  }
  for (transaction const& piece : list)
    if (is_used_in_part(piece)) return say_use(piece), out.append("\n");
  lane_pair const apart = detail::first_gap(asked, word, [](unsigned, unsigned) { return true; });
  detail::say(out, "each of ", list.count, " pieces is used whole, where neighbours take ", best, ": ");
  if (apart.found)
    detail::say(out, apart, "\n");
  else
    detail::say(out, "lane ", std::uint64_t{lowest.lane}, " begins at byte ", lowest.address, "\n");
}

/// Of lanes that are counted on their own, so many at a time: the first that take more clocks or passes than
/// neighbours; and of these two that keep them from taking fewer, or as many of the first as take more already.
template <class Instruction, unsigned LanesOfGroup, std::size_t Capacity, class NumberOf>
COALESCE_API constexpr void say_why_group(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                          char const* noun, NumberOf const& number_of) {
  for (unsigned from = 0; from != Instruction::lanes; from += LanesOfGroup) {
    auto const first_ones = [&](unsigned count) { return detail::only(asked, wave_mask<64> >> (64 - count) << from); };
    auto const some = first_ones(LanesOfGroup);
    if (some.active == 0) continue;
    std::uint64_t const taken = number_of(Instruction::cost_of(some)),
                        ideal = number_of(detail::ideal_of<Instruction>(some));
    if (taken <= ideal) continue;
    detail::say(out, "Why: ", lanes_named{some.active}, " take ", taken, noun, ", where neighbours take ", ideal, ": ");
    if constexpr (requires { Instruction::break_a_run(some, from, from); }) {
      lane_pair pair;
      for (unsigned second = from; second != from + LanesOfGroup && !pair.found; ++second)
        for (unsigned first = from; first != second && !pair.found; ++first)
          if (Instruction::break_a_run(some, first, second)) {
            std::uint64_t const one = some.address[first], other = some.address[second];
            pair = {
                .first = first, .second = second, .found = true, .distance = one < other ? other - one : one - other};
          }
      return detail::say(out, pair, "\n");
    } else {
      unsigned few = 1, many = LanesOfGroup;  // few lanes take no more than neighbours, many do
      while (many - few > 1) {
        unsigned const middle = (few + many) / 2;
        (number_of(Instruction::cost_of(first_ones(middle))) > ideal ? many : few) = middle;
      }
      auto const enough = first_ones(many);
      return detail::say(out, lanes_named{enough.active}, " alone take ", number_of(Instruction::cost_of(enough)),
                         "\n");
    }
  }
}

/// Whether it has more rounds than its ideal, in all or in a phase. (Rounds are phases and conflicts.)
template <class Cost>
COALESCE_API constexpr bool has_more_rounds(Cost const& cost, Cost const& ideal) {
  bool more = cost.conflicts > ideal.conflicts || cost.ways > ideal.ways;
  if constexpr (requires { cost.rounds_at_least; }) more = more || cost.rounds_at_least > ideal.rounds_at_least;
  return more;
}

/// Of banks: the first phase with more rounds than its lanes take where all lanes are at neighbouring words, and lanes
/// that want different words of its busiest bank. Where a number is above its ideal there is such a phase: the ideal is
/// the lesser of two sums over the same phases.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_banks(text<Capacity>& out, access<Instruction::lanes> asked,
                                          typename Instruction::cost_type const& ideal) {
  auto const list = Instruction::phases_of(asked);
  for (std::uint64_t k = 0; k != list.count; ++k) {
    bank_phase const phase = list.items[k];
    if (phase.rounds <= 1) continue;
    if (ideal.ways > 1) {  // so more than one round need not be too many
      auto const of_phase = [&](access<Instruction::lanes> const& all) {
        return Instruction::cost_of(detail::only(all, phase.lanes));
      };
      if (!detail::has_more_rounds(of_phase(asked), detail::lesser(of_phase(detail::in_place<Instruction>(asked)),
                                                                   of_phase(detail::side_by_side<Instruction>(asked)))))
        continue;
    }
    asked = detail::seen_by_banks<Instruction>(asked);
    std::uint64_t different = 0, seen[64] = {};
    unsigned count = 0;
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
      bool fresh = (phase.colliding >> lane & 1) != 0;
      for (unsigned j = 0; fresh && j != count; ++j) fresh = seen[j] != asked.address[lane] / Instruction::unit;
      if (fresh) different |= std::uint64_t{1} << lane, seen[count++] = asked.address[lane] / Instruction::unit;
    }
    detail::say(out, "Why: in phase ", k + 1, " of ", list.count, " (", lanes_named{phase.lanes}, ") ",
                lanes_named{count > 1 ? different : phase.colliding},
                count > 1 ? " want different words of bank " : " wait for bank ", phase.bank, ": ", phase.rounds,
                " rounds\n");
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
