// SPDX-License-Identifier: BSL-1.0
//
// The words of co::explain: named cases word by word, with numbers by hand. For every instruction, each number of its
// cost must be there, with its rule, its document and its address.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "cuda/devices.hpp"
#include "every/machines.hpp"
#include "machinery/check.hpp"

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace cuda = co::cuda;
namespace rdna = co::rdna;
using namespace coalescing_tests;

namespace {

/// The part before the rules: the instruction, its numbers, and why.
template <class Text>
std::string head(Text const& text) {
  std::string const all = text;
  return all.substr(0, all.find("Rules:\n"));
}
/// From there on.
template <class Text>
std::string tail(Text const& text) {
  std::string const all = text;
  return all.substr(all.find("Rules:\n"));
}
bool has(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

/// "  transactions 32" of the cost stands in the head, and in the tail a line of rules names each number, its document
/// and its address. Otherwise the first that is missing.
template <class Instruction, auto... Members, auto... Origins>
std::string missing(std::string const& text, typename Instruction::cost_type const& cost,
                    co::detail::members<Members...>, co::detail::members<Origins...>) {
  std::string const before = head(text), after = tail(text), profiler = after.substr(after.find("Profiler, summed"));
  std::string const rules = after.substr(0, after.find("Profiler, summed"));
  std::string result;
  auto const want = [&](std::string const& where, std::string const& words) {
    if (result.empty() && !has(where, words)) result = words;
  };
  auto const check_one = [&](std::string const& name, std::uint64_t number, co::source const& from) {
    co::text<30> digits;
    co::detail::put(digits, number);
    want(before, "  " + name + " " + digits.c_str());
    want(rules, name);
    want(rules, from.claim);
    if (std::string(from.address) != "none needed") want(rules, from.document), want(rules, from.address);
    want(profiler, name);
  };
  (check_one(co::detail::name_of_number<Members>().c_str(), cost.*Members, Instruction::sources.*Origins), ...);
  return result;
}

unsigned checked = 0;
template <class... Instructions>
void check() {
  auto const one = []<class Instruction>(Instruction*) {
    constexpr unsigned stride = 2 * co::detail::bytes_to_the_next_word<Instruction>;
    auto const pattern = co::linear{.stride = stride};
    std::string const text = co::explain<Instruction>(pattern);
    INFO(text);
    CHECK(missing<Instruction>(text, co::cost<Instruction>(pattern), typename Instruction::cost_type::numbers{},
                               typename std::remove_cvref_t<decltype(Instruction::sources)>::numbers{}) == "");
    ++checked;
  };
  (one(static_cast<Instructions*>(nullptr)), ...);
}

}  // namespace

// ---- Global memory ----

TEST_CASE("a float4 of each row of 64 KiB: the whole text") {
  constexpr auto why = co::explain<cuda::cc90::load<128>>(co::linear{.stride = 65536});
  static_assert(why.size() == std::string_view(why).size());
  CHECK(head(why) ==
        "cuda::cc90::load<128>: 32 lanes of 16 bytes, active: all\n"
        "  requests 1\n"
        "  transactions 32, ideal 16: 2 times that\n"
        "  bytes_moved 1,024, ideal 512: 2 times that\n"
        "  bytes_used 512\n"
        "  lines 32, ideal 4: 8 times that\n"
        "  data_wavefronts 32, ideal 4: 8 times that\n"
        "  tag_wavefronts_at_least 8, ideal 1: 8 times that\n"
        "Why: lanes 0 and 1 are 65,536 bytes apart: each opens its own 32-byte sector and uses 16 bytes of it\n");
  CHECK(tail(why) ==
        "Rules:\n"
        "  requests: one request for each instruction of the warp (documented: NVIDIA Nsight Compute, Profiling Guide, "
        "2026.1, 2.3.7), address: https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html\n"
        "  transactions, bytes_moved: the 32-byte transactions needed to serve the warp (documented: NVIDIA CUDA C++ "
        "Best Practices Guide, 13.0, 10.2.1), address: "
        "https://docs.nvidia.com/cuda/archive/13.0.0/cuda-c-best-practices-guide/"
        "index.html#coalesced-access-to-global-memory\n"
        "  bytes_used: counted from the addresses: no rule of the machine\n"
        "  lines: a line is four sectors, 128 bytes (documented: NVIDIA Nsight Compute, Profiling Guide, 2026.1, "
        "2.3.7), address: https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html\n"
        "  data_wavefronts: the bank rule of shared memory: measured for words of 4 and 8 bytes only (inferred: "
        "te42kyfo/gpu-benches, gpu-strides, 1c36d509, 2024-06-21), address: "
        "https://github.com/te42kyfo/gpu-benches/tree/1c36d509ee717dca9215c27135fa1e611bb03ed1/gpu-strides\n"
        "  tag_wavefronts_at_least: four tags a cycle; a bound, since which lines share a set is not known "
        "(documented: NVIDIA forum, Understanding L1/TEX Cache Sectors/Req, thread 312884), address: "
        "https://forums.developer.nvidia.com/t/understanding-l1-tex-cache-sectors-req/312884\n"
        "Rests on:\n"
        "  32 lanes a warp: a warp is 32 threads (documented: NVIDIA CUDA C Programming Guide, 3.2, 2010, 4.1)\n"
        "  128 bits of the widest word: words of 1, 2, 4, 8 or 16 bytes, naturally aligned (documented: NVIDIA CUDA C "
        "Programming Guide, 5.5, 2013, PG-02829-001_v5.5, 5.3.2)\n"
        "  32 banks: 32 banks (documented: NVIDIA CUDA C++ Programming Guide, 12.3, October 2023 (PDF), 19.4.3)\n"
        "  4 bytes a bank: banks of 32 bits (documented: NVIDIA CUDA C++ Programming Guide, 12.3, October 2023 (PDF), "
        "19.4.3)\n"
        "  where sectors are counted: sectors of L1 (documented: NVIDIA Nsight Compute, Profiling Guide, 2026.1, "
        "2.3.7)\n"
        "Profiler, summed over such instructions:\n"
        "  requests = l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\n"
        "  transactions = l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / "
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\n"
        "  transactions = memory_l2_theoretical_sectors_global / inst_executed, each LDG; ideal: with _ideal\n"
        "  lines = memory_l1_tag_requests_global / inst_executed, each LDG\n"
        "  data_wavefronts = l1tex__data_pipe_lsu_wavefronts.sum / l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum; "
        "stores, atomics and shared memory use the stage and count there too\n"
        "  tag_wavefronts_at_least = l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum / "
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum; may show more: lines of one set follow one another\n"
        "  requests, transactions, by: what replaces a metric of nvprof (documented: NVIDIA Nsight Compute CLI, nvprof "
        "Metric Comparison, 2020.1, nvprof Metric Comparison), address: "
        "https://docs.nvidia.com/nsight-compute/2020.1/pdf/NsightComputeCli.pdf\n"
        "  transactions, by: the sectors asked of L2 (documented: NVIDIA Nsight Compute, "
        "User Guide, latest, Source Page), address: "
        "https://docs.nvidia.com/nsight-compute/NsightCompute/index.html\n"
        "  lines, by: 16 from 16 columns, 4 from 512 bytes in a row (measured: "
        "jonasdelacour/BatchLAS, 3f0afbd6), address: "
        "https://github.com/jonasdelacour/BatchLAS/blob/3f0afbd660dea8d7fab4e2b26cc4e502fc673fa5/experiments/"
        "wp4_gemm_ld/gpu1/README.md\n"
        "  data_wavefronts, tag_wavefronts_at_least, by: passes of the stages, if all lines hit (measured: "
        "te42kyfo/gpu-benches, gpu-strides, 1c36d509, 2024-06-21), address: "
        "https://github.com/te42kyfo/gpu-benches/tree/1c36d509ee717dca9215c27135fa1e611bb03ed1/gpu-strides\n"
        "  bytes_moved, bytes_used: no counter is known to count the same\n");
}
TEST_CASE("floats one element late") {
  CHECK(head(co::explain<cuda::cc90::load<32>>(co::linear{.base = 4, .stride = 4})) ==
        "cuda::cc90::load<32>: 32 lanes of 4 bytes, active: all\n"
        "  requests 1\n"
        "  transactions 5, ideal 4: 1 more\n"
        "  bytes_moved 160, ideal 128: 32 more\n"
        "  bytes_used 128\n"
        "  lines 2, ideal 1: 2 times that\n"
        "  data_wavefronts 1\n"
        "  tag_wavefronts_at_least 1\n"
        "Why: lane 0 begins 4 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
        "with one\n");
}
TEST_CASE("every second float is stored") {
  CHECK(head(co::explain<cuda::cc90::store<32>>(co::linear{.stride = 8})) ==
        "cuda::cc90::store<32>: 32 lanes of 4 bytes, active: all\n"
        "  requests 1\n"
        "  transactions 8, ideal 4: 2 times that\n"
        "  bytes_moved 256, ideal 128: 2 times that\n"
        "  bytes_used 128\n"
        "  lines 2, ideal 1: 2 times that\n"
        "  data_wavefronts 2, ideal 1: 2 times that\n"
        "  tag_wavefronts_at_least 1\n"
        "  partial_sectors 8, ideal 0: 8 more\n"
        "  operations 32\n"
        "Why: lanes 0 and 1 are 8 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its bytes "
        "are used\n");
}
TEST_CASE("sectors that are used whole, each in another line; bytes") {
  CHECK(has(co::explain<cuda::cc100::load<256>>(co::linear{.stride = 4096}).c_str(),
            "  transactions 32\n  bytes_moved 1,024\n  bytes_used 1,024\n  lines 32, ideal 8: 4 times that\n"));
  CHECK(has(co::explain<cuda::cc100::load<256>>(co::linear{.stride = 4096}).c_str(),
            "Why: lanes 0 and 1 are 4,096 bytes apart: each opens its own 128-byte line and uses 32 bytes of it\n"));
  CHECK(has(co::explain<cuda::cc13::load<8>>(co::linear{.stride = 64}).c_str(),
            "Why: lanes 0 and 1 are 64 bytes apart: each opens its own 32-byte sector and uses 1 byte of it\n"));
}
TEST_CASE("nothing to blame: neighbours, in whatever order; one word for all; no lane") {
  CHECK(head(co::explain<cuda::cc60::load<32>>(co::linear{.base = 124, .stride = -4})) ==
        "cuda::cc60::load<32>: 32 lanes of 4 bytes, active: all\n"
        "  requests 4\n"
        "  transactions 4\n"
        "  bytes_moved 128\n"
        "  bytes_used 128\n"
        "Why: no number is above its ideal, the cost of these lanes on neighbouring words\n");
  CHECK(has(co::explain<cuda::cc90::load<32>>(co::broadcast{.base = 64}).c_str(), "Why: no number is above its ideal"));
  CHECK(has(co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4096}, 0).c_str(),
            "active: no lane\n  requests 0\n  transactions 0\n  bytes_moved 0\n"));
  CHECK(has(co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4096}, 0).c_str(), "Why: no lane is active\n"));
  CHECK(head(co::explain<co::cdna::gfx942::ds_read<32>>(co::linear{.stride = 128}, 0)) ==
        "cdna::gfx942::ds_read<32>: 64 lanes of 4 bytes, active: no lane\n"
        "  rounds 0\n"
        "  conflicts 0\n"
        "  phases 0\n"
        "  ways 0\n"
        "Why: no lane is active\n");
}
TEST_CASE("the ideal is that of the lanes that are active, and of a full wave co::ideal") {
  CHECK(head(co::explain<cuda::cc60::load<64>>(co::linear{.base = 8, .stride = 8}, 0xff)) ==
        "cuda::cc60::load<64>: 32 lanes of 8 bytes, active: lanes 0 to 7\n"
        "  requests 2\n"
        "  transactions 3, ideal 2: 1 more\n"
        "  bytes_moved 96, ideal 64: 32 more\n"
        "  bytes_used 64\n"
        "Why: lane 0 begins 8 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
        "with one\n");
  using load = cuda::cc90::load<128>;
  constexpr auto asked =
      co::detail::apply<32>(co::linear{.stride = 4096}, co::all_lanes, co::detail::limits_of<load>());
  COALESCE_CHECK(co::detail::ideal_of<load>(asked) == co::ideal<load>);
}
TEST_CASE("GCN: every second float takes twice the lines, and the path by quads") {
  CHECK(head(co::explain<gcn::buffer_load<32>>(co::linear{.stride = 8})) ==
        "gcn::buffer_load<32>: 64 lanes of 4 bytes, active: all\n"
        "  clocks 16, ideal 4: 4 times that\n"
        "  transactions 8, ideal 4: 2 times that\n"
        "  bytes_moved 512, ideal 256: 2 times that\n"
        "  bytes_used 256\n"
        "Why: lanes 0 and 1 are 8 bytes apart: the 64-byte line at byte 0 serves lanes 0 to 7, and 32 of its bytes are "
        "used\n"
        "Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 0 and 2 are 16 bytes apart\n");
}
TEST_CASE(
    "a piece has the noun of its instruction: a store of CDNA makes requests, and a load through L1 opens lines") {
  constexpr co::linear far{.stride = 4096}, late{.base = 32, .stride = 4};
  auto const opens = [](auto const& text, char const* piece) {
    return has(head(text), "Why: lanes 0 and 1 are 4,096 bytes apart: each opens its own " + std::string(piece) +
                               " and uses 4 bytes of it\n");
  };
  CHECK(opens(co::explain<cdna::gfx942::global_load<32>>(far), "128-byte line"));
  CHECK(opens(co::explain<cdna::gfx90a::global_load<32>>(far), "64-byte line"));
  CHECK(opens(co::explain<cdna::gfx942::global_store<32>>(far), "64-byte request"));
  CHECK(opens(co::explain<cdna::gfx942::buffer_store<32>>(far), "64-byte request"));
  CHECK(opens(co::explain<cdna::gfx950::global_atomic<32>>(far), "64-byte request"));
  CHECK(has(head(co::explain<cdna::gfx942::global_store<32>>(late)),
            "Why: lane 0 begins 32 bytes into a 64-byte request"));
  CHECK(opens(co::explain<cuda::cc35::load<32, cuda::caching::l1>>(far), "128-byte line"));
  CHECK(opens(co::explain<cuda::cc20::load<32>>(far), "128-byte line"));
  CHECK(opens(co::explain<cuda::cc35::load<32, cuda::caching::l2>>(far), "32-byte sector"));
  CHECK(opens(co::explain<cuda::cc20::store<32>>(far), "32-byte sector"));
}
TEST_CASE("GCN: sixteen dwords from the middle of a line") {
  CHECK(head(co::explain<gcn::s_load<16>>(co::linear{.base = 32})) ==
        "gcn::s_load<16>: 1 lane of 64 bytes, active: all\n"
        "  transactions 2, ideal 1: 2 times that\n"
        "  bytes_moved 128, ideal 64: 2 times that\n"
        "  bytes_used 64\n"
        "Why: lane 0 begins 32 bytes into a 64-byte line, so the lanes reach into more of them than if they began with "
        "one\n");
}

