// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/host/trace.hpp>
#include <coalesce/rdna.hpp>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// Traces: the samples beside this file, which are written by hand and not by the tools, and damaged ones. A
// sector has 32 bytes (CC 8.0); a wave of gfx942 has 64 lanes, and its lines have 128 bytes.

namespace co = coalescing;
using co::trace_format, co::replay_options;
using co::cdna::gfx942, co::cuda::cc80, co::cuda::cc90;
using gfx1100 = co::rdna::gfx1100;

namespace {

std::string path(std::string const& name) {
  std::string const here = __FILE__;
  return here.substr(0, here.rfind("traces.cpp")) + name;
}
std::string sample(std::string const& name) {
  std::ifstream file(path(name), std::ios::binary);
  REQUIRE(file);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}
template <class Machine = cc80>
co::replayed replay(std::string const& text, trace_format format, replay_options const& options = {}) {
  std::istringstream from(text);
  return co::replay<Machine>(from, format, options);
}
std::uint64_t skipped(co::replayed const& all, std::string const& what, std::string const& why) {
  std::uint64_t sum = 0;
  for (auto const& one : all.skipped)
    if (one.what == what && one.why.find(why) != std::string::npos) sum += one.count;
  return sum;
}
std::uint64_t skipped(co::replayed const& all) {
  std::uint64_t sum = 0;
  for (auto const& one : all.skipped) sum += one.count;
  return sum;
}

constexpr co::address_window nowhere = {};
replay_options const whole{.all_lanes = true, .shared = nowhere};
/// LDS lies where gfx942 has its aperture.
replay_options const amd{.widths = {{.line = 36, .bytes = 16}, {.line = 37, .bytes = 8}},
                         .bytes = 4,
                         .shared = co::address_window{std::uint64_t{1} << 48, std::uint64_t{1} << 32}};

struct form {
  char const* file;
  trace_format format;
  replay_options const& options;
};
replay_options const defaults;
form const forms[] = {{"reverse.traceg", trace_format::accel_sim, defaults},
                      {"every_memory.trace", trace_format::accel_sim, defaults},
                      {"scale.mem_trace", trace_format::mem_trace, whole},
                      {"plain.trace", trace_format::plain, defaults}};

}  // namespace

