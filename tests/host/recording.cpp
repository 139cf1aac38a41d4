// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/host/json.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/record.hpp>

#include <cstdint>
#include <random>
#include <string>
#include "machinery/check.hpp"

// Rows that are found at run time (host/recording.hpp): figures worked out by hand, and beside them the recordings of
// kernels that make the same accesses.

namespace co = coalescing;
using co::memory_space, co::touch;
using co::cdna::gfx942, co::cuda::cc13, co::cuda::cc80, co::cuda::cc89, co::cuda::cc90;

namespace {

/// 32 or 64 addresses: first, first + step, ...
template <class Rows>
void take(Rows& rows, unsigned which, std::uint64_t first, std::uint64_t step, std::uint64_t active = co::all_lanes) {
  std::uint64_t address[64];
  for (unsigned lane = 0; lane != 64; ++lane) address[lane] = first + lane * step;
  rows.take(which, active, address);
}

}  // namespace

TEST_CASE("rows: a recording by hand") {
  co::row_recorder<cc90> rows;
  rows.array("unused");
  unsigned const column =
      rows.open({.file = "transpose.cu", .line = 12}, "tile", memory_space::shared, touch::load, 4, 4);
  unsigned const quads =
      rows.open({.offset = 0x1a0, .opcode = "LDG.E.128"}, "in", memory_space::global, touch::load, 16, 16);
  CHECK(rows.open({.file = "transpose.cu", .line = 12}, "tile", memory_space::shared, touch::load, 4, 4) == column);
  rows.begin({.x = 3}, 1);
  take(rows, column, 0, 128);               // 32 rows of one bank: 32 rounds
  take(rows, column, 0, 132);               // padded: one
  take(rows, column, 0, 128, 0xff);         // 8 lanes
  take(rows, column, 0, 128, 0);            // is not issued
  take(rows, quads, 1 << 20, 16);           // 512 bytes in 16 sectors
  take(rows, quads, (1 << 20) + 4096, 16);  // the same, moved
  rows.block_done();
  auto const seen = rows.result();

  REQUIRE(seen.size() == 2);
  CHECK(seen.of("tile").rounds == 32 + 1 + 8);
  CHECK(seen.of("tile").conflicts == 31 + 0 + 7);
  CHECK(seen.of("tile").issued == 3);
  CHECK(seen[column].ideal.rounds == 3);
  CHECK(seen[column].worst == 32);
  CHECK(seen[column].worst_block.x == 3);
  CHECK(seen[column].worst_warp == 1);
  CHECK(seen.at(12).rounds == 41);
  CHECK(seen.loads("in").transactions == 32);
  CHECK(seen.loads(memory_space::global).bytes_moved == 1024);
  CHECK(seen.of("unused").issued == 0);
  CHECK(seen.blocks == 1);
  CHECK_THROWS_AS((void)seen.of("out"), co::misuse);
  CHECK_THROWS_AS((void)seen.at(13), co::misuse);
  CHECK_THROWS_AS((void)seen[2], co::misuse);
  CHECK(
      seen.text() ==
      "line             array  access                       issued  transactions  rounds  conflicts   ideal  worst\n"
      "transpose.cu:12  tile   shared load 32                    3             -      41         38       3     32\n"
      "0x1a0            in     global load 128 LDG.E.128         2            32       -          -      32     16\n");
}

TEST_CASE("rows: an access that has moved by a part of a line is counted anew") {
  co::row_recorder<cc90> rows;
  unsigned const load = rows.open({}, "in", memory_space::global, touch::load, 4, 4);
  take(rows, load, 0, 4);    // 4 sectors
  take(rows, load, 4, 4);    // begins in the middle of one: 5
  take(rows, load, 132, 4);  // a line further: 5 again
  CHECK(rows.result().of("in").transactions == 4 + 5 + 5);
}

