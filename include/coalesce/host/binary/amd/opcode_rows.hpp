// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/values.hpp>

#include <cstdint>
#include <string_view>

// Defines a row of the tables of opcodes, and the functions with which many rows compute.

namespace coalescing::amdgcn {

using binary::value;

/// Sections of AMD's guides. The row of an opcode cites the section about the opcode's encoding, where a table lists
/// the opcode. If a row cites the CDNA3 guide, its opcode was looked up in a public copy of chapter 13
/// (sarchlab/mgpusim, docs/cdna3_insts.pdf). tests/host/binary/amd/guide.py compares rows of integers with
/// the pseudocode of the CDNA 4, RDNA 3.5 and RDNA 4 guides. tests/host/binary/amd/folded.cpp compares rows with the
/// results that LLVM 22 computes.
namespace guide {
inline constexpr char const* sop2 = "AMD Instinct MI300 CDNA3 ISA, 13.1.1 SOP2";
inline constexpr char const* sopk = "AMD Instinct MI300 CDNA3 ISA, 13.1.2 SOPK";
inline constexpr char const* sop1 = "AMD Instinct MI300 CDNA3 ISA, 13.1.3 SOP1";
inline constexpr char const* sopc = "AMD Instinct MI300 CDNA3 ISA, 13.1.4 SOPC";
inline constexpr char const* vop2 = "AMD Instinct MI300 CDNA3 ISA, 13.3.1 VOP2";
inline constexpr char const* vop1 = "AMD Instinct MI300 CDNA3 ISA, 13.3.2 VOP1";
inline constexpr char const* vop3 = "AMD Instinct MI300 CDNA3 ISA, 13.3.4 VOP3A, 13.3.5 VOP3B";
inline constexpr char const* vop3p = "AMD Instinct MI300 CDNA3 ISA, 13.3.6 VOP3P";
inline constexpr char const* cdna4 = "AMD Instinct CDNA4 ISA, VOP3A and VOP3B Instructions";
inline constexpr char const* rdna3 = "AMD RDNA 3 ISA, VOP2 and VOP3 Instructions";
inline constexpr char const* rdna4 = "AMD RDNA 4 ISA, Scalar ALU Instructions";
}  // namespace guide

/// An opcode: its operands, and how its result is made of its sources.
///
/// `operands` has the results before the colon, and the sources after it:
///   w, q, h   a 32-bit register; a pair of registers; the low half of a register
///   i         source: a pair of registers with a signed number. A literal of 32 bits has copies of its sign above it
///   f, d      a floating-point number of 32 bits; of 64 bits
///   m         source: the lane's bit of a mask. Second result: the lane's carry, which is bit 32 of the sum
///   t         source: the old value of the result's register. The text has no operand for it
///   l         source: the number of the lane. The text has no operand for it
///   c         source: SCC. Second result: SCC gets the bit just above the register's width, such as a carry. Only
///             result: SCC gets bit 0
///   z         second result: SCC is set if the first result is not 0
///   u         second result: a mask, which becomes unknown
struct opcode_row {
  char const* name;
  char const* operands;
  std::uint64_t (*number)(std::uint64_t, std::uint64_t, std::uint64_t);  ///< the result if all sources are known
  /// The result, computed bit by bit: the sources may have unknown bits. Either `exact` or `number` is null.
  value (*exact)(value, value, value);
  char const* section;

  using of_numbers = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t);
  using of_values = value (*)(value, value, value);
  constexpr opcode_row(char const* called, char const* with, char const* in, of_numbers means)
      : name(called), operands(with), number(means), exact(nullptr), section(in) {}
  constexpr opcode_row(char const* called, char const* with, char const* in, of_values means)
      : name(called), operands(with), number(nullptr), exact(means), section(in) {}
};

/// How many bits an operand has, by its letter in a row.
[[nodiscard]] constexpr unsigned bits_of(char letter) {
  if (letter == 'q' || letter == 'i' || letter == 'd') return 64;
  return letter == 'h' ? 16 : letter == 'm' || letter == 'c' ? 1 : 32;
}

