// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/cuda/documents.hpp>
#include <coalesce/cuda/tma/misuse.hpp>

#include <cstdint>

// The global memory that a copy engine touches: a row of bytes, repeated at up to four strides. A closed form counts
// the distinct aligned pieces of memory (sectors, lines) that the rows touch, in a time that does not grow with the
// number of rows. How many pieces a row touches depends on its residue: the offset, within a piece, at which the row
// begins. So rows are counted by residue.

namespace coalescing::cuda {

/// The cost of one instruction of a copy engine (TMA, cp.async.bulk) in global memory. No source documents the
/// bank conflicts of the instruction's accesses to shared memory, so the cost has no number for them.
template <class Of = counts>
struct bulk_cost {
  typename Of::sum sectors{};     ///< distinct 32-byte pieces of global memory
  typename Of::sum lines{};       ///< distinct 128-byte pieces of global memory
  typename Of::sum bytes_read{};  ///< bytes of the elements inside the tensor (a store writes these bytes)
  /// Bytes that a load counts at its mbarrier: the bytes of the full box. They include the elements outside the tensor,
  /// which the load does not read but fills with zeros or NaN.
  typename Of::sum bytes_signalled{};

  using numbers = coalescing::detail::members<&bulk_cost::sectors, &bulk_cost::lines, &bulk_cost::bytes_read,
                                              &bulk_cost::bytes_signalled>;
  static constexpr char const* names[4] = {"sectors", "lines", "bytes_read", "bytes_signalled"};
  bool operator==(bulk_cost const&) const = default;
};

namespace rules {

/// A row of `length` bytes at the address `first`, and copies of the row at further addresses. Level k repeats all rows
/// of the levels below it count[k] times, stride[k] bytes apart.
struct repeated_row {
  std::uint64_t first = 0, length = 0;
  unsigned levels = 0;
  std::uint64_t count[4] = {}, stride[4] = {};
  std::uint64_t last = 0;  ///< bytes from the start of the first row to the start of the last

  /// Repeats all rows `times` times, `by` bytes apart. Callers pass strides in ascending order. If there is one row and
  /// its repetitions leave no gap, they become one longer row. If `by` is a multiple of the last level's stride and the
  /// repetitions leave no gap after that level, the last level gets a larger count. Otherwise there is a new level.
  /// Refused: rows that interleave. So rows ascend without overlap, and a row shares at most one piece with the row
  /// before it.
  COALESCE_API constexpr void repeat(std::uint64_t times, std::uint64_t by) {
    if (times == 1) return;
    if (levels == 0 && by <= length) {
      length += (times - 1) * by;
      return;
    }
    bool const goes_on = levels != 0 && by % stride[levels - 1] == 0 && by <= count[levels - 1] * stride[levels - 1];
    last += (times - 1) * by;
    if (goes_on) {
      count[levels - 1] += (times - 1) * (by / stride[levels - 1]);
    } else {
      if (by < last - (times - 1) * by + length) refused::rows_of_the_box_interleave();
      count[levels] = times, stride[levels] = by, ++levels;
    }
  }

  /// How many distinct aligned pieces of Bytes bytes the rows touch.
  template <std::uint64_t Bytes>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t pieces() const {
    static_assert(Bytes != 0 && (Bytes & (Bytes - 1)) == 0 && Bytes <= 1024,
                  "footprint: Granularity is a power of two, up to 1024");
    if (length == 0) return 0;
    // Every row begins at a multiple of 16: times[k] is the number of rows that begin 16 * k bytes into a piece.
    constexpr std::uint64_t residues = Bytes < 16 ? 1 : Bytes / 16;
    struct counted {
      std::uint64_t times[residues] = {};
    };
    constexpr auto spread = [](counted const& of, std::uint64_t times, std::uint64_t by) {
      std::uint64_t const step = by / 16 % residues, period = step == 0 ? 1 : residues / (step & (~step + 1));
      counted sums;
      for (std::uint64_t k = 0; k != residues; ++k)
        for (std::uint64_t n = 0; of.times[k] != 0 && n != period && n != times; ++n)
          sums.times[(k + n * step) % residues] += of.times[k] * ((times - 1 - n) / period + 1);
      return sums;
    };
    auto const beginning_at = [](std::uint64_t address) {
      counted one;
      one.times[address / 16 % residues] = 1;
      return one;
    };

    counted rows = beginning_at(first);
    for (unsigned k = 0; k != levels; ++k) rows = spread(rows, count[k], stride[k]);
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k != residues; ++k) sum += rows.times[k] * ((16 * k % Bytes + length - 1) / Bytes + 1);

    // So far, a piece counts once for each row that touches it. Rows ascend, so only the last piece of a row can be the
    // first piece of the next row. Subtract 1 for each pair of neighbouring rows that share a piece. At `level`, such a
    // pair is the last row of one repetition and the first row of the next repetition. The last row begins `inner`
    // bytes after the first row of its repetition, and the next row begins `next` bytes after the last row.
    std::uint64_t inner = 0;
    for (unsigned level = 0; level != levels; inner += (count[level] - 1) * stride[level], ++level) {
      std::uint64_t const next = stride[level] - inner;
      if (next - length >= Bytes) continue;
      counted pairs = spread(beginning_at(first + inner), count[level] - 1, stride[level]);
      for (unsigned k = level + 1; k != levels; ++k) pairs = spread(pairs, count[k], stride[k]);
      for (std::uint64_t k = 0; k != residues; ++k)
        if ((16 * k + length - 1) / Bytes == (16 * k + next) / Bytes) sum -= pairs.times[k];
    }
    return sum;
  }
};

}  // namespace rules

}  // namespace coalescing::cuda
