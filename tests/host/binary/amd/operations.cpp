// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd/arithmetic.hpp>
#include <coalesce/host/binary/amd/decode.hpp>
#include <coalesce/host/binary/amd/lanes.hpp>
#include <coalesce/host/binary/amd/targets.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>
#include "machinery/check.hpp"

// Each row of the tables of opcodes beside a slow oracle, which works on lists of bits; and values whose bits are
// partly unknown beside all values that they stand for.

namespace amdgcn = coalescing::amdgcn;
namespace binary = coalescing::binary;
using binary::value;

namespace {

// ---- The oracle: numbers as lists of bits, the lowest first ----

using bits = std::vector<int>;
bits list(std::uint64_t a, unsigned width) {
  bits to;
  for (unsigned k = 0; k != width; ++k, a /= 2) to.push_back(static_cast<int>(a % 2));
  return to;
}
std::uint64_t number(bits const& a) {
  std::uint64_t to = 0;
  for (std::size_t k = a.size(); k != 0; --k) to = 2 * to + static_cast<std::uint64_t>(a[k - 1]);
  return to;
}
bits cut(bits a, std::size_t width, int fill = 0) { return a.resize(width, fill), a; }
bits stretched(bits const& a, std::size_t width) { return cut(a, width, a.back()); }
bits flipped(bits a) {
  for (int& bit : a) bit = 1 - bit;
  return a;
}
/// The sum, with the carry as one more bit.
bits sum(bits const& a, bits const& b, int carry = 0) {
  bits to;
  for (std::size_t k = 0; k != a.size(); ++k) {
    int const all = a[k] + b[k] + carry;
    to.push_back(all % 2), carry = all / 2;
  }
  to.push_back(carry);
  return to;
}
/// a - b - borrow, with the borrow as one more bit.
bits difference(bits const& a, bits const& b, int borrow = 0) {
  bits to = sum(a, flipped(b), 1 - borrow);
  to.back() = 1 - to.back();
  return to;
}
bits plain(bits with_carry) { return with_carry.pop_back(), with_carry; }
bits up(bits const& a, std::size_t count) {
  bits to(a.size());
  for (std::size_t k = count; k < a.size(); ++k) to[k] = a[k - count];
  return to;
}
bits down(bits const& a, std::size_t count, int fill = 0) {
  bits to(a.size(), fill);
  for (std::size_t k = 0; k + count < a.size(); ++k) to[k] = a[k + count];
  return to;
}
/// The product, as wide as both together.
bits product(bits const& a, bits const& b) {
  bits to(a.size() + b.size());
  for (std::size_t k = 0; k != b.size(); ++k)
    if (b[k] != 0) to = plain(sum(to, up(cut(a, to.size()), k)));
  return to;
}
bits signed_product(bits const& a, bits const& b) {
  std::size_t const width = a.size() + b.size();
  return cut(product(stretched(a, width), stretched(b, width)), width);
}
bool less(bits const& a, bits const& b) { return difference(a, b).back() == 1; }
bool signed_less(bits a, bits b) {
  std::swap(a.back(), b.back());  // the sign counts the other way round
  return less(a, b);
}
std::size_t ones(bits const& a) {
  std::size_t count = 0;
  for (int const bit : a) count += static_cast<std::size_t>(bit);
  return count;
}
template <class Pick>
bits each_bit(bits const& a, bits const& b, bits const& c, Pick const& pick) {
  bits to;
  for (std::size_t k = 0; k != a.size(); ++k)
    to.push_back(pick(a[k], k < b.size() ? b[k] : 0, k < c.size() ? c[k] : 0));
  return to;
}
bits with(bits a, bool bit) { return a.push_back(bit ? 1 : 0), a; }
std::size_t amount(bits const& a, std::size_t width) { return number(cut(a, width)); }
bits first_from(bits const& a, bool from_above) {
  for (std::size_t k = 0; k != a.size(); ++k)
    if (a[from_above ? a.size() - 1 - k : k] != 0) return list(k, 32);
  return list(0xffffffff, 32);
}
bits turned(bits const& a) { return {a.rbegin(), a.rend()}; }
bits field(bits const& a, std::size_t offset, std::size_t width, bool with_sign) {
  if (width == 0) return bits(a.size());
  bits const part = cut(down(a, offset, with_sign ? a.back() : 0), width < a.size() ? width : a.size());
  return with_sign ? stretched(part, a.size()) : cut(part, a.size());
}

/// A result: the register's bits, and the carry or SCC behind them where the row has one.
using oracle = std::function<bits(bits const&, bits const&, bits const&)>;
std::map<std::string, oracle> oracles() {
  std::map<std::string, oracle> to;
  auto const add = [&to](std::initializer_list<char const*> names, oracle const& means) {
    for (char const* name : names) to[name] = means;
  };
  using B = bits const&;
  add({"v_mov_b32", "v_mov_b64", "v_mov_b16", "s_mov_b32", "s_mov_b64", "v_accvgpr_read_b32", "v_accvgpr_write_b32",
       "v_accvgpr_mov_b32"},
      [](B a, B, B) { return a; });
  add({"s_cmov_b32", "s_cmov_b64"}, [](B a, B b, B c) { return c[0] ? a : b; });
  add({"s_cselect_b32", "s_cselect_b64"}, [](B a, B b, B c) { return c[0] ? a : b; });
  add({"v_cndmask_b32", "v_cndmask_b16"}, [](B a, B b, B c) { return c[0] ? b : a; });
  add({"s_movk_i32", "s_sext_i32_i16"}, [](B a, B, B) { return stretched(cut(a, 16), 32); });
  add({"s_sext_i32_i8"}, [](B a, B, B) { return stretched(cut(a, 8), 32); });
  add({"s_add_u32", "v_add_co_u32"}, [](B a, B b, B) { return sum(a, b); });
  add({"s_sub_u32", "v_sub_co_u32"}, [](B a, B b, B) { return difference(a, b); });
  add({"v_subrev_co_u32"}, [](B a, B b, B) { return difference(b, a); });
  add({"s_addc_u32", "v_addc_co_u32"}, [](B a, B b, B c) { return sum(a, b, c[0]); });
  add({"s_subb_u32", "v_subb_co_u32"}, [](B a, B b, B c) { return difference(a, b, c[0]); });
  add({"v_subbrev_co_u32"}, [](B a, B b, B c) { return difference(b, a, c[0]); });
  add({"v_add_u32", "v_add_i32", "s_add_u64", "v_add_u64", "v_add_u16"}, [](B a, B b, B) { return plain(sum(a, b)); });
  add({"v_sub_u32", "v_sub_i32", "s_sub_u64", "v_sub_u16"}, [](B a, B b, B) { return plain(difference(a, b)); });
  add({"v_subrev_u32", "v_subrev_u16"}, [](B a, B b, B) { return plain(difference(b, a)); });
  auto const overflowing = [](bits const& wide) { return with(cut(wide, 32), wide[31] != wide[32]); };
  add({"s_add_i32"}, [=](B a, B b, B) { return overflowing(plain(sum(stretched(a, 33), stretched(b, 33)))); });
  add({"s_sub_i32"}, [=](B a, B b, B) { return overflowing(plain(difference(stretched(a, 33), stretched(b, 33)))); });
  add({"s_addk_i32"},
      [=](B a, B b, B) { return overflowing(plain(sum(stretched(a, 33), stretched(cut(b, 16), 33)))); });
  add({"s_mulk_i32"}, [](B a, B b, B) { return cut(product(a, stretched(cut(b, 16), 32)), 32); });
  for (unsigned k = 1; k != 5; ++k)
    to["s_lshl" + std::to_string(k) + "_add_u32"] = [k](B a, B b, B) {
      bits const all = sum(up(cut(a, 40), k), cut(b, 40));
      return with(cut(all, 32), ones(down(all, 32)) != 0);
    };
  add({"s_mul_i32", "v_mul_lo_u32"}, [](B a, B b, B) { return cut(product(a, b), 32); });
  add({"s_mul_u64"}, [](B a, B b, B) { return cut(product(a, b), 64); });
  add({"s_mul_hi_u32", "v_mul_hi_u32"}, [](B a, B b, B) { return cut(down(product(a, b), 32), 32); });
  add({"s_mul_hi_i32", "v_mul_hi_i32"}, [](B a, B b, B) { return cut(down(signed_product(a, b), 32), 32); });
  add({"v_mul_u32_u24"}, [](B a, B b, B) { return cut(product(cut(a, 24), cut(b, 24)), 32); });
  add({"v_mul_i32_i24"}, [](B a, B b, B) { return cut(signed_product(cut(a, 24), cut(b, 24)), 32); });
  add({"v_mul_hi_u32_u24"}, [](B a, B b, B) { return cut(down(product(cut(a, 24), cut(b, 24)), 32), 32); });
  add({"v_mad_u32_u24"}, [](B a, B b, B c) { return plain(sum(cut(product(cut(a, 24), cut(b, 24)), 32), c)); });
  add({"v_mad_i32_i24"}, [](B a, B b, B c) { return plain(sum(cut(signed_product(cut(a, 24), cut(b, 24)), 32), c)); });
  add({"v_mad_u64_u32"}, [](B a, B b, B c) { return plain(sum(product(a, b), c)); });
  add({"v_mad_i64_i32"}, [](B a, B b, B c) { return plain(sum(signed_product(a, b), c)); });
  add({"v_mad_u32_u16"}, [](B a, B b, B c) { return plain(sum(product(a, b), c)); });
  add({"v_mad_i32_i16"}, [](B a, B b, B c) { return plain(sum(signed_product(a, b), c)); });
  add({"v_mul_lo_u16"}, [](B a, B b, B) { return cut(product(a, b), 16); });
  add({"v_mad_legacy_u16"}, [](B a, B b, B c) { return plain(sum(cut(product(a, b), 16), c)); });
  add({"v_add3_u32"}, [](B a, B b, B c) { return plain(sum(plain(sum(a, b)), c)); });
  add({"v_lshl_add_u32"}, [](B a, B b, B c) { return plain(sum(up(a, amount(b, 5)), c)); });
  add({"v_add_lshl_u32"}, [](B a, B b, B c) { return up(plain(sum(a, b)), amount(c, 5)); });
  add({"v_lshl_add_u64"}, [](B a, B b, B c) { return plain(sum(up(a, amount(b, 3)), c)); });
  auto const bit = [&to](std::initializer_list<char const*> names, int (*pick)(int, int, int)) {
    for (char const* name : names) to[name] = [pick](B a, B b, B c) { return each_bit(a, b, c, pick); };
  };
  add({"v_xad_u32"},
      [](B a, B b, B c) { return plain(sum(each_bit(a, b, c, [](int x, int y, int) { return x != y ? 1 : 0; }), c)); });
  bit({"v_and_b32", "v_and_b16"}, [](int a, int b, int) { return a * b; });
  bit({"v_or_b32", "v_or_b16"}, [](int a, int b, int) { return a + b != 0 ? 1 : 0; });
  bit({"v_xor_b32", "v_xor_b16"}, [](int a, int b, int) { return (a + b) % 2; });
  bit({"v_xnor_b32"}, [](int a, int b, int) { return (a + b + 1) % 2; });
  bit({"v_not_b32"}, [](int a, int, int) { return 1 - a; });
  bit({"v_and_or_b32"}, [](int a, int b, int c) { return a * b + c != 0 ? 1 : 0; });
  bit({"v_or3_b32"}, [](int a, int b, int c) { return a + b + c != 0 ? 1 : 0; });
  bit({"v_xor3_b32"}, [](int a, int b, int c) { return (a + b + c) % 2; });
  bit({"v_bfi_b32"}, [](int a, int b, int c) { return a != 0 ? b : c; });
  // Scalar: SCC tells whether the result is not 0.
  auto const tested = [](bits const& a) { return with(a, ones(a) != 0); };
  auto const scalar = [&](char const* stem, int (*pick)(int, int, int)) {
    for (char const* const width : {"_b32", "_b64"})
      to[std::string(stem) + width] = [=](B a, B b, B c) { return tested(each_bit(a, b, c, pick)); };
  };
  scalar("s_and", [](int a, int b, int) { return a * b; });
  scalar("s_or", [](int a, int b, int) { return a + b != 0 ? 1 : 0; });
  scalar("s_xor", [](int a, int b, int) { return (a + b) % 2; });
  scalar("s_andn2", [](int a, int b, int) { return a * (1 - b); });
  scalar("s_orn2", [](int a, int b, int) { return a == 0 && b == 1 ? 0 : 1; });
  scalar("s_nand", [](int a, int b, int) { return 1 - a * b; });
  scalar("s_nor", [](int a, int b, int) { return a + b == 0 ? 1 : 0; });
  scalar("s_xnor", [](int a, int b, int) { return a == b ? 1 : 0; });
  scalar("s_not", [](int a, int, int) { return 1 - a; });
  add({"s_lshl_b32"}, [=](B a, B b, B) { return tested(up(a, amount(b, 5))); });
  add({"s_lshl_b64"}, [=](B a, B b, B) { return tested(up(a, amount(b, 6))); });
  add({"s_lshr_b32"}, [=](B a, B b, B) { return tested(down(a, amount(b, 5))); });
  add({"s_lshr_b64"}, [=](B a, B b, B) { return tested(down(a, amount(b, 6))); });
  add({"s_ashr_i32"}, [=](B a, B b, B) { return tested(down(a, amount(b, 5), a.back())); });
  add({"s_ashr_i64"}, [=](B a, B b, B) { return tested(down(a, amount(b, 6), a.back())); });
  add({"v_lshlrev_b32"}, [](B a, B b, B) { return up(b, amount(a, 5)); });
  add({"v_lshrrev_b32"}, [](B a, B b, B) { return down(b, amount(a, 5)); });
  add({"v_ashrrev_i32"}, [](B a, B b, B) { return down(b, amount(a, 5), b.back()); });
  add({"v_lshlrev_b64"}, [](B a, B b, B) { return up(b, amount(a, 6)); });
  add({"v_lshrrev_b64"}, [](B a, B b, B) { return down(b, amount(a, 6)); });
  add({"v_ashrrev_i64"}, [](B a, B b, B) { return down(b, amount(a, 6), b.back()); });
  add({"v_lshlrev_b16"}, [](B a, B b, B) { return up(b, amount(a, 4)); });
  add({"v_lshrrev_b16"}, [](B a, B b, B) { return down(b, amount(a, 4)); });
  add({"v_ashrrev_i16"}, [](B a, B b, B) { return down(b, amount(a, 4), b.back()); });
  add({"v_lshl_or_b32"}, [](B a, B b, B c) {
    return each_bit(up(a, amount(b, 5)), c, c, [](int x, int y, int) { return x + y != 0 ? 1 : 0; });
  });
  add({"s_bfm_b32", "v_bfm_b32"}, [](B a, B b, B) { return up(cut(bits(amount(a, 5), 1), 32), amount(b, 5)); });
  add({"s_bfm_b64"}, [](B a, B b, B) { return up(cut(bits(amount(a, 6), 1), 64), amount(b, 6)); });
  add({"s_bfe_u32"}, [=](B a, B b, B) { return tested(field(a, amount(b, 5), amount(down(b, 16), 7), false)); });
  add({"s_bfe_i32"}, [=](B a, B b, B) { return tested(field(a, amount(b, 5), amount(down(b, 16), 7), true)); });
  add({"s_bfe_u64"}, [=](B a, B b, B) { return tested(field(a, amount(b, 6), amount(down(b, 16), 7), false)); });
  add({"s_bfe_i64"}, [=](B a, B b, B) { return tested(field(a, amount(b, 6), amount(down(b, 16), 7), true)); });
  add({"v_bfe_u32"}, [](B a, B b, B c) { return field(a, amount(b, 5), amount(c, 5), false); });
  add({"v_bfe_i32"}, [](B a, B b, B c) { return field(a, amount(b, 5), amount(c, 5), true); });
  auto const joined = [](bits low, bits const& high) { return low.insert(low.end(), high.begin(), high.end()), low; };
  add({"v_alignbit_b32"}, [=](B a, B b, B c) { return cut(down(joined(b, a), amount(c, 5)), 32); });
  add({"v_alignbyte_b32"}, [=](B a, B b, B c) { return cut(down(joined(b, a), 8 * amount(c, 2)), 32); });
  add({"v_perm_b32"}, [=](B a, B b, B c) {
    bits const all = joined(b, a);
    bits made;
    for (std::size_t k = 0; k != 4; ++k) {
      std::size_t const from = amount(down(c, 8 * k), 8);
      bits byte(8, from == 12 ? 0 : 1);
      if (from < 8) byte = cut(down(all, 8 * from), 8);
      if (from == 8) byte = bits(8, b[15]);
      if (from == 9) byte = bits(8, b[31]);
      if (from == 10) byte = bits(8, a[15]);
      if (from == 11) byte = bits(8, a[31]);
      made = joined(made, byte);
    }
    return made;
  });
  add({"s_brev_b32", "s_brev_b64", "v_bfrev_b32"}, [](B a, B, B) { return turned(a); });
  add({"s_bcnt1_i32_b32", "s_bcnt1_i32_b64"}, [=](B a, B, B) { return tested(list(ones(a), 32)); });
  add({"s_bcnt0_i32_b32", "s_bcnt0_i32_b64"}, [=](B a, B, B) { return tested(list(ones(flipped(a)), 32)); });
  add({"v_bcnt_u32_b32"}, [](B a, B b, B) { return plain(sum(list(ones(a), 32), b)); });
  add({"s_ff1_i32_b32", "s_ff1_i32_b64", "v_ffbl_b32"}, [](B a, B, B) { return first_from(a, false); });
  add({"s_ff0_i32_b32"}, [](B a, B, B) { return first_from(flipped(a), false); });
  add({"s_flbit_i32_b32", "s_flbit_i32_b64", "v_ffbh_u32"}, [](B a, B, B) { return first_from(a, true); });
  add({"v_mbcnt_lo_u32_b32"},
      [](B a, B b, B lane) { return plain(sum(list(ones(cut(a, number(lane) < 32 ? number(lane) : 32)), 32), b)); });
  add({"v_mbcnt_hi_u32_b32"}, [](B a, B b, B lane) {
    return plain(sum(list(ones(cut(a, number(lane) < 32 ? 0 : number(lane) - 32)), 32), b));
  });
  add({"s_pack_ll_b32_b16"}, [=](B a, B b, B) { return joined(cut(a, 16), cut(b, 16)); });
  add({"s_pack_lh_b32_b16"}, [=](B a, B b, B) { return joined(cut(a, 16), cut(down(b, 16), 16)); });
  add({"s_pack_hh_b32_b16"}, [=](B a, B b, B) { return joined(cut(down(a, 16), 16), cut(down(b, 16), 16)); });
  for (int const made : {0, 1})
    for (unsigned const counted : {5u, 6u}) {
      std::string const name = "s_bitset" + std::to_string(made) + (counted == 5 ? "_b32" : "_b64");
      add({name.c_str()}, [=](B a, B b, B) {
        bits to_(a);
        to_[amount(b, counted)] = made;
        return to_;
      });
    }
  add({"s_wqm_b64"}, [=](B a, B, B) {
    bits made(64);
    for (std::size_t k = 0; k != 64; ++k)
      for (std::size_t n = k / 4 * 4; n != k / 4 * 4 + 4; ++n) made[k] = made[k] + a[n] != 0 ? 1 : 0;
    return tested(made);
  });
  add({"s_abs_i32"}, [=](B a, B, B) { return tested(a.back() ? plain(difference(bits(32), a)) : a); });
  add({"s_absdiff_i32"}, [=](B a, B b, B) {
    bits const part = plain(difference(a, b));
    return tested(part.back() ? plain(difference(bits(32), part)) : part);
  });
  add({"s_min_i32"}, [](B a, B b, B) { return with(signed_less(a, b) ? a : b, signed_less(a, b)); });
  add({"s_max_i32"}, [](B a, B b, B) { return with(signed_less(b, a) ? a : b, !signed_less(a, b)); });
  add({"s_min_u32"}, [](B a, B b, B) { return with(less(a, b) ? a : b, less(a, b)); });
  add({"s_max_u32"}, [](B a, B b, B) { return with(less(b, a) ? a : b, !less(a, b)); });
  add({"v_min_u32", "v_min_u16"}, [](B a, B b, B) { return less(a, b) ? a : b; });
  add({"v_max_u32", "v_max_u16"}, [](B a, B b, B) { return less(a, b) ? b : a; });
  add({"v_min_i32"}, [](B a, B b, B) { return signed_less(a, b) ? a : b; });
  add({"v_max_i32"}, [](B a, B b, B) { return signed_less(a, b) ? b : a; });
  auto const least = [](B a, B b, B c, bool is_signed, bool is_greatest) {
    bits found = a;
    for (bits const& each : {b, c}) {
      bool const is_less = is_signed ? signed_less(each, found) : less(each, found);
      if (each != found && is_less != is_greatest) found = each;
    }
    return found;
  };
  auto const nth = [=](B a, B b, B c, bool is_signed, int which) {  // 0: the least of three, 2: the greatest
    bits const low = least(a, b, c, is_signed, false), high = least(a, b, c, is_signed, true);
    if (which != 1) return which == 0 ? low : high;
    return a == low    ? (b == high   ? c
                          : c == high ? b
                                      : least(b, c, c, is_signed, false))
           : a == high ? (b == low   ? c
                          : c == low ? b
                                     : least(b, c, c, is_signed, true))
                       : a;
  };
  for (bool const is_signed : {false, true}) {
    std::string const type = is_signed ? "i" : "u";
    for (char const* const width : {"32", "16"}) {
      to["v_min3_" + type + width] = [=](B a, B b, B c) { return nth(a, b, c, is_signed, 0); };
      to["v_med3_" + type + width] = [=](B a, B b, B c) { return nth(a, b, c, is_signed, 1); };
      to["v_max3_" + type + width] = [=](B a, B b, B c) { return nth(a, b, c, is_signed, 2); };
    }
    to["v_maxmin_" + type + "32"] = [=](B a, B b, B c) {
      bits const high = least(a, b, b, is_signed, true);
      return least(high, c, c, is_signed, false);
    };
    to["v_minmax_" + type + "32"] = [=](B a, B b, B c) {
      bits const low = least(a, b, b, is_signed, false);
      return least(low, c, c, is_signed, true);
    };
  }
  add({"v_min_i16"}, [](B a, B b, B) { return signed_less(a, b) ? a : b; });
  add({"v_max_i16"}, [](B a, B b, B) { return signed_less(a, b) ? b : a; });
  add({"v_mul_hi_i32_i24"}, [](B a, B b, B) {
    return cut(down(signed_product(stretched(cut(a, 24), 32), stretched(cut(b, 24), 32)), 32), 32);
  });
  add({"v_cvt_u32_u16"}, [](B a, B, B) { return cut(a, 32); });
  add({"v_cvt_i32_i16"}, [](B a, B, B) { return stretched(a, 32); });
  add({"v_mad_legacy_i16", "v_mad_u16", "v_mad_i16"},
      [](B a, B b, B c) { return plain(sum(cut(product(a, b), 16), c)); });
  add({"v_add_i16"}, [](B a, B b, B) { return plain(sum(a, b)); });
  add({"v_sub_i16"}, [](B a, B b, B) { return plain(difference(a, b)); });
  add({"v_not_b16"}, [](B a, B, B) { return flipped(a); });
  add({"s_ff0_i32_b64"}, [](B a, B, B) { return first_from(flipped(a), false); });
  add({"s_flbit_i32", "s_flbit_i32_i64", "v_ffbh_i32"}, [](B a, B, B) {
    return first_from(a.back() != 0 ? flipped(a) : a, true);  // the first bit that is not the sign
  });
  add({"s_cmovk_i32"}, [](B a, B b, B c) { return c[0] != 0 ? stretched(cut(a, 16), 32) : b; });
  add({"s_pack_hl_b32_b16"}, [=](B a, B b, B) { return joined(cut(down(a, 16), 16), cut(b, 16)); });
  add({"s_bitreplicate_b64_b32"}, [](B a, B, B) {
    bits made;
    for (int const one : a) made.push_back(one), made.push_back(one);
    return made;
  });
  add({"s_quadmask_b32", "s_quadmask_b64"}, [=](B a, B, B) {
    bits made;
    for (std::size_t k = 0; k != a.size(); k += 4) made.push_back(ones(cut(down(a, k), 4)) != 0 ? 1 : 0);
    return tested(cut(made, a.size()));
  });
  add({"s_wqm_b32"}, [=](B a, B, B) {
    bits made(32);
    for (std::size_t k = 0; k != 32; ++k) made[k] = ones(cut(down(a, k / 4 * 4), 4)) != 0 ? 1 : 0;
    return tested(made);
  });
  auto const distances = [](B a, B b, std::size_t width) {
    bits all(32);
    for (std::size_t at = 0; at != 32; at += width) {
      bits const x = cut(down(a, at), width), y = cut(down(b, at), width);
      all = plain(sum(all, cut(plain(less(x, y) ? difference(y, x) : difference(x, y)), 32)));
    }
    return all;
  };
  add({"v_sad_u8"}, [=](B a, B b, B c) { return plain(sum(distances(a, b, 8), c)); });
  add({"v_sad_hi_u8"}, [=](B a, B b, B c) { return plain(sum(up(distances(a, b, 8), 16), c)); });
  add({"v_sad_u16"}, [=](B a, B b, B c) { return plain(sum(distances(a, b, 16), c)); });
  add({"v_sad_u32"},
      [](B a, B b, B c) { return plain(sum(plain(less(a, b) ? difference(b, a) : difference(a, b)), c)); });
  auto const compare = [&](char const* name, bool (*holds)(bool is_less, bool is_equal)) {
    auto const put = [&](std::string const& opcode, bool is_signed, bool is_short) {
      to[opcode] = [=](B a, B b, B) {
        bits const other = is_short ? (is_signed ? stretched(cut(b, 16), 32) : cut(cut(b, 16), 32)) : b;
        return bits{holds(is_signed ? signed_less(a, other) : less(a, other), a == other) ? 1 : 0};
      };
    };
    for (bool const is_signed : {false, true}) {
      put("s_cmp_" + std::string(name) + (is_signed ? "_i32" : "_u32"), is_signed, false);
      put("s_cmpk_" + std::string(name) + (is_signed ? "_i32" : "_u32"), is_signed, true);
    }
    put("s_cmp_" + std::string(name) + "_u64", false, false);
  };
  compare("eq", [](bool, bool e) { return e; });
  compare("lg", [](bool, bool e) { return !e; });
  compare("lt", [](bool l, bool) { return l; });
  compare("le", [](bool l, bool e) { return l || e; });
  compare("gt", [](bool l, bool e) { return !l && !e; });
  compare("ge", [](bool l, bool) { return !l; });
  add({"s_bitcmp0_b32"}, [](B a, B b, B) { return bits{1 - a[amount(b, 5)]}; });
  add({"s_bitcmp1_b32"}, [](B a, B b, B) { return bits{a[amount(b, 5)]}; });
  add({"s_bitcmp0_b64"}, [](B a, B b, B) { return bits{1 - a[amount(b, 6)]}; });
  add({"s_bitcmp1_b64"}, [](B a, B b, B) { return bits{a[amount(b, 6)]}; });
  return to;
}

std::mt19937_64 engine(5);
std::uint64_t random_word() {
  std::uint64_t const word = engine() >> (engine() % 64);
  switch (engine() % 8) {
    case 0:
      return ~word;
    case 1:
      return std::uint64_t{1} << (engine() % 64);
    case 2:
      return (std::uint64_t{1} << (engine() % 64)) - 1;
  }
  return word;
}

/// Compares a row with its oracle. Returns how often they differ.
unsigned differences(amdgcn::opcode_row const& row, oracle const& means, unsigned questions) {
  amdgcn::letters const of(row);
  unsigned wrong = 0;
  for (unsigned k = 0; k != questions; ++k) {
    value from[3] = {binary::exact(0), binary::exact(0), binary::exact(0)};
    bits given[3];
    for (std::size_t n = 0; n != of.sources.size(); ++n) {
      char const letter = of.sources[n] == 't' ? of.results[0] : of.sources[n];
      std::uint64_t word = letter == 'l' ? engine() % 64 : random_word();
      if (n == 1 && k % 8 == 0) word = from[0].bits;
      if (n == 1 && std::string(row.name).find("s_bfe_") == 0)  // a width of all bits or more has no meaning
        word &= ~(letter == of.results[0] ? 0x600000u : 0x400000u);
      from[n] = binary::low(binary::exact(word), amdgcn::bits_of(letter));
      given[n] = list(from[n].bits, amdgcn::bits_of(letter));
    }
    value const made = amdgcn::result_of(row, of.sources, from);
    bits const expected = means(given[0], given[1], given[2]);
    bool const has_register = of.results[0] != 'c';
    unsigned const width = has_register ? amdgcn::bits_of(of.results[0]) : 0;
    bits found = list(made.bits, width);
    if (of.results.back() == 'c' || of.results.back() == 'm')
      found.push_back(static_cast<int>(binary::bit_of(made, width).bits));
    if (of.results.back() == 'z') found.push_back(static_cast<int>(amdgcn::any_bit(made, width).bits));
    if (found != expected || !made.is_known(width)) ++wrong;
  }
  return wrong;
}

/// What v0 of a lane is after one vector instruction, in a wave of 64 lanes whose v0, v1, ... have these numbers.
/// `modes` are instructions that run before it.
value after(char const* target, std::string const& text, std::vector<std::uint64_t> const& registers,
            std::vector<std::string> const& modes = {}) {
  amdgcn::wave w(64, 0, 8);
  w.set_exec(binary::exact(~std::uint64_t{0}));
  for (unsigned k = 0; k != registers.size(); ++k)
    for (unsigned lane = 0; lane != 64; ++lane) w.set_lane(k, lane, binary::exact(registers[k]));
  for (std::string const& each : modes) amdgcn::run_mode(w, amdgcn::read_instruction(each, 1), 1);
  auto const i = amdgcn::read_instruction(text, 1);
  amdgcn::run_vector(w, i, *amdgcn::decode(i.opcode).row, amdgcn::target_of(target), 1);
  return w.lane(0, 5, 32);
}

}  // namespace

