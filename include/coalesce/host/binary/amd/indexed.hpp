// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/indexed_opcodes.hpp>
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/amd/wave.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <cstdint>
#include <string>

// Executes instructions that read or write a register whose number depends on M0: V_MOVREL and its like, and V_MOV_B32
// between S_SET_GPR_IDX_ON and S_SET_GPR_IDX_OFF.

namespace coalescing::amdgcn {

namespace detail {

/// The number of the register that lies `by` registers after the one that an operand names. Refused: a register that
/// does not exist.
[[nodiscard]] inline unsigned register_at(instruction const& i, operand const& from, std::uint64_t by) {
  bool const is_vector = from.kind == operand_kind::vector;
  std::uint64_t const first = (from.first + by) & 0xffffffffu, end = is_vector ? accumulation : 106;
  if ((!is_vector && from.kind != operand_kind::scalar) || from.first >= end || first + from.registers > end)
    throw binary_refused(i.printed + " names a register by an index of " + std::to_string(by) + " from " + from.text +
                             ", and there is none",
                         i.line);
  return static_cast<unsigned>(first);
}
/// Makes all scalar registers below M0, or all of v0 to v511, unknown. An operand whose index is unknown may stand for
/// any of these registers.
inline void forget_class(wave& w, operand const& to, cause why) {
  value const lost = low(binary::unknown(why), 32);
  if (to.kind == operand_kind::scalar)
    for (unsigned k = 0; k != m0_register; ++k) w.set_scalar(k, 32, lost);
  for (unsigned k = 0; to.kind == operand_kind::vector && k != accumulation; ++k)
    for (unsigned lane = 0; lane != w.lanes; ++lane) w.set_lane(k, lane, lost);
}
/// The value of a 32-bit register: `by` registers after the one that an operand names, and `part` registers further on.
/// The value is unknown if `by` is unknown.
[[nodiscard]] inline value read_at(wave const& w, instruction const& i, operand const& from, value by, unsigned part,
                                   unsigned lane) {
  if (!by.is_known(32)) return low(binary::unknown(by.why), 32);
  unsigned const first = register_at(i, from, by.bits) + part;
  return from.kind == operand_kind::vector ? w.lane(first, lane, 32) : w.scalar(first, 32);
}
inline void write_at(wave& w, instruction const& i, operand const& to, value by, unsigned part, unsigned lane,
                     value what) {
  unsigned const first = register_at(i, to, by.bits) + part;
  if (to.kind == operand_kind::vector)
    w.set_lane(first, lane, what);
  else
    w.set_scalar(first, 32, what);
}

/// Copies a register to another one, or exchanges the two if `swaps`. The register that is read lies `from` registers
/// after the source that the instruction names. The register that is written lies `to` registers after the result that
/// the instruction names.
inline void move_by(wave& w, instruction const& i, value from, value to, bool swaps, cause why) {
  if (i.operands.size() < 2 || !i.modifiers.empty() || i.operands[0].registers > 2)
    throw binary_refused(i.printed + " in this form is not followed", i.line);
  operand const &result = i.operands[0], &source = i.operands[1];
  unsigned const parts = result.registers, lanes = result.kind == operand_kind::vector ? w.lanes : 1;
  bool const is_moved = swaps || !from.is_known(32) || from.bits != 0;
  if (!to.is_known(32)) forget_class(w, result, to.why);
  if (swaps && !from.is_known(32)) forget_class(w, source, from.why);
  for (unsigned lane = 0; lane != lanes; ++lane) {
    value read[2] = {}, other[2] = {};
    for (unsigned part = 0; part != parts; ++part) {
      read[part] = is_moved ? read_at(w, i, source, from, part, lane)
                            : low(w.source(source, parts == 2 ? 'q' : 'w', lane, why) >> (32 * part), 32);
      if (swaps) other[part] = read_at(w, i, result, to, part, lane);
    }
    for (unsigned part = 0; part != parts; ++part) {
      if (swaps && from.is_known(32)) write_at(w, i, source, from, part, lane, other[part]);
      if (to.is_known(32)) write_at(w, i, result, to, part, lane, read[part]);
    }
  }
}

}  // namespace detail

inline void run_indexed(wave& w, instruction const& i, indexed_move const& how, cause why) {
  value const m0 = low(w.scalar(m0_register, 32), 32), zero = exact(0);
  value const from = how.fields ? low(m0, 10) : m0, to = how.fields ? low(m0 >> 16, 10) : m0;
  detail::move_by(w, i, how.source ? from : zero, how.result ? to : zero, how.swaps, why);
}

/// Runs S_SET_GPR_IDX_ON, _OFF, _MODE, _IDX. M0[7:0] is the index. M0[15:12] is a mask of the operands to whose
/// register numbers the index is added: bit 0 for the first source, bit 3 for the result ("AMD Instinct CDNA4 ISA",
/// SOPC, SOPP and SOP1 Instructions).
inline void run_indexing(wave& w, instruction const& i, cause why) {
  auto const put = [&w](value what, unsigned at, unsigned bits) {
    value const mask = exact(mask_of(bits) << at), m0 = low(w.scalar(m0_register, 32), 32);
    w.set_scalar(m0_register, 32, (m0 & ~mask) | low(what, bits) << at);
  };
  if (i.opcode == "s_set_gpr_idx_off") {
    w.indexes = false;
    return;
  }
  // The mask of the operands to which the index is added. The instruction's text states this mask as a number
  // or as gpr_idx(SRC0,DST).
  value which = binary::unknown(why | binary::of_opcode);
  auto const take = [&which](std::string const& text) {
    if (!begins(text, "gpr_idx(")) return;
    u64 bits = 0;
    static constexpr char const* names[] = {"SRC0", "SRC1", "SRC2", "DST"};
    for (unsigned k = 0; k != 4; ++k)
      if (text.find(names[k]) != text.npos) bits |= u64{1} << k;
    which = exact(bits);
  };
  for (operand const& each : i.operands) take(each.text);
  for (modifier const& each : i.modifiers) take(each.name);
  if (!i.operands.empty() && i.operands.back().kind == operand_kind::constant && i.opcode != "s_set_gpr_idx_idx")
    which = exact(static_cast<u64>(i.operands.back().integer));
  if (i.opcode != "s_set_gpr_idx_mode")
    put(i.operands.empty() ? binary::unknown(why) : w.source(i.operands[0], 'w', 0, why), 0, 8);
  if (i.opcode != "s_set_gpr_idx_idx") put(which, 12, 4);
  if (i.opcode == "s_set_gpr_idx_on") w.indexes = true;
}

/// Runs a vector instruction after S_SET_GPR_IDX_ON. Only V_MOV_B32 is followed: compilers put no other instruction
/// there.
inline void run_moved_on(wave& w, instruction const& i, cause why) {
  value const m0 = low(w.scalar(m0_register, 32), 32), index = low(m0, 8), which = low(m0 >> 12, 4);
  if (i.opcode != "v_mov_b32" || !which.is_known() || (which.bits & 6) != 0)
    throw binary_refused(
        i.printed + " after s_set_gpr_idx_on uses other registers than it names, which is not followed", i.line);
  bool const by_source = (which.bits & 1) != 0 && i.operands.size() > 1 && i.operands[1].kind == operand_kind::vector;
  detail::move_by(w, i, by_source ? index : exact(0), (which.bits & 8) != 0 ? index : exact(0), false, why);
}

}  // namespace coalescing::amdgcn
