// SPDX-License-Identifier: BSL-1.0
// Runs the SASS of ends.cu, which nvdisasm printed whole: warps that end before their EXIT, results that leave two
// registers, and what launches a kernel allows. The numbers are by hand. ends TARGET TEXT [--break]: --break expects
// one warp more at each end and other words of a switch, and must find each wrong.
#include <coalesce/host/binary/nvidia.hpp>

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

unsigned failures = 0, wrong_ends = 0, ends = 0, wrong_words = 0;
bool is_broken = false;
void expect(bool is, std::string const& what) {
  if (!is) ++failures, std::printf("%s\n", what.c_str());
}
binary_argument zeros(unsigned bytes) { return binary_argument::buffer(bytes, std::vector<unsigned char>(bytes)); }

template <class Machine>
struct asked {
  std::string text;

  co::binary_answer of(std::string const& kernel, unsigned threads, std::vector<binary_argument> arguments,
                       std::uint64_t dynamic = 0, co::block grid = {}) const {
    return co::sass::record<Machine>(text, {.kernel = kernel,
                                            .grid = grid,
                                            .block = {threads},
                                            .arguments = std::move(arguments),
                                            .dynamic_shared = dynamic});
  }
  std::string refusal(std::string const& kernel, co::block block, co::block grid,
                      std::vector<binary_argument> arguments, std::uint64_t dynamic = 0) const {
    try {
      static_cast<void>(co::sass::record<Machine>(text, {.kernel = kernel,
                                                         .grid = grid,
                                                         .block = block,
                                                         .arguments = std::move(arguments),
                                                         .dynamic_shared = dynamic}));
    } catch (co::binary_refused const& refused) {
      return refused.what();
    }
    return "";
  }
};

/// So many warps end at such an opcode, for such a reason; a gate on `unknown` fails.
void ends_at(co::binary_answer const& answer, std::string const& opcode, std::string const& why, std::uint64_t warps) {
  std::uint64_t found = 0;
  for (co::binary_unknown const& each : answer.unknown)
    if (each.at.opcode == opcode && each.why.find("warps end here: " + why) == 0) found += each.issued;
  ++ends;
  if (found != warps + unsigned{is_broken})
    ++wrong_ends, std::printf("%s: %llu warps end at %s\n", answer.kernel.c_str(),
                              static_cast<unsigned long long>(found), opcode.c_str());
  expect(!answer.unknown.empty() && co::json(answer).find("warps end here: " + why) != std::string::npos,
         answer.kernel + ": the end is not in the answer, or not in its JSON");
}
std::uint64_t issued(co::binary_answer const& answer, co::touch kind) {
  std::uint64_t all = 0;
  for (co::site const& s : answer.sites) all += s.kind == kind ? s.cost.issued : 0;
  return all;
}
std::uint64_t exact_stores(co::binary_answer const& answer) {
  std::uint64_t all = 0;
  for (co::site const& s : answer.sites) all += s.kind == co::touch::store && !s.at_most ? s.cost.issued : 0;
  return all;
}
u32 word_of(co::binary_answer const& answer, unsigned k, bool& is_known) {
  u32 word = 0;
  is_known = true;
  for (unsigned b = 0; b != 4; ++b) {
    int const byte = answer.buffers[0].bytes.final_byte(4 * k + b);
    is_known = is_known && byte >= 0, word |= static_cast<u32>(byte < 0 ? 0 : byte) << (8 * b);
  }
  return word;
}
bool knows_nothing(co::binary_answer const& answer) {
  for (std::uint64_t k = 0; k != answer.buffers[0].extent; ++k)
    if (answer.buffers[0].bytes.final_byte(k) >= 0) return false;
  return true;
}

template <class Machine>
void warps_end(asked<Machine> const& ask) {
  // Data keep the first warp's loop going. Its accesses are of one round, and the last store is exact: 2 warps, to
  // words that the loop does not touch.
  bool is_known = false;
  auto const flagged = ask.of("flagged", 64, {zeros(65536), binary_argument::buffer(64)});
  expect(flagged.unknown.empty() && flagged.sites.total().at_most, "flagged: a branch on data");
  expect(exact_stores(flagged) == 2 && issued(flagged, co::touch::store) == 3, "flagged: the store after it");
  for (unsigned t = 0; t != 64; ++t)
    expect(word_of(flagged, 2048 + t * 32, is_known) == t && is_known, "flagged: what is stored at last");
  static_cast<void>(word_of(flagged, 32, is_known));
  expect(!is_known, "flagged: what the first warp may store");
  // Where the flag is known, both go on.
  auto const followed = ask.of("flagged", 64, {zeros(65536), zeros(64)});
  expect(followed.unknown.empty() && issued(followed, co::touch::store) == 2, "flagged: known flags");
  for (unsigned t = 0; t != 64; ++t)
    expect(word_of(followed, 2048 + t * 32, is_known) == t && is_known, "flagged: what known flags leave");

  ends_at(ask.of("numbered", 96, {zeros(4096), binary_argument::buffer(4096)}), "BAR.SYNC.DEFER_BLOCKING",
          "its number depends on data: line ", 3);

  // All threads come to BAR.RED after the loop, so what it counts is known.
  auto const counted = ask.of("counted", 64, {zeros(65536), binary_argument::buffer(4096)});
  expect(counted.unknown.empty() && exact_stores(counted) == 4, "counted: the stores after the loop");
  auto const whole = ask.of("counted", 64, {zeros(65536), zeros(4096)});
  expect(whole.unknown.empty() && issued(whole, co::touch::store) == 4, "counted: known flags");
}

