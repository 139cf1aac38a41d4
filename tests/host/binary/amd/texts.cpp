// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>
#include "host/binary/amd/refusal.hpp"
#include "machinery/check.hpp"

// AMD's binaries (host/binary/amd.hpp): hand-made texts whose costs are worked out by hand, and what is refused.
// Kernels of compilers are in tests/host/binary/amd.

namespace co = coalescing;
using co::binary_argument, co::binary_launch, co::memory_space, co::touch;
using co::cdna::gfx942, co::cdna::gfx950;

namespace {

/// A kernel of two pointers and a number: s[0:1] is the pointer to its arguments, s2 the work-group, v0 the work-item.
std::string kernel(std::string const& body) {
  return "k:\n" + body +
         "\ts_endpgm\n"
         ".Lfunc_end0:\n"
         ".amdhsa_kernel k\n"
         "\t.amdhsa_kernarg_size 20\n"
         "\t.amdhsa_group_segment_fixed_size 16384\n"
         "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         "\t.amdhsa_system_sgpr_workgroup_id_x 1\n"
         ".end_amdhsa_kernel\n";
}
binary_launch launch_of(unsigned threads, std::uint64_t extent = 1 << 20) {
  binary_launch launch;
  launch.block = {threads};
  launch.arguments = {binary_argument::buffer(extent), binary_argument::buffer(extent), binary_argument::u32(64)};
  return launch;
}
template <class Machine = gfx942>
co::binary_answer run(std::string const& body, unsigned threads = 64) {
  return co::amdgcn::record<Machine>(kernel(body), launch_of(threads));
}
using coalescing_tests::binaries::has, coalescing_tests::binaries::refusal;

std::string const pointers =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dword s8, s[0:1], 0x10\ns_waitcnt lgkmcnt(0)\n";
std::string const fours = pointers + "v_lshlrev_b32_e32 v1, 2, v0\n";  // v1: 4 bytes for each work-item

}  // namespace

TEST_CASE("amdgcn: a load and a store, costed by hand") {
  auto const answer = run(fours +
                          "global_load_dword v2, v1, s[4:5]\n"
                          "global_store_dword v1, v2, s[6:7] offset:16\n");
  // 64 lanes, 4 bytes each: 256 bytes, two lines of 128; a store at byte 16 touches 5 pieces of 64.
  CHECK(answer.sites.size() == 2);
  CHECK(answer.sites.of("arg0").issued == 1);
  CHECK(answer.sites.loads("arg0").transactions == 2);
  CHECK(answer.sites.stores("arg1").transactions == 5);
  CHECK(answer.unknown.empty());
  CHECK(answer.passed_over == 0);
  CHECK(answer.sites[0].opcode == std::string("global_load_dword"));
  CHECK(answer.sites.blocks == 1);
  // A wave of half a block: 40 lanes, 160 bytes.
  CHECK(run(fours + "global_load_dword v2, v1, s[4:5]\n", 104).sites.of("arg0").transactions == 2 + 2);
}

TEST_CASE("amdgcn: LDS, pairs of addresses, and a column") {
  auto const answer =
      run("v_lshlrev_b32_e32 v1, 7, v0\n"  // 128 bytes a lane: one bank
          "ds_write_b32 v1, v0\n"
          "v_lshlrev_b32_e32 v2, 2, v0\n"
          "ds_read2_b32 v[4:5], v2 offset0:1 offset1:9\n"
          "ds_read2st64_b32 v[4:5], v2 offset0:3 offset1:3\n");
  CHECK(answer.sites.stores(memory_space::shared).rounds == 64);  // two halves, 32 rounds each
  CHECK(answer.sites.stores(memory_space::shared).conflicts == 62);
  CHECK(answer.sites[1].cost.rounds == 4);  // two places, two halves each
  CHECK(answer.sites[2].cost.rounds == 2);  // equal places are one
  CHECK(answer.sites[1].cost.conflicts == 0);
  auto const on_950 = run<gfx950>("v_lshlrev_b32_e32 v2, 2, v0\nds_read2_b32 v[4:5], v2 offset1:9\n");
  CHECK(on_950.sites[0].cost.is_counted);
  CHECK(on_950.sites[0].cost.rounds == 4);  // two places of 32 banks, two halves each
  auto const three = run("v_lshlrev_b32_e32 v2, 4, v0\nds_write_b96 v2, v[4:6]\n");
  CHECK_FALSE(three.sites[0].cost.is_counted);  // the control: no source tells its phases
}

