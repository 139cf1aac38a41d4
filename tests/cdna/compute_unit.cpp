// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

#include <algorithm>
#include <random>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::gfx942, cdna::gfx950, cdna::lds_counting;
using namespace coalescing_tests;

namespace {

template <class Chip>
constexpr unsigned by_vgprs(unsigned arch, unsigned acc = 0) {
  return Chip::occupancy({.arch_vgprs = arch, .acc_vgprs = acc}).by_vgprs;
}
template <class Chip>
constexpr unsigned by_sgprs(unsigned sgprs) {
  return Chip::occupancy({.sgprs = sgprs}).by_sgprs;
}
template <class Chip>
constexpr unsigned by_lds(unsigned work_group_size, unsigned bytes, lds_counting counting = lds_counting::by_granule) {
  return Chip::occupancy({.lds_bytes = bytes, .work_group_size = work_group_size}, counting).by_lds;
}

}  // namespace

TEST_CASE("LLVMDOC: 4 SIMDs of 8 waves of 64 lanes; work-groups of at most 16 waves (ISA4 4.3)") {
  COALESCE_CHECK(gfx942::simds == 4);
  COALESCE_CHECK(gfx942::most_waves_per_simd == 8);
  COALESCE_CHECK(gfx942::lanes_per_wave == 64);
  COALESCE_CHECK(gfx942::work_group_limit == 1024);
  COALESCE_CHECK(gfx950::simds == 4);
  COALESCE_CHECK(gfx950::most_waves_per_simd == 8);
}
TEST_CASE("SPECS: 512 KiB of VGPRs and 12.5 KiB of SGPRs a compute unit, 64 or 160 KiB of LDS") {
  COALESCE_CHECK(gfx942::vgprs * 64 * 4 * gfx942::simds == 512 * 1024);
  COALESCE_CHECK(2 * gfx942::sgprs * 4 * gfx942::simds == 25 * 1024);
  COALESCE_CHECK(gfx950::vgprs * 64 * 4 * gfx950::simds == 512 * 1024);
  COALESCE_CHECK(2 * gfx950::sgprs * 4 * gfx950::simds == 25 * 1024);
  COALESCE_CHECK(gfx942::lds_bytes == 64 * 1024);
  COALESCE_CHECK(gfx950::lds_bytes == 160 * 1024);
}
TEST_CASE("LLVMDOC: LDS is allocated by 512 bytes on gfx942, by 1280 on gfx950; VGPRs by 8, SGPRs by 16") {
  COALESCE_CHECK(gfx942::lds_granule == 512);
  COALESCE_CHECK(gfx950::lds_granule == 1280);
  COALESCE_CHECK(gfx942::vgpr_granule == 8);
  COALESCE_CHECK(gfx942::sgpr_granule == 16);
  COALESCE_CHECK(gfx942::lds_allocated(0) == 0);
  COALESCE_CHECK(gfx942::lds_allocated(1) == 512);
  COALESCE_CHECK(gfx942::lds_allocated(512) == 512);
  COALESCE_CHECK(gfx942::lds_allocated(9361) == 9728);
  COALESCE_CHECK(gfx942::lds_allocated(65536) == 65536);
  COALESCE_CHECK(gfx950::lds_allocated(1281) == 2560);
  COALESCE_CHECK(gfx950::lds_allocated(32768) == 33280);
  COALESCE_CHECK(gfx950::lds_allocated(163840) == 163840);
}

// ---- Section 10's examples ----

TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: 64, 72, 81, 128, 129, 257 VGPRs leave 8, 7, 5, 4, 3, 1 waves, on both chips") {
  COALESCE_CHECK(by_vgprs<gfx942>(64) == 8);
  COALESCE_CHECK(by_vgprs<gfx942>(72) == 7);
  COALESCE_CHECK(by_vgprs<gfx942>(81) == 5);
  COALESCE_CHECK(by_vgprs<gfx942>(128) == 4);
  COALESCE_CHECK(by_vgprs<gfx942>(129) == 3);
  COALESCE_CHECK(by_vgprs<gfx942>(256, 1) == 1);  // 257
  COALESCE_CHECK(by_vgprs<gfx950>(64) == 8);
  COALESCE_CHECK(by_vgprs<gfx950>(72) == 7);
  COALESCE_CHECK(by_vgprs<gfx950>(81) == 5);
  COALESCE_CHECK(by_vgprs<gfx950>(128) == 4);
  COALESCE_CHECK(by_vgprs<gfx950>(129) == 3);
  COALESCE_CHECK(by_vgprs<gfx950>(256, 1) == 1);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: arch 65 + acc 64 = 132, allocated 136: 3 waves") {
  COALESCE_CHECK(by_vgprs<gfx942>(65, 64) == 3);
  COALESCE_CHECK(by_vgprs<gfx950>(65, 64) == 3);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: AGPRs begin at a multiple of 4: 61 + 64 is 128, 4 waves; 64 + 1 is 65, 7 waves") {
  COALESCE_CHECK(by_vgprs<gfx942>(61, 64) == 4);
  COALESCE_CHECK(by_vgprs<gfx942>(61, 65) == 3);
  COALESCE_CHECK(by_vgprs<gfx942>(64, 1) == 7);
  COALESCE_CHECK(by_vgprs<gfx942>(0, 64) == 8);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: no VGPR is no limit; 256 + 256 is one wave") {
  COALESCE_CHECK(by_vgprs<gfx942>(0) == 8);
  COALESCE_CHECK(by_vgprs<gfx942>(1) == 8);
  COALESCE_CHECK(by_vgprs<gfx942>(256, 256) == 1);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: 96 SGPRs leave 8 waves, more 7; a total of 102: 7") {
  COALESCE_CHECK(by_sgprs<gfx942>(0) == 8);
  COALESCE_CHECK(by_sgprs<gfx942>(96) == 8);
  COALESCE_CHECK(by_sgprs<gfx942>(97) == 7);
  COALESCE_CHECK(by_sgprs<gfx942>(100) == 7);  // LLVM prints 8: it leaves the granule out
  COALESCE_CHECK(by_sgprs<gfx942>(102) == 7);
  COALESCE_CHECK(by_sgprs<gfx950>(96) == 8);
  COALESCE_CHECK(by_sgprs<gfx950>(102) == 7);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: LDS on gfx942: 256 lanes and 16 KiB, 4 waves; 1024 lanes and 32 KiB, 8 waves") {
  COALESCE_CHECK(by_lds<gfx942>(256, 16 * 1024) == 4);
  COALESCE_CHECK(by_lds<gfx942>(1024, 32 * 1024) == 8);
}
TEST_CASE(
    "LLVMDOC, COMPUTE_PGM_RSRC: LDS on gfx950: 256 lanes and 32768 bytes, 4 waves, LLVM 5; 1024 lanes and 160 KiB, 4 "
    "waves") {
  COALESCE_CHECK(by_lds<gfx950>(256, 32768) == 4);
  COALESCE_CHECK(by_lds<gfx950>(256, 32768, lds_counting::raw_bytes) == 5);
  COALESCE_CHECK(by_lds<gfx950>(1024, 160 * 1024) == 4);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: gfx942, 256 lanes and 9361 bytes: 6 waves by the granule, 7 as LLVM 22 prints") {
  COALESCE_CHECK(by_lds<gfx942>(256, 9361) == 6);
  COALESCE_CHECK(by_lds<gfx942>(256, 9361, lds_counting::raw_bytes) == 7);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: work-groups are whole, without LDS too; one of the whole LDS still runs") {
  COALESCE_CHECK(by_lds<gfx942>(0, 0) == 8);
  COALESCE_CHECK(by_lds<gfx942>(1024, 0) == 8);
  COALESCE_CHECK(by_lds<gfx942>(576, 0) == 7);  // 9 waves: 3 work-groups, 27 waves on 4 SIMDs (llc 22.1.8 prints 7)
  COALESCE_CHECK(by_lds<gfx950>(704, 0) == 6);  // 11 waves: 2 (llc: 6)
  COALESCE_CHECK(by_lds<gfx942>(64, 0) == 8);
  COALESCE_CHECK(by_lds<gfx942>(64, 64 * 1024) == 1);
  COALESCE_CHECK(by_lds<gfx942>(1, 64 * 1024) == 1);
  COALESCE_CHECK(by_lds<gfx942>(320, 64 * 1024) == 2);  // 5 waves on 4 SIMDs
}
TEST_CASE("a kernel of which nothing is said uses nothing") {
  constexpr cdna::kernel_resources nothing;
  COALESCE_CHECK(nothing.arch_vgprs == 0);
  COALESCE_CHECK(nothing.acc_vgprs == 0);
  COALESCE_CHECK(nothing.sgprs == 0);
  COALESCE_CHECK(nothing.lds_bytes == 0);
  COALESCE_CHECK(nothing.work_group_size == 0);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: the occupancy is the least of the three") {
  COALESCE_CHECK(gfx942::occupancy({}) == cdna::waves_per_simd{.by_vgprs = 8, .by_sgprs = 8, .by_lds = 8, .waves = 8});
  COALESCE_CHECK(gfx942::occupancy({.arch_vgprs = 72, .sgprs = 102, .lds_bytes = 9361, .work_group_size = 256}) ==
                 cdna::waves_per_simd{.by_vgprs = 7, .by_sgprs = 7, .by_lds = 6, .waves = 6});
  COALESCE_CHECK(
      gfx942::occupancy({.arch_vgprs = 129, .sgprs = 102, .lds_bytes = 9361, .work_group_size = 256}).waves == 3);
  COALESCE_CHECK(gfx942::occupancy({.arch_vgprs = 64, .sgprs = 102}).waves == 7);
}
TEST_CASE("LLVMDOC, COMPUTE_PGM_RSRC: the most LDS that still admits n work-groups: floor(128 / n) granules") {
  COALESCE_CHECK(gfx942::lds_for_work_groups(1) == 65536);
  COALESCE_CHECK(gfx942::lds_for_work_groups(2) == 32768);
  COALESCE_CHECK(gfx942::lds_for_work_groups(3) == 42 * 512);
  COALESCE_CHECK(gfx942::lds_for_work_groups(7) == 18 * 512);
  COALESCE_CHECK(gfx950::lds_for_work_groups(1) == 163840);
  COALESCE_CHECK(gfx950::lds_for_work_groups(4) == 32 * 1280);
  COALESCE_CHECK(gfx950::lds_for_work_groups(5) == 25 * 1280);
  COALESCE_CHECK(gfx950::lds_for_work_groups(6) == 21 * 1280);
}