// ---- Banks ----

TEST_CASE("a column of rows of 36 floats: every eighth lane meets") {
  CHECK(head(co::explain<cuda::cc90::shared_load<32>>(co::linear{.stride = 36 * 4})) ==
        "cuda::cc90::shared_load<32>: 32 lanes of 4 bytes, active: all\n"
        "  rounds 4, ideal 1: 4 times that\n"
        "  conflicts 3, ideal 0: 3 more\n"
        "  phases 1\n"
        "  ways 4, ideal 1: 4 times that\n"
        "Why: in phase 1 of 1 (lanes 0 to 31) lanes 0, 8, 16 and 24 want different words of bank 0: 4 rounds\n");
}
TEST_CASE("lanes that share a word are not blamed") {
  // Lanes 2k and 2k + 1 read one word; words are 128 bytes apart.
  constexpr auto pairs = [](unsigned lane) { return lane / 2 * 128; };
  CHECK(has(co::explain<cuda::cc90::shared_load<32>>(pairs, 0xff).c_str(),
            "Why: in phase 1 of 1 (lanes 0 to 7) lanes 0, 2, 4 and 6 want different words of bank 0: 4 rounds\n"));
}
TEST_CASE("gfx942: rows of 40 floats, a float4 each: a phase of lanes that lie apart") {
  CHECK(head(co::explain<cdna::gfx942::ds_read<128>>(co::linear{.stride = 160})) ==
        "cdna::gfx942::ds_read<128>: 64 lanes of 16 bytes, active: all\n"
        "  rounds 16, ideal 8: 2 times that\n"
        "  conflicts 8, ideal 0: 8 more\n"
        "  phases 8\n"
        "  ways 2, ideal 1: 2 times that\n"
        "Why: in phase 1 of 8 (lanes 0 to 3 and 20 to 23) lanes 0 and 20 want different words of bank 0: 2 rounds\n");
}
TEST_CASE("ldmatrix from rows of 64 bytes") {
  CHECK(head(co::explain<cuda::cc80::ldmatrix<4>>(co::linear{.stride = 64})) ==
        "cuda::cc80::ldmatrix<4>: 32 lanes of 16 bytes, active: all\n"
        "  rounds 16, ideal 4: 4 times that\n"
        "  conflicts 12, ideal 0: 12 more\n"
        "  phases 4\n"
        "  ways 4, ideal 1: 4 times that\n"
        "Why: in phase 1 of 4 (lanes 0 to 7) lanes 0, 2, 4 and 6 want different words of bank 0: 4 rounds\n");
}

