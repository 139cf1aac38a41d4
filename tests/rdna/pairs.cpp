// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna.hpp>

#include "amd/lds.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <string>
#include <type_traits>
#include <vector>

// DS_LOAD_2ADDR, DS_STORE_2ADDR: all phases of the first address, then all of the second.

namespace co = coalescing;
using namespace coalescing_tests;
using co::rdna::gfx1010, co::rdna::gfx1030, co::rdna::gfx1100, co::rdna::gfx1151, co::rdna::gfx1201;

TEST_CASE("two neighbouring elements a lane: a round a phase for each address, and none more where they conflict") {
  COALESCE_CHECK(co::cost<gfx1100::ds_load_2addr<32, 0, 1>>(co::linear{.stride = 4}) ==
                 co::bank_cost<>{.rounds = 2, .conflicts = 0, .phases = 2, .ways = 1});
  COALESCE_CHECK(co::cost<gfx1201::ds_store_2addr<64, 0, 1>>(co::linear{.stride = 8}) ==
                 co::bank_cost<>{.rounds = 4, .conflicts = 0, .phases = 4, .ways = 1});
  // 16 bytes a lane as two of 8: lanes 0 and 8 of a half lie 128 bytes apart, at both addresses. As one of 16: none.
  COALESCE_CHECK(co::cost<gfx1100::ds_load_2addr<64, 0, 1>>(co::linear{.stride = 16}) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 4, .phases = 4, .ways = 2});
  COALESCE_CHECK(co::cost<gfx1100::ds_load<128>>(co::linear{.stride = 16}).conflicts == 0);
  COALESCE_CHECK(co::cost<gfx1030::wave64::ds_store_2addr<32, 0, 1>>(co::linear{.stride = 8}).rounds == 8);
  COALESCE_CHECK(co::cost<gfx1010::ds_load_2addr_stride64<32, 0, 1>>(co::linear{.stride = 4}).rounds == 2);
}
TEST_CASE("equal offsets are one access; the phases of both addresses are listed, the first address's first") {
  COALESCE_CHECK(co::cost<gfx1201::ds_load_2addr<32, 5, 5>>(co::linear{.stride = 8}) ==
                 co::cost<gfx1201::ds_load<32>>(co::linear{.stride = 8}));
  constexpr auto list = co::phases<gfx1100::ds_load_2addr<32, 0, 31>>(co::linear{.stride = 128});
  COALESCE_CHECK(list.size() == 2);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0xffff'ffff, .rounds = 32, .bank = 0, .colliding = 0xffff'ffff});
  COALESCE_CHECK(list[1] == co::bank_phase{.lanes = 0xffff'ffff, .rounds = 32, .bank = 31, .colliding = 0xffff'ffff});
}
TEST_CASE("what pairs say of themselves") {
  using pair = gfx1100::ds_load_2addr_stride64<64, 1, 3>;
  COALESCE_CHECK(pair::reach == 3 * 64 * 8);
  COALESCE_CHECK(pair::nearest == 64 * 8);
  COALESCE_CHECK(pair::alignment == 8);
  COALESCE_CHECK(pair::lanes == 32);
  COALESCE_CHECK(gfx1100::wave64::ds_store_2addr<32, 0, 1>::lanes == 64);
}
TEST_CASE("all are inferred, and say from what") {
  using enum co::evidence;
  COALESCE_CHECK(gfx1100::ds_load_2addr<64, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1201::ds_store_2addr<32, 0, 1>::sources.rounds.evidence == inferred);
  auto const assumes = [](co::source const& from, char const* words) {
    return std::string(from.assumes).find(words) != std::string::npos;
  };
  CHECK(std::string(gfx1100::ds_load_2addr<64, 0, 1>::sources.rounds.claim).find("ds_read2_b64 on MI300") !=
        std::string::npos);
  CHECK(!assumes(gfx1100::ds_load_2addr<64, 0, 1>::sources.rounds, "as on gfx11"));
  CHECK(assumes(gfx1201::ds_load_2addr<64, 0, 1>::sources.rounds, "as on gfx11"));
  CHECK(assumes(gfx1100::wave64::ds_load_2addr<64, 0, 1>::sources.rounds, "two such halves"));
  CHECK(assumes(gfx1100::ds_load_2addr<64, 0, 1>::sources.rounds, "takes a round"));
}
#ifdef __cpp_exceptions
TEST_CASE("both addresses end in LDS, and are aligned as one element") {
  using pair = gfx1201::ds_load_2addr<64, 2, 5>;
  CHECK_NOTHROW(static_cast<void>(co::cost<pair>(co::broadcast{65536 - 48})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<pair>(co::broadcast{65536 - 40})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<pair>(co::broadcast{4})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<pair>(co::broadcast{0 - std::uint64_t{16}})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<pair>(co::broadcast{0 - std::uint64_t{24}})), co::misuse);
}
#endif

