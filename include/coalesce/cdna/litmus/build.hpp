// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/model.hpp>

#include <cstdint>

// Builds the model of a litmus test: gives each wave its caches, and looks up in ISA4's tables what each instruction
// does in these caches.

namespace coalescing::cdna::rules {

/// What the user says about a litmus test: the environment, the waves, the memory, the axioms and the names.
struct litmus_setting {
  environment where = {};
  litmus_wave waves[4] = {};
  unsigned count = 0;
  litmus_memory memories[litmus_wave::most_locations] = {};
  unsigned axioms = (1u << axiom_count) - 1;  // bit k: axiom k is in force
  char const* names[litmus_wave::most_locations] = {};
};

/// The memory type with which a wave's agent caches a location.
COALESCE_API constexpr memory_type memory_type_of(litmus_setting const& said, unsigned wave, unsigned location) {
  litmus_memory const& memory = said.memories[location];
  return memory.agent == said.waves[wave].agent ? memory.local : memory.remote;
}
/// Whether probes keep a location's line in a wave's L2 coherent. Such a line may serve even a load that bypasses L2:
/// on an MI300X, loads with sc1 take as long as hits in L2 (README.md).
COALESCE_API constexpr bool kept_by_probes(litmus_setting const& said, unsigned wave, unsigned location) {
  bool const local = said.memories[location].agent == said.waves[wave].agent;
  return kept_coherent_by_probes(memory_type_of(said, wave, location), local ? home::local : home::remote);
}

/// Whether an access to memory of this type bypasses L2. `atomics_past_several` says whether
/// axiom::device_atomics_past_several_l2s is in force.
COALESCE_API constexpr bool passes_l2(litmus_instruction const& made, memory_type type, environment const& where,
                                      bool atomics_past_several) {
  if (!cached_in_l2(type)) return true;
  if (made.kind == litmus_kind::load) return caches_of_load(made.bits, where).l2 == cache_op::coherent_bypass;
  if (made.kind == litmus_kind::store) return caches_of_store(made.bits, where).l2 == cache_op::coherent_bypass;
  if (decode_atomic(made.bits).scope == scope::system) return true;
  return atomics_past_several && place_of_device_atomic(where) == atomic_place::past_l2;
}

/// Puts one wave's instructions into the model.
class litmus_builder {
 public:
  COALESCE_API constexpr litmus_builder(litmus_setting const& said, litmus_model& made, unsigned wave)
      : said_(said), made_(made), runner_(made.waves[wave]), wave_(wave) {}

  /// Appends instruction `number` of the wave. If the instruction returns a value, the value must be `expected[given]`,
  /// and `given` goes up by one. If `reads_count` is false, the values that loads and atomics return are ignored.
  COALESCE_API constexpr void add(litmus_instruction const& what, unsigned number, litmus_outcome const& expected,
                                  unsigned& given, bool reads_count) {
    bool const reads = what.kind == litmus_kind::load || (what.kind == litmus_kind::atomic && what.bits.sc0);
    litmus_step& step = runner_.steps[runner_.size++];
    step.kind = what.kind;
    step.instruction = number;
    std::uint32_t const older = (std::uint32_t{1} << runner_.counted) - 1;
    switch (what.kind) {
      case litmus_kind::wait:
        // VM_CNT falls in order of issue: a wait for n ends when all but the n youngest operations are done.
        step.first = what.counters.vmcnt >= runner_.counted ? 0 : older >> what.counters.vmcnt;
        return count();
      case litmus_kind::invalidate:
        invalidate(step, invalidate_by(what.bits, said_.where));
        return count();
      case litmus_kind::write_back:
        step.acts_on_l2 = write_back_by(what.bits, said_.where).l2 == cache_action::write_back;
        step.dirty = litmus_bits::dirty(0, runner_.l2) * litmus_bits::everywhere;
        step.first = older;  // BUFFER_WBL2 is not done before the wave's earlier accesses (LLVMSRC)
        break;
      case litmus_kind::load:
      case litmus_kind::store:
      case litmus_kind::atomic:
      case litmus_kind::fence:
        access(step, what);
        if (reads && reads_count) expect(step, given, expected);
    }
    if (runner_.counted == litmus_runner::most_counted) refused::litmus_wave_has_too_many_instructions();
    step.own = std::uint32_t{1} << runner_.counted;
    runner_.step_of[runner_.counted++] = static_cast<unsigned char>(runner_.size - 1);
    if (what.kind != litmus_kind::write_back) runner_.at[what.location] |= step.own;
    if (step.reads) note(step);
    count();
  }

