// SPDX-License-Identifier: BSL-1.0
// Carries data through the binaries of kernels.cu: each word is tagged, so a wrong address, predicate, loop or barrier
// leaves a wrong word. carried TARGET TEXT [--break]: --break compares with other data, and must find mismatches.
#include <coalesce/host/binary/nvidia.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace co = coalescing;
using words = std::vector<std::uint32_t>;
using co::binary_argument;

namespace {

using reader = co::binary_answer (*)(std::string_view, co::binary_launch const&);
template <class Machine>
co::binary_answer read(std::string_view text, co::binary_launch const& launch) {
  return co::sass::record<Machine>(text, launch);
}
constexpr std::pair<char const*, reader> machines[] = {{"75", read<co::cuda::cc75>},  {"80", read<co::cuda::cc80>},
                                                       {"86", read<co::cuda::cc86>},  {"89", read<co::cuda::cc89>},
                                                       {"90", read<co::cuda::cc90>},  {"100", read<co::cuda::cc100>},
                                                       {"120", read<co::cuda::cc120>}};

std::vector<unsigned char> bytes_of(words const& from) {
  std::vector<unsigned char> to(4 * from.size());
  std::memcpy(to.data(), from.data(), to.size());
  return to;
}
binary_argument buffer(words const& contents) {
  return binary_argument::buffer(4 * contents.size(), bytes_of(contents));
}
words tagged(std::size_t size) {
  words all(size);
  for (std::size_t k = 0; k != size; ++k) all[k] = static_cast<std::uint32_t>(k * 2654435761u + 7);
  return all;
}

struct checker {
  reader record;
  std::string text;
  bool is_broken;
  unsigned failures = 0;
  std::uint64_t sites = 0, costed = 0;

  void fail(std::string const& kernel, std::string const& what) {
    ++failures;
    std::printf("%s: %s\n", kernel.c_str(), what.c_str());
  }
  /// The kernel of this name: C++ names begin with _Z, the name's length and the name.
  [[nodiscard]] std::string mangled(std::string const& name) const {
    auto const at = text.find("_Z" + std::to_string(name.size()) + name);
    auto const end = text.find_first_of(" ,:\r\n-", at);
    return at == text.npos ? name : text.substr(at, end - at);
  }
  /// Runs every block, and compares a buffer with the words that it should hold at the end; so many accesses are
  /// bounds, since they depend on data.
  co::binary_answer run(std::string const& name, co::block grid, co::block block,
                        std::vector<binary_argument> arguments, unsigned which = 0, words expected = {},
                        std::size_t bounds = 0) {
    co::binary_launch launch;
    launch.kernel = mangled(name), launch.grid = grid, launch.block = block;
    launch.arguments = std::move(arguments), launch.every_block = true;
    co::binary_answer answer;
    try {
      answer = record(text, launch);
    } catch (co::binary_refused const& refused) {
      fail(name, refused.what());
      return answer;
    }
    if (is_broken && !expected.empty()) expected[expected.size() / 2] ^= 1;
    std::size_t wrong = 0;
    for (std::size_t k = 0; k != expected.size(); ++k) {
      std::uint32_t word = 0;
      bool is_known = true;
      for (unsigned b = 0; b != 4; ++b) {
        int const byte = answer.buffers[which].bytes.final_byte(4 * k + b);
        is_known = is_known && byte >= 0, word |= static_cast<std::uint32_t>(byte & 255) << (8 * b);
      }
      wrong += std::size_t{!is_known || word != expected[k]};
    }
    if (wrong != 0) fail(name, std::to_string(wrong) + " of " + std::to_string(expected.size()) + " words are wrong");
    for (co::site const& s : answer.sites) bounds -= s.at_most;
    if (!answer.unknown.empty() || bounds != 0) {
      fail(name, std::to_string(answer.unknown.size()) + " accesses without a cost");
      for (auto const& each : answer.unknown)
        std::printf("  %s at %llx: %s\n", each.at.opcode.c_str(), static_cast<unsigned long long>(each.at.offset),
                    each.why.c_str());
    }
    for (co::site const& s : answer.sites) ++sites, costed += s.cost.is_counted;
    return answer;
  }
  void expect(char const* what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected) fail(what, std::to_string(found) + ", and not " + std::to_string(expected));
  }
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  reader record = nullptr;
  for (auto const& [name, each] : machines)
    if (std::string(arguments[1]) == name) record = each;
  std::ifstream file(arguments[2]);
  std::stringstream text;
  text << file.rdbuf();
  checker check{record, text.str(), count > 3};

