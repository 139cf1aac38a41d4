// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>
#include "machinery/check.hpp"

// Sums and products that wrap around in AMD's binaries, and the names of unknown numbers (host/binary/identities.hpp):
// what is said without the data must hold for each data. The oracle is the same kernel with contents, so that nothing
// is unknown.

namespace co = coalescing;
namespace amdgcn = co::amdgcn;

namespace {

std::string kernel(std::string const& body) {
  return "k:\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v1, 3, v0\n\ts_waitcnt lgkmcnt(0)\n"
         "\tglobal_load_dwordx2 v[2:3], v1, s[6:7]\n\ts_load_dwordx2 s[8:9], s[6:7], 0x0\n\ts_waitcnt vmcnt(0) "
         "lgkmcnt(0)\n" +
         body +
         "\ts_endpgm\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         ".end_amdhsa_kernel\n";
}
co::binary_answer run(std::string const& body, std::vector<unsigned char> const& data) {
  co::binary_launch launch;
  launch.block = {64};
  launch.arguments = {co::binary_argument::buffer(1 << 16, std::vector<unsigned char>(1 << 16), "out"),
                      co::binary_argument::buffer(512, data, "data")};
  return amdgcn::record("gfx942", kernel(body), launch);
}
/// The 64 numbers of 64 bits that the lanes read.
template <class Number>
std::vector<unsigned char> data_of(Number const& number) {
  std::vector<unsigned char> bytes(512);
  for (std::uint64_t lane = 0; lane != 64; ++lane) {
    std::uint64_t const is = number(lane);
    std::memcpy(&bytes[8 * lane], &is, 8);
  }
  return bytes;
}

/// With how many contents `body` does something else than was said of `asked` without them. `said`: how many answers
/// about `out` were exact.
unsigned contradictions(std::string const& asked, std::string const& body, unsigned& said) {
  auto const any = run(asked, {});
  std::vector<std::vector<unsigned char>> all;
  for (std::uint64_t const same :
       {std::uint64_t{0}, std::uint64_t{10}, std::uint64_t{0x1fffffff}, std::uint64_t{0xffffffff},
        std::uint64_t{1} << 32, std::uint64_t{0x100000009}, std::numeric_limits<std::uint64_t>::max()})
    all.push_back(data_of([=](std::uint64_t) { return same; }));
  all.push_back(data_of([](std::uint64_t lane) { return lane; }));
  all.push_back(data_of([](std::uint64_t lane) { return lane * 0x9e3779b97f4a7c15u; }));
  unsigned wrong = 0;
  for (auto const& data : all) {
    auto const is = run(body, data);
    CHECK(is.unknown.empty());
    for (bool const stores : {false, true}) {
      auto const a = stores ? any.sites.stores("out") : any.sites.loads("out");
      auto const b = stores ? is.sites.stores("out") : is.sites.loads("out");
      auto const of_a = a.issued == 0 ? 0 : a.transactions, of_b = b.issued == 0 ? 0 : b.transactions;
      bool const holds = a.at_most ? b.issued <= a.issued && of_b <= of_a : b.issued == a.issued && of_b == of_a;
      said += !a.at_most && a.issued != 0;
      wrong += !holds;
    }
  }
  return wrong;
}

std::string const store_if =
    "\ts_and_saveexec_b64 s[2:3], vcc\n\tv_lshlrev_b32_e32 v4, 8, v0\n\tglobal_store_dword v4, v0, s[4:5]\n";
/// N - 4 in 32 bits, N and N - 4 in 64 bits, and the sum of N and ~(N - 4): 3 if N is 4 or more.
std::string const cancelled =
    "\tv_mov_b32_e32 v3, 0\n\tv_add_u32_e32 v4, -4, v2\n\tv_mov_b32_e32 v5, 0\n"
    "\tv_mad_u64_u32 v[8:9], s[10:11], v2, 1, 0\n\tv_mad_u64_u32 v[10:11], s[10:11], v4, 1, 0\n"
    "\tv_not_b32_e32 v10, v10\n\tv_not_b32_e32 v11, v11\n\tv_lshl_add_u64 v[8:9], v[8:9], 0, v[10:11]\n";
struct named_body {
  char const* what;
  std::string body;
};
std::vector<named_body> const bodies = {
    {"a sum of 32 bits, and the same one in 64 bits",
     "\tglobal_load_dword v8, v1, s[6:7] offset:4\n\ts_waitcnt vmcnt(0)\n\tv_add_u32_e32 v6, v8, v2\n"
     "\tv_mov_b32_e32 v7, 0\n\tv_mov_b32_e32 v9, 0\n\tv_mov_b32_e32 v3, 0\n"
     "\tv_lshl_add_u64 v[4:5], v[8:9], 0, v[2:3]\n\tv_cmp_ne_u64_e32 vcc, v[4:5], v[6:7]\n" +
         store_if},
    {"a known number and the carry, beside a sum in 64 bits",
     "\tv_add_co_u32_e32 v4, vcc, 8, v2\n\tv_mov_b32_e32 v6, 0\n\tv_addc_co_u32_e32 v5, vcc, 0, v6, vcc\n"
     "\tv_lshl_add_u64 v[6:7], v[2:3], 0, 8\n\tv_cmp_ne_u64_e32 vcc, v[4:5], v[6:7]\n" +
         store_if},
    {"a product of 32 bits that becomes 64 bits wide, beside one of 64 bits",
     "\tv_lshlrev_b32_e32 v4, 3, v2\n\tv_mov_b32_e32 v5, 0\n\tv_mov_b32_e32 v3, 0\n\tv_lshlrev_b64 v[6:7], 3, v[2:3]\n"
     "\tv_cmp_ne_u64_e32 vcc, v[4:5], v[6:7]\n" +
         store_if},
    {"a sum of 32 bits that is shifted to the right",
     "\tv_lshlrev_b32_e32 v2, 3, v2\n\tv_add_u32_e32 v4, 8, v2\n\tv_lshrrev_b32_e32 v4, 3, v4\n"
     "\tv_lshrrev_b32_e32 v6, 3, v2\n\tv_add_u32_e32 v6, 1, v6\n\tv_cmp_ne_u32_e32 vcc, v4, v6\n" +
         store_if},
    {"a sum of 64 bits that is shifted to the right",
     "\tv_lshlrev_b64 v[2:3], 3, v[2:3]\n\tv_lshl_add_u64 v[4:5], v[2:3], 0, -8\n\tv_lshrrev_b64 v[4:5], 3, v[4:5]\n"
     "\tv_lshrrev_b64 v[6:7], 3, v[2:3]\n\tv_lshl_add_u64 v[6:7], v[6:7], 0, -1\n\tv_cmp_ne_u64_e32 vcc, v[4:5], "
     "v[6:7]\n" +
         store_if},
    {"a carry that is added twice",
     "\tglobal_load_dwordx2 v[8:9], v1, s[6:7]\n\ts_waitcnt vmcnt(0)\n\tv_mov_b32_e32 v7, 0\n"
     "\tv_add_co_u32_e64 v4, s[12:13], v2, v8\n\tv_addc_co_u32_e64 v5, s[14:15], v3, v9, s[12:13]\n"
     "\tv_addc_co_u32_e64 v10, s[14:15], v5, v7, s[12:13]\n\tv_cmp_ne_u32_e32 vcc, v5, v10\n" +
         store_if},
    {"the carry of another sum, added to the signs",
     "\tglobal_load_dwordx2 v[8:9], v1, s[6:7]\n\ts_waitcnt vmcnt(0)\n\tv_ashrrev_i32_e32 v3, 31, v2\n"
     "\tv_ashrrev_i32_e32 v9, 31, v8\n\tv_add_u32_e32 v4, v2, v8\n\tv_add_co_u32_e64 v5, s[12:13], 4, v4\n"
     "\tv_addc_co_u32_e64 v12, s[14:15], v3, v9, s[12:13]\n\tv_lshl_add_u64 v[14:15], v[2:3], 0, v[8:9]\n"
     "\tv_lshl_add_u64 v[14:15], v[14:15], 0, 4\n\tv_cmp_ne_u32_e32 vcc, v12, v15\n" +
         store_if},
    {"names that cancel, in a comparison", cancelled + "\tv_cmp_ne_u64_e32 vcc, 3, v[8:9]\n" + store_if},
    {"names that cancel, in an address",
     cancelled +
         "\tv_lshlrev_b32_e32 v1, 2, v0\n\tv_mul_lo_u32 v9, v9, v1\n\tv_lshl_add_u32 v9, v9, 6, v1\n"
         "\tv_lshl_add_u32 v8, v8, 4, v9\n\tv_and_b32_e32 v8, 0xffff, v8\n\tglobal_store_dword v8, v0, s[4:5]\n"},
    {"numbers of which a large shift leaves few bits",
     "\tv_lshlrev_b64 v[2:3], 56, v[2:3]\n\tv_lshrrev_b64 v[2:3], 56, v[2:3]\n\tv_lshlrev_b32_e32 v2, 8, v2\n"
     "\tglobal_load_dword v5, v2, s[4:5]\n"},
};

}  // namespace

