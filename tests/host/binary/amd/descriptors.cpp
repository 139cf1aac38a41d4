// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

#include <cstdint>
#include <string>
#include <vector>
#include "host/binary/amd/refusal.hpp"
#include "machinery/check.hpp"

// AMD's binaries (host/binary/amd.hpp): what a buffer's descriptor masks. The rules are those of "AMD Instinct CDNA4
// ISA", 9.1.5.1 Range Checking, and "AMD RDNA 4 ISA", Buffer Range Checking.

namespace co = coalescing;
using co::binary_argument, co::binary_launch;

namespace {

/// s[4:5] is the pointer to `in`, v1 has 4 bytes for each work-item. The descriptor is s[4:7].
co::binary_answer run(char const* machine, std::string const& body, unsigned lanes = 64) {
  bool const is_cdna = std::string(machine).find("gfx9") == 0;
  std::string const start = is_cdna ? "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\n"
                                    : "s_load_b64 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\n";
  std::string const text = "k:\n" + start + body + "\ts_endpgm\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n" +
                           "\t.amdhsa_group_segment_fixed_size 4096\n" + "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n" +
                           (is_cdna ? "" : "\t.amdhsa_wavefront_size32 1\n") + ".end_amdhsa_kernel\n";
  binary_launch launch;
  launch.block = {lanes};
  launch.arguments = {binary_argument::buffer(4096, std::vector<unsigned char>(4096, 7), "in"),
                      binary_argument::buffer(4096, {}, "out")};
  return co::amdgcn::record(machine, text, launch);
}
std::string descriptor(char const* records, char const* kind = "0x27000") {
  return std::string("s_mov_b32 s6, ") + records + "\ns_mov_b32 s7, " + kind + "\n";
}
std::string const with_select_2 = descriptor("0x80", "0x20027000"), with_select_3 = descriptor("0x80", "0x30027000");
std::uint64_t bytes(co::binary_answer const& answer) { return answer.sites.of("in").bytes_used; }
using coalescing_tests::binaries::has, coalescing_tests::binaries::refusal;

}  // namespace

TEST_CASE("amdgcn: gfx9 does not add the scalar offset before the range check, RDNA does") {
  std::string const store = "s_movk_i32 s8, 0x40\nbuffer_store_dword v0, v1, s[4:7], s8 offen\n";
  std::string const store_32 = "s_movk_i32 s8, 0x40\nbuffer_store_b32 v0, v1, s[4:7], s8 offen\n";
  for (char const* const machine : {"gfx90a", "gfx942", "gfx950"}) {
    INFO(std::string(machine));
    CHECK(bytes(run(machine, descriptor("0x80") + store)) == 128);  // the lanes whose own offset is below 128
    CHECK(bytes(run(machine, descriptor("0x40") + store)) == 64);   // no lane of them is below with the scalar offset
  }
  CHECK(bytes(run("gfx1100", with_select_3 + store_32, 32)) == 64);
  CHECK(bytes(run("gfx1201", with_select_3 + store_32, 32)) == 64);
}

TEST_CASE("amdgcn: RDNA's descriptors say what is compared with the number of records") {
  std::string const load = "buffer_load_b32 v2, v1, s[4:7], null offen offset:128\n";
  for (char const* const machine : {"gfx1100", "gfx1201"}) {
    INFO(std::string(machine));
    CHECK(run(machine, with_select_3 + load, 32).sites.size() == 0);
    CHECK(bytes(run(machine, with_select_2 + load, 32)) == 128);
    CHECK(run(machine, descriptor("0", "0x20027000") + load, 32).sites.size() == 0);  // no records
    CHECK(has(refusal([&] { run(machine, descriptor("0x80") + load, 32); }),
              ": the buffer's descriptor has the range check of a structured buffer (OOB_SELECT 0), which is not "
              "followed"));
    CHECK(run(machine, descriptor("0x80") + "s_mov_b32 exec_lo, 0\n" + load, 32).sites.size() == 0);
  }
  // CDNA has no such bits.
  CHECK(bytes(run("gfx942", descriptor("0x80", "0x20027000") + "buffer_load_dword v2, v1, s[4:7], 0 offen\n")) == 128);
}

