// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

// The identity of an unknown number. All lanes that load from the same address load the same number, although its value
// is unknown. The number gets a `name`, which looks random. If a kernel multiplies the number by a known one, the name
// is multiplied, too; if it adds two unknown numbers, their names are added. A known number that is added goes into the
// `offset` instead. Numbers with equal names have equal unknown parts. So addresses that differ only by their offsets
// are a known pattern on an unknown base. (The chance that two different numbers get one name is about 1 in 2^48.)
//
// A number of 64 bits lies in two registers, and its sums are made of two instructions and a carry. So an identity says
// which part of the number it belongs to.
//
// Sums and products keep their names exactly: they wrap around, and so do names and offsets. But a sum of 32 bits that
// becomes 64 bits wide, or that is shifted to the right, is the sum of its widened or shifted operands only if it did
// not wrap around. Addresses are compared under this assumption, and the answer says so (binary_answer::assumed). Such
// an identity is marked (`assumes`). It decides no comparison, because a wrong decision would leave accesses out.

namespace coalescing::binary {

/// The number of a buffer of the launch, from 1 on.
using buffer_number = std::uint8_t;

enum class part_of_number : std::uint8_t {
  none,   ///< the number has no identity
  whole,  ///< the whole number, of 64 bits
  lower,  ///< the lowest 32 bits of a number; the 64-bit `offset` of a sum may have carries above bit 31
  upper,  ///< the highest 32 bits of a number of 64 bits
  carry,  ///< the carry that a sum of lower halves makes into the upper half
  /// Either the lowest 32 bits of a number or 2^31. Triton gives a masked lane the offset 2^31, because it lies past
  /// the end of any buffer.
  or_masked
};

struct identity {
  static constexpr std::uint64_t any_range = ~std::uint64_t{0};

  std::uint64_t name = 0;
  std::uint64_t offset = 0;
  /// If a sum of 32-bit numbers has just made this (`part` is `lower` or `carry`): the offsets of the unknown operands,
  /// added up. (`offset` also contains the known operands.) If `part` is `or_masked`: the low 32 bits hold those lowest
  /// bits of the number that are known, and the high 32 bits hold how many these are. Else: equal to `offset`.
  std::uint64_t named_offset = 0;
  part_of_number part = part_of_number::none;

  /// The unknown part is a number from 0 to `most`. any_range: its range is not known.
  std::uint64_t most = any_range;
  /// Whether sums or products have made the name, so that they may have wrapped around.
  bool is_made = false;
  /// Whether the name rests on the assumption that such a sum or product did not wrap around.
  bool assumes = false;
  /// If a sum of 32-bit numbers has just made this (`part` is `lower` or `carry`): a sum over the unknown operands,
  /// made of the name and the offset of each (half_of). The sum of the upper halves takes the carry only if it has the
  /// same operands.
  std::uint32_t halves = 0;
  /// Equal names and offsets make equal numbers, in whichever way the number was made.
  friend constexpr bool operator==(identity const& a, identity const& b) {
    return a.name == b.name && a.offset == b.offset && a.named_offset == b.named_offset && a.part == b.part &&
           a.most == b.most && a.assumes == b.assumes && a.halves == b.halves;
  }
  /// Whether the number has a name. Two numbers with one identity are then equal, as far as what it `assumes` holds.
  /// (With `or_masked` they may differ: one may be masked and the other not.)
  [[nodiscard]] constexpr explicit operator bool() const {
    return part != part_of_number::none && part != part_of_number::or_masked;
  }
};

/// A name made of two numbers. It depends on all bits of both. (The constants are those of SplitMix64's output
/// function.)
[[nodiscard]] constexpr std::uint64_t name_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t mixed = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return (mixed ^ mixed >> 31) | 1;  // odd, so that its product with a small power of 2 keeps most of its bits
}
/// A name made of all that an identity says of its number.
[[nodiscard]] constexpr std::uint64_t name_of(identity const& a) {
  std::uint64_t const made = name_of(a.name + static_cast<std::uint64_t>(a.part), a.offset);
  return a.part == part_of_number::carry ? name_of(name_of(made, a.named_offset), a.halves) : made;
}
/// The number that an operand of a sum adds to identity::halves. The lower and the upper half of a number have the same
/// name and the same lowest 32 bits of the offset, so they add the same number.
[[nodiscard]] constexpr std::uint32_t half_of(std::uint64_t name, std::uint64_t offset) {
  return static_cast<std::uint32_t>(name_of(name, static_cast<std::uint32_t>(offset)) >> 16);
}
[[nodiscard]] constexpr identity named(std::uint64_t name, part_of_number part) { return {name, 0, 0, part}; }

