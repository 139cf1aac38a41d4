// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/bits.hpp>
#include <coalesce/host/binary/nvidia/widths.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// The floating-point opcodes whose results are computed, because addresses need them: they make constants, or are steps
// of the division of 32-bit integers. Any other use of floating-point numbers gives data, which is unknown.

namespace coalescing::sass {

/// The number for which these bits stand in half precision. The sign bit must be 0. If `bits` is less than 2^10, the
/// number is subnormal: `bits` * 2^-24. Else the lowest 10 bits are the fraction, and the bits above them are the
/// exponent.
[[nodiscard]] inline double half_of(std::int64_t bits) {
  std::int64_t const exponent = bits >> 10;
  double const mantissa = static_cast<double>((bits & 0x3ff) + (exponent != 0 ? 1024 : 0));
  return mantissa * static_cast<double>(std::uint64_t{1} << (exponent != 0 ? exponent - 1 : 0)) / 16777216.0;
}
/// The bits of a half-precision number that is printed in decimal digits; -1 if the text is not such a number.
[[nodiscard]] inline std::int64_t half_bits(std::string const& text) {
  char* end = nullptr;
  double const x = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return -1;
  double const size = x < 0 ? -x : x;
  std::int64_t bits = 0;  // the bits of the largest half-precision number that is at most `size`, but for rounding
  for (std::int64_t step = 0x4000; step != 0; step /= 2)
    if (bits + step < 0x7c00 && half_of(bits + step) <= size * 1.0001) bits += step;
  if (!(half_of(bits) >= size * 0.9999)) return -1;
  return text[0] == '-' ? bits | 0x8000 : bits;
}
/// HFMA2 R, -RZ, RZ, x, y puts a constant into a register: the bits of x are its upper half, the bits of y its lower
/// half. All other forms of HFMA2 give data.
[[nodiscard]] inline results halves(in_lane const& at) {
  bool const has_halves = at.i.parts.empty() || (at.i.parts.size() == 1 && at.i.has("MMA"));
  bool const is_constant = has_halves && at.of.from.size() == 4 && at.of.from[0]->kind == operand_kind::general &&
                           at.of.from[0]->index == zero_register && at.of.from[1]->index == zero_register &&
                           at.of.from[2]->kind == operand_kind::real && at.of.from[3]->kind == operand_kind::real;
  if (!is_constant) return {at.data()};
  std::int64_t const upper = half_bits(at.of.from[2]->word), lower = half_bits(at.of.from[3]->word);
  if (upper < 0 || lower < 0) return {at.not_in_tables()};
  return {exact(static_cast<u64>(upper << 16 | lower))};
}

/// to_float, reciprocal and to_integer run I2F.RP, MUFU.RCP and F2I.TRUNC in the forms that the division of integers
/// uses. An error in the last place of the reciprocal does not matter, since later steps of the division correct it.
/// Other forms give an unknown value.
[[nodiscard]] inline results to_float(in_lane const& at) {
  bool const is_unsigned = at.i.has("U32");
  if (!at.i.has("RP") || at.i.parts.size() != (is_unsigned ? 2 : 1)) return {at.data(), registers_of_conversion(at.i)};
  return of_one(at, [is_unsigned](std::uint32_t x) {
    double const exactly = is_unsigned ? static_cast<double>(x) : static_cast<double>(static_cast<std::int32_t>(x));
    auto const nearest = static_cast<float>(exactly);
    auto const bits = std::bit_cast<std::uint32_t>(nearest);
    return static_cast<double>(nearest) >= exactly ? bits : nearest < 0 ? bits - 1 : bits + 1;
  });
}
[[nodiscard]] inline results reciprocal(in_lane const& at) {
  if (at.i.parts.size() != 1 || !at.i.has("RCP")) return {at.data()};
  return of_one(at, [](std::uint32_t x) { return std::bit_cast<std::uint32_t>(1.0f / std::bit_cast<float>(x)); });
}
[[nodiscard]] inline results to_integer(in_lane const& at) {
  if (!at.i.has("FTZ") || !at.i.has("U32") || !at.i.has("TRUNC") || !at.i.has("NTZ"))
    return {at.data(), registers_of_conversion(at.i)};
  return of_one(at, [](std::uint32_t x) {
    auto const number = static_cast<double>(std::bit_cast<float>(x));
    return number >= 4294967295.0 ? ~std::uint32_t{0} : number > 0 ? static_cast<std::uint32_t>(number) : 0;
  });
}

}  // namespace coalescing::sass
