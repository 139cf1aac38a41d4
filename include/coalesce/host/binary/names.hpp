// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/text.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// Lists the names of the kernels in a text: a disassembly, or a compiler's assembly.

namespace coalescing::sass {

using binary::trimmed, binary::begins;

/// The name of the kernel whose code follows the line; empty if no code follows. Such a line is `.text.NAME:` of
/// nvdisasm or `Function : NAME` of cuobjdump.
[[nodiscard]] inline std::string_view kernel_of(std::string_view line) {
  if (begins(line, ".text.") && line.back() == ':') return line.substr(6, line.size() - 7);
  return begins(line, "Function : ") ? line.substr(11) : std::string_view{};
}
/// The kernels of a text that `nvdisasm` or `cuobjdump -sass` prints, by their names in the text.
[[nodiscard]] inline std::vector<std::string> kernels_of(std::string_view text) {
  std::vector<std::string> all;
  std::string_view line;
  for (binary::lines_of lines(text); lines.next(line);)
    if (std::string_view const name = sass::kernel_of(trimmed(line)); !name.empty()) all.emplace_back(name);
  return all;
}

}  // namespace coalescing::sass

namespace coalescing::amdgcn {

using binary::trimmed, binary::begins, binary::ends;

namespace detail {

[[nodiscard]] inline std::string_view without_comment(std::string_view line) {
  std::size_t end = line.size();
  for (std::string_view const mark : {"//", ";"})
    if (auto const at = line.find(mark); at < end) end = at;
  return trimmed(line.substr(0, end));
}

/// The symbol of a line `0000000000002100 <transpose>:` of a disassembly, or `transpose:` of assembly. Empty if the
/// line is neither.
[[nodiscard]] inline std::string_view symbol_of(std::string_view line) {
  if (line.empty() || line.back() != ':') return {};
  auto const open = line.find('<');
  if (open != line.npos && line.size() > open + 3 && line[line.size() - 2] == '>')
    return line.substr(open + 1, line.size() - open - 3);
  line.remove_suffix(1);
  for (char const c : line)
    if (c == ' ' || c == '\t' || c == '"' || c == ',') return {};
  return line;
}

}  // namespace detail

/// The kernels of a text that `llvm-objdump -D -j .rodata -j .text` prints, or of a compiler's assembly, by their names
/// in the text. A kernel is a symbol with a kernel descriptor.
[[nodiscard]] inline std::vector<std::string> kernels_of(std::string_view text) {
  std::vector<std::string> all;
  std::string_view line;
  for (binary::lines_of lines(text); lines.next(line);) {
    std::string_view const words = detail::without_comment(line), symbol = detail::symbol_of(words);
    std::string_view name = begins(words, ".amdhsa_kernel") ? trimmed(words.substr(14)) : std::string_view{};
    if (ends(symbol, ".kd")) name = symbol.substr(0, symbol.size() - 3);
    if (!name.empty() && std::find(all.begin(), all.end(), name) == all.end()) all.emplace_back(name);
  }
  return all;
}

}  // namespace coalescing::amdgcn
