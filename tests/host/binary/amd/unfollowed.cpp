// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

#include <cstdint>
#include <string>
#include <vector>
#include "host/binary/amd/refusal.hpp"
#include "machinery/check.hpp"

// AMD's binaries (host/binary/amd.hpp), where not everything is followed: waves that end before their kernel does,
// registers that an opcode does not name, accesses that have no cost, and launches that the kernel is not made for.

namespace co = coalescing;
using co::binary_argument, co::binary_launch, co::memory_space;
using co::cdna::gfx942;
using co::rdna::gfx1100;

namespace {

std::string kernel(std::string const& body, std::string const& more = "") {
  return "k:\n" + body + "\ts_endpgm\n.Lfunc_end0:\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 24\n" +
         "\t.amdhsa_group_segment_fixed_size 1024\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         "\t.amdhsa_system_sgpr_workgroup_id_x 1\n" +
         more + ".end_amdhsa_kernel\n";
}
/// in: zeros where `known`; out: 64 KiB with zeros; flags: no contents.
binary_launch launch_of(unsigned threads, bool known = false) {
  binary_launch launch;
  launch.block = {threads};
  launch.arguments = {known ? binary_argument::buffer(1 << 14, std::vector<unsigned char>(1 << 14), "in")
                            : binary_argument::buffer(1 << 14, {}, "in"),
                      binary_argument::buffer(1 << 16, std::vector<unsigned char>(1 << 16), "out"),
                      binary_argument::buffer(256, {}, "flags")};
  return launch;
}
co::binary_answer run(std::string const& body, unsigned threads = 128, bool known = false) {
  return co::amdgcn::record<gfx942>(kernel(body), launch_of(threads, known));
}
co::binary_answer run_32(std::string const& body, unsigned threads = 32) {
  return co::amdgcn::record<gfx1100>(kernel(body, "\t.amdhsa_wavefront_size32 1\n"), launch_of(threads));
}
using coalescing_tests::binaries::has, coalescing_tests::binaries::refusal;
std::uint64_t known_bytes(co::binary_answer const& answer, std::size_t buffer) {
  std::uint64_t count = 0;
  auto const& bytes = answer.buffers[buffer].bytes;
  for (std::uint64_t k = 0; k != bytes.size(); ++k) count += bytes.final_byte(k) >= 0 ? 1u : 0u;
  return count;
}

/// s[4:5] in, s[6:7] out, s[8:9] flags; v1 is 128 bytes a lane, one bank; v2 4 bytes.
std::string const start =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[8:9], s[0:1], 0x10\ns_waitcnt lgkmcnt(0)\n"
    "v_lshlrev_b32_e32 v1, 3, v0\nv_lshlrev_b32_e32 v2, 2, v0\n";
/// The second wave alone tests loaded data, and changes v1 or not.
std::string const second_wave_tests =
    "v_readfirstlane_b32 s10, v0\ns_cmp_eq_u32 s10, 0\ns_cbranch_scc1 .LBB0_1\n"
    "s_load_dword s11, s[8:9], 0x0\ns_waitcnt lgkmcnt(0)\ns_cmp_eq_u32 s11, 0\ns_cbranch_scc1 .LBB0_1\n"
    "v_mov_b32 v1, 0\n.LBB0_1:\n";
/// The second wave alone waits where it is not followed.
std::string const second_wave_ends =
    "v_readfirstlane_b32 s10, v0\ns_cmp_eq_u32 s10, 0\ns_cbranch_scc1 .LBB0_1\ns_barrier_wait 3\n.LBB0_1:\n";

}  // namespace

TEST_CASE("amdgcn: a wave that ends where another one goes on is listed") {
  auto const answer = run(start + second_wave_ends + "ds_write_b32 v1, v0\n");
  // The first wave's 64 lanes at 8 bytes each: the halves have 2 rounds each. The second wave is not in the numbers.
  CHECK(answer.sites.stores(memory_space::shared).issued == 1);
  REQUIRE(answer.unknown.size() == 1);
  CHECK(answer.unknown[0].at.opcode == "s_barrier_wait");
  CHECK(answer.unknown[0].at.line == 10);
  CHECK(answer.unknown[0].issued == 1);
  std::string const why =
      "waves end here: s_barrier_wait waits at another barrier than the block's, which is not followed";
  CHECK(answer.unknown[0].why == why);
  CHECK(has(co::json(answer), why));
  // Three waves of four end there.
  auto const more =
      co::amdgcn::record<gfx942>(kernel(start + second_wave_ends + "ds_write_b32 v2, v0\n"), launch_of(256));
  REQUIRE(more.unknown.size() == 1);
  CHECK(more.unknown[0].issued == 3);
}

