// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace coalescing {

namespace detail {
/// A string or a string view.
template <class T>
concept string_like = requires(T const& string, char const* first, std::size_t length) {
  T(first, length);
  {string.data()[0] == '\0'};
  {string.size() == length};
};
/// A string view: unlike a std::string, it is trivially copyable.
template <class T>
concept view_like = string_like<T> && std::is_trivially_copyable_v<T>;
}  // namespace detail

/// A short text that owns its characters, so a constant expression can make it and a template can take it as an
/// argument. A text compares with literals and strings. Every text converts to a std::string. Only an lvalue converts
/// to a string view, because a view of a temporary would dangle. The members are public because template arguments need
/// that; only read them. Refused: more than Capacity characters.
template <std::size_t Capacity>
struct text {
  char characters[Capacity + 1] = {};  ///< with a terminating zero
  std::size_t length = 0;

  [[nodiscard]] COALESCE_API constexpr std::size_t size() const { return length; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return length == 0; }
  [[nodiscard]] COALESCE_API constexpr char const* data() const { return characters; }
  /// Valid as long as the text lives. A temporary lives until the end of the statement, which is enough for printf.
  [[nodiscard]] COALESCE_API constexpr char const* c_str() const { return characters; }

  bool operator==(text const&) const = default;
  [[nodiscard]] COALESCE_API constexpr bool operator==(char const* other) const {
    for (std::size_t k = 0; k != length; ++k)
      if (characters[k] != other[k]) return false;  // a shorter `other` ends here: its zero differs from our character
    return other[length] == '\0';
  }
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <detail::string_like String>
  [[nodiscard]] COALESCE_API constexpr bool operator==(String const& other) const {
    if (other.size() != length) return false;
    for (std::size_t k = 0; k != length; ++k)
      if (characters[k] != other.data()[k]) return false;
    return true;
  }

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <detail::string_like String>
  COALESCE_API constexpr operator String() const& {
    return String(characters, length);
  }
  template <detail::view_like View>
  operator View() const&& = delete;

  /// Appends a C string. The loop executes one statement per character, because compilers limit the number of
  /// statements in a constant expression. In a constant expression clang copies all characters at once instead, which
  /// is ten times as fast.
  COALESCE_API constexpr void append(char const* more) {
#ifdef __clang__
    if (__builtin_is_constant_evaluated()) {
      std::size_t const count = __builtin_strlen(more);
      if (count > Capacity - length) refused::text_is_full();
      __builtin_memcpy(characters + length, more, count);
      return void(length += count);
    }
#endif
    for (; *more != '\0'; ++more) length < Capacity ? void(characters[length++] = *more) : refused::text_is_full();
  }
  COALESCE_API constexpr void append(unsigned number) {
    if (number >= 10) append(number / 10);
    append_character(static_cast<char>('0' + number % 10));
  }
  /// Appends a number in the form "0x3e".
  COALESCE_API constexpr void append_hexadecimal(std::uint64_t number) {
    unsigned digits = 1;
    while (digits != 16 && number >> 4 * digits != 0) ++digits;
    append("0x");
    while (digits-- != 0) append_character("0123456789abcdef"[number >> 4 * digits & 15]);
  }
  COALESCE_API constexpr void append_character(char more) {
    if (length >= Capacity) refused::text_is_full();
    characters[length++] = more;
  }
};

}  // namespace coalescing
