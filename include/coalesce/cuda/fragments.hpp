// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/fragment.hpp>
#include <coalesce/cuda/documents.hpp>

#include <type_traits>

// The operands of mma.sync and wgmma in registers: which lane holds which element. Opt-in: cuda.hpp does not include
// this header.

namespace coalescing::cuda {

// ---- Facts: the shapes of the operands ----

/// A shape of mma.sync: A is m x k, B is k x n, C is m x n. `bits` is the number of bits that an element of A or B
/// takes in a register.
struct mma_shape {
  unsigned m = 0, n = 0, k = 0, bits = 0;
  unsigned since = 0;  ///< the first compute capability (75 is 7.5) that has the shape, for the first of `types`
  char const* section = "";
  char const* types = "";
};

/// The shapes that are modelled, each with its section of PTX ISA 9.1.
inline constexpr mma_shape mma_shapes[] = {
    {16, 8, 8, 16, 75, "9.7.14.5.7", ".f16; .bf16 from sm_80"},
    {16, 8, 16, 16, 80, "9.7.14.5.8", ".f16, .bf16"},
    {8, 8, 16, 8, 75, "9.7.14.5.3", ".s8, .u8"},
    {16, 8, 16, 8, 80, "9.7.14.5.9", ".s8, .u8; .e4m3, .e5m2 from sm_89"},
    {16, 8, 32, 8, 80, "9.7.14.5.10", ".s8, .u8; .e4m3, .e5m2 from sm_89"},
    {16, 8, 64, 4, 80, "9.7.14.5.11", ".s4, .u4"},
    {16, 8, 4, 32, 80, "9.7.14.5.6", ".tf32"},
    {16, 8, 8, 32, 80, "9.7.14.5.7", ".tf32"},
    {8, 8, 4, 64, 80, "9.7.14.5.2", ".f64"},
    {16, 8, 4, 64, 90, "9.7.14.5.6", ".f64"},
    {16, 8, 8, 64, 90, "9.7.14.5.7", ".f64"},
    {16, 8, 16, 64, 90, "9.7.14.5.8", ".f64"},
};

/// The entry of mma_shapes for a shape. If mma_shapes has no such entry, the member `m` is 0.
template <unsigned M, unsigned N, unsigned K, unsigned Bits>
inline constexpr mma_shape mma_shape_of = [] {
  for (mma_shape const& row : mma_shapes)
    if (row.m == M && row.n == N && row.k == K && row.bits == Bits) return row;
  return mma_shape{};
}();

/// The shapes of wgmma, 64 x N x K: K is the number of elements in 256 bits (PTX ISA 9.1, 9.7.15.2).
template <unsigned N, unsigned Bits>
concept wgmma_shape = N != 0 && N % 8 == 0 && N <= 256 && (Bits == 8 || Bits == 16 || Bits == 32);

// ---- The rule: which lane holds which element ----

namespace rules {

inline constexpr source mma_map = documents::ptx_9_1.says(
    "9.7.14.5",
    "row and column of a register by groupID = lane / 4 and threadID_in_group = lane % 4 (CuTe's mma_traits agree)");
template <unsigned M, unsigned N, unsigned K, unsigned Bits>
struct of_mma {
  static constexpr mma_shape shape = mma_shape_of<M, N, K, Bits>;
  static constexpr fragment_sources sources{mma_map, documents::ptx_9_1.says(shape.section, shape.types)};
};
struct of_wgmma {
  static constexpr fragment_sources sources{
      documents::ptx_9_1.says("9.7.15.5.1.1",
                              "16 rows for each warp, as mma.sync holds them (CuTe's mma_traits agree)"),
      documents::ptx_9_1.says(
          "9.7.15.2",
          "m64nNk, N the multiples of 8 up to 256 (of .s8 and .u8 beyond 32, of 16), K of 256 bits; sm_90a")};
};

/// How many elements of Bits bits lie in a register of 32 bits; 1 where an element is wider.
template <unsigned Bits>
inline constexpr unsigned elements_of = Bits < 32 ? 32 / Bits : 1;

/// The map from registers to elements, which is the same for all operands. An operand consists of pieces of 8 rows of 4
/// registers, one register from each of the 32 lanes. Lane 4 * row + column holds the register at (row, column) of a
/// piece. A lane's first register lies in the piece at the top left, its second register in the piece below, and so on.
/// The register after that of the lowest piece lies in the top piece of the next column of pieces. If several warps
/// hold the operand (wgmma), each warp has rows of its own.
///
///     A, 16 x 16, two elements in a register      C, 16 x 8       B's columns, 8 x 16
///         r0  r2                                    r0              r0  r1
///         r1  r3                                    r1
template <class Of, unsigned Rows, unsigned Columns, unsigned Elements, unsigned Warps = 1>
struct pieces : Of {
  static constexpr unsigned rows = Rows, columns = Columns, blocks = 1, lanes = 32 * Warps;
  static constexpr unsigned down = Rows / Warps / 8;  ///< how many pieces of one warp lie one below the other

