// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/sums.hpp>

#include <type_traits>

// Operators that read an element of a recorded array and write it: +=, ++ and the like.

namespace coalescing::detail {

template <class Recorder, memory_space Space, class T>
struct recorded_element;

template <class T>
inline constexpr bool is_recorded_element = false;
template <class Recorder, memory_space Space, class T>
inline constexpr bool is_recorded_element<recorded_element<Recorder, Space, T>> = true;

/// The value of an operand. If the operand is an element, this loads it.
template <class V>
COALESCE_API constexpr auto value_of(V&& v) {
  if constexpr (is_recorded_element<std::remove_cvref_t<V>>)
    return static_cast<typename std::remove_cvref_t<V>::value>(static_cast<std::remove_cvref_t<V>>(v));
  else
    return v;
}

/// Whether C++ has ++ and -- for the type. It has neither for bool.
template <class T>
concept can_count = !std::is_same<T, bool>::value && requires(T x) {
  ++x, x++, --x, x--;
};

/// Compound assignments, ++ and --. Each is a load, C++'s own operator on a variable of the element's type, and a
/// store. The right operand is read first.
template <class Element, class Value>
struct operators_of_element {
  // Warnings of conversions are off: they would point at this header, not at the line of the kernel that converts.
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#endif
  template <class V>
  COALESCE_API constexpr Value operator+=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x += y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator-=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x -= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator*=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x *= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator/=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x /= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator%=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x %= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator|=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x |= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator&=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x &= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator^=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x ^= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator<<=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x <<= y; });
  }
  template <class V>
  COALESCE_API constexpr Value operator>>=(V&& v) const {
    return change(static_cast<V&&>(v), [](Value& x, auto const& y) { x >>= y; });
  }
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
  COALESCE_API constexpr Value operator++() const requires can_count<Value> { return counted<true>().after; }
  COALESCE_API constexpr Value operator--() const requires can_count<Value> { return counted<false>().after; }
  COALESCE_API constexpr Value operator++(int) const requires can_count<Value> { return counted<true>().before; }
  COALESCE_API constexpr Value operator--(int) const requires can_count<Value> { return counted<false>().before; }

 private:
  COALESCE_API constexpr Element const& self() const { return static_cast<Element const&>(*this); }
  COALESCE_API constexpr Value loaded() const { return static_cast<Value>(Element(self())); }
  template <class V, class Operation>
  COALESCE_API constexpr Value change(V&& v, Operation const& operation) const {
    auto const right = detail::value_of(static_cast<V&&>(v));
    Value now = loaded();
    operation(now, right);
    return self() = now;
  }
  struct count_of_element {
    Value before, after;
  };
  /// Adds or subtracts 1. (Numbers use x + 1 instead of ++x: for a short, g++ 12 reports an overflow of ++x where x + 1
  /// does not overflow.)
  template <bool IsUp>
  COALESCE_API constexpr count_of_element counted() const {
    Value const before = loaded();
    Value after = before;
    if constexpr (std::is_arithmetic<Value>::value)
      after = static_cast<Value>(IsUp ? before + 1 : before - 1);
    else
      IsUp ? ++after : --after;
    self() = after;
    return {before, after};
  }
};

}  // namespace coalescing::detail
