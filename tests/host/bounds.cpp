// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/host/json.hpp>
#include <coalesce/host/kernel/committed.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/record/explain.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include "machinery/check.hpp"

// Upper bounds in recordings (host/recording.hpp): figures worked out by hand, what sums, counters, tables and JSON do
// with them, and loops. Random questions about every instruction are in every/bounds.cpp.

namespace co = coalescing;
using co::memory_space, co::touch, co::not_counted;
using co::cdna::gfx942, co::cuda::cc80, co::cuda::cc90;

namespace {

using possible = co::possible_access<32>;
constexpr std::uint64_t every = 0xffff'ffff;

/// Lanes `step` bytes apart, from a base of which is known that it is a multiple of 2 to a power; with `lanes` lanes of
/// each base.
possible from_bases(std::uint64_t step, unsigned lanes = 32, unsigned aligned = 2) {
  possible one{.may = every, .surely = every};
  for (unsigned k = 0; k != 32; ++k)
    one.address[k] = k * step, one.base[k] = 1 + k / lanes, one.aligned[k] = static_cast<std::uint8_t>(aligned);
  return one;
}
/// Lanes `step` bytes apart at known addresses, of which some take part for certain.
possible guarded(std::uint64_t step, std::uint64_t surely = 0, std::uint64_t first = 0) {
  possible one{.may = every, .surely = surely};
  for (unsigned k = 0; k != 32; ++k) one.address[k] = first + k * step;
  return one;
}
possible unknown() { return from_bases(0, 1); }

template <class Rows>
unsigned open(Rows& rows, memory_space space, touch kind, unsigned bytes, char const* array = "a", unsigned line = 1) {
  return rows.open({.file = "k.cu", .line = line}, array, space, kind, bytes, bytes);
}
/// What one access costs at most.
template <class Machine>
co::recorded_cost at_most(memory_space space, touch kind, unsigned bytes, possible const& one) {
  co::row_recorder<Machine> rows;
  rows.take_at_most(open(rows, space, kind, bytes), one);
  return rows.result().total();
}

}  // namespace

TEST_CASE("bounds: ranges by hand") {
  auto const within = [](memory_space space, touch kind, unsigned bytes, std::uint64_t from, std::uint64_t to) {
    auto one = unknown();
    for (unsigned k = 0; k != 32; ++k) one.from[k] = from, one.to[k] = to;
    return at_most<cc90>(space, kind, bytes, one);
  };
  // table[index & 7], of dwords at a sector: the lanes touch one. From the middle of a sector on: two.
  CHECK(within(memory_space::global, touch::load, 4, 1024, 1056).transactions == 1);
  CHECK(within(memory_space::global, touch::load, 4, 1040, 1072).transactions == 2);
  CHECK(within(memory_space::global, touch::load, 4, 1024, 1056).bytes_moved == 32);
  CHECK(within(memory_space::global, touch::load, 4, 1024, 1536).lines == 4);
  // tile[index & 255]: 8 rows of all banks, so 8 words in a bank, where all 32 lanes would have 32.
  auto const tile = within(memory_space::shared, touch::load, 4, 0, 1024);
  CHECK((tile.rounds == 8 && tile.conflicts == 7 && tile.ways == 8));
  CHECK(within(memory_space::shared, touch::load, 4, 0, 128).conflicts == 0);
  CHECK(within(memory_space::shared, touch::load, 4, 64, 192).conflicts == 1);  // two rows
  // Lanes at one address wait for each other in an atomic, wherever it is.
  CHECK(within(memory_space::shared, touch::atomic, 4, 0, 128).lanes_on_one_address == 32);
  CHECK(within(memory_space::global, touch::atomic, 4, 1024, 1056).operations == 32);
}
TEST_CASE("bounds: global memory by hand") {
  auto const load = [](possible const& one) { return at_most<cc90>(memory_space::global, touch::load, 4, one); };
  // 128 bytes that begin anywhere: 5 sectors of 2 lines. Where they begin at a line: 4 of 1.
  auto const row = load(from_bases(4));
  CHECK((row.at_most && row.issued == 1 && row.requests == 1));
  CHECK((row.transactions == 5 && row.bytes_moved == 160 && row.bytes_used == 128 && row.lines == 2));
  CHECK((load(from_bases(4, 32, 7)).transactions == 4 && load(from_bases(4, 32, 7)).lines == 1));
  CHECK(load(from_bases(4, 32, 5)).lines == 2);
  // Four rows of 32 bytes, each anywhere: 2 sectors each; at sectors: 1 each. They are one request.
  CHECK((load(from_bases(4, 8)).transactions == 8 && load(from_bases(4, 8)).requests == 1));
  CHECK(load(from_bases(4, 8, 5)).transactions == 4);
  // A gather: a sector a lane.
  CHECK((load(unknown()).transactions == 32 && load(unknown()).bytes_used == 128 && load(unknown()).lines == 32));
  // Lanes that may be missing: what all cost. A store may leave any sector in part.
  CHECK((load(guarded(4)).transactions == 4 && load(guarded(4)).at_most));
  auto const store = at_most<cc90>(memory_space::global, touch::store, 4, guarded(4));
  CHECK((store.transactions == 4 && store.partial_sectors == 4));
  CHECK(at_most<cc90>(memory_space::global, touch::store, 4, from_bases(4, 32, 5)).partial_sectors == 0);
  CHECK(at_most<cc90>(memory_space::global, touch::store, 4, from_bases(4)).partial_sectors == 2);
  // Atomics at unknown addresses: all may meet in one.
  auto const histogram = at_most<cc90>(memory_space::global, touch::atomic, 4, unknown());
  CHECK((histogram.transactions == 32 && histogram.operations == 32 && histogram.lanes_on_one_address == 32));
}

