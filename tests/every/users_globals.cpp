// SPDX-License-Identifier: BSL-1.0
// A user's globals may have the names that templates of the library give their parameters: g++ 12 warned of them
// (-Wshadow) where a lambda or a constructor had such a parameter. This file compiles without a warning
// (headers.shadow).
#include <coalesce/claims.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/record.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;
using co::cuda::cc80;

constexpr auto at = [](unsigned own_lane, unsigned own_step) { return 4 * own_lane + 128 * own_step; };
[[maybe_unused]] constexpr int asked = 0, over = 0, shift = 0, cost = 0, counted = 0, moved = 0, visitor = 0,
                               active = 0, together = 0, set = 0, costs = 0, runs = 0, line = 0, column = 0,
                               recorder = 0, facts = 0, place = 0, where = 0, threads = 0, block = 0, first = 0,
                               mask = 0, count = 0, other = 0, address = 0, all = 0, back = 0, best = 0, by = 0,
                               by_default = 0, count_of = 0, figure = 0, from = 0, how = 0, k = 0, lane = 0, list = 0,
                               n = 0, name = 0, number = 0, of = 0, of_lane = 0, one = 0, period = 0, piece = 0,
                               second = 0, some = 0, step = 0, times = 0, to = 0, words = 0;

constexpr auto total = co::total<cc80::shared_load<32>>(at, co::domain{4});
constexpr auto worst = co::worst<cc80::load<32>>(at, co::domain{4}, co::every_base{.alignment = 16});
constexpr co::tile tile{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr auto copy = co::covers<cc80::shared_store<32>>(at, co::domain{32}, tile);
constexpr auto bins = co::worst<cc80::shared_load<32>>(at, co::any{8});
constexpr auto pieces = co::footprint<128, cc80::load<32>>(at, co::domain{4});
constexpr co::kernel kernel{co::launch{.block = {32}}, [](auto const& own, auto out) { out[own.index()] = 0.f; },
                            co::global<float>{"out", 32}};
constexpr auto seen = co::record<cc80>(kernel);
constexpr auto bases = co::bits_of(at, co::domain{32, 4});
constexpr co::linear far{.stride = 128};
constexpr auto why = co::explain<cc80::load<128>>(far);
constexpr auto why_banks = co::explain<cc80::shared_load<32>>(far);
constexpr auto why_clocks = co::explain<co::gcn::buffer_load<32>>(far);
constexpr auto both = co::compare(far, co::on<cc80::load<32>, co::gcn::buffer_load<32>>());

TEST_CASE("a user's globals named as parameters of the library") {
  COALESCE_CHECK(total.conflicts == 0);
  COALESCE_CHECK(worst.cost.transactions == 5);  // 128 bytes from byte 16 on
  COALESCE_CHECK(seen.of("out").transactions == 4);
  COALESCE_CHECK(copy.exactly_once);
  COALESCE_CHECK(bins.cost.ways == 1);  // each lane has a bank of its own
  COALESCE_CHECK(pieces == 512);
  COALESCE_CHECK(bases.basis[1][1] == 256);
  COALESCE_CHECK(why.length > 0);
  COALESCE_CHECK(why_banks.length > 0);
  COALESCE_CHECK(why_clocks.length > 0);
  COALESCE_CHECK(both[0].transactions == 32);
  CHECK(co::svg<cc80::load<32>>(far).size() > co::terminal<cc80::shared_load<32>>(far).size());
}
