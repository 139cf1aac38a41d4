// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/model.hpp>

#include <cstdint>

// The states of a litmus test, and the steps from one state to the next. The outcome fixes in advance which value each
// load must return. So a state stores no values of loads, and a path ends when a load can no longer return its value.

namespace coalescing::cdna::rules {

/// The state of a test: its memory, and the progress of each wave. The type is trivial, so making a large array of
/// states costs a compiler nothing in a constant expression.
struct litmus_state {
  std::uint64_t memory;  // the bits that litmus_bits defines
  // A queue of the accesses in flight of waves that share an L1. It is sorted by location, and for one location by
  // order of issue. Each entry is the number of the access's wave.
  std::uint64_t order;
  // For each wave: the index of its next step (the low 6 bits), and a mask of the operations that are done (the bits
  // above, one for each operation that VM_CNT counts).
  std::uint32_t waves[4];

  [[nodiscard]] COALESCE_API constexpr unsigned next(unsigned wave) const { return waves[wave] & 63; }
  [[nodiscard]] COALESCE_API constexpr std::uint32_t done(unsigned wave) const { return waves[wave] >> 6; }
  bool operator==(litmus_state const&) const = default;
  [[nodiscard]] COALESCE_API constexpr std::uint64_t hash() const {
    std::uint64_t const programs =
        (std::uint64_t{waves[1]} << 32 | waves[0]) ^ (std::uint64_t{waves[3]} << 32 | waves[2]) * 0x9e37'79b9'7f4a'7c15;
    std::uint64_t const mixed =
        (memory * 0xff51'afd7'ed55'8ccd ^ programs * 0xc4ce'b9fe'1a85'ec53 ^ order * 0xd6e8'feb8'6659'fd93);
    return (mixed ^ mixed >> 29) * 0x9e37'79b9'7f4a'7c15 >> 32;
  }
};

/// One step of one wave. `what` is
/// - go_on: the wave issues its next instruction,
/// - go_on_losing: the wave issues its next instruction, a BUFFER_INV, which loses dirty lines,
/// - the number of an operation that VM_CNT counts: the operation completes,
/// - past_l2 plus the number of such an operation: the operation bypasses L2 and completes.
struct litmus_move {
  static constexpr unsigned go_on = 31, go_on_losing = 30, past_l2 = 32;
  unsigned wave, what;
};

/// An object to pass as `note` to litmus_walk (below). litmus_walk calls the object when an access or a cache operation
/// is done. This object ignores the call.
struct litmus_silence {
  COALESCE_API constexpr void operator()(unsigned, litmus_step const&, std::uint64_t, std::uint64_t) const {}
};

/// The steps from one state to the next, with partial-order reduction: the search does some steps at once and does not
/// try to delay them, since a delay reaches no further outcome. These steps are
/// - the issue of an access, unless another wave of the compute unit could first issue one to the same location,
/// - the end of a wait whose operations are done,
/// - an operation or a BUFFER_INV that changes only bits of the state that no wave of another compute unit can read,
/// - a load of the old value: later the old value may be gone.
///
/// When an access or a cache operation is done, the walk calls `note(wave, step, before, after)` with the memory before
/// and after it.
class litmus_walk {
 public:
  COALESCE_API constexpr explicit litmus_walk(litmus_model const& model) : model_(model) {}

  [[nodiscard]] COALESCE_API constexpr litmus_state first() const {
    return {.memory = model_.initial, .order = 0, .waves = {0, 0, 0, 0}};
  }
  /// A mask of the wave's operations that are issued and not done. (VM_CNT counts these operations.)
  [[nodiscard]] COALESCE_API constexpr std::uint32_t pending(litmus_state const& state, unsigned wave) const {
    return issued(state, wave) & ~state.done(wave);
  }

  /// Whether a BUFFER_INV may lose dirty lines. If so, the search does not do the BUFFER_INV at once, since a later
  /// BUFFER_INV may lose more dirty lines.
  [[nodiscard]] COALESCE_API constexpr bool may_lose(litmus_step const& step) const {
    return step.dropped != 0 && model_.may_lose;
  }

