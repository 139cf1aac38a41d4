// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>
#include <coalesce/host/binary/text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// An instruction of SASS and its operands, as `nvdisasm -c` and `cuobjdump -sass` print them.

namespace coalescing::sass {

using binary::begins, binary::is_digit, binary::read_digits, binary::trimmed;

enum class operand_kind : unsigned char {
  general,            ///< R7; RZ is 255
  uniform,            ///< UR7; URZ is 255
  predicate,          ///< P2; PT is 7
  uniform_predicate,  ///< UP2; UPT is 7
  all_predicates,     ///< PR: all predicates of a lane
  barrier,            ///< B3: a convergence barrier
  integer,            ///< 0x10
  real,               ///< 1.5, or a number that is printed without 0x
  constant,           ///< c[0x0][0x160], c[0x0][R4+0x8]
  memory,             ///< [R4.X4+UR2+0x10], desc[UR4][R2.64]
  label,              ///< `(.L_x_3)
  special,            ///< SR_TID.X
  other
};
inline constexpr unsigned zero_register = 255, true_predicate = 7;

struct operand {
  operand_kind kind = operand_kind::other;
  unsigned index = zero_register;    ///< a register's number; for memory and constants: the general register of the
                                     ///< address
  unsigned uniform = zero_register;  ///< for memory: the uniform register of the address
  unsigned scale = 1;                ///< for memory: the factor of the general register, 4 in [R4.X4]
  unsigned bank = 0;                 ///< the bank of a constant
  std::int64_t number = 0;           ///< the value of an integer operand; for memory and constants: the offset in bytes
  bool is_negative = false, is_inverted = false, is_absolute = false;  ///< -R7, ~R7, |R7|
  bool is_wide = false, is_unsigned = false;                           ///< R2.64, R2.U32
  bool has_part = false;              ///< R2.H0, R2.B1: the operand is only a part of a register
  std::optional<unsigned> byte = {};  ///< which byte the operand is: 1 for R2.B1
  std::string word = {};              ///< the operand as it is printed
};

struct instruction : binary::printed_instruction {
  operand guard = {};                   ///< @P0; PT if the instruction has none
  std::string base = {};                ///< the opcode without its modifiers: LDG of LDG.E.128
  std::vector<std::string> parts = {};  ///< the modifiers: E, 128
  std::vector<operand> operands = {};
  /// For a branch whose target is in a register: the places that the text lists (BRANCH_TARGETS), as indices of
  /// instructions. `from` is the number that is added to the register.
  std::vector<std::size_t> targets = {};
  std::uint64_t from = 0;
  std::size_t returns_to = nowhere;  ///< for RET of a routine that is called in only one place: the index of the
                                     ///< instruction to which RET returns (calls.hpp)
  bool is_copy = false;              ///< the reader copies a routine for each call (calls.hpp), and this is in a copy

  [[nodiscard]] bool has(std::string_view part) const {
    for (std::string const& each : parts)  // (called for each lane, so it compares the first letters first: fast)
      if (each.size() == part.size() && each.front() == part.front() && each == part) return true;
    return false;
  }
};

/// The modifiers of an opcode, as they are printed: "E.128".
[[nodiscard]] inline std::string_view modifiers_of(instruction const& i) {
  return i.parts.empty() ? std::string_view{} : std::string_view(i.printed).substr(i.base.size() + 1);
}

/// Splits a text at each separator that does not stand in brackets.
[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t k = 0; k != text.size(); ++k) {
    depth += (text[k] == '[' || text[k] == '(') - (text[k] == ']' || text[k] == ')');
    if (text[k] == separator && depth == 0) all.push_back(text.substr(from, k - from)), from = k + 1;
  }
  all.push_back(text.substr(from));
  return all;
}
/// Reads a number such as 0x10 or -0x10.
[[nodiscard]] inline bool read_hexadecimal(std::string_view text, std::int64_t& to) {
  return (begins(text, "0x") || begins(text, "-0x")) && binary::read_integer(text, to);
}
/// Reads a register such as R12. `prefix` is what stands before the number, such as "R" or "P". `last` is the letter
/// that stands in place of the number `last_index`: Z in RZ, T in PT.
[[nodiscard]] inline bool read_register(std::string_view text, std::string_view prefix, char last, unsigned last_index,
                                        unsigned& to) {
  if (!begins(text, prefix)) return false;
  text.remove_prefix(prefix.size());
  if (text.size() == 1 && text[0] == last) return to = last_index, true;
  std::uint64_t index = 0;
  return text.size() <= 3 && read_digits(text, 10, index) && index < last_index &&
         (to = static_cast<unsigned>(index), true);
}

/// Reads the terms of an address: registers and offsets. Refused: any other term.
inline void read_address(std::string_view inside, operand& to, unsigned line) {
  for (std::string_view term : split(inside, '+')) {
    auto const words = split(trimmed(term), '.');
    std::int64_t offset = 0;
    if (read_hexadecimal(words[0], offset)) {
      to.number += offset;
    } else if (read_register(words[0], "UR", 'Z', zero_register, to.uniform)) {
    } else if (read_register(words[0], "R", 'Z', zero_register, to.index)) {
      for (std::size_t k = 1; k != words.size(); ++k) {
        std::uint64_t scale = 0;
        if (begins(words[k], "X") && read_digits(words[k].substr(1), 10, scale))
          to.scale = static_cast<unsigned>(scale);
        else if (words[k] == "64")
          to.is_wide = true;
        else if (words[k] == "U32")
          to.is_unsigned = true;
        else if (words[k] != "reuse")
          throw binary_refused("the address has a form that is not known: " + std::string(inside), line);
      }
    } else {
      throw binary_refused("the address has a form that is not known: " + std::string(inside), line);
    }
  }
}

