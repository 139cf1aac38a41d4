// SPDX-License-Identifier: BSL-1.0
// Deletes the padding, the swizzle or the offset of the warps in twenty kernels: the numbers that are committed turn
// red. mutations WHOLE DELETED NUMBERS: the texts of mutated.cu without and with -DDELETED, and mutations.txt. Where
// WHOLE is the deleted text, too, all twenty are wrong: the control.
#include <coalesce/host/binary/nvidia.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;
using co::binary_argument;

namespace {

struct costs {
  std::uint64_t transactions = 0, conflicts = 0;
  std::vector<int> out = {};  ///< the bytes that the kernel leaves
};

std::string content(char const* path) {
  std::stringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

/// Runs a block of the kernel on words that differ. Each access must have a cost.
costs costs_of(std::string const& text, std::string const& name) {
  std::vector<unsigned char> in(65536);
  for (std::uint32_t k = 0; k != in.size(); ++k) in[k] = static_cast<unsigned char>(k * 2654435761u >> 24);
  co::block const two_dimensions = name == "two_rows" ? co::block{16, 16} : co::block{32, 8};
  bool const is_flat = name.find("transpose") != 0 && name != "two_rows";
  auto const answer = co::sass::record<co::cuda::cc90>(
      text, {.kernel = name,
             .block = is_flat ? co::block{256} : two_dimensions,
             .arguments = {binary_argument::buffer(in.size(), in),
                           binary_argument::buffer(in.size(), std::vector<unsigned char>(in.size())),
                           binary_argument::u32(64)}});
  costs made;
  for (co::site const& s : answer.sites)
    if (s.space == co::memory_space::shared)
      made.conflicts += s.cost.conflicts;
    else
      made.transactions += s.cost.transactions;
  if (!answer.unknown.empty()) made.transactions = ~std::uint64_t{0};
  for (std::uint64_t k = 0; k != in.size(); ++k) made.out.push_back(answer.buffers[1].bytes.final_byte(k));
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  std::string const whole = content(arguments[1]), deleted = content(arguments[2]);
  std::stringstream lines(content(arguments[3]));
  unsigned kernels = 0, red = 0, wrong = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::string name;
    std::uint64_t numbers[4] = {};
    std::stringstream(line) >> name >> numbers[0] >> numbers[1] >> numbers[2] >> numbers[3];
    costs const a = costs_of(whole, name), b = costs_of(deleted, name);
    ++kernels, red += unsigned{b.transactions != numbers[0] || b.conflicts != numbers[1]};
    bool const as_committed = a.transactions == numbers[0] && a.conflicts == numbers[1] &&
                              b.transactions == numbers[2] && b.conflicts == numbers[3];
    bool const has_offsets = name.find("windows") == 0 || name == "two_rows";
    bool const computes_the_same = (a.out == b.out) != has_offsets;
    if (as_committed && computes_the_same) continue;
    ++wrong;
    std::printf("%s: found %llu %llu %llu %llu%s\n", name.c_str(), static_cast<unsigned long long>(a.transactions),
                static_cast<unsigned long long>(a.conflicts), static_cast<unsigned long long>(b.transactions),
                static_cast<unsigned long long>(b.conflicts), computes_the_same ? "" : ", and other results");
  }
  std::printf("%u kernels, %u turn red where the layout is deleted, %u wrong\n", kernels, red, wrong);
  return kernels == 20 && red == 20 && wrong == 0 ? 0 : 1;
}
