// SPDX-License-Identifier: BSL-1.0
// Arguments that a launch does not state, and the block that may be any: what the binary's tables and the kernel's name
// tell, what is refused, and that each run with stated arguments, in each block, stays below the bounds.
#include <coalesce/host/binary/amd.hpp>
#include <coalesce/host/binary/nvidia.hpp>
#include <coalesce/host/binary/parameters.hpp>

#include "host/binary/nvidia/written.hpp"
#include "machinery/check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace co = coalescing;
using co::binary_argument;

namespace {

/// A kernel of these instructions, one a line, with what stands before it in a disassembly.
std::string kernel(std::string const& name, std::string const& code, std::string const& info = "") {
  return ".target sm_90\n" + info + ".section .text." + name + "\n.text." + name + ":\n" +
         coalescing_tests::sass_code(code);
}
/// y[block * pitch + thread] = x[block * pitch + thread]
std::string const copy_code =
    "S2R R0, SR_CTAID.X\nS2R R1, SR_TID.X\nLDC R2, c[0x0][0x220]\nIMAD R0, R0, R2, R1\nLDC.64 R4, c[0x0][0x218]\n"
    "IMAD.WIDE R4, R0, 0x4, R4\nLDG.E R8, desc[UR4][R4.64]\nLDC.64 R6, c[0x0][0x210]\nIMAD.WIDE R6, R0, 0x4, R6\n"
    "STG.E desc[UR4][R6.64], R8\nEXIT";
std::string const copy = kernel("_Z4copyPfPKfi", copy_code);

/// The section .nv.info of a kernel (float*, float const*, long, a structure of 24 bytes) as nvdisasm 13.5 prints it,
/// without the directives that are not read.
std::string info_of(std::string const& name) {
  struct {
    unsigned place, offset, size;
  } constexpr all[] = {{3, 24, 24}, {2, 16, 8}, {1, 8, 8}, {0, 0, 8}};
  std::string text = ".section .nv.info." + name + ",\"\",@\"SHT_CUDA_INFO\"\n";
  for (auto const& each : all) {
    char line[256];
    unsigned const word = each.size << 18 | 0xf000 | (each.size == 4 ? 0u : 0x10000u);
    std::snprintf(line, sizeof line,
                  "//----- nvinfo : EIATTR_KPARAM_INFO\n.byte 0x04, 0x17\n.short (.L_2 - .L_1)\n.word 0x00000000\n"
                  ".short 0x%04x\n.short 0x%04x\n.byte 0x%02x, 0x%02x, 0x%02x, 0x%02x\n",
                  each.place, each.offset, word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24);
    text += line;
  }
  return text + "//----- nvinfo : EIATTR_CBANK_PARAM_SIZE\n.byte 0x03, 0x19\n.short 0x0030\n";
}

co::binary_answer run(std::string const& text, co::binary_launch launch = {}) {
  if (launch.block.x == 1) launch.block = {32};
  return co::sass::record<co::cuda::cc90>(text, launch);
}
std::string refusal_of(std::string const& text, co::binary_launch const& launch) {
  try {
    static_cast<void>(run(text, launch));
  } catch (co::binary_refused const& refused) {
    return refused.what();
  }
  return "";
}
bool has(std::string const& words, std::string const& part) { return words.find(part) != words.npos; }
bool has(std::vector<std::string> const& all, std::string const& words) {
  return std::find(all.begin(), all.end(), words) != all.end();
}
co::named_argument stated(char const* name, binary_argument is) { return {name, std::move(is)}; }

}  // namespace

TEST_CASE("arguments: the parameters in a mangled name") {
  auto const types = [](char const* name) {
    std::string all;
    for (auto const& each : co::binary::parameters_of_name(name))
      all += (each.type == co::binary::parameter_type::pointer  ? "*"
              : each.type == co::binary::parameter_type::number ? "n"
                                                                : "?") +
             std::to_string(each.bytes);
    return all;
  };
#if __has_include(<cxxabi.h>)
  CHECK(types("_Z4copyPfPKfi") == "*8*8n4");
  CHECK(types("_Z1kv") == "");
  CHECK(types("_ZN2ns1kIifEEvPT_T0_mcsbdxPPKv") == "*8n4n8n1n2n1n8n8*8");  // void ns::k<int, float>(int*, float, ...)
  CHECK(types("_Z1k1SPFviEi") == "?0?0n4");                                // k(S, void (*)(int), int)
  CHECK(types("_Z1kI4pairIifEEvT_Pf") == "?0*8");  // void k<pair<int, float> >(pair<...>, float*)
#endif
  CHECK(types("copy") == "");
}

