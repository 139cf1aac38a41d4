// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/numbers.hpp>
#include <coalesce/core/transaction.hpp>

#include <cstdint>
#include <type_traits>

// co::cost<Instruction>(pattern[, active]) returns what one instruction of one machine costs, as plain integers. The
// machines' headers (gcn.hpp, ...) provide the instructions.

namespace coalescing {

/// The memory level at which numbers are counted. l0 is RDNA's first cache; RDNA's L1 is another one. constant_cache
/// includes AMD's scalar cache; lds includes NVIDIA's shared memory.
enum class level { dram, l2, l1, l0, constant_cache, lds };

/// A memory instruction of a machine: the argument of cost(). `bytes` are per lane; `alignment`, in bytes, holds for
/// each address. Moving all addresses by `period` bytes changes no cost (a smaller number may do too). `lanes` is the
/// number of lanes that give an address. `wave_lanes` is the number of lanes of the wave or warp, declared where it is
/// larger.
template <class T>
concept instruction = requires(access<T::lanes> const& asked) {
  { T::cost_of(asked) } -> std::same_as<typename T::cost_type>;
  { T::level } -> std::convertible_to<level>;
  { T::bytes + T::alignment + T::unit + T::period } -> std::convertible_to<std::uint64_t>;
  T::sources;
};

// ---- Asking ----

namespace detail {

/// The numbers of an instruction that does not exist: every name that a cost may have.
template <class Of = counts>
struct missing_cost {
  typename Of::sum clocks{}, requests{}, transactions{}, bytes_moved{}, bytes_used{}, lines{}, data_wavefronts{},
      tag_wavefronts_at_least{}, quads{}, partial_sectors{}, operations{}, rounds{}, rounds_at_least{}, conflicts{},
      phases{}, ways{}, lanes_on_one_address{};

  using numbers = members<&missing_cost::clocks, &missing_cost::requests, &missing_cost::transactions,
                          &missing_cost::bytes_moved, &missing_cost::bytes_used, &missing_cost::lines,
                          &missing_cost::data_wavefronts, &missing_cost::tag_wavefronts_at_least, &missing_cost::quads,
                          &missing_cost::partial_sectors, &missing_cost::operations, &missing_cost::rounds,
                          &missing_cost::rounds_at_least, &missing_cost::conflicts, &missing_cost::phases,
                          &missing_cost::ways, &missing_cost::lanes_on_one_address>;
  static constexpr char const* names[17] = {"clocks",
                                            "requests",
                                            "transactions",
                                            "bytes_moved",
                                            "bytes_used",
                                            "lines",
                                            "data_wavefronts",
                                            "tag_wavefronts_at_least",
                                            "quads",
                                            "partial_sectors",
                                            "operations",
                                            "rounds",
                                            "rounds_at_least",
                                            "conflicts",
                                            "phases",
                                            "ways",
                                            "lanes_on_one_address"};
  bool operator==(missing_cost const&) const = default;
};

/// What every instruction that does not exist is derived from.
struct missing {
  static constexpr bool exists = false;
};

/// The base of an instruction. It states here, once, whether the instruction exists; to ask `exists` is never an error.
/// What exists has the members of its Rule.
template <bool Exists, class Rule, class Refusal>
struct exists_if : Rule {
  static constexpr bool exists = true;
};
/// What does not exist says why as soon as another member is used: Refusal::refuse() has a static_assert. (A compiler
/// instantiates the initialiser of a template's static member only where that member is used.) Every member that a
/// question uses is here, so that the compiler prints no further errors.
template <class Rule, class Refusal>
struct exists_if<false, Rule, Refusal> : missing {
  using refused_by = Refusal;
  // They depend on Refusal, so that including the header instantiates nothing.
  using cost_type = std::conditional_t<sizeof(Refusal*) != 0, missing_cost<counts>, Refusal>;
  using sources_type = std::conditional_t<sizeof(Refusal*) != 0, missing_cost<citations>, Refusal>;
  static constexpr unsigned lanes = (Refusal::refuse(), 64);
  static constexpr unsigned bytes = (Refusal::refuse(), 1);
  static constexpr unsigned alignment = (Refusal::refuse(), 1);
  static constexpr unsigned unit = (Refusal::refuse(), 1);
  static constexpr unsigned period = (Refusal::refuse(), 1);
  static constexpr unsigned values = (Refusal::refuse(), 1);
  static constexpr coalescing::level level = (Refusal::refuse(), coalescing::level::dram);
  static constexpr sources_type sources = (Refusal::refuse(), sources_type{});

