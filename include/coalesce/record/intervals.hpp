// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/changes.hpp>
#include <coalesce/record/contents.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/sums.hpp>
#include <coalesce/total/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 4
#include <coalesce needs CUDA 12.4 to record kernels: earlier compilers cannot run their bodies>
#endif

// How a recording finds the values that lanes pass to each other through shared memory.
//
// Threads run one after the other, each through the whole kernel, so a thread runs before others have stored what it
// loads. Therefore all threads run several times; one such run of the block is a *pass*. What a thread does between two
// barriers is an *interval*. A byte has a version for each interval in which it is written. A load in interval p gives
// the last version before p, or what the thread itself stored in p.
//
// In interval 0 no thread loads what others store, so after the first pass the versions of interval 0 are right. The
// second pass loads them, so after it the versions of interval 1 are right, and so on: the values *settle*. So no more
// passes are needed than there are intervals, and a pass that changes no version is the last one. Until then a thread
// may run on wrong values. So a pass does not refuse what wrong values may cause, such as an access outside its array.
// But it refuses a thread that seems to wait forever.

namespace coalescing::detail {

/// The limits of a lane: into how many intervals barriers may divide its run, and how often it may load in one of them.
/// The library assumes that a lane beyond a limit waits forever, for a value that no other thread stores.
inline constexpr unsigned most_intervals = 4096, most_loads = 1u << 22;
/// The most bytes from the first byte of shared memory whose values are kept to the last one. Each byte between them
/// gets a list of values. No machine has so much shared memory.
inline constexpr std::uint64_t most_shared_bytes = 1u << 24;

/// The value that the threads leave in a byte in one interval (between two barriers), and which thread wrote it.
struct left_in_byte {
  unsigned thread = 0;  ///< the last thread that wrote the byte, numbered from 1 on; 0: no thread
  unsigned char value = 0;
  bool is_by_several = false;  ///< several threads wrote the byte, or a value that is not known was written
  bool differs = false;        ///< the value that the writes leave may depend on their order
  manner how = {};
  /// If an atomic wrote the byte: how many bytes the atomic's element has, and the index of this byte in the element.
  unsigned char element = 0, offset = 0;
  bool operator==(left_in_byte const&) const = default;
  COALESCE_API constexpr bool is_known() const { return !(is_by_several && differs); }
};
/// A version of a byte: what one interval between barriers leaves in it. A pass is one of several runs of the block.
struct version_of_byte {
  unsigned interval = 0;
  unsigned pass = 0;         ///< the number of the last pass that wrote this version
  unsigned next = no_index;  ///< index of the version that belongs to the next interval in which the byte is written
  left_in_byte before = {};  ///< what the previous pass left in the byte
  left_in_byte now = {};     ///< what the pass with the number `pass` has left so far
};
/// The list of a byte's versions: what the byte holds after each interval between barriers that writes it.
struct versions_of_byte {
  unsigned first = no_index;
  unsigned found = no_index;  ///< the written version that the last search found; the next search may begin there
};

/// What shared memory holds while the block runs several times (each run is a pass). For each byte it keeps what each
/// interval between barriers leaves there: a version of the byte.
struct interval_memory {
  std::uint64_t origin = 0;  ///< address of the lowest byte that is kept
  grown<versions_of_byte> bytes = {};
  grown<version_of_byte> versions = {};
  unsigned pass = 0;        ///< the number of the pass (run of the block) that is running, from 1 on
  unsigned intervals = 0;   ///< the most intervals between barriers that any thread of this pass has had so far
  unsigned thread = 0;      ///< the thread that is running, numbered from 1 on
  unsigned interval = 0;    ///< how many barriers this thread has passed
  unsigned loads = 0;       ///< how often this thread has loaded since its last barrier
  unsigned iterations = 0;  ///< how many iterations of marked loops (t.loop()) it has made since its last barrier
  /// This run of the block only checks whether stored values matter. As long as none does, stores are not kept, and
  /// every load of a T gives T{}. Values matter in three cases: a value other than 0 is stored, a load gives a T{} that
  /// is not 0, or the type of a load may steer addresses (decide where the kernel accesses memory). The first such case
  /// sets this to false.
  bool looks = false;
  bool was_cut = false;  ///< cuts() has made a lane leave a marked loop (t.loop()) in this pass (run of the block)

