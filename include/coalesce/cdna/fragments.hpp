// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/documents.hpp>
#include <coalesce/core/fragment.hpp>

#include <type_traits>

// Tells which lane holds which element of the operands of dense MFMA instructions. Opt-in: cdna.hpp does not include
// this header.

namespace coalescing::cdna {

// ---- Facts: which lane may hold which element ----

/// How A and B are spread over the lanes. `length` is the number of neighbouring elements along K that a lane holds in
/// consecutive values. 0 means all elements that the lane holds.
struct mfma_runs {
  unsigned length = 0;
  source from =
      documents::isa_4.says("7.1.4", "K_L, lanes of A and B (AMD's matrix calculator agrees, gfx90a and gfx942)");
};
/// How C is spread over the lanes. `height` (ISA4's H) is the number of neighbouring rows of one column that a lane
/// holds. `row_lanes` is the distance in lanes from one group of such rows to the next, and `block_lanes` from one
/// block to the next. Distances of 0 mean the usual order of lanes: columns first, then groups of rows, then blocks.
struct mfma_groups {
  unsigned height = 4, row_lanes = 0, block_lanes = 0;
  source from = documents::isa_4.says("7.1.4", "H, B_I, M_I, G (AMD's matrix calculator agrees, gfx90a and gfx942)");
};

inline constexpr mfma_runs one_run{};
inline constexpr mfma_runs runs_of_16{
    16, documents::isa_4.says("7.1.5.1", "8-bit operands: items from 16 on begin at K / 2")};
inline constexpr mfma_groups groups_of_4{}, groups_of_1{1};  // groups_of_1: used by f64
/// How C is spread over the lanes, as AMD's matrix calculator prints it for gfx90a and gfx942. (By ISA4's formula the
/// lane would be 16 * block + 4 * row + column.)
inline constexpr mfma_groups f64_4x4x4{
    1, 16, 4, documents::matrix_calculator.says("v_mfma_f64_4x4x4_4b, C and D", "lane 16 * row + 4 * block + column")};

// ---- Facts: the shapes ----

/// The chips that have a shape for at least one of its types. A chip's flag is true only if a source states which lane
/// holds which element on this chip.
struct mfma_chips {
  bool gfx90a, gfx942, gfx950;
};

/// A shape of MFMA: `blocks` independent products of m x k by k x n elements. `bits` is the size of an element of A and
/// B. `types` is the list of element types.
struct mfma_shape {
  unsigned m, n, k, bits, blocks;
  mfma_chips chips;
  char const* types;
  mfma_runs inputs = one_run;
  mfma_groups output = groups_of_4;
};

/// The columns are M, N, K, bits and blocks; whether gfx90a, gfx942 and gfx950 have the shape (what LLVM 22 assembles);
/// the types; how A and B, and how C, are spread over the lanes, if not as usual. The f64 shape of 4 x 4 x 4 is left
/// out for gfx950: that chip has it (ISA4 Table 90, opcode 111; LLVM 22 assembles it), but no source tells which lane
/// of gfx950 holds which element of C.
inline constexpr mfma_shape mfma_shapes[] = {
    {32, 32, 1, 32, 2, {true, true, true}, "f32"},
    {16, 16, 1, 32, 4, {true, true, true}, "f32"},
    {4, 4, 1, 32, 16, {true, true, true}, "f32"},
    {32, 32, 2, 32, 1, {true, true, true}, "f32"},
    {16, 16, 4, 32, 1, {true, true, true}, "f32"},
    {32, 32, 4, 32, 1, {false, true, false}, "xf32"},
    {16, 16, 8, 32, 1, {false, true, false}, "xf32"},
    {32, 32, 4, 16, 2, {true, true, true}, "f16, bf16 (gfx90a: _1k)"},
    {16, 16, 4, 16, 4, {true, true, true}, "f16, bf16 (gfx90a: _1k)"},
    {4, 4, 4, 16, 16, {true, true, true}, "f16, bf16 (gfx90a: _1k)"},
    {32, 32, 8, 16, 1, {true, true, true}, "f16, bf16 (gfx90a: _1k)"},
    {16, 16, 16, 16, 1, {true, true, true}, "f16, bf16 (gfx90a: _1k)"},
    {32, 32, 16, 16, 1, {false, false, true}, "f16, bf16"},
    {16, 16, 32, 16, 1, {false, false, true}, "f16, bf16"},
    {32, 32, 2, 16, 2, {true, false, false}, "bf16"},
    {16, 16, 2, 16, 4, {true, false, false}, "bf16"},
    {4, 4, 2, 16, 16, {true, false, false}, "bf16"},
    {32, 32, 4, 16, 1, {true, false, false}, "bf16"},
    {16, 16, 8, 16, 1, {true, false, false}, "bf16"},
    {32, 32, 4, 8, 2, {true, true, true}, "i8"},
    {16, 16, 4, 8, 4, {true, true, true}, "i8"},
    {4, 4, 4, 8, 16, {true, true, true}, "i8"},
    {32, 32, 8, 8, 1, {true, false, false}, "i8"},
    {16, 16, 16, 8, 1, {true, false, false}, "i8"},
    {32, 32, 16, 8, 1, {false, true, true}, "fp8, bf8, i8"},
    {16, 16, 32, 8, 1, {false, true, true}, "fp8, bf8, i8"},
    {32, 32, 32, 8, 1, {false, false, true}, "i8"},
    {16, 16, 64, 8, 1, {false, false, true}, "i8"},
    {16, 16, 4, 64, 1, {true, true, true}, "f64", one_run, groups_of_1},
    {4, 4, 4, 64, 4, {true, true, false}, "f64", one_run, f64_4x4x4},
    {16, 16, 128, 8, 1, {false, false, true}, "f8f6f4: fp8, bf8", runs_of_16},
    {16, 16, 128, 6, 1, {false, false, true}, "f8f6f4: fp6, bf6"},
    {16, 16, 128, 4, 1, {false, false, true}, "f8f6f4: fp4"},
    {32, 32, 64, 8, 1, {false, false, true}, "f8f6f4: fp8, bf8", runs_of_16},
    {32, 32, 64, 6, 1, {false, false, true}, "f8f6f4: fp6, bf6"},
    {32, 32, 64, 4, 1, {false, false, true}, "f8f6f4: fp4"},
};

/// The row of a shape. Its m is 0 if the table does not have the shape.
template <unsigned M, unsigned N, unsigned K, unsigned Bits, unsigned Blocks>
inline constexpr mfma_shape mfma_shape_of = [] {
  for (mfma_shape const& row : mfma_shapes)
    if (row.m == M && row.n == N && row.k == K && row.bits == Bits && row.blocks == Blocks) return row;
  return mfma_shape{};
}();

// ---- The rules. The names h, b_i, m_i and g are those of ISA4 7.1.4 ----

namespace rules {

inline constexpr unsigned mfma_lanes = 64;  // lanes of a wave

COALESCE_API constexpr unsigned unless_0(unsigned exception, unsigned otherwise) {
  return exception != 0 ? exception : otherwise;
}

template <unsigned M, unsigned N, unsigned K, unsigned Bits, unsigned Blocks>
struct of_mfma {
  static constexpr mfma_shape shape = mfma_shape_of<M, N, K, Bits, Blocks>;
  static constexpr source exists = documents::llvm_mfma.says("MFMA", shape.types);
};

/// Which lane holds which element of A (for B: of its transpose). lane = row + Rows * (block + Blocks * group), where
/// the groups of lanes divide K among themselves. A lane's values are runs, that is, neighbouring elements along K.
template <class Of, unsigned Rows, unsigned K, unsigned Blocks>
struct mfma_inputs {
  static constexpr unsigned rows = Rows, columns = K, blocks = Blocks, lanes = mfma_lanes;
  static constexpr fragment_sources sources{Of::shape.inputs.from, Of::exists};
  static constexpr unsigned groups = lanes / (Rows * Blocks);
  static constexpr unsigned run =
      unless_0(Of::shape.inputs.length, K / groups);  ///< elements of a run; equals ISA4's K_L if a lane holds one run