  words const in = tagged(4096);
  words out = in;
  for (std::size_t k = 1000; k != out.size(); ++k) out[k] = 0;
  words const zeros(4096);
  check.run("copy", {4}, {256}, {buffer(zeros), buffer(in), binary_argument::u32(1000)}, 0, out);
  words all = in;
  check.run("copy4", {2}, {64}, {buffer(zeros), buffer(in), binary_argument::u32(1024)}, 0, all);
  check.run("saxpy", {4}, {256},
            {binary_argument::buffer(4000), binary_argument::buffer(4000), binary_argument::f32(2),
             binary_argument::u32(1000)});

  // 64 rows of 48 columns: out[c][r] = in[r][c]
  words transposed(4096);
  for (unsigned r = 0; r != 64; ++r)
    for (unsigned c = 0; c != 48; ++c) transposed[c * 64 + r] = in[r * 48 + c];
  struct {
    char const* name;
    std::uint64_t rounds;
  } const transposes[] = {{"transpose_plain", 32}, {"transpose_padded", 1}, {"transpose_swizzled", 1}};
  for (auto const& [name, rounds] : transposes) {
    auto const answer =
        check.run(name, {2, 2}, {32, 8},
                  {buffer(zeros), buffer(in), binary_argument::u32(64), binary_argument::u32(48)}, 0, transposed);
    // A tile has 32 rows. Every one of 4 tiles has 32 rows of 32 lanes, or of 16.
    std::uint64_t worst = 0;
    for (co::site const& s : answer.sites)
      if (s.space == co::memory_space::shared && s.kind == co::touch::load) worst = s.worst > worst ? s.worst : worst;
    check.expect(name, worst, rounds);
  }

  std::uint32_t sums[2] = {};
  for (unsigned k = 0; k != 1000; ++k) sums[k / 256 % 2] += in[k];
  check.run("reduction", {2}, {256}, {buffer(words(2)), buffer(in), binary_argument::u32(1000)}, 0, {sums[0], sums[1]});
  check.run("reduction_shuffled", {4}, {256}, {binary_argument::buffer(4), buffer(in), binary_argument::u32(1000)});
  words three = zeros;
  for (unsigned t = 0; t != 96; ++t) {
    std::uint32_t sum = 0;
    if (t % 3 == 0)
      for (unsigned k = 0; k < t % 5; ++k) sum += in[k * 32 + t];
    else
      sum = t % 3 == 1 ? in[2 * t] ^ 1 : in[t / 2] * 7;
    three[t] = sum;
  }
  check.run("divergent", {1}, {96}, {buffer(zeros), buffer(in), binary_argument::u32(0)}, 0, three);

  words index(1024), gathered = zeros;
  for (unsigned k = 0; k != 1000; ++k) index[k] = k * 37 % 1024, gathered[k] = in[index[k]];
  check.run("gather", {4}, {256}, {buffer(zeros), buffer(in), buffer(index), binary_argument::u32(1000)}, 0, gathered);
  check.run("gather", {1}, {256},
            {buffer(zeros), buffer(in), binary_argument::buffer(4096), binary_argument::u32(1000)}, 0, {}, 1);
  check.run("histogram", {4}, {256}, {binary_argument::buffer(1024), buffer(in), binary_argument::u32(1000)});

  words mirrored(4096);
  for (unsigned k = 0; k != 1024; ++k)
    for (unsigned w = 0; w != 4; ++w) mirrored[4 * k + w] = in[4 * (k / 256 * 256 + 255 - k % 256) + w];
  check.run("staged", {4}, {256}, {buffer(zeros), buffer(in)}, 0, mirrored);

