// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <type_traits>

namespace co = coalescing;
namespace rdna = co::rdna;
using coalescing_tests::share;
using rdna::gfx1010, rdna::gfx1030, rdna::gfx1100, rdna::gfx1102, rdna::gfx1201, rdna::gfx1250, rdna::group_counting,
    rdna::lds_counting;

// ---- Examples, from LLVM 22 ----

TEST_CASE("LLVM: registers of a SIMD, by chip and wave") {
  COALESCE_CHECK(gfx1010::occupancy({.vgprs = 40}, {}).waves == 20);
  COALESCE_CHECK(gfx1030::wave64::occupancy({.vgprs = 65}, {}).waves == 7);
  COALESCE_CHECK(gfx1100::occupancy({.vgprs = 129}, {}).waves == 10);
  COALESCE_CHECK(gfx1100::occupancy({.vgprs = 256}, {}).waves == 5);
  COALESCE_CHECK(gfx1102::occupancy({.vgprs = 129}, {}).waves == 7);
  COALESCE_CHECK(gfx1201::wave64::occupancy({.vgprs = 97}, {}).waves == 7);
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 129}, {}).waves == 7);
  COALESCE_CHECK(gfx1100::occupancy({}, {}).waves == 16);
  COALESCE_CHECK(gfx1010::occupancy({}, {}).waves == 20);
}
TEST_CASE("LLVM: LDS, work-groups and modes") {
  constexpr rdna::kernel_resources half_the_lds{.lds_bytes = 32768, .work_group_size = 256};
  COALESCE_CHECK(gfx1100::occupancy(half_the_lds, {}).waves == 8);
  COALESCE_CHECK(gfx1100::occupancy(half_the_lds, {.cu_mode = true}).waves == 8);
  COALESCE_CHECK(gfx1010::occupancy({.work_group_size = 64}, {.cu_mode = true}).waves == 16);
}
TEST_CASE("gfx1250: 32 work-groups of several waves by AMD's guide, 16 by LLVM 22, whose count is an option") {
  COALESCE_CHECK(gfx1250::occupancy({.work_group_size = 64}, {}).waves == 16);
  COALESCE_CHECK(gfx1250::occupancy({.work_group_size = 64}, {.cu_mode = true}).waves == 16);
  COALESCE_CHECK(gfx1250::occupancy({.work_group_size = 96}, {}).waves == 16);
  constexpr auto as_llvm = [](unsigned lanes) {
    return gfx1250::occupancy({.work_group_size = lanes}, {}, lds_counting::raw_bytes, group_counting::by_llvm).waves;
  };
  COALESCE_CHECK(as_llvm(32) == 16);
  COALESCE_CHECK(as_llvm(64) == 8);
  COALESCE_CHECK(as_llvm(96) == 12);
  COALESCE_CHECK(as_llvm(128) == 16);
  // On other chips both ways of counting give one number.
  constexpr rdna::environment<gfx1010> cu{.cu_mode = true};
  COALESCE_CHECK(gfx1010::occupancy({.work_group_size = 64}, cu) ==
                 gfx1010::occupancy({.work_group_size = 64}, cu, lds_counting::by_granule, group_counting::by_llvm));
}
TEST_CASE(
    "gfx1250: a wave has up to 1024 registers in blocks of 16, as many as a SIMD has, and always 106 scalar ones") {
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 300}, {}).waves == 3);
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 336}, {}).waves == 3);
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 337}, {}).waves == 2);
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 512}, {}).waves == 2);
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 513}, {}).waves == 1);
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 1024}, {}).waves == 1);
  COALESCE_CHECK(gfx1250::row::sgprs_of_a_wave.value == 106);
}
TEST_CASE("gfx1250: 64 banks of 4 bytes are documented, which lanes they serve together is not") {
  COALESCE_CHECK(gfx1250::row::banks.value == 64);
  COALESCE_CHECK(gfx1250::row::bank_bytes.value == 4);
  COALESCE_CHECK(!rdna::has_loads<gfx1250::row>);
}
TEST_CASE("contract: 21845 bytes are 22 granules, so a group fewer than LLVM counts") {
  constexpr rdna::kernel_resources kernel{.vgprs = 1, .lds_bytes = 21845, .work_group_size = 256};
  COALESCE_CHECK(gfx1100::occupancy(kernel, {.cu_mode = false}).waves == 10);
  COALESCE_CHECK(gfx1100::occupancy(kernel, {}, lds_counting::raw_bytes).waves == 12);
  COALESCE_CHECK(gfx1100::occupancy(kernel, {}) == rdna::waves_per_simd{.by_vgprs = 16, .by_lds = 10, .waves = 10});
}
// AMD's fix of hipBLASLt's count on gfx11 (https://github.com/ROCm/rocm-libraries/pull/12363, open in 2026-09):
// work-groups of a workgroup processor share 128 KiB. With 64 KiB it was "up to 3x below": one work-group for three.
TEST_CASE("hipBLASLt's fix on gfx11: work-groups share 128 KiB, so 40 KiB each are three work-groups and not one") {
  constexpr rdna::kernel_resources kernel{.vgprs = 128, .lds_bytes = 40 * 1024, .work_group_size = 256};
  constexpr auto groups = [](unsigned waves_of_a_simd) { return waves_of_a_simd * 4 / 8; };
  COALESCE_CHECK(groups(gfx1100::occupancy(kernel, {}).by_lds) == 3);
  COALESCE_CHECK(groups(rdna::gfx1151::occupancy(kernel, {}).by_lds) == 3);
  COALESCE_CHECK(gfx1100::occupancy(kernel, {}).waves == 6);
  // A byte above a granule counts as a granule (pull 11791): 32 KiB are four work-groups, and a byte more three.
  COALESCE_CHECK(groups(gfx1100::occupancy({.lds_bytes = 32768, .work_group_size = 256}, {}).by_lds) == 4);
  COALESCE_CHECK(groups(gfx1100::occupancy({.lds_bytes = 32769, .work_group_size = 256}, {}).by_lds) == 3);
  // The control: each compute unit by itself has 64 KiB for one such work-group, as the old count had for both.
  COALESCE_CHECK(gfx1100::occupancy(kernel, {.cu_mode = true}).by_lds * 2 / 8 == 1);
}
TEST_CASE("granules: 512 bytes on gfx101x, 1024 later, 2048 on gfx1250; those of registers") {
  COALESCE_CHECK(gfx1010::lds_allocated(1) == 512);
  COALESCE_CHECK(gfx1030::lds_allocated(1025) == 2048);
  COALESCE_CHECK(gfx1100::wave64::lds_allocated(1) == 1024);
  COALESCE_CHECK(gfx1201::lds_allocated(0) == 0);
  COALESCE_CHECK(gfx1250::lds_allocated(1) == 2048);
  COALESCE_CHECK(gfx1250::lds_bytes == 320 * 1024);
  COALESCE_CHECK(gfx1100::vgprs == 1536);
  COALESCE_CHECK(gfx1100::wave64::vgprs == 768);
  COALESCE_CHECK(gfx1100::vgpr_granule == 24);
  COALESCE_CHECK(gfx1100::wave64::vgpr_granule == 12);
}
TEST_CASE("an environment is named by a generation or by a chip of it") {
  static_assert(std::is_same_v<rdna::environment<gfx1100>, rdna::environment<rdna::gfx11>>);
  static_assert(std::is_same_v<rdna::environment<rdna::gfx1251>, rdna::environment<gfx1250>>);
  COALESCE_CHECK(rdna::environment<rdna::gfx1251>{}.cu_mode);
  COALESCE_CHECK(!rdna::environment<gfx1201>{}.cu_mode);
  constexpr rdna::environment<gfx1100> cu{.cu_mode = true};
  COALESCE_CHECK(gfx1100::occupancy({.work_group_size = 64}, cu).waves == 16);
}
TEST_CASE("each generation's granule of LDS is cited from a document on it") {
  auto const from = [](auto chip) { return std::string(decltype(chip)::row::lds_granule.from.document); };
  CHECK(from(gfx1030{}).find("Mesa") == 0);
  CHECK(from(gfx1100{}).find("Mesa") == 0);
  CHECK(from(rdna::gfx1150{}).find("RDNA 3.5") != std::string::npos);
  CHECK(from(rdna::gfx1151{}).find("RDNA 3.5") != std::string::npos);
  CHECK(from(gfx1201{}).find("RDNA 4") != std::string::npos);
  CHECK(from(gfx1250{}).find("167614") != std::string::npos);
  CHECK(std::string(gfx1250::row::lanes.from.document).find("153690") != std::string::npos);
}

