// SPDX-License-Identifier: BSL-1.0
//
// Reasons, pictures and suggestions answer about RDNA as about any machine; and the names that they print.
#include <coalesce/compare.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/suggest.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"

#include <string>

namespace co = coalescing;
using co::rdna::gfx1030, co::rdna::gfx1100, co::rdna::gfx1201;

namespace {

bool has(std::string const& text, char const* words) { return text.find(words) != std::string::npos; }
/// An explanation without its rules.
template <class Text>
std::string head(Text const& text) {
  std::string const all = text;
  return all.substr(0, all.find("Rules:\n"));
}

}  // namespace

TEST_CASE("instructions are named by their chip, and by wave64 where they are its") {
  constexpr auto name = co::name_of<gfx1100::ds_load<128>>();
  COALESCE_CHECK(name == "rdna::gfx1100::ds_load<128>");
  CHECK(co::name_of<gfx1030::wave64::global_load<32>>() == "rdna::gfx1030::wave64::global_load<32>");
  CHECK(co::name_of<gfx1201::s_load<4>>() == "rdna::gfx1201::s_load<4>");
}
TEST_CASE("explain: lanes 0 and 20 share a phase on gfx1100, a phase of gfx1201 is eight lanes in order") {
  constexpr auto why = co::explain<gfx1100::ds_load<128>>(co::linear{.stride = 32});
  static_assert(why.size() != 0);
  CHECK(head(why) ==
        "rdna::gfx1100::ds_load<128>: 32 lanes of 16 bytes, active: all\n"
        "  rounds 8, ideal 4: 2 times that\n"
        "  conflicts 4, ideal 0: 4 more\n"
        "  phases 4\n"
        "  ways 2, ideal 1: 2 times that\n"
        "Why: in phase 1 of 4 (lanes 0 to 3 and 20 to 23) lanes 0 and 20 want different words of bank 0: 2 rounds\n");
  CHECK(has(co::explain<gfx1201::ds_load<128>>(co::linear{.stride = 32}), "phase 1 of 4 (lanes 0 to 7) lanes 0 and 4"));
  CHECK(has(why, "  phases, ways: no counter is known to count the same\n"));
}
TEST_CASE("explain: clocks of a wave64 are those of its halves; no counter is known of any number") {
  constexpr auto why = co::explain<gfx1030::wave64::global_load<32>>(co::linear{.stride = 128});
  CHECK(has(why, "Why: lanes 0 and 1 are 128 bytes apart: each opens its own 128-byte line and uses 4 bytes of it\n"));
  CHECK(has(why, "Why: lanes 0 to 31 take 32 clocks, where neighbours take 1: lanes 0 and 1 alone take 2\n"));
  CHECK(has(why, "clocks, transactions, bytes_moved, bytes_used: no counter is known to count the same\n"));
  CHECK(has(co::explain<gfx1100::global_load<32>>(co::linear{.stride = 4}),
            "transactions, bytes_moved, bytes_used: no counter is known to count the same\n"));
}
TEST_CASE("explain: lanes 32 and on are to blame where only they are dear") {
  constexpr auto late = [](unsigned lane) { return lane < 32 ? 4 * lane : 128 * lane; };
  CHECK(has(co::explain<gfx1030::wave64::global_load<32>>(late), "Why: lanes 32 to 63 take 32 clocks"));
}
TEST_CASE("compare: lines of RDNA are those of L0, of atomics L2; a wave64's row says so") {
  constexpr auto rows = co::compare(co::linear{.stride = 128},
                                    co::on<gfx1100::global_load<32>, gfx1201::global_load<32>, gfx1030::global_load<32>,
                                           gfx1030::wave64::global_load<32>, gfx1100::global_atomic<32>>());
  CHECK(std::string(rows.text()) ==
        "                                                    lanes  level     unit  clocks  transactions  bytes_moved"
        "  bytes_used  operations\n"
        "rdna::gfx1100 and gfx1201  global_load<32>             32  L0         128       -            32        4,096"
        "         128           -\n"
        "rdna::gfx1030              global_load<32>             32  L0         128      32            32        4,096"
        "         128           -\n"
        "rdna::gfx1030              wave64::global_load<32>     64  L0         128      64            64        8,192"
        "         256           -\n"
        "rdna::gfx1100              global_atomic<32>           32  L2         128       -            32        4,096"
        "         128          32\n");
}
TEST_CASE("pictures: lines at L0, with clocks and without; banks of a wave64 in eight phases") {
  auto const count = [](std::string const& text, std::string const& words) {
    unsigned found = 0;
    for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++found;
    return found;
  };
  auto const lines = co::svg<gfx1030::wave64::global_load<32>>(co::linear{.stride = 16});
  CHECK(has(
      lines,
      "rdna::gfx1030::wave64::global_load&lt;32&gt; at lane * 16: 8 clocks at L0 (ideal: 2), 8 transactions at L0"));
  CHECK(count(lines, "class=\"transaction\"") == 8);
  CHECK(!has(lines, "class=\"bracket\""));  // those are GCN's quads
  CHECK(count(co::svg<gfx1100::global_load<32>>(co::linear{.stride = 128}), "class=\"transaction\"") == 32);
  auto const banks = co::svg<gfx1100::wave64::ds_load<128>>(co::linear{.stride = 32});
  CHECK(has(banks, "rdna::gfx1100::wave64::ds_load&lt;128&gt; at lane * 32: 16 rounds (ideal: 8)"));
  CHECK(count(banks, "class=\"round\"") == 16);
  CHECK(has(co::terminal<gfx1201::ds_load<32>>(co::linear{.stride = 8}),
            "rdna::gfx1201::ds_load<32> at lane * 8: 2 rounds"));
}
TEST_CASE("suggest: a tile of floats, stored by rows and loaded by columns") {
  constexpr auto row = [](unsigned lane) { return co::cell{.row = 0, .column = lane}; };
  constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
  constexpr auto found = co::suggest({.rows = 32, .columns = 32, .element_bytes = 4},
                                     co::use<gfx1100::ds_store<32>>(row), co::use<gfx1100::ds_load<32>>(column));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.before[1].ways == 32);
  COALESCE_CHECK(found.after[0].conflicts + found.after[1].conflicts == 0);
  COALESCE_CHECK(co::suggest_lanes<gfx1201::global_load<32>, gfx1201::global_load<128>>(
                     {.rows = 4096, .columns = 4096, .element_bytes = 4})
                     .along != 0);
}
TEST_CASE("totals in closed form add up what the waves cost, clocks too") {
  constexpr co::layout<2> rows{.shape = {32, 8}, .stride = {64, 4}};
  constexpr auto all = co::total<gfx1030::global_load<32>>(rows);
  std::uint64_t lines = 0, clocks = 0;
  for (unsigned wave = 0; wave != 8; ++wave) {
    auto const cost = co::cost<gfx1030::global_load<32>>([=](unsigned lane) { return rows(32 * wave + lane); });
    lines += cost.transactions, clocks += cost.clocks;
  }
  CHECK(all.transactions == lines);
  CHECK(all.clocks == clocks);
  COALESCE_CHECK(all.clocks == 8 * 16);
}