TEST_CASE("amdgcn: each opcode of integers beside a slow oracle") {
  auto const all = oracles();
  unsigned asked = 0;
  auto const ask = [&](amdgcn::opcode_row const& row) {
    bool const is_float = std::string(row.operands).find_first_of("fd") != std::string::npos ||
                          std::string(row.name).find("cvt_f32_") != std::string::npos;
    auto const found = all.find(row.name);
    INFO(std::string(row.name));
    CHECK((found != all.end() || is_float));
    CHECK(row.section != nullptr);
    if (found == all.end()) return;
    CHECK(differences(row, found->second, 400) == 0);
    ++asked;
  };
  for (auto const& row : amdgcn::scalar_opcodes) ask(row);
  for (auto const& row : amdgcn::vector_opcodes) ask(row);
  CHECK(asked > 170);
  // The control: an oracle of another opcode differs.
  CHECK(differences(*amdgcn::row_of("v_add_u32", amdgcn::vector_opcodes), all.at("v_sub_u32"), 400) > 100);
  CHECK(differences(*amdgcn::row_of("s_add_i32", amdgcn::scalar_opcodes), all.at("s_add_u32"), 400) > 20);
}

TEST_CASE("amdgcn: a scalar field of all bits or more has no meaning, and is unknown") {
  auto const asked = [](char const* opcode, std::uint64_t how) {
    amdgcn::opcode_row const& row = *amdgcn::row_of(opcode, amdgcn::scalar_opcodes);
    value const from[3] = {binary::exact(5), binary::exact(how), binary::exact(0)};
    return amdgcn::result_of(row, amdgcn::letters(row).sources, from);
  };
  for (char const* const opcode : {"s_bfe_u32", "s_bfe_i32"}) {
    CHECK(asked(opcode, 31 << 16).is_known(32));
    for (std::uint64_t const width : {32u, 33u, 64u, 127u}) CHECK_FALSE(asked(opcode, width << 16).is_known(1));
  }
  for (char const* const opcode : {"s_bfe_u64", "s_bfe_i64"}) {
    CHECK(asked(opcode, 63 << 16).is_known());
    for (std::uint64_t const width : {64u, 65u, 127u}) CHECK_FALSE(asked(opcode, width << 16).is_known(1));
  }
}