TEST_CASE("amdgcn: a lane of several dwords that passes the number of records is refused") {
  std::string const load = "v_lshlrev_b32_e32 v1, 4, v0\nbuffer_load_dwordx4 v[4:7], v1, s[4:7], 0 offen\n";
  CHECK(bytes(run("gfx942", descriptor("0x80") + load)) == 128);  // the control: 8 whole lanes
  CHECK(refusal([&] { run("gfx942", descriptor("0x8c") + load); }) ==
        "line 7: buffer_load_dwordx4: lane 8 reaches past the descriptor's number of records with some of its dwords, "
        "which is not followed");
  // The hardware compares the first byte of a dword.
  CHECK(bytes(run("gfx942", descriptor("0x8d") + load)) == 144);
  CHECK(has(refusal([&] { run("gfx942", descriptor("0x84") + "s_mov_b64 exec, 0x300\n" + load); }), "lane 8"));
  CHECK(bytes(run("gfx942", descriptor("0x84") + "s_mov_b64 exec, 0xff\n" + load)) == 128);
  // Data turn lane 8 on: the bound holds its four dwords.
  auto const perhaps = run("gfx942", "s_load_dwordx2 s[12:13], s[0:1], 0x8\n" + descriptor("0x84") +
                                         "global_load_dword v2, v1, s[12:13]\nv_cmp_eq_u32_e32 vcc, 7, v2\n"
                                         "s_and_saveexec_b64 s[10:11], vcc\n" +
                                         load);
  CHECK(perhaps.sites.loads("in").at_most);
  CHECK(bytes(perhaps) == 144);
}

TEST_CASE("amdgcn: a descriptor that adds the number of the lane is refused") {
  CHECK(has(
      refusal([] { run("gfx942", descriptor("0x80", "0x827000") + "buffer_load_dword v2, v1, s[4:7], 0 offen\n"); }),
      "buffer_load_dword: the buffer's descriptor adds the lane's number (ADD_TID_ENABLE), which is not "
      "followed"));
}

TEST_CASE("amdgcn: a scalar load past a descriptor's records is 0 and reads nothing") {
  // The lanes load from where the scalar load says. It is known: `in` has contents, and what is past the records is 0.
  auto const asked = [](std::string const& load, std::string const& records = "0x80", std::string const& stride = {}) {
    return run("gfx942", descriptor(records.c_str()) + "s_mov_b64 s[12:13], s[4:5]\n" + stride + load +
                             "v_mov_b32_e32 v2, s20\nv_and_b32_e32 v2, 0xff0, v2\n"
                             "global_load_dword v3, v2, s[12:13]\n");
  };
  auto const inside = asked("s_buffer_load_dword s20, s[4:7], 0x7c\n");
  REQUIRE(inside.sites.size() == 2);
  CHECK(inside.sites[0].cost.issued == 1);
  auto const outside = asked("s_buffer_load_dword s20, s[4:7], 0x80\n");
  REQUIRE(outside.sites.size() == 1);
  CHECK(outside.sites[0].opcode == std::string("global_load_dword"));
  CHECK(asked("s_movk_i32 s9, 0x80\ns_buffer_load_dword s20, s[4:7], s9\n").sites.size() == 1);
  CHECK(asked("s_buffer_load_dword s20, s[4:7], 0x8000\n").sites.size() == 1);  // also past the buffer
  CHECK(asked("s_buffer_load_dwordx4 s[20:23], s[4:7], 0x70\n").sites.size() == 2);
  CHECK(has(refusal([&] { asked("s_buffer_load_dwordx4 s[20:23], s[4:7], 0x78\n"); }),
            "s_buffer_load_dwordx4: the load reaches past the descriptor's number of records with some of its dwords"));
  // Records of 16 bytes: 0x80 of them are 2 KiB.
  CHECK(asked("s_buffer_load_dword s20, s[4:7], 0x80\n", "0x80", "s_or_b32 s5, s5, 0x100000\n").sites.size() == 2);
  // The number of records is data: the load is a bound, and 0 or what is there.
  auto const perhaps = asked("s_buffer_load_dword s20, s[4:7], 0x80\n", "0x80",
                             "s_load_dwordx2 s[14:15], s[0:1], 0x8\ns_load_dword s6, s[14:15], 0x0\n");
  REQUIRE(perhaps.sites.size() == 3);
  CHECK(perhaps.sites[1].at_most);
}

