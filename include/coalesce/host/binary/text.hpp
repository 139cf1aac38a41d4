// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/recording.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

// The text of a disassembler or a compiler: its lines and numbers, and what every instruction of it has.

namespace coalescing::binary {

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}
[[nodiscard]] inline bool begins(std::string_view text, std::string_view with) { return text.starts_with(with); }
[[nodiscard]] inline bool ends(std::string_view text, std::string_view with) { return text.ends_with(with); }
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number that a text begins with, of up to 64 bits and without a sign. Returns the characters that it takes; 0:
/// the text begins with another word, or the number does not fit.
[[nodiscard]] inline std::size_t read_leading(std::string_view text, int base, std::uint64_t& number) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
}
/// Digits of a base. Returns whether the whole text is such a number.
[[nodiscard]] inline bool read_digits(std::string_view text, int base, std::uint64_t& number) {
  return !text.empty() && read_leading(text, base, number) == text.size();
}
/// An integer, decimal or hexadecimal (0x10), with or without a sign. Returns whether the whole text is one.
[[nodiscard]] inline bool read_integer(std::string_view text, std::int64_t& number) {
  bool const is_negative = begins(text, "-");
  if (is_negative) text.remove_prefix(1);
  bool const is_hexadecimal = begins(text, "0x");
  std::uint64_t bits = 0;
  if (!read_digits(text.substr(is_hexadecimal ? 2 : 0), is_hexadecimal ? 16 : 10, bits)) return false;
  number = static_cast<std::int64_t>(is_negative ? 0 - bits : bits);
  return true;
}

/// The lines of a text, counted from 1.
class lines_of {
 public:
  explicit lines_of(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    auto const end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    ++number;
    return true;
  }
  unsigned number = 0;

 private:
  std::string_view rest_;
};

/// What every instruction of a text has; a vendor adds its operands.
struct printed_instruction {
  std::string printed = {};            ///< the opcode as the text has it
  unsigned line = 0;                   ///< of the text
  std::uint64_t offset = not_counted;  ///< from the kernel's first instruction, bytes; not_counted: not in the text
  std::string file = {};               ///< of the source; empty where the text has no line information
  unsigned source_line = 0;
  static constexpr std::size_t nowhere = ~std::size_t{0};
  std::size_t target = nowhere;  ///< of a branch: the index of an instruction; `nowhere`: not a place of the kernel
};
/// The place of an instruction, for people. In assembly, which has no offsets, an instruction without a source line
/// stands at its line of the text.
[[nodiscard]] inline found_at place_of(printed_instruction const& i) {
  bool const is_by_text = i.source_line == 0 && i.offset == not_counted;
  return {.file = i.file, .line = is_by_text ? i.line : i.source_line, .offset = i.offset, .opcode = i.printed};
}

}  // namespace coalescing::binary
