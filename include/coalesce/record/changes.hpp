// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstdint>
#include <type_traits>

// Computes the value that an atomic leaves in memory, and tells which atomics leave the same value in every order of
// threads.

namespace coalescing::detail {

enum class change : unsigned char { store, add, sub, min, max, and_, or_, xor_, cas };

/// By which operation a byte is written, and as a part of which type. If all threads write the byte in the same manner,
/// they leave the same value in every order. This does not hold for cas, and not for stores of different values.
struct manner {
  change what = change::store;
  unsigned char bytes = 0;  ///< bytes of the element
  bool is_signed = false, is_floating = false;
  bool operator==(manner const&) const = default;
};
/// The manner in which an atomic writes. Additions and subtractions share one manner, since together they give the same
/// sum in every order. (The sum of floating-point numbers is taken in ascending order of threads.)
template <change What, class T>
constexpr manner manner_of() {
  if constexpr (What == change::store)
    return {};
  else
    return {What == change::sub ? change::add : What, sizeof(T), std::is_signed<T>::value,
            std::is_floating_point<T>::value};
}
/// Whether the library can compute the value that the atomic leaves.
template <change What, class T>
inline constexpr bool is_computed = std::is_integral<T>::value || What == change::store ||
                                    (std::is_floating_point<T>::value && What != change::and_ && What != change::or_ &&
                                     What != change::xor_);

/// The value that an atomic leaves in memory. Integers wrap, as they do on the hardware.
template <change What, class T>
COALESCE_API constexpr T changed_by(T const& before, T const& v, T const& expected) {
  if constexpr (What == change::store)
    return v;
  else if constexpr (What == change::cas)
    return before == expected ? v : before;
  else if constexpr (What == change::min)
    return v < before ? v : before;
  else if constexpr (What == change::max)
    return v > before ? v : before;
  else if constexpr (What == change::and_)
    return static_cast<T>(before & v);
  else if constexpr (What == change::or_)
    return static_cast<T>(before | v);
  else if constexpr (What == change::xor_)
    return static_cast<T>(before ^ v);
  else if constexpr (!std::is_integral<T>::value)
    return static_cast<T>(What == change::add ? before + v : before - v);
  else if constexpr (What == change::add)
    return static_cast<T>(static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(v));
  else
    return static_cast<T>(static_cast<std::uint64_t>(before) - static_cast<std::uint64_t>(v));
}

}  // namespace coalescing::detail
