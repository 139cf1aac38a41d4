// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cell.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/source.hpp>

#include <cstdint>

// The operands of matrix instructions as data: which element a lane holds as which of its values, and back. A family
// has the rules; here is what all share: bounds, and the names that users type.

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

/// What fragment::in() makes.
template <class Fragment, class Layout>
struct fragment_in_memory {
  Layout layout = {};

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane, unsigned value) const {
    cell const at = Fragment::of(lane, value);
    if constexpr (requires { layout(at.row, at.column, at.block); })
      return layout(at.row, at.column, at.block);
    else
      return layout(at.row, at.column);
  }
  bool operator==(fragment_in_memory const&) const = default;
};

/// Of a load where a value comes from, of a store where it goes.
template <class Instruction>
COALESCE_API constexpr origin origin_of(unsigned lane, unsigned value) {
  if constexpr (requires { Instruction::source_of(lane, value); })
    return Instruction::source_of(lane, value);
  else
    return Instruction::target_of(lane, value);
}

}  // namespace detail

/// Whence it is known which lane holds what, and that the instruction exists.
struct fragment_sources {
  source map = {};
  source shape = {};
};

/// An operand in registers: each of its elements is one value of one lane. A value is an element of the type that the
/// instruction computes with, counted through the lane's registers in order, in each from the low bits on.
template <class Rule>
struct fragment {
  static constexpr unsigned rows = Rule::rows;        ///< of a block: i of A and C, k of B
  static constexpr unsigned columns = Rule::columns;  ///< of a block: k of A, j of B and C
  static constexpr unsigned blocks = Rule::blocks;
  static constexpr unsigned lanes = Rule::lanes;
  static constexpr unsigned values = rows * columns * blocks / lanes;  ///< of a lane
  static constexpr fragment_sources sources = Rule::sources;

  /// The element that a lane holds as that value.
  [[nodiscard]] COALESCE_API static constexpr cell of(unsigned lane, unsigned value) {
    if (lane >= lanes) refused::fragment_has_no_such_lane(lane);
    if (value >= values) refused::fragment_has_no_such_value(value);
    return Rule::of(lane, value);
  }
  /// The lane that holds an element, and as which value: the inverse, in closed form.
  [[nodiscard]] COALESCE_API static constexpr holder owner(cell at) {
    if (at.row >= rows || at.column >= columns || at.block >= blocks)
      refused::fragment_has_no_such_cell(at.row, at.column, at.block);
    return Rule::owner(at);
  }
  /// Where the elements lie in memory: of a layout of (row, column), or of (row, column, block), the pattern of (lane,
  /// value), which is that of a load for each value.
  template <class Layout>
  [[nodiscard]] COALESCE_API static constexpr auto in(Layout layout) {
    return detail::fragment_in_memory<fragment, Layout>{layout};
  }
};

/// Whether a matrix load or store, given the addresses of its rows, moves a fragment from or to where a layout of (row,
/// column) has its elements: value v of each lane is value first_value + v of the fragment. (Of elements of a byte or
/// more.) Refused: an instruction that moves more values than are left, or has fewer lanes than hold the fragment.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Instruction, class Fragment, class Rows, class Layout>
[[nodiscard]] COALESCE_API constexpr bool moves(Rows const& rows, Layout const& layout, unsigned first_value = 0) {
  static_assert(Instruction::element_bits % 8 == 0, "moves: elements of a byte or more have addresses");
  if (std::uint64_t{first_value} + Instruction::values > Fragment::values)
    refused::instruction_moves_more_values_than_are_left(first_value);
  static_cast<void>(detail::origin_of<Instruction>(Fragment::lanes - 1, 0));  // refuses a lane that it does not have
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

/// B's columns lie in registers as A's rows do.
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

/// In the place of the operands of an instruction that does not exist: one sentence is said of it.
struct no_fragments {};

}  // namespace rules
}  // namespace coalescing
