// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/identities.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Values of a binary that runs without its data: each bit is known or unknown. If some lanes of a mask depend on
// unknown data, the mask is still known in the other lanes. Sums, products and comparisons derive known bits of the
// result from the known bits of their operands. AND, OR, XOR and shifts are exact, bit by bit. Any other function of a
// number is unknown as a whole if a bit of an operand is unknown. tests/host/binary/amd/operations.cpp compares each
// operation with all values that its operands may have.
//
// An unknown number may also have an identity (identities.hpp): a name by which the same unknown number is recognized
// in other registers, and the known number that was added to it. So if lanes add known numbers to one unknown number,
// the distances between the sums are known.

namespace coalescing::binary {

/// Why a value is unknown. 0: nothing wrote the register. Else it is the number of an instruction of the program, from
/// 1 on. If the opcode is not in the tables, `of_opcode` is added. If a value has two causes, the larger one is kept.
/// So an opcode that is not in the tables is kept before any other cause.
using cause = std::uint32_t;
inline constexpr cause of_opcode = 1u << 31;

/// A value of up to 64 bits. Its unknown bits are 0 in `bits`.
struct value {
  std::uint64_t bits = 0;
  std::uint64_t known = 0;
  cause why = 0;
  identity is = {};      ///< if bits are unknown: which unknown number it is, by a name and an offset (identities.hpp)
  buffer_number in = 0;  ///< the buffer into which the number points, if it was made of a pointer; 0: not known

