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
  documented,  ///< the vendor's words or source code, its employees' in its own forum included
  measured,    ///< on hardware, by a named party with public figures
  inferred     ///< our reading, where neither says it outright; the document says from what
};

/// Where a number comes from.
struct source {
  char const* document = "";
  coalescing::evidence evidence = coalescing::evidence::inferred;
};

/// Where a number is counted; lds is also NVIDIA's shared memory.
enum class level { dram, l2, l1, constant_cache, lds };

/// A memory instruction of some machine: what cost() can be asked about.
template <class T>
concept instruction = requires(access<T::lanes> const& asked) {
  { T::answer(asked) } -> std::same_as<typename T::cost_type>;
  { T::level } -> std::convertible_to<level>;
  { T::bytes + T::alignment + T::unit + T::period } -> std::convertible_to<std::uint64_t>;
  T::sources;
};

// A cost is a struct template over the type of its numbers: Cost<> holds counts, Cost<source> tells under the same
// names where each comes from. Costs add up number by number, and so are read here as the row of 64-bit numbers that
// they are.

namespace detail {
template <template <class> class Cost>
struct numbers {
  static_assert(sizeof(Cost<std::uint64_t>) % sizeof(std::uint64_t) == 0);
  static constexpr unsigned count = sizeof(Cost<std::uint64_t>) / sizeof(std::uint64_t);
  std::uint64_t of[count];
};
}  // namespace detail

/// The cost of both.
template <template <class> class Cost>
[[nodiscard]] COALESCE_API constexpr Cost<std::uint64_t> operator+(Cost<std::uint64_t> const& a,
                                                                   Cost<std::uint64_t> const& b) {
  auto sum = __builtin_bit_cast(detail::numbers<Cost>, a);
  auto const other = __builtin_bit_cast(detail::numbers<Cost>, b);
  for (unsigned k = 0; k != sum.count; ++k) sum.of[k] += other.of[k];
  return __builtin_bit_cast(Cost<std::uint64_t>, sum);
}
template <template <class> class Cost>
COALESCE_API constexpr Cost<std::uint64_t>& operator+=(Cost<std::uint64_t>& a, Cost<std::uint64_t> const& b) {
  return a = a + b;
}
/// The cost of n times the same.
template <template <class> class Cost>
[[nodiscard]] COALESCE_API constexpr Cost<std::uint64_t> operator*(Cost<std::uint64_t> const& a, std::uint64_t n) {
  auto product = __builtin_bit_cast(detail::numbers<Cost>, a);
  for (unsigned k = 0; k != product.count; ++k) product.of[k] *= n;
  return __builtin_bit_cast(Cost<std::uint64_t>, product);
}

template <template <class> class Cost>
[[nodiscard]] COALESCE_API constexpr Cost<std::uint64_t> operator*(std::uint64_t n, Cost<std::uint64_t> const& a) {
  return a * n;
}

/// What one access to banked memory (NVIDIA shared memory, AMD LDS) costs.
template <class Number = std::uint64_t>
struct bank_cost {
  Number rounds{};     ///< passes over the banks, summed over the phases
  Number conflicts{};  ///< rounds less those of a conflict-free access of the same lanes
  Number phases{};     ///< sets of lanes served one after the other

  bool operator==(bank_cost const&) const = default;
};

namespace detail {

/// Of numbers such as bytes_used.
inline constexpr source counted_from_the_addresses{"counted from the addresses: no rule of the machine",
                                                   evidence::documented};

template <class Instruction, class Pattern, class Active>
COALESCE_API constexpr access<Instruction::lanes> ask(Pattern const& pattern, Active const& active) {
  return detail::apply<Instruction::lanes>(pattern, active, Instruction::bytes, Instruction::alignment);
}

}  // namespace detail

/// What Instruction does with the addresses of its active lanes: an Instruction::cost_type. The same call works in a
/// constant expression and at run time in host code. `active` is a mask (bit k: lane k) or a predicate lane -> bool; by
/// default every lane is active. Refused: an address that is not a multiple of Instruction::alignment, an access past
/// the top of the address space, an array shorter than Instruction::lanes, a mask with lanes beyond them (misuse.hpp).
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto cost(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
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
[[nodiscard]] COALESCE_API constexpr auto transactions(Pattern const& pattern,
                                                       Active const& active = ~std::uint64_t{0}) {
  constexpr bool has_list = requires(access<Instruction::lanes> const& asked) { Instruction::list(asked); };
  static_assert(
      has_list,
      "this instruction makes no transactions: shared memory, LDS and the constant cache count otherwise, ask cost()");
  if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>())
    return Instruction::list(detail::ask<Instruction>(pattern, active));
  else
    return transaction_list<1>{};
}

/// Bytes in the distinct aligned pieces of Granularity bytes (a power of two) that hold what the lanes ask for: what
/// would be fetched, were nothing cached and everything fetched in such pieces. No alignment is asked for. The
/// wave has 64 lanes; for a warp of 32 say footprint<32, 32>(pattern, 4), or name the instruction as below.
template <std::uint64_t Granularity, unsigned Lanes = 64, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern, unsigned bytes_per_lane,
                                                             Active const& active = ~std::uint64_t{0}) {
  static_assert(Granularity != 0 && (Granularity & (Granularity - 1)) == 0 && Granularity >> 32 == 0,
                "footprint: Granularity is a power of two, below 2^32");
  static_assert(Lanes != 0 && Lanes <= 64, "footprint: a wave or warp has 1 to 64 lanes");
  if constexpr (detail::well_formed<Pattern, Active, Lanes>()) {
    if (bytes_per_lane == 0) refused::access_has_no_bytes();
    auto const lanes = detail::in_order(detail::apply<Lanes>(pattern, active, bytes_per_lane, 1));
    return Granularity * detail::count_segments(lanes, Granularity);
  } else {
    return 0;
  }
}

/// The same for the lanes and bytes of an instruction: footprint<64, cuda::cc90::load<128>>(pattern).
template <std::uint64_t Granularity, instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern,
                                                             Active const& active = ~std::uint64_t{0}) {
  return coalescing::footprint<Granularity, Instruction::lanes>(pattern, Instruction::bytes, active);
}

/// Declared, never defined: naming show<co::cost<...>(...)> makes any compiler print the numbers.
template <auto... Values>
struct show;

}  // namespace coalescing
