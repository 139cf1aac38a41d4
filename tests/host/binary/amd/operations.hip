// SPDX-License-Identifier: BSL-1.0
// The operations of AMD's opcodes in C++ and LLVM's intrinsics. LLVM 22 folds them on constant operands; folded.cpp
// compares the results with the interpreter of the binary. No line is shared with the library.

using u32 = unsigned;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;
using u16 = unsigned short;
using i16 = short;

#define OPERATION extern "C" __attribute__((always_inline))

// Intrinsics that clang has no builtin for.
extern "C" {
u64 wqm_of(u64) __asm("llvm.amdgcn.s.wqm.i64");
u32 fshr_of(u32, u32, u32) __asm("llvm.fshr.i32");
u32 fshl_of(u32, u32, u32) __asm("llvm.fshl.i32");
u32 to_u32_of(float) __asm("llvm.fptoui.sat.i32.f32");
u32 to_i32_of(float) __asm("llvm.fptosi.sat.i32.f32");
float fma_of(float, float, float) __asm("llvm.fma.f32");
float trunc_of(float) __asm("llvm.trunc.f32");
float floor_of(float) __asm("llvm.floor.f32");
float ceil_of(float) __asm("llvm.ceil.f32");
float even_of(float) __asm("llvm.roundeven.f32");
u32 quads_of(u32) __asm("llvm.amdgcn.s.quadmask.i32");
u64 quads_of_64(u64) __asm("llvm.amdgcn.s.quadmask.i64");
u32 wqm_of_32(u32) __asm("llvm.amdgcn.s.wqm.i32");
u64 twice_of(u32) __asm("llvm.amdgcn.s.bitreplicate");
}

static i32 s(u32 a) { return static_cast<i32>(a); }
static i64 s(u64 a) { return static_cast<i64>(a); }
static u32 u(i32 a) { return static_cast<u32>(a); }
static u64 u(i64 a) { return static_cast<u64>(a); }
static u64 wide(u32 a) { return a; }
static i32 half(u32 a) { return static_cast<i16>(a); }
static float f(u32 a) { return __builtin_bit_cast(float, a); }
static u32 bits(float a) { return __builtin_bit_cast(u32, a); }
/// A number of 32 bits with a bit above it.
static u64 with(u32 a, bool bit) { return wide(a) | wide(bit) << 32; }

// Moves.
OPERATION u32 same(u32 a) { return a; }
OPERATION u64 same_64(u64 a) { return a; }
OPERATION u32 same_16(u32 a) { return static_cast<u16>(a); }
OPERATION u32 select(u32 a, u32 b, u32 bit) { return bit ? b : a; }
OPERATION u64 select_64(u64 a, u64 b, u32 bit) { return bit ? b : a; }
OPERATION u32 select_16(u32 a, u32 b, u32 bit) { return static_cast<u16>(bit ? b : a); }
OPERATION u32 first_where(u32 a, u32 b, u32 bit) { return bit ? a : b; }
OPERATION u64 first_where_64(u64 a, u64 b, u32 bit) { return bit ? a : b; }
OPERATION u32 extend_8(u32 a) { return u(i32{static_cast<signed char>(a)}); }
OPERATION u32 extend_16(u32 a) { return u(half(a)); }

