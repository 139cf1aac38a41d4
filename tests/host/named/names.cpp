// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/host/named.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/suggest.hpp>

#include <cstdint>
#include <string>
#include <vector>
#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// What the names answer, by figures of the guides and of facts/; and the refusals.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;
using coalescing_tests::refusal;

namespace {

std::vector<std::uint64_t> every(std::uint64_t stride, unsigned lanes, std::uint64_t base = 0) {
  std::vector<std::uint64_t> address(lanes);
  for (unsigned lane = 0; lane != lanes; ++lane) address[lane] = base + stride * lane;
  return address;
}

}  // namespace

TEST_CASE("named: figures by hand") {
  // A column of 32 rows of 128 bytes: one bank, 32 rounds. A row longer by one bank: none waits.
  auto const& shared = co::named("cuda::cc90", "shared_load", 32);
  CHECK(shared.cost(every(128, 32)).rounds == 32);
  CHECK(shared.cost(every(128, 32)).conflicts == 31);
  CHECK(shared.cost(every(132, 32)).conflicts == 0);
  CHECK(shared.cost(every(128, 32), 0xff).ways == 8);
  CHECK(shared.cost(every(128, 32)).transactions == co::not_counted);
  auto const phases = shared.phases(every(128, 32));
  REQUIRE(phases.size() == 1);
  CHECK(phases[0].rounds == 32);
  CHECK(phases[0].colliding == 0xffffffff);

  // Floats one element late: 5 sectors of 32 bytes.
  auto const& load = co::named("cc90", "load", 32);
  CHECK(load.cost(every(4, 32, 4)).transactions == 5);
  auto const sectors = load.transactions(every(4, 32, 4));
  REQUIRE(sectors.size() == 5);
  CHECK(sectors[0].address == 0);
  CHECK(sectors[4].lanes == 0x80000000);
  CHECK(load.space() == co::memory_space::global);
  CHECK(shared.space() == co::memory_space::shared);

  // A wave of GCN loads floats in 4 clocks.
  CHECK(co::named("gcn", "buffer_load", 32).cost(every(4, 64)).clocks == 4);
}

TEST_CASE("named: every spelling") {
  auto const& shared = co::named("cuda::cc90", "shared_load", 32);
  CHECK(&co::named("cc90", "shared_load", 32) == &shared);
  CHECK(&co::named("cc90", "shared_load<32>") == &shared);
  CHECK(co::named("cc35", "shared_load<32,eight_byte_banks>").full_name() ==
        "cuda::cc35::shared_load<32, eight_byte_banks>");
  CHECK(co::named("cc35", "shared_load", 32).full_name() == "cuda::cc35::shared_load<32>");
  CHECK(co::named("cc90", "cp_async::shared", 16).name == "cp_async<16>::shared");
  CHECK(co::named("gfx1100", "wave64::ds_load", 32).lanes == 64);
  CHECK(co::named("gfx1100", "ds_load", 32).lanes == 32);
  CHECK(co::named("gfx942", "ds_read2<64, 0, 1>").bytes == 8);
  // The width beside a name with all its arguments is the one in the name.
  CHECK(&co::named("cc90", "shared_load<32>", 32) == &shared);
  CHECK(co::named("gfx942", "ds_read2<64, 0, 1>", 64).bytes == 8);
  CHECK(refusal([] {
          static_cast<void>(co::named("cc90", "shared_load<32>", 64));
        }).find("cuda::cc90::shared_load<32> has no width 64; it has 32") != std::string::npos);
  CHECK(co::named("gfx90a", "ds_read2<32, 0, 1>").bytes == 4);
  CHECK(co::named("gfx950", "s_load", 4).lanes == 1);
  CHECK(co::named("gfx1201", "wave64::ds_store_2addr<64, 0, 1>").bytes == 8);
  CHECK(co::named("rdna::gfx1310").instructions.empty());
  // By its name for nvcc, and by a product's.
  CHECK(&co::named("sm_90", "shared_load", 32) == &shared);
  CHECK(&co::named("cuda::h100", "shared_load", 32) == &shared);
  CHECK(&co::named("gh200", "shared_load", 32) == &shared);
  CHECK(co::named("b200").name == "cuda::cc100");
  CHECK(co::named("rtx4090").name == "cuda::cc89");
  CHECK(co::named("k20").name == "cuda::cc35");
  CHECK(co::named("mi250x").name == "cdna::gfx90a");
  CHECK(co::named("cdna::mi300x").name == "cdna::gfx942");
  CHECK(co::named("mi355x").name == "cdna::gfx950");
  CHECK(co::named("rx7900xtx").name == "rdna::gfx1100");
  CHECK(co::named("rdna::rx5500").name == "rdna::gfx1012");
  // A name of another family, and a name of two chips.
  CHECK(refusal([] { static_cast<void>(co::named("rdna::h100")); }).find("there is no machine rdna::h100") !=
        std::string::npos);
  CHECK(refusal([] { static_cast<void>(co::named("titan_x")); }).find("there is no machine titan_x") !=
        std::string::npos);
}

