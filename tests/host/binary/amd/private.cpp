// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

#include <cstdint>
#include <string>
#include <vector>
#include "machinery/check.hpp"

// The lanes' private memory (scratch) in AMD's binaries: its layout, and the values that a kernel keeps there.

namespace co = coalescing;
namespace amdgcn = co::amdgcn;

namespace {

std::string kernel(std::string const& body, std::string const& more = "") {
  return "k:\n" + body + "\ts_endpgm\n.Lfunc_end0:\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n" +
         "\t.amdhsa_private_segment_fixed_size 64\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         "\t.amdhsa_system_sgpr_workgroup_id_x 1\n" +
         more + ".end_amdhsa_kernel\n";
}
std::string const start =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\n"
    "global_load_dword v2, v1, s[6:7]\n";
/// Which lanes go on depends on data. s[8:9] keeps the mask before.
std::string const half = "v_cmp_eq_u32_e32 vcc, 0, v2\ns_and_saveexec_b64 s[8:9], vcc\n";
co::binary_answer run(std::string const& body, char const* machine = "gfx942", std::string const& more = "") {
  co::binary_launch launch;
  launch.block = {64};
  launch.arguments = {co::binary_argument::buffer(1 << 16, std::vector<unsigned char>(1 << 16), "out"),
                      co::binary_argument::buffer(1 << 16, {}, "data")};
  return amdgcn::record(machine, kernel(body, more), launch);
}
bool knows_out(co::binary_answer const& answer, std::uint64_t bytes) {
  bool all = true;
  for (std::uint64_t k = 0; k != bytes; ++k) all = all && answer.buffers[0].bytes.final_byte(k) >= 0;
  return all;
}

}  // namespace

TEST_CASE("amdgcn: words of private memory alternate by lane") {
  // 64 lanes at one offset: 256 bytes in a row, as 64 lanes that store 4 bytes each to a buffer.
  auto const answer = run(start + "scratch_store_dword off, v1, off offset:8\nglobal_store_dword v1, v1, s[4:5]\n");
  CHECK(answer.unknown.empty());
  auto const own = answer.sites.stores("scratch"), out = answer.sites.stores("out");
  CHECK(own.issued == 1);
  CHECK(own.transactions == out.transactions);
  CHECK_FALSE(own.at_most);
  // Two words are two accesses.
  auto const two = run(start + "scratch_store_dwordx2 off, v[1:2], off offset:8\n").sites.stores("scratch");
  CHECK(two.issued == 2);
  CHECK(two.transactions == 2 * out.transactions);
  // Lane k at word k: each lane's word lies in another row of 256 bytes.
  auto const apart = run(start + "v_and_b32 v3, 60, v1\nscratch_store_dword v3, v1, off\n").sites.stores("scratch");
  CHECK(apart.transactions > 4 * out.transactions);
  // An index that depends on data.
  auto const any = run(start + "v_and_b32 v3, 60, v2\nscratch_store_dword v3, v1, off\n").sites.stores("scratch");
  CHECK(any.at_most);
  CHECK(any.transactions >= apart.transactions);
}

