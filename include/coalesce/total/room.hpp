// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstdint>

// Memory for a question whose size is known only when it is asked. It works in constant expressions too.

namespace coalescing::detail {

/// `count` values, at first each T{}. Compilers limit `count` in a constant expression: clang to its constexpr steps.
template <class T>
class room {
 public:
  COALESCE_API constexpr explicit room(std::uint64_t count) : first_(new T[count]()) {}
  COALESCE_API constexpr ~room() { delete[] first_; }
  room(room const&) = delete;
  room& operator=(room const&) = delete;
  [[nodiscard]] COALESCE_API constexpr T* begin() const { return first_; }
  COALESCE_API constexpr void swap(room& other) {
    T* const mine = first_;
    first_ = other.first_, other.first_ = mine;
  }

 private:
  T* first_;
};

}  // namespace coalescing::detail