[[nodiscard]] constexpr identity made_of(identity from, std::uint64_t name, std::uint64_t offset, part_of_number part) {
  return from && name != 0 ? identity{name, offset, offset, part, from.most, from.is_made, from.assumes} : identity{};
}
/// Marks an identity that was made of others, if one of them rests on an assumption.
template <class... Identities>
[[nodiscard]] constexpr identity assuming(identity made, Identities const&... from) {
  made.assumes = made.assumes || (... || from.assumes);
  return made;
}
/// The largest value of a sum, and of a product with a known factor. `a` and `b` are the largest values of the unknown
/// operands. any_range: the largest value does not fit 64 bits, or is not known.
[[nodiscard]] constexpr std::uint64_t range_of_sum(std::uint64_t a, std::uint64_t b) {
  return b > identity::any_range - a ? identity::any_range : a + b;
}
[[nodiscard]] constexpr std::uint64_t range_of_product(std::uint64_t a, std::uint64_t factor) {
  return factor != 0 && a > identity::any_range / factor ? identity::any_range : a * factor;
}
/// Whether the sum of the number's unknown part and `offset` is surely less than 2^bits, so that it does not wrap
/// around.
[[nodiscard]] constexpr bool stays_below(identity a, std::uint64_t offset, unsigned bits) {
  std::uint64_t const last = ~std::uint64_t{0} >> (64 - bits);
  return a.most != identity::any_range && offset <= last && a.most <= last - offset;
}
/// The assumption on which an identity may rest (identity::assumes).
inline constexpr char const* no_wrap =
    "sums of 32 bits do not wrap around before they become 64 bits wide, or are shifted to the right";
