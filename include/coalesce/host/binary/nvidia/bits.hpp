// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/lane.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

// The functions that compute the results of the opcodes that move and count bits. Each function takes the sources of
// one lane. The table in opcodes.hpp says which function an opcode uses.

namespace coalescing::sass {

/// SHF shifts a 64-bit number made of two registers, and gives the lower half of the result (.HI: the upper half). With
/// .W the count is taken modulo 32, and without .W a larger count is taken as 32. For U64 and S64, 64 stands in place
/// of 32.
[[nodiscard]] inline results funnel_shift(in_lane const& at) {
  bool const left = at.i.has("L"), is_signed = at.i.has("S32") || at.i.has("S64");
  bool const both = at.i.has("U64") || at.i.has("S64");
  if (left == at.i.has("R")) return {at.not_in_tables()};
  value const count = at.source(1), lower = at.source(0), upper = at.source(2);
  if (!count.is_known(32)) return {binary::unknown(count.why)};
  u64 const most = both ? 64 : 32;
  u64 const by = at.i.has("W") ? count.bits % most : count.bits < most ? count.bits : most;
  value const all = binary::paired(lower, upper);
  value moved = all;
  if (left)
    moved = by == 64 ? exact(0) : all << static_cast<unsigned>(by);
  else if (is_signed)
    moved = by == 0 ? all
                    : sign_extended(by == 64 ? binary::bit_of(all, 63) : all >> static_cast<unsigned>(by),
                                    by == 64 ? 1 : 64 - static_cast<unsigned>(by));
  else
    moved = by == 64 ? exact(0) : all >> static_cast<unsigned>(by);
  value made = low(at.i.has("HI") ? moved >> 32 : moved, 32);
  bool const is_upper_alone = !left && at.i.has("HI") && !both && by < 32 && lower.is_known() && lower.bits == 0;
  if (is_upper_alone) {  // shift `upper` alone, so that the result gets its identity from the identity of `upper`
    value const wide = is_signed ? sign_extended(upper, 32) : upper;
    made = low(wide >> static_cast<unsigned>(by), 32);
  }
  bool const is_sign = is_upper_alone && is_signed && by == 31;
  return {is_sign ? binary::identified(made, binary::signs_of(upper.is), upper.in) : made};
}

/// A function of three bits, given as a table of 8 bits: the function's value for a, b, c is bit 4a + 2b + c of the
/// table. A bit of the result is known if the table has the same bit for all values that a, b and c may have there.
[[nodiscard]] inline value by_table(value a, value b, value c, u64 table) {
  if (table == 0xc0) return a & b;
  if (table == 0xfc) return a | b;
  u64 may_be_1 = 0, may_be_0 = 0;
  for (unsigned k = 0; k != 8; ++k) {
    auto const may_be = [](value const& v, bool one) { return one ? v.bits | ~v.known : ~v.bits; };
    u64 const here = may_be(a, (k & 4) != 0) & may_be(b, (k & 2) != 0) & may_be(c, (k & 1) != 0);
    ((table >> k & 1) != 0 ? may_be_1 : may_be_0) |= here;
  }
  value made = binary::settled(may_be_1, ~(may_be_1 & may_be_0), binary::either(a.why, binary::either(b.why, c.why)));
  made.in = b.in == 0 && c.in == 0 ? a.in : a.in == 0 && c.in == 0 ? b.in : a.in == 0 && b.in == 0 ? c.in : made.in;
  return made;
}
[[nodiscard]] inline results logic(in_lane const& at) {
  value const table = at.source(3);
  if (!table.is_known()) return {at.not_in_tables()};
  results made{low(by_table(at.source(0), at.source(1), at.source(2), table.bits), 32)};
  // Whether any bit of the result is 1. A result that is at most 1 may be the carry of a sum. bit_of() keeps the
  // identity of that carry, and any_bit() does not.
  value const some = made.to.largest() <= 1 ? binary::bit_of(made.to, 0) : binary::any_bit(made.to, 32);
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

/// PRMT makes each byte of the result from one of the eight bytes of the pair (c, a). A selector of 4 bits names the
/// byte, from the lowest byte of a on. If bit 3 of the selector is set, all bits of the result's byte are the sign bit
/// of the byte that is named.
[[nodiscard]] inline results permute(in_lane const& at) {
  value const selectors = at.source(1), bytes = at.source(0) | at.source(2) << 32;
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
/// The number of bits that the source `count` states. With .W only its lowest five bits count. Without .W, a number
/// above 32 counts as 32.
[[nodiscard]] inline unsigned bit_count(in_lane const& at, value count) {
  return static_cast<unsigned>(at.i.has("W") ? count.bits & 31 : count.bits < 32 ? count.bits : 32);
}
/// SGXT keeps the lowest b bits of a, and fills the others with copies of bit b - 1 (.U32: with zeros).
[[nodiscard]] inline results extend(in_lane const& at) {
  value const width = at.source(1);
  if (!width.is_known()) return {binary::unknown(width.why)};
  unsigned const bits = bit_count(at, width);
  if (bits == 0) return {exact(0)};
  return {low(at.i.has("U32") ? low(at.source(0), bits) : sign_extended(at.source(0), bits), 32)};
}
/// BMSK makes a mask of b ones that begins at bit a.
[[nodiscard]] inline results mask_of(in_lane const& at) {
  value const first = at.source(0), width = at.source(1);
  if (!first.is_known() || !width.is_known()) return {binary::unknown(binary::either(first.why, width.why))};
  return {low(exact(((u64{1} << bit_count(at, width)) - 1) << bit_count(at, first)), 32)};
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
/// FLO gives the index of the highest bit that differs from the sign bit (.U32: of the highest 1). It counts from the
/// lowest bit (.SH: from the highest one). The result is all ones if there is no such bit.
[[nodiscard]] inline results find_leading_one(in_lane const& at) {
  bool const from_above = at.i.has("SH"), is_signed = !at.i.has("U32");
  return of_one(at, [from_above, is_signed](std::uint32_t x) {
    if (is_signed && x >> 31 != 0) x = ~x;
    auto const zeros = static_cast<std::uint32_t>(std::countl_zero(x));
    return x == 0 ? ~std::uint32_t{0} : from_above ? zeros : 31 - zeros;
  });
}
/// P2R and UP2UR put the predicates into bits of a register, where the mask has ones; the other bits are those of a
/// source. R2P is the inverse; it is in registers.hpp.
[[nodiscard]] inline results predicates_to_register(in_lane const& at) {
  value const kept = at.source(1), mask = at.source(2);
  if (at.of.from.empty() || at.of.from[0]->kind != operand_kind::all_predicates) return {at.not_in_tables()};
  bool const is_uniform = begins(at.of.from[0]->word, "U");
  value all = exact(0);
  for (unsigned k = 0; k != 7; ++k) {
    word const& one = is_uniform ? at.w.uniform_predicates[k] : at.w.predicates[k][at.lane];
    all = all | low(one.wide(), 1) << k;
  }
  return {low((kept & ~mask) | (all & mask), 32)};
}

/// B2R.RESULT reads the result of the last BAR.RED.
[[nodiscard]] inline results barrier_result(in_lane const& at) {
  if (at.i.parts.size() != 1 || !at.i.has("RESULT")) return no_such_form(at);
  return {low(at.w.reduced[0], 32), 1, {low(at.w.reduced[1], 1), at.not_in_tables()}};
}

}  // namespace coalescing::sass