TEST_CASE("amdgcn: an index and a stride are refused, whichever lanes they mask") {
  // By its offset no lane is below the number of records. By its index, which is below it, each lane is.
  std::string const indexed =
      "v_mov_b32_e32 v2, 0xfa\nv_and_b32_e32 v3, 0x7c, v0\nbuffer_load_dword v4, v[2:3], s[4:7], 0 idxen offen "
      "offset:8\n";
  CHECK(refusal([&] { run("gfx942", descriptor("0x100") + indexed); }) ==
        "line 8: buffer_load_dword: an index (idxen) is not followed");
  CHECK(run("gfx942", descriptor("0x100") + "s_mov_b64 exec, 0\n" + indexed).sites.size() == 0);
  // Records of 16 bytes: byte 8 is in the first of 4, and not below 4.
  std::string const strided = "s_or_b32 s5, s5, 0x100000\n", at_8 = "buffer_load_dword v2, off, s[4:7], 0 offset:8\n";
  CHECK(has(refusal([&] { run("gfx942", descriptor("4") + strided + at_8); }), "the buffer's descriptor has a stride"));
  CHECK(run("gfx942", descriptor("4") + at_8).sites.size() == 0);  // the control
}

TEST_CASE("amdgcn: a descriptor that turns on a swizzle is refused") {
  auto const lines = [](char const* machine, std::string const& change) {
    bool const is_cdna = std::string(machine) == "gfx942";
    std::string const load =
        is_cdna ? "buffer_load_dword v2, v1, s[4:7], 0 offen\n" : "buffer_load_b32 v2, v1, s[4:7], null offen\n";
    auto const answer = run(machine, descriptor("0x100", "0x30027000") + change + load, is_cdna ? 64 : 32);
    return answer.sites.loads("in").transactions;
  };
  std::string const swizzled = "s_bitset1_b32 s5, 31\n", other = "s_bitset1_b32 s5, 30\n";
  CHECK(
      has(refusal([&] { lines("gfx942", swizzled); }), "the buffer's descriptor turns on a swizzle (SWIZZLE_ENABLE)"));
  CHECK(has(refusal([&] { lines("gfx1100", swizzled); }), "turns on a swizzle"));
  CHECK(has(refusal([&] { lines("gfx1100", other); }), "turns on a swizzle"));
  // The controls. 256 bytes are two lines of 128; 30 is CACHE_SWIZZLE there, which moves no byte.
  CHECK(lines("gfx942", {}) == 2);
  CHECK(lines("gfx942", other) == 2);
  CHECK(lines("gfx1100", {}) == 1);
  // Data turn it on, or not: a line for each lane.
  auto const any = run("gfx942", "s_load_dwordx2 s[12:13], s[0:1], 0x8\n" + descriptor("0x100") +
                                     "s_load_dword s12, s[12:13], 0x0\ns_and_b32 s12, s12, 0x80000000\n"
                                     "s_or_b32 s5, s5, s12\nbuffer_load_dword v2, v1, s[4:7], 0 offen\n");
  REQUIRE(any.sites.size() == 2);
  CHECK(any.sites[1].at_most);
  CHECK(any.sites[1].cost.transactions == 64);
}

TEST_CASE("amdgcn: a load to LDS writes 0 for the lanes that the descriptor masks") {
  // Each lane's word of LDS becomes lane * 128 modulo 4096, then what the buffer load writes, and is then an address.
  auto const read = [](char const* records) {
    return run("gfx942", descriptor(records) +
                             "s_mov_b32 m0, 0\nv_lshlrev_b32_e32 v2, 7, v0\nv_and_b32_e32 v2, 0xfff, v2\n"
                             "ds_write_b32 v1, v2\ns_barrier\nbuffer_load_dword v1, s[4:7], 0 offen lds\ns_barrier\n"
                             "ds_read_b32 v3, v1\nv_and_b32_e32 v3, 0xffc, v3\nds_read_b32 v4, v3\n");
  };
  // No lane loads: the LDS side alone is an access, and all lanes read word 0, a round for each half.
  auto const none = read("0");
  REQUIRE(none.sites.size() == 4);
  CHECK(none.sites[1].opcode == std::string("buffer_load_dword"));
  CHECK(none.sites[1].space == co::memory_space::shared);
  CHECK_FALSE(none.sites[1].cost.is_counted);
  CHECK_FALSE(none.sites[3].at_most);
  CHECK(none.sites[3].cost.rounds == 2);
  CHECK(none.sites[3].cost.conflicts == 0);
  // Lanes 0 to 31 load 0x07070707, and the others write 0: one word for each half.
  auto const half = read("0x80");
  REQUIRE(half.sites.size() == 5);
  CHECK(half.sites.of("in").bytes_used == 128);
  CHECK_FALSE(half.sites[4].at_most);
  CHECK(half.sites[4].cost.rounds == 2);
  // The control: all lanes load.
  CHECK(read("0x100").sites[4].cost.rounds == 2);
}