TEST_CASE("rows: what cannot be is refused") {
  co::row_recorder<cc90> rows;
  auto const global = memory_space::global;
  CHECK_THROWS_AS((void)rows.open({}, "a", global, touch::load, 0, 4), co::misuse);    // no bytes
  CHECK_THROWS_AS((void)rows.open({}, "a", global, touch::atomic, 3, 1), co::misuse);  // no such atomic
  CHECK_THROWS_AS((void)rows.open({}, "a", global, touch::issued, 4, 4), co::misuse);  // which instruction?
  CHECK_THROWS_AS((void)rows.open({}, "a", global, touch::load, 4, 3), co::misuse);    // no alignment
  unsigned const load = rows.open({}, "a", memory_space::shared, touch::load, 4, 4);
  CHECK_THROWS_AS(take(rows, load, 2, 4), co::misuse);        // misaligned
  CHECK_THROWS_AS(take(rows, load, 0, 1 << 20), co::misuse);  // beyond shared memory
  CHECK_THROWS_AS(take(rows, 1, 0, 4), co::misuse);           // no such site
}

TEST_CASE("rows: an element past the end of memory is refused, whatever came before it") {
  auto const moved = [](memory_space space, std::uint64_t before, std::uint64_t address) {
    co::row_recorder<cc80> rows;  // CC 8.0 has 167,936 bytes of shared memory, and moves 12 bytes in three instructions
    unsigned const load = rows.open({}, "a", space, touch::load, 12, 4);
    take(rows, load, before, 0, 1), take(rows, load, address, 0, 1);
    return rows.result()[load].cost.issued;
  };
  constexpr std::uint64_t end = 167'936, top = ~std::uint64_t{0} - 11;  // the last address of 12 bytes
  // 4096 bytes are a period of the cost: the second access costs what the first one cost. The third does not repeat it.
  for (std::uint64_t const back : {std::uint64_t{4096}, std::uint64_t{4100}}) {
    CHECK(moved(memory_space::shared, end - 12 - back, end - 12) == 6);
    CHECK_THROWS_WITH_AS((void)moved(memory_space::shared, end - 8 - back, end - 8),
                         doctest::Contains("past the end of this machine's shared memory"), co::misuse);
    CHECK(moved(memory_space::global, top - back, top) == 6);
    for (std::uint64_t const past : {top + 4, top + 8})
      CHECK_THROWS_WITH_AS((void)moved(memory_space::global, past - back, past),
                           doctest::Contains("past the top of the 64-bit address space"), co::misuse);
  }
}

TEST_CASE("rows: as JSON") {
  co::row_recorder<cc90> rows;
  take(rows, rows.open({.file = "a \"b\".cu", .line = 7}, "in", memory_space::global, touch::load, 4, 4), 0, 4);
  take(rows, rows.open({.offset = 0x1a0, .opcode = "ATOM.E.ADD"}, "", memory_space::global, touch::atomic, 2, 2), 0, 2);
  rows.block_done();
  CHECK(
      co::json(rows.result(), "k") ==
      R"({"machine": "cuda::cc90", "kernel": "k", "blocks": 1, "sites": [
    {"at": null, "opcode": null, "source": "a \"b\".cu:7", "array": "in", "space": "global", "kind": "load", "bits": 32, )"
      R"("instruction": "load<32>", "issued": 1, "requests": 1, "transactions": 4, "bytes_moved": 128, "bytes_used": 128, )"
      R"("lines": 1, "data_wavefronts": 1, "tag_wavefronts_at_least": 1}
  ], "unknown": [
    {"at": "0x1a0", "opcode": "ATOM.E.ADD", "source": null, "why": "no source tells what it costs on this machine", "issued": 1}
  ]}
)");
}

TEST_CASE("rows: a named instruction, and one that no source tells the cost of") {
  co::row_recorder<gfx942> rows;
  using pair = gfx942::ds_read2<32, 0, 64>;
  unsigned const two =
      rows.open_as<pair>({.offset = 8, .opcode = "ds_read2st64_b32"}, "lds", memory_space::shared, touch::load);
  take(rows, two, 0, 4);
  CHECK(rows.result().of("lds").rounds == 4);  // two addresses in two halves of the wave
  CHECK(rows.result()[0].instruction == std::string(co::name_of<pair>()));
  unsigned const unknown = rows.open_uncounted({}, "lds", memory_space::shared, touch::load, 4);
  take(rows, unknown, 0, 4);
  CHECK(!rows.result().of("lds").is_counted);
  CHECK(rows.result().of("lds").rounds == co::not_counted);
  CHECK(rows.result().of("lds").issued == 2);

  co::row_recorder<cc13> old;  // CC 1.x: no document tells what an atomic costs
  take(old, old.open({}, "a", memory_space::global, touch::atomic, 4, 4), 0, 4);
  CHECK(!old.result().total().is_counted);
}

