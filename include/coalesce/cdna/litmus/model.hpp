// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/wave.hpp>

#include <cstdint>

// The model: how each instruction of a litmus test changes the caches. (search.hpp searches the model's states.) The
// model has no cache lines. It records only which values a cache may still return. So no step fills a line, evicts a
// clean one, or puts a fill in flight. Every location changes once, from the old value 0 to the new value 1.

namespace coalescing::cdna::rules {

/// The bits of one location in a state's `memory`. Each of the 4 locations has 16 bits. L2s and L1s are numbered 0
/// to 3. Each function below returns one bit, and its comment says what the bit means when it is set.
struct litmus_bits {
  /// The location's home, its memory beyond every L2, has the new value.
  COALESCE_API static constexpr std::uint64_t home(unsigned location) { return std::uint64_t{1} << 16 * location; }
  /// L2 number `l2` holds the new value in a dirty line.
  COALESCE_API static constexpr std::uint64_t dirty(unsigned location, unsigned l2) {
    return home(location) << (1 + l2);
  }
  /// l2_old and l1_old: the cache may still return the old value. An L1 may fill from its L2, so l1_old is set where
  /// l2_old of its L2 is set. There is one exception, and only without axiom::invalidate_writes_dirty_lines_back: if
  /// l2_old is set and l1_old is not, the L2 has lost the new value, but the L1 may have kept it. Then the L1 may
  /// return either value.
  COALESCE_API static constexpr std::uint64_t l2_old(unsigned location, unsigned l2) {
    return home(location) << (5 + l2);
  }
  COALESCE_API static constexpr std::uint64_t l1_old(unsigned location, unsigned l1) {
    return home(location) << (9 + l1);
  }
  /// Multiplying a mask of location 0 by this number gives that mask for all locations.
  static constexpr std::uint64_t everywhere = 0x0001'0001'0001'0001;
};

/// One instruction with everything that the model needs. Members that its kind of instruction does not use are 0.
struct litmus_step {
  litmus_kind kind;
  unsigned location;
  unsigned instruction;  // the instruction's number in the wave
  std::uint32_t own;     // this operation's bit in masks of the operations that VM_CNT counts
  std::uint32_t first;   // a mask of the operations that must be done before this operation, or before this wait ends
  bool reads;            // the instruction returns one of the outcome's values
  bool value;            // the value that the instruction must return
  bool may_hit_l1;
  bool past_l2;
  // Whether this access leaves `l2_old` as it is. Otherwise it clears that bit if it writes the new value, or reads it
  // from L2, because L2 loses its old line then. Only set if axiom::one_value_in_each_l2 is off, or for an atomic if
  // axiom::device_atomics_past_several_l2s is off.
  bool leaves_old;
  bool acts_on_l1, acts_on_l2;  // whether a cache operation acts on L1, and on L2

  // Masks of bits of the state's memory: the bits of this location, or of all locations if this is a cache operation.

  std::uint64_t dirty;   // the line is dirty in this wave's L2
  std::uint64_t l2_old;  // this wave's L2 may return the old value
  std::uint64_t l1_old;  // this wave's L1 may return the old value
  // Equal to `dirty` if an access that bypasses L2 finds the value of a dirty line in L2 (axiom::one_value_in_each_l2),
  // else 0.
  std::uint64_t dirty_is_found;
  // Equal to `l2_old` for a load that bypasses L2, if probes keep the line coherent: then L2's line may serve the load
  // nevertheless. Else 0.
  std::uint64_t old_past_l2;
  // Equal to `l1_old` (this wave's L1 may return the old value) if this access sets or clears that bit. 0 if
  // axiom::one_unit_and_location_in_order is off: a fill may reach L1 after this access, so the bit stays as it was.
  std::uint64_t l1_decided;
  std::uint64_t dropped;  // for a BUFFER_INV: the bit `home` of each location whose line L2 drops; else 0
};

/// One wave's steps, and the caches that it uses.
struct litmus_runner {
  static constexpr unsigned most_steps = litmus_wave::most_instructions, most_counted = 26;

  litmus_step steps[most_steps];
  unsigned size, counted;
  unsigned l2, l1;  // the numbers of the wave's L2 and L1, with which the functions of litmus_bits are called
  // The next three members are masks of operations that VM_CNT counts. Bit k is the wave's operation number k.
  // may_pass_l2: the atomics that may be done in L2, or may bypass L2. There are none while
  // axiom::device_atomics_past_several_l2s is on.
  std::uint32_t may_pass_l2;
  std::uint32_t values;                           // operations that must return a value of the outcome
  std::uint32_t at[litmus_wave::most_locations];  // for each location: a mask of the accesses to it

