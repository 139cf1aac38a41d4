// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/record/elements.hpp>
#include <coalesce/record/members.hpp>
#include <coalesce/record/pointers.hpp>
#include <coalesce/record/refusals.hpp>

#include <cstdint>
#include <type_traits>

// Functions that a kernel's body calls for what a recorded pointer cannot do by itself: a cast, the access to a member,
// and the deduction of a value's type by `auto`. They do the same with raw pointers.

namespace coalescing {

/// Returns the same address as a pointer to elements of type U. With a raw pointer this is a reinterpret_cast.
template <class U, class T>
[[nodiscard]] COALESCE_API auto as(T* p) {
  return reinterpret_cast<std::conditional_t<std::is_const<T>::value, U const, U>*>(p);
}
template <class U, class Recorder, memory_space Space, class T>
[[nodiscard]] COALESCE_API constexpr auto as(detail::recorded_pointer<Recorder, Space, T> const& p) {
  using element = std::remove_all_extents_t<T>;
  using to = std::conditional_t<std::is_const<element>::value, U const, U>;
  std::remove_cv_t<U> const* values = nullptr;
  if constexpr (std::is_same<std::remove_cv_t<U>, std::remove_cv_t<element>>::value) values = p.values;
  return detail::recorded_pointer<Recorder, Space, to>{p.to, p.array, values, p.address, p.at};
}

/// Loads an element and returns its value. It is needed in `auto x = co::value(p[i])` and in std::max(co::value(p[i]),
/// 0.f), where p[i] alone would be deduced as a recorded_element.
template <class V>
[[nodiscard]] COALESCE_API constexpr auto value(V&& element) {
  return detail::value_of(static_cast<V&&>(element));
}

/// One member of an element: co::member(p[i], &S::x). Only the member's bytes are read or written.
template <class T, class Class, class Member>
requires(!detail::is_recorded_element<std::remove_cv_t<T>>) [[nodiscard]] COALESCE_API
    constexpr auto& member(T& element, Member Class::*which) {
  return element.*which;
}
template <class Recorder, memory_space Space, class T, class Class, class Member>
[[nodiscard]] COALESCE_API constexpr auto member(detail::recorded_element<Recorder, Space, T> const& element,
                                                 Member Class::*which) {
  return detail::member_of(element, which);
}

/// Records an instruction that the kernel issues by an intrinsic or by inline assembly, at the address that the lane
/// gives: write co::issue<cc90::ldmatrix<4>>(p) beside the asm statement. In device code it does nothing. Refused: an
/// instruction of a machine with wider warps; one of a machine with narrower warps, in a lane that those do not have.
template <class Instruction, class Pointer>
COALESCE_API constexpr void issue(Pointer const&) {}
template <class Instruction, class Recorder, memory_space Space, class T>
COALESCE_API constexpr void issue(detail::recorded_pointer<Recorder, Space, T> const& p) {
  using bytes = detail::bytes_of_object<Instruction::bytes>;
  constexpr unsigned wave = detail::wave_of<Instruction>;
  if (wave > Recorder::lanes || p.to->lane >= wave)
    refused::instruction_has_other_lanes_than_the_warp(p.array->name, p.at.line, p.to->lane, wave);
  if constexpr (wave <= Recorder::lanes)
    p.to->template access_to<Space, touch::issued, bytes, Instruction>(p.at, *p.array, p.address);
}

}  // namespace coalescing