TEST_CASE("a kernel that says nothing uses nothing; one that uses all there is fits") {
  constexpr rdna::kernel_resources nothing;
  COALESCE_CHECK(nothing.vgprs == 0);
  COALESCE_CHECK(nothing.lds_bytes == 0);
  COALESCE_CHECK(nothing.work_group_size == 0);
  constexpr rdna::kernel_resources all{.vgprs = 256, .lds_bytes = 65536, .work_group_size = 1024};
  COALESCE_CHECK(gfx1010::occupancy(all, {}) == rdna::waves_per_simd{.by_vgprs = 4, .by_lds = 16, .waves = 4});
  COALESCE_CHECK(gfx1250::occupancy({.vgprs = 256}, {}).waves == 4);
  COALESCE_CHECK(gfx1100::lds_allocated(65536) == 65536);
  COALESCE_CHECK(gfx1250::lds_allocated(327680) == 327680);
}

#ifdef __cpp_exceptions
TEST_CASE("what does not fit a wave or a work-group is refused, and LDS without a work-group's size") {
  CHECK_THROWS_AS(static_cast<void>(gfx1100::occupancy({.vgprs = 257}, {})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx1250::occupancy({.vgprs = 1025}, {})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx1100::occupancy({.work_group_size = 1025}, {})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx1100::occupancy({.lds_bytes = 65537, .work_group_size = 64}, {})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(gfx1250::occupancy({.lds_bytes = 65537, .work_group_size = 64}, {})));
  CHECK_THROWS_AS(static_cast<void>(gfx1100::occupancy({.lds_bytes = 1}, {})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx1100::lds_allocated(65537)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx1100::occupancy({}, {}, static_cast<lds_counting>(9))), co::misuse);
  CHECK_THROWS_AS(
      static_cast<void>(gfx1100::occupancy({}, {}, lds_counting::raw_bytes, static_cast<group_counting>(2))),
      co::misuse);
}
TEST_CASE("gfx1170, gfx1171, gfx1172, gfx1310, refused: how many waves fit, what LDS is rounded to") {
  CHECK_THROWS_AS(static_cast<void>(rdna::gfx1170::occupancy({.vgprs = 8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::gfx1171::occupancy({.vgprs = 8}, {.cu_mode = true})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::gfx1310::occupancy({.vgprs = 8}, {})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::gfx1172::lds_allocated(1)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::gfx1310::lds_allocated(0)), co::misuse);
}
TEST_CASE("gfx1250 has no WGP mode") {
  CHECK_THROWS_AS(static_cast<void>(gfx1250::occupancy({}, {.cu_mode = false})), co::misuse);
}
#endif

// ---- Against the oracle: work-groups one after another ----

namespace {

struct rules {
  unsigned vgprs, vgpr_granule, most, simds, lds, lds_granule, groups, lanes;
};
unsigned next_multiple(unsigned number, unsigned of) {
  while (number % of != 0) ++number;
  return number;
}
unsigned slow_by_vgprs(rdna::kernel_resources const& kernel, rules const& rule) {
  unsigned const each = next_multiple(std::max(1u, kernel.vgprs), rule.vgpr_granule);
  unsigned waves = 0;
  for (unsigned left = rule.vgprs; left >= each && waves != rule.most; left -= each) ++waves;
  return waves;
}
unsigned slow_by_lds(rdna::kernel_resources const& kernel, rules const& rule) {
  if (kernel.work_group_size == 0) return rule.most;
  unsigned const each = next_multiple(kernel.lds_bytes, rule.lds_granule);
  unsigned lds = rule.lds, barriers = rule.groups, simd[4] = {};
  for (;;) {
    if (each > lds) break;
    lds -= each;
    if (kernel.work_group_size > rule.lanes && barriers-- == 0) break;
    unsigned with_it[4] = {simd[0], simd[1], simd[2], simd[3]};
    bool all = true;
    for (unsigned lane = 0; lane < kernel.work_group_size; lane += rule.lanes) {
      unsigned& emptiest = *std::min_element(with_it, with_it + rule.simds);
      all = all && emptiest != rule.most;
      ++emptiest;
    }
    if (!all) break;
    std::copy(with_it, with_it + 4, simd);
  }
  return *std::max_element(simd, simd + 4);
}

class random_kernels {
 public:
  explicit random_kernels(unsigned lds_bytes, unsigned granule, unsigned vgprs)
      : lds_bytes_(lds_bytes), granule_(granule), vgprs_(vgprs) {}
  rdna::kernel_resources next() {
    unsigned const limits[] = {lds_bytes_, lds_bytes_ / 4, lds_bytes_ / 16, 2048};
    unsigned bytes = below(limits[below(4)] + 1);
    if (below(3) == 0) bytes = bytes / granule_ * granule_;
    if (below(4) == 0) bytes = 0;
    // Half of the work-groups are small: only then does their number limit.
    unsigned const most = below(2) == 0 ? 1024 : 128,
                   size = below(2) == 0 ? 32 * (1 + below(most / 32)) : 1 + below(most);
    return {.vgprs = below(below(2) == 0 ? 257 : vgprs_ + 1),
            .lds_bytes = bytes,
            .work_group_size = bytes == 0 && below(8) == 0 ? 0 : size};
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }
  unsigned lds_bytes_, granule_, vgprs_;
  std::mt19937 engine_{7};
};

template <class Wave, class Mode>
unsigned disagreements(rules const& rule, Mode const& mode, lds_counting counting = lds_counting::by_granule,
                       group_counting groups = group_counting::by_guide) {
  random_kernels kernels(Wave::lds_bytes, Wave::lds_granule, Wave::vgprs_of_a_wave);
  unsigned found = 0;
  for (unsigned n = 0; n != 5'000; ++n) {
    auto const kernel = kernels.next();
    unsigned const by_vgprs = slow_by_vgprs(kernel, rule), by_lds = slow_by_lds(kernel, rule);
    found += Wave::occupancy(kernel, mode, counting, groups) !=
             rdna::waves_per_simd{.by_vgprs = by_vgprs, .by_lds = by_lds, .waves = std::min(by_vgprs, by_lds)};
  }
  return found;
}

constexpr rules wgp_of_gfx1010{1024, 8, 20, 4, 131072, 512, 32, 32}, cu_of_gfx1010{1024, 8, 20, 2, 65536, 512, 16, 32},
    wave64_of_gfx1010{512, 4, 20, 4, 131072, 512, 32, 64}, wgp_of_gfx1030{1024, 16, 16, 4, 131072, 1024, 32, 32},
    cu_of_gfx1100{1536, 24, 16, 2, 65536, 1024, 16, 32}, wave64_of_gfx1201{768, 12, 16, 4, 131072, 1024, 32, 64},
    of_gfx1250{1024, 16, 16, 4, 327680, 2048, 32, 32};

}  // namespace

TEST_CASE("40,000 random kernels: as many waves as fit one after another") {
  using rdna::gfx10, rdna::gfx11, rdna::gfx12;
  constexpr rdna::environment<gfx10> wgp{}, cu{.cu_mode = true};
  CHECK(disagreements<gfx1010>(wgp_of_gfx1010, wgp) == 0);
  CHECK(disagreements<gfx1010>(cu_of_gfx1010, cu) == 0);
  CHECK(disagreements<gfx1010::wave64>(wave64_of_gfx1010, wgp) == 0);
  CHECK(disagreements<gfx1030>(wgp_of_gfx1030, wgp) == 0);
  CHECK(disagreements<gfx1100>(cu_of_gfx1100, rdna::environment<gfx11>{.cu_mode = true}) == 0);
  CHECK(disagreements<gfx1201::wave64>(wave64_of_gfx1201, rdna::environment<gfx12>{}) == 0);
  CHECK(disagreements<gfx1250>(of_gfx1250, rdna::environment<gfx1250>{}) == 0);
  auto as_llvm = of_gfx1250;
  as_llvm.groups = 16;
  constexpr rdna::environment<gfx1250> only;
  CHECK(disagreements<gfx1250>(as_llvm, only, lds_counting::by_granule, group_counting::by_llvm) == 0);
  CHECK(disagreements<gfx1250>(as_llvm, only) > 0);  // a control
}
TEST_CASE("LLVM's count is a granule of one byte") {
  auto raw = wgp_of_gfx1030;
  raw.lds_granule = 1;
  constexpr rdna::environment<rdna::gfx10> wgp{};
  CHECK(disagreements<gfx1030>(raw, wgp, lds_counting::raw_bytes) == 0);
  CHECK(disagreements<gfx1030>(raw, wgp) > 0);
}
TEST_CASE("control: other facts are told apart") {
  constexpr rdna::environment<rdna::gfx10> wgp{};
  unsigned rules::*const facts[] = {&rules::vgprs, &rules::vgpr_granule, &rules::most,   &rules::simds,
                                    &rules::lds,   &rules::lds_granule,  &rules::groups, &rules::lanes};
  for (auto const fact : facts) {
    auto other = wgp_of_gfx1010;
    other.*fact /= 2;
    CHECK(disagreements<gfx1010>(other, wgp) > 0);
  }
}
