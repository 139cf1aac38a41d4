// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cell.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/cuda/rows.hpp>
#include <coalesce/cuda/shared.hpp>
#include <coalesce/engine/banks.hpp>

#include <cstdint>

// ldmatrix and stmatrix: the warp moves small matrices between shared memory and registers. Some lanes give the address
// of a row of 16 bytes each; what is in the rows is dealt out to all. The figures are in cuda/rows.hpp.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void matrix_instructions_need_every_lane() {
  detail::refuse(
      "all lanes of the warp execute ldmatrix and stmatrix together: the mask is of all or of none, and no block, "
      "layout "
      "or predicate leaves out some lanes of a warp");
}
[[noreturn]] COALESCE_API inline void matrix_has_no_such_lane_or_value(unsigned, unsigned) {
  detail::refuse("the lane is not less than 32, or the value not less than the instruction's values");
}

}  // namespace refused

}  // namespace coalescing

namespace coalescing::cuda {

/// The form of a matrix, as PTX writes it: rows and columns as they lie in registers, transposed on the way or not, and
/// the bits of an element where they are not 16. Those of 8 bits and less are of CC 10.0 and later (its targets with an
/// a or f), where elements of 6 and 4 bits fill rows of 16 elements, padded to 16 bytes.
enum class matrix {
  m8n8,
  m8n8_trans,
  m16n16_trans_b8,
  m16n16_trans_b6,
  m16n16_trans_b4,
  m8n16_b6,
  m8n16_b4,
  m16n8_trans_b8,  ///< stmatrix only
};

namespace rules {

/// A row is so many bytes in every form.
inline constexpr unsigned matrix_row_bytes = 16;

COALESCE_API constexpr bool is_16_by_16(matrix form) {
  return form == matrix::m16n16_trans_b8 || form == matrix::m16n16_trans_b6 || form == matrix::m16n16_trans_b4;
}
COALESCE_API constexpr bool is_narrow(matrix form) { return form != matrix::m8n8 && form != matrix::m8n8_trans; }
/// By ldmatrix.
COALESCE_API constexpr bool is_loaded(matrix form) { return form >= matrix::m8n8 && form < matrix::m16n8_trans_b8; }
COALESCE_API constexpr unsigned rows_of(matrix form) { return is_16_by_16(form) ? 16 : 8; }
/// Values that a lane holds of a matrix: 2 of 16 bits in a register, of fewer bits 4.
COALESCE_API constexpr unsigned values_of(matrix form) { return is_16_by_16(form) ? 8 : is_narrow(form) ? 4 : 2; }

/// Which element of which row is value `v` of a lane: PTX 9.1, 9.7.14.5.15 and 16, the figures of the fragments; of the
/// narrow forms CuTe. Four lanes share a row of a matrix, or a column of a transposed one.
COALESCE_API constexpr origin origin_of(matrix form, unsigned lane, unsigned v) {
  unsigned const of_matrix = v % values_of(form), first_row = v / values_of(form) * rows_of(form);
  unsigned const quad = lane / 4, in_quad = lane % 4;
  switch (form) {
    case matrix::m8n8:
      return {.lane = first_row + quad, .element = 2 * in_quad + of_matrix};
    case matrix::m8n8_trans:
      return {.lane = first_row + 2 * in_quad + of_matrix, .element = quad};
    case matrix::m8n16_b6:
    case matrix::m8n16_b4:
      return {.lane = first_row + quad, .element = 4 * in_quad + of_matrix};
    case matrix::m16n8_trans_b8:
      return {.lane = first_row + 2 * in_quad + of_matrix % 2, .element = quad + 8 * (of_matrix / 2)};
    default:  // 16 x 16: a second register for the columns from 8 on
      return {.lane = first_row + 4 * in_quad + of_matrix % 4, .element = quad + 8 * (of_matrix / 4)};
  }
}

/// Rows of 16 bytes to and from the banks, eight at a time, whatever their matrix.
template <class Row, unsigned Matrices, matrix Form>
struct matrix_rows {
  using cost_type = bank_cost<>;
  /// That give an address: row r of matrix m is lane 8m + r, of 16 by 16 elements 16m + r. (On CC 7.5 the other lanes'
  /// addresses have to be valid too, PTX 9.7.14.5.15; they are not asked.)
  static constexpr unsigned lanes = Matrices * rows_of(Form);
  static constexpr unsigned wave_lanes = Row::lanes.value;  ///< that execute it
  static constexpr unsigned bytes = matrix_row_bytes;       ///< of a row
  static constexpr unsigned alignment = matrix_row_bytes;
  static constexpr std::uint64_t capacity = Row::shared_bytes.value;  ///< bytes: an offset beyond is refused
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned banks = Row::banks.value;
  static constexpr unsigned unit = Row::bank_bytes.value;
  static constexpr unsigned period = banks * unit;
  static constexpr unsigned values = Matrices * values_of(Form);      ///< that each of the 32 lanes holds
  static constexpr unsigned element_bits = is_narrow(Form) ? 8 : 16;  ///< in shared memory, padding included
  static constexpr auto parts = coalescing::detail::consecutive_phases<lanes, lanes / Row::matrix_phase_lanes.value>();

  COALESCE_API static constexpr void check_wave(std::uint64_t active) {
    if (active != coalescing::detail::wave_mask<wave_lanes>) refused::matrix_instructions_need_every_lane();
  }
  COALESCE_API static constexpr void check_lanes(access<lanes> const& asked) {
    if (asked.active != 0 && asked.active != coalescing::detail::wave_mask<lanes>)
      refused::matrix_instructions_need_every_lane();
  }
  COALESCE_API static constexpr bank_cost<> cost_of(access<lanes> const& asked) {
    check_lanes(asked);
    constexpr auto table = parts;
    return sum_of(coalescing::detail::count_rounds<banks, unit, bytes>(asked, table));
  }
  COALESCE_API static constexpr auto phases_of(access<lanes> const& asked) {
    check_lanes(asked);
    constexpr auto table = parts;
    return active_phases<parts.phases>(coalescing::detail::describe_phases<banks, unit>(asked, table));
  }
  COALESCE_API static constexpr origin map(unsigned lane, unsigned value) {
    if (lane >= Row::lanes.value || value >= values) refused::matrix_has_no_such_lane_or_value(lane, value);
    return origin_of(Form, lane, value);
  }
};

template <class Row, unsigned Matrices, matrix Form>
struct matrix_load : matrix_rows<Row, Matrices, Form> {
  static constexpr source from() {
    if constexpr (is_narrow(Form))
      return Row::narrow_matrix;
    else
      return Row::matrix_phase_lanes.from;
  }
  static constexpr bank_cost<citations> sources = sources_of_banks(from());
  /// The element that a lane receives as that value, and the lane that gave the address of its row.
  [[nodiscard]] COALESCE_API static constexpr origin source_of(unsigned lane, unsigned value) {
    return matrix_load::map(lane, value);
  }
};

template <class Row, unsigned Matrices, matrix Form>
struct matrix_store : matrix_rows<Row, Matrices, Form> {
  static constexpr source from() {
    if constexpr (is_narrow(Form))
      return Row::narrow_matrix;
    else
      return Row::matrix_store;
  }
  static constexpr bank_cost<citations> sources = sources_of_banks(from());
  /// Where a value goes.
  [[nodiscard]] COALESCE_API static constexpr origin target_of(unsigned lane, unsigned value) {
    return matrix_store::map(lane, value);
  }
};

}  // namespace rules
}  // namespace coalescing::cuda