TEST_CASE("amdgcn: an answer without data holds for each data, also where sums wrap around") {
  for (named_body const& each : bodies) {
    CAPTURE(each.what);
    unsigned said = 0;
    CHECK(contradictions(each.body, each.body, said) == 0);
  }
  // An access that does not depend on data has an exact number, and each data gives it. The control compares the answer
  // about one kernel with the runs of another one.
  std::string const four_bytes = "\tv_lshlrev_b32_e32 v4, 2, v0\n\tglobal_store_dword v4, v0, s[4:5]\n",
                    far_apart = "\tv_lshlrev_b32_e32 v4, 8, v0\n\tglobal_store_dword v4, v0, s[4:5]\n";
  unsigned said = 0;
  CHECK(contradictions(four_bytes, four_bytes, said) == 0);
  CHECK(said == 9);
  CHECK(contradictions(four_bytes, far_apart, said) == 9);
}

TEST_CASE("amdgcn: the same number, computed twice without an assumption, decides a comparison") {
  // The sums of 64 bits and of 32 bits wrap around alike, so the comparison is known, and no store is missing.
  for (char const* const body : {"\tv_lshl_add_u64 v[4:5], v[2:3], 0, 8\n\tv_lshl_add_u64 v[4:5], v[4:5], 0, "
                                 "8\n\tv_lshl_add_u64 v[6:7], v[2:3], 0, 16\n"
                                 "\tv_cmp_eq_u64_e32 vcc, v[4:5], v[6:7]\n",
                                 "\tv_add_u32_e32 v4, 8, v2\n\tv_add_u32_e32 v4, 8, v4\n\tv_add_u32_e32 v6, 16, "
                                 "v2\n\tv_cmp_eq_u32_e32 vcc, v4, v6\n"}) {
    unsigned said = 0;
    CHECK(contradictions(body + store_if, body + store_if, said) == 0);
    CHECK(said == 9);
  }
}