namespace {

/// Granule by granule: n work-groups of so many bytes.
template <class Chip>
bool fit(unsigned n, unsigned bytes) {
  unsigned left = 128;  // granules of a compute unit, on both chips
  for (unsigned group = 0; group != n; ++group)
    for (unsigned given = 0; given < bytes; given += Chip::lds_granule)
      if (left-- == 0) return false;
  return true;
}
template <class Chip>
unsigned wrong_limits() {
  unsigned wrong = 0;
  for (unsigned n = 1; n <= 32; ++n) {
    unsigned const most = Chip::lds_for_work_groups(n);
    wrong += !fit<Chip>(n, most) || fit<Chip>(n, most + 1);
  }
  return wrong;
}

}  // namespace

TEST_CASE("that many work-groups fit with the bytes of lds_for_work_groups, and not with one byte more") {
  CHECK(wrong_limits<gfx942>() == 0);
  CHECK(wrong_limits<gfx950>() == 0);
}

#ifdef __cpp_exceptions
TEST_CASE("what no wave or work-group can have is refused") {
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({.arch_vgprs = 257})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({.acc_vgprs = 257})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({.sgprs = 109})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(gfx942::occupancy({.sgprs = 108})));
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({.lds_bytes = 65537, .work_group_size = 64})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx950::occupancy({.lds_bytes = 163841, .work_group_size = 64})), co::misuse);
  CHECK_THROWS_AS(
      static_cast<void>(gfx942::occupancy({.lds_bytes = 65537, .work_group_size = 64}, lds_counting::raw_bytes)),
      co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({.lds_bytes = 1, .work_group_size = 1025})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({.lds_bytes = 1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::lds_allocated(65537)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::lds_allocated(~0u)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::lds_for_work_groups(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx942::lds_for_work_groups(33)), co::misuse);  // 32 waves are all
  CHECK(gfx942::lds_for_work_groups(32) == 4 * 512);
  CHECK_THROWS_AS(static_cast<void>(gfx942::occupancy({}, static_cast<lds_counting>(9))), co::misuse);
  CHECK_NOTHROW(static_cast<void>(gfx942::occupancy({.arch_vgprs = 256, .acc_vgprs = 256, .sgprs = 102})));
  CHECK_NOTHROW(static_cast<void>(gfx950::occupancy({.lds_bytes = 163840, .work_group_size = 1024})));
}
#endif

// ---- Against a machine that is filled wave by wave ----

namespace {

/// Section 10's numbers; the readings that it rejects are controls.
struct rules {
  unsigned lds_bytes, lds_granule;
  unsigned vgpr_granule = 8, agprs_from = 4, sgpr_granule = 16;
};
constexpr rules of_gfx942{64 * 1024, 512}, of_gfx950{160 * 1024, 1280};

unsigned next_multiple(unsigned number, unsigned of) {
  while (number % of != 0) ++number;
  return number;
}
/// Waves of so many registers, one after another, until the file is full.
unsigned fill(unsigned file, unsigned each) {
  unsigned waves = 0;
  while (waves != 8 && each <= file) file -= each, ++waves;
  return waves;
}
unsigned slow_by_vgprs(cdna::kernel_resources const& kernel, rules const& rule) {
  unsigned total = kernel.arch_vgprs;
  if (kernel.acc_vgprs != 0) total = next_multiple(total, rule.agprs_from) + kernel.acc_vgprs;
  return fill(512, next_multiple(total, rule.vgpr_granule));
}
unsigned slow_by_sgprs(cdna::kernel_resources const& kernel, rules const& rule) {
  return fill(800, next_multiple(kernel.sgprs, rule.sgpr_granule));
}
/// Work-groups, one after another: LDS, a barrier where they have several waves, then each wave to the emptiest SIMD.
unsigned slow_by_lds(cdna::kernel_resources const& kernel, rules const& rule) {
  if (kernel.work_group_size == 0) return 8;
  unsigned const each = next_multiple(kernel.lds_bytes, rule.lds_granule);
  unsigned lds = rule.lds_bytes, barriers = 16, simd[4] = {};
  for (;;) {
    if (each > lds) break;
    lds -= each;
    if (kernel.work_group_size > 64 && barriers-- == 0) break;
    unsigned with_it[4] = {simd[0], simd[1], simd[2], simd[3]};
    bool all = true;
    for (unsigned lane = 0; lane < kernel.work_group_size; lane += 64) {
      unsigned& emptiest = *std::min_element(with_it, with_it + 4);
      all = all && emptiest != 8;
      ++emptiest;
    }
    if (!all) break;
    std::copy(with_it, with_it + 4, simd);
  }
  return *std::max_element(simd, simd + 4);
}
cdna::waves_per_simd slow_occupancy(cdna::kernel_resources const& kernel, rules const& rule) {
  unsigned const vgprs = slow_by_vgprs(kernel, rule), sgprs = slow_by_sgprs(kernel, rule),
                 lds = slow_by_lds(kernel, rule);
  return {vgprs, sgprs, lds, std::min({vgprs, sgprs, lds})};
}

/// Kernels of all sizes: registers up to the limits, small and large LDS, often at a granule or a byte past it.
class random_kernels {
 public:
  explicit random_kernels(unsigned lds_bytes, unsigned lds_granule) : lds_bytes_(lds_bytes), granule_(lds_granule) {}
  cdna::kernel_resources next() {
    unsigned const limits[] = {lds_bytes_, lds_bytes_ / 4, lds_bytes_ / 16, 2048};
    unsigned bytes = below(limits[below(4)] + 1);
    if (below(3) == 0) bytes = bytes / granule_ * granule_;
    if (below(8) == 0) bytes = 0;
    return {.arch_vgprs = below(257),
            .acc_vgprs = below(2) * below(257),
            .sgprs = below(103),
            .lds_bytes = bytes,
            .work_group_size = bytes == 0 && below(4) == 0 ? 0
                               : below(2) == 0             ? 64 * (1 + below(16))
                                                           : 1 + below(1024)};
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }
  unsigned lds_bytes_, granule_;
  std::mt19937 engine_{7};
};

template <class Chip>
unsigned disagreements(rules const& rule, lds_counting counting = lds_counting::by_granule) {
  random_kernels kernels(Chip::lds_bytes, Chip::lds_granule);
  unsigned found = 0;
  for (unsigned n = 0; n != share(20'000); ++n) {
    auto const kernel = kernels.next();
    found += Chip::occupancy(kernel, counting) != slow_occupancy(kernel, rule);
  }
  return found;
}

}  // namespace

TEST_CASE("20,000 random kernels on each chip: as many waves as fit one after another") {
  CHECK(disagreements<gfx942>(of_gfx942) == 0);
  CHECK(disagreements<gfx950>(of_gfx950) == 0);
}
TEST_CASE("LLVM's count is a granule of one byte") {
  rules raw_942 = of_gfx942, raw_950 = of_gfx950;
  raw_942.lds_granule = raw_950.lds_granule = 1;
  CHECK(disagreements<gfx942>(raw_942, lds_counting::raw_bytes) == 0);
  CHECK(disagreements<gfx950>(raw_950, lds_counting::raw_bytes) == 0);
  CHECK(disagreements<gfx942>(raw_942) > 0);
  CHECK(disagreements<gfx950>(of_gfx950, lds_counting::raw_bytes) > 0);
}
TEST_CASE("control: other granules are told apart") {
  rules other = of_gfx942;
  other.vgpr_granule = 4;
  CHECK(disagreements<gfx942>(other) > 0);
  other = of_gfx942, other.agprs_from = 1;
  CHECK(disagreements<gfx942>(other) > 0);
  other = of_gfx942, other.sgpr_granule = 1;
  CHECK(disagreements<gfx942>(other) > 0);
  other = of_gfx942, other.lds_granule = 1280;
  CHECK(disagreements<gfx942>(other) > 0);
  other = of_gfx950, other.lds_granule = 512;
  CHECK(disagreements<gfx950>(other) > 0);
  other = of_gfx950, other.lds_bytes = 64 * 1024;
  CHECK(disagreements<gfx950>(other) > 0);
}
TEST_CASE("a kernel that uses more of anything never has more waves") {
  random_kernels kernels(gfx950::lds_bytes, gfx950::lds_granule);
  unsigned wrong = 0;
  for (unsigned n = 0; n != share(5'000); ++n) {
    auto const kernel = kernels.next();
    auto more = kernel;
    more.arch_vgprs = std::min(256u, more.arch_vgprs + n % 9);
    more.acc_vgprs = std::min(256u, more.acc_vgprs + n % 5);
    more.sgprs = std::min(102u, more.sgprs + n % 17);
    if (kernel.work_group_size != 0) more.lds_bytes = std::min(gfx950::lds_bytes + 0, more.lds_bytes + n % 1281);
    wrong += gfx950::occupancy(more).waves > gfx950::occupancy(kernel).waves;
  }
  CHECK(wrong == 0);
}
