// SPDX-License-Identifier: BSL-1.0
#pragma once
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
    if constexpr (requires(Layout const& of) {
                    of(at.row, at.column, at.block);
                  })  // `of` is a parameter: before CUDA 12.4 a requires-expression may not name a member of `this`
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
  /// The addresses of the elements in memory. The argument is a layout: a function of (row, column) or of (row, column,
  /// block). The result is a function of (lane, value). With the value fixed, this function is the pattern of one load.
  template <class Layout>
  [[nodiscard]] COALESCE_API static constexpr auto in(Layout layout) {
    return detail::fragment_in_memory<fragment, Layout>{layout};
  }
};

/// Whether a matrix load or store moves the elements of a fragment between memory and the values that hold them. `rows`
/// is the instruction's pattern: for each lane that must give an address, it gives the address of a row. `layout`, a
/// function of (row, column), gives the byte address of each element. In each lane, value v of the instruction is value
/// first_value + v of the fragment. Refused: elements of less than a byte; an instruction that moves more values than
/// the fragment has from first_value on; an instruction that has fewer lanes than the fragment.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Instruction, class Fragment, class Rows, class Layout>
[[nodiscard]] COALESCE_API constexpr bool moves(Rows const& rows, Layout const& layout, unsigned first_value = 0) {
  static_assert(Instruction::element_bits % 8 == 0, "moves: elements of a byte or more have addresses");
  if (std::uint64_t{first_value} + Instruction::values > Fragment::values)
    refused::instruction_moves_more_values_than_are_left(first_value);
  static_cast<void>(detail::origin_of<Instruction>(Fragment::lanes - 1, 0));  // refuses an instruction of fewer lanes
  auto const place = Fragment::in(layout);
  for (unsigned lane = 0; lane != Fragment::lanes; ++lane)
    for (unsigned value = 0; value != Instruction::values; ++value) {
      origin const from = detail::origin_of<Instruction>(lane, value);
      if (static_cast<std::uint64_t>(rows(from.lane)) + from.element * (Instruction::element_bits / 8) !=
          static_cast<std::uint64_t>(place(lane, first_value + value)))
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