TEST_CASE("bounds: shared memory by hand") {
  auto const load = [](possible const& one) { return at_most<cc90>(memory_space::shared, touch::load, 4, one); };
  // tile[i][lane] with any i: no conflict. tile[index[lane]][lane]: each lane has its bank, in whichever row.
  CHECK((load(from_bases(4)).rounds == 1 && load(from_bases(4)).conflicts == 0));
  CHECK((load(from_bases(4, 1, 7)).rounds == 1 && load(from_bases(4, 1, 7)).ways == 1));
  // Rows of 64 bytes: two lanes want each bank at most. Rows of which nothing is known: all want one.
  CHECK((load(from_bases(128, 1, 7)).rounds == 32));
  CHECK((load(unknown()).rounds == 32 && load(unknown()).conflicts == 31 && load(unknown()).ways == 32));
  // Two half-warps, each a row of its own at any bank: two rounds.
  CHECK((load(from_bases(4, 16)).rounds == 2 && load(from_bases(4, 16)).conflicts == 1));
  // A column, of which lanes may be missing.
  CHECK((load(guarded(128)).rounds == 32 && load(guarded(128)).conflicts == 31 && load(guarded(128)).phases == 1));
}

TEST_CASE("bounds: pairs of lanes may merge where lanes are missing") {
  auto const load = [](possible const& one) { return at_most<cc80>(memory_space::shared, touch::load, 8, one); };
  // All lanes: two halves without a conflict. Even lanes alone have no neighbour that differs: the halves become one,
  // and lanes 0 and 16 want one bank.
  auto const any = load(guarded(8));
  CHECK((any.rounds == 2 && any.conflicts == 1 && any.ways == 2));
  // Lanes 0 to 2 surely read three words: nothing merges.
  auto const three = load(guarded(8, 0b111));
  CHECK((three.rounds == 2 && three.conflicts == 0 && three.ways == 1));
  // All read one word: they merge, whoever takes part.
  auto const one = load(guarded(0));
  CHECK((one.rounds == 1 && one.phases == 1 && one.conflicts == 0));
}

TEST_CASE("bounds: LDS by hand: an idle phase takes a round once") {
  auto const read = [](unsigned lanes_of_a_base) {
    co::possible_access<64> one{.may = ~std::uint64_t{0}, .surely = ~std::uint64_t{0}};
    for (unsigned k = 0; k != 64; ++k)
      one.address[k] = 4 * (k % lanes_of_a_base), one.base[k] = 1 + k / lanes_of_a_base;
    co::row_recorder<gfx942> rows;
    rows.take_at_most(open(rows, memory_space::shared, touch::load, 4), one);
    return rows.result().total();
  };
  CHECK((read(64).rounds == 2 && read(64).conflicts == 0));  // two halves of 32 lanes
  CHECK((read(32).rounds == 2 && read(32).conflicts == 0));  // each half a row of its own
  CHECK((read(16).rounds == 4 && read(16).conflicts == 2));  // two rows in a half
  CHECK((read(1).rounds == 64 && read(1).conflicts == 62 && read(1).ways == 32));
}

TEST_CASE("bounds: instructions that move one element add up") {
  co::row_recorder<cc90> rows;
  unsigned const load = rows.open({}, "a", memory_space::global, touch::load, 12, 4);
  rows.take_at_most(load, from_bases(12));
  // Each of three words: 376 bytes that may begin 4 bytes before a sector's end: 13 sectors.
  CHECK((rows.result().total().issued == 3 && rows.result().total().transactions == 39));
}