/// Whether identities that this thread makes may rest on the assumption that sums of 32 bits do not wrap around. If
/// false, a sum of 32 bits keeps its identity only if its range shows that it does not wrap around.
inline thread_local constinit bool assumes_no_wrap = true;
/// Marks an identity that rests on this assumption. Its range would rest on it, too, so the range is forgotten. No
/// identity if identities may not rest on it.
[[nodiscard]] constexpr identity assuming_no_wrap(identity made) {
  if (!std::is_constant_evaluated() && !assumes_no_wrap) return {};
  made.assumes = true, made.most = identity::any_range;
  return made;
}
/// The identity of the lowest 32 bits of `a`, as a register holds them. If the range of the unknown part is known, the
/// bits of `offset` above the lowest 32 are set to 0.
[[nodiscard]] constexpr identity lower_half(identity a) {
  bool const has_one = a.part == part_of_number::whole || a.part == part_of_number::lower;
  bool const is_in_one =
      a.part == part_of_number::upper || a.part == part_of_number::carry || a.part == part_of_number::or_masked;
  if (a.most != identity::any_range && has_one) a.offset &= 0xffffffffu;
  return has_one ? made_of(a, a.name, a.offset, part_of_number::lower) : is_in_one ? a : identity{};
}
[[nodiscard]] constexpr identity carry_of(identity sum) {
  if (sum.part != part_of_number::lower) return {};
  sum.part = part_of_number::carry;
  return sum;
}
/// The identity of a number that was shifted to the right by 32 bits.
[[nodiscard]] constexpr identity upper_half(identity a) {
  return a.part == part_of_number::whole ? made_of(a, a.name, a.offset, part_of_number::upper) : carry_of(a);
}
/// The identity of -a - 1.
[[nodiscard]] constexpr identity inverted(identity a) {
  a.most = identity::any_range, a.is_made = true;
  return a.part == part_of_number::carry ? identity{} : made_of(a, 0 - a.name, ~a.offset, a.part);
}
[[nodiscard]] constexpr identity times(identity a, std::uint64_t factor) {
  bool const is_number = a.part == part_of_number::whole || a.part == part_of_number::lower;
  a.most = range_of_product(a.most, factor), a.is_made = a.is_made || factor != 1;
  // A product with a large power of 2 has few bits left, and two of them may be equal. Such a name is made anew.
  std::uint64_t const product = a.name * factor;
  constexpr std::uint64_t lowest = 0xffff;
  std::uint64_t const name = factor == 0 || (product & lowest) != 0 ? product : name_of(a.name, factor);
  return is_number ? made_of(a, name, a.offset * factor, a.part) : identity{};
}
/// A number of 32 bits that becomes 64 bits wide gets a new name: the old name multiplied by one of these constants.
inline constexpr std::uint64_t extended_with_sign = 0xd6e8feb86659fd93u, extended_with_zeros = 0xa0761d6478bd642fu;
/// The name of the extended number multiplied by this constant is the old name.
inline constexpr std::uint64_t without_sign = 0xcfee444d8b59a89bu;
static_assert(extended_with_sign * without_sign == 1);
/// The identity of a 32-bit number that becomes 64 bits wide. It is assumed that the sums which made the number do not
/// wrap around.
[[nodiscard]] constexpr identity widened(identity a, bool is_signed) {
  if (a.part != part_of_number::lower) return {};
  auto const offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(a.offset));
  identity const wide = made_of(a, a.name * (is_signed ? extended_with_sign : extended_with_zeros),
                                static_cast<std::uint64_t>(std::int64_t{offset}), part_of_number::whole);
  bool const is_sum = a.is_made || offset != 0;
  return is_sum && !stays_below(a, a.offset & 0xffffffffu, 31) ? assuming_no_wrap(wide) : wide;
}
/// The identity of `a` after a shift to the right by `count` bits. The caller has checked that the unknown part of `a`
/// is a multiple of 2^count. If an offset was added, it is assumed that this sum did not wrap around.
[[nodiscard]] constexpr identity shifted_down(identity a, unsigned count) {
  if (a.part != part_of_number::whole && a.part != part_of_number::lower) return {};
  unsigned const bits = a.part == part_of_number::whole ? 63 : 31;
  bool const is_sure = stays_below(a, a.offset, bits);
  if (a.most != identity::any_range) a.most >>= count;
  auto const offset = a.part == part_of_number::whole
                          ? static_cast<std::int64_t>(a.offset)
                          : std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(a.offset))};
  identity const made = made_of(a, name_of(a.name, count), static_cast<std::uint64_t>(offset >> count), a.part);
  return offset == 0 || is_sure ? made : assuming_no_wrap(made);
}
/// The identity of a number of 64 bits in two registers: the lower register has the identity `lower`, and the upper one
/// has the known value `upper`. (It is assumed that the lower half does not wrap around.)
[[nodiscard]] constexpr identity below_known(identity lower, std::uint64_t upper) {
  identity wide = widened(lower_half(lower), false);
  if (wide) wide.offset += upper << 32, wide.named_offset = wide.offset;
  return wide;
}
/// The identity of a product of two unknown numbers. The product gets a name of its own.
[[nodiscard]] constexpr identity product_of(identity a, identity b) {
  bool const are_numbers = a.part == b.part && (a.part == part_of_number::whole || a.part == part_of_number::lower);
  if (!are_numbers) return {};
  std::uint64_t const x = name_of(a.name, a.offset), y = name_of(b.name, b.offset);
  return assuming(named(x < y ? name_of(x, y) : name_of(y, x), a.part), a, b);
}
/// The identity of the 64-bit number whose two halves these registers hold; none if they do not hold the halves of one
/// number.
[[nodiscard]] constexpr identity whole_of(identity lower, identity upper) {
  if (lower.part != part_of_number::lower || upper.part != part_of_number::upper) return {};
  // The registers hold one number if the upper register has the upper half of the lower register's number, or copies of
  // the lower register's sign bit.
  bool const is_one = lower.name == upper.name || widened(lower, true).name == upper.name;
  bool const is_aligned = static_cast<std::uint32_t>(lower.offset) == static_cast<std::uint32_t>(upper.offset);
  upper.is_made = upper.is_made || lower.is_made;
  return is_one && is_aligned ? assuming(made_of(upper, upper.name, upper.offset, part_of_number::whole), lower)
                              : identity{};
}
/// The identity of 64 bits in two registers that are not the halves of one number. In above_known only the upper
/// register is unknown, and in pair_of both registers are.
[[nodiscard]] constexpr identity above_known(std::uint64_t lower, identity upper) {
  identity is = named(name_of(upper), part_of_number::whole);
  is.offset = is.named_offset = lower;
  return assuming(is, upper);
}
[[nodiscard]] constexpr identity pair_of(identity lower, identity upper) {
  return assuming(named(name_of(name_of(lower), name_of(upper)), part_of_number::whole), lower, upper);
}
/// The identity of a register that holds 32 copies of the sign bit of a 32-bit number.
[[nodiscard]] constexpr identity signs_of(identity a) { return upper_half(widened(lower_half(a), true)); }
/// Whether these are surely the same number.
[[nodiscard]] constexpr bool is_same_number(identity a, identity b) { return a && a == b && !a.assumes; }

