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

/// Reads a hexadecimal number as read_leading does, but eight digits at a time, since most of a trace's text is such
/// digits. `word` has eight characters as bytes, the first one in the lowest byte.
[[nodiscard]] inline std::size_t read_leading_hexadecimal(std::string_view text, std::uint64_t& number) {
  constexpr std::uint64_t each = 0x0101010101010101u, top = 0x80 * each;
  /// Sets the top bit of each byte whose character is from `first` to `last`. (No byte of `word` has its top bit set.)
  auto const in = [](std::uint64_t word, std::uint64_t first, std::uint64_t last) {
    return (word + (0x80 - first) * each) & ~(word + (0x7f - last) * each) & top;
  };
  std::uint64_t made = 0;
  std::size_t read = 0;
  for (std::size_t count = 8; count == 8; read += count) {
    std::size_t const left = text.size() - read;
    std::uint64_t word = 0;
    if (std::endian::native != std::endian::little || left < 8)
      for (std::size_t k = 0; k != 8 && k != left; ++k)
        word |= std::uint64_t{static_cast<unsigned char>(text[read + k])} << (8 * k);
    else
      std::memcpy(&word, text.data() + read, 8);
    std::uint64_t const seven = word & ~top, letters = in(seven | 0x20 * each, 'a', 'f') & seven << 1;
    std::uint64_t const others = ~((in(seven, '0', '9') | letters) & ~word) & top;
    count = static_cast<std::size_t>(std::countr_zero(others)) / 8;
    if (count == 0) break;
    if (made >> (64 - 4 * count) != 0) return 0;
    std::uint64_t digits = (seven & 0x0f * each) + 9 * (letters >> 7);
    digits <<= 64 - 8 * count;  // the digits end at the highest byte, and zeros stand before them
    digits = (digits << 4 | digits >> 8) & 0x00ff00ff00ff00ffu;
    digits = (digits << 8 | digits >> 16) & 0x0000ffff0000ffffu;
    made = made << 4 * count | ((digits << 16 | digits >> 32) & 0xffffffffu);
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