[[nodiscard]] inline operand read_operand(std::string_view text, unsigned line) {
  text = trimmed(text);
  operand to{.word = std::string(text)};
  for (bool more = true; more && !text.empty();) {
    more = true;
    if (text[0] == '-' && !begins(text, "-0x") && !(text.size() > 1 && is_digit(text[1])))
      to.is_negative = !to.is_negative;
    else if (text[0] == '~' || text[0] == '!')
      to.is_inverted = !to.is_inverted;
    else if (text[0] == '|')
      to.is_absolute = true;
    else
      more = false;
    if (more) text.remove_prefix(1);
  }
  if (!text.empty() && text.back() == '|') text.remove_suffix(1);
  auto const inside = [](std::string_view all, std::size_t from) {
    std::size_t const end = all.find(']', from);
    return all.substr(from, end == all.npos ? end : end - from);
  };
  if (begins(text, "desc[")) {
    std::size_t const end = text.find("][");
    text = end == text.npos ? text : text.substr(end + 1);
  }
  if (begins(text, "[")) {
    to.kind = operand_kind::memory, read_address(inside(text, 1), to, line);
    return to;
  }
  if (begins(text, "c[")) {
    std::int64_t bank = 0;
    std::size_t const second = text.find("][");
    if (second != text.npos && read_hexadecimal(inside(text, 2), bank)) {
      to.kind = operand_kind::constant, to.bank = static_cast<unsigned>(bank);
      read_address(inside(text, second + 2), to, line);
    }
    return to;
  }
  if (begins(text, "`(")) {
    to.kind = operand_kind::label, to.word = std::string(text.substr(2, text.find(')') - 2));
    return to;
  }
  if (begins(text, "SR")) {
    to.kind = operand_kind::special, to.word = std::string(text);
    return to;
  }
  if (read_hexadecimal(text, to.number)) {
    to.kind = operand_kind::integer;
    return to;
  }
  auto const words = split(text, '.');
  for (std::size_t k = 1; k != words.size(); ++k) {
    to.is_wide = to.is_wide || words[k] == "64", to.has_part = to.has_part || (words[k] != "64" && words[k] != "reuse");
    if (words[k].size() == 2 && words[k][0] == 'B' && words[k][1] >= '0' && words[k][1] <= '3')
      to.byte = static_cast<unsigned>(words[k][1] - '0');
  }
  if (words[0] == "PR" || words[0] == "UPR")
    to.kind = operand_kind::all_predicates;
  else if (read_register(words[0], "UR", 'Z', zero_register, to.index))
    to.kind = operand_kind::uniform;
  else if (read_register(words[0], "R", 'Z', zero_register, to.index))
    to.kind = operand_kind::general;
  else if (read_register(words[0], "UP", 'T', true_predicate, to.index))
    to.kind = operand_kind::uniform_predicate;
  else if (read_register(words[0], "P", 'T', true_predicate, to.index))
    to.kind = operand_kind::predicate;
  else if (read_register(words[0], "B", 'Z', 16, to.index))
    to.kind = operand_kind::barrier;
  else if (!text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '-'))
    to.kind = operand_kind::real, to.has_part = false;
  return to;
}

/// Reads one instruction, without its offset: "@!P0 LDG.E R2, desc[UR4][R2.64]".
[[nodiscard]] inline instruction read_instruction(std::string_view text, unsigned line) {
  instruction to;
  to.line = line;
  to.guard.kind = operand_kind::predicate, to.guard.index = true_predicate;
  text = trimmed(text);
  auto const word = [&text] {
    std::size_t const end = text.find(' ');
    std::string_view const first = text.substr(0, end);
    text = end == text.npos ? std::string_view{} : trimmed(text.substr(end));
    return first;
  };
  if (begins(text, "@")) to.guard = read_operand(word().substr(1), line);
  if (to.guard.kind != operand_kind::predicate && to.guard.kind != operand_kind::uniform_predicate)
    throw binary_refused("the instruction's predicate is not understood: " + to.guard.word, line);
  to.printed = std::string(word());
  if (to.printed.empty()) throw binary_refused("an instruction without an opcode", line);
  auto const parts = split(to.printed, '.');
  to.base = std::string(parts[0]);
  for (std::size_t k = 1; k != parts.size(); ++k) to.parts.emplace_back(parts[k]);
  if (text.empty()) return to;
  for (std::string_view const each : split(text, ',')) {
    std::string_view const all = trimmed(each);
    std::size_t const second = all.find(' ');  // no comma separates the operands of RET R4 `(kernel)
    if (second != all.npos) to.operands.push_back(read_operand(all.substr(0, second), line));
    to.operands.push_back(read_operand(second == all.npos ? all : all.substr(second + 1), line));
  }
  return to;
}

}  // namespace coalescing::sass
