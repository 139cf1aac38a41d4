// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/instruction.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/intervals.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/kernel.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>

// Finds races in shared memory. Two accesses race if different threads access the same byte without a barrier between
// the accesses, at least one access writes, and at most one of the two is an atomic.

namespace coalescing {

/// The races of a block: their number, and one race in detail. This race is at the lowest byte in the earliest interval
/// between barriers that has a race. Its two accesses are `first` and `second`.
struct race_list {
  /// How many bytes threads race for; a byte counts once in each interval between barriers.
  std::uint64_t count = 0;
  source_place first = {}, second = {};  ///< where in the source the two accesses stand
  /// The indices in the block of the two threads, in ascending order.
  unsigned first_thread = 0, second_thread = 0;
  char const* array = "";
};

namespace detail {

/// The first thread that touches a unit (a run of bytes) in one way (load, store or atomic), and the number of the
/// place where it does so. (Threads are numbered from 1; 0: none.)
struct touched_by {
  unsigned thread, place;
};
/// A unit, and which threads touched it between two barriers.
struct shared_unit {
  std::uint64_t address;
  unsigned interval;
  bool is_raced_for;
  touched_by loads, stores, atomics;
};

/// Remembers which threads touch which bytes between two barriers. Threads run one after the other, each through the
/// whole kernel. So it is enough to keep, for each kind of access, the first thread that touches a unit. If the running
/// thread is another one, it races with that first thread. If it is the first thread itself, no other thread has
/// touched the unit with that kind of access yet.
template <unsigned WarpSize>
struct race_recorder {
  static constexpr unsigned lanes = WarpSize;
  struct loop_state {};
  struct known_place {
    source_place at;
    char const* array;
    unsigned id;  ///< the index of the array among the kernel's arrays
  };

  unsigned lane = 0, thread = 0, interval = 0;
  grown<known_place> places = {};
  unsigned last_place = 0;
  grown<shared_unit> units = {};  ///< the units that threads have touched; all have unit_bytes bytes
  /// The largest power of two up to 16 that divides all addresses and sizes of the accesses so far.
  std::uint64_t unit_bytes = 16;
  /// A hash table of indices into `units`, plus 1; 0 is a free slot. Its size is a power of two.
  grown<unsigned> table = {};
  race_list found = {};  ///< the races that have been found so far
  unsigned found_interval = 0;
  std::uint64_t found_address = 0;

  constexpr void begin_warp(place const&, unsigned) {}
  constexpr void end_warp() {}
  constexpr void begin_lane(unsigned which, unsigned index) { lane = which, thread = index + 1, interval = 0; }
  constexpr void sync() { ++interval; }
  constexpr void converge() {}
  constexpr loop_state enter(source_place const&) { return {}; }
  constexpr void iterate(loop_state const&) {}
  constexpr void leave(loop_state const&) {}

  template <memory_space Space, touch Kind, class T, class Instruction = void>
  COALESCE_API constexpr void access_to(source_place const& at, array_facts const& array, std::uint64_t address) {
    if constexpr (std::is_void<Instruction>::value)
      detail::check_access(at, array, address, sizeof(T), alignof(T), lane);
    else
      for (std::uint64_t const offset : offsets_of<Instruction>.from)
        detail::check_access(at, array, address + offset, sizeof(T), 1, lane);
    if constexpr (Space == memory_space::shared && Kind != touch::issued) {
      unsigned const here = place_of(at, array);
      if (((address | sizeof(T)) & (unit_bytes - 1)) != 0) divide(address | sizeof(T));
      for (std::uint64_t at_unit = address, end = address + sizeof(T); at_unit != end; at_unit += unit_bytes)
        touch_unit<Kind>(unit_of(at_unit), here);
    }
  }

 private:
  constexpr unsigned place_of(source_place const& at, array_facts const& array) {
    // The search begins after the place of the last access: most often the next access is at the next place of the
    // list.
    for (unsigned left = places.count; left != 0; --left) {
      if (++last_place >= places.count) last_place = 0;
      known_place const& known = places.items[last_place];
      if (known.at.line == at.line && known.at.column == at.column && known.id == array.id &&
          detail::same_file(known.at.file, at.file))
        return last_place;
    }
    return last_place = places.append({at, array.name, array.id});
  }