  /// Whether the lowest `width` bits are known.
  [[nodiscard]] constexpr bool is_known(unsigned width = 64) const {
    std::uint64_t const mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    return (known & mask) == mask;
  }
  /// The largest number that the value may be. (The smallest one is `bits`.)
  [[nodiscard]] constexpr std::uint64_t largest() const { return bits | ~known; }
};

[[nodiscard]] constexpr value exact(std::uint64_t bits) { return {bits, ~std::uint64_t{0}, 0}; }
[[nodiscard]] constexpr value unknown(cause why) { return {0, 0, why}; }
[[nodiscard]] constexpr cause either(cause a, cause b) { return a < b ? b : a; }
/// A result and its cause. The cause is kept only if a bit is unknown.
[[nodiscard]] constexpr value settled(std::uint64_t bits, std::uint64_t known, cause why) {
  return {bits & known, known, known == ~std::uint64_t{0} ? 0 : why};
}
/// The value `a`, noted as a pointer into the buffer number `in` (0: not known). If it has unknown bits, `is` also says
/// which unknown number it is, so that equal unknown numbers are recognized as equal (identities.hpp).
[[nodiscard]] constexpr value identified(value a, identity is, buffer_number in = 0) {
  a.in = in;
  if (a.known != ~std::uint64_t{0}) a.is = is;
  return a;
}
/// The value `a`. If it has unknown bits, it gets the name `name`: values that get the same name count as the same
/// unknown number (identities.hpp).
[[nodiscard]] constexpr value with_name(value a, std::uint64_t name, unsigned bits) {
  return identified(a, named(name, bits == 64 ? part_of_number::whole : part_of_number::lower), a.in);
}
/// The value `a`. If it has unknown bits and no name yet, it gets the name `name`. To be called for a value that all
/// lanes read from one register: by its name, it counts as the same unknown number in all of them (identities.hpp).
[[nodiscard]] constexpr value shared_by_lanes(value a, std::uint64_t name, unsigned bits) {
  return a.is ? a : with_name(a, name, bits);
}
/// The buffer into which a result points, if only one of its two operands is a pointer; else 0.
[[nodiscard]] constexpr buffer_number pointed(value const& a, value const& b) {
  return b.in == 0 ? a.in : a.in == 0 ? b.in : 0;
}

[[nodiscard]] constexpr value operator~(value a) {
  return identified(settled(~a.bits, a.known, a.why), inverted(a.is));
}
[[nodiscard]] constexpr value operator&(value const& a, value const& b) {
  constexpr std::uint64_t all = ~std::uint64_t{0}, lower = 0xffffffffu;
  if (b.known == all && (a.largest() & ~b.bits) == 0) return a;
  if (a.known == all && (b.largest() & ~a.bits) == 0) return b;
  value const both =
      settled(a.bits & b.bits, (a.known & b.known) | (a.known & ~a.bits) | (b.known & ~b.bits), either(a.why, b.why));
  if (b.known == all && b.bits == 1 && a.is.part == part_of_number::carry) return identified(both, a.is);
  if (b.known == all && b.bits == lower) return identified(both, lower_half(a.is), a.in);
  if (a.known == all && a.bits == lower) return identified(both, lower_half(b.is), b.in);
  return identified(both, {}, pointed(a, b));
}
[[nodiscard]] constexpr value operator|(value a, value b) {
  if (a.known == ~std::uint64_t{0} && a.bits == 0) return b;
  if (b.known == ~std::uint64_t{0} && b.bits == 0) return a;
  // If no bit can be 1 in both numbers, OR is a sum. (`4 * lane | base`.)
  term const both[] = {{a.is, a.bits, a.is_known()}, {b.is, b.bits, b.is_known()}};
  bool const is_sum = (a.is || b.is) && (a.largest() & b.largest()) == 0;
  return identified(settled(a.bits | b.bits, (a.known & b.known) | a.bits | b.bits, either(a.why, b.why)),
                    is_sum ? sum_of(both).is : identity{}, pointed(a, b));
}
[[nodiscard]] constexpr value operator^(value a, value b) {
  return identified(settled(a.bits ^ b.bits, a.known & b.known, either(a.why, b.why)), {}, pointed(a, b));
}
/// Shifts by `count`, which is less than 64. Bits that come in are 0.
[[nodiscard]] constexpr value operator<<(value a, unsigned count) {
  return identified(settled(a.bits << count, a.known << count | ((std::uint64_t{1} << count) - 1), a.why),
                    times(a.is, std::uint64_t{1} << count), count == 0 ? a.in : buffer_number{0});
}
[[nodiscard]] constexpr value operator>>(value a, unsigned count) {
  if (count == 0) return a;
  std::uint64_t const in = ~std::uint64_t{0} << (64 - count);
  value const made = settled(a.bits >> count, a.known >> count | in, a.why);
  if (count == 32) return identified(made, upper_half(a.is), a.in);
  // If the unknown part is a multiple of 2^count, it and the known offset are shifted separately.
  std::uint64_t const lost = (std::uint64_t{1} << count) - 1;
  bool const is_multiple = (a.known & lost) == lost && ((a.bits ^ a.is.offset) & lost) == 0;
  return identified(made, is_multiple ? shifted_down(a.is, count) : identity{});
}
/// The lowest `width` bits, and zeros above.
[[nodiscard]] constexpr value low(value const& a, unsigned width) {
  if (width == 64 || a.largest() >> width == 0) return a;
  return a & exact((std::uint64_t{1} << width) - 1);
}
/// The lowest `width` bits, and copies of the highest of them above.
[[nodiscard]] constexpr value sign_extended(value a, unsigned width) {
  if (width == 64) return a;
  std::uint64_t const above = ~std::uint64_t{0} << width, sign = std::uint64_t{1} << (width - 1);
  value const zeros = low(a, width);
  value made = (a.bits & sign) != 0 ? settled(zeros.bits | above, zeros.known | above, a.why) : zeros;
  if ((a.known & sign) == 0) made = settled(zeros.bits, zeros.known & ~above, a.why);
  return identified(made, width == 32 ? widened(lower_half(a.is), true) : identity{}, a.in);
}
/// A number of 32 bits, extended to 64 bits. Its identity, which tells which unknown number it is (identities.hpp), is
/// extended with it.
[[nodiscard]] constexpr value widened(value a, bool with_sign) {
  return with_sign ? sign_extended(a, 32) : identified(low(a, 32), widened(lower_half(a.is), false));
}
/// The number of 64 bits that two registers hold.
[[nodiscard]] constexpr value paired(value const& lower, value const& upper) {
  if (lower.is_known(32) && upper.is_known(32))
    return identified(exact((lower.bits & 0xffffffffu) | upper.bits << 32), {}, upper.in != 0 ? upper.in : lower.in);
  value const both = low(lower, 32) | upper << 32;
  identity is = upper.is_known(32) ? below_known(lower.is, low(upper, 32).bits) : whole_of(lower.is, upper.is);
  if (!is && lower.is_known(32) && upper.is) is = above_known(low(lower, 32).bits, upper.is);
  if (!is && lower.is && upper.is) is = pair_of(lower.is, upper.is);
  return identified(both, is, upper.in != 0 ? upper.in : lower.in);
}
/// How many bits are known from the lowest one on, without a gap.
[[nodiscard]] constexpr unsigned known_below(value a) {
  unsigned count = 0;
  while (count != 64 && (a.known >> count & 1) != 0) ++count;
  return count;
}
[[nodiscard]] constexpr unsigned zeros_below(value a) {
  unsigned count = 0;
  while (count != 64 && (a.known >> count & 1) != 0 && (a.bits >> count & 1) == 0) ++count;
  return count;
}
/// For a 32-bit number that is either `a` or `instead`: an identity (identities.hpp) that notes what `a` is, so that
/// not_masked() finds it again. It is empty if `instead` is not 2^31, the offset that Triton gives to masked lanes.
[[nodiscard]] constexpr identity or_masked(value a, value instead) {
  if (!instead.is_known() || instead.bits != std::uint64_t{1} << 31) return {};
  if (a.is.part == part_of_number::or_masked) return a.is;
  bool const is_known = a.is_known();
  if (!is_known && a.is.part != part_of_number::lower) return {};
  std::uint64_t const count = known_below(a) < 32 ? known_below(a) : 32;
  identity made{is_known ? 0 : a.is.name, is_known ? a.bits : a.is.offset,
                (a.bits & ((std::uint64_t{1} << count) - 1)) | count << 32, part_of_number::or_masked};
  made.is_made = true;
  return assuming(made, a.is);
}
/// If a number is either 2^31 or another value (or_masked(), above, has noted this): the other value.
[[nodiscard]] constexpr value not_masked(value a) {
  identity is = a.is;
  is.named_offset = is.offset, is.part = part_of_number::lower;
  if (is.name == 0) return exact(is.offset);
  std::uint64_t const known = (std::uint64_t{1} << (a.is.named_offset >> 32)) - 1;
  return identified(settled(a.is.named_offset & known, known | ~std::uint64_t{0xffffffffu}, a.why), is);
}
/// `b` if the bit is 1, `a` if it is 0. If the bit is unknown, a bit of the result is known where `a` and `b` have the
/// same known bit.
[[nodiscard]] constexpr value chosen(value bit, value a, value b) {
  if ((bit.known & 1) != 0) return (bit.bits & 1) != 0 ? b : a;
  value const both = settled(a.bits, a.known & b.known & ~(a.bits ^ b.bits), either(bit.why, either(a.why, b.why)));
  identity is = a.is == b.is && a.bits == b.bits && a.known == b.known ? a.is : or_masked(a, b);
  if (is.part == part_of_number::none) is = or_masked(b, a);
  return identified(both, is, a.in == b.in ? a.in : buffer_number{0});
}
/// One bit of a number, as 0 or 1.
[[nodiscard]] constexpr value bit_of(value a, unsigned index) {
  value bit = settled(a.bits >> index & 1, a.known >> index | ~std::uint64_t{1}, a.why);
  return index == 0 ? identified(bit, a.is.part == part_of_number::carry ? a.is : identity{})
                    : identified(bit, index == 32 ? carry_of(a.is) : identity{});
}

/// Whether any of the lowest `bits` bits is 1. The answer is known if some bit is known to be 1, or if all bits are
/// known to be 0.
[[nodiscard]] constexpr value any_bit(value a, unsigned bits) {
  value const in = low(a, bits);
  if (in.bits != 0) return exact(1);
  return in.is_known() ? exact(0) : low(unknown(in.why), 1);
}

/// The sum of numbers. A bit of a sum is known if the operands' bits are known there, and the carry into the bit is the
/// same for the smallest and for the largest values that the operands may have.
template <std::size_t Count>
[[nodiscard]] constexpr value sum(value const (&of)[Count]) {
  value made = exact(0);
  bool all_known = true;
  for (value const& each : of)
    made.bits += each.bits, made.in = pointed(made, each), all_known = all_known && each.is_known();
  if (all_known) return made;
  made = exact(0);
  term terms[Count] = {};
  bool all_named = true;
  for (std::size_t k = 0; k != Count; ++k) {
    value const a = made, &b = of[k];
    std::uint64_t const least = a.bits + b.bits, most = a.largest() + b.largest();
    std::uint64_t const carries_known = ~(most ^ a.largest() ^ b.largest() ^ least ^ a.bits ^ b.bits);
    made =
        settled(least, a.known & b.known & carries_known, either(a.is_known() ? 0 : a.why, b.is_known() ? 0 : b.why));
    made.in = pointed(a, b);
    terms[k] = {b.is, b.bits, b.is_known()};
    all_named = all_named && (b.is_known() || b.is);
  }
  if (!all_named || made.is_known()) return made;
  total const all = sum_of(terms);
  return all.is_known ? exact(all.number) : identified(made, all.is, made.in);
}
[[nodiscard]] constexpr value sum(value const& a, value const& b) {
  value const both[] = {a, b};
  return sum(both);
}
[[nodiscard]] constexpr value sum(value const& a, value const& b, value const& c) {
  value const all[] = {a, b, c};
  return sum(all);
}
[[nodiscard]] constexpr value difference(value a, value b) {
  value made = sum(a, ~b, exact(1));
  made.in = b.in == 0 ? a.in : buffer_number{0};
  return made;
}
/// The product. If the lowest n bits of both operands are known, so are the lowest n bits of the product. The bits
/// above the highest 1 of the largest possible product are known, too: they are 0.
[[nodiscard]] constexpr value product(value a, value b) {
  if (a.is_known() && b.is_known()) return exact(a.bits * b.bits);
  unsigned const za = zeros_below(a), zb = zeros_below(b);
  if (za == 64 || zb == 64) return exact(0);
  unsigned const ka = known_below(a) - za, kb = known_below(b) - zb;
  unsigned const below = za + zb + (ka < kb ? ka : kb);
  std::uint64_t known = below >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << below) - 1;
  std::uint64_t const most_a = a.largest(), most_b = b.largest();
  if (most_b == 0 || most_a <= ~std::uint64_t{0} / most_b) {
    std::uint64_t top = most_a * most_b;
    for (unsigned shift = 1; shift != 64; shift *= 2) top |= top >> shift;
    known |= ~top;
  }
  identity const is = b.is_known() ? times(a.is, b.bits) : a.is_known() ? times(b.is, a.bits) : product_of(a.is, b.is);
  return identified(settled(a.bits * b.bits, known, either(a.is_known() ? 0 : a.why, b.is_known() ? 0 : b.why)), is);
}

