// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sass/lane.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

// The meaning of the opcodes that compute integers: functions of a lane's sources. opcodes.hpp names them.

namespace coalescing::sass {

[[nodiscard]] inline value truth(bool is) { return exact(is ? 1 : 0); }
[[nodiscard]] constexpr std::int64_t signed_32(u64 x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x));
}
/// The carry of a sum of up to three numbers of 32 bits: in the first predicate one carry or two, in the second two.
[[nodiscard]] inline results with_carries(value all) {
  value const carries = all >> 32;
  return {low(all, 32),
          1,
          {binary::of_known([](u64 x, u64, u64) { return u64{x >= 1}; }, 64, carries),
           binary::of_known([](u64 x, u64, u64) { return u64{x >= 2}; }, 64, carries)}};
}
/// A term of a sum that may carry: -b is ~b + 1, so that a - b carries where it does not borrow.
[[nodiscard]] inline value term(in_lane const& at, std::size_t k) {
  operand const& o = *at.of.from[k];
  value v = at.plain(o, 32);
  if (o.is_negative || o.is_inverted) v = low(~v, 32);
  return o.is_negative ? sum(v, exact(1)) : v;
}

[[nodiscard]] inline results move(in_lane const& at) { return {at.source(0)}; }

[[nodiscard]] inline results add(in_lane const& at) {
  if (at.i.has("64")) {
    value all = exact(0);
    for (std::size_t k = 0; at.has_source(k); ++k) all = sum(all, at.source(k, 64));
    return {all, 2, {at.not_in_tables(), at.not_in_tables()}};
  }
  value all = exact(0);
  for (std::size_t k = 0; at.has_source(k); ++k) {
    if (at.is_predicate_source(k) && !at.i.has("X")) return {at.not_in_tables()};
    all = sum(all, at.is_predicate_source(k) ? at.source(k) : term(at, k));
  }
  return with_carries(all);
}

[[nodiscard]] inline results multiply_add(in_lane const& at) {
  bool const wide = at.i.has("WIDE"), high = at.i.has("HI"), is_unsigned = at.i.has("U32");
  value const a = at.source(0), b = at.source(1);
  bool const zero = (a.is_known() && a.bits == 0) || (b.is_known() && b.bits == 0);
  value product = exact(0);
  if (!zero)
    product = binary::of_known(
        [is_unsigned](u64 x, u64 y, u64) {
          return is_unsigned ? x * y : static_cast<u64>(signed_32(x) * signed_32(y));
        },
        32, a, b);
  value const carry = at.i.has("X") ? at.source(3) : exact(0);
  value const c = at.source(2, wide || high ? 64 : 32);
  bool const is_move = zero && carry.is_known() && carry.bits == 0;
  value const all = is_move ? c : sum(sum(product, c), carry);
  if (high) return {low(all >> 32, 32)};
  if (!wide) {
    results made{low(all, 32)};
    made.predicates[0] = made.predicates[1] = at.not_in_tables();
    return made;
  }
  value const carried =
      is_unsigned ? binary::of_known([](u64 x, u64 y, u64) { return u64{x < y}; }, 64, all, c) : at.not_in_tables();
  return {all, 2, {at.i.has("X") ? at.not_in_tables() : carried, at.not_in_tables()}};
}

/// LEA: (a << s) + b. LEA.HI: the upper half of ((c, a) << s), plus b; .SX32: c is the sign of a.
[[nodiscard]] inline results scaled_add(in_lane const& at) {
  bool const high = at.i.has("HI"), extended = at.i.has("SX32"), carries = at.i.has("X");
  std::size_t const shift_at = high && !extended ? 3 : 2;
  value const shift = at.source(shift_at);
  if (!shift.is_known() || shift.bits > 31) return {at.not_in_tables()};
  auto const s = static_cast<unsigned>(shift.bits);
  value scaled = at.source(0);
  if (high)
    scaled = (extended ? sign_extended(scaled, 32) : scaled | at.source(2) << 32) << s >> 32;
  else
    scaled = low(scaled << s, 32);
  return with_carries(sum(sum(scaled, term(at, 1)), carries ? at.source(shift_at + 1) : exact(0)));
}

