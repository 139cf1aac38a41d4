// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/instruction.hpp>
#include <coalesce/core/transaction.hpp>
#include <coalesce/core/waves.hpp>

#include <cstdint>
#include <type_traits>

// co::cost<Instruction>(pattern[, active]) returns what one instruction of one machine costs, as plain integers. The
// machines' headers (gcn.hpp, ...) provide the instructions.

namespace coalescing {

/// The cost of one Instruction at the addresses of its active lanes, as an Instruction::cost_type. The same call works
/// in a constant expression and at run time in host code. `active` is a mask (bit k: lane k) or a predicate lane ->
/// bool; by default every lane is active. Without an active lane the instruction is not issued, and every number is 0
/// on every machine. Refused (core/misuse.hpp): an address that is not a multiple of Instruction::alignment bytes; an
/// access past the top of the address space or the end of shared memory or LDS; an array shorter than
/// Instruction::lanes; a mask that has a lane which the instruction does not have.
template <class Instruction, class Pattern, class Active = detail::every_lane>
[[nodiscard]] COALESCE_INLINE constexpr auto cost(Pattern const& pattern, Active const& active = {}) {
  // The return type is auto and not an alias: nvcc 13 cannot deduce a template argument from a cost whose type an alias
  // names.
  if constexpr (detail::is_refused<Instruction>() || !detail::is_instruction<Instruction>())
    return typename detail::exists_if<false, void, Instruction>::cost_type{};
  else if constexpr (!detail::well_formed<Pattern, Active, Instruction::lanes>)
    return detail::ill_formed<typename Instruction::cost_type, Pattern, Active, Instruction::lanes>();
  else if constexpr (__is_base_of(detail::every_lane, Active))
    return Instruction::cost_of(detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>()));
  else
    return Instruction::cost_of(detail::apply<Instruction::lanes>(pattern, detail::address_lanes<Instruction>(active),
                                                                  detail::limits_of<Instruction>()));
}

/// Refused: an instruction without its width, such as load in place of load<32>.
template <template <auto...> class InstructionWithoutWidth, class Pattern, class Active = std::uint64_t>
COALESCE_API constexpr auto cost(Pattern const&, Active const& = all_lanes) {
  static_assert(
      sizeof(Pattern) == 0,
      "an instruction has a width, in bits of a lane: of a float say cost<...::load<32>>, not cost<...::load>");
  return typename detail::exists_if<false, void, Pattern>::cost_type{};
}

namespace detail {
/// The distance in bytes from the start of one word to the start of the next, if words lie side by side. It is 16 for
/// words of 96 bits that are aligned like words of 128 bits.
template <class Instruction>
inline constexpr unsigned bytes_to_the_next_word =
    Instruction::bytes % Instruction::alignment == 0 ? Instruction::bytes : Instruction::alignment;
/// The pattern in which lane k accesses word k; word 0 is at byte 0. In a load through the constant cache all lanes
/// read one word.
template <class Instruction>
COALESCE_API constexpr linear neighbours() {
  return {.stride = Instruction::level == level::constant_cache ? 0 : bytes_to_the_next_word<Instruction>};
}
}  // namespace detail

/// The cost of a full wave of Instruction in which lane k accesses word k; word 0 is at byte 0. In a load through the
/// constant cache all lanes read one word. This cost is not a lower bound: an access in which lanes share words can
/// cost less.
template <class Instruction>
inline constexpr auto ideal = coalescing::cost<Instruction>(detail::neighbours<Instruction>());

/// Lists the transactions that cost() counts. The machine serves groups of lanes separately; within each group the list
/// ascends by address. The hardware determines which transactions there are. This library chose their order.
template <class Instruction, class Pattern, class Active = detail::every_lane>
[[nodiscard]] COALESCE_API constexpr auto transactions(Pattern const& pattern, Active const& active = {}) {
  if constexpr (detail::is_refused<Instruction>()) {
    // The type depends on Instruction, so that including the header instantiates nothing.
    return transaction_list<Instruction::unit>{};
  } else {
    constexpr bool has_list = requires(access<Instruction::lanes> const& asked) {
      Instruction::transactions_of(asked);
    };
    static_assert(
        has_list,
        "this instruction makes no transactions: shared memory and LDS have phases, ask phases() or cost(); the "
        "constant cache counts requests, ask cost()");
    if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>)
      return Instruction::transactions_of(detail::apply<Instruction::lanes>(
          pattern, detail::address_lanes<Instruction>(active), detail::limits_of<Instruction>()));
    else
      return detail::ill_formed<transaction_list<1>, Pattern, Active, Instruction::lanes>();
  }
}

/// Lists the phases of an access to shared memory or LDS: the lanes of each, its rounds, its busiest bank, and the
/// lanes that collide there. The number of phases is the `phases` of cost().
template <class Instruction, class Pattern, class Active = detail::every_lane>
[[nodiscard]] COALESCE_API constexpr auto phases(Pattern const& pattern, Active const& active = {}) {
  if constexpr (detail::is_refused<Instruction>()) {
    return phase_list<Instruction::unit>{};
  } else {
    constexpr bool has_list = requires(access<Instruction::lanes> const& asked) { Instruction::phases_of(asked); };
    static_assert(has_list,
                  "this instruction has no phases: only those on shared memory and LDS do, others have "
                  "transactions()");
    if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>)
      return Instruction::phases_of(detail::apply<Instruction::lanes>(
          pattern, detail::address_lanes<Instruction>(active), detail::limits_of<Instruction>()));
    else
      return detail::ill_formed<phase_list<1>, Pattern, Active, Instruction::lanes>();
  }
}

}  // namespace coalescing
