// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/global.hpp"
#include "machinery/check.hpp"

// Machines that do not exist, each a row alone: no rule states a figure of its own.

namespace coalescing::cuda {

/// Sectors of 64 bytes in lines of 256, two tags a cycle, 64 banks; words of 8 bytes by quarters of the warp, of 16 by
/// eighths.
template <>
struct row<999> : volta {
  static constexpr document nowhere{"made up", "", "none known"};
  static constexpr fact sector_bytes{64, nowhere.implies("", "64")}, line_bytes{256, sector_bytes.from},
      tags_per_cycle{2, sector_bytes.from}, banks{64, sector_bytes.from};
  static constexpr fact whole{32, sector_bytes.from}, quarter{8, sector_bytes.from}, eighth{4, sector_bytes.from};
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = whole, .of_2 = whole, .of_4 = whole, .of_8 = quarter, .of_16 = eighth};
  static constexpr by_width<fact<unsigned>> data_lanes = shared_lanes;
  static constexpr fact shared_bytes{1024, sector_bytes.from};
};

/// CC 5.0 with sectors of 16 bytes and requests of 4, 2 and 1 lanes.
template <>
struct row<998> : row<50> {
  static constexpr fact sector_bytes{16, our_reading.implies("", "made up")};
  static constexpr fact<by_width<unsigned>> request_lanes{{.of_1 = 4, .of_2 = 4, .of_4 = 4, .of_8 = 2, .of_16 = 1},
                                                          sector_bytes.from};
};

/// CC 1.3 with smallest transactions of 16 bytes, the segments as they are.
template <>
struct row<997> : row<13> {
  static constexpr fact sector_bytes{16, our_reading.implies("", "made up")};
};

/// CC 2.0 with lines of 256 bytes, segments of 64, and requests of 8 lanes of any width.
template <>
struct row<996> : row<20> {
  static constexpr fact sector_bytes{64, our_reading.implies("", "made up")}, line_bytes{256, sector_bytes.from};
  static constexpr fact<by_width<unsigned>> request_lanes{{.of_1 = 8, .of_2 = 8, .of_4 = 8, .of_8 = 8, .of_16 = 8},
                                                          sector_bytes.from};
};

}  // namespace coalescing::cuda

using namespace coalescing_tests;