  /// Makes the move. Returns false if the state does not permit it.
  template <class Note>
  COALESCE_API constexpr bool move(litmus_state& state, litmus_move to, Note& note) const {
    if (to.what < litmus_move::go_on_losing) return perform(state, to.wave, to.what, false, note);
    if (to.what >= litmus_move::past_l2)
      return perform(state, to.wave, to.what - litmus_move::past_l2, false, note, true);
    return go_on(state, to.wave, false, to.what == litmus_move::go_on_losing, note);
  }

  /// Does every step that partial-order reduction does at once. Returns false if some load can no longer return its
  /// expected value.
  template <class Note>
  COALESCE_API constexpr bool settle(litmus_state& state, Note& note) const {
    for (bool again = true; again;) {
      again = false;
      for (unsigned wave = 0; wave != model_.count; ++wave) {
        // First do the wave's operations, and only then issue its next instruction. The next instruction may be a
        // BUFFER_INV, which would remove an old value that a load in flight can still return.
        for (bool went = true; went;) {
          std::uint32_t const left = pending(state, wave);
          for (unsigned number = 0; left >> number != 0; ++number)
            if ((left >> number & 1) != 0 && perform(state, wave, number, true, note)) again = true;
          went = go_on(state, wave, true, false, note);
          if (went) again = true;
        }
      }
    }
    for (unsigned k = 0; k != model_.old_read_count; ++k) {
      auto const& [wave, own, never, source] = model_.old_reads[k];
      if ((state.done(wave) & own) == 0 && (state.memory & source) == 0 && (never == 0 || (state.memory & never) != 0))
        return false;
    }
    return true;
  }

  /// Whether every read has returned its value.
  [[nodiscard]] COALESCE_API constexpr bool has_values(litmus_state const& state) const {
    for (unsigned wave = 0; wave != model_.count; ++wave)
      if ((model_.waves[wave].values & ~state.done(wave)) != 0) return false;
    return true;
  }
  /// Whether every wave has ended and every operation is done.
  [[nodiscard]] COALESCE_API constexpr bool is_over(litmus_state const& state) const {
    for (unsigned wave = 0; wave != model_.count; ++wave)
      if (state.next(wave) != model_.waves[wave].size || pending(state, wave) != 0) return false;
    return true;
  }

 private:
  COALESCE_API constexpr std::uint32_t issued(litmus_state const& state, unsigned wave) const {
    return (std::uint32_t{1} << model_.waves[wave].counted_before[state.next(wave)]) - 1;
  }

  /// Issues the wave's next instruction. Returns false if the wave has ended or still waits. If `at_once`, also returns
  /// false where partial-order reduction does not apply.
  template <class Note>
  COALESCE_API constexpr bool go_on(litmus_state& state, unsigned wave, bool at_once, bool losing, Note& note) const {
    litmus_runner const& runner = model_.waves[wave];
    if (state.next(wave) == runner.size) return false;
    litmus_step const& step = runner.steps[state.next(wave)];
    if (step.kind == litmus_kind::wait) {
      if ((pending(state, wave) & step.first) != 0) return false;
    } else if (step.kind == litmus_kind::invalidate) {
      std::uint64_t const memory = model_.invalidate(state.memory, runner, step, losing);
      if (at_once && (may_lose(step) || ((memory ^ state.memory) & ~runner.private_to_invalidate) != 0)) return false;
      note(wave, step, state.memory, memory);
      state.memory = memory;
    } else if (runner.shares_l1 && step.kind != litmus_kind::write_back) {
      if (at_once && another_may_issue(state, wave, step.location)) return false;
      enqueue(state, wave, step.location);
    }
    ++state.waves[wave];
    return true;
  }