// ---- Against the oracle ----

namespace {

std::vector<std::vector<unsigned>> in_order(unsigned size, unsigned lanes) {
  std::vector<std::vector<unsigned>> phases;
  for (unsigned first = 0; first != lanes; first += size) {
    phases.emplace_back();
    for (unsigned lane = first; lane != first + size; ++lane) phases.back().push_back(lane);
  }
  return phases;
}

/// How many of so many random accesses the oracle answers differently: the rounds of one address, then of the other.
template <class Pair>
unsigned disagreements(unsigned lanes_at_once, unsigned offset0, unsigned offset1, unsigned count) {
  auto const phases = in_order(lanes_at_once, Pair::lanes);
  random_accesses accesses(Pair::bytes, Pair::alignment, offset0 + offset1 + 1, 65536 - std::max(offset0, offset1));
  unsigned found = 0;
  for (unsigned n = 0; n != count; ++n) {
    auto made = accesses.next();
    if (Pair::lanes == 32) made.active &= 0xffff'ffff;
    auto first = made, second = made;
    for (auto& address : first.address) address += offset0;
    for (auto& address : second.address) address += offset1;
    lds_rounds const one(first, Pair::bytes, phases, 32), other(second, Pair::bytes, phases, 32);
    co::bank_cost<> const expected{.rounds = one.sum + other.sum,
                                   .conflicts = one.sum + other.sum - one.phases - other.phases,
                                   .phases = one.phases + other.phases,
                                   .ways = std::max(one.worst, other.worst)};
    found += co::cost<Pair>(made.address, made.active) != expected;
  }
  return found;
}

}  // namespace

TEST_CASE("two addresses agree with the oracle, address by address, on 8,000 random accesses") {
  unsigned const count = share(1'000);
  CHECK(disagreements<gfx1100::ds_load_2addr<64, 3, 200>>(16, 24, 1600, count) == 0);
  CHECK(disagreements<gfx1100::ds_store_2addr<32, 255, 0>>(32, 1020, 0, count) == 0);
  CHECK(disagreements<gfx1151::wave64::ds_load_2addr<32, 1, 2>>(32, 4, 8, count) == 0);
  CHECK(disagreements<gfx1030::ds_load_2addr_stride64<64, 0, 100>>(16, 0, 51200, count) == 0);
  CHECK(disagreements<gfx1201::ds_store_2addr<64, 0, 1>>(16, 0, 8, count) == 0);
  CHECK(disagreements<gfx1201::ds_load_2addr<32, 17, 4>>(32, 68, 16, count) == 0);
  CHECK(disagreements<gfx1010::wave64::ds_store_2addr_stride64<64, 1, 0>>(16, 512, 0, count) == 0);
  CHECK(disagreements<gfx1030::wave64::ds_store_2addr<32, 9, 31>>(32, 36, 124, count) == 0);
}
TEST_CASE("control: other phases, and both addresses in the phases of one access of their width, disagree") {
  CHECK(disagreements<gfx1100::ds_load_2addr<64, 3, 200>>(32, 24, 1600, 200) > 0);
  CHECK(disagreements<gfx1201::ds_load_2addr<32, 17, 4>>(16, 68, 16, 200) > 0);
  CHECK(disagreements<gfx1201::ds_store_2addr<64, 0, 1>>(8, 0, 8, 200) > 0);
}
