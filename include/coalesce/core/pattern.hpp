// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// Patterns: the byte address of each lane. Any callable from a lane to a byte address is a pattern; this header names
// the common ones.
//
// The library calls a pattern for active lanes only. (A scalar load is one request, so its pattern is called for lane 0
// if any lane is active.) Addresses have 64 bits and their arithmetic is modulo 2^64; a
// pattern that computes in 32 bits wraps at 4 GiB before the library sees its address.

namespace coalescing {

namespace detail {

template <class T, class... Those>
concept one_of = (std::same_as<std::remove_cvref_t<T>, Those> || ...);
/// An integer of at most 64 bits that is not a bool. This concept does not use std::integral: where g++ does not
/// optimize, the variable std::is_integral_v of a lambda's type would stay in the object file.
template <class T>
concept integer =
    std::is_integral<std::remove_cvref_t<T>>::value && !one_of<T, bool> && sizeof(T) <= sizeof(std::uint64_t);

/// A class that is a floating-point number for its users, such as __half. It converts to integers too. (Any class with
/// a conversion to float or double counts, also with an explicit one, and with a template that converts to all types.)
template <class T>
concept convertible_to_floating_point = requires(T const& number) {
  number.operator float();
}
|| requires(T const& number) { number.operator double(); };

/// A type in which a layout can give the index of an element: an integer, or a class that converts to one, such as
/// CuTe's constants.
template <class T>
concept convertible_to_an_index = integer<T> ||
    (std::is_class_v<std::remove_cvref_t<T>> && !convertible_to_floating_point<std::remove_cvref_t<T>> &&
     std::convertible_to<T, std::int64_t>);

/// A layout of another library: CuTe's, or the mapping of an mdspan. It is recognized by its members, without including
/// that library. Such a layout gives the index of an element, which would silently pass for a byte address.
template <class T>
concept gives_elements = requires(T const& layout) {
  layout.layout().shape();
}
|| requires(T const& mapping) {
  mapping.required_span_size();
  mapping.extents();
};

template <class T>
concept callable_pattern = requires(T const& pattern, unsigned lane) {
  { pattern(lane) } -> integer;
};

template <class T>
concept c_array = std::is_bounded_array<T>::value;

template <class T>
concept array_pattern = !callable_pattern<T> && (c_array<T> || requires(T const& array) {
  { array.size() } -> std::convertible_to<std::uint64_t>;
}) && requires(T const& array, unsigned lane) {
  { array[lane] } -> integer;
};

}  // namespace detail

/// Gives each lane a byte address. A pattern is a function of the lane that returns an integer (not a bool), or an
/// array, span or vector of byte addresses.
template <class T>
concept pattern = detail::callable_pattern<T> || detail::array_pattern<T>;

namespace detail {
/// The mask of a call that names no lanes: every lane is active. This mask has a type of its own, so that the compiler
/// need not instantiate the loop for waves with inactive lanes.
struct every_lane {};
}  // namespace detail

/// The active lanes: a 64-bit mask, whose bit k is lane k, or a predicate lane -> bool. By default every lane is
/// active.
template <class T>
concept lane_mask = __is_base_of(detail::every_lane, T) ||
                    (detail::integer<T> && !detail::one_of<T, char, wchar_t, char8_t, char16_t, char32_t>) ||
                    requires(T const& active, unsigned lane) {
  { active(lane) } -> detail::one_of<bool>;
};

namespace detail {
/// The type of the first member of `linear`. Nothing converts to this type, so co::linear{128} does not compile: some
/// readers would take 128 for a stride, others for a base.
struct say_base_or_stride_by_name {
  COALESCE_API constexpr say_base_or_stride_by_name() {}
  bool operator==(say_base_or_stride_by_name const&) const = default;
};
}  // namespace detail

/// Lane k accesses byte base + k * stride. The members are given by name: co::linear{.base = 128, .stride = 4}. The
/// arithmetic is modulo 2^64, so a negative stride works, and so does a base that stands for a negative offset.
struct linear {
#ifdef _MSC_VER  // MSVC ignores the standard attribute
  [[msvc::no_unique_address]]
#else
  [[no_unique_address]]
#endif
  detail::say_base_or_stride_by_name by_name = {};
  std::uint64_t base = 0;   ///< byte address of lane 0
  std::int64_t stride = 0;  ///< bytes from one lane to the next
  COALESCE_API constexpr std::uint64_t operator()(unsigned lane) const {
    return base + lane * static_cast<std::uint64_t>(stride);
  }
  bool operator==(linear const&) const = default;
};

/// Every lane accesses byte `base`.
struct broadcast {
  std::uint64_t base = 0;  ///< byte address of all lanes
  COALESCE_API constexpr std::uint64_t operator()(unsigned) const { return base; }
  bool operator==(broadcast const&) const = default;
};

}  // namespace coalescing
