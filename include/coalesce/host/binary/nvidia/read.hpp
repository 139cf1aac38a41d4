// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/binary/names.hpp>
#include <coalesce/host/binary/nvidia/allowed.hpp>
#include <coalesce/host/binary/nvidia/text.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads a kernel's instructions from a disassembler's text.

namespace coalescing::sass {

/// The bytes of constants that the compiler made for a kernel, such as the tables of `switch`.
struct compiled_constants {
  unsigned bank = 0;  ///< the number of the bank; 0: the text has none
  std::vector<unsigned char> bytes = {};
};
/// Reads the section .nv.constantN.KERNEL, where N is not 0. (A section without a kernel's name is not read: it has the
/// program's __constant__ variables, which the host may change.)
class constants_of_text {
 public:
  compiled_constants all = {};

  void section(std::string_view line, std::string const& kernel) {
    constexpr std::string_view mark = ".nv.constant";
    std::size_t const at = line.find(mark), dot = line.find('.', at + mark.size());
    std::uint64_t bank = 0;
    is_inside_ = at != line.npos && dot != line.npos &&
                 read_digits(line.substr(at + mark.size(), dot - at - mark.size()), 10, bank) && bank != 0 &&
                 line.substr(dot + 1, line.find(',', dot) - dot - 1) == kernel;
    if (is_inside_) all = {static_cast<unsigned>(bank), {}};
  }
  /// Reads a line of the section whose first line was given to section(), such as: /*0000*/ .byte 0xb0, 0x01
  void line(std::string_view text) {
    if (!is_inside_) return;
    if (std::size_t const close = text.find("*/"); begins(text, "/*") && close != text.npos)
      text = trimmed(text.substr(close + 2));
    if (!begins(text, ".byte")) {
      is_inside_ = text.empty() || begins(text, "//") || begins(text, ".align") || begins(text, ".section") ||
                   text.back() == ':';
      return;
    }
    for (std::string_view const each : split(text.substr(5), ',')) {
      std::int64_t byte = 0;
      if (!read_hexadecimal(trimmed(each), byte)) return void(is_inside_ = false);
      all.bytes.push_back(static_cast<unsigned char>(byte));
    }
  }

 private:
  bool is_inside_ = false;
};

inline constexpr std::uint64_t instruction_bytes = 16;  ///< the size of an instruction of sm_70 and later

struct program {
  std::string kernel = {};
  unsigned capability = 0;  ///< the compute capability that the text names: 90 for sm_90; 0: it names none
  allowed_launch allows = {};
  compiled_constants constants = {};
  std::vector<instruction> code = {};
  std::map<std::string, std::size_t> labels = {};    ///< for each label: the index of the instruction after it
  std::map<std::uint64_t, std::size_t> places = {};  ///< for each offset: the index of its instruction

