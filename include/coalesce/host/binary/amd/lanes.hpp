// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/arithmetic.hpp>
#include <coalesce/host/binary/amd/wave.hpp>

#include <array>
#include <cstdint>

// Executes the instructions that move registers between lanes. They are described in "AMD Instinct MI300 CDNA3 ISA",
// VOP1, VOP3 and LDS Instructions; V_PERMLANE*_SWAP in "AMD Instinct CDNA4 ISA", VOP1 Instructions.

namespace coalescing::amdgcn {

/// A register of the first active lane, or of lane 0 if no lane is active. Unknown data may decide which lane is the
/// first. Then a bit of the result is known only if all lanes that may be the first have this bit known and equal.
[[nodiscard]] inline value of_first_lane(wave const& w, operand const& from, cause why) {
  if (from.kind != operand_kind::vector) return w.source(from, 'w', 0, why);
  value const mask = w.exec();
  word made;
  bool has_one = false;
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value const bit = bit_of(mask, lane);
    if (bit.is_known() && bit.bits == 0) continue;
    word const here(w.lane(from.first, lane, 32));
    if (has_one)
      binary::join(made, here, mask.why);
    else
      made = here, has_one = true;
    if (bit.is_known()) return made.wide();
  }
  word const first(w.lane_anyway(from.first, 0));
  if (has_one) binary::join(made, first, mask.why);
  return has_one ? made.wide() : first.wide();
}
/// A register of one lane, active or not. A scalar register is the same for all lanes.
[[nodiscard]] inline value of_lane(wave const& w, operand const& from, value lane, cause why) {
  if (from.kind != operand_kind::vector) return w.source(from, 'w', 0, why);
  if (!lane.is_known(32)) return binary::unknown(lane.why);
  return w.lane_anyway(from.first, static_cast<unsigned>(lane.bits % w.lanes));
}

inline void run_lanes(wave& w, instruction const& i, cause why) {
  auto const at = [&i](std::size_t k) -> operand const& {
    if (k >= i.operands.size()) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
    return i.operands[k];
  };
  operand const& to = at(0);
  if (begins(i.opcode, "v_swap") && at(1).kind != operand_kind::vector)
    throw binary_refused(i.printed + " exchanges vector registers, and " + at(1).text + " is none", i.line);
  if (i.opcode == "v_readfirstlane_b32") {
    w.set_scalar(to.first, 32, of_first_lane(w, at(1), why));
  } else if (i.opcode == "v_readlane_b32") {
    w.set_scalar(to.first, 32, of_lane(w, at(1), w.source(at(2), 'w', 0, why), why));
  } else if (i.opcode == "v_writelane_b32") {
    value const lane = w.source(at(2), 'w', 0, why), what = w.source(at(1), 'w', 0, why);
    for (unsigned k = 0; k != w.lanes; ++k) {
      if (!lane.is_known(32)) w.set_lane_anyway(to.first, k, low(binary::unknown(lane.why), 32));
      if (lane.is_known(32) && lane.bits % w.lanes == k) w.set_lane_anyway(to.first, k, what);
    }
  } else if (i.opcode == "v_swap_b32") {
    for (unsigned k = 0; k != w.lanes; ++k) {
      value const a = w.lane(to.first, k, 32), b = w.lane(at(1).first, k, 32);
      w.set_lane(to.first, k, b), w.set_lane(at(1).first, k, a);
    }
  } else if (i.opcode == "v_swap_b16") {
    bool const high[2] = {to.half == 2, at(1).half == 2};
    auto const half_of_word = [](value whole, bool upper) { return low(upper ? whole >> 16 : whole, 16); };
    auto const with_half = [](value whole, bool upper, value half) {
      return upper ? low(whole, 16) | half << 16 : (low(whole, 32) >> 16 << 16) | half;
    };
    for (unsigned k = 0; k != w.lanes; ++k) {
      value const a = half_of_word(w.lane(to.first, k, 32), high[0]);
      value const b = half_of_word(w.lane(at(1).first, k, 32), high[1]);
      w.set_lane(to.first, k, with_half(w.lane(to.first, k, 32), high[0], b));
      w.set_lane(at(1).first, k, with_half(w.lane(at(1).first, k, 32), high[1], a));
    }
  } else if (i.opcode == "v_pk_mov_b32") {
    modifier const *const one = i.find("op_sel"), *const two = i.find("op_sel_hi");
    bool const high[2] = {one != nullptr && one->argument.size() > 1 && one->argument[1] == '1',
                          one != nullptr && one->argument.size() > 3 && one->argument[3] == '1'};
    static_cast<void>(two);
    for (unsigned k = 0; k != w.lanes; ++k) {
      value const a = w.source(at(1), 'q', k, why), b = w.source(at(2), 'q', k, why);
      w.set_lane(to.first, k, low(high[0] ? a >> 32 : a, 32));
      w.set_lane(to.first + 1, k, low(high[1] ? b >> 32 : b, 32));
    }
  } else {
    // v_permlane32_swap and v_permlane16_swap exchange the odd rows of the first register with the even rows of the
    // second one. A row is 32 or 16 lanes.
    unsigned const row = i.opcode == "v_permlane32_swap_b32" ? 32 : 16;
    bool const is_full = w.exec().is_known() && w.exec().bits == w.every_lane();
    for (unsigned k = 0; !is_full && k != w.lanes; ++k) {  // the guide does not say what inactive lanes do
      value const lost = low(binary::unknown(why | binary::of_opcode), 32);
      w.set_lane_anyway(to.first, k, lost), w.set_lane_anyway(at(1).first, k, lost);
    }
    for (unsigned k = 0; is_full && k != w.lanes; ++k) {
      if (k / row % 2 == 0) continue;
      value const a = w.lane(to.first, k, 32), b = w.lane(at(1).first, k - row, 32);
      w.set_lane(to.first, k, b), w.set_lane(at(1).first, k - row, a);
    }
  }
}

