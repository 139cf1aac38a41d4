// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/grown.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/record/sums.hpp>

#include <cstdint>

// The journal of a warp. Its lanes run one after the other, each through the whole kernel. The journal finds which of
// their accesses one instruction makes.
//
// A *stretch* is what lanes do between two points at which they are together: sync(), converge(), the beginning of an
// iteration of a marked loop. When a lane comes to a place of the source for the n-th time in a stretch, it joins the
// n-th *visit* of that place. A visit is one instruction of the warp. A marked loop is a visit, too. It holds a stretch
// for each iteration. After the loop the lanes go on in the stretch that contains the loop.
//
// The visits of a stretch are a list. Each lane's visits stand in it in the order in which that lane made them. If a
// later lane needs another order, visits move in the list, unless that would break the order of another lane. Then the
// two lanes contradict each other, and the recording is refused.

namespace coalescing::detail {

/// A place in the source, and what is done there.
struct visited_place {
  source_place at = {};
  unsigned array = no_index;
  unsigned bytes = 0;      ///< of an element; 0: a marked loop begins there
  unsigned alignment = 0;  ///< of the element's type, bytes
  touch kind = {};
  void const* instruction = nullptr;  ///< tells the instructions of co::issue apart
  unsigned site = no_index;           ///< the sink's number for it
};
COALESCE_API constexpr bool same_file(char const* a, char const* b) {
#ifdef __GNUC__
  return (!__builtin_is_constant_evaluated() && a == b) || __builtin_strcmp(a, b) == 0;
#else
  return detail::same_words(a, b);
#endif
}

template <unsigned Lanes>
struct visit_of_lanes {
  unsigned place = 0;
  unsigned next = no_index;                        ///< in the list of the stretch
  unsigned previous = no_index;                    ///< the visit of that place before this one, in this stretch
  unsigned first = no_index;                       ///< of a loop: the stretch of its first iteration
  std::uint64_t any = 0, all = ~std::uint64_t{0};  ///< bits that some addresses have, and bits that all have
  access<Lanes> asked = {};
};
/// The visits of lanes between two points at which they are together.
struct stretch {
  unsigned first = no_index;      ///< visit
  unsigned after = no_index;      ///< the stretch after the next sync() or converge()
  unsigned iteration = no_index;  ///< the first stretch of the loop's next iteration
};

/// Gives inactive lanes the address of an active one, as core/access.hpp requires.
template <unsigned Lanes>
constexpr void fill(access<Lanes>& asked) {
  if (asked.active == wave_mask<Lanes>) return;
  std::uint64_t other = 0;
  for (unsigned k = Lanes; k-- != 0;) other = (asked.active >> k & 1) != 0 ? asked.address[k] : other;
  for (unsigned k = 0; k != Lanes; ++k)
    (asked.active >> k & 1) != 0 ? other = asked.address[k] : asked.address[k] = other;
}

/// The journal of a warp of up to 64 lanes. sink.add_access(site, access, bits of any address, whether it is uneven) is
/// called for each visit of each warp.
template <unsigned Lanes, class Sink>
struct journal {
  static constexpr unsigned lanes = Lanes;
  using visit = visit_of_lanes<Lanes>;

  Sink& sink;
  grown<visited_place> places = {};
  grown<visit> visits = {};
  grown<stretch> stretches = {};
  // the lane that runs
  unsigned lane = 0, thread = 0;
  std::uint64_t bit = 1;
  unsigned here = 0;           ///< its stretch
  unsigned cursor = no_index;  ///< its last visit there

  constexpr explicit journal(Sink& t) : sink(t) {}

  // ---- A warp's life ----

  constexpr void begin_warp() { visits.count = stretches.count = 0, stretches.append({}); }
  constexpr void begin_lane(unsigned which, unsigned index) {
    lane = which, thread = index, bit = std::uint64_t{1} << which, here = 0, cursor = no_index;
  }
  constexpr void end_warp() { report(0, false); }

  /// Goes on to the stretch after the next point of convergence.
  constexpr void converge() {
    if (stretches[here].after == no_index) {
      unsigned const fresh = stretches.append({});
      stretches[here].after = fresh;
    }
    here = stretches[here].after, cursor = no_index;
  }
  constexpr void sync() { converge(); }

  // ---- Loops ----

  /// Where a lane is in a marked loop.
  struct loop_state {
    unsigned visit = no_index, around = no_index, iteration = no_index;
  };
  constexpr loop_state enter(source_place const& at) {
    unsigned const which = find_visit({.at = at}, "", [] { return no_index; });
    visits[which].asked.active |= bit, cursor = which;
    return {which, here, no_index};
  }
  constexpr void iterate(loop_state& loop) {
    unsigned const next = loop.iteration == no_index ? visits[loop.visit].first : stretches[loop.iteration].iteration;
    if (next == no_index) {
      unsigned const fresh = stretches.append({});
      (loop.iteration == no_index ? visits[loop.visit].first : stretches[loop.iteration].iteration) = fresh;
      loop.iteration = fresh;
    } else {
      loop.iteration = next;
    }
    here = loop.iteration, cursor = no_index;
  }
  constexpr void leave(loop_state const& loop) { here = loop.around, cursor = loop.visit; }