TEST_CASE("named: each machine has each of its names to itself, however they are spelled") {
  unsigned asked = 0;
  for (auto const& machine : co::named_machines()) {
    auto names = machine.also;
    names.push_back(machine.name);
    for (std::string const& name : names) {
      auto const family = name.find("::");
      std::string upper, spaced, without;
      for (char const c : name) {
        upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        spaced += c == '_' ? '-' : c;
        if (c != '_') without += c;
      }
      for (std::string const& whole : {name, upper, spaced, without})
        for (std::string const& spelling : {whole, family == name.npos ? whole : whole.substr(family + 2)}) {
          CAPTURE(spelling);
          CHECK(&co::named(spelling) == &machine);
          ++asked;
        }
    }
  }
  CHECK(asked > 800);
  // A name of several machines would be found: the control.
  CHECK(&co::named("cc90") != &co::named("cc100"));
  CHECK(co::detail::spelling_of("SM-90a").name == co::detail::spelling_of("CC 9.0").name);
  CHECK(co::detail::spelling_of("sm_100").name != co::detail::spelling_of("sm_10").name);
}

TEST_CASE("named: a spelling in one form") {
  using co::detail::spelling_of;
  for (char const* name :
       {"cc90", "CC90", "CC 9.0", "9.0", "9.0a", "sm_90", "SM_90", "sm90a", "sm_90f", "compute_90"}) {
    CAPTURE(name);
    CHECK(spelling_of(name).name == "cc90");
    CHECK(spelling_of("CUDA::" + std::string(name)).name == "cuda::cc90");
    CHECK_FALSE(spelling_of(name).is_wave64);
  }
  CHECK(spelling_of("12.1").name == "cc121");
  for (char const* name : {"gfx942", "GFX942", "gfx942:sramecc+:xnack-", "gfx942:xnack+", "gfx942:XNACK-:SRAMECC+"}) {
    CAPTURE(name);
    CHECK(spelling_of(name).name == "gfx942");
    CHECK(spelling_of("cdna::" + std::string(name)).name == "cdna::gfx942");
  }
  // What is no capability, and no feature of the target, stays.
  for (char const* name :
       {"90", "90a", "sm", "sma", "cc", "ccx", "9.", ".9", "9.0x", "gfx90a", "a100", "gfx942:", "gfx942:xnack",
        "gfx942:xnack+:xnack+", "gfx942:xnack+x", "gfx1030:xnack+", "gfx1010:sramecc+", "cc90:xnack+", ""}) {
    CAPTURE(name);
    CHECK(spelling_of(name).name == name);
  }
  CHECK(spelling_of("gfx1100::wave64").is_wave64);
  CHECK(spelling_of("RDNA::GFX1100::WAVE64").name == "rdna::gfx1100");
  CHECK(co::named("W7900::wave64", "ds_load", 32).lanes == 64);
  CHECK(&co::named("W7900::wave64", "ds_load", 32) == &co::named("gfx1100", "wave64::ds_load<32>"));
  CHECK(&co::named("W7900::wave64", "wave64::ds_load", 32) == &co::named("gfx1100", "wave64::ds_load<32>"));
  for (char const* name : {"cc90::wave64", "gfx942::wave64", "gfx1310::wave64", "gcn::wave64"})
    CHECK(refusal([&] { return co::named(name).instructions.size(); }).find(" has waves of one size") !=
          std::string::npos);
}

TEST_CASE("named: words and pictures are those of the types") {
  auto const at = every(128, 32);
  auto const& shared = co::named("cc90", "shared_load", 32);
  CHECK(shared.explain(at, 0xffff) == co::explain<cc90::shared_load<32>>(at, 0xffff).c_str());
  CHECK(shared.svg(at) == co::svg<cc90::shared_load<32>>(at));
  CHECK(shared.terminal(at, 0xff) == co::terminal<cc90::shared_load<32>>(at, 0xff));
  CHECK(shared.svg(at, 0xff, co::caption::title) == co::svg<cc90::shared_load<32>>(at, 0xff, co::caption::title));
  CHECK(shared.terminal(at, 0xff, co::caption::title) ==
        co::terminal<cc90::shared_load<32>>(at, 0xff, co::caption::title));
  CHECK(shared.terminal(at, 0xff, co::caption::title) != shared.terminal(at, 0xff));
  auto const wave = every(16, 64);
  CHECK(co::named("gfx942", "ds_read", 128).explain(wave) == co::explain<gfx942::ds_read<128>>(wave).c_str());
  CHECK(co::named("gfx942", "global_load", 128).svg(wave) == co::svg<gfx942::global_load<128>>(wave));
  CHECK(co::named("gfx942", "global_load", 128).counters().size() ==
        co::counters_of<gfx942::global_load<128>>().size());
}

TEST_CASE("named: a row is that of compare") {
  auto const at = every(6, 32);
  auto const typed = co::compare(at, co::on<cc90::load<32>>())[0];
  CHECK((co::named("cc90", "load", 32).row(at) == typed));
  CHECK(typed.refused == co::refusal::address_is_misaligned);
  auto const aligned = every(8, 64);
  CHECK((co::named("gfx942", "ds_read", 64).row(aligned) == co::compare(aligned, co::on<gfx942::ds_read<64>>())[0]));
}