/// Runs DS_PERMUTE and DS_BPERMUTE, which exchange registers through the hardware of LDS. A lane that reads from an
/// inactive lane, or to which no lane writes, gets 0. gfx10 and gfx11 exchange registers only within 32 lanes ("AMD
/// RDNA 3 ISA", DS_BPERMUTE_B32), and LLVM 22 has no exchange of 64 lanes there: in waves of 64 lanes the result is
/// unknown.
inline void run_exchange(wave& w, instruction const& i, target const& on, cause why) {
  if (i.opcode == "ds_nop") return;
  bool const pulls = i.opcode == "ds_bpermute_b32";
  bool const has_halves = w.lanes == 64 && (on.major == 10 || on.major == 11);
  if (i.operands.size() < 3 || has_halves || !(pulls || i.opcode == "ds_permute_b32")) {
    if (i.operands.empty()) return;
    for (unsigned k = 0; k != w.lanes; ++k)
      w.set_lane(i.operands[0].first, k, low(binary::unknown(why | binary::of_opcode), 32));
    return;
  }
  modifier const* const offset = i.find("offset");
  u64 const added = offset == nullptr ? 0 : static_cast<u64>(offset->number);
  std::array<value, 64> results;
  results.fill(exact(0));
  value lost = exact(0);  // becomes unknown if a lane writes to an unknown lane: then all results are unknown
  for (unsigned k = 0; k != w.lanes; ++k) {
    value const place = w.source(i.operands[1], 'w', k, why), active = bit_of(w.exec(), k);
    bool const known = place.is_known(32);
    auto const other = static_cast<unsigned>((place.bits + added) / 4 % w.lanes);
    if (pulls)
      results[k] = known ? chosen(bit_of(w.exec(), other), exact(0), w.source(i.operands[2], 'w', other, why))
                         : low(binary::unknown(place.why), 32);
    else if (known)
      results[other] = chosen(active, results[other], w.source(i.operands[2], 'w', k, why));
    else
      lost = low(binary::unknown(place.why), 32);
  }
  for (unsigned k = 0; k != w.lanes; ++k) w.set_lane(i.operands[0].first, k, lost.is_known() ? results[k] : lost);
}

}  // namespace coalescing::amdgcn
