// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/engine/distinct.hpp>

#include <cstdint>

// How many different words can lanes want at once, if each lane picks one of several words? A matching gives each lane
// at most one word, and each word to at most one lane. So the answer is the size of a maximum matching.
//
// Words are added one after the other. A free lane takes the new word at once. Otherwise a lane takes the new word and
// hands its old word to another lane. That lane hands on its own old word, and so on, until a free lane receives a
// word. This chain of lanes is an augmenting path. A matching without an augmenting path is a maximum (Berge, 1957;
// this search is Kuhn's, 1955).
//
// A search fails if no path leads from its word to a free lane. The lanes that a failed search has seen hold words that
// only these lanes can pick. So no later path through these lanes leads to a free lane, and later searches skip these
// lanes. All failing searches together look at each lane once.
//
// Words may weigh more than 1. Then the heaviest words are added first: the sets of words that can be matched are a
// matroid (Edmonds and Fulkerson, 1965), in which this greedy order gives the heaviest matching.

namespace coalescing::detail {

/// The lowest lane of a mask. The mask must not be 0.
COALESCE_API constexpr unsigned lowest_lane(std::uint64_t lanes) {
  return static_cast<unsigned>(detail::count_bits((lanes & (0 - lanes)) - 1));
}

/// Up to 64 lanes, each matched with at most one word. Each word is given by a number.
struct matching {
  std::uint64_t matched = 0;       ///< a mask of the lanes that have a word
  std::uint64_t closed = 0;        ///< a mask of lanes from which no augmenting path leads to a lane without a word
  std::uint64_t word_of[64] = {};  ///< the word of each lane

  /// Matches one more word, if that is possible. Every lane that has a word still has one afterwards. `lanes_of(word)`
  /// gives the lanes that can pick a word.
  template <class LanesOf>
  COALESCE_API constexpr bool add(std::uint64_t word, LanesOf const& lanes_of) {
    constexpr unsigned start = 64;
    unsigned before[64];  // for each lane: the lane whose word it would take, or `start` if it would take the new word
    unsigned lane = start;
    std::uint64_t seen = closed, waiting = 0;
    for (;;) {
      std::uint64_t const fresh = lanes_of(lane == start ? word : word_of[lane]) & ~seen;
      if (std::uint64_t const free = fresh & ~matched; free != 0) {
        unsigned to = detail::lowest_lane(free);
        matched |= std::uint64_t{1} << to;
        for (; lane != start; to = lane, lane = before[lane]) word_of[to] = word_of[lane];
        word_of[to] = word;
        return true;
      }
      for (std::uint64_t rest = fresh; rest != 0; rest &= rest - 1) before[detail::lowest_lane(rest)] = lane;
      seen |= fresh, waiting |= fresh;
      if (waiting == 0) {
        closed = seen;
        return false;
      }
      lane = detail::lowest_lane(waiting), waiting &= waiting - 1;
    }
  }
};

}  // namespace coalescing::detail