TEST_CASE("amdgcn: V_MAD_U64_U32 with an addend whose upper half nothing wrote") {
  for (char const* const opcode : {"v_mad_u64_u32", "v_mad_i64_i32"}) {
    amdgcn::opcode_row const& row = *amdgcn::row_of(opcode, amdgcn::vector_opcodes);
    value const from[3] = {binary::exact(7), binary::exact(9), {5, 0xffffffffu, 4}};
    value const made = amdgcn::result_of(row, amdgcn::letters(row).sources, from);
    CHECK(made.is_known(32));
    CHECK_FALSE(made.is_known(33));
    CHECK(made.bits == 68);
    value const lower[3] = {
        binary::exact(7), binary::exact(9), {4, 0xffffffffffffff0fu, 4}};  // bits 4 to 7 are unknown
    value const sum = amdgcn::result_of(row, amdgcn::letters(row).sources, lower);
    CHECK(sum.is_known(4));
    CHECK_FALSE(sum.is_known(5));
    CHECK((sum.known >> 9) == ~std::uint64_t{0} >> 9);  // 63 + 0xf4 is less than 2^9
  }
}

TEST_CASE("amdgcn: SDWA gives an opcode of 16 bits no more than 16 bits") {
  auto const asked = [](std::string const& text, std::uint64_t first, std::uint64_t second) {
    return after("gfx942", text, {0, first, second}).bits;
  };
  // LLVM 22 compiles the lesser of a register's two halves to the first form.
  std::string const lesser = "v_min_u16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD ";
  CHECK(asked(lesser + "src0_sel:DWORD src1_sel:WORD_1", 0x70005, 0x70005) == 5);
  CHECK(asked(lesser + "src0_sel:WORD_1 src1_sel:DWORD", 0x70005, 0x70005) == 5);
  CHECK(asked(lesser + "src0_sel:WORD_1 src1_sel:DWORD", 0x30005, 0x90004) == 3);
  // A byte with its sign has 16 bits, too: 0x80 is 0xff80.
  CHECK(asked("v_max_u16_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
              0x80, 0xff7f) == 0xff80);
  CHECK(asked("v_lshrrev_b16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
              0x10004, 0xffff1230) == 0x123);
}