#if __has_include(<cxxabi.h>)
TEST_CASE("arguments: pointers are buffers of any size, numbers are unknown") {
  auto const answer = run(copy);
  CHECK(answer.arguments == std::vector<std::string>{"arg0: a pointer to a buffer of any size",
                                                     "arg1: a pointer to a buffer of any size",
                                                     "arg2: 4 bytes, unknown"});
  // Block 0 alone: the pitch does not matter, and all is exact.
  CHECK(
      (answer.sites.loads("arg1").transactions == 4 && !answer.sites.loads("arg1").at_most && answer.assumed.empty()));
  // An argument that the launch states is taken as it is; then nothing is printed of them.
  co::binary_launch whole;
  whole.arguments = {binary_argument::pointer("y"), binary_argument::pointer("x"), binary_argument::u32(7)};
  CHECK((run(copy, whole).arguments.empty() && run(copy, whole).sites.loads("x").transactions == 4));
}

TEST_CASE("arguments: what is known of one") {
  auto const with = [](std::vector<co::named_argument> const& named) {
    co::binary_launch launch;
    launch.any_block = true, launch.named = named;
    return run(copy, launch);
  };
  // A row begins anywhere: 5 sectors. At a multiple of 32 bytes: 4. At a multiple of 16: 5.
  CHECK(with({}).sites.loads("arg1").transactions == 5);
  CHECK(with({stated("2", binary_argument::multiple_of(8))}).sites.loads("arg1").transactions == 4);
  CHECK(with({stated("arg2", binary_argument::multiple_of(24))}).sites.loads("arg1").transactions == 4);
  CHECK(with({stated("2", binary_argument::multiple_of(4))}).sites.loads("arg1").transactions == 5);
  CHECK(with({stated("2", binary_argument::number(64, 0))}).sites.loads("arg1").transactions == 4);
  CHECK(with({stated("2", binary_argument::u32(3))}).sites.loads("arg1").transactions == 5);
  CHECK(with({stated("0", binary_argument::buffer(1 << 20, {}, "y"))}).sites.stores("y").transactions == 5);
  CHECK(with({stated("2", binary_argument::multiple_of(8)), stated("2", binary_argument::at_most(100))}).arguments[2] ==
        "arg2: 4 bytes, of which the bits 0xffffff87 are known");
  CHECK(with({stated("2", binary_argument::at_most(0))}).arguments[2] == "arg2: 0");
  CHECK(with({stated("2", binary_argument::number(0 - 4ull, 0))}).arguments[2] == "arg2: 4294967292");
}

TEST_CASE("arguments: refused") {
  auto const said = [](std::vector<co::named_argument> const& named, std::vector<binary_argument> const& all = {}) {
    co::binary_launch launch;
    launch.named = named, launch.arguments = all;
    return refusal_of(copy, launch);
  };
  CHECK(has(said({stated("n", binary_argument::u32(1))}), "no argument n; its arguments are 0, 1, 2"));
  CHECK(has(said({stated("2", binary_argument::u64(1))}), "the argument 2 has 4 bytes, and 8 are given"));
  CHECK(has(said({stated("2", binary_argument::number(1ull << 40, 0))}), "does not fit"));
  CHECK(has(said({stated("2", binary_argument::number(0 - (1ull << 31) - 1, 0))}), "does not fit"));
  CHECK(has(said({stated("2", binary_argument::number(3, 0)), stated("2", binary_argument::multiple_of(2))}),
            "the statements about the argument 2 cannot all be true"));
  // A limit and a factor hold for a number that is stated before them or after them, and do not contradict each other.
  auto const seven = binary_argument::number(7, 0), five = binary_argument::at_most(5),
             threes = binary_argument::multiple_of(3);
  for (auto const& [a, b] : {std::pair{five, seven},
                             {seven, five},
                             {threes, seven},
                             {seven, threes},
                             {five, binary_argument::u32(7)},
                             {binary_argument::multiple_of(2), binary_argument::u32(7)}})
    CHECK(has(said({stated("2", a), stated("2", b)}), "the statements about the argument 2 cannot all be true"));
  for (auto const& number : {binary_argument::number(3, 0), binary_argument::u32(0)})
    CHECK(said({stated("2", five), stated("2", threes), stated("2", number)}).empty());
  CHECK(
      has(said({stated("2", threes), stated("2", binary_argument::multiple_of(7)), stated("2", seven)}), "cannot all"));
  CHECK(
      has(said({stated("2", binary_argument::u32(1))}, {binary_argument::u32(1)}), "only where the others come from"));
  // A name that is not mangled tells nothing, and neither does a text without .nv.info.
  CHECK(has(refusal_of(kernel("copy", copy_code), {}), "the text does not tell them"));
}

