// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/record/contents.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/record/steering.hpp>
#include <coalesce/record/sums.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// The arguments of a kernel: arrays in global and in shared memory.

namespace coalescing {

namespace detail {
/// Stands for a base address that the library chooses.
inline constexpr std::uint64_t somewhere = ~std::uint64_t{0};
}  // namespace detail

/// An array in global memory. If `contents` is given, a load of any type gives the value that `contents` has at the
/// loaded place. Without contents, the type of the value decides what a load gives:
/// - A floating-point number is 0.
/// - A class whose members are all floating-point numbers is T{}.
/// - A value of another type may steer addresses (decide where the kernel accesses memory). Such types are integers,
///   pointers, classes that hold an integer or a pointer, and classes whose members the library cannot see (private
///   members, members of unions). The load is refused, unless any_value says that no address depends on the value.
template <class T>
struct global {
  char const* name = "";
  /// The number of elements. 0: the array has as many elements as its contents. If there are no contents either, the
  /// number is unknown, and no access is refused for lying outside the array. Refused: a number other than that of the
  /// contents.
  std::uint64_t elements = 0;
  std::uint64_t base = detail::somewhere;  ///< byte address; by default a multiple of 2^40 that no other array has
  values_of<std::remove_cv_t<T>> contents = {};
  bool any_value = false;  ///< if there are no contents, a load gives T{}; by default it is refused if T holds integers
};

/// An array in shared memory or LDS: shared<float[32][33]>, with one to three extents, or shared<unsigned char[]>,
/// which is `extern __shared__` and needs `elements`. The recording keeps what the kernel stores in an array with
/// `remembered`. At run time it also does so for an array with neither `contents` nor `any_value`. A load from such an
/// array gives what any thread stored there before the last barrier, or what the loading thread itself stored after
/// that barrier. A load from another array, or from bytes that no thread has stored, gives what a load from a global
/// array gives. Contents may be shorter than the array: a load past them is refused.
template <class T>
struct shared {
  static_assert(std::is_array<T>::value && std::rank<T>::value <= 3,
                "co::shared<T[rows][columns]>: an array of one to three extents, or T[] with .elements");
  char const* name = "";
  /// The number of elements, for an array without an extent. Refused: a number that contradicts the extents of the
  /// type.
  std::uint64_t elements = 0;
  std::uint64_t base = detail::somewhere;  ///< byte address in shared memory; by default the next free multiple of 128
  values_of<std::remove_cv_t<std::remove_all_extents_t<T>>> contents = {};
  bool any_value = false;
  bool remembered = false;  ///< loads give what the kernel stored, in constant expressions, too
};

namespace detail {

struct interval_memory;

/// What a recording knows of an array.
struct array_facts {
  char const* name = "";
  unsigned id = 0;
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;              ///< bytes of the array; 0: not known
  std::uint64_t rows = 0, columns = 0;  ///< the extents, if the array has two; else 0
  unsigned element_bytes = 0;
  bool any_value = false;
  /// Whether the elements hold integers, or may hold some. If so, a class of floating-point numbers that is read from
  /// the array may steer addresses (decide where the kernel accesses memory), too. (False for elements of one byte: an
  /// array of bytes may store values of any type, so only the type that a load reads counts.)
  bool holds_integers = false;
  std::uint64_t contents_bytes = 0;
  known_bytes const* contents = nullptr;  ///< nullptr if there are none
  bool is_remembered = false;             ///< loads may give what the kernel stored
  interval_memory* memory = nullptr;      ///< keeps the values that the kernel stores in it; nullptr: none are kept
};

constexpr std::uint64_t bytes_of(std::uint64_t elements, std::uint64_t base, unsigned element_bytes) {
  if (elements != 0 && elements > (~std::uint64_t{0} - base) / element_bytes)
    refused::access_runs_past_the_top_of_memory(0, base);
  return elements * element_bytes;
}

/// How many elements an array has. `known` is the number that follows from its contents or its type, or 0.
template <class Array>
constexpr std::uint64_t elements_of(Array const& array, std::uint64_t known) {
  if (known == 0 && array.elements == 0 && array.contents.is_given) refused::contents_of_array_are_empty(array.name);
  if (known == 0) return array.elements;
  if (array.elements != 0 && array.elements != known)
    refused::array_says_another_number_of_elements(array.name, array.elements, known);
  return known;
}

template <class T>
constexpr array_facts facts_of_array(global<T> const& array, unsigned id, std::uint64_t&) {
  std::uint64_t const base = array.base != somewhere ? array.base : (std::uint64_t{id} + 1) << 40;
  return {.name = array.name,
          .id = id,
          .base = base,
          .bytes = detail::bytes_of(detail::elements_of(array, array.contents.count), base, sizeof(T)),
          .element_bytes = sizeof(T),
          .any_value = array.any_value,
          .holds_integers = sizeof(T) != 1 && detail::may_steer_addresses<std::remove_cv_t<T>>(),
          .contents_bytes = array.contents.count * sizeof(T)};
}
/// The facts of a shared array. `end` is the first byte after the shared arrays so far. If this array ends later, the
/// call moves `end` to the end of this array.
template <class T>
constexpr array_facts facts_of_array(shared<T> const& array, unsigned id, std::uint64_t& end) {
  using element = std::remove_all_extents_t<T>;
  std::uint64_t extent = 0;
  if constexpr (std::extent<T>::value != 0) extent = sizeof(T) / sizeof(element);
  std::uint64_t const base = array.base != somewhere ? array.base : (end + 127) / 128 * 128;
  std::uint64_t const elements = detail::elements_of(array, extent);
  if (elements == 0) refused::shared_array_has_no_elements(array.name);
  array_facts facts{.name = array.name,
                    .id = id,
                    .base = base,
                    .bytes = detail::bytes_of(elements, base, sizeof(element)),
                    .element_bytes = sizeof(element),
                    .any_value = array.any_value,
                    .holds_integers = sizeof(element) != 1 && detail::may_steer_addresses<std::remove_cv_t<element>>(),
                    .contents_bytes = array.contents.count * sizeof(element)};
  facts.is_remembered =
      array.remembered || (!__builtin_is_constant_evaluated() && !array.any_value && facts.contents_bytes == 0);
  if constexpr (std::rank<T>::value == 2)
    facts.rows = std::extent<T, 0>::value, facts.columns = std::extent<T, 1>::value;
  end = end < facts.base + facts.bytes ? facts.base + facts.bytes : end;
  return facts;
}

/// Whether an access lies in its array. The answer is true if the array's size is not known.
COALESCE_API constexpr bool lies_inside(array_facts const& array, std::uint64_t address, unsigned bytes) {
  std::uint64_t const byte = address - array.base;
  return array.bytes == 0 || (byte < array.bytes && array.bytes - byte >= bytes);
}

/// Refuses an access outside its array, or one that is less aligned than its type.
COALESCE_API constexpr void check_access(source_place const& at, array_facts const& array, std::uint64_t address,
                                         unsigned bytes, unsigned alignment, unsigned lane) {
  std::uint64_t const byte = address - array.base;
  // The test of lies_inside(), written out to save the steps of a call.
  if (array.bytes != 0 && (byte >= array.bytes || array.bytes - byte < bytes))
    refused::access_lies_outside_its_array(array.name, at.line, lane, byte);
  if (address % alignment != 0) refused::access_is_less_aligned_than_its_type(array.name, at.line, lane, address);
}

}  // namespace detail
}  // namespace coalescing