TEST_CASE("amdgcn: a branch on data of one wave") {
  auto const followed = run(start + second_wave_tests + "ds_write_b32 v2, v0\n");
  CHECK(followed.unknown.empty());
  CHECK(followed.sites.stores(memory_space::shared).issued == 2);
  CHECK_FALSE(followed.sites.stores(memory_space::shared).at_most);
  // The second wave's addresses: v1 is 0 on one way.
  auto const steered = run(start + second_wave_tests + "ds_write_b32 v1, v0\n");
  CHECK(steered.unknown.empty());
  CHECK(steered.sites.stores(memory_space::shared).issued == 2);
  CHECK(steered.sites.stores(memory_space::shared).at_most);
  // The control: the flags have contents.
  auto launch = launch_of(128);
  launch.arguments[2] = binary_argument::buffer(256, std::vector<unsigned char>(256), "flags");
  auto const known = co::amdgcn::record<gfx942>(kernel(start + second_wave_tests + "ds_write_b32 v1, v0\n"), launch);
  CHECK(known.unknown.empty());
  CHECK_FALSE(known.sites.stores(memory_space::shared).at_most);
}

TEST_CASE("amdgcn: whatever ends a wave early is listed with its cause") {
  struct ending {
    char const* text;
    char const* why;
  };
  for (ending const& each : {
           ending{"s_setpc_b64 s[8:9]\n", "s_setpc_b64 goes on at an address in a register, which is not followed"},
           ending{"s_swappc_b64 s[30:31], s[8:9]\n", "s_swappc_b64 calls a function at an address in a register"},
           ending{"s_call_b64 s[30:31], 4\n", "s_call_b64 calls a function"},
           ending{"s_branch .LBB0_9\n", "the branch leads out of the kernel's text"},
           ending{"s_cbranch_cdbgsys .LBB0_1\n", "branches as a debugger says"},
           ending{"s_trap 2\n", "s_trap goes on in the trap handler"},
           ending{"s_sethalt 1\n", "halts the wave"},
           ending{"s_sendmsghalt sendmsg(MSG_INTERRUPT)\n", "s_sendmsghalt halts the wave"},
           ending{"s_setvskip 1, 0\n", "may skip vector instructions"},
           ending{"s_barrier_wait 3\n", "waits at another barrier than the block's"},
       }) {
    INFO(std::string(each.text));
    // The first wave leaves; the second one stores.
    auto const answer = run(start + "v_readfirstlane_b32 s10, v0\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 .LBB0_1\n" +
                            each.text + ".LBB0_1:\nglobal_store_dword v2, v0, s[6:7]\n");
    REQUIRE(answer.unknown.size() == 1);
    CHECK(has(answer.unknown[0].why, std::string("waves end here: ")));
    CHECK(has(answer.unknown[0].why, each.why));
    CHECK(answer.unknown[0].at.line == 10);
    CHECK(answer.unknown[0].issued == 1);
    CHECK(answer.sites.stores("out").issued == 1);
  }
  CHECK(run(start + "s_barrier_wait -1\ns_barrier_wait 0xffff\n").unknown.empty());  // the block's
}

TEST_CASE("amdgcn: what a wave that ended would have stored is unknown") {
  std::string const store = "global_store_dword v2, v0, s[6:7]\n";
  // A store after its end: nothing of `out` is known any more, whenever it is written.
  CHECK(known_bytes(run(start + store + second_wave_ends + store), 1) == 0);
  CHECK(known_bytes(run(start + second_wave_ends + store), 1) == 0);
  // No store after it: all words that were written stay known, and so do the others.
  CHECK(known_bytes(run(start + store + second_wave_ends), 1) == 1 << 16);
  // A loop back to the store counts, and an atomic does; a load does not, nor does a store to LDS.
  CHECK(known_bytes(run(start + ".LBB0_7:\n" + store + second_wave_ends + "s_cbranch_scc0 .LBB0_7\n"), 1) == 0);
  CHECK(known_bytes(run(start + store + second_wave_ends + "global_atomic_add v2, v0, s[4:5]\n"), 1) == 0);
  CHECK(known_bytes(run(start + store + second_wave_ends + "global_load_dword v3, v2, s[4:5]\n"), 1) == 1 << 16);
  CHECK(known_bytes(run(start + store + second_wave_ends + "ds_write_b32 v2, v0\n"), 1) == 1 << 16);
  CHECK(known_bytes(run(start + store + "s_setpc_b64 s[8:9]\n"), 1) == 0);
  // Addresses that go through LDS after its end depend on data: the other wave may have written there.
  std::string const through_lds =
      "ds_write_b32 v2, v2\ns_barrier\nds_read_b32 v3, v2\ns_barrier\nglobal_store_dword v3, v0, s[6:7]\n";
  auto const lost = run(start + second_wave_ends + through_lds);
  CHECK(lost.sites.stores("out").at_most);
  CHECK(lost.unknown.size() == 1);
  CHECK(run(start + through_lds).sites.stores("out").issued == 2);  // the control
}

