// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>
#include "machinery/check.hpp"

// Floating-point numbers of AMD's binaries: quotients of integers, double precision beside integers, comparisons.

namespace co = coalescing;
namespace amdgcn = co::amdgcn;
namespace binary = co::binary;

namespace {

std::string kernel(std::string const& body) {
  return "k:\n" + body + "\ts_endpgm\n.Lfunc_end0:\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n" +
         "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_system_sgpr_workgroup_id_x 1\n.end_amdhsa_kernel\n";
}
/// The kernel stores a register of each lane. Returns lane 0's, or -1 where it is not known.
std::int64_t stored(std::string const& body, char const* which, char const* machine = "gfx942") {
  co::binary_launch launch;
  launch.block = {64};
  launch.arguments = {co::binary_argument::buffer(256, std::vector<unsigned char>(256), "out"),
                      co::binary_argument::buffer(256, {}, "data")};
  std::string const text = kernel(
      "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dwordx2 s[6:7], s[0:1], 0x8\n"
      "s_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v30, 2, v0\n" +
      body + "global_store_dword v30, " + which + ", s[4:5]\n");
  auto const answer = amdgcn::record(machine, text, launch);
  std::int64_t all = 0;
  for (unsigned k = 0; k != 4; ++k) {
    int const byte = answer.buffers[0].bytes.final_byte(k);
    if (byte < 0) return -1;
    all |= std::int64_t{byte} << (8 * k);
  }
  return all;
}
std::string number(std::uint64_t a) { return std::to_string(a); }

/// The reciprocal of a number, as a float below it, next to it, or above it: what one unit of the last place allows.
float reciprocal(float of, int side) {
  double const exact = 1.0 / static_cast<double>(of);
  auto const next = static_cast<float>(exact);
  if (side < 0 && static_cast<double>(next) > exact) return std::nextafter(next, 0.0f);
  if (side > 0 && static_cast<double>(next) < exact) return std::nextafter(next, 1.0f);
  return next;
}
std::uint64_t high(std::uint64_t a, std::uint64_t b) {  // of the product's 128 bits
  std::uint64_t const low = (a & 0xffffffff) * (b & 0xffffffff), one = (a >> 32) * (b & 0xffffffff) + (low >> 32),
                      two = (a & 0xffffffff) * (b >> 32) + (one & 0xffffffff);
  return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
}
/// LLVM 22's steps of a quotient after the reciprocal.
std::uint32_t quotient(std::uint32_t x, std::uint32_t y, float near) {
  float const scaled = near * std::bit_cast<float>(0x4f7ffffeu);
  std::uint32_t z = scaled >= 4294967296.0f ? ~0u : static_cast<std::uint32_t>(scaled);
  auto const upper = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
  };
  z += upper(z, (0 - y) * z);
  std::uint32_t q = upper(x, z), r = x - q * y;
  for (unsigned k = 0; k != 2; ++k)
    if (r >= y) ++q, r -= y;
  return q;
}
std::uint64_t quotient_64(std::uint64_t x, std::uint64_t y, float near) {
  float const scaled = near * std::bit_cast<float>(0x5f7ffffcu);
  float const upper = std::trunc(scaled * std::bit_cast<float>(0x2f800000u));
  float const lower = std::fma(upper, std::bit_cast<float>(0xcf800000u), scaled);
  std::uint64_t z = (std::uint64_t{static_cast<std::uint32_t>(upper)} << 32) + static_cast<std::uint32_t>(lower);
  for (unsigned k = 0; k != 2; ++k) z += high(z, (0 - y) * z);
  std::uint64_t q = high(x, z), r = x - q * y;
  for (unsigned k = 0; k != 2; ++k)
    if (r >= y) ++q, r -= y;
  return q;
}
/// The same for numbers of up to 22 bits.
std::uint32_t quotient_22(std::uint32_t x, std::uint32_t y, int side) {
  auto const a = static_cast<float>(x), b = static_cast<float>(y);
  float const q = std::trunc(a * reciprocal(b, side)), rest = std::fma(-q, b, a);
  return static_cast<std::uint32_t>(q) + (std::fabs(rest) >= b ? 1u : 0u);
}

}  // namespace

