// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// Reads the text of one AMD instruction. Sources: LLVM, AMDGPUOperandSyntax and AMDGPUModifierSyntax.

namespace coalescing::amdgcn {

using binary::begins, binary::ends, binary::is_digit, binary::read_integer, binary::trimmed;

/// The scalar registers that have names, with their numbers in the encoding ("AMD RDNA 3 ISA", "Scalar Operands"). But
/// m0 and null have the numbers that gfx10 gives them. flat_scratch and xnack_mask have the numbers that gfx9 gives
/// them. The trap temporaries ttmp0 to ttmp15 have the numbers 108 to 123.
struct scalar_name {
  char const* name;
  unsigned first, registers;
};
inline constexpr unsigned null_register = 125;  ///< reads as 0; a write to it is lost
inline constexpr scalar_name scalar_names[] = {{"vcc", 106, 2},
                                               {"vcc_lo", 106, 1},
                                               {"vcc_hi", 107, 1},
                                               {"exec", 126, 2},
                                               {"exec_lo", 126, 1},
                                               {"exec_hi", 127, 1},
                                               {"m0", 124, 1},
                                               {"null", null_register, 2},
                                               {"flat_scratch", 102, 2},
                                               {"flat_scratch_lo", 102, 1},
                                               {"flat_scratch_hi", 103, 1},
                                               {"xnack_mask", 104, 2},
                                               {"xnack_mask_lo", 104, 1},
                                               {"xnack_mask_hi", 105, 1},
                                               {"scc", 253, 1},
                                               {"src_scc", 253, 1}};
inline constexpr unsigned accumulation = 512;  ///< the number of a0: the registers a0, a1, ... follow v511
inline constexpr unsigned last_named_scalar = 127;
inline constexpr unsigned scalar_registers = 160;  ///< the last 32 have no names: reciprocals.hpp uses them
inline constexpr unsigned vector_registers = 1024;

/// Reads registers such as v3 or v[4:7]. `prefix` is the beginning of their names: "s", "v", "a" or "ttmp". Returns
/// whether the text names such registers.
[[nodiscard]] inline bool read_registers(std::string_view text, std::string_view prefix, operand& to) {
  if (!begins(text, prefix) || text.size() == prefix.size()) return false;
  text.remove_prefix(prefix.size());
  std::int64_t first = 0, last = 0;
  if (text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
    auto const colon = text.find(':');
    if (colon == text.npos) {
      if (!read_integer(text, first)) return false;
      last = first;
    } else if (!read_integer(text.substr(0, colon), first) || !read_integer(text.substr(colon + 1), last)) {
      return false;
    }
  } else {
    if (ends(text, ".l") || ends(text, ".h")) to.half = ends(text, ".l") ? 1 : 2, text.remove_suffix(2);
    if (!is_digit(text.front()) || !read_integer(text, first)) return false;
    last = first;
  }
  if (first < 0 || last < first || last > 511 || last - first > 31) return false;
  to.first = static_cast<unsigned>(first), to.registers = static_cast<unsigned>(last - first + 1);
  return true;
}

[[nodiscard]] inline operand read_operand(std::string_view text) {
  operand to;
  to.text = text;
  auto const strip = [&](std::string_view before, std::string_view after) {
    if (text.size() <= before.size() + after.size() || !begins(text, before) || !ends(text, after)) return false;
    text = text.substr(before.size(), text.size() - before.size() - after.size());
    return true;
  };
  if (text.size() > 1 && text.front() == '-' && !is_digit(text[1])) to.negated = strip("-", "");
  if (strip("neg(", ")")) to.negated = true;
  strip("sext(", ")");  // SDWA's sign extension; sources.hpp finds it in to.text
  if (strip("|", "|") || strip("abs(", ")")) to.absolute = true;
  if (text == "off") return to.kind = operand_kind::off, to;
  for (scalar_name const& each : scalar_names)
    if (text == each.name)
      return to.kind = operand_kind::scalar, to.first = each.first, to.registers = each.registers, to;
  if (read_registers(text, "v", to)) return to.kind = operand_kind::vector, to;
  if (read_registers(text, "a", to)) return to.kind = operand_kind::vector, to.first += accumulation, to;
  if (read_registers(text, "s", to) && to.first + to.registers <= 106) return to.kind = operand_kind::scalar, to;
  if (read_registers(text, "ttmp", to) && to.first + to.registers <= 16)
    return to.kind = operand_kind::scalar, to.first += 108, to;
  if (strip("lit(", ")") || strip("lit64(", ")")) to.is_literal = true;
  if (read_integer(text, to.integer)) {
    to.is_literal = to.is_literal || begins(text, "0x");
    return to.kind = operand_kind::constant, to;
  }
  if (!text.empty() && (is_digit(text.front()) || text.front() == '-') && text.find('.') != text.npos) {
    char* end = nullptr;
    std::string const words(text);
    to.real = std::strtod(words.c_str(), &end);
    if (*end == 0) return to.kind = operand_kind::constant, to.is_real = true, to;
  }
  return to.kind = operand_kind::unnamed, to.registers = 1, to;
}

/// The opcode without the ending that names its encoding. The ending does not change the meaning.
[[nodiscard]] inline std::string without_encoding(std::string_view opcode) {
  for (std::string_view const ending : {"_e32", "_e64", "_sdwa", "_dpp", "_dpp8", "_e64", "_gfx9", "_vi"})
    if (ends(opcode, ending)) opcode.remove_suffix(ending.size());
  return std::string(opcode);
}

/// Removes the next word from `text`, and returns the word. A word ends at a comma or blank outside of brackets. `end`
/// becomes ',' if a comma follows the word, else ' '.
[[nodiscard]] inline std::string_view next_word(std::string_view& text, char& end) {
  std::size_t k = 0;
  unsigned depth = 0;
  for (; k != text.size(); ++k) {
    char const c = text[k];
    if (c == '[' || c == '(') ++depth;
    if ((c == ']' || c == ')') && depth != 0) --depth;
    if (depth == 0 && (c == ',' || c == ' ' || c == '\t')) break;
  }
  std::string_view const word = text.substr(0, k);
  text.remove_prefix(k);
  text = trimmed(text);
  end = !text.empty() && text.front() == ',' ? ',' : ' ';
  if (end == ',') text.remove_prefix(1), text = trimmed(text);
  return word;
}

/// Reads an instruction from its text, which must not have comments. Commas stand between operands, blanks after the
/// last operand and between modifiers.
[[nodiscard]] inline instruction read_instruction(std::string_view text, unsigned line) {
  instruction to;
  to.line = line;
  if (auto const both = text.find(" :: "); both != text.npos) {
    to.second.push_back(read_instruction(trimmed(text.substr(both + 4)), line));
    text = trimmed(text.substr(0, both));
  }
  auto const blank = text.find_first_of(" \t");
  to.printed = text.substr(0, blank);
  to.opcode = without_encoding(to.printed);
  text = blank == text.npos ? std::string_view{} : trimmed(text.substr(blank));
  // A vector instruction with the source src_lds_direct reads LDS at the address in M0, as lds_direct_load does.
  // Targets with v_dual_ lack this source.
  if (begins(to.opcode, "v_dual_"))
    to.opcode = "v_" + to.opcode.substr(7);
  else if (begins(to.opcode, "v_") && text.find("lds_direct") != text.npos)
    to.opcode = "lds_" + to.opcode;
  bool operands = true;
  while (!text.empty()) {
    char end = ' ';
    std::string_view const word = next_word(text, end);
    auto const colon = word.find(':');
    bool const is_register = word.find('[') != word.npos && word.find('[') < colon;
    operand const read = operands ? read_operand(word) : operand{};
    if (operands && (read.kind != operand_kind::unnamed || is_register || word == "null" || end == ',' ||
                     begins(word, "src_") || begins(word, "."))) {
      to.operands.push_back(read);
      if (end != ',') operands = false;
      continue;
    }
    operands = false;
    modifier each;
    each.name = word.substr(0, colon);
    if (colon != word.npos) each.argument = word.substr(colon + 1);
    std::int64_t number = 0;
    if (read_integer(each.argument, number)) each.number = number;
    to.modifiers.push_back(each);
  }
  return to;
}

}  // namespace coalescing::amdgcn