// Sums. LLVM's intrinsics with overflow give the carry and SCC.
OPERATION u32 add(u32 a, u32 b) { return a + b; }
OPERATION u32 sub(u32 a, u32 b) { return a - b; }
OPERATION u32 subrev(u32 a, u32 b) { return b - a; }
OPERATION u64 add_carry(u32 a, u32 b) {
  u32 sum = 0;
  bool const carry = __builtin_add_overflow(a, b, &sum);
  return with(sum, carry);
}
OPERATION u64 sub_borrow(u32 a, u32 b) {
  u32 difference = 0;
  bool const borrow = __builtin_sub_overflow(a, b, &difference);
  return with(difference, borrow);
}
OPERATION u64 subrev_borrow(u32 a, u32 b) { return sub_borrow(b, a); }
OPERATION u64 add_with_carry(u32 a, u32 b, u32 in) {
  u32 out = 0, sum = __builtin_addc(a, b, in, &out);
  return with(sum, out != 0);
}
OPERATION u64 sub_with_borrow(u32 a, u32 b, u32 in) {
  u32 out = 0, difference = __builtin_subc(a, b, in, &out);
  return with(difference, out != 0);
}
OPERATION u64 subrev_with_borrow(u32 a, u32 b, u32 in) { return sub_with_borrow(b, a, in); }
OPERATION u64 add_overflow(u32 a, u32 b) {
  i32 sum = 0;
  bool const over = __builtin_add_overflow(s(a), s(b), &sum);
  return with(u(sum), over);
}
OPERATION u64 sub_overflow(u32 a, u32 b) {
  i32 difference = 0;
  bool const over = __builtin_sub_overflow(s(a), s(b), &difference);
  return with(u(difference), over);
}
OPERATION u64 addk_overflow(u32 a, u32 k) { return add_overflow(a, extend_16(k)); }
OPERATION u32 mulk(u32 a, u32 k) { return a * extend_16(k); }
OPERATION u32 add3(u32 a, u32 b, u32 c) { return a + b + c; }
OPERATION u32 shift_add(u32 a, u32 b, u32 c) { return (a << (b % 32)) + c; }
OPERATION u32 add_shift(u32 a, u32 b, u32 c) { return (a + b) << (c % 32); }
OPERATION u32 xor_add(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
OPERATION u64 shift_add_64(u64 a, u32 b, u64 c) { return (a << (b % 8)) + c; }
OPERATION u64 add_64(u64 a, u64 b) { return a + b; }
OPERATION u64 sub_64(u64 a, u64 b) { return a - b; }
template <unsigned By>
static u64 shifted_sum(u32 a, u32 b) {
  u64 const sum = wide(a) * (1u << By) + b;
  return with(static_cast<u32>(sum), sum >> 32 != 0);
}
OPERATION u64 shift1_add(u32 a, u32 b) { return shifted_sum<1>(a, b); }
OPERATION u64 shift2_add(u32 a, u32 b) { return shifted_sum<2>(a, b); }
OPERATION u64 shift3_add(u32 a, u32 b) { return shifted_sum<3>(a, b); }
OPERATION u64 shift4_add(u32 a, u32 b) { return shifted_sum<4>(a, b); }

// Products.
OPERATION u32 mul(u32 a, u32 b) { return a * b; }
OPERATION u64 mul_64(u64 a, u64 b) { return a * b; }
OPERATION u32 mul_hi(u32 a, u32 b) { return static_cast<u32>(wide(a) * b >> 32); }
OPERATION u32 mul_hi_signed(u32 a, u32 b) { return static_cast<u32>(u(i64{s(a)} * s(b)) >> 32); }
OPERATION u32 mul_24(u32 a, u32 b) { return (a << 8 >> 8) * (b << 8 >> 8); }
OPERATION u32 mul_24_signed(u32 a, u32 b) { return u(s(a << 8) >> 8) * u(s(b << 8) >> 8); }
OPERATION u32 mul_hi_24(u32 a, u32 b) { return static_cast<u32>(wide(a << 8 >> 8) * (b << 8 >> 8) >> 32); }
OPERATION u32 mad_24(u32 a, u32 b, u32 c) { return mul_24(a, b) + c; }
OPERATION u32 mad_24_signed(u32 a, u32 b, u32 c) { return mul_24_signed(a, b) + c; }
OPERATION u64 mad_64(u32 a, u32 b, u64 c) { return wide(a) * b + c; }
OPERATION u64 mad_64_signed(u32 a, u32 b, u64 c) { return u(i64{s(a)} * s(b)) + c; }
OPERATION u32 mad_32_of_16(u32 a, u32 b, u32 c) { return u32{static_cast<u16>(a)} * static_cast<u16>(b) + c; }
OPERATION u32 mad_32_of_16_signed(u32 a, u32 b, u32 c) { return u(half(a) * half(b)) + c; }

// Bits.
OPERATION u32 and_32(u32 a, u32 b) { return a & b; }
OPERATION u32 or_32(u32 a, u32 b) { return a | b; }
OPERATION u32 xor_32(u32 a, u32 b) { return a ^ b; }
OPERATION u32 and_not(u32 a, u32 b) { return a & ~b; }
OPERATION u32 or_not(u32 a, u32 b) { return a | ~b; }
OPERATION u32 nand(u32 a, u32 b) { return ~(a & b); }
OPERATION u32 nor(u32 a, u32 b) { return ~(a | b); }
OPERATION u32 xnor(u32 a, u32 b) { return ~(a ^ b); }
OPERATION u32 not_32(u32 a) { return ~a; }
OPERATION u64 and_64(u64 a, u64 b) { return a & b; }
OPERATION u64 or_64(u64 a, u64 b) { return a | b; }
OPERATION u64 xor_64(u64 a, u64 b) { return a ^ b; }
OPERATION u64 and_not_64(u64 a, u64 b) { return a & ~b; }
OPERATION u64 or_not_64(u64 a, u64 b) { return a | ~b; }
OPERATION u64 not_and_64(u64 a, u64 b) { return ~a & b; }
OPERATION u64 not_or_64(u64 a, u64 b) { return ~a | b; }
OPERATION u64 nand_64(u64 a, u64 b) { return ~(a & b); }
OPERATION u64 nor_64(u64 a, u64 b) { return ~(a | b); }
OPERATION u64 xnor_64(u64 a, u64 b) { return ~(a ^ b); }
OPERATION u64 not_64(u64 a) { return ~a; }
OPERATION u32 and_or(u32 a, u32 b, u32 c) { return (a & b) | c; }
OPERATION u32 or3(u32 a, u32 b, u32 c) { return a | b | c; }
OPERATION u32 xor3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
OPERATION u32 insert(u32 a, u32 b, u32 c) { return ((b ^ c) & a) ^ c; }
OPERATION u32 shl(u32 a, u32 b) { return a << (b % 32); }
OPERATION u32 shr(u32 a, u32 b) { return a >> (b % 32); }
OPERATION u32 sar(u32 a, u32 b) { return u(s(a) >> (b % 32)); }
OPERATION u32 shl_rev(u32 a, u32 b) { return b << (a % 32); }
OPERATION u32 shr_rev(u32 a, u32 b) { return b >> (a % 32); }
OPERATION u32 sar_rev(u32 a, u32 b) { return u(s(b) >> (a % 32)); }
OPERATION u64 shl_64(u64 a, u32 b) { return a << (b % 64); }
OPERATION u64 shr_64(u64 a, u32 b) { return a >> (b % 64); }
OPERATION u64 sar_64(u64 a, u32 b) { return u(s(a) >> (b % 64)); }
OPERATION u64 shl_rev_64(u32 a, u64 b) { return b << (a % 64); }
OPERATION u64 shr_rev_64(u32 a, u64 b) { return b >> (a % 64); }
OPERATION u64 sar_rev_64(u32 a, u64 b) { return u(s(b) >> (a % 64)); }
OPERATION u32 shift_or(u32 a, u32 b, u32 c) { return (a << (b % 32)) | c; }
OPERATION u32 field(u32 a, u32 b, u32 c) { return __builtin_amdgcn_ubfe(a, b, c); }
OPERATION u32 field_signed(u32 a, u32 b, u32 c) { return __builtin_amdgcn_sbfe(a, b, c); }
// A scalar opcode has the offset and the width in one register. A width of all bits or more has no meaning.
OPERATION u32 scalar_field(u32 a, u32 how) {
  u32 const width = how >> 16 & 127;
  return width < 32 ? __builtin_amdgcn_ubfe(a, how, width) : a >> how % 32;
}
OPERATION u32 scalar_field_signed(u32 a, u32 how) {
  u32 const width = how >> 16 & 127;
  return width < 32 ? __builtin_amdgcn_sbfe(a, how, width) : u(s(a) >> how % 32);
}
OPERATION u64 scalar_field_64(u64 a, u32 how) {
  u32 const width = how >> 16 & 127;
  u64 const down = a >> how % 64;
  return width < 64 ? down & ~(~0ull << width) : down;
}
OPERATION u64 scalar_field_signed_64(u64 a, u32 how) {
  u32 const width = how >> 16 & 127;
  i64 const down = s(a) >> how % 64;
  return width == 0 ? 0 : width < 64 ? u(s(u(down) << (64 - width)) >> (64 - width)) : u(down);
}
OPERATION u32 mask(u32 a, u32 b) { return ((1u << (a % 32)) - 1) << (b % 32); }
OPERATION u64 mask_64(u32 a, u32 b) { return ((1ull << (a % 64)) - 1) << (b % 64); }
OPERATION u32 align_bit(u32 a, u32 b, u32 c) { return fshr_of(a, b, c); }
OPERATION u32 align_byte(u32 a, u32 b, u32 c) { return fshr_of(a, b, c % 4 * 8); }
OPERATION u32 permute(u32 a, u32 b, u32 c) { return __builtin_amdgcn_perm(a, b, c); }
OPERATION u32 reverse(u32 a) { return __builtin_bitreverse32(a); }
OPERATION u64 reverse_64(u64 a) { return __builtin_bitreverse64(a); }
OPERATION u32 count(u32 a) { return u(__builtin_popcount(a)); }
OPERATION u32 count_64(u64 a) { return u(__builtin_popcountll(a)); }
OPERATION u32 count_zeros(u32 a) { return u(__builtin_popcount(~a)); }
OPERATION u32 count_zeros_64(u64 a) { return u(__builtin_popcountll(~a)); }
OPERATION u32 count_add(u32 a, u32 b) { return u(__builtin_popcount(a)) + b; }
OPERATION u32 lowest(u32 a) { return a == 0 ? ~0u : u(__builtin_ctz(a)); }
OPERATION u32 lowest_64(u64 a) { return a == 0 ? ~0u : u(__builtin_ctzll(a)); }
OPERATION u32 lowest_zero(u32 a) { return lowest(~a); }
OPERATION u32 highest(u32 a) { return a == 0 ? ~0u : u(__builtin_clz(a)); }
OPERATION u32 highest_64(u64 a) { return a == 0 ? ~0u : u(__builtin_clzll(a)); }
OPERATION u32 pack_low_low(u32 a, u32 b) { return fshl_of(b, a << 16, 16); }
OPERATION u32 pack_low_high(u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff0000u); }
OPERATION u32 pack_high_high(u32 a, u32 b) { return fshl_of(b >> 16, a, 16); }
OPERATION u32 clear_bit(u32 a, u32 b) { return a & ~fshl_of(1, 1, b); }
OPERATION u32 set_bit(u32 a, u32 b) { return a | fshl_of(1, 1, b); }
OPERATION u64 whole_quads(u64 a) { return wqm_of(a); }
// The lesser, the greater, and differences.
OPERATION u32 min_unsigned(u32 a, u32 b) { return __builtin_elementwise_min(a, b); }
OPERATION u32 max_unsigned(u32 a, u32 b) { return __builtin_elementwise_max(a, b); }
OPERATION u32 min_signed(u32 a, u32 b) { return u(__builtin_elementwise_min(s(a), s(b))); }
OPERATION u32 max_signed(u32 a, u32 b) { return u(__builtin_elementwise_max(s(a), s(b))); }
OPERATION u64 min_unsigned_scc(u32 a, u32 b) { return with(min_unsigned(a, b), a < b); }
OPERATION u64 max_unsigned_scc(u32 a, u32 b) { return with(max_unsigned(a, b), a >= b); }
OPERATION u64 min_signed_scc(u32 a, u32 b) { return with(min_signed(a, b), s(a) < s(b)); }
OPERATION u64 max_signed_scc(u32 a, u32 b) { return with(max_signed(a, b), s(a) >= s(b)); }
OPERATION u32 absolute(u32 a) { return s(a) < 0 ? 0 - a : a; }
OPERATION u32 absolute_difference(u32 a, u32 b) { return absolute(a - b); }
OPERATION u32 sum_of_difference(u32 a, u32 b, u32 c) { return max_unsigned(a, b) - min_unsigned(a, b) + c; }

