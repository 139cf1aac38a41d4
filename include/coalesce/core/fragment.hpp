// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/source.hpp>

#include <cstdint>

// A fragment is a matrix operand in the registers of a wave. It says which value of which lane holds each element, and
// which element each value of a lane is. These maps are in the headers of the families (cuda/fragments.hpp,
// cdna/fragments.hpp). This header has what all families share: the checks of the bounds, and the templates `fragment`
// and moves().

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void fragment_has_no_such_lane(unsigned) {
  detail::refuse("the lane is not one of those that hold the operand (0 to fragment::lanes - 1)");
}
[[noreturn]] COALESCE_API inline void fragment_has_no_such_value(unsigned) {
  detail::refuse("a lane holds fewer values of the operand (0 to fragment::values - 1)");
}
[[noreturn]] COALESCE_API inline void instruction_moves_more_values_than_are_left(unsigned) {
  detail::refuse("the instruction moves more values than are left of the fragment (fragment::values less first_value)");
}
[[noreturn]] COALESCE_API inline void fragment_has_no_such_cell(unsigned, unsigned, unsigned) {
  detail::refuse(
      "the cell lies outside the operand (fragment::rows, columns, blocks): A is i by k, B is k by j, C is i by j");
}

}  // namespace refused

namespace detail {

/// Where a fragment has one block, row and column are enough for a layout that takes two numbers.
template <class Layout, unsigned Blocks>
concept needs_no_block = Blocks == 1 && takes_numbers<Layout, unsigned, unsigned>;
/// Whether a layout is asked about the cell's block, too. Three numbers are tried last: a layout may take any number of
/// arguments, and refuse three only when it is called.
template <class Layout, unsigned Blocks>
concept takes_block = !needs_no_block<Layout, Blocks> && takes_numbers<Layout, unsigned, unsigned, unsigned>;

/// The result of fragment::in(): a function of (lane, value). It gives the byte address of the element that this value
/// holds.
template <class Fragment, class Layout>
struct fragment_in_memory {
  Layout layout = {};

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane, unsigned value) const {
    cell const at = Fragment::of(lane, value);
    if constexpr (takes_block<Layout, Fragment::blocks>)
      return layout(at.row, at.column, at.block);
    else
      return layout(at.row, at.column);
  }
  bool operator==(fragment_in_memory const&) const = default;
};

/// Where in memory a matrix load reads a value, or a matrix store writes it.
template <class Instruction>
COALESCE_API constexpr origin origin_of(unsigned lane, unsigned value) {
  if constexpr (requires { Instruction::source_of(lane, value); })
    return Instruction::source_of(lane, value);
  else
    return Instruction::target_of(lane, value);
}

/// The bits that a value of an operand takes in a register; 0 if the rule does not say it, since the machine computes
/// with values of several sizes (C).
template <class Fragment>
inline constexpr unsigned bits_of_value = [] {
  if constexpr (requires { Fragment::rule::bits; })
    return unsigned{Fragment::rule::bits};
  else
    return 0u;
}();
/// The bits that an element takes in memory before the instruction expands it.
template <class Instruction>
inline constexpr unsigned bits_in_memory = [] {
  if constexpr (requires { Instruction::form.bits; })
    return unsigned{Instruction::form.bits};
  else
    return unsigned{Instruction::element_bits};
}();

}  // namespace detail

/// The sources of a fragment's facts. `map` is the source for which lane holds which element. `shape` is the source for
/// the fact that the instruction exists.
struct fragment_sources {
  source map = {};
  source shape = {};
};

/// A matrix operand in registers. Each of its elements is one value of one lane. A value has the type that the
/// instruction computes with. The values of a lane are numbered through its registers in order, and from the low bits
/// up within each register. So if a register holds two values, value 3 is the high half of the lane's second register.
template <class Rule>
struct fragment {
  using rule = Rule;
  static constexpr unsigned rows = Rule::rows;        ///< rows of a block: index i of A and C, index k of B
  static constexpr unsigned columns = Rule::columns;  ///< columns of a block: index k of A, index j of B and C
  static constexpr unsigned blocks = Rule::blocks;
  static constexpr unsigned lanes = Rule::lanes;
  static constexpr unsigned values = rows * columns * blocks / lanes;  ///< values per lane
  static constexpr fragment_sources sources = Rule::sources;

