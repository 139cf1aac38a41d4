// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <vector>

// Oracle: every layout of a search space of co::suggest(), as a table that was filled by laying the tile out piece
// after piece. The spaces are written down from the sentences of the headers, not from their code.

namespace oracle {

/// Where each byte of the tile lies, by its offset in rows without padding.
struct table {
  std::vector<std::uint64_t> byte;
  std::uint64_t bytes = 0;  ///< of memory
  bool is_swizzled = false;
  std::uint64_t every = 1, gap = 0, apart = 1;
  std::uint64_t box = 0;  ///< bytes of a row of a box
};
struct shape {
  std::uint64_t rows, row_bytes, unit, period, capacity;
  unsigned banks_log2, narrow_banks_log2;  ///< of the bytes of a row of banks: the widest, the narrowest
  std::uint64_t bytes() const { return rows * row_bytes; }
};

inline table plain(shape const& of) {
  table made;
  for (std::uint64_t k = 0; k != of.bytes(); ++k) made.byte.push_back(k);
  made.bytes = of.bytes();
  return made;
}

/// XORs bits one by one. Returns false where a byte leaves the tile, or a piece of `whole` bytes is torn.
inline bool swizzle(table& made, unsigned bits, unsigned base, unsigned from, std::uint64_t whole) {
  std::vector<bool> taken(made.byte.size());
  for (std::uint64_t k = 0; k != made.byte.size(); ++k) {
    std::uint64_t to = made.byte[k];
    for (unsigned bit = 0; bit != bits; ++bit)
      if ((made.byte[k] >> (from + bit) & 1) != 0) to ^= std::uint64_t{1} << (base + bit);
    if (to >= made.byte.size() || to % whole != k % whole || taken[to]) return false;
    taken[to] = true, made.byte[k] = to;
  }
  made.is_swizzled = true;
  return true;
}
inline std::vector<table> swizzles(shape const& of, std::uint64_t whole) {
  std::vector<table> all;
  for (unsigned from = of.narrow_banks_log2; std::uint64_t{1} << from < of.bytes(); ++from)
    for (unsigned base = 0; base != of.banks_log2; ++base)
      for (unsigned bits = 1; base + bits <= of.banks_log2 && base + bits <= from; ++bits) {
        if (std::uint64_t{1} << (from + bits - 1) >= of.bytes()) continue;
        table made = plain(of);
        if (oracle::swizzle(made, bits, base, from, whole)) all.push_back(made);
      }
  return all;
}

/// Lays the rows out in the order of `order`, with a gap after every `every` parts of `part` bytes.
inline table laid_out(shape const& of, std::vector<std::uint64_t> const& order, std::uint64_t part, std::uint64_t every,
                      std::uint64_t gap) {
  table made;
  made.byte.resize(of.bytes()), made.every = every, made.gap = gap;
  std::uint64_t cursor = 0, written = 0;
  for (std::uint64_t const row : order)
    for (std::uint64_t k = 0; k != of.row_bytes; ++k) {
      made.byte[row * of.row_bytes + k] = cursor++;
      if (++written % (part * every) == 0) cursor += gap;
    }
  made.bytes = cursor;
  return made;
}
inline std::vector<std::uint64_t> in_order(std::uint64_t rows) {
  std::vector<std::uint64_t> order;
  for (std::uint64_t row = 0; row != rows; ++row) order.push_back(row);
  return order;
}
/// Every gap after every 2^n of the parts, fewer than all.
inline std::vector<table> gaps(shape const& of, std::vector<std::uint64_t> const& order, std::uint64_t part,
                               std::uint64_t grain) {
  std::vector<table> all;
  for (std::uint64_t every = 1; every < of.bytes() / part; every *= 2)
    for (std::uint64_t gap = grain; gap < of.period; gap += grain) {
      table const made = laid_out(of, order, part, every, gap);
      if (made.bytes <= of.capacity) all.push_back(made);
    }
  return all;
}
/// The orders of rows of a copy whose instruction writes `piece` bytes: those of one piece are all `apart` rows apart.
inline std::vector<std::vector<std::uint64_t>> orders(shape const& of, std::uint64_t piece) {
  std::vector<std::vector<std::uint64_t>> all{in_order(of.rows)};
  if (piece % of.row_bytes != 0 || piece == of.row_bytes) return all;
  std::uint64_t const together = piece / of.row_bytes;
  for (std::uint64_t apart = 2; apart * together <= of.rows; apart *= 2) {
    if (of.rows % (apart * together) != 0) continue;
    std::vector<std::uint64_t> order;
    for (std::uint64_t group = 0; group != of.rows; group += apart * together)
      for (std::uint64_t first = 0; first != apart; ++first)
        for (std::uint64_t k = 0; k != together; ++k) order.push_back(group + first + k * apart);
    all.push_back(order);
  }
  return all;
}

/// A tile in boxes, filled box after box, row after row, 16 bytes at a time: a piece of 16 bytes of the line of 128
/// bytes lies at its place XOR the number of the line (of lines of 128 bytes, from the tile's first byte). `span`: 0
/// for no swizzle, else 32, 64 or 128.
inline table boxed(shape const& of, std::uint64_t box, std::uint64_t span) {
  table made = plain(of);
  made.box = box, made.is_swizzled = span != 0;
  std::uint64_t cursor = 0;
  for (std::uint64_t first = 0; first != of.row_bytes; first += box)
    for (std::uint64_t row = 0; row != of.rows; ++row)
      for (std::uint64_t piece = 0; piece != box; piece += 16, cursor += 16) {
        std::uint64_t const line = cursor / 128, place = cursor % 128 / 16, turns = span == 0 ? 1 : span / 16;
        std::uint64_t const moved = line * 128 + (place ^ line % turns) * 16;
        for (std::uint64_t k = 0; k != 16; ++k) made.byte[row * of.row_bytes + first + piece + k] = moved + k;
      }
  return made;
}

}  // namespace oracle