TEST_CASE("amdgcn: the upper half of a register after a result of 16 bits") {
  auto const asked = [](char const* target, std::string const& opcode) {
    return after(target, opcode + " v0, v1, v2, v3", {0xabcd0000, 3, 5, 7});
  };
  for (char const* const gfx9 : {"gfx90a", "gfx942", "gfx950"}) {
    CHECK(asked(gfx9, "v_mad_legacy_u16").bits == 22);  // only these two of the products write zeros
    CHECK(asked(gfx9, "v_mad_legacy_i16").bits == 22);
    CHECK(asked(gfx9, "v_mad_u16").bits == 0xabcd0016);
    CHECK(asked(gfx9, "v_mad_i16").bits == 0xabcd0016);
    CHECK(asked(gfx9, "v_add_u16").bits == 8);  // VOP2
    for (char const* const opcode : {"v_add_i16", "v_min3_u16", "v_max3_i16", "v_med3_i16"}) {
      CHECK(asked(gfx9, opcode).is_known(16));
      CHECK_FALSE(asked(gfx9, opcode).is_known(17));
    }
  }
  CHECK(asked("gfx1030", "v_mad_u16").bits == 0xabcd0016);
  CHECK(asked("gfx1100", "v_min3_u16").bits == 0xabcd0003);
}