  constexpr void begin_pass() { ++pass, intervals = 0, was_cut = false; }
  constexpr void forget_passes() { bytes.count = versions.count = pass = 0; }
  constexpr void begin_lane(unsigned index) {
    thread = index + 1, interval = loads = iterations = 0, intervals = intervals == 0 ? 1 : intervals;
  }
  COALESCE_API constexpr void sync() {
    ++interval, loads = iterations = 0;
    if (interval >= intervals) intervals = interval + 1;
  }
  /// Ends a pass (a run of all threads of the block). Returns whether another pass is needed.
  constexpr bool end_pass() {
    bool changed = was_cut;
    for (unsigned k = 0; k != versions.count; ++k) {
      version_of_byte& v = versions.items[k];
      if (v.pass != pass) v.now = {};
      if (!(v.now == v.before)) changed = true, v.before = v.now;
    }
    for (unsigned k = 0; k != bytes.count; ++k) bytes.items[k].found = no_index;
    return changed && pass < intervals;
  }
  /// Whether the lane has to leave a marked loop. In the n-th run of the block (pass) only the first n intervals
  /// between barriers are sure to have right values. Later a lane may run on wrong values, and never leave the loop by
  /// itself. So it has to leave: in a much later interval, or after many iterations. (A constant expression cannot take
  /// many.)
  COALESCE_API constexpr bool cuts() {
    ++iterations;
    if (goes_on_looking(8) || interval < pass) return false;
    bool const is_early = interval <= 64 * pass;
    if (is_early && iterations <= (__builtin_is_constant_evaluated() ? 64 : 1u << 14) * pass) return false;
    return was_cut = true;
  }

  /// Whether the lane seems to wait for a value that no other thread stores.
  COALESCE_API constexpr bool is_lost() {
    ++loads;
    return !goes_on_looking(16) && (interval >= most_intervals || loads > most_loads);
  }

  struct answer {
    bool is_written = true, is_known = true;
  };
  /// Loads bytes as the running thread sees them: what it stored itself since the last barrier, or else what threads
  /// left before that barrier. If there is neither for a byte, the byte of `to` stays as it is.
  COALESCE_API constexpr answer load(std::uint64_t address, unsigned char* to, unsigned count) {
    answer all;
    for (unsigned k = 0; k != count; ++k) {
      place_in_list const at = find(address - origin + k);
      if (at.here != no_index) {
        version_of_byte const& v = versions.items[at.here];
        if (v.before.thread != 0 && (v.before.is_by_several || v.before.thread != thread)) all.is_known = false;
        if (v.pass == pass && v.now.thread == thread) {
          to[k] = v.now.value;
          continue;
        }
      }
      give(at.before, all, to[k]);
    }
    return all;
  }
  /// Loads the value that an atomic changes: what any thread has already left there since the last barrier (in this run
  /// of the block), or else what threads left before that barrier.
  COALESCE_API constexpr answer current(std::uint64_t address, unsigned char* to, unsigned count) {
    answer all;
    for (unsigned k = 0; k != count; ++k) {
      place_in_list const at = find(address - origin + k);
      if (at.here != no_index && versions.items[at.here].pass == pass)
        to[k] = versions.items[at.here].now.value;
      else
        give(at.before, all, to[k]);
    }
    return all;
  }
  COALESCE_API constexpr void store(std::uint64_t address, unsigned char const* from, unsigned count,
                                    manner const& how = {}, bool is_known = true) {
    bool const commutes = how.what != change::store && how.what != change::cas;
    for (unsigned k = 0; k != count; ++k) {
      left_in_byte& now = touched(address - origin + k);
      bool const is_first = now.thread == 0;
      now.is_by_several = now.is_by_several || !is_known || (!is_first && now.thread != thread);
      now.differs = now.differs || !is_known || how.what == change::cas ||
                    (!is_first && (!(now.how == how) || (!commutes && now.value != from[k])));
      now.thread = thread, now.value = from[k], now.how = how;
      if (how.bytes > now.element) now.element = how.bytes, now.offset = static_cast<unsigned char>(k);
      if (!now.is_known()) spread(address - origin + k);
    }
  }

