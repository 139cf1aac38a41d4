// SPDX-License-Identifier: BSL-1.0
// Carries data through the binaries of kernels.hip: each word is tagged, so a wrong address, mask, loop or barrier
// leaves a wrong word. Expressions of expressions.hpp are evaluated by the host, too. carried TARGET TEXT [--break]:
// --break compares with other data, and must find mismatches.
#include <coalesce/host/binary/amd.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "expressions.hpp"

namespace co = coalescing;
using words = std::vector<std::uint32_t>;

namespace {

using reader = co::binary_answer (*)(std::string_view, co::binary_launch const&);
template <class Machine>
co::binary_answer read(std::string_view text, co::binary_launch const& launch) {
  return co::amdgcn::record<Machine>(text, launch);
}
constexpr std::pair<char const*, reader> machines[] = {
    {"gfx90a", read<co::cdna::gfx90a>},   {"gfx942", read<co::cdna::gfx942>},   {"gfx950", read<co::cdna::gfx950>},
    {"gfx1030", read<co::rdna::gfx1030>}, {"gfx1100", read<co::rdna::gfx1100>}, {"gfx1201", read<co::rdna::gfx1201>}};

std::vector<unsigned char> bytes_of(words const& from) {
  std::vector<unsigned char> to(4 * from.size());
  std::memcpy(to.data(), from.data(), to.size());
  return to;
}

struct checker {
  reader record;
  std::string text;
  bool is_broken;
  unsigned long compared = 0, mismatches = 0, unknown = 0, sites = 0, costed = 0;

  /// Runs every block, and compares a buffer with the words that it should hold at the end.
  co::binary_answer run(char const* kernel, co::block grid, co::block block, std::vector<co::binary_argument> arguments,
                        unsigned buffer, words expected) {
    co::binary_launch launch;
    launch.kernel = kernel, launch.grid = grid, launch.block = block, launch.arguments = std::move(arguments);
    launch.every_block = true;
    co::binary_answer answer = record(text, launch);
    if (is_broken) expected[expected.size() / 2] ^= 1;
    auto const& found = answer.buffers[buffer].bytes;
    unsigned long wrong = 0;
    for (std::size_t k = 0; k != expected.size(); ++k) {
      std::uint32_t word = 0;
      bool known = true;
      for (unsigned b = 0; b != 4; ++b) {
        int const byte = found.final_byte(4 * k + b);
        known = known && byte >= 0;
        word |= static_cast<std::uint32_t>(byte) << (8 * b);
      }
      if ((!known || word != expected[k]) && wrong++ < 3)
        std::printf("%s: word %zu is 0x%x%s, not 0x%x\n", kernel, k, word, known ? "" : " (unknown)", expected[k]);
    }
    for (co::site const& each : answer.sites) {
      ++sites, costed += each.cost.is_counted;
      if (!each.cost.is_counted) std::printf("%s: %s has no rule\n", kernel, each.opcode);
    }
    compared += expected.size(), mismatches += wrong, unknown += answer.unknown.size();
    for (co::binary_unknown const& each : answer.unknown)
      std::printf("%s: %s: %s\n", kernel, each.at.opcode.c_str(), each.why.c_str());
    return answer;
  }
};

co::binary_argument filled(words const& from) { return co::binary_argument::buffer(4 * from.size(), bytes_of(from)); }
/// A buffer that the kernel writes: it begins with zeros.
co::binary_argument zeros(std::size_t count) { return filled(words(count, 0)); }
co::binary_argument number(std::uint32_t n) { return co::binary_argument::u32(n); }

template <unsigned K = 0>
void evaluate(std::uint32_t a, std::uint32_t b, std::uint32_t* out) {
  if constexpr (K != expression_count) {
    out[K] = expression<K>(a, b);
    evaluate<K + 1>(a, b, out);
  }
}

}  // namespace

