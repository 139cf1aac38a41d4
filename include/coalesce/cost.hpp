// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/config.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/pattern.hpp>
#include <coalesce/source.hpp>
#include <coalesce/transaction.hpp>

#include <cstdint>
#include <type_traits>

// The verb. co::cost<Instruction>(pattern[, active]) gives the plain integers that one instruction of one machine
// costs; the machines' headers (gcn.hpp, ...) bring the instructions.

namespace coalescing {

/// Where a number is counted; l0 is RDNA's first cache, whose L1 is another one; constant_cache also AMD's scalar
/// cache, lds also NVIDIA's shared memory.
enum class level { dram, l2, l1, l0, constant_cache, lds };

/// A memory instruction of some machine: what cost() can be asked about. `period` is a number of bytes by which all
/// addresses may be shifted without changing the cost (not always the least such number). `lanes` are those that give
/// an address; `wave_lanes` those of the wave or warp, stated where these are more.
template <class T>
concept instruction = requires(access<T::lanes> const& asked) {
  { T::cost_of(asked) } -> std::same_as<typename T::cost_type>;
  { T::level } -> std::convertible_to<level>;
  { T::bytes + T::alignment + T::unit + T::period } -> std::convertible_to<std::uint64_t>;
  T::sources;
};

// ---- Costs ----
//
// A cost is a struct template over what its numbers are: Cost<> are counts, Cost<citations> tells under the same names
// where each comes from. A member is declared as a `sum`, which adds up, or as a `most`, a maximum, which stays one.

struct counts;

namespace detail {

/// Cost<growth> is an array of flags: which members are maxima.
struct growth {
  struct sum {
    bool is_maximum = false;
  };
  struct most {
    bool is_maximum = true;
  };
};

/// The members of a cost: what show<> names.
template <auto... Members>
struct members {};

/// A cost as the row of numbers that it is.
template <template <class> class Cost>
struct row_of_numbers {
  static constexpr unsigned count = sizeof(Cost<growth>);
  std::uint64_t number[count];
};
template <template <class> class Cost>
struct row_of_flags {
  bool is_maximum[sizeof(Cost<growth>)];
};

}  // namespace detail

/// The numbers of a cost are counts: 64-bit integers. Its operators are found wherever a cost is.
struct counts {
  using sum = std::uint64_t;
  using most = std::uint64_t;

  /// The cost of both.
  template <template <class> class Cost>
  [[nodiscard]] friend COALESCE_API constexpr Cost<counts> operator+(Cost<counts> const& a, Cost<counts> const& b) {
    auto total = __builtin_bit_cast(detail::row_of_numbers<Cost>, a);
    auto const other = __builtin_bit_cast(detail::row_of_numbers<Cost>, b);
    constexpr auto flags = __builtin_bit_cast(detail::row_of_flags<Cost>, Cost<detail::growth>{});
    for (unsigned k = 0; k != total.count; ++k) {
      if (!flags.is_maximum[k])
        total.number[k] += other.number[k];
      else if (total.number[k] < other.number[k])
        total.number[k] = other.number[k];
    }
    return __builtin_bit_cast(Cost<counts>, total);
  }
  template <template <class> class Cost>
  friend COALESCE_API constexpr Cost<counts>& operator+=(Cost<counts>& a, Cost<counts> const& b) {
    return a = a + b;
  }
  /// The cost of n times the same; of none, nothing.
  template <template <class> class Cost>
  [[nodiscard]] friend COALESCE_API constexpr Cost<counts> operator*(Cost<counts> const& a, std::uint64_t n) {
    auto product = __builtin_bit_cast(detail::row_of_numbers<Cost>, a);
    constexpr auto flags = __builtin_bit_cast(detail::row_of_flags<Cost>, Cost<detail::growth>{});
    for (unsigned k = 0; k != product.count; ++k) product.number[k] *= flags.is_maximum[k] && n != 0 ? 1 : n;
    return __builtin_bit_cast(Cost<counts>, product);
  }
  template <template <class> class Cost>
  [[nodiscard]] friend COALESCE_API constexpr Cost<counts> operator*(std::uint64_t n, Cost<counts> const& a) {
    return a * n;
  }
};

/// The numbers of a cost are where they come from.
struct citations {
  using sum = source;
  using most = source;
};

/// What one access to banked memory (NVIDIA shared memory, AMD LDS) costs.
template <class Of = counts>
struct bank_cost {
  typename Of::sum rounds{};     ///< passes over the banks, summed over the phases
  typename Of::sum conflicts{};  ///< rounds beyond one for each phase: rounds == phases + conflicts
  typename Of::sum phases{};     ///< sets of lanes served one after the other
  typename Of::most ways{};      ///< the most rounds of one phase: the N of "N-way conflict", 1 being none

