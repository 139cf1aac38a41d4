// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstddef>
#include <cstdint>

// A buffer whose size need not be a constant: it is an argument of the constructor. It works in constant expressions,
// too.

namespace coalescing::detail {

/// Converts a number of values to std::size_t, the type that `new` takes. If std::size_t has 32 bits, a number that
/// does not fit becomes the highest one, which `new` refuses.
COALESCE_API constexpr std::size_t size_of_memory(std::uint64_t count) {
  return count < ~std::size_t{0} ? static_cast<std::size_t>(count) : ~std::size_t{0};
}

/// Memory for `count` values, which are T{} at first. In a constant expression the compiler limits `count`: clang
/// allows at most as many values as it allows constexpr steps (-fconstexpr-steps).
template <class T>
class room {
 public:
  COALESCE_API constexpr explicit room(std::uint64_t count) : first_(new T[size_of_memory(count)]()) {}
  COALESCE_API constexpr ~room() { delete[] first_; }
  room(room const&) = delete;
  room& operator=(room const&) = delete;
  [[nodiscard]] COALESCE_API constexpr T* begin() const { return first_; }
  COALESCE_API constexpr void swap(room& other) noexcept {
    T* const mine = first_;
    first_ = other.first_, other.first_ = mine;
  }

 private:
  T* first_;
};

}  // namespace coalescing::detail