TEST_CASE("amdgcn: registers that M0 names") {
  // v[4:7] are 0; one of them becomes 128 bytes a lane. Loads by v6: 64 lanes at one word, or 128 bytes apart.
  std::string const zeros =
      "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_lshlrev_b32 v1, 7, v0\n"
      "s_load_b64 s[4:5], s[0:1], 0x0\n";
  std::string const load = "global_load_b32 v3, v6, s[4:5]\n";
  auto const transactions = [&](std::string const& body) {
    auto const answer = run_32(zeros + body + load);
    CHECK(answer.unknown.empty());
    return answer.sites.loads("in").transactions;
  };
  CHECK(transactions("s_mov_b32 m0, 1\nv_movreld_b32_e32 v4, v1\n") == 1);
  CHECK(transactions("s_mov_b32 m0, 2\nv_movreld_b32_e32 v4, v1\n") == 32);
  CHECK(transactions("s_mov_b32 m0, 3\nv_movreld_b32_e32 v4, v1\n") == 1);
  CHECK(transactions("v_mov_b32 v5, v1\ns_mov_b32 m0, 1\nv_movrels_b32_e32 v6, v4\n") == 32);
  CHECK(transactions("v_mov_b32 v5, v1\ns_mov_b32 m0, 3\nv_movrels_b32_e32 v6, v4\n") == 1);
  CHECK(transactions("v_mov_b32 v5, v1\ns_mov_b32 m0, 1\nv_movrelsd_b32_e32 v5, v4\n") == 32);          // v6 = v5
  CHECK(transactions("v_mov_b32 v7, v1\ns_mov_b32 m0, 0x20003\nv_movrelsd_2_b32_e32 v4, v4\n") == 32);  // v6 = v7
  CHECK(transactions("v_mov_b32 v7, v1\ns_mov_b32 m0, 0x30002\nv_movrelsd_2_b32_e32 v4, v4\n") == 1);   // v7 = v6
  CHECK(transactions("v_mov_b32 v7, v1\ns_mov_b32 m0, 0x20003\nv_swaprel_b32_e32 v4, v4\n") == 32);
  CHECK(transactions("v_mov_b32 v6, v1\ns_mov_b32 m0, 0x20003\nv_swaprel_b32_e32 v4, v4\n") == 1);
  CHECK(transactions("v_mov_b32 v7, v1\nv_swap_b16 v6.l, v7.l\n") == 32);  // 31 * 128 fits the low half
  CHECK(transactions("v_mov_b32 v7, v1\nv_swap_b16 v6.h, v7.h\n") == 1);
  // A scalar one: s12 is 0 or 4, which a scalar load adds to its address.
  auto const scalar = [&](std::string const& index) {
    return run_32("s_load_b64 s[4:5], s[0:1], 0x0\ns_mov_b32 s12, 0x40\ns_mov_b32 s13, 60\ns_mov_b32 m0, " + index +
                  "\ns_movrels_b32 s14, s12\ns_load_b64 s[16:17], s[4:5], s14\n")
        .sites.loads("in")
        .transactions;
  };
  CHECK(scalar("0") == 1);
  CHECK(scalar("1") == 2);  // 8 bytes from byte 60 on: two lines of 64
  // An index that is data: any register may have been written, and none of the vector ones is known.
  auto const lost = run_32(zeros + "s_load_b64 s[8:9], s[0:1], 0x10\ns_load_b32 s10, s[8:9], 0x0\ns_mov_b32 m0, s10\n" +
                           "v_movreld_b32_e32 v4, v1\n" + load);
  CHECK(lost.unknown.empty());
  CHECK(lost.sites.loads("in").at_most);
  CHECK(lost.sites.loads("in").transactions == 32);
  CHECK(has(refusal([&] { run_32("s_mov_b32 m0, 0x300\nv_movreld_b32_e32 v4, v1\n"); }), "there is none"));
}

TEST_CASE("amdgcn: v_mov_b32 after s_set_gpr_idx_on") {
  std::string const zeros =
      start + "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_lshlrev_b32_e32 v1, 7, v0\ns_mov_b32 s12, 2\n";
  std::string const load = "global_load_dword v3, v6, s[4:5]\n";
  auto const transactions = [&](std::string const& body) {
    auto const answer = run(zeros + body + load, 64);
    CHECK(answer.unknown.empty());
    return answer.sites.loads("in").transactions;
  };
  CHECK(transactions("s_set_gpr_idx_on s12, gpr_idx(DST)\nv_mov_b32_e32 v4, v1\ns_set_gpr_idx_off\n") == 64);
  CHECK(transactions("s_set_gpr_idx_on s12, gpr_idx(SRC0)\nv_mov_b32_e32 v4, v1\ns_set_gpr_idx_off\n") == 1);
  CHECK(transactions("v_mov_b32 v3, v1\ns_set_gpr_idx_on s12, gpr_idx(SRC0)\nv_mov_b32_e32 v6, v1\n"
                     "s_set_gpr_idx_off\n") == 64);  // v3
  CHECK(transactions("s_set_gpr_idx_on s12, 0x8\ns_set_gpr_idx_idx 1\nv_mov_b32_e32 v4, v1\ns_set_gpr_idx_off\n") == 1);
  CHECK(transactions("s_set_gpr_idx_on s12, 0x1\ns_set_gpr_idx_mode 0x8\nv_mov_b32_e32 v4, v1\ns_set_gpr_idx_off\n") ==
        64);
  CHECK(has(refusal([&] { run(zeros + "s_set_gpr_idx_on s12, gpr_idx(DST)\nv_add_u32_e32 v4, v1, v1\n"); }),
            "v_add_u32_e32 after s_set_gpr_idx_on uses other registers than it names"));
  CHECK(has(refusal([&] { run(zeros + "s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0\n"); }), "may turn on a mode"));
  CHECK(transactions("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n") == 1);
}