namespace {

using of_64 = cuda::device<999>;
using of_16 = cuda::device<998>;

/// Load and store of the machine with sectors of 64 bytes, number by number.
template <unsigned Bits>
unsigned disagreements_of_global(unsigned data_lanes, unsigned sector = 64, unsigned line = 256, unsigned banks = 64,
                                 unsigned tags = 2) {
  constexpr unsigned bytes = Bits / 8;
  unsigned found = 0;
  warp_accesses accesses(bytes, 5 + bytes);
  for (unsigned n = 0; n != share(2'000); ++n) {
    auto const made = accesses.next();
    auto const touched = touched_bytes(made, bytes);
    std::uint64_t wavefronts = 0;
    for (auto const rounds : bank_rounds(made, bytes, lanes_of_parts(32 / data_lanes), banks, 4)) wavefronts += rounds;
    auto const sectors = touched_pieces(touched, sector).size(), lines = touched_pieces(touched, line).size();
    cuda::l1_load_cost<> const load{.requests = made.active != 0,
                                    .transactions = sectors,
                                    .bytes_moved = sectors * sector,
                                    .bytes_used = touched.size(),
                                    .lines = lines,
                                    .data_wavefronts = wavefronts,
                                    .tag_wavefronts_at_least = (lines + tags - 1) / tags};
    found += co::cost<of_64::load<Bits>>(made.address, made.active) != load;
    auto const store = co::cost<of_64::store<Bits>>(made.address, made.active);
    found += store.transactions != sectors || store.lines != lines || store.data_wavefronts != wavefronts ||
             store.partial_sectors != sectors_in_part(made, bytes, sector) ||
             store.operations != lanes_of_address(made).size();
    std::uint64_t listed = 0;
    for (auto const& [address, lanes] : served_lanes(made, bytes, sector)) {
      auto const list = co::transactions<of_64::load<Bits>>(made.address, made.active);
      listed += listed < list.size() && list[listed] == co::transaction{address, sector, lanes};
    }
    found += listed != sectors;
  }
  return found;
}

template <unsigned Bits>
unsigned disagreements_of_shared(unsigned lanes, unsigned banks = 64) {
  using load = of_64::shared_load<Bits>;
  unsigned found = 0;
  warp_accesses accesses(load::bytes, 9 + Bits, load::capacity);
  for (unsigned n = 0; n != share(2'000); ++n) {
    auto const made = accesses.next();
    co::bank_cost<> expected;
    for (auto const rounds : bank_rounds(made, load::bytes, lanes_of_parts(32 / lanes), banks, 4))
      expected.rounds += rounds, expected.phases += rounds != 0, expected.ways = std::max(expected.ways, rounds);
    expected.conflicts = expected.rounds - expected.phases;
    found += co::cost<load>(made.address, made.active) != expected;
    found += !lists_phases(co::phases<load>(made.address, made.active), left_out, made, load::bytes,
                           lanes_of_parts(32 / lanes), banks, 4);
  }
  return found;
}

template <class Instruction>
unsigned disagreements_of_pieces(unsigned lanes_of_part, unsigned lanes_of_request, std::uint64_t piece) {
  return disagreements<Instruction>(share(2'000), [=](random_access const& made, unsigned bytes) {
    return answer{pieces_of_parts(made, bytes, lanes_of_part, piece), parts_with_a_lane(made, lanes_of_request)};
  });
}

}  // namespace

TEST_CASE("a machine with 64-byte sectors, 256-byte lines and 64 banks is a row alone") {
  CHECK(disagreements_of_global<8>(32) == 0);
  CHECK(disagreements_of_global<32>(32) == 0);
  CHECK(disagreements_of_global<64>(8) == 0);
  CHECK(disagreements_of_global<128>(4) == 0);
  CHECK(disagreements_of_shared<16>(32) == 0);
  CHECK(disagreements_of_shared<32>(32) == 0);
  CHECK(disagreements_of_shared<64>(8) == 0);
  CHECK(disagreements_of_shared<128>(4) == 0);
}
TEST_CASE("control: with any one figure of CC 7.0 in its place it is another machine") {
  CHECK(disagreements_of_global<32>(32, 32) > 0);
  CHECK(disagreements_of_global<32>(32, 64, 128) > 0);
  CHECK(disagreements_of_global<32>(32, 64, 256, 32) > 0);
  CHECK(disagreements_of_global<32>(32, 64, 256, 64, 4) > 0);
  CHECK(disagreements_of_global<64>(16) > 0);
  CHECK(disagreements_of_shared<32>(32, 32) > 0);
  CHECK(disagreements_of_shared<64>(16) > 0);
}
TEST_CASE("its shared memory ends where its row says") {
  CHECK(co::cost<of_64::shared_load<32>>(co::broadcast{1020}).rounds == 1);
#ifdef __cpp_exceptions
  CHECK_THROWS_AS(static_cast<void>(co::cost<of_64::shared_load<32>>(co::broadcast{1024})), co::misuse);
#endif
  CHECK(of_64::shared_load<32>::period == 256);
  CHECK(of_64::load<32>::period == 256);
  CHECK(of_64::load<32>::unit == 64);
}
TEST_CASE("CC 5.0, 1.3 and 2.0 with other figures are rows alone too") {
  CHECK(disagreements_of_pieces<of_16::load<32>>(32, 4, 16) == 0);
  CHECK(disagreements_of_pieces<of_16::load<64>>(32, 2, 16) == 0);
  CHECK(disagreements_of_pieces<of_16::load<128>>(32, 1, 16) == 0);
  CHECK(disagreements_of_pieces<of_16::load<32>>(32, 8, 16) > 0);
  CHECK(disagreements_of_pieces<of_16::load<32>>(32, 4, 32) > 0);
  using cuda::caching;
  CHECK(disagreements_of_pieces<cuda::device<996>::load<32, caching::l2>>(8, 8, 64) == 0);
  CHECK(disagreements_of_pieces<cuda::device<996>::load<32, caching::l1>>(8, 8, 256) == 0);
  CHECK(disagreements_of_pieces<cuda::device<996>::load<32, caching::l1>>(32, 32, 128) > 0);
}
TEST_CASE("CC 1.3 with 16-byte transactions: a lane alone moves 16 bytes, two sectors apart grow until both are in") {
  using load = cuda::device<997>::load<32>;
  CHECK(co::cost<load>(co::linear{.stride = 4}, 1).bytes_moved == 16);
  CHECK(co::cost<load>(co::linear{.stride = 16}, 0b11).bytes_moved == 32);
  CHECK(co::cost<load>(co::linear{.stride = 32}, 0b11).bytes_moved == 64);
  CHECK(co::cost<load>(co::linear{.base = 16, .stride = 16}, 0b11).bytes_moved == 64);
}
