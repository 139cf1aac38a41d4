// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/layout/array_of.hpp>
#include <coalesce/layout/bits.hpp>
#include <coalesce/layout/elements.hpp>

#include <cstdint>

// Layouts for kernels: small values that give byte addresses, callable in host code, device code and constant
// expressions. A static_assert can therefore check the layout that the kernel itself uses. All arithmetic is modulo
// 2^64, like that of `linear`.
//
// The layouts of other libraries (CuTe, mdspan) give indices of elements, not byte addresses: elements<T>() makes
// patterns of such layouts.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void layout_has_no_such_element(std::uint64_t) {
  detail::refuse(
      "the linear index is not less than the layout's size(): it has fewer elements than the instruction "
      "has active lanes, or an extent is missing");
}
[[noreturn]] COALESCE_API inline void layout_has_a_negative_extent() {
  detail::refuse("an extent of the layout is negative");
}
[[noreturn]] COALESCE_API inline void layout_has_more_elements_than_fit_64_bits() {
  detail::refuse("the extents of the layout multiply to more than 2^64 - 1");
}
[[noreturn]] COALESCE_API inline void swizzle_is_no_permutation() {
  detail::refuse(
      "the swizzle's bits overlap those that they are combined with, or lie beyond the 64th: `shift` is at "
      "least `bits`, up or down");
}

}  // namespace refused

namespace detail {

/// Whether the arguments of a layout are coordinates: one integer for each mode. A layout of one mode takes a linear
/// index instead.
template <unsigned Rank, class... At>
concept coordinates = Rank != 1 && sizeof...(At) == Rank && (integer<At> && ...);

template <class Function, class... At>
concept gives_an_integer = (integer<At> && ...) && requires(Function const& function, At... at) {
  { function(at...) } -> integer;
};
/// Whether a function gives a number of a signed type narrower than int at these arguments, which may be negative.
template <class Function, class... At>
concept gives_a_narrow_number = requires(Function const& function, At... at) {
  requires is_narrow<decltype(function(at...))>;
};

template <class T>
COALESCE_API constexpr std::uint64_t times(std::int64_t a, T b) {
  return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
}

}  // namespace detail

/// Shape and stride as CuTe writes them, fastest mode (dimension) first, but with strides in bytes: layout<2>{.base =
/// 256, .shape = {32, 8}, .stride = {4, 132}} has its element (i, j) at byte 256 + 4 * i + 132 * j. Strides may be
/// negative or 0; strides left out are 0. Used as a pattern, the layout gives lane k the address of element k.
template <unsigned Rank>
struct layout {
  static_assert(Rank != 0, "a layout has at least one mode");
  std::uint64_t base = 0;          ///< byte address of element (0, 0, ...)
  std::int64_t shape[Rank] = {};   ///< the number of elements along each mode
  std::int64_t stride[Rank] = {};  ///< bytes from one element to the next along each mode

  /// The number of elements. Refused: a negative extent; a product above 2^64 - 1.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const {
    std::uint64_t count = 1;
    bool fits = true, none = false;
    for (std::int64_t const extent : shape) {
      if (extent < 0) refused::layout_has_a_negative_extent();
      none = none || extent == 0;
      fits = fits && (none || count <= ~std::uint64_t{0} / static_cast<std::uint64_t>(extent));
      count = detail::times(extent, count);
    }
    if (!fits && !none) refused::layout_has_more_elements_than_fit_64_bits();
    return count;
  }
  /// The byte address of an element, by its coordinate in each mode. A coordinate may lie beyond the extent, as in a
  /// halo. (A layout of one mode has only the next operator, which takes a linear index.)
  template <class... At>
  requires detail::coordinates<Rank, At...>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    std::uint64_t address = base,
                  mode = 0;  // declared with `address`, since compilers limit the statements of a constant expression
    return ((address += static_cast<std::uint64_t>(stride[mode++]) * static_cast<std::uint64_t>(at)), ...), address;
  }
  /// The byte address of an element, by its linear index; the first mode varies fastest. Refused: an index that is not
  /// below size().
  template <detail::integer Index>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Index index) const {
    std::uint64_t address = base;
    auto rest = static_cast<std::uint64_t>(index);
    for (unsigned mode = 0; mode != Rank; ++mode) {
      if (shape[mode] < 0) refused::layout_has_a_negative_extent();
      auto const extent = static_cast<std::uint64_t>(shape[mode]);
      if (rest >= extent && (mode == Rank - 1 || extent == 0))
        refused::layout_has_no_such_element(static_cast<std::uint64_t>(index));
      address += detail::times(stride[mode], rest < extent ? rest : rest % extent);
      rest = rest < extent ? 0 : rest / extent;
    }
    return address;
  }
  bool operator==(layout const&) const = default;
};