  /// The kernel's parameters. Empty if neither the text nor the kernel's name tells them.
  [[nodiscard]] std::vector<binary::parameter> parameters() const {
    std::vector<binary::parameter> table;
    for (auto const& [place, each] : allows.parameters) table.push_back(each);
    return binary::parameters_of(kernel, allows.is_stated, std::move(table));
  }
  /// How many bytes of shared memory a block has, with those that the target reserves. If the text does not state the
  /// kernel's own bytes, the answer is the most that a block may have. Refused: a block with more than `most`.
  [[nodiscard]] std::uint64_t shared_limit(std::uint64_t dynamic, std::uint64_t most, std::uint64_t reserved) const {
    std::uint64_t const own = allows.is_stated ? allows.shared_bytes : 0, all = most + reserved;
    if (own > all || dynamic > (allows.is_stated ? all - own : most))
      throw binary_refused("the block has " + std::to_string(own - (own < reserved ? own : reserved)) +
                           " bytes of shared memory of its own and " + std::to_string(dynamic) +
                           " bytes that the launch adds, and the machine allows " + std::to_string(most));
    return allows.is_stated ? own + dynamic : all;
  }
};

/// The number that follows `mark` in a line: 90 in "sm_90a" or "EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)". 0 if
/// the line has no `mark`.
[[nodiscard]] inline unsigned capability_after(std::string_view line, std::string_view mark) {
  std::size_t const at = line.find(mark);
  if (at == line.npos) return 0;
  std::uint64_t number = 0;
  std::size_t const digits = binary::read_leading(line.substr(at + mark.size()), 10, number);
  return digits < 5 ? static_cast<unsigned>(number) : 0;
}

/// Reads a line of `nvdisasm -gi` that tells a place in the source: //## File "k.cu", line 7 inlined at ...
[[nodiscard]] inline bool read_source(std::string_view line, std::string& file, unsigned& number) {
  std::size_t const quote = line.find('"'), end = line.find('"', quote + 1), at = line.find("line ", end);
  if (quote == line.npos || end == line.npos || at == line.npos) return false;
  std::uint64_t found = 0;
  if (binary::read_leading(line.substr(at + 5), 10, found) == 0) return false;
  file = std::string(line.substr(quote + 1, end - quote - 1)), number = static_cast<unsigned>(found);
  return true;
}

/// Says in words what a text that is not SASS seems to be.
[[nodiscard]] inline std::string likeness(std::string_view text) {
  static constexpr struct {
    char const *mark, *is;
  } rows[] = {{"\"ELF\":", "what `nvdisasm -json` prints"},
              {".nv.info", "what `cuobjdump -elf` prints"},
              {".visible .entry", "PTX, which ptxas compiles to a cubin"},
              {"digraph", "what `nvdisasm -cfg` prints"},
              {"// |", "what `nvdisasm -plr` prints"},
              {"amdgcn", "the text of an AMD GPU"},
              {"s_endpgm", "the text of an AMD GPU"}};
  for (auto const& row : rows)
    if (text.find(row.mark) != text.npos) return std::string(". This is like ") + row.is;
  return "";
}

/// Reads the places that the text lists for a branch whose target is in a register, and the number that is added to the
/// register: BRX R2 -0x170 (*"BRANCH_TARGETS .L_x_1,.L_x_2"*). Inferred from the tables that nvcc 13.0 makes of
/// `switch`: an entry is the offset of a place, minus the offset of the instruction after the BRX, minus the added
/// number.
inline void read_targets(program const& from, instruction& to) {
  constexpr std::string_view mark = "BRANCH_TARGETS ";
  for (operand const& o : to.operands) {
    std::size_t const at = o.word.find(mark);
    if (at == o.word.npos) continue;
    std::string_view const all = std::string_view(o.word).substr(at + mark.size());
    for (std::string_view const name : split(all.substr(0, all.find('"')), ','))
      if (auto const found = from.labels.find(std::string(trimmed(name))); found != from.labels.end())
        to.targets.push_back(found->second);
      else
        return to.targets.clear();
    std::string_view const added = std::string_view(o.word).substr(0, o.word.find(' '));
    std::int64_t number = 0;
    if (!read_hexadecimal(added, number) && !begins(added, "(*")) return to.targets.clear();
    to.from = static_cast<std::uint64_t>(number) + (begins(to.base, "BRX") ? to.offset + instruction_bytes : 0);
  }
}

/// Reads what `nvdisasm [-c] [-gi]` or `cuobjdump -sass` prints. `asked` names a kernel of the text, and may be its
/// name in the source (binary/kernels.hpp); if it is empty, the text must have only one kernel. If -gi prints several
/// source lines before an instruction, the first one is taken, which is that of the innermost inlined function.
[[nodiscard]] inline program read_program(std::string_view text, std::string const& asked) {
  std::vector<std::string> const kernels = sass::kernels_of(text);
  if (kernels.empty())
    throw binary_refused(
        "the text has no kernel: it must be what `nvdisasm FILE.cubin` or `cuobjdump -sass FILE` prints" +
        likeness(text));
  program made;
  made.kernel = binary::kernel_asked(asked, kernels), made.labels[made.kernel] = 0;
  bool is_inside = false, is_new_source = true;
  unsigned source_line = 0, capability = 0;
  allowed_launches allowed;
  constants_of_text constants;
  std::string file;
  std::string_view line;
  for (binary::lines_of lines(text); lines.next(line);) {
    line = trimmed(line);
    bool const has_flags = begins(line, ".headerflags");
    if (has_flags || begins(line, ".target") || begins(line, "code for sm_")) {
      if (unsigned const found = capability_after(line, has_flags ? "EF_CUDA_SM" : "sm_"); found != 0) {
        capability = found;
        if (is_inside) made.capability = found;
      }
    } else if (begins(line, ".section ") || begins(line, ".section\t")) {
      is_inside = false, allowed.section(line), constants.section(line, made.kernel);
    } else if (std::string_view const name = sass::kernel_of(line); !name.empty()) {
      is_inside = name == made.kernel, file.clear(), source_line = 0;
      if (is_inside) made.capability = capability;
    } else if (begins(line, "//## File")) {
      if (is_new_source) static_cast<void>(read_source(line, file, source_line));
      is_new_source = false;
    } else if (is_inside && line.size() > 1 && line.back() == ':') {
      made.labels[std::string(line.substr(0, line.size() - 1))] = made.code.size();
    } else if (is_inside && begins(line, "/*")) {
      std::size_t const close = line.find("*/"), stop = line.find(';');
      std::uint64_t offset = 0;
      if (close == line.npos || !read_digits(line.substr(2, close - 2), 16, offset)) {
        if (stop == line.npos || stop < close) continue;  // the line has only a part of an encoding
        throw binary_refused("the offset of the instruction is not a hexadecimal number", lines.number);
      }
      if (stop == line.npos || stop < close) throw binary_refused("the line is cut off", lines.number);
      std::uint64_t const expected = made.code.empty() ? 0 : made.code.back().offset + instruction_bytes;
      bool const is_older = made.capability != 0 && made.capability < 70;  // instructions before sm_70 have 8 bytes
      if (offset != expected && !is_older)
        throw binary_refused(
            "the instruction's offset is " + coalescing::detail::hexadecimal(offset) + ", and " +
                coalescing::detail::hexadecimal(expected) +
                " was expected: the text must have each instruction of the kernel once, in their order",
            lines.number);
      std::string_view const words = line.substr(close + 2, stop - close - 2);
      made.code.push_back(read_instruction(words, lines.number));
      instruction& last = made.code.back();
      last.checksum = binary::checksum_of_words(words);
      last.offset = offset, last.file = file, last.source_line = source_line, is_new_source = true;
    } else if (!is_inside) {
      allowed.line(line), constants.line(line);
    }
  }
  if (made.code.empty()) throw binary_refused("the kernel " + made.kernel + " has no instruction");
  made.allows = allowed.of(made.kernel), made.constants = constants.all;

  for (std::size_t k = 0; k != made.code.size(); ++k) made.places[made.code[k].offset] = k;
  for (instruction& each : made.code) {
    if (each.operands.empty()) continue;
    read_targets(made, each);
    operand const& last = each.operands.back();
    if (last.kind == operand_kind::label) {
      auto const found = made.labels.find(last.word);
      if (found != made.labels.end()) each.target = found->second;
    } else if (last.kind == operand_kind::integer) {
      auto const found = made.places.find(static_cast<std::uint64_t>(last.number));
      if (found != made.places.end()) each.target = found->second;
    }
  }
  return made;
}

}  // namespace coalescing::sass
