// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cell.hpp>
#include <coalesce/cuda/shared.hpp>

#include <cstdint>

// ldmatrix and stmatrix: the warp moves small matrices between shared memory and registers. Some lanes each give the
// address of one row of 16 bytes. The elements of the rows go to, or come from, all lanes. cuda/rows.hpp has the number
// of rows that are served at a time, and its source.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void matrix_instructions_need_every_lane() {
  detail::refuse(
      "all lanes of the warp execute ldmatrix and stmatrix together: the mask must name every lane or none, and no "
      "block, layout or predicate may leave out some lanes of a warp");
}
[[noreturn]] COALESCE_API inline void matrix_has_no_such_lane_or_value(unsigned, unsigned) {
  detail::refuse("the lane is not less than 32, or the value not less than the instruction's values");
}

}  // namespace coalescing::refused

namespace coalescing::cuda {

/// The form of a matrix, as PTX writes it: the rows and columns in registers, whether the instruction transposes the
/// matrix, and the bits of an element if they are not 16. Forms of 8 bits and less need CC 10.0 or later, and a target
/// with an a or f, such as sm_100a. A row of 16 elements of 6 or 4 bits is padded to 16 bytes in shared memory.
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

// ---- Facts: the forms of a matrix ----

/// The facts of a form: its elements in registers, and the instructions that move it. The columns of a transposed form
/// are the rows in shared memory.
struct matrix_form {
  /// The form as an instruction's name writes it: m8n8_trans in ldmatrix<4, m8n8_trans>. Empty for m8n8, the default.
  char const* name = "";
  matrix form{};
  unsigned rows = 0, columns = 0;  ///< rows and columns in registers
  unsigned bits = 0;               ///< bits of an element
  unsigned run = 0;  ///< how many neighbouring elements of a row a lane holds; so four lanes hold 4 * run columns
  bool transposed = false;
  bool loaded = false;  ///< whether ldmatrix can move the form
  bool stored = false;  ///< whether stmatrix can move the form
  source map = {};
};

namespace rules {
inline constexpr source matrix_figures =
    documents::ptx_9_1.says("9.7.14.5.15 and 16", "the figures of the fragments of ldmatrix and stmatrix");
inline constexpr source matrix_traits =
    documents::cute.says("copy_traits_sm100.hpp", "the layouts of ldmatrix and stmatrix of 8, 6 and 4 bits");
}  // namespace rules

/// The forms, in any order. Instructions take only a form with a row here.
inline constexpr matrix_form matrix_forms[] = {
    {"", matrix::m8n8, 8, 8, 16, 2, false, true, true, rules::matrix_figures},
    {"m8n8_trans", matrix::m8n8_trans, 8, 8, 16, 2, true, true, true, rules::matrix_figures},
    {"m16n16_trans_b8", matrix::m16n16_trans_b8, 16, 16, 8, 4, true, true, false, rules::matrix_traits},
    {"m16n16_trans_b6", matrix::m16n16_trans_b6, 16, 16, 6, 4, true, true, false, rules::matrix_traits},
    {"m16n16_trans_b4", matrix::m16n16_trans_b4, 16, 16, 4, 4, true, true, false, rules::matrix_traits},
    {"m8n16_b6", matrix::m8n16_b6, 8, 16, 6, 4, false, true, false, rules::matrix_traits},
    {"m8n16_b4", matrix::m8n16_b4, 8, 16, 4, 4, false, true, false, rules::matrix_traits},
    {"m16n8_trans_b8", matrix::m16n8_trans_b8, 16, 8, 8, 2, true, false, true, rules::matrix_traits},
};

// ---- Which lane holds which element ----

namespace rules {

COALESCE_API constexpr matrix_form row_of(matrix asked) {
  for (matrix_form const& row : matrix_forms)
    if (row.form == asked) return row;
  return {};
}
/// The entry of matrix_forms for a form. If there is no such entry, `rows` is 0.
template <matrix Form>
inline constexpr matrix_form matrix_form_of = rules::row_of(Form);

/// The size in bytes of a matrix row in shared memory. It is the same in every form.
inline constexpr unsigned matrix_row_bytes = 16;

/// How many rows a matrix has in shared memory. For each row one lane gives the address.
COALESCE_API constexpr unsigned rows_in_memory(matrix_form const& form) {
  return form.transposed ? form.columns : form.rows;
}
/// Whether elements have fewer than 16 bits.
COALESCE_API constexpr bool is_narrow(matrix_form const& form) { return form.bits < 16; }
/// How many elements of a matrix each of the 32 lanes holds.
COALESCE_API constexpr unsigned values_of(matrix_form const& form) { return form.rows * form.columns / 32; }

/// Where value `v` of lane `lane` lies in shared memory: the lane that gives the address of the value's row, and the
/// index of the value in that row. In registers, a matrix is cut into pieces of 8 rows, one piece below the other. Four
/// lanes share each row of a piece. Each of these lanes holds `run` neighbouring elements of that row.
COALESCE_API constexpr origin origin_of(matrix_form const& form, unsigned lane, unsigned v) {
  unsigned const first = v / values_of(form) * rows_in_memory(form), of_matrix = v % values_of(form);
  unsigned const row = lane / 4 + 8 * (of_matrix / form.run), column = form.run * (lane % 4) + of_matrix % form.run;
  return form.transposed ? origin{.lane = first + column, .element = row}
                         : origin{.lane = first + row, .element = column};
}

/// The rows that ldmatrix and stmatrix move. A row has 16 bytes. Eight rows go through the banks at a time: one matrix,
/// or half a matrix of 16 rows.
template <class Row, unsigned Matrices, matrix Form>
struct matrix_rows {
  using row = Row;
  using cost_type = bank_cost<>;
  static constexpr matrix_form form = matrix_form_of<Form>;
  static constexpr source map_from = form.map;
  /// The number of lanes that give an address. Lane 8m + r gives the address of row r of matrix m; if a matrix has 16
  /// rows, lane 16m + r does. (On CC 7.5 the other lanes' addresses must be valid too, PTX 9.7.14.5.15. The pattern is
  /// not called for them.)
  static constexpr unsigned lanes = Matrices * rows_in_memory(form);
  static constexpr unsigned wave_lanes = Row::lanes.value;  ///< lanes that execute the instruction
  static constexpr unsigned bytes = matrix_row_bytes;       ///< bytes of a row
  static constexpr unsigned alignment = matrix_row_bytes;
  /// The size of shared memory in bytes. An access past the end is refused.
  static constexpr std::uint64_t capacity = Row::shared_bytes.value;
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned banks = Row::banks.value;
  static constexpr unsigned unit = Row::bank_bytes.value;
  static constexpr unsigned period = banks * unit;
  static constexpr unsigned values = Matrices * values_of(form);      ///< values that each of the 32 lanes holds
  static constexpr unsigned element_bits = is_narrow(form) ? 8 : 16;  ///< bits in shared memory, padding included
  static constexpr auto parts = coalescing::detail::consecutive_phases<lanes, lanes / Row::matrix_phase_lanes.value>();
  static constexpr auto grows_with = coalescing::detail::words_in_banks<banks, unit, alignment>(parts);

