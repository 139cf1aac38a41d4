// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/record/prices.hpp>
#include <coalesce/record/recorder.hpp>
#include <coalesce/record/sums.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

// The instructions that move an element whose size and alignment are known at run time only: the rule of
// record/prices.hpp, over a table of a machine's instructions.

namespace coalescing {

namespace refused {

[[noreturn]] inline void machine_moves_no_element_of_that_size(unsigned) {
  detail::refuse("this machine has no instruction that moves so many bytes at that alignment");
}

[[noreturn]] inline void issued_instruction_has_no_name() {
  detail::refuse("open: an instruction that the kernel issues itself is named by its type: open_as");
}

}  // namespace refused

namespace detail {

/// One of the instructions that move an element: it moves the bytes from `offset` on.
template <unsigned Lanes>
struct piece {
  unsigned bits = 0;
  unsigned alignment = 0;  ///< that it needs, bytes
  void (*add)(price&, access<Lanes> const&, std::uint64_t any, unsigned offset) = nullptr;
  char const* instruction = "";  ///< empty where no source tells its cost
  counter_list (*counters)() = nullptr;
  unsigned offset = 0;
};

template <class Instruction, unsigned Lanes>
piece<Lanes> piece_of() {
  return {8 * Instruction::bytes, Instruction::alignment, &detail::add_instruction<Instruction, Lanes>,
          lasting_name<Instruction>.characters, &counters_of<Instruction>};
}
template <unsigned Lanes>
piece<Lanes> uncounted_piece(unsigned bytes) {
  return {8 * bytes, detail::next_power_of_two(bytes), &detail::add_uncounted<Lanes>};
}

/// Adds the instruction of that width to the table, if the machine has it.
template <class Issues, memory_space Space, touch Kind, unsigned Bits>
void add_width(std::vector<piece<Issues::lanes>>& table) {
  using width = decltype(detail::instruction_of_width<Issues, Space, Kind, Bits>());
  if constexpr (!width::is_counted)
    table.push_back(detail::uncounted_piece<Issues::lanes>(Bits / 8));
  else if constexpr (!std::is_same<typename width::type, missing>::value)
    table.push_back(detail::piece_of<typename width::type, Issues::lanes>());
}
/// A machine's loads, stores or atomics of a memory, the widest first.
template <class Issues, memory_space Space, touch Kind>
std::vector<piece<Issues::lanes>> const& widths_of() {
  static auto const table = [] {
    std::vector<piece<Issues::lanes>> made;
    [&]<unsigned... Bits>(std::integer_sequence<unsigned, Bits...>) {
      (detail::add_width<Issues, Space, Kind, Bits>(made), ...);
    }
    (std::integer_sequence<unsigned, 256, 128, 96, 64, 32, 16, 8>{});
    return made;
  }();
  return table;
}
template <class Issues>
std::vector<piece<Issues::lanes>> const& widths_of(memory_space space, touch kind) {
  constexpr auto global = memory_space::global, shared = memory_space::shared;
  bool const is_global = space == global;
  switch (kind) {
    case touch::load:
      return is_global ? detail::widths_of<Issues, global, touch::load>()
                       : detail::widths_of<Issues, shared, touch::load>();
    case touch::store:
      return is_global ? detail::widths_of<Issues, global, touch::store>()
                       : detail::widths_of<Issues, shared, touch::store>();
    case touch::atomic:
      return is_global ? detail::widths_of<Issues, global, touch::atomic>()
                       : detail::widths_of<Issues, shared, touch::atomic>();
    case touch::issued:
      break;
  }
  refused::issued_instruction_has_no_name();
}

/// The instructions of an element: at each byte the widest that the alignment allows and that fits what is left. An
/// atomic is one instruction.
template <class Issues>
std::vector<piece<Issues::lanes>> pieces_of(memory_space space, touch kind, unsigned bytes, unsigned alignment) {
  std::vector<piece<Issues::lanes>> made;
  auto const& widths = detail::widths_of<Issues>(space, kind);
  bool const is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (bytes == 0 || !is_power_of_two) refused::machine_moves_no_element_of_that_size(bytes);
  for (unsigned offset = 0; offset != bytes;) {
    auto const suits = [&](auto const& one) {
      return kind == touch::atomic
                 ? one.bits == 8 * bytes
                 : one.bits <= 8 * (bytes - offset) && one.alignment <= detail::alignment_at(offset, alignment);
    };
    auto const next = std::find_if(widths.begin(), widths.end(), suits);
    if (next == widths.end()) refused::machine_moves_no_element_of_that_size(bytes);
    made.push_back(*next), made.back().offset = offset;
    offset += next->bits / 8;
  }
  return made;
}

}  // namespace detail
}  // namespace coalescing