TEST_CASE("amdgcn: lanes that are off") {
  std::string const load = "global_load_dword v2, v1, s[4:5]\n";
  CHECK(run(fours + "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[10:11], vcc\n" + load)
            .sites.of("arg0")
            .transactions == 1);
  // No lane is on: no instruction is issued.
  CHECK(run(fours + "s_mov_b64 exec, 0\n" + load).sites.size() == 0);
  // A buffer masks lanes at the number of records: 32 of 64 lanes are within 128 bytes.
  std::string const buffer = fours + "s_mov_b32 s6, 0x80\ns_mov_b32 s7, 0x27000\n";
  CHECK(run(buffer + "buffer_load_dword v2, v1, s[4:7], 0 offen\n").sites.of("arg0").transactions == 1);
  CHECK(run(buffer + "v_mov_b32_e32 v1, 0x80000000\nbuffer_load_dword v2, v1, s[4:7], 0 offen\n").sites.size() == 0);
}

TEST_CASE("amdgcn: lanes that data mask by an offset past the buffer keep their distances") {
  // v2 is data, v3 the offset 2^31, s[8:11] the descriptor of arg1. Unmasked, 64 lanes have two lines of 128 bytes.
  auto const masked = [](std::string const& offset, std::string const& records = "0x7ffffffe", std::string more = {}) {
    return run(fours + "global_load_dword v2, v1, s[4:5]\ns_mov_b64 s[8:9], s[6:7]\ns_mov_b32 s10, " + records +
               "\ns_mov_b32 s11, 0x27000\nv_mov_b32_e32 v3, " + offset +
               "\nv_cmp_gt_i32_e32 vcc, 7, v2\nv_cndmask_b32_e32 v4, v3, v1, vcc\n" + more +
               "buffer_load_dword v5, v4, s[8:11], 0 offen offset:128\n");
  };
  auto const last = [](co::binary_answer const& answer) { return answer.sites[answer.sites.size() - 1]; };
  auto const lines = [&last](co::binary_answer const& answer) { return last(answer).cost.transactions; };
  CHECK(last(masked("0x80000000")).at_most);
  CHECK(lines(masked("0x80000000")) == 2);
  CHECK(lines(masked("0x80000000", "0x7ffffffe", "v_cndmask_b32_e32 v4, v3, v4, vcc\n")) == 2);  // two conditions
  // The controls: another offset may be in the buffer, as 2^31 is if there are more records; and a sum is not masked.
  CHECK(lines(masked("0x40000000")) == 64);
  CHECK(lines(masked("0x80000000", "0x80000001")) == 64);
  CHECK(lines(masked("0x80000000", "0x7ffffffe", "v_add_u32_e32 v4, 4, v4\n")) == 64);
}

TEST_CASE("amdgcn: disjoint bits are added") {
  auto const lines = [](std::string const& count) {
    return run(fours + "s_load_dword s8, s[6:7], 0x0\nv_mov_b32_e32 v2, s8\nv_lshl_or_b32 v2, v2, " + count +
               ", v1\nglobal_load_dword v3, v2, s[4:5]\n")
        .sites.of("arg0")
        .transactions;
  };
  CHECK(lines("8") == 2);
  CHECK(lines("7") == 1 + 32);  // in the upper 32 lanes, bit 7 may be 1 in both
}

TEST_CASE("amdgcn: a descriptor whose stride is not known") {
  auto const with = [](std::string const& last) {
    return run(fours + "s_mov_b32 s10, 0x7ffffffe\ns_mov_b32 s11, 0x27000\ns_mov_b32 s8, s6\n" + last +
               "buffer_load_dword v2, v1, s[8:11], 0 offen\n");
  };
  auto const lines = [](co::binary_answer const& answer) {
    return answer.sites[answer.sites.size() - 1].cost.transactions;
  };
  CHECK(lines(with("s_load_dword s9, s[4:5], 0x0\n")) == 64);  // any addresses
  CHECK(with("s_load_dword s9, s[4:5], 0x0\n").unknown.empty());
  // A structured buffer is not followed.
  CHECK(has(refusal([&with] { with("s_mov_b32 s9, 0x10000\n"); }), "the buffer's descriptor has a stride"));
  CHECK(lines(with("s_mov_b32 s9, s7\n")) == 2);
}