TEST_CASE("CC 2.0: what 16-byte words cost at best is blamed on no lane") {
  constexpr auto why = co::explain<cuda::cc20::shared_load<128>>(co::linear{.stride = 16});
  CHECK(head(why) ==
        "cuda::cc20::shared_load<128>: 32 lanes of 16 bytes, active: all\n"
        "  rounds 2\n"
        "  conflicts 1\n"
        "  phases 1\n"
        "  ways 2\n"
        "Why: these lanes conflict at least as often on neighbouring words\n");
}

// ---- Who is blamed ----

namespace {
/// The lines that begin with "Why: ".
template <class Text>
std::string why(Text const& text) {
  std::string const before = head(text);
  return before.substr(before.find("Why: "));
}
}  // namespace

TEST_CASE("lanes that are not active are not blamed, and the ideal leaves them out") {
  CHECK(has(co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4}, 0x5555'5555).c_str(),
            "  transactions 4, ideal 2: 2 times that\n"));
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4}, 0x5555'5555)) ==
        "Why: lanes 0 and 2 are 8 bytes apart: the 32-byte sector at byte 0 serves lanes 0, 2, 4 and 6, and 16 of its "
        "bytes are used\n");
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4096}, 0x110)) ==
        "Why: lanes 4 and 8 are 16,384 bytes apart: each opens its own 32-byte sector and uses 4 bytes of it\n");
  // A warp that begins late: the lane that is named is the first active one.
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.base = 4, .stride = 4}, 0xffff'fff8)) ==
        "Why: lane 3 begins 16 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
        "with one\n");
  // CC 1.3: as many transactions as at best, which is 32 bytes, as of lanes that lie together.
  CHECK(has(co::explain<cuda::cc13::load<32>>(co::linear{.stride = 4}, 0x101).c_str(),
            "  transactions 1\n  bytes_moved 64, ideal 32: 2 times that\n"));
}
TEST_CASE("how far apart, in either direction, up to the whole of memory") {
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.base = 1 << 20, .stride = -4096}, 0xff)) ==
        "Why: lanes 0 and 1 are 4,096 bytes apart: each opens its own 32-byte sector and uses 4 bytes of it\n");
  auto const far = [](std::uint64_t second) {
    return why(
        co::explain<cuda::cc90::load<32>>([=](unsigned lane) { return lane == 0 ? std::uint64_t{0} : second; }, 0b11));
  };
  CHECK(has(far(std::uint64_t{1} << 62), "lanes 0 and 1 are 4,611,686,018,427,387,904 bytes apart: "));
  CHECK(has(far(std::uint64_t{3} << 62), "lanes 0 and 1 are 13,835,058,055,282,163,712 bytes apart: "));
}
TEST_CASE("bytes are counted once, of the lanes that a transaction serves, and inside it") {
  // Lanes in pairs; on GCN 8 of 16 bytes before a line ends; on CC 1.3 the other half-warp asks for the same segment.
  CHECK(why(co::explain<cuda::cc90::load<32>>([](unsigned lane) { return lane / 2 * 64; })) ==
        "Why: lanes 1 and 2 are 64 bytes apart: the 32-byte sector at byte 0 serves lanes 0 and 1, and 4 of its bytes "
        "are used\n");
  CHECK(has(why(co::explain<gcn::buffer_load<128>>(co::linear{.base = 56, .stride = 4096})),
            "Why: lanes 0 and 1 are 4,096 bytes apart: each opens its own 64-byte line and uses 8 bytes of it\n"));
  CHECK(
      why(co::explain<cuda::cc13::load<8>>([](unsigned lane) { return lane < 16 ? 4 * lane : 4 * (lane - 16) + 1; })) ==
      "Why: lanes 0 and 1 are 4 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 7, and 8 of its bytes "
      "are used\n");
  CHECK(why(co::explain<cuda::cc90::load<8>>([](unsigned lane) { return lane == 0 ? 0u : 63 + lane; }, 0b111)) ==
        "Why: lanes 0 and 1 are 64 bytes apart: the 32-byte sector at byte 0 serves lane 0, and 1 of its bytes is "
        "used\n");
  // Lanes 0 to 7 fill a sector; the other of the pair is guilty.
  CHECK(why(co::explain<cuda::cc90::load<32>>([](unsigned lane) { return lane < 8 ? 4 * lane : 64 * lane; }, 0x3ff)) ==
        "Why: lanes 7 and 8 are 484 bytes apart: the 32-byte sector at byte 512 serves lane 8, and 4 of its bytes are "
        "used\n");
}
TEST_CASE("GCN: of each 16 lanes the first that take more clocks than neighbours") {
  CHECK(has(why(co::explain<gcn::buffer_load<32>>([](unsigned lane) { return lane < 16 ? 4 * lane : 64 * lane; })),
            "Why: lanes 16 to 31 take 4 clocks, where neighbours take 1: lanes 16 and 17 are 64 bytes apart\n"));
  CHECK(has(why(co::explain<gcn::buffer_load<32>>(co::linear{.stride = 64}, 0xfff0'0000)),
            "Why: lanes 20 to 31 take 3 clocks, where neighbours take 1: lanes 20 and 21 are 64 bytes apart\n"));
}
TEST_CASE("of banks the first phase that takes more rounds than one is blamed") {
  CHECK(why(co::explain<cuda::cc90::shared_load<64>>([](unsigned lane) {
          return lane < 16 ? 8 * lane : 256 * (lane - 16);
        })) == "Why: in phase 2 of 2 (lanes 16 to 31) lanes 16 to 31 want different words of bank 0: 16 rounds\n");
}
TEST_CASE("of atomics the first address that two lanes name") {
  auto const twelve = [](unsigned lane) { return lane == 5 ? 12 : 4 * lane; };
  for (std::uint64_t const mask : {0x2du, 0x2cu})
    CHECK(why(co::explain<cuda::cc90::atomic<32>>(twelve, mask)) ==
          "Why: lanes 3 and 5 name byte 12: their operations follow one another\n");
  CHECK(why(co::explain<cuda::cc90::atomic<32>>(co::linear{.stride = 4}, 0b1)) ==
        "Why: no number is above its ideal, the cost of these lanes on neighbouring words\n");
}
TEST_CASE("one byte is one byte") {
  CHECK(why(co::explain<cuda::cc90::constant_load<8>>(co::linear{.stride = 1})) ==
        "Why: lanes 0 and 1 are 1 byte apart: each address is a request\n");
  CHECK(has(co::explain<cuda::cc90::load<8>>(co::linear{.base = 1, .stride = 1}).c_str(), ": 32 lanes of 1 byte, "));
  CHECK(why(co::explain<cuda::cc90::load<8>>(co::linear{.base = 1, .stride = 1})) ==
        "Why: lane 0 begins 1 byte into a 32-byte sector, so the lanes reach into more of them than if they began with "
        "one\n");
}

// ---- Atomics and constants ----

TEST_CASE("all lanes add to one word") {
  CHECK(head(co::explain<cuda::cc90::atomic<32>>(co::broadcast{})) ==
        "cuda::cc90::atomic<32>: 32 lanes of 4 bytes, active: all\n"
        "  transactions 1\n"
        "  bytes_moved 32\n"
        "  bytes_used 4\n"
        "  operations 32\n"
        "  lanes_on_one_address 32, ideal 1: 32 times that\n"
        "Why: lanes 0 to 31 name byte 0: their operations follow one another\n");
}
TEST_CASE("a table of constants, an entry a lane") {
  CHECK(head(co::explain<cuda::cc90::constant_load<32>>(co::linear{.stride = 4})) ==
        "cuda::cc90::constant_load<32>: 32 lanes of 4 bytes, active: all\n"
        "  requests 32, ideal 1: 32 times that\n"
        "  bytes_used 128, ideal 4: 32 times that\n"
        "Why: lanes 0 and 1 are 4 bytes apart: each address is a request\n");
}

// ---- Counters ----

TEST_CASE("shared stores are compared with the counter that leaves other arbitration out") {
  std::string const text = co::explain<cuda::cc90::shared_store<32>>(co::linear{.stride = 128});
  CHECK(has(text, "  conflicts = sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum / "));
  CHECK(has(text,
            "  rounds = l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum / "
            "smsp__sass_inst_executed_op_shared_st.sum; stmatrix counts there too, and other arbitration"));
}
TEST_CASE("of what is not in the table it is said to be unknown, and why where a counter looks like it") {
  CHECK(has(tail(co::explain<cuda::cc61::load<32>>(co::linear{.stride = 4})),
            "Profiler, summed over such instructions:\n"
            "  requests, transactions, bytes_moved, bytes_used: no counter is known to count the same: nvprof's "
            "gld_transactions counts neither sectors nor requests, as measured on CC 6.1\n"));
  CHECK(has(tail(co::explain<cuda::cc61::store<32>>(co::linear{.stride = 4})), "to count the same\n"));
  CHECK(has(tail(co::explain<cuda::cc90::cp_async<16>::shared>(co::linear{.stride = 16})),
            "to count the same: no document says what Nsight Compute's counters of op_ldgsts count\n"));
  CHECK(has(tail(co::explain<cuda::cc90::stmatrix<4>>(co::linear{.stride = 16})),
            "of stmatrix no document names another\n"));
  CHECK(has(tail(co::explain<cuda::cc90::shared_atomic<32>>(co::linear{.stride = 4})), "in shared memory count\n"));
  CHECK(!has(tail(co::explain<cuda::cc70::load<32>>(co::linear{.stride = 4})), "requests, transactions, bytes_moved"));
}
TEST_CASE(
    "before CC 7.0 the transactions of shared memory are its rounds: a column of 32 floats on a GT 1030 made 32") {
  CHECK(co::cost<cuda::cc61::shared_load<32>>(co::linear{.stride = 128}).rounds == 32);
  // A K80, in order: one a load of 64 bits, two of 128.
  CHECK(co::cost<cuda::cc37::shared_load<64>>(co::linear{.stride = 8}).rounds == 1);
  CHECK(co::cost<cuda::cc37::shared_load<128>>(co::linear{.stride = 16}).rounds == 2);
  std::string const text = co::explain<cuda::cc61::shared_load<32>>(co::linear{.stride = 128});
  CHECK(has(text, "  rounds = shared_load_transactions\n"));
  CHECK(has(text, "that a transaction is a round: measured on CC 3.7 and 6.1, address: https://docs.nvidia.com/"));
  CHECK(!has(co::explain<cuda::cc21::shared_load<32>>(co::linear{.stride = 4}).c_str(), "shared_load_transactions"));
  CHECK(!has(co::explain<cuda::cc70::shared_load<32>>(co::linear{.stride = 4}).c_str(), "shared_load_transactions"));
}
TEST_CASE("32 atomics on one word were 32 sectors of the counter on an RTX 3070, where we count one") {
  CHECK(co::cost<cuda::cc86::atomic<32>>(co::broadcast{}).transactions == 1);
  CHECK(has(co::explain<cuda::cc86::atomic<32>>(co::broadcast{}).c_str(),
            "  transactions = l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum / "
            "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum; may show more: lanes on one address count again"));
}
TEST_CASE("ncu's Source page counts what the addresses need: NVIDIA's own report of daxpy on an RTX 3070") {
  // NVIDIA/nsight-training, 2d680f7f, cuda/nsight_compute/sample_reports/manual_nvtx.ncu-rep, read with ncu-report: of
  // each of two LDG.E.64 and an STG.E.64 inst_executed, sectors, ideal and tag requests.
  constexpr std::uint64_t executed = 131'072, sectors = 1'048'576, tags = 262'144;
  constexpr co::linear doubles{.stride = 8};
  CHECK(co::cost<cuda::cc86::load<64>>(doubles).transactions * executed == sectors);
  CHECK(co::ideal<cuda::cc86::load<64>>.transactions * executed == sectors);
  CHECK(co::cost<cuda::cc86::load<64>>(doubles).lines * executed == tags);
  CHECK(co::cost<cuda::cc86::store<64>>(doubles).transactions * executed == sectors);
  CHECK(co::cost<cuda::cc86::store<64>>(doubles).lines * executed == tags);
}
TEST_CASE("ncu's Source page: a matrix product of BatchLAS, whose sectors, ideal and tags are public") {
  // 524,288 executions each: LDG.E.128 of 32 bytes from each of 16 columns of 512 bytes, two LDG.E.64 of every second 8
  // bytes, and an LDG.E.128 and STG.E.128 of which a request has 16 sectors. Sectors 41,943,040, excess 8,388,608.
  constexpr std::uint64_t each = 524'288;
  constexpr auto columns = [](unsigned lane) { return lane / 2 * 512 + lane % 2 * 16; };
  constexpr co::linear halves{.base = 8, .stride = 16};
  using wide = cuda::cc89::load<128>;
  using half = cuda::cc89::load<64>;
  CHECK(co::cost<wide>(columns).transactions == 16);
  CHECK(co::cost<wide>(columns).lines == 16);
  CHECK(co::cost<wide>(co::linear{.stride = 16}).lines == 4);
  CHECK(2 * co::cost<half>(halves).lines == 8);
  CHECK((co::cost<half>(halves).transactions - co::ideal<half>.transactions) * 2 * each == 8'388'608);
  CHECK((2 * co::cost<half>(halves).transactions + 3 * co::cost<wide>(columns).transactions) * each == 41'943'040);
}
TEST_CASE("ncu's Source page: one 16-byte word for all lanes is two wavefronts on GA102, as many as our rounds") {
  // 1,048,576 x (32 LDS + 8 LDS.128 + 2 STS) are 52,428,800 wavefronts: 2 for each LDS.128. Where rounds does not merge
  // lanes, since nobody measured it, the line says that it may show fewer.
  constexpr std::uint64_t chunks = 1'048'576, wavefronts = 52'428'800;
  CHECK((wavefronts / chunks - 32 - 2) / 8 == 2);
  CHECK(co::cost<cuda::cc86::shared_load<128>>(co::broadcast{}).rounds == 2);
  CHECK(co::cost<cuda::cc89::shared_load<128>>(co::broadcast{}).rounds == 4);
  auto const may_show_fewer = [](co::counter_list const& lines) {
    bool said = false;
    for (co::counter const& line : lines) said = said || (*line.sass != '\0' && line.may_be == co::deviation::fewer);
    return said;
  };
  CHECK(!may_show_fewer(co::counters_of<cuda::cc86::shared_load<128>>()));
  CHECK(may_show_fewer(co::counters_of<cuda::cc89::shared_load<128>>()));
}
TEST_CASE("counters of RDNA: 1 to 3 have them, of a wave64 none is known, and gfx12's reads 0") {
  std::string const of_11 = tail(co::explain<rdna::gfx1100::ds_load<128>>(co::linear{.stride = 32}));
  CHECK(has(of_11, "  rounds = SQC_LDS_IDX_ACTIVE / SQ_INSTS_LDS; reads, writes and atomics of LDS"));
  CHECK(has(of_11, "  conflicts = SQC_LDS_BANK_CONFLICT / SQ_INSTS_LDS; "));
  CHECK(has(of_11, "  phases, ways: no counter is known to count the same\n"));
  CHECK(has(tail(co::explain<rdna::gfx1030::ds_load<32>>(co::linear{.stride = 4})), "  rounds = SQC_LDS_IDX_ACTIVE"));
  std::string const of_64 = tail(co::explain<rdna::gfx1100::wave64::ds_load<32>>(co::linear{.stride = 4}));
  CHECK(!has(of_64, "SQC_LDS_IDX_ACTIVE"));
  CHECK(has(of_64, "count the same: no document says whether a wave64 counts once or by its halves\n"));
  std::string const of_12 = tail(co::explain<rdna::gfx1201::ds_load<32>>(co::linear{.stride = 4}));
  CHECK(!has(of_12, "SQC_LDS_IDX_ACTIVE"));
  CHECK(has(of_12,
            "rounds, conflicts, phases, ways: no counter is known to count the same: SQC_LDS_BANK_CONFLICT reads "
            "0 on gfx1201 (ROCm/rocm-systems, issue 5953)\n"));
}
TEST_CASE("the lines of one instruction, and a number by its name") {
  auto const loads = co::counters_of<cuda::cc90::load<128>>();
  CHECK(loads.size() == 6);
  CHECK(std::string(loads.begin()->number) == "transactions");
  CHECK(loads.begin()->may_be == co::deviation::none);
  for (co::counter const& line : loads)
    CHECK((line.may_be == co::deviation::more) == (std::string(line.number).find("wavefronts") != std::string::npos));
  CHECK(co::counters_of<cuda::cc61::load<32>>().size() == 0);
  CHECK(co::counters_of<cdna::gfx942::global_load<32>>().begin()->may_be == co::deviation::fewer);

  constexpr auto cost = co::cost<cuda::cc90::load<32>>(co::linear{.base = 4, .stride = 4});
  COALESCE_CHECK(co::number_named(cost, "requests") == 1);
  COALESCE_CHECK(co::number_named(cost, "transactions") == 5);
  COALESCE_CHECK(co::number_named(cost, "lines") == 2);
  COALESCE_CHECK(co::number_named(cost, "rounds") == 0);
  COALESCE_CHECK(co::number_named(cost, "line") == 0);
}
TEST_CASE("the table of counters, line by line, as the profilers' documents have them") {
  using co::evidence, co::deviation;
  constexpr auto ncu = co::profiler::nsight_compute, nvprof = co::profiler::nvprof, mi100 = co::profiler::rocprof_mi100,
                 mi200 = co::profiler::rocprof_mi200, gfx10 = co::profiler::rocprof_gfx10,
                 gfx11 = co::profiler::rocprof_gfx11;
  struct line {
    co::profiler by;
    unsigned since;
    char const *instruction, *number, *name, *executed, *noise, *document;
    evidence how;
    char const* assumes = "";
    deviation may_be = deviation::none;
    char const* sass = "";
    bool has_ideal = false;
  };
  constexpr auto documented = evidence::documented, measured = evidence::measured, inferred = evidence::inferred;
  constexpr auto more = deviation::more, fewer = deviation::fewer, either = deviation::either;
  constexpr char const *loads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                       *stores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                       *shared_loads = "smsp__sass_inst_executed_op_shared_ld.sum",
                       *shared_stores = "smsp__sass_inst_executed_op_shared_st.sum", *lds = "SQ_INSTS_LDS",
                       *each = "inst_executed", *l2 = "memory_l2_theoretical_sectors_global",
                       *tags = "memory_l1_tag_requests_global", *waves = "memory_l1_wavefronts_shared";
  constexpr char const *cli = "NVIDIA Nsight Compute CLI", *guide = "NVIDIA Profiler User's Guide",
                       *strides = "te42kyfo/gpu-benches, gpu-strides", *counters = "AMD ROCm, MI300 and MI200",
                       *compute = "ROCm Compute Profiler, Local data share",
                       *pages = "NVIDIA Nsight Compute, User Guide", *columns = "jonasdelacour/BatchLAS",
                       *described = "NVIDIA ncu-report, descriptions of its metrics",
                       *sdk = "AMD ROCprofiler-SDK, counter_defs.yaml";
  constexpr char const *rounds = "that a transaction is a round", *as_mi100 = "that GCN's LDS counts as MI100's",
                       *alike = "that GCN's caches count as MI100's", *as_cdna = "that they count as CDNA's";
  constexpr char const *misses = "it counts misses, and what we count are the lines if all miss; FLAT",
                       *on_mi100 = "rocprofv3 has it on MI100 alone, on no GCN; it counts misses",
                       *flat = "FLAT and scratch are among the instructions",
                       *alike_in_l1 = "may show more: lanes far apart cost more; loads and stores count there alike; ",
                       *merged = "may show fewer where pairs of lanes read one address and rounds does not merge them";
  std::vector<line> const known = {
      // Nsight Compute: what replaces the metrics of nvprof, from CC 7.0 on.
      {ncu, 70, "load", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", loads, "", cli, documented},
      {ncu, 70, "load", "requests", loads, "", "", cli, documented},
      {ncu, 70, "store", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", stores, "", cli, documented},
      {ncu, 70, "store", "requests", stores, "", "", cli, documented},
      {ncu, 70, "shared_load", "rounds", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", shared_loads,
       "ldmatrix counts there too", cli, documented, "", either},
      {ncu, 70, "shared_load", "conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", shared_loads,
       "ldmatrix counts there too", "NVIDIA forum, bank_conflicts metric", measured, "", either},
      {ncu, 70, "shared_store", "rounds", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", shared_stores,
       "stmatrix counts there too, and other arbitration", cli, documented, "", more},
      {ncu, 70, "shared_store", "conflicts", "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
       shared_stores, "", "ncu, a log of a transpose on CC 8.9", inferred},
      {ncu, 80, "ldmatrix", "conflicts", "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum",
       "smsp__inst_executed_op_ldsm.sum", "", "xlite-dev/LeetCUDA", measured},
      {ncu, 70, "load", "data_wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", loads,
       "stores, atomics and shared memory", strides, measured, "", more},
      {ncu, 70, "load", "tag_wavefronts_at_least", "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum", loads,
       "may show more: lines of one set", strides, measured, "", more},
      {ncu, 70, "atomic", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
       "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "may show more: lanes on one address", cli, documented, "",
       more},
      {ncu, 70, "red", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
       "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "may show more: lanes on one address", cli, documented, "",
       more},
      // The same, of each instruction alone.
      {ncu, 70, "load", "transactions", l2, each, "", pages, documented, "", deviation::none, "LDG", true},
      {ncu, 70, "load", "lines", tags, each, "", columns, measured, "", deviation::none, "LDG"},
      {ncu, 70, "store", "transactions", l2, each, "", pages, documented, "", deviation::none, "STG", true},
      {ncu, 70, "store", "lines", tags, each, "", columns, measured, "", deviation::none, "STG"},
      {ncu, 70, "shared_load", "rounds", waves, each, merged, pages, documented, "", fewer, "LDS", true},
      {ncu, 70, "shared_store", "rounds", waves, each, "", pages, documented, "", deviation::none, "STS", true},
      {ncu, 75, "ldmatrix", "rounds", waves, each, "", described, documented, "", deviation::none, "LDSM", true},
      {ncu, 90, "stmatrix", "rounds", waves, each, "", described, documented, "", deviation::none, "STSM", true},
      {ncu, 80, "cp_async::shared", "rounds", waves, each, "lanes that write one place count apart", described,
       documented, "", more, "LDGSTS", true},
      // nvprof, before.
      {nvprof, 30, "shared_load", "rounds", "shared_load_transactions", "", merged, guide, documented, rounds, fewer},
      {nvprof, 30, "shared_store", "rounds", "shared_store_transactions", "", "", guide, documented, rounds},
      // rocprof.
      {mi200, 0, "global_load", "transactions", "TCP_TCC_READ_REQ_sum", "SQ_INSTS_VMEM_RD", misses, counters,
       documented, "", fewer},
      {mi200, 0, "global_load", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", "SQ_INSTS_VMEM_RD", alike_in_l1, counters,
       inferred, "", more},
      {mi200, 0, "global_store", "transactions", "TCP_TCC_WRITE_REQ_sum", "SQ_INSTS_VMEM_WR", flat, counters,
       documented},
      {mi200, 0, "global_store", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", "SQ_INSTS_VMEM_WR", alike_in_l1, counters,
       inferred, "", more},
      {mi200, 0, "buffer_load", "transactions", "TCP_TCC_READ_REQ_sum", "SQ_INSTS_VMEM_RD", misses, counters,
       documented, "", fewer},
      {mi200, 0, "buffer_load", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", "SQ_INSTS_VMEM_RD", alike_in_l1, counters,
       inferred, "", more},
      {mi200, 0, "buffer_store", "transactions", "TCP_TCC_WRITE_REQ_sum", "SQ_INSTS_VMEM_WR", flat, counters,
       documented},
      {mi200, 0, "buffer_store", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", "SQ_INSTS_VMEM_WR", alike_in_l1, counters,
       inferred, "", more},
      {mi200, 0, "s_load", "transactions", "SQC_TC_DATA_READ_REQ", "SQ_INSTS_SMEM",
       "it counts misses, and what we count are the lines if all miss", counters, documented, "", fewer},
      {mi100, 0, "buffer_load", "transactions", "TCP_TCC_READ_REQ_sum", "SQ_INSTS_VMEM_RD", on_mi100, counters,
       inferred, alike, fewer},
      {mi100, 0, "buffer_store", "transactions", "TCP_TCC_WRITE_REQ_sum", "SQ_INSTS_VMEM_WR",
       "rocprofv3 has it on MI100 alone, on no GCN; FLAT", counters, inferred, alike},
      {mi100, 0, "s_load", "transactions", "SQC_TC_DATA_READ_REQ", "SQ_INSTS_SMEM", on_mi100, counters, inferred, alike,
       fewer},
  };
  auto const begins = [](char const* words, char const* with) {
    return *with == '\0' ? *words == '\0' : std::string_view(words).starts_with(with);
  };
  auto const table = co::all_counters();
  unsigned of_lds = 0;
  for (co::counter const& is : table.lines) {
    CAPTURE(static_cast<int>(is.by));
    CAPTURE(is.instruction);
    CAPTURE(is.number);
    // LDS: two counters, for all of its instructions. GCN 5 has the one of conflicts, RDNA 1 to 3 both by other names.
    if (std::string_view(is.instruction).starts_with("ds_")) {
      bool const gcn = is.by == mi100, rdna = is.by == gfx10 || is.by == gfx11;
      bool const rounds_of = std::string_view(is.number) == "rounds";
      CHECK((gcn || rdna || is.by == mi200));
      CHECK((rounds_of || std::string_view(is.number) == "conflicts"));
      CHECK(is.since == 0);
      CHECK(std::string(is.name) ==
            std::string(rdna ? "SQC" : "SQ") + (rounds_of ? "_LDS_IDX_ACTIVE" : "_LDS_BANK_CONFLICT"));
      CHECK(std::string_view(is.executed) == lds);
      CHECK(has(is.noise, "reads, writes and atomics of LDS count there alike; FLAT is among the instructions"));
      CHECK(has(is.noise, "rocprofv3 has it on MI100 alone, on no GCN; ") == (gcn && rounds_of));
      CHECK(has(is.noise, "rocprofv3 has it on GCN 5 (gfx900, gfx906) and MI100, not on GCN 1 to 4; ") ==
            (gcn && !rounds_of));
      CHECK(begins(is.from.document, rdna ? sdk : compute));
      CHECK(is.from.evidence == (gcn || rdna ? inferred : documented));
      CHECK(begins(is.from.assumes, gcn ? as_mi100 : rdna ? as_cdna : ""));
      CHECK(is.may_be == deviation::none);
      CHECK(*is.sass == '\0');
      ++of_lds;
      continue;
    }
    unsigned found = 0;
    for (line const& want : known)
      if (want.by == is.by && std::string_view(want.instruction) == is.instruction &&
          std::string_view(want.number) == is.number && std::string_view(want.sass) == is.sass) {
        ++found;
        CHECK(is.has_ideal == want.has_ideal);
        CHECK(is.since == want.since);
        CHECK(std::string_view(is.name) == want.name);
        CHECK(std::string_view(is.executed) == want.executed);
        CHECK(begins(is.noise, want.noise));
        CHECK(begins(is.from.document, want.document));
        CHECK(is.from.evidence == want.how);
        CHECK(begins(is.from.assumes, want.assumes));
        CHECK(is.may_be == want.may_be);
      }
    CHECK(found == 1);
  }
  CHECK(of_lds == 16);
  CHECK(std::size(table.lines) == of_lds + known.size());
}
TEST_CASE("the counters of shared loads may show fewer just where pairs of lanes may merge unseen") {
  using co::deviation;
  // The rounds and conflicts of l1tex, and the rounds of the Source page.
  auto const are = [](co::counter_list const& lines, deviation of_l1tex, deviation of_page) {
    auto const* line = lines.begin();
    return lines.size() == 3 && line[0].may_be == of_l1tex && line[1].may_be == of_l1tex && line[2].may_be == of_page;
  };
  auto const may_not = [&](co::counter_list const& lines) { return are(lines, deviation::more, deviation::none); };
  auto const may = [&](co::counter_list const& lines) { return are(lines, deviation::either, deviation::fewer); };
  CHECK((may_not(co::counters_of<cuda::cc89::shared_load<32>>()) &&
         may(co::counters_of<cuda::cc89::shared_load<64>>()) && may(co::counters_of<cuda::cc89::shared_load<128>>())));
  CHECK((may(co::counters_of<cuda::cc86::shared_load<64>>()) &&
         may_not(co::counters_of<cuda::cc86::shared_load<128>>())));
  // It is so where our default does not merge, and mode pair_merge does.
  devices<cuda::cc70, cuda::cc75, cuda::cc80, cuda::cc86, cuda::cc87, cuda::cc89, cuda::cc90, cuda::cc100,
          cuda::cc121>::each([&]<class Device>() {
    constexpr auto one_address = co::linear{.stride = 0};
    auto const merges_unseen = [&]<unsigned Bits>() {
      return co::cost<typename Device::template shared_load<Bits>>(one_address).rounds !=
             co::cost<typename Device::template shared_load<Bits, cuda::shared_mode::pair_merge>>(one_address).rounds;
    };
    CHECK(merges_unseen.template operator()<64>() == may(co::counters_of<typename Device::template shared_load<64>>()));
    CHECK(merges_unseen.template operator()<128>() ==
          may(co::counters_of<typename Device::template shared_load<128>>()));
  });
}
TEST_CASE("the counters of shared loads whose mode is named: pair_merge has the fewest rounds, no_merge the most") {
  using co::deviation, cuda::shared_mode;
  auto const rounds_may_be = []<class Instruction>() {
    for (co::counter const& line : co::counters_of<Instruction>())
      if (std::string(line.number) == "rounds" && (*line.sass != '\0' || line.by == co::profiler::nvprof))
        return line.may_be;
    return deviation::either;
  };
  // The hardware merges as pair_merge does, as by_default does, or on some machines as one of both: which is unknown.
  devices<cuda::cc52, cuda::cc61, cuda::cc70, cuda::cc75, cuda::cc80, cuda::cc86, cuda::cc87, cuda::cc89, cuda::cc90,
          cuda::cc100, cuda::cc121>::each([&]<class Device>() {
    auto const check = [&]<unsigned Bits>() {
      using by_default = typename Device::template shared_load<Bits>;
      using merged = typename Device::template shared_load<Bits, shared_mode::pair_merge>;
      using apart = typename Device::template shared_load<Bits, shared_mode::no_merge>;
      constexpr auto one_address = co::linear{.stride = 0};
      bool const is_unknown = co::cost<by_default>(one_address).rounds != co::cost<merged>(one_address).rounds;
      CHECK(co::cost<apart>(one_address).rounds > co::cost<merged>(one_address).rounds);
      CHECK(rounds_may_be.template operator()<by_default>() == (is_unknown ? deviation::fewer : deviation::none));
      CHECK(rounds_may_be.template operator()<merged>() == (is_unknown ? deviation::more : deviation::none));
      CHECK(rounds_may_be.template operator()<apart>() == deviation::fewer);
    };
    check.template operator()<64>();
    check.template operator()<128>();
  });
  CHECK(rounds_may_be.template operator()<cuda::cc37::shared_load<64>>() == deviation::none);
}
/// Whether each instruction has both counters of LDS: of rounds and of conflicts.
template <class... Instructions>
bool have_counters_of_lds() {
  return (... && (co::counters_of<Instructions>().size() == 2));
}
TEST_CASE("the counters of LDS are those of each of its loads and stores, of one place and of two") {
  CHECK(have_counters_of_lds<cdna::gfx90a::ds_read<32>, cdna::gfx90a::ds_write<32>, cdna::gfx90a::ds_read2<32, 0, 1>,
                             cdna::gfx90a::ds_read2st64<32, 0, 1>, cdna::gfx942::ds_write2<32, 0, 1>,
                             cdna::gfx950::ds_write2st64<64, 0, 1>>());
  CHECK(have_counters_of_lds<rdna::gfx1030::ds_load<32>, rdna::gfx1030::ds_store<32>,
                             rdna::gfx1010::ds_load_2addr<32, 0, 1>, rdna::gfx1010::ds_load_2addr_stride64<32, 0, 1>,
                             rdna::gfx1030::ds_store_2addr<32, 0, 1>,
                             rdna::gfx1030::ds_store_2addr_stride64<32, 0, 1>>());
  CHECK(have_counters_of_lds<rdna::gfx1100::ds_load<32>, rdna::gfx1151::ds_store<32>,
                             rdna::gfx1100::ds_load_2addr<32, 0, 1>, rdna::gfx1100::ds_load_2addr_stride64<32, 0, 1>,
                             rdna::gfx1100::ds_store_2addr<32, 0, 1>,
                             rdna::gfx1100::ds_store_2addr_stride64<32, 0, 1>>());
}
TEST_CASE("an instruction without a counter says why") {
  auto const says = [](auto const& text, char const* why) {
    return has(tail(text), std::string("no counter is known to count the same: ") + why + "\n");
  };
  CHECK(says(co::explain<cdna::gfx942::ds_atomic<32>>(co::linear{.stride = 4}),
             "lanes on one address take turns, and no document says how many cycles that adds"));
  CHECK(says(co::explain<cdna::gfx942::global_load_lds<32>::global>(co::linear{.stride = 4}),
             "no document says which counters count a load from memory to LDS"));
  CHECK(says(co::explain<cdna::gfx942::global_atomic<32>>(co::linear{.stride = 4}),
             "L1 counts atomics with a result and those without it apart, and the name does not tell which it is"));
  CHECK(says(co::explain<cuda::cc90::constant_load<32>>(co::linear{.stride = 4}),
             "no document says which counter counts the words of constant memory that a warp reads in turn"));
}
TEST_CASE("a counter that may show more or fewer says why") {
  auto const table = co::all_counters();
  for (co::counter const& line : table.lines) {
    INFO(line.name);
    CHECK((line.may_be == co::deviation::none || *line.noise != '\0'));
    unsigned beside = 0;
    for (co::counter const& other : table.lines)
      beside += other.by == line.by && std::string(other.instruction) == line.instruction;
    CHECK(beside <= std::size(co::counter_list{}.items));
  }
}
TEST_CASE("every counter belongs to an instruction that there is, and has a source and no twin") {
  std::string all = co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4});
  all += co::explain<cuda::cc90::store<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cuda::cc90::shared_load<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cuda::cc90::shared_store<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cuda::cc80::ldmatrix<4>>(co::linear{.stride = 16}).c_str();
  all += co::explain<cuda::cc90::atomic<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cuda::cc90::red<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cuda::cc90::stmatrix<4>>(co::linear{.stride = 16}).c_str();
  all += co::explain<cuda::cc90::cp_async<16>::shared>(co::linear{.stride = 16}).c_str();
  all += co::explain<rdna::gfx1030::ds_load<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<rdna::gfx1100::ds_load<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<rdna::gfx1151::ds_store<32>>(co::linear{.stride = 4}).c_str();
  devices<cuda::cc37, cuda::cc52, cuda::cc60>::each([&]<class Device>() {
    all += co::explain<typename Device::template shared_load<32>>(co::linear{.stride = 4}).c_str();
    all += co::explain<typename Device::template shared_store<32>>(co::linear{.stride = 4}).c_str();
  });
  all += co::explain<cdna::gfx942::ds_read2<64, 0, 1>>(co::linear{.stride = 16}).c_str();
  all += co::explain<cdna::gfx950::ds_read_tr<64>>(co::linear{.stride = 8}).c_str();
  all += co::explain<gcn::ds_read<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<gcn::ds_write<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cdna::gfx942::ds_read<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cdna::gfx942::ds_write<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cdna::gfx942::global_load<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<cdna::gfx942::global_store<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<gcn::buffer_load<32>>(co::linear{.stride = 4}).c_str();
  all += co::explain<gcn::s_load<1>>(co::linear{}).c_str();
  auto const table = co::all_counters();
  for (co::counter const& line : table.lines) {
    INFO(line.name);
    CHECK(has(all, std::string("  ") + line.number + " = " + line.name));
    CHECK(std::string(line.from.document) != "none");
    CHECK(
        (line.from.evidence == co::evidence::inferred || std::string_view(line.from.address).starts_with("https://")));
    unsigned twins = 0;
    for (co::counter const& other : table.lines)
      twins += other.by == line.by && std::string(other.instruction) == line.instruction &&
               std::string(other.number) == line.number && std::string(other.sass) == line.sass;
    CHECK(twins == 1);
  }
}

// ---- Every instruction ----

TEST_CASE("every instruction of NVIDIA's machines is explained: each number, its rule, its address") {
  unsigned without_atomics = 0;
  cuda::every_machine::each([&]<class Device>() {
    check<typename Device::template load<32>, typename Device::template store<64>,
          typename Device::template constant_load<32>, typename Device::template shared_load<128>>();
    if constexpr (lists_machine("tesla", Device::name))
      ++without_atomics;
    else
      check<typename Device::template atomic<32>>();
  });
  CHECK(without_atomics == 4);
  CHECK(checked == 5 * cuda::every_machine::count - without_atomics);
  checked = 0;
  // Other widths, and the rest of the instructions. (explain_all.cpp asks each of them of every machine.)
  devices<cuda::cc13, cuda::cc20, cuda::cc90>::each([]<class Device>() {
    check<typename Device::template load<8>, typename Device::template load<128>,
          typename Device::template shared_load<32>, typename Device::template shared_store<64>>();
  });
  check<cuda::cc20::shared_atomic<64>, cuda::cc90::shared_atomic<64>>();
  check<cuda::cc100::load<256>, cuda::cc20::load<32, cuda::caching::l1>,
        cuda::cc30::shared_load<64, cuda::shared_mode::eight_byte_banks>,
        cuda::cc75::shared_load<64, cuda::shared_mode::pair_merge>, cuda::cc90::cp_async<16>::global,
        cuda::cc90::cp_async<16>::shared, cuda::cc90::ldmatrix<2>, cuda::cc90::stmatrix<4, cuda::matrix::m8n8_trans>>();
  CHECK(checked == 3 * 4 + 2 + 8);
}
TEST_CASE("every instruction of GCN and CDNA is explained: each number, its rule, its address") {
  check<gcn::buffer_load<32>, gcn::buffer_load<32, 4>, gcn::buffer_store<32>, gcn::buffer_atomic<32>,
        gcn::image_load<32>, gcn::image_sample<128>, gcn::image_store<32>, gcn::s_load<4>, gcn::ds_read<8>,
        gcn::ds_read<96>, gcn::ds_write<128>>();
  cdna::every_machine::each([]<class Chip>() {
    check<typename Chip::template global_load<32>, typename Chip::template global_load<128>,
          typename Chip::template global_store<32>, typename Chip::template global_atomic<32>,
          typename Chip::template buffer_load_lds<32>::global>();
  });
  cdna::every_machine::each([]<class Chip>() {
    check<typename Chip::template ds_read<32>, typename Chip::template ds_read<128>,
          typename Chip::template ds_write<64>, typename Chip::template ds_atomic<32>>();
  });
  check<cdna::gfx950::ds_read_tr<64>, cdna::gfx942::ds_read2<64, 0, 1>, cdna::gfx942::ds_write2st64<32, 0, 1>,
        cdna::gfx950::global_load_lds<128>::global>();
}
TEST_CASE("control: a text that lacks a number, a rule or an address is noticed") {
  using load = cuda::cc90::load<32>;
  constexpr auto cost = co::ideal<load>;
  std::string const text = co::explain<load>(co::linear{.stride = 4});
  auto const lacks = [&](std::string const& words) {
    std::string without = text;
    for (auto at = without.find(words); at != std::string::npos; at = without.find(words))
      without.erase(at, words.size());
    return missing<load>(without, cost, load::cost_type::numbers{},
                         std::remove_cvref_t<decltype(load::sources)>::numbers{});
  };
  CHECK(lacks("nothing of it") == "");
  CHECK(lacks("  lines 1") == "  lines 1");
  CHECK(lacks("four tags a cycle") == load::sources.tag_wavefronts_at_least.claim);
  CHECK(lacks("https://docs.nvidia.com/nsight-compute/ProfilingGuide") == load::sources.requests.address);
  CHECK(lacks("data_wavefronts") == "  data_wavefronts 1");
}

// ---- Names, and misuse ----

TEST_CASE("names are alike whatever the compiler") {
  constexpr auto name = co::name_of<cuda::cc35::load<32, cuda::caching::l1>>();
  COALESCE_CHECK(name == "cuda::cc35::load<32, l1>");
  CHECK(co::name_of<cuda::cc90::load<128>>() == "cuda::cc90::load<128>");
  CHECK(co::name_of<cuda::cc90::ldmatrix<4>>() == "cuda::cc90::ldmatrix<4>");
  CHECK(co::name_of<cuda::cc90::ldmatrix<4, cuda::matrix::m8n8_trans>>() == "cuda::cc90::ldmatrix<4, m8n8_trans>");
  CHECK(co::name_of<cuda::cc90::cp_async<16>::global>() == "cuda::cc90::cp_async<16>::global");
  CHECK(co::name_of<cdna::gfx942::ds_read2<64, 0, 1>>() == "cdna::gfx942::ds_read2<64, 0, 1>");
  CHECK(co::name_of<cdna::gfx950::global_load_lds<128>::global>() == "cdna::gfx950::global_load_lds<128>::global");
  CHECK(co::name_of<gcn::buffer_load<32, 4>>() == "gcn::buffer_load<32, 4>");
}
TEST_CASE("numbers are written in threes, the largest too") {
  auto const written = [](std::uint64_t number) {
    co::text<26> words;
    co::detail::put(words, number);
    return words;
  };
  COALESCE_CHECK(written(0) == "0");
  COALESCE_CHECK(written(999) == "999");
  COALESCE_CHECK(written(1000) == "1,000");
  COALESCE_CHECK(written(1'234'567) == "1,234,567");
  COALESCE_CHECK(written(~std::uint64_t{0}) == "18,446,744,073,709,551,615");
}
TEST_CASE("lanes are named by runs") {
  auto const named = [](std::uint64_t mask) {
    co::text<80> words;
    co::detail::put(words, co::detail::lanes_named{mask});
    return words;
  };
  CHECK(named(0) == "no lane");
  CHECK(named(1) == "lane 0");
  CHECK(named(0b11) == "lanes 0 and 1");
  CHECK(named(0x0101'0101) == "lanes 0, 8, 16 and 24");
  CHECK(named(0x01'0101'0101) == "lanes 0, 8, 16 and 2 more");
  CHECK(named(0x0ff0'f00f) == "lanes 0 to 3, 12 to 15 and 20 to 27");
  CHECK(named(co::all_lanes) == "lanes 0 to 63");
  CHECK(named(0x5555'5555'5555'5555) == "lanes 0, 2, 4 and 29 more");
  CHECK(named(std::uint64_t{1} << 63) == "lane 63");
}
TEST_CASE("the ideal of CC 1.0, where lane k reads word k, leaves lanes at their places") {
  std::string const swapped = co::explain<cuda::cc10::load<32>>([](unsigned lane) { return 4 * (lane ^ 1); }, 0xfff7);
  CHECK(swapped.find("  transactions 15, ideal 1: 15 times that\n") != std::string::npos);
}
#ifdef __cpp_exceptions
TEST_CASE("what cost() refuses, explain() does") {
  CHECK_THROWS_AS((static_cast<void>(co::explain<cuda::cc90::load<32>>(co::linear{.base = 2, .stride = 4}))),
                  co::misuse);
  CHECK_THROWS_AS((static_cast<void>(co::explain<cuda::cc90::load<32>>(co::linear{.stride = 4}, 1ull << 32))),
                  co::misuse);
}
#endif