  using numbers = detail::members<&bank_cost::rounds, &bank_cost::conflicts, &bank_cost::phases, &bank_cost::ways>;
  bool operator==(bank_cost const&) const = default;
};

// ---- Asking ----

namespace detail {

/// Of numbers such as bytes_used.
inline constexpr source counted_from_the_addresses{{"the question itself", "", "none needed"},
                                                   "",
                                                   "counted from the addresses: no rule of the machine",
                                                   evidence::documented};

/// In the place of an instruction that does not exist: one sentence is said of it, and no more need be.
struct missing {};
template <bool Exists, class Instruction>
using if_it_exists = std::conditional_t<Exists, Instruction, missing>;

/// A template of instructions, whatever its width, as a type.
template <template <auto...> class Instruction>
struct any_width;

/// The bytes of the memory that an instruction addresses from 0; 0: the whole address space.
template <class Instruction>
inline constexpr std::uint64_t capacity_of = [] {
  if constexpr (requires { Instruction::capacity; })
    return std::uint64_t{Instruction::capacity};
  else
    return std::uint64_t{0};
}();

/// Bytes from the address that a lane gives to its farthest access; 0 where the instruction adds no offset.
template <class Instruction>
inline constexpr std::uint64_t reach_of = [] {
  if constexpr (requires { Instruction::reach; })
    return std::uint64_t{Instruction::reach};
  else
    return std::uint64_t{0};
}();

template <class Instruction>
COALESCE_API constexpr address_limits limits_of(unsigned alignment = Instruction::alignment) {
  return {.bytes = Instruction::bytes,
          .alignment = alignment,
          .capacity = capacity_of<Instruction>,
          .reach = reach_of<Instruction>};
}

}  // namespace detail

/// What Instruction does with the addresses of its active lanes: an Instruction::cost_type. The same call works in a
/// constant expression and at run time in host code. `active` is a mask (bit k: lane k) or a predicate lane -> bool; by
/// default every lane is active. Without an active lane the instruction is not issued: every number is 0, on every
/// machine. Refused: an address that is not a multiple of Instruction::alignment, an access past
/// the top of the address space or the end of shared memory or LDS, an array shorter than Instruction::lanes, a mask
/// with lanes beyond them (misuse.hpp).
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_INLINE constexpr auto cost(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
  // auto, and no alias on the way: nvcc 13 cannot deduce a template argument from a cost whose type was named by an
  // alias.
  if constexpr (detail::well_formed<Pattern, Active, Instruction::lanes>)
    return Instruction::cost_of(detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>()));
  else
    return detail::ill_formed<typename Instruction::cost_type, Pattern, Active, Instruction::lanes>();
}

/// Refused: an instruction without its width.
template <template <auto...> class InstructionWithoutWidth, class Pattern, class Active = std::uint64_t>
COALESCE_API constexpr auto cost(Pattern const&, Active const& = all_lanes) {
  static_assert(
      sizeof(Pattern) == 0,
      "an instruction has a width, in bits of a lane: of a float say cost<...::load<32>>, not cost<...::load>");
  return detail::missing{};
}

namespace detail {
/// Of a cost with clocks: how many lanes are counted on their own; 16 where the instruction does not say.
template <class Instruction>
inline constexpr unsigned lanes_of_clocks = [] {
  if constexpr (requires { Instruction::clock_lanes; })
    return unsigned{Instruction::clock_lanes};
  else
    return 16u;
}();

/// From one word to the next: 96 bits that are aligned as 128 are so many bytes apart.
template <class Instruction>
inline constexpr unsigned bytes_to_the_next_word =
    Instruction::bytes % Instruction::alignment == 0 ? Instruction::bytes : Instruction::alignment;
/// Lanes on neighbouring words from byte 0 on; of a load through the constant cache, all on one.
template <class Instruction>
COALESCE_API constexpr linear neighbours() {
  return {.stride = Instruction::level == level::constant_cache ? 0 : bytes_to_the_next_word<Instruction>};
}
}  // namespace detail

/// What a full wave of Instruction costs where each lane has a word of its own, neighbours from byte 0 on; of a load
/// through the constant cache, where all have one word. No bound: where lanes share words, an access can cost less.
template <instruction Instruction>
inline constexpr auto ideal = coalescing::cost<Instruction>(detail::neighbours<Instruction>());

/// The transactions that cost() counts, one by one, in ascending order of address within each group of lanes that the
/// machine serves on its own. The order is ours, the set is the hardware's.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto transactions(Pattern const& pattern,
                                                       Active const& active = ~std::uint64_t{0}) {
  constexpr bool has_list = requires(access<Instruction::lanes> const& asked) { Instruction::transactions_of(asked); };
  static_assert(
      has_list,
      "this instruction makes no transactions: shared memory and LDS have phases, ask phases() or cost(); the constant "
      "cache counts requests, ask cost()");
  if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>)
    return Instruction::transactions_of(
        detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>()));
  else
    return detail::ill_formed<transaction_list<1>, Pattern, Active, Instruction::lanes>();
}

