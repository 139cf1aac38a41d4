// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <string>
#include <string_view>

// Checks whether a disassembly may have been made for the machine's target. A disassembly seldom names its target, but
// the directives of the kernel's descriptor and the opcodes tell which targets are possible. Each target has its own
// set of directives, except that gfx942 and gfx950 have the same set. A test compares each row of the two tables below
// with LLVM 22 (tests/host/binary/amd/signs.cmake).

namespace coalescing::amdgcn {

/// A directive of the descriptor, or an opcode, and those of the six targets in targets.hpp that have it.
struct target_sign {
  char const* name;
  char const* targets;
};
/// Directives, without .amdhsa_, that llvm-objdump prints for these targets alone (LLVM 22, AMDGPUDisassembler).
inline constexpr target_sign directive_signs[] = {
    {"accum_offset", "gfx90a, gfx942, gfx950"},
    {"user_sgpr_private_segment_buffer", "gfx90a, gfx1030"},
    {"enable_private_segment", "gfx942, gfx950, gfx1100, gfx1201"},
    {"wavefront_size32", "gfx1030, gfx1100, gfx1201"},
    {"inst_pref_size", "gfx1100, gfx1201"},
    {"dx10_clamp", "gfx90a, gfx942, gfx950, gfx1030, gfx1100"},
    {"round_robin_scheduling", "gfx1201"},
};
/// Opcodes that LLVM 22 assembles for these targets alone.
inline constexpr target_sign opcode_signs[] = {
    {"v_bitop3_b32", "gfx950"},
    {"v_permlane16_swap_b32", "gfx950"},
    {"v_permlane32_swap_b32", "gfx950"},
    {"ds_read_b64_tr_b16", "gfx950"},
    {"global_load_lds_dwordx4", "gfx950"},
    {"v_lshl_add_u64", "gfx942, gfx950"},
    {"v_mov_b64", "gfx942, gfx950"},
    {"v_accvgpr_read_b32", "gfx90a, gfx942, gfx950"},
    {"s_load_b32", "gfx1100, gfx1201"},
    {"s_load_b64", "gfx1100, gfx1201"},
    {"s_load_b128", "gfx1100, gfx1201"},
    {"s_delay_alu", "gfx1100, gfx1201"},
    {"s_wait_kmcnt", "gfx1201"},
    {"s_wait_loadcnt", "gfx1201"},
};

[[nodiscard]] inline bool has_target(target_sign const& sign, std::string_view name) {
  return std::string_view(sign.targets).find(name) != std::string_view::npos;
}

/// Refused: a text that names another target, or that has a directive or an opcode that only other targets have.
inline void check_target(program const& code, std::string_view name) {
  std::string const machine(name);
  if (!code.target.empty() && code.target != name)
    throw binary_refused("the text is of " + code.target + ", and the machine is " + machine);
  auto const check = [&](std::string const& word, target_sign const& sign, unsigned line) {
    if (!has_target(sign, name))
      throw binary_refused(
          "the text is of another target than " + machine + ": " + word + " stands only in binaries of " + sign.targets,
          line);
  };
  for (target_sign const& sign : directive_signs)
    for (std::string const& each : code.start.directives)
      if (each == sign.name) check(".amdhsa_" + each, sign, 0);
  for (instruction const& each : code.code)
    for (target_sign const& sign : opcode_signs)
      if (each.opcode == sign.name) check(each.printed, sign, each.line);
}

}  // namespace coalescing::amdgcn