/// Whether the first of two numbers may be less than, equal to or greater than the second. Several of these may be
/// possible if the numbers have unknown bits.
struct order {
  bool less = true, equal = true, greater = true;
  cause why = 0;

  /// Whether a relation of the two numbers holds: 0, 1 or unknown. The arguments say whether the relation holds if the
  /// first number is less than the second, equal to it, or greater.
  [[nodiscard]] constexpr value holds(bool if_less, bool if_equal, bool if_greater) const {
    bool const may_hold = (less && if_less) || (equal && if_equal) || (greater && if_greater);
    bool const may_fail = (less && !if_less) || (equal && !if_equal) || (greater && !if_greater);
    return may_hold && may_fail ? low(unknown(why), 1) : exact(may_hold ? 1 : 0);
  }
};
/// The least and the largest number that a value may be.
struct range {
  std::uint64_t first, last;
};
/// The range of `turned`. A comparison of signed numbers inverts their sign bits, and then compares them as unsigned
/// numbers: `turned` is `a` with its sign bit inverted. For unsigned numbers, `turned` is `a`. The range follows from
/// the known bits of `a`, and from the range of its unknown part (identity::most).
[[nodiscard]] constexpr range range_of(value const& a, value const& turned, unsigned width, bool is_signed) {
  range all{turned.bits, turned.largest()};
  if (a.is.most == identity::any_range || (width != 32 && width != 64)) return all;
  identity const is = width == 32 ? lower_half(a.is) : a.is;
  bool const is_number = is.part == part_of_number::whole || (is.part == part_of_number::lower && width == 32);
  if (!is_number || !stays_below(is, is.offset, width - is_signed)) return all;
  std::uint64_t const zero = is_signed ? std::uint64_t{1} << (width - 1) : 0;
  all.first = all.first < zero + is.offset ? zero + is.offset : all.first;
  all.last = all.last > zero + is.offset + is.most ? zero + is.offset + is.most : all.last;
  return all;
}
[[nodiscard]] constexpr order order_of(value a, value b, unsigned width, bool is_signed) {
  auto const at_ends = [=](value v) {  // with the sign bit inverted, signed numbers have the order of unsigned ones
    return is_signed ? low(v, width) ^ exact(std::uint64_t{1} << (width - 1)) : low(v, width);
  };
  value const x = at_ends(a), y = at_ends(b);
  range const of_x = range_of(a, x, width, is_signed), of_y = range_of(b, y, width, is_signed);
  bool const differ = ((x.bits ^ y.bits) & x.known & y.known) != 0;
  bool const is_same = width == 64 ? is_same_number(a.is, b.is) : is_same_number(lower_half(a.is), lower_half(b.is));
  order found{of_x.first < of_y.last, !differ && of_x.first <= of_y.last && of_y.first <= of_x.last,
              of_y.first < of_x.last, either(x.is_known() ? 0 : a.why, y.is_known() ? 0 : b.why)};
  if (is_same && (width == 32 || width == 64)) found.less = found.greater = false;
  return found;
}

