// SPDX-License-Identifier: BSL-1.0
// Runs the SASS of barriers.cu on tagged words. barriers TARGET TEXT [--break]: --break takes the barriers out of the
// text, and must find words that are not known.
#include <coalesce/host/binary/nvidia.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;
using co::binary_argument;
using u32 = std::uint32_t;

namespace {

unsigned failures = 0;
void fail(std::string const& what) { ++failures, std::printf("%s\n", what.c_str()); }
u32 tagged(u32 k) { return k * 2654435761u + 7; }

co::binary_launch launch_of(std::string const& kernel, unsigned threads) {
  std::vector<unsigned char> in(8192);
  for (u32 k = 0; k != 2048; ++k) {
    u32 const word = tagged(k);
    std::memcpy(&in[4 * k], &word, 4);
  }
  return {.kernel = kernel,
          .grid = {4},
          .block = {threads},
          .arguments = {binary_argument::buffer(8192, std::vector<unsigned char>(1)), binary_argument::buffer(8192, in),
                        binary_argument::u32(64)}};
}

template <class Machine>
void run(std::string const& text) {
  struct {
    char const* kernel;
    unsigned words;
    std::function<u32(u32)> left;
  } const rows[] = {
      {"named", 256, [](u32 t) { return tagged(t < 64 ? 63 - t : 319 - t); }},
      {"named_register", 256, [](u32 t) { return tagged(t ^ 63); }},
      {"arrives", 128, [](u32 t) { return tagged(127 - t); }},
      {"piped", 512, [](u32 t) { return tagged(t / 128 * 128 + 127 - t % 128); }},
      {"counted", 256, [](u32 t) { return tagged(255 - t) + 86 + 1000 + 5; }},  // 86 of 0 to 255 are multiples of 3
  };
  for (auto const& row : rows) {
    auto const answer = co::sass::record<Machine>(text, launch_of(row.kernel, 256));
    unsigned wrong = 0;
    for (u32 t = 0; t != row.words; ++t)
      for (u32 b = 0; b != 4; ++b)
        wrong +=
            unsigned{answer.buffers[0].bytes.final_byte(4 * t + b) != static_cast<int>(row.left(t) >> 8 * b & 255)};
    if (wrong != 0) fail(std::string(row.kernel) + ": " + std::to_string(wrong) + " bytes are wrong or not known");
    if (!answer.unknown.empty()) fail(std::string(row.kernel) + ": " + answer.unknown[0].why);
  }
  auto const tickets = co::sass::record<Machine>(text, launch_of("tickets", 256));
  unsigned bounds = 0;
  for (co::site const& s : tickets.sites) bounds += s.at_most;
  if (!tickets.unknown.empty() || bounds != 1) fail("the load by a ticket is not a bound");
}

/// Another block's shared memory is listed. Only the first block of a cluster is known to be that.
void run_clustered(std::string const& text) {
  auto launch = launch_of("clustered", 128);
  auto const answer = co::sass::record<co::cuda::cc90>(text, launch);
  if (answer.unknown.size() != 3) fail("clustered: three accesses to another block are listed");
  for (auto const& each : answer.unknown)
    if (each.why.find("its address depends on SR_SWINHI: line ") != 0) fail("clustered: " + each.why);
  launch.every_block = true;
  try {
    static_cast<void>(co::sass::record<co::cuda::cc90>(text, launch));
    fail("clustered: a second block is refused");
  } catch (co::binary_refused const& refused) {
    if (std::string(refused.what()).find("UCGABAR_ARV: only block 0,0,0 is known to be the first one") ==
        std::string::npos)
      fail(refused.what());
  }
}

/// The text with another instruction in place of each barrier of the block.
std::string without_barriers(std::string text) {
  for (std::size_t at = 0; (at = text.find(" BAR.", at)) != text.npos; ++at)
    text.replace(at, text.find(' ', at + 1) - at, " NOP");
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  std::stringstream all;
  all << std::ifstream(arguments[2]).rdbuf();
  std::string const target = arguments[1], text = count > 3 ? without_barriers(all.str()) : all.str();
  if (target == "75") run<co::cuda::cc75>(text);
  if (target == "90") run<co::cuda::cc90>(text), run_clustered(text);
  std::printf("sm_%s: %u failures\n", arguments[1], failures);
  return failures == 0 ? 0 : 1;
}