TEST_CASE("amdgcn: exchanges of registers within 32 lanes") {
  // Each lane reads from the lane 32 further on, or writes to it. Is what the first lane gets known?
  auto const asked = [](char const* target, unsigned lanes, std::string const& opcode) {
    amdgcn::wave w(lanes, 0, 8);
    w.set_exec(binary::exact(w.every_lane()));
    for (unsigned lane = 0; lane != lanes; ++lane)
      w.set_lane(1, lane, binary::exact(4 * (lane + 32))), w.set_lane(2, lane, binary::exact(lane));
    amdgcn::run_exchange(w, amdgcn::read_instruction(opcode + " v0, v1, v2", 1), amdgcn::target_of(target), 1);
    value const got = w.lane(0, 0, 32);
    return got.is_known(32) ? static_cast<int>(got.bits) : -1;
  };
  for (char const* const opcode : {"ds_bpermute_b32", "ds_permute_b32"}) {
    for (char const* const target : {"gfx942", "gfx1201"}) CHECK(asked(target, 64, opcode) == 32);
    for (char const* const target : {"gfx1030", "gfx1100"}) CHECK(asked(target, 64, opcode) == -1);
    for (char const* const target : {"gfx1030", "gfx1100", "gfx1201"}) CHECK(asked(target, 32, opcode) == 0);
  }
}

