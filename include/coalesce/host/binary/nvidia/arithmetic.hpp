// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/bits.hpp>

#include <cstddef>
#include <cstdint>

// The functions that compute the results of the opcodes that add, multiply and compare integers. Each function takes
// the sources of one lane. The table in opcodes.hpp says which function an opcode uses.

namespace coalescing::sass {

[[nodiscard]] inline value truth(bool is) { return exact(is ? 1 : 0); }
[[nodiscard]] constexpr std::int64_t signed_32(u64 x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x));
}
/// Makes the results of an addition. `all` is the sum of up to three numbers of 32 bits. Its carry is 0, 1 or 2. The
/// first predicate says that the carry is not 0, the second that it is 2.
[[nodiscard]] inline results with_carries(value all) {
  bool const at_most_one = (all >> 32).largest() <= 1;
  return {low(all, 32),
          1,
          {at_most_one ? binary::bit_of(all, 32) : binary::any_bit(all >> 32, 2), binary::bit_of(all, 33)}};
}
/// A source of a sum with a carry. A source -b gives ~b + 1, so the sum a - b has a carry if the subtraction has no
/// borrow.
[[nodiscard]] inline value term(in_lane const& at, std::size_t k) {
  operand const& o = *at.of.from[k];
  value v = at.plain(o, 32);
  if (o.is_negative || o.is_inverted) v = low(~v, 32);
  return o.is_negative ? sum(v, exact(1)) : v;
}

[[nodiscard]] inline results move(in_lane const& at) {
  results made = at.i.has("64") ? results{at.source(0, 64), 2} : results{at.source(0)};
  for (value& each : made.predicates) each = at.not_in_tables();  // what R2UR P0, UR4, R2 writes to P0 is unknown
  return made;
}

[[nodiscard]] inline results add(in_lane const& at) {
  value terms[5] = {exact(0), exact(0), exact(0), exact(0), exact(0)};
  if (at.has_source(5)) return no_such_form(at);
  if (at.i.has("64")) {
    for (std::size_t k = 0; at.has_source(k); ++k) terms[k] = at.source(k, 64);
    return {sum(terms), 2, {at.not_in_tables(), at.not_in_tables()}};
  }
  for (std::size_t k = 0; at.has_source(k); ++k) {
    if (at.is_predicate_source(k) && !at.i.has("X")) return {at.not_in_tables()};
    terms[k] = at.is_predicate_source(k) ? at.source(k) : term(at, k);
  }
  return with_carries(at.has_source(3) ? sum(terms) : sum(terms[0], terms[1], terms[2]));
}

[[nodiscard]] inline results multiply_add(in_lane const& at) {
  bool const wide = at.i.has("WIDE"), high = at.i.has("HI"), is_unsigned = at.i.has("U32");
  value const a = at.source(0), b = at.source(1);
  value const product = wide || high
                            ? binary::product(binary::widened(a, !is_unsigned), binary::widened(b, !is_unsigned))
                            : binary::product(a, b);
  value const carry = at.i.has("X") ? at.source(3) : exact(0);
  value const c = at.source(2, wide || high ? 64 : 32);
  value const all = sum(product, c, carry);
  if (high) return {low(all >> 32, 32)};
  if (!wide) {
    results made{low(all, 32)};
    made.predicates[0] = made.predicates[1] = at.not_in_tables();
    return made;
  }
  value const carried =
      is_unsigned ? binary::order_of(all, c, 64, false).holds(true, false, false) : at.not_in_tables();
  return {all, 2, {at.i.has("X") ? at.not_in_tables() : carried, at.not_in_tables()}};
}

/// LEA gives (a << s) + b. LEA.HI shifts the 64-bit number with upper half c and lower half a, and adds b to the upper
/// half of the result. With .SX32, copies of a's sign bit stand in place of c.
[[nodiscard]] inline results scaled_add(in_lane const& at) {
  bool const high = at.i.has("HI"), extended = at.i.has("SX32"), carries = at.i.has("X");
  std::size_t const shift_at = high && !extended ? 3 : 2;
  value const shift = at.source(shift_at);
  bool const is_negative_pair = high && !at.of.from.empty() && at.of.from[0]->is_negative;
  if (!shift.is_known())
    return {binary::unknown(shift.why), 1, {binary::unknown(shift.why), binary::unknown(shift.why)}};
  if (shift.bits > 31 || is_negative_pair) return no_such_form(at);
  auto const s = static_cast<unsigned>(shift.bits);
  value scaled = at.source(0);
  if (high)
    scaled = (extended ? sign_extended(scaled, 32) : binary::paired(scaled, at.source(2))) << s >> 32;
  else
    scaled = low(scaled << s, 32);
  return with_carries(sum(scaled, term(at, 1), carries ? at.source(shift_at + 1) : exact(0)));
}