TEST_CASE("amdgcn: a quotient's reciprocal may be wrong in its last place") {
  std::mt19937_64 random(7);
  unsigned wrong = 0, wrong_64 = 0, wrong_22 = 0, wrong_by_more = 0;
  for (unsigned k = 0; k != 200'000; ++k) {
    std::uint64_t const a = random() >> random() % 64, b = (random() >> random() % 64) | 1u;
    auto const x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
    float const of = static_cast<float>(y);
    float const of_64 = std::fma(static_cast<float>(b >> 32), 4294967296.0f, of);
    for (int const side : {-1, 0, 1}) {
      wrong += quotient(x, y, reciprocal(of, side)) != x / y ? 1u : 0u;
      wrong_64 += quotient_64(a, b, reciprocal(of_64, side)) != a / b ? 1u : 0u;
      wrong_22 += quotient_22(x >> 10, y >> 10 | 1u, side) != (x >> 10) / (y >> 10 | 1u) ? 1u : 0u;
    }
    wrong_by_more += quotient(x, y, reciprocal(of, 0) * (1 + 0x1p-20f)) != x / y ? 1u : 0u;
  }
  CHECK(wrong == 0);
  CHECK(wrong_64 == 0);
  CHECK(wrong_22 == 0);
  CHECK(wrong_by_more != 0);  // the control: the steps do not correct everything
}

TEST_CASE("amdgcn: V_RCP_F32 is known where a quotient needs it, and nowhere else") {
  std::string const seven = "v_mov_b32 v1, 7\nv_cvt_f32_u32_e32 v2, v1\n", rcp = "v_rcp_f32_e32 v2, v2\n";
  std::string const factor = "v_mul_f32_e32 v3, 0x4f7ffffe, v2\n";
  // The rounded reciprocal of 7 is 9586981 / 2^26; times 2^32 - 512 it is 613566710.9, and floats are 64 apart there.
  std::int64_t const scaled = std::bit_cast<std::uint32_t>(613566720.0f);
  CHECK(stored(seven + rcp + factor, "v3") == scaled);
  CHECK(stored(seven + rcp + "s_nop 0\nv_mov_b32 v9, 1\n" + factor, "v3") == scaled);
  CHECK(stored(seven + "v_rcp_iflag_f32_e32 v2, v2\n" + factor, "v3") == scaled);
  CHECK(stored(seven + rcp + factor, "v2") == -1);  // the reciprocal itself
  CHECK(stored(seven + "v_rcp_iflag_f32_e32 v2, v2\n" + factor, "v2") == -1);
  CHECK(stored(seven + rcp + "v_mul_f32_e32 v3, 0x4f7fffff, v2\n", "v3") == -1);   // another factor
  CHECK(stored(seven + rcp + "v_mul_f32_e64 v3, 0x4f7ffffe, -v2\n", "v3") == -1);  // another form
  CHECK(stored(seven + rcp + "v_mov_b32 v2, 1.0\n" + factor, "v3") == std::bit_cast<std::uint32_t>(4294966784.0f));
  CHECK(stored(seven + rcp + ".LBB0_1:\n" + factor + "s_cbranch_scc1 .LBB0_1\n", "v3") == -1);  // a jump leads there
  CHECK(stored(seven + rcp + "s_mov_b64 exec, -1\n" + factor, "v3") == -1);  // other lanes may be active
  std::string const scalar = "s_cvt_f32_u32 s8, 7\nv_s_rcp_f32 s8, s8\ns_mul_f32 s9, s8, 0x5f7ffffc\nv_mov_b32 v3, ";
  float const seventh = 1.0f / 7, factor_of_64 = std::bit_cast<float>(0x5f7ffffcu);
  CHECK(stored(scalar + "s9\n", "v3") == std::bit_cast<std::uint32_t>(seventh * factor_of_64));
  CHECK(stored(scalar + "s8\n", "v3") == -1);
  // A scalar product of gfx12, whose reciprocal is a vector one.
  std::string const moved =
      "s_cvt_f32_u32 s8, 7\nv_rcp_iflag_f32_e32 v2, s8\nv_readfirstlane_b32 s9, v2\ns_mul_f32 s10, s9, 0x4f7ffffe\n"
      "v_mov_b32 v3, ";
  CHECK(stored(moved + "s10\n", "v3") == scaled);
  CHECK(stored(moved + "s9\n", "v3") == -1);
}

