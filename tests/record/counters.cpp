// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../examples/expected_counters/expected.hpp"
#include "machinery/check.hpp"

// The counters that examples/expected_counters expects of a recording. (Its whole table for a transpose is in
// tests/truth/outside.)

using co::cdna::gfx942, co::cuda::cc13, co::cuda::cc89;

namespace {

struct three {
  float x, y, z;
};
constexpr co::launch two_warps{.grid = {4}, .block = {64}};
constexpr co::kernel stores{two_warps, [](auto const& t, auto to) { to[t.index()] = three{}; },
                            co::global<three>{"to", 64}};
constexpr co::kernel adds{two_warps, [](auto const&, auto s) { co::atomic_add(s[0], 1u); },
                          co::shared<unsigned[1]>{"s"}};
struct alignas(4) seven {
  unsigned of[7];
};
constexpr co::kernel uneven{two_warps, [](auto const& t, auto to) { to[t.index()] = seven{}; },
                            co::global<seven>{"to", 64}};

std::uint64_t value(kernel const& of, std::string const& counter, std::string const& instruction) {
  for (expected_counter const& one : of.counters)
    if (one.name == counter && one.instruction == instruction) return one.value;
  throw std::out_of_range(counter);
}

}  // namespace

TEST_CASE("expected counters of a recording") {
  // Two warps in each of 4 blocks; 12 bytes a lane are three stores of 32 bits, which touch 12 sectors each.
  auto const all = kernel{"stores", {}}.executes(co::record<cc89>(stores, co::every_block));
  CHECK(value(all, "inst_executed", "STG 32") == 4 * 2 * 3);
  CHECK(value(all, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "") == 4 * 2 * 3 * 12);
  CHECK(!all.expects("inst_executed", "STG 96"));
  CHECK((all.not_counted.empty() && all.not_counted_on_page.empty()));
  auto const by_one = kernel{"stores", {}}.executes(co::record<cc89>(stores), 4);
  REQUIRE(by_one.counters.size() == all.counters.size());
  for (std::size_t k = 0; k != all.counters.size(); ++k) CHECK(by_one.counters[k].value == all.counters[k].value);

  auto bounds = co::record<cc89>(stores);
  bounds.sites[0].at_most = true;
  CHECK_THROWS_AS((kernel{"stores", {}}.executes(bounds)), std::invalid_argument);
  CHECK_THROWS_AS((kernel{"adds", {}}.executes(co::record<cc13>(adds))), std::invalid_argument);
  // 28 bytes on CDNA: stores of 128 and 96 bits.
  CHECK_THROWS_AS((kernel{"uneven", {}}.executes(co::record<gfx942>(uneven))), std::invalid_argument);
  CHECK(kernel{"uneven", {}}.executes(co::record<cc89>(uneven)).expects("inst_executed", "STG 32"));
}
TEST_CASE("expected counters: an instruction without one is named, once") {
  co::recorded_cost copied;
  copied.rounds = 1;
  auto const of_copy =
      kernel{"copies", {}}.executes<cc89::cp_async<16>::global>(copied, 1).executes<cc89::cp_async<16>::shared>(copied,
                                                                                                                1);
  auto const again = kernel{of_copy}.executes<cc89::cp_async<16>::global>(copied, 1);
  CHECK_THROWS_AS(kernel{of_copy}.executes<cc89::cp_async<16>::shared>(co::recorded_cost{}, 1), std::invalid_argument);
  std::vector<std::string> const global{"cuda::cc89::cp_async<16>::global"};
  // The Source page has a counter of what the copies write to shared memory.
  CHECK(of_copy.not_counted == std::vector<std::string>{global[0], "cuda::cc89::cp_async<16>::shared"});
  CHECK(of_copy.not_counted_on_page == global);
  CHECK(again.not_counted_on_page == global);
  auto const atomics = kernel{"adds", {}}.executes(co::record<cc89>(adds));
  CHECK(atomics.not_counted == std::vector<std::string>{"cuda::cc89::shared_atomic<32>"});
  CHECK(atomics.counters.empty());
}
