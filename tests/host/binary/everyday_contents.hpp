// SPDX-License-Identifier: BSL-1.0
// What the buffers of everyday.cu hold, and how large its launches are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace everyday {

constexpr unsigned blocks = 2, threads = 128;
constexpr std::uint64_t buffer_bytes = 1 << 15;

/// The contents of a buffer: numbers, each by its own rule. Every rule has a few adverse patterns, and random ones.
enum class filled { any, index, rows, sorted, slots, floats, doubles, pointers };

/// Where a binary does not have the accesses of the source: clang pairs accesses to LDS, which are not compared then. A
/// table of constants is loaded beside them: that of nvcc's sinf, and one that clang puts into global memory.
enum class made { as_written, pairs_on_amd, table_on_nvidia, table_on_amd };

/// splitmix64: many numbers are drawn, and mt19937 takes long without optimization.
class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint32_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9, z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>(z >> 32);
  }

 private:
  std::uint64_t state_;
};

inline std::vector<unsigned char> contents(generator& random, filled how, unsigned adverse, std::uint64_t values) {
  std::vector<unsigned char> bytes(buffer_bytes);
  std::uint32_t const words = buffer_bytes / 4;
  constexpr float some[] = {0.0f, 1.0f, -1.0f, std::numeric_limits<float>::infinity(), 1e-42f, 1e30f, 105615.0f, 2.5f};
  auto const put = [&](std::uint64_t k, auto number) {
    std::memcpy(&bytes[k * sizeof number], &number, sizeof number);
  };
  std::uint32_t const some_bits = random();
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k != words; ++k) {
    std::uint32_t const number = random();
    std::uint32_t const mixed = number % 3 == 0 ? number % 97 : number >> number % 32;
    switch (how) {
      case filled::any:
      case filled::slots:
        put(k, how == filled::slots && k % 8 == 5 ? 0u
               : adverse == 0                     ? 0u
               : adverse == 1                     ? 200u
               : adverse == 2                     ? k * 32 + 101
               : adverse == 3                     ? k * 8 + 101
               : adverse == 4                     ? k % 2 * 200
               : adverse == 5                     ? k
               : adverse == 6                     ? k * 33
               : adverse == 7                     ? 8 * (k / 32 % 2) + k % 8
               : adverse == 8                     ? k * 1000 % 32'000
               : adverse % 3 == 0                 ? (number & some_bits) + 101
               : adverse % 3 == 1                 ? number % 8
                                                  : mixed);
        break;
      case filled::index:  // at most 8,192 - 192
        put(k, adverse == 0   ? 5u
               : adverse == 1 ? k * 32 % 8'000
               : adverse == 2 ? k
               : adverse == 3 ? k * 8 % 8'000 + 7
                              : number % (adverse % 2 == 0 ? 8'000 : 64));
        break;
      case filled::rows:
        put(k, sum);
        sum += adverse == 0   ? 0
               : adverse == 1 ? 7
               : adverse == 2 ? k % 32
               : adverse == 3 ? 32
               : adverse == 4 ? 129 * (k < 3)
                              : number % 8;
        sum = std::min<std::uint32_t>(sum, 8'000);
        break;
      case filled::sorted:
        put(k, sum), sum += adverse < 8 ? 32 : number % 8;
        break;
      case filled::floats:
        put(k, adverse < 8 ? some[adverse] : number % 4 == 0 ? some[number / 4 % 8] : static_cast<float>(mixed) / 7);
        break;
      case filled::doubles:
        if (k % 2 == 0) put(k / 2, adverse < 8 ? double{some[adverse]} : number % 4 == 0 ? 1e-310 : mixed / 7.0);
        break;
      case filled::pointers:
        if (k % 2 == 0) put(k / 2, values + 4 * (number % 8'000));
        break;
    }
  }
  return bytes;
}

}  // namespace everyday
