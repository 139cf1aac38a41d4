// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/elements.hpp>
#include <coalesce/record/intervals.hpp>
#include <coalesce/record/members.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// The pointers and arrays of a recorded kernel.

namespace coalescing::detail {

/// Stands for a T* in the body of a recorded kernel. Each load and store through it is recorded.
template <class Recorder, memory_space Space, class T>
struct recorded_pointer {
  Recorder* to = nullptr;
  array_facts const* array = nullptr;
  std::remove_cv_t<T> const* values = nullptr;  ///< the array's contents, from its first element on
  std::uint64_t address = 0;
  source_place at = {};

  using element = recorded_element<Recorder, Space, T>;

  COALESCE_API constexpr element operator[](placed_index const& i) const {
    return {to, array, values, address + i.value * sizeof(T), i.at};
  }
  COALESCE_API constexpr element operator*() const { return {to, array, values, address, at}; }
  COALESCE_API constexpr recorded_pointer operator+(placed_index const& i) const {
    return {to, array, values, address + i.value * sizeof(T), i.at};
  }
  COALESCE_API constexpr recorded_pointer operator-(placed_index const& i) const {
    return {to, array, values, address - i.value * sizeof(T), i.at};
  }
  COALESCE_API friend constexpr recorded_pointer operator+(placed_index const& i, recorded_pointer const& p) {
    return p + i;
  }
  COALESCE_API constexpr recorded_pointer& operator+=(placed_index const& i) { return *this = *this + i; }
  COALESCE_API constexpr recorded_pointer& operator-=(placed_index const& i) { return *this = *this - i; }
  COALESCE_API constexpr recorded_pointer& operator++() { return address += sizeof(T), *this; }
  COALESCE_API constexpr recorded_pointer& operator--() { return address -= sizeof(T), *this; }
  COALESCE_API constexpr recorded_pointer operator++(int) {
    recorded_pointer const before = *this;
    return ++*this, before;
  }
  COALESCE_API constexpr recorded_pointer operator--(int) {
    recorded_pointer const before = *this;
    return --*this, before;
  }
  COALESCE_API friend constexpr std::int64_t operator-(recorded_pointer const& a, recorded_pointer const& b) {
    return static_cast<std::int64_t>(a.address - b.address) / static_cast<std::int64_t>(sizeof(T));
  }
  COALESCE_API friend constexpr bool operator==(recorded_pointer const& a, recorded_pointer const& b) {
    return a.array == b.array && a.address == b.address;
  }
  COALESCE_API friend constexpr bool operator<(recorded_pointer const& a, recorded_pointer const& b) {
    return a.address < b.address;
  }
  COALESCE_API friend constexpr bool operator>(recorded_pointer const& a, recorded_pointer const& b) { return b < a; }
  COALESCE_API friend constexpr bool operator<=(recorded_pointer const& a, recorded_pointer const& b) {
    return !(b < a);
  }
  COALESCE_API friend constexpr bool operator>=(recorded_pointer const& a, recorded_pointer const& b) {
    return !(a < b);
  }
  COALESCE_API constexpr bool operator==(decltype(nullptr)) const { return array == nullptr; }
  COALESCE_API constexpr explicit operator bool() const { return array != nullptr; }
  template <class U>
  requires(std::is_same<U, T const>::value && !std::is_const<T>::value) COALESCE_API constexpr
  operator recorded_pointer<Recorder, Space, U>() const {
    return {to, array, values, address, at};
  }
  /// (p + i)->*&S::member, as with a raw pointer.
  template <class Class, class Member>
  COALESCE_API constexpr auto operator->*(Member Class::*which) const {
    return detail::member_of(**this, which);
  }
};

/// A row of a larger array: tile[row]. In tile[row][k], k must be below the extent of the row. The sum tile[row] + k is
/// a plain pointer, which may reach other rows.
template <class Recorder, memory_space Space, class T, std::size_t N>
struct recorded_row : recorded_pointer<Recorder, Space, T> {
  using pointer = recorded_pointer<Recorder, Space, T>;

  COALESCE_API constexpr typename pointer::element operator[](placed_index const& i) const {
    if constexpr (!is_passing<Recorder>)
      if (i.value >= N)
        refused::index_lies_outside_its_row(pointer::array->name, i.at.line, pointer::to->lane,
                                            static_cast<std::int64_t>(i.value), N, pointer::address);
    return {pointer::to, pointer::array, pointer::values, pointer::address + i.value * sizeof(T), i.at};
  }
};

/// A pointer to an array of T, or to an array of arrays: tile[row][column].
template <class Recorder, memory_space Space, class T>
struct recorded_pointer<Recorder, Space, T[]> : recorded_pointer<Recorder, Space, T> {};
template <class Recorder, memory_space Space, class T, std::size_t N>
struct recorded_pointer<Recorder, Space, T[N]> : recorded_pointer<Recorder, Space, T> {};
template <class Recorder, memory_space Space, class T, std::size_t Rows, std::size_t N>
struct recorded_pointer<Recorder, Space, T[Rows][N]> {
  using row = std::conditional_t<std::is_array<T>::value, recorded_pointer<Recorder, Space, T[N]>,
                                 recorded_row<Recorder, Space, T, N>>;
  using scalar = std::remove_all_extents_t<T>;

  Recorder* to = nullptr;
  array_facts const* array = nullptr;
  std::remove_cv_t<scalar> const* values = nullptr;
  std::uint64_t address = 0;
  source_place at = {};

  COALESCE_API constexpr row operator[](placed_index const& i) const {
    if constexpr (!is_passing<Recorder>)
      if (i.value >= Rows)
        refused::index_lies_outside_its_row(array->name, i.at.line, to->lane, static_cast<std::int64_t>(i.value), Rows,
                                            address);
    std::uint64_t const there = address + i.value * sizeof(T[N]);
    if constexpr (std::is_array<T>::value)
      return {to, array, values, there, i.at};
    else
      return {{to, array, values, there, i.at}};
  }
};

}  // namespace coalescing::detail
