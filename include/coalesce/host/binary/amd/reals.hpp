// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Computes with floating-point numbers whose bits are all known.

namespace coalescing::amdgcn {

[[nodiscard]] inline float as_float(u64 a) { return std::bit_cast<float>(static_cast<std::uint32_t>(a)); }
[[nodiscard]] inline u64 of_float(float a) { return std::bit_cast<std::uint32_t>(a); }
[[nodiscard]] inline double as_double(u64 a) { return std::bit_cast<double>(a); }
[[nodiscard]] inline u64 of_double(double a) { return std::bit_cast<u64>(a); }
/// The floating-point number with these bits. `letter` is its letter in an opcode's row: f for 32 bits, d for 64 bits.
[[nodiscard]] inline double real_of(char letter, u64 bits) {
  return letter == 'd' ? as_double(bits) : static_cast<double>(as_float(bits));
}
/// Whether the number is denormal. The mode of the wave may flush such a number to 0.
[[nodiscard]] inline bool is_denormal(char letter, u64 bits) {
  return letter == 'd' ? std::fpclassify(as_double(bits)) == FP_SUBNORMAL
                       : letter == 'f' && std::fpclassify(as_float(bits)) == FP_SUBNORMAL;
}
/// Whether an operation on this number, or with this result, has a result that is not known here. The mode of the wave
/// may flush a denormal number to 0, and the hardware decides which bits a resulting NaN has.
[[nodiscard]] inline bool is_special(char letter, u64 bits) {
  return is_denormal(letter, bits) || ((letter == 'f' || letter == 'd') && std::isnan(real_of(letter, bits)));
}
/// The number converted to an integer. It is truncated and clamped to the range of the integer; NaN gives 0
/// (V_CVT_U32_F32).
template <class Integer>
[[nodiscard]] inline u64 converted(double a) {
  constexpr double least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
  if (std::isnan(a)) return 0;
  double const whole = std::trunc(a);
  return u32(static_cast<std::int64_t>(whole < least ? least : whole > most ? most : whole));
}
[[nodiscard]] inline u64 fused(u64 a, u64 b, u64 c) {
  return of_float(std::fma(as_float(a), as_float(b), as_float(c)));
}
/// The lesser or the greater of two numbers of the type that `letter` names. The result is unknown where the guides
/// have special rules: for NaN, for a denormal number, and for +0 and -0.
[[nodiscard]] inline value one_of_reals(char letter, value a, value b, bool is_greater) {
  unsigned const bits = bits_of(letter);
  if (!a.is_known(bits) || !b.is_known(bits)) return binary::unknown(binary::either(a.why, b.why));
  double const x = real_of(letter, a.bits), y = real_of(letter, b.bits);
  if (is_special(letter, a.bits) || is_special(letter, b.bits) || (x == y && a.bits != b.bits))
    return binary::unknown(0);
  return (x < y) == is_greater ? b : a;
}
/// The first two numbers multiplied, and the third added (V_MAD_F32, V_MAC_F32). The guides do not say how the product
/// is rounded before the addition, and denormal numbers are flushed. So the result is known only if the product is
/// exact, and no number is denormal.
[[nodiscard]] inline value multiplied_and_added(value a, value b, value c) {
  if (!a.is_known(32) || !b.is_known(32) || !c.is_known(32))
    return binary::unknown(binary::either(a.why, binary::either(b.why, c.why)));
  float const x = as_float(a.bits), y = as_float(b.bits), z = as_float(c.bits), both = x * y, all = both + z;
  for (float const each : {x, y, z, both, all})
    if (!std::isfinite(each) || is_denormal('f', of_float(each))) return binary::unknown(0);
  return std::fma(x, y, -both) == 0 ? binary::exact(of_float(all)) : binary::unknown(0);
}

}  // namespace coalescing::amdgcn