TEST_CASE("trace: a processed trace of Accel-Sim: blocks, warps, sites by PC") {
  auto const all = replay(sample("reverse.traceg"), trace_format::accel_sim);
  REQUIRE(all.kernels.size() == 1);
  CHECK(all.kernels[0].name == "reverse(float*, float const*)");
  CHECK(all.instructions == 2 * 2 * 4);  // blocks, warps, accesses that are not predicated off
  CHECK(all.skipped.empty());            // IMAD, BAR and EXIT access nothing
  auto const& seen = all.kernels[0].seen;
  CHECK(seen.blocks == 2);
  CHECK(seen.blocks_alike);
  REQUIRE(seen.size() == 4);
  CHECK(seen[0].offset == 0x10);
  CHECK(seen[0].opcode == std::string("LDG.E.SYS"));
  CHECK(seen[3].offset == 0x50);
  // Four warps of 128 bytes at multiples of 128: four sectors each.
  CHECK(seen.loads("global").transactions == 4 * 4);
  CHECK(seen.stores("global").transactions == 4 * 4);
  CHECK(seen.stores("global").issued == 4);  // those with an empty mask issue nothing
  CHECK(seen.of("shared").rounds == 4 + 4);
  CHECK(seen.of("shared").conflicts == 0);
  CHECK(seen[0].worst_access.active == 0xffff'ffff);
  CHECK(seen[0].worst_access.address[31] == 0x7f0000000000 + 4 * 31);
}

TEST_CASE("trace: a raw trace of Accel-Sim: every memory, every form of addresses, lines of the source") {
  auto const all = replay(sample("every_memory.trace"), trace_format::accel_sim);
  REQUIRE(all.kernels.size() == 1);
  auto const& seen = all.kernels[0].seen;
  CHECK(seen.blocks == 0);                   // a raw trace does not tell when one ends
  CHECK(seen.at(7).transactions == 16 + 8);  // 512 bytes; eight lanes, a sector each
  CHECK(seen.at(7).issued == 2);
  CHECK(seen.at(8).transactions == 2 + 1);
  CHECK(seen.at(9).rounds == 1);  // 32 bytes in eight banks
  // A generic load: eight lanes of 16 bytes in shared memory, one pass of a quarter; and 128 bytes of global memory.
  CHECK(seen.at(10).rounds == 1);
  CHECK(seen.at(10).transactions == 4);
  CHECK(seen.at(10).issued == 2);
  // LDGSTS: 512 bytes are read from global memory, and stored to shared memory in four passes of 128 bytes.
  CHECK(seen.at(11).transactions == 16);
  CHECK(seen.at(11).rounds == 4);
  CHECK(seen.loads("global").issued == 2 + 1 + 1);
  CHECK(seen.stores("shared").issued == 1);
  CHECK(seen.at(12).transactions == 1);  // two lanes add to one address
  CHECK(seen.at(12).lanes_on_one_address == 2);
  CHECK(seen.atomics("shared").issued == 1);
  for (auto const& site : seen)
    if (site.opcode == std::string("LDS.U8")) CHECK(site.bits == 8);
  CHECK(all.instructions == 2 + 2 + 1 + 2 + 2 + 1 + 1);

  CHECK(skipped(all, "LD.E.128", "different memories") == 1);
  CHECK(skipped(all, "LD.E.128", "local memory") == 1);
  CHECK(skipped(all, "LDC", "constant memory") == 1);
  CHECK(skipped(all, "LDL.64", "local memory") == 2);
  CHECK(skipped(all, "LDQ.64", "not known") == 1);
  CHECK(skipped(all, "LDS", "cluster") == 1);
  CHECK(skipped(all) == 7);
  CHECK(all.text().find("skipped: 2 of LDL.64: local memory") != std::string::npos);
  CHECK(all.text().find("LDGSTS.E.BYPASS.LTC128B.128") != std::string::npos);
}

TEST_CASE("trace: the form of Accel-Sim's addresses changes nothing") {
  std::string const head = "-kernel name = k\n-accelsim tracer version = 3\n";
  std::string const line = "0 0 0 0 0010 0000000f 1 R2 LDG.E 1 R2 4 ";
  auto const listed = replay(head + line + "0 0x100 0x108 0x110 0x118\n", trace_format::accel_sim);
  auto const strided = replay(head + line + "1 0x100 8\n", trace_format::accel_sim);
  auto const differences = replay(head + line + "2 0x100 8 8 8\n", trace_format::accel_sim);
  CHECK(listed.text() == strided.text());
  CHECK(listed.text() == differences.text());
  CHECK(listed.kernels[0].seen.total().transactions == 1);
  auto const down = replay(head + line + "1 0x118 -8\n", trace_format::accel_sim);
  CHECK(down.kernels[0].seen[0].worst_access.address[3] == 0x100);
  CHECK(replay(head + line + "2 0x100 256 -256 256\n", trace_format::accel_sim).kernels[0].seen.total().transactions ==
        2);
}

TEST_CASE("trace: LDSM and STSM take the rows of the lanes that have one") {
  auto const line = [](std::string const& opcode, char const* addresses) {
    return "-kernel name = k\n-accelsim tracer version = 3\n0 0 0 0 0010 ffffffff 1 R2 " + opcode + " 1 R2 16 " +
           addresses + "\n";
  };
  // Rows of 16 bytes, one behind the other: a round for each matrix of eight. A pitch of 128 bytes: eight rounds each.
  for (auto const& [opcode, matrices] : {std::pair{"LDSM.16.M88", 1u}, std::pair{"LDSM.16.MT88.2", 2u},
                                         std::pair{"LDSM.16.M88.4", 4u}, std::pair{"STSM.16.M88.4", 4u}}) {
    CAPTURE(opcode);
    auto const dense = replay<cc90>(line(opcode, "1 0x400 16"), trace_format::accel_sim);
    CHECK(dense.kernels[0].seen.of("shared").rounds == matrices);
    auto const pitched = replay<cc90>(line(opcode, "1 0x400 128"), trace_format::accel_sim);
    CHECK(pitched.kernels[0].seen.of("shared").rounds == 8 * matrices);
    CHECK(pitched.instructions == 1);
  }
  // CC 8.0 stores no matrices, CC 7.0 loads no matrices, and 8-bit forms are not known.
  CHECK(skipped(replay(line("STSM.16.M88.4", "1 0x400 16"), trace_format::accel_sim), "STSM.16.M88.4", "the machine") ==
        1);
  CHECK(skipped(replay<co::cuda::cc70>(line("LDSM.16.M88", "1 0x400 16"), trace_format::accel_sim), "LDSM.16.M88",
                "the machine") == 1);
  CHECK(skipped(replay<gfx1100>(line("LDSM.16.M88", "1 0x400 16"), trace_format::accel_sim), "LDSM.16.M88",
                "the machine") == 1);
  CHECK(skipped(replay(line("LDSM.8.M816", "1 0x400 16"), trace_format::accel_sim), "LDSM.8.M816", "not known") == 1);
}

TEST_CASE("trace: what a processed trace lacks of the launch that its head tells is unknown") {
  auto const head = [](char const* grid, char const* block) {
    return std::string("-kernel name = k\n-grid dim = ") + grid + "\n-block dim = " + block +
           "\n-accelsim tracer version = 3\n";
  };
  auto const warp = [](char const* number) {
    return std::string("warp = ") + number + "\ninsts = 1\n0010 ffffffff 1 R2 LDG.E 1 R2 4 1 0x400 4\n";
  };
  auto const block = [](char const* at, std::string const& warps) {
    return std::string("#BEGIN_TB\nthread block = ") + at + "\n" + warps + "#END_TB\n";
  };
  auto const ask = [](std::string const& text) { return replay(text, trace_format::accel_sim); };
  auto const error = [&](std::string const& text) { return coalescing_tests::refusal([&] { return ask(text); }); };
  std::string const two = warp("0") + warp("1");

  // 2 blocks of 33 threads, which are 2 warps.
  auto const whole_launch = ask(head("(2,1,1)", "(33,1,1)") + block("1,0,0", two) + block("0,0,0", two));
  CHECK(whole_launch.skipped.empty());
  CHECK(whole_launch.unknown() == 0);
  // 24 blocks, and 1 of them.
  auto const cut = ask(head("(2,3,4)", "(33,1,1)") + block("1,2,3", two));
  CHECK(cut.unknown() == 1);
  CHECK(cut.instructions == 2);
  CHECK(skipped(cut, "the grid's blocks", "23 of 24 blocks are not in the trace") == 23);
  CHECK(cut.skipped.at(0).kernel == "k");
  CHECK(cut.text().find("skipped: 23 of the grid's blocks: 23 of 24 blocks are") != std::string::npos);
  // Of 2 blocks with 3 warps each, one has warp 2 only, and of the other warp 1 has no line.
  auto const gaps = ask(head("(2,1,1)", "(8,3,4)") + block("0,0,0", warp("2")) +
                        block("1,0,0", warp("0") + "warp = 1\ninsts = 0\n" + warp("2")));
  CHECK(gaps.unknown() == 1);
  CHECK(skipped(gaps, "the blocks' warps", "3 of 6 warps of these blocks are not in the trace") == 3);
  // A block without warps, and a head without blocks; the launches of a kernel are counted each by itself.
  CHECK(skipped(ask(head("(1,1,1)", "(64,1,1)") + block("0,0,0", "")), "the blocks' warps", "2 of 2") == 2);
  CHECK(skipped(ask(head("(1,1,1)", "(64,1,1)")), "the grid's blocks", "1 of 1") == 1);
  auto const launch = head("(2,1,1)", "(64,1,1)") + block("0,0,0", two);
  CHECK(skipped(ask(launch + launch), "the grid's blocks", "1 of 2") == 2);
  CHECK(skipped(ask(launch + block("1,0,0", two) + launch), "the grid's blocks", "1 of 2") == 1);
  // A raw trace, and a head that tells no sizes, leave the parts open.
  CHECK(ask(head("(2,1,1)", "(64,1,1)") + "0 0 0 0 0010 ffffffff 1 R2 LDG.E 1 R2 4 1 0x400 4\n").unknown() == 0);
  CHECK(ask("-kernel name = k\n-accelsim tracer version = 3\n" + block("0,0,0", two)).unknown() == 0);

  // What the head rules out, and what would stand for another block, is refused with its line.
  auto const grid = head("(2,1,1)", "(64,1,1)");
  CHECK(error(grid + block("2,0,0", two)).find("line 13: the grid has no such thread block") != std::string::npos);
  CHECK(error(grid + block("0,1,0", two)).find("no such thread block") != std::string::npos);
  CHECK(error(launch + block("0,0,0", two)).find("this thread block already") != std::string::npos);
  CHECK(error(grid + block("0,0,0\nthread block = 1,0,0", two)).find("inside another") != std::string::npos);
  CHECK(error(grid + block("0,0,0", warp("2"))).find("line 8: the block has no such warp") != std::string::npos);
  CHECK(error(grid + block("0,0,0", two + warp("1"))).find("line 14: the block has this warp already") !=
        std::string::npos);
  CHECK(error("-kernel name = k\n-accelsim tracer version = 3\n" + block("0,0,0", two + warp("0")))
            .find("line 12: the block has this warp already") != std::string::npos);
  CHECK(error(launch + "-grid dim = (1,1,1)\n").find("goes on after a thread block") != std::string::npos);
  CHECK(error("-grid dim = (1,1,1)\n").find("no kernel is named") != std::string::npos);
  for (char const* size : {"2,1,1", "(2,1)", "(2,1,0)", "(2,1,1", "()", "(", "(2,65536,1)", "(2147483648,1,1)"})
    CHECK(error(head(size, "(64,1,1)")).find("line 2: ") != std::string::npos);
  for (char const* size : {"(1025,1,1)", "(33,32,1)", "(1,1,65)", "(0,1,1)", "(65536,65536,1)"})
    CHECK(error(head("(1,1,1)", size)).find("line 3: ") != std::string::npos);
}

TEST_CASE("trace: memory in a form that is not known is skipped by name, with addresses and without") {
  auto const line = [](std::string const& opcode, char const* addresses) {
    return replay("-kernel name = k\n-accelsim tracer version = 3\n0 0 0 0 0010 ffffffff 1 R2 " + opcode + " 1 R2 " +
                      addresses + "\n",
                  trace_format::accel_sim);
  };
  for (char const* addresses : {"0", "4 1 0x400 4"})
    for (char const* opcode : {"LDG.E.FOO9", "LDS.32.64", "STG.E.96", "LDSM.8.M816", "LDGSTS.E.X3", "RED.E.ADD.F8x4"}) {
      CAPTURE(opcode);
      CHECK(skipped(line(opcode, addresses), opcode, "this form of the opcode is not known") == 1);
      CHECK(line(opcode, addresses).unknown() == 1);
    }
  // A known form without addresses is skipped, too. What has neither a known name nor addresses is arithmetic.
  CHECK(skipped(line("LDG.E", "0"), "LDG.E", "no addresses") == 1);
  for (char const* opcode : {"FFMA", "I2F.F64", "LDX.64", "CCTL.IVALL"}) CHECK(line(opcode, "0").skipped.empty());
}

TEST_CASE("trace: launches of a kernel add up, and blocks are compared") {
  auto const text = sample("reverse.traceg");
  auto const twice = replay(text + text, trace_format::accel_sim);
  REQUIRE(twice.kernels.size() == 1);
  CHECK(twice.kernels[0].seen.blocks == 4);
  CHECK(twice.kernels[0].seen.total().transactions == 2 * 32);
  CHECK(twice.kernels[0].seen.blocks_alike);
  auto other = text;
  other.replace(other.rfind("0x7f0000010180"), 14, "0x7f0000010184");  // the last warp's store lies in five sectors
  auto const unlike = replay(other, trace_format::accel_sim);
  CHECK_FALSE(unlike.kernels[0].seen.blocks_alike);
  CHECK(unlike.kernels[0].seen.stores("global").transactions == 17);
  CHECK(unlike.kernels[0].seen[3].worst == 5);
  CHECK(unlike.kernels[0].seen[3].worst_block == co::place{1, 0, 0});
  CHECK(unlike.kernels[0].seen[3].worst_warp == 1);
}

TEST_CASE("trace: a kernel's head is its own") {
  std::string const first =
      "-kernel name = a\n-accelsim tracer version = 5\n-shmem base_addr = 0x100000000\n"
      "0 0 0 0 0010 00000001 1 R2 LD.E 1 R2 4 2 0x100000040 7 \n";
  std::string const line = "0 0 0 0 0010 00000001 1 R2 LD.E 1 R2 4 2 0x100000040";
  auto const both = replay(first + "-kernel name = b\n" + line + "\n", trace_format::accel_sim);
  CHECK(both.kernels[0].seen.loads("shared").issued == 1);
  CHECK(both.kernels[1].seen.size() == 0);  // it has no window
  CHECK(skipped(both, "LD.E", ".shared") == 1);
  auto const zero = first + "-kernel name = b\n-shmem base_addr = 0x0000000000000000\n" + line + "\n";
  CHECK(skipped(replay(zero, trace_format::accel_sim), "LD.E", ".shared") == 1);  // a tracer that does not know it
  // Nor has it the version, which lets more come after the addresses.
  CHECK(coalescing_tests::refusal([&] {
          return replay(first + "-kernel name = b\n" + line + " 7\n", trace_format::accel_sim);
        }).find("line 6: more comes after") != std::string::npos);
  // A window ends at its last byte; lanes of local and of global memory are skipped.
  std::string const head = "-kernel name = a\n", two = "0 0 0 0 0010 00000003 1 R2 LD.E 1 R2 4 0 0x1000 0x1040\n";
  auto const ask = [&](co::address_window shared, co::address_window local) {
    return replay(head + two, trace_format::accel_sim, {.shared = shared, .local = local});
  };
  CHECK(ask({0x1000, 0x41}, {}).kernels[0].seen.loads("shared").issued == 1);
  CHECK(skipped(ask({0x1000, 0x40}, {}), "LD.E", "different memories") == 1);
  CHECK(skipped(ask({}, {0x1000, 0x40}), "LD.E", "different memories") == 1);
  CHECK(skipped(ask({}, {0x1000, 0x41}), "LD.E", "local memory") == 1);
}

TEST_CASE("trace: a generic address in another block of the cluster is unknown on CC 9.0 and later") {
  auto const head = [](char const* local) {
    return std::string("-kernel name = k\n-accelsim tracer version = 3\n-shmem base_addr = 0x7f8125000000\n") + local;
  };
  auto const line = [](char const* addresses) {
    return std::string("0 0 0 0 0010 00000003 1 R2 ST.E 1 R2 4 0 ") + addresses + "\n";
  };
  auto const ask = [&](char const* addresses, char const* local = "") {
    return replay<cc90>(head(local) + line(addresses), trace_format::accel_sim);
  };
  // The block's own 2^24 bytes, those of the cluster up to 2^32, and global memory on both sides.
  CHECK(ask("0x7f8125000000 0x7f8125001000").kernels[0].seen.stores("shared").issued == 1);
  for (char const* addresses : {"0x7f8126000000 0x7f8126000004", "0x7f8126000000 0x7f8224fffffc"}) {
    CAPTURE(addresses);
    auto const all = ask(addresses);
    CHECK(skipped(all, "ST.E", "shared memory of a cluster") == 1);
    CHECK(all.unknown() == 1);
    CHECK(all.instructions == 0);
    // CC 8.0 has no clusters.
    CHECK(replay(head("") + line(addresses), trace_format::accel_sim).kernels[0].seen.stores("global").issued == 1);
  }
  for (char const* addresses : {"0x7f8225000000 0x7f8225000004", "0x7f8124fffff8 0x7f8124fffffc"})
    CHECK(ask(addresses).kernels[0].seen.stores("global").issued == 1);
  CHECK(skipped(ask("0x7f8125000000 0x7f8126000000"), "ST.E", "different memories") == 1);
  CHECK(skipped(ask("0x7f8124fffffc 0x7f8126000000"), "ST.E", "different memories") == 1);
  CHECK(skipped(ask("0x7f8127000000 0x7f8127000004", "-local mem base_addr = 0x7f8127000000\n"), "ST.E",
                "local memory") == 1);
  // A kernel without shared addresses has no cluster's either.
  auto const none = replay<cc90>(std::string("-kernel name = k\n") + line("0x2000000 0x2000004"),
                                 trace_format::accel_sim, {.shared = nowhere});
  CHECK(none.kernels[0].seen.stores("global").issued == 1);
}

TEST_CASE("trace: a block and a warp hold until the next ones") {
  auto const all = replay(
      "coalesce trace 1\nkernel a\nblock 1 2 3\nwarp 4\nload global 4 0x10 1 0\nblock 2 0 0\n"
      "load global 4 0x10 3 0 64\nwarp 9\nkernel b\nload global 4 0x10 1 0\nend\n",
      trace_format::plain);
  CHECK(all.kernels[0].seen[0].worst_block == co::place{2, 0, 0});
  CHECK(all.kernels[0].seen[0].worst_warp == 0);
  CHECK(all.kernels[1].seen[0].worst_block == co::place{0, 0, 0});
  CHECK(all.kernels[1].seen[0].worst_warp == 0);
  // A block goes on where it is named again. One that was left for another does not come back within its launch.
  std::string const load = "load global 4 0x10 1 0\n",
                    two = "coalesce trace 1\nkernel a\n" + load + "block 0 0 0\n" + load;
  CHECK(replay(two + "end\n", trace_format::plain).kernels[0].seen.blocks == 1);
  auto const others = two + "block 0 1 0\nblock 0 0 1\n" + load;
  CHECK(replay(others + "kernel a\n" + load + "end\n", trace_format::plain).kernels[0].seen.blocks == 3);
  CHECK(replay(others + "block 0 1 0\n" + load + "end\n", trace_format::plain).kernels[0].seen.blocks == 3);
  auto const said = coalescing_tests::refusal([&] { return replay(others + "block 0 0 0\n", trace_format::plain); });
  CHECK(said.find("line 9: the kernel has this block already") != std::string::npos);
  // A launch id may come again.
  auto const launch = [](char const* name) {
    std::string line =
        std::string("MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name ") + name +
        " - grid launch id 0 - grid size 1,1,1\nMEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - "
        "LDG.E - ";
    for (unsigned lane = 0; lane != 32; ++lane) line += "0x0000000000000040 ";
    return line + "\n";
  };
  auto const again = replay(launch("a") + launch("b"), trace_format::mem_trace, whole);
  REQUIRE(again.kernels.size() == 2);
  CHECK(again.kernels[1].name == "b");
  CHECK(again.kernels[1].seen.total().issued == 1);
}

TEST_CASE("trace: the lines of mem_trace among those of the program") {
  auto const all = replay(sample("scale.mem_trace"), trace_format::mem_trace, whole);
  REQUIRE(all.kernels.size() == 3);
  CHECK(all.kernels[0].name == "scale(float*, float - 1)");
  auto const& scale = all.kernels[0].seen;
  REQUIRE(scale.size() == 2);                          // LDG.E and STG.E: there is no PC
  CHECK(scale.loads("global").issued == 2);            // of two launches
  CHECK(scale.loads("global").transactions == 4 + 5);  // at a multiple of 128 bytes, and 16 bytes behind one
  CHECK(all.kernels[1].name == "column(double*)");
  CHECK(all.kernels[1].seen.loads("global").transactions == 32 + 4);
  CHECK(all.kernels[1].seen.of("shared").conflicts == 30);  // two passes of 16 lanes that meet in two banks
  CHECK(all.kernels[2].name == "grid launch 7");            // whose launch is not in the trace
  CHECK(all.kernels[2].seen.total().transactions == 2);
  CHECK(skipped(all, "a line", "not of mem_trace") == 2);
  CHECK(skipped(all, "a line", "how it goes on") == 1);
  CHECK(skipped(all, "LDL", "local") == 1);
  // It tells no window of shared memory: without one, a generic load is skipped.
  auto const asked = replay(sample("scale.mem_trace"), trace_format::mem_trace, {.all_lanes = true});
  CHECK(skipped(asked, "LD.E", ".shared") == 1);
  CHECK(asked.kernels[1].seen.loads("global").transactions == 32);
  auto const windows = replay(sample("scale.mem_trace"), trace_format::mem_trace,
                              {.all_lanes = true, .shared = co::address_window{0x7f0000000000, 1 << 24}});
  CHECK(windows.kernels[1].seen.loads("shared").rounds == 1);
}

TEST_CASE("trace: a message of mem_trace that the program's words tore is unknown, whichever part lost the mark") {
  std::string message = "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - ";
  for (unsigned lane = 0; lane != 32; ++lane) message += "0x0000000000000040 ";
  // Up to the end of the word that only accesses have, each place where the line may be torn.
  auto const last = message.find(" 0 - CTA");
  for (std::size_t at = 0; at <= last; ++at) {
    auto const torn = message.substr(0, at) + "hello\n" + message.substr(at) + "\n";
    CAPTURE(torn);
    std::uint64_t unknown = 0, taken = 0;
    auto const said = coalescing_tests::refusal([&] {
      auto const all = replay(torn, trace_format::mem_trace, whole);
      return taken = all.instructions, unknown = all.unknown();
    });
    // Without other words before it, the message is whole; with the mark and a part, it is damaged.
    CHECK((!said.empty() || unknown + taken == 1));
    CHECK((taken == 1) == (at == 0));
  }
  // An address that has lost digits is refused, if other digits end the line, too.
  auto const ends_with = [&](char const* digits) {
    return coalescing_tests::refusal(
        [&] { return replay(message.substr(0, message.size() - 19) + digits + "\n", trace_format::mem_trace, whole); });
  };
  CHECK(ends_with("0x0000000000000040").empty());
  for (char const* digits : {"0x000000000000004", "0x", "0x0000007f", "0x00000000000000040", "0000000000000040",
                             "000000000000000040", "0X0000000000000040", "0x000000000000004g"})
    CHECK(ends_with(digits).find("line 1: fewer addresses than 32, or one that is not 0x and sixteen") !=
          std::string::npos);
  auto const torn = replay("MEMTRACE: hello\nCTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x0\n",
                           trace_format::mem_trace, whole);
  CHECK(torn.unknown() == 1);
  CHECK(skipped(torn, "a line", "tore its line") == 1);
  auto const marked = replay("MEMTRACE: hello grid_launch_id 0\n", trace_format::mem_trace, whole);
  CHECK(marked.unknown() == 1);
  // Words of the program and of the tool that tell of no access count nothing.
  auto const none = replay("MEMTRACE: hello\nCTX 0x1 - grid launch id 0\nPASSED\n", trace_format::mem_trace, whole);
  CHECK(none.unknown() == 0);
  CHECK(skipped(none) == 3);
}

TEST_CASE("trace: Omniprobe's lines, with the widths and the aperture that it does not tell") {
  auto const all = replay<gfx942>(sample("copy.omniprobe.csv"), trace_format::omniprobe, amd);
  REQUIRE(all.kernels.size() == 2);
  auto const& seen = all.kernels[0].seen;
  CHECK(all.kernels[0].name == "copy(float4*, float const*)");
  CHECK(seen.at(33).transactions == 2);  // 256 bytes
  CHECK(seen.at(33).issued == 1);
  CHECK(seen.stores("shared").issued == 1);  // line 34
  CHECK(seen.at(34).conflicts == 0);
  CHECK(seen.at(36).issued == 2);
  REQUIRE(seen.size() == 4);
  CHECK(seen[2].bits == 128);
  CHECK(seen[2].kind == co::touch::store);
  CHECK(seen[3].kind == co::touch::atomic);
  CHECK(seen[3].bits == 64);
  CHECK(seen[3].cost.transactions == 1);
  CHECK(seen.blocks == 0);  // there are no work-groups in the trace
  CHECK(skipped(all, "undefined", "reads or writes") == 1);
  CHECK(skipped(all, "a line", "ADDRESS_MESSAGE") == 1);
  CHECK(skipped(all, "read", "different memories") == 1);  // line 5 of the other kernel
  CHECK(all.kernels[1].seen.size() == 0);
  // A wave of 32 lanes takes its masks only.
  std::string const narrow =
      "ADDRESS_MESSAGE,1,\"k\",7,1,0x0000000080000001,0,0,0,2,0x0000000000001000,0x0000000000001004\n";
  CHECK(replay<gfx1100>(narrow, trace_format::omniprobe, amd).instructions == 1);
  CHECK(coalescing_tests::refusal([&] {
          return replay<gfx1100>(sample("copy.omniprobe.csv"), trace_format::omniprobe, amd);
        }).find("line 2: the mask has lanes") != std::string::npos);
}

namespace {

/// A message of Omniprobe as JSON, in lanes 0 and 1.
std::string const object =
    "{\"kernel_name\": \"k(int, char)\",\"dispatch_id\": 1,\"exec\": 3,\"timestamp\": 81,\"dwarf_line\": 36,"
    "\"dwarf_column\": 9,\"block_idx_x\": 2,\"block_idx_y\": 0,\"block_idx_z\": 1,\"wave_num\": 3,\"xcc_id\": 0,"
    "\"se_id\": 0,\"cu_id\": 4,\"active_lane_count\": 2,\"user_type\": 0,\"op_type\": \"write\","
    "\"addresses\": [4096,4112]}\n";
std::string with(std::string text, std::string const& from, std::string const& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("trace: Omniprobe's messages as JSON tell the column, the work-group and the wave, too") {
  auto const all = replay<gfx942>(object, trace_format::omniprobe, amd);
  REQUIRE(all.kernels.size() == 1);
  CHECK(all.kernels[0].name == "k(int, char)");
  auto const& seen = all.kernels[0].seen;
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].kind == co::touch::store);
  CHECK(seen[0].bits == 128);  // line 36
  CHECK(seen[0].at.line == 36);
  CHECK(seen[0].at.column == 9);
  CHECK(seen[0].opcode == std::string("write"));
  CHECK(seen[0].cost.transactions == 1);
  CHECK(seen[0].worst_block == co::place{2, 0, 1});
  CHECK(seen[0].worst_warp == 3);
  CHECK(seen[0].worst_access.active == 3);
  CHECK(seen[0].worst_access.address[1] == 4112);
  // Another column is another site, and a message without an active lane or without addresses is no access.
  auto const lines = object + with(object, "column\": 9", "column\": 10") +
                     with(with(with(object, "exec\": 3", "exec\": 0"), "count\": 2", "count\": 0"),
                          ",\"addresses\": [4096,4112]", "") +
                     with(object, "\"op_type\": \"write\",\"addresses\": [4096,4112]", "\"user_data\": 7") +
                     with(object, "write", "undefined") + "{\"a line\": \"of the program\"}\n";
  auto const more = replay<gfx942>(lines, trace_format::omniprobe, amd);
  CHECK(more.instructions == 2);
  CHECK(more.kernels[0].seen.size() == 2);
  CHECK(skipped(more, "a line", "no addresses") == 1);
  CHECK(skipped(more, "undefined", "reads or writes") == 1);
  CHECK(skipped(more, "a line", "ADDRESS_MESSAGE") == 1);
  // Both forms of one access have one cost.
  auto const values = replay<gfx942>(
      "ADDRESS_MESSAGE,81,\"k(int, char)\",36,1,0x0000000000000003,0,0,4,2,0x0000000000001000,0x0000000000001010\n",
      trace_format::omniprobe, amd);
  CHECK(values.kernels[0].seen.total() == seen.total());
  CHECK(replay<gfx942>(with(object, "write", "readwrite"), trace_format::omniprobe, amd).kernels[0].seen[0].kind ==
        co::touch::atomic);
}

TEST_CASE("trace: our own form") {
  auto const all = replay(sample("plain.trace"), trace_format::plain);
  REQUIRE(all.kernels.size() == 2);
  CHECK(all.kernels[0].name == "transpose 32 x 32");
  auto const& seen = all.kernels[0].seen;
  CHECK(seen.of("in").transactions == 4 * 4);
  CHECK(seen.of("tile").rounds == 4);  // a pitch of 33 words
  CHECK(seen.of("tile").conflicts == 0);
  CHECK(seen.blocks == 2);
  CHECK(seen.blocks_alike);
  CHECK(seen[1].at.file == std::string("transpose.py"));
  CHECK(seen[1].at.line == 12);
  CHECK(seen[1].at.column == 9);
  auto const& gather = all.kernels[1].seen;
  CHECK(gather[0].offset == 0x1f0);
  CHECK(gather[0].worst_access.active == 0x15);
  CHECK(gather[0].worst_access.address[2] == 0x2000);
  CHECK(gather.loads("global").transactions == 3);
  CHECK(gather.of("bins").lanes_on_one_address == 2);
  CHECK(gather.stores("global").transactions == 8);
  CHECK(gather[2].worst_access.address[7] == 0x1f8 - 7 * 64);
  CHECK(gather.blocks == 1);
  // Machines with another number of lanes: 64 lanes of 4 bytes are two lines of 128 bytes.
  std::string const wide = "coalesce trace 1\nkernel k\nload global 4 0x10 0xffffffffffffffff 0x1000+4\nend\n";
  CHECK(replay<gfx942>(wide, trace_format::plain).kernels[0].seen.total().transactions == 2);
  CHECK(coalescing_tests::refusal([&] { return replay(wide, trace_format::plain); }).find("line 3: the mask") !=
        std::string::npos);
  // Traces stand one behind the other.
  CHECK(replay(sample("plain.trace") + sample("plain.trace"), trace_format::plain).instructions == 2 * (8 + 3));
}

TEST_CASE("trace: numbers of our own form do not wrap") {
  auto const ask = [](std::string const& memory, std::string const& mask, std::string const& addresses) {
    return coalescing_tests::refusal([&] {
      return replay<cc90>(
          "coalesce trace 1\nkernel k\nload " + memory + " 4 0x10 " + mask + " " + addresses + "\nend\n",
          trace_format::plain);
    });
  };
  // Lane 25 of 100-4 is at 0, and lane 26 below it. Only active lanes have an address.
  CHECK(ask("shared", "0x3ffffff", "100-4").empty());
  CHECK(ask("shared", "0x7ffffff", "100-4").find("line 3: an active lane's address lies below 0") != std::string::npos);
  CHECK(ask("shared", "0xffffffff", "100-4").find("below 0") != std::string::npos);
  CHECK(ask("shared", "0x4000000", "104-4").empty());
  // 2^62 times 3 and 4096 more is below 2^64, times 4 is not.
  CHECK(ask("global", "0xf", "4096+4611686018427387904").empty());
  CHECK(ask("global", "0x10", "4096+4611686018427387904").find("line 3: an active lane's address lies past 2^64") !=
        std::string::npos);
  CHECK(ask("global", "0xffffffff", "4096+4611686018427387904").find("past 2^64") != std::string::npos);
  // The last word of memory, and a word that ends beyond it.
  CHECK(ask("global", "0x3", "0xfffffffffffffff8+4").empty());
  CHECK(ask("global", "0x7", "0xfffffffffffffff8+4").find("past 2^64") != std::string::npos);
  CHECK(ask("global", "0x0", "0xfffffffffffffff8+4").empty());
  CHECK(ask("global", "0xffffffff", "0+0").empty());
  // Accel-Sim's strides and differences neither.
  auto const tool = [](char const* addresses) {
    return coalescing_tests::refusal([&] {
      return replay(std::string("-kernel name = k\n0 0 0 0 0010 00000007 1 R2 LDG.E 1 R2 4 ") + addresses + "\n",
                    trace_format::accel_sim);
    });
  };
  CHECK(tool("1 0x8 -4").empty());
  CHECK(tool("1 0x4 -4").find("line 2: an active lane's address lies below 0") != std::string::npos);
  CHECK(tool("2 0xfffffffffffffff4 4 4").empty());
  CHECK(tool("2 0xfffffffffffffff8 4 4").find("past 2^64") != std::string::npos);
}

TEST_CASE("trace: nothing is left out without a name, and without being counted as unknown") {
  // Our own form has no clusters: an address beyond every block's shared memory is refused, and not skipped.
  auto const far = coalescing_tests::refusal([] {
    return replay<cc90>("coalesce trace 1\nkernel k\nload shared 4 0x10 1 0x1000000\nend\n", trace_format::plain);
  });
  CHECK(far.find("line 3: lane 0, address 0x1000000: the access runs past the end") != std::string::npos);
  CHECK(far.find("233472 bytes") != std::string::npos);  // 228 KB, of CC 9.0
  CHECK(far.find("coalesce: ") == far.rfind("coalesce: "));
  for (auto const& [file, format, options] : forms) {
    CAPTURE(file);
    auto const all = replay(sample(file), format, options);
    for (auto const& one : all.skipped) {
      CHECK_FALSE(one.what.empty());
      CHECK(one.may_be_access == (one.what != "a line" && one.what != "LDC"));
      CHECK(one.kernel.empty() == (one.what == "a line"));
    }
  }
  // Each instruction that was skipped is unknown, at its place: two LD.E.128 for different reasons, LDL twice at one
  // PC, LDQ and LDS. LDC is skipped, too, and accesses constants alone.
  auto const all = replay(sample("every_memory.trace"), trace_format::accel_sim);
  CHECK(all.skipped.size() == 6);
  CHECK(all.unknown() == 5);
  for (auto const& one : all.skipped) {
    CHECK(one.kernel == all.kernels[0].name);
    CHECK(one.at.opcode == one.what);
    CHECK(one.at.offset != co::not_counted);
  }
  // A whole recording has nothing unknown; lines of the program, which access nothing, do not count.
  CHECK(replay(sample("reverse.traceg"), trace_format::accel_sim).unknown() == 0);
  std::string const hello = "hello\nMEMTRACE: starts\n";
  CHECK(replay(hello, trace_format::mem_trace, whole).unknown() == 0);
  CHECK(skipped(replay(hello, trace_format::mem_trace, whole)) == 2);
  // But an access that other words stand before does.
  auto const torn = replay(hello + "10 % MEMTRACE: CTX 0x1 - grid_launch_id 0\n", trace_format::mem_trace, whole);
  CHECK(torn.unknown() == 1);
  CHECK(skipped(torn, "a line", "other words stand before mem_trace's") == 1);
  auto const message = replay<gfx942>("hello\n10 % ADDRESS_MESSAGE,81\n", trace_format::omniprobe, amd);
  CHECK(message.unknown() == 1);
  CHECK(skipped(message, "a line", "other words stand before Omniprobe's") == 1);
  // An instruction whose cost no source tells is unknown: atomics of CC 1.3.
  auto const old =
      replay<co::cuda::cc13>("coalesce trace 1\nkernel k\natomic global 4 0x10 1 0\nend\n", trace_format::plain);
  CHECK(old.unknown() == 1);
  CHECK(old.skipped.empty());
}

TEST_CASE("trace: packed traces and folders are refused by name") {
  CHECK(coalescing_tests::refusal([] {
          return replay(std::string("coalesce trace 1\nkernel k") + '\0' + "\nend\n", trace_format::plain);
        }).find("line 2: the line has a byte 0") != std::string::npos);
  CHECK(coalescing_tests::refusal([] {
          return replay(std::string("hello") + '\0' + "\n", trace_format::mem_trace, whole);
        }).find("line 1: the line has a byte 0") != std::string::npos);
  CHECK(coalescing_tests::refusal([] {
          return co::replay_files<cc80>({path("")}, trace_format::plain);
        }).find("this is a folder, and not a trace: ") != std::string::npos);
  CHECK(coalescing_tests::refusal([] {
          return co::replay_files<cc80>({"-", path("plain.trace"), "-"}, trace_format::plain);
        }).find("only one of the traces is standard input") != std::string::npos);
}

TEST_CASE("trace: the page quotes what its script's trace costs") {
  std::string const text = replay(sample("python.trace"), trace_format::plain).text();
  CHECK(sample("../../../include/coalesce/manual/traces.md")
            .find("```text\n" + text.substr(0, text.size() - 1) + "```") != std::string::npos);
}

TEST_CASE("trace: the widths of opcodes") {
  using co::detail::facts_of, co::detail::trace_memory;
  struct row {
    char const* opcode;
    unsigned bytes;
  };
  for (auto const& [opcode, bytes] : {row{"LDG.E", 4},
                                      row{"LDG.E.SYS", 4},
                                      row{"LDG.E.U8", 1},
                                      row{"LDG.E.S8.CONSTANT", 1},
                                      row{"LDG.E.U16", 2},
                                      row{"LDG.E.S16", 2},
                                      row{"LDG.E.64", 8},
                                      row{"LDG.E.128.CONSTANT.SYS", 16},
                                      row{"LDG.E.LTC128B.64", 8},
                                      row{"LDG.E.LTC128B", 4},
                                      row{"LDG.E.ENL2.256", 32},
                                      row{"LDS", 4},
                                      row{"LDS.U.128", 16},
                                      row{"STS.U8", 1},
                                      row{"STG.E.EF.128", 16},
                                      row{"LDGSTS.E.BYPASS.128", 16},
                                      row{"LDGSTS.E.LTC128B", 4},
                                      row{"ATOMS.ADD", 4},
                                      row{"ATOMS.CAS.64", 8},
                                      row{"ATOMS.POPC.INC.32", 4},
                                      row{"ATOMG.E.ADD.F64.RN.STRONG.GPU", 8},
                                      row{"RED.E.ADD.F16x2.RN.STRONG.GPU", 4},
                                      row{"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", 4},
                                      row{"RED.E.ADD.64.STRONG.GPU", 8},
                                      row{"ATOM.E.EXCH.STRONG.SYS", 4},
                                      row{"LD.E.U8", 1},
                                      row{"REDG.E.ADD.BF16x4.RN.STRONG.GPU", 8},
                                      row{"ATOMG.E.ADD.F16x8.RN.STRONG.GPU", 16},
                                      row{"REDG.E.ADD.F32x4.RN.STRONG.GPU", 16}}) {
    CAPTURE(opcode);
    CHECK(facts_of(opcode).bytes == bytes);
    CHECK(facts_of(opcode).memory != trace_memory::unseen);
  }
  // An unknown name; an unknown modifier with a digit, or two widths, of a known one.
  for (char const* opcode : {"LDX", "", "ldg", "LDGX.64"}) {
    CAPTURE(opcode);
    CHECK(facts_of(opcode).memory == trace_memory::unseen);
    CHECK(facts_of(opcode).why == co::detail::why_not_known);
  }
  for (char const* opcode : {"LDG.E.F7x3", "LDG.E.32.64", "LDG.E.96"}) {
    CAPTURE(opcode);
    CHECK(facts_of(opcode).memory == trace_memory::unseen);
    CHECK(facts_of(opcode).why == co::detail::why_form);
  }
  CHECK(facts_of("LDC.64").why == co::detail::why_constant);
  CHECK(facts_of("CCTL.IVALL").memory == trace_memory::nothing);
  // The table is that of binaries: these are skipped by name.
  CHECK(facts_of("SYNCS.EXCH.64").why == co::detail::why_mbarrier);
  CHECK(facts_of("ARRIVES.LDGSTSBAR.64").why == co::detail::why_mbarrier);
  CHECK(facts_of("HGMMA.64x64x16.F32").why == co::detail::why_descriptors);
  CHECK(facts_of("LDTM.x32").why == co::detail::why_tensor);
  CHECK(facts_of("REDAS.ADD.S32").why == co::detail::why_cluster);
  CHECK(facts_of("UMEMSETS.64").why == co::detail::why_bulk);
  CHECK(facts_of("LDSM.8.M864.2").why == co::detail::why_form);
}

TEST_CASE("trace: a trace that is cut anywhere is refused, or lacks whole lines that nothing announced") {
  for (auto const& [file, format, options] : forms) {
    CAPTURE(file);
    auto const text = sample(file);
    std::uint64_t const whole_instructions = replay(text, format, options).instructions;
    std::uint64_t before = 0;
    for (std::size_t size = 0; size != text.size(); ++size) {
      std::string const cut = text.substr(0, size);
      std::uint64_t taken = 0;
      auto const said = coalescing_tests::refusal([&] { return taken = replay(cut, format, options).instructions; });
      bool const ends_a_line = size == 0 || text[size - 1] == '\n';
      if (!ends_a_line) CHECK(said.find("cut: its last line does not end") != std::string::npos);
      if (said.empty()) {
        CHECK((before <= taken && taken <= whole_instructions));
        before = taken;
      }
      // A processed trace says how many lines a warp has, and where a block ends; ours says end.
      bool const is_open = std::string(file) == "plain.trace"
                               ? text.find("end\n", size == 0 ? 0 : size - 1) != std::string::npos && size != 0
                               : format == trace_format::accel_sim && cut.rfind("#BEGIN_TB") != std::string::npos &&
                                     cut.rfind("#BEGIN_TB") > cut.rfind("#END_TB") + 1;
      if (is_open && ends_a_line) CHECK(said.find("cut") != std::string::npos);
    }
  }
}

TEST_CASE("trace: a damaged line is refused with its number") {
  struct damage {
    form const& of;
    unsigned line;
    char const* from;
    char const* to;
    char const* says;
  };
  form const &traceg = forms[0], &trace = forms[1], &lines = forms[2], &plain = forms[3];
  for (auto const& [of, line, from, to, says] : {
           damage{traceg, 9, "0x00007f8125000000", "nowhere", "no such value"},
           damage{traceg, 12, "version = 3", "version = three", "no such value"},
           damage{traceg, 1, "kernel name", "kernel mane", "no kernel is named"},
           damage{traceg, 18, "thread block", "thread blcok", "neither an instruction"},
           damage{traceg, 18, "0,0,0", "0,0", "neither an instruction"},
           damage{traceg, 21, "insts = 8", "insts = 7", "more lines"},
           damage{traceg, 21, "insts = 8", "insts = 9", "fewer lines"},
           damage{traceg, 23, "0010", "001g", "PC"},
           damage{traceg, 23, "ffffffff", "fffffff", "mask"},
           damage{traceg, 23, "1 R2 LDG", "2 R2 LDG", "destination"},
           damage{traceg, 23, "LDG.E.SYS", "ldg", "opcode"},
           damage{traceg, 23, "1 R2 4", "1 r2 4", "source"},
           damage{traceg, 23, "4 1 0x", "4 3 0x", "form"},
           damage{traceg, 23, "0x7f0000000000 4", "0x7f0000000000", "stride"},
           damage{traceg, 23, "0x7f0000000000 4", "0x17f00000000000000 4", "base"},
           damage{traceg, 23, "0x7f0000000000 4", "0x7f0000000000 4 4", "more comes after"},
           damage{traceg, 23, "0x7f0000000000 4", "0x7f0000000002 4", "multiple of this instruction's alignment"},
           damage{traceg, 23, "ffffffff", "0000000d", "not neighbours"},
           damage{trace, 18, "0 0 0 1 7", "0 0 x 1 7", "x y z"},
           damage{trace, 18, " 7 0100", " - 0100", "line of the source"},
           damage{trace, 18, "32 0 ", "", "fewer differences"},
           damage{trace, 19, " 0x00007f0000002000 0", "", "fewer addresses"},
           damage{trace, 19, "0x00007f0000002000", "0x00007f00000020zz", "fewer addresses"},
           damage{trace, 19, "0x00007f0000002000", "0x00007f00000g2000", "fewer addresses"},
           damage{trace, 19, "8 0 0x", "eight 0 0x", "width"},
           damage{trace, 13, "lineinfo = 1", "lineinfo = 2", "no such value"},
           damage{lines, 4, "CTA 0,0,0", "CTA 0,0", "x,y,z"},
           damage{lines, 4, "warp 26", "warp x", "warp"},
           damage{lines, 4, "LDG.E", "LDG E", "opcode"},
           damage{lines, 4, " - warp", " warp", "x,y,z"},
           damage{lines, 4, "0x00007f0000000078", "", "fewer addresses than 32"},
           damage{lines, 4, "0x00007f0000000078", "0x00007f0000000078 0x00007f0000000078", "more addresses than 32"},
           damage{lines, 4, "0x00007f0000000078", "0x00007f000000007", "sixteen hexadecimal digits"},
           damage{lines, 3, "grid launch id 0", "grid launch id", "launch"},
           damage{plain, 1, "trace 1", "trace 2", "begins with: coalesce trace 1"},
           damage{plain, 3, "kernel transpose 32 x 32", "kernel", "a name"},
           damage{plain, 3, "kernel", "# kernel", "no kernel is named"},
           damage{plain, 4, "0 0 0", "0 0", "three numbers"},
           damage{plain, 5, "warp 0", "warp", "a number"},
           damage{plain, 6, "load", "lode", "begins with"},
           damage{plain, 6, "global", "local", "global or shared"},
           damage{plain, 6, "global 4", "global 0", "1 to 256"},
           damage{plain, 6, "in@transpose.py:12", "in@transpose.py", "neither 0xOFFSET"},
           damage{plain, 6, "in@transpose.py:12", "in@transpose.py:12:", "neither 0xOFFSET"},
           damage{plain, 6, "in@transpose.py:12", "in@transpose.py:0", "lines count from 1"},
           damage{plain, 6, "0xffffffff", "all", "mask"},
           damage{plain, 6, "0xffffffff", "18446744073709551616", "mask"},
           damage{plain, 6, "global 4", "global 257", "1 to 256"},
           damage{plain, 6, "0x1000+4", "0x1000+", "BASE+STRIDE"},
           damage{plain, 6, "0x1000+4", "0x1000", "fewer addresses"},
           damage{plain, 6, "0x1000+4", "0x1000+4 0x1080", "more addresses"},
           damage{plain, 6, "0x1000+4", "0x1002+4", "alignment"},
           damage{plain, 7, "0+132", "0x30000+132", "past the end of this machine's shared memory"},
           damage{plain, 20, "0x1000 0x2000 48", "0x1000 0x2000", "fewer addresses"},
           damage{plain, 23, "end", "end.", "begins with"},
       }) {
    CAPTURE(of.file);
    CAPTURE(line);
    CAPTURE(to);
    auto text = sample(of.file);
    std::size_t at = 0;
    for (unsigned k = 1; k != line; ++k) at = text.find('\n', at) + 1;
    auto const found = text.find(from, at);
    REQUIRE(found < text.find('\n', at));
    text.replace(found, std::string(from).size(), to);
    std::uint64_t said_line = 0;
    std::string said;
    try {
      static_cast<void>(replay(text, of.format, of.options));
    } catch (co::trace_error const& error) {
      said_line = error.line(), said = error.what();
      CHECK(said.find(error.sentence().substr(0, 60)) != std::string::npos);
    }
    // A wrong number of lines is noticed where the warp ends, and a missing kernel at its first access.
    bool const is_later =
        std::string(says).find(" lines") != std::string::npos || std::string(says).find("no kernel is named") == 0;
    CHECK((is_later ? said_line > line : said_line == line));
    CHECK(said.find(says) != std::string::npos);
    INFO(said);
  }
}

TEST_CASE("trace: damaged lines of Omniprobe") {
  std::string const good =
      "ADDRESS_MESSAGE,81,\"k(int, char)\",36,1,0x0000000000000003,0,0,3,2,0x0000000000001000,0x0000000000001010\n";
  auto const ask = [&](std::string const& text, replay_options const& options = amd) {
    return coalescing_tests::refusal([&] { return replay<gfx942>(text, trace_format::omniprobe, options); });
  };
  CHECK(ask(good).empty());
  struct damage {
    char const *from, *to, *says;
  };
  for (auto const& [from, to, says] :
       {damage{"81", "now", "timestamp"}, damage{"\"k(int, char)\"", "k", "quotes"},
        damage{",36,", ",36 7,", "line of"}, damage{"0x0000000000000003", "3g", "mask"},
        damage{",2,0x", ",4,0x", "kind"}, damage{",36,", ",4294967296,", "32 bits"},
        damage{",0x0000000000001010", "", "fewer fields"}, damage{"1010", "1010,0x0000000000001020", "more addresses"},
        damage{"1010", "", "an address"}, damage{"1010", "101", "an address"}, damage{"1010", "1011", "alignment"},
        damage{"0x0000000000000003", "0x3", "the mask"},
        damage{"ADDRESS_MESSAGE,81", "ADDRESS_MESSAGE,timestamp,81", "columns"}}) {
    CAPTURE(to);
    auto text = good;
    text.replace(text.find(from), std::string(from).size(), to);
    auto const said = ask(text);
    CHECK(said.find("line 1: ") != std::string::npos);
    CHECK(said.find(says) != std::string::npos);
  }
  // A line that is cut anywhere is refused.
  for (std::size_t size = 1; size != good.size(); ++size) {
    CHECK(ask(good.substr(0, size)).find("cut: its last line does not end") != std::string::npos);
    if (size > 16 && size + 1 != good.size()) CHECK_FALSE(ask(good.substr(0, size) + "\n").empty());
  }
  // An option says what it does not tell.
  auto const width = ask(good, {.shared = nowhere});
  CHECK(width.find("line 1: ") != std::string::npos);
  CHECK(width.find(".widths for line 36 of the source") != std::string::npos);
  auto const aperture = replay<gfx942>(good, trace_format::omniprobe, {.bytes = 4});
  CHECK(skipped(aperture, "write", ".shared") == 1);
}

TEST_CASE("trace: damaged messages of Omniprobe as JSON") {
  auto const ask = [&](std::string const& text) {
    return coalescing_tests::refusal([&] { return replay<gfx942>(text, trace_format::omniprobe, amd); });
  };
  CHECK(ask(object).empty());
  struct damage {
    char const *from, *to, *says;
  };
  for (auto const& [from, to, says] :
       {damage{"\"dispatch_id", "\"dispatch", "dispatch_id"}, damage{"\": 81", "\": now", "no number"},
        damage{"\": 81", "\": 8 1", "no number"}, damage{"\"exec\": 3", "\"exec\": 0x3", "no number"},
        damage{"\"exec\": 3", "\"exec\": 7", "active_lane_count"},
        damage{"\"exec\": 3", "\"exec\": 18446744073709551616", "no number"},
        damage{"\"xcc_id\": 0,\"se_id\": 0", "\"se_id\": 0,\"xcc_id\": 0", "no xcc_id"},
        damage{"line\": 36", "line\": 4294967296", "32 bits: dwarf_line"},
        damage{"num\": 3", "num\": 4294967296", "32 bits: wave_num"}, damage{"write", "prefetch", "op_type"},
        damage{",4112", "", "no ,"}, damage{",4112", ",4112,4128", "no ]"}, damage{"4112", "4113", "alignment"},
        damage{"4112", "0x1010", "no number"}, damage{"]}", "]", "no }"}, damage{"]}", "]}}", "after the object"},
        damage{"\"op_type\": \"write\",\"addresses\": [4096,4112]", "\"user_data\": 7,8", "no }"}}) {
    CAPTURE(to);
    auto const said = ask(with(object, from, to));
    INFO(said);
    CHECK(said.find("line 1: ") != std::string::npos);
    CHECK(said.find(says) != std::string::npos);
  }
  // A line that is cut anywhere is refused.
  for (std::size_t size = 1; size + 1 != object.size(); ++size) {
    CHECK(ask(object.substr(0, size)).find("cut: its last line does not end") != std::string::npos);
    if (size > 17) CHECK_FALSE(ask(object.substr(0, size) + "\n").empty());
  }
}

TEST_CASE("trace: what is refused") {
  // mem_trace tells no masks.
  auto const masks =
      coalescing_tests::refusal([&] { return replay(sample("scale.mem_trace"), trace_format::mem_trace); });
  CHECK(masks.find("line 4: ") != std::string::npos);
  CHECK(masks.find(".all_lanes = true") != std::string::npos);
  // Its warps have 32 lanes, and so have Accel-Sim's.
  for (auto const format : {trace_format::accel_sim, trace_format::mem_trace})
    CHECK(coalescing_tests::refusal([&] { return replay<gfx942>("", format); }).find("32 lanes") != std::string::npos);
  CHECK(replay<gfx1100>(sample("reverse.traceg"), trace_format::accel_sim).instructions == 16);
  CHECK(coalescing_tests::refusal([] {
          return co::replay_files<cc80>({"/nowhere"}, trace_format::plain);
        }).find("cannot be opened: /nowhere") != std::string::npos);
  CHECK(!coalescing_tests::refusal([] { return replay("", static_cast<trace_format>(9)); }).empty());
  // A line of any length is no reason for more memory.
  CHECK(coalescing_tests::refusal([] {
          return replay(std::string(70'000, ' ') + "\n", trace_format::plain);
        }).find("more than 65,536") != std::string::npos);
  CHECK(coalescing_tests::refusal([] {
          return replay(std::string(2'000'000, ' '), trace_format::plain);
        }).find("line 1: the line has more than 65,536") != std::string::npos);
  CHECK(coalescing_tests::refusal([] {
          return replay(std::string(65'537, ' ') + "\n", trace_format::plain);
        }).find("more than 65,536") != std::string::npos);
  CHECK(coalescing_tests::refusal([] {
          return replay(std::string(65'536, ' ') + "\n" + sample("plain.trace"), trace_format::plain);
        }).empty());
  // A file without a trace is refused. A trace of mem_trace stands in the output of a program, which may have none.
  struct no_trace {
    char const *text, *says;
    trace_format format;
  };
  for (auto const& [text, says, format] :
       {no_trace{"", "line 1: there is no trace: no line says coalesce trace 1", trace_format::plain},
        no_trace{"# a comment\n\n", "line 2: there is no trace", trace_format::plain},
        no_trace{"", "line 1: there is no trace: no line says -kernel name = ...", trace_format::accel_sim},
        no_trace{"\n-shmem = 0\n\n", "line 3: there is no trace", trace_format::accel_sim}}) {
    CAPTURE(text);
    CHECK(coalescing_tests::refusal([&] { return replay(text, format); }).find(says) != std::string::npos);
  }
  CHECK(coalescing_tests::refusal([] { return replay("coalesce trace 1\nend\n", trace_format::plain); }).empty());
  CHECK(coalescing_tests::refusal([] { return replay("", trace_format::mem_trace, whole); }).empty());
  // Windows line ends are read.
  CHECK(
      replay("coalesce trace 1\r\nkernel k\r\nload global 4 0x10 1 64\r\nend\r\n", trace_format::plain).instructions ==
      1);
}

TEST_CASE("trace: many files, threads, and progress") {
  std::vector<std::string> files;
  for (int k = 0; k != 9; ++k) files.push_back(path("reverse.traceg"));
  auto const one = co::replay_files<cc80>(files, trace_format::accel_sim);
  for (unsigned const jobs : {2u, 4u, 20u})
    CHECK(co::replay_files<cc80>(files, trace_format::accel_sim, {.jobs = jobs}).text() == one.text());
  REQUIRE(one.kernels.size() == 1);
  CHECK(one.kernels[0].seen.loads("global").transactions == 9 * 16);
  CHECK(one.kernels[0].seen.blocks == 18);
  CHECK(one.kernels[0].seen.blocks_alike);
  CHECK(one.instructions == 9 * 16);
  // The error names the file, and is the first file's.
  files[4] = path("plain.trace");
  auto const said =
      coalescing_tests::refusal([&] { return co::replay_files<cc80>(files, trace_format::accel_sim, {.jobs = 3}); });
  CHECK(said.find("plain.trace, line 1: ") != std::string::npos);

  std::vector<co::replay_progress> told;
  auto const text = sample("plain.trace");
  auto const tell = [&](co::replay_progress const& so_far) { told.push_back(so_far); };
  static_cast<void>(replay(text, trace_format::plain, {.progress = tell, .every = 10}));
  REQUIRE(told.size() == 3);  // 23 lines
  CHECK(told[0].lines == 10);
  CHECK(told[0].instructions == 4);
  CHECK(told[2].lines == 23);
  CHECK(told[2].bytes == text.size());
  CHECK(told[2].instructions == 11);
  CHECK(told[2].of_bytes == 0);  // a stream has no size
  told.clear();
  static_cast<void>(
      co::replay_files<cc80>({path("reverse.traceg")}, trace_format::accel_sim, {.progress = tell, .every = 10}));
  REQUIRE(told.size() > 1);
  CHECK(told[0].bytes < told[0].of_bytes);
  CHECK(told.back().bytes == told.back().of_bytes);
}

TEST_CASE("trace: hexadecimal numbers of any length, as the standard library reads them") {
  std::mt19937_64 random(39);
  unsigned differ = 0, read = 0;
  for (unsigned k = 0; k != 200'000; ++k) {
    std::string text(random() % 22, '0');
    for (char& each : text)
      each = random() % 20 == 0 ? static_cast<char>(random()) : "0123456789abcdefABCDEF"[random() % 22];
    std::uint64_t made = 0, expected = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected, 16);
    auto const length = error == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
    differ += co::detail::read_leading(text, 16, made) != length || (length != 0 && made != expected);
    read += length != 0;
  }
  CHECK(differ == 0);
  CHECK(read > 100'000);
  for (unsigned at = 0; at != 8; ++at)  // each character among seven digits
    for (unsigned each = 0; each != 256; ++each) {
      std::string text = "0aF39b1E";
      text[at] = static_cast<char>(each);
      std::uint64_t made = 0, expected = 0;
      auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected, 16);
      auto const length = error == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
      CHECK(co::detail::read_leading(text, 16, made) == length);
      CHECK(made == (length == 0 ? 0 : expected));
    }
}