  COALESCE_API static constexpr cell of(unsigned lane, unsigned value) {
    unsigned const piece = value / Elements, w = lane / 32;
    return {.row = 8 * (down * w + piece % down) + lane % 32 / 4,
            .column = Elements * (4 * (piece / down) + lane % 4) + value % Elements};
  }
  COALESCE_API static constexpr holder owner(cell at) {
    unsigned const piece = at.row / 8 % down + down * (at.column / Elements / 4), w = at.row / 8 / down;
    return {.lane = 32 * w + 4 * (at.row % 8) + at.column / Elements % 4,
            .value = Elements * piece + at.column % Elements};
  }
};

/// Operand A or B, with the bits that a value takes in a register.
template <class Of, unsigned Bits>
struct input_of : Of {
  static constexpr unsigned bits = Bits;
};
template <unsigned M, unsigned N, unsigned K, unsigned Bits, class Of = of_mma<M, N, K, Bits>>
struct mma_fragments {
  using a = fragment<pieces<input_of<Of, Bits>, M, K, elements_of<Bits>>>;
  using b = fragment<coalescing::rules::transposed<pieces<input_of<Of, Bits>, N, K, elements_of<Bits>>>>;
  using c = fragment<pieces<Of, M, N, 2>>;  // a lane holds neighbouring elements in pairs, even where each element has
                                            // a register of its own
  static constexpr unsigned since = Of::shape.since;
};
template <unsigned N, unsigned Bits>
struct wgmma_fragments {
  using a = fragment<pieces<input_of<of_wgmma, Bits>, 64, 256 / Bits, elements_of<Bits>, 4>>;
  using c = fragment<pieces<of_wgmma, 64, N, 2, 4>>;
  static constexpr unsigned since = 90;
};

}  // namespace rules

// ---- The instructions ----

/// The operands of mma.sync, which one warp executes: a is M x K, b is K x N, c and d are M x N. Bits is the number of
/// bits that an element of A or B takes in a register: 32 for tf32, 8 for e2m1 and the other types of kind::f8f6f4.
/// `since` is the first compute capability that has the shape: 75 is 7.5. Refused: shapes that mma_shapes lacks. PTX
/// ISA 9.1, 9.7.14.5.
template <unsigned M, unsigned N, unsigned K, unsigned Bits>
struct mma : std::conditional_t<mma_shape_of<M, N, K, Bits>.m != 0, rules::mma_fragments<M, N, K, Bits>,
                                coalescing::rules::no_fragments> {
  static_assert(
      mma_shape_of<M, N, K, Bits>.m != 0,
      "cuda mma<M, N, K, Bits>: modelled are 16 x 8 x K of 16 bits with K = 8 or 16, of 8 bits 16 or 32, of 4 "
      "bits 64, of 32 bits (tf32) 4 or 8, of 64 bits 4, 8 or 16; 8 x 8 x 16 of 8 bits, 8 x 8 x 4 of 64");
};

/// The operands of wgmma.mma_async, which four warps execute together: c and d are 64 x N. Lane 32 * w + l is lane l of
/// warp w. If operand A lies in registers and not in shared memory, a is 64 x K with K = 256 / Bits. No lane holds
/// operand B. PTX ISA 9.1, 9.7.15.5.1.1.
template <unsigned N, unsigned Bits>
struct wgmma
    : std::conditional_t<wgmma_shape<N, Bits>, rules::wgmma_fragments<N, Bits>, coalescing::rules::no_fragments> {
  static_assert(wgmma_shape<N, Bits>,
                "cuda wgmma<N, Bits>: N is a multiple of 8 from 8 to 256, Bits are 8, 16 or 32 (tf32)");
  struct b {
    static_assert(!wgmma_shape<N, Bits>,
                  "cuda wgmma<N, Bits>::b: no lane holds B. It lies in shared memory, where a matrix descriptor says");
  };
};

}  // namespace coalescing::cuda