TEST_CASE("amdgcn: a product of matrices writes the registers of lanes that are off, too") {
  // Lanes 16 to 23 read LDS by v4, which is 0. Before that, an instruction of data writes v4 while these lanes are off.
  auto const read = [](std::string const& data) {
    return run("v_mov_b32_e32 v4, 0\ns_mov_b64 exec, 0xffff\n" + data +
               "s_mov_b64 exec, 0xff0000\nv_and_b32_e32 v4, 0x3ffc, v4\nds_read_b32 v8, v4\n")
        .sites.loads(memory_space::shared);
  };
  // At most 8 words of one bank in the first half, and a round of the second half.
  auto const product = read("v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v0, v[4:7]\n");
  CHECK(product.at_most);
  CHECK(product.rounds == 8 + 1);
  auto const root = read("v_sqrt_f32_e32 v4, v0\n");  // the control: it writes the lanes that are on
  CHECK_FALSE(root.at_most);
  CHECK(root.rounds == 2);
}

TEST_CASE("amdgcn: a load of half a register leaves the other half unknown on gfx9") {
  // The upper half of v4 is 128 bytes a lane: one bank.
  std::string const upper = "v_lshlrev_b32_e32 v4, 23, v0\n";
  std::string const read = "v_lshrrev_b32_e32 v5, 16, v4\nv_and_b32_e32 v5, 0x3ffc, v5\n";
  for (char const* const load : {"global_load_short_d16 v4, v1, s[4:5]\n", "ds_read_u16_d16 v4, v1\n",
                                 "global_load_ubyte_d16 v4, v1, s[4:5]\n"}) {
    auto const answer = run(fours + upper + load + read + "ds_read_b32 v8, v5\n");
    CHECK(answer.sites[answer.sites.size() - 1].at_most);
    CHECK(answer.sites[answer.sites.size() - 1].cost.rounds == 64);
  }
  // The controls: no such load; and the lower half on RDNA, where 32 lanes are in one bank.
  auto const plain = run(upper + read + "ds_read_b32 v8, v5\n");
  CHECK_FALSE(plain.sites[0].at_most);
  CHECK(plain.sites[0].cost.rounds == 64);
  std::string text = kernel("s_load_b64 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\n" + upper +
                            "global_load_d16_b16 v4, v1, s[4:5]\n" + read + "ds_load_b32 v8, v5\n");
  text.insert(text.find(".end_amdhsa"), "\t.amdhsa_wavefront_size32 1\n");
  auto const kept = co::amdgcn::record<co::rdna::gfx1100>(text, launch_of(32));
  CHECK_FALSE(kept.sites[1].at_most);
  CHECK(kept.sites[1].cost.rounds == 32);
}

TEST_CASE("amdgcn: a scalar load ignores the two lowest bits of an offset in a register") {
  // The argument at byte 16 is 64: lanes 64 bytes apart, two in a line. Byte 20 is past the arguments.
  auto const lines = [](std::string const& load) {
    auto const answer = run(pointers + load + "v_mul_lo_u32 v1, v0, s9\nglobal_load_dword v2, v1, s[4:5]\n");
    return answer.sites.total().at_most ? 0 : answer.sites.of("arg0").transactions;
  };
  CHECK(lines("s_mov_b32 s10, 2\ns_load_dword s9, s[0:1], s10 offset:0x12\n") == 32);
  CHECK(lines("s_mov_b32 s10, 7\ns_load_dword s9, s[0:1], s10 offset:0xc\n") == 32);
  CHECK(lines("s_mov_b32 s10, 4\ns_load_dword s9, s[0:1], s10 offset:0xc\n") == 32);  // the controls
  CHECK(lines("s_load_dword s9, s[0:1], 0x10\n") == 32);
}