  // Each block of 256 threads reads a column of A's tiles and a row of B's: 128 * 16 numbers of 4 bytes, once.
  auto const gemm = check.run("gemm", {2, 1}, {256},
                              {binary_argument::buffer(128 * 256 * 4), binary_argument::buffer(128 * 16 * 4),
                               binary_argument::buffer(16 * 256 * 4), binary_argument::u32(128),
                               binary_argument::u32(256), binary_argument::u32(16)});
  std::uint64_t read_bytes = 0;
  for (co::site const& s : gemm.sites)
    if (s.space == co::memory_space::global && s.kind == co::touch::load) read_bytes += s.cost.issued * 32 * s.bits / 8;
  check.expect("gemm: bytes read", read_bytes, 2 * (128 * 16 * 4 + 16 * 128 * 4));

  words divided = zeros;
  for (unsigned t = 0; t != 1024; ++t)
    divided[t] = in[t / 7 * 3 + t % 7] ^ static_cast<std::uint32_t>((static_cast<int>(t) - 100) / 7);
  check.run("divided", {4}, {256}, {buffer(zeros), buffer(in), binary_argument::u32(7)}, 0, divided);

  // ldmatrix.trans: lane l of matrix m receives elements [2 (l % 4)][l / 4] and the one below it; a row has 16 bytes.
  auto const half = [&in](unsigned row, unsigned column) {
    return in[row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
  };
  words fragments(128);
  for (unsigned m = 0; m != 4; ++m)
    for (unsigned l = 0; l != 32; ++l)
      fragments[m * 32 + l] = half(8 * m + l % 4 * 2, l / 4) | half(8 * m + l % 4 * 2 + 1, l / 4) << 16;
  check.run("fragments", {1}, {32}, {buffer(words(128)), buffer(in)}, 0, fragments);

  std::vector<unsigned char> const bytes = bytes_of(in);
  std::vector<unsigned char> narrow(4096);
  for (unsigned k = 0; k != 1000; ++k) narrow[999 - k] = static_cast<unsigned char>(bytes[k] + bytes[2 * k]);
  words narrow_words(1024);
  std::memcpy(narrow_words.data(), narrow.data(), 4096);
  check.run("narrow", {4}, {256}, {buffer(words(1024)), buffer(in), buffer(in), binary_argument::u64(1000)}, 0,
            narrow_words);

  words scanned(64), v(64);
  for (unsigned t = 0; t != 64; ++t) v[t] = (t % 32 == 0 ? 0 : v[t - 1]) + in[t];
  for (unsigned t = 0; t != 64; ++t) {
    std::uint32_t odd = 0, reversed = 0, zeros_above = 0;
    for (unsigned k = 0; k != 32; ++k) odd += v[t / 32 * 32 + k] & 1, reversed |= (v[t] >> k & 1) << (31 - k);
    while (zeros_above != 32 && (v[t] >> (31 - zeros_above) & 1) == 0) ++zeros_above;
    std::uint32_t const least = static_cast<std::int32_t>(v[t]) < static_cast<std::int32_t>(t) ? v[t] : t;
    std::uint32_t const by = t & 31, funnel = by == 0 ? t : t << by | v[t] >> (32 - by);
    std::uint32_t const permuted = (v[t] >> 16 & 255) | (t & 255) << 8 | (v[t] >> 24) << 16 | (t >> 8 & 255) << 24;
    scanned[t] = v[t] ^ v[t / 8 * 8 + 3] ^ odd ^ reversed ^ least ^ zeros_above ^ v[t] << by ^ funnel ^ permuted;
  }
  check.run("scanned", {1}, {64}, {buffer(words(64)), buffer(in)}, 0, scanned);

  std::printf("sm_%s: %llu of %llu sites costed, %u failures\n", arguments[1],
              static_cast<unsigned long long>(check.costed), static_cast<unsigned long long>(check.sites),
              check.failures);
  return check.failures == 0 ? 0 : 1;
}
