// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/decode.hpp>
#include <coalesce/host/binary/amd/sources.hpp>
#include <coalesce/host/binary/amd/wave.hpp>

#include <array>
#include <cstdint>
#include <string_view>

// Executes the instructions that compute. Most of them apply an opcode's row of the tables to the registers of a wave.

namespace coalescing::amdgcn {

[[nodiscard]] inline value result_of(opcode_row const& row, std::string_view sources, value const (&from)[3]) {
  if (row.exact != nullptr) return row.exact(from[0], from[1], from[2]);
  char const letter = row.operands[0];
  cause why = 0;
  bool known = true, is_ordinary = true;
  u64 numbers[3] = {};
  for (std::size_t k = 0; k != sources.size(); ++k) {
    char const type = sources[k] == 't' ? letter : sources[k];
    if (!from[k].is_known(bits_of(type))) known = false, why = binary::either(why, from[k].why);
    numbers[k] = from[k].bits & mask_of(bits_of(type));
    if (letter == 'f' || letter == 'd') is_ordinary = is_ordinary && !is_special(type, numbers[k]);
  }
  if (!known) return binary::unknown(why);
  u64 const made = row.number(numbers[0], numbers[1], numbers[2]);
  is_ordinary = is_ordinary && !is_special(letter, made);
  return is_ordinary ? exact(made) : binary::unknown(0);
}

/// Runs an instruction that may change how results are rounded: S_SETREG or S_ROUND_MODE.
inline void run_mode(wave& w, instruction const& i, cause why) {
  bool const is_all = i.opcode == "s_round_mode";
  mode_bits const written = is_all ? mode_bits{0, 4} : mode_bits_of(i);
  if (written.count == 0 || written.first > 3) return;
  value const mask = exact((mask_of(static_cast<u64>(written.count)) << written.first) & 15);
  std::size_t const from = is_all ? 0 : 1;
  value what = binary::unknown(why);
  if (written.is_told && from < i.operands.size()) what = w.source(i.operands[from], 'w', 0, why);
  w.rounding = (w.rounding & ~mask) | ((low(what, 4) << static_cast<unsigned>(written.first)) & mask);
}
/// Whether the mode of the wave may round a row's result otherwise than to the nearest number. (A few of these results
/// need no rounding, such as those of V_MAX_F32.)
[[nodiscard]] inline bool is_rounded_otherwise(wave const& w, opcode_row const& row) {
  char const letter = row.operands[0];
  std::string_view const name = row.name;
  bool const is_real = letter == 'f' || letter == 'd' || begins(name, "v_cvt_f32_") || begins(name, "s_cvt_f32_");
  return is_real && (!w.rounding.is_known() || w.rounding.bits != 0);
}

using binary::any_bit;

/// Whether an instruction that writes the execution mask can only turn lanes off, and never on.
[[nodiscard]] inline bool leaves_lanes_only(instruction const& i, opcode_row const& row) {
  auto const is_exec = [&i](std::size_t k) {
    return k < i.operands.size() && i.operands[k].kind == operand_kind::scalar && i.operands[k].first == exec_register;
  };
  std::string_view const name = row.name;
  return (begins(name, "s_and_b") && (is_exec(1) || is_exec(2))) || (begins(name, "s_andn2_b") && is_exec(1));
}

inline void run_scalar(wave& w, instruction const& i, opcode_row const& row, target const& on, cause why) {
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
  value made = result_of(row, of.sources, from);
  if (has_register) made = binary::named_by(made, why, bits, from);
  bool all_known = true;
  for (std::size_t k = 0; k != of.sources.size(); ++k)
    all_known = all_known && from[k].is_known(bits_of(of.sources[k] == 't' ? of.results[0] : of.sources[k]));
  // All sources are known, but the result is not. Then the guide does not define the result, or the mode of the wave
  // decides it. So this instruction is the cause of the unknown result, and counts as one that is not in the tables.
  if (all_known && !made.is_known(bits)) made.why = why | binary::of_opcode;
  if (made.is_known(bits) && is_rounded_otherwise(w, row)) made = binary::unknown(why);
  if (of.results.back() == 'c') w.scc = bit_of(made, bits);
  if (of.results.back() == 'z') w.scc = any_bit(made, bits);
  if (!on.tells_equal_max && begins(row.name, "s_max_") && from[0].bits == from[1].bits) w.scc = binary::unknown(why);
  if (!has_register || i.operands.empty() || i.operands[0].kind != operand_kind::scalar) return;
  bool const is_of_exec = i.operands[0].first == exec_register && bits == w.lanes;
  if (is_of_exec && leaves_lanes_only(i, row))
    w.narrow_exec(low(made, bits));
  else
    w.set_scalar(i.operands[0].first, bits, low(made, bits));
}

inline void run_saving(wave& w, instruction const& i, opcode_row const& row, cause why) {
  if (i.operands.size() < 2) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
  value const old = w.exec(), source = low(w.source(i.operands[1], w.lanes == 64 ? 'q' : 'w', 0, why), w.lanes);
  std::string_view const name = row.name;
  value const made = low(row.exact(old, source, exact(0)), w.lanes);
  if (name == "s_and_saveexec" || name == "s_andn1_saveexec")
    w.narrow_exec(made);
  else
    w.set_exec(made);
  if (i.operands[0].kind == operand_kind::scalar) w.set_scalar(i.operands[0].first, w.lanes, old);
  w.scc = any_bit(w.exec(), w.lanes);
}

/// A sum or difference of unsigned numbers with the modifier clamp: instead of wrapping around, a sum stops at 2^32 - 1
/// and a difference stops at 0 ("AMD Instinct MI300 CDNA3 ISA", VOP3, CLAMP). The clamped results of other instructions
/// are unknown.
[[nodiscard]] inline value clamped(opcode_row const& row, value a, value b, value made, cause why) {
  std::string_view const name = row.name;
  if (name == "v_sub_u32") return chosen(order_of(a, b, 32, false).holds(true, false, false), made, exact(0));
  if (name == "v_add_u32") return chosen(bit_of(sum(a, b), 32), made, exact(0xffffffffu));
  return binary::unknown(why);
}

inline void run_vector(wave& w, instruction const& i, opcode_row const& row, target const& on, cause why) {
  letters const of(row);
  vector_sources const sources(w, i, why);
  bool const second = of.results.size() > 1;
  std::size_t const first_source = second ? 2 : 1;
  value mask = exact(0);
  unsigned const bits = bits_of(of.results[0]);
  bool const is_real = of.results[0] == 'f' || of.results[0] == 'd';
  std::size_t const numbered = of.sources.find('t') == of.sources.npos ? of.sources.size() : of.sources.size() - 1;
  if (i.operands.size() < first_source) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
  operand const& to = i.operands[0];
  bool const has_mask = second && i.operands[1].kind == operand_kind::scalar;
  bool const is_clamped = i.has("clamp"), is_scaled = i.has("mul") || i.has("div");
  std::array<value, 64> results;
  std::array<binary::identity, 64> carries;
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
        from[k] = w.mask_bit(vcc_register, lane);  // the text does not name the mask, so it is VCC
      else
        from[k] = binary::unknown(why | binary::of_opcode);
    }
    value made = binary::named_by(result_of(row, of.sources, from), why, bits, from);
    if (is_clamped) made = clamped(row, from[0], from[1], made, why);
    if (is_scaled || (made.is_known(bits) && is_rounded_otherwise(w, row))) made = binary::unknown(why);
    // All sources are known, but the result is not (see result_of). So this instruction made the result unknown.
    if (is_real && made.why == 0 && !made.is_known(bits)) made.why = why;
    results[lane] = low(made, bits);
    if (!has_mask) continue;
    value const carry = of.results[1] == 'm' ? bit_of(made, bits) : low(binary::unknown(why), 1);
    bool const part = sources.takes_part(lane);
    mask = mask | (bit_of(w.exec(), lane) & (part ? carry : low(binary::unknown(why | binary::of_opcode), 1))) << lane;
    carries[lane] = carry.is;
  }
  bool const high = sources.selects_high(numbered), is_whole = of.results[0] != 'h' && i.find("dst_sel") == nullptr;
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    if (!sources.takes_part(lane)) continue;
    value const made =
        is_whole ? results[lane] : placed(i, of, on, high, w.lane(to.first, lane, 32), results[lane], why);
    w.set_lane(to.first, lane, low(made, 32));
    if (bits == 64) w.set_lane(to.first + 1, lane, made >> 32);
  }
  if (has_mask) w.set_carries(i.operands[1].first, mask, carries);
}

