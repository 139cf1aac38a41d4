// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/synchronize.hpp>

#include <cstdint>
#include <initializer_list>

// The parts that a litmus test (cdna/litmus.hpp) is written with: waves and their instructions, memory, outcomes, and
// the axioms of the model.

namespace coalescing::cdna {

/// Assumptions of the model that no document states. A forbidden outcome is forbidden under the axioms in force.
enum class axiom {
  /// One compute unit's accesses to one location are done in the order of issue.
  one_unit_and_location_in_order,
  /// A write that bypasses L2 is done only once no other L2 can return the old value from a line of type RW or CC.
  probes_done_before_acknowledgement,
  /// A fill that is in flight to L1 when a BUFFER_INV is done does not arrive afterwards.
  invalidate_ends_fills_in_flight,
  /// BUFFER_INV writes a dirty line of type NC back before it drops the line from L2.
  invalidate_writes_dirty_lines_back,
  /// Device-scope atomics bypass L2 if the agent has several L2s, and stay in L2 if the agent has one. They leave no
  /// stale copy.
  device_atomics_past_several_l2s,
  /// An L2 never has two values of a location: no fill arrives late, a write that bypasses L2 leaves no old line in the
  /// L2, and an access that bypasses L2 finds the value of a dirty line in the L2.
  one_value_in_each_l2,
  /// Every store is done in the end, even if no instruction waits for the store. The store's dirty line may stay in L2
  /// for ever.
  stores_are_done_eventually
};
COALESCE_API constexpr bool is_enumerator(axiom value) {
  return value == axiom::one_unit_and_location_in_order || value == axiom::probes_done_before_acknowledgement ||
         value == axiom::invalidate_ends_fills_in_flight || value == axiom::invalidate_writes_dirty_lines_back ||
         value == axiom::device_atomics_past_several_l2s || value == axiom::one_value_in_each_l2 ||
         value == axiom::stores_are_done_eventually;
}
inline constexpr unsigned axiom_count = 7;

/// The kinds of instruction in a litmus test.
enum class litmus_kind { load, store, atomic, write_back, invalidate, wait, fence };
COALESCE_API constexpr bool is_enumerator(litmus_kind value) {
  return value == litmus_kind::load || value == litmus_kind::store || value == litmus_kind::atomic ||
         value == litmus_kind::write_back || value == litmus_kind::invalidate || value == litmus_kind::wait ||
         value == litmus_kind::fence;
}
/// Whether an instruction of this kind reads or writes memory itself.
COALESCE_API constexpr bool is_access(litmus_kind kind) {
  return kind == litmus_kind::load || kind == litmus_kind::store || kind == litmus_kind::atomic;
}

/// One instruction of a wave. litmus(...) replaces a fence by the instructions that LLVM 22 emits for it.
struct litmus_instruction {
  litmus_kind kind = litmus_kind::wait;
  unsigned location = 0;
  cdna::bits bits = {};   ///< the instruction's cache bits; of a fence: the bits of its scope; waits do not use them
  waitcnt counters = {};  ///< used by waits only
  memory_order order = memory_order::seq_cst;  ///< used by fences only

  bool operator==(litmus_instruction const&) const = default;
};

/// The agent that owns a location's memory, and the memory types of the location's page: `local` in that agent,
/// `remote` in all other agents.
struct litmus_memory {
  unsigned agent = 0;
  memory_type local = memory_type::rw;
  memory_type remote = memory_type::nc;
};

/// A wave: where it runs, and its program. Waves with equal agent, xcd and compute_unit share an L1, and group scope
/// treats them as one work-group. Waves with equal agent and xcd share an L2. Each function returns a copy of the wave
/// with one more instruction, or one more sequence. A load or store without a scope or bits has wave scope. The members
/// are public only so that a wave can be a template argument; read them, but do not write `program`, `size` or
/// `accesses`. Refused: a location beyond 3, counts of a wait that the instruction cannot encode, and more accesses or
/// instructions than the limits below.
struct litmus_wave {
  static constexpr unsigned most_locations = 4;
  static constexpr unsigned most_accesses = 8;       ///< most loads, stores and atomics of a wave
  static constexpr unsigned most_instructions = 48;  ///< most accesses, waits and cache operations of a wave, together

  unsigned agent = 0, xcd = 0, compute_unit = 0;
  litmus_instruction program[most_instructions] = {};
  unsigned size = 0, accesses = 0;

