// SPDX-License-Identifier: BSL-1.0
// Runs the binaries of bounds.cu, whose accesses depend on data: once without contents, which gives bounds, and then
// with random and with adverse contents, which give the numbers. No number may be above its bound, and no access may
// come that the bounds do not have. bounds TARGET TEXT [--break]: --break halves the bounds, and must find each kernel.
#include <coalesce/host/binary.hpp>

#include <algorithm>
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

using u32 = std::uint32_t;
constexpr int blocks = 2;

/// The contents of one buffer: so many numbers, each by its own rule.
enum class filled { any, below_1024, rows, zeros };
struct kernel {
  char const* name;
  filled first;
  bool has_loop;              ///< that data alone can keep going
  bool is_exact_then = true;  ///< with contents. Floating-point numbers stay data
};
constexpr kernel kernels[] = {
    {"gather", filled::below_1024, false}, {"near", filled::any, false},
    {"masked", filled::any, false},        {"leaves", filled::any, false},
    {"either", filled::any, false},        {"rows", filled::rows, true},
    {"search", filled::any, false},        {"batched", filled::below_1024, false},
    {"histogram", filled::any, false},     {"looked_up", filled::any, false},
    {"spread", filled::any, false},        {"divided", filled::any, false, false},
};
co::binary_argument contents(std::mt19937& random, filled how, unsigned adverse) {
  std::vector<u32> numbers(4096);
  u32 sum = 0;
  for (u32 k = 0; k != numbers.size(); ++k) {
    u32 const any = static_cast<u32>(random());
    switch (how) {
      case filled::any:  // small numbers and floating-point ones, too; all the same; all different
        numbers[k] = adverse == 1 ? 200 : adverse == 2 ? k * 8 + 101 : any % 3 == 0 ? any % 97 : any >> any % 32;
        break;
      case filled::below_1024:
        numbers[k] = adverse == 1 ? 5 : adverse == 2 ? k * 32 % 1024 : any % 1024;
        break;
      case filled::rows:
        numbers[k] = sum, sum += adverse == 1 ? 7 : any % 8;
        sum = std::min<u32>(sum, 4096);
        break;
      case filled::zeros:
        numbers[k] = 0;
        break;
    }
  }
  std::vector<unsigned char> bytes(4 * numbers.size());
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return co::binary_argument::buffer(bytes.size(), bytes);
}
/// Whether a number of a run is above its bound. Numbers that are sums over rounds are not compared where the bound is
/// that of one round.
template <auto... Members>
bool is_above(co::recorded_cost const& run, co::recorded_cost const& bound, bool per_iteration, unsigned divisor,
              co::detail::members<Members...>) {
  bool above = false;
  co::detail::each_number(
      run, bound,
      [&](std::uint64_t number, std::uint64_t most, bool is_maximum) {
        if (number == co::not_counted || (per_iteration && !is_maximum)) return;
        above = above || most == co::not_counted || number > most / divisor;
      },
      co::detail::members<Members...>{});
  return above || (!per_iteration && run.issued > bound.issued / divisor);
}

}  // namespace

int main(int count, char** with) {
  if (count < 3) return std::puts("usage: bounds TARGET TEXT [--break]"), 2;
  std::string_view const target = with[1];
  bool const is_nvidia = target.substr(0, 3) == "sm_";
  unsigned const divisor = count > 3 ? 2 : 1;
  std::ifstream in(with[2], std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  std::mt19937 random(41);
  unsigned runs = 0, above = 0, failures = 0;
  auto const ask = [&](char const* name, std::vector<co::binary_argument> arguments) {
    co::binary_launch const launch{
        .kernel = name, .grid = {blocks}, .block = {256}, .arguments = std::move(arguments), .every_block = true};
    return is_nvidia ? co::sass::record(target, text.str(), launch) : co::amdgcn::record(target, text.str(), launch);
  };
  for (kernel const& each : kernels) {
    bool is_found = false;
    auto const fail = [&](std::string const& what) { ++failures, std::printf("%s: %s\n", each.name, what.c_str()); };
    std::vector<co::binary_argument> const empty(3, co::binary_argument::buffer(1 << 16));
    co::binary_answer const bounds = ask(each.name, empty);
    for (co::binary_unknown const& one : bounds.unknown) fail(one.at.opcode + ": " + one.why);
    bool is_bound = false, has_loop = false;
    for (co::site const& s : bounds.sites) {
      is_bound = is_bound || s.at_most, has_loop = has_loop || s.per_iteration != 0;
      if (!s.at_most && s.per_iteration != 0) fail("a site in a loop on data is not a bound");
    }
    if (!is_bound) fail("no site is a bound");
    // On AMD a round's counter is not known where lanes have left the loop: the counter stands in a scalar register.
    bool const may_have_loop = each.has_loop || (!is_nvidia && std::string_view(each.name) == "search");
    if (has_loop != each.has_loop && has_loop != may_have_loop) fail(has_loop ? "a loop on data" : "no loop on data");
    if (bounds.sites.total().at_most != is_bound) fail("the total does not say that it is a bound");
    for (unsigned n = 0; n != 20; ++n, ++runs) {
      co::binary_answer const run = ask(each.name, {contents(random, filled::zeros, n), contents(random, each.first, n),
                                                    contents(random, filled::any, n)});
      for (co::binary_unknown const& one : run.unknown) fail("with contents: " + one.at.opcode + ": " + one.why);
      for (co::site const& s : run.sites) {
        co::site const* bound = nullptr;
        for (bool const is_of_any_array : {true, false})  // the bound's array may be unknown
          for (co::site const& other : bounds.sites)
            if (other.offset == s.offset && other.at.line == s.at.line && other.space == s.space &&
                std::string_view(other.opcode) == s.opcode &&
                std::string_view(other.array) == (is_of_any_array ? "" : s.array))
              bound = &other;
        if (bound == nullptr) {
          fail("an access without a bound: " + std::string(s.opcode));
          continue;
        }
        if (s.at_most && each.is_exact_then && divisor == 1) fail("with contents, a bound: " + std::string(s.opcode));
        bool const is_above_it =
            is_above(s.cost, bound->cost, bound->per_iteration != 0, divisor, co::compared_cost::numbers{});
        is_found = is_found || is_above_it;
        if (is_above_it && divisor == 1) fail("above its bound: " + std::string(s.opcode) + " of " + s.array);
      }
    }
    above += is_found;
  }
  std::printf("%s: %u runs of %zu kernels, %u kernels above their bounds, %u failures\n", with[1], runs,
              std::size(kernels), above, failures);
  return above != 0 || failures != 0;
}
