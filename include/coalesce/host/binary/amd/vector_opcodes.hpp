// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>
#include <coalesce/host/binary/amd/reals.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The vector instructions that compute lane by lane. Some of them compute floating-point numbers, because compilers
// divide integers with them, and because kernels compute loop bounds with them. The results of most other
// floating-point instructions stay unknown (data_opcodes). Comparisons are in comparisons.hpp.

namespace coalescing::amdgcn {

using namespace guide;

/// V_PERM_B32: each byte of `selector` chooses a byte of the result. 0 to 3 choose a byte of S1 (`b`), and 4 to 7
/// choose a byte of S0 (`a`). 8 means eight copies of bit 15 of S1, and 9 means eight copies of bit 31 of S1. 10 and 11
/// mean copies of the same bits of S0. 12 means 0, and larger numbers mean 255.
[[nodiscard]] inline value permuted(value a, value b, value selector) {
  if (!selector.is_known(32)) return binary::unknown(selector.why);
  value const both = low(b, 32) | low(a, 32) << 32;
  value to = binary::exact(0);
  for (unsigned k = 0; k != 4; ++k) {
    auto const from = static_cast<unsigned>(selector.bits >> (8 * k) & 255);
    value byte = binary::exact(from == 12 ? 0 : 255);
    if (from < 8) byte = low(both >> (8 * from), 8);
    if (from >= 8 && from <= 11) {
      value const sign = bit_of(both, 16 * (from - 8) + 15);
      byte = chosen(sign, binary::exact(0), binary::exact(255));
    }
    to = to | byte << (8 * k);
  }
  return to;
}
/// The median of three numbers.
[[nodiscard]] constexpr u64 middle_of(std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<u64>(a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b));
}
/// The sum of |a - b| over the bytes of two words (`bits` is 8), or over their halves (`bits` is 16).
[[nodiscard]] constexpr u64 differences_of(u64 a, u64 b, unsigned bits) {
  u64 all = 0;
  for (unsigned at = 0; at != 32; at += bits) {
    u64 const x = a >> at & mask_of(bits), y = b >> at & mask_of(bits);
    all += x > y ? x - y : y - x;
  }
  return all;
}
inline constexpr opcode_row vector_opcodes[] = {
    // Moves and selections.
    {"v_mov_b32", "w:w", vop1, [](value a, value, value) { return a; }},
    {"v_mov_b64", "q:q", vop1, [](value a, value, value) { return a; }},
    {"v_mov_b16", "h:h", rdna3, [](value a, value, value) { return a; }},
    {"v_accvgpr_read_b32", "w:w", vop3p, [](value a, value, value) { return a; }},
    {"v_accvgpr_write_b32", "w:w", vop3p, [](value a, value, value) { return a; }},
    {"v_accvgpr_mov_b32", "w:w", vop1, [](value a, value, value) { return a; }},
    {"v_cndmask_b32", "w:wwm", vop2, [](value a, value b, value c) { return chosen(c, a, b); }},
    {"v_cndmask_b16", "h:hhm", rdna3, [](value a, value b, value c) { return chosen(c, a, b); }},
    // Sums and differences.
    {"v_add_u32", "w:ww", vop2, [](value a, value b, value) { return sum(a, b); }},
    {"v_sub_u32", "w:ww", vop2, [](value a, value b, value) { return difference(a, b); }},
    {"v_subrev_u32", "w:ww", vop2, [](value a, value b, value) { return difference(b, a); }},
    {"v_add_i32", "w:ww", vop3, [](value a, value b, value) { return sum(a, b); }},
    {"v_sub_i32", "w:ww", vop3, [](value a, value b, value) { return difference(a, b); }},
    {"v_add_co_u32", "wm:ww", vop2, [](value a, value b, value) { return sum(a, b); }},
    {"v_sub_co_u32", "wm:ww", vop2,
     [](value a, value b, value) {
       return with_bit(difference(a, b), order_of(a, b, 32, false).holds(true, false, false));
     }},
    {"v_subrev_co_u32", "wm:ww", vop2,
     [](value a, value b, value) {
       return with_bit(difference(b, a), order_of(b, a, 32, false).holds(true, false, false));
     }},
    {"v_addc_co_u32", "wm:wwm", vop2, [](value a, value b, value c) { return sum(a, b, c); }},
    {"v_subb_co_u32", "wm:wwm", vop2,
     [](value a, value b, value c) {
       return with_bit(difference(difference(a, b), c), bit_of(difference(difference(a, b), c), 32));
     }},
    {"v_subbrev_co_u32", "wm:wwm", vop2,
     [](value a, value b, value c) {
       return with_bit(difference(difference(b, a), c), bit_of(difference(difference(b, a), c), 32));
     }},
    {"v_add3_u32", "w:www", vop3, [](value a, value b, value c) { return sum(sum(a, b), c); }},
    {"v_lshl_add_u32", "w:www", vop3, [](value a, value b, value c) { return sum(shifted_left(a, b, 32), c); }},
    {"v_add_lshl_u32", "w:www", vop3,
     [](value a, value b, value c) { return shifted_left(low(sum(a, b), 32), c, 32); }},
    {"v_xad_u32", "w:www", vop3, [](value a, value b, value c) { return sum(a ^ b, c); }},
    {"v_lshl_add_u64", "q:qwq", vop3, [](value a, value b, value c) { return sum(shifted_left(a, low(b, 3), 64), c); }},
    {"v_add_u64", "q:qq", rdna4, [](value a, value b, value) { return sum(a, b); }},
    // Products.
    {"v_mul_lo_u32", "w:ww", vop3, [](value a, value b, value) { return product(a, b); }},
    {"v_mul_hi_u32", "w:ww", vop3, [](value a, value b, value) { return product(a, b) >> 32; }},
    {"v_mul_hi_i32", "w:ww", vop3,
     [](value a, value b, value) { return product(sign_extended(a, 32), sign_extended(b, 32)) >> 32; }},
    {"v_mul_u32_u24", "w:ww", vop2, [](value a, value b, value) { return product(low(a, 24), low(b, 24)); }},
    {"v_mul_i32_i24", "w:ww", vop2,
     [](value a, value b, value) { return product(sign_extended(a, 24), sign_extended(b, 24)); }},
    {"v_mul_hi_u32_u24", "w:ww", vop2, [](value a, value b, value) { return product(low(a, 24), low(b, 24)) >> 32; }},
    {"v_mul_hi_i32_i24", "w:ww", vop2,
     [](value a, value b, value) { return product(sign_extended(a, 24), sign_extended(b, 24)) >> 32; }},
    {"v_mad_u32_u24", "w:www", vop3, [](value a, value b, value c) { return sum(product(low(a, 24), low(b, 24)), c); }},
    {"v_mad_i32_i24", "w:www", vop3,
     [](value a, value b, value c) { return sum(product(sign_extended(a, 24), sign_extended(b, 24)), c); }},
    {"v_mad_u64_u32", "qu:wwq", vop3,
     [](value a, value b, value c) { return sum(product(widened(a, false), widened(b, false)), c); }},
    {"v_mad_i64_i32", "qu:wwi", vop3,
     [](value a, value b, value c) { return sum(product(widened(a, true), widened(b, true)), c); }},
    {"v_mad_u32_u16", "w:hhw", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_mad_i32_i16", "w:hhw", vop3,
     [](value a, value b, value c) { return sum(product(sign_extended(a, 16), sign_extended(b, 16)), c); }},
    // Logic, shifts, and other operations on bits.
    {"v_and_b32", "w:ww", vop2, [](value a, value b, value) { return a & b; }},
    {"v_or_b32", "w:ww", vop2, [](value a, value b, value) { return a | b; }},
    {"v_xor_b32", "w:ww", vop2, [](value a, value b, value) { return a ^ b; }},
    {"v_xnor_b32", "w:ww", vop2, [](value a, value b, value) { return ~(a ^ b); }},
    {"v_not_b32", "w:w", vop1, [](value a, value, value) { return ~a; }},
    {"v_and_or_b32", "w:www", vop3, [](value a, value b, value c) { return (a & b) | c; }},
    {"v_or3_b32", "w:www", vop3, [](value a, value b, value c) { return a | b | c; }},
    {"v_xor3_b32", "w:www", rdna3, [](value a, value b, value c) { return a ^ b ^ c; }},
    {"v_bfi_b32", "w:www", vop3, [](value a, value b, value c) { return (a & b) | (~a & c); }},
    {"v_lshlrev_b32", "w:ww", vop2, [](value a, value b, value) { return shifted_left(b, a, 32); }},
    {"v_lshrrev_b32", "w:ww", vop2, [](value a, value b, value) { return shifted_right(b, a, 32); }},
    {"v_ashrrev_i32", "w:ww", vop2, [](value a, value b, value) { return shifted_right_signed(b, a, 32); }},
    {"v_lshlrev_b64", "q:wq", vop3, [](value a, value b, value) { return shifted_left(b, a, 64); }},
    {"v_lshrrev_b64", "q:wq", vop3, [](value a, value b, value) { return shifted_right(b, a, 64); }},
    {"v_ashrrev_i64", "q:wi", vop3, [](value a, value b, value) { return shifted_right_signed(b, a, 64); }},
    {"v_lshl_or_b32", "w:www", vop3, [](value a, value b, value c) { return shifted_left(a, b, 32) | c; }},
    {"v_bfe_u32", "w:www", vop3,
     [](value a, value b, value c) { return field_of(a, low(b, 5), low(c, 5), 32, false); }},
    {"v_bfe_i32", "w:www", vop3, [](value a, value b, value c) { return field_of(a, low(b, 5), low(c, 5), 32, true); }},
    {"v_bfm_b32", "w:ww", vop3, [](u64 a, u64 b, u64) { return mask_of(a & 31) << (b & 31); }},
    {"v_alignbit_b32", "w:www", vop3,
     [](value a, value b, value c) { return shifted_right(paired(b, a), low(c, 5), 64); }},
    {"v_alignbyte_b32", "w:www", vop3,
     [](value a, value b, value c) { return shifted_right(paired(b, a), low(c, 2) << 3, 64); }},
    {"v_perm_b32", "w:www", vop3, [](value a, value b, value c) { return permuted(a, b, c); }},
    {"v_bfrev_b32", "w:w", vop1, [](u64 a, u64, u64) { return reversed(a, 32); }},
    {"v_bcnt_u32_b32", "w:ww", vop3, [](u64 a, u64 b, u64) { return ones_in(a) + b; }},
    {"v_ffbl_b32", "w:w", vop1, [](u64 a, u64, u64) { return first_one(a, 32); }},
    {"v_ffbh_u32", "w:w", vop1, [](u64 a, u64, u64) { return leading_zeros(a, 32); }},
    {"v_ffbh_i32", "w:w", vop1, [](u64 a, u64, u64) { return sign_bits(a, 32); }},
    {"v_mbcnt_lo_u32_b32", "w:wwl", vop3,
     [](u64 a, u64 b, u64 lane) { return ones_in(a & mask_of(lane < 32 ? lane : 32)) + b; }},
    {"v_mbcnt_hi_u32_b32", "w:wwl", vop3,
     [](u64 a, u64 b, u64 lane) { return ones_in(a & mask_of(lane < 32 ? 0 : lane - 32)) + b; }},
    // The lesser or the greater number.
    {"v_min_u32", "w:ww", vop2, [](value a, value b, value) { return lesser(a, b, false); }},
    {"v_max_u32", "w:ww", vop2, [](value a, value b, value) { return greater(a, b, false); }},
    {"v_min_i32", "w:ww", vop2, [](value a, value b, value) { return lesser(a, b, true); }},
    {"v_max_i32", "w:ww", vop2, [](value a, value b, value) { return greater(a, b, true); }},
    {"v_min3_u32", "w:www", vop3, [](value a, value b, value c) { return lesser(lesser(a, b, false), c, false); }},
    {"v_max3_u32", "w:www", vop3, [](value a, value b, value c) { return greater(greater(a, b, false), c, false); }},
    {"v_min3_i32", "w:www", vop3, [](value a, value b, value c) { return lesser(lesser(a, b, true), c, true); }},
    {"v_max3_i32", "w:www", vop3, [](value a, value b, value c) { return greater(greater(a, b, true), c, true); }},
    {"v_maxmin_u32", "w:www", rdna3, [](value a, value b, value c) { return lesser(greater(a, b, false), c, false); }},
    {"v_maxmin_i32", "w:www", rdna3, [](value a, value b, value c) { return lesser(greater(a, b, true), c, true); }},
    {"v_minmax_u32", "w:www", rdna3, [](value a, value b, value c) { return greater(lesser(a, b, false), c, false); }},
    {"v_minmax_i32", "w:www", rdna3, [](value a, value b, value c) { return greater(lesser(a, b, true), c, true); }},
    {"v_med3_u32", "w:www", vop3,
     [](u64 a, u64 b, u64 c) {
       return middle_of(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), static_cast<std::int64_t>(c));
     }},
    {"v_med3_i32", "w:www", vop3, [](u64 a, u64 b, u64 c) { return middle_of(s32(a), s32(b), s32(c)); }},
    {"v_sad_u8", "w:www", vop3, [](u64 a, u64 b, u64 c) { return differences_of(a, b, 8) + c; }},
    {"v_sad_hi_u8", "w:www", vop3, [](u64 a, u64 b, u64 c) { return (differences_of(a, b, 8) << 16) + c; }},
    {"v_sad_u16", "w:www", vop3, [](u64 a, u64 b, u64 c) { return differences_of(a, b, 16) + c; }},
    {"v_sad_u32", "w:www", vop3, [](u64 a, u64 b, u64 c) { return (a > b ? a - b : b - a) + c; }},
    // Numbers of 16 bits.
    {"v_cvt_u32_u16", "w:h", rdna3, [](value a, value, value) { return a; }},
    {"v_cvt_i32_i16", "w:h", rdna3, [](value a, value, value) { return sign_extended(a, 16); }},
    {"v_add_u16", "h:hh", vop2, [](value a, value b, value) { return sum(a, b); }},
    {"v_sub_u16", "h:hh", vop2, [](value a, value b, value) { return difference(a, b); }},
    {"v_subrev_u16", "h:hh", vop2, [](value a, value b, value) { return difference(b, a); }},
    {"v_mul_lo_u16", "h:hh", vop2, [](value a, value b, value) { return product(a, b); }},
    {"v_mad_legacy_u16", "h:hhh", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_mad_legacy_i16", "h:hhh", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_mad_u16", "h:hhh", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_mad_i16", "h:hhh", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_add_i16", "h:hh", vop3, [](value a, value b, value) { return sum(a, b); }},
    {"v_sub_i16", "h:hh", vop3, [](value a, value b, value) { return difference(a, b); }},
    {"v_lshlrev_b16", "h:hh", vop2, [](u64 a, u64 b, u64) { return b << (a & 15); }},
    {"v_lshrrev_b16", "h:hh", vop2, [](u64 a, u64 b, u64) { return b >> (a & 15); }},
    {"v_ashrrev_i16", "h:hh", vop2, [](u64 a, u64 b, u64) { return static_cast<u64>(as_signed(b, 16) >> (a & 15)); }},
    {"v_min_u16", "h:hh", vop2, [](u64 a, u64 b, u64) { return a < b ? a : b; }},
    {"v_max_u16", "h:hh", vop2, [](u64 a, u64 b, u64) { return a > b ? a : b; }},
    {"v_min_i16", "h:hh", vop2, [](u64 a, u64 b, u64) { return as_signed(a, 16) < as_signed(b, 16) ? a : b; }},
    {"v_max_i16", "h:hh", vop2, [](u64 a, u64 b, u64) { return as_signed(a, 16) > as_signed(b, 16) ? a : b; }},
    {"v_min3_u16", "h:hhh", vop3, [](u64 a, u64 b, u64 c) { return std::min({a, b, c}); }},
    {"v_max3_u16", "h:hhh", vop3, [](u64 a, u64 b, u64 c) { return std::max({a, b, c}); }},
    {"v_med3_u16", "h:hhh", vop3,
     [](u64 a, u64 b, u64 c) {
       return middle_of(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), static_cast<std::int64_t>(c));
     }},
    {"v_min3_i16", "h:hhh", vop3,
     [](u64 a, u64 b, u64 c) { return u32(std::min({as_signed(a, 16), as_signed(b, 16), as_signed(c, 16)})); }},
    {"v_max3_i16", "h:hhh", vop3,
     [](u64 a, u64 b, u64 c) { return u32(std::max({as_signed(a, 16), as_signed(b, 16), as_signed(c, 16)})); }},
    {"v_med3_i16", "h:hhh", vop3,
     [](u64 a, u64 b, u64 c) { return middle_of(as_signed(a, 16), as_signed(b, 16), as_signed(c, 16)); }},
    {"v_not_b16", "h:h", rdna3, [](value a, value, value) { return ~a; }},
    {"v_and_b16", "h:hh", rdna3, [](value a, value b, value) { return a & b; }},
    {"v_or_b16", "h:hh", rdna3, [](value a, value b, value) { return a | b; }},
    {"v_xor_b16", "h:hh", rdna3, [](value a, value b, value) { return a ^ b; }},
    // Floating-point numbers. No text has v_rcp_of_quotient_f32: reciprocals.hpp puts it where v_rcp_f32 or
    // v_rcp_iflag_f32 is part of a division of integers.
    {"v_cvt_f32_u32", "w:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(a)); }},
    {"v_cvt_f32_i32", "w:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(s32(a))); }},
    {"v_cvt_u32_f32", "w:f", vop1, [](u64 a, u64, u64) { return converted<std::uint32_t>(as_float(a)); }},
    {"v_cvt_i32_f32", "w:f", vop1, [](u64 a, u64, u64) { return converted<std::int32_t>(as_float(a)); }},
    {"v_rcp_of_quotient_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(1.0f / as_float(a)); }},
    {"v_cvt_f32_ubyte0", "f:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(a & 255)); }},
    {"v_cvt_f32_ubyte1", "f:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(a >> 8 & 255)); }},
    {"v_cvt_f32_ubyte2", "f:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(a >> 16 & 255)); }},
    {"v_cvt_f32_ubyte3", "f:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(a >> 24 & 255)); }},
    {"v_floor_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(std::floor(as_float(a))); }},
    {"v_ceil_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(std::ceil(as_float(a))); }},
    {"v_rndne_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(std::nearbyint(as_float(a))); }},
    {"v_max_f32", "f:ff", vop2, [](value a, value b, value) { return one_of_reals('f', a, b, true); }},
    {"v_min_f32", "f:ff", vop2, [](value a, value b, value) { return one_of_reals('f', a, b, false); }},
    {"v_mad_f32", "f:fff", vop3, [](value a, value b, value c) { return multiplied_and_added(a, b, c); }},
    {"v_mac_f32", "f:fft", vop2, [](value a, value b, value c) { return multiplied_and_added(a, b, c); }},
    {"v_madmk_f32", "f:fff", vop2, [](value a, value b, value c) { return multiplied_and_added(a, b, c); }},
    {"v_madak_f32", "f:fff", vop2, [](value a, value b, value c) { return multiplied_and_added(a, b, c); }},
    {"v_trunc_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(std::trunc(as_float(a))); }},
    {"v_mul_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(a) * as_float(b)); }},
    {"v_add_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(a) + as_float(b)); }},
    {"v_sub_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(a) - as_float(b)); }},
    {"v_subrev_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(b) - as_float(a)); }},
    {"v_fma_f32", "f:fff", vop3,
     [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    {"v_fmac_f32", "f:fft", vop2,
     [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    {"v_fmamk_f32", "f:fff", vop2,
     [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    {"v_fmaak_f32", "f:fff", vop2,
     [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    // Double precision.
    {"v_cvt_f64_u32", "d:w", vop1, [](u64 a, u64, u64) { return of_double(static_cast<double>(a)); }},
    {"v_cvt_f64_i32", "d:w", vop1, [](u64 a, u64, u64) { return of_double(static_cast<double>(s32(a))); }},
    {"v_cvt_u32_f64", "w:d", vop1, [](u64 a, u64, u64) { return converted<std::uint32_t>(as_double(a)); }},
    {"v_cvt_i32_f64", "w:d", vop1, [](u64 a, u64, u64) { return converted<std::int32_t>(as_double(a)); }},
    {"v_cvt_f64_f32", "d:f", vop1, [](u64 a, u64, u64) { return of_double(static_cast<double>(as_float(a))); }},
    {"v_cvt_f32_f64", "f:d", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(as_double(a))); }},
    {"v_trunc_f64", "d:d", vop1, [](u64 a, u64, u64) { return of_double(std::trunc(as_double(a))); }},
    {"v_floor_f64", "d:d", vop1, [](u64 a, u64, u64) { return of_double(std::floor(as_double(a))); }},
    {"v_ceil_f64", "d:d", vop1, [](u64 a, u64, u64) { return of_double(std::ceil(as_double(a))); }},
    {"v_rndne_f64", "d:d", vop1, [](u64 a, u64, u64) { return of_double(std::nearbyint(as_double(a))); }},
    {"v_add_f64", "d:dd", vop3, [](u64 a, u64 b, u64) { return of_double(as_double(a) + as_double(b)); }},
    {"v_mul_f64", "d:dd", vop3, [](u64 a, u64 b, u64) { return of_double(as_double(a) * as_double(b)); }},
    {"v_fma_f64", "d:ddd", vop3,
     [](u64 a, u64 b, u64 c) { return of_double(std::fma(as_double(a), as_double(b), as_double(c))); }},
    {"v_fmac_f64", "d:ddt", vop2,
     [](u64 a, u64 b, u64 c) { return of_double(std::fma(as_double(a), as_double(b), as_double(c))); }},
    {"v_max_f64", "d:dd", vop3, [](value a, value b, value) { return one_of_reals('d', a, b, true); }},
    {"v_min_f64", "d:dd", vop3, [](value a, value b, value) { return one_of_reals('d', a, b, false); }},
};

inline constexpr opcode_alias vector_aliases[] = {
    {"v_cls_i32", "v_ffbh_i32"},
    {"v_add_nc_i16", "v_add_i16"},
    {"v_sub_nc_i16", "v_sub_i16"},
    {"v_max_num_f32", "v_max_f32"},
    {"v_min_num_f32", "v_min_f32"},
    {"v_max_num_f64", "v_max_f64"},
    {"v_min_num_f64", "v_min_f64"},
    {"v_add_nc_u32", "v_add_u32"},
    {"v_sub_nc_u32", "v_sub_u32"},
    {"v_subrev_nc_u32", "v_subrev_u32"},
    {"v_add_nc_i32", "v_add_i32"},
    {"v_sub_nc_i32", "v_sub_i32"},
    {"v_add_co_ci_u32", "v_addc_co_u32"},
    {"v_sub_co_ci_u32", "v_subb_co_u32"},
    {"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
    {"v_add_nc_u16", "v_add_u16"},
    {"v_sub_nc_u16", "v_sub_u16"},
    {"v_ctz_i32_b32", "v_ffbl_b32"},
    {"v_clz_i32_u32", "v_ffbh_u32"},
    {"v_add_nc_u64", "v_add_u64"},
    {"v_mad_co_u64_u32", "v_mad_u64_u32"},
    {"v_accvgpr_read", "v_accvgpr_read_b32"},
    {"v_accvgpr_write", "v_accvgpr_write_b32"},
    {"v_mad_co_i64_i32", "v_mad_i64_i32"},
};

/// Opcodes, or the beginnings of opcodes, whose results are not computed: products of matrices and of vectors, and
/// floating-point numbers, except those of the rows above. If an address depends on such a result, the answer says that
/// the address depends on data, and not that an opcode is missing from the tables. ("AMD RDNA 4 ISA" and "AMD
/// Instinct MI300 CDNA3 ISA", the lists of instructions.)
inline constexpr char const* data_opcodes[] = {
    "v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_", "v_dot",
    // Sums, products, minima, maxima and medians of floating-point numbers.
    "v_add_f", "v_sub_f", "v_subrev_f", "v_mul_f", "v_mul_legacy_f", "v_mul_dx9_", "v_mac_", "v_mad_f", "v_mad_mix",
    "v_madak_f16", "v_madmk_f16", "v_mad_legacy_f", "v_fma", "v_pk_fma", "v_pk_mul_f", "v_pk_add_f", "v_pk_add_bf",
    "v_pk_max_f", "v_pk_min_f", "v_max_f", "v_min_f", "v_max3_f", "v_min3_f", "v_med3_f", "v_max_num_", "v_min_num_",
    "v_max3_num_", "v_min3_num_", "v_med3_num_", "v_maximum", "v_minimum", "v_pk_maximum", "v_pk_minimum",
    "v_pk_max_num_", "v_pk_min_num_",
    // Functions and conversions of floating-point numbers.
    "v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_", "v_ldexp_", "v_frexp_", "v_fract_", "v_div_",
    "v_trunc_", "v_rndne_", "v_floor_", "v_ceil_", "v_cvt_", "v_s_", "v_maxmin_", "v_minmax_", "v_mullit_", "v_cube",
    "v_interp_", "v_trig_preop_", "v_pack_b32_f16", "v_prng_",
    // Operations on bytes and halves; reads of other lanes' values.
    "v_lerp_u8", "v_msad_u8", "v_qsad_", "v_mqsad_", "v_sat_pk_", "v_ashr_pk_", "v_bitop3_b16", "v_permlane16_b32",
    "v_permlane16_var_b32", "v_permlanex16_", "v_permlane64_b32",
    // Registers, clocks and messages of the hardware.
    "s_getreg_b32", "s_memtime", "s_memrealtime", "s_sendmsg_rtn_", "s_barrier_signal_isfirst", "s_get_barrier_state",
    "s_getpc_b64"};
/// Scalar opcodes, or the beginnings of scalar opcodes, whose results are not computed, as those of data_opcodes.
inline constexpr char const* scalar_data_opcodes[] = {
    "s_add_f16",     "s_sub_f16",     "s_mul_f16",        "s_fmac_f16",          "s_min_num_f", "s_max_num_f",
    "s_minimum_f",   "s_maximum_f",   "s_ceil_f16",       "s_floor_f16",         "s_trunc_f16", "s_rndne_f16",
    "s_cvt_f16_f32", "s_cvt_f32_f16", "s_cvt_hi_f32_f16", "s_cvt_pk_rtz_f16_f32"};

}  // namespace coalescing::amdgcn
