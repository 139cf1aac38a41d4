// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

// Reads the numbers of a text: of a trace, of a disassembler, of a compiler.

namespace coalescing::detail {

/// Reads the number with which a text begins. It has up to 64 bits and no sign. Returns how many characters the number
/// takes; 0: the text does not begin with a number, or the number does not fit.
[[nodiscard]] inline std::size_t read_leading(std::string_view text, int base, std::uint64_t& number) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
}
/// Reads digits of a base. Returns whether the whole text is such a number.
[[nodiscard]] inline bool read_digits(std::string_view text, int base, std::uint64_t& number) {
  return !text.empty() && read_leading(text, base, number) == text.size();
}
/// Reads an integer, decimal or hexadecimal (0x10), with or without a sign. Returns whether the whole text is one.
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

/// A checksum of a text, by FNV-1a of 64 bits: two editions of a text have two. `before` is that of what stands before.
[[nodiscard]] constexpr std::uint64_t checksum_of(std::string_view text,
                                                  std::uint64_t before = 14'695'981'039'346'656'037u) {
  for (char const c : text) before = (before ^ static_cast<unsigned char>(c)) * 1'099'511'628'211u;
  return before;
}

}  // namespace coalescing::detail
