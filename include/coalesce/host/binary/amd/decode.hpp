// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/comparisons.hpp>
#include <coalesce/host/binary/amd/indexed_opcodes.hpp>
#include <coalesce/host/binary/amd/memory_opcodes.hpp>
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/scalar_opcodes.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/amd/vector_opcodes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Finds an opcode in the tables.

namespace coalescing::amdgcn {

/// What the interpreter does with an instruction.
enum class action {
  scalar,      ///< computes a scalar register or SCC, as a row of the table scalar_opcodes says
  saving,      ///< S_AND_SAVEEXEC and the like: saves the execution mask and changes it (saving_opcodes)
  vector,      ///< computes a vector register lane by lane, as a row of the table vector_opcodes says
  packed,      ///< V_PK: a row of vector_opcodes of 16 bits, applied to both halves of a register
  comparison,  ///< V_CMP, V_CMPX, and S_CMP of floating-point numbers
  memory,      ///< accesses memory, or exchanges registers between lanes through LDS (memory_units.hpp)
  jump,        ///< a branch
  lanes,       ///< moves data between lanes (lanes.hpp)
  bits,        ///< V_BITOP3: looks each bit up in a table that the instruction holds
  barrier,     ///< waits for the other waves
  end,         ///< ends the wave
  nothing,     ///< changes no scalar or vector register: waits, hints, instructions on caches, S_SETREG
  undecoded,   ///< .long: an instruction that the disassembler did not know
  leaving,     ///< the wave is not followed past this instruction, and counts as ended here (leaving_opcodes)
  indexed,     ///< moves registers whose numbers depend on M0 (indexed.hpp)
  indexing,    ///< S_SET_GPR_IDX: controls the mode in which an index in M0 is added to register numbers (indexed.hpp)
  data,        ///< the result is not computed: most floating-point numbers, products of matrices (data_opcodes)
  missing,     ///< is not in the tables: what it writes is unknown
};

/// The meaning of an opcode, as the tables give it.
struct decoded {
  action does = action::missing;
  opcode_row const* row = nullptr;
  comparison compares = {};
  memory_opcode moves = {};
  indexed_move const* moves_registers = nullptr;

  /// Whether the opcode computes registers from registers.
  [[nodiscard]] bool computes() const {
    return does == action::scalar || does == action::saving || does == action::vector || does == action::packed ||
           does == action::comparison || does == action::lanes || does == action::bits;
  }
};

/// The classes of opcodes, by how much of their effect the interpreter computes.
enum class opcode_class {
  computes,  ///< its result is computed from its sources
  data,      ///< its result is unknown (floating-point numbers and their like), and nothing else changes
  memory,    ///< it accesses memory, and its size is in the tables; or it exchanges registers between lanes
  listed,    ///< it accesses memory, and its size is not in the tables: the answer lists it without a cost
  control,   ///< it branches, waits at a barrier or ends the wave, or it changes no scalar or vector register
  unknown    ///< not in the tables
};
[[nodiscard]] inline opcode_class class_of(decoded const& means) {
  if (means.computes() || means.does == action::indexed || means.does == action::indexing)
    return opcode_class::computes;
  if (means.does == action::data) return opcode_class::data;
  if (means.does == action::missing || means.does == action::undecoded) return opcode_class::unknown;
  if (means.does != action::memory) return opcode_class::control;
  return means.moves.bytes != 0 || means.moves.by == unit::exchange ? opcode_class::memory : opcode_class::listed;
}

/// Whether the instruction is an access whose addresses are followed, or an exchange of registers between lanes.
[[nodiscard]] inline bool is_followed(decoded const& means) {
  unit const by = means.moves.by;
  bool const is_of_unit = by == unit::scratch || by == unit::global || by == unit::buffer || by == unit::lds ||
                          by == unit::scalar || by == unit::scalar_buffer;
  return means.does == action::memory && (by == unit::exchange || (is_of_unit && means.moves.bytes != 0));
}

/// Opcodes, or their beginnings, that change no scalar or vector register. ("AMD Instinct MI300 CDNA3 ISA", 13.1.5
/// SOPP; AMDGPUUsage, the memory models, for the instructions on caches.) tests/host/binary/amd/implied.cpp compares
/// what each opcode of the six targets writes with LLVM 22's tables.
inline constexpr char const* idle_opcodes[] = {"s_nop",
                                               "s_wait",
                                               "s_delay_alu",
                                               "s_clause",
                                               "s_sleep",
                                               "s_setprio",
                                               "s_inst_prefetch",
                                               "s_set_inst_prefetch",
                                               "s_setreg",
                                               "s_icache_inv",
                                               "s_dcache_",
                                               "buffer_wb",
                                               "buffer_inv",
                                               "buffer_gl",
                                               "global_inv",
                                               "global_wb",
                                               "s_barrier_signal",
                                               "s_sendmsg",
                                               "s_ttracedata",
                                               "s_incperflevel",
                                               "s_decperflevel",
                                               "s_round_mode",
                                               "s_denorm_mode",
                                               "v_nop",
                                               "s_prefetch_",
                                               "global_prefetch",
                                               "s_buffer_prefetch_",
                                               "s_version",
                                               "sched_",
                                               "s_gl1_inv",
                                               "s_wakeup",
                                               "s_atc_probe",
                                               "v_clrexcp",
                                               "v_pipeflush"};
/// Opcodes that begin like one of idle_opcodes, but write a register (data_opcodes has these) or halt the wave.
inline constexpr char const* not_idle_opcodes[] = {"s_barrier_signal_isfirst", "s_sendmsg_rtn", "s_sendmsghalt"};

/// Opcodes, or their beginnings, after which a wave is not followed, and what each does to the wave.
struct leaving_opcode {
  char const* name;
  char const* why;
};
inline constexpr leaving_opcode leaving_opcodes[] = {{"s_setpc", "goes on at an address in a register"},
                                                     {"s_swappc", "calls a function at an address in a register"},
                                                     {"s_call", "calls a function"},
                                                     {"s_rfe", "goes on at an address in a register"},
                                                     {"s_trap", "goes on in the trap handler"},
                                                     {"s_sethalt", "halts the wave"},
                                                     {"s_sendmsghalt", "halts the wave"},
                                                     {"s_code_end", "stands after the program's end"},
                                                     {"s_setvskip", "may skip vector instructions"},
                                                     {"s_subvector", "runs halves of the wave in turn"},
                                                     {"s_cbranch_g_fork", "runs both sides of a branch in turn"},
                                                     {"s_cbranch_i_fork", "runs both sides of a branch in turn"},
                                                     {"s_cbranch_join", "runs both sides of a branch in turn"},
                                                     {"s_cbranch_cdbg", "branches as a debugger says"}};
[[nodiscard]] inline char const* leaving_because(std::string_view opcode) {
  for (leaving_opcode const& each : leaving_opcodes)
    if (begins(opcode, each.name)) return each.why;
  return nullptr;
}
inline constexpr char const* jumping_opcodes[] = {"s_branch",        "s_cbranch_scc0",  "s_cbranch_scc1",
                                                  "s_cbranch_vccz",  "s_cbranch_vccnz", "s_cbranch_execz",
                                                  "s_cbranch_execnz"};
inline constexpr char const* lane_opcodes[] = {
    "v_readfirstlane_b32",   "v_readlane_b32",        "v_writelane_b32", "v_swap_b32",
    "v_permlane32_swap_b32", "v_permlane16_swap_b32", "v_pk_mov_b32",    "v_swap_b16"};

template <std::size_t N>
[[nodiscard]] inline bool is_any_of(std::string_view opcode, char const* const (&table)[N]) {
  for (std::string_view const each : table)
    if (opcode == each) return true;
  return false;
}
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
  if (begins_with_any(opcode, idle_opcodes) && !begins_with_any(opcode, not_idle_opcodes)) return is(action::nothing);
  if (opcode == "s_endpgm" || opcode == "s_endpgm_saved" || opcode == "s_endpgm_ordered_ps_done")
    return is(action::end);
  if (opcode == "s_barrier" || opcode == "s_barrier_wait") return is(action::barrier);
  if (opcode == ".long") return is(action::undecoded);
  if (amdgcn::leaving_because(opcode) != nullptr) return is(action::leaving);
  if (is_any_of(opcode, jumping_opcodes)) return is(action::jump);
  if (to.moves_registers = indexed_move_of(opcode); to.moves_registers != nullptr) return is(action::indexed);
  if (begins(opcode, "s_set_gpr_idx_")) return is(action::indexing);
  if (to.moves = memory_opcode_of(opcode); to.moves.by != unit::missing) return is(action::memory);
  if (opcode == "v_bitop3_b32") return is(action::bits);
  if (is_any_of(opcode, lane_opcodes)) return is(action::lanes);
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
  if (begins_with_any(opcode, data_opcodes) || begins_with_any(opcode, scalar_data_opcodes)) return is(action::data);
  return is(action::missing);
}

