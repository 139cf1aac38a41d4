// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/bits.hpp>
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/litmus/wave.hpp>
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/core/config.hpp>

#include <cstdint>

// What each instruction of a litmus test does to the caches: the model itself, without the search (litmus_search.hpp).
// There are no cache lines in it, only what a cache may still return; a line that is filled, evicted, absent or on its
// way needs no step. Every location goes from 0, old, to 1, new, once.

namespace coalescing::cdna::rules {

/// The bits of one location in a state's `memory`, 16 for each.
struct litmus_bits {
  COALESCE_API static constexpr std::uint64_t home(unsigned location) { return std::uint64_t{1} << 16 * location; }
  /// That L2 holds the new value, and has not written it back.
  COALESCE_API static constexpr std::uint64_t dirty(unsigned location, unsigned l2) {
    return home(location) << (1 + l2);
  }
  /// That cache may still return the old value. What L2 may return L1 may fetch: L2's bit without L1's says instead
  /// that L1 may return both, having kept the new value that this L2 has lost (without the axiom that none is lost).
  COALESCE_API static constexpr std::uint64_t l2_old(unsigned location, unsigned l2) {
    return home(location) << (5 + l2);
  }
  COALESCE_API static constexpr std::uint64_t l1_old(unsigned location, unsigned l1) {
    return home(location) << (9 + l1);
  }
  /// The same of all locations: any of these masks times this.
  static constexpr std::uint64_t everywhere = 0x0001'0001'0001'0001;
};

/// An instruction with all that its rule needs; 0 is what its kind does not have. Those that VM_CNT counts are
/// numbered: `own` is its bit.
struct litmus_step {
  litmus_kind kind;
  unsigned location;
  unsigned instruction;  // of the wave
  std::uint32_t own;
  std::uint32_t first;  // what must be done before it is done (of a wait: before it goes on)
  bool reads;           // gives a value of the outcome,
  bool value;           // this one
  bool may_hit_l1;
  bool past_l2;
  bool leaves_old;                      // of an atomic past L2, without its axiom: L2's old line stays
  bool acts_on_l1, acts_on_l2;          // of cache operations
  std::uint64_t dirty, l2_old, l1_old;  // of its location, in its own caches; of cache operations: of all
  std::uint64_t l1_decided;             // of an access: l1_old, if in order it decides what L1 may return after it
  std::uint64_t dropped;                // of BUFFER_INV: home bits of what it drops from L2
};

/// A wave, ready to run.
struct litmus_runner {
  static constexpr unsigned most_steps = litmus_wave::most_instructions, most_counted = 26;

  litmus_step steps[most_steps];
  unsigned size, counted;
  unsigned agent, l2, l1;                         // the last two number the caches of the test
  std::uint32_t may_pass_l2;                      // which may be done in L2 or past it, without the atomics' axiom
  std::uint32_t values;                           // which counted operations give a value
  std::uint32_t at[litmus_wave::most_locations];  // which are accesses to that location
  unsigned char step_of[most_counted];
  unsigned char counted_before[most_steps + 1];
  // What only this wave can read, or only its unit, in order: of accesses, and of BUFFER_INV.
  std::uint64_t private_bits, private_to_invalidate;
  bool shares_l1;
};

/// What one location needs.
struct litmus_place {
  std::uint64_t home, any_dirty;
  std::uint64_t cleared;  // once the new value is home: no L2 is dirty, and probes have been where they go
};

/// An old value that is expected: no cache in `source` may return it any more, and home, if it asks there (any of
/// `never`), has the new one.
struct litmus_old_read {
  unsigned wave;
  std::uint32_t own;
  std::uint64_t never, source;
};

/// All 0 at first.
struct litmus_model {
  litmus_runner waves[4];
  unsigned count;
  litmus_place places[litmus_wave::most_locations];
  litmus_old_read old_reads[4 * litmus_wave::most_accesses];
  unsigned old_read_count;
  std::uint64_t initial;
  unsigned axioms;
  bool may_lose;  // lines that are dirty, at a BUFFER_INV: without an axiom

  [[nodiscard]] COALESCE_API constexpr bool assumes(axiom what) const {
    return (axioms >> static_cast<unsigned>(what) & 1) != 0;
  }