// 16 bits.
OPERATION u32 add_16(u32 a, u32 b) { return static_cast<u16>(a + b); }
OPERATION u32 sub_16(u32 a, u32 b) { return static_cast<u16>(a - b); }
OPERATION u32 subrev_16(u32 a, u32 b) { return static_cast<u16>(b - a); }
OPERATION u32 mul_16(u32 a, u32 b) { return static_cast<u16>(a * b); }
OPERATION u32 mad_16(u32 a, u32 b, u32 c) { return static_cast<u16>(a * b + c); }
OPERATION u32 shl_rev_16(u32 a, u32 b) { return static_cast<u16>(b << (a % 16)); }
OPERATION u32 shr_rev_16(u32 a, u32 b) { return u32{static_cast<u16>(b)} >> (a % 16); }
OPERATION u32 sar_rev_16(u32 a, u32 b) { return static_cast<u16>(half(b) >> (a % 16)); }
OPERATION u32 min_16(u32 a, u32 b) { return __builtin_elementwise_min(static_cast<u16>(a), static_cast<u16>(b)); }
OPERATION u32 max_16(u32 a, u32 b) { return __builtin_elementwise_max(static_cast<u16>(a), static_cast<u16>(b)); }
OPERATION u32 and_16(u32 a, u32 b) { return static_cast<u16>(a & b); }
OPERATION u32 or_16(u32 a, u32 b) { return static_cast<u16>(a | b); }
OPERATION u32 xor_16(u32 a, u32 b) { return static_cast<u16>(a ^ b); }

