// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>
#include <coalesce/host/binary/amd/reals.hpp>

#include <string_view>

// V_CMP and V_CMPX: "AMD Instinct MI300 CDNA3 ISA", 13.3.3 VOPC; S_CMP of floating-point numbers: "AMD RDNA 4 ISA",
// SOPC Instructions. An opcode names a relation and a type: V_CMP_LT_U32 asks whether one u32 is less than another.

namespace coalescing::amdgcn {

/// A relation of two numbers. Each member says whether the relation holds in one case: the first number is less, equal
/// or greater, or the two have no order (one is a NaN).
struct relation {
  char const* name;
  bool less, equal, greater, unordered;
};
inline constexpr relation relations[] = {
    {"f", false, false, false, false},  {"lt", true, false, false, false}, {"eq", false, true, false, false},
    {"le", true, true, false, false},   {"gt", false, false, true, false}, {"ne", true, false, true, true},
    {"lg", true, false, true, false},   {"ge", false, true, true, false},  {"t", true, true, true, true},
    {"tru", true, true, true, true},    {"o", true, true, true, false},    {"u", false, false, false, true},
    {"nge", true, false, false, true},  {"nlg", false, true, false, true}, {"ngt", true, true, false, true},
    {"nle", false, false, true, true},  {"neq", true, false, true, true},  {"nlt", false, true, true, true},
    {"class", true, false, true, true},  // asks whether the first number is NaN, infinite, ...; its result is always
                                         // unknown
};
/// A type of the numbers that are compared. `letter` stands for the type as in the rows of opcodes (opcode_rows.hpp).
struct compared_type {
  char const* name;
  char letter;
  bool is_signed, is_float;
};
inline constexpr compared_type compared_types[] = {
    {"u16", 'h', false, false}, {"i16", 'h', true, false},  {"u32", 'w', false, false},
    {"i32", 'w', true, false},  {"u64", 'q', false, false}, {"i64", 'i', true, false},
    {"f32", 'f', true, true},   {"f64", 'd', true, true},   {"f16", 'h', true, true},
};

/// A comparison. `how` is null if the opcode is not a comparison.
struct comparison {
  relation const* how = nullptr;
  compared_type const* of = nullptr;
  bool writes_exec = false;  ///< it is V_CMPX
  bool of_scalars = false;   ///< it is S_CMP of floating-point numbers (gfx12). scalar_opcodes has S_CMP of integers

  /// The result of the comparison, 0 or 1; unknown if the known bits do not decide it.
  [[nodiscard]] value holds(value a, value b, binary::cause why) const {
    unsigned const bits = bits_of(of->letter);
    if (!of->is_float) return binary::order_of(a, b, bits, of->is_signed).holds(how->less, how->equal, how->greater);
    if (how->less == how->equal && how->equal == how->greater && how->greater == how->unordered)
      return binary::exact(how->less ? 1 : 0);
    if (of->letter == 'h' || *how->name == 'c') return low(binary::unknown(why), 1);
    if (!a.is_known(bits) || !b.is_known(bits))
      return low(binary::unknown(binary::either(a.is_known(bits) ? 0 : a.why, b.is_known(bits) ? 0 : b.why)), 1);
    if (is_denormal(of->letter, a.bits) || is_denormal(of->letter, b.bits)) return low(binary::unknown(why), 1);
    double const x = real_of(of->letter, a.bits), y = real_of(of->letter, b.bits);
    return binary::exact(u64{x < y ? how->less : x > y ? how->greater : x == y ? how->equal : how->unordered});
  }
};
[[nodiscard]] inline comparison comparison_of(std::string_view opcode) {
  comparison found;
  for (std::string_view const prefix : {"v_cmp_", "v_cmpx_", "s_cmp_"}) {
    if (opcode.substr(0, prefix.size()) != prefix) continue;
    std::string_view const rest = opcode.substr(prefix.size());
    auto const line = rest.rfind('_');
    if (line == rest.npos) return {};
    for (relation const& each : relations)
      if (rest.substr(0, line) == each.name) found.how = &each;
    for (compared_type const& each : compared_types)
      if (rest.substr(line + 1) == each.name) found.of = &each;
    found.writes_exec = prefix == "v_cmpx_", found.of_scalars = prefix == "s_cmp_";
  }
  return found.how != nullptr && found.of != nullptr ? found : comparison{};
}

}  // namespace coalescing::amdgcn
