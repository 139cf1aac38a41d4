// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// A vector that works in constant expressions, where std::vector would cost more steps.

namespace coalescing::detail {

inline constexpr unsigned no_index = ~0u;

/// A vector of simple values. (The members are public, since a call of an accessor would cost steps of the constant
/// expression.)
template <class T>
struct grown {
  T* items = nullptr;
  unsigned count = 0, room = 0;

  constexpr grown() {}
  grown(grown const&) = delete;
  grown& operator=(grown const&) = delete;
  constexpr ~grown() { delete[] items; }

  constexpr void resize_to_zeros(unsigned size) {
    delete[] items;
    items = new T[size]{}, count = room = size;
  }
  constexpr T& operator[](unsigned k) { return items[k]; }
  constexpr T const& operator[](unsigned k) const { return items[k]; }
  COALESCE_API constexpr unsigned append(T const& item) {
    if (count == room) {
      room = room == 0 ? 16 : 2 * room;
      T* const more = new T[room];
      for (unsigned k = 0; k != count; ++k) more[k] = items[k];
      delete[] items;
      items = more;
    }
    items[count] = item;
    return count++;
  }
};

}  // namespace coalescing::detail