TEST_CASE("amdgcn: what a lane keeps in private memory is known again") {
  std::string const out = "global_store_dword v4, v1, s[4:5]\n", keep = "scratch_store_dword off, v1, off offset:8\n";
  std::string const load = "scratch_load_dword v4, off, off offset:8\n";
  CHECK_FALSE(run(start + keep + load + out).sites.stores("out").at_most);
  CHECK(run(start + load + out).sites.stores("out").at_most);  // nothing was stored there
  CHECK(run(start + keep + "scratch_load_dword v4, off, off offset:12\n" + out).sites.stores("out").at_most);
  CHECK(run(start + keep + "scratch_store_byte off, v2, off offset:9\n" + load + out).sites.stores("out").at_most);
  CHECK_FALSE(
      run(start + keep + "scratch_store_byte off, v2, off offset:12\n" + load + out).sites.stores("out").at_most);
  // A store whose address depends on data reaches any word.
  CHECK(run(start + keep + "v_and_b32 v3, 4, v2\nscratch_store_dword v3, v2, off\n" + load + out)
            .sites.stores("out")
            .at_most);
  // A store that only half of the lanes execute, if data says so, leaves the others.
  CHECK(run(start + keep + half + "v_mov_b32 v5, 0\nscratch_store_dword off, v5, off offset:8\n" +
            "s_mov_b64 exec, s[8:9]\n" + load + out)
            .sites.stores("out")
            .at_most);
  // Parts of a word.
  std::string const bytes =
      "v_mov_b32 v3, 0x12\nscratch_store_dword off, v1, off\nscratch_store_byte off, v3, off\n"
      "scratch_load_ubyte v4, off, off\nv_lshlrev_b32 v4, 2, v4\n";
  CHECK(knows_out(run(start + bytes + "global_store_dword v1, v4, s[4:5]\n"), 256));
  CHECK_FALSE(knows_out(run(start + "scratch_load_ubyte v4, off, off\nglobal_store_dword v1, v4, s[4:5]\n"), 256));
  // A load whose address depends on data may read any word: all bits of it are unknown, and bits above a byte are
  // zeros.
  std::string const any_of = "v_and_b32 v3, 60, v2\n", address = "v_lshrrev_b32 v4, 16, v4\nv_and_b32 v4, -4, v4\n";
  CHECK(run(start + any_of + "scratch_load_dword v4, v3, off\n" + address + out).sites.stores("out").at_most);
  CHECK_FALSE(run(start + keep + load + address + out).sites.stores("out").at_most);
  std::string const shifted = "scratch_load_ubyte v4, v3, off\nv_lshrrev_b32 v4, ",
                    stored = "global_store_dword v1, v4, s[4:5]\n";
  CHECK(knows_out(run(start + any_of + shifted + "8, v4\n" + stored), 256));
  CHECK_FALSE(knows_out(run(start + any_of + shifted + "7, v4\n" + stored), 256));
  // Flat addresses may reach it where the kernel knows the aperture.
  CHECK(run(start + "s_mov_b64 s[8:9], src_private_base\n" + keep + load + out).sites.stores("out").at_most);
}

TEST_CASE("amdgcn: private memory by the descriptor of a buffer") {
  std::string const more =
      "\t.amdhsa_user_sgpr_private_segment_buffer 1\n\t.amdhsa_system_sgpr_private_segment_wavefront_offset 1\n";
  std::string const begin =
      "s_add_u32 s0, s0, s7\ns_addc_u32 s1, s1, 0\ns_load_dwordx4 s[8:11], s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\n"
      "v_lshlrev_b32_e32 v1, 2, v0\nbuffer_store_dword v1, off, s[0:3], 0 offset:4\n";
  std::string const out = "global_store_dword v4, v1, s[8:9]\n";
  auto const answer = run(begin + "buffer_load_dword v4, off, s[0:3], 0 offset:4\n" + out, "gfx90a", more);
  CHECK(answer.unknown.empty());
  CHECK(answer.sites.of("scratch").issued == 2);
  CHECK_FALSE(answer.sites.stores("out").at_most);
  auto const by_lane =
      run(begin + "v_mov_b32 v3, 4\nbuffer_load_dword v4, v3, s[0:3], 0 offen\n" + out, "gfx90a", more);
  CHECK_FALSE(by_lane.sites.stores("out").at_most);
  auto const moved = run(begin + "buffer_load_dword v4, off, s[0:3], s6 offset:4\n" + out, "gfx90a", more);
  CHECK(moved.sites.stores("out").at_most);  // a scalar offset is in other units
  bool is_refused = false;
  try {
    static_cast<void>(run(begin + "buffer_store_dword v1, v0, s[0:3], 0 idxen\n", "gfx90a", more));
  } catch (co::binary_refused const& refused) {
    is_refused = std::string(refused.what()).find("an index (idxen) is not followed") != std::string::npos;
  }
  CHECK(is_refused);
}

TEST_CASE("amdgcn: a kernel's descriptor as bytes") {
  // AMDGPUUsage, "Code Object V3 to V6 Kernel Descriptor": 32 bytes of LDS, 16 of arguments, the arguments' address in
  // s[0:1], the block's number in s2.
  std::vector<unsigned> bytes(64);
  bytes[0] = 32, bytes[8] = 16, bytes[52] = 0x84, bytes[56] = 8;
  auto const text = [](std::vector<unsigned> const& of) {
    std::string all = "0000000000000a40 <k.kd>:\n; decoding failed region as bytes\n";
    for (unsigned const each : of) all += "\t.byte\t " + std::to_string(each) + "\n";
    return all +
           "\nDisassembly of section .text:\n\n0000000000001000 <k>:\n"
           "\ts_load_dwordx2 s[4:5], s[0:1], 0x0 // 000000001000: C0060100 00000000\n"
           "\tv_lshlrev_b32_e32 v1, 2, v0 // 000000001008: 24020082\n"
           "\tv_lshl_add_u32 v1, s2, 8, v1 // 00000000100C: D1FD0001 04051002\n"
           "\tglobal_store_dword v1, v1, s[4:5] // 000000001014: DC708000 00040101\n"
           "\ts_endpgm // 00000000101C: BF810000\n";
  };
  co::binary_launch launch;
  launch.block = {64}, launch.grid = {2}, launch.every_block = true;
  launch.arguments = {co::binary_argument::buffer(1024, {}, "out"), co::binary_argument::u64(0)};
  auto const answer = amdgcn::record<co::cdna::gfx942>(text(bytes), launch);
  CHECK(answer.unknown.empty());
  CHECK(answer.sites.stores("out").issued == 2);
  bytes.pop_back();  // the control: a descriptor that lacks a byte
  bool is_refused = false;
  try {
    static_cast<void>(amdgcn::record<co::cdna::gfx942>(text(bytes), launch));
  } catch (co::binary_refused const&) {
    is_refused = true;
  }
  CHECK(is_refused);
}