// Two of 16 bits: LLVM's vectors.
using two = unsigned short __attribute__((ext_vector_type(2)));
static two pair(u32 a) { return __builtin_bit_cast(two, a); }
static u32 word(two a) { return __builtin_bit_cast(u32, a); }
OPERATION u32 add_two(u32 a, u32 b) { return word(pair(a) + pair(b)); }
OPERATION u32 sub_two(u32 a, u32 b) { return word(pair(a) - pair(b)); }
OPERATION u32 mul_two(u32 a, u32 b) { return word(pair(a) * pair(b)); }
OPERATION u32 shl_two(u32 a, u32 b) { return word(pair(b) << (pair(a) & two{15, 15})); }
OPERATION u32 shr_two(u32 a, u32 b) { return word(pair(b) >> (pair(a) & two{15, 15})); }
OPERATION u32 min_two(u32 a, u32 b) { return word(__builtin_elementwise_min(pair(a), pair(b))); }
OPERATION u32 max_two(u32 a, u32 b) { return word(__builtin_elementwise_max(pair(a), pair(b))); }

// Floating-point numbers.
OPERATION u32 float_of(u32 a) { return bits(static_cast<float>(a)); }
OPERATION u32 float_of_signed(u32 a) { return bits(static_cast<float>(s(a))); }
OPERATION u32 to_unsigned(u32 a) { return to_u32_of(f(a)); }
OPERATION u32 to_signed(u32 a) { return to_i32_of(f(a)); }
OPERATION u32 reciprocal(u32 a) { return bits(1.0f / f(a)); }
OPERATION u32 truncated(u32 a) { return bits(trunc_of(f(a))); }
OPERATION u32 mul_float(u32 a, u32 b) { return bits(f(a) * f(b)); }
OPERATION u32 add_float(u32 a, u32 b) { return bits(f(a) + f(b)); }
OPERATION u32 sub_float(u32 a, u32 b) { return bits(f(a) - f(b)); }
OPERATION u32 subrev_float(u32 a, u32 b) { return bits(f(b) - f(a)); }
OPERATION u32 fma_float(u32 a, u32 b, u32 c) { return bits(fma_of(f(a), f(b), f(c))); }
OPERATION u32 fma_onto(u32 c, u32 a, u32 b) { return bits(fma_of(f(a), f(b), f(c))); }