/// False if `a` is a 32-bit register whose `offset` has carries above the lowest 32 bits. The range of a sum that has
/// such an operand is not known.
[[nodiscard]] constexpr bool is_sum_of_parts(identity a) {
  return a.part != part_of_number::lower || a.offset >> 32 == 0;
}

/// An operand of a sum.
struct term {
  identity is = {};
  std::uint64_t number = 0;
  bool is_known = false;
};
/// The result of a sum. It is a known number if all operands are known. It is known, too, if the unknown operands are
/// whole numbers of 64 bits whose names add up to 0, and no name rests on an assumption: x - x.
struct total {
  identity is = {};
  std::uint64_t number = 0;
  bool is_known = false;
};
template <std::size_t Count>
[[nodiscard]] constexpr total sum_of(term const (&terms)[Count]) {
  std::uint64_t known = 0, name = 0, offset = 0, named_offset = 0, most = 0;
  unsigned count[5] = {};
  std::uint32_t halves = 0, signs = 0;  // half_of() of the operands, and of the numbers whose signs they would be
  bool assumes = false;
  identity carry;
  for (term const& each : terms) {
    if (each.is_known) {
      known += each.number;
      continue;
    }
    if (!each.is) return {};
    ++count[static_cast<unsigned>(each.is.part)];
    assumes = assumes || each.is.assumes;
    if (each.is.part == part_of_number::carry)
      carry = each.is;
    else
      halves += half_of(each.is.name, each.is.offset), signs += half_of(each.is.name * without_sign, each.is.offset),
          name += each.is.name, offset += each.is.offset, named_offset += each.is.named_offset,
          most = is_sum_of_parts(each.is) ? range_of_sum(most, each.is.most) : identity::any_range;
  }
  auto const has = [&count](part_of_number part) { return count[static_cast<unsigned>(part)]; };
  unsigned const whole = has(part_of_number::whole), lower = has(part_of_number::lower),
                 upper = has(part_of_number::upper), carries = has(part_of_number::carry);
  if ((whole != 0) + (lower != 0) + (upper != 0) > 1 || carries > 1) return {};
  if (whole + lower + upper + carries == 0) return {{}, known, true};
  if (whole != 0 && carries == 0) {
    if (name == 0) return assumes ? total{} : total{{}, offset + known, true};
    return {{name, offset + known, offset + known, part_of_number::whole, most, true, assumes}, 0, false};
  }
  if (lower != 0 && carries == 0 && name != 0)
    return {{name, offset + known, named_offset, part_of_number::lower, most, true, assumes, halves}, 0, false};
  if (upper == 1 && carries == 0 && name != 0)
    return {
        {name, offset + (known << 32), offset + (known << 32), part_of_number::upper, most, true, assumes}, 0, false};
  if (lower + upper == 0 && carries == 1 && whole == 0) {  // the upper half was known before the carry was added
    std::uint64_t const all = carry.offset + (known << 32);
    // The upper half of the number that the name belongs to is taken to be 0.
    identity const above = made_of(carry, carry.name, all, part_of_number::upper);
    return {stays_below(carry, carry.named_offset, 32) ? above : assuming_no_wrap(above), 0, false};
  }
  if (upper != 0 && carries == 1 && (carry.halves == halves || carry.halves == signs)) {
    std::uint64_t const all = offset + (carry.offset - carry.named_offset) + (known << 32);
    return {{name, all, all, part_of_number::upper, most, true, assumes}, 0, false};
  }
  return {};
}

}  // namespace coalescing::binary
