// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/tma/enumerations.hpp>

#include <cstdint>

// A box of a tensor in shared memory after TMA has loaded it: a layout that kernels can index with.

namespace coalescing::cuda {

/// A box in shared memory, built by tensor_map::shared. It maps an element to the byte address of the element after the
/// swizzle. If the box is used as the pattern of an access, lane k accesses element k; the first coordinate varies
/// fastest. An element of less than 8 bits has the address of the byte that holds its lowest bit after a load.
struct shared_box {
  std::uint64_t base = 0;  ///< byte address of the box
  tensor_element element = tensor_element::u8;
  tensor_swizzle swizzle = tensor_swizzle::none;
  unsigned rank = 1;            ///< dimensions: 1 to 5
  std::uint64_t pitch = 0;      ///< bytes from one row to the next
  std::uint64_t count[5] = {};  ///< elements along each dimension, the fastest first

  /// The number of elements of the box.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const {
    std::uint64_t product = 1;
    for (unsigned k = 0; k != rank && k != 5; ++k) product *= count[k];
    return product;
  }
  /// The number of bytes from the base to an element, before the swizzle. Refused: an element that the box does not
  /// have.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t unswizzled(std::uint64_t const (&at)[5]) const {
    if (rank < 1 || rank > 5) refused::tensor_has_another_rank();
    for (unsigned k = 0; k != rank; ++k)
      if (at[k] >= count[k]) refused::box_has_no_such_element(at[k]);
    std::uint64_t row = 0;
    for (unsigned k = rank; k-- > 1;) row = row * count[k] + at[k];
    auto const bits = row_of(element);
    return row * pitch + at[0] / 16 * 2 * bits.shared_bits + at[0] % 16 * bits.bits / 8;
  }
  /// The byte address of an element after the swizzle. The arguments are one coordinate for each dimension, or a linear
  /// index. Refused: an element that the box does not have.
  template <coalescing::detail::integer... At>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    static_assert(sizeof...(At) >= 1 && sizeof...(At) <= 5, "shared_box: a linear index, or 2 to 5 coordinates");
    if (rank < 1 || rank > 5 || (sizeof...(At) != 1 && sizeof...(At) != rank)) refused::tensor_has_another_rank();
    std::uint64_t place[5] = {static_cast<std::uint64_t>(at)...};
    for (unsigned k = 0; sizeof...(At) == 1 && k + 1 != rank; ++k) {
      if (count[k] == 0) refused::box_has_no_such_element(place[k]);
      place[k + 1] = place[k] / count[k], place[k] %= count[k];
    }
    return swizzle_address(swizzle, base + unswizzled(place));
  }
  bool operator==(shared_box const&) const = default;
};

}  // namespace coalescing::cuda