 private:
  /// Whether this run of the block still only checks whether stored values matter (`looks`). A lane far beyond its
  /// limits ends this: it may wait for a value other than 0, and such a run gives it none.
  COALESCE_API constexpr bool goes_on_looking(unsigned times) {
    looks = looks && interval < times * most_intervals && loads <= times * most_loads && iterations <= most_loads;
    return looks;
  }
  /// Where the current interval stands in the list of a byte's versions (one for each interval that writes the byte).
  struct place_in_list {
    unsigned before = no_index;  ///< the last written version of an earlier interval
    unsigned here = no_index;    ///< the version of the current interval, if there is one
    unsigned behind = no_index;  ///< the version after which a version of the current interval belongs in the list
  };
  /// Marks all bytes of an atomic's element as not known. Called when one of them is not known, since an addition
  /// carries from one byte into the next.
  COALESCE_API constexpr void spread(std::uint64_t byte) {
    left_in_byte const of = touched(byte);
    for (unsigned k = 0; k != of.element; ++k) {
      left_in_byte& other = touched(byte - of.offset + k);
      if (!other.is_known()) continue;
      other.is_by_several = other.differs = true;
      spread(byte - of.offset + k);
    }
  }
  COALESCE_API constexpr bool is_written(version_of_byte const& v) const {
    return v.pass == pass || v.before.thread != 0;
  }
  COALESCE_API constexpr place_in_list find(std::uint64_t byte) {
    while (bytes.count <= byte) bytes.append({});
    versions_of_byte& of = bytes.items[byte];
    place_in_list at;
    unsigned k = of.found != no_index && versions.items[of.found].interval < interval ? of.found : of.first;
    for (; k != no_index && versions.items[k].interval < interval; k = versions.items[k].next) {
      if (is_written(versions.items[k])) at.before = of.found = k;
      at.behind = k;
    }
    if (k != no_index && versions.items[k].interval == interval) at.here = k;
    return at;
  }
  /// Gives one byte of a load: what threads left there in one earlier interval (`version`). If several threads write
  /// it there, some of them may not have run yet in this pass (run of the block). So the load then takes the value that
  /// the previous pass left.
  COALESCE_API constexpr void give(unsigned version, answer& all, unsigned char& to) const {
    if (version == no_index) return void(all.is_written = false);
    version_of_byte const& v = versions.items[version];
    bool const as_before = v.pass != pass || v.before.is_by_several;
    to = as_before ? v.before.value : v.now.value;
    if (as_before && !v.before.is_known()) all.is_known = false;
  }
  COALESCE_API constexpr left_in_byte& touched(std::uint64_t byte) {
    place_in_list at = find(byte);
    if (at.here == no_index) {
      version_of_byte fresh;
      fresh.interval = interval,
      fresh.next = at.behind == no_index ? bytes.items[byte].first : versions.items[at.behind].next;
      at.here = versions.append(fresh);
      (at.behind == no_index ? bytes.items[byte].first : versions.items[at.behind].next) = at.here;
    }
    version_of_byte& v = versions.items[at.here];
    if (v.pass != pass) v.pass = pass, v.now = {};
    return v.now;
  }
};

template <class T>
COALESCE_API constexpr bool is_zero(T const& value) {
  auto const bytes = detail::as_bytes(value);
  for (unsigned char const byte : bytes.byte)
    if (byte != 0) return false;
  return true;
}
/// Whether stores of type T to this memory are remembered. That is so for shared memory, if T can be kept as bytes.
template <memory_space Space, class T>
inline constexpr bool is_rememberable = (Space == memory_space::shared) && std::is_trivially_copyable<T>::value;

/// The recorder of a pass: a run of the block that only finds what the kernel stores in shared memory. It records
/// nothing.
template <unsigned Lanes>
struct pass_recorder {
  static constexpr unsigned lanes = Lanes;
  struct loop_state {};
  interval_memory* memory;
  unsigned lane = 0;

  constexpr void begin_warp(place const&, unsigned) {}
  constexpr void end_warp() {}
  constexpr void begin_lane(unsigned which, unsigned) { lane = which; }
  COALESCE_API constexpr void sync() {}
  COALESCE_API constexpr void converge() {}
  COALESCE_API constexpr loop_state enter(source_place const&) { return {}; }
  COALESCE_API constexpr void iterate(loop_state const&) {}
  COALESCE_API constexpr void leave(loop_state const&) {}
  template <memory_space Space, touch Kind, class T, class Instruction = void, class... Where>
  COALESCE_API constexpr void access_to(Where const&...) {}
};

/// Whether a recorder runs a pass, which is a run of the block that only finds the values in shared memory. In a pass a
/// lane may run on wrong values, so an access outside its array is not refused.
template <class Recorder>
inline constexpr bool is_passing = false;
template <unsigned Lanes>
inline constexpr bool is_passing<pass_recorder<Lanes>> = true;
/// Whether a recorder goes on if a loaded value depends on the order of lanes (a race).
template <class Recorder>
inline constexpr bool tolerates_races = is_passing<Recorder>;

}  // namespace coalescing::detail