TEST_CASE("amdgcn: V_RCP_IFLAG_F32 is known where a quotient of few bits is corrected, and nowhere else") {
  // 41 * n / n: 41, or 40 before the correction. The numbers are those of LLVM's steps for 16 bits.
  std::string const numbers =
      "v_mov_b32 v1, 41\nv_mov_b32 v2, 1681\nv_cvt_f32_u32_e32 v1, v1\nv_cvt_f32_u32_e32 v2, v2\n";
  std::string const rough = "v_rcp_iflag_f32_e32 v3, v1\nv_mul_f32_e32 v4, v2, v3\nv_trunc_f32_e32 v4, v4\n";
  std::string const rest = "v_cvt_u32_f32_e32 v6, v4\nv_fma_f32 v5, -v4, v1, v2\n";
  std::string const add = "v_addc_co_u32_e32 v7, vcc, 0, v6, vcc\n";
  CHECK(stored(numbers + rough + rest + "v_cmp_ge_f32_e64 vcc, |v5|, v1\n" + add, "v7") == 41);
  CHECK(stored(numbers + rough + rest + "v_cmp_ge_f32_e64 vcc, |v5|, |v1|\n" + add, "v7") == 41);
  std::string const by_xor = "v_cvt_u32_f32_e32 v6, v4\nv_mov_b32 v5, v2\nv_xor_b32_e32 v8, 0x80000000, v4\n";
  CHECK(stored(numbers + rough + by_xor + "v_fmac_f32_e32 v5, v8, v1\nv_and_b32_e32 v5, 0x7fffffff, v5\n" +
                   "v_cmp_ge_f32_e32 vcc, v5, v1\n" + add,
               "v7") == 41);
  // Two quotients of one reciprocal: 82 / 41 is 2.
  CHECK(stored(numbers + "v_mov_b32 v10, 0x42a40000\n" + rough + rest + "v_cmp_ge_f32_e64 vcc, |v5|, v1\n" +
                   "v_mul_f32_e32 v4, v10, v3\nv_trunc_f32_e32 v4, v4\nv_cvt_u32_f32_e32 v6, v4\n"
                   "v_fma_f32 v5, -v4, v1, v10\nv_cmp_ge_f32_e64 vcc, |v5|, v1\n" +
                   add,
               "v7") == 2);
  // Scalar steps of gfx12.
  std::string const scalar =
      "s_cvt_f32_u32 s8, 41\ns_cvt_f32_u32 s9, 0x691\nv_rcp_iflag_f32_e32 v1, s8\nv_readfirstlane_b32 s10, v1\n"
      "s_mul_f32 s10, s9, s10\ns_trunc_f32 s10, s10\ns_xor_b32 s11, s10, 0x80000000\ns_cvt_u32_f32 s12, s10\n"
      "s_fmac_f32 s9, s11, s8\ns_bitset0_b32 s9, 31\ns_cmp_ge_f32 s9, s8\ns_cselect_b32 s13, 1, 0\n"
      "s_add_u32 s12, s12, s13\nv_mov_b32 v7, s12\n";
  CHECK(stored(scalar, "v7") == 41);
  // No correction: the product alone (as -ffast-math makes it), a remainder, and a comparison with another number.
  CHECK(stored(numbers + rough + "v_cvt_u32_f32_e32 v6, v4\n", "v6") == -1);
  CHECK(stored(numbers + rough + rest, "v5") == -1);
  CHECK(stored(numbers + rough + rest + "v_cmp_ge_f32_e64 vcc, |v5|, v2\n" + add, "v7") == -1);
  CHECK(stored(numbers + rough + rest + "v_cmp_ge_f32_e64 vcc, |v5|, v1\n" + add, "v3") == -1);
}

TEST_CASE("amdgcn: double precision beside integers") {
  std::mt19937_64 random(3);
  for (unsigned k = 0; k != 20; ++k) {
    auto const a = static_cast<std::int32_t>(random() % 60000) - 30000,
               b = static_cast<std::int32_t>(random() % 60000) - 30000;
    std::string const both = "v_mov_b32 v1, " + std::to_string(a) + "\nv_mov_b32 v2, " + std::to_string(b) +
                             "\nv_cvt_f64_i32_e32 v[4:5], v1\nv_cvt_f64_i32_e32 v[6:7], v2\n";
    auto const asked = [&](std::string const& steps) {
      return static_cast<std::int32_t>(stored(both + steps + "v_cvt_i32_f64_e32 v10, v[8:9]\n", "v10"));
    };
    CHECK(asked("v_add_f64 v[8:9], v[4:5], v[6:7]\n") == a + b);
    CHECK(asked("v_add_f64 v[8:9], v[4:5], -v[6:7]\n") == a - b);
    CHECK(asked("v_mul_f64 v[8:9], v[4:5], v[6:7]\n") == a * b);
    CHECK(asked("v_fma_f64 v[8:9], v[4:5], v[6:7], v[4:5]\n") == a * b + a);
    CHECK(asked("v_max_f64 v[8:9], v[4:5], v[6:7]\n") == (a < b ? b : a));
    CHECK(asked("v_min_f64 v[8:9], v[4:5], v[6:7]\n") == (a < b ? a : b));
    // A quarter of a, rounded each way; 0x3fd00000 is the upper half of 0.25.
    std::string const quarter = "v_mul_f64 v[8:9], 0x3fd00000, v[4:5]\n";
    CHECK(asked(quarter) == a / 4);
    CHECK(asked(quarter + "v_floor_f64 v[8:9], v[8:9]\n") == (a >> 2));
    CHECK(asked(quarter + "v_ceil_f64 v[8:9], v[8:9]\n") == -(-a >> 2));
    CHECK(asked(quarter + "v_trunc_f64 v[8:9], v[8:9]\n") == a / 4);
  }
}