TEST_CASE("amdgcn: a store after S_BARRIER_SIGNAL is not known to other waves after the wait") {
  // Word 0 of LDS is 0. The first wave stores 7 there, and then each lane loads at its number times 2 to that power.
  auto const read = [](std::string const& stores, std::string const& then = {}) {
    std::string text = kernel(
        "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 7\nds_store_b32 v1, v1\ns_barrier_signal -1\ns_barrier_wait -1\n"
        "s_bitcmp1_b32 ttmp8, 25\ns_cbranch_scc1 .LBB0_1\n" +
        stores + "s_branch .LBB0_2\n.LBB0_1:\ns_barrier_signal -1\n.LBB0_2:\ns_barrier_wait -1\n" + then +
        "ds_load_b32 v3, v1\nv_lshlrev_b32_e32 v3, v3, v0\nv_and_b32_e32 v3, 0x3ffc, v3\nds_load_b32 v4, v3\n");
    text.insert(text.find(".end_amdhsa"), "\t.amdhsa_wavefront_size32 1\n");
    auto const answer = co::amdgcn::record<co::rdna::gfx1201>(text, launch_of(64));
    return answer.sites[answer.sites.size() - 1];
  };
  CHECK(read("s_barrier_signal -1\nds_store_b32 v1, v2\n").at_most);  // the second wave may load 0
  // The controls: a store before the signal, and one more barrier. 128 bytes a lane: 32 rounds of each wave.
  for (auto const& each :
       {read("ds_store_b32 v1, v2\ns_barrier_signal -1\n"),
        read("s_barrier_signal -1\nds_store_b32 v1, v2\n", "s_barrier_signal -1\ns_barrier_wait -1\n")}) {
    CHECK_FALSE(each.at_most);
    CHECK(each.cost.rounds == 64);
  }
}

TEST_CASE("amdgcn: a load after S_BARRIER_SIGNAL may see what other waves store after the wait") {
  // Word 0 of LDS is 0. The first wave loads it, and then loads at its number times 2 to that power. The second wave
  // stores 7 there after the barrier.
  auto const loads = [](std::string const& first) {
    std::string text = kernel(
        "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 7\nds_store_b32 v1, v1\ns_barrier_signal -1\ns_barrier_wait -1\n"
        "s_bitcmp1_b32 ttmp8, 25\ns_cbranch_scc1 .LBB0_1\n" +
        first +
        "s_barrier_wait -1\nv_lshlrev_b32_e32 v3, v3, v0\nv_and_b32_e32 v3, 0x3ffc, v3\nds_load_b32 v4, v3\n"
        "s_branch .LBB0_2\n.LBB0_1:\ns_barrier_signal -1\ns_barrier_wait -1\nds_store_b32 v1, v2\n.LBB0_2:\n");
    text.insert(text.find(".end_amdhsa"), "\t.amdhsa_wavefront_size32 1\n");
    return co::amdgcn::record<co::rdna::gfx1201>(text, launch_of(64)).sites.loads(memory_space::shared);
  };
  CHECK(loads("s_barrier_signal -1\nds_load_b32 v3, v1\n").at_most);
  // The control: a load before the signal is 0. All lanes read word 0, and then words 0 to 7: a round each.
  auto const before = loads("ds_load_b32 v3, v1\ns_barrier_signal -1\n");
  CHECK_FALSE(before.at_most);
  CHECK(before.rounds == 2);
}

TEST_CASE("amdgcn: a load to LDS is two sites") {
  auto const answer = run(fours + "s_mov_b32 m0, 0x100\nglobal_load_lds_dword v1, s[4:5]\n");
  CHECK(answer.sites.size() == 2);
  CHECK(answer.sites.of("arg0").transactions == 2);
  CHECK(answer.sites[1].space == memory_space::shared);
  CHECK(answer.sites[1].kind == touch::store);
  CHECK(answer.sites[1].worst_access.active == 0);  // no rule for the LDS side
  CHECK_FALSE(answer.sites[1].cost.is_counted);
}