 private:
  COALESCE_API constexpr void count() {
    runner_.counted_before[runner_.size] = static_cast<unsigned char>(runner_.counted);
  }
  COALESCE_API constexpr memory_type type_of(unsigned location) const { return memory_type_of(said_, wave_, location); }
  COALESCE_API constexpr void access(litmus_step& step, litmus_instruction const& what) {
    unsigned const at = what.location;
    step.location = at;
    step.dirty = litmus_bits::dirty(at, runner_.l2);
    step.l2_old = litmus_bits::l2_old(at, runner_.l2);
    step.l1_old = litmus_bits::l1_old(at, runner_.l1);
    step.may_hit_l1 = what.kind == litmus_kind::load && may_hit(caches_of_load(what.bits, said_.where).cu);
    step.past_l2 = passes_l2(what, type_of(at), said_.where, made_.assumes(axiom::device_atomics_past_several_l2s));
    bool const one_value = made_.assumes(axiom::one_value_in_each_l2);
    step.leaves_old = !one_value && cached_in_l2(type_of(at));
    step.dirty_is_found = one_value ? step.dirty : 0;
    if (what.kind == litmus_kind::load && step.past_l2 && kept_by_probes(said_, wave_, at))
      step.old_past_l2 = step.l2_old;
    if (made_.assumes(axiom::one_unit_and_location_in_order)) {
      step.first = runner_.at[at];
      step.l1_decided = step.l1_old;
    }
    if (what.kind == litmus_kind::atomic && !made_.assumes(axiom::device_atomics_past_several_l2s)) {
      step.leaves_old = step.leaves_old || (step.past_l2 && cached_in_l2(type_of(at)));
      if (!step.past_l2 && place_of_device_atomic(said_.where) == atomic_place::past_l2)
        runner_.may_pass_l2 |= std::uint32_t{1} << runner_.counted;
    }
  }
  COALESCE_API constexpr void expect(litmus_step& step, unsigned& given, litmus_outcome const& outcome) {
    step.reads = true;
    // Not outcome[given]: model_of refuses an outcome that is too short, once it has counted the reads. There are 32.
    step.value = (outcome.values >> given++ & 1) != 0;
    runner_.values |= std::uint32_t{1} << runner_.counted;
  }
  COALESCE_API constexpr void invalidate(litmus_step& step, cache_actions does) {
    step.acts_on_l1 = does.l1 != cache_action::nothing;
    step.acts_on_l2 = does.l2 != cache_action::nothing;
    step.dirty = litmus_bits::dirty(0, runner_.l2) * litmus_bits::everywhere;
    step.l2_old = litmus_bits::l2_old(0, runner_.l2) * litmus_bits::everywhere;
    step.l1_old = litmus_bits::l1_old(0, runner_.l1) * litmus_bits::everywhere;
    if (step.acts_on_l2)
      for (unsigned k = 0; k != litmus_wave::most_locations; ++k)
        if (dropped_by_buffer_inv(type_of(k))) step.dropped |= litmus_bits::home(k);
  }
  /// Records a read that must return the old value, so that the search can end a path on which the read can no longer
  /// return it. If dirty lines may be lost, nothing is recorded: after a loss, a cache may return the old value again.
  COALESCE_API constexpr void note(litmus_step const& step) {
    if (step.value || !made_.assumes(axiom::invalidate_writes_dirty_lines_back)) return;
    made_.old_reads[made_.old_read_count++] = {
        .wave = wave_,
        .own = step.own,
        .never = step.past_l2 ? litmus_bits::home(step.location) | step.dirty_is_found : 0,
        .source = (step.past_l2 ? step.old_past_l2 : step.l2_old) | (step.may_hit_l1 ? step.l1_old : 0)};
  }

