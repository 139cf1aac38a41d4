// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/metadata.hpp>
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/binary/names.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads a kernel from the text of `llvm-objdump -D -j .rodata -j .text FILE` (with -l also source lines), or from a
// compiler's assembly. Both say in .amdhsa_ directives how the kernel starts: LLVM, AMDGPUUsage, "Code Object V3 and
// Above Directives".

namespace coalescing::amdgcn {

namespace detail {

/// Reads an .amdhsa_ directive, and sets the member of the descriptor that it names. `name` is without .amdhsa_.
inline void take_directive(descriptor& to, std::string_view name, std::int64_t number) {
  auto const n = static_cast<unsigned>(number);
  struct flag {
    char const* name;
    bool descriptor::*member;
  };
  static constexpr flag flags[] = {
      {"user_sgpr_private_segment_buffer", &descriptor::private_segment_buffer},
      {"user_sgpr_dispatch_ptr", &descriptor::dispatch_ptr},
      {"user_sgpr_queue_ptr", &descriptor::queue_ptr},
      {"user_sgpr_kernarg_segment_ptr", &descriptor::kernarg_ptr},
      {"user_sgpr_dispatch_id", &descriptor::dispatch_id},
      {"user_sgpr_flat_scratch_init", &descriptor::flat_scratch_init},
      {"user_sgpr_private_segment_size", &descriptor::private_segment_size},
      {"system_sgpr_workgroup_id_x", &descriptor::workgroup_id_x},
      {"system_sgpr_workgroup_id_y", &descriptor::workgroup_id_y},
      {"system_sgpr_workgroup_id_z", &descriptor::workgroup_id_z},
      {"system_sgpr_workgroup_info", &descriptor::workgroup_info},
      {"system_sgpr_private_segment_wavefront_offset", &descriptor::private_wavefront_offset},
      {"wavefront_size32", &descriptor::wave32}};
  struct count {
    char const* name;
    unsigned descriptor::*member;
  };
  static constexpr count counts[] = {{"group_segment_fixed_size", &descriptor::lds_bytes},
                                     {"private_segment_fixed_size", &descriptor::private_bytes},
                                     {"kernarg_size", &descriptor::kernarg_bytes},
                                     {"user_sgpr_kernarg_preload_length", &descriptor::preload_length},
                                     {"user_sgpr_kernarg_preload_offset", &descriptor::preload_offset},
                                     {"system_vgpr_workitem_id", &descriptor::workitem_id},
                                     {"user_sgpr_count", &descriptor::user_registers},
                                     {"float_round_mode_32", &descriptor::rounding_32},
                                     {"float_round_mode_16_64", &descriptor::rounding_64}};
  for (flag const& each : flags)
    if (name == each.name) to.*each.member = n != 0;
  for (count const& each : counts)
    if (name == each.name) to.*each.member = n;
  if (name == "wavefront_size32") to.has_wave_size = true;
}

/// Reads the descriptor from its 64 bytes. If constants stand before the descriptor in .rodata, a disassembler prints
/// .byte directives in place of .amdhsa_ directives.
inline void take_bytes(descriptor& to, std::array<unsigned char, 64> const& bytes) {
  auto const number = [&bytes](std::size_t at, unsigned count) {
    std::uint32_t all = 0;
    for (unsigned k = 0; k != count; ++k) all |= std::uint32_t{bytes[at + k]} << (8 * k);
    return all;
  };
  std::uint32_t const how = number(52, 4), registers = number(56, 2), preload = number(58, 2);
  to.lds_bytes = number(0, 4), to.private_bytes = number(4, 4), to.kernarg_bytes = number(8, 4);
  struct flag {
    bool descriptor::*member;
    bool is_register;  ///< the bit is in KERNEL_CODE_PROPERTIES; else in COMPUTE_PGM_RSRC2
    unsigned bit;
  };
  static constexpr flag flags[] = {{&descriptor::private_segment_buffer, true, 0},
                                   {&descriptor::dispatch_ptr, true, 1},
                                   {&descriptor::queue_ptr, true, 2},
                                   {&descriptor::kernarg_ptr, true, 3},
                                   {&descriptor::dispatch_id, true, 4},
                                   {&descriptor::flat_scratch_init, true, 5},
                                   {&descriptor::private_segment_size, true, 6},
                                   {&descriptor::wave32, true, 10},
                                   {&descriptor::private_wavefront_offset, false, 0},
                                   {&descriptor::workgroup_id_x, false, 7},
                                   {&descriptor::workgroup_id_y, false, 8},
                                   {&descriptor::workgroup_id_z, false, 9},
                                   {&descriptor::workgroup_info, false, 10}};
  for (flag const& each : flags) to.*each.member = ((each.is_register ? registers : how) >> each.bit & 1) != 0;
  to.workitem_id = how >> 11 & 3, to.user_registers = how >> 1 & 31, to.has_wave_size = true;
  to.rounding_32 = number(48, 4) >> 12 & 3, to.rounding_64 = number(48, 4) >> 14 & 3;
  to.preload_length = preload & 127, to.preload_offset = preload >> 7;
  to.directives.emplace_back("kernarg_size");
}

/// Reads the offset of a disassembled instruction from its comment: `// 000000002100: C00A0100 ... <saxpy+0x68>`.
inline bool read_offset(std::string_view line, std::uint64_t& address) {
  auto const mark = line.find("// ");
  if (mark == line.npos) return false;
  std::string_view const rest = line.substr(mark + 3);
  auto const colon = rest.find(':');
  if (colon > 16) return false;  // this is also true of a line without a colon
  return binary::read_digits(rest.substr(0, colon), 16, address);
}

/// Directives that add nothing to a kernel's code. (LLVM, AMDGPUUsage; GNU as, Assembler Directives.)
inline constexpr char const* idle_directives[] = {
    ".p2align", ".p2alignl", ".p2alignw", ".align",   ".balign", ".loc",    ".file",        ".set",         ".size",
    ".type",    ".globl",    ".global",   ".local",   ".weak",   ".hidden", ".protected",   ".internal",    ".section",
    ".text",    ".previous", ".ident",    ".addrsig", ".equ",    ".equiv",  ".addrsig_sym", ".pseudoprobe", ".extern"};
[[nodiscard]] inline bool is_idle_directive(std::string_view words) {
  std::string_view const name = words.substr(0, words.find_first_of(" \t"));
  for (std::string_view const each : {".cfi_", ".amdhsa_", ".amdgcn_", ".amdgpu_", ".end_amd"})
    if (begins(name, each)) return true;
  for (std::string_view const each : idle_directives)
    if (name == each) return true;
  return false;
}
/// Refuses a directive that may make, repeat or leave out code.
[[noreturn]] inline void refuse_directive(std::string_view words, unsigned line) {
  throw binary_refused("the directive " + std::string(words.substr(0, words.find_first_of(" \t"))) +
                           " is not followed: give the disassembly, llvm-objdump -D -j .rodata -j .text FILE",
                       line);
}

/// Finds the target instruction of each branch. Assembly names a label. A disassembler prints 16 bits: the distance in
/// dwords from the next instruction.
inline void find_targets(program& made, std::map<std::string, std::size_t> const& labels,
                         std::map<std::uint64_t, std::size_t> const& places) {
  for (instruction& each : made.code) {
    if (!begins(each.opcode, "s_branch") && !begins(each.opcode, "s_cbranch_")) continue;
    if (each.operands.empty()) throw binary_refused("the branch has no target", each.line);
    operand const& to = each.operands[0];
    if (to.kind == operand_kind::constant) {
      auto const distance = static_cast<std::int16_t>(to.integer);
      auto const found = places.find(each.offset + 4 + static_cast<std::uint64_t>(4 * std::int64_t{distance}));
      if (found != places.end()) each.target = found->second;
    } else if (auto const found = labels.find(to.text); found != labels.end()) {
      each.target = found->second;
    }
  }
}

}  // namespace detail

/// Reads a kernel. An empty name means the only kernel of the text. Refused: a text without the kernel, or without its
/// descriptor; a line in the kernel that is not an instruction.
[[nodiscard]] inline program read_program(std::string_view text, std::string const& kernel) {
  program made;
  std::map<std::string, descriptor> starts;
  std::string reading, twice;  // twice: the kernels with two descriptors, each name between blanks
  std::string_view line;
  metadata_reader metadata;
  std::array<unsigned char, 64> bytes = {};
  std::string of_bytes;  // the kernel whose descriptor the text prints as bytes here; else empty
  std::size_t read_bytes = 0;
  for (binary::lines_of lines(text); lines.next(line);) {
    metadata.take(line);
    std::string_view const words = detail::without_comment(line);
    if (std::string_view const symbol = detail::symbol_of(words); !symbol.empty())
      of_bytes = ends(symbol, ".kd") ? symbol.substr(0, symbol.size() - 3) : "", read_bytes = 0;
    if (std::int64_t byte = 0; !of_bytes.empty() && begins(words, ".byte") && read_bytes != bytes.size() &&
                               read_integer(trimmed(words.substr(5)), byte)) {
      bytes[read_bytes++] = static_cast<unsigned char>(byte);
      if (read_bytes == bytes.size()) {
        if (starts.count(of_bytes) != 0) twice += ' ' + of_bytes + ' ';
        starts[of_bytes].is_there = true;
        detail::take_bytes(starts[of_bytes], bytes);
      }
    }
    if (begins(words, ".amdhsa_kernel")) {
      reading = trimmed(words.substr(14));
      if (starts.count(reading) != 0) twice += ' ' + reading + ' ';
      starts[reading].is_there = true;
    } else if (begins(words, ".end_amdhsa_kernel")) {
      reading.clear();
    } else if (!reading.empty() && begins(words, ".amdhsa_")) {
      auto const blank = words.find_first_of(" \t");
      std::int64_t number = 0;
      starts[reading].directives.emplace_back(words.substr(8, blank == words.npos ? blank : blank - 8));
      if (blank != words.npos && read_integer(trimmed(words.substr(blank)), number))
        detail::take_directive(starts[reading], words.substr(8, blank - 8), number);
    } else if (begins(words, ".amdgcn_target") || begins(words, "amdhsa.target:")) {
      // (llvm-readelf --notes prints amdhsa.target.) The target is written amdgcn-amd-amdhsa--gfx942, and in Triton 3.9
      // amdgpu9.42-amd-amdhsa-unknown-gfx942.
      auto const dash = words.rfind("-gfx");
      std::string_view const rest = dash == words.npos ? std::string_view{} : words.substr(dash + 1);
      made.target = rest.substr(0, rest.find_first_of(":\"' "));
    }
  }
  if (starts.empty())
    throw binary_refused(
        "the text has no kernel descriptor (.amdhsa_kernel): give that of `llvm-objdump -D -j .rodata -j .text FILE` "
        "(-d alone leaves it out), or a compiler's assembly");
  std::vector<std::string> kernels;
  for (auto const& [name, start] : starts) kernels.push_back(name);
  made.kernel = binary::kernel_asked(kernel, kernels);
  auto const refuse_two = [&made](unsigned at) {
    throw binary_refused("the text has two kernels of the name " + made.kernel + ": give the text of one", at);
  };
  if (twice.find(' ' + made.kernel + ' ') != twice.npos) refuse_two(0);
  made.start = starts[made.kernel];
  made.start.sizes = metadata.of(made.kernel);

  std::map<std::string, std::size_t> labels;
  std::map<std::uint64_t, std::size_t> places;
  std::map<std::string, std::string> files;
  found_at source;
  auto const take_source = [&source](std::string_view words) {  // `words` is file:line
    auto const colon = words.rfind(':');
    std::int64_t number = 0;
    bool const has_line = colon != words.npos && read_integer(words.substr(colon + 1), number);
    source.file = has_line ? words.substr(0, colon) : std::string_view{}, source.line = static_cast<unsigned>(number);
  };
  bool inside = false;
  std::uint64_t first = 0;
  for (binary::lines_of lines(text); lines.next(line);) {
    std::string_view words = detail::without_comment(line);
    if (begins(words, ".file")) {  // .file 1 "folder" "name", or .file 1 "name"
      auto const last = words.rfind('"'), before = words.rfind('"', last - 1), blank = words.find_first_of(" \t", 6);
      if (last != words.npos && before != words.npos && blank != words.npos)
        files[std::string(trimmed(words.substr(5, blank - 5)))] = words.substr(before + 1, last - before - 1);
    }
    if (std::string_view const symbol = detail::symbol_of(words); !symbol.empty()) {
      // The name of a kernel may begin with L, as local labels do.
      bool const is_kernel = starts.count(std::string(symbol)) != 0;
      if (!is_kernel && (begins(symbol, ".L") || begins(symbol, "L"))) {
        if (inside) labels[std::string(symbol)] = made.code.size();
        if (begins(symbol, ".Lfunc_end")) inside = false;
      } else {
        inside = symbol == made.kernel;
        if (inside && !made.code.empty()) refuse_two(lines.number);
      }
      continue;
    }
    if (begins(words, ".macro") || begins(words, ".include")) detail::refuse_directive(words, lines.number);
    if (!inside || words.empty()) {
      std::string_view const comment = trimmed(line);
      if (inside && begins(comment, "; /")) take_source(trimmed(comment.substr(2)));  // by llvm-objdump -l
      continue;
    }
    if (begins(words, ".end_amdhsa_kernel")) inside = false;
    if (begins(words, ".loc")) {
      char end = ' ';
      words = trimmed(words.substr(4));
      std::string const file(next_word(words, end)), row(next_word(words, end));
      take_source(row == "0" ? "" : (files.count(file) != 0 ? files[file] : file) + ":" + row);
      continue;
    }
    if (words == "...") words = ".long";  // the disassembler prints `...` in the place of zeros
    if (words.front() == '.' && !begins(words, ".long")) {
      if (!detail::is_idle_directive(words)) detail::refuse_directive(words, lines.number);
      continue;
    }
    if (begins(words, "Disassembly of section")) {
      inside = false;
      continue;
    }
    if (words.front() == '.') words = words.substr(0, 5);
    if (words.size() < 3 || !((words.front() >= 'a' && words.front() <= 'z') || words.front() == '.'))
      throw binary_refused("this is not an instruction: " + std::string(words.substr(0, 60)), lines.number);
    instruction each = read_instruction(words, lines.number);
    each.checksum = binary::checksum_of_words(words);
    each.file = source.file, each.source_line = source.line;
    if (std::uint64_t address = 0; detail::read_offset(line, address)) {
      if (made.code.empty()) first = address;
      each.offset = address - first;
      places[each.offset] = made.code.size();
    }
    made.code.push_back(std::move(each));
  }
  if (made.code.empty())
    throw binary_refused("the text has no code of the kernel \"" + made.kernel +
                         "\": give that of `llvm-objdump -D -j .rodata -j .text FILE`");
  detail::find_targets(made, labels, places);
  return made;
}

}  // namespace coalescing::amdgcn