/// The result of a function of integers. It is known if the lowest `width` bits of each operand are known, and else
/// unknown.
template <class Function>
[[nodiscard]] constexpr value of_known(Function const& function, unsigned width, value a, value b = exact(0),
                                       value c = exact(0)) {
  if (a.is_known(width) && b.is_known(width) && c.is_known(width))
    return exact(function(low(a, width).bits, low(b, width).bits, low(c, width).bits));
  return unknown(
      either(a.is_known(width) ? 0 : a.why, either(b.is_known(width) ? 0 : b.why, c.is_known(width) ? 0 : c.why)));
}

/// Gives a name (identities.hpp) to a result that has unknown bits, if each operand is known or has a name itself. The
/// name is made of the instruction and its operands, so lanes with equal operands get the same name: their results are
/// equal. `which` is the index of the result, from 0, if an instruction has several.
template <std::size_t Count>
[[nodiscard]] constexpr value named_by(value made, cause instruction, unsigned bits, value const (&operands)[Count],
                                       unsigned which = 0) {
  if (made.is || made.is_known(bits)) return made;
  std::uint64_t name = instruction + (std::uint64_t{which} << 32);
  bool assumes = false;
  for (value const& each : operands) {
    assumes = assumes || each.is.assumes;
    if (!each.is && !each.is_known()) return made;
    name = binary::name_of(name, each.is ? binary::name_of(each.is) : each.bits);
  }
  made = with_name(made, name, bits);
  made.is.assumes = assumes;
  return made;
}