TEST_CASE("arguments: the table of a whole disassembly") {
  // copy(float*, float const*, long, S): by its place, a number of 8 bytes, and a structure.
  std::string const code =
      "LDC.64 R4, c[0x0][0x210]\nS2R R0, SR_TID.X\nIMAD.WIDE R4, R0, 0x4, R4\nLDG.E R8, desc[UR4][R4.64]\n"
      "LDC.64 R6, c[0x0][0x230]\nIMAD.WIDE R6, R0, 0x4, R6\nSTG.E desc[UR4][R6.64], R8\nEXIT";
  std::string const mangled = "_Z1kPfPKfl1S";
  auto const answer = run(kernel(mangled, code, info_of(mangled)));
  CHECK(answer.arguments ==
        std::vector<std::string>{"arg0: a pointer to a buffer of any size", "arg1: a pointer to a buffer of any size",
                                 "arg2: 8 bytes, unknown", "arg3 at byte 0: 8 bytes, unknown, perhaps a pointer",
                                 "arg3 at byte 8: 8 bytes, unknown, perhaps a pointer",
                                 "arg3 at byte 16: 8 bytes, unknown, perhaps a pointer"});
  CHECK((answer.sites.loads("arg0").transactions == 4 && !answer.sites.loads("arg0").at_most));
  // A pointer in a structure is taken for one where it is an address.
  CHECK((answer.sites.stores("arg3 at byte 8").transactions == 4 && answer.sites.stores("arg3 at byte 8").at_most));
  CHECK(has(answer.assumed, "arg3 at byte 8 is a pointer where it is an address, and a multiple of 256 bytes"));
  // The name tells nothing: each number of 8 bytes may be a pointer.
  auto const plain = run(kernel("k", code, info_of("k")));
  CHECK((plain.arguments[2] == "arg2: 8 bytes, unknown, perhaps a pointer" && plain.sites.loads("arg0").at_most));
  CHECK(plain.sites.loads("arg0").transactions == 4);
  // A structure has no number.
  co::binary_launch launch;
  launch.named = {stated("3", binary_argument::u64(1))};
  CHECK(has(refusal_of(kernel("k", code, info_of("k")), launch), "a structure of 24 bytes"));
}

TEST_CASE("any block: the bounds are those of the worst block and pitch") {
  co::binary_launch any;
  any.any_block = true;
  auto const bound = run(copy, any);
  CHECK((bound.any_block && bound.sites.blocks == 1 && has(co::json(bound), "\"any_block\": true")));
  std::uint64_t worst = 0, worst_lines = 0;
  for (unsigned pitch = 0; pitch != 70; ++pitch)
    for (unsigned block = 0; block != 9; ++block) {
      co::binary_launch one;
      one.grid = {9}, one.blocks = {{block, 0, 0}};
      one.arguments = {binary_argument::pointer(), binary_argument::pointer(), binary_argument::u32(pitch)};
      auto const cost = run(copy, one).sites.loads("arg1");
      worst = std::max(worst, cost.transactions), worst_lines = std::max(worst_lines, cost.lines);
    }
  CHECK((bound.sites.loads("arg1").transactions == worst && bound.sites.loads("arg1").lines == worst_lines));
  // Control: with the pitch of one row, another bound would be exceeded.
  co::binary_launch aligned = any;
  aligned.named = {stated("2", binary_argument::multiple_of(8))};
  CHECK(run(copy, aligned).sites.loads("arg1").transactions < worst);
}