/// SHF: (high, low) shifted; .HI keeps the upper half. Without .W the count stops at 32 or, of 64-bit types, at 64.
[[nodiscard]] inline results funnel_shift(in_lane const& at) {
  bool const left = at.i.has("L"), is_signed = at.i.has("S32") || at.i.has("S64");
  bool const both = at.i.has("U64") || at.i.has("S64");
  value const count = at.source(1), lower = at.source(0), upper = at.source(2);
  if (!count.is_known(32)) return {binary::unknown(count.why)};
  u64 const most = both ? 64 : 32;
  u64 const by = at.i.has("W") ? count.bits % most : count.bits < most ? count.bits : most;
  value const all = lower | upper << 32;
  value moved = all;
  if (left)
    moved = by == 64 ? exact(0) : all << static_cast<unsigned>(by);
  else if (is_signed)
    moved = by == 0 ? all
                    : sign_extended(by == 64 ? binary::bit_of(all, 63) : all >> static_cast<unsigned>(by),
                                    by == 64 ? 1 : 64 - static_cast<unsigned>(by));
  else
    moved = by == 64 ? exact(0) : all >> static_cast<unsigned>(by);
  return {low(at.i.has("HI") ? moved >> 32 : moved, 32)};
}

/// The function of three bits that a table of 8 bits gives: bit 4a + 2b + c.
[[nodiscard]] inline value by_table(value a, value b, value c, u64 table) {
  value all = exact(0);
  for (unsigned k = 0; k != 8; ++k)
    if ((table >> k & 1) != 0)
      all = all | (((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c));
  return all;
}
[[nodiscard]] inline results logic(in_lane const& at) {
  value const table = at.source(3);
  if (!table.is_known()) return {at.not_in_tables()};
  results made{low(by_table(at.source(0), at.source(1), at.source(2), table.bits), 32)};
  value some = exact(0);
  for (unsigned k = 0; k != 32; ++k) some = some | binary::bit_of(made.to, k);
  value const other = at.source(4);
  made.predicates[0] = at.i.has("PAND") ? some & other : some | other;
  made.predicates[1] = at.not_in_tables();
  return made;
}
[[nodiscard]] inline results predicate_logic(in_lane const& at) {
  results made{at.not_in_tables()};
  for (unsigned k = 0; k != 2; ++k) {
    value const table = at.source(3 + k);
    made.predicates[k] = table.is_known() && at.i.has("LUT")
                             ? low(by_table(at.source(0), at.source(1), at.source(2), table.bits), 1)
                             : at.not_in_tables();
  }
  return made;
}

/// ISETP: two numbers compared, then joined with a predicate; the second result has the comparison inverted. .EX: the
/// upper halves of 64 bits; where they are equal, the result for the lower halves counts, which is the last source.
[[nodiscard]] inline results compare(in_lane const& at) {
  std::string const& how = at.i.parts.empty() ? at.i.base : at.i.parts[0];
  bool const is_unsigned = at.i.has("U32"), extended = at.i.has("EX");
  value const a = at.source(0), b = at.source(1), joined = at.source(2);
  unsigned const bits = at.i.has("64") ? 64 : 32;
  bool const is_known_name = how == "LT" || how == "EQ" || how == "LE" || how == "GT" || how == "NE" || how == "GE";
  if (!is_known_name || bits == 64) return {at.not_in_tables(), 1, {at.not_in_tables(), at.not_in_tables()}};
  value is = binary::of_known(
      [&](u64 x, u64 y, u64) {
        bool const less = is_unsigned ? x < y : signed_32(x) < signed_32(y);
        return u64{how == "LT"   ? less
                   : how == "EQ" ? x == y
                   : how == "LE" ? less || x == y
                   : how == "GT" ? !less && x != y
                   : how == "NE" ? x != y
                                 : !less};
      },
      32, a, b);
  if (extended) {
    value const equal = binary::of_known([](u64 x, u64 y, u64) { return u64{x == y}; }, 32, a, b);
    is = chosen(equal, is, at.source(3));
  }
  auto const join = [&](value one) {
    one = low(one, 1);
    return at.i.has("OR")    ? one | joined
           : at.i.has("XOR") ? one ^ joined
           : at.i.has("AND") ? one & joined
                             : at.not_in_tables();
  };
  return {at.not_in_tables(), 1, {join(is), join(~is)}};
}

[[nodiscard]] inline results select(in_lane const& at) {
  if (at.i.parts.empty()) return {chosen(at.source(2), at.source(1), at.source(0))};
  return {at.not_in_tables()};
}
[[nodiscard]] inline value smaller_or_larger(in_lane const& at, value a, value b, value smaller) {
  bool const is_unsigned = at.i.has("U32");
  value const less = binary::of_known(
      [is_unsigned](u64 x, u64 y, u64) { return u64{is_unsigned ? x < y : signed_32(x) < signed_32(y)}; }, 32, a, b);
  return chosen(~(less ^ smaller), b, a);
}
/// The smaller number where the predicate is true, else the larger one.
[[nodiscard]] inline results minimum(in_lane const& at) {
  results made{at.is_predicate_source(2) ? smaller_or_larger(at, at.source(0), at.source(1), at.source(2))
                                         : at.not_in_tables()};
  made.predicates[0] = made.predicates[1] = at.not_in_tables();
  return made;
}
[[nodiscard]] inline results add_minimum(in_lane const& at) {
  return {at.is_predicate_source(3)
              ? smaller_or_larger(at, low(sum(at.source(0), at.source(1)), 32), at.source(2), at.source(3))
              : at.not_in_tables()};
}

/// PRMT: four bytes chosen from those of (c, a); bit 3 of a selector repeats the byte's sign.
[[nodiscard]] inline results permute(in_lane const& at) {
  value const selectors = at.source(1), bytes = at.source(0) | at.source(2) << 32;
  if (!at.i.parts.empty()) return {at.not_in_tables()};
  if (!selectors.is_known()) return {binary::unknown(selectors.why)};
  value all = exact(0);
  for (unsigned k = 0; k != 4; ++k) {
    auto const selector = static_cast<unsigned>(selectors.bits >> (4 * k) & 15);
    value byte = low(bytes >> (8 * (selector & 7)), 8);
    if (selector > 7) byte = low(sign_extended(binary::bit_of(byte, 7), 1), 8);
    all = all | byte << (8 * k);
  }
  return {all};
}
/// SGXT: the lowest bits of a, of which b tells how many, and copies of the highest of them.
[[nodiscard]] inline results extend(in_lane const& at) {
  value const width = at.source(1);
  if (!width.is_known() || width.bits == 0 || width.bits > 32) return {at.not_in_tables()};
  auto const bits = static_cast<unsigned>(width.bits);
  return {low(at.i.has("U32") ? low(at.source(0), bits) : sign_extended(at.source(0), bits), 32)};
}
template <class Function>
[[nodiscard]] results of_one(in_lane const& at, Function const& function) {
  return {low(
      binary::of_known([&](u64 x, u64, u64) { return u64{function(static_cast<std::uint32_t>(x))}; }, 32, at.source(0)),
      32)};
}
[[nodiscard]] inline results reverse(in_lane const& at) {
  return of_one(at, [](std::uint32_t x) {
    std::uint32_t all = 0;
    for (unsigned k = 0; k != 32; ++k) all |= (x >> k & 1) << (31 - k);
    return all;
  });
}
[[nodiscard]] inline results count_ones(in_lane const& at) {
  return of_one(at, [](std::uint32_t x) { return static_cast<std::uint32_t>(std::popcount(x)); });
}
/// FLO.U32: the index of the highest 1, from the lowest bit (.SH: from the highest one); all ones where there is none.
[[nodiscard]] inline results find_leading_one(in_lane const& at) {
  if (!at.i.has("U32")) return {at.not_in_tables()};
  bool const from_above = at.i.has("SH");
  return of_one(at, [from_above](std::uint32_t x) {
    auto const zeros = static_cast<std::uint32_t>(std::countl_zero(x));
    return x == 0 ? ~std::uint32_t{0} : from_above ? zeros : 31 - zeros;
  });
}
[[nodiscard]] inline results magnitude(in_lane const& at) {
  return of_one(at, [](std::uint32_t x) { return (x >> 31) != 0 ? 0 - x : x; });
}

/// P2R: the predicates as bits, where the mask has ones; R2P is its inverse and stands in block.hpp.
[[nodiscard]] inline results predicates_to_register(in_lane const& at) {
  value const kept = at.source(1), mask = at.source(2);
  if (!at.i.parts.empty() || at.of.from.empty() || at.of.from[0]->kind != operand_kind::all_predicates)
    return {at.not_in_tables()};
  value all = exact(0);
  for (unsigned k = 0; k != 7; ++k) all = all | low(at.w.predicates[k][at.lane].wide(), 1) << k;
  return {low((kept & ~mask) | (all & mask), 32)};
}

/// A half-precision number's bits, of a text that has one exactly; -1 where it is none.
[[nodiscard]] inline std::int64_t half_bits(std::string const& text) {
  char* end = nullptr;
  double const x = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return -1;
  for (std::int64_t bits = 0; bits != 0x7c00; ++bits) {
    double const mantissa = static_cast<double>(bits & 0x3ff) + ((bits >> 10) != 0 ? 1024.0 : 0.0);
    double const power = static_cast<double>(std::uint64_t{1} << ((bits >> 10) != 0 ? (bits >> 10) - 1 : 0));
    double const is = mantissa * power / 16777216.0;
    double const far = x < 0 ? -x - is : x - is;
    if (far == 0 || (far < 0 ? -far : far) < is * 1e-4) return x < 0 || text[0] == '-' ? bits | 0x8000 : bits;
  }
  return -1;
}
/// HFMA2 R, -RZ, RZ, x, y: how the compiler puts an integer into a register; x are the upper 16 bits.
[[nodiscard]] inline results halves(in_lane const& at) {
  bool const is_constant = at.of.from.size() == 4 && at.of.from[0]->kind == operand_kind::general &&
                           at.of.from[0]->index == zero_register && at.of.from[1]->index == zero_register &&
                           at.of.from[2]->kind == operand_kind::real && at.of.from[3]->kind == operand_kind::real;
  if (!is_constant) return {binary::unknown(at.why)};
  std::int64_t const upper = half_bits(at.of.from[2]->word), lower = half_bits(at.of.from[3]->word);
  if (upper < 0 || lower < 0) return {at.not_in_tables()};
  return {exact(static_cast<u64>(upper << 16 | lower))};
}

/// I2F.RP, MUFU.RCP and F2I.TRUNC as integer division uses them: its later steps correct an error of the reciprocal's
/// last place. Other forms are data.
[[nodiscard]] inline results to_float(in_lane const& at) {
  bool const is_unsigned = at.i.has("U32");
  if (!at.i.has("RP") || at.i.parts.size() != (is_unsigned ? 2 : 1)) return {binary::unknown(at.why)};
  return of_one(at, [is_unsigned](std::uint32_t x) {
    double const exactly = is_unsigned ? static_cast<double>(x) : static_cast<double>(signed_32(x));
    auto const nearest = static_cast<float>(exactly);
    auto const bits = std::bit_cast<std::uint32_t>(nearest);
    return static_cast<double>(nearest) >= exactly ? bits : nearest < 0 ? bits - 1 : bits + 1;
  });
}
[[nodiscard]] inline results reciprocal(in_lane const& at) {
  if (at.i.parts.size() != 1 || !at.i.has("RCP")) return {binary::unknown(at.why)};
  return of_one(at, [](std::uint32_t x) { return std::bit_cast<std::uint32_t>(1.0f / std::bit_cast<float>(x)); });
}
[[nodiscard]] inline results to_integer(in_lane const& at) {
  if (!at.i.has("FTZ") || !at.i.has("U32") || !at.i.has("TRUNC") || !at.i.has("NTZ")) return {binary::unknown(at.why)};
  return of_one(at, [](std::uint32_t x) {
    auto const number = static_cast<double>(std::bit_cast<float>(x));
    return number >= 4294967295.0 ? ~std::uint32_t{0} : number > 0 ? static_cast<std::uint32_t>(number) : 0;
  });
}

}  // namespace coalescing::sass