/// The 32-bit word with the index `which`, from 0, of what a lane has loaded. An unknown word gets a name
/// (identities.hpp), made of `name`, the name of the whole load. Words 0 and 1 are the halves of one 64-bit number,
/// words 2 and 3 those of the next one, and so on. `assumes`: the address has a name that rests on an assumption
/// (identity::assumes), and so has the word.
[[nodiscard]] constexpr value loaded_word(value read, std::uint64_t name, unsigned which, bool assumes) {
  if (read.is_known(32)) return read;
  part_of_number const part = which % 2 == 0 ? part_of_number::lower : part_of_number::upper;
  identity is = named(binary::name_of(name, which / 2), part);
  is.assumes = assumes;
  return identified(read, is, read.in);
}

/// The 32 bits of a scalar register, or of one lane of a vector register.
struct word {
  std::uint32_t bits = 0;
  std::uint32_t known = 0;
  cause why = 0;
  buffer_number in = 0;
  identity is = {};
  constexpr word() = default;
  constexpr explicit word(value v)
      : bits(static_cast<std::uint32_t>(v.bits)),
        known(static_cast<std::uint32_t>(v.known)),
        why(known == ~std::uint32_t{0} ? 0 : v.why),
        in(v.in),
        is(known == ~std::uint32_t{0} ? identity{} : lower_half(v.is)) {}
  /// The word as the lower half of a 64-bit value whose upper half is 0.
  [[nodiscard]] constexpr value wide() const { return {bits, known | 0xffffffff00000000u, why, is, in}; }
  /// Whether both words have the same known bits, with equal values, and point into the same buffer. The names of
  /// unknown numbers (identities.hpp) are not compared.
  [[nodiscard]] constexpr bool looks_like(word const& other) const {
    return bits == other.bits && known == other.known && in == other.in;
  }
};

