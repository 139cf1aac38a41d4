// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/kernel.hpp>
#include <coalesce/record/phases.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>

// Races in shared memory: two threads touch one byte without a barrier between, one of them writes, and not both are
// atomics.

namespace coalescing {

/// The races of a block. `first` is at the lowest byte of the earliest part between barriers that has one.
struct race_list {
  std::uint64_t count = 0;               ///< bytes that threads race for, each counted once between two barriers
  source_place first = {}, second = {};  ///< of one race: what the threads do
  unsigned first_thread = 0, second_thread = 0;  ///< their index in the block, in ascending order
  char const* array = "";
};

namespace detail {

/// The first two threads that touch a byte in one way. (Threads count from 1; 0: none.)
struct touched_by {
  unsigned first, second;
  unsigned place;  ///< of the first
};
struct shared_byte {
  touched_by loads, stores, atomics;
  unsigned thread[2], place[2];  ///< of its first race
  bool is_raced_for;
};

/// Remembers who touches each byte of shared memory between two barriers.
template <unsigned WarpSize>
struct race_recorder {
  static constexpr unsigned lanes = WarpSize;
  struct loop_state {};
  struct known_place {
    source_place at;
    char const* array;
  };

  std::uint64_t end = 0;  ///< of the shared arrays
  unsigned lane = 0, thread = 0, barriers = 0;
  grown<known_place> places = {};
  grown<shared_byte> bytes = {};  ///< all of shared memory, once for each part between barriers

  constexpr void begin_warp(place const&, unsigned) {}
  constexpr void end_warp() {}
  constexpr void begin_lane(unsigned which, unsigned index) { lane = which, thread = index + 1, barriers = 0; }
  constexpr void sync() { ++barriers; }
  constexpr void converge() {}
  constexpr loop_state enter(source_place const&) { return {}; }
  constexpr void iterate(loop_state const&) {}
  constexpr void leave(loop_state const&) {}

  template <memory_space Space, touch Kind, class T, class Instruction = void>
  COALESCE_API constexpr void access_to(source_place const& at, array_facts const& array, std::uint64_t address) {
    detail::check_access(at, array, address, sizeof(T), std::is_void<Instruction>::value ? alignof(T) : 1, lane);
    if constexpr (Space == memory_space::shared && Kind != touch::issued)
      touch_bytes<Kind>(at, array, address, sizeof(T));
  }

 private:
  static constexpr bool by_another(touched_by const& by, unsigned thread) {
    return by.first != 0 && (by.first != thread || by.second != 0);
  }
  template <touch Kind>
  static constexpr touched_by& of_kind(shared_byte& b) {
    if constexpr (Kind == touch::load)
      return b.loads;
    else if constexpr (Kind == touch::store)
      return b.stores;
    else
      return b.atomics;
  }
  constexpr void meet(shared_byte& b, touched_by const& other, unsigned here) {
    if (b.is_raced_for || !by_another(other, thread)) return;
    b.is_raced_for = true;
    b.thread[0] = other.first, b.place[0] = other.place, b.thread[1] = thread, b.place[1] = here;
  }
  template <touch Kind>
  constexpr void touch_bytes(source_place const& at, array_facts const& array, std::uint64_t address, unsigned count) {
    unsigned here = 0;
    while (here != places.count &&
           (places[here].at.line != at.line || places[here].at.column != at.column ||
            places[here].array != array.name || !detail::same_file(places[here].at.file, at.file)))
      ++here;
    if (here == places.count) places.append({at, array.name});
    std::uint64_t const from = barriers * end + address;
    while (bytes.count < (barriers + 1) * end) bytes.append({});
    for (auto k = static_cast<unsigned>(from); k != from + count; ++k) {
      shared_byte& b = bytes[k];
      if constexpr (Kind != touch::load) meet(b, b.loads, here);
      meet(b, b.stores, here);
      if constexpr (Kind != touch::atomic) meet(b, b.atomics, here);
      touched_by& mine = of_kind<Kind>(b);
      if (mine.first == 0)
        mine.first = thread, mine.place = here;
      else if (mine.first != thread)
        mine.second = thread;
    }
  }
};

template <unsigned WarpSize>
inline constexpr bool tolerates_races<race_recorder<WarpSize>> = true;

}  // namespace detail

/// Looks for races in the shared memory of one block, by default {0, 0, 0}. Threads of a warp race, too: only sync()
/// orders them. Refused: what record() refuses of an access. It does not look at instructions of co::issue, nor at
/// global memory.
template <unsigned WarpSize = 32, class Body, class... Arrays>
[[nodiscard]] constexpr race_list races(kernel<Body, Arrays...> const& what, place const& block = {}) {
  if (!__builtin_is_constant_evaluated()) detail::at_run_time();
  detail::check_block(what.launch, block);
  detail::race_recorder<WarpSize> to;
  detail::runner<detail::race_recorder<WarpSize>, kernel<Body, Arrays...>> const runs{what, to};
  to.end = runs.end_of_shared;
  runs.run(block, 0, runs.warps());
  race_list found;
  for (unsigned k = 0; k != to.bytes.count; ++k) {
    auto const& b = to.bytes[k];
    if (!b.is_raced_for || found.count++ != 0) continue;
    found.first = to.places[b.place[0]].at, found.second = to.places[b.place[1]].at;
    found.first_thread = b.thread[0] - 1, found.second_thread = b.thread[1] - 1;
    found.array = to.places[b.place[0]].array;
  }
  return found;
}

}  // namespace coalescing