TEST_CASE("amdgcn: a literal of 32 bits for a signed operand of 64 bits has copies of its sign") {
  amdgcn::wave w(64, 0, 8);
  w.set_exec(binary::exact(w.every_lane()));
  for (unsigned k = 0; k != 4; ++k)
    for (unsigned lane = 0; lane != 64; ++lane) w.set_lane(k, lane, binary::exact(k == 0 ? 256 : 0));
  amdgcn::target const& on = amdgcn::target_of("gfx1100");
  auto const compared = [&](char const* text) {
    auto const i = amdgcn::read_instruction(text, 1);
    amdgcn::run_comparison(w, i, amdgcn::decode(i.opcode).compares, on, 1);
    return w.mask(amdgcn::vcc_register).bits;
  };
  CHECK(compared("v_cmp_lt_i64_e64 vcc, 0xfffffe00, v[0:1]") == w.every_lane());  // -512 < 256
  CHECK(compared("v_cmp_lt_i64_e64 vcc, 0x7ffffe00, v[0:1]") == 0);
  CHECK(compared("v_cmp_lt_i64_e64 vcc, lit64(0xfffffe00), v[0:1]") == 0);
  CHECK(compared("v_cmp_lt_u64_e64 vcc, 0xfffffe00, v[0:1]") == 0);
  auto const scalar = [&](char const* text) {
    auto const i = amdgcn::read_instruction(text, 1);
    amdgcn::run_scalar(w, i, *amdgcn::decode(i.opcode).row, on, 1);
    return w.scalar(0, 64).bits;
  };
  CHECK(scalar("s_ashr_i64 s[0:1], 0xfffffe00, 4") == ~std::uint64_t{31});
  CHECK(scalar("s_lshr_b64 s[0:1], 0xfffffe00, 4") == 0x0fffffe0);
  CHECK(scalar("s_bfe_i64 s[0:1], 0xfffffe00, 0x300008") == ~std::uint64_t{1});
  CHECK((scalar("s_flbit_i32_i64 s0, 0xfffffe00") & 0xffffffff) == 55);
  auto const vector = [&](char const* text) {
    auto const i = amdgcn::read_instruction(text, 1);
    amdgcn::run_vector(w, i, *amdgcn::decode(i.opcode).row, on, 1);
    return w.lane(0, 5, 64).bits;
  };
  CHECK(vector("v_ashrrev_i64 v[0:1], 4, 0xfffffe00") == ~std::uint64_t{31});
  CHECK(vector("v_mad_i64_i32 v[0:1], vcc, v2, v2, 0xfffffe00") == ~std::uint64_t{511});
  CHECK(vector("v_mad_u64_u32 v[0:1], vcc, v2, v2, 0xfffffe00") == 0xfffffe00);
}

