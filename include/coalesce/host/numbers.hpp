// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

// Reads numbers in the text of a trace, of a disassembler or of a compiler.

namespace coalescing::detail {

constexpr bool is_hexadecimal_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Adds eight hexadecimal digits to the end of a number. Returns false if one of the eight characters is not a digit.
/// (Most of a trace's text is such digits.)
[[nodiscard]] inline bool read_eight_digits(char const* from, std::uint64_t& number) {
  constexpr std::uint64_t each = 0x0101010101010101u;  // 0x41 * each is 0x4141414141414141
  std::uint64_t characters = 0;
  std::memcpy(&characters, from, 8);
  // 0 to 9 are 0x30 to 0x39, A to F are 0x41 to 0x46, and a to f are 0x61 to 0x66.
  std::uint64_t const low = characters & 0x0f * each, letters = characters >> 6 & each;
  std::uint64_t digits = low + 9 * letters;
  std::uint64_t const small = characters | 0x20 * letters, meant = low + 0x30 * each + 0x30 * letters;
  std::uint64_t const from_ten_on = (digits + 6 * each) >> 4 & each;
  if (((small ^ meant) | (digits & 0xf0 * each) | (from_ten_on ^ letters)) != 0) return false;
  digits = (digits << 4 | digits >> 8) & 0x00ff00ff00ff00ffu;
  digits = (digits << 8 | digits >> 16) & 0x0000ffff0000ffffu;
  number = number << 32 | (digits << 16 & 0xffff0000u) | digits >> 32;
  return true;
}
/// Reads a hexadecimal number as read_leading does.
[[nodiscard]] inline std::size_t read_leading_hexadecimal(std::string_view text, std::uint64_t& number) {
  std::uint64_t made = 0;
  std::size_t read = 0;
  if constexpr (std::endian::native == std::endian::little)
    while (read != 16 && text.size() - read >= 8 && read_eight_digits(text.data() + read, made)) read += 8;
  for (; read != text.size() && is_hexadecimal_digit(text[read]); ++read) {
    if (made >> 60 != 0) return 0;
    unsigned const character = static_cast<unsigned char>(text[read]);
    made = made << 4 | ((character & 15) + 9 * (character >> 6));
  }
  if (read != 0) number = made;
  return read;
}

/// Reads the number with which a text begins. It has up to 64 bits and no sign. Returns how many characters the number
/// takes; 0: the text does not begin with a number, or the number does not fit.
[[nodiscard]] inline std::size_t read_leading(std::string_view text, int base, std::uint64_t& number) {
  if (base == 16) return detail::read_leading_hexadecimal(text, number);
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
}
/// Reads a number without a sign, in the given base. Returns whether the whole text is such a number.
[[nodiscard]] inline bool read_digits(std::string_view text, int base, std::uint64_t& number) {
  return !text.empty() && read_leading(text, base, number) == text.size();
}
/// Reads an integer, decimal or hexadecimal (0x10), with or without a sign. Returns whether the whole text is such an
/// integer.
[[nodiscard]] inline bool read_integer(std::string_view text, std::int64_t& number) {
  bool const is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  bool const is_hexadecimal = text.starts_with("0x");
  std::uint64_t bits = 0;
  if (!read_digits(text.substr(is_hexadecimal ? 2 : 0), is_hexadecimal ? 16 : 10, bits)) return false;
  number = static_cast<std::int64_t>(is_negative ? 0 - bits : bits);
  return true;
}

/// A number in hexadecimal: 0x1f for 31.
[[nodiscard]] inline std::string hexadecimal(std::uint64_t number) {
  std::string all;
  do {
    all.insert(all.begin(), "0123456789abcdef"[number % 16]), number /= 16;
  } while (number != 0);
  return "0x" + all;
}

/// A checksum of a text (FNV-1a, 64 bits), which tells versions of a text apart. `before` is the checksum of the text
/// that precedes this one.
[[nodiscard]] constexpr std::uint64_t checksum_of(std::string_view text,
                                                  std::uint64_t before = 14'695'981'039'346'656'037u) {
  for (char const c : text) before = (before ^ static_cast<unsigned char>(c)) * 1'099'511'628'211u;
  return before;
}

}  // namespace coalescing::detail