  /// The element that value `value` of lane `lane` holds. Refused: a lane or a value that the fragment does not have.
  [[nodiscard]] COALESCE_API static constexpr cell of(unsigned lane, unsigned value) {
    if (lane >= lanes) refused::fragment_has_no_such_lane(lane);
    if (value >= values) refused::fragment_has_no_such_value(value);
    return Rule::of(lane, value);
  }
  /// The lane and the value that hold an element: the inverse of of(), in closed form. Refused: a cell outside the
  /// operand.
  [[nodiscard]] COALESCE_API static constexpr holder owner(cell at) {
    if (at.row >= rows || at.column >= columns || at.block >= blocks)
      refused::fragment_has_no_such_cell(at.row, at.column, at.block);
    return Rule::owner(at);
  }
  /// The addresses of the elements in memory. The argument is a layout: a function of (row, column, block), or of (row,
  /// column), which puts all blocks at one place. The result is a function of (lane, value). With the value fixed, this
  /// function is the pattern of one load.
  template <class Layout>
  [[nodiscard]] COALESCE_API static constexpr auto in(Layout layout) {
    static_assert(!detail::gives_elements<Layout>,
                  "this layout gives elements, and a fragment lies at byte addresses: say in(co::elements<T>(layout))");
    return detail::fragment_in_memory<fragment, Layout>{layout};
  }
};

/// Whether a matrix load or store moves the elements of a fragment between memory and the values that hold them. `rows`
/// is the instruction's pattern: for each lane that must give an address, it gives the address of a row. `layout`, a
/// function of (row, column), gives the byte address of each element. In each lane, value v of the instruction is value
/// first_value + v of the fragment. If the values of operand A or B have other sizes than the instruction's elements
/// (ldmatrix loads bytes as pairs), the bytes of each register are compared. Refused: elements of less than a byte; an
/// instruction that moves more values than the fragment has from first_value on; an instruction that has fewer lanes
/// than the fragment.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Instruction, class Fragment, class Rows, class Layout>
[[nodiscard]] COALESCE_API constexpr bool moves(Rows const& rows, Layout const& layout, unsigned first_value = 0) {
  constexpr unsigned bits = detail::bits_of_value<Fragment>, of_element = Instruction::element_bits / 8,
                     of_value = bits != 0 ? bits / 8 : of_element, step = of_value < of_element ? of_value : of_element;
  static_assert(Instruction::element_bits % 8 == 0 && bits % 8 == 0 && detail::bits_in_memory<Instruction> % 8 == 0,
                "moves: elements of a byte or more have addresses");
  static_assert(!detail::gives_elements<Layout>,
                "this layout gives elements, and moves() compares byte addresses: say co::elements<T>(layout)");
  std::uint64_t const first = std::uint64_t{first_value} * of_value;  // in bytes of the lane's registers
  bool const begins_in_a_register = of_value != of_element && first % 4 != 0;
  if (begins_in_a_register || first + Instruction::values * of_element > Fragment::values * of_value)
    refused::instruction_moves_more_values_than_are_left(first_value);
  static_cast<void>(detail::origin_of<Instruction>(Fragment::lanes - 1, 0));  // refuses an instruction of fewer lanes
  auto const place = Fragment::in(layout);
  for (unsigned lane = 0; lane != Fragment::lanes; ++lane)
    for (unsigned byte = 0; byte != Instruction::values * of_element; byte += step) {
      origin const from = detail::origin_of<Instruction>(lane, byte / of_element);
      auto const at = static_cast<unsigned>(first) + byte;
      if (static_cast<std::uint64_t>(rows(from.lane)) + from.element * of_element + byte % of_element !=
          static_cast<std::uint64_t>(place(lane, at / of_value)) + at % of_value)
        return false;
    }
  return true;
}

namespace rules {

/// The map of operand B, made from the map of operand A: the columns of B lie in registers as the rows of A do.
template <class Rule>
struct transposed : Rule {
  static constexpr unsigned rows = Rule::columns, columns = Rule::rows;

  COALESCE_API static constexpr cell of(unsigned lane, unsigned value) {
    cell const at = Rule::of(lane, value);
    return {.row = at.column, .column = at.row, .block = at.block};
  }
  COALESCE_API static constexpr holder owner(cell at) {
    return Rule::owner({.row = at.column, .column = at.row, .block = at.block});
  }
};

/// Stands for the operands of an instruction that does not exist, so that the compiler prints only the sentence that
/// refuses the instruction.
struct no_fragments {};

}  // namespace rules
}  // namespace coalescing
