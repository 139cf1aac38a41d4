// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/boxes.hpp>
#include <coalesce/cuda/tma/misuse.hpp>
#include <coalesce/layout.hpp>

#include <cstdint>

// The facts of TMA, which copies boxes of a tensor: the enumerations of cuTensorMapEncodeTiled, and what each
// enumerator means. Enumerators have the driver's order, so their values are the driver's values.

namespace coalescing::cuda {

/// The element types: CUtensorMapDataType.
enum class tensor_element {
  u8,
  u16,
  u32,
  i32,
  u64,
  i64,
  f16,
  f32,
  f64,
  bf16,
  f32_ftz,
  tf32,
  tf32_ftz,
  u4_align8,   ///< 16 elements of 4 bits fill 8 bytes of shared memory
  u4_align16,  ///< 16 elements of 4 bits, then a gap of 8 bytes; a load may have this type, a store may not
  u6_align16   ///< 16 elements of 6 bits, then a gap of 4 bytes; a store takes the low 6 bits of each byte
};
COALESCE_API constexpr bool is_enumerator(tensor_element value) {
  return value == tensor_element::u8 || value == tensor_element::u16 || value == tensor_element::u32 ||
         value == tensor_element::i32 || value == tensor_element::u64 || value == tensor_element::i64 ||
         value == tensor_element::f16 || value == tensor_element::f32 || value == tensor_element::f64 ||
         value == tensor_element::bf16 || value == tensor_element::f32_ftz || value == tensor_element::tf32 ||
         value == tensor_element::tf32_ftz || value == tensor_element::u4_align8 ||
         value == tensor_element::u4_align16 || value == tensor_element::u6_align16;
}
/// The interleaved layouts of a tensor: CUtensorMapInterleave.
enum class tensor_interleave { none, bytes_16, bytes_32 };
COALESCE_API constexpr bool is_enumerator(tensor_interleave value) {
  return value == tensor_interleave::none || value == tensor_interleave::bytes_16 ||
         value == tensor_interleave::bytes_32;
}
/// The swizzles of a box in shared memory: CUtensorMapSwizzle. PTX's swizzle of 96 bytes (5.5.7) is not modelled: only
/// tensormap.replace sets it, and the driver has no enumerator for it up to CUDA 13.5.
enum class tensor_swizzle {
  none,
  bytes_32,
  bytes_64,
  bytes_128,
  bytes_128_atom_32,
  bytes_128_atom_32_flip_8,
  bytes_128_atom_64
};
COALESCE_API constexpr bool is_enumerator(tensor_swizzle value) {
  return value == tensor_swizzle::none || value == tensor_swizzle::bytes_32 || value == tensor_swizzle::bytes_64 ||
         value == tensor_swizzle::bytes_128 || value == tensor_swizzle::bytes_128_atom_32 ||
         value == tensor_swizzle::bytes_128_atom_32_flip_8 || value == tensor_swizzle::bytes_128_atom_64;
}
/// The size of the pieces in which L2 is filled from DRAM: CUtensorMapL2promotion. With bytes_64, a cold L2 fetches
/// tensor_map::footprint<64>() bytes, and so on.
enum class tensor_promotion { none, bytes_64, bytes_128, bytes_256 };
COALESCE_API constexpr bool is_enumerator(tensor_promotion value) {
  return value == tensor_promotion::none || value == tensor_promotion::bytes_64 ||
         value == tensor_promotion::bytes_128 || value == tensor_promotion::bytes_256;
}
/// The value that a load writes for elements outside the tensor: CUtensorMapFloatOOBfill.
enum class tensor_fill { zeros, nan };
COALESCE_API constexpr bool is_enumerator(tensor_fill value) {
  return value == tensor_fill::zeros || value == tensor_fill::nan;
}
/// How the tensor is cut into boxes: by cuTensorMapEncodeTiled, or by cuTensorMapEncodeIm2col, which is not modelled.
enum class tensor_mode { tile, im2col };
COALESCE_API constexpr bool is_enumerator(tensor_mode value) {
  return value == tensor_mode::tile || value == tensor_mode::im2col;
}
/// The direction of a copy: a load goes to shared memory, a store to global memory.
enum class tensor_copy { load, store };
COALESCE_API constexpr bool is_enumerator(tensor_copy value) {
  return value == tensor_copy::load || value == tensor_copy::store;
}

/// The facts of an element type. Global memory has no gaps between elements.
struct tensor_element_row {
  unsigned bits = 0;         ///< of an element in global memory
  unsigned shared_bits = 0;  ///< of an element in shared memory, gaps included
  bool floating_point = false;
};
/// The facts of an element type, from the table here.
[[nodiscard]] COALESCE_API constexpr tensor_element_row row_of(tensor_element element) {
  // Sources: cuda.h 13.0, cuTensorMapEncodeTiled; PTX ISA 5.5.1.1.1. (Elements are packed in global memory. In shared
  // memory, only the two align16 types have gaps.)
  constexpr tensor_element_row rows[] = {
      {8, 8},          // u8
      {16, 16},        // u16
      {32, 32},        // u32
      {32, 32},        // i32
      {64, 64},        // u64
      {64, 64},        // i64
      {16, 16, true},  // f16
      {32, 32, true},  // f32
      {64, 64, true},  // f64
      {16, 16, true},  // bf16
      {32, 32, true},  // f32_ftz
      {32, 32, true},  // tf32
      {32, 32, true},  // tf32_ftz
      {4, 4},          // u4_align8
      {4, 8},          // u4_align16
      {6, 8}           // u6_align16
  };
  coalescing::detail::check_enumerator(element);
  return rows[static_cast<unsigned>(element)];
}

/// The facts of a swizzle: one or two exclusive ors on the whole address of a byte in shared memory (not on its offset
/// in the box). Whatever the span, a row of the pattern is one 128-byte line of shared memory: the exclusive or is the
/// same for all bytes of the line.
struct tensor_swizzle_row {
  unsigned span = 0;              ///< the most bytes that a row of a box may have; 0: no limit
  coalescing::swizzle map = {};   ///< the exclusive or on an address
  coalescing::swizzle flip = {};  ///< a second exclusive or; empty if the swizzle has only one
  bool has_atoms = false;         ///< the swizzle moves units (atoms) of more than 16 bytes
  source from = {};

