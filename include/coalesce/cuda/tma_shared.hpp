// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/config.hpp>
#include <coalesce/cuda/tma_rows.hpp>
#include <coalesce/misuse.hpp>

#include <cstdint>

// A box of a tensor in shared memory, as TMA leaves it there: a layout that kernels can index with.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void tensor_has_another_rank() {
  detail::refuse("there are not as many coordinates as the tensor map has dimensions (tensor_map::rank)");
}
[[noreturn]] COALESCE_API inline void box_has_no_such_element(std::uint64_t) {
  detail::refuse(
      "the box has no such element: it has ceil(box / element_stride) each way, the first stride being ignored");
}

}  // namespace refused

namespace cuda {

/// A box in shared memory: element -> byte address after the swizzle. As a pattern, lane k is element k, the first
/// coordinate varying fastest. Of elements below a byte it is the byte that holds the lowest bit, as loads leave them.
struct shared_box {
  std::uint64_t base = 0;  ///< byte address of its first element
  tensor_element element = tensor_element::u8;
  tensor_swizzle swizzle = tensor_swizzle::none;
  unsigned rank = 1;
  std::uint64_t pitch = 0;      ///< bytes from row to row
  std::uint64_t count[5] = {};  ///< elements each way

  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const {
    std::uint64_t product = 1;
    for (unsigned k = 0; k != rank && k != 5; ++k) product *= count[k];
    return product;
  }
  /// Before the swizzle, and from the base.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t unswizzled(std::uint64_t const (&at)[5]) const {
    if (rank < 1 || rank > 5) refused::tensor_has_another_rank();
    for (unsigned k = 0; k != rank; ++k)
      if (at[k] >= count[k]) refused::box_has_no_such_element(at[k]);
    std::uint64_t row = 0;
    for (unsigned k = rank; k-- > 1;) row = row * count[k] + at[k];
    auto const bits = row_of(element);
    return row * pitch + at[0] / 16 * 2 * bits.shared_bits + at[0] % 16 * bits.bits / 8;
  }
  template <coalescing::detail::integer... At>
  requires(sizeof...(At) >= 2 && sizeof...(At) <= 5)  //
      [[nodiscard]] COALESCE_API constexpr std::uint64_t
      operator()(At... at) const {
    if (sizeof...(At) != rank) refused::tensor_has_another_rank();
    std::uint64_t const place[5] = {static_cast<std::uint64_t>(at)...};
    return swizzle_address(swizzle, base + unswizzled(place));
  }
  template <coalescing::detail::integer Index>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Index index) const {
    if (rank < 1 || rank > 5) refused::tensor_has_another_rank();
    std::uint64_t place[5] = {}, rest = static_cast<std::uint64_t>(index);
    for (unsigned k = 0; k + 1 != rank; ++k) {
      if (count[k] == 0) refused::box_has_no_such_element(rest);
      place[k] = rest % count[k], rest /= count[k];
    }
    place[rank - 1] = rest;
    return swizzle_address(swizzle, base + unswizzled(place));
  }
  bool operator==(shared_box const&) const = default;
};

}  // namespace cuda

}  // namespace coalescing