// Comparisons.
OPERATION u32 equal(u32 a, u32 b) { return a == b; }
OPERATION u32 differs(u32 a, u32 b) { return a != b; }
OPERATION u32 above(u32 a, u32 b) { return a > b; }
OPERATION u32 above_equal(u32 a, u32 b) { return a >= b; }
OPERATION u32 below(u32 a, u32 b) { return a < b; }
OPERATION u32 below_equal(u32 a, u32 b) { return a <= b; }
OPERATION u32 greater(u32 a, u32 b) { return s(a) > s(b); }
OPERATION u32 greater_equal(u32 a, u32 b) { return s(a) >= s(b); }
OPERATION u32 less(u32 a, u32 b) { return s(a) < s(b); }
OPERATION u32 less_equal(u32 a, u32 b) { return s(a) <= s(b); }
OPERATION u32 equal_64(u64 a, u64 b) { return a == b; }
OPERATION u32 differs_64(u64 a, u64 b) { return a != b; }
OPERATION u32 above_64(u64 a, u64 b) { return a > b; }
OPERATION u32 above_equal_64(u64 a, u64 b) { return a >= b; }
OPERATION u32 below_64(u64 a, u64 b) { return a < b; }
OPERATION u32 below_equal_64(u64 a, u64 b) { return a <= b; }
OPERATION u32 greater_64(u64 a, u64 b) { return s(a) > s(b); }
OPERATION u32 greater_equal_64(u64 a, u64 b) { return s(a) >= s(b); }
OPERATION u32 less_64(u64 a, u64 b) { return s(a) < s(b); }
OPERATION u32 less_equal_64(u64 a, u64 b) { return s(a) <= s(b); }
OPERATION u32 equal_16(u32 a, u32 b) { return same_16(a) == same_16(b); }
OPERATION u32 differs_16(u32 a, u32 b) { return same_16(a) != same_16(b); }
OPERATION u32 above_16(u32 a, u32 b) { return same_16(a) > same_16(b); }
OPERATION u32 above_equal_16(u32 a, u32 b) { return same_16(a) >= same_16(b); }
OPERATION u32 below_16(u32 a, u32 b) { return same_16(a) < same_16(b); }
OPERATION u32 below_equal_16(u32 a, u32 b) { return same_16(a) <= same_16(b); }
OPERATION u32 greater_16(u32 a, u32 b) { return half(a) > half(b); }
OPERATION u32 greater_equal_16(u32 a, u32 b) { return half(a) >= half(b); }
OPERATION u32 less_16(u32 a, u32 b) { return half(a) < half(b); }
OPERATION u32 less_equal_16(u32 a, u32 b) { return half(a) <= half(b); }
OPERATION u32 equal_float(u32 a, u32 b) { return f(a) == f(b); }
OPERATION u32 less_float(u32 a, u32 b) { return f(a) < f(b); }
OPERATION u32 less_equal_float(u32 a, u32 b) { return f(a) <= f(b); }
OPERATION u32 greater_float(u32 a, u32 b) { return f(a) > f(b); }
OPERATION u32 greater_equal_float(u32 a, u32 b) { return f(a) >= f(b); }
OPERATION u32 lesser_or_greater(u32 a, u32 b) { return __builtin_islessgreater(f(a), f(b)); }
OPERATION u32 ordered(u32 a, u32 b) { return !__builtin_isunordered(f(a), f(b)); }
OPERATION u32 unordered(u32 a, u32 b) { return __builtin_isunordered(f(a), f(b)); }
OPERATION u32 not_equal_float(u32 a, u32 b) { return f(a) != f(b); }
OPERATION u32 not_less_float(u32 a, u32 b) { return !(f(a) < f(b)); }
OPERATION u32 not_less_equal_float(u32 a, u32 b) { return !(f(a) <= f(b)); }
OPERATION u32 not_greater_float(u32 a, u32 b) { return !(f(a) > f(b)); }
OPERATION u32 not_greater_equal_float(u32 a, u32 b) { return !(f(a) >= f(b)); }
OPERATION u32 not_lesser_or_greater(u32 a, u32 b) { return !__builtin_islessgreater(f(a), f(b)); }
OPERATION u32 equal_k(u32 a, u32 k) { return a == same_16(k); }
OPERATION u32 differs_k(u32 a, u32 k) { return a != same_16(k); }
OPERATION u32 above_k(u32 a, u32 k) { return a > same_16(k); }
OPERATION u32 above_equal_k(u32 a, u32 k) { return a >= same_16(k); }
OPERATION u32 below_k(u32 a, u32 k) { return a < same_16(k); }
OPERATION u32 below_equal_k(u32 a, u32 k) { return a <= same_16(k); }
OPERATION u32 equal_signed_k(u32 a, u32 k) { return a == extend_16(k); }
OPERATION u32 differs_signed_k(u32 a, u32 k) { return a != extend_16(k); }
OPERATION u32 greater_k(u32 a, u32 k) { return s(a) > half(k); }
OPERATION u32 greater_equal_k(u32 a, u32 k) { return s(a) >= half(k); }
OPERATION u32 less_k(u32 a, u32 k) { return s(a) < half(k); }
OPERATION u32 less_equal_k(u32 a, u32 k) { return s(a) <= half(k); }
OPERATION u32 bit_is_0(u32 a, u32 b) { return (a & fshl_of(1, 1, b)) == 0; }
OPERATION u32 bit_is_1(u32 a, u32 b) { return (a & fshl_of(1, 1, b)) != 0; }
OPERATION u32 bit_is_0_64(u64 a, u32 b) { return (a & 1ull << b % 64) == 0; }
OPERATION u32 bit_is_1_64(u64 a, u32 b) { return (a & 1ull << b % 64) != 0; }