TEST_CASE("amdgcn: a number of 64 bits in two registers keeps its name through a sum with a carry") {
  std::string const body =
      "\tv_add_co_u32_e64 v4, s[12:13], v2, v2\n\tv_addc_co_u32_e64 v5, s[14:15], v3, v3, s[12:13]\n"
      "\tv_lshl_add_u64 v[6:7], v[2:3], 0, v[2:3]\n\tv_cmp_eq_u64_e32 vcc, v[4:5], v[6:7]\n" +
      store_if;
  unsigned said = 0;
  CHECK(contradictions(body, body, said) == 0);
  CHECK(said == 9);
}

TEST_CASE("amdgcn: a branch out of the text ends waves, and bounds what follows") {
  // s[8:9] is data. Where the first number is not 0 and the second one is 0, the wave leaves the text.
  auto const leaves = [](char const* to) {
    return std::string("\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 .LBB0_2\n\ts_cmp_eq_u32 s9, 0\n\ts_cbranch_scc1 ") + to +
           "\n\ts_nop 0\n.LBB0_2:\n\tv_lshlrev_b32_e32 v4, 2, v0\n\tglobal_store_dword v4, v4, s[4:5]\n";
  };
  CHECK(run(leaves(".LBB9_9"), {}).sites.stores("out").at_most);
  CHECK_FALSE(run(leaves(".LBB0_2"), {}).sites.stores("out").at_most);
}