TEST_CASE("bounds: what is known is exact, and nothing is no access") {
  co::row_recorder<cc90> a, b;
  for (auto* rows : {&a, &b})
    for (unsigned k = 0; k != 3; ++k)
      open(*rows, k == 1 ? memory_space::shared : memory_space::global, touch::store, 4);
  std::uint64_t active = every;
  for (unsigned const step : {4u, 8u, 128u}) {
    for (unsigned const site : {0u, 1u}) {
      auto one = guarded(step, active);
      one.may = active;
      a.take(site, active, one.address), b.take_at_most(site, one);
    }
    active &= active << 3;
  }
  possible nobody = unknown();
  nobody.may = 0, b.take_at_most(0, nobody), b.take_at_most(0, nobody, 7);
  auto const taken = a.result(), bounded = b.result();
  REQUIRE(bounded.size() == taken.size());
  for (unsigned k = 0; k != taken.size(); ++k) {
    CHECK(taken[k].cost == bounded[k].cost);
    CHECK((taken[k].ideal == bounded[k].ideal && taken[k].worst == bounded[k].worst));
    CHECK((!bounded[k].at_most && !bounded[k].cost.at_most && bounded[k].per_iteration == 0));
  }
  CHECK(taken.text() == bounded.text());
  CHECK(bounded.total().issued == 6);
}

TEST_CASE("bounds: addresses that the instruction cannot have") {
  co::row_recorder<cc90> rows;
  unsigned const load = open(rows, memory_space::shared, touch::load, 4);
  // Lane 1 may be misaligned, and lane 2 past the end: then they take no part.
  auto one = guarded(128, 0b1);
  one.may = 0b111, one.address[1] = 2, one.address[2] = 1 << 20;
  rows.take_at_most(load, one);
  CHECK((rows.result().total().rounds == 1 && rows.result()[0].worst_access.active == 1));
  one.surely = 0b11;
  CHECK_THROWS_AS(rows.take_at_most(load, one), co::misuse);
  one.surely = 0b101;
  CHECK_THROWS_AS(rows.take_at_most(load, one), co::misuse);
  CHECK_THROWS_AS(rows.take_at_most(7, one), co::misuse);
  one.may = 0b10, one.surely = 0;
  rows.take_at_most(load, one);  // nobody can
  CHECK(rows.result().total().issued == 1);
  CHECK_THROWS_AS((void)at_most<co::cuda::cc13>(memory_space::global, touch::load, 4, unknown()), co::misuse);
  CHECK_THROWS_AS((void)at_most<co::cuda::cc21>(memory_space::shared, touch::load, 16, guarded(16)), co::misuse);
  co::row_recorder<co::gcn::machine> old;
  unsigned const gcn = open(old, memory_space::global, touch::load, 4);
  CHECK_THROWS_AS(old.take_at_most(gcn, {.may = 0b11, .surely = 0b1}), co::misuse);
}

TEST_CASE("bounds: a warp costs its most expensive round, number by number, and warps add up") {
  auto const load = [](co::row_recorder<cc90>& rows) { return open(rows, memory_space::global, touch::load, 4); };
  co::row_recorder<cc90> rows;
  unsigned const site = load(rows);
  rows.begin({}, 0);
  rows.take_at_most(site, unknown(), 20), rows.take_at_most(site, from_bases(4), 20), rows.end_round();  // 32 + 5
  rows.take_at_most(site, unknown(), 20), rows.end_round();                                              // 32
  rows.end_round();                                                                                      // nothing
  rows.begin({}, 1);
  rows.take_at_most(site, from_bases(4, 32, 7), 20), rows.end_round();  // 4
  rows.block_done();
  auto seen = rows.result();
  CHECK((seen[0].per_iteration == 20 && seen[0].at_most && seen[0].cost.at_most));
  CHECK((seen[0].cost.transactions == 37 + 4 && seen[0].cost.issued == 2 + 1 && seen[0].worst == 32));
  rows.begin({.x = 1}, 0);
  rows.take_at_most(site, unknown(), 20), rows.end_round(), rows.block_done();
  CHECK(rows.result()[0].cost.transactions == 37 + 4 + 32);
  CHECK(!rows.result().blocks_alike);

  // Warps take turns within a round: a round is no longer for it, and no shorter.
  co::row_recorder<cc90> turns;
  load(turns);
  for (unsigned const half : {0u, 1u})
    for (unsigned const warp : {0u, 1u}) {
      turns.begin({}, warp), turns.take_at_most(0, unknown(), 20);
      if (half == 1) turns.end_round();
    }
  turns.block_done();
  CHECK(turns.result()[0].cost.transactions == 2 * 64);

  // A round of the inner loop is none of the outer one, where the reader says which ended.
  co::row_recorder<cc90> nested;
  unsigned const outer = load(nested), inner = open(nested, memory_space::global, touch::load, 4, "b", 2);
  for (unsigned k = 0; k != 3; ++k)
    nested.take_at_most(outer, unknown(), 10), nested.take_at_most(inner, unknown(), 20), nested.end_round(20);
  nested.end_round(10), nested.block_done();
  CHECK((nested.result()[outer].cost.transactions == 96 && nested.result()[inner].cost.transactions == 32));
  // A round that nothing ended counts.
  nested.take_at_most(outer, unknown(), 10), nested.block_done();
  CHECK(nested.result()[outer].cost.transactions == 96 + 32);
  // An access in such a loop is a bound, though all of it is known.
  co::row_recorder<cc90> known;
  known.take_at_most(load(known), guarded(4, every), 10), known.end_round(), known.block_done();
  CHECK((known.result()[0].at_most && known.result()[0].cost.transactions == 4));
}