  COALESCE_API static constexpr cell of(unsigned lane, unsigned item) {
    unsigned const group = lane / Rows / Blocks;
    return {.row = lane % Rows,
            .column = run * (group + groups * (item / run)) + item % run,
            .block = lane / Rows % Blocks};
  }
  COALESCE_API static constexpr holder owner(cell at) {
    unsigned const group = at.column / run % groups;
    return {.lane = at.row + Rows * (at.block + Blocks * group),
            .value = at.column % run + run * (at.column / run / groups)};
  }
};

/// Which lane holds which element of C. lane = column + row_lanes * group + block_lanes * block, where a group is H
/// neighbouring rows. If the wave has too few lanes for all groups and blocks, then the lanes hold the remaining groups
/// and blocks as further values.
template <class Of, unsigned M, unsigned N, unsigned Blocks>
struct mfma_output {
  static constexpr unsigned rows = M, columns = N, blocks = Blocks, lanes = mfma_lanes;
  static constexpr fragment_sources sources{Of::shape.output.from, Of::exists};
  static constexpr unsigned h = Of::shape.output.height;
  /// b_i blocks lie in different lanes, and so do m_i groups of each block. A lane holds g groups of each block it has.
  static constexpr unsigned b_i = (lanes * h + M * N - 1) / (M * N);
  static constexpr unsigned m_i = lanes / b_i / N;
  static constexpr unsigned g = M / (h * m_i);
  static constexpr unsigned row_lanes = unless_0(Of::shape.output.row_lanes, N);
  static constexpr unsigned block_lanes = unless_0(Of::shape.output.block_lanes, (N * m_i));

