// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include <coalesce/host/binary/nvidia.hpp>
#include <coalesce/host/cuda.hpp>

namespace {
#include "kernels/reduction.cu"
#include "kernels/sgemm.cu"
#include "kernels/stencil.cu"
#include "kernels/transpose.cu"
}  // namespace
//
#include "by_hand.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Unmodified kernels, recorded on this host and as nvcc 13.0 compiled them for sm_90: a line of the source beside the
// instructions of that line. tests/host/binary/nvidia/text/lines has what nvdisasm 13.1 -c -gi printed (nvcc -O3
// -lineinfo).

namespace co = coalescing;
using by_hand::count_up;
using co::binary_argument;
using co::cuda::cc90;
using co::host::array;

namespace {

std::string binary_text() {
  std::string const here = __FILE__;
  std::stringstream all;
  all << std::ifstream(here.substr(0, here.rfind('/')) + "/../binary/nvidia/text/lines/sm_90.sass").rdbuf();
  return all.str();
}
co::binary_answer run_binary(char const* kernel, co::launch const& threads, std::vector<binary_argument> arguments) {
  return co::sass::record<cc90>(binary_text(), {.kernel = kernel,
                                                .grid = threads.grid,
                                                .block = threads.block,
                                                .arguments = std::move(arguments),
                                                .every_block = true});
}
binary_argument buffer(std::vector<float> const& like) { return binary_argument::buffer(4 * like.size()); }

// clang -O1 joins branches of a stencil and of a product, and then names other lines: there the sums are compared.
#ifdef __clang__
constexpr bool keeps_lines = false;
#else
constexpr bool keeps_lines = true;
#endif

/// A line, what it does where: instructions; bytes and transactions of global memory, conflicts and rounds of shared
/// memory.
template <class Recording>
auto by_line(Recording const& recording, bool has_lines = true) {
  std::map<std::tuple<unsigned, bool, co::touch>, std::vector<std::uint64_t>> lines;
  for (co::site const& s : recording) {
    bool const is_shared = s.space == co::memory_space::shared;
    auto& line = lines[{has_lines ? s.at.line : 0, is_shared, s.kind}];
    line.resize(3);
    line[0] += s.cost.issued, line[1] += is_shared ? s.cost.conflicts : s.cost.bytes_used;
    line[2] += is_shared ? s.cost.rounds : s.cost.transactions;
  }
  return lines;
}
/// The lines whose numbers differ: of the host, then of the binary.
template <class A, class B>
std::string differing(A const& on_host, B const& of_binary, bool has_lines = true) {
  auto const a = by_line(on_host, has_lines), b = by_line(of_binary, has_lines);
  auto keys = a;
  keys.insert(b.begin(), b.end());
  std::ostringstream text;
  for (auto const& [key, numbers] : keys) {
    auto const x = a.find(key), y = b.find(key);
    if (x != a.end() && y != b.end() && x->second == y->second) continue;
    auto const& [line, is_shared, kind] = key;
    text << line << (is_shared ? " shared " : " global ")
         << (kind == co::touch::load    ? "loads"
             : kind == co::touch::store ? "stores"
                                        : "atomics")
         << ':';
    for (auto const& [found, end] : {std::pair{x, a.end()}, std::pair{y, b.end()}}) {
      for (unsigned k = 0; k != 3; ++k) text << ' ' << (found == end ? 0 : found->second[k]);
      text << (end == a.end() ? " |" : "\n");
    }
  }
  return text.str();
}

}  // namespace

TEST_CASE("host: a transpose and its binary, line by line") {
  auto in = count_up(128 * 128), out = in;
  co::launch const threads{.grid = {4, 4}, .block = {32, 8}};
  auto const on_host = co::host::record<cc90>(transpose, threads, array{"out", out}, array{"in", in}, 128u);
  auto const binary = run_binary("_Z9transposePfPKfj", threads, {buffer(out), buffer(in), binary_argument::u32(128)});
  CHECK((binary.unknown.empty() && by_line(on_host).size() == 4));
  CHECK(differing(on_host, binary.sites) == "");
  // The control: another width has other bytes on each line.
  auto const half = run_binary("_Z9transposePfPKfj", {.grid = {2, 2}, .block = {32, 8}},
                               {buffer(out), buffer(in), binary_argument::u32(64)});
  CHECK(differing(on_host, half.sites) != "");
}

TEST_CASE("host: a reduction and its binary, line by line") {
  auto in = count_up(4096);
  std::vector<float> out(2);
  co::launch const threads{.grid = {2}, .block = {256}};
  auto const on_host = co::host::record<cc90>(reduce, threads, array{"in", in}, array{"out", out}, 4096u);
  auto const binary = run_binary("_Z6reducePKfPfj", threads, {buffer(in), buffer(out), binary_argument::u32(4096)});
  CHECK(binary.unknown.empty());
  CHECK(differing(on_host, binary.sites) == "");
}

TEST_CASE("host: a stencil and its binary, line by line") {
  auto in = count_up(66 * 18), out = in;
  co::launch const threads{.grid = {2, 2}, .block = {32, 8}};
  auto const on_host = co::host::record<cc90>(stencil, threads, array{"in", in}, array{"out", out}, 66);
  auto const binary = run_binary("_Z7stencilPKfPfi", threads, {buffer(in), buffer(out), binary_argument::u32(66)});
  CHECK(binary.unknown.empty());
  CHECK(differing(on_host, binary.sites, keeps_lines) == "");
}

TEST_CASE("host: a product of matrices and its binary, line by line") {
  auto a = count_up(128 * 64), b = count_up(64 * 128), c = count_up(128 * 128);
  co::launch const threads{.grid = {2, 2}, .block = {256}};
  auto const on_host =
      co::host::record<cc90>(sgemm, threads, 128, 128, 64, array{"A", a}, array{"B", b}, array{"C", c});
  auto const binary = run_binary("_Z5sgemmiiiPKfS0_Pf", threads,
                                 {binary_argument::u32(128), binary_argument::u32(128), binary_argument::u32(64),
                                  buffer(a), buffer(b), buffer(c)});
  CHECK(binary.unknown.empty());
  // nvcc names the first line of a statement.
  std::string const other_lines =
      "32 global stores: 0 0 0 | 128 65536 2048\n33 global stores: 128 65536 2048 | 0 0 0\n";
  CHECK(differing(on_host, binary.sites, keeps_lines) == (keeps_lines ? other_lines : ""));
}
