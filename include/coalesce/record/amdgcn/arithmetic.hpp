// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/amdgcn/decode.hpp>
#include <coalesce/record/amdgcn/wave.hpp>

#include <array>
#include <cstdint>
#include <string_view>

// Executes the instructions that compute: the rows of the tables, on a wave.

namespace coalescing::amdgcn {

/// The letters of a row: results before the colon, sources behind it.
struct letters {
  std::string_view results, sources;
  explicit letters(opcode_row const& row) {
    std::string_view const all = row.operands;
    auto const colon = all.find(':');
    results = all.substr(0, colon), sources = all.substr(colon + 1);
  }
};
[[nodiscard]] inline value result_of(opcode_row const& row, std::string_view sources, value const (&from)[3]) {
  if (row.exact != nullptr) return row.exact(from[0], from[1], from[2]);
  cause why = 0;
  bool known = true;
  for (std::size_t k = 0; k != sources.size(); ++k)
    if (!from[k].is_known(bits_of(sources[k]))) known = false, why = binary::either(why, from[k].why);
  return known ? exact(row.number(from[0].bits, from[1].bits, from[2].bits)) : binary::unknown(why);
}

/// Whether a value has a 1: known where a bit is 1, or all are 0.
[[nodiscard]] inline value any_bit(value a, unsigned bits) {
  value const in = low(a, bits);
  if (in.bits != 0) return exact(1);
  return in.is_known() ? exact(0) : binary::unknown(in.why);
}

inline void run_scalar(wave& w, instruction const& i, opcode_row const& row, cause why) {
  letters const of(row);
  bool const has_register = of.results[0] != 'c';
  unsigned const bits = has_register ? bits_of(of.results[0]) : 0;
  value from[3] = {exact(0), exact(0), exact(0)};
  std::size_t next = has_register ? 1 : 0;
  for (std::size_t k = 0; k != of.sources.size(); ++k) {
    char const letter = of.sources[k];
    if (letter == 'c')
      from[k] = w.scc;
    else if (letter == 't')
      from[k] = i.operands.empty() ? binary::unknown(why) : w.source(i.operands[0], of.results[0], 0, why);
    else
      from[k] = next < i.operands.size() ? w.source(i.operands[next++], letter, 0, why) : binary::unknown(why);
  }
  value const made = result_of(row, of.sources, from);
  if (of.results.back() == 'c') w.scc = bit_of(made, bits);
  if (of.results.back() == 'z') w.scc = any_bit(made, bits);
  if (has_register && !i.operands.empty()) w.set_scalar(i.operands[0].first, bits, low(made, bits));
}

inline void run_saving(wave& w, instruction const& i, opcode_row const& row, cause why) {
  value const old = w.exec(), source = low(w.source(i.operands.at(1), w.lanes == 64 ? 'q' : 'w', 0, why), w.lanes);
  w.set_exec(low(row.exact(old, source, exact(0)), w.lanes));
  if (i.operands[0].kind == operand_kind::scalar) w.set_scalar(i.operands[0].first, w.lanes, old);
  w.scc = any_bit(w.exec(), w.lanes);
}

// ---- Sources that come from another lane (DPP) or from a part of the register (SDWA) ----

/// The lane that a lane reads under DPP; -1 where it reads none: "AMD Instinct MI300 CDNA3 ISA", Data Parallel
/// Primitives.
[[nodiscard]] inline int dpp_source(modifier const& how, int lane, int lanes) {
  int const row = lane & ~15, place = lane & 15, n = static_cast<int>(how.number);
  if (how.name == "quad_perm") {
    std::string_view const list = how.argument;  // [a,b,c,d]
    return list.size() < 9 ? -1 : (lane & ~3) + (list[1 + 2 * (static_cast<std::size_t>(lane) & 3)] - '0');
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
/// The modifier that says which lanes are read, or null.
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

/// Reads the sources of a vector instruction, lane by lane.
class vector_sources {
 public:
  vector_sources(wave const& w, instruction const& i, cause why)
      : w_(w), i_(i), why_(why), dpp_(dpp_of(i)), op_sel_(i.find("op_sel")) {
    if (dpp_ == nullptr) return;
    if (modifier const* const m = i.find("row_mask")) rows_ = static_cast<unsigned>(m->number);
    if (modifier const* const m = i.find("bank_mask")) banks_ = static_cast<unsigned>(m->number);
    zeros_ = i.has("bound_ctrl");
  }
  /// The source with that number, behind the results.
  [[nodiscard]] value read(std::size_t number, operand const& from, char letter, unsigned lane) const {
    unsigned at = lane;
    if (number == 0 && dpp_ != nullptr) {
      int const source = dpp_source(*dpp_, static_cast<int>(lane), static_cast<int>(w_.lanes));
      if (source < 0) return exact(0);
      at = static_cast<unsigned>(source);
      value const active = bit_of(w_.exec(), at);
      value const read = w_.source(from, letter, at, why_);
      return zeros_ || i_.has("fi") ? chosen(i_.has("fi") ? exact(1) : active, exact(0), read)
                                    : chosen(active, binary::unknown(why_), read);
    }
    bool const high = letter == 'h' && from.half == 0 && selects_high(number);  // v0.h says it, too
    value read = w_.source(from, high ? 'w' : letter, at, why_);
    if (high) read = low(read, 32) >> 16;
    if (modifier const* const part = i_.find(number == 0 ? "src0_sel" : "src1_sel"); part != nullptr && number < 2)
      read = part_of(w_.source(from, 'w', at, why_), part_named(part->argument, i_.line), begins(from.text, "sext("));
    return read;
  }
  /// Whether the lane takes part: DPP leaves lanes out, and those whose source is outside (without bound_ctrl).
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
  unsigned rows_ = 15, banks_ = 15;
  bool zeros_ = false;
};

/// What a result of 16 bits, or of a part of the register (SDWA), makes of the register.
[[nodiscard]] inline value placed(instruction const& i, letters const& of, target const& on, bool high, value before,
                                  value made) {
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
  return on.keeps_high_half || i.operands[0].half == 1 ? (low(before, 32) >> 16 << 16) | half : half;
}

inline void run_vector(wave& w, instruction const& i, opcode_row const& row, target const& on, cause why) {
  letters const of(row);
  vector_sources const sources(w, i, why);
  bool const second = of.results.size() > 1;
  std::size_t const first_source = second ? 2 : 1;
  bool const changed = i.has("clamp") || i.has("mul") || i.has("div");
  value mask = exact(0);
  unsigned const bits = bits_of(of.results[0]);
  std::size_t const numbered = of.sources.find('t') == of.sources.npos ? of.sources.size() : of.sources.size() - 1;
  if (i.operands.size() < first_source) throw binary_refused("the instruction lacks operands: " + i.text, i.line);
  operand const& to = i.operands[0];
  std::array<value, 64> results;
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value from[3] = {exact(0), exact(0), exact(0)};
    std::size_t next = first_source, number = 0;
    for (std::size_t k = 0; k != of.sources.size(); ++k) {
      char const letter = of.sources[k];
      if (letter == 'l')
        from[k] = exact(lane);
      else if (letter == 't')
        from[k] = w.source(to, of.results[0], lane, why);
      else if (next < i.operands.size())
        from[k] = sources.read(number++, i.operands[next], letter, lane), ++next;
      else if (letter == 'm')
        from[k] = bit_of(w.mask(vcc_register), lane);  // VCC is not written out
      else
        from[k] = binary::unknown(why | binary::of_opcode);
    }
    value made = result_of(row, of.sources, from);
    if (changed) made = binary::unknown(why | binary::of_opcode);
    value const carry = second && of.results[1] == 'm' ? bit_of(made, bits) : low(binary::unknown(why), 1);
    mask = mask | (bit_of(w.exec(), lane) & carry) << lane;
    results[lane] = low(made, bits);
  }
  bool const high = sources.selects_high(numbered);
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    if (!sources.takes_part(lane)) continue;
    value const made = placed(i, of, on, high, w.lane(to.first, lane, 32), results[lane]);
    w.set_lane(to.first, lane, low(made, 32));
    if (bits == 64) w.set_lane(to.first + 1, lane, made >> 32);
  }
  if (second && i.operands[1].kind == operand_kind::scalar) w.set_scalar(i.operands[1].first, w.lanes, mask);
}

/// V_PK of 16 bits: the row on the low halves, and on the high ones. op_sel and op_sel_hi say which halves.
inline void run_packed(wave& w, instruction const& i, opcode_row const& row, cause why) {
  letters const of(row);
  modifier const *const low_half = i.find("op_sel"), *const high_half = i.find("op_sel_hi");
  auto const chosen_half = [&](modifier const* m, std::size_t number, bool otherwise) {
    return m == nullptr || m->argument.size() <= 1 + 2 * number ? otherwise : m->argument[1 + 2 * number] == '1';
  };
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value both = exact(0);
    for (unsigned half = 0; half != 2; ++half) {
      value from[3] = {exact(0), exact(0), exact(0)};
      for (std::size_t k = 0; k != of.sources.size(); ++k) {
        if (k + 1 >= i.operands.size()) throw binary_refused("the instruction lacks operands: " + i.text, i.line);
        bool const high = half == 0 ? chosen_half(low_half, k, false) : chosen_half(high_half, k, true);
        value const whole = w.source(i.operands[k + 1], 'w', lane, why);
        from[k] = low(high ? whole >> 16 : whole, 16);
      }
      value made = low(result_of(row, of.sources, from), 16);
      if (i.has("clamp")) made = low(binary::unknown(why | binary::of_opcode), 16);
      both = both | made << (16 * half);
    }
    w.set_lane(i.operands[0].first, lane, both);
  }
}