TEST_CASE("amdgcn: a lane that left a loop keeps its registers apart from those of the others") {
  // v[4:5] holds an address of data, then of out: the loop's rounds store to out alone.
  auto const answer = run(start +
                          "v_mov_b32 v6, s7\nv_add_co_u32 v4, vcc, s6, v1\nv_addc_co_u32 v5, vcc, 0, v6, vcc\n"
                          "global_load_dword v7, v[4:5], off\nv_cmp_lt_u32_e32 vcc, v2, v7\n"
                          "s_and_saveexec_b64 s[8:9], vcc\ns_cbranch_execz .LBB0_2\n"
                          "v_mov_b32 v6, s5\nv_add_co_u32 v4, vcc, s4, v1\nv_addc_co_u32 v5, vcc, 0, v6, vcc\n"
                          "s_mov_b64 s[10:11], 0\n.LBB0_1:\nglobal_store_dword v[4:5], v7, off\nv_add_u32 v2, 1, v2\n"
                          "v_add_co_u32 v4, vcc, 4, v4\nv_addc_co_u32 v5, vcc, 0, v5, vcc\n"
                          "v_cmp_ge_u32_e32 vcc, v2, v7\ns_or_b64 s[10:11], vcc, s[10:11]\n"
                          "s_andn2_b64 exec, exec, s[10:11]\ns_cbranch_execnz .LBB0_1\n.LBB0_2:\n"
                          "s_or_b64 exec, exec, s[8:9]\nglobal_store_dword v[4:5], v7, off\n");
  CHECK(answer.unknown.empty());
  unsigned named = 0, unnamed = 0;
  for (auto const& each : answer.sites.sites) {
    if (std::string(each.array) == "out") ++named;
    if (std::string(each.array).empty()) ++unnamed;
  }
  CHECK(named == 1);
  CHECK(unnamed == 1);  // after the loop the register holds either address
}

TEST_CASE("amdgcn: what a lane writes before it leaves a loop stays in its register") {
  // v5 is 0, and in lanes that enter the loop 128 * lane. Even lanes leave the loop one round before odd lanes.
  std::string const loop =
      "v_mov_b32 v5, 0\nv_and_b32 v6, 1, v0\nv_add_u32 v6, 1, v6\n" + half +
      ".LBB0_1:\nv_lshlrev_b32 v5, 7, v0\nv_subrev_u32 v6, 1, v6\nv_cmp_ne_u32_e32 vcc, 0, v6\n"
      "s_and_b64 exec, exec, vcc\ns_cbranch_execz .LBB0_2\ns_branch .LBB0_1\n.LBB0_2:\ns_mov_b64 exec, s[8:9]\n";
  auto const after = run(start + loop + "global_store_dword v5, v1, s[4:5]\n");
  CHECK(after.unknown.empty());
  auto const every = run(start + "v_lshlrev_b32 v5, 7, v0\nglobal_store_dword v5, v1, s[4:5]\n");
  CHECK(after.sites.stores("out").at_most);
  CHECK(after.sites.stores("out").transactions >= every.sites.stores("out").transactions);
  // The same by v_cmpx, which narrows the mask itself. Some of the lanes that wrote v5 write it again.
  auto const twice = run(start + "global_load_dword v7, v1, s[6:7] offset:256\nv_mov_b32 v5, 0\n" + half +
                         "v_lshlrev_b32 v5, 7, v0\nv_cmpx_eq_u32_e64 s[12:13], 0, v7\nv_mov_b32 v5, 0\n"
                         "s_mov_b64 exec, s[8:9]\nglobal_store_dword v5, v1, s[4:5]\n");
  CHECK(twice.unknown.empty());
  CHECK(twice.sites.stores("out").transactions >= every.sites.stores("out").transactions);
}
