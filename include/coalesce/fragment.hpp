// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cell.hpp>
#include <coalesce/config.hpp>
#include <coalesce/misuse.hpp>
#include <coalesce/source.hpp>

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
[[noreturn]] COALESCE_API inline void fragment_has_no_such_cell(unsigned, unsigned, unsigned) {
  detail::refuse(
      "the cell lies outside the operand (fragment::rows, columns, blocks): A is i by k, B is k by j, C is i by j");
}

}  // namespace refused

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
};

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
