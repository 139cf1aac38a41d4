// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/elements.hpp>
#include <coalesce/record/hardware_atomics.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>

#include <type_traits>

// Atomics for a kernel's body: the hardware's in device code, a site in a recording. A raw reference in host code is
// changed by plain arithmetic, for one thread.
//
// No lane knows what others did before it, so a recording refuses the use of an atomic's integer result, unless the
// array says any_value.

namespace coalescing {

namespace detail {

/// The value before an atomic.
template <class Recorder, class T>
struct recorded_result {
  Recorder* to;
  array_facts const* array;
  std::uint64_t address;
  source_place at;

  COALESCE_API constexpr operator T() const {
    if (is_integer<T> && !array->any_value)
      refused::integer_is_read_from_an_array_without_contents(array->name, at.line, to->lane, address - array->base);
    return T{};
  }
};
template <class Recorder, memory_space Space, class T>
COALESCE_API constexpr auto note_atomic(recorded_element<Recorder, Space, T> const& e) {
  static_assert(!std::is_const<T>::value, "the kernel writes to an array of const elements");
  e.to->template access_to<Space, touch::atomic, T>(e.at, *e.array, e.address);
  return recorded_result<Recorder, T>{e.to, e.array, e.address, e.at};
}

}  // namespace detail

/// Atomics on an element: co::atomic_add(p[i], v). Each gives the value before. In device code they are the atomics of
/// the hardware, on the types for which it has them.
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_add(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::add_(&at, static_cast<T>(v));
  return detail::hardware_atomics::add_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_sub(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::sub_(&at, static_cast<T>(v));
  return detail::hardware_atomics::sub_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_min(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::min_(&at, static_cast<T>(v));
  return detail::hardware_atomics::min_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_max(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::max_(&at, static_cast<T>(v));
  return detail::hardware_atomics::max_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_and(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::and_(&at, static_cast<T>(v));
  return detail::hardware_atomics::and_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_or(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::or_(&at, static_cast<T>(v));
  return detail::hardware_atomics::or_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_xor(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::xor_(&at, static_cast<T>(v));
  return detail::hardware_atomics::xor_(&at, static_cast<T>(v));
}
template <class T, class V>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_exchange(T& at, V const& v) {
  if (__builtin_is_constant_evaluated()) return detail::plain_arithmetic::exchange_(&at, static_cast<T>(v));
  return detail::hardware_atomics::exchange_(&at, static_cast<T>(v));
}
/// Writes v where the element is `expected`.
template <class T, class V, class W>
requires(!detail::is_recorded_element<T>) COALESCE_API constexpr T atomic_cas(T& at, V const& expected, W const& v) {
  if (__builtin_is_constant_evaluated())
    return detail::plain_arithmetic::cas_(&at, static_cast<T>(expected), static_cast<T>(v));
  return detail::hardware_atomics::cas_(&at, static_cast<T>(expected), static_cast<T>(v));
}

template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_add(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_sub(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_min(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_max(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_and(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_or(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_xor(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_exchange(detail::recorded_element<Recorder, Space, T> const& at, V const&) {
  return detail::note_atomic(at);
}
template <class Recorder, memory_space Space, class T, class V, class W>
COALESCE_API constexpr auto atomic_cas(detail::recorded_element<Recorder, Space, T> const& at, V const&, W const&) {
  return detail::note_atomic(at);
}

}  // namespace coalescing