TEST_CASE("amdgcn: what depends on data is told, and nothing is guessed") {
  std::string const load = fours + "global_load_dword v2, v1, s[4:5]\n";
  auto const address = run(load + "v_lshlrev_b32_e32 v2, 2, v2\nglobal_load_dword v3, v2, s[6:7]\n");
  CHECK(address.unknown.empty());
  CHECK(address.assumed.empty());
  CHECK(address.sites.loads("arg0").transactions == 2);
  CHECK_FALSE(address.sites.loads("arg0").at_most);
  CHECK(address.sites.loads("arg1").at_most);
  CHECK(address.sites.loads("arg1").transactions == 64);  // a line for each lane
  auto const mask = run(load +
                        "v_cmp_eq_u32_e32 vcc, 0, v2\ns_and_saveexec_b64 s[10:11], vcc\n"
                        "global_store_dword v1, v0, s[6:7]\n");
  CHECK(mask.unknown.empty());
  CHECK(mask.sites.stores("arg1").at_most);
  CHECK(mask.sites.stores("arg1").transactions == 4);  // 256 bytes, in pieces of 64
  auto const branch = run(load +
                          "v_readfirstlane_b32 s9, v2\ns_cmp_eq_u32 s9, 0\ns_cbranch_scc1 .LBB0_1\n"
                          "global_store_dword v1, v0, s[6:7]\n.LBB0_1:\n");
  CHECK(branch.unknown.empty());
  CHECK(branch.sites.stores("arg1").at_most);
  CHECK(branch.sites.stores("arg1").transactions == 4);
  REQUIRE(branch.assumed.size() == 1);
  CHECK(branch.assumed[0] == "line 9, s_cbranch_scc1: which way is taken depends on data: line 6, global_load_dword");
  // Data alone may be of opcodes that are not in the tables.
  auto const data = run(load + "v_frob_b32 v2, v2, v2\nglobal_store_dword v1, v2, s[6:7]\n");
  CHECK(data.unknown.empty());
  CHECK(data.passed_over == 1);
}

TEST_CASE("amdgcn: words of LDS are known after a barrier, and not before") {
  auto const through = [](std::string const& barrier) {
    // Work-item k writes 4 k to the place of its neighbour across the block, and loads from where it then finds.
    return run(fours +
                   "v_sub_u32_e32 v2, 0x1fc, v1\n"
                   "ds_write_b32 v2, v1\n" +
                   barrier +
                   "ds_read_b32 v3, v1\n"
                   "global_load_dword v4, v3, s[4:5]\n",
               128);
  };
  auto const ordered = through("s_waitcnt lgkmcnt(0)\ns_barrier\n");
  CHECK(ordered.unknown.empty());
  CHECK(ordered.sites.of("arg0").transactions == 4);
  auto const raced = through("");
  CHECK(raced.unknown.empty());
  CHECK(raced.sites.of("arg0").at_most);
}

TEST_CASE("amdgcn: both of a pair read before one of them writes") {
  auto const swapped = run(fours +
                           "v_mov_b32_e32 v2, 0x1000\nv_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n"
                           "global_load_dword v3, v1, s[4:5]\nglobal_load_dword v3, v2, s[6:7]\n");
  CHECK(swapped.sites.of("arg0").transactions == 1);  // all lanes at one word
  CHECK(swapped.sites.of("arg1").transactions == 2);
}