  /// A load of the location. A litmus_outcome lists the value that the load returns.
  [[nodiscard]] COALESCE_API constexpr litmus_wave load(unsigned location, cdna::bits said = {}) const {
    return with({.kind = litmus_kind::load, .location = location, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave load(unsigned location, scope visible) const {
    return load(location, encode(visible));
  }
  /// A store of 1, the new value.
  [[nodiscard]] COALESCE_API constexpr litmus_wave store(unsigned location, cdna::bits said = {}) const {
    return with({.kind = litmus_kind::store, .location = location, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave store(unsigned location, scope visible) const {
    return store(location, encode(visible));
  }
  /// A read-modify-write that writes 1. decode_atomic(said) tells what its bits mean. With SC0 the atomic returns the
  /// value before the write, and a litmus_outcome lists this value.
  [[nodiscard]] COALESCE_API constexpr litmus_wave atomic(unsigned location, cdna::bits said) const {
    return with({.kind = litmus_kind::atomic, .location = location, .bits = said});
  }
  /// An atomic that returns the value before the write. Refused: wave and group scope, which atomics do not have.
  [[nodiscard]] COALESCE_API constexpr litmus_wave atomic(unsigned location, scope visible) const {
    return atomic(location, encode_atomic({.returns_value = true, .scope = visible}));
  }
  /// BUFFER_WBL2. L2 writes its dirty lines back, if the scope requires it (ISA4 Table 51).
  [[nodiscard]] COALESCE_API constexpr litmus_wave write_back(cdna::bits said) const {
    return with({.kind = litmus_kind::write_back, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave write_back(scope visible) const {
    return write_back(encode(visible));
  }
  /// BUFFER_INV. L1 drops its lines, and L2 drops its NC lines, each if the scope requires it (ISA4 Table 52).
  [[nodiscard]] COALESCE_API constexpr litmus_wave invalidate(cdna::bits said) const {
    return with({.kind = litmus_kind::invalidate, .bits = said});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave invalidate(scope visible) const {
    return invalidate(encode(visible));
  }
  /// S_WAITCNT. It waits until VM_CNT is at most vmcnt. LGKM_CNT is 0 at all times, since the model has no LDS and no
  /// scalar memory. Refused: counts that the instruction cannot encode.
  [[nodiscard]] COALESCE_API constexpr litmus_wave wait(waitcnt until) const {
    return with({.kind = litmus_kind::wait, .counters = until});
  }
  /// The instructions that LLVM 22 emits for a fence of an ordering and a scope, in the test's environment. Refused: an
  /// ordering that fences do not have.
  [[nodiscard]] COALESCE_API constexpr litmus_wave fence(memory_order order, scope visible) const {
    coalescing::detail::check_enumerator(order);
    if (!rules::has_ordering(operation::fence, order)) refused::ordering_does_not_exist_for_the_operation();
    return with({.kind = litmus_kind::fence, .bits = encode(visible), .order = order});
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave release(scope visible) const {
    return fence(memory_order::release, visible);
  }
  [[nodiscard]] COALESCE_API constexpr litmus_wave acquire(scope visible) const {
    return fence(memory_order::acquire, visible);
  }
  /// The wave with all instructions of a sequence, which synchronize(...) returned. If the sequence has an access (that
  /// of a fence has none), the access goes to `location`. A FLAT access is treated as a global one. Refused: an access
  /// to LDS, which the model does not have.
  [[nodiscard]] COALESCE_API constexpr litmus_wave sequence(instruction_sequence const& made,
                                                            unsigned location = most_locations) const {
    litmus_wave longer = *this;
    for (auto const& step : made) longer = longer.with(rules_of(made, step, location));
    return longer;
  }

  /// The wave without one instruction. Instructions are numbered from 0, and a fence counts as one instruction.
  /// Refused: a number that the wave does not have.
  [[nodiscard]] COALESCE_API constexpr litmus_wave without(unsigned number) const {
    if (number >= size) refused::litmus_wave_has_no_such_instruction(number);
    litmus_wave shorter{.agent = agent, .xcd = xcd, .compute_unit = compute_unit};
    for (unsigned k = 0; k != size; ++k)
      if (k != number) shorter = shorter.with(program[k]);
    return shorter;
  }

  bool operator==(litmus_wave const&) const = default;

  /// The wave with one more instruction of any kind.
  [[nodiscard]] COALESCE_API constexpr litmus_wave with(litmus_instruction const& more) const {
    coalescing::detail::check_enumerator(more.kind);
    if (more.location >= most_locations) refused::litmus_has_four_locations(more.location);
    if (more.kind == litmus_kind::wait)
      static_cast<void>(more.counters.simm16());  // refuses counts that the instruction cannot encode
    litmus_wave longer = *this;
    if (is_access(more.kind) && ++longer.accesses > most_accesses) refused::litmus_wave_has_too_many_accesses();
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

/// The values that the loads and the atomics with SC0 return: wave by wave, in program order, each 0 or 1. Refused: a
/// value other than 0 and 1, and more than 32 values.
struct litmus_outcome {
  static constexpr unsigned most_values = 32;

  std::uint32_t values = 0;  ///< bit k is value number k
  unsigned count = 0;

  litmus_outcome() = default;
  /// Makes outcome `number` of the 2^size possible outcomes: value k is bit k of `number`. Refused: a number of 2^size
  /// or more.
  COALESCE_API constexpr litmus_outcome(std::uint32_t number, unsigned size) : values(number), count(size) {
    if (size > most_values) refused::outcome_has_another_number_of_values(size);
    if (size < most_values && number >> size != 0) refused::outcome_has_no_such_value(size);
  }
  COALESCE_API constexpr litmus_outcome(std::initializer_list<unsigned> listed) {
    for (unsigned const value : listed) {
      if (value > 1) refused::litmus_values_are_0_and_1(value);
      if (count == most_values) refused::outcome_has_another_number_of_values(static_cast<unsigned>(listed.size()));
      values |= static_cast<std::uint32_t>(value) << count++;
    }
  }
  /// Value `number`. Refused: a number that the outcome does not have.
  [[nodiscard]] COALESCE_API constexpr bool operator[](unsigned number) const {
    if (number >= count || number >= most_values) refused::outcome_has_no_such_value(number);
    return (values >> number & 1) != 0;
  }
};

}  // namespace coalescing::cdna
