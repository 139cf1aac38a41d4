// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/numbers.hpp>

#include <cstdint>
#include <type_traits>

// What an instruction is, whether it exists, and what its optional members mean. The functions that give the cost of an
// instruction are in core/cost.hpp.

namespace coalescing {

/// The memory level at which numbers are counted. l0 is RDNA's first cache; RDNA's L1 is another cache. constant_cache
/// includes AMD's scalar cache; lds includes NVIDIA's shared memory.
enum class level { dram, l2, l1, l0, constant_cache, lds };

/// A memory instruction of a machine: the template argument of cost(). `bytes` is the number of bytes per lane. Each
/// address must be a multiple of `alignment` bytes. `unit` is the size, in bytes, of the smallest transaction or of a
/// bank. Moving all addresses by `period` bytes changes no cost. (`period` need not be the smallest such number.)
/// `lanes` is the number of lanes that give an address. `wave_lanes` is the number of lanes of the wave or warp; it is
/// declared only if it is larger than `lanes`.
template <class T>
concept instruction = requires(access<T::lanes> const& asked) {
  { T::cost_of(asked) } -> std::same_as<typename T::cost_type>;
  { T::level } -> std::convertible_to<level>;
  { T::bytes + T::alignment + T::unit + T::period } -> std::convertible_to<std::uint64_t>;
  T::sources;
};

namespace detail {

/// The base class of every instruction that does not exist.
struct missing {
  static constexpr bool exists = false;
};

/// The base class of an instruction. It is the one place that states whether the instruction exists, and asking for
/// `exists` is never an error. An instruction that exists has the members of its Rule.
template <bool Exists, class Rule, class Refusal>
struct exists_if : Rule {
  static constexpr bool exists = true;
};
/// An instruction that does not exist. If a program uses any member but `exists`, Refusal::refuse() prints the reason
/// by a static_assert. (A compiler instantiates the initialiser of a template's static member only where that member is
/// used.) Every member that cost() and similar functions use is here, so that the compiler prints no further errors.
template <class Rule, class Refusal>
struct exists_if<false, Rule, Refusal> : missing {
  using refused_by = Refusal;
  // These members depend on Refusal, so that including the header instantiates nothing.
  using cost_type = std::conditional_t<sizeof(Refusal*) != 0, every_number<counts>, Refusal>;
  using sources_type = std::conditional_t<sizeof(Refusal*) != 0, every_number<citations>, Refusal>;
  static constexpr unsigned lanes = (Refusal::refuse(), 64);
  static constexpr unsigned bytes = (Refusal::refuse(), 1);
  static constexpr unsigned alignment = (Refusal::refuse(), 1);
  static constexpr unsigned unit = (Refusal::refuse(), 1);
  static constexpr unsigned period = (Refusal::refuse(), 1);
  static constexpr unsigned values = (Refusal::refuse(), 1);
  static constexpr std::uint64_t capacity = (Refusal::refuse(), 0);
  static constexpr coalescing::level level = (Refusal::refuse(), coalescing::level::dram);
  static constexpr sources_type sources = (Refusal::refuse(), sources_type{});
  static constexpr fact_list rests_on = (Refusal::refuse(), fact_list{});

  COALESCE_API static constexpr cost_type cost_of(access<64> const&) { return Refusal::refuse(), cost_type{}; }
  COALESCE_API static constexpr origin source_of(unsigned, unsigned) { return Refusal::refuse(), origin{}; }
  COALESCE_API static constexpr origin target_of(unsigned, unsigned) { return Refusal::refuse(), origin{}; }
};
/// The base class of instructions that exist under the same conditions. A Form states the conditions as `exists`, and
/// its refuse() prints why such an instruction does not exist.
template <class Form, class Rule>
using if_form_exists = exists_if<Form::exists, Rule, Form>;

/// Whether an instruction does not exist. Unlike is_refused, it makes the compiler print no error in that case.
template <class Instruction>
inline constexpr bool is_missing = __is_base_of(missing, Instruction);
/// Whether an instruction does not exist, like is_missing. But if the instruction does not exist, this function also
/// makes the compiler print the reason, before any further error.
template <class Instruction>
COALESCE_API constexpr bool is_refused() {
  if constexpr (is_missing<Instruction>)
    return Instruction::refused_by::refuse(), true;
  else
    return false;
}

/// In Machine::issues this type stands for an instruction that the machine has, but whose cost the library does not
/// give. In most cases no source tells the cost of such an instruction.
struct uncounted {};

/// Whether a type is an instruction. For any other type the compiler prints one sentence. (Functions call
/// is_instruction() in their bodies and do not use a constraint. If a constraint fails, clang prints many notes, and a
/// list of all functions that do not fit.)
template <class Instruction>
COALESCE_API constexpr bool is_instruction() {
  static_assert(
      instruction<Instruction>,
      "this is no memory instruction, which has cost_of(access). A copy from global memory to shared memory or LDS has "
      "two sides: ask about its ::global or its ::shared");
  return instruction<Instruction>;
}

/// A type that stands for an instruction of any width: any_width<load> for load<32>, load<64> and so on. By it
/// co::suggest sees whether two instructions differ only in width.
template <template <auto...> class Instruction>
struct any_width;

/// How many bytes at its address each lane reads or writes. This is fewer than Instruction::bytes for a copy that reads
/// fewer bytes than it writes, and fills the rest of its destination with zeros.
template <class Instruction>
inline constexpr unsigned touched_bytes = Instruction::bytes;
template <class Instruction>
requires requires { Instruction::source_bytes; }
inline constexpr unsigned touched_bytes<Instruction> = Instruction::source_bytes;

/// How many addresses a lane accesses: two where an instruction adds two offsets to the address that the lane gives.
template <class Instruction>
inline constexpr unsigned addresses_of_a_lane = 1;
template <class Instruction>
requires requires { Instruction::addresses; }
inline constexpr unsigned addresses_of_a_lane<Instruction> = Instruction::addresses;
/// The addresses as the banks see them. They are the lanes' addresses, unless the instruction declares a function that
/// changes them.
template <class Instruction, class Access>
COALESCE_API constexpr Access seen_by_banks(Access const& asked) {
  if constexpr (requires { Instruction::seen_by_banks(asked); })
    return Instruction::seen_by_banks(asked);
  else
    return asked;
}

/// The distances in bytes from a lane's address to each address that the lane accesses.
template <unsigned Count>
struct lane_offsets {
  static constexpr unsigned count = Count;
  std::uint64_t from[Count] = {};
};
/// The offsets that an instruction adds to a lane's address. If the instruction declares no `offsets`, there is one
/// offset, 0. (ds_read2 declares two.)
template <class Instruction>
inline constexpr lane_offsets<1> offsets_of{};
template <class Instruction>
requires requires { Instruction::offsets; }
inline constexpr auto offsets_of<Instruction> = Instruction::offsets;

/// The size, in bytes, of the memory that an instruction addresses from 0 on. 0: this memory is the whole address
/// space.
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

}  // namespace coalescing
