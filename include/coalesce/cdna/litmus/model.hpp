// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/wave.hpp>

#include <cstdint>

// The model: how each instruction of a litmus test changes the caches. (search.hpp searches its states.) The model has
// no cache lines. It records only which values a cache may still return. So no step fills a line, evicts a clean one,
// or puts a fill in flight. Every location changes once, from the old value 0 to the new value 1.

namespace coalescing::cdna::rules {

/// The bits of one location in a state's `memory`: 16 for each of 4 locations. L2s and L1s are numbered 0 to 3.
struct litmus_bits {
  /// The location's home, its memory beyond every L2, has the new value.
  COALESCE_API static constexpr std::uint64_t home(unsigned location) { return std::uint64_t{1} << 16 * location; }
  /// L2 number `l2` holds the new value in a dirty line.
  COALESCE_API static constexpr std::uint64_t dirty(unsigned location, unsigned l2) {
    return home(location) << (1 + l2);
  }
  /// The cache may still return the old value. An L1 may fill from its L2, so l1_old is set wherever l2_old is, with
  /// one exception: where l2_old is set and l1_old is not, L1 may return the old value from L2 or the new one that it
  /// kept, and its L2 has lost the new one. (This happens only without axiom::invalidate_writes_dirty_lines_back.)
  COALESCE_API static constexpr std::uint64_t l2_old(unsigned location, unsigned l2) {
    return home(location) << (5 + l2);
  }
  COALESCE_API static constexpr std::uint64_t l1_old(unsigned location, unsigned l1) {
    return home(location) << (9 + l1);
  }
  /// Multiplying a mask of location 0 by this number gives that mask for all locations.
  static constexpr std::uint64_t everywhere = 0x0001'0001'0001'0001;
};

/// One instruction with everything that the model needs. Members that its kind does not use are 0.
struct litmus_step {
  litmus_kind kind;
  unsigned location;
  unsigned instruction;  // the instruction's number in the wave
  std::uint32_t own;     // the bit of this operation among those that VM_CNT counts
  std::uint32_t first;   // bits of the operations that must be done before this one, or before this wait ends
  bool reads;            // returns one of the values of the outcome
  bool value;            // the value that it must return
  bool may_hit_l1;
  bool past_l2;
  bool leaves_old;              // an axiom is off: this wave's L2 may return the old value afterwards
  bool acts_on_l1, acts_on_l2;  // cache operations
  // Masks of the state's memory for this location, or for all locations if this is a cache operation.
  std::uint64_t dirty;           // the line is dirty in this wave's L2
  std::uint64_t l2_old;          // this wave's L2 may return the old value
  std::uint64_t l1_old;          // this wave's L1 may return the old value
  std::uint64_t dirty_is_found;  // `dirty` under axiom::one_value_in_each_l2, else 0: an access past L2 then finds the
                                 // value of a dirty line in L2
  std::uint64_t old_past_l2;     // `l2_old` for a load past L2 that a line of L2 may serve, since probes keep that line
                                 // coherent; else 0
  std::uint64_t l1_decided;  // `l1_old` under axiom::one_unit_and_location_in_order, else 0: the access then decides
                             // what L1 may return later
  std::uint64_t dropped;     // for BUFFER_INV, litmus_bits::home of each location whose line L2 drops; else 0
};

/// One wave's steps, and the caches that it uses.
struct litmus_runner {
  static constexpr unsigned most_steps = litmus_wave::most_instructions, most_counted = 26;

  litmus_step steps[most_steps];
  unsigned size, counted;
  unsigned agent, l2, l1;  // numbers of its caches in the test
  // Masks of the operations that VM_CNT counts:
  std::uint32_t may_pass_l2;  // atomics that may be done in L2 or past it: the axiom about them is off
  std::uint32_t values;       // operations that must return a value of the outcome
  std::uint32_t at[litmus_wave::most_locations];  // accesses to each location

  unsigned char step_of[most_counted];           // the step of each counted operation
  unsigned char counted_before[most_steps + 1];  // counted operations before each step
  // Bits of the memory that only this wave can read, or only waves of its compute unit, and those in order. If an
  // access changes only private_bits, or a BUFFER_INV only private_to_invalidate, partial-order reduction does it at
  // once.
  std::uint64_t private_bits, private_to_invalidate;
  bool shares_l1;
};

/// The bits of one location.
struct litmus_place {
  std::uint64_t home, any_dirty;
  std::uint64_t cleared;  // the bits that are cleared when the new value reaches home: all dirty bits, and l2_old of
                          // each L2 that probes reach or that does not cache the location
};

/// A read that must return the old value. A path ends when the read can no longer do so: when no cache in `source` may
/// return the old value, and a bit of `never` is set (the new value is at home, or dirty in the wave's L2). If the read
/// does not ask home, `never` is 0, and the path ends because of `source` alone.
struct litmus_old_read {
  unsigned wave;
  std::uint32_t own;
  std::uint64_t never, source;
};

/// A litmus test and an outcome, ready for the search. model_of(...) starts from zeros and fills it in.
struct litmus_model {
  litmus_runner waves[4];
  unsigned count;
  litmus_place places[litmus_wave::most_locations];
  litmus_old_read old_reads[4 * litmus_wave::most_accesses];
  unsigned old_read_count;
  std::uint64_t initial;
  unsigned axioms;
  bool may_lose;  // BUFFER_INV may lose dirty lines: axiom::invalidate_writes_dirty_lines_back is off

  [[nodiscard]] COALESCE_API constexpr bool assumes(axiom what) const {
    return (axioms >> static_cast<unsigned>(what) & 1) != 0;
  }