/// Joins the two values of a register where two ways through the program meet. A bit is known if it is known and equal
/// on both ways. `why` is what the branch depends on. Returns whether `to` changed.
constexpr bool join(word& to, word const& from, cause why) {
  std::uint32_t const known = to.known & from.known & ~(to.bits ^ from.bits);
  bool const is_one = to.is == from.is && to.bits == from.bits && to.known == from.known;
  bool const changed = known != to.known || (!is_one && to.is != identity{}) || (to.in != 0 && to.in != from.in);
  if (known != to.known) to.known = known, to.bits &= known, to.why = either(why, either(to.why, from.why));
  if (!is_one) to.is = {};
  if (to.in != from.in) to.in = 0;
  return changed;
}

/// At the head of a loop, a bit of a register stays known only if it is the same in all iterations so far. `before` is
/// the register without the last iteration, and `now` with it. A counter loses one known bit in each iteration, from
/// the lowest bit on. To need fewer iterations, all bits above a lost bit are forgotten at once.
constexpr void widen(word& now, word const& before) {
  std::uint32_t const lost = before.known & ~now.known;
  if (lost == 0) return;
  now.known &= (lost & ~(lost - 1)) - 1, now.bits &= now.known;
}

/// A word as the sum of a known number and an unknown one with a name. `name` is 0 if all of the word is known.
/// `is_there` is false if the word is not such a sum.
struct named_number {
  std::uint64_t name = 0, number = 0;
  bool is_there = false;

