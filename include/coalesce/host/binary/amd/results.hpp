// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/amd/wave.hpp>

#include <cstddef>
#include <string_view>

// What an instruction writes whose result is not computed.

namespace coalescing::amdgcn {

/// Whether the second operand of an instruction is a result, too: a carry, or the mask of V_DIV_SCALE.
[[nodiscard]] inline bool has_second_result(std::string_view opcode) {
  for (std::string_view const each :
       {"_co_", "v_div_scale", "v_mad_u64_u32", "v_mad_i64_i32", "swap_b", "ds_bvh_stack"})
    if (opcode.find(each) != opcode.npos) return true;
  return false;
}

/// Makes unknown whatever an instruction writes: its first operand, a second result, SCC, and the execution mask where
/// the opcode's name has it. tests/host/binary/amd/implied.cpp compares this with LLVM 22's tables.
inline void forget_results(wave& w, instruction const& i, cause why) {
  value const lost = binary::unknown(why);
  bool const compares = begins(i.opcode, "v_cmpx");  // its first operand may be a source
  for (std::size_t k = 0; k != i.operands.size() && k != (has_second_result(i.opcode) ? 2u : 1u); ++k) {
    operand const& to = i.operands[k];
    if (to.kind == operand_kind::scalar && to.first == null_register) continue;
    for (unsigned n = 0; n != to.registers; ++n) {
      if (to.kind == operand_kind::scalar) w.set_scalar(to.first + n, 32, lost);
      for (unsigned lane = 0; to.kind == operand_kind::vector && !compares && lane != w.lanes; ++lane)
        w.set_lane(to.first + n, lane, low(lost, 32));
    }
  }
  if (begins(i.opcode, "s_")) w.scc = lost;
  if (compares || i.opcode.find("exec") != i.opcode.npos) w.set_exec(low(lost, w.lanes));
}

}  // namespace coalescing::amdgcn