TEST_CASE("amdgcn: what an opcode writes beside its first operand, and forms that are not followed") {
  std::string const load = "global_load_dword v3, v2, s[4:5]\n";
  // A register that nothing may write keeps its value; these do write.
  for (char const* const each :
       {"s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_DOORBELL)\n", "v_cmpx_class_f32_e64 s[4:5], v1, v1\n"})
    CHECK(run(start + each + load).sites.total().at_most);
  CHECK_FALSE(run(start + load).sites.total().at_most);
  CHECK(has(refusal([&] { run(start + "s_frob_b32 s4, s5\n" + load); }), "is not in the tables"));
  auto const scaled = run(start + "v_div_scale_f32 v3, s[4:5], v1, v1, v1\n" + load);
  CHECK(scaled.unknown.empty());
  REQUIRE(scaled.sites.size() == 1);
  CHECK(scaled.sites[0].at_most);
  // `null` counts as two registers, and EXEC comes after it: nothing of EXEC is lost.
  auto const kept = run_32(
      "s_load_b64 s[4:5], s[0:1], 0x0\nv_mov_b32 v2, 0\nv_div_scale_f32 v3, null, v1, v1, v1\n"
      "global_load_b32 v3, v2, s[4:5]\n");
  CHECK(kept.unknown.empty());
  CHECK(kept.sites.loads("in").transactions == 1);
  auto const is_first =
      run(start + "s_cmp_eq_u32 0, 0\ns_barrier_signal_isfirst -1\ns_cbranch_scc1 .LBB0_1\n" + load + ".LBB0_1:\n");
  REQUIRE(is_first.assumed.size() == 1);
  CHECK(has(is_first.assumed[0], "s_barrier_signal_isfirst"));
  // A scalar source is not written.
  CHECK(run_32("s_load_b64 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v2, 2, v0\nv_max_f32_e32 v1, s4, v1\n"
               "global_load_b32 v3, v2, s[4:5]\n")
            .sites.loads("in")
            .issued == 1);
  // "null" keeps nothing: s0 stays the pointer to the arguments.
  CHECK(run_32("s_add_u32 null, s2, s2\ns_load_b64 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v2, 2, v0\n"
               "global_load_b32 v3, v2, s[4:5]\n")
            .sites.loads("in")
            .issued == 1);
  // A select whose first choice is negated: the sign bit makes the address.
  CHECK(has(refusal([&] { run(start + "s_mov_b64 vcc, 0\nv_cndmask_b32_e64 v2, -v2, v2, vcc\n" + load); }),
            "at byte 2147483648 of in"));
  // DPP8: eight lanes read one of them. A word that is not understood makes the result unknown.
  CHECK(run_32("s_load_b64 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v2, 2, v0\n"
               "v_mov_b32_dpp v2, v2 dpp8:[0,0,0,0,0,0,0,0]\nglobal_load_b32 v3, v2, s[4:5]\n")
            .sites.loads("in")
            .bytes_used == 4 * 4);
  CHECK(has(refusal([&] { run(start + "v_mov_b32_dpp v2, v2 row_frob:1 row_mask:0xf bank_mask:0xf\n" + load); }),
            "v_mov_b32_dpp (or a form of it) is not in the tables"));
}

TEST_CASE("amdgcn: an access that the tables lack is listed, and never passed over") {
  for (char const* const each :
       {"s_store_dword s2, s[6:7], 0x0\n", "s_buffer_store_dword s2, s[4:7], 0x0\n", "s_atomic_add s2, s[6:7], 0x0\n",
        "s_scratch_store_dword s2, s[6:7], 0x0\n", "lds_direct_load v3\n", "ds_append v3\n",
        "ds_wrxchg2_rtn_b32 v[4:5], v2, v0, v0 offset1:1\n", "buffer_load_dword v[4:5], v2, s[4:7], 0 offen tfe\n",
        "image_store v0, v2, s[4:11]\n"}) {
    INFO(std::string(each));
    auto const answer = run(start + each, 64);
    REQUIRE(answer.unknown.size() == 1);
    CHECK(answer.unknown[0].issued == 1);
    CHECK(answer.passed_over == 0);
    CHECK(answer.sites.size() == 0);
  }
  // What such a store leaves is unknown; a load leaves memory as it is.
  CHECK(known_bytes(run(start + "s_store_dword s2, s[6:7], 0x0\n"), 1) == 0);
  CHECK(known_bytes(run(start + "image_store v0, v2, s[4:11]\n"), 1) == 0);
  CHECK(known_bytes(run(start + "image_load v3, v2, s[4:11]\n"), 1) == 1 << 16);
}