  COALESCE_API static constexpr cell of(unsigned lane, unsigned item) {
    return {.row = item % h + h * (lane / row_lanes % m_i + m_i * (item / h % g)),
            .column = lane % N,
            .block = lane / block_lanes % b_i + b_i * (item / h / g)};
  }
  COALESCE_API static constexpr holder owner(cell at) {
    return {.lane = at.column + row_lanes * (at.row / h % m_i) + block_lanes * (at.block % b_i),
            .value = at.row % h + h * (at.row / h / m_i + g * (at.block / b_i))};
  }
};

template <unsigned M, unsigned N, unsigned K, unsigned Bits, unsigned Blocks, class Of = of_mfma<M, N, K, Bits, Blocks>>
struct mfma_fragments {
  using a = fragment<mfma_inputs<Of, M, K, Blocks>>;
  using b = fragment<coalescing::rules::transposed<mfma_inputs<Of, N, K, Blocks>>>;
  using c = fragment<mfma_output<Of, M, N, Blocks>>;
  static constexpr mfma_chips chips = Of::shape.chips;
};

}  // namespace rules

// ---- The instruction ----

/// The operands of v_mfma, held by the 64 lanes of a wave. In each block a is M x K, b is K x N, c and d are M x N.
/// Bits is the size of an element of A and B. If A and B of an f8f6f4 instruction differ in size, take `a` from the
/// mfma with A's size and `b` from the mfma with B's size. `chips` says which chips have the shape. Refused: a shape
/// that no chip has. Which lane holds which element: ISA4 7.1.4 and 7.1.5.1; C of the f64 shape of 4 x 4 x 4: MIC.
template <unsigned M, unsigned N, unsigned K, unsigned Bits, unsigned Blocks = 1>
struct mfma : std::conditional_t<mfma_shape_of<M, N, K, Bits, Blocks>.m != 0,
                                 rules::mfma_fragments<M, N, K, Bits, Blocks>, coalescing::rules::no_fragments> {
  static_assert(
      mfma_shape_of<M, N, K, Bits, Blocks>.m != 0,
      "cdna mfma<M, N, K, Bits, Blocks>: no chip of gfx90a, gfx942 and gfx950 has this dense shape (blocks are 2 of "
      "32 x 32, 4 of 16 x 16 or 16 of 4 x 4, or else 1; Bits those of an element of A and B)");
};

}  // namespace coalescing::cdna
