// SPDX-License-Identifier: BSL-1.0
// Kernels of kernels.cu, as bodies that co::record runs on the host, beside their binaries: where the compiler keeps
// the widths, instructions, bytes, transactions and conflicts are equal. recorded TARGET TEXT [--break]: --break
// records other bodies, and must find differences.
#include <coalesce/cuda.hpp>
#include <coalesce/host/binary/nvidia.hpp>
#include <coalesce/record.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;
using co::binary_argument;
using u32 = std::uint32_t;

namespace {

struct alignas(16) four {
  u32 x, y, z, w;
};

std::string text;
unsigned compared = 0, differences = 0;

/// The text has C++ names: _Z, the name's length and the name.
std::string mangled(std::string const& name) {
  auto const at = text.find("_Z" + std::to_string(name.size()) + name);
  return at == text.npos ? name : text.substr(at, text.find_first_of(" ,:\r\n-", at) - at);
}

template <class Machine, class Kernel>
void compare(char const* name, co::launch const& threads, std::vector<binary_argument> arguments,
             Kernel const& kernel) {
  auto const recorded = co::record<Machine>(kernel, co::every_block);
  auto const binary = co::sass::record<Machine>(text, {.kernel = mangled(name),
                                                       .grid = threads.grid,
                                                       .block = threads.block,
                                                       .arguments = std::move(arguments),
                                                       .every_block = true});
  auto const equal = [name](char const* what, co::recorded_cost const& body, co::recorded_cost const& instructions) {
    struct {
      char const* name;
      std::uint64_t of_body, of_instructions;
    } const rows[] = {{"issued", body.issued, instructions.issued},
                      {"bytes_used", body.bytes_used, instructions.bytes_used},
                      {"transactions", body.transactions, instructions.transactions},
                      {"rounds", body.rounds, instructions.rounds},
                      {"conflicts", body.conflicts, instructions.conflicts}};
    for (auto const& row : rows) {
      ++compared;
      if (row.of_body == row.of_instructions) continue;
      ++differences;
      std::printf("%s, %s, %s: %llu of the body, %llu of the binary\n", name, what, row.name,
                  static_cast<unsigned long long>(row.of_body), static_cast<unsigned long long>(row.of_instructions));
    }
  };
  if (!binary.unknown.empty()) ++differences, std::printf("%s: an access without a cost\n", name);
  equal("global loads", recorded.loads(co::memory_space::global), binary.sites.loads(co::memory_space::global));
  equal("global stores", recorded.stores(co::memory_space::global), binary.sites.stores(co::memory_space::global));
  equal("shared loads", recorded.loads(co::memory_space::shared), binary.sites.loads(co::memory_space::shared));
  equal("shared stores", recorded.stores(co::memory_space::shared), binary.sites.stores(co::memory_space::shared));
}

template <unsigned Pitch, bool Swizzled>
constexpr auto transposed = [](auto const& t, auto out, auto in, auto tile, unsigned rows, unsigned columns) {
  auto const at = [](unsigned r, unsigned c) { return r * Pitch + (Swizzled ? c ^ r : c); };
  unsigned x = t.block.x * 32 + t.thread.x, y = t.block.y * 32 + t.thread.y;
  for (unsigned j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows) tile[at(t.thread.y + j, t.thread.x)] = in[(y + j) * columns + x];
  t.sync();
  x = t.block.y * 32 + t.thread.x, y = t.block.x * 32 + t.thread.y;
  for (unsigned j = 0; j < 32; j += 8)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[at(t.thread.x, t.thread.y + j)];
};

template <class Machine, unsigned Pitch, bool Swizzled>
void compare_transpose(char const* name) {
  // 64 rows of 48 columns: the second column of blocks has half a tile.
  co::launch const threads{.grid = {2, 2}, .block = {32, 8}};
  auto const body = [](auto const& t, auto out, auto in, auto tile) {
    transposed<Pitch, Swizzled>(t, out, in, tile, 64, 48);
  };
  co::kernel const kernel{threads, body, co::global<u32>{.name = "out", .elements = 64 * 48},
                          co::global<u32 const>{.name = "in", .elements = 64 * 48, .any_value = true},
                          co::shared<u32[32 * Pitch]>{.name = "tile"}};
  compare<Machine>(name, threads,
                   {binary_argument::buffer(64 * 48 * 4), binary_argument::buffer(64 * 48 * 4),
                    binary_argument::u32(64), binary_argument::u32(48)},
                   kernel);
}

template <class Machine>
void compare_all(bool is_broken) {
  {
    co::launch const threads{.grid = {4}, .block = {256}};
    unsigned const n = is_broken ? 900 : 1000;
    auto const body = [n](auto const& t, auto out, auto in) {
      unsigned const k = t.block.x * 256 + t.thread.x;
      if (k < n) out[k] = in[k];
    };
    co::kernel const kernel{threads, body, co::global<u32>{.name = "out", .elements = 1000},
                            co::global<u32 const>{.name = "in", .elements = 1000, .any_value = true}};
    compare<Machine>("copy", threads,
                     {binary_argument::buffer(4000), binary_argument::buffer(4000), binary_argument::u32(1000)},
                     kernel);
  }
  {
    co::launch const threads{.grid = {2}, .block = {64}};
    auto const body = [](auto const& t, auto out, auto in) {
      unsigned k = t.block.x * 64 + t.thread.x;
      for (auto again = t.loop(); again(k < 1000); k += 128) out[k] = in[k];
    };
    co::kernel const kernel{threads, body, co::global<four>{.name = "out", .elements = 1000},
                            co::global<four const>{.name = "in", .elements = 1000, .any_value = true}};
    compare<Machine>("copy4", threads,
                     {binary_argument::buffer(16000), binary_argument::buffer(16000), binary_argument::u32(1000)},
                     kernel);
  }
  {
    co::launch const threads{.grid = {2}, .block = {256}};
    auto const body = [](auto const& t, auto out, auto in, auto part) {
      u32 const tid = t.thread.x;
      u32 sum = 0, k = t.block.x * 256 + tid;
      for (auto again = t.loop(); again(k < 1000); k += 512) sum += in[k];
      part[tid] = sum;
      t.sync();
      for (u32 s = 128; s > 0; s >>= 1) {
        if (tid < s) part[tid] += part[tid + s];
        t.sync();
      }
      if (tid == 0) out[t.block.x] = part[0];
    };
    co::kernel const kernel{threads, body, co::global<u32>{.name = "out", .elements = 2},
                            co::global<u32 const>{.name = "in", .elements = 1000, .any_value = true},
                            co::shared<u32[256]>{.name = "part"}};
    compare<Machine>("reduction", threads,
                     {binary_argument::buffer(8), binary_argument::buffer(4000), binary_argument::u32(1000)}, kernel);
  }
  compare_transpose<Machine, 32, false>("transpose_plain");
  compare_transpose<Machine, 33, false>("transpose_padded");
  compare_transpose<Machine, 32, true>("transpose_swizzled");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  std::stringstream all;
  all << std::ifstream(arguments[2]).rdbuf();
  text = all.str();
  std::string const target = arguments[1];
  bool const is_broken = count > 3;
  if (target == "75") compare_all<co::cuda::cc75>(is_broken);
  if (target == "80") compare_all<co::cuda::cc80>(is_broken);
  if (target == "90") compare_all<co::cuda::cc90>(is_broken);
  if (target == "100") compare_all<co::cuda::cc100>(is_broken);
  std::printf("sm_%s: compared %u numbers of six kernels, %u differ\n", arguments[1], compared, differences);
  return differences == 0 && compared == 6 * 20 ? 0 : 1;
}
