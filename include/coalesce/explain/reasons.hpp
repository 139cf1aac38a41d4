// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/segments.hpp>
#include <coalesce/explain/ideal.hpp>
#include <coalesce/explain/subject.hpp>
#include <coalesce/explain/words.hpp>

#include <cstddef>
#include <cstdint>

// Writes which lanes first make an access cost more than its ideal. These functions read addresses, and lists of
// transactions and phases. They are the same for all machines.

namespace coalescing::detail {

/// Two active lanes. `distance` is the bytes between their addresses.
struct lane_pair {
  unsigned first = 0, second = 0;
  bool found = false;
  std::uint64_t distance = 0;
};
/// The first two consecutive active lanes that `is_guilty` blames and whose words are neither equal nor neighbours.
/// `word` is the number of bytes from a word to its neighbour.
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

/// How many bytes of a transaction its lanes use, if each lane uses `bytes` bytes from its address on.
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

/// Writes which lanes a piece of memory serves, and how many bytes of the piece they use. Each lane uses `bytes` bytes.
/// `noun` is the word for the piece: "line", or what the machine's family calls a transaction, such as "sector".
template <unsigned Lanes, std::size_t Capacity>
COALESCE_API constexpr void say_use(text<Capacity>& out, access<Lanes> const& asked, unsigned bytes,
                                    transaction const& piece, char const* noun) {
  unsigned const used = detail::used_of(asked, bytes, piece);
  detail::say(out, "the ", piece.bytes, "-byte ", noun, " at byte ", piece.address, " serves ",
              lanes_named{piece.lanes}, ", and ", std::uint64_t{used},
              used == 1 ? " of its bytes is used" : " of its bytes are used");
}

/// Writes the Why line of CC 1.0 and 1.1, which coalesce lanes only in order. The line names the lane that is out of
/// order. If there is none, it names a segment that is moved whole though not all of its bytes are used.
template <class Subject, std::size_t Capacity>
COALESCE_API constexpr void say_why_order(text<Capacity>& out, Subject const& of, access<Subject::lanes> const& asked) {
  out.append("Why: ");
  if (order_broken const found = of.first_out_of_order(asked); found.found) {
    std::uint64_t const here = asked.address[found.lane], there = asked.address[found.before];
    detail::say(out, "lane ", std::uint64_t{found.lane});
    if (found.lane == found.before) {
      detail::say(out, " begins at byte ", here);
    } else {
      std::uint64_t const apart = here < there ? there - here : here - there;
      detail::say(out, " is ", apart, apart == 1 ? " byte " : " bytes ", here < there ? "before" : "after", " lane ",
                  std::uint64_t{found.before});
    }
    return detail::say(out, ": ", std::uint64_t{of.order_lanes},
                       " lanes are coalesced only where lane k of them has word k from a multiple of ", of.segment,
                       " bytes on\n");
  }
  for (transaction const& piece : of.transactions_of(asked))
    if (piece.bytes == of.segment && detail::used_of(asked, of.limits.bytes, piece) < piece.bytes)
      return detail::say_use(out, asked, of.bytes, piece, "segment"), out.append("\n");
}

/// The pieces of memory (transactions or lines) that an access touches, and the facts of the instruction that a
/// sentence about the pieces needs.
struct pieces_touched {
  transaction const* first;
  std::uint64_t count;
  unsigned bytes;         ///< bytes that a lane uses
  unsigned word;          ///< bytes from a word to its neighbour
  std::uint64_t segment;  ///< bytes of the segment that a piece is a part of (CC 1.2 and 1.3); 0: there are no segments
  family words;           ///< has the word for a piece, such as "sector"
  std::uint64_t best;     ///< how many pieces the ideal access touches

