// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/amd/wave.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Reads the sources of a vector instruction. They may come from another lane (DPP) or from a part of a register (SDWA).
// Results may go to a part of a register, too.

namespace coalescing::amdgcn {

/// The letters in an opcode's row, one for each operand: results before the colon, sources after it.
struct letters {
  std::string_view results, sources;
  explicit letters(opcode_row const& row) {
    std::string_view const all = row.operands;
    auto const colon = all.find(':');
    results = all.substr(0, colon), sources = all.substr(colon + 1);
  }
};
/// The lane from which `lane` reads under DPP; -1 if there is no such lane; -2 if the modifier is not one of DPP's.
/// ("AMD Instinct MI300 CDNA3 ISA", 13.3.9 DPP, table 93.)
[[nodiscard]] inline int dpp_source(modifier const& how, int lane, int lanes) {
  int const row = lane & ~15, place = lane & 15, n = static_cast<int>(how.number);
  if (how.name == "quad_perm") {
    std::string_view const list = how.argument;  // [a,b,c,d]
    return list.size() < 9 ? -1 : (lane & ~3) + (list[1 + 2 * (static_cast<std::size_t>(lane) & 3)] - '0');
  }
  if (how.name == "dpp8") {
    std::string_view const list = how.argument;  // [a,b,c,d,e,f,g,h]
    return list.size() < 17 ? -1 : (lane & ~7) + (list[1 + 2 * (static_cast<std::size_t>(lane) & 7)] - '0');
  }
  if (how.name == "row_shl") return place + n < 16 ? lane + n : -1;
  if (how.name == "row_shr") return place - n >= 0 ? lane - n : -1;
  if (how.name == "row_ror") return row + ((place - n) & 15);
  if (how.name == "wave_shl") return lane + 1 < lanes ? lane + 1 : -1;
  if (how.name == "wave_shr") return lane - 1;
  if (how.name == "wave_rol") return (lane + 1) % lanes;
  if (how.name == "wave_ror") return (lane + lanes - 1) % lanes;
  if (how.name == "row_mirror") return row + 15 - place;
  if (how.name == "row_half_mirror") return (lane & ~7) + 7 - (lane & 7);
  if (how.name == "row_newbcast" || how.name == "row_share") return row + n;
  if (how.name == "row_xmask") return row + (place ^ n);
  if (how.name == "row_bcast") return n == 15 ? (row >= 16 ? row - 1 : -1) : (lane >= 32 ? 31 : -1);
  return -2;
}
/// The DPP modifier, which says from which lane each lane reads; null if there is none.
[[nodiscard]] inline modifier const* dpp_of(instruction const& i) {
  for (modifier const& each : i.modifiers)
    if (dpp_source(each, 0, 64) != -2) return &each;
  return nullptr;
}
/// A part of a register that SDWA selects: DWORD, WORD_0, WORD_1, BYTE_0 to BYTE_3.
struct register_part {
  unsigned at = 0, bits = 32;
};
[[nodiscard]] inline register_part part_named(std::string_view name, unsigned line) {
  if (name == "DWORD") return {};
  unsigned const bits = begins(name, "BYTE_") ? 8 : begins(name, "WORD_") ? 16 : 0;
  auto const number = name.empty() ? 99u : static_cast<unsigned>(name.back() - '0');
  if (bits == 0 || name.size() != 6 || number >= 32 / bits)
    throw binary_refused("no part of a register: " + std::string(name), line);
  return {bits * number, bits};
}
[[nodiscard]] inline value part_of(value from, register_part part, bool with_sign) {
  value const cut = low(from >> part.at, part.bits);
  return with_sign ? low(sign_extended(cut, part.bits), 32) : cut;
}

/// The words after the operands that this reader understands in vector instructions.
inline constexpr char const* understood_words[] = {"row_mask",   "bank_mask", "bound_ctrl", "fi",       "clamp",
                                                   "mul",        "div",       "op_sel",     "src0_sel", "src1_sel",
                                                   "dst_unused", "dst_sel",   "op_sel_hi",  "bitop3"};
/// Whether each word after the operands is understood. An instruction with any other word, or with a form of DPP that
/// is not understood, is treated as if its opcode were not in the tables.
[[nodiscard]] inline bool is_understood(instruction const& i) {
  for (modifier const& each : i.modifiers) {
    bool known = dpp_source(each, 0, 64) != -2;
    for (std::string_view const word : understood_words) known = known || each.name == word;
    if (!known) return false;
  }
  return !ends(i.printed, "_dpp") || dpp_of(i) != nullptr;
}

/// Reads the sources of a vector instruction, lane by lane.
class vector_sources {
 public:
  vector_sources(wave const& w, instruction const& i, cause why)
      : w_(w),
        i_(i),
        why_(why),
        dpp_(dpp_of(i)),
        op_sel_(i.find("op_sel")),
        parts_{i.find("src0_sel"), i.find("src1_sel")} {
    if (dpp_ == nullptr) return;
    if (modifier const* const m = i.find("row_mask")) rows_ = static_cast<unsigned>(m->number);
    if (modifier const* const m = i.find("bank_mask")) banks_ = static_cast<unsigned>(m->number);
    if (modifier const* const m = i.find("fi")) reads_off_ = m->number != 0;
    zeros_ = i.has("bound_ctrl");
  }
  /// Reads the source operand `number`: 0 is the first one after the results, src0.
  [[nodiscard]] value read(std::size_t number, operand const& from, char letter, unsigned lane) const {
    bool const by_dpp = number == 0 && dpp_ != nullptr;
    int const source =
        by_dpp ? dpp_source(*dpp_, static_cast<int>(lane), static_cast<int>(w_.lanes)) : static_cast<int>(lane);
    if (source < 0 || source >= static_cast<int>(w_.lanes)) return exact(0);
    auto const at = static_cast<unsigned>(source);
    // op_sel may select the high half. If the operand itself names a half (v0.h), w_.source() reads that half.
    bool const high = letter == 'h' && from.half == 0 && selects_high(number);
    bool const anyway = by_dpp && reads_off_;
    value read = w_.source(from, high ? 'w' : letter, at, why_, anyway);
    if (high) read = low(read, 32) >> 16;
    if (modifier const* const part = number < 2 ? parts_[number] : nullptr; part != nullptr) {
      register_part const named = part_named(part->argument, i_.line);
      if (named.bits != 32 && (from.negated || from.absolute)) return binary::unknown(why_ | binary::of_opcode);
      read = part_of(w_.source(from, 'w', at, why_, anyway), named, begins(from.text, "sext("));
      if (letter == 'h') read = low(read, 16);  // DWORD names 32 bits, and the opcode takes 16
    }
    if (!by_dpp || anyway) return read;
    return chosen(bit_of(w_.exec(), at), zeros_ ? exact(0) : binary::unknown(why_), read);
  }
  /// Whether the lane executes the instruction. Under DPP, row_mask and bank_mask may exclude the lane. A lane that has
  /// no lane to read from does not execute the instruction either, unless bound_ctrl is given.
  [[nodiscard]] bool takes_part(unsigned lane) const {
    if (dpp_ == nullptr) return true;
    if ((rows_ >> (lane / 16 % 4) & 1) == 0 || (banks_ >> (lane / 4 % 4) & 1) == 0) return false;
    return zeros_ || dpp_source(*dpp_, static_cast<int>(lane), static_cast<int>(w_.lanes)) >= 0;
  }
  [[nodiscard]] bool selects_high(std::size_t number) const {
    return op_sel_ != nullptr && op_sel_->argument.size() > 1 + 2 * number && op_sel_->argument[1 + 2 * number] == '1';
  }

