// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary.hpp>
#include <coalesce/host/named/replay.hpp>
#include <coalesce/host/trace.hpp>

#include <sstream>
#include <string>
#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// The library coalesce::host: what it has compiled, asked by type and by name. The linker finds every target of the
// binaries and every machine of the replays, since the questions by name call them all.

#ifndef COALESCE_HOST_COMPILED
#error "the headers define what the library has compiled"
#endif

namespace co = coalescing;
using coalescing_tests::refusal;

namespace {

// Each lane loads 4 bytes, side by side.
std::string const amd =
    "k:\ns_load_dwordx2 s[4:5], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\n"
    "global_load_dword v2, v1, s[4:5]\ns_endpgm\n.Lfunc_end0:\n.amdhsa_kernel k\n.amdhsa_kernarg_size 8\n"
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_sgpr_workgroup_id_x 1\n.end_amdhsa_kernel\n";
std::string const nvidia =
    ".target sm_90\n.text.made:\n/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n/*0010*/ S2R R0, SR_TID.X ;\n"
    "/*0020*/ IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n/*0030*/ LDG.E R4, desc[UR4][R2.64] ;\n/*0040*/ EXIT ;\n";
char const trace[] = "coalesce trace 1\nkernel k\nload global 4 0x10 0xffffffff 0x1000+4\nend\n";

co::binary_launch launch_of(unsigned threads) {
  co::binary_launch launch;
  launch.block = {threads}, launch.arguments = {co::binary_argument::buffer(4096)};
  return launch;
}
std::uint64_t transactions_of(co::replayed const& all) { return all.kernels.at(0).seen.loads("global").transactions; }

}  // namespace

TEST_CASE("compiled: binaries, by type and by name") {
  // 64 lanes read 256 bytes, two lines of 128; 32 lanes read 128 bytes, four sectors of 32.
  CHECK(co::amdgcn::record<co::cdna::gfx942>(amd, launch_of(64)).sites.loads("arg0").transactions == 2);
  CHECK(co::amdgcn::record("gfx942", amd, launch_of(64)).sites.loads("arg0").transactions == 2);
  CHECK(co::sass::record<co::cuda::cc90>(nvidia, launch_of(32)).sites.loads("arg0").transactions == 4);
  CHECK(co::sass::record("sm_90", nvidia, launch_of(32)).sites.loads("arg0").transactions == 4);
  CHECK_THROWS_AS(static_cast<void>(co::amdgcn::record("gfx900", amd, launch_of(64))), co::binary_refused);
}

TEST_CASE("compiled: traces, by type and by name") {
  auto const by_type = [](auto replay) {
    std::istringstream from(trace);
    return transactions_of(replay(from, co::trace_format::plain, co::replay_options{}));
  };
  CHECK(by_type(co::replay<co::cuda::cc80>) == 4);
  CHECK(by_type(co::replay<co::cdna::gfx942>) == 1);
  std::istringstream cut("coalesce trace 1\nkernel k\n");
  CHECK_THROWS_AS(static_cast<void>(co::replay<co::cuda::cc80>(cut, co::trace_format::plain)), co::trace_error);
  CHECK(refusal([] {
          static_cast<void>(co::replay_files("gfx1310", {}, co::trace_format::plain));
        }).find("the instructions of rdna::gfx1310 are not known") != std::string::npos);
  CHECK(co::replay_files("H100", {}, co::trace_format::plain).kernels.empty());
}
