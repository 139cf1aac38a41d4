// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>

#include <array>
#include <cstdint>

// The private memory of lanes, which NVIDIA calls local memory. Its words of 32 bits alternate by lane: the word at
// offset o of lane l is word o / 4 * lanes + l of the wave's memory. (LLVM, AMDGPUUsage, "Address Spaces", Private;
// CUDA C++ Programming Guide, "Device Memory Accesses", Local Memory.) So the words of one lane are not adjacent, and
// each word of an access is recorded as an access of its own. Only the lane itself accesses its words, so the state of
// a wave holds them in the same way as registers.

namespace coalescing::binary {

/// Where private memory begins, and how many bytes each wave of the block takes of it. Any multiple of 256 bytes
/// outside all buffers would do: costs depend only on which words lie in the same sector or line of memory.
inline constexpr std::uint64_t private_base = std::uint64_t{202} << 40, private_step = std::uint64_t{1} << 32;
[[nodiscard]] constexpr bool is_private(std::uint64_t address) { return address >> 40 == private_base >> 40; }
/// The most bytes of a lane's private memory whose values are tracked. If the memory is larger, the reader of NVIDIA's
/// binaries tracks its first bytes, and the reader of AMD's binaries tracks none.
inline constexpr unsigned most_private_bytes = 2048;

/// A piece of an access to private memory: a word, or 1 or 2 bytes of a word.
struct private_piece {
  value offset;
  unsigned bytes;

  /// The piece that lies `at` bytes after the access's own offset.
  private_piece(value of_access, unsigned at, unsigned size)
      : offset(low(sum(of_access, exact(at)), 32)), bytes(size) {}
  [[nodiscard]] value address(unsigned lane, unsigned lanes, unsigned wave) const {
    value const byte = low(offset, 2);
    value const word = byte.is_known() ? sum(offset, exact(0 - byte.bits)) : offset & exact(~std::uint64_t{3});
    value const words = product(widened(word, false), exact(lanes));
    return sum(sum(exact(private_base + wave * private_step), words), sum(byte, exact(std::uint64_t{4} * lane)));
  }
  [[nodiscard]] unsigned word() const { return static_cast<unsigned>(offset.bits / 4); }
  /// Whether the piece surely lies in one of the lane's first `words` words. Only the values of these words are
  /// tracked.
  [[nodiscard]] bool is_in(unsigned words) const {
    return offset.is_known() && offset.bits / 4 < words && offset.bits % 4 + bytes <= 4;
  }
  [[nodiscard]] bool is_outside(unsigned words) const { return offset.is_known() && offset.bits / 4 >= words; }
  /// loaded(of) returns the bytes of the piece, cut out of the word `of`. stored(before, what) returns the word
  /// `before` with `what` in place of the piece.
  [[nodiscard]] value loaded(value of) const { return low(of >> shift(), 8 * bytes); }
  [[nodiscard]] value stored(value before, value what) const {
    value const mask = low(exact(~std::uint64_t{0}), 8 * bytes) << shift();
    return bytes == 4 ? low(what, 32) : (before & ~mask) | low(what, 8 * bytes) << shift();
  }

 private:
  [[nodiscard]] unsigned shift() const { return static_cast<unsigned>(8 * (offset.bits % 4)); }
};

/// Sets each lane's address for one piece of an access to private memory. The piece lies `at` bytes after the lane's
/// offset. refuse(offset) is called if the offset depends on an opcode that is not in the tables.
template <class Refuse>
void put_private(lane_access& one, std::array<value, 64> const& offsets, unsigned at, unsigned lanes, unsigned wave,
                 Refuse const& refuse) {
  each_lane(one.lanes(), [&](unsigned lane) {
    private_piece const piece(offsets[lane], at, one.bytes);
    if (!piece.offset.is_known() && (piece.offset.why & of_opcode) != 0) refuse(piece.offset);
    one.put(lane, piece.address(lane, lanes, wave), 64);
  });
  one.settle_bases(64);
}

}  // namespace coalescing::binary