 private:
  wave const& w_;
  instruction const& i_;
  cause why_;
  modifier const* dpp_;
  modifier const* op_sel_;
  modifier const* parts_[2];  ///< SDWA's modifiers src0_sel and src1_sel; null if not given
  unsigned rows_ = 15, banks_ = 15;
  bool zeros_ = false;
  bool reads_off_ = false;  ///< DPP's fi: lanes that are off are read, too
};

/// VOP3 instructions of gfx9 with a result of 16 bits. Neither the guides nor LLVM 22 (GCNSubtarget,
/// zeroesHigh16BitsOfDest) say what they write to the register's upper half. (V_MAD_U16 and V_MAD_I16 keep it: "AMD
/// Instinct MI300 CDNA3 ISA", VOP3.)
inline constexpr char const* untold_high_halves[] = {"v_add_i16",  "v_sub_i16",  "v_min3_u16", "v_min3_i16",
                                                     "v_max3_u16", "v_max3_i16", "v_med3_u16", "v_med3_i16"};
/// The value of a register after an instruction has written 16 bits, or a part that SDWA selects, to it. `before` is
/// its old value, `made` is what the instruction computed.
[[nodiscard]] inline value placed(instruction const& i, letters const& of, target const& on, bool high, value before,
                                  value made, cause why) {
  if (modifier const* const named = i.find("dst_sel"); named != nullptr && named->argument != "DWORD") {
    register_part const part = part_named(named->argument, i.line);
    value const mask = exact(mask_of(part.bits) << part.at), cut = low(made, part.bits) << part.at;
    modifier const* const rest = i.find("dst_unused");
    if (rest != nullptr && rest->argument == "UNUSED_PRESERVE") return (before & ~mask) | cut;
    if (rest != nullptr && rest->argument == "UNUSED_SEXT")
      return sign_extended(low(made, part.bits), part.bits) << part.at;
    return cut;
  }
  if (of.results[0] != 'h') return made;
  value const half = low(made, 16);
  if (high || i.operands[0].half == 2) return low(before, 16) | half << 16;
  if (on.keeps_high_half || i.opcode == "v_mad_u16" || i.opcode == "v_mad_i16")
    return (low(before, 32) >> 16 << 16) | half;
  for (std::string_view const each : untold_high_halves)
    if (begins(i.opcode, each)) return half | low(binary::unknown(why), 16) << 16;
  return half;
}

}  // namespace coalescing::amdgcn
