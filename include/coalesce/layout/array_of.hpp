// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>

#include <cstdint>
#include <type_traits>

// Makes a layout of an array that the kernel declares, from the array's type. The type gives the extents and the bytes
// of an element.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void array_has_no_such_element(std::uint64_t) {
  detail::refuse("array_of: an index is not less than the array's extent in that dimension");
}

}  // namespace refused

/// The layout of a C array, made from the array's type. array_of<float[32][33]>{.base = 1024} has element [i][j] at
/// byte 1024 + 132 * i + 4 * j. If a kernel keeps its shared memory in a struct, this makes the layout of a member:
///
///     co::array_of<decltype(storage::tile)>{offsetof(storage, tile)}
///
/// The layout is called with an index for each dimension. So an array of one dimension gives a pattern, and an array of
/// several dimensions gives a pattern over a co::domain (total/domain.hpp). Refused: an index that is not below its
/// extent; a type that is not an array, or whose first extent is unknown.
template <class Array>
struct array_of {
  static_assert(std::is_array<Array>::value && std::extent<Array>::value != 0,
                "array_of<T[n]> takes the type of an array with its extents: decltype(storage::member)");
  std::uint64_t base = 0;  ///< byte address of the first element

  template <detail::integer... At>
  requires(sizeof...(At) == std::rank<Array>::value) [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(
      At... at) const {
    return base + offset<Array>(static_cast<std::uint64_t>(at)...);
  }
  bool operator==(array_of const&) const = default;

 private:
  template <class Part, class... Rest>
  COALESCE_API static constexpr std::uint64_t offset(std::uint64_t index, Rest... rest) {
    using element = std::remove_extent_t<Part>;
    if (index >= std::extent<Part>::value) refused::array_has_no_such_element(index);
    if constexpr (sizeof...(Rest) == 0)
      return index * sizeof(element);
    else
      return index * sizeof(element) + offset<element>(rest...);
  }
};

}  // namespace coalescing
