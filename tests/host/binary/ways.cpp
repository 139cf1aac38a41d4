// SPDX-License-Identifier: BSL-1.0
// Runs the binaries of ways.cu, whose kernels branch on data: once without contents, where both ways are followed, and
// then with random contents, where each lane takes its own way. The answers must be the same, site by site. ways TARGET
// TEXT [--break]: --break runs another grid with contents, and must find that each answer differs.
#include <coalesce/host/binary.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace co = coalescing;

namespace {

/// Random bytes, with numbers among them that floating-point code treats in its own way.
co::binary_argument filled(std::mt19937& random, std::size_t bytes) {
  static constexpr std::uint32_t special[] = {0, 1, 2, 97, 0x7f800000, 0x7fc00000, 0x00000001, 0x80000000, 0x3f800000};
  std::vector<unsigned char> to(bytes);
  for (std::size_t k = 0; k != bytes; k += 4) {
    auto const number = static_cast<std::uint32_t>(random());
    std::uint32_t const word = number % 4 == 0 ? special[number / 4 % 9] : number >> number / 4 % 32;
    std::memcpy(&to[k], &word, 4);
  }
  return co::binary_argument::buffer(bytes, to);
}

/// A kernel, and by hand what two blocks of 256 threads use: the sites, and their bytes.
struct kernel {
  char const* name;
  std::size_t sites;
  std::uint64_t bytes_used;
};
constexpr kernel kernels[] = {
    {"collatz", 2, 2 * 512 * 4},          {"divisor", 3, 3 * 512 * 4},  {"nested", 3, 3 * 512 * 4},
    {"either", 3, 3 * 512 * 4},           {"quotient", 3, 3 * 512 * 4}, {"root", 3, 3 * 512 * 8},
    {"rounds", 3, (4 + 1 + 1) * 512 * 4},  // four rounds of one load
    {"padded", 2, 2 * 200 * 4},            // all of them in block 0
};

std::string answer_of(co::binary_answer const& answer) { return answer.unknown.empty() ? co::json(answer) : ""; }

}  // namespace

int main(int count, char** with) {
  if (count < 3) return std::puts("usage: ways TARGET TEXT [--break]"), 2;
  std::string_view const target = with[1];
  bool const is_broken = count > 3, is_nvidia = target.substr(0, 3) == "sm_";
  std::ifstream in(with[2], std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  std::mt19937 random(37);
  unsigned compared = 0, differ = 0, failures = 0;
  auto const expect = [&](bool is, char const* kernel, std::string const& what) {
    if (!is) ++failures, std::printf("%s: %s\n", kernel, what.c_str());
  };
  auto const ask = [&](char const* kernel, int blocks, std::vector<co::binary_argument> arguments) {
    co::binary_launch const launch{
        .kernel = kernel, .grid = {blocks}, .block = {256}, .arguments = std::move(arguments), .every_block = true};
    return is_nvidia ? co::sass::record(target, text.str(), launch) : co::amdgcn::record(target, text.str(), launch);
  };
  std::vector<co::binary_argument> const empty(3, co::binary_argument::buffer(16384));
  for (auto const& [name, sites, bytes_used] : kernels) {
    // On AMD the mask of an `else` is that of the `if`, inverted. That both together make the old one is not seen in
    // bits that are known or unknown, one by one.
    if (!is_nvidia && std::string_view(name) == "either") {
      co::binary_answer const either = ask(name, 2, empty);
      expect(either.unknown.empty() && either.sites.total().at_most, name, "the store must be a bound");
      continue;
    }
    co::binary_answer const any = ask(name, 2, empty);
    for (co::binary_unknown const& each : any.unknown)
      std::printf("%s: %s: %s\n", name, each.at.opcode.c_str(), each.why.c_str());
    expect(any.unknown.empty(), name, "an access is unknown without contents");
    expect(any.sites.size() == sites, name, std::to_string(any.sites.size()) + " sites");
    std::uint64_t const bytes = any.sites.total().bytes_used;
    expect(bytes == bytes_used, name, std::to_string(bytes) + " bytes used");
    for (unsigned k = 0; k != 5; ++k) {
      std::vector<co::binary_argument> full;
      for (unsigned n = 0; n != 3; ++n) full.push_back(filled(random, 16384));
      ++compared, differ += answer_of(ask(name, is_broken ? 3 : 2, full)) != answer_of(any);
    }
  }
  // bounds.cpp holds such bounds to runs with contents
  for (char const* name : {"steered", "guarded"}) {
    co::binary_answer const bound = ask(name, 2, empty);
    expect(bound.unknown.empty() && bound.sites.stores("arg0").at_most, name, "the store must be a bound");
  }
  std::printf("%u answers compared, %u differ, %u failures\n", compared, differ, failures);
  return differ == 0 && failures == 0 ? 0 : 1;
}
