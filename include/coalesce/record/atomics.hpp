// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/elements.hpp>
#include <coalesce/record/hardware_atomics.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>

#include <type_traits>

// Atomics for a kernel's body. In device code they are the hardware's atomics. In a recording each one is recorded as
// an access. In host code on a raw reference they are plain arithmetic, since there is only one thread.
//
// The order of lanes decides which value an atomic returns. So a recording refuses the use of an integer that an atomic
// returns, unless the array has .any_value (which says that no address depends on its values). What all atomics
// together leave in shared memory is known after the barrier, if they leave the same value in every order of lanes.

namespace coalescing {

namespace detail {

/// What an atomic returns in a recording. It stands for the old value of the element, which the recording does not
/// know. Converting it to T gives T{}, or made_up() in a pass (a run of the block that only finds values,
/// intervals.hpp). The conversion is refused if the value may steer addresses (decide where the kernel accesses memory)
/// and the array does not have .any_value.
template <class Recorder, class T>
struct recorded_result {
  Recorder* to;
  array_facts const* array;
  std::uint64_t address;
  source_place at;

  COALESCE_API constexpr operator T() const {
    if (detail::may_steer_addresses<T>() && !array->any_value && detail::refuses_to_guess(*to))
      refused::integer_is_read_from_an_array_without_contents(array->name, at.line, to->lane, address - array->base);
    if constexpr (is_passing<Recorder>) return detail::made_up<T>(*array);
    return T{};
  }
};
/// Records an atomic as an access, and remembers what it leaves in shared memory.
template <change What, class Recorder, memory_space Space, class T>
COALESCE_API constexpr auto note_atomic(recorded_element<Recorder, Space, T> const& e, std::remove_cv_t<T> const& v,
                                        std::remove_cv_t<T> const& expected = {}) {
  static_assert(!std::is_const<T>::value, "the kernel writes to an array of const elements");
  e.to->template access_to<Space, touch::atomic, T>(e.at, *e.array, e.address);
  if constexpr (is_rememberable<Space, T>)
    if (e.array->memory != nullptr) e.template remember_change<What>(v, expected);
  return recorded_result<Recorder, T>{e.to, e.array, e.address, e.at};
}

// ---- One atomic, on a recorded element and on a raw reference. An operand that is itself an element is loaded. ----

template <change What, class Recorder, memory_space Space, class T, class V>
COALESCE_API constexpr auto atomic(recorded_element<Recorder, Space, T> const& at, V&& v) {
  return detail::note_atomic<What>(at, static_cast<std::remove_cv_t<T>>(detail::value_of(static_cast<V&&>(v))));
}
template <change What, class Recorder, memory_space Space, class T, class V, class W>
COALESCE_API constexpr auto atomic(recorded_element<Recorder, Space, T> const& at, V&& v, W&& expected) {
  using value = std::remove_cv_t<T>;
  auto const compared = static_cast<value>(detail::value_of(static_cast<W&&>(expected)));
  return detail::note_atomic<What>(at, static_cast<value>(detail::value_of(static_cast<V&&>(v))), compared);
}
template <change What, class T, class V, class W = T>
requires(!is_recorded_element<T>) COALESCE_API constexpr T atomic(T& at, V const& v, W const& expected = {}) {
  if (__builtin_is_constant_evaluated())
    return plain_arithmetic::apply<What>(&at, static_cast<T>(v), static_cast<T>(expected));
  return hardware_atomics::apply<What>(&at, static_cast<T>(v), static_cast<T>(expected));
}

}  // namespace detail

/// Atomics on an element: co::atomic_add(p[i], v). Each returns the old value of the element. In device code they are
/// the hardware's atomics, and take the types that the hardware supports.
template <class At, class V>
COALESCE_API constexpr auto atomic_add(At&& at, V&& v) {
  return detail::atomic<detail::change::add>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_sub(At&& at, V&& v) {
  return detail::atomic<detail::change::sub>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_min(At&& at, V&& v) {
  return detail::atomic<detail::change::min>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_max(At&& at, V&& v) {
  return detail::atomic<detail::change::max>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_and(At&& at, V&& v) {
  return detail::atomic<detail::change::and_>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_or(At&& at, V&& v) {
  return detail::atomic<detail::change::or_>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_xor(At&& at, V&& v) {
  return detail::atomic<detail::change::xor_>(at, static_cast<V&&>(v));
}
template <class At, class V>
COALESCE_API constexpr auto atomic_exchange(At&& at, V&& v) {
  return detail::atomic<detail::change::store>(at, static_cast<V&&>(v));
}
/// Compare-and-swap: writes v if the element equals `expected`.
template <class At, class V, class W>
COALESCE_API constexpr auto atomic_cas(At&& at, V&& expected, W&& v) {
  return detail::atomic<detail::change::cas>(at, static_cast<W&&>(v), static_cast<V&&>(expected));
}

}  // namespace coalescing