TEST_CASE("amdgcn: a result that the mode may round otherwise is unknown") {
  std::vector<std::uint64_t> const numbers = {0, 0x3f800000, 0x40400000};  // 1 and 3
  auto const is_known = [&](std::vector<std::string> const& modes, char const* text = "v_add_f32 v0, v1, v2") {
    return after("gfx1100", text, numbers, modes).is_known(32);
  };
  CHECK(is_known({}));
  CHECK_FALSE(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3"}));
  CHECK_FALSE(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 2), 3"}));
  CHECK_FALSE(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 1"}, "v_cvt_f64_f32 v[0:1], v1"));
  CHECK_FALSE(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x32"}, "v_cvt_f32_u32 v0, v1"));
  CHECK_FALSE(is_known({"s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s9"}));  // nothing wrote s9
  CHECK_FALSE(is_known({"s_setreg_imm32_b32 hwreg(1, 0, 4), 0"}));       // the register has no name
  CHECK_FALSE(is_known({"s_round_mode 0x5"}));
  // The controls: other bits, another register, integers, and rounding as before.
  CHECK(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 15"}));
  CHECK(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0xf0"}));
  CHECK(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 4), 15"}));
  CHECK(is_known({"s_round_mode 0x5"}, "v_add_nc_u32 v0, v1, v2"));
  CHECK(is_known({"s_round_mode 0x5", "s_round_mode 0x0"}));
  CHECK(is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0"}));
  CHECK_FALSE(
      is_known({"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0"}));
}

TEST_CASE("amdgcn: where ways meet, the rounding is known only if it is the same on both") {
  amdgcn::wave one(64, 0, 4), other(64, 0, 4);
  one.set_exec(binary::exact(1)), other.set_exec(binary::exact(1));
  CHECK_FALSE(one.join(other, 1));
  amdgcn::run_mode(other, amdgcn::read_instruction("s_round_mode 0x1", 1), 1);
  CHECK_FALSE(one.looks_like(other));
  CHECK(one.join(other, 1));
  CHECK_FALSE(one.rounding.is_known());
  CHECK((one.rounding.known & 2) != 0);
}

TEST_CASE("amdgcn: DPP with fi:1 reads a lane that may be off") {
  amdgcn::wave w(64, 0, 4);
  w.set_exec(binary::exact(w.every_lane()));
  for (unsigned lane = 0; lane != 64; ++lane) w.set_lane(1, lane, binary::exact(5));
  w.narrow_exec({~std::uint64_t{2}, ~std::uint64_t{2}, 1});  // data turn lane 1 off, or not
  w.set_lane(1, 1, binary::exact(9));
  auto const asked = [&w](std::string const& text) {
    auto const i = amdgcn::read_instruction(text, 1);
    amdgcn::run_vector(w, i, *amdgcn::decode(i.opcode).row, amdgcn::target_of("gfx1100"), 1);
    return w.lane(0, 0, 32);
  };
  value const either = asked("v_mov_b32_dpp v0, v1 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf fi:1");
  CHECK(either.known == ~std::uint64_t{12});  // 5 or 9
  CHECK(either.bits == 1);
  CHECK(asked("v_mov_b32_dpp v0, v1 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf fi:1").bits == 5);
}

TEST_CASE("amdgcn: the result's old value is a source of as many bits as the result") {
  amdgcn::opcode_row const& row = *amdgcn::row_of("v_fmac_f64", amdgcn::vector_opcodes);
  auto const asked = [&row](value old) {
    value const from[3] = {binary::exact(0), binary::exact(0), old};
    return amdgcn::result_of(row, amdgcn::letters(row).sources, from);
  };
  CHECK(asked(binary::exact(0x3ff0000000000000u)).bits == 0x3ff0000000000000u);
  CHECK_FALSE(asked({0, 0xffffffffu, 4}).is_known());  // its upper half is unknown
  CHECK_FALSE(asked(binary::exact(1)).is_known());     // the mode may flush a denormal number
}

TEST_CASE("amdgcn: SCC of S_MAX where both are equal") {
  auto const asked = [](char const* target, char const* text, std::uint64_t other) {
    amdgcn::wave w(32, 0);
    w.set_scalar(1, 32, binary::exact(7)), w.set_scalar(2, 32, binary::exact(other));
    auto const i = amdgcn::read_instruction(text, 1);
    amdgcn::run_scalar(w, i, *amdgcn::decode(i.opcode).row, amdgcn::target_of(target), 1);
    CHECK(w.scalar(0, 32).bits == (other > 7 && i.opcode.find("max") != std::string::npos ? other : 7));
    return w.scc.is_known() ? static_cast<int>(w.scc.bits) : -1;
  };
  for (char const* const text : {"s_max_i32 s0, s1, s2", "s_max_u32 s0, s1, s2"}) {
    // "SCC = S0 >= S1": the CDNA 3, CDNA 4, RDNA 3 and RDNA 4 guides, SOP2.
    for (char const* const target : {"gfx942", "gfx950", "gfx1100", "gfx1201"}) {
      CHECK(asked(target, text, 7) == 1);
      CHECK(asked(target, text, 6) == 1);
      CHECK(asked(target, text, 8) == 0);
    }
    for (char const* const target : {"gfx90a", "gfx1030"}) {  // "RDNA 2 ISA": S0 > S1
      CHECK(asked(target, text, 7) == -1);
      CHECK(asked(target, text, 6) == 1);
      CHECK(asked(target, text, 8) == 0);
    }
  }
  CHECK(asked("gfx942", "s_min_i32 s0, s1, s2", 7) == 0);  // "SCC = S0 < S1" in each of them
  CHECK(asked("gfx1030", "s_min_u32 s0, s1, s2", 7) == 0);
}

TEST_CASE("amdgcn: comparisons beside a slow oracle") {
  for (auto const& type : amdgcn::compared_types) {
    if (type.is_float) continue;
    for (auto const& relation : amdgcn::relations) {
      auto const found = amdgcn::comparison_of("v_cmp_" + std::string(relation.name) + "_" + type.name);
      if (found.how == nullptr) continue;
      unsigned const width = amdgcn::bits_of(type.letter);
      auto const holds = [&found](std::uint64_t a, std::uint64_t b) {
        return found.holds(binary::exact(a), binary::exact(b), 0).bits == 1;
      };
      for (unsigned k = 0; k != 100; ++k) {
        std::uint64_t const a = binary::low(binary::exact(random_word()), width).bits;
        std::uint64_t const b = k % 5 == 0 ? a : binary::low(binary::exact(random_word()), width).bits;
        bits const x = list(a, width), y = list(b, width);
        bool const is_less = type.is_signed ? signed_less(x, y) : less(x, y);
        std::string const name = relation.name;
        bool const expected = name == "lt"                   ? is_less
                              : name == "le"                 ? is_less || x == y
                              : name == "gt"                 ? !is_less && x != y
                              : name == "ge"                 ? !is_less
                              : name == "eq"                 ? x == y
                              : name == "ne" || name == "lg" ? x != y
                                                             : holds(a, b);
        CHECK(holds(a, b) == expected);
      }
    }
  }
}

TEST_CASE("binary: a value with unknown bits stands for all values that it may have") {
  // All values of 3 bits, each bit 0, 1 or unknown: 27. A known bit of a result is that of every pair that they stand
  // for.
  std::vector<value> all;
  for (unsigned known = 0; known != 8; ++known)
    for (unsigned ones = 0; ones != 8; ++ones)
      if ((ones & ~known) == 0) all.push_back({ones, known | ~std::uint64_t{7}, 1});
  CHECK(all.size() == 27);
  auto const may_be = [](value v, std::uint64_t number) { return ((v.bits ^ number) & v.known) == 0; };
  auto const holds = [&](auto const& of_values, auto const& of_numbers, bool is_exact) {
    for (value const& a : all)
      for (value const& b : all) {
        value const made = of_values(a, b);
        std::uint64_t any = 0, every = ~std::uint64_t{0};
        for (std::uint64_t x = 0; x != 8; ++x)
          for (std::uint64_t y = 0; y != 8; ++y)
            if (may_be(a, x) && may_be(b, y)) {
              std::uint64_t const number = of_numbers(x, y);
              any |= number, every &= number;
              CHECK(may_be(made, number));
            }
        if (is_exact) CHECK(made.known == ~(any ^ every));  // what is alike in all is known
        CHECK((made.bits & ~made.known) == 0);
      }
  };
  using u64 = std::uint64_t;
  holds([](value a, value b) { return a & b; }, [](u64 a, u64 b) { return a & b; }, true);
  holds([](value a, value b) { return a | b; }, [](u64 a, u64 b) { return a | b; }, true);
  holds([](value a, value b) { return a ^ b; }, [](u64 a, u64 b) { return a ^ b; }, true);
  holds([](value a, value) { return ~a; }, [](u64 a, u64) { return ~a; }, true);
  holds([](value a, value) { return a << 2; }, [](u64 a, u64) { return a << 2; }, true);
  holds([](value a, value) { return a >> 1; }, [](u64 a, u64) { return a >> 1; }, true);
  holds([](value a, value) { return low(a, 2); }, [](u64 a, u64) { return a % 4; }, true);
  holds([](value a, value) { return sign_extended(a, 3); }, [](u64 a, u64) { return a < 4 ? a : a - 8; }, true);
  holds([](value a, value b) { return chosen(low(b, 1), a, binary::exact(5)); },
        [](u64 a, u64 b) { return b % 2 != 0 ? 5 : a; }, true);
  holds([](value a, value b) { return sum(a, b); }, [](u64 a, u64 b) { return a + b; }, true);
  holds([](value a, value b) { return sum(a, b, low(b, 1)); }, [](u64 a, u64 b) { return a + b + b % 2; }, false);
  holds([](value a, value b) { return difference(a, b); }, [](u64 a, u64 b) { return a - b; }, false);
  holds([](value a, value b) { return product(a, b); }, [](u64 a, u64 b) { return a * b; }, false);
  holds([](value a, value b) { return binary::order_of(a, b, 32, false).holds(true, false, false); },
        [](u64 a, u64 b) { return u64{a < b}; }, true);
  holds([](value a, value b) { return binary::order_of(a, b, 3, true).holds(false, true, true); },
        [](u64 a, u64 b) { return u64{(a ^ 4) >= (b ^ 4)}; }, true);
  holds([](value a, value b) { return binary::order_of(a, b, 32, false).holds(false, true, false); },
        [](u64 a, u64 b) { return u64{a == b}; }, false);
  holds([](value a, value b) { return of_known([](u64 x, u64 y, u64) { return x + y; }, 64, a, b); },
        [](u64 a, u64 b) { return a + b; }, false);
}

TEST_CASE("amdgcn: a work-group has 64 KiB of LDS, but 160 KiB on gfx950") {
  for (auto const& each : amdgcn::targets) {
    CAPTURE(each.name);
    CHECK(each.lds_bytes == (std::string(each.name) == "gfx950" ? 160u : 64u) * 1024);
  }
}
