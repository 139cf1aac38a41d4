// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/elements.hpp>
#include <coalesce/record/recording.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// The pointers and arrays of a recorded kernel.

namespace coalescing::detail {

/// A pointer to elements of type T.
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
  template <detail::integer Index>
  COALESCE_API friend constexpr recorded_pointer operator+(Index i, recorded_pointer const& p) {
    return {p.to, p.array, p.values, p.address + static_cast<std::uint64_t>(static_cast<std::int64_t>(i)) * sizeof(T),
            p.at};
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
  /// (p + i)->*&S::member, as a raw pointer has it.
  template <class Class, class Member>
  COALESCE_API constexpr auto operator->*(Member Class::*which) const {
    return detail::member_of(**this, which);
  }
};

/// An array of T, and an array of arrays: tile[row][column].
template <class Recorder, memory_space Space, class T>
struct recorded_pointer<Recorder, Space, T[]> : recorded_pointer<Recorder, Space, T> {};
template <class Recorder, memory_space Space, class T, std::size_t N>
struct recorded_pointer<Recorder, Space, T[N]> : recorded_pointer<Recorder, Space, T> {};
template <class Recorder, memory_space Space, class T, std::size_t Rows, std::size_t N>
struct recorded_pointer<Recorder, Space, T[Rows][N]> {
  using row = recorded_pointer<Recorder, Space, T[N]>;
  using scalar = std::remove_all_extents_t<T>;

  Recorder* to = nullptr;
  array_facts const* array = nullptr;
  std::remove_cv_t<scalar> const* values = nullptr;
  std::uint64_t address = 0;
  source_place at = {};

  template <class Index>
  requires(std::is_convertible_v<Index, std::int64_t>) COALESCE_API constexpr row operator[](Index i) const {
    std::uint64_t const there =
        address + static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Index&&>(i))) * sizeof(T[N]);
    if constexpr (std::is_array<T>::value)
      return {to, array, values, there, at};
    else
      return {{to, array, values, there, at}};
  }
};

}  // namespace coalescing::detail