  // ---- Units: runs of unit_bytes bytes that threads touch in one interval between barriers ----

  constexpr unsigned slot_of(std::uint64_t address, unsigned in_interval) const {
    std::uint64_t const hash = (address / unit_bytes + in_interval * std::uint64_t{0x9e3779b1}) * 0x9e3779b97f4a7c15;
    return static_cast<unsigned>(hash >> 32) & (table.count - 1);
  }
  constexpr shared_unit& unit_of(std::uint64_t address) {
    if (2 * units.count >= table.count) fill_table(table.count == 0 ? 64 : 2 * table.count);
    unsigned slot = slot_of(address, interval);
    for (;; slot = (slot + 1) & (table.count - 1)) {
      unsigned const number = table.items[slot];
      if (number == 0) break;
      shared_unit& unit = units.items[number - 1];
      if (unit.address == address && unit.interval == interval) return unit;
    }
    table.items[slot] = units.append({address, interval, false, {}, {}, {}}) + 1;
    return units.items[units.count - 1];
  }
  constexpr void fill_table(unsigned size) {
    table.resize_to_zeros(size);
    for (unsigned k = 0; k != units.count; ++k) {
      unsigned slot = slot_of(units.items[k].address, units.items[k].interval);
      while (table.items[slot] != 0) slot = (slot + 1) & (size - 1);
      table.items[slot] = k + 1;
    }
  }
  /// Divides all units into smaller ones, so that the access whose address and size are or-ed in `bits` covers whole
  /// units.
  constexpr void divide(std::uint64_t bits) {
    std::uint64_t const before = unit_bytes;
    while ((bits & (unit_bytes - 1)) != 0) unit_bytes /= 2;
    for (unsigned k = 0, whole = units.count; k != whole; ++k)
      for (std::uint64_t more = unit_bytes; more != before; more += unit_bytes) {
        shared_unit part = units.items[k];
        part.address += more;
        units.append(part);
      }
    unsigned size = 64;
    while (size < 2 * units.count) size *= 2;
    fill_table(size);
  }

  // ---- Races ----

  constexpr void find_race(shared_unit& unit, touched_by const& other, unsigned here) {
    if (other.thread == 0 || other.thread == thread || unit.is_raced_for) return;
    unit.is_raced_for = true;
    bool const is_first =
        found.count == 0 || interval < found_interval || (interval == found_interval && unit.address < found_address);
    found.count += unit_bytes;
    if (!is_first) return;
    found_interval = interval, found_address = unit.address;
    found.first = places.items[other.place].at, found.second = places.items[here].at;
    found.first_thread = other.thread - 1, found.second_thread = thread - 1;
    found.array = places.items[other.place].array;
  }
  template <touch Kind>
  constexpr void touch_unit(shared_unit& unit, unsigned here) {
    if constexpr (Kind != touch::load) find_race(unit, unit.loads, here);
    find_race(unit, unit.stores, here);
    if constexpr (Kind != touch::atomic) find_race(unit, unit.atomics, here);
    touched_by& mine = Kind == touch::load ? unit.loads : Kind == touch::store ? unit.stores : unit.atomics;
    if (mine.thread == 0) mine = {thread, here};
  }
};

template <unsigned WarpSize>
inline constexpr bool tolerates_races<race_recorder<WarpSize>> = true;

}  // namespace detail

/// Looks for races in the shared memory of one block, by default {0, 0, 0}. Threads of a warp race, too: only sync()
/// orders them. Instructions of co::issue and accesses to global memory never count as races. Refused: an access that
/// record() refuses. Not refused: a load whose value depends on the order of lanes, and lanes that reach accesses in
/// different orders.
template <unsigned WarpSize = 32, class Body, class... Arrays>
[[nodiscard]] constexpr race_list races(kernel<Body, Arrays...> const& what, place const& block = {}) {
  if (!__builtin_is_constant_evaluated()) detail::at_run_time();
  detail::check_block(what.launch, block);
  detail::race_recorder<WarpSize> to;
  detail::runner<detail::race_recorder<WarpSize>, kernel<Body, Arrays...>> const runs{what, to};
  runs.run(block, 0, runs.warps());
  return to.found;
}

}  // namespace coalescing
