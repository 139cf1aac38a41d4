// SPDX-License-Identifier: BSL-1.0
//
// The worst of accesses whose index is data: figures worked out by hand, and refusals. (claims/every_choice.cpp asks an
// oracle.)
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

namespace co = coalescing;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc20, co::cuda::cc35, co::cuda::cc80, co::cuda::cc90;
using shared = cc90::shared_load<32>;

namespace {

constexpr auto bins = [](unsigned, unsigned bin) { return 4 * bin; };
/// Copies of a histogram, each lane its own of `copies`.
template <unsigned Copies>
constexpr auto copies = [](unsigned lane, unsigned bin) { return 4 * (Copies * bin + lane % Copies); };
/// Counters [lane][expert / 4], rows of Words words.
template <unsigned Words>
constexpr auto experts = [](unsigned lane, unsigned expert) { return 4 * (Words * lane + expert / 4); };
/// rocPRIM, block_radix_rank_match.hpp: a counter for each digit and warp, counters[digit * Pitch + warp].
template <unsigned Pitch>
constexpr auto rank_counters = [](unsigned, unsigned warp, unsigned digit) { return 4 * (Pitch * digit + warp); };

}  // namespace

TEST_CASE("99 bins lie 3 or 4 to a bank: 4 lanes can want different words of one, and the witness does") {
  auto const found = co::worst<shared>(bins, co::any{99});
  CHECK(found.cost == co::bank_cost<>{.rounds = 4, .conflicts = 3, .phases = 1, .ways = 4});
  CHECK(co::cost<shared>([&](unsigned lane) { return 4 * found.choice[lane]; }) == found.cost);
  COALESCE_CHECK(co::worst<shared>(bins, co::any{32}).cost.ways == 1);
  COALESCE_CHECK(co::worst<shared>(bins, co::any{33}).cost.ways == 2);
}
TEST_CASE("copies of a histogram: 32 are free; with 8 copies 32 lanes still meet, 4 at a bank") {
  COALESCE_CHECK(co::worst<shared>(copies<32>, co::any{9}).cost.conflicts == 0);
  CHECK(co::worst<shared>(copies<32>, co::any{99}).cost.ways == 1);
  // A bank has a word of every fourth bin of one copy, and 4 lanes share a copy.
  CHECK(co::worst<shared>(copies<8>, co::any{99}).cost.ways == 4);
  CHECK(co::worst<shared>(copies<16>, co::any{99}).cost.ways == 2);
}
TEST_CASE("counters of each lane: rows of 33 words are as bad as rows of 32, since each lane reaches each bank") {
  CHECK(co::worst<shared>(experts<33>, co::any{128}).cost.ways == 32);
  CHECK(co::worst<shared>(experts<32>, co::any{128}).cost.ways == 32);
  COALESCE_CHECK(co::worst<shared>(experts<33>, co::any{4}).cost.ways ==
                 1);  // each lane has one word, 33 from the next
  COALESCE_CHECK(co::worst<shared>(experts<32>, co::any{4}).cost.ways == 32);
}
TEST_CASE("rocPRIM's rank counters of 4 warps and 256 digits: an odd pitch makes 32 ways 8, on gfx950 16 ways 4") {
  // In 32 banks digits 8 apart share a bank: 32 words of each, for half-waves of 32 lanes. With a pitch of 5 words the
  // 256 words spread over all banks. gfx950 has 64 banks, and 16 and 4 words of each.
  CHECK(co::worst<gfx942::ds_read<32>>(rank_counters<4>, co::domain{4}, co::any{256}).cost.ways == 32);
  CHECK(co::worst<gfx942::ds_read<32>>(rank_counters<5>, co::domain{4}, co::any{256}).cost.ways == 8);
  CHECK(co::worst<gfx950::ds_read<32>>(rank_counters<4>, co::domain{4}, co::any{256}).cost.ways == 16);
  CHECK(co::worst<gfx950::ds_read<32>>(rank_counters<5>, co::domain{4}, co::any{256}).cost.ways == 4);
}
TEST_CASE("atomics: the banks are worst by some choices, the operations on one address by others") {
  auto const found = co::worst<cc90::shared_atomic<32>>(bins, co::any{64});
  CHECK(found.cost.ways == 2);
  CHECK(found.cost.lanes_on_one_address < 32);
  CHECK(found.lanes_on_one_address == 32);
  COALESCE_CHECK(co::worst<cc90::atomic<32>>(copies<8>, co::any{3}).lanes_on_one_address == 4);
  // Lanes 2k and 2k + 1 pick as one: to byte 0 and 4, or both to byte 8 * picker. Each picker brings one lane to byte
  // 0, and the first brings two.
  constexpr auto pairs = [](unsigned lane, unsigned choice) { return choice == 0 ? lane % 2 * 4 : lane / 2 * 8; };
  COALESCE_CHECK(co::worst<cc90::atomic<32>>(pairs, co::any{.choices = 2, .together = 2}, 0xf).lanes_on_one_address ==
                 3);
}
TEST_CASE("memory: distinct pieces; a table of 17 words has 3 sectors, and each lane may have a page") {
  COALESCE_CHECK(co::worst<cc90::load<32>>(bins, co::any{17}).cost.transactions == 3);
  COALESCE_CHECK(co::worst<cc90::load<32>>(bins, co::any{17}).cost.bytes_moved == 96);
  constexpr auto pages = [](unsigned lane, unsigned page) { return 4096ull * page + 16 * lane; };
  CHECK(co::worst<cc90::load<128>>(pages, co::any{64}).cost.transactions == 32);
  CHECK(co::worst<cc90::load<128>>(pages, co::any{64}, 0xff).cost.transactions == 8);
  CHECK(co::worst<gfx942::global_load<128>>(pages, co::any{4096}).cost.transactions == 64);
  // Two words in all: two requests of the constant cache. On CC 3.5, 16 lanes of 64 bits make a request.
  COALESCE_CHECK(co::worst<cc90::constant_load<32>>(bins, co::any{2}).cost.requests == 2);
  COALESCE_CHECK(
      co::worst<cc35::load<64>>([](unsigned, unsigned k) { return 256 * k; }, co::any{5}).cost.transactions == 10);
}
TEST_CASE("lanes that pick together: 8 lanes fetch a row of 4 sectors, a row of banks, or sets of different sizes") {
  constexpr auto rows = [](unsigned lane, unsigned row) { return 4096ull * row + lane % 8 * 16; };
  constexpr co::any by_eight{.choices = 5, .together = 8};
  COALESCE_CHECK(co::worst<cc90::load<128>>(rows, by_eight).cost.transactions == 16);
  COALESCE_CHECK(co::worst<cc90::load<128>>(rows, co::any{.choices = 2, .together = 8}).cost.transactions == 8);
  COALESCE_CHECK(co::worst<cc90::shared_load<128>>(rows, by_eight).cost.ways == 1);  // a phase is one row
  constexpr auto shared_rows = [](unsigned lane, unsigned row) { return 32 * row + lane % 8 * 4; };
  COALESCE_CHECK(co::worst<shared>(shared_rows, co::any{.choices = 16, .together = 8}).cost.ways == 4);
  // Lanes 0 to 7, and lanes 8 and 9, have two rows of their own each: 4 sectors, and 1.
  constexpr auto own = [](unsigned lane, unsigned row) { return 4096ull * (2 * (lane / 8) + row) + lane % 8 * 16; };
  COALESCE_CHECK(co::worst<cc90::load<128>>(own, co::any{.choices = 2, .together = 8}, 0x3ff).cost.transactions == 5);
  // Lanes 0 and 1 want two sectors, or one that lane 2 and 3 could have: the heavier set first.
  constexpr auto weights = [](unsigned lane, unsigned choice) {
    return lane < 2 ? (choice == 0 ? 32 * lane : 128u) : choice == 0 ? 128u : 32 * (lane % 2);
  };
  COALESCE_CHECK(co::worst<cc90::load<32>>(weights, co::any{.choices = 2, .together = 2}, 0xf).cost.transactions == 3);
}
TEST_CASE("over a domain: the worst point, and numbers that another point has higher") {
  constexpr auto growing = [](unsigned lane, unsigned step, unsigned k) { return 4 * (lane + 32 * step * k); };
  constexpr auto found = co::worst<shared>(growing, co::domain{3}, co::any{2});
  COALESCE_CHECK((found.cost.ways == 1 && found.at == co::point{0}));  // lane k stays in bank k
  constexpr auto steps = [](unsigned, unsigned step, unsigned k) { return 128 * step * k; };
  COALESCE_CHECK(co::worst<shared>(steps, co::domain{3}, co::any{3}).at == co::point{1});
  COALESCE_CHECK(co::worst<shared>(steps, co::domain{3}, co::any{3}).cost.ways == 3);
  // Four phases without a conflict take more rounds than one with: it is not hidden by them.
  constexpr auto hidden = [](unsigned lane, unsigned step, unsigned k) {
    return step == 0 ? 16 * (lane % 8) : 128 * k;
  };
  constexpr auto few = [](unsigned lane, unsigned step) { return step == 0 || lane < 8; };
  constexpr auto answer = co::worst<cc90::shared_load<128>>(hidden, co::domain{2}, co::any{2}, few);
  COALESCE_CHECK((answer.cost.rounds == 4 && answer.at == co::point{0}));
  COALESCE_CHECK((answer.cost.conflicts == 1 && answer.cost.ways == 2));
  // One phase with 7 conflicts, or four phases of 32 lanes: the point is the first one's.
  constexpr auto phases = [](unsigned lane, unsigned step, unsigned) { return step == 0 ? 128 * lane : 16 * lane; };
  constexpr auto fewer = [](unsigned lane, unsigned step) { return step == 1 || lane < 8; };
  constexpr auto both = co::worst<cc90::shared_load<128>>(phases, co::domain{2}, co::any{2}, fewer);
  COALESCE_CHECK(
      (both.at == co::point{0} && both.cost.rounds == 8 && both.cost.phases == 4 && both.cost.conflicts == 7));
  constexpr auto four = [](unsigned, unsigned, unsigned, unsigned, unsigned, unsigned k) { return 4 * k; };
  COALESCE_CHECK(co::worst<shared>(four, co::domain{1, 1, 1, 2}, co::any{2}, 0b11).cost.ways == 1);
}
TEST_CASE("machines whose phases or words differ: CC 2.x at 128 bits, CC 3.x with its halves, pairs of addresses") {
  constexpr auto rows = [](unsigned, unsigned row) { return 128 * row; };
  COALESCE_CHECK(co::worst<cc20::shared_load<128>>(rows, co::any{3}).cost ==
                 co::bank_cost<>{.rounds = 4, .conflicts = 3, .phases = 1, .ways = 4});  // one more than a quarter's 3
  COALESCE_CHECK(co::worst<cc20::shared_load<32>>(rows, co::any{3}).cost.ways == 3);
  using co::cuda::shared_mode;
  COALESCE_CHECK(co::worst<cc35::shared_load<32, shared_mode::four_byte_banks>>(rows, co::any{2}).cost.ways == 1);
  COALESCE_CHECK(co::worst<cc35::shared_load<32, shared_mode::four_byte_banks>>(rows, co::any{3}).cost.ways == 2);
  COALESCE_CHECK(co::worst<cc35::shared_load<32, shared_mode::eight_byte_banks>>(rows, co::any{3}).cost.ways == 2);
  constexpr auto few = [](unsigned, unsigned row) { return 128 * row; };
  COALESCE_CHECK(co::worst<gfx942::ds_read<32>>(few, co::any{3}, 0xff).cost.ways == 3);
  COALESCE_CHECK(co::worst<gfx942::ds_read2<32, 0, 1>>(few, co::any{3}, 0xff).cost.rounds ==
                 2 * co::worst<gfx942::ds_read<32>>(few, co::any{3}, 0xff).cost.rounds);
  COALESCE_CHECK(co::worst<co::gcn::ds_read<32>>(few, co::any{3}, 0xff).cost.ways == 3);
  COALESCE_CHECK(co::worst<co::rdna::gfx1100::ds_load<32>>(few, co::any{3}, 0xff).cost.ways == 3);
}
TEST_CASE("a mask without a lane costs nothing; over a domain there is no worst then") {
  COALESCE_CHECK(co::worst<shared>(bins, co::any{4}, 0).cost == co::bank_cost<>{});
  constexpr auto over = [](unsigned, unsigned, unsigned bin) { return 4 * bin; };
  CHECK(coalescing_tests::refusal([&] { return co::worst<shared>(over, co::domain{2}, co::any{4}, 0); }) != "");
  CHECK(coalescing_tests::refusal([&] { return co::worst<shared>(over, co::domain{0}, co::any{4}); }) != "");
}
TEST_CASE("loads whose phases may merge: answered where pairs of lanes surely differ, refused where choices may meet") {
  using co::cuda::shared_mode, coalescing_tests::refusal;
  using merging = cc90::shared_load<128>;
  // A lane stays in its place of 128 bytes, and its neighbours have others: 8 lanes of a phase pick 8 rows of any 16.
  constexpr auto rows_of_128 = [](unsigned lane, unsigned row) { return 128 * row + 16 * (lane % 8); };
  COALESCE_CHECK(co::worst<merging>(rows_of_128, co::any{16}).cost.rounds == 4);
  // Two lanes that pick together have two places each time; that of different pickers may be the same.
  constexpr auto pairs = [](unsigned lane, unsigned at) { return 32 * at + 16 * (lane % 2); };
  CHECK(refusal([&] { return co::worst<merging>(pairs, co::any{.choices = 8, .together = 2}); }).find("merge") !=
        std::string::npos);  // second neighbours may meet
  constexpr auto fours = [](unsigned lane, unsigned at) { return 64 * at + 16 * (lane % 4); };
  COALESCE_CHECK(co::worst<merging>(fours, co::any{.choices = 8, .together = 4}).cost.rounds == 8);
  // All lanes may pick one row: refused. Without merging 3 rows of one place are 3 rounds in each of 4 phases.
  constexpr auto anywhere = [](unsigned, unsigned row) { return 128 * row; };
  CHECK(refusal([&] { return co::worst<merging>(anywhere, co::any{3}); }).find("shared_mode::no_merge") !=
        std::string::npos);
  COALESCE_CHECK(co::worst<cc90::shared_load<128, shared_mode::no_merge>>(anywhere, co::any{3}).cost.rounds == 12);
  COALESCE_CHECK(co::worst<cc90::shared_store<128>>(anywhere, co::any{3}).cost.rounds == 12);
  COALESCE_CHECK(co::worst<merging>(anywhere, co::any{3}, 0xff).cost.rounds == 3);  // one phase: nothing to merge with
  COALESCE_CHECK(co::worst<merging>(anywhere, co::any{3}, 0xff00ff).cost.rounds == 6);  // quarters of different halves
  CHECK(refusal([&] { return co::worst<merging>(anywhere, co::any{3}, 0xffff); }) != "");
  CHECK(refusal([&] { return co::worst<merging>(rows_of_128, co::any{64}, 0x1111'1111); }) != "");  // no pairs at all
}
TEST_CASE("what is refused says so at run time") {
  using coalescing_tests::refusal;
  auto const says = [](std::string const& sentence, char const* words) {
    return sentence.find(words) != sentence.npos;
  };
  CHECK(says(refusal([] { return co::worst<shared>(bins, co::any{0}); }), "n is less than 1"));
  CHECK(says(refusal([] { return co::worst<shared>(bins, co::any{-1}); }), "n is less than 1"));
  CHECK(says(refusal([] { return co::worst<shared>(bins, co::any{std::int64_t{1} << 32}); }), "more than 2^32 - 1"));
  CHECK(says(refusal([] { return co::worst<shared>(bins, co::any{.choices = 2, .together = 0}); }),
             "fewer than one lane"));
  auto const across = [](unsigned lane, unsigned k) { return 4 * lane + 124 * k; };
  CHECK(says(refusal([&] { return co::worst<gfx942::global_load<64>>(across, co::any{2}); }), "touches two pieces"));
  // Rows of 96 bytes overlap in part: row 0 has sectors 0 to 2, row 1 of another group 2 to 4.
  auto const overlapping = [](unsigned lane, unsigned row) { return 64ull * row + lane % 8 * 12; };
  CHECK(says(refusal([&] { return co::worst<cc90::load<32>>(overlapping, co::any{.choices = 2, .together = 8}); }),
             "share some"));
  CHECK(says(refusal([] {
               return co::worst<cc90::shared_load<128>>(
                   [](unsigned lane, unsigned row) { return 16 * lane + 512 * row; },
                   co::any{.choices = 2, .together = 16});
             }),
             "different phases"));
  // With choice 0 two lanes want two sectors, with choice 1 one of them.
  auto const subset = [](unsigned lane, unsigned k) { return k == 0 ? lane % 2 * 32 : 0; };
  CHECK(says(refusal([&] { return co::worst<cc90::load<32>>(subset, co::any{.choices = 2, .together = 2}); }),
             "share some"));
  auto const superset = [](unsigned lane, unsigned k) { return k == 1 ? lane % 2 * 32 : 0; };
  CHECK(says(refusal([&] { return co::worst<cc90::load<32>>(superset, co::any{.choices = 2, .together = 2}); }),
             "share some"));
}