TEST_CASE("rows: blocks that differ, and recordings that add up") {
  auto const block = [](co::row_recorder<cc89>& rows, std::uint64_t step) {
    take(rows, rows.open({.line = 1}, "a", memory_space::global, touch::load, 4, 4), 0, step);
    rows.block_done();
  };
  co::row_recorder<cc89> a, b, c;
  block(a, 4), block(a, 4), block(b, 4), block(c, 8);
  CHECK(a.result().blocks_alike);
  a.add(b);
  CHECK(a.result().blocks == 3);
  CHECK(a.result().blocks_alike);
  CHECK(a.result().at(1).transactions == 3 * 4);
  take(c, c.open({.line = 2}, "b", memory_space::shared, touch::store, 4, 4), 0, 8);
  a.add(c);
  auto const all = a.result();
  CHECK(all.blocks == 4);
  CHECK(!all.blocks_alike);
  CHECK(all.size() == 2);
  CHECK(all.at(1).transactions == 3 * 4 + 8);
  CHECK(all[0].worst == 8);
  CHECK(all.of("b").rounds == 2);
  block(b, 8);
  CHECK(!b.result().blocks_alike);
  co::row_recorder<cc89> empty;
  empty.add(a);
  CHECK(empty.result().text() == all.text());
  CHECK(empty.result().blocks == 4);
}

// ---- Beside co::record, whose instructions are chosen at compile time ----

namespace {

template <unsigned Floats>
struct floats {
  float of[Floats];
};
template <unsigned Bytes, unsigned Alignment>
struct alignas(Alignment) element {
  unsigned char of[Bytes];
};

/// The same random accesses of a warp by both roads.
template <class Machine, class T>
void compare(std::mt19937_64& random) {
  constexpr unsigned lanes = Machine::issues::lanes;
  CAPTURE(Machine::name);
  CAPTURE(sizeof(T));
  for (auto const kind : {touch::load, touch::store})
    for (auto const space : {memory_space::global, memory_space::shared}) {
      std::uint64_t at[64] = {}, address[64] = {};
      std::uint64_t const active = random() | std::uint64_t{1} << random() % lanes;
      for (unsigned lane = 0; lane != lanes; ++lane) at[lane] = random() % 100;
      auto const body = [&](auto const& t, auto array) {
        if ((active >> t.lane() & 1) == 0) return;
        if (kind == touch::load)
          (void)co::value(array[at[t.lane()]]);
        else
          array[at[t.lane()]] = T{};
      };
      auto const seen = [&] {
        co::launch const one{.block = {lanes}};
        if (space == memory_space::global)
          return co::record<Machine>(
              co::kernel{one, body, co::global<T>{.name = "a", .elements = 100, .base = 4096, .any_value = true}});
        return co::record<Machine>(co::kernel{one, body, co::shared<T[100]>{.name = "a", .any_value = true}});
      }();
      co::row_recorder<Machine> rows;
      std::uint64_t const base = space == memory_space::global ? 4096 : 0;
      for (unsigned lane = 0; lane != lanes; ++lane) address[lane] = base + at[lane] * sizeof(T);
      rows.take(rows.open({}, "a", space, kind, sizeof(T), alignof(T)), active, address);
      auto const made = rows.result();
      CHECK(made.total() == seen.total());
      CHECK(made[0].ideal == seen[0].ideal);
      CHECK(made[0].worst == seen[0].worst);
      CHECK(made[0].instruction == std::string(seen[0].instruction));
    }
}
template <class... Machines>
void compare_all() {
  std::mt19937_64 random(26);
  for (unsigned k = 0; k != 30; ++k)
    (...,
     (compare<Machines, element<1, 1>>(random), compare<Machines, float>(random), compare<Machines, floats<3>>(random),
      compare<Machines, element<16, 16>>(random), compare<Machines, element<24, 8>>(random),
      compare<Machines, element<7, 1>>(random), compare<Machines, element<28, 4>>(random)));
}

}  // namespace

TEST_CASE("rows: the widest instructions that alignment allows, as co::record chooses them") {
  compare_all<cc13, cc90, co::cuda::cc100, gfx942, co::cdna::gfx950, co::gcn::machine, co::rdna::gfx1100>();
}
