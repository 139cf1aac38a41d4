// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>
#include <coalesce/total/launch.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// The launch of a kernel that is known by its binary: the grid, the block, the arguments.

namespace coalescing {

/// An argument of a kernel: a number, or a buffer by its extent in bytes.
struct binary_argument {
  bool is_buffer = false;
  unsigned bytes = 0;                        ///< of the argument itself: its size and its alignment
  std::uint64_t bits = 0;                    ///< of a number
  std::uint64_t extent = 0;                  ///< of a buffer, in bytes
  std::vector<unsigned char> contents = {};  ///< of a buffer whose values steer addresses; bytes past them are unknown
  std::string name = {};                     ///< of a buffer; empty: arg0, arg1, ... by its place among the arguments

  [[nodiscard]] static binary_argument number(std::uint64_t bits, unsigned bytes) { return {false, bytes, bits}; }
  [[nodiscard]] static binary_argument u32(std::uint32_t bits) { return number(bits, 4); }
  [[nodiscard]] static binary_argument u64(std::uint64_t bits) { return number(bits, 8); }
  [[nodiscard]] static binary_argument f32(float x) { return number(std::bit_cast<std::uint32_t>(x), 4); }
  [[nodiscard]] static binary_argument buffer(std::uint64_t extent, std::vector<unsigned char> contents = {},
                                              std::string name = {}) {
    if (contents.size() > extent) throw binary_refused("the contents of a buffer are longer than its extent");
    return {true, 8, 0, extent, std::move(contents), std::move(name)};
  }
};

/// A launch, and which of its blocks run: `blocks`, or all where `blocks` is empty and `every_block` is set, else
/// block {0, 0, 0}.
struct binary_launch {
  std::string kernel = {};  ///< empty: the only one of the text
  coalescing::block grid = {};
  coalescing::block block = {};
  std::vector<binary_argument> arguments = {};
  std::vector<place> blocks = {};
  bool every_block = false;
  std::uint64_t dynamic_shared = 0;              ///< bytes of shared memory that the launch adds to the kernel's own
  std::uint64_t most_instructions = 50'000'000;  ///< of a wave: a loop that runs longer is refused
};

namespace binary {

/// The x, y and z of a block or a grid. All 0 where a text does not state them.
using extents = std::array<std::uint64_t, 3>;
[[nodiscard]] inline extents extents_of(coalescing::block const& b) {
  return {static_cast<std::uint64_t>(b.x), static_cast<std::uint64_t>(b.y), static_cast<std::uint64_t>(b.z)};
}
[[nodiscard]] inline std::uint64_t product(extents const& of) { return of[0] * of[1] * of[2]; }
[[nodiscard]] inline std::string words(extents const& of, std::string const& between) {
  return std::to_string(of[0]) + between + std::to_string(of[1]) + between + std::to_string(of[2]);
}

}  // namespace binary

}  // namespace coalescing