TEST_CASE("amdgcn: a vector instruction that reads LDS at the address in M0 is listed") {
  auto const with = [](std::string const& source) {
    return co::amdgcn::record<co::rdna::gfx1030>(
        kernel("s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_mov_b32 m0, 0x40000\nv_lshlrev_b32_e32 v2, 2, v0\n" + source +
                   "global_load_dword v3, v2, s[4:5]\n",
               "\t.amdhsa_wavefront_size32 1\n"),
        launch_of(32));
  };
  auto const answer = with("v_mov_b32_e32 v1, src_lds_direct\n");
  REQUIRE(answer.unknown.size() == 1);
  CHECK(answer.unknown[0].at.opcode == "v_mov_b32_e32");
  CHECK(answer.unknown[0].why == "a read of LDS at the address in M0: not followed");
  CHECK_FALSE(answer.sites.loads("in").at_most);
  // The instruction's result is unknown: a register, or the mask of the lanes that are on.
  for (char const* const each : {"v_mov_b32_e32 v2, src_lds_direct\n", "v_cmpx_eq_u32_e32 src_lds_direct, v1\n"}) {
    bool const is_refused = !refusal([&] { with(each); }).empty();
    CHECK(is_refused);
  }
  CHECK(with("v_mov_b32_e32 v1, v0\n").unknown.empty());  // the control
}

TEST_CASE("amdgcn: LDS has the bytes of the kernel and of the launch") {
  auto const reads = [](std::string const& address, std::uint64_t dynamic) {
    auto launch = launch_of(64);
    launch.dynamic_shared = dynamic;
    return refusal([&] {
      static_cast<void>(
          co::amdgcn::record<gfx942>(kernel("v_mov_b32 v1, " + address + "\nds_read_b32 v2, v1\n"), launch));
    });
  };
  CHECK(reads("0x3fc", 0).empty());
  CHECK(has(reads("0x400", 0), "lane 0 accesses byte 1024 of LDS, which has 1024"));
  CHECK(reads("0x400", 512).empty());
  CHECK(reads("0x5fc", 512).empty());
  CHECK(has(reads("0x600", 512), "accesses byte 1536 of LDS, which has 1536"));
  CHECK(reads("0", 63 << 10).empty());
  CHECK(
      has(reads("0", (63 << 10) + 1), "1024 bytes of LDS and 64513 dynamic ones, and a work-group has at most 65536"));
}

TEST_CASE("amdgcn: a launch that the kernel is not compiled for") {
  std::string const metadata =
      "\t.amdgpu_metadata\n---\namdhsa.kernels:\n"
      "  - .args:\n      - .address_space:  global\n        .name:           k.coerce\n        .offset:         0\n"
      "    .max_flat_workgroup_size: 64\n    .name:           other\n    .reqd_workgroup_size:\n      - 8\n      - 8\n"
      "      - 1\n"
      "  - .args:\n      - .name:           other\n    .max_flat_workgroup_size: 256\n    .name:           k\n"
      "    .symbol:         k.kd\n"
      "  - .max_flat_workgroup_size: 32\n    .name:           'third'\n"
      "amdhsa.target:   amdgcn-amd-amdhsa--gfx942\n...\n\t.end_amdgpu_metadata\n";
  auto const asked = [&](std::string const& text, co::block block) {
    auto launch = launch_of(64);
    launch.block = block, launch.kernel = "k";
    return refusal([&] { static_cast<void>(co::amdgcn::record<gfx942>(text, launch)); });
  };
  CHECK(asked(kernel("") + metadata, {256}).empty());
  CHECK(asked(kernel("") + metadata, {16, 16}).empty());
  CHECK(asked(kernel("") + metadata, {257}) ==
        "the kernel is compiled for work-groups of at most 256 work-items (.max_flat_workgroup_size), and the launch "
        "has 257");
  CHECK(has(asked(metadata + kernel(""), {512}), "at most 256 work-items"));  // as `llvm-readelf --notes` before it
  // Without metadata, and with another kernel's alone, the answer says that the block is taken as it is.
  auto const unchecked = [&](std::string const& text) {
    auto launch = launch_of(64);
    launch.block = {512}, launch.kernel = "k";
    return co::amdgcn::record<gfx942>(text, launch).unchecked;
  };
  CHECK(has(unchecked(kernel("")), "the text has no metadata, which states the kernel's work-groups"));
  std::string others = metadata;
  others.replace(others.find(".name:           k\n"), 18, ".name:           q\n");
  CHECK(has(unchecked(kernel("") + others), "no metadata"));
  std::string larger = metadata;
  larger.replace(larger.find("256"), 3, "512");
  CHECK(unchecked(kernel("") + larger).empty());
  std::string exact = metadata;
  exact.replace(exact.find("    .symbol:"), 0, "    .reqd_workgroup_size:\n      - 16\n      - 4\n      - 1\n");
  CHECK(asked(kernel("") + exact, {16, 4}).empty());
  CHECK(
      asked(kernel("") + exact, {64}) ==
      "the kernel is compiled for work-groups of 16 by 4 by 1 (.reqd_workgroup_size), and the launch has 64 by 1 by 1");
}

