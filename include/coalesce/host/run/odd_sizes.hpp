// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/numbers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Clang's -fsanitize=thread reports only loads and stores of 1, 2, 4, 8 and 16 bytes. But clang passes a struct of 3 or
// 6 bytes as one integer of 24 or 48 bits, and loads or stores it so. The functions here add the missing reports to the
// text of LLVM's intermediate representation, as clang -S -emit-llvm writes it after all of its passes:
//
//     call void @__tsan_read_range(ptr %3, i64 3), !dbg !20     is added
//     %4 = load i24, ptr %3, align 1, !dbg !20                  is there

namespace coalescing::detail {

/// The end of the operand that begins `words`: the next comma that is in no bracket.
[[nodiscard]] inline std::size_t end_of_operand(std::string_view words) {
  unsigned depth = 0;
  for (std::size_t k = 0; k != words.size(); ++k) {
    char const c = words[k];
    if (c == ',' && depth == 0) return k;
    depth += c == '(' || c == '[' || c == '{' || c == '<';
    depth -= (c == ')' || c == ']' || c == '}' || c == '>') && depth != 0;
  }
  return words.size();
}

/// The bits of a type of LLVM's text that begins `words`: i24, <3 x float>, x86_fp80. 0: a type of several parts, whose
/// size its text does not tell.
[[nodiscard]] inline std::uint64_t bits_of_type(std::string_view words) {
  std::uint64_t number = 0;
  std::string_view const operand = words.substr(0, end_of_operand(words));
  if (operand.ends_with("*") || operand.find("* ") != operand.npos) return 64;  // before LLVM 15: float*, void (i8*)*
  if (words.starts_with("<")) {
    std::size_t const by = words.find(" x ");
    if (by == words.npos || !read_digits(words.substr(1, by - 1), 10, number)) return 0;
    return number * bits_of_type(words.substr(by + 3));
  }
  std::string_view const word = words.substr(0, words.find_first_of(" ,>"));
  if (word == "ptr" || word == "double") return 64;
  if (word == "half" || word == "bfloat") return 16;
  if (word == "float") return 32;
  if (word == "x86_fp80") return 80;
  if (word == "fp128") return 128;
  return word.starts_with("i") && read_digits(word.substr(1), 10, number) ? number : 0;
}

/// LLVM's text, with a report before each load and store that -fsanitize=thread does not report.
struct reported_odd_sizes {
  std::string text;
  unsigned left = 0;  ///< loads and stores of types of several parts, which may have no report

  explicit reported_odd_sizes(std::string_view ir) {
    unsigned casts = 0;
    for (std::size_t at = 0; at < ir.size();) {
      std::size_t const end = std::min(ir.find('\n', at), ir.size());
      std::string_view const line = ir.substr(at, end - at);
      report(line, casts), text += line, text += '\n';
      at = end + 1;
    }
    std::string const pointer = casts != 0 ? "i8*" : "ptr";
    for (char const* const name : {"read", "write"}) {
      std::string const function = std::string("@__tsan_") + name + "_range(";
      if (text.find("call void " + function) != text.npos) text += "declare void " + function + pointer + ", i64)\n";
    }
  }

 private:
  void report(std::string_view line, unsigned& casts) {
    if (!line.starts_with("  ")) return;
    std::string_view rest = line.substr(2);
    if (std::size_t const equals = rest.find(" = load "); rest.starts_with("%") && equals != rest.npos)
      rest.remove_prefix(equals + 3);
    bool const loads = rest.starts_with("load ");
    if (!loads && !rest.starts_with("store ")) return;
    rest.remove_prefix(loads ? 5 : 6);
    if (rest.starts_with("volatile ")) rest.remove_prefix(9);
    if (rest.starts_with("atomic ")) return;  // a call of a function that reports it, if its size is one of those
    std::uint64_t const bits = bits_of_type(rest), bytes = (bits + 7) / 8;
    left += bits == 0;
    if (bits == 0 || bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) return;
    rest.remove_prefix(end_of_operand(rest) + 2);
    std::string to(rest.substr(0, end_of_operand(rest)));
    std::size_t const debug = line.find(", !dbg !");
    std::string const place(debug == line.npos ? "" : line.substr(debug, line.find_first_of(", ", debug + 8) - debug));
    if (!to.starts_with("ptr ")) {  // before LLVM 15 a pointer has the type of what it points to
      std::string const name = "%coalesce." + std::to_string(casts++);
      text += "  " + name + " = bitcast " + to + " to i8*" + place + "\n";
      to = "i8* " + name;
    }
    text += std::string("  call void @__tsan_") + (loads ? "read" : "write") + "_range(" + to + ", i64 " +
            std::to_string(bytes) + ")" + place + "\n";
  }
};

}  // namespace coalescing::detail
