// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/cuda/tma/enumerations.hpp>
#include <coalesce/cuda/tma/operand.hpp>

#include <cstdint>

// boxed_operand decides whether tensor cores can read a tile by descriptor, if the tile is copied to shared memory in
// boxes. co::suggest(tile, co::tensor_boxes.read_by(boxed_operand), uses...) suggests only layouts that they can read.

namespace coalescing::cuda {

/// An operand of wgmma or tcgen05.mma in a tile of boxes. The tile's columns run along K if the operand is K-major,
/// else along M or N. The tile's rows run along the other dimension.
struct boxed_operand {
  tensor_core unit = tensor_core::wgmma;
  unsigned bits = 16;  ///< bits of an element
  cuda::major major = cuda::major::k;

  /// Whether descriptors can describe `layout`, a co::boxed_layout. Its elements must have `bits` bits. Its swizzle
  /// must be none, or one of TMA's. Its boxes must be as wide as the swizzle's span, or 16 bytes without a swizzle. The
  /// number of its rows must be a multiple of 8, or of 4 where atoms have 32 bytes. The operand must break no rule of
  /// the tensor core. PTX ISA 9.1, 9.7.15.5.1.2 and 9.7.16.3.3.
  template <class Layout>
  [[nodiscard]] COALESCE_API constexpr bool operator()(Layout const& layout) const {
    auto const swizzle = swizzle_of_boxes(layout);
    auto const row = row_of(swizzle);
    unsigned const group = swizzle == tensor_swizzle::bytes_128_atom_32 ? 4 : 8;
    return row.map == layout.swizzle && layout.element_bytes * 8 == bits && layout.rows % group == 0 &&
           layout.box_bytes == (row.span == 0 ? 16 : row.span) && operand(layout).fault(unit) == operand_fault::none;
  }
  /// The operand that begins at the tile's first byte; a kernel builds its descriptor. A K-major operand with a swizzle
  /// is only one box wide, so each further box along K needs a descriptor of its own.
  template <class Layout>
  [[nodiscard]] COALESCE_API constexpr shared_operand operand(Layout const& layout) const {
    auto const swizzle = swizzle_of_boxes(layout);
    bool const plain = swizzle == tensor_swizzle::none, by_k = major == cuda::major::k;
    std::uint64_t const box = layout.rows * layout.box_bytes,
                        group = (swizzle == tensor_swizzle::bytes_128_atom_32 ? 4 : 8) * layout.box_bytes;
    if (plain && !by_k) return {.bits = bits, .major = major, .swizzle = swizzle, .leading = group, .stride = box};
    return {.bits = bits, .major = major, .swizzle = swizzle, .leading = plain || !by_k ? box : 0, .stride = group};
  }

 private:
  /// The enumerator of the layout's swizzle: tensor_swizzle::none if the layout has no swizzle, or one that is not in
  /// the list `swizzles`.
  template <class Layout>
  COALESCE_API static constexpr tensor_swizzle swizzle_of_boxes(Layout const& layout) {
    constexpr tensor_swizzle swizzles[] = {tensor_swizzle::bytes_32, tensor_swizzle::bytes_64,
                                           tensor_swizzle::bytes_128, tensor_swizzle::bytes_128_atom_32,
                                           tensor_swizzle::bytes_128_atom_64};
    for (auto const known : swizzles)
      if (row_of(known).map == layout.swizzle) return known;
    return tensor_swizzle::none;
  }
};

}  // namespace coalescing::cuda
