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
// The order of lanes decides which value an atomic returns, so a recording refuses the use of an integer that one
// returns, unless the array says any_value. What all atomics together leave in shared memory is known after the
// barrier, if every order leaves the same value.

namespace coalescing {

namespace detail {

/// What an atomic returns: the value before it.
template <class Recorder, class T>
struct recorded_result {
  Recorder* to;
  array_facts const* array;
  std::uint64_t address;
  source_place at;

  COALESCE_API constexpr operator T() const {
    if (!is_passing<Recorder> && detail::may_steer_addresses<T>() && !array->any_value)
      refused::integer_is_read_from_an_array_without_contents(array->name, at.line, to->lane, address - array->base);
    return T{};
  }
};
/// The site of an atomic.
template <change What, class Recorder, memory_space Space, class T>
COALESCE_API constexpr auto note_atomic(recorded_element<Recorder, Space, T> const& e, std::remove_cv_t<T> const& v,
                                        std::remove_cv_t<T> const& expected = {}) {
  static_assert(!std::is_const<T>::value, "the kernel writes to an array of const elements");
  e.to->template access_to<Space, touch::atomic, T>(e.at, *e.array, e.address);
  if constexpr (is_rememberable<Space, T>)
    if (e.array->memory != nullptr) e.template remember_change<What>(v, expected);
  return recorded_result<Recorder, T>{e.to, e.array, e.address, e.at};
}
/// An atomic's operand, as the element's type. (An element p[i] is loaded.)
template <class T, class V>
COALESCE_API constexpr T operand_of(V&& v) {
  return static_cast<T>(detail::value_of(static_cast<V&&>(v)));
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
COALESCE_API constexpr auto atomic_add(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::add>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_sub(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::sub>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_min(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::min>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_max(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::max>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_and(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::and_>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_or(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::or_>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_xor(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::xor_>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic_exchange(detail::recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<detail::change::store>(at, detail::operand_of<std::remove_cv_t<T>>(static_cast<V&&>(v)));
}
template <class Recorder, memory_space Space, class T, class V, class W>
COALESCE_API constexpr auto atomic_cas(detail::recorded_element<Recorder, Space, T> const& at, V&& expected, W&& v) {
  using value = std::remove_cv_t<T>;
  auto const compared = detail::operand_of<value>(static_cast<V&&>(expected));
  return detail::note_atomic<detail::change::cas>(at, detail::operand_of<value>(static_cast<W&&>(v)), compared);
}

}  // namespace coalescing
