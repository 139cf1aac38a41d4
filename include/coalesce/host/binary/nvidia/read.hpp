// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/binary/nvidia/allowed.hpp>
#include <coalesce/host/binary/nvidia/text.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A kernel's instructions, out of a disassembler's text.

namespace coalescing::sass {

struct program {
  std::string kernel = {};
  unsigned capability = 0;  ///< 90; 0 where the text does not say it
  allowed_launch allows = {};
  std::vector<instruction> code = {};
  std::map<std::string, std::size_t> labels = {};    ///< of each label: the index of the instruction after it
  std::map<std::uint64_t, std::size_t> places = {};  ///< of each offset: the index of its instruction

  /// The kernel's parameters; empty where neither the text nor the kernel's name tells them.
  [[nodiscard]] std::vector<binary::parameter> parameters() const {
    std::vector<binary::parameter> table;
    for (auto const& [place, each] : allows.parameters) table.push_back(each);
    return binary::parameters_of(kernel, allows.is_stated, std::move(table));
  }
  /// The bytes of shared memory of a block, with what the target reserves. Where the text does not state them, the most
  /// that a block may have. Refused: more than that.
  [[nodiscard]] std::uint64_t shared_limit(std::uint64_t dynamic, std::uint64_t most, std::uint64_t reserved) const {
    std::uint64_t const own = allows.is_stated ? allows.shared_bytes : 0, all = most + reserved;
    if (own > all || dynamic > (allows.is_stated ? all - own : most))
      throw binary_refused("the block has " + std::to_string(own - (own < reserved ? own : reserved)) +
                           " bytes of shared memory of its own and " + std::to_string(dynamic) +
                           " bytes that the launch adds, and the machine allows " + std::to_string(most));
    return allows.is_stated ? own + dynamic : all;
  }
};

/// 90 of "sm_90a", "EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)" and the like, by what stands before the number; 0
/// where it does not stand there.
[[nodiscard]] inline unsigned capability_after(std::string_view line, std::string_view mark) {
  std::size_t const at = line.find(mark);
  if (at == line.npos) return 0;
  std::uint64_t number = 0;
  std::size_t const digits = binary::read_leading(line.substr(at + mark.size()), 10, number);
  return digits < 5 ? static_cast<unsigned>(number) : 0;
}

/// The line of `nvdisasm -gi` that tells a source: //## File "k.cu", line 7 inlined at ...
[[nodiscard]] inline bool read_source(std::string_view line, std::string& file, unsigned& number) {
  std::size_t const quote = line.find('"'), end = line.find('"', quote + 1), at = line.find("line ", end);
  if (quote == line.npos || end == line.npos || at == line.npos) return false;
  std::uint64_t found = 0;
  if (binary::read_leading(line.substr(at + 5), 10, found) == 0) return false;
  file = std::string(line.substr(quote + 1, end - quote - 1)), number = static_cast<unsigned>(found);
  return true;
}

/// In words: what a text seems to be that is not SASS.
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

/// The kernel whose code follows the line: `.text.NAME:` of nvdisasm, `Function : NAME` of cuobjdump. Empty: none.
[[nodiscard]] inline std::string_view kernel_of(std::string_view line) {
  if (begins(line, ".text.") && line.back() == ':') return line.substr(6, line.size() - 7);
  return begins(line, "Function : ") ? line.substr(11) : std::string_view{};
}
/// All kernels of a text.
[[nodiscard]] inline std::vector<std::string> kernels_of(std::string_view text) {
  std::vector<std::string> all;
  std::string_view line;
  for (binary::lines_of lines(text); lines.next(line);)
    if (std::string_view const name = sass::kernel_of(trimmed(line)); !name.empty()) all.emplace_back(name);
  return all;
}

/// Reads what `nvdisasm [-c] [-gi]` or `cuobjdump -sass` prints. An empty name means the only kernel of the text; a
/// name may be the source's (binary/kernels.hpp). The first of the lines that -gi prints before an instruction counts:
/// the innermost inlined function.
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
      is_inside = false, allowed.section(line);
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
      if (close == line.npos || !read_digits(line.substr(2, close - 2), 16, offset)) continue;  // an encoding
      if (stop == line.npos || stop < close) throw binary_refused("the line is cut off", lines.number);
      made.code.push_back(read_instruction(line.substr(close + 2, stop - close - 2), lines.number));
      instruction& last = made.code.back();
      last.offset = offset, last.file = file, last.source_line = source_line, is_new_source = true;
      if (made.code.size() > 1 && made.code[made.code.size() - 2].offset >= offset)
        throw binary_refused("the offsets of the instructions do not grow", lines.number);
    } else if (!is_inside) {
      allowed.line(line);
    }
  }
  if (made.code.empty()) throw binary_refused("the kernel " + made.kernel + " has no instruction");
  made.allows = allowed.of(made.kernel);

  for (std::size_t k = 0; k != made.code.size(); ++k) made.places[made.code[k].offset] = k;
  for (instruction& each : made.code) {
    if (each.operands.empty()) continue;
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
