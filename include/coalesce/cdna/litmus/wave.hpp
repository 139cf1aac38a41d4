// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/bits.hpp>
#include <coalesce/cdna/counters.hpp>
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/cdna/synchronize.hpp>
#include <coalesce/core/config.hpp>

#include <cstdint>
#include <initializer_list>

// The words of a litmus test (cdna/litmus.hpp): what a wave does, where it runs, where the memory is, what is assumed.

namespace coalescing::cdna {

/// What the model assumes and no document says. "Forbidden" means: under those that are in force.
enum class axiom {
  one_unit_and_location_in_order,      ///< what one compute unit does to one location is done in the order of issue
  probes_done_before_acknowledgement,  ///< RW, CC: a write past L2 is done once no other L2 can return the old value
  invalidate_ends_fills_in_flight,     ///< no fill that L1 had asked for before BUFFER_INV arrives after it
  invalidate_writes_dirty_lines_back,  ///< a dirty NC line that BUFFER_INV drops is not lost
  device_atomics_past_several_l2s,     ///< where the agent has several; in L2 where it has one. No stale copy stays
  stores_are_done_eventually           ///< without a wait too; nothing is said of a dirty line's way out of L2
};
COALESCE_API constexpr bool is_enumerator(axiom value) {
  return value == axiom::one_unit_and_location_in_order || value == axiom::probes_done_before_acknowledgement ||
         value == axiom::invalidate_ends_fills_in_flight || value == axiom::invalidate_writes_dirty_lines_back ||
         value == axiom::device_atomics_past_several_l2s || value == axiom::stores_are_done_eventually;
}
inline constexpr unsigned axiom_count = 6;

enum class litmus_kind { load, store, atomic, write_back, invalidate, wait, fence };
COALESCE_API constexpr bool is_enumerator(litmus_kind value) {
  return value == litmus_kind::load || value == litmus_kind::store || value == litmus_kind::atomic ||
         value == litmus_kind::write_back || value == litmus_kind::invalidate || value == litmus_kind::wait ||
         value == litmus_kind::fence;
}
/// Whether it reads or writes memory itself.
COALESCE_API constexpr bool is_access(litmus_kind kind) {
  return kind == litmus_kind::load || kind == litmus_kind::store || kind == litmus_kind::atomic;
}

/// One instruction of a wave. A fence stands for LLVM 22's, and becomes its instructions in litmus(...).
struct litmus_instruction {
  litmus_kind kind = litmus_kind::wait;
  unsigned location = 0;
  cdna::bits bits = {};                        ///< of all but waits; of a fence, its scope
  waitcnt counters = {};                       ///< of waits
  memory_order order = memory_order::seq_cst;  ///< of fences

  bool operator==(litmus_instruction const&) const = default;
};

/// Whose memory a location is, and how its pages are cached by that agent and by others.
struct litmus_memory {
  unsigned agent = 0;
  memory_type local = memory_type::rw;
  memory_type remote = memory_type::nc;
};

/// A wave: where it runs, and its program. Waves with equal agent, xcd and compute_unit share an L1 (and are of one
/// work-group, for all that group scope says); with equal agent and xcd an L2. Each function gives the wave with one
/// thing more to do. An access is plain (wave scope) unless its scope or its bits are said. The program's members are
/// public for template arguments' sake: only read them.
struct litmus_wave {
  static constexpr unsigned most_locations = 4;
  static constexpr unsigned most_accesses = 8;       ///< loads, stores, atomics
  static constexpr unsigned most_instructions = 48;  ///< waits and cache operations beside them

  unsigned agent = 0, xcd = 0, compute_unit = 0;
  litmus_instruction program[most_instructions] = {};
  unsigned size = 0, accesses = 0;