template <class Machine>
void values(asked<Machine> const& ask) {
  // The cases of a switch: 5, in[t], in[t + 32], in[t + 64], and 9 for the rest.
  std::vector<unsigned char> counted(4096);
  for (unsigned k = 0; k != 1024; ++k)
    counted[4 * k] = static_cast<unsigned char>(k), counted[4 * k + 1] = static_cast<unsigned char>(k >> 8);
  for (u32 n = 0; n != 6; ++n) {
    auto const cases =
        ask.of("switched", 64, {zeros(4096), binary_argument::buffer(4096, counted), binary_argument::u32(n)});
    bool const loads = n != 0 && n < 4;
    expect(cases.unknown.empty() && cases.assumed.empty() && exact_stores(cases) == 2 &&
               issued(cases, co::touch::load) == (loads ? 2 : 0),
           "switched: one case");
    for (unsigned t = 0; t != 64; ++t) {
      bool is_known = false;
      u32 const stored = word_of(cases, t, is_known), of_case = n == 0 ? 5 : loads ? t + 32 * (n - 1) : 9;
      wrong_words += !is_known || stored != of_case + unsigned{is_broken};
    }
  }
  // Rows of 33 words: lane t stores to t / 5 * 33 + t % 5. 7 rows of 20 bytes (the last has 8), 132 bytes apart: row 4
  // begins at byte 528 = 16 * 32 + 16, so that it lies in two sectors of 32 bytes; so do rows 5 (660) and 6 (792..800).
  auto const divided = ask.of("divided", 32, {zeros(4096), zeros(128), binary_argument::u32(5)});
  expect(divided.unknown.empty() && divided.sites.stores("arg0").transactions == 9, "divided: sectors");

  for (char const* kernel : {"to_integer", "to_double"}) {
    auto const made = ask.of(kernel, 32, {zeros(64), binary_argument::buffer(256)});
    bool const is_bound =
        made.unknown.empty() && exact_stores(made) == 0 && made.sites.stores("arg0").transactions >= 2;
    expect(is_bound && knows_nothing(made), std::string(kernel) + ": the upper register is data");
  }
  // a[3] is t, and the others are 0: lane t stores a[3 t & 15], and 1 after word 32 + t. ptxas keeps a in registers
  // for sm_120, and in local memory for sm_90.
  auto const indexed = ask.of("indexed", 32, {zeros(4096), zeros(4096), binary_argument::u32(3)});
  bool is_known = false;
  for (u32 t = 0; t != 32; ++t) {
    expect(word_of(indexed, t, is_known) == (t * 3 % 16 == 3 ? t : 0) && is_known, "indexed: what it leaves");
    expect(word_of(indexed, 32 + t, is_known) == 1 && is_known, "indexed: what it steers");
  }
  std::uint64_t local = 0;
  for (co::site const& each : indexed.sites) local += std::string(each.array) == "local" ? each.cost.issued : 0;
  expect(indexed.unknown.empty() && local == (Machine::identity.capability == 90 ? 20 : 0),
         "indexed: " + std::to_string(local) + " words of local memory");
}

template <class Machine>
void launches(asked<Machine> const& ask) {
  auto const is_in = [](std::string const& found, char const* words) {
    expect(!found.empty() && found.find(words) != found.npos, std::string(words) + " was expected, and not: " + found);
  };
  is_in(ask.refusal("bounded", {512}, {}, {zeros(4096)}), "at most 256 threads in a block (.maxntid)");
  expect(ask.refusal("bounded", {64, 4}, {}, {zeros(4096)}).empty(), "bounded: the product counts");
  expect(ask.of("bounded", 256, {zeros(4096)}).unchecked.empty(), "bounded: the text states its launches");
  is_in(ask.refusal("required", {64}, {}, {zeros(4096)}), "blocks of 32,2,1 threads (.reqntid)");
  expect(ask.refusal("required", {32, 2}, {}, {zeros(4096)}).empty(), "required: the block it says");
  is_in(ask.refusal("clustered", {64}, {3}, {zeros(4096)}), "clusters have 2,1,1 blocks, and the grid of 3,1,1");
  expect(ask.refusal("clustered", {64}, {4}, {zeros(4096)}).empty(), "clustered: two whole clusters");

  // 64 words of the kernel's own, above 1,024 bytes that sm_90 and later reserve: lane 31 of the second warp is
  // word 63.
  expect(ask.refusal("tiled", {64}, {}, {zeros(4096), binary_argument::u32(0)}).empty(), "tiled: all inside");
  is_in(ask.refusal("tiled", {64}, {}, {zeros(4096), binary_argument::u32(1)}),
        "lane 31 accesses byte 1280 of shared memory, and the block has 1280 bytes");
  is_in(ask.refusal("adding", {64}, {}, {zeros(4096), binary_argument::u32(0)}), "the block has 1024 bytes");
  expect(ask.refusal("adding", {64}, {}, {zeros(4096), binary_argument::u32(0)}, 256).empty(), "adding: 256 bytes");
  is_in(ask.refusal("adding", {64}, {}, {zeros(4096), binary_argument::u32(1)}, 256), "the block has 1280 bytes");
}

template <class Machine>
void run(std::string const& text) {
  asked<Machine> const ask{text};
  warps_end(ask), values(ask), launches(ask);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  std::stringstream all;
  all << std::ifstream(arguments[2]).rdbuf();
  std::string const target = arguments[1];
  is_broken = count > 3;
  if (target == "90") run<co::cuda::cc90>(all.str());
  if (target == "120") run<co::cuda::cc120>(all.str());
  std::printf("sm_%s: %u of %u ends wrong, %u words of a switch wrong, %u failures\n", arguments[1], wrong_ends, ends,
              wrong_words, failures);
  return failures + wrong_ends + wrong_words == 0 && ends != 0 ? 0 : 1;
}
