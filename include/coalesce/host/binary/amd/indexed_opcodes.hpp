// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <string_view>

// The instructions that move a register whose number depends on M0: "AMD RDNA 2 ISA", "RDNA 3 ISA" and "RDNA 4 ISA",
// VOP1 and SOP1 Instructions; for S_MOVREL also "AMD Instinct CDNA4 ISA".

namespace coalescing::amdgcn {

/// An opcode, and whether M0 is added to the register number of its source, of its result, or of both. M0 is one index,
/// or two fields of 10 bits.
struct indexed_move {
  char const* name;
  bool source, result;
  bool fields = false;  ///< M0[9:0] is added for the source, M0[25:16] for the result
  bool swaps = false;   ///< exchanges the source and the result
};
inline constexpr indexed_move indexed_moves[] = {{"v_movreld_b32", false, true},
                                                 {"v_movrels_b32", true, false},
                                                 {"v_movrelsd_b32", true, true},
                                                 {"v_movrelsd_2_b32", true, true, true},
                                                 {"v_swaprel_b32", true, true, true, true},
                                                 {"s_movreld_b32", false, true},
                                                 {"s_movreld_b64", false, true},
                                                 {"s_movrels_b32", true, false},
                                                 {"s_movrels_b64", true, false},
                                                 {"s_movrelsd_2_b32", true, true, true}};

/// The row of an opcode; null if the opcode has none.
[[nodiscard]] inline indexed_move const* indexed_move_of(std::string_view opcode) {
  for (indexed_move const& each : indexed_moves)
    if (opcode == each.name) return &each;
  return nullptr;
}

}  // namespace coalescing::amdgcn
