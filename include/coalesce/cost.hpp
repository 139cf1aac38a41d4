// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>

#include <cstdint>

// The verb. co::cost<Instruction>(pattern[, active]) gives the plain integers that one instruction of one machine
// costs; the machines' headers (gcn.hpp, ...) bring the instructions.

namespace coalescing {

/// How a number is known.
enum class evidence {
  documented,  ///< the vendor's words or source code
  measured,    ///< on hardware, by a named party with public figures
  inferred     ///< our reading, where neither says it outright; the document says from what
};

/// Where a number comes from.
struct source {
  char const* document = "";
  coalescing::evidence evidence = coalescing::evidence::inferred;
};

/// Where a number is counted.
enum class level { dram, l2, l1, lds };

/// A memory instruction of some machine: what cost() can be asked about.
template <class T>
concept instruction = requires(access<T::lanes> const& asked) {
  { T::answer(asked) } -> std::same_as<typename T::cost_type>;
  { T::level } -> std::convertible_to<level>;
  { T::bytes + T::alignment + T::unit + T::period } -> std::convertible_to<std::uint64_t>;
  T::sources;
};

/// What one access to banked memory (NVIDIA shared memory, AMD LDS) costs.
template <class Number = std::uint64_t>
struct bank_cost {
  Number rounds{};     ///< passes over the banks, summed over the phases
  Number conflicts{};  ///< rounds less those of a conflict-free access of the same lanes
  Number phases{};     ///< sets of lanes served one after the other

  bool operator==(bank_cost const&) const = default;
  COALESCE_API friend constexpr bank_cost operator+(bank_cost const& a, bank_cost const& b) {
    return {a.rounds + b.rounds, a.conflicts + b.conflicts, a.phases + b.phases};
  }
  COALESCE_API friend constexpr bank_cost operator*(bank_cost const& a, std::uint64_t n) {
    return {a.rounds * n, a.conflicts * n, a.phases * n};
  }
};

namespace detail {

template <class Instruction, class Pattern, class Active>
COALESCE_API constexpr access<Instruction::lanes> ask(Pattern const& pattern, Active const& active) {
  return apply<Instruction::lanes>(pattern, active, Instruction::bytes, Instruction::alignment);
}

}  // namespace detail

/// What Instruction does with the addresses of its active lanes: an Instruction::cost_type. The same call works in a
/// constant expression and at run time. `active` is a mask (bit k: lane k) or a predicate lane -> bool; by default
/// every lane is active. Refused: an address that is not a multiple of Instruction::alignment, an access past the top
/// of the address space, an array shorter than Instruction::lanes, a mask with lanes beyond them (misuse.hpp).
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto cost(Pattern const& pattern, Active const& active = all_lanes) {
  // auto, and no alias on the way: nvcc 13 cannot deduce a template argument from a cost whose type was named by an
  // alias.
  if constexpr (detail::well_formed<Pattern, Active, Instruction::lanes>())
    return Instruction::answer(detail::ask<Instruction>(pattern, active));
  else
    return typename Instruction::cost_type{};
}

/// The transactions that cost() counts, one by one, in ascending order of address within each group of lanes that the
/// machine serves on its own. The order is ours, the set is the hardware's.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto transactions(Pattern const& pattern, Active const& active = all_lanes) {
  constexpr bool has_list = requires(access<Instruction::lanes> const& asked) { Instruction::list(asked); };
  static_assert(has_list,
                "this instruction makes no transactions: shared memory and LDS serve banks, ask cost() for rounds");
  if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>())
    return Instruction::list(detail::ask<Instruction>(pattern, active));
  else
    return transaction_list<1>{};
}

/// Bytes in the distinct aligned pieces of Granularity bytes (a power of two) that hold what the lanes ask for: what
/// would be fetched, were nothing cached and everything fetched in such pieces. No alignment is asked for. Lanes is 64;
/// with a pattern of fewer, name them: footprint<32, 32>(pattern, 4).
template <std::uint64_t Granularity, unsigned Lanes = 64, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern, unsigned bytes_per_lane,
                                                             Active const& active = all_lanes) {
  static_assert(Granularity != 0 && (Granularity & (Granularity - 1)) == 0, "footprint: Granularity is a power of two");
  static_assert(Lanes != 0 && Lanes <= 64, "footprint: a wave or warp has 1 to 64 lanes");
  if constexpr (detail::well_formed<Pattern, Active, Lanes>()) {
    if (bytes_per_lane == 0) refused::access_has_no_bytes();
    auto const lanes = detail::in_order(detail::apply<Lanes>(pattern, active, bytes_per_lane, 1));
    return Granularity * detail::count_segments(lanes, Granularity);
  } else {
    return 0;
  }
}

/// Declared, never defined: naming show<co::cost<...>(...)> makes any compiler print the numbers.
template <auto... Values>
struct show;

}  // namespace coalescing