TEST_CASE("named: suggestions are those of the types") {
  constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
  std::vector<co::cell> rows(32), columns(32);
  for (unsigned lane = 0; lane != 32; ++lane) rows[lane].column = lane, columns[lane].row = lane;
  auto const& store = co::named("cc90", "shared_store", 32);
  auto const& load = co::named("cc90", "shared_load", 32);
  auto const found = co::suggest(floats, {{&store, rows}, {&load, columns}});
  auto const typed =
      co::suggest(floats, co::use<cc90::shared_store<32>>([](unsigned lane) { return co::cell{.column = lane}; }),
                  co::use<cc90::shared_load<32>>([](unsigned lane) { return co::cell{.row = lane}; }));
  CHECK(found.before.conflicts == 31);  // the column
  CHECK(found.after.conflicts == 0);
  CHECK(found.is_optimal);
  CHECK((found.layout == typed.layout));
  CHECK(found.bytes == typed.bytes);
  CHECK(found.tried == typed.tried);

  CHECK(refusal([&] { return co::suggest(floats, {}); }).find("there is at least one use") != std::string::npos);
  CHECK(refusal([&] {
          return co::suggest(floats, {{&co::named("cc90", "load", 32), rows}});
        }).find("whose rounds a source tells") != std::string::npos);
  CHECK(refusal([&] {
          return co::suggest(floats, {{&load, {rows.begin(), rows.begin() + 31}}});
        }).find("a cell for every lane") != std::string::npos);
  CHECK(refusal([&] {
          return co::suggest(floats, {{&load, columns, 0}, {&store, rows, 0}});
        }).find("no lane of a use is active") != std::string::npos);
  CHECK(co::suggest(floats, {{&load, columns, 0}, {&load, columns}}).before.conflicts == 31);
  columns[3].row = 32;
  CHECK(refusal([&] { return co::suggest(floats, {{&load, columns}}); }).find("beyond its row") != std::string::npos);
}

TEST_CASE("named: refusals name the nearest") {
  auto const says = [](auto const& question, char const* words) {
    CAPTURE(words);
    CHECK(refusal(question) == words);
  };
  says([] { return co::named("cuda::cc91", "load", 32).lanes; },
       "coalesce: there is no machine cuda::cc91; the nearest names are cuda::cc90, cuda::cc11 and cuda::cc21");
  says([] { return co::named("gfx943", "load", 32).lanes; },
       "coalesce: there is no machine gfx943; the nearest names are gfx942, gfx90a and gfx950");
  says([] { return co::named("cc90", "shared_laod", 32).lanes; },
       "coalesce: cuda::cc90 has no instruction shared_laod, or no source tells what it costs; the nearest names are "
       "shared_load, shared_store and shared_atomic");
  says([] { return co::named("gfx942", "ds_read2", 64).lanes; },
       "coalesce: name the instruction of cdna::gfx942 with all its arguments, as ds_read2<32, 0, 1> or ds_read2<64, "
       "0, 1>");
  says([] { return co::named("H101", "load", 32).lanes; },
       "coalesce: there is no machine H101; the nearest names are h100, h200 and p100");
  says([] { return co::named("cc90", "shared_load", 33).lanes; },
       "coalesce: cuda::cc90::shared_load has no width 33; it has 8, 16, 32, 64, 128");
  says([] { return co::named("cc90", "shared_load").lanes; },
       "coalesce: cuda::cc90::shared_load has a width, which is not given: 8, 16, 32, 64, 128");
  says([] { return co::named("gfx1310", "ds_load", 32).lanes; },
       "coalesce: no source tells what an instruction of rdna::gfx1310 costs");

  auto const& load = co::named("cc90", "load", 32);
  CHECK(refusal([&] { return load.cost(every(4, 31)); }).find("fewer elements than") != std::string::npos);
  CHECK(refusal([&] { return load.cost(every(2, 32)); }).find("not a multiple") != std::string::npos);
  CHECK(refusal([&] { return load.cost(every(4, 32), 1ull << 32); }).find("the mask names lanes") != std::string::npos);
  CHECK(refusal([&] { return load.phases(every(4, 32)); }).find("has no phases") != std::string::npos);
  auto const& constant = co::named("cc90", "constant_load", 32);
  CHECK(refusal([&] { return constant.transactions(every(4, 32)); }).find("makes no transactions") !=
        std::string::npos);
  CHECK(refusal([&] { return constant.svg(every(4, 32)); }).find("no figure of this instruction") != std::string::npos);
}

TEST_CASE("named: distances of words") {
  CHECK(co::detail::edits("", "abc") == 3);
  CHECK(co::detail::edits("kitten", "sitting") == 3);  // k to s, e to i, and g
  CHECK(co::detail::edits("load", "laod") == 2);
  CHECK(co::detail::edits("same", "same") == 0);
  CHECK(co::detail::nearest("b", {"aaa", "b", "b", "bc"}) == "b, bc and aaa");
  CHECK(co::detail::nearest("b", {}) == "");
}