/// V_CMP and V_CMPX. The bits of lanes that are off become 0.
inline void run_comparison(wave& w, instruction const& i, comparison const& compares, target const& on, cause why) {
  vector_sources const sources(w, i, why);
  char const letter = compares.of->letter;
  bool const has_result = i.operands.size() > 2;
  std::size_t const first = has_result ? 1 : 0;
  if (i.operands.size() < first + 2) throw binary_refused("the instruction lacks operands: " + i.text, i.line);
  value mask = exact(0);
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value const a = sources.read(0, i.operands[first], letter, lane);
    value const b = sources.read(1, i.operands[first + 1], letter, lane);
    value const bit =
        low(of_known([&](u64 x, u64 y, u64) { return u64{compares.holds(x, y)}; }, bits_of(letter), a, b), 1);
    mask = mask | (bit_of(w.exec(), lane) & bit) << lane;
  }
  if (has_result) w.set_scalar(i.operands[0].first, w.lanes, mask);
  if (!compares.writes_exec) return;
  w.set_exec(mask);
  if (!has_result && on.major == 9) w.set_scalar(vcc_register, w.lanes, mask);
}

/// V_BITOP3: bit k of the table is the result where the three sources' bits are k, the first one highest.
inline void run_bits(wave& w, instruction const& i, cause why) {
  modifier const* const table = i.find("bitop3");
  if (i.operands.size() < 4) throw binary_refused("the instruction lacks operands: " + i.text, i.line);
  auto const bits = static_cast<unsigned>(table == nullptr ? 0 : table->number);
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value const a = w.source(i.operands[1], 'w', lane, why), b = w.source(i.operands[2], 'w', lane, why),
                c = w.source(i.operands[3], 'w', lane, why);
    value made = exact(0);
    for (unsigned k = 0; k != 8; ++k)
      if ((bits >> k & 1) != 0) made = made | ((k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c));
    w.set_lane(i.operands[0].first, lane, low(made, 32));
  }
}

}  // namespace coalescing::amdgcn