TEST_CASE("bounds: sums say that they are bounds, and what they leave out") {
  co::row_recorder<cc90> rows;
  unsigned const exact = open(rows, memory_space::global, touch::load, 4, "in", 1),
                 bound = open(rows, memory_space::global, touch::store, 4, "out", 2),
                 row = open(rows, memory_space::shared, touch::load, 4, "tile", 3),
                 column = open(rows, memory_space::shared, touch::load, 4, "tile", 4);
  rows.take(exact, every, guarded(4).address);
  rows.take_at_most(bound, unknown());
  rows.take_at_most(row, from_bases(4), 30), rows.end_round();
  rows.block_done();
  auto const seen = rows.result();
  CHECK((!seen.of("in").at_most && seen.of("in").left_out == 0 && seen.of("in").transactions == 4));
  CHECK((seen.of("out").at_most && seen.of("out").left_out == 0));
  CHECK((seen.total().at_most && seen.total().left_out == 1));
  CHECK((seen.total().transactions == 36 && seen.total().issued == 2));
  // The row in the loop has no conflict in any round, and a round in each of them.
  CHECK((seen.of("tile").at_most && seen.of("tile").left_out == 1 && seen.of("tile").conflicts == 0));
  CHECK((seen.of("tile").rounds == not_counted && seen.of("tile").ways == 1 && seen.at(3).rounds == not_counted));
  CHECK((seen.loads(memory_space::global).at_most == false && seen.stores(memory_space::global).at_most));

  // A column has conflicts. Its ways are a maximum, and its rounds are left out.
  rows.take_at_most(column, unknown(), 30), rows.end_round(), rows.block_done();
  auto const more = rows.result();
  CHECK((more.of("tile").left_out == 2 && more.of("tile").ways == 32));
  CHECK((more.of("tile").conflicts == 0 && more.at(4).conflicts == not_counted && more[column].cost.conflicts == 31));
  CHECK(!(more.total() == seen.total()));
}

TEST_CASE("bounds: a counter is expected only where its number is known") {
  constexpr char const *loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                       *stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
  co::row_recorder<cc90> rows;
  unsigned const load = open(rows, memory_space::global, touch::load, 4),
                 store = open(rows, memory_space::global, touch::store, 4);
  rows.take(load, every, guarded(4).address), rows.take_at_most(store, unknown());
  CHECK((rows.result().expected(loads) == 4 && rows.result().expected(stores) == not_counted));
  rows.take_at_most(load, guarded(4), 9);
  CHECK(rows.result().expected(loads) == not_counted);
}

