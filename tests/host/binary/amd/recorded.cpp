// SPDX-License-Identifier: BSL-1.0
// Kernels of kernels.hip, as bodies that co::record runs on the host, beside their binaries for gfx942. clang merges
// two words of LDS into one ds_read2, so of LDS the conflicts are compared, and of global memory everything. recorded
// TEXT
// [--break]: --break records another body, and must find differences.
#include <coalesce/cdna.hpp>
#include <coalesce/host/binary/amd.hpp>
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
using machine = co::cdna::gfx942;

namespace {

struct alignas(16) four {
  u32 x, y, z, w;
};

std::string text;
unsigned compared = 0, differences = 0;

void equal(char const* kernel, char const* what, std::uint64_t of_body, std::uint64_t of_binary) {
  ++compared;
  if (of_body == of_binary) return;
  ++differences;
  std::printf("%s, %s: %llu of the body, %llu of the binary\n", kernel, what, static_cast<unsigned long long>(of_body),
              static_cast<unsigned long long>(of_binary));
}

template <class Kernel>
void compare(char const* name, co::launch const& threads, std::vector<binary_argument> arguments,
             Kernel const& kernel) {
  auto const body = co::record<machine>(kernel, co::every_block);
  auto const binary = co::amdgcn::record<machine>(text, {.kernel = name,
                                                         .grid = threads.grid,
                                                         .block = threads.block,
                                                         .arguments = std::move(arguments),
                                                         .every_block = true});
  equal(name, "without a cost", 0, binary.unknown.size());
  struct {
    char const* what;
    co::recorded_cost body, binary;
  } const globals[] = {
      {"loads", body.loads(co::memory_space::global), binary.sites.loads(co::memory_space::global)},
      {"stores", body.stores(co::memory_space::global), binary.sites.stores(co::memory_space::global)}};
  for (auto const& [what, of_body, of_binary] : globals) {
    equal(name, what, of_body.issued, of_binary.issued);
    equal(name, what, of_body.bytes_used, of_binary.bytes_used);
    equal(name, what, of_body.transactions, of_binary.transactions);
  }
  auto const shared = co::memory_space::shared;
  equal(name, "conflicts of loads", body.loads(shared).conflicts, binary.sites.loads(shared).conflicts);
  equal(name, "conflicts of stores", body.stores(shared).conflicts, binary.sites.stores(shared).conflicts);
}

template <class From, class To>
void compare_copy(char const* name, unsigned step, unsigned n, unsigned recorded_of_n) {
  co::launch const threads{.grid = {step == 512 ? 2 : 4}, .block = {256}};
  auto const body = [step, recorded_of_n](auto const& t, auto in, auto out) {
    unsigned k = t.block.x * 256 + t.thread.x;
    for (auto again = t.loop(); again(k < recorded_of_n); k += step) out[k] = in[k];
  };
  co::kernel const kernel{threads, body, co::global<From const>{.name = "in", .elements = n, .any_value = true},
                          co::global<To>{.name = "out", .elements = n}};
  compare(name, threads,
          {binary_argument::buffer(n * sizeof(From)), binary_argument::buffer(n * sizeof(To)), binary_argument::u32(n)},
          kernel);
}

template <unsigned Pitch, bool Swizzled>
void compare_transpose(char const* name) {
  co::launch const threads{.grid = {2, 2}, .block = {32, 8}};
  auto const body = [](auto const& t, auto in, auto out, auto tile) {
    auto const at = [](unsigned r, unsigned c) { return r * Pitch + (Swizzled ? c ^ r : c); };
    unsigned x = t.block.x * 32 + t.thread.x, y = t.block.y * 32 + t.thread.y;
    for (unsigned k = 0; k < 32; k += 8) tile[at(t.thread.y + k, t.thread.x)] = in[(y + k) * 64 + x];
    t.sync();
    x = t.block.y * 32 + t.thread.x, y = t.block.x * 32 + t.thread.y;
    for (unsigned k = 0; k < 32; k += 8) out[(y + k) * 64 + x] = tile[at(t.thread.x, t.thread.y + k)];
  };
  co::kernel const kernel{threads, body, co::global<u32 const>{.name = "in", .elements = 4096, .any_value = true},
                          co::global<u32>{.name = "out", .elements = 4096},
                          co::shared<u32[32 * Pitch]>{.name = "tile"}};
  compare(name, threads, {binary_argument::buffer(16384), binary_argument::buffer(16384), binary_argument::u32(64)},
          kernel);
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 3 || std::string(arguments[1]) != machine::identity.name) return 2;
  std::stringstream all;
  all << std::ifstream(arguments[2]).rdbuf();
  text = all.str();
  compare_copy<u32, u32>("copy", 1024, 1000, count > 3 ? 900 : 1000);
  compare_copy<four, four>("copy_128", 512, 777, 777);
  compare_copy<unsigned char, unsigned short>("widen", 1024, 1000, 1000);
  compare_transpose<33, false>("transpose");
  compare_transpose<32, true>("transpose_swizzled");
  compare_transpose<32, false>("transpose_plain");
  std::printf("gfx942: compared %u numbers of six kernels, %u differ\n", compared, differences);
  return differences == 0 && compared == 6 * 9 ? 0 : 1;
} catch (std::exception const& refused) {
  std::printf("refused: %s\n", refused.what());
  return 1;
}
