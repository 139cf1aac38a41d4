// SPDX-License-Identifier: BSL-1.0
// Runs the SASS of expressions.cu on words, and compares with what C++ says of each expression, and with the PTX ISA's
// words for operations that C++ does not have. expressions TARGET TEXT [--break]: --break compares with other words.
#include "../amd/expressions.hpp"
#include <coalesce/host/binary/nvidia.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace co = coalescing;
using co::binary_argument;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

namespace {

template <std::size_t... K>
std::vector<u32> all_expressions(u32 a, u32 b, std::index_sequence<K...>) {
  return {expression<static_cast<unsigned>(K)>(a, b)...};
}

u32 extended(u32 a, unsigned width) {
  return width == 0 ? 0 : width > 31 ? a : a >> (width - 1) & 1 ? a | ~u32{0} << width : a & ~(~u32{0} << width);
}
u32 leading(u32 a) {
  u32 at = ~u32{0};
  for (u32 k = 0; k != 32; ++k)
    if ((a >> k & 1) != 0) at = k;
  return at;
}
u32 ones(unsigned first, unsigned width) {
  u32 to = 0;
  for (unsigned k = first; k < first + width && k < 32; ++k) to |= u32{1} << k;
  return to;
}
/// The operations of expressions.cu. (PTX ISA 9.0, each under its name.)
std::vector<u32> operations(u32 a, u32 b) {
  u32 const c = a * 3 + 1;
  unsigned const at = b & 31, length = b >> 8 & 31;
  u64 const wide = u64{c} << 32 | a;
  auto const i = static_cast<std::int32_t>(a), j = static_cast<std::int32_t>(b), k = static_cast<std::int32_t>(c);
  std::vector<u32> made;
  u32 field = 0;  // bfe, bit by bit: bits above bit 31 are copies of the sign, or zeros
  for (unsigned n = 0; n != length; ++n) field |= (at + n < 32 ? a >> (at + n) & 1 : 0) << n;
  u32 signed_field = 0;
  for (unsigned n = 0; n != 32 && length != 0; ++n) {
    unsigned const from = at + (n < length ? n : length - 1);
    signed_field |= (a >> (from < 32 ? from : 31) & 1) << n;
  }
  made.push_back(field), made.push_back(signed_field);
  u32 inserted = c;
  for (unsigned n = 0; n != length && at + n < 32; ++n)
    inserted = (inserted & ~(u32{1} << (at + n))) | (a >> n & 1) << (at + n);
  made.push_back(inserted);
  unsigned const clamped = (b & 63) < 32 ? b & 63 : 32;
  made.push_back(static_cast<u32>(wide << at >> 32)), made.push_back(static_cast<u32>(wide >> at));
  made.push_back(static_cast<u32>(wide << clamped >> 32)), made.push_back(static_cast<u32>(wide >> clamped));
  u32 permuted = 0;
  for (unsigned n = 0; n != 4; ++n) {
    u32 const byte = static_cast<u32>(wide >> 8 * (b >> 4 * n & 7) & 255);
    permuted |= ((b >> 4 * n & 8) == 0 ? byte : byte > 127 ? 255u : 0u) << 8 * n;
  }
  made.push_back(permuted);
  made.push_back(a ^ (b | c));  // 0xf0 ^ (0xcc | 0xaa)
  u32 const apart = i < 0 ? ~a : a;
  made.push_back(leading(a)), made.push_back(leading(apart));
  made.push_back(apart == 0 ? ~u32{0} : 31 - leading(apart));
  made.push_back(extended(a, b & 63)), made.push_back(a & ones(0, b & 31));
  made.push_back(ones(a & 63, b & 63)), made.push_back(ones(a & 31, b & 31));
  made.push_back(static_cast<u32>(static_cast<u64>(std::int64_t{i} * j) >> 32) + c);
  made.push_back(static_cast<u32>(u64{a} * b >> 32) + c);
  u64 const first = u64{a} + b, second = u64{a} + c + (first >> 32);
  made.push_back(static_cast<u32>(second + b + (second >> 32)));
  u32 const borrow = a < b ? 1 : 0;
  made.push_back(a - c - borrow - b - (u64{a} < u64{c} + borrow ? 1 : 0));
  made.push_back((a > c) != (i < j) ? a : b);
  made.push_back(!(i >= j) || b == c ? a
                                     : c);  // the second result inverts the comparison, and joins the same predicate
  made.push_back(static_cast<u32>(((u64{b} << 32 | a) + static_cast<u64>(std::int64_t{i} * k)) >> 32));
  return made;
}

unsigned failures = 0;
template <class Machine>
void compare(std::string const& text, bool is_broken) {
  unsigned const threads = 1024;
  std::mt19937 random(28);
  std::vector<u32> in;
  for (unsigned t = 0; t != 2 * threads; ++t) {
    u32 const x = static_cast<u32>(random());
    in.push_back(random() % 4 == 0 ? x % 70 : random() % 4 == 0 ? 0x80000000u + x % 3 - 1 : x);
  }
  std::vector<unsigned char> bytes(4 * in.size());
  std::memcpy(bytes.data(), in.data(), bytes.size());
  u64 compared = 0;
  for (bool const is_ptx : {false, true}) {
    std::vector<std::vector<u32>> want;
    for (unsigned t = 0; t != threads; ++t) {
      u32 const a = in[2 * t] ^ u32 { is_broken }, b = in[2 * t + 1];
      want.push_back(is_ptx ? operations(a, b) : all_expressions(a, b, std::make_index_sequence<expression_count>()));
    }
    u64 const size = 4 * threads * want[0].size();
    auto const answer = co::sass::record<Machine>(
        text, {.kernel = is_ptx ? "operations" : "expressions",
               .grid = {threads / 256},
               .block = {256},
               .arguments = {binary_argument::buffer(size, std::vector<unsigned char>(1)),
                             binary_argument::buffer(bytes.size(), bytes), binary_argument::u32(threads)},
               .every_block = true});
    for (std::size_t k = 0; k != want[0].size(); ++k) {
      unsigned wrong = 0;
      for (unsigned t = 0; t != threads; ++t) {
        bool right = true;
        for (unsigned b = 0; b != 4; ++b)
          right = right && answer.buffers[0].bytes.final_byte(4 * (k * threads + t) + b) ==
                               static_cast<int>(want[t][k] >> 8 * b & 255);
        wrong += unsigned{!right}, ++compared;
      }
      if (wrong == 0) continue;
      ++failures;
      std::printf("%s %zu: %u of %u words differ\n", is_ptx ? "operation" : "expression", k, wrong, threads);
    }
    if (!answer.unknown.empty()) ++failures, std::printf("%s\n", answer.unknown[0].why.c_str());
  }
  std::printf("%s: compared %llu words, %u expressions differ\n", Machine::identity.name,
              static_cast<unsigned long long>(compared), failures);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  std::stringstream all;
  all << std::ifstream(arguments[2]).rdbuf();
  std::string const target = arguments[1];
  bool const is_broken = count > 3;
  if (target == "75") compare<co::cuda::cc75>(all.str(), is_broken);
  if (target == "80") compare<co::cuda::cc80>(all.str(), is_broken);
  if (target == "90") compare<co::cuda::cc90>(all.str(), is_broken);
  if (target == "100") compare<co::cuda::cc100>(all.str(), is_broken);
  return failures == 0 ? 0 : 1;
}
