// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// The known values of an array. Loads of other types read the bytes of these values.

namespace coalescing {

/// The known values of an array: those of a C array, a std::array, a span or a vector. They are not copied.
template <class T>
struct values_of {
  T const* first = nullptr;
  std::uint64_t count = 0;
  bool is_given = false;  ///< whether an array is given, which may have no element

  constexpr values_of() = default;
  template <std::size_t N>
  constexpr values_of(T const (&array)[N]) : first(array), count(N), is_given(true) {}
  template <class Range>
  requires requires(Range const& range) {
    requires std::is_same<std::remove_cvref_t<decltype(*range.data())>, T>::value;  // no class that is derived from T
    range.size();
  }
  constexpr values_of(Range const& range) : first(range.data()), count(range.size()), is_given(true) {}
};

namespace detail {

template <std::size_t Bytes>
struct bytes_of_object {
  unsigned char byte[Bytes];
};
/// The bytes of an object. (CUDA before 12.9 can bit_cast to a class only if an earlier line uses the class. Here the
/// static_assert does so.)
template <class T>
COALESCE_API constexpr bytes_of_object<sizeof(T)> as_bytes(T const& object) {
  static_assert(sizeof(bytes_of_object<sizeof(T)>) == sizeof(T));
  return __builtin_bit_cast(bytes_of_object<sizeof(T)>, object);
}

/// Whether a constant expression can read a byte of an object. It cannot read padding, nor any byte of a class that
/// holds a pointer.
template <class T, std::size_t K>
concept constant_byte = requires {
  typename bytes_of_object<__builtin_bit_cast(bytes_of_object<sizeof(T)>, T{}).byte[K] + 1>;
};
template <class T, std::size_t First, std::size_t Count>
constexpr void mark_values(bytes_of_object<sizeof(T)>& to) {
  if constexpr (Count == 1) {
    to.byte[First] = constant_byte<T, First> || !constant_byte<T, 0> ? 0xff : 0;
  } else {
    detail::mark_values<T, First, Count / 2>(to);
    detail::mark_values<T, First + Count / 2, Count - Count / 2>(to);
  }
}
/// The result has 0xff for each byte of a T that belongs to a value, and 0 for padding. If a constant expression can
/// read no byte of a T, the padding is not known, and all bytes are 0xff. (The first byte is never padding. So if a
/// constant expression cannot read the first byte, it can read none.)
template <class T>
constexpr bytes_of_object<sizeof(T)> bytes_with_values() {
  bytes_of_object<sizeof(T)> made{};
  detail::mark_values<T, 0, sizeof(T)>(made);
  return made;
}

/// The contents of an array as bytes, whatever the type of its elements.
class known_bytes {
 public:
  /// Copies `count` bytes of the array, beginning with byte `from`. All of them must lie within the contents. Returns
  /// false if the type of the elements is not trivially copyable, since their bytes mean nothing then.
  constexpr virtual bool read(std::uint64_t from, unsigned char* to, unsigned count) const = 0;

 protected:
  ~known_bytes() = default;
};
template <class T>
class bytes_of_values final : public known_bytes {
 public:
  constexpr explicit bytes_of_values(values_of<T> const& values) : first_(values.first) {}
  /// Copies single bytes and not whole objects, since a constant expression cannot read padding.
  constexpr bool read([[maybe_unused]] std::uint64_t from, [[maybe_unused]] unsigned char* to,
                      [[maybe_unused]] unsigned count) const override {
    if constexpr (std::is_trivially_copyable<T>::value)
      while (count != 0) {
        auto const object = detail::as_bytes(first_[from / sizeof(T)]);
        for (std::uint64_t k = from % sizeof(T); k != sizeof(T) && count != 0; ++k, ++from, --count)
          *to++ = object.byte[k];
      }
    return std::is_trivially_copyable<T>::value;
  }

 private:
  T const* first_;
};

}  // namespace detail
}  // namespace coalescing