TEST_CASE("amdgcn: what is refused") {
  CHECK(has(refusal([] { run(fours + "v_frobnicate_b32 v1, v1\nglobal_load_dword v2, v1, s[4:5]\n"); }),
            "line 6: the opcode v_frobnicate_b32 (or a form of it) is not in the tables, and the address depends on "
            "it: line 7"));
  CHECK(has(refusal([] { run("s_frobnicate_b32 s4, s5\ns_cbranch_scc0 .LBB0_1\n.LBB0_1:\n"); }), "s_frobnicate_b32"));
  CHECK(has(refusal([] { run(fours + "global_load_dword v2, v1, s[4:5] offset:-4\n"); }),
            "line 6: global_load_dword: lane 0 accesses 4 bytes in no buffer"));
  CHECK(has(refusal([] { run(fours + "v_add_u32_e32 v1, 0x100000, v1\nglobal_load_dword v2, v1, s[4:5]\n"); }),
            "line 7: global_load_dword: lane 0 accesses 4 bytes at byte 1048576 of arg0, which has 1048576"));
  CHECK(has(refusal([] { run("v_mov_b32_e32 v1, 0x4000\nds_read_b32 v2, v1\n"); }),
            "accesses byte 16384 of LDS, which has 16384"));
  CHECK(has(refusal([] { run(".long 0x12345678\n"); }), "did not know this instruction"));
  CHECK(has(refusal([] { run(".LBB0_1:\ns_branch .LBB0_1\n"); }), "a loop without an end?"));
  CHECK(has(refusal([] { run("s_and_saveexec_b64 s[0:1]\n"); }), "lacks operands: s_and_saveexec_b64"));  // fuzzed
  CHECK(has(refusal([] { run("v_cmp_lt_u32 vcc\n"); }), "lacks operands: v_cmp_lt_u32"));
  CHECK(
      has(refusal([] { run(pointers + "buffer_store_dword v1, v0, s[4:7], 0 offen lds\n"); }), "only loads go to LDS"));
  CHECK(has(refusal([] { run(fours + "ds_write_b128 v1, a[511:511]\nv_mov_b32_e32 v2, 0\n"); }), "ds_write_b128"));
  CHECK(has(refusal([] { run("v_mov_b32_e32 v1, 2\nds_read_b32 v2, v1\n"); }), "ds_read_b32"));  // misaligned
  auto const text = [](std::string const& all, std::string const& name = "") {
    return refusal([&] {
      auto launch = launch_of(64);
      launch.kernel = name;
      static_cast<void>(co::amdgcn::record<gfx942>(all, launch));
    });
  };
  CHECK(has(text("k:\n\ts_endpgm\n"), "llvm-objdump -D -j .rodata -j .text"));
  CHECK(has(text(""), "no kernel descriptor"));
  CHECK(has(text(kernel(""), "other"), "the text has no kernel of the name other; the nearest names are k"));
  CHECK(has(text(".amdhsa_kernel k\n.end_amdhsa_kernel\n"), "no code of the kernel"));
  CHECK(has(text("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n" + kernel("")),
            "of gfx90a, and the machine is gfx942"));
  // The metadata that `llvm-readelf --notes` prints names the target; a disassembly shows it by what others lack.
  CHECK(has(text("amdhsa.target:   amdgcn-amd-amdhsa--gfx950\n" + kernel("")), "of gfx950, and the machine is gfx942"));
  CHECK(has(text("amdhsa.target: 'amdgcn-amd-amdhsa--gfx90a:xnack+'\n" + kernel("")), "of gfx90a, and the machine"));
  CHECK(has(text("amdhsa.target: amdgpu9.0a-amd-amdhsa-unknown-gfx90a\n" + kernel("")), "of gfx90a, and the machine"));
  CHECK(text("amdhsa.target:   amdgcn-amd-amdhsa--gfx942\n" + kernel("")).empty());
  CHECK(has(text(kernel("v_bitop3_b32 v1, v0, v0, v0 bitop3:0x80\n")),
            "line 2: the text is of another target than gfx942: v_bitop3_b32 stands only in binaries of gfx950"));
  CHECK(text(kernel("v_lshl_add_u64 v[2:3], v[0:1], 1, v[0:1]\n")).empty());
  std::string older = kernel("");
  older.insert(older.find(".end_amdhsa"), ".amdhsa_user_sgpr_private_segment_buffer 0\n");
  CHECK(has(text(older), ".amdhsa_user_sgpr_private_segment_buffer stands only in binaries of gfx90a, gfx1030"));
  std::string large = kernel("");
  large.insert(large.find(".end_amdhsa"), ".amdhsa_wavefront_size32 0\n");
  CHECK(has(refusal([&] { static_cast<void>(co::amdgcn::record<co::rdna::gfx1100>(large, launch_of(64))); }),
            "the kernel's waves have 64 lanes"));
  CHECK(has(refusal([] {
              static_cast<void>(co::amdgcn::record<co::cdna::gfx942>(kernel(""), [] {
                auto launch = launch_of(64);
                launch.arguments.push_back(binary_argument::u64(1));
                return launch;
              }()));
            }),
            "the kernel takes 20 bytes of arguments, and 32 are given"));
  CHECK(has(refusal([] { static_cast<void>(co::amdgcn::record("gfx1234", kernel(""), launch_of(64))); }),
            "the binary of gfx1234 is not understood"));
}