template <class Layout>
struct swizzled;

/// CuTe's Swizzle<bits, base, shift>, on byte addresses. It XORs the `bits` bits from bit `base` on with the bits that
/// lie `shift` positions higher. A negative shift -s does the reverse: it XORs those higher bits, from bit base + s on,
/// with the bits from bit `base` on. CuTe's base counts elements: for elements of 2^n bytes, CuTe's base is `base` - n.
/// Refused: bits that overlap or lie beyond the 64th.
///
///     address   . . . . . Y Y Y . . Z Z Z . . . .      {.bits = 3, .base = 4, .shift = 5}: Z becomes Z ^ Y
struct swizzle {
  unsigned bits = 0;
  unsigned base = 0;
  int shift = 0;

  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(std::uint64_t address) const {
    unsigned const distance = shift < 0 ? 0u - static_cast<unsigned>(shift) : static_cast<unsigned>(shift),
                   from = shift < 0 ? base : base + distance, to = shift < 0 ? base + distance : base;
    if (bits > distance || base > 63 || base + distance > 63 || bits + base + distance > 64)
      refused::swizzle_is_no_permutation();
    return address ^ (address >> from & ((std::uint64_t{1} << bits) - 1)) << to;
  }
  /// The swizzle neither reads nor changes bits from bit top() on. So each address stays in its aligned block of
  /// 2^top() bytes.
  [[nodiscard]] COALESCE_API constexpr unsigned top() const {
    return bits + base + (shift < 0 ? 0u - static_cast<unsigned>(shift) : static_cast<unsigned>(shift));
  }
  /// Applies the swizzle to the addresses of a layout, or of any function that gives byte addresses.
  template <class Layout>
  [[nodiscard]] COALESCE_API constexpr swizzled<Layout> over(Layout layout) const {
    static_assert(!detail::gives_elements<Layout>,
                  "this layout gives elements, and a swizzle is of byte addresses: say over(co::elements<T>(layout))");
    return {*this, layout};
  }
  bool operator==(swizzle const&) const = default;
};

#ifdef __GNUC__  // no warnings of conversions in calls of a user's function, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// A swizzle over a layout: the result of swizzle::over(). It swizzles whole addresses, the base included, as the
/// hardware does. CuTe's composition swizzles offsets from the base instead. Both ways give the same addresses if the
/// layout's base is a multiple of 2^top() bytes.
template <class Layout>
struct swizzled {
  coalescing::swizzle swizzle = {};
  Layout layout = {};

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class... At>
  requires detail::gives_an_integer<Layout, At...>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    return swizzle(static_cast<std::uint64_t>(layout(at...)));
  }
  /// Refused: a negative number of a narrow type.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class... At>
  requires detail::gives_an_integer<Layout, At...> && detail::gives_a_narrow_number<Layout, At...>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    auto const address = layout(at...);
    unsigned const lane[] = {static_cast<unsigned>(at)...};
    if (address < 0) refused::address_is_a_narrow_negative_number(lane[0]);
    return swizzle(static_cast<std::uint64_t>(address));
  }
  bool operator==(swizzled const&) const = default;
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// A matrix whose rows lie one after the other in memory. tile{.rows = 32, .columns = 32, .element_bytes = 4, .pitch =
/// 132} has its element (row, column) at byte 132 * row + 4 * column. Used as a pattern, the tile gives lane k element
/// k, row by row. Used as a pattern of (lane, step), it gives the element in row `lane` and column `step`.
struct tile {
  std::uint64_t base = 0;  ///< byte address of element (0, 0)
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t element_bytes = 0;
  std::int64_t pitch = static_cast<std::int64_t>(detail::times(columns, element_bytes));  ///< bytes from row to row

  /// This tile as a layout whose first coordinate is the column.
  [[nodiscard]] COALESCE_API constexpr layout<2> as_layout() const {
    return {.base = base, .shape = {columns, rows}, .stride = {element_bytes, pitch}};
  }
  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const { return as_layout().size(); }
  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return base + static_cast<std::uint64_t>(pitch) * static_cast<std::uint64_t>(row) +
           static_cast<std::uint64_t>(element_bytes) * static_cast<std::uint64_t>(column);
  }
  template <detail::integer Index>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Index index) const {
    return as_layout()(index);
  }
  bool operator==(tile const&) const = default;
};

}  // namespace coalescing