TEST_CASE("bounds: tables and JSON") {
  co::row_recorder<cc90> rows;
  rows.take(open(rows, memory_space::global, touch::load, 4, "in", 1), every, guarded(4).address);
  rows.take_at_most(open(rows, memory_space::global, touch::load, 4, "in", 2), unknown());
  rows.take_at_most(open(rows, memory_space::shared, touch::load, 4, "tile", 3), unknown(), 12);
  rows.take_at_most(rows.open_uncounted({.line = 4}, "x", memory_space::shared, touch::atomic, 4), unknown());
  rows.block_done();
  auto const seen = rows.result();
  CHECK(
      seen.text() ==
      "line    array  access              issued  transactions  rounds  conflicts   ideal  worst\n"
      "k.cu:1  in     global load 32           1             4       -          -       4      4\n"
      "k.cu:2  in     global load 32        <= 1         <= 32       -          -       4  <= 32\n"
      "k.cu:3  tile   shared load 32        <= 1             -   <= 32      <= 31       1  <= 32  in each round of the "
      "loop at line 12\n"
      ":4      x      shared atomic 32      <= 1  no source tells what it costs\n");
  std::string const text = co::json(seen, "k");
  CHECK(text.find("\"blocks\": 1, \"at_most\": true, \"sites\"") != text.npos);
  CHECK(text.find("\"instruction\": \"load<32>\", \"issued\": 1, \"requests\": 1, \"transactions\": 4,") != text.npos);
  CHECK(text.find("\"instruction\": \"load<32>\", \"at_most\": true, \"issued\": 1, \"requests\": 1, \"transactions\": "
                  "32,") != text.npos);
  CHECK(text.find("\"shared_load<32>\", \"at_most\": true, \"per_iteration\": 12, \"issued\": 1, \"rounds\": 32,") !=
        text.npos);
  CHECK(text.find("assumed") == text.npos);
  co::detail::json_sites made;
  made.add(seen[0], seen.machine);
  std::string const exact = made.text("cuda::cc90", "k", 1);
  CHECK((exact.find("at_most") == exact.npos && exact.find("assumed") == exact.npos));
  CHECK(made.text("cuda::cc90", "k", 1, "", {"line 3: a \"b\"", "line 4: c"})
            .ends_with("], \"assumed\": [\"line 3: a \\\"b\\\"\", \"line 4: c\"]}\n"));
}

TEST_CASE("bounds: an explanation says that it is one of the possible accesses") {
  co::row_recorder<cc90> rows;
  unsigned const load = open(rows, memory_space::global, touch::load, 4),
                 row = open(rows, memory_space::shared, touch::store, 4);
  rows.take_at_most(load, unknown()), rows.take_at_most(row, from_bases(4, 16));
  auto const seen = rows.result();
  std::string const words = co::explain<cc90>(seen[load]).c_str(), banks = co::explain<cc90>(seen[row]).c_str();
  CHECK(
      words.find("It costs at most 32 transactions. Not everything is known of it, and these addresses are one of the "
                 "possible ones\n") != words.npos);
  CHECK(words.find("  transactions 32, ideal 4") != words.npos);  // those addresses do cost so much
  CHECK(banks.find("It costs at most 2 rounds") != banks.npos);
  rows.take(load, every, guarded(4).address);
  CHECK(rows.result()[load].worst == 32);
  co::row_recorder<cc90> exact;
  exact.take(open(exact, memory_space::global, touch::load, 4), every, guarded(4).address);
  CHECK(std::string(co::explain<cc90>(exact.result()[0]).c_str()).find("at most") == std::string::npos);
}

TEST_CASE("bounds: committed numbers say that they are bounds") {
  co::row_recorder<cc90> rows;
  unsigned const load = open(rows, memory_space::global, touch::load, 4);
  rows.take_at_most(load, unknown()),
      rows.take_at_most(open(rows, memory_space::global, touch::load, 4, "b", 2), unknown(), 9);
  auto const committed = co::detail::committed_rows(rows.result());
  REQUIRE(committed.size() == 2);
  CHECK(committed[0].words == "a, global load 32: at most issued 1, transactions 32, rounds -, conflicts -");
  CHECK(committed[1].words ==
        "b, global load 32, in each round of a loop: at most issued 1, transactions 32, rounds -, conflicts -");
}

TEST_CASE("bounds: recordings and blocks add up") {
  auto const block = [](possible const& one) {
    co::row_recorder<cc90> rows;
    unsigned const site = open(rows, memory_space::global, touch::load, 4),
                   loop = open(rows, memory_space::global, touch::load, 4, "b", 2);
    rows.take_at_most(site, one), rows.take_at_most(loop, one, 8), rows.end_round(), rows.block_done();
    return rows;
  };
  auto all = block(unknown());
  all.add(block(unknown()));
  CHECK((all.result().blocks_alike && all.result()[0].at_most && all.result()[1].per_iteration == 8));
  CHECK((all.result()[0].cost.transactions == 64 && all.result()[1].cost.transactions == 64 &&
         all.result().total().left_out == 1));
  all.add(block(from_bases(4)));
  CHECK(!all.result().blocks_alike);
  co::row_recorder<cc90> exact;
  exact.take(open(exact, memory_space::global, touch::load, 4), every, guarded(4).address);
  exact.add(block(unknown()));
  CHECK((exact.result()[0].at_most && exact.result()[0].cost.at_most && exact.result()[0].cost.transactions == 36));
}
