// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>
#include <coalesce/host/binary/amd/reals.hpp>

#include <cmath>
#include <cstdint>

// The scalar instructions that compute. Those that branch or wait are in decode.hpp, those that read memory in
// memory_opcodes.hpp.

namespace coalescing::amdgcn {

using namespace guide;

inline constexpr opcode_row scalar_opcodes[] = {
    // Moves, selections and sign extensions.
    {"s_mov_b32", "w:w", sop1, [](value a, value, value) { return a; }},
    {"s_mov_b64", "q:q", sop1, [](value a, value, value) { return a; }},
    {"s_cmov_b32", "w:wtc", sop1, [](value a, value b, value c) { return chosen(c, b, a); }},
    {"s_cmov_b64", "q:qtc", sop1, [](value a, value b, value c) { return chosen(c, b, a); }},
    {"s_cmovk_i32", "w:wtc", sopk, [](value a, value b, value c) { return chosen(c, b, low(sign_extended(a, 16), 32)); }},
    {"s_movk_i32", "w:w", sopk, [](value a, value, value) { return sign_extended(a, 16); }},
    {"s_cselect_b32", "w:wwc", sop2, [](value a, value b, value c) { return chosen(c, b, a); }},
    {"s_cselect_b64", "q:qqc", sop2, [](value a, value b, value c) { return chosen(c, b, a); }},
    {"s_sext_i32_i8", "w:w", sop1, [](value a, value, value) { return sign_extended(a, 8); }},
    {"s_sext_i32_i16", "w:w", sop1, [](value a, value, value) { return sign_extended(a, 16); }},
    // Sums, differences, products, minima and maxima.
    {"s_add_u32", "wc:ww", sop2, [](value a, value b, value) { return sum(a, b); }},
    {"s_sub_u32", "wc:ww", sop2, [](value a, value b, value) { return with_bit(difference(a, b), order_of(a, b, 32, false).holds(true, false, false)); }},
    {"s_add_i32", "wc:ww", sop2, [](value a, value b, value) { return with_overflow(sum(a, b), sum(sign_extended(a, 32), sign_extended(b, 32))); }},
    {"s_sub_i32", "wc:ww", sop2, [](value a, value b, value) { return with_overflow(difference(a, b), difference(sign_extended(a, 32), sign_extended(b, 32))); }},
    {"s_addc_u32", "wc:wwc", sop2, [](value a, value b, value c) { return sum(a, b, c); }},
    {"s_subb_u32", "wc:wwc", sop2, [](value a, value b, value c) { return with_bit(difference(difference(a, b), c), bit_of(difference(difference(a, b), c), 32)); }},
    {"s_add_u64", "q:qq", rdna4, [](value a, value b, value) { return sum(a, b); }},
    {"s_sub_u64", "q:qq", rdna4, [](value a, value b, value) { return difference(a, b); }},
    {"s_mul_u64", "q:qq", rdna4, [](value a, value b, value) { return product(a, b); }},
    {"s_addk_i32", "wc:tw", sopk,
     [](value a, value b, value) {
       value const added = sign_extended(b, 16);
       return with_overflow(sum(a, added), sum(sign_extended(a, 32), added));
     }},
    {"s_mulk_i32", "w:tw", sopk, [](value a, value b, value) { return product(a, sign_extended(b, 16)); }},
    {"s_mul_i32", "w:ww", sop2, [](value a, value b, value) { return product(a, b); }},
    {"s_mul_hi_u32", "w:ww", sop2, [](value a, value b, value) { return product(a, b) >> 32; }},
    {"s_mul_hi_i32", "w:ww", sop2, [](value a, value b, value) { return product(sign_extended(a, 32), sign_extended(b, 32)) >> 32; }},
    {"s_lshl1_add_u32", "wc:ww", sop2, [](value a, value b, value) { return with_carries(sum(a << 1, b)); }},
    {"s_lshl2_add_u32", "wc:ww", sop2, [](value a, value b, value) { return with_carries(sum(a << 2, b)); }},
    {"s_lshl3_add_u32", "wc:ww", sop2, [](value a, value b, value) { return with_carries(sum(a << 3, b)); }},
    {"s_lshl4_add_u32", "wc:ww", sop2, [](value a, value b, value) { return with_carries(sum(a << 4, b)); }},
    {"s_abs_i32", "wz:w", sop1, [](u64 a, u64, u64) { return s32(a) < 0 ? 0 - a : a; }},
    {"s_absdiff_i32", "wz:ww", sop2, [](u64 a, u64 b, u64) { return s32(a - b) < 0 ? b - a : a - b; }},
    {"s_min_i32", "wc:ww", sop2, [](value a, value b, value) { return with_bit(lesser(a, b, true), order_of(a, b, 32, true).holds(true, false, false)); }},
    {"s_min_u32", "wc:ww", sop2, [](value a, value b, value) { return with_bit(lesser(a, b, false), order_of(a, b, 32, false).holds(true, false, false)); }},
    {"s_max_i32", "wc:ww", sop2, [](value a, value b, value) { return with_bit(greater(a, b, true), order_of(a, b, 32, true).holds(false, true, true)); }},
    {"s_max_u32", "wc:ww", sop2, [](value a, value b, value) { return with_bit(greater(a, b, false), order_of(a, b, 32, false).holds(false, true, true)); }},
    // Logic, shifts, and other operations on bits.
    {"s_and_b32", "wz:ww", sop2, [](value a, value b, value) { return a & b; }},
    {"s_and_b64", "qz:qq", sop2, [](value a, value b, value) { return a & b; }},
    {"s_or_b32", "wz:ww", sop2, [](value a, value b, value) { return a | b; }},
    {"s_or_b64", "qz:qq", sop2, [](value a, value b, value) { return a | b; }},
    {"s_xor_b32", "wz:ww", sop2, [](value a, value b, value) { return a ^ b; }},
    {"s_xor_b64", "qz:qq", sop2, [](value a, value b, value) { return a ^ b; }},
    {"s_andn2_b32", "wz:ww", sop2, [](value a, value b, value) { return a & ~b; }},
    {"s_andn2_b64", "qz:qq", sop2, [](value a, value b, value) { return a & ~b; }},
    {"s_orn2_b32", "wz:ww", sop2, [](value a, value b, value) { return a | ~b; }},
    {"s_orn2_b64", "qz:qq", sop2, [](value a, value b, value) { return a | ~b; }},
    {"s_nand_b32", "wz:ww", sop2, [](value a, value b, value) { return ~(a & b); }},
    {"s_nand_b64", "qz:qq", sop2, [](value a, value b, value) { return ~(a & b); }},
    {"s_nor_b32", "wz:ww", sop2, [](value a, value b, value) { return ~(a | b); }},
    {"s_nor_b64", "qz:qq", sop2, [](value a, value b, value) { return ~(a | b); }},
    {"s_xnor_b32", "wz:ww", sop2, [](value a, value b, value) { return ~(a ^ b); }},
    {"s_xnor_b64", "qz:qq", sop2, [](value a, value b, value) { return ~(a ^ b); }},
    {"s_not_b32", "wz:w", sop1, [](value a, value, value) { return ~a; }},
    {"s_not_b64", "qz:q", sop1, [](value a, value, value) { return ~a; }},
    {"s_lshl_b32", "wz:ww", sop2, [](value a, value b, value) { return shifted_left(a, b, 32); }},
    {"s_lshl_b64", "qz:qw", sop2, [](value a, value b, value) { return shifted_left(a, b, 64); }},
    {"s_lshr_b32", "wz:ww", sop2, [](value a, value b, value) { return shifted_right(a, b, 32); }},
    {"s_lshr_b64", "qz:qw", sop2, [](value a, value b, value) { return shifted_right(a, b, 64); }},
    {"s_ashr_i32", "wz:ww", sop2, [](value a, value b, value) { return shifted_right_signed(a, b, 32); }},
    {"s_ashr_i64", "qz:iw", sop2, [](value a, value b, value) { return shifted_right_signed(a, b, 64); }},
    {"s_bfm_b32", "w:ww", sop2, [](u64 a, u64 b, u64) { return mask_of(a & 31) << (b & 31); }},
    {"s_bfm_b64", "q:ww", sop2, [](u64 a, u64 b, u64) { return mask_of(a & 63) << (b & 63); }},
    {"s_bfe_u32", "wz:ww", sop2, [](value a, value b, value) { return scalar_field_of(a, b, 32, false); }},
    {"s_bfe_i32", "wz:ww", sop2, [](value a, value b, value) { return scalar_field_of(a, b, 32, true); }},
    {"s_bfe_u64", "qz:qw", sop2, [](value a, value b, value) { return scalar_field_of(a, b, 64, false); }},
    {"s_bfe_i64", "qz:iw", sop2, [](value a, value b, value) { return scalar_field_of(a, b, 64, true); }},
    {"s_brev_b32", "w:w", sop1, [](u64 a, u64, u64) { return reversed(a, 32); }},
    {"s_brev_b64", "q:q", sop1, [](u64 a, u64, u64) { return reversed(a, 64); }},
    {"s_bcnt1_i32_b32", "wz:w", sop1, [](u64 a, u64, u64) { return ones_in(a); }},
    {"s_bcnt1_i32_b64", "wz:q", sop1, [](u64 a, u64, u64) { return ones_in(a); }},
    {"s_bcnt0_i32_b32", "wz:w", sop1, [](u64 a, u64, u64) { return 32 - ones_in(a); }},
    {"s_bcnt0_i32_b64", "wz:q", sop1, [](u64 a, u64, u64) { return 64 - ones_in(a); }},
    {"s_ff1_i32_b32", "w:w", sop1, [](u64 a, u64, u64) { return first_one(a, 32); }},
    {"s_ff1_i32_b64", "w:q", sop1, [](u64 a, u64, u64) { return first_one(a, 64); }},
    {"s_ff0_i32_b32", "w:w", sop1, [](u64 a, u64, u64) { return first_one(~a, 32); }},
    {"s_ff0_i32_b64", "w:q", sop1, [](u64 a, u64, u64) { return first_one(~a, 64); }},
    {"s_flbit_i32", "w:w", sop1, [](u64 a, u64, u64) { return sign_bits(a, 32); }},
    {"s_flbit_i32_i64", "w:i", sop1, [](u64 a, u64, u64) { return sign_bits(a, 64); }},
    {"s_flbit_i32_b32", "w:w", sop1, [](u64 a, u64, u64) { return leading_zeros(a, 32); }},
    {"s_flbit_i32_b64", "w:q", sop1, [](u64 a, u64, u64) { return leading_zeros(a, 64); }},
    {"s_pack_ll_b32_b16", "w:ww", sop2, [](value a, value b, value) { return low(a, 16) | low(b, 16) << 16; }},
    {"s_pack_lh_b32_b16", "w:ww", sop2,
     [](value a, value b, value) { return low(a, 16) | low(b, 32) >> 16 << 16; }},
    {"s_pack_hh_b32_b16", "w:ww", sop2, [](value a, value b, value) { return low(a, 32) >> 16 | low(b, 32) >> 16 << 16; }},
    {"s_pack_hl_b32_b16", "w:ww", rdna4, [](value a, value b, value) { return low(a, 32) >> 16 | low(b, 16) << 16; }},
    {"s_bitset0_b64", "q:tw", sop1, [](u64 a, u64 b, u64) { return a & ~(u64{1} << (b & 63)); }},
    {"s_bitset1_b64", "q:tw", sop1, [](u64 a, u64 b, u64) { return a | u64{1} << (b & 63); }},
    {"s_bitreplicate_b64_b32", "q:w", sop1,
     [](u64 a, u64, u64) {
       u64 all = 0;
       for (unsigned k = 0; k != 32; ++k) all |= (a >> k & 1) * 3 << (2 * k);
       return all;
     }},
    {"s_quadmask_b32", "wz:w", sop1, [](u64 a, u64, u64) { return quads_of(a); }},
    {"s_quadmask_b64", "qz:q", sop1, [](u64 a, u64, u64) { return quads_of(a); }},
    {"s_wqm_b32", "wz:w", sop1, [](u64 a, u64, u64) {
       u64 const any = (a | a >> 1 | a >> 2 | a >> 3) & 0x11111111u;
       return any * 15;
     }},
    {"s_bitset0_b32", "w:tw", sop1, [](u64 a, u64 b, u64) { return a & ~(u64{1} << (b & 31)); }},
    {"s_bitset1_b32", "w:tw", sop1, [](u64 a, u64 b, u64) { return a | u64{1} << (b & 31); }},
    {"s_wqm_b64", "qz:q", sop1,
     [](u64 a, u64, u64) {
       u64 const any = (a | a >> 1 | a >> 2 | a >> 3) & 0x1111111111111111u;
       return any * 15;
     }},
    // Floating-point numbers (gfx12).
    {"s_cvt_f32_u32", "w:w", rdna4, [](u64 a, u64, u64) { return of_float(static_cast<float>(a)); }},
    {"s_cvt_f32_i32", "w:w", rdna4, [](u64 a, u64, u64) { return of_float(static_cast<float>(s32(a))); }},
    {"s_cvt_u32_f32", "w:f", rdna4, [](u64 a, u64, u64) { return converted<std::uint32_t>(as_float(a)); }},
    {"s_cvt_i32_f32", "w:f", rdna4, [](u64 a, u64, u64) { return converted<std::int32_t>(as_float(a)); }},
    {"s_trunc_f32", "f:f", rdna4, [](u64 a, u64, u64) { return of_float(std::trunc(as_float(a))); }},
    {"s_floor_f32", "f:f", rdna4, [](u64 a, u64, u64) { return of_float(std::floor(as_float(a))); }},
    {"s_ceil_f32", "f:f", rdna4, [](u64 a, u64, u64) { return of_float(std::ceil(as_float(a))); }},
    {"s_rndne_f32", "f:f", rdna4, [](u64 a, u64, u64) { return of_float(std::nearbyint(as_float(a))); }},
    {"s_add_f32", "f:ff", rdna4, [](u64 a, u64 b, u64) { return of_float(as_float(a) + as_float(b)); }},
    {"s_sub_f32", "f:ff", rdna4, [](u64 a, u64 b, u64) { return of_float(as_float(a) - as_float(b)); }},
    {"s_mul_f32", "f:ff", rdna4, [](u64 a, u64 b, u64) { return of_float(as_float(a) * as_float(b)); }},
    // The hardware has no v_s_rcp_iflag_f32. reciprocals.hpp puts it where v_s_rcp_f32 is part of an integer division.
    {"v_s_rcp_iflag_f32", "f:f", rdna4, [](u64 a, u64, u64) { return of_float(1.0f / as_float(a)); }},
    {"s_fmac_f32", "f:fft", rdna4, [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    {"s_fmamk_f32", "f:fff", rdna4, [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    {"s_fmaak_f32", "f:fff", rdna4, [](u64 a, u64 b, u64 c) { return fused(a, b, c); }},
    // Comparisons.
    {"s_cmp_eq_u32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, false).holds(false, true, false); }},
    {"s_cmp_lg_u32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, false).holds(true, false, true); }},
    {"s_cmp_gt_u32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, false).holds(false, false, true); }},
    {"s_cmp_ge_u32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, false).holds(false, true, true); }},
    {"s_cmp_lt_u32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, false).holds(true, false, false); }},
    {"s_cmp_le_u32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, false).holds(true, true, false); }},
    {"s_cmp_eq_i32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, true).holds(false, true, false); }},
    {"s_cmp_lg_i32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, true).holds(true, false, true); }},
    {"s_cmp_gt_i32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, true).holds(false, false, true); }},
    {"s_cmp_ge_i32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, true).holds(false, true, true); }},
    {"s_cmp_lt_i32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, true).holds(true, false, false); }},
    {"s_cmp_le_i32", "c:ww", sopc, [](value a, value b, value) { return order_of(a, b, 32, true).holds(true, true, false); }},
    {"s_cmp_eq_u64", "c:qq", sopc, [](value a, value b, value) { return order_of(a, b, 64, false).holds(false, true, false); }},
    {"s_cmp_lg_u64", "c:qq", sopc, [](value a, value b, value) { return order_of(a, b, 64, false).holds(true, false, true); }},
    {"s_cmpk_eq_u32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(b, 16), 32, false).holds(false, true, false); }},
    {"s_cmpk_lg_u32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(b, 16), 32, false).holds(true, false, true); }},
    {"s_cmpk_gt_u32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(b, 16), 32, false).holds(false, false, true); }},
    {"s_cmpk_ge_u32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(b, 16), 32, false).holds(false, true, true); }},
    {"s_cmpk_lt_u32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(b, 16), 32, false).holds(true, false, false); }},
    {"s_cmpk_le_u32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(b, 16), 32, false).holds(true, true, false); }},
    {"s_cmpk_eq_i32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(sign_extended(b, 16), 32), 32, true).holds(false, true, false); }},
    {"s_cmpk_lg_i32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(sign_extended(b, 16), 32), 32, true).holds(true, false, true); }},
    {"s_cmpk_gt_i32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(sign_extended(b, 16), 32), 32, true).holds(false, false, true); }},
    {"s_cmpk_ge_i32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(sign_extended(b, 16), 32), 32, true).holds(false, true, true); }},
    {"s_cmpk_lt_i32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(sign_extended(b, 16), 32), 32, true).holds(true, false, false); }},
    {"s_cmpk_le_i32", "c:ww", sopk, [](value a, value b, value) { return order_of(a, low(sign_extended(b, 16), 32), 32, true).holds(true, true, false); }},
    {"s_bitcmp0_b32", "c:ww", sopc, [](value a, value b, value) { return ~shifted_right(a, b, 32); }},
    {"s_bitcmp1_b32", "c:ww", sopc, [](value a, value b, value) { return shifted_right(a, b, 32); }},
    {"s_bitcmp0_b64", "c:qw", sopc, [](value a, value b, value) { return ~shifted_right(a, b, 64); }},
    {"s_bitcmp1_b64", "c:qw", sopc, [](value a, value b, value) { return shifted_right(a, b, 64); }},
};

/// Instructions that replace the execution mask, and save the old mask in the result. `exact` computes the new mask
/// from the old mask `e` and the source `s`.
inline constexpr opcode_row saving_opcodes[] = {
    {"s_and_saveexec", "", sop1, [](value e, value s, value) { return s & e; }},
    {"s_or_saveexec", "", sop1, [](value e, value s, value) { return s | e; }},
    {"s_xor_saveexec", "", sop1, [](value e, value s, value) { return s ^ e; }},
    {"s_andn2_saveexec", "", sop1, [](value e, value s, value) { return s & ~e; }},
    {"s_orn2_saveexec", "", sop1, [](value e, value s, value) { return s | ~e; }},
    {"s_nand_saveexec", "", sop1, [](value e, value s, value) { return ~(s & e); }},
    {"s_nor_saveexec", "", sop1, [](value e, value s, value) { return ~(s | e); }},
    {"s_xnor_saveexec", "", sop1, [](value e, value s, value) { return ~(s ^ e); }},
    {"s_andn1_saveexec", "", sop1, [](value e, value s, value) { return ~s & e; }},
    {"s_orn1_saveexec", "", sop1, [](value e, value s, value) { return ~s | e; }},
};

inline constexpr opcode_alias scalar_aliases[] = {
    {"s_and_not1_b32", "s_andn2_b32"},
    {"s_and_not1_b64", "s_andn2_b64"},
    {"s_or_not1_b32", "s_orn2_b32"},
    {"s_or_not1_b64", "s_orn2_b64"},
    {"s_add_co_u32", "s_add_u32"},
    {"s_add_co_i32", "s_add_i32"},
    {"s_sub_co_u32", "s_sub_u32"},
    {"s_sub_co_i32", "s_sub_i32"},
    {"s_add_co_ci_u32", "s_addc_u32"},
    {"s_sub_co_ci_u32", "s_subb_u32"},
    {"s_add_nc_u64", "s_add_u64"},
    {"s_sub_nc_u64", "s_sub_u64"},
    {"s_addk_co_i32", "s_addk_i32"},
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_cls_i32", "s_flbit_i32"},
    {"s_cls_i32_i64", "s_flbit_i32_i64"},
    {"s_and_not1_saveexec", "s_andn2_saveexec"},
    {"s_or_not1_saveexec", "s_orn2_saveexec"},
    {"s_and_not0_saveexec", "s_andn1_saveexec"},
    {"s_or_not0_saveexec", "s_orn1_saveexec"},
};

}  // namespace coalescing::amdgcn