  COALESCE_API static constexpr cost_type cost_of(access<64> const&) { return Refusal::refuse(), cost_type{}; }
  COALESCE_API static constexpr origin source_of(unsigned, unsigned) { return Refusal::refuse(), origin{}; }
  COALESCE_API static constexpr origin target_of(unsigned, unsigned) { return Refusal::refuse(), origin{}; }
};
/// Whether an instruction does not exist. To ask is no error.
template <class Instruction>
inline constexpr bool is_missing = __is_base_of(missing, Instruction);
/// The same, but the compiler says why it does not exist, before more is asked of it.
template <class Instruction>
COALESCE_API constexpr bool is_refused() {
  if constexpr (is_missing<Instruction>)
    return Instruction::refused_by::refuse(), true;
  else
    return false;
}

/// Stands, in Machine::issues, for an instruction that the machine has and whose cost no source tells.
struct uncounted {};
/// For Machine::issues: the instruction, or `uncounted` where the machine has it and it does not exist here.
template <bool MachineHasIt, class Instruction>
using if_counted = std::conditional_t<MachineHasIt && !Instruction::exists, uncounted, Instruction>;

/// Whether a type is an instruction. Another type gets one sentence. (Functions ask in their bodies: clang answers a
/// constraint that is not met with all its notes and every function that does not fit.)
template <class Instruction>
COALESCE_API constexpr bool is_instruction() {
  static_assert(
      instruction<Instruction>,
      "this is no memory instruction, which has cost_of(access). A copy from global memory to shared memory or LDS has "
      "two sides: ask about its ::global or its ::shared");
  return instruction<Instruction>;
}

/// Stands, as a type, for a template of instructions of any width.
template <template <auto...> class Instruction>
struct any_width;

/// The bytes at each lane's address that an instruction reads or writes. An instruction that fills the rest with zeros
/// reads fewer than its `bytes`.
template <class Instruction>
inline constexpr unsigned touched_bytes = Instruction::bytes;
template <class Instruction>
requires requires { Instruction::source_bytes; }
inline constexpr unsigned touched_bytes<Instruction> = Instruction::source_bytes;

/// The bytes from a lane's address to each place that the lane accesses.
template <unsigned Count>
struct lane_offsets {
  static constexpr unsigned count = Count;
  std::uint64_t from[Count] = {};
};
/// One place, at the address itself, unless the instruction declares its `offsets` (ds_read2).
template <class Instruction>
inline constexpr lane_offsets<1> offsets_of{};
template <class Instruction>
requires requires { Instruction::offsets; }
inline constexpr auto offsets_of<Instruction> = Instruction::offsets;

/// The size, in bytes, of a memory that an instruction addresses from 0; 0 means the whole address space.
template <class Instruction>
inline constexpr std::uint64_t capacity_of = 0;
template <class Instruction>
requires requires { Instruction::capacity; }
inline constexpr std::uint64_t capacity_of<Instruction> = Instruction::capacity;

/// The bytes from a lane's address to its farthest access; 0 where the instruction adds no offset.
template <class Instruction>
inline constexpr std::uint64_t reach_of = 0;
template <class Instruction>
requires requires { Instruction::reach; }
inline constexpr std::uint64_t reach_of<Instruction> = Instruction::reach;
/// The bytes from a lane's address to its nearest access; 0 where the instruction adds no offset.
template <class Instruction>
inline constexpr std::uint64_t nearest_of = 0;
template <class Instruction>
requires requires { Instruction::nearest; }
inline constexpr std::uint64_t nearest_of<Instruction> = Instruction::nearest;

template <class Instruction>
COALESCE_API constexpr address_limits limits_of(unsigned alignment = Instruction::alignment) {
  return {.bytes = Instruction::bytes,
          .alignment = alignment,
          .capacity = capacity_of<Instruction>,
          .reach = reach_of<Instruction>,
          .nearest = nearest_of<Instruction>};
}

}  // namespace detail

/// The cost of one Instruction at the addresses of its active lanes, as an Instruction::cost_type. The same call works
/// in a constant expression and at run time in host code. `active` is a mask (bit k: lane k) or a predicate lane ->
/// bool; by default every lane is active. Without an active lane the instruction is not issued, and every number is 0
/// on every machine. Refused (core/misuse.hpp): an address that is not a multiple of Instruction::alignment bytes; an
/// access past the top of the address space or the end of shared memory or LDS; an array shorter than
/// Instruction::lanes; a mask with lanes beyond them.
template <class Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_INLINE constexpr auto cost(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
  // auto, without an alias: nvcc 13 cannot deduce a template argument from a cost whose type an alias names.
  if constexpr (detail::is_refused<Instruction>() || !detail::is_instruction<Instruction>())
    return typename detail::exists_if<false, void, Instruction>::cost_type{};
  else if constexpr (detail::well_formed<Pattern, Active, Instruction::lanes>)
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
  return typename detail::exists_if<false, void, Pattern>::cost_type{};
}

namespace detail {
/// The bytes from one neighbouring word to the next. Words of 96 bits that are aligned like 128 bits lie 16 bytes
/// apart.
template <class Instruction>
inline constexpr unsigned bytes_to_the_next_word =
    Instruction::bytes % Instruction::alignment == 0 ? Instruction::bytes : Instruction::alignment;
/// Lanes on neighbouring words from byte 0 on. In a load through the constant cache all lanes read one word.
template <class Instruction>
COALESCE_API constexpr linear neighbours() {
  return {.stride = Instruction::level == level::constant_cache ? 0 : bytes_to_the_next_word<Instruction>};
}
}  // namespace detail

/// The cost of a full wave of Instruction whose lanes access neighbouring words from byte 0 on, each its own; in a load
/// through the constant cache all lanes read one word. This is not a lower bound: where lanes share words, an access
/// can cost less.
template <class Instruction>
inline constexpr auto ideal = coalescing::cost<Instruction>(detail::neighbours<Instruction>());

/// Lists the transactions that cost() counts. The machine serves groups of lanes separately; within each group the list
/// ascends by address. The set is the hardware's; the order is ours.
template <class Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto transactions(Pattern const& pattern,
                                                       Active const& active = ~std::uint64_t{0}) {
  if constexpr (detail::is_refused<Instruction>()) {
    return transaction_list<Instruction::unit>{};  // the type depends on Instruction, so that including the header
                                                   // instantiates nothing
  } else {
    constexpr bool has_list = requires(access<Instruction::lanes> const& asked) {
      Instruction::transactions_of(asked);
    };
    static_assert(
        has_list,
        "this instruction makes no transactions: shared memory and LDS have phases, ask phases() or cost(); the "
        "constant cache counts requests, ask cost()");
    if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>)
      return Instruction::transactions_of(
          detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>()));
    else
      return detail::ill_formed<transaction_list<1>, Pattern, Active, Instruction::lanes>();
  }
}

/// Lists the phases of an access to shared memory or LDS: the lanes of each, its rounds, its busiest bank, and the
/// lanes that collide there. Their number is the `phases` of cost().
template <class Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto phases(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
  if constexpr (detail::is_refused<Instruction>()) {
    return phase_list<Instruction::unit>{};
  } else {
    constexpr bool has_list = requires(access<Instruction::lanes> const& asked) { Instruction::phases_of(asked); };
    static_assert(has_list,
                  "this instruction has no phases: only those on shared memory and LDS do, others have "
                  "transactions()");
    if constexpr (has_list && detail::well_formed<Pattern, Active, Instruction::lanes>)
      return Instruction::phases_of(
          detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>()));
    else
      return detail::ill_formed<phase_list<1>, Pattern, Active, Instruction::lanes>();
  }
}

}  // namespace coalescing
