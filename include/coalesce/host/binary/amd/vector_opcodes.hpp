// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The vector instructions that compute lane by lane. Floating-point numbers are here only because compilers divide
// integers with them; other data stays unknown. Comparisons are in comparisons.hpp.

namespace coalescing::amdgcn {

using namespace guide;

[[nodiscard]] inline float as_float(u64 a) { return std::bit_cast<float>(static_cast<std::uint32_t>(a)); }
[[nodiscard]] inline u64 of_float(float a) { return std::bit_cast<std::uint32_t>(a); }
/// A conversion to an integer: truncated, and held between the ends; not a number gives 0 (V_CVT_U32_F32).
template <class Integer>
[[nodiscard]] inline u64 converted(float a) {
  constexpr double least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
  if (std::isnan(a)) return 0;
  double const whole = std::trunc(static_cast<double>(a));
  return u32(static_cast<std::int64_t>(whole < least ? least : whole > most ? most : whole));
}
/// Bytes of S0 (4 to 7) and S1 (0 to 3), one for each byte of the selector (V_PERM_B32).
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
[[nodiscard]] constexpr u64 u24(u64 a) { return a & 0xffffff; }
[[nodiscard]] constexpr std::int64_t s24(u64 a) { return as_signed(a, 24); }

inline constexpr opcode_row vector_opcodes[] = {
    // Moves.
    {"v_mov_b32", "w:w", vop1, [](value a, value, value) { return a; }},
    {"v_mov_b64", "q:q", vop1, [](value a, value, value) { return a; }},
    {"v_mov_b16", "h:h", rdna3, [](value a, value, value) { return a; }},
    {"v_accvgpr_read_b32", "w:w", vop3p, [](value a, value, value) { return a; }},
    {"v_accvgpr_write_b32", "w:w", vop3p, [](value a, value, value) { return a; }},
    {"v_accvgpr_mov_b32", "w:w", vop1, [](value a, value, value) { return a; }},
    {"v_cndmask_b32", "w:wwm", vop2, [](value a, value b, value c) { return chosen(c, a, b); }},
    {"v_cndmask_b16", "h:hhm", rdna3, [](value a, value b, value c) { return chosen(c, a, b); }},
    // Sums of 32 bits.
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
    {"v_mad_u32_u24", "w:www", vop3, [](value a, value b, value c) { return sum(product(low(a, 24), low(b, 24)), c); }},
    {"v_mad_i32_i24", "w:www", vop3,
     [](value a, value b, value c) { return sum(product(sign_extended(a, 24), sign_extended(b, 24)), c); }},
    {"v_mad_u64_u32", "qu:wwq", vop3,
     [](value a, value b, value c) { return sum(product(widened(a, false), widened(b, false)), c); }},
    {"v_mad_i64_i32", "qu:wwq", vop3,
     [](value a, value b, value c) { return sum(product(widened(a, true), widened(b, true)), c); }},
    {"v_mad_u32_u16", "w:hhw", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_mad_i32_i16", "w:hhw", vop3,
     [](value a, value b, value c) { return sum(product(sign_extended(a, 16), sign_extended(b, 16)), c); }},
    // Bits.
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
    {"v_ashrrev_i64", "q:wq", vop3, [](value a, value b, value) { return shifted_right_signed(b, a, 64); }},
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
    {"v_mbcnt_lo_u32_b32", "w:wwl", vop3,
     [](u64 a, u64 b, u64 lane) { return ones_in(a & mask_of(lane < 32 ? lane : 32)) + b; }},
    {"v_mbcnt_hi_u32_b32", "w:wwl", vop3,
     [](u64 a, u64 b, u64 lane) { return ones_in(a & mask_of(lane < 32 ? 0 : lane - 32)) + b; }},
    // The lesser and the greater.
    {"v_min_u32", "w:ww", vop2, [](value a, value b, value) { return lesser(a, b, false); }},
    {"v_max_u32", "w:ww", vop2, [](value a, value b, value) { return greater(a, b, false); }},
    {"v_min_i32", "w:ww", vop2, [](value a, value b, value) { return lesser(a, b, true); }},
    {"v_max_i32", "w:ww", vop2, [](value a, value b, value) { return greater(a, b, true); }},
    {"v_sad_u32", "w:www", vop3, [](u64 a, u64 b, u64 c) { return (a > b ? a - b : b - a) + c; }},
    // 16 bits.
    {"v_add_u16", "h:hh", vop2, [](value a, value b, value) { return sum(a, b); }},
    {"v_sub_u16", "h:hh", vop2, [](value a, value b, value) { return difference(a, b); }},
    {"v_subrev_u16", "h:hh", vop2, [](value a, value b, value) { return difference(b, a); }},
    {"v_mul_lo_u16", "h:hh", vop2, [](value a, value b, value) { return product(a, b); }},
    {"v_mad_legacy_u16", "h:hhh", vop3, [](value a, value b, value c) { return sum(product(a, b), c); }},
    {"v_lshlrev_b16", "h:hh", vop2, [](u64 a, u64 b, u64) { return b << (a & 15); }},
    {"v_lshrrev_b16", "h:hh", vop2, [](u64 a, u64 b, u64) { return b >> (a & 15); }},
    {"v_ashrrev_i16", "h:hh", vop2, [](u64 a, u64 b, u64) { return static_cast<u64>(as_signed(b, 16) >> (a & 15)); }},
    {"v_min_u16", "h:hh", vop2, [](u64 a, u64 b, u64) { return a < b ? a : b; }},
    {"v_max_u16", "h:hh", vop2, [](u64 a, u64 b, u64) { return a > b ? a : b; }},
    {"v_and_b16", "h:hh", rdna3, [](value a, value b, value) { return a & b; }},
    {"v_or_b16", "h:hh", rdna3, [](value a, value b, value) { return a | b; }},
    {"v_xor_b16", "h:hh", rdna3, [](value a, value b, value) { return a ^ b; }},
    // Floating-point numbers. The hardware's V_RCP_IFLAG_F32 may be wrong by one unit of the last place, and is rounded
    // correctly here. That changes no result: a division of integers corrects its quotient in either case.
    {"v_cvt_f32_u32", "w:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(a)); }},
    {"v_cvt_f32_i32", "w:w", vop1, [](u64 a, u64, u64) { return of_float(static_cast<float>(s32(a))); }},
    {"v_cvt_u32_f32", "w:f", vop1, [](u64 a, u64, u64) { return converted<std::uint32_t>(as_float(a)); }},
    {"v_cvt_i32_f32", "w:f", vop1, [](u64 a, u64, u64) { return converted<std::int32_t>(as_float(a)); }},
    {"v_rcp_iflag_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(1.0f / as_float(a)); }},
    {"v_trunc_f32", "f:f", vop1, [](u64 a, u64, u64) { return of_float(std::trunc(as_float(a))); }},
    {"v_mul_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(a) * as_float(b)); }},
    {"v_add_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(a) + as_float(b)); }},
    {"v_sub_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(a) - as_float(b)); }},
    {"v_subrev_f32", "f:ff", vop2, [](u64 a, u64 b, u64) { return of_float(as_float(b) - as_float(a)); }},
    {"v_fma_f32", "f:fff", vop3,
     [](u64 a, u64 b, u64 c) { return of_float(std::fma(as_float(a), as_float(b), as_float(c))); }},
    {"v_fmac_f32", "f:fft", vop2,
     [](u64 a, u64 b, u64 c) { return of_float(std::fma(as_float(a), as_float(b), as_float(c))); }},
    {"v_fmamk_f32", "f:fff", vop2,
     [](u64 a, u64 b, u64 c) { return of_float(std::fma(as_float(a), as_float(b), as_float(c))); }},
    {"v_fmaak_f32", "f:fff", vop2,
     [](u64 a, u64 b, u64 c) { return of_float(std::fma(as_float(a), as_float(b), as_float(c))); }},
};

inline constexpr opcode_alias vector_aliases[] = {
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

/// Opcodes, or their beginnings, whose result is data that is not followed: products of matrices and of vectors, and
/// floating-point numbers, but for the rows above. A value of theirs in an address is reported as data, not as an
/// opcode that is missing from the tables. ("AMD RDNA 4 ISA" and "AMD Instinct MI300 CDNA3 ISA", the lists of
/// instructions.)
inline constexpr char const* data_opcodes[] = {
    "v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_", "v_dot",
    // Sums, products and what is chosen of numbers.
    "v_add_f", "v_sub_f", "v_subrev_f", "v_mul_f", "v_mul_legacy_f", "v_mul_dx9_", "v_mac_", "v_mad_f", "v_mad_mix",
    "v_mad_legacy_f", "v_fma", "v_pk_fma", "v_pk_mul_f", "v_pk_add_f", "v_pk_add_bf", "v_pk_max_f", "v_pk_min_f",
    "v_max_f", "v_min_f", "v_max3_f", "v_min3_f", "v_med3_f", "v_max_num_", "v_min_num_", "v_max3_num_", "v_min3_num_",
    "v_med3_num_", "v_maximum", "v_minimum", "v_pk_maximum", "v_pk_minimum", "v_pk_max_num_", "v_pk_min_num_",
    // Functions and conversions of numbers.
    "v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_", "v_ldexp_", "v_frexp_", "v_fract_", "v_div_",
    "v_trunc_", "v_rndne_", "v_floor_", "v_ceil_", "v_cvt_", "v_s_"};

}  // namespace coalescing::amdgcn
