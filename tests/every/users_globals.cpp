// SPDX-License-Identifier: BSL-1.0
// A user's globals may have the names that templates of the library give their parameters: g++ 12 warned of them
// (-Wshadow) where a lambda or a constructor had such a parameter. This file compiles without a warning.
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;
using co::cuda::cc80;

constexpr auto at = [](unsigned lane, unsigned k) { return 4 * lane + 128 * k; };
[[maybe_unused]] constexpr int asked = 0, over = 0, shift = 0, cost = 0, counted = 0, moved = 0, visitor = 0,
                               active = 0, together = 0, set = 0, costs = 0, runs = 0, line = 0, column = 0,
                               recorder = 0, facts = 0, place = 0, where = 0, threads = 0, block = 0, first = 0,
                               mask = 0, count = 0, other = 0;

constexpr auto total = co::total<cc80::shared_load<32>>(at, co::domain{4});
constexpr auto worst = co::worst<cc80::load<32>>(at, co::domain{4}, co::every_base{.alignment = 16});
constexpr co::tile tile{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr auto copy = co::covers<cc80::shared_store<32>>(at, co::domain{32}, tile);
constexpr auto bins = co::worst<cc80::shared_load<32>>(at, co::any{8});
constexpr auto pieces = co::footprint<128, cc80::load<32>>(at, co::domain{4});
constexpr co::kernel kernel{co::launch{.block = {32}}, [](auto const& t, auto out) { out[t.index()] = 0.f; },
                            co::global<float>{"out", 32}};
constexpr auto seen = co::record<cc80>(kernel);
constexpr auto bases = co::bits_of(at, co::domain{32, 4});

TEST_CASE("a user's globals named as parameters of the library") {
  COALESCE_CHECK(total.conflicts == 0);
  COALESCE_CHECK(worst.cost.transactions == 5);  // 128 bytes from byte 16 on
  COALESCE_CHECK(seen.of("out").transactions == 4);
  COALESCE_CHECK(copy.exactly_once);
  COALESCE_CHECK(bins.cost.ways == 1);  // each lane has a bank of its own
  COALESCE_CHECK(pieces == 512);
  COALESCE_CHECK(bases.basis[1][1] == 256);
}
