// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/record.hpp>

#include <string>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// Recordings as tables, and one kernel on several machines.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc13, co::cuda::cc90;

namespace {

constexpr co::kernel reversed{co::launch{.block = {64}},
                              [](auto const& t, auto in, auto tile, auto out) {
                                tile[t.index()] = in[t.index()];
                                t.sync();
                                co::atomic_add(out[0], tile[63 - t.index()] < 1.f ? 1 : 2);
                              },
                              co::global<float const>{"in", 64}, co::shared<float[64]>{"tile"},
                              co::global<int>{"out", 1}};
bool says(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("record: one kernel on several machines") {
  auto const all = co::compare<cc13, cc90, gfx942, co::gcn::machine>(reversed);
  REQUIRE(all.size() == 4);
  CHECK(all[0].of("in").issued == 2);
  CHECK(all[1].of("in").transactions == 8);  // sectors of 32 bytes
  CHECK(all[2].of("in").transactions == 2);  // lines of 128 bytes
  CHECK(all[3].of("in").transactions == 4);  // lines of 64 bytes
  CHECK(all[1].of("out").lanes_on_one_address == 32);
  CHECK(all[2].of("out").issued == 1);  // a wave of 64 lanes
  CHECK(!all[0].of("out").is_counted);
  CHECK(all[1].text() == co::record<cc90>(reversed).text());
  CHECK(coalescing_tests::refusal([&] { return all[4].size(); }) != "");
  std::string const table = all.text();
  CHECK(says(table, "cuda::cc13"));
  CHECK(says(table, "cdna::gfx942"));
  CHECK(says(table, "global load 32"));
  CHECK(says(table, "shared store 32"));
  auto const line =
      table.substr(table.find("compare.cpp"), table.find('\n', table.find("compare.cpp")) - table.find("compare.cpp"));
  CHECK(says(line, "in "));
  CHECK(says(line, " 8 "));
  CHECK(line.substr(line.size() - 2) == " 4");
}

TEST_CASE("record: sites of one place and name are compared in their order") {
  auto const put = [](auto p, unsigned i) { p[i] = 0.f; };
  co::kernel const both{co::launch{.block = {32}},
                        [put](auto const& t, auto a, auto b) { put(a, t.lane()), put(b, 32 * t.lane()); },
                        co::global<float>{.elements = 32}, co::global<float>{.elements = 1024}};
  std::string const table = co::compare<cc90, gfx942>(both).text();  // sectors of 32 bytes, and stores of 64 bytes
  auto const second = table.substr(table.find('\n', table.find("compare.cpp")));
  CHECK(says(table.substr(0, table.size() - second.size()), " 4 "));
  CHECK(says(second, " 32 "));
}

TEST_CASE("record: the table of a recording") {
  std::string const table = co::record<cc13>(reversed).text();
  CHECK(says(table, "line"));
  CHECK(says(table, "transactions  rounds  conflicts   ideal  worst\n"));
  CHECK(says(table, "compare.cpp:"));
  CHECK(says(table, "global atomic 32"));
  CHECK(says(table, "no source tells what it costs"));
  unsigned lines = 0;
  for (char const c : table) lines += c == '\n';
  CHECK(lines == 5);
  std::string const long_name(200, 'x');
  CHECK(says(co::record<cc90>(co::kernel{co::launch{.block = {64}}, [](auto const&, auto a) { a[0] = 1.f; },
                                         co::global<float>{long_name.c_str(), 4}})
                 .text(),
             "xxxx  global store 32"));
}
