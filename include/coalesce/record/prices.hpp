// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/engine/words.hpp>
#include <coalesce/explain/ideal.hpp>
#include <coalesce/record/sums.hpp>

#include <cstdint>
#include <type_traits>

// Finds the instructions that move an element, and what they cost. A machine says in Machine::issues which instructions
// it has (cuda.hpp, gcn.hpp, ...).
//
// The first bytes of an element are moved by the widest instruction that fits the element and its alignment. The bytes
// that are left are moved in the same way. But an atomic is always one instruction. Compilers may merge neighbouring
// accesses or drop some. A recording does neither.

namespace coalescing::detail {

template <class Machine>
concept has_issues = requires {
  Machine::issues::lanes;
};

/// An instruction and the number of bits that it moves, as an empty object that functions can take and return.
template <class Instruction, unsigned Bits>
struct moving_instruction {
  using type = Instruction;
  static constexpr unsigned bytes = Bits / 8;
  static constexpr bool is_counted = !std::is_same<Instruction, uncounted>::value;
};

/// Whether a machine has loads and stores of Bits bits. The answer is true even if no published source states the cost
/// of these instructions.
template <class Issues, unsigned Bits>
inline constexpr bool has_width = false;
template <class Issues, unsigned Bits>
requires Issues::template has_width<Bits> inline constexpr bool has_width<Issues, Bits> = true;
/// An instruction and its bits. If the machine has the instruction but no published source states its cost, `uncounted`
/// stands in its place. (A machine counts as having atomics of every width: where it has no instruction, a loop does
/// the atomic.)
template <class Issues, touch Kind, class Instruction, unsigned Bits>
using if_counted =
    moving_instruction<std::conditional_t<is_missing<Instruction> && (Kind == touch::atomic || has_width<Issues, Bits>),
                                          uncounted, Instruction>,
                       Bits>;
/// The machine's instruction that moves Bits bits, in the memory Space and for an access of this Kind.
template <class Issues, memory_space Space, touch Kind, unsigned Bits>
constexpr auto instruction_of_width() {
  if constexpr (Space == memory_space::global && Kind == touch::load)
    return if_counted<Issues, Kind, typename Issues::template global_load<Bits>, Bits>{};
  else if constexpr (Space == memory_space::global && Kind == touch::store)
    return if_counted<Issues, Kind, typename Issues::template global_store<Bits>, Bits>{};
  else if constexpr (Space == memory_space::global)
    return if_counted<Issues, Kind, typename Issues::template global_atomic<Bits>, Bits>{};
  else if constexpr (Kind == touch::load)
    return if_counted<Issues, Kind, typename Issues::template banked_load<Bits>, Bits>{};
  else if constexpr (Kind == touch::store)
    return if_counted<Issues, Kind, typename Issues::template banked_store<Bits>, Bits>{};
  else
    return if_counted<Issues, Kind, typename Issues::template banked_atomic<Bits>, Bits>{};
}

/// The alignment that an instruction needs, in bytes; 0 if the machine has no such instruction. (LLVM and NVIDIA's
/// compilers use an instruction only where they know that the address has this alignment: amd/lds.hpp; PTX ISA, "ld".
/// If no published source states the instruction's cost, the alignment is taken to be its width in bytes, rounded up to
/// a power of two.)
template <class Instruction, unsigned Bits>
constexpr unsigned alignment_needed(moving_instruction<Instruction, Bits> const&) {
  if constexpr (is_missing<Instruction>)
    return 0;
  else if constexpr (std::is_same<Instruction, uncounted>::value)
    return detail::next_power_of_two(Bits / 8);
  else
    return Instruction::alignment;
}
constexpr bool suits(unsigned alignment_needed, unsigned alignment) {
  return alignment_needed != 0 && alignment_needed <= alignment;
}

/// The widths of instructions that move an element, in bits: from the widest one down.
inline constexpr unsigned widths_of_elements[] = {256, 128, 96, 64, 32, 16, 8};

/// The next instruction that moves a part of an element. Bytes bytes of the element are left to move, and the first of
/// them is aligned to Alignment bytes. Width is the index in widths_of_elements of the widest width that is tried.
template <class Issues, memory_space Space, touch Kind, unsigned Bytes, unsigned Alignment, unsigned Width = 0>
constexpr auto next_instruction() {
  constexpr unsigned bits = widths_of_elements[Width];
  if constexpr (Kind == touch::atomic) {
    return detail::instruction_of_width<Issues, Space, Kind, 8 * Bytes>();
  } else if constexpr (bits > 8 * Bytes) {
    return detail::next_instruction<Issues, Space, Kind, Bytes, Alignment, Width + 1>();
  } else {
    constexpr auto candidate = detail::instruction_of_width<Issues, Space, Kind, bits>();
    if constexpr (detail::suits(detail::alignment_needed(candidate), Alignment))
      return candidate;
    else
      return detail::next_instruction<Issues, Space, Kind, Bytes, Alignment, Width + 1>();
  }
}
/// The alignment of the byte that lies `offset` bytes after a byte with the alignment `alignment`.
constexpr unsigned alignment_at(unsigned offset, unsigned alignment) {
  while (offset % alignment != 0) alignment /= 2;
  return alignment;
}

/// What an access of one warp costs.
struct price {
  recorded_cost cost = {}, ideal = {};
  /// The number by which accesses are compared to find the worst: number_that_grows() of engine/words.hpp.
  std::uint64_t weight = 0;
  std::uint64_t period = 1;  ///< bytes: adding a multiple of this to all addresses changes no number of the cost
  /// The highest address at which an element may begin so that all of it fits into the memory.
  std::uint64_t last_start = ~std::uint64_t{0};
};

/// Refuses an element whose bytes from `offset` on lie past the top of memory. (Their address would wrap to a small
/// one.) `any` is the bitwise or of the addresses. No address is higher than that, so most accesses need no check lane
/// by lane.
template <unsigned Lanes>
constexpr void check_top(access<Lanes> const& from, std::uint64_t active, std::uint64_t any, unsigned offset) {
  std::uint64_t const last = ~std::uint64_t{0} - offset;
  if (any <= last) return;
  for (unsigned k = 0; k != Lanes; ++k)
    if ((active >> k & 1) != 0 && from.address[k] > last)
      refused::access_runs_past_the_top_of_memory(k, from.address[k]);
}

/// The access of one instruction that moves a part of an element: the bytes from `offset` on. `any` is the bitwise or
/// of the addresses. An instruction may take addresses from fewer lanes than the warp has: then it takes them from the
/// first lanes.
template <unsigned Asked, unsigned Lanes>
constexpr access<Asked> moved_by(access<Lanes> const& from, std::uint64_t active, std::uint64_t any, unsigned offset,
                                 address_limits const& limits) {
  static_assert(Asked <= Lanes);
  access<Asked> asked;
  asked.active = active, asked.bytes = limits.bytes;
  asked.differ = from.differ;
  if constexpr (Asked % 4 == 0)
    for (unsigned k = 0; k != Asked; k += 4)  // four lanes a statement, since compilers limit the number of statements
      asked.address[k] = from.address[k] + offset, asked.address[k + 1] = from.address[k + 1] + offset,
      asked.address[k + 2] = from.address[k + 2] + offset, asked.address[k + 3] = from.address[k + 3] + offset;
  else
    for (unsigned k = 0; k != Asked; ++k) asked.address[k] = from.address[k] + offset;
  if (offset != 0) {
    detail::check_top(from, active, any, offset);
    asked.differ = 0;  // the addition may carry into a bit in which no two lanes differed
    for (unsigned k = 0; k != Asked; ++k) asked.differ |= asked.address[k] ^ asked.address[0];
  }
  if (asked.active != 0)
    detail::complete(asked, any > ~std::uint64_t{0} - offset ? ~std::uint64_t{0} : any + offset, limits);
  return asked;
}
template <class Instruction, unsigned Lanes>
constexpr auto as_issued(access<Lanes> const& from, std::uint64_t any, unsigned offset) {
  return detail::moved_by<asked_lanes<Instruction>>(from, detail::asked_of_wave<Instruction>(from.active), any, offset,
                                                    detail::limits_of<Instruction>());
}
template <class Instruction, unsigned Lanes>
constexpr auto ideal_of_wave(access<Lanes> const& asked) {
  if constexpr (!is_scalar<Instruction>)
    if (asked.active != wave_mask<Lanes>) return detail::ideal_of<Instruction>(asked);
  return coalescing::ideal<Instruction>;
}

/// The cost of one instruction in the form in which recordings keep it.
template <class Cost>
constexpr recorded_cost as_recorded(Cost const& cost) {
  recorded_cost one;
  one.issued = 1;
  detail::take_numbers(one, cost);
  return one;
}
/// Adds the cost of an instruction, and its ideal.
template <class Cost>
constexpr void add_cost(price& to, Cost const& cost, recorded_cost const& ideal) {
  detail::add_up(to.cost, detail::as_recorded(cost)), detail::add_up(to.ideal, ideal);
  to.weight += detail::number_that_grows(cost);
}
template <class Instruction, unsigned Lanes>
constexpr void add_instruction(price& to, access<Lanes> const& from, std::uint64_t any, unsigned offset) {
  auto const asked = detail::as_issued<Instruction>(from, any, offset);
  if (asked.active == 0) return;
  detail::add_cost(to, detail::cost_of_wave<Instruction>(asked),
                   detail::as_recorded(detail::ideal_of_wave<Instruction>(asked)));
  constexpr std::uint64_t period = Instruction::period, last = detail::limits_of<Instruction>().last_start();
  to.period = to.period < period ? period : to.period;
  to.last_start = to.last_start < last - offset ? to.last_start : last - offset;
}

/// Adds an instruction whose cost is not known, since no published source states it.
template <unsigned Lanes>
constexpr void add_uncounted(price& to, access<Lanes> const&, std::uint64_t, unsigned) {
  recorded_cost unknown;
  unknown.issued = 1, unknown.is_counted = false;
  detail::add_up(to.cost, unknown), detail::add_up(to.ideal, unknown), to.weight = 0;
}

/// Adds the instructions that move the rest of an element, from byte Offset on.
template <class Issues, memory_space Space, touch Kind, unsigned Bytes, unsigned Alignment, unsigned Offset,
          unsigned Lanes>
constexpr void add_element(price& to, access<Lanes> const& from, std::uint64_t any) {
  // This is a value and not a name for its type, since CUDA 12 passes such a name on to the host compiler wrongly.
  constexpr auto next =
      detail::next_instruction<Issues, Space, Kind, Bytes - Offset, detail::alignment_at(Offset, Alignment)>();
  if constexpr (next.is_counted) {
    detail::add_instruction<typename decltype(next)::type>(to, from, any, Offset);
  } else {
    detail::add_uncounted(to, from, any, Offset);
  }
  if constexpr (Offset + next.bytes < Bytes)
    detail::add_element<Issues, Space, Kind, Bytes, Alignment, Offset + next.bytes>(to, from, any);
}

template <unsigned Lanes>
using price_function = price (*)(access<Lanes> const&, std::uint64_t any);

/// The cost of an access to an element of `Bytes` bytes: the sum over the instructions that move it. `any` is the
/// bitwise or of the lanes' addresses.
template <class Issues, memory_space Space, touch Kind, unsigned Bytes, unsigned Alignment, unsigned Lanes>
constexpr price price_of_element(access<Lanes> const& asked, std::uint64_t any) {
  price all;
  detail::add_element<Issues, Space, Kind, Bytes, Alignment, 0>(all, asked, any);
  return all;
}
template <class Instruction, unsigned Lanes>
constexpr price price_of_instruction(access<Lanes> const& asked, std::uint64_t any) {
  price one;
  detail::add_instruction<Instruction>(one, asked, any, 0);
  return one;
}

}  // namespace coalescing::detail