  COALESCE_API static constexpr litmus_step past_l2(litmus_step step) {
    step.past_l2 = step.leaves_old = true;
    return step;
  }
  /// Does the wave's operation `number`; only operations that VM_CNT counts have numbers. If `passing`, the operation
  /// bypasses L2. Returns false if the operation cannot be done now. If `at_once`, also returns false where
  /// partial-order reduction does not apply.
  template <class Note>
  COALESCE_API constexpr bool perform(litmus_state& state, unsigned wave, unsigned number, bool at_once, Note& note,
                                      bool passing = false) const {
    litmus_runner const& runner = model_.waves[wave];
    litmus_step const& step = runner.steps[runner.step_of[number]];
    if ((step.first & ~state.done(wave)) != 0) return false;
    bool const queued = runner.shares_l1 && step.kind != litmus_kind::write_back;
    if (queued && place_in_queue(state, wave, step.location) != 0) return false;
    std::uint64_t memory = state.memory;
    if (!(passing ? model_.perform(memory, past_l2(step)) : model_.perform(memory, step))) return false;
    bool const load = step.kind == litmus_kind::load;
    if (at_once && !(load && !step.value) && ((memory ^ state.memory) & ~runner.private_bits) != 0) return false;
    // Two kinds of operation are not done at once, since the search must try alternatives. The first are writes and
    // write-backs while a BUFFER_INV may lose dirty lines: their order decides whether the BUFFER_INV loses the new
    // value. The second are atomics of may_pass_l2: they may be done in L2, or may bypass L2.
    if (at_once && !load && (model_.may_lose || (runner.may_pass_l2 & step.own) != 0)) return false;
    // Before the write-back, a load that bypasses L2 and does not find the dirty line may still return the old value.
    // So the search must also try to do the write-back later.
    bool const finds_dirty = model_.assumes(axiom::one_value_in_each_l2);
    if (at_once && step.kind == litmus_kind::write_back && !finds_dirty && memory != state.memory) return false;
    if (passing)
      note(wave, past_l2(step), state.memory, memory);
    else
      note(wave, step, state.memory, memory);
    if (queued) dequeue(state, wave, step.location);
    state.memory = memory;
    state.waves[wave] |= step.own << 6;
    return true;
  }

  COALESCE_API constexpr bool another_may_issue(litmus_state const& state, unsigned wave, unsigned location) const {
    for (unsigned other = 0; other != model_.count; ++other)
      if (other != wave && model_.waves[other].l1 == model_.waves[wave].l1 &&
          (model_.waves[other].at[location] & ~issued(state, other)) != 0)
        return true;
    return false;
  }

  // ---- The queue `order` of accesses in flight: each entry is a wave's number, in two bits ----

  COALESCE_API constexpr unsigned queued_at(litmus_state const& state, unsigned location) const {
    unsigned found = 0;
    for (unsigned wave = 0; wave != model_.count; ++wave)
      for (std::uint32_t left = pending(state, wave) & model_.waves[wave].at[location];
           left != 0 && model_.waves[wave].shares_l1; left &= left - 1)
        ++found;
    return found;
  }
  COALESCE_API constexpr unsigned queued_before(litmus_state const& state, unsigned location) const {
    unsigned found = 0;
    for (unsigned k = 0; k != location; ++k) found += queued_at(state, k);
    return found;
  }
  /// How many accesses of the wave's compute unit to a location stand in the queue before the wave's first such access.
  COALESCE_API constexpr unsigned place_in_queue(litmus_state const& state, unsigned wave, unsigned location) const {
    unsigned before = 0;
    for (unsigned k = queued_before(state, location);; ++k) {
      unsigned const other = state.order >> 2 * k & 3;
      if (other == wave) return before;
      if (model_.waves[other].l1 == model_.waves[wave].l1) ++before;
    }
  }
  COALESCE_API constexpr void enqueue(litmus_state& state, unsigned wave, unsigned location) const {
    unsigned const k = queued_before(state, location) + queued_at(state, location);
    std::uint64_t const low = (std::uint64_t{1} << 2 * k) - 1;  // k is at most 31, so the shift is at most 62
    state.order = (state.order & low) | std::uint64_t{wave} << 2 * k | (state.order & ~low) << 2;
  }
  COALESCE_API constexpr void dequeue(litmus_state& state, unsigned wave, unsigned location) const {
    unsigned k = queued_before(state, location);
    while ((state.order >> 2 * k & 3) != wave) ++k;
    std::uint64_t const low = (std::uint64_t{1} << 2 * k) - 1;
    state.order = (state.order & low) | (state.order >> 2 & ~low);
  }

  litmus_model const& model_;
};

}  // namespace coalescing::cdna::rules
