// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <type_traits>

// Tells which values may steer addresses (decide where a kernel accesses memory). All values may, except floating-point
// numbers and classes that hold nothing but such numbers.

namespace coalescing::detail {

template <class T>
inline constexpr bool is_integer = std::disjunction<std::is_integral<T>, std::is_enum<T>>::value;

/// Whether a type holds floating-point numbers: float and its like, a type that only one compiler has (such as
/// _Float16), a compiler's vector of such numbers, or a class with `operator float`, such as __half.
template <class T>
constexpr bool is_floating() {
  if constexpr (std::is_class<T>::value) return requires(T const& value) {
      value.operator float();
    };
  else if constexpr (requires(T const& vector) { vector[0]; } && !std::is_pointer<T>::value)
    return detail::is_floating<std::remove_cvref_t<decltype(T{}[0])>>();
  else if constexpr (!is_integer<T> && !std::is_union<T>::value && requires { static_cast<T>(0.5); })
    return static_cast<T>(0.5) != static_cast<T>(0);  // false for __int128: it truncates 0.5 to 0
  else
    return false;
}

/// Each of these three types stands for the initialiser of one member of an aggregate. any_number_at_all initialises a
/// member that is a floating-point number, any_union_at_all a union, and anything_at_all a member of any type.
struct any_number_at_all {
  template <class T>
  requires(detail::is_floating<T>()) constexpr operator T() const;
};
struct any_union_at_all {
  template <class T>
  requires(std::is_union<T>::value) constexpr operator T() const;
};
struct anything_at_all {
  template <class T>
  constexpr operator T() const;
};
/// Whether an aggregate holds floating-point numbers and nothing else. `before` are initialisers of the members that
/// are already known to hold such numbers. (If an aggregate has more than 256 members, the answer is false.)
template <class T, class... Before>
constexpr bool holds_numbers_alone(Before const&... before) {
  if constexpr (sizeof...(Before) > 256 || requires { T{before..., any_union_at_all{}}; })
    return false;
  else if constexpr (requires { T{before..., any_number_at_all{}}; })
    return detail::holds_numbers_alone<T>(before..., any_number_at_all{});
  else
    return !requires { T{before..., anything_at_all{}}; };
}
/// The bytes of a member, if it is a floating-point number; else 0.
template <class Member>
inline constexpr unsigned bytes_of_number = detail::is_floating<std::remove_cvref_t<Member>>() ? sizeof(Member) : 0;
/// Whether a class with constructors is a vector of floating-point numbers, such as __half2. The answer is true if
/// those of its members x, y, z and w that are floating-point numbers make up all its bytes.
template <class T>
constexpr bool is_vector_of_numbers() {
  unsigned bytes = 0;
  if constexpr (requires(T & v) { v.x; }) bytes += bytes_of_number<decltype(T::x)>;
  if constexpr (requires(T & v) { v.y; }) bytes += bytes_of_number<decltype(T::y)>;
  if constexpr (requires(T & v) { v.z; }) bytes += bytes_of_number<decltype(T::z)>;
  if constexpr (requires(T & v) { v.w; }) bytes += bytes_of_number<decltype(T::w)>;
  return bytes == sizeof(T);
}
template <class T>
constexpr bool may_steer_addresses() {
  if constexpr (std::is_class<T>::value && std::is_aggregate<T>::value)
    return !detail::holds_numbers_alone<T>();
  else if constexpr (std::is_class<T>::value)
    return !detail::is_floating<T>() && !detail::is_vector_of_numbers<T>();
  else
    return !detail::is_floating<T>();
}

}  // namespace coalescing::detail