/// The phases of an access to shared memory or LDS, one by one: the lanes of each, its rounds, its busiest bank and the
/// lanes that collide there. As many as cost() counts.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto phases(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
  constexpr bool has_list = requires(access<Instruction::lanes> const& asked) { Instruction::phases_of(asked); };
  static_assert(has_list,
                "this instruction has no phases: only those on shared memory and LDS do, others have "
                "transactions()");
  if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>)
    return Instruction::phases_of(detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>()));
  else
    return detail::ill_formed<phase_list<1>, Pattern, Active, Instruction::lanes>();
}

namespace detail {

/// The bytes at each lane's address that an instruction reads or writes: fewer than its `bytes` where it fills the rest
/// with zeros.
template <class Instruction>
inline constexpr unsigned touched_bytes = [] {
  if constexpr (requires { Instruction::source_bytes; })
    return unsigned{Instruction::source_bytes};
  else
    return unsigned{Instruction::bytes};
}();

/// co::footprint: `bytes` of each lane must lie in memory, and the first `touched` of them are asked for.
template <std::uint64_t Granularity, unsigned Lanes, class Pattern, class Active>
COALESCE_API constexpr std::uint64_t footprint_of(Pattern const& pattern, Active const& active, unsigned bytes,
                                                  unsigned touched) {
  static_assert(Granularity != 0 && (Granularity & (Granularity - 1)) == 0 && Granularity >> 32 == 0,
                "footprint: Granularity is a power of two, below 2^32");
  static_assert(Lanes != 0 && Lanes <= 64, "footprint: a wave or warp has 1 to 64 lanes");
  if constexpr (detail::well_formed<Pattern, Active, Lanes>) {
    auto asked = detail::apply<Lanes>(pattern, active, {.bytes = bytes, .alignment = 1});
    asked.bytes = touched;
    return touched == 0 ? 0 : Granularity * detail::count_segments(detail::by_address(asked), Granularity);
  } else {
    return detail::ill_formed<std::uint64_t, Pattern, Active, Lanes>();
  }
}

}  // namespace detail

/// Bytes in the distinct aligned pieces of Granularity bytes (a power of two) that hold what the lanes ask for: what
/// would be fetched, were nothing cached and everything fetched in such pieces. No alignment is asked for. The
/// wave has 64 lanes; for a warp of 32 say footprint<32, 32>(pattern, 4), or name the instruction as below.
template <std::uint64_t Granularity, unsigned Lanes = 64, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern, unsigned bytes_per_lane,
                                                             Active const& active = ~std::uint64_t{0}) {
  if (bytes_per_lane == 0) refused::access_has_no_bytes();
  return detail::footprint_of<Granularity, Lanes>(pattern, active, bytes_per_lane, bytes_per_lane);
}

/// The same for the lanes and bytes of an instruction: footprint<64, cuda::cc90::load<128>>(pattern); for a copy, the
/// bytes that it reads, not those that it fills with zeros. The second argument is a mask; a mask that could be a
/// number of bytes, such as the int 4, is refused.
template <std::uint64_t Granularity, instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern,
                                                             Active const& active = ~std::uint64_t{0}) {
  if constexpr (detail::integer<Active> && sizeof(Active) <= 4) {
    unsigned const sizes[] = {1, 2, 4, 8, 12, 16, 32};
    for (unsigned const bytes : sizes)
      if (static_cast<std::uint64_t>(active) == bytes) refused::mask_could_be_a_number_of_bytes(bytes);
  }
  constexpr bool one_address = !requires { Instruction::accesses; };
  static_assert(one_address,
                "footprint<Granularity, Instruction>: of two addresses a lane (ds_read2, ds_write2), say "
                "footprint<Granularity>(pattern, bytes_per_lane) of each");
  return detail::footprint_of<Granularity, Instruction::lanes>(pattern, active, Instruction::bytes,
                                                               detail::touched_bytes<Instruction>);
}

// ---- Showing ----

template <auto Member, std::uint64_t Value>
struct number;
/// Declared, never defined.
template <class... Numbers>
struct the_numbers_are;

/// Declared, never defined: naming show<co::cost<...>(...)> makes any compiler print the numbers, and of a single cost
/// their names too.
template <auto... Values>
struct show;

namespace detail {
template <auto Cost, class Members>
struct named;
template <auto Cost, auto... Members>
struct named<Cost, members<Members...>> : the_numbers_are<number<Members, Cost.*Members>...> {};
}  // namespace detail

template <auto Cost>
requires requires { typename decltype(Cost)::numbers; }
struct show<Cost> : detail::named<Cost, typename decltype(Cost)::numbers> {};

}  // namespace coalescing
