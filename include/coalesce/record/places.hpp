// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>

#include <cstdint>
#include <source_location>
#include <type_traits>

// Finds where in the source an access stands.

namespace coalescing::detail {

/// The place in the source from which a function is called. The function takes it as a parameter, with here() as the
/// default argument. (GCC and nvcc give columns only to std::source_location.)
#if defined(__clang__) && !defined(__CUDACC__)
COALESCE_API constexpr source_place here(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                         unsigned column = __builtin_COLUMN()) {
  return {file, line, column};
}
#else
COALESCE_API constexpr source_place here(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                         unsigned column = std::source_location::current().column()) {
  return {file, line, column};
}
#endif

/// An index, and the place in the source where it stands. (An operator has no default arguments, so the place comes
/// with the conversion to this type.)
struct placed_index {
  std::uint64_t value;
  source_place at;

  template <class Index>
  requires(std::is_convertible_v<Index, std::int64_t>) COALESCE_API
      constexpr placed_index(Index i, char const* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
#if defined(__clang__) && !defined(__CUDACC__)
                             unsigned column = __builtin_COLUMN()
#else
                             unsigned column = std::source_location::current().column()
#endif
                                 )
      : value(static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Index&&>(i)))), at{file, line, column} {
  }
};

}  // namespace coalescing::detail
