// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// Makes patterns from layouts of other libraries (CuTe, mdspan). A pattern gives byte addresses; such a layout gives
// the indices of elements.

namespace coalescing {

#ifdef __GNUC__  // no warnings of conversions where a user's function is called, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

namespace detail {

/// Types whose elements do not lie sizeof(T) bytes apart: CUTLASS's integers and floats of fewer than 8 bits, and
/// CuTe's elements of sparse tensors. They are recognized by their members, without including these libraries.
template <class T>
concept packed = requires {
  requires T::bits_mask_ != static_cast<typename T::Storage>(-1);
}
|| requires { requires T::BitRepresentation::NUM_BITS != 8 * sizeof(T); }
|| requires {
  typename T::raw_type;
  requires T::sparsity != 1;
};

/// Objects that hold a layout and are not layouts themselves: mdspan, and CuTe's tensor. (A tensor can be called like a
/// layout, but gives values.)
template <class T>
concept gives_values = requires(T const& tensor) {
  tensor.data();
  tensor.layout().shape();
}
|| requires(T const& view) {
  view.mapping();
  view.accessor();
};

/// The type in which a coordinate is passed on to a function. It is the coordinate's own type, except for a layout of
/// another library. Such a layout gets a signed type, since the product of an unsigned lane and a negative stride would
/// wrap at 2^32.
template <class Function, integer At>
using coordinate = std::conditional_t<gives_elements<Function>, std::int64_t, At>;

/// Whether a function gives an index at these coordinates. (This is a concept because before CUDA 13 a requires-clause
/// takes no requires-expression over a pack.)
template <class Function, class... At>
concept gives_an_index = requires(Function const& function, At... at) {
  { function(at...) } -> convertible_to_an_index;
};

/// The result of elements<T>(): a pattern of byte addresses.
template <class Function>
struct bytes_of_elements {
  Function element;
  std::uint64_t base;
  std::uint64_t element_bytes;

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <integer... At>
  requires gives_an_index<Function, coordinate<Function, At>...>  // (so that clang-format breaks the line here)
      COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    return base + static_cast<std::uint64_t>(
                      static_cast<std::int64_t>(element(static_cast<coordinate<Function, At>>(at)...))) *
                      element_bytes;
  }
  bool operator==(bytes_of_elements const&) const = default;
};

}  // namespace detail

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// Makes a byte pattern of a layout of another library, or of any function that gives the index of an element of type
/// T. The byte address is base + index * sizeof(T). The pattern takes the arguments that the layout takes: one (the
/// lane) or several. Refused: a T whose elements do not lie sizeof(T) bytes apart (elements of less than a byte, sparse
/// ones), and an object that holds values (a tensor, an mdspan).
template <class T, class Layout>
[[nodiscard]] COALESCE_API constexpr auto elements(Layout layout, std::uint64_t base = 0) {
  static_assert(!detail::packed<T>,
                "elements of this type are packed, sizeof does not say how far apart they lie: recast the layout to "
                "bytes (CuTe: co::elements<std::uint8_t>(cute::recast_layout<T, std::uint8_t>(layout)))");
  static_assert(!detail::gives_values<Layout>,
                "this gives values: elements<T>() takes the layout that says where they are (CuTe: tensor.layout(), "
                "mdspan: view.mapping())");
  return detail::bytes_of_elements<Layout>{layout, base, sizeof(T)};
}

}  // namespace coalescing