TEST_CASE("amdgcn: comparisons of numbers that are not known leave the lanes that are off") {
  std::string const half = "v_cmp_gt_u32_e32 vcc, 32, v0\ns_and_saveexec_b64 s[8:9], vcc\n";
  std::string const load = "global_load_dwordx2 v[2:3], v30, s[6:7]\n";
  for (char const* const each : {"v_cmp_lt_f64 s[10:11], v[2:3], v[2:3]\n", "v_cmp_class_f32 s[10:11], v2, v3\n",
                                 "v_cmp_nlt_f16 s[10:11], v2, v3\n", "v_cmp_class_f64 s[10:11], v[2:3], v2\n"}) {
    CHECK(stored(half + load + each + "s_mov_b64 exec, -1\nv_mov_b32 v9, s11\n", "v9") == 0);   // lanes 32 to 63
    CHECK(stored(half + load + each + "s_mov_b64 exec, -1\nv_mov_b32 v9, s10\n", "v9") == -1);  // lanes 0 to 31
  }
  std::string const numbers = "v_mov_b32 v2, 1.0\nv_mov_b32 v3, 2.0\n";
  CHECK(stored(numbers + "v_cmp_nlt_f32 s[10:11], v2, v3\nv_mov_b32 v9, s10\n", "v9") == 0);
  CHECK(stored(numbers + "v_cmp_nge_f32 s[10:11], v2, v3\nv_mov_b32 v9, s10\n", "v9") == 0xffffffff);
  // Comparisons that hold always and never, of numbers that are not known.
  std::string const data = "global_load_dword v2, v30, s[6:7]\n";
  CHECK(stored(data + "v_cmp_tru_f32 s[10:11], v2, v2\nv_mov_b32 v9, s10\n", "v9") == 0xffffffff);
  CHECK(stored(data + "v_cmp_f_f32 s[10:11], v2, v2\nv_mov_b32 v9, s10\n", "v9") == 0);
  CHECK(stored("s_mov_b32 s8, 1.0\ns_cmp_lt_f32 s8, 2.0\ns_cselect_b32 s9, 5, 6\nv_mov_b32 v9, s9\n", "v9") == 5);
}

TEST_CASE("amdgcn: a clamped sum stays at the end of its range") {
  for (std::uint32_t const a : {0u, 5u, 0xfffffffeu})
    for (std::uint32_t const b : {0u, 3u, 0xfffffff0u}) {
      std::string const both = "v_mov_b32 v1, " + number(a) + "\nv_mov_b32 v2, " + number(b) + "\n";
      std::uint64_t const sum = std::uint64_t{a} + b;
      CHECK(stored(both + "v_sub_u32_e64 v3, v1, v2 clamp\n", "v3") == (a < b ? 0 : std::int64_t{a - b}));
      CHECK(stored(both + "v_add_u32_e64 v3, v1, v2 clamp\n", "v3") ==
            (sum > 0xffffffff ? 0xffffffff : static_cast<std::int64_t>(sum)));
      CHECK(stored(both + "v_mul_u32_u24_e64 v3, v1, v2 clamp\n", "v3") == -1);  // not followed
    }
}

TEST_CASE("amdgcn: the lesser of two numbers, where the guides say no more about them") {
  std::string const numbers = "v_mov_b32 v1, 1.0\nv_mov_b32 v2, -2.0\nv_mov_b32 v4, 0x7fc00000\nv_mov_b32 v5, 1\n";
  CHECK(stored(numbers + "v_max_f32_e32 v3, v1, v2\n", "v3") == 0x3f800000);
  CHECK(stored(numbers + "v_min_f32_e32 v3, v1, v2\n", "v3") == 0xc0000000);
  CHECK(stored(numbers + "v_max_f32_e32 v3, v1, v4\n", "v3") == -1);  // not a number
  CHECK(stored(numbers + "v_max_f32_e32 v3, v1, v5\n", "v3") == -1);  // a denormal number
  CHECK(stored(numbers + "v_mad_f32 v3, v2, v2, v1\n", "v3", "gfx90a") == std::bit_cast<std::uint32_t>(5.0f));
  // 1.0000001 * 1.0000001 is not exact.
  CHECK(stored("v_mov_b32 v1, 0x3f800001\nv_mad_f32 v3, v1, v1, v1\n", "v3", "gfx90a") == -1);
}