/// The bits of the register MODE that S_SETREG writes: the first bit, and the number of bits (0: S_SETREG writes
/// another register). `is_told` is false if the text does not say which register or which bits S_SETREG writes.
struct mode_bits {
  std::int64_t first = 0, count = 0;
  bool is_told = true;
};
[[nodiscard]] inline mode_bits mode_bits_of(instruction const& i) {
  if (!begins(i.opcode, "s_setreg") || i.operands.empty()) return {};
  std::string_view rest = i.operands[0].text;
  if (!begins(rest, "hwreg(HW_REG_")) return {0, 32, false};  // hwreg() with a number may name any register
  std::string_view name = rest.substr(13);
  if (begins(name, "WAVE_")) name.remove_prefix(5);  // on gfx12, HW_REG_WAVE_MODE
  if (!begins(name, "MODE")) return {};
  rest = name.substr(4);
  std::int64_t numbers[2] = {0, 32};
  for (std::int64_t& each : numbers) {
    if (!begins(rest, ",")) break;
    rest = trimmed(rest.substr(1));
    if (!read_integer(rest.substr(0, rest.find_first_of(",)")), each) || each < 0 || each > 32) return {0, 32, false};
    rest.remove_prefix(rest.find_first_of(",)") == rest.npos ? rest.size() : rest.find_first_of(",)"));
  }
  return {numbers[0], numbers[1]};
}
/// Whether S_SETREG may change bits 27 and up of MODE: GPR_IDX_EN and VSKIP of gfx9 ("AMD Instinct MI300 CDNA3 ISA",
/// Mode Register).
[[nodiscard]] inline bool turns_on_indexes(instruction const& i) {
  mode_bits const written = mode_bits_of(i);
  return !written.is_told || (written.count != 0 && written.first + written.count > 27);
}
/// Whether S_BARRIER_WAIT of gfx12 waits at another barrier than the block's, whose number is -1.
[[nodiscard]] inline bool waits_elsewhere(instruction const& i) {
  if (i.operands.empty()) return false;
  operand const& which = i.operands[0];
  return which.kind != operand_kind::constant || static_cast<std::int16_t>(which.integer) != -1;
}

}  // namespace coalescing::amdgcn