  /// What becomes of a state's memory when the new value reaches the location's home.
  COALESCE_API constexpr std::uint64_t reach_home(std::uint64_t memory, unsigned location) const {
    if (may_lose) memory = without_kept(memory, location, ~std::uint64_t{0});
    return (memory | places[location].home) & ~places[location].cleared;
  }

  /// Does an access or a write-back. Returns false, and changes nothing, if a read cannot return its expected value
  /// now.
  COALESCE_API constexpr bool perform(std::uint64_t& memory, litmus_step const& step) const {
    litmus_place const& place = places[step.location];
    if (step.kind == litmus_kind::write_back) {
      if (step.acts_on_l2)
        for (unsigned k = 0; k != litmus_wave::most_locations; ++k)
          if ((memory & step.dirty & places[k].any_dirty) != 0) memory = reach_home(memory, k);
      return true;
    }
    if (step.reads && !step.value) {
      // A cache that the load may hit can still return the old value. A read past L2 can return the old value until the
      // new one is at home, or in this L2's dirty line.
      bool const in_l1 = step.may_hit_l1 && (memory & step.l1_old) != 0;
      bool const at_home = step.past_l2 && (memory & (place.home | step.dirty_is_found)) == 0;
      if (!in_l1 && !at_home && (memory & (step.past_l2 ? step.old_past_l2 : step.l2_old)) == 0) return false;
    } else if (step.reads) {
      // The new value comes from home or this L2 (a dirty line may serve accesses past L2, too); or from an L1 that
      // kept what its L2 has lost; or from another L2 that evicts its dirty line just before.
      if ((memory & (place.home | step.dirty)) == 0) {
        if (step.may_hit_l1 && (memory & step.l2_old) != 0 && (memory & step.l1_old) == 0) return true;
        if ((memory & place.any_dirty) == 0) return false;
        memory = reach_home(memory, step.location);
      }
    }
    if (step.kind == litmus_kind::load && !step.reads) return true;
    bool const stays = step.reads && !step.value && step.may_hit_l1 && (memory & step.l1_old) != 0;
    std::uint64_t const left = step.leaves_old ? memory & step.l2_old : 0;
    if (step.kind != litmus_kind::load) {
      // A write updates or drops L2's line, even if it bypasses L2.
      if (step.past_l2)
        memory = reach_home(memory, step.location);
      else if ((memory & place.home) == 0)
        memory = (may_lose ? without_kept(memory, step.location, step.l2_old) : memory) | step.dirty;
      memory = (memory & ~step.l2_old) | left;
    } else if (step.value && !step.past_l2) {
      memory = (memory & ~step.l2_old) | left;  // L2 has the new line now
    }
    // L1 is write-through and has the new line too, but L2 may fill it again with the old one. Without
    // axiom::one_unit_and_location_in_order l1_decided is 0: a fill in flight may still bring the old line.
    memory = (memory & ~step.l1_decided) | (stays || (memory & step.l2_old) != 0 ? step.l1_decided : 0);
    return true;
  }

  /// Does a BUFFER_INV. L1 may afterwards return what L2 may return, since L1 fills from L2. (Later fills arrive after
  /// the operations that the compute unit has in flight. Those operations need no rule here: each leaves in L1 what L2
  /// has then, or reads an old value that it could have read before.) If `lost`, the dirty lines that the instruction
  /// drops are lost, and not written back.
  COALESCE_API constexpr std::uint64_t invalidate(std::uint64_t memory, litmus_runner const& wave,
                                                  litmus_step const& step, bool lost) const {
    if (step.acts_on_l2) {
      for (unsigned k = 0; k != litmus_wave::most_locations; ++k) {
        if ((places[k].home & step.dropped) == 0 || (memory & step.dirty & places[k].any_dirty) == 0) continue;
        if (!lost)
          memory = reach_home(memory, k);
        else if ((memory & places[k].home) == 0)
          memory =
              (memory & ~(litmus_bits::dirty(k, wave.l2) | l1s_over(wave.l2, k))) | litmus_bits::l2_old(k, wave.l2);
      }
      if (assumes(axiom::one_value_in_each_l2)) memory &= ~((memory & step.dropped) << (5 + wave.l2));
    }
    if (step.acts_on_l1 && assumes(axiom::invalidate_ends_fills_in_flight)) {
      std::uint64_t const of_l2 = (memory & step.l2_old) >> (5 + wave.l2) << (9 + wave.l1);
      memory = (memory & ~step.l1_old) | of_l2;
    }
    return memory;
  }

 private:
  /// Sets l1_old of each L1 that kept the new value after its L2, one of `l2s`, lost it. The new value is now again in
  /// that L2 or at home, so l1_old of such an L1 has its usual meaning again.
  COALESCE_API constexpr std::uint64_t without_kept(std::uint64_t memory, unsigned location, std::uint64_t l2s) const {
    for (unsigned k = 0; k != count; ++k)
      if ((memory & l2s & litmus_bits::l2_old(location, waves[k].l2)) != 0)
        memory |= litmus_bits::l1_old(location, waves[k].l1);
    return memory;
  }
  /// The l1_old bits of all L1s that fill from an L2.
  COALESCE_API constexpr std::uint64_t l1s_over(unsigned l2, unsigned location) const {
    std::uint64_t old = 0;
    for (unsigned k = 0; k != count; ++k)
      if (waves[k].l2 == l2) old |= litmus_bits::l1_old(location, waves[k].l1);
    return old;
  }
};

}  // namespace coalescing::cdna::rules