  COALESCE_API constexpr transaction const* begin() const { return first; }
  COALESCE_API constexpr transaction const* end() const { return first + count; }
};

/// Writes the Why line of an access that touches more pieces of memory, or moves more bytes in them, than its ideal.
/// The pieces are lines or transactions. `count_of` counts the pieces of another access.
template <unsigned Lanes, std::size_t Capacity, class Count>
COALESCE_API constexpr void say_why_pieces(text<Capacity>& out, access<Lanes> const& asked, pieces_touched const& list,
                                           Count const& count_of) {
  auto const piece_of = [&](unsigned lane) {
    unsigned k = 0;
    while (k + 1 != list.count && (list.first[k].lanes >> lane & 1) == 0) ++k;
    return list.first[k];
  };
  auto const used_in = [&](transaction const& piece) { return detail::used_of(asked, list.bytes, piece); };
  auto const is_used_in_part = [&](transaction const& piece) { return used_in(piece) < piece.bytes; };
  auto const noun = [&](transaction const& piece) {
    return piece.bytes == 32 ? list.words.piece_of_32 : list.words.piece;
  };
  auto const say_use = [&](transaction const& piece) { detail::say_use(out, asked, list.bytes, piece, noun(piece)); };
  out.append("Why: ");

  // First reason: the words lie together, but begin in the middle of a transaction or line.
  auto const ordered = detail::by_address(asked);
  auto const lowest = ordered.at[0], highest = ordered.at[ordered.count - 1];
  bool const together = highest.address - lowest.address + asked.bytes == detail::count_bytes(ordered);
  transaction const at_first = piece_of(lowest.lane);
  std::uint64_t const into = lowest.address - at_first.address;
  // Whether a transaction serves all active lanes that touch its bytes. It does not if some of these lanes belong to
  // another part of the warp.
  auto const serves_all_on_it = [&](transaction const& piece) {
    for (unsigned lane = 0; lane != Lanes; ++lane) {
      std::uint64_t const from = asked.address[lane] - piece.address, to = from + (asked.bytes - 1);
      if (((asked.active & ~piece.lanes) >> lane & 1) != 0 && (from < piece.bytes || to < piece.bytes)) return false;
    }
    return true;
  };
  auto const reach_into_fewer = [&](std::uint64_t back) {
    auto moved = asked;
    for (std::uint64_t& address : moved.address) address -= back;
    moved.differ = all_lanes;  // all bits: the moved addresses may differ in any of them
    return count_of(moved) < list.count;
  };
  // This reason holds if the lanes would touch fewer pieces from the start of a piece on. If pieces are parts of a
  // segment, that also depends on which piece of the segment it is. So the lanes are moved back to each of these pieces
  // in turn, and the reason must hold for all of them.
  bool late = together && into != 0 && serves_all_on_it(at_first);
  for (std::uint64_t back = into; late && (back == into || back + 1 <= list.segment); back += at_first.bytes)
    late = reach_into_fewer(back);
  if (late)
    return detail::say(out, "lane ", std::uint64_t{lowest.lane}, " begins ", into,
                       into == 1 ? " byte into a " : " bytes into a ", at_first.bytes, "-byte ", noun(at_first),
                       ", so the lanes reach into more of them than if they began with one\n");

  // Second reason: some bytes of a transaction or line are not used.
  lane_pair const gap = detail::first_gap(asked, list.word, [&](unsigned first, unsigned second) {
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
  lane_pair const apart = detail::first_gap(asked, list.word, [](unsigned, unsigned) { return true; });
  detail::say(out, "each of ", list.count, " pieces is used whole, where neighbours take ", list.best, ": ");
  if (apart.found)
    detail::say(out, apart, "\n");
  else
    detail::say(out, "lane ", std::uint64_t{lowest.lane}, " begins at byte ", lowest.address, "\n");
}

/// Writes the Why line of a number that is counted for groups of lanes (clocks or data_wavefronts). The line is about
/// the first group for which the number is higher than it would be on neighbouring words. If the instruction can tell
/// which two lanes keep the group from being coalesced (breaks_a_run is not null), the line names these two. Otherwise
/// it names the first lanes of the group: the fewest that by themselves take more than the whole group takes on
/// neighbouring words.
template <unsigned Lanes, std::size_t Capacity, class Taken, class Ideal>
COALESCE_API constexpr void say_why_group(text<Capacity>& out, access<Lanes> const& asked, unsigned lanes_of_group,
                                          char const* noun, Taken const& taken_by, Ideal const& ideal_of,
                                          bool (*breaks_a_run)(access<Lanes> const&, unsigned, unsigned)) {
  for (unsigned from = 0; from != Lanes; from += lanes_of_group) {
    auto const first_ones = [&](unsigned count) { return detail::only(asked, wave_mask<64> >> (64 - count) << from); };
    auto const some = first_ones(lanes_of_group);
    if (some.active == 0) continue;
    std::uint64_t const taken = taken_by(some), ideal = ideal_of(some);
    if (taken <= ideal) continue;
    detail::say(out, "Why: ", lanes_named{some.active}, " take ", taken, noun, ", where neighbours take ", ideal, ": ");
    if (breaks_a_run != nullptr) {
      lane_pair pair;
      for (unsigned second = from; second != from + lanes_of_group && !pair.found; ++second)
        for (unsigned first = from; first != second && !pair.found; ++first)
          if (breaks_a_run(some, first, second)) {
            std::uint64_t const one = some.address[first], other = some.address[second];
            pair = {
                .first = first, .second = second, .found = true, .distance = one < other ? other - one : one - other};
          }
      return detail::say(out, pair, "\n");
    }
    // Bisects for the fewest first lanes that take more than `ideal`, which is what the whole group takes on
    // neighbouring words. The first `few` lanes take no more than `ideal`, the first `many` lanes take more.
    unsigned few = 1, many = lanes_of_group;
    while (many - few > 1) {
      unsigned const middle = (few + many) / 2;
      (taken_by(first_ones(middle)) > ideal ? many : few) = middle;
    }
    auto const enough = first_ones(many);
    return detail::say(out, lanes_named{enough.active}, " alone take ", taken_by(enough), "\n");
  }
}

/// Writes the Why line of bank conflicts in one of several phases: which lanes want different words of the busiest
/// bank. `asked` has the addresses as the banks see them, and `unit` is the number of bytes of a word.
template <unsigned Lanes, std::size_t Capacity>
COALESCE_API constexpr void say_phase(text<Capacity>& out, access<Lanes> const& asked, unsigned unit,
                                      bank_phase const& phase, std::uint64_t number, std::uint64_t of) {
  std::uint64_t different = 0, seen[64] = {};
  unsigned count = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    bool fresh = (phase.colliding >> lane & 1) != 0;
    for (unsigned j = 0; fresh && j != count; ++j) fresh = seen[j] != asked.address[lane] / unit;
    if (fresh) different |= std::uint64_t{1} << lane, seen[count++] = asked.address[lane] / unit;
  }
  detail::say(out, "Why: in phase ", number, " of ", of, " (", lanes_named{phase.lanes}, ") ",
              lanes_named{count > 1 ? different : phase.colliding},
              count > 1 ? " want different words of bank " : " wait for bank ", phase.bank, ": ", phase.rounds,
              " rounds\n");
}

}  // namespace coalescing::detail