  litmus_setting const& said_;
  litmus_model& made_;
  litmus_runner& runner_;
  unsigned wave_;
};

/// Gives each wave its L1 and L2.
COALESCE_API constexpr void place_waves(litmus_setting const& said, litmus_model& made) {
  for (unsigned k = 0; k != said.count; ++k) {
    litmus_wave const& wave = said.waves[k];
    litmus_runner& runner = made.waves[k];
    runner.l2 = runner.l1 = k;  // a cache has the number of the first wave that uses it
    for (unsigned other = k; other-- != 0;) {
      if (said.waves[other].agent != wave.agent || said.waves[other].xcd != wave.xcd) continue;
      runner.l2 = other;
      if (said.waves[other].compute_unit == wave.compute_unit) runner.l1 = other;
    }
  }
}

/// Finds the masks of each location (litmus_place): which caches may hold a dirty copy, and which bits are cleared when
/// the new value reaches the location's home (its memory). Sets the memory of the first state, too.
COALESCE_API constexpr void place_memories(litmus_setting const& said, litmus_model& made) {
  for (unsigned k = 0; k != litmus_wave::most_locations; ++k) {
    litmus_place& place = made.places[k];
    place.home = litmus_bits::home(k);
    made.initial |= place.home * 0x1fe0;  // bits 5 to 12: at first every L2 and L1 may return the old value
    for (unsigned wave = 0; wave != said.count; ++wave) {
      // Whether a probe removes the old value from L2 for good. It does not if a fill may arrive after the probe.
      bool const probed = made.assumes(axiom::probes_done_before_acknowledgement) &&
                          made.assumes(axiom::one_value_in_each_l2) && kept_by_probes(said, wave, k);
      place.any_dirty |= litmus_bits::dirty(k, made.waves[wave].l2);
      if (probed || !cached_in_l2(memory_type_of(said, wave, k)))
        place.cleared |= litmus_bits::l2_old(k, made.waves[wave].l2);
    }
    place.cleared |= place.any_dirty;
  }
}

/// Finds each wave's private bits for the partial-order reduction. A bit is private if no wave of another compute unit
/// can read it, and the waves of this compute unit read it in order. Then the search changes the bit at once, since a
/// later change reaches no further outcome. If `watched`, a reader outside the test polls a location, and only bits of
/// the wave's own caches are private.
COALESCE_API constexpr void find_private_bits(litmus_model& made, bool watched) {
  if (!made.assumes(axiom::one_unit_and_location_in_order)) return;
  bool const lossless = made.assumes(axiom::invalidate_writes_dirty_lines_back);
  for (unsigned k = 0; k != made.count; ++k) {
    litmus_runner& runner = made.waves[k];
    std::uint64_t own = watched ? 0 : ~std::uint64_t{0};
    std::uint64_t l1_and_l2 = litmus_bits::l1_old(0, runner.l1) | litmus_bits::l2_old(0, runner.l2);
    for (unsigned other = 0; other != made.count; ++other) {
      litmus_runner const& stranger = made.waves[other];
      if (other == k) continue;
      if (stranger.l1 == runner.l1) runner.shares_l1 = true, l1_and_l2 &= ~litmus_bits::l1_old(0, runner.l1);
      if (stranger.l2 == runner.l2) l1_and_l2 &= ~litmus_bits::l2_old(0, runner.l2);
      for (unsigned place = 0; place != litmus_wave::most_locations; ++place)
        if (stranger.l1 != runner.l1 && stranger.at[place] != 0) own &= ~(litmus_bits::home(place) * 0xffff);
    }
    runner.private_bits = lossless ? l1_and_l2 * litmus_bits::everywhere | own : 0;
    runner.private_to_invalidate = runner.shares_l1 ? 0 : runner.private_bits;
  }
}

/// Builds the model of a test and an outcome. If `reads_count` is false, the values that reads return are ignored.
/// Refused: an outcome whose number of values is not the number of the test's reads.
COALESCE_API constexpr litmus_model model_of(litmus_setting const& said, litmus_outcome const& expected,
                                             bool reads_count = true) {
  litmus_model made{};
  made.count = said.count;
  made.axioms = said.axioms;
  made.may_lose = !made.assumes(axiom::invalidate_writes_dirty_lines_back);
  place_waves(said, made);
  place_memories(said, made);
  unsigned given = 0;
  for (unsigned k = 0; k != said.count; ++k) {
    litmus_builder builder(said, made, k);
    for (unsigned number = 0; number != said.waves[k].size; ++number)
      builder.add(said.waves[k].program[number], number, expected, given, reads_count);
  }
  if (reads_count && given != expected.count) refused::outcome_has_another_number_of_values(expected.count);
  find_private_bits(made, !reads_count);
  return made;
}
/// Builds the model of a test for litmus_test::reaches(...): the values that the test's reads return are ignored, and a
/// reader outside the test polls a location.
COALESCE_API constexpr litmus_model model_without_reads(litmus_setting const& said) {
  return model_of(said, litmus_outcome{}, false);
}

}  // namespace coalescing::cdna::rules