TEST_CASE("loops: lanes share an unknown counter") {
  // for (k = threadIdx.x; k < n; k += blockDim.x) y[k] = x[k]: neighbours in each round. After the
  // loop, lanes have gone through different numbers of rounds.
  std::string const loop =
      "S2R R0, SR_TID.X\nLDC R2, c[0x0][0x220]\nLDC R3, c[0x0][0x0]\nISETP.GE.AND P0, PT, R0, R2, PT\n@P0 BRA `(.L_2)\n"
      ".L_1:\nLDC.64 R4, c[0x0][0x218]\nIMAD.WIDE R4, R0, 0x4, R4\nLDG.E R8, desc[UR4][R4.64]\nIADD3 R0, R0, R3, RZ\n"
      "ISETP.GE.AND P0, PT, R0, R2, PT\n@!P0 BRA `(.L_1)\n.L_2:\nLDC.64 R6, c[0x0][0x210]\nIMAD.WIDE R6, R0, 0x4, R6\n"
      "STG.E desc[UR4][R6.64], R8\nEXIT";
  std::string const text = kernel("_Z4copyPfPKfi", loop);
  auto const bound = run(text);
  auto const site_of = [](co::binary_answer const& of, co::touch kind) {
    for (co::site const& each : of.sites)
      if (each.kind == kind) return each;
    return co::site{};
  };
  CHECK((site_of(bound, co::touch::load).per_iteration != 0 && site_of(bound, co::touch::load).cost.transactions == 4));
  std::uint64_t worst = 0;
  for (unsigned n = 0; n != 200; ++n) {
    co::binary_launch one;
    one.arguments = {binary_argument::pointer(), binary_argument::pointer(), binary_argument::u32(n)};
    worst = std::max(worst, run(text, one).sites.stores("arg0").transactions);
  }
  CHECK(worst > 4);  // the control: after the loop lanes are not all neighbours
  CHECK(site_of(bound, co::touch::store).cost.transactions >= worst);
}
#endif

TEST_CASE("arguments: AMD's metadata has names") {
  std::string const text = R"(
amdhsa.kernels:
  - .args:
      - .actual_access: write_only
        .name: y
        .offset: 0
        .size: 8
        .value_kind: global_buffer
      - .name: x
        .offset: 8
        .size: 8
        .value_kind: global_buffer
      - .name: n
        .offset: 16
        .size: 4
        .value_kind: by_value
    .name: copy
    .symbol: copy.kd
copy:
        s_load_dwordx4 s[4:7], s[0:1], 0x0
        s_load_dword s8, s[0:1], 0x10
        s_waitcnt lgkmcnt(0)
        s_lshl_b32 s8, s8, 2
        v_lshlrev_b32_e32 v1, 2, v0
        v_add_u32_e32 v1, s8, v1
        global_load_dword v3, v1, s[6:7]
        s_waitcnt vmcnt(0)
        global_store_dword v1, v3, s[4:5]
        s_endpgm
        .amdhsa_kernel copy
        .amdhsa_kernarg_size 20
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .end_amdhsa_kernel
)";
  auto const with = [&text](std::vector<co::named_argument> const& named) {
    co::binary_launch launch;
    launch.block = {64}, launch.named = named;
    return co::amdgcn::record<co::cdna::gfx942>(text, launch);
  };
  auto const any = with({});
  CHECK(any.arguments == std::vector<std::string>{"y: a pointer to a buffer of any size",
                                                  "x: a pointer to a buffer of any size", "n: 4 bytes, unknown"});
  // 256 bytes that begin anywhere touch 3 lines of 128 bytes; at a multiple of 128, 2.
  CHECK((any.sites.loads("x").transactions == 3 && any.sites.loads("x").at_most));
  CHECK(with({stated("n", binary_argument::multiple_of(32))}).sites.loads("x").transactions == 2);
  CHECK(with({stated("n", binary_argument::u32(64))}).sites.loads("x").transactions == 2);
  CHECK(with({stated("n", binary_argument::u32(65))}).sites.loads("x").transactions == 3);
}