  [[nodiscard]] COALESCE_API constexpr litmus_wave load(unsigned location, cdna::bits said = {}) const {
    return with({.kind = litmus_kind::load, .location = location, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave load(unsigned location, scope visible) const {
    return load(location, encode(visible));
  }
  /// Writes 1.
  [[nodiscard]] COALESCE_API constexpr litmus_wave store(unsigned location, cdna::bits said = {}) const {
    return with({.kind = litmus_kind::store, .location = location, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave store(unsigned location, scope visible) const {
    return store(location, encode(visible));
  }
  /// A read-modify-write: writes 1. Its bits are an atomic's (decode_atomic): with SC0 it returns what was there, which
  /// is then one of the outcome's values.
  [[nodiscard]] COALESCE_API constexpr litmus_wave atomic(unsigned location, cdna::bits said) const {
    return with({.kind = litmus_kind::atomic, .location = location, .bits = said});
  }
  /// One that returns what was there. Refused: wave and group scope, which atomics do not have.
  [[nodiscard]] COALESCE_API constexpr litmus_wave atomic(unsigned location, scope visible) const {
    return atomic(location, encode_atomic({.returns_value = true, .scope = visible}));
  }
  /// BUFFER_WBL2.
  [[nodiscard]] COALESCE_API constexpr litmus_wave write_back(cdna::bits said) const {
    return with({.kind = litmus_kind::write_back, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave write_back(scope visible) const {
    return write_back(encode(visible));
  }
  /// BUFFER_INV.
  [[nodiscard]] COALESCE_API constexpr litmus_wave invalidate(cdna::bits said) const {
    return with({.kind = litmus_kind::invalidate, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave invalidate(scope visible) const {
    return invalidate(encode(visible));
  }
  /// S_WAITCNT. There is no LDS and no scalar memory here: lgkmcnt is 0 as it is.
  [[nodiscard]] COALESCE_API constexpr litmus_wave wait(waitcnt until) const {
    static_cast<void>(until.simm16());  // refuses what there is not
    return with({.kind = litmus_kind::wait, .counters = until});
  }
  /// What LLVM 22 gives for a fence of that ordering, where the test runs.
  [[nodiscard]] COALESCE_API constexpr litmus_wave fence(memory_order order, scope visible) const {
    if (!rules::has_ordering(operation::fence, order)) refused::ordering_does_not_exist_for_the_operation();
    return with({.kind = litmus_kind::fence, .bits = encode(visible), .order = order});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave release(scope visible) const {
    return fence(memory_order::release, visible);
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave acquire(scope visible) const {
    return fence(memory_order::acquire, visible);
  }
  /// What synchronize(...) gave; its access, unless it is a fence, is to that location. FLAT accesses are taken for
  /// global ones. Refused: LDS, which is not modelled.
  [[nodiscard]] COALESCE_API constexpr litmus_wave sequence(instruction_sequence const& made,
                                                            unsigned location = most_locations) const {
    litmus_wave longer = *this;
    for (auto const& step : made) longer = longer.with(rules_of(made, step, location));
    return longer;
  }

  /// The wave without that instruction, counted from 0 as they were written: a fence is one.
  [[nodiscard]] COALESCE_API constexpr litmus_wave without(unsigned number) const {
    if (number >= size) refused::litmus_wave_has_no_such_instruction(number);
    litmus_wave shorter{.agent = agent, .xcd = xcd, .compute_unit = compute_unit};
    for (unsigned k = 0; k != size; ++k)
      if (k != number) shorter = shorter.with(program[k]);
    return shorter;
  }

  bool operator==(litmus_wave const&) const = default;

  /// With one instruction more, whatever it is.
  [[nodiscard]] COALESCE_API constexpr litmus_wave with(litmus_instruction const& more) const {
    coalescing::detail::check_enumerator(more.kind);
    litmus_wave longer = *this;
    if (is_access(more.kind)) {
      if (more.location >= most_locations) refused::litmus_has_four_locations(more.location);
      if (++longer.accesses > most_accesses) refused::litmus_wave_has_too_many_accesses();
    }
    if (size == most_instructions) refused::litmus_wave_has_too_many_instructions();
    longer.program[longer.size++] = more;
    return longer;
  }

 private:
  COALESCE_API static constexpr litmus_instruction rules_of(instruction_sequence const& made,
                                                            instruction_step const& step, unsigned location) {
    switch (step.kind) {
      case step_kind::wait:
        return {.kind = litmus_kind::wait, .counters = step.counters};
      case step_kind::write_back:
        return {.kind = litmus_kind::write_back, .bits = step.bits};
      case step_kind::invalidate:
        return {.kind = litmus_kind::invalidate, .bits = step.bits};
      case step_kind::memory_operation:
        break;
    }
    if (made.space == address_space::local) refused::litmus_has_no_lds();
    return {.kind = made.kind == operation::load    ? litmus_kind::load
                    : made.kind == operation::store ? litmus_kind::store
                                                    : litmus_kind::atomic,
            .location = location,
            .bits = step.bits};
  }
};

/// What the loads and returning atomics give, wave by wave in the order of the program: each 0 or 1.
struct litmus_outcome {
  static constexpr unsigned most_values = 32;

  std::uint32_t values = 0;  ///< bit k: value k
  unsigned count = 0;

  litmus_outcome() = default;
  /// Number `number` of the 2 to the power of `size` outcomes.
  COALESCE_API constexpr litmus_outcome(std::uint32_t number, unsigned size) : values(number), count(size) {}
  COALESCE_API constexpr litmus_outcome(std::initializer_list<unsigned> listed) {
    for (unsigned const value : listed) {
      if (value > 1) refused::litmus_values_are_0_and_1(value);
      if (count == most_values) refused::outcome_has_another_number_of_values(static_cast<unsigned>(listed.size()));
      values |= static_cast<std::uint32_t>(value) << count++;
    }
  }
  [[nodiscard]] COALESCE_API constexpr bool operator[](unsigned number) const { return (values >> number & 1) != 0; }
};

}  // namespace coalescing::cdna