  static constexpr fact_list rests_on = fact_list{}
                                            .with("who holds what", matrix_form_of<Form>.map)
                                            .with("rows a phase", Row::matrix_phase_lanes)
                                            .with("which lanes give rows", Row::matrix_load)
                                            .with("banks", Row::banks)
                                            .with("bytes a bank", Row::bank_bytes)
                                            .with("lanes a warp", Row::lanes)
                                            .with("bytes of shared memory", Row::shared_bytes);

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
    constexpr matrix_form known = form;  // a local copy, since nvcc refuses a reference to `form`
    return origin_of(known, lane, value);
  }
};

/// The source of the number of rounds: `rows_of_16_bits` for elements of 16 bits, and for narrower elements the source
/// that the machine's row has for them.
template <class Row, matrix Form>
COALESCE_API constexpr source rounds_from(source const& rows_of_16_bits) {
  if constexpr (is_narrow(matrix_form_of<Form>))
    return Row::narrow_matrix;
  else
    return rows_of_16_bits;
}

template <class Row, unsigned Matrices, matrix Form>
struct matrix_load : matrix_rows<Row, Matrices, Form> {
  static constexpr bank_cost<citations> sources =
      sources_of_banks(rules::rounds_from<Row, Form>(Row::matrix_phase_lanes.from));
  /// The element that lane `lane` receives as value `value`, and the lane that gives the address of the element's row.
  [[nodiscard]] COALESCE_API static constexpr origin source_of(unsigned lane, unsigned value) {
    return matrix_load::map(lane, value);
  }
};

template <class Row, unsigned Matrices, matrix Form>
struct matrix_store : matrix_rows<Row, Matrices, Form> {
  static constexpr bank_cost<citations> sources = sources_of_banks(rules::rounds_from<Row, Form>(Row::matrix_store));
  /// The element in shared memory to which a lane's value is stored, and the lane that gives the address of the
  /// element's row.
  [[nodiscard]] COALESCE_API static constexpr origin target_of(unsigned lane, unsigned value) {
    return matrix_store::map(lane, value);
  }
};

}  // namespace rules
}  // namespace coalescing::cuda