// What the families of everyday code add.
OPERATION u32 float_of_byte_0(u32 a) { return bits(static_cast<float>(static_cast<unsigned char>(a))); }
OPERATION u32 float_of_byte_1(u32 a) { return bits(static_cast<float>(static_cast<unsigned char>(a >> 8))); }
OPERATION u32 float_of_byte_2(u32 a) { return bits(static_cast<float>(static_cast<unsigned char>(a >> 16))); }
OPERATION u32 float_of_byte_3(u32 a) { return bits(static_cast<float>(static_cast<unsigned char>(a >> 24))); }
OPERATION u32 floor_float(u32 a) { return bits(floor_of(f(a))); }
OPERATION u32 ceil_float(u32 a) { return bits(ceil_of(f(a))); }
OPERATION u32 even_float(u32 a) { return bits(even_of(f(a))); }
OPERATION u32 mul_24_signed_high(u32 a, u32 b) {
  return static_cast<u32>(u(i64{s(a << 8) >> 8} * i64{s(b << 8) >> 8}) >> 32);
}
OPERATION u32 sign_run(u32 a) {
  u32 const changes = a ^ u(s(a) >> 31);
  return changes == 0 ? ~0u : u(__builtin_clz(changes));
}
OPERATION u32 sign_run_64(u64 a) {
  u64 const changes = a ^ u(s(a) >> 63);
  return changes == 0 ? ~0u : u(__builtin_clzll(changes));
}
template <class T>
static T least(T a, T b) { return __builtin_elementwise_min(a, b); }
template <class T>
static T greatest(T a, T b) { return __builtin_elementwise_max(a, b); }
template <class T>
static T middle(T a, T b, T c) { return greatest(least(a, b), least(greatest(a, b), c)); }
static u16 h(u32 a) { return static_cast<u16>(a); }
static i16 sh(u32 a) { return static_cast<i16>(a); }
OPERATION u32 least_of_3(u32 a, u32 b, u32 c) { return least(least(a, b), c); }
OPERATION u32 greatest_of_3(u32 a, u32 b, u32 c) { return greatest(greatest(a, b), c); }
OPERATION u32 middle_of_3(u32 a, u32 b, u32 c) { return middle(a, b, c); }
OPERATION u32 least_signed_of_3(u32 a, u32 b, u32 c) { return u(least(least(s(a), s(b)), s(c))); }
OPERATION u32 greatest_signed_of_3(u32 a, u32 b, u32 c) { return u(greatest(greatest(s(a), s(b)), s(c))); }
OPERATION u32 middle_signed_of_3(u32 a, u32 b, u32 c) { return u(middle(s(a), s(b), s(c))); }
OPERATION u32 max_then_min(u32 a, u32 b, u32 c) { return least(greatest(a, b), c); }
OPERATION u32 min_then_max(u32 a, u32 b, u32 c) { return greatest(least(a, b), c); }
OPERATION u32 max_then_min_signed(u32 a, u32 b, u32 c) { return u(least(greatest(s(a), s(b)), s(c))); }
OPERATION u32 min_then_max_signed(u32 a, u32 b, u32 c) { return u(greatest(least(s(a), s(b)), s(c))); }
OPERATION u32 least_of_3_16(u32 a, u32 b, u32 c) { return least(least(h(a), h(b)), h(c)); }
OPERATION u32 greatest_of_3_16(u32 a, u32 b, u32 c) { return greatest(greatest(h(a), h(b)), h(c)); }
OPERATION u32 middle_of_3_16(u32 a, u32 b, u32 c) { return middle(h(a), h(b), h(c)); }
OPERATION u32 least_signed_of_3_16(u32 a, u32 b, u32 c) { return h(u(least(least(sh(a), sh(b)), sh(c)))); }
OPERATION u32 greatest_signed_of_3_16(u32 a, u32 b, u32 c) { return h(u(greatest(greatest(sh(a), sh(b)), sh(c)))); }
OPERATION u32 middle_signed_of_3_16(u32 a, u32 b, u32 c) { return h(u(middle(sh(a), sh(b), sh(c)))); }
OPERATION u32 min_16_signed(u32 a, u32 b) { return h(u(least(sh(a), sh(b)))); }
OPERATION u32 max_16_signed(u32 a, u32 b) { return h(u(greatest(sh(a), sh(b)))); }
OPERATION u32 not_16(u32 a) { return h(~a); }
static u32 distance(u32 a, u32 b, u32 at, u32 mask) {
  u32 const x = a >> at & mask, y = b >> at & mask;
  return greatest(x, y) - least(x, y);
}
OPERATION u32 distances_8(u32 a, u32 b, u32 c) {
  return distance(a, b, 0, 255) + distance(a, b, 8, 255) + distance(a, b, 16, 255) + distance(a, b, 24, 255) + c;
}
OPERATION u32 distances_8_high(u32 a, u32 b, u32 c) { return (distances_8(a, b, 0) << 16) + c; }
OPERATION u32 distances_16(u32 a, u32 b, u32 c) { return distance(a, b, 0, 65535) + distance(a, b, 16, 65535) + c; }
OPERATION u32 select_k(u32 a, u32 k, u32 bit) { return bit ? extend_16(k) : a; }
OPERATION u32 lowest_zero_64(u64 a) { return ~a == 0 ? ~0u : u(__builtin_ctzll(~a)); }
OPERATION u32 pack_high_low(u32 a, u32 b) { return fshl_of(b, a, 16); }
OPERATION u64 clear_bit_64(u64 a, u32 b) { return a & ~(1ull << b % 64); }
OPERATION u64 set_bit_64(u64 a, u32 b) { return a | 1ull << b % 64; }
OPERATION u64 twice_each_bit(u32 a) { return twice_of(a); }
OPERATION u32 quads(u32 a) { return quads_of(a); }
OPERATION u64 quads_64(u64 a) { return quads_of_64(a); }
OPERATION u32 whole_quads_32(u32 a) { return wqm_of_32(a); }
