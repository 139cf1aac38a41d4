// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include "amd/lds.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

namespace co = coalescing;
namespace gcn = co::gcn;
using namespace coalescing_tests;

namespace {

template <class Instruction>
constexpr std::uint64_t rounds(std::int64_t stride, std::uint64_t active = co::all_lanes) {
  return co::cost<Instruction>(co::linear{.stride = stride}, active).rounds;
}
constexpr std::uint64_t lanes(unsigned first, unsigned second) {
  return std::uint64_t{1} << first | std::uint64_t{1} << second;
}
/// Two active lanes at bytes 0 and 128: the same bank, different dwords.
template <class Instruction>
constexpr std::uint64_t pair(unsigned first, unsigned second) {
  return co::cost<Instruction>([=](unsigned lane) { return lane == first ? 0u : 128u; }, lanes(first, second)).rounds;
}

}  // namespace

TEST_CASE("OPT 2.2: ds_read_b32 by strides of 1, 3, 33, 2, 4, 8, 16 and 0 dwords") {
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4) == 2);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4 * 3) == 2);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4 * 33) == 2);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4 * 2) == 4);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4 * 4) == 8);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4 * 8) == 16);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(4 * 16) == 32);
  COALESCE_CHECK(rounds<gcn::ds_read<32>>(0) == 2);
  COALESCE_CHECK(rounds<gcn::ds_write<32>>(4 * 2) == 4);
}
TEST_CASE("OPT 2.2: bytes at stride 1 and shorts at stride 2 share dwords") {
  COALESCE_CHECK(rounds<gcn::ds_read<8>>(1) == 2);
  COALESCE_CHECK(rounds<gcn::ds_read<16>>(2) == 2);
  COALESCE_CHECK(rounds<gcn::ds_read<8>>(128) == 64);
}
TEST_CASE("OPT 2.2, CK: 64-bit and 128-bit reads") {
  COALESCE_CHECK(rounds<gcn::ds_read<64>>(8) == 4);
  COALESCE_CHECK(rounds<gcn::ds_read<64>>(16) == 8);
  COALESCE_CHECK(rounds<gcn::ds_read<128>>(16) == 8);
  COALESCE_CHECK(rounds<gcn::ds_read<128>>(64) == 32);
  COALESCE_CHECK(rounds<gcn::ds_write<128>>(64) == 32);
}
TEST_CASE("OPT 2.2: sequential float2 is conflict-free, float4 on b64 reads at half rate") {
  COALESCE_CHECK(co::cost<gcn::ds_read<64>>(co::linear{.stride = 8}).conflicts == 0);
  COALESCE_CHECK(co::cost<gcn::ds_read<64>>(co::linear{.stride = 16}).rounds == 2 * 4);
}
TEST_CASE("CK: lanes at bytes 0 and 128 conflict when one phase serves both") {
  COALESCE_CHECK(pair<gcn::ds_read<128>>(0, 20) == 9);
  COALESCE_CHECK(pair<gcn::ds_read<128>>(0, 4) == 8);
  COALESCE_CHECK(pair<gcn::ds_write<128>>(0, 4) == 9);
  COALESCE_CHECK(pair<gcn::ds_write<128>>(0, 20) == 8);
}
TEST_CASE("RCP counters: one active lane takes 2 cycles; two lanes 128 bytes apart in one half 3, with 1 conflict") {
  COALESCE_CHECK(co::cost<gcn::ds_read<32>>(co::linear{}, 1) ==
                 co::bank_cost<>{.rounds = 2, .conflicts = 0, .phases = 2, .ways = 1});
  COALESCE_CHECK(co::cost<gcn::ds_read<32>>(co::linear{.stride = 128}, 3) ==
                 co::bank_cost<>{.rounds = 3, .conflicts = 1, .phases = 2, .ways = 2});
  COALESCE_CHECK(pair<gcn::ds_read<32>>(0, 32) == 2);  // not in one half
}
TEST_CASE("RCP: the highest bank-conflict rate is 31/32") {
  constexpr auto worst = co::cost<gcn::ds_read<32>>(co::linear{.stride = 128});
  COALESCE_CHECK(worst.rounds == 64);
  COALESCE_CHECK(worst.conflicts * 32 == worst.rounds * 31);
}
TEST_CASE("a phase without an active lane takes a round all the same") {
  COALESCE_CHECK(co::cost<gcn::ds_read<128>>(co::linear{.stride = 16}, 1) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 0, .phases = 8, .ways = 1});
}
TEST_CASE("phases by instruction") {
  COALESCE_CHECK(co::cost<gcn::ds_read<8>>(co::linear{}).phases == 2);
  COALESCE_CHECK(co::cost<gcn::ds_read<32>>(co::linear{}).phases == 2);
  COALESCE_CHECK(co::cost<gcn::ds_read<64>>(co::linear{}).phases == 4);
  COALESCE_CHECK(co::cost<gcn::ds_read<96>>(co::linear{}).phases == 8);
  COALESCE_CHECK(co::cost<gcn::ds_read<128>>(co::linear{}).phases == 8);
  COALESCE_CHECK(co::cost<gcn::ds_write<64>>(co::linear{}).phases == 4);
  COALESCE_CHECK(co::cost<gcn::ds_write<128>>(co::linear{}).phases == 8);
}
TEST_CASE("what LDS instructions say of themselves") {
  COALESCE_CHECK(gcn::ds_read<32>::level == co::level::lds);
  COALESCE_CHECK(gcn::ds_read<32>::unit == 4);
  COALESCE_CHECK(gcn::ds_read<32>::period == 128);
  COALESCE_CHECK(gcn::ds_read<32>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(gcn::ds_read<64>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(gcn::ds_read<128>::sources.conflicts.evidence == co::evidence::documented);
  COALESCE_CHECK(gcn::ds_read<96>::sources.phases.evidence == co::evidence::inferred);
}
static_assert(gcn::ds_read_width<96> && !gcn::ds_write_width<96> && !gcn::ds_read_width<24>);

#ifdef __cpp_exceptions
TEST_CASE("LDS addresses are naturally aligned, 96 bits like 128 (LLVM, up to gfx8); others are refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::ds_read<16>>(co::broadcast{1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::ds_read<32>>(co::broadcast{2})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::ds_read<64>>(co::broadcast{4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::ds_read<96>>(co::broadcast{12})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::ds_write<128>>(co::broadcast{8})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gcn::ds_read<96>>(co::broadcast{16})));
}
#endif

// ---- Against the oracle: the phases as the sources print them ----

namespace {

using namespace lds_phases;

template <class Instruction>
unsigned disagreements(std::string const& phases, unsigned banks = 32, unsigned width = 4) {
  auto const lists = lane_lists(phases);
  unsigned found = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes, Instruction::capacity);
  for (unsigned n = 0; n != share(4'000); ++n) {
    auto const made = accesses.next();
    found += !lds_agrees<Instruction>(made, lists, banks, width);
  }
  return found;
}

}  // namespace

TEST_CASE("LDS instructions agree with the oracle on 44,000 random accesses") {
  CHECK(disagreements<gcn::ds_read<8>>(halves) == 0);
  CHECK(disagreements<gcn::ds_read<16>>(halves) == 0);
  CHECK(disagreements<gcn::ds_read<32>>(halves) == 0);
  CHECK(disagreements<gcn::ds_read<64>>(quarters) == 0);
  CHECK(disagreements<gcn::ds_read<96>>(crossed) == 0);
  CHECK(disagreements<gcn::ds_read<128>>(crossed) == 0);
  CHECK(disagreements<gcn::ds_write<8>>(halves) == 0);
  CHECK(disagreements<gcn::ds_write<16>>(halves) == 0);
  CHECK(disagreements<gcn::ds_write<32>>(halves) == 0);
  CHECK(disagreements<gcn::ds_write<64>>(quarters) == 0);
  CHECK(disagreements<gcn::ds_write<128>>(eighths) == 0);
}
TEST_CASE("control: other phases, another number of banks, and gem5's bank = byte address mod 32 are told apart") {
  CHECK(disagreements<gcn::ds_read<32>>("0-63") > 0);
  CHECK(disagreements<gcn::ds_read<64>>(halves) > 0);
  CHECK(disagreements<gcn::ds_read<128>>(eighths) > 0);
  CHECK(disagreements<gcn::ds_write<128>>(crossed) > 0);
  CHECK(disagreements<gcn::ds_read<32>>(halves, 16) > 0);
  CHECK(disagreements<gcn::ds_read<32>>(halves, 64) > 0);
  CHECK(disagreements<gcn::ds_read<32>>(halves, 32, 1) > 0);
}

TEST_CASE("two lanes on different words of one bank conflict exactly when one phase serves both: all pairs") {
  auto const lists = lane_lists(crossed);
  for (unsigned first = 0; first != 64; ++first)
    for (unsigned second = first + 1; second != 64; ++second) {
      bool together = false;
      for (auto const& phase : lists)
        together =
            together ||
            (std::count(phase.begin(), phase.end(), first) + std::count(phase.begin(), phase.end(), second) == 2);
      CHECK(pair<gcn::ds_read<128>>(first, second) == (together ? 9 : 8));
      CHECK(pair<gcn::ds_write<128>>(first, second) == (first / 8 == second / 8 ? 9 : 8));
      CHECK(pair<gcn::ds_read<64>>(first, second) == (first / 16 == second / 16 ? 5 : 4));
      CHECK(pair<gcn::ds_read<32>>(first, second) == (first / 32 == second / 32 ? 3 : 2));
    }
}