  /// The number of bytes after which the pattern repeats. If the base of a box is a multiple of this number, the box
  /// begins with the pattern's first row.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t repeats() const { return std::uint64_t{1} << map.top(); }
};
/// The facts of a swizzle, from the table here.
[[nodiscard]] COALESCE_API constexpr tensor_swizzle_row row_of(tensor_swizzle swizzle) {
  using documents::ptx_9_1;
  constexpr auto one = [](box_swizzle const& is, bool has_atoms = false) {
    return tensor_swizzle_row{.span = is.span,
                              .map = {is.bits, is.base, static_cast<int>(is.shift)},
                              .has_atoms = has_atoms,
                              .from = is.from};
  };
  constexpr tensor_swizzle_row rows[] = {
      {.from = ptx_9_1.says("5.5.7", "no swizzle")},
      one(rules::swizzle_32),
      one(rules::swizzle_64),
      one(rules::swizzle_128),
      one(rules::swizzle_128_atom_32, true),
      {.span = 128,
       .map = {2, 5, 2},
       .flip = {1, 3, 4},
       .has_atoms = true,
       .from = ptx_9_1.implies("5.5.7", "8-byte halves are swapped in every other line: that these are the odd ones")},
      one(rules::swizzle_128_atom_64, true),
  };
  coalescing::detail::check_enumerator(swizzle);
  return rows[static_cast<unsigned>(swizzle)];
}

/// The swizzle as a co::swizzle, which is CuTe's Swizzle on byte addresses. Refused: bytes_128_atom_32_flip_8, which
/// consists of two exclusive ors.
[[nodiscard]] COALESCE_API constexpr coalescing::swizzle swizzle_of(tensor_swizzle swizzle) {
  auto const row = row_of(swizzle);
  if (row.flip.bits != 0) refused::swizzle_is_two_exclusive_ors_use_swizzle_address();
  return row.map;
}
/// The byte address in shared memory to which a swizzle moves a byte. Every swizzle is its own inverse.
[[nodiscard]] COALESCE_API constexpr std::uint64_t swizzle_address(tensor_swizzle swizzle, std::uint64_t address) {
  auto const row = row_of(swizzle);
  return row.flip(row.map(address));
}

}  // namespace coalescing::cuda