  constexpr explicit named_number(word const& of) {
    if (of.known == ~std::uint32_t{0}) number = of.bits, is_there = true;
    if (of.is.part == part_of_number::lower) name = of.is.name, number = of.is.offset, is_there = true;
  }
  /// Reads two words as one number of 64 bits.
  constexpr named_number(word const& lower, word const& upper) {
    value const both = paired(lower.wide(), upper.wide());
    if (both.is_known()) number = both.bits, is_there = true;
    if (lower.is && upper.known == ~std::uint32_t{0})
      name = lower.is.name, number = lower.is.offset + (std::uint64_t{upper.bits} << 32),
      is_there = lower.is.part == part_of_number::lower;
    // A pair whose lower half is known gets no name here, since the name would change in each iteration.
    if (both.is.part == part_of_number::whole && lower.known != ~std::uint32_t{0} && upper.known != ~std::uint32_t{0})
      name = both.is.name, number = both.is.offset, is_there = true;
  }
};

/// How the iterations of a loop change a register. The growth of a register may only change to one that is later in
/// this list.
enum class growth : unsigned char {
  none,   ///< the register has not changed so far
  alone,  ///< the register grows by the same number in every lane
  lower,  ///< the register is the lower half of a 64-bit number that grows by the same number in every lane
  upper,  ///< the register is the upper half of such a 64-bit number
  apart   ///< the register changes in any other way
};

/// Joins the registers at the head of a loop with the registers after one more iteration. Lanes go through iterations
/// together. So if an iteration adds the same number to a register of each lane, a lane holds what it held at first,
/// plus what all iterations have added: an unknown number that is the same for all lanes.
/// - `Registers` gives the words before the iteration, to(k, lane), and after it, from(k, lane).
/// - `lanes` is a mask of lanes.
/// - `loop` is a number of this loop. The names of its unknown numbers (identities.hpp) are made of it.
/// - grown[k] is the kind of change of register k.
/// - `are_shared` says that each register holds one number for all lanes of the wave. Such a register gets a name
/// (identities.hpp) however it changes.
template <class Registers>
bool join_rounds(Registers const& all, std::size_t count, std::uint64_t lanes, std::uint64_t loop,
                 std::vector<growth>& grown, cause why, bool are_shared = false) {
  bool changed = false;
  grown.resize(count);
  auto const in_lanes = [lanes](auto const& see) {
    for (unsigned lane = 0; lane != 64; ++lane)
      if ((lanes >> lane & 1) != 0) see(lane);
  };
  auto const differ = [&](std::size_t k) {
    bool any = false;
    in_lanes([&](unsigned lane) {
      word const &a = all.to(k, lane), &b = all.from(k, lane);
      any = any || !a.looks_like(b) || a.is != b.is;
    });
    return any;
  };
  auto const number_of = [&](std::size_t k, bool is_pair, bool is_to, unsigned lane) {
    auto const at = [&](std::size_t which) { return is_to ? all.to(which, lane) : all.from(which, lane); };
    return is_pair ? named_number(at(k), at(k + 1)) : named_number(at(k));
  };
  // Whether the numbers of all lanes have grown by the same amount.
  auto const grow_alike = [&](std::size_t k, bool is_pair) {
    bool alike = true, is_first = true;
    std::uint64_t by = 0, by_name = 0;
    in_lanes([&](unsigned lane) {
      named_number const a = number_of(k, is_pair, true, lane), b = number_of(k, is_pair, false, lane);
      std::uint64_t const mask = is_pair ? ~std::uint64_t{0} : 0xffffffffu;
      std::uint64_t const grown_by = (b.number - a.number) & mask, named_by = b.name - a.name;
      alike = alike && a.is_there && b.is_there && (is_first || (grown_by == by && named_by == by_name));
      by = grown_by, by_name = named_by, is_first = false;
    });
    return alike;
  };
  // `stays`: the register changes in the same way as in an earlier iteration. Its unknown numbers keep their names.
  auto const join_one = [&](std::size_t k, identity const(&names)[64], bool stays) {
    in_lanes([&](unsigned lane) {
      word& to = all.to(k, lane);
      word const before = to;
      static_cast<void>(join(to, all.from(k, lane), why));
      bool const is_known = to.known == ~std::uint32_t{0};
      to.is = is_known ? identity{} : stays && before.is ? before.is : names[lane];
      if (to.is) to.is = assuming(to.is, before.is, all.from(k, lane).is);
      changed = changed || !to.looks_like(before) || to.is != before.is;
    });
  };
  for (std::size_t k = 0; k != count; ++k) {
    bool const has_next = k + 1 != count, next_differs = has_next && differ(k + 1);
    bool const was_pair = grown[k] == growth::lower;
    if (!differ(k) && !(next_differs && (was_pair || grown[k + 1] == growth::none))) {
      k += was_pair;
      continue;
    }
    bool const may_pair = was_pair || (grown[k] != growth::apart && next_differs && grown[k + 1] == growth::none);
    bool const is_pair = may_pair && grow_alike(k, true);
    if (!is_pair && !was_pair && !differ(k)) continue;
    bool const is_alone = !is_pair && !was_pair && grown[k] != growth::apart && grow_alike(k, false);
    bool const is_new = grown[k] == growth::none;
    std::uint64_t const added = name_of(loop, k);
    identity names[64] = {}, next[64] = {};
    in_lanes([&](unsigned lane) {
      if (is_pair || is_alone) {
        named_number const held = number_of(k, is_pair, true, lane);
        bool const is_named = is_new || held.name == 0;
        names[lane] = {.name = held.name + (is_named ? added : 0),
                       .offset = held.number,
                       .named_offset = held.number,
                       .part = part_of_number::lower,
                       .is_made = true};
        next[lane] = names[lane], next[lane].part = part_of_number::upper;
      } else if (are_shared) {
        names[lane] = named(name_of(added, 0), part_of_number::lower);
        next[lane] = named(name_of(added, 1), part_of_number::lower);
      }
    });
    growth const is = is_pair ? growth::lower : is_alone ? growth::alone : growth::apart;
    join_one(k, names, grown[k] == is);
    grown[k] = is;
    if (!is_pair && !was_pair) continue;
    growth const above = is_pair ? growth::upper : growth::apart;
    ++k;
    join_one(k, next, grown[k] == above);
    grown[k] = above;
  }
  return changed;
}

