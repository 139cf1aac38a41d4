// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record.hpp>

// Three bodies that are kernels and recordings: a transpose, a histogram, a product of a sparse matrix.

namespace bodies {

struct transpose {
  template <class Thread, class In, class Out, class Tile>
  COALESCE_API constexpr void operator()(Thread const& t, In in, Out out, Tile&& tile, unsigned n) const {
    unsigned const x = t.block.x * 32 + t.thread.x, y = t.block.y * 32 + t.thread.y;
    for (unsigned j = 0; j < 32; j += 8) tile[t.thread.y + j][t.thread.x] = in[(y + j) * n + x];
    t.sync();
    unsigned const u = t.block.y * 32 + t.thread.x, v = t.block.x * 32 + t.thread.y;
    for (unsigned j = 0; j < 32; j += 8) out[(v + j) * n + u] = tile[t.thread.x][t.thread.y + j];
  }
};
struct histogram {
  template <class Thread, class Keys, class Counts, class Bins>
  COALESCE_API constexpr void operator()(Thread const& t, Keys keys, Counts counts, Bins&& bins, unsigned n) const {
    for (unsigned b = t.index(); b < 256; b += t.block_size.x) bins[b] = 0;
    t.sync();
    for (unsigned i = t.block.x * t.block_size.x + t.thread.x; i < n; i += t.grid_size.x * t.block_size.x)
      coalescing::atomic_add(bins[keys[i]], 1u);
    t.sync();
    for (unsigned b = t.index(); b < 256; b += t.block_size.x)
      coalescing::atomic_add(counts[b], coalescing::value(bins[b]));
  }
};
struct sparse {
  template <class Thread, class Rows, class Columns, class Values, class X, class Y>
  COALESCE_API constexpr void operator()(Thread const& t, Rows rows, Columns columns, Values values, X x, Y y,
                                         unsigned n) const {
    unsigned r = t.block.x * t.block_size.x + t.thread.x;
    for (auto again = t.loop(); again(r < n); r += t.grid_size.x * t.block_size.x) {
      float sum = 0;
      unsigned k = rows[r];
      unsigned const end = rows[r + 1];
      for (auto inner = t.loop(); inner(k < end); ++k) sum += values[k] * x[columns[k]];
      y[r] = sum;
    }
  }
};

}  // namespace bodies