/// ISETP compares two numbers, and combines the result with a predicate (AND, OR, XOR). The second result is the
/// opposite comparison, combined in the same way. .EX compares the upper halves of numbers of 64 bits. If the upper
/// halves are equal, the last source decides: it is the result of comparing the lower halves. .S64 and .U64 compare
/// pairs of registers.
[[nodiscard]] inline results compare(in_lane const& at) {
  std::string const& how = at.i.parts.empty() ? at.i.base : at.i.parts[0];
  unsigned const bits = at.i.has("S64") || at.i.has("U64") ? 64 : 32;
  bool const is_unsigned = at.i.has("U32") || at.i.has("U64"), extended = at.i.has("EX");
  value const a = at.source(0, bits), b = at.source(1, bits), joined = at.source(2);
  bool const is_known_name = how == "LT" || how == "EQ" || how == "LE" || how == "GT" || how == "NE" || how == "GE";
  if (!is_known_name || (extended && bits == 64)) return no_such_form(at);
  bool const if_less = how[0] == 'L' || how == "NE", if_equal = how[1] == 'E' || how == "EQ",
             if_greater = how[0] == 'G' || how == "NE";
  binary::order const order = binary::order_of(a, b, bits, !is_unsigned);
  value is = order.holds(if_less, if_equal && how != "NE", if_greater);
  if (extended) {
    is = chosen(order.holds(false, true, false), is, at.source(3));
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
  unsigned const bits = at.i.has("64") ? 64 : 32;
  return {chosen(at.source(2), at.source(1, bits), at.source(0, bits)), bits / 32};
}
/// How an opcode compares numbers: their width in bits, and whether they are signed.
struct comparison {
  unsigned bits;
  bool is_signed;
};
[[nodiscard]] inline comparison comparison_of(instruction const& i) {
  if (i.has("U64") || i.has("S64")) return {64, i.has("S64")};
  if (i.has("U16x2") || i.has("S16x2")) return {16, i.has("S16x2")};
  return {32, !i.has("U32")};
}
/// The smaller number if the predicate is true, else the larger one.
[[nodiscard]] inline value smaller_or_larger(comparison how, value a, value b, value smaller) {
  value const less = binary::order_of(a, b, how.bits, how.is_signed).holds(true, false, false);
  return chosen(~(less ^ smaller), b, a);
}
/// IMNMX and VIMNMX give the smaller or the larger number. With U16x2 or S16x2, each half of a register is compared
/// with the same half of the other. The known forms for 64 bits have a second predicate, which is false. With a
/// constant of 2^31 or more, the result of such a form is unknown.
[[nodiscard]] inline results minimum(in_lane const& at) {
  comparison const how = comparison_of(at.i);
  bool is_known_form = at.is_predicate_source(2) && at.has_source(3) == (how.bits == 64);
  for (operand const* o : at.of.from)
    if (how.bits == 64 && o->kind == operand_kind::integer) is_known_form = is_known_form && o->number >> 31 == 0;
  if (how.bits == 64 && is_known_form) is_known_form = at.source(3).is_known() && at.source(3).bits == 0;
  if (!is_known_form) return no_such_form(at);
  value const a = at.source(0, how.bits == 64 ? 64 : 32), b = at.source(1, how.bits == 64 ? 64 : 32);
  results made{how.bits == 16 ? low(smaller_or_larger(how, low(a, 16), low(b, 16), at.source(2)), 16) |
                                    low(smaller_or_larger(how, a >> 16, b >> 16, at.source(2)), 16) << 16
                              : smaller_or_larger(how, a, b, at.source(2)),
               how.bits == 64 ? 2u : 1u};
  made.predicates[0] = made.predicates[1] = at.not_in_tables();
  return made;
}
[[nodiscard]] inline results minimum_of_three(in_lane const& at) {
  if (!at.is_predicate_source(3) || at.has_source(4)) return no_such_form(at);
  comparison const how = comparison_of(at.i);
  value const smaller = at.source(3);
  return {smaller_or_larger(how, smaller_or_larger(how, at.source(0), at.source(1), smaller), at.source(2), smaller)};
}
[[nodiscard]] inline results add_minimum(in_lane const& at) {
  return {at.is_predicate_source(3) ? smaller_or_larger(comparison_of(at.i), low(sum(at.source(0), at.source(1)), 32),
                                                        at.source(2), at.source(3))
                                    : at.not_in_tables()};
}

[[nodiscard]] inline results magnitude(in_lane const& at) {
  return of_one(at, [](std::uint32_t x) { return (x >> 31) != 0 ? 0 - x : x; });
}

}  // namespace coalescing::sass