TEST_CASE("amdgcn: a launch gives the arguments that the kernel takes") {
  // few(int* out, int stride, int off): the stride in bytes is the argument at 8.
  auto const few = [](std::string const& bytes, std::vector<binary_argument> given, std::string const& notes = "") {
    binary_launch launch;
    launch.block = {64};
    launch.grid = {4};
    launch.arguments = std::move(given);
    return co::amdgcn::record<gfx942>(
        "few:\ns_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s6, s[0:1], 0x8\nv_mul_u32_u24_e32 v1, s6, v0\n"
        "global_store_dword v1, v0, s[4:5]\ns_endpgm\n.amdhsa_kernel few\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n" +
            bytes + ".end_amdhsa_kernel\n" + notes,
        launch);
  };
  auto const buffer = binary_argument::buffer(1 << 14);
  auto const four = binary_argument::u32(128), none = binary_argument::u32(0);
  std::string const bytes = ".amdhsa_kernarg_size 16\n";
  CHECK(few(bytes, {buffer, four, none}).sites.stores("arg0").transactions == 64);
  CHECK(has(refusal([&] { few(bytes, {buffer}); }), "takes 16 bytes of arguments, and 8 are given"));
  CHECK(has(refusal([&] { few(bytes, {buffer, four}); }), "takes 16 bytes of arguments, and 12 are given"));
  CHECK(has(refusal([&] { few(bytes, {buffer, four, none, none}); }), "16 bytes of arguments, and 20 are given"));
  CHECK(has(refusal([&] { few(".amdhsa_kernarg_size 0\n", {buffer}); }), "0 bytes of arguments, and 8 are given"));
  // A size that is not stated: the bytes at 8 are unknown, and not the number of work-groups.
  CHECK(few("", {buffer}).sites.stores("arg0").at_most);
  // k(int* out) with hidden arguments: 8 + 256 bytes in V5, whose first is the number of work-groups: 64 lanes 4 bytes
  // apart touch 4 pieces of 64. 8 + 56 bytes in V4, whose first is an offset.
  CHECK(few(".amdhsa_kernarg_size 264\n", {buffer}).sites.stores("arg0").transactions == 4);
  CHECK(has(refusal([&] { few(".amdhsa_kernarg_size 64\n", {buffer}); }), "for another version append the output"));
  auto const notes = [](std::string const& at_8) {
    return "amdhsa.kernels:\n  - .args:\n      - .address_space:  global\n        .offset:         0\n"
           "        .size:           8\n        .value_kind:     global_buffer\n      - .offset:         8\n" +
           at_8 + "    .name:           few\n    .max_flat_workgroup_size: 1024\n    .symbol: few.kd\n";
  };
  std::string const number = notes("        .size: 4\n        .value_kind: by_value\n"),
                    offset = notes("        .size: 8\n        .value_kind: hidden_global_offset_x\n"),
                    printing = notes("        .size: 8\n        .value_kind: hidden_printf_buffer\n");
  std::string const large = ".amdhsa_kernarg_size 64\n";
  CHECK(few(large, {buffer}, offset).sites.stores("arg0").transactions == 1);  // all lanes at byte 0
  CHECK_FALSE(few(large, {buffer}, offset).sites.stores("arg0").at_most);
  CHECK(few(large, {buffer}, printing).sites.stores("arg0").at_most);
  CHECK(few(bytes, {buffer, four}, number).sites.stores("arg0").transactions == 64);
  CHECK(refusal([&] { few(bytes, {buffer}, number); }) ==
        "the kernel takes these bytes of arguments: 8 at 0, 4 at 8 (.args); and the launch gives 8 at 0");
  CHECK(has(refusal([&] { few(bytes, {buffer, four, none}, number); }), "gives 8 at 0, 4 at 8, 4 at 12"));
  CHECK(has(refusal([&] { few(bytes, {buffer, binary_argument::u64(1)}, number); }), "gives 8 at 0, 8 at 8"));
  CHECK(has(refusal([&] {
              few(large, {buffer, four}, offset);
            }),
            "8 at 0 (.args); and the launch gives 8 at 0, 4 at 8"));
}

