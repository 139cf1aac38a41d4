// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>

// Values of a binary that runs without its data: each bit is known or unknown. A mask whose lanes depend on data is
// known in the other lanes. The result of arithmetic is unknown as a whole if any bit of an operand is; AND, OR, XOR
// and shifts are exact, bit by bit. tests/host/binary/amd/operations.cpp holds each operation to all values that its
// operands may have.

namespace coalescing::binary {

/// Why a value is unknown: 0 for a register that nothing wrote, else the number of an instruction of the program, from
/// 1 on. An opcode that is not in the tables adds `of_opcode`. Of two causes the larger one is kept, so that such an
/// opcode is named first.
using cause = std::uint32_t;
inline constexpr cause of_opcode = 1u << 31;

/// Up to 64 bits. Unknown bits are 0 in `bits`.
struct value {
  std::uint64_t bits = 0;
  std::uint64_t known = 0;
  cause why = 0;

  /// Whether the lowest `width` bits are known.
  [[nodiscard]] constexpr bool is_known(unsigned width = 64) const {
    std::uint64_t const mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    return (known & mask) == mask;
  }
};

[[nodiscard]] constexpr value exact(std::uint64_t bits) { return {bits, ~std::uint64_t{0}, 0}; }
[[nodiscard]] constexpr value unknown(cause why) { return {0, 0, why}; }
[[nodiscard]] constexpr cause either(cause a, cause b) { return a < b ? b : a; }
/// A result with its cause, which it needs only if it has an unknown bit.
[[nodiscard]] constexpr value settled(std::uint64_t bits, std::uint64_t known, cause why) {
  return {bits & known, known, known == ~std::uint64_t{0} ? 0 : why};
}

[[nodiscard]] constexpr value operator~(value a) { return settled(~a.bits, a.known, a.why); }
[[nodiscard]] constexpr value operator&(value a, value b) {
  return settled(a.bits & b.bits, (a.known & b.known) | (a.known & ~a.bits) | (b.known & ~b.bits),
                 either(a.why, b.why));
}
[[nodiscard]] constexpr value operator|(value a, value b) { return ~(~a & ~b); }
[[nodiscard]] constexpr value operator^(value a, value b) {
  return settled(a.bits ^ b.bits, a.known & b.known, either(a.why, b.why));
}
/// Shifts by `count`, which is less than 64. Bits that come in are 0.
[[nodiscard]] constexpr value operator<<(value a, unsigned count) {
  return settled(a.bits << count, a.known << count | ((std::uint64_t{1} << count) - 1), a.why);
}
[[nodiscard]] constexpr value operator>>(value a, unsigned count) {
  std::uint64_t const in = count == 0 ? 0 : ~std::uint64_t{0} << (64 - count);
  return settled(a.bits >> count, a.known >> count | in, a.why);
}
/// The lowest `width` bits, and zeros above.
[[nodiscard]] constexpr value low(value a, unsigned width) {
  return width == 64 ? a : a & exact((std::uint64_t{1} << width) - 1);
}
/// The lowest `width` bits, and copies of the highest of them above.
[[nodiscard]] constexpr value sign_extended(value a, unsigned width) {
  if (width == 64) return a;
  std::uint64_t const above = ~std::uint64_t{0} << width, sign = std::uint64_t{1} << (width - 1);
  value const zeros = low(a, width);
  if ((a.known & sign) == 0) return settled(zeros.bits, zeros.known & ~above, a.why);
  return (a.bits & sign) != 0 ? zeros | exact(above) : zeros;
}
/// `b` where the bit is 1, `a` where it is 0; if the bit is unknown, those bits are known that are equal in both.
[[nodiscard]] constexpr value chosen(value bit, value a, value b) {
  if ((bit.known & 1) != 0) return (bit.bits & 1) != 0 ? b : a;
  return settled(a.bits, a.known & b.known & ~(a.bits ^ b.bits), either(bit.why, either(a.why, b.why)));
}
/// One bit, as 0 or 1.
[[nodiscard]] constexpr value bit_of(value a, unsigned index) { return low(a >> index, 1); }

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

/// A register, or one lane of it: 32 bits.
struct word {
  std::uint32_t bits = 0;
  std::uint32_t known = 0;
  cause why = 0;
  constexpr word() = default;
  constexpr explicit word(value v)
      : bits(static_cast<std::uint32_t>(v.bits)),
        known(static_cast<std::uint32_t>(v.known)),
        why(known == ~std::uint32_t{0} ? 0 : v.why) {}
  /// Zeros above.
  [[nodiscard]] constexpr value wide() const { return {bits, known | 0xffffffff00000000u, why}; }
};

/// A register where two ways meet: a bit is known that is known and equal in both. `why`: what the branch depends on.
/// Returns whether `to` changed.
constexpr bool join(word& to, word const& from, cause why) {
  std::uint32_t const known = to.known & from.known & ~(to.bits ^ from.bits);
  if (known == to.known) return false;
  to.known = known, to.bits &= known, to.why = either(why, either(to.why, from.why));
  return true;
}

}  // namespace coalescing::binary