// Arithmetic that the tables share.
using u64 = std::uint64_t;
[[nodiscard]] constexpr std::int64_t as_signed(u64 a, unsigned bits) {
  u64 const sign = u64{1} << (bits - 1);
  u64 const mask = sign | (sign - 1);
  return static_cast<std::int64_t>(((a & mask) ^ sign) - sign);
}
[[nodiscard]] constexpr std::int64_t s32(u64 a) { return as_signed(a, 32); }
[[nodiscard]] constexpr u64 u32(std::int64_t a) { return static_cast<u64>(a) & 0xffffffffu; }
[[nodiscard]] constexpr u64 mask_of(u64 bits) { return bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1; }
[[nodiscard]] constexpr u64 ones_in(u64 a) {
  u64 count = 0;
  for (; a != 0; a &= a - 1) ++count;
  return count;
}
/// first_one() counts the zeros below the lowest 1 in the lowest `bits` bits, and leading_zeros() those above the
/// highest 1. Both give 0xffffffff if there is no 1.
[[nodiscard]] constexpr u64 first_one(u64 a, unsigned bits) {
  for (unsigned k = 0; k != bits; ++k)
    if ((a >> k & 1) != 0) return k;
  return 0xffffffffu;
}
[[nodiscard]] constexpr u64 leading_zeros(u64 a, unsigned bits) {
  for (unsigned k = 0; k != bits; ++k)
    if ((a >> (bits - 1 - k) & 1) != 0) return k;
  return 0xffffffffu;
}
/// How many bits are equal to the highest bit, counted from this bit down to the first bit that differs. If none
/// differs, the result is 0xffffffff.
[[nodiscard]] constexpr u64 sign_bits(u64 a, unsigned bits) {
  for (unsigned k = 1; k != bits; ++k)
    if ((a >> (bits - 1 - k) & 1) != (a >> (bits - 1) & 1)) return k;
  return 0xffffffffu;
}
/// One bit for each group of four bits of a number: whether any of the four is 1.
[[nodiscard]] constexpr u64 quads_of(u64 a) {
  u64 all = 0;
  for (unsigned k = 0; k != 16; ++k) all |= u64{(a >> (4 * k) & 15) != 0} << k;
  return all;
}
[[nodiscard]] constexpr u64 reversed(u64 a, unsigned bits) {
  u64 to = 0;
  for (unsigned k = 0; k != bits; ++k) to |= (a >> k & 1) << (bits - 1 - k);
  return to;
}
/// The field of `a` at a known offset and with a known width; if either is unknown, so is the result. The bits of `a`
/// may be unknown. A signed field that passes the end of `a` has copies of the highest bit of `a` there, as LLVM 22
/// folds llvm.amdgcn.sbfe.
[[nodiscard]] constexpr value field_of(value a, value offset, value width, unsigned bits, bool with_sign) {
  if (!offset.is_known(32) || !width.is_known(32)) return binary::unknown(binary::either(offset.why, width.why));
  auto const many = static_cast<unsigned>(width.bits < bits ? width.bits : bits);
  if (many == 0) return binary::exact(0);
  auto const down = static_cast<unsigned>(offset.bits);
  value const moved = low(a, bits) >> down;
  return with_sign ? low(sign_extended(sign_extended(moved, bits - down), many), bits) : low(moved, many);
}
/// A field of a scalar operand. `how` holds the field's offset and, from bit 16 on, its width of 7 bits. The guides
/// make a mask of `(1 << width) - 1`, which has no meaning for a width of `bits` or more: the field is unknown then.
[[nodiscard]] constexpr value scalar_field_of(value a, value how, unsigned bits, bool with_sign) {
  value const width = low(how >> 16, 7);
  if (width.is_known() && width.bits >= bits) return binary::unknown(0);
  return field_of(a, how & binary::exact(bits - 1), width, bits, with_sign);
}
/// A shift to the left. The result is unknown if the amount is. Only the lowest 5 bits of the amount count, or 6 if the
/// number has 64 bits.
[[nodiscard]] constexpr value shifted_left(value a, value by, unsigned bits) {
  if (!by.is_known(bits == 64 ? 6 : 5)) return binary::unknown(by.why);
  return low(a << static_cast<unsigned>(by.bits & (bits - 1)), bits);
}
[[nodiscard]] constexpr value shifted_right(value a, value by, unsigned bits) {
  if (!by.is_known(bits == 64 ? 6 : 5)) return binary::unknown(by.why);
  return low(a, bits) >> static_cast<unsigned>(by.bits & (bits - 1));
}

/// A shift to the right, where copies of the sign come in from above. The result is unknown if the amount is.
[[nodiscard]] constexpr value shifted_right_signed(value a, value by, unsigned bits) {
  if (!by.is_known(bits == 64 ? 6 : 5)) return binary::unknown(by.why);
  auto const count = static_cast<unsigned>(by.bits & (bits - 1));
  if (count == 0) return low(a, bits);
  value const moved = low(sign_extended(low(a, bits) >> count, bits - count), bits);
  return bits == 32 && count == 31 ? binary::identified(moved, binary::signs_of(a.is), a.in) : moved;
}

using binary::widened;
/// The lesser and the greater of two numbers of 32 bits. The numbers are signed if `with_sign`.
[[nodiscard]] constexpr value lesser(value a, value b, bool with_sign) {
  return chosen(order_of(a, b, 32, with_sign).holds(true, true, false), b, a);
}
[[nodiscard]] constexpr value greater(value a, value b, bool with_sign) {
  return chosen(order_of(a, b, 32, with_sign).holds(true, true, false), a, b);
}
/// A result of 32 bits with one more bit above it.
[[nodiscard]] constexpr value with_bit(value result, value bit) {
  value const whole = low(result, 32) | low(bit, 1) << 32;
  return bit.is_known() && bit.bits == 0 ? low(result, 32) : whole;
}
/// The lowest 32 bits of a sum, and one bit above them: whether the sum has a carry out of 32 bits.
[[nodiscard]] constexpr value with_carries(value whole) { return with_bit(whole, binary::any_bit(whole >> 32, 32)); }
/// A result of 32 bits, and one bit above it: whether the signed sum overflows. `whole` is the sum in 64 bits.
[[nodiscard]] constexpr value with_overflow(value result, value whole) {
  return with_bit(result, bit_of(whole, 32) ^ bit_of(whole, 31));
}

/// A name that some targets have for an opcode. `of` is the name of the same opcode in the tables.
struct opcode_alias {
  char const* name;
  char const* of;
};

}  // namespace coalescing::amdgcn