  /// The new value reaches the location's home.
  COALESCE_API constexpr std::uint64_t reach_home(std::uint64_t memory, unsigned location) const {
    if (may_lose) memory = without_kept(memory, location, ~std::uint64_t{0});
    return (memory | places[location].home) & ~places[location].cleared;
  }

  /// Does an access or a write-back. False, with nothing done, if the value that is expected cannot come now.
  COALESCE_API constexpr bool perform(std::uint64_t& memory, litmus_step const& step) const {
    litmus_place const& place = places[step.location];
    if (step.kind == litmus_kind::write_back) {
      if (step.acts_on_l2)
        for (unsigned k = 0; k != litmus_wave::most_locations; ++k)
          if ((memory & step.dirty & places[k].any_dirty) != 0) memory = reach_home(memory, k);
      return true;
    }
    if (step.reads && !step.value) {
      // Old: while a cache that may be hit may return it; past L2 until it is home (this L2's dirty line is written
      // back first).
      bool const in_l1 = step.may_hit_l1 && (memory & step.l1_old) != 0;
      bool const can =
          in_l1 || (step.past_l2 ? (memory & (place.home | step.dirty)) == 0 : (memory & step.l2_old) != 0);
      if (!can) return false;
    } else if (step.reads) {
      // New: from home or this L2; or else from L1, which has kept what its L2 has lost; or from another L2, which may
      // have evicted it just before.
      if ((memory & (place.home | (step.past_l2 ? 0 : step.dirty))) == 0) {
        if (step.may_hit_l1 && (memory & step.l2_old) != 0 && (memory & step.l1_old) == 0) return true;
        if ((memory & place.any_dirty) == 0) return false;
        memory = reach_home(memory, step.location);
      }
    }
    if (step.kind == litmus_kind::load && !step.reads) return true;
    bool const stays = step.reads && !step.value && step.may_hit_l1 && (memory & step.l1_old) != 0;
    if (step.kind != litmus_kind::load) {
      // L2's line is updated or dropped, also where it is passed.
      std::uint64_t const left = step.leaves_old ? memory & step.l2_old : 0;
      if (step.past_l2)
        memory = reach_home(memory, step.location);
      else if ((memory & place.home) == 0)
        memory = (may_lose ? without_kept(memory, step.location, step.l2_old) : memory) | step.dirty;
      memory = (memory & ~step.l2_old) | left;
    } else if (step.value && !step.past_l2) {
      memory &= ~step.l2_old;  // L2 has the new line now
    }
    // So is L1's, which is write-through, and L2 may fill it again. Out of order, a fill that was asked for before may
    // still bring the old line.
    memory = (memory & ~step.l1_decided) | (stays || (memory & step.l2_old) != 0 ? step.l1_decided : 0);
    return true;
  }

  /// BUFFER_INV. L1 may then fetch again what L2 has. (Later fills stay behind the unit's operations outstanding, but
  /// those leave in L1 what L2 has then; or they read an old value, and could before.) `lost`: without an axiom, dirty
  /// lines that it drops may be.
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
      memory &= ~((memory & step.dropped) << (5 + wave.l2));
    }
    if (step.acts_on_l1 && assumes(axiom::invalidate_ends_fills_in_flight)) {
      std::uint64_t const of_l2 = (memory & step.l2_old) >> (5 + wave.l2) << (9 + wave.l1);
      memory = (memory & ~step.l1_old) | of_l2;
    }
    return memory;
  }

 private:
  /// What an L1 has kept is nothing special once the value is there again: in those L2s, or at home.
  COALESCE_API constexpr std::uint64_t without_kept(std::uint64_t memory, unsigned location, std::uint64_t l2s) const {
    for (unsigned k = 0; k != count; ++k)
      if ((memory & l2s & litmus_bits::l2_old(location, waves[k].l2)) != 0)
        memory |= litmus_bits::l1_old(location, waves[k].l1);
    return memory;
  }
  /// The bits of all L1s of that XCD.
  COALESCE_API constexpr std::uint64_t l1s_over(unsigned l2, unsigned location) const {
    std::uint64_t old = 0;
    for (unsigned k = 0; k != count; ++k)
      if (waves[k].l2 == l2) old |= litmus_bits::l1_old(location, waves[k].l1);
    return old;
  }
};

}  // namespace coalescing::cdna::rules
