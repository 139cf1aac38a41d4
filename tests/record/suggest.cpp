// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/record.hpp>
#include <coalesce/suggest.hpp>

#include <string>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// co::suggest<Machine>(kernel, array) finds what co::suggest(tile, uses...) finds for the transcribed accesses.

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx942, co::cuda::cc90;

namespace {

/// A block of Waves x 8 threads transposes a tile: rows in, columns out.
template <unsigned Lanes, unsigned Columns>
auto transpose_of() {
  return co::kernel{co::launch{.block = {Lanes, 8}},
                    [](auto const& t, auto tile) {
                      for (unsigned j = 0; j < 32; j += 8) tile[t.thread.y + j][t.thread.x % Columns] = 0.f;
                      t.sync();
                      float sum = 0;
                      for (unsigned j = 0; j < Columns; j += 8) sum += tile[t.thread.x % 32][t.thread.y + j];
                      static_cast<void>(sum);
                    },
                    co::shared<float[32][Columns]>{"tile"}};
}
template <class Machine, unsigned Columns>
void finds_what_the_transcription_finds() {
  using issues = typename Machine::issues;
  constexpr unsigned lanes = issues::lanes;
  auto const found = co::suggest<Machine>(transpose_of<lanes, Columns>(), "tile");
  auto const expected = co::suggest(
      co::tile{.rows = 32, .columns = Columns, .element_bytes = 4},
      use<typename issues::template banked_store<32>>(
          [](unsigned lane, unsigned row) { return cell{.row = row, .column = lane % Columns}; }, domain{32}),
      use<typename issues::template banked_load<32>>(
          [](unsigned lane, unsigned column) { return cell{.row = lane % 32, .column = column}; }, domain{Columns}));
  CAPTURE(std::string(Machine::identity.name));
  CHECK(found.before == expected.before[0] + expected.before[1]);
  CHECK(found.after == expected.after[0] + expected.after[1]);
  CHECK(found.layout == expected.layout);
  CHECK(found.bytes == expected.bytes);
  CHECK(found.is_optimal == expected.is_optimal);
}

}  // namespace

TEST_CASE("record: the suggestion for a recorded transpose is that for the transcribed one") {
  finds_what_the_transcription_finds<cc90, 32>();
  finds_what_the_transcription_finds<cc90, 64>();
  finds_what_the_transcription_finds<co::cuda::cc13, 32>();
  finds_what_the_transcription_finds<gfx942, 64>();
  finds_what_the_transcription_finds<co::gcn::machine, 64>();
  finds_what_the_transcription_finds<co::rdna::gfx1100, 32>();
}

TEST_CASE("record: a suggestion keeps the widest access whole, and asks for the kernel's own instructions") {
  struct alignas(16) four {
    float x, y, z, w;
  };
  co::kernel const wide{co::launch{.block = {32}},
                        [](auto const& t, auto tile) {
                          co::as<four>(tile)[t.lane()] = four{};
                          t.sync();
                          for (unsigned k = 0; k != 4; ++k) static_cast<void>(co::value(tile[t.lane()][k]));
                        },
                        co::shared<float[32][32]>{"tile"}};
  auto const found = co::suggest<cc90>(wide, "tile");
  CHECK(found.before.conflicts == 4 * 31);
  CHECK(found.after.conflicts < found.before.conflicts);
  CHECK((found.layout.swizzle.bits == 0 || found.layout.swizzle.base >= 4));
  CHECK(found.layout.pitch % 16 == 0);

  // ldmatrix of 8 rows of 64 halves: 8 rows of 16 bytes in 4 banks each, until the tile is swizzled.
  co::kernel const rows{
      co::launch{.block = {32}},
      [](auto const& t, auto tile) { co::issue<cc90::ldmatrix<4>>(&tile[t.lane() % 16][t.lane() / 16 * 8]); },
      co::shared<unsigned short[16][64]>{"tile"}};
  auto const matrices = co::suggest<cc90>(rows, "tile");
  CHECK(matrices.before.conflicts == 4 * 7);
  CHECK(matrices.after.conflicts == 0);
  CHECK(matrices.is_optimal);
  // Atomics are left out.
  co::kernel const counted{co::launch{.block = {32}},
                           [](auto const& t, auto bins) {
                             bins[t.lane()][0] = 0;
                             co::atomic_add(bins[0][t.lane()], 1);
                           },
                           co::shared<int[32][32]>{"bins"}};
  CHECK(co::suggest<cc90>(counted, "bins").before.conflicts == 31);
  CHECK(co::suggest<cc90>(counted, "bins").after.conflicts == 0);
}