/// Runs V_PK of 16 bits, which computes the low half and the high half of a register separately. op_sel says which half
/// of each source makes the low half of the result, and op_sel_hi says the same for the high half.
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
        if (k + 1 >= i.operands.size()) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
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

/// Runs V_CMP and V_CMPX. The bits of lanes that are off become 0.
inline void run_comparison(wave& w, instruction const& i, comparison const& compares, target const& on, cause why) {
  if (i.operands.size() < 2) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
  if (compares.of_scalars) {
    char const type = compares.of->letter;
    w.scc = compares.holds(w.source(i.operands[0], type, 0, why), w.source(i.operands[1], type, 0, why), why);
    return;
  }
  vector_sources const sources(w, i, why);
  char const letter = compares.of->letter;
  bool const has_result = i.operands.size() > 2;
  std::size_t const first = has_result ? 1 : 0;
  value mask = exact(0);
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value const a = sources.read(0, i.operands[first], letter, lane);
    value const b = sources.read(1, i.operands[first + 1], letter, lane);
    value bit = compares.holds(a, b, why);
    if (!sources.takes_part(lane)) bit = low(binary::unknown(why | binary::of_opcode), 1);  // DPP masks the lane
    mask = mask | (bit_of(w.exec(), lane) & bit) << lane;
  }
  if (has_result && i.operands[0].kind == operand_kind::scalar) w.set_scalar(i.operands[0].first, w.lanes, mask);
  if (!compares.writes_exec) return;
  w.narrow_exec(mask);
  if (!has_result && on.major == 9) w.set_scalar(vcc_register, w.lanes, mask);
}

/// Runs V_BITOP3. The instruction holds a table of 8 bits. At each bit position, the bits of the three sources make a
/// number k of 3 bits, whose highest bit is from the first source. Bit k of the table is the result's bit at this
/// position.
inline void run_bits(wave& w, instruction const& i, cause why) {
  modifier const* const table = i.find("bitop3");
  if (i.operands.size() < 4) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
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