int main(int count, char** given) try {
  if (count < 3) return 2;
  checker check{nullptr, {}, count > 3 && std::strcmp(given[3], "--break") == 0};
  for (auto const& [name, record] : machines)
    if (std::strcmp(name, given[1]) == 0) check.record = record;
  if (check.record == nullptr) return 2;
  std::stringstream all;
  all << std::ifstream(given[2]).rdbuf();
  check.text = all.str();

  std::mt19937 random(28);
  auto const tagged = [](std::size_t size) {
    words to(size);
    for (std::size_t k = 0; k != size; ++k) to[k] = 0x10000u + static_cast<std::uint32_t>(k);
    return to;
  };
  {
    words const in = tagged(1000);
    check.run("copy", {4}, {256}, {filled(in), zeros(1000), number(1000)}, 1, in);
    words const fours = tagged(4 * 777);
    check.run("copy_128", {2}, {256}, {filled(fours), zeros(fours.size()), number(777)}, 1, fours);
  }
  {
    words const in = tagged(250);
    std::vector<unsigned char> const bytes = bytes_of(in);
    words halves(500);
    for (std::size_t k = 0; k != halves.size(); ++k)
      halves[k] = bytes[2 * k] | static_cast<std::uint32_t>(bytes[2 * k + 1]) << 16;
    check.run("widen", {4}, {256}, {filled(in), zeros(500), number(1000)}, 1, halves);
  }
  for (char const* const kernel : {"transpose", "transpose_swizzled", "transpose_plain"}) {
    constexpr unsigned n = 64;
    words const in = tagged(n * n);
    words out(n * n);
    for (unsigned r = 0; r != n; ++r)
      for (unsigned c = 0; c != n; ++c) out[c * n + r] = in[r * n + c];
    check.run(kernel, {2, 2}, {32, 8}, {filled(in), zeros(n * n), number(n)}, 1, out);
  }
  {
    constexpr unsigned n = 700;
    words next(n), steps(n), out(n);
    for (unsigned k = 0; k != n; ++k)
      next[k] = static_cast<std::uint32_t>(random() % n), steps[k] = static_cast<std::uint32_t>(random() % 40);
    for (unsigned k = 0; k != n; ++k) {
      unsigned at = k;
      for (unsigned s = 0; s != steps[k]; ++s) at = next[at];
      out[k] = at;
    }
    check.run("chase", {3}, {256}, {filled(next), filled(steps), zeros(n), number(n)}, 2, out);
  }
  {
    words in(5000);
    std::uint32_t sum = 0;
    for (auto& each : in) each = static_cast<std::uint32_t>(random()), sum += each;
    check.run("reduce", {1}, {256}, {filled(in), zeros(1), number(5000)}, 1, {sum});
  }
  {
    constexpr unsigned n = 48;
    words a(n * n), b(n * n), c(n * n);
    for (auto& each : a) each = static_cast<std::uint32_t>(random());
    for (auto& each : b) each = static_cast<std::uint32_t>(random());
    for (unsigned r = 0; r != n; ++r)
      for (unsigned k = 0; k != n; ++k)
        for (unsigned col = 0; col != n; ++col) c[r * n + col] += a[r * n + k] * b[k * n + col];
    check.run("gemm", {3, 3}, {16, 16}, {filled(a), filled(b), zeros(n * n), number(n)}, 2, c);
  }
  {
    constexpr unsigned n = 1000;
    words const in = tagged(n);
    words out(n);
    for (unsigned k = 0; k != n; ++k) out[k] = (k != 0 ? in[k - 1] : 0) + 2 * in[k] + (k + 1 < n ? in[k + 1] : 0);
    check.run("stencil", {4}, {256}, {filled(in), zeros(n), number(n)}, 1, out);
  }
  {
    constexpr unsigned n = 1024;
    words a(n), b(n), out(n * expression_count);
    words const edges = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000u, 0xffffffffu, 0xffff, 0x8000};
    for (unsigned k = 0; k != n; ++k) {
      a[k] = k < 100 ? edges[k / 10] : static_cast<std::uint32_t>(random()) >> (random() % 32);
      b[k] = k < 100 ? edges[k % 10] : static_cast<std::uint32_t>(random()) >> (random() % 32);
      evaluate(a[k], b[k], &out[k * expression_count]);
    }
    check.run("expressions", {4}, {256}, {filled(a), filled(b), zeros(out.size()), number(n)}, 2, out);
  }
  std::printf("%s: compared %lu words, %lu mismatches, %lu unknown; %lu of %lu sites costed\n", given[1],
              check.compared, check.mismatches, check.unknown, check.costed, check.sites + check.unknown);
  return check.mismatches == 0 && check.unknown == 0 ? 0 : 1;
} catch (std::exception const& refused) {
  std::printf("refused: %s\n", refused.what());
  return 1;
}
