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

// The launch of a kernel that is given as a binary: the grid, the block, the arguments.

namespace coalescing {

/// An argument of a kernel: a number, or a pointer to a buffer. Some bits of a number may be unknown. The unknown bits
/// are the same for all threads.
struct binary_argument {
  /// If `extent` has this value, the buffer may have any size.
  static constexpr std::uint64_t any_extent = ~std::uint64_t{0};
  /// If `at` has this value, the argument begins at the next multiple of `bytes`.
  static constexpr std::uint64_t next_place = ~std::uint64_t{0};

  bool is_buffer = false;
  unsigned bytes = 0;        ///< size of the argument itself, and its alignment
  std::uint64_t bits = 0;    ///< the value of a number
  std::uint64_t extent = 0;  ///< bytes of a buffer
  /// The first bytes of a buffer. The bytes after them are unknown. A launch needs to give contents only if addresses
  /// depend on them.
  std::vector<unsigned char> contents = {};
  std::string name = {};  ///< the name of a buffer; empty: arg0, arg1, ... by its position among the arguments
  std::uint64_t known = ~std::uint64_t{0};  ///< mask of the bits of a number that are known
  std::uint64_t at = next_place;            ///< the argument's offset in the kernel's argument memory, in bytes
  bool may_point = false;  ///< the argument is an unknown number of 8 bytes, and may be a pointer to a buffer
  /// Facts about the whole number, besides its bits: it is at most `most`, and a multiple of `factor`.
  std::uint64_t most = ~std::uint64_t{0}, factor = 1;

  /// A mask of all bits that a number of this size has.
  [[nodiscard]] std::uint64_t every_bit() const {
    return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  }
  [[nodiscard]] static binary_argument number(std::uint64_t bits, unsigned bytes) { return {false, bytes, bits}; }
  [[nodiscard]] static binary_argument u32(std::uint32_t bits) { return number(bits, 4); }
  [[nodiscard]] static binary_argument u64(std::uint64_t bits) { return number(bits, 8); }
  [[nodiscard]] static binary_argument f32(float x) { return number(std::bit_cast<std::uint32_t>(x), 4); }
  [[nodiscard]] static binary_argument buffer(std::uint64_t extent, std::vector<unsigned char> contents = {},
                                              std::string name = {}) {
    if (contents.size() > extent) throw binary_refused("the contents of a buffer are longer than its extent");
    return {true, 8, 0, extent, std::move(contents), std::move(name)};
  }
  /// A pointer into a buffer of any size. Bytes before and after the place that it points to may be accessed. The
  /// pointer is a multiple of 256, and no other buffer shares a byte with this one.
  [[nodiscard]] static binary_argument pointer(std::string name = {}) {
    return {true, 8, 0, any_extent, {}, std::move(name)};
  }
  /// A number of which nothing is known.
  [[nodiscard]] static binary_argument unknown(unsigned bytes) {
    binary_argument made = number(0, bytes);
    made.known = 0;
    return made;
  }
  /// A number that is only known to be a multiple of `factor`. (So its n lowest bits are known to be 0, if 2^n divides
  /// `factor`.) `bytes` is 0 if the binary tells the size (binary_launch::named).
  [[nodiscard]] static binary_argument multiple_of(std::uint64_t factor, unsigned bytes = 0) {
    binary_argument made = unknown(bytes);
    if (factor != 0) made.factor = factor, made.known = (factor & (0 - factor)) - 1;
    return made;
  }
  /// A number that is only known to be from 0 to `most`. (So its bits above the highest bit of `most` are known to be
  /// 0.) `bytes` is 0 if the binary tells the size.
  [[nodiscard]] static binary_argument at_most(std::uint64_t most, unsigned bytes = 0) {
    binary_argument made = unknown(bytes);
    made.most = most, made.known = most == 0 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> std::countl_zero(most));
    return made;
  }
};

/// An argument by its name in the binary's tables (AMD), or by its position: "0", "1", ...
struct named_argument {
  std::string name = {};
  binary_argument is = {};
};

namespace binary {
/// The sizes of a block or a grid along x, y and z. All three are 0 if a text does not state them.
using extents = std::array<std::uint64_t, 3>;
}  // namespace binary

/// A launch, and which of its blocks run. If `blocks` is not empty, the blocks in that list run. Else all blocks run if
/// `every_block` is set, and only block {0, 0, 0} if it is not.
struct binary_launch {
  std::string kernel = {};  ///< the kernel's name; empty: the only kernel of the disassembly
  coalescing::block grid = {};
  coalescing::block block = {};
  /// If this list is empty, the binary's own tables, or the kernel's mangled name, tell what arguments there are. Then
  /// each pointer points to a buffer of any size, and each number is unknown.
  std::vector<binary_argument> arguments = {};
  std::vector<named_argument> named = {};  ///< what is known of arguments that the binary lists
  std::vector<place> blocks = {};          ///< the blocks to run, each at most once
  bool every_block = false;
  /// Whether one block runs in place of all blocks. Its index is unknown, so the upper bounds of its costs hold for
  /// each block of the grid. If `grid` has only one block, the bounds hold for a grid of any size.
  bool any_block = false;
  /// The block that runs stands for this many neighbouring blocks along each axis, and is the first of them
  /// (recorder.hpp).
  binary::extents alike = {1, 1, 1};
  unsigned jobs = 1;                 ///< how many threads run blocks. The answer does not depend on it
  std::uint64_t dynamic_shared = 0;  ///< bytes of shared memory that the launch adds to the kernel's own
  /// Whether the block that runs stands for more than one block.
  [[nodiscard]] bool is_of_many() const { return any_block || alike[0] * alike[1] * alike[2] != 1; }
  /// The most instructions that a wave may execute. Refused: a wave that executes more, as in an endless loop.
  std::uint64_t most_instructions = 50'000'000;
};

namespace binary {

[[nodiscard]] inline extents extents_of(coalescing::block const& b) {
  return {static_cast<std::uint64_t>(b.x), static_cast<std::uint64_t>(b.y), static_cast<std::uint64_t>(b.z)};
}
[[nodiscard]] inline std::uint64_t product(extents const& of) { return of[0] * of[1] * of[2]; }
[[nodiscard]] inline std::string words(extents const& of, std::string const& between) {
  return std::to_string(of[0]) + between + std::to_string(of[1]) + between + std::to_string(of[2]);
}

}  // namespace binary

}  // namespace coalescing
