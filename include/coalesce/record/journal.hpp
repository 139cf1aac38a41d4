// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/grown.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/record/sums.hpp>
#include <coalesce/record/visits.hpp>

#include <cstdint>

// The journal lists the accesses of a warp's lanes, which run one after the other, each through the whole kernel. It
// finds which accesses of different lanes are one instruction of the warp, called a visit (visits.hpp has the rule). A
// stretch is the list of visits between two points at which the lanes are together. Such points are sync(), converge()
// and the beginning of an iteration of a marked loop (t.loop() of thread.hpp). A marked loop is a visit, too, and holds
// a stretch for each iteration. After the loop the lanes go on in the stretch that contains the loop.

namespace coalescing::detail {

constexpr bool same_file(char const* a, char const* b) {
#ifdef __GNUC__
  return (!__builtin_is_constant_evaluated() && a == b) || __builtin_strcmp(a, b) == 0;
#else
  return detail::same_words(a, b);
#endif
}
/// A place in the source, and what the kernel does there.
struct visited_place {
  source_place at = {};
  unsigned array = no_index;
  unsigned bytes = 0;      ///< bytes of an element; 0: a marked loop begins there
  unsigned alignment = 0;  ///< bytes to which the element's type is aligned
  touch kind = {};
  void const* instruction = nullptr;  ///< tells the instructions of co::issue apart
  char const* array_name = "";
  unsigned site = no_index;  ///< the index of the place's site in the recording; no_index: no site yet

  COALESCE_API constexpr bool is_same(visited_place const& other) const {
    return at.line == other.at.line && at.column == other.at.column && array == other.array && kind == other.kind &&
           bytes == other.bytes && alignment == other.alignment && instruction == other.instruction &&
           detail::same_file(at.file, other.at.file);
  }
};

/// Finds places and visits by a search through lists, which works in a constant expression.
///
/// A visit is one access that several lanes make together (visits.hpp). The visits between two barriers stand in one
/// list. The list keeps the order in which each lane made its visits. If a later lane needs another order, visits move
/// in the list, unless that would break the order of another lane. If no order of the list fits all lanes, the
/// recording is refused at the access that does not fit.
struct search_in_lists {
  static constexpr unsigned place_of(grown<visited_place> const& places, visited_place const& what) {
    unsigned place = 0;
    while (place != places.count && !places.items[place].is_same(what)) ++place;
    return place;
  }
  template <class Visits>
  static constexpr unsigned next_of(Visits& of, unsigned place, unsigned& last) {
    unsigned turn = 0, before = no_index;
    // Whether the search of the list has yet to reach the cursor, which is the lane's last visit. The lane's next visit
    // must stand after the cursor.
    bool is_behind = of.cursor != no_index;
    for (unsigned k = of.stretches.items[of.here].first; k != no_index; before = k, k = of.visits.items[k].next) {
      if (of.visits.items[k].place == place) {
        if (of.is_next(of.visits.items[k])) {
          if (is_behind && !move_behind_cursor(of, before, k))
            refused::lanes_take_their_turns_in_different_orders(of.places[place].array_name, of.places[place].at.line,
                                                                of.lane, turn);
          return k;
        }
        last = k, ++turn;
      }
      if (k == of.cursor) is_behind = false;
    }
    return no_index;
  }
  /// Moves a visit to the place after the cursor (the last visit that the running lane made). The visits that must stay
  /// after the moved one move with it: a visit must stay after an earlier one if some lane made both. Returns false if
  /// the cursor itself must stay after the moved visit.
  template <class Visits>
  static constexpr bool move_behind_cursor(Visits& of, unsigned before, unsigned moved) {
    auto& visits = of.visits;
    std::uint64_t followers = 0;  // a mask of the lanes that made any of the moved visits
    unsigned first = no_index, last = no_index, kept = before;
    for (unsigned k = moved;;) {
      unsigned const next = visits[k].next;
      if (k == moved || (visits[k].asked.active & followers) != 0) {
        if (k == of.cursor) return false;
        followers |= visits[k].asked.active;
        (kept == no_index ? of.stretches[of.here].first : visits[kept].next) = next;
        (last == no_index ? first : visits[last].next) = k, last = k;
      } else {
        kept = k;
        if (k == of.cursor) break;
      }
      k = next;
    }
    visits[last].next = visits[of.cursor].next, visits[of.cursor].next = first;
    return true;
  }
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

/// Notes the accesses of a warp of up to 64 lanes. At the end of a warp it calls sink.add_access(site, access, any,
/// uneven) for each instruction of the warp. `any` is the bitwise or of all addresses. `uneven` says that lanes came to
/// the instruction's place in the source different numbers of times.
template <unsigned Lanes, class Sink>
struct journal : visits_of_warp<Lanes, visited_place, search_in_lists> {
  using base = visits_of_warp<Lanes, visited_place, search_in_lists>;
  using base::bit, base::cursor, base::here, base::places, base::stretches, base::visits;
  using typename base::visit;

  Sink& sink;

  constexpr explicit journal(Sink& t) : sink(t) {}

  constexpr void end_warp() { report(0, false); }

  /// Called when the lane comes to sync() or converge(), where lanes are together again. Its next accesses belong to
  /// the next stretch (the list of accesses between two such points).
  constexpr void converge() {
    if (stretches.items[here].after == no_index) {
      unsigned const fresh = stretches.append({});
      stretches.items[here].after = fresh;
    }
    here = stretches.items[here].after, cursor = no_index;
  }
  constexpr void sync() { converge(); }

  // ---- Marked loops: t.loop() of thread.hpp ----

  /// Where a lane is in a marked loop: the loop's index in `visits`, and two indices in `stretches`: the section of the
  /// kernel that contains the loop, and the lane's current iteration.
  struct loop_state {
    unsigned visit = no_index, around = no_index, iteration = no_index;
  };
  constexpr loop_state enter(source_place const& at) {
    this->note({.at = at}, 0, [](visited_place&) {});
    return {cursor, here, no_index};
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

  // ---- Reports to the sink ----

  /// Gives the sink every visit (instruction of the warp) of the stretch `from`, and of the stretches after it.
  /// `uneven`: these stretches are in a loop that the kernel marked, and some lanes entered this loop more often than
  /// others.
  constexpr void report(unsigned from, bool uneven) {
    for (; from != no_index; from = stretches[from].after)
      for (unsigned k = stretches[from].first; k != no_index; k = visits.items[k].next) {
        visit& v = visits.items[k];
        bool const differs = uneven || this->is_uneven(v);
        if (places.items[v.place].bytes == 0) {
          for (unsigned each = v.first; each != no_index; each = stretches[each].iteration) report(each, differs);
          continue;
        }
        detail::fill(v.asked), v.asked.differ = v.any & ~v.all;
        sink.add_access(places.items[v.place].site, v.asked, v.any, differs);
      }
  }
};

}  // namespace coalescing::detail