TEST_CASE("amdgcn: an access whose operands are not registers and numbers is refused") {
  struct wrong {
    char const* text;
    char const* word;
  };
  for (wrong const& each : {
           wrong{"s_load_dwordx2 s[4:5], s[0:1], A\n", "A"},
           wrong{"s_load_dwordx2 s[4:5], s[0:1], 4*2\n", "4*2"},
           wrong{"s_load_dwordx2 s[4:5], s[0:1], 4 * 2\n", "*"},
           wrong{"s_load_dword s8, s[4:5], s9 offset:A\n", "offset:A"},
           wrong{"ds_write_b32 v2, v0 offset:A+4\n", "offset:A+4"},
           wrong{"ds_write_b32 v2, v0 offset:64*2\n", "offset:64*2"},
           wrong{"ds_read2_b32 v[4:5], v2 offset0:1 offset1:B\n", "offset1:B"},
           wrong{"ds_bpermute_b32 v4, v2, v0 offset:A\n", "offset:A"},
           wrong{"global_load_dword v3, v2, s[4:5] offset:-4*2\n", "offset:-4*2"},
           wrong{"global_load_dword v3, v2, base\n", "base"},
           wrong{"global_load_dword v3, v2, s[4:5] frob\n", "frob"},
           wrong{"buffer_load_dword v3, v2, s[4:7], A offen offset:16\n", "A"},
       }) {
    INFO(std::string(each.text));
    CHECK(refusal([&] { run(start + each.text); }) ==
          "line 7: " + std::string(each.text).substr(0, std::string(each.text).find(' ')) + " has the operand " +
              each.word + ", which is not a register or a number");
  }
  // The control: registers, numbers and the modifiers of caches.
  CHECK(refusal([&] {
          run(start +
              "s_load_dword s8, s[4:5], 0x4 glc\ns_mov_b32 s9, 0\ns_load_dword s8, s[4:5], s9 offset:0x4\n"
              "ds_write_b32 v2, v0 offset:0x10\nds_swizzle_b32 v3, v2 offset:swizzle(SWAP,1)\n"
              "global_load_dword v3, v2, s[4:5] offset:4 sc0 nt sc1\n"
              "global_store_dword v[4:5], v2, off th:TH_STORE_NT scope:SCOPE_SYS\n");
        }).empty());
}

TEST_CASE("amdgcn: the global data share is not LDS") {
  for (char const* const each : {"ds_write_b32 v1, v0 gds\n", "ds_read_b32 v3, v1 gds\n", "ds_add_u32 v1, v0 gds\n"}) {
    INFO(std::string(each));
    auto const answer = run(start + each, 64);
    REQUIRE(answer.unknown.size() == 1);
    CHECK(answer.unknown[0].why == "global data share: this library has no rule for it");
    CHECK(answer.unknown[0].issued == 1);
    CHECK(answer.sites.size() == 0);
  }
  CHECK(run(start + "ds_write_b32 v1, v0\n", 64).unknown.empty());  // the control
}

TEST_CASE("amdgcn: two kernels of one name are refused") {
  auto const asked = [](std::string const& text) {
    auto launch = launch_of(64);
    launch.kernel = "k";
    return refusal([&] { static_cast<void>(co::amdgcn::record<gfx942>(text, launch)); });
  };
  std::string const one = kernel("s_nop 0\n"), code = one.substr(0, one.find(".amdhsa_kernel"));
  std::string const words = "the text has two kernels of the name k: give the text of one";
  CHECK(asked(one + one) == words);
  CHECK(asked(one + one.substr(code.size())) == words);
  CHECK(asked(one + code) == "line 11: " + words);
  std::string other = one;
  other.replace(0, 2, "q:"), other.replace(other.find("_kernel k") + 8, 1, "q");
  CHECK(asked(one + other).empty());  // the control
  CHECK(asked(one + other + other).empty());
}

TEST_CASE("amdgcn: the work-group's number stands after as many registers as the descriptor counts") {
  auto const stores = [](char const* of_block, std::string const& more) {
    auto launch = launch_of(64);
    launch.grid = {2}, launch.blocks = {{1, 0, 0}};
    return co::amdgcn::record<gfx942>(
               kernel("s_load_dwordx2 s[6:7], s[0:1], 0x8\ns_lshl_b32 s5, " + std::string(of_block) +
                          ", 8\nv_lshlrev_b32_e32 v2, 2, v0\nv_add_u32_e32 v2, s5, v2\n"
                          "global_store_dword v2, v0, s[6:7]\n",
                      more),
               launch)
        .sites.stores("out");
  };
  CHECK_FALSE(stores("s4", ".amdhsa_user_sgpr_count 4\n").at_most);
  CHECK_FALSE(stores("s2", ".amdhsa_user_sgpr_count 2\n").at_most);
  CHECK_FALSE(stores("s2", "").at_most);
  CHECK(stores("s4", "").at_most);  // nothing wrote s4
}

TEST_CASE("amdgcn: RDNA's waves have 32 lanes where the descriptor does not say") {
  auto const asked = [](char const* machine, std::string const& more) {
    return refusal([&] { static_cast<void>(co::amdgcn::record(machine, kernel("s_nop 0\n", more), launch_of(64))); });
  };
  std::string const large = ".amdhsa_wavefront_size32 0\n";
  for (char const* const machine : {"gfx1030", "gfx1100", "gfx1201"}) {
    INFO(std::string(machine));
    CHECK(asked(machine, "").empty());
    CHECK(has(asked(machine, large), "the kernel's waves have 64 lanes"));
    CHECK(has(asked((std::string(machine) + "::wave64").c_str(), ""), "the kernel's waves have 32 lanes"));
    CHECK(asked((std::string(machine) + "::wave64").c_str(), large).empty());
  }
  CHECK(asked("gfx942", "").empty());
}