TEST_CASE("record: what a suggestion refuses") {
  using coalescing_tests::refusal;
  auto const store = [](auto const& t, auto a, auto b) {
    a[t.lane()][0] = 0.f;
    static_cast<void>(b);
  };
  co::kernel const k{co::launch{.block = {32}}, store, co::shared<float[32][3]>{"tile"}, co::global<float>{"out"}};
  auto const says = [](std::string const& text, char const* words) { return text.find(words) != std::string::npos; };
  CHECK(says(refusal([&] { return co::suggest<cc90>(k, "til"); }), "no array of that name"));
  CHECK(says(refusal([&] { return co::suggest<cc90>(k, "out"); }), "no co::shared"));
  CHECK(refusal([&] { return co::suggest<cc90>(k, "tile"); }).empty());
  CHECK(refusal([&] { return co::suggest<co::rdna::gfx1010>(k, "tile"); }).empty());
  CHECK(says(refusal([&] { return co::suggest<co::rdna::gfx1250>(k, "tile"); }), "no source tells the rounds"));
  CHECK(says(refusal([&] { return co::suggest<cc90>(k, "tile", co::place{1}); }), "outside the grid"));
  co::kernel const wide{co::launch{.block = {1}}, [](auto const&, auto tile) { co::as<double>(tile)[0] = 0; },
                        co::shared<float[32][3]>{"tile"}};
  CHECK(says(refusal([&] { return co::suggest<cc90>(wide, "tile"); }), "no multiple of the widest access"));
  // Elements that a layout may take apart: 12 bytes across a piece of 16, 8 bytes across one of 8, or across a row's
  // end.
  auto const crossing = []<class T>(T, unsigned at) {
    auto const body = [at](auto const& t, auto tile) { (co::as<T>(tile[t.lane()] + at))[0] = {}; };
    co::kernel const of{co::launch{.block = {16}}, body, co::shared<float[32][48]>{"tile"}};
    return refusal([&] { return co::suggest<cc90>(of, "tile"); });
  };
  struct three {
    float x, y, z;
  };
  struct two_floats {
    float x, y;
  };
  char const* const apart = "a layout may take apart";
  CHECK((crossing(three{}, 0).empty() && says(crossing(three{}, 2), apart)));
  CHECK((crossing(two_floats{}, 2).empty() && says(crossing(two_floats{}, 1), apart)));
  CHECK(says(crossing(two_floats{}, 47), "array \"tile\", line "));
  // Instructions of co::issue: two places in a lane, and no rounds. On another array they are left out.
  using co::cdna::gfx942;
  auto const issues = [&](auto const& issue, char const* name) {
    auto const body = [&](auto const& t, auto tile, auto other) {
      tile[t.lane()][0] = other[t.lane()][0] = 0.f;
      issue(&tile[t.lane() % 62][0]);
    };
    co::kernel const named{co::launch{.block = {64}}, body, co::shared<float[64][64]>{"tile"},
                           co::shared<float[64][64]>{"other"}};
    return refusal([&] { return co::suggest<gfx942>(named, name); });
  };
  auto const two = [](auto p) { co::issue<gfx942::ds_read2<32, 0, 64>>(p); };
  auto const adds = [](auto p) { co::issue<gfx942::ds_atomic<32>>(p); };
  CHECK(says(issues(two, "tile"), "a second place at a fixed distance"));
  CHECK(says(issues(two, "tile"), "array \"tile\", line "));
  CHECK(says(issues(adds, "tile"), "no source tells the rounds"));
  CHECK(issues(two, "other").empty());
  CHECK(issues(adds, "other").empty());
  co::kernel const idle{co::launch{.block = {1}}, [](auto const&, auto) {}, co::shared<float[32][3]>{"tile"}};
  CHECK(says(refusal([&] { return co::suggest<cc90>(idle, "tile"); }), "neither loads"));
}
