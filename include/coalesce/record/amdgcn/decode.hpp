// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/amdgcn/comparisons.hpp>
#include <coalesce/record/amdgcn/memory_opcodes.hpp>
#include <coalesce/record/amdgcn/program.hpp>
#include <coalesce/record/amdgcn/scalar_opcodes.hpp>
#include <coalesce/record/amdgcn/text.hpp>
#include <coalesce/record/amdgcn/vector_opcodes.hpp>

#include <string_view>

// Finds an opcode in the tables.

namespace coalescing::amdgcn {

/// What the interpreter does with an instruction.
enum class action {
  scalar,      ///< a row of scalar_opcodes
  saving,      ///< a row of saving_opcodes
  vector,      ///< a row of vector_opcodes
  packed,      ///< a row of vector_opcodes of 16 bits, on both halves (V_PK)
  comparison,  ///< V_CMP, V_CMPX
  memory,      ///< an instruction of a memory unit
  jump,        ///< a branch
  lanes,       ///< moves data between lanes (lanes.hpp)
  bits,        ///< V_BITOP3: a table of bits that the instruction holds
  barrier,     ///< waits for the other waves
  end,         ///< ends the wave
  nothing,     ///< waits, hints, caches: no register changes
  undecoded,   ///< .long: the disassembler did not know the instruction
  call,        ///< changes the program counter by a register: refused
  data,        ///< products of matrices: the result is unknown
  missing,     ///< not in the tables: what it writes is unknown
};

/// An instruction with its meaning.
struct decoded {
  action does = action::missing;
  opcode_row const* row = nullptr;
  comparison compares = {};
  memory_opcode moves = {};
};

/// Opcodes, or their beginnings, that change no register. ("AMD Instinct MI300 CDNA3 ISA", 13.1.5 SOPP;
/// AMDGPUUsage, the memory models, for the instructions on caches.)
inline constexpr char const* idle_opcodes[] = {
    "s_nop",           "s_wait",           "s_delay_alu",         "s_clause",     "s_sleep",
    "s_setprio",       "s_inst_prefetch",  "s_set_inst_prefetch", "s_setreg",     "s_icache_inv",
    "s_dcache_",       "buffer_wb",        "buffer_inv",          "buffer_gl",    "global_inv",
    "global_wb",       "s_barrier_signal", "s_sendmsg",           "s_ttracedata", "s_incperflevel",
    "s_decperflevel",  "s_round_mode",     "s_denorm_mode",       "v_nop",        "s_prefetch_",
    "global_prefetch", "s_sethalt",        "s_code_end",          "s_version",    "sched_"};
/// Opcodes that go on at an address in a register.
inline constexpr char const* calling_opcodes[] = {"s_setpc",          "s_swappc",       "s_call", "s_cbranch_g_fork",
                                                  "s_cbranch_i_fork", "s_cbranch_join", "s_rfe",  "s_trap",
                                                  "s_set_gpr_idx",    "s_subvector"};
inline constexpr char const* lane_opcodes[] = {"v_readfirstlane_b32", "v_readlane_b32",        "v_writelane_b32",
                                               "v_swap_b32",          "v_permlane32_swap_b32", "v_permlane16_swap_b32",
                                               "v_pk_mov_b32"};

template <unsigned N>
[[nodiscard]] inline std::string_view name_of(std::string_view opcode, opcode_alias const (&table)[N]) {
  for (opcode_alias const& each : table)
    if (opcode == each.name) return each.of;
  return opcode;
}
template <unsigned N>
[[nodiscard]] inline opcode_row const* row_of(std::string_view opcode, opcode_row const (&table)[N]) {
  for (opcode_row const& each : table)
    if (opcode == each.name) return &each;
  return nullptr;
}
template <unsigned N>
[[nodiscard]] inline bool begins_with_any(std::string_view opcode, char const* const (&table)[N]) {
  for (std::string_view const each : table)
    if (begins(opcode, each)) return true;
  return false;
}

[[nodiscard]] inline decoded decode(std::string_view opcode) {
  decoded to;
  auto const is = [&to](action what) { return to.does = what, to; };
  if (begins_with_any(opcode, idle_opcodes)) return is(action::nothing);
  if (opcode == "s_endpgm" || opcode == "s_endpgm_saved" || opcode == "s_endpgm_ordered_ps_done")
    return is(action::end);
  if (opcode == "s_barrier" || opcode == "s_barrier_wait") return is(action::barrier);
  if (opcode == ".long") return is(action::undecoded);
  if (begins_with_any(opcode, calling_opcodes)) return is(action::call);
  if (opcode == "s_branch" || begins(opcode, "s_cbranch_")) return is(action::jump);
  if (to.moves = memory_opcode_of(opcode); to.moves.by != unit::missing) return is(action::memory);
  if (opcode == "v_bitop3_b32") return is(action::bits);
  for (std::string_view const each : lane_opcodes)
    if (opcode == each) return is(action::lanes);
  if (to.row = row_of(name_of(opcode, scalar_aliases), scalar_opcodes); to.row != nullptr) return is(action::scalar);
  if (ends(opcode, "_saveexec_b64") || ends(opcode, "_saveexec_b32")) {
    std::string_view const stem = opcode.substr(0, opcode.size() - 4);
    if (to.row = row_of(name_of(stem, scalar_aliases), saving_opcodes); to.row != nullptr) return is(action::saving);
  }
  if (to.compares = comparison_of(opcode); to.compares.how != nullptr) return is(action::comparison);
  if (to.row = row_of(name_of(opcode, vector_aliases), vector_opcodes); to.row != nullptr) return is(action::vector);
  if (begins(opcode, "v_pk_")) {
    std::string const single = "v_" + std::string(opcode.substr(5));
    opcode_row const* const row = row_of(name_of(single, vector_aliases), vector_opcodes);
    if (row != nullptr && row->operands[0] == 'h') return to.row = row, is(action::packed);
  }
  if (begins_with_any(opcode, data_opcodes)) return is(action::data);
  return is(action::missing);
}

}  // namespace coalescing::amdgcn