/// Calls see(word now, word before) for each register and lane. The words are to(k, lane) and from(k, lane) of
/// `Registers`.
template <class Registers, class See>
void each_word(Registers const& all, std::size_t count, std::uint64_t lanes, See const& see) {
  for (std::size_t k = 0; k != count; ++k)
    for (unsigned lane = 0; lane != 64; ++lane)
      if ((lanes >> lane & 1) != 0) see(all.to(k, lane), all.from(k, lane));
}
/// Calls widen() for each register and lane, after the registers at the head of a loop were joined with those after one
/// more iteration.
template <class Registers>
void widen_rounds(Registers const& all, std::size_t count, std::uint64_t lanes) {
  each_word(all, count, lanes, [](word& now, word const& before) { widen(now, before); });
}
/// Removes the names of unknown numbers (identities.hpp) from the registers that a loop has changed, because lanes
/// leave the loop. Some lanes may have gone through more iterations than others, so what the iterations have added is
/// no longer the same number in all lanes. from(k, lane) gives the words before the loop.
template <class Registers>
void part_rounds(Registers const& all, std::size_t count, std::uint64_t lanes) {
  each_word(all, count, lanes, [](word& now, word const& before) {
    if (now.is != before.is) now.is = {};
  });
}

/// Gives the words of two states to join_rounds, widen_rounds and part_rounds. Words::of(state, k, lane) finds the word
/// of register k in a lane.
template <class Words, class State>
struct words_of_both {
  State& now;
  State const& other;
  [[nodiscard]] word& to(std::size_t k, unsigned lane) const { return Words::of(now, k, lane); }
  [[nodiscard]] word const& from(std::size_t k, unsigned lane) const { return Words::of(other, k, lane); }
};

}  // namespace coalescing::binary