TEST_CASE("amdgcn: the descriptor may round results otherwise") {
  auto const is_bound = [](std::string const& more) {
    return co::amdgcn::record<gfx942>(
               kernel(start + "v_cvt_f32_u32_e32 v3, v2\nv_cvt_u32_f32_e32 v3, v3\nglobal_store_dword v3, v0, s[6:7]\n",
                      more),
               launch_of(64))
        .sites.stores("out")
        .at_most;
  };
  CHECK_FALSE(is_bound(".amdhsa_float_round_mode_32 0\n.amdhsa_float_round_mode_16_64 0\n"));
  CHECK(is_bound(".amdhsa_float_round_mode_32 1\n"));
  CHECK(is_bound(".amdhsa_float_round_mode_16_64 3\n"));
}

TEST_CASE("amdgcn: a kernel whose name begins as a local label does") {
  auto const named = [](std::string const& name) {
    std::string text = kernel(start + "ds_write_b32 v1, v0\n");
    text.replace(0, 2, name + ":"), text.replace(text.find("_kernel k") + 8, 1, name);
    return text;
  };
  auto const asked = [](std::string const& text, std::string const& name) {
    auto launch = launch_of(64);
    launch.kernel = name;
    return co::amdgcn::record<gfx942>(text, launch).sites.size();
  };
  CHECK(asked(named("Laplace"), "Laplace") == 1);
  CHECK(asked(named("LBB0_1"), "LBB0_1") == 1);
  // The next kernel's code is not the first one's, which lacks its end; a local label's is.
  std::string const descriptor = kernel("").substr(kernel("").find(".amdhsa_kernel"));
  CHECK(has(refusal([&] { asked("k:\ns_nop 0\n" + named("Laplace") + descriptor, "k"); }),
            "the wave runs past the end of the text"));
  CHECK(asked("k:\ns_nop 0\nL1:\ns_endpgm\n" + descriptor, "k") == 0);
}

TEST_CASE("amdgcn: a directive that makes code is refused by its name and line") {
  for (char const* const each : {".quad 0xd81a0000", ".byte 1", ".short 1", ".rept 4", ".macro store", ".if 1",
                                 ".fill 4, 4, 0", ".include \"file\"", ".frob"}) {
    INFO(std::string(each));
    std::string const words = each, name = words.substr(0, words.find(' '));
    CHECK(has(refusal([&] { run(start + "\t" + words + "\nds_write_b32 v1, v0\n"); }),
              "line 7: the directive " + name + " is not followed"));
    CHECK(has(refusal([&] { run(start + "ds_write_b32 v1, v0\n.LBB0_1:\n\t" + words + "\n"); }), "line 9: "));
  }
  // A macro is used in a kernel, and may stand before it.
  CHECK(has(refusal([] {
              static_cast<void>(co::amdgcn::record<gfx942>(".macro store\n.endm\n" + kernel("store\n"), launch_of(64)));
            }),
            "line 1: the directive .macro is not followed"));
  // Zeros that a disassembler leaves out are refused where a wave reaches them.
  CHECK(has(refusal([] { run("...\n"); }), "line 2: the disassembler did not know this instruction"));
  CHECK(run("s_endpgm\n\t\t...\n").unknown.empty());
  // The control: a compiler's directives, and data outside kernels.
  auto const answer = co::amdgcn::record<gfx942>(
      ".byte 1\n" +
          kernel(start +
                 ".p2align 6, , 3\n.loc 1 2 3\n.cfi_startproc\n.set a, 1\n.section .text\nds_write_b32 v2, v0\n") +
          ".quad 1\n.fill 256, 4, 3212836864\n",
      launch_of(64));
  CHECK(answer.sites.size() == 1);
}

TEST_CASE("unfollowed: gfx1030 has no clocks of loads that are not naturally aligned, and goes on after them") {
  auto const ask = [](char const* load) {
    return co::amdgcn::record<co::rdna::gfx1030>(kernel(start + "v_lshlrev_b32_e32 v3, 1, v2\n" + load +
                                                            "s_waitcnt vmcnt(0)\nglobal_load_dword v6, v2, s[4:5]\n",
                                                        "\t.amdhsa_wavefront_size32 1\n"),
                                                 launch_of(32));
  };
  co::binary_answer const aligned = ask("global_load_dwordx2 v[4:5], v3, s[4:5] offset:8\n"),
                          other = ask("global_load_dwordx2 v[4:5], v3, s[4:5] offset:4\n");
  REQUIRE(aligned.sites.size() == 2);
  REQUIRE(other.sites.size() == 2);
  CHECK(aligned.sites[0].cost.is_counted);
  CHECK(!other.sites[0].cost.is_counted);
  CHECK(other.sites[0].cost.issued == 1);
  CHECK(other.sites[1].cost.is_counted);
}

TEST_CASE("unfollowed: lanes that only may take part, past the end of LDS, do not change the array") {
  // Lanes whose word of `flags` is not 0 store; the last ones would store past the end of LDS.
  auto const answer = run_32(start +
                             "global_load_dword v3, v2, s[8:9]\ns_waitcnt vmcnt(0)\nv_cmp_ne_u32 vcc_lo, 0, v3\n"
                             "s_and_saveexec_b32 s10, vcc_lo\nds_store_b32 v2, v0 offset:960\n");
  REQUIRE(answer.sites.size() == 2);
  CHECK(std::string(answer.sites[1].array) == "lds");
  CHECK(answer.sites[1].at_most);
}
