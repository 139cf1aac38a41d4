// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <set>
#include <vector>

// Coverage once more, byte by byte: every byte of every element of a tile, and every byte of every access, in sets and
// lists. This oracle shares no code with the library.

namespace coalescing_tests {

struct matrix_in_memory {
  std::uint64_t base = 0, rows = 1, columns = 1, element_bytes = 1, pitch = 1;
};

/// One access of a lane: the order of the list is that of the domain, then of the lanes, then of a lane's places.
struct lane_access {
  std::uint64_t point = 0;
  unsigned lane = 0;
  std::uint64_t address = 0;  ///< of its first byte
};

struct covered {
  std::uint64_t bytes = 0, touched = 0, least = 0, most = 0, outside = 0;
  std::uint64_t hole = ~std::uint64_t{0}, twice = ~std::uint64_t{0}, beyond = ~std::uint64_t{0};
  lane_access by[2] = {}, beyond_by = {};
};

/// `is_padded_wrongly`: a control, which takes the padding between rows for a part of the tile.
inline covered covered_by(std::vector<lane_access> const& accesses, unsigned bytes, matrix_in_memory const& of,
                          bool is_padded_wrongly = false) {
  std::uint64_t const span = (of.rows - 1) * of.pitch + of.columns * of.element_bytes;
  std::vector<bool> in_the_tile(span, is_padded_wrongly);
  for (std::uint64_t row = 0; row != of.rows; ++row)
    for (std::uint64_t column = 0; column != of.columns; ++column)
      for (std::uint64_t byte = 0; byte != of.element_bytes; ++byte)
        in_the_tile[row * of.pitch + column * of.element_bytes + byte] = true;

  covered found;
  std::vector<std::vector<lane_access>> who(span);
  for (lane_access const& one : accesses) {
    bool is_outside = false;
    for (unsigned byte = 0; byte != bytes; ++byte) {
      std::uint64_t const place = one.address + byte - of.base;
      if (place < span && in_the_tile[place]) {
        who[place].push_back(one);
      } else if (!is_outside) {
        is_outside = true;
        if (found.outside++ == 0) found.beyond = one.address + byte, found.beyond_by = one;
      }
    }
  }
  bool is_first = true;
  for (std::uint64_t place = 0; place != span; ++place) {
    if (!in_the_tile[place]) continue;
    std::uint64_t const times = who[place].size();
    ++found.bytes;
    if (times != 0) ++found.touched;
    if (is_first || times < found.least) found.least = times;
    if (is_first || times > found.most) found.most = times;
    if (times == 0 && found.hole == ~std::uint64_t{0}) found.hole = of.base + place;
    if (times > 1 && found.twice == ~std::uint64_t{0})
      found.twice = of.base + place, found.by[0] = who[place][0], found.by[1] = who[place][1];
    is_first = false;
  }
  return found;
}

/// The bytes of all aligned pieces of `size` bytes that some access touches.
inline std::uint64_t bytes_of_pieces(std::vector<lane_access> const& accesses, unsigned bytes, std::uint64_t size) {
  std::set<std::uint64_t> pieces;
  for (lane_access const& one : accesses)
    for (unsigned byte = 0; byte != bytes; ++byte) pieces.insert((one.address + byte) / size);
  return size * pieces.size();
}

}  // namespace coalescing_tests
