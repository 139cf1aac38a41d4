// SPDX-License-Identifier: BSL-1.0
//
// Stand-ins for what is known of other libraries without including them: the members by which it is known. The real
// ones are asked by tests/toolchain/layouts/run.
#pragma once
#include <concepts>
#include <cstdint>

namespace foreign {

/// Like cute::Layout and ComposedLayout: called in the type of its coordinate.
struct strided {
  int stride = 1;
  constexpr strided const& layout() const { return *this; }
  constexpr int shape() const { return 32; }
  template <std::integral Coordinate>
  constexpr auto operator()(Coordinate at) const {
    return at * stride;
  }
};
/// Like cute::Tensor: gives the values of the elements.
template <class Value>
struct tensor {
  constexpr Value const* data() const { return nullptr; }
  constexpr strided layout() const { return {}; }
  constexpr int shape() const { return 32; }
  constexpr Value operator()(unsigned) const { return {}; }
};
/// Like std::layout_right::mapping of 32 x 33.
struct mapping {
  constexpr int extents() const { return 0; }
  constexpr int required_span_size() const { return 32 * 33; }
  constexpr int operator()(std::convertible_to<int> auto row, std::convertible_to<int> auto column) const {
    return 33 * static_cast<int>(row) + static_cast<int>(column);
  }
};
/// Like std::mdspan.
struct view {
  constexpr foreign::mapping mapping() const { return {}; }
  constexpr int accessor() const { return 0; }
  constexpr int extents() const { return 0; }
};
/// An array whose layout() is a tag, as in some libraries. It is a table of addresses, or of elements.
struct array {
  enum class order { rows };
  constexpr order layout() const { return order::rows; }
  constexpr int shape() const { return 32; }
  constexpr std::uint64_t const* data() const { return nullptr; }
  constexpr std::uint64_t operator()(unsigned lane) const { return 4 * lane; }
};
/// A table that says how long it is in the words of a mapping.
struct sized {
  constexpr int required_span_size() const { return 32; }
  constexpr std::uint64_t operator()(unsigned lane) const { return 4 * lane; }
};

/// Like cutlass::integer_subbyte.
template <int Bits>
struct integer {
  using Storage = std::uint8_t;
  static constexpr Storage bits_mask_ = static_cast<Storage>(0xff >> (8 - Bits));
  Storage storage;
};
/// Like cutlass::float_e2m1_t and its kind.
template <unsigned Bits>
struct real {
  struct BitRepresentation {
    static constexpr std::uint32_t NUM_BITS = Bits;
  };
  std::uint8_t storage;
};
/// Like cute::sparse_elem.
template <int Sparsity>
struct sparse {
  using raw_type = short;
  static constexpr int sparsity = Sparsity;
  raw_type elem_;
};

}  // namespace foreign