  // ---- Accesses ----

  static constexpr bool is_same(visited_place const& a, visited_place const& b) {
    return a.at.line == b.at.line && a.at.column == b.at.column && a.array == b.array && a.kind == b.kind &&
           a.bytes == b.bytes && a.alignment == b.alignment && a.instruction == b.instruction &&
           detail::same_file(a.at.file, b.at.file);
  }
  /// Whether the visit is the lane's next one of its place.
  constexpr bool is_next(visit const& v) const {
    return (v.asked.active & bit) == 0 &&
           (v.previous == no_index || (visits.items[v.previous].asked.active & bit) != 0);
  }

  /// Notes an access of the lane. add_site() tells the sink of a new place, and gives its number there.
  template <class AddSite>
  COALESCE_API constexpr void note(visited_place const& what, char const* array, std::uint64_t address,
                                   AddSite const& add_site) {
    unsigned next = cursor == no_index ? stretches.items[here].first : visits.items[cursor].next;
    if (next == no_index || !is_next(visits.items[next]) || !is_same(places.items[visits.items[next].place], what))
      next = find_visit(what, array, add_site);
    visit& v = visits.items[cursor = next];
    v.asked.address[lane] = address, v.asked.active |= bit, v.any |= address, v.all &= address;
  }

  template <class AddSite>
  constexpr unsigned find_visit(visited_place const& what, char const* array, AddSite const& add_site) {
    unsigned place = 0;
    while (place != places.count && !is_same(places.items[place], what)) ++place;
    if (place == places.count) places.append(what), places.items[place].site = add_site();

    // The lane's next visit of the place, if an earlier lane has made it.
    unsigned last = no_index, turn = 0, before = no_index;
    bool is_behind = cursor != no_index;  // the lane has passed the visits up to the cursor
    for (unsigned k = stretches[here].first; k != no_index; before = k, k = visits.items[k].next) {
      if (visits.items[k].place == place) {
        if (is_next(visits.items[k])) {
          if (is_behind && !move_behind_cursor(before, k))
            refused::lanes_take_their_turns_in_different_orders(array, what.at.line, lane, turn);
          return k;
        }
        last = k, ++turn;
      }
      if (k == cursor) is_behind = false;
    }
    visit fresh;
    fresh.place = place, fresh.previous = last, fresh.asked.bytes = what.bytes;
    fresh.next = cursor == no_index ? stretches[here].first : visits[cursor].next;
    unsigned const k = visits.append(fresh);
    return (cursor == no_index ? stretches[here].first : visits[cursor].next) = k;
  }

  /// Moves a visit, and those that some lane made after it, to the place after the cursor. Returns false if a lane's
  /// order forbids it. (A visit follows an earlier one if a lane made both, or if it follows a visit that follows that
  /// one.)
  constexpr bool move_behind_cursor(unsigned before, unsigned moved) {
    std::uint64_t followers = 0;  // the lanes that made any of the visits to move
    unsigned first = no_index, last = no_index, kept = before;
    for (unsigned k = moved;;) {
      unsigned const next = visits[k].next;
      if (k == moved || (visits[k].asked.active & followers) != 0) {
        if (k == cursor) return false;
        followers |= visits[k].asked.active;
        (kept == no_index ? stretches[here].first : visits[kept].next) = next;
        (last == no_index ? first : visits[last].next) = k, last = k;
      } else {
        kept = k;
        if (k == cursor) break;
      }
      k = next;
    }
    visits[last].next = visits[cursor].next, visits[cursor].next = first;
    return true;
  }

  // ---- Reporting ----

  /// Reports all visits from a stretch on to the sink. `uneven`: lanes left a loop around them earlier than others, and
  /// the loop is not marked.
  constexpr void report(unsigned from, bool uneven) {
    for (; from != no_index; from = stretches[from].after)
      for (unsigned k = stretches[from].first; k != no_index; k = visits[k].next) {
        visit& v = visits[k];
        bool const differs = uneven || (v.previous != no_index && visits[v.previous].asked.active != v.asked.active);
        if (places[v.place].bytes == 0) {
          for (unsigned each = v.first; each != no_index; each = stretches[each].iteration) report(each, differs);
          continue;
        }
        detail::fill(v.asked), v.asked.differ = v.any & ~v.all;
        sink.add_access(places[v.place].site, v.asked, v.any, differs);
      }
  }
};

}  // namespace coalescing::detail
