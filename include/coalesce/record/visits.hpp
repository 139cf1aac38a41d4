// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/record/grown.hpp>

#include <cstdint>

// Finds which accesses of a warp's lanes are one instruction of the warp.
//
// A *stretch* is what lanes do between two points at which they are together, such as two calls of sync(). When a lane
// comes to a place for the n-th time in a stretch, it joins the n-th *visit* of that place. A visit is one instruction
// of the warp.
//
// Lanes run one after the other, and each may make the visits of a stretch in its own order. The recording is refused
// if no single order of the visits fits all lanes.

namespace coalescing::detail {

/// A visit of a place in the source: an instruction that lanes of the warp execute together. A stretch is a list of
/// visits: those between two points where the lanes are together, such as two calls of sync().
template <unsigned Lanes>
struct visit_of_lanes {
  unsigned place = 0;
  unsigned next = no_index;      ///< index of the next visit in the list of the stretch
  unsigned previous = no_index;  ///< index of the previous visit of the same place in this stretch
  /// If the place is a loop that the kernel marks (t.loop()): the stretch of its first iteration.
  unsigned first = no_index;
  std::uint64_t any = 0;                  ///< the bitwise or of the addresses of all lanes that made the visit
  std::uint64_t all = ~std::uint64_t{0};  ///< the bitwise and of these addresses
  access<Lanes> asked = {};
};
/// The visits (instructions) of lanes between two points at which the lanes are together.
struct stretch {
  unsigned first = no_index;  ///< index of the first visit of the stretch
  unsigned after = no_index;  ///< index of the stretch that begins at the next sync() or converge()
  /// If this stretch begins an iteration of a marked loop: the stretch that begins the next iteration.
  unsigned iteration = no_index;
};

/// The visits (instructions) of a warp of up to 64 lanes. A Place has is_same(other place), and `bytes`, the bytes that
/// a lane moves there. A Search finds the number of a place, and the visit that a lane makes next:
///
///     place_of(places, place)      the number of a place; if it is new, the next free number
///     next_of(*this, place, last)  the lane's next visit of that place in this stretch, if an earlier lane has made
///                                  it; otherwise no_index, and `last` is the place's last visit in this stretch
template <unsigned Lanes, class Place, class Search>
struct visits_of_warp {
  static constexpr unsigned lanes = Lanes;
  using visit = visit_of_lanes<Lanes>;

  grown<Place> places = {};
  grown<visit> visits = {};
  grown<stretch> stretches = {};
  Search search = {};
  // The next members describe the lane that is running.
  unsigned lane = 0, thread = 0;
  std::uint64_t bit = 1;
  unsigned here = 0;           ///< index of the stretch (section between two barriers) that the lane is in
  unsigned cursor = no_index;  ///< index of the last visit (instruction) that the lane made in that stretch

  constexpr void begin_warp() { visits.count = stretches.count = 0, stretches.append({}); }
  constexpr void begin_lane(unsigned which, unsigned index) {
    lane = which, thread = index, bit = std::uint64_t{1} << which, here = 0, cursor = no_index;
  }

  /// Notes an access of the lane at a place of the kernel. Calls see_new(place) if no lane has been at that place
  /// before.
  template <class SeeNew>
  COALESCE_API constexpr void note(Place const& what, std::uint64_t address, SeeNew const& see_new) {
    unsigned next = cursor == no_index ? stretches.items[here].first : visits.items[cursor].next;
    if (next == no_index || !is_next(visits.items[next]) || !places.items[visits.items[next].place].is_same(what))
      next = find_visit(what, see_new);
    visit& v = visits.items[cursor = next];
    v.asked.address[lane] = address, v.asked.active |= bit, v.any |= address, v.all &= address;
  }
  /// Finds the visit (instruction of the warp) to which the lane's access belongs. A new visit is put into the list
  /// directly after the cursor, which is the lane's last visit.
  template <class SeeNew>
  constexpr unsigned find_visit(Place const& what, SeeNew const& see_new) {
    unsigned const place = search.place_of(places, what);
    if (place == places.count) places.append(what), see_new(places.items[place]);
    visit fresh;
    if (unsigned const known = search.next_of(*this, place, fresh.previous); known != no_index) return known;
    fresh.place = place, fresh.asked.bytes = what.bytes,
    fresh.next = cursor == no_index ? stretches.items[here].first : visits.items[cursor].next;
    unsigned const k = visits.append(fresh);
    return (cursor == no_index ? stretches.items[here].first : visits.items[cursor].next) = k;
  }

  /// Whether the running lane makes the visit `v` when it comes to the place of `v` the next time: it has made the
  /// previous visit of this place, but not `v`.
  constexpr bool is_next(visit const& v) const {
    return (v.asked.active & bit) == 0 &&
           (v.previous == no_index || (visits.items[v.previous].asked.active & bit) != 0);
  }
  /// Whether the lanes that made this visit differ from the lanes that made the previous visit of the same place.
  constexpr bool is_uneven(visit const& v) const {
    return v.previous != no_index && visits.items[v.previous].asked.active != v.asked.active;
  }
};

}  // namespace coalescing::detail