  unsigned char step_of[most_counted];           // for each operation that VM_CNT counts: the index of its step
  unsigned char counted_before[most_steps + 1];  // for each step: how many operations that VM_CNT counts come before it
  // A bit of a state's memory is private if no wave of another compute unit can read it, and the waves of this compute
  // unit read it in order. Partial-order reduction does an access at once if the access changes only private_bits. It
  // does a BUFFER_INV at once if the BUFFER_INV changes only private_to_invalidate.
  std::uint64_t private_bits, private_to_invalidate;
  bool shares_l1;
};

/// Masks of bits of one location in a state's memory.
struct litmus_place {
  std::uint64_t home, any_dirty;
  // The bits that are cleared when the new value reaches home: all dirty bits, and l2_old of each L2 that probes reach
  // or that does not cache the location.
  std::uint64_t cleared;
};

/// A read that must return the old value. The search ends a path when the read can no longer return it. That is so when
/// - no bit of `source` is set: no cache that the read may hit may return the old value, and
/// - a bit of `never` is set (the new value is at home, or dirty in the wave's L2), or `never` is 0 (the read does not
///   bypass L2, so in the model only the bits of `source` say where it gets the old value).
struct litmus_old_read {
  unsigned wave;
  std::uint32_t own;
  std::uint64_t never, source;
};

/// A litmus test and an outcome, in the form that the search needs. model_of(...) makes this struct.
struct litmus_model {
  litmus_runner waves[4];
  unsigned count;
  litmus_place places[litmus_wave::most_locations];
  litmus_old_read old_reads[4 * litmus_wave::most_accesses];
  unsigned old_read_count;
  std::uint64_t initial;
  unsigned axioms;
  bool may_lose;  // whether a BUFFER_INV may lose dirty lines: axiom::invalidate_writes_dirty_lines_back is off

  [[nodiscard]] COALESCE_API constexpr bool assumes(axiom what) const {
    return (axioms >> static_cast<unsigned>(what) & 1) != 0;
  }

  /// The state's memory after the new value has reached the location's home.
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
      // The old value comes from a cache that the read may hit and that may still return the old value. A read that
      // bypasses L2 can also get the old value from home, but not if the new value is at home, or if the read finds the
      // new value in a dirty line of its L2.
      bool const in_l1 = step.may_hit_l1 && (memory & step.l1_old) != 0;
      bool const at_home = step.past_l2 && (memory & (place.home | step.dirty_is_found)) == 0;
      if (!in_l1 && !at_home && (memory & (step.past_l2 ? step.old_past_l2 : step.l2_old)) == 0) return false;
    } else if (step.reads) {
      // The new value comes from one of three places:
      // - home or this wave's L2 (L2's dirty line may serve even an access that bypasses L2),
      // - this wave's L1, if it kept the new value that the L2 has lost,
      // - another L2, which evicts its dirty line to home just before the read.
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
    // After this access L1 may return the old value only if the access may have read it from L1 (`stays`), or if L2 may
    // fill L1 with the old line. (L1 is write-through, so a write updates L1's line, too.) Without
    // axiom::one_unit_and_location_in_order l1_decided is 0: a fill in flight may still bring the old line.
    memory = (memory & ~step.l1_decided) | (stays || (memory & step.l2_old) != 0 ? step.l1_decided : 0);
    return true;
  }

  /// Does a BUFFER_INV. Afterwards L1 may return what L2 may return, since L1 fills from L2. If `lost`, the dirty lines
  /// that the instruction drops are lost, and not written back.
  ///
  /// The compute unit's operations that are still in flight need no rule here. When such an operation is done, it
  /// leaves in L1 what L2 has then, or it reads an old value that it could have read before the BUFFER_INV. Fills that
  /// start later arrive after these operations.
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
  /// Ends the exception that litmus_bits describes: an L2 has lost the new value, but an L1 may have kept it. If the
  /// mask `l2s` has the bit l2_old of an L2 and this bit is set, sets l1_old for the L1s that fill from this L2. So
  /// l1_old has its usual meaning again. Called when the new value comes to such an L2, or to home.
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