TEST_CASE("amdgcn: JSON") {
  auto const text =
      co::json(run(fours + "\t.file 1 \"/folder\" \"saxpy.hip\"\n\t.loc 1 12 3\nglobal_load_dword v2, v1, s[4:5]\n"));
  CHECK(has(text, "{\"machine\": \"cdna::gfx942\", \"kernel\": \"k\", \"blocks\": 1, \"checksum\": \"0x"));
  CHECK(has(text,
            "{\"at\": null, \"opcode\": \"global_load_dword\", \"source\": \"saxpy.hip:12\", \"array\": \"arg0\", "
            "\"space\": \"global\", \"kind\": \"load\", \"bits\": 32, \"instruction\": \"global_load<32>\", "
            "\"issued\": 1, "));
  CHECK(has(text, "\"transactions\": 2, "));
  CHECK(has(text, "\"unknown\": [\n  ], \"unchecked\": \"the text has no metadata"));
}

TEST_CASE("amdgcn: a text that is cut or garbled is refused, or answered") {
  std::string const whole =
      kernel(fours +
             "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[10:11], vcc\n"
             "global_load_dwordx4 v[4:7], v1, s[4:5] offset:16\n"
             "v_add_u32_sdwa v2, v1, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_1\n"
             "v_mov_b32_dpp v3, v1 row_shr:1 row_mask:0xf bank_mask:0xf\n"
             "ds_write2_b32 v1, v4, v5 offset1:8\nds_bpermute_b32 v4, v1, v0\n"
             "buffer_load_dword v2, v1, s[4:7], s8 offen offset:8\n");
  auto launch = launch_of(64);
  launch.most_instructions = 1000;
  unsigned refused = 0, answered = 0;
  auto const ask = [&](std::string const& text) {
    try {
      static_cast<void>(co::amdgcn::record<gfx942>(text, launch));
      ++answered;
    } catch (std::exception const&) {
      ++refused;
    }
  };
  for (std::size_t end = 0; end <= whole.size(); ++end) ask(whole.substr(0, end));
  std::mt19937 random(7);
  for (unsigned k = 0; k != 3000; ++k) {
    std::string text = whole;
    for (unsigned n = 0; n <= k % 4; ++n) {
      auto const at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random() % 96 + 32);
          break;
        case 1:
          text.erase(at, random() % 12);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 12));
          break;
      }
    }
    ask(text);
  }
  CHECK(refused > 500);
  CHECK(answered > 100);
}

TEST_CASE("amdgcn: scalar loads have a cost on RDNA and CDNA") {
  // Lines of 64 bytes: 4 bytes at 0 are in one, 16 bytes at 0x38 in two.
  std::string const loads =
      "s_load_b64 s[4:5], s[0:1], 0x0\ns_load_b32 s8, s[4:5], 0x0\ns_load_b128 s[8:11], s[4:5], 0x38\n";
  std::string text = kernel(loads);
  text.insert(text.find(".end_amdhsa"), "\t.amdhsa_wavefront_size32 1\n");
  auto const answer = co::amdgcn::record<co::rdna::gfx1100>(text, launch_of(32));
  REQUIRE(answer.sites.size() == 2);
  CHECK(answer.sites.begin()[0].cost.transactions == 1);
  CHECK(answer.sites.begin()[0].cost.bytes_used == 4);
  CHECK(answer.sites.begin()[1].cost.transactions == 2);
  CHECK(answer.sites.begin()[1].cost.bytes_used == 16);
  auto const cdna = run(pointers + "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx4 s[8:11], s[4:5], 0x38\n");
  REQUIRE(cdna.sites.size() == 2);
  CHECK(cdna.sites.begin()[0].cost.transactions == 1);
  CHECK(cdna.sites.begin()[1].cost.transactions == 2);
  CHECK(cdna.sites.begin()[1].cost.bytes_used == 16);
}
