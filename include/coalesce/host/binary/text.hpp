// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/numbers.hpp>
#include <coalesce/host/recording.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Reads lines and numbers of the text that a disassembler or a compiler prints. Declares the members that the
// instructions of all vendors have.

namespace coalescing::binary {

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}
[[nodiscard]] inline bool begins(std::string_view text, std::string_view with) { return text.starts_with(with); }
[[nodiscard]] inline bool ends(std::string_view text, std::string_view with) { return text.ends_with(with); }
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

using detail::read_leading, detail::read_digits, detail::read_integer;

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

/// A checksum of an instruction's words. The blanks between the words do not change the checksum.
[[nodiscard]] inline std::uint64_t checksum_of_words(std::string_view words) {
  std::uint64_t sum = coalescing::detail::checksum_of({});
  for (char const& c : words)
    if (c != ' ' && c != '\t' && c != '\r') sum = coalescing::detail::checksum_of({&c, 1}, sum);
  return sum;
}

/// The members that the instructions of all vendors have. The class of a vendor adds the operands.
struct printed_instruction {
  std::string printed = {};    ///< the opcode as the text has it
  std::uint64_t checksum = 0;  ///< the checksum of the opcode and its operands (checksum_of_words)
  unsigned line = 0;           ///< the line of the text
  /// Bytes from the kernel's first instruction; not_counted if the text has no offsets.
  std::uint64_t offset = not_counted;
  std::string file = {};  ///< the source file; empty if the text has no line information
  unsigned source_line = 0;
  static constexpr std::size_t nowhere = ~std::size_t{0};
  /// For a branch: the index of its target instruction; `nowhere`: the target is not in the kernel.
  std::size_t target = nowhere;
};
/// The place of an instruction, for people to read. Assembly has no offsets. If an instruction has neither an offset
/// nor a source line, its place is its line in the text.
[[nodiscard]] inline found_at place_of(printed_instruction const& i) {
  bool const is_by_text = i.source_line == 0 && i.offset == not_counted;
  return {.file = i.file, .line = is_by_text ? i.line : i.source_line, .offset = i.offset, .opcode = i.printed};
}

}  // namespace coalescing::binary
