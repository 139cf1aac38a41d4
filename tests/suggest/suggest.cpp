// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/suggest.hpp>
#include <coalesce/total.hpp>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "machinery/check.hpp"

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc13, co::cuda::cc20, co::cuda::cc37, co::cuda::cc80,
    co::cuda::cc90;

namespace {

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr auto first_row = [](unsigned lane) { return cell{.row = 0, .column = lane}; };
constexpr auto first_column = [](unsigned lane) { return cell{.row = lane, .column = 0}; };
constexpr auto diagonal = [](unsigned lane) { return cell{.row = lane, .column = lane}; };
constexpr auto rows = [](unsigned lane, unsigned row) { return cell{row, lane}; };
constexpr auto columns = [](unsigned lane, unsigned column) { return cell{lane, column}; };

constexpr auto transpose =
    co::suggest(floats, use<cc80::shared_store<32>>(first_row), use<cc80::shared_load<32>>(first_column));

template <auto Value>
struct carried {};
[[maybe_unused]] carried<transpose> structural;

template <unsigned Uses>
std::uint64_t conflicts(co::bank_cost<> const (&costs)[Uses]) {
  std::uint64_t sum = 0;
  for (auto const& cost : costs) sum += cost.conflicts;
  return sum;
}
template <unsigned Uses>
std::uint64_t rounds(co::bank_cost<> const (&costs)[Uses]) {
  std::uint64_t sum = 0;
  for (auto const& cost : costs) sum += cost.rounds;
  return sum;
}

}  // namespace

// ---- What it finds ----

TEST_CASE("a transpose: five bits of the row, no memory more") {
  COALESCE_CHECK(transpose.before[0].conflicts == 0);
  COALESCE_CHECK(transpose.before[1] == co::bank_cost<>{.rounds = 32, .conflicts = 31, .phases = 1, .ways = 32});
  COALESCE_CHECK(transpose.is_optimal);
  COALESCE_CHECK(transpose.after[1] == co::bank_cost<>{.rounds = 1, .conflicts = 0, .phases = 1, .ways = 1});
  COALESCE_CHECK(transpose.layout.swizzle == co::swizzle{.bits = 5, .base = 2, .shift = 5});
  COALESCE_CHECK(transpose.layout.pitch == 128);
  COALESCE_CHECK(transpose.bytes == 32 * 32 * 4);
  COALESCE_CHECK(transpose.tried == 2);
  COALESCE_CHECK(transpose.layout(0, 1) == 4);
  COALESCE_CHECK(transpose.layout(3, 1) == 3 * 128 + 4 * (1 ^ 3));
  COALESCE_CHECK(co::cost<cc80::shared_load<32>>([](unsigned lane) { return transpose.layout(lane, 0); }).conflicts ==
                 0);
}
TEST_CASE("what is free already is left as it is") {
  constexpr auto found =
      co::suggest(floats, use<cc80::shared_store<32>>(first_row), use<cc80::shared_load<32>>(diagonal));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.tried == 1);
  COALESCE_CHECK(found.layout == co::suggested_layout{.element_bytes = 4, .pitch = 128});
}
TEST_CASE("one conflict that no layout avoids: the tile stays as it is") {
  // One row: columns 0 and 32 are 384 bytes apart in whatever pitch, and 12-byte elements are not swizzled.
  constexpr auto found = co::suggest(
      {.rows = 1, .columns = 33, .element_bytes = 12},
      use<cc80::shared_load<32>>([](unsigned lane) { return co::cell{.row = 0, .column = lane == 0 ? 32u : 0u}; }));
  COALESCE_CHECK(found.before[0].conflicts == 1);
  COALESCE_CHECK(found.after[0].conflicts == 1);
  COALESCE_CHECK(!found.is_optimal);
  COALESCE_CHECK(found.layout == co::suggested_layout{.element_bytes = 12, .pitch = 396});
  COALESCE_CHECK(found.bytes == 396);
}
TEST_CASE("a tile of bytes that is used in words of four is swizzled as the tile of floats is") {
  constexpr auto found =
      co::suggest({.rows = 32, .columns = 128, .element_bytes = 1},
                  use<cc80::shared_store<32>>([](unsigned lane) { return cell{.row = 0, .column = 4 * lane}; }),
                  use<cc80::shared_load<32>>(first_column));
  COALESCE_CHECK(found.before[1].ways == 32);
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.layout == co::suggested_layout{.element_bytes = 1, .pitch = 128, .swizzle = {5, 2, 5}});
}
TEST_CASE("elements whose size is no power of two are padded, by as little as does, never swizzled") {
  constexpr auto triples =
      co::suggest({.rows = 32, .columns = 8, .element_bytes = 12}, use<cc80::shared_load<32>>(first_column));
  COALESCE_CHECK(triples.before[0].ways == 8);
  COALESCE_CHECK(triples.is_optimal);
  COALESCE_CHECK(triples.layout.swizzle.bits == 0);
  COALESCE_CHECK(triples.layout.pitch == 100);
  COALESCE_CHECK(triples.bytes == 3200);
}
TEST_CASE("vectors stay whole and aligned: 64 halves a row, staged by gfx942") {
  auto const eighths = [](unsigned lane, unsigned step) { return cell{8 * step + lane / 8, lane % 8 * 8}; };
  auto const row_of_lane = [](unsigned lane, unsigned step) { return cell{lane, 8 * step}; };
  auto const staged =
      co::suggest({.rows = 64, .columns = 64, .element_bytes = 2}, use<gfx942::ds_write<128>>(eighths, domain{8}),
                  use<gfx942::ds_read<128>>(row_of_lane, domain{8}));
  CHECK(staged.before[0].rounds == 64);
  CHECK(staged.before[1].rounds == 512);
  CHECK(staged.after[0].rounds == 64);
  CHECK(staged.after[1].rounds == 64);
  CHECK(staged.is_optimal);
  CHECK(staged.bytes == 64 * 64 * 2);
  for (unsigned row = 0; row != 64; ++row)
    for (unsigned column = 0; column != 64; ++column) {
      CHECK(staged.layout(row, column) / 16 == staged.layout(row, column / 8 * 8) / 16);
      CHECK(staged.layout(row, column) % 16 == column % 8 * 2);
    }
}
TEST_CASE("nothing satisfies rows, columns and the diagonal: the proof, and whom it costs") {
  auto const found = co::suggest(floats, use<cc90::shared_store<32>>(rows, domain{32}),
                                 use<cc90::shared_load<32>>(columns, domain{32}), use<cc90::shared_load<32>>(diagonal));
  CHECK(!found.is_optimal);
  CHECK(found.tried == 1 + 55 + 31);  // in rows; swizzles; paddings
  CHECK(found.layout.pitch == 132);
  CHECK(found.after[0].conflicts == 0);
  CHECK(found.after[1].conflicts == 0);
  CHECK(found.after[2].ways == 2);
}
TEST_CASE("several machines, and instructions of several widths, share one layout") {
  auto const found = co::suggest(floats, use<cc80::shared_store<128>>([](unsigned lane) {
                                   return cell{lane / 8, 4 * (lane % 8)};
                                 }),
                                 use<cc80::shared_load<32>>(first_column), use<gfx942::ds_read<32>>([](unsigned lane) {
                                   return cell{lane % 32, lane / 32};
                                 }));
  CHECK(found.before[1].ways == 32);
  CHECK(!found.is_optimal);  // 16 bytes stay whole, so that lanes l and l + 8 meet at least
  CHECK(found.after[1].ways == 4);
  CHECK(found.layout(5, 3) == found.layout(5, 0) + 12);
}
TEST_CASE("matrix rows, transposing reads, copies, atomics, 16 and 64 banks") {
  constexpr co::tile halves{.rows = 64, .columns = 64, .element_bytes = 2};
  constexpr auto matrix = [](unsigned lane) { return cell{lane % 16, lane / 16 * 8}; };
  constexpr auto copied = [](unsigned lane) { return cell{lane / 8, lane % 8 * 8}; };
  constexpr auto found = co::suggest(halves, use<cc90::cp_async<16>::shared>(copied), use<cc90::ldmatrix<4>>(matrix),
                                     use<cc90::stmatrix<2>>(first_column));
  COALESCE_CHECK(found.before[1].ways == 8);
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.layout.swizzle == co::swizzle{.bits = 3, .base = 4, .shift = 3});
  constexpr auto transposed = co::suggest(halves, use<gfx950::ds_read_tr<64>>([](unsigned lane) {
                                            return cell{lane / 4, lane % 4 * 4};
                                          }));
  COALESCE_CHECK(transposed.is_optimal);
  COALESCE_CHECK(co::suggest(floats, use<cc90::shared_atomic<32>>(first_column)).is_optimal);
  COALESCE_CHECK(co::suggest(floats, use<cc13::shared_load<32>>(first_column)).is_optimal);
  COALESCE_CHECK(co::suggest(floats, use<cc37::shared_load<32>>(first_column)).is_optimal);
  COALESCE_CHECK(co::suggest(floats, use<co::gcn::ds_read<32>>([](unsigned lane) {
                               return cell{lane % 32, lane / 32};
                             }))
                     .is_optimal);
  // An access of 128 bits on CC 2.x takes two rounds at best, by its guide.
  auto const fermi = co::suggest(floats, use<cc20::shared_load<128>>([](unsigned lane) {
                                   return cell{lane / 8, 4 * (lane % 8)};
                                 }));
  CHECK(fermi.after[0].rounds == 2);
  CHECK(!fermi.is_optimal);
}
TEST_CASE("masks: none, a number, a predicate of the lane or of all") {
  constexpr auto every_other = [](unsigned lane) { return lane % 2 == 0; };
  constexpr auto later = [](unsigned lane, unsigned step) { return lane >= step; };
  constexpr auto column = use<cc80::shared_load<32>>(first_column, 0xffff);
  COALESCE_CHECK(co::suggest(floats, column).before[0].ways == 16);
  COALESCE_CHECK(co::suggest(floats, use<cc80::shared_load<32>>(first_column, every_other)).before[0].ways == 16);
  COALESCE_CHECK(co::suggest(floats, use<cc80::shared_load<32>>(first_column, 0u)).before[0].rounds == 0);
  COALESCE_CHECK(co::suggest(floats, use<cc80::shared_load<32>>(columns, domain{2}, 0xff)).before[0].rounds == 16);
  COALESCE_CHECK(co::suggest(floats, use<cc80::shared_load<32>>(columns, domain{2}, later)).before[0].rounds ==
                 32 + 31);
  // A lane that is not active is not asked where it is.
  constexpr auto beyond = [](unsigned lane) { return cell{.row = 2 * lane, .column = 0}; };
  COALESCE_CHECK(co::suggest(floats, use<cc80::shared_load<32>>(beyond, 0xffff)).is_optimal);
}
TEST_CASE("no more memory than there is") {
  // 48 KB of CC 2.x: rows of 32 floats fit 384 times, and leave no room for a padding.
  auto const full = co::suggest({.rows = 384, .columns = 32, .element_bytes = 4},
                                use<cc20::shared_load<32>>(first_column), use<cc20::shared_load<32>>(diagonal));
  CHECK(!full.is_optimal);
  CHECK(full.bytes == 48 * 1024);
  auto const less = co::suggest({.rows = 372, .columns = 32, .element_bytes = 4},
                                use<cc20::shared_load<32>>(first_column), use<cc20::shared_load<32>>(diagonal));
  CHECK(less.tried == full.tried + 1);  // rows of 132 bytes, and no longer ones
}

// ---- Against brute force ----

namespace {

/// Every layout of the space, as the header's first lines tell it, written down differently: (pitch, bits, base, from).
struct brute_layout {
  std::uint64_t pitch;
  unsigned bits, base, from;
  std::uint64_t operator()(std::uint64_t offset) const {
    for (unsigned bit = 0; bit != bits; ++bit) offset ^= (offset >> (from + bit) & 1) << (base + bit);
    return offset;
  }
};
bool is_within(brute_layout const& layout, std::uint64_t bytes, std::uint64_t unit) {
  std::vector<bool> taken(bytes);
  for (std::uint64_t offset = 0; offset < bytes; offset += unit) {
    std::uint64_t const to = layout(offset);
    if (to >= bytes || to % unit != 0 || taken[to]) return false;
    taken[to] = true;
  }
  return true;
}
/// `everywhere`: with bits from any bit, below the rows of banks too.
std::vector<brute_layout> space(std::uint64_t tile_rows, std::uint64_t pitch, std::uint64_t unit, unsigned banks_log2,
                                std::uint64_t period, std::uint64_t capacity, bool everywhere = false) {
  std::vector<brute_layout> all{{pitch, 0, 0, 0}};
  std::uint64_t const bytes = tile_rows * pitch;
  for (unsigned from = everywhere ? 0 : banks_log2; std::uint64_t{1} << from < bytes; ++from)
    for (unsigned base = 0; base != from; ++base)
      for (unsigned bits = 1; bits <= from - base; ++bits) {
        if (std::uint64_t{1} << base < unit || (!everywhere && base + bits > banks_log2)) continue;
        if (std::uint64_t{1} << (from + bits - 1) >= bytes) continue;
        brute_layout const layout{pitch, bits, base, from};
        if (is_within(layout, bytes, unit)) all.push_back(layout);
      }
  for (std::uint64_t padded = pitch + unit; padded < pitch + period && tile_rows * padded <= capacity; padded += unit)
    all.push_back({padded, 0, 0, 0});
  return all;
}

struct affine {
  unsigned row[3], column[3], rows, vectors, vector;  ///< of lane, step, and none
  cell operator()(unsigned lane, unsigned step) const {
    return {(row[0] * lane / 4 + row[1] * step + row[2]) % rows,
            (column[0] * lane / 2 + column[1] * step + column[2]) % vectors * vector};
  }
};

template <class Write, class Read>
void compare_with_brute_force(std::mt19937& random, unsigned banks_log2, std::uint64_t period, unsigned questions) {
  auto const below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned question = 0; question != questions; ++question) {
    constexpr unsigned widest = Write::alignment < Read::alignment ? Read::alignment : Write::alignment;
    unsigned const element = Write::bytes < Read::bytes ? Write::bytes : Read::bytes, per_unit = widest / element;
    unsigned const tile_rows = below(3) != 0 ? 8u << below(4) : 5 + below(40);
    unsigned const tile_columns = per_unit * (below(3) != 0 ? 1u << below(5) : 1 + below(17));
    auto const function = [&](unsigned bytes) {
      unsigned const vector = bytes / element;
      return affine{
          {below(3) * 2, below(4), below(8)}, {below(4), below(4), below(8)}, tile_rows, tile_columns / vector, vector};
    };
    auto const write = function(Write::bytes), read = function(Read::bytes);
    std::uint64_t const mask = below(2) != 0 ? co::all_lanes : std::uint64_t{random()};
    domain<1> const steps{1 + below(3)};
    auto const found = co::suggest({.rows = tile_rows, .columns = tile_columns, .element_bytes = element},
                                   use<Write>(write, steps, mask), use<Read>(read, steps));

    std::uint64_t least = ~std::uint64_t{0}, bytes = 0;
    auto const rounds_of = [&](brute_layout const& layout, bool in_all) {
      auto const place = [&](affine const& cells) {
        return [&](unsigned lane, unsigned step) {
          return layout(layout.pitch * cells(lane, step).row + element * cells(lane, step).column);
        };
      };
      auto const first = co::total<Write>(place(write), steps, mask);
      auto const second = co::total<Read>(place(read), steps);
      if (in_all) {
        CHECK(found.after[0].rounds == first.rounds);
        CHECK(found.after[0].ways == first.ways);
        CHECK(found.after[1].rounds == second.rounds);
        CHECK(found.after[1].phases == second.phases);
      }
      return first.rounds + second.rounds;
    };
    auto const all = space(tile_rows, tile_columns * element, widest, banks_log2, period, Write::capacity);
    for (auto const& layout : all) {
      std::uint64_t const these = rounds_of(layout, false);
      if (these < least || (these == least && tile_rows * layout.pitch < bytes))
        least = these, bytes = tile_rows * layout.pitch;
    }
    CHECK(rounds(found.after) == least);
    CHECK(found.bytes == bytes);
    CHECK(found.is_optimal == (conflicts(found.after) == 0));
    if (found.is_optimal)
      CHECK(found.tried <= all.size());
    else
      CHECK(found.tried == all.size());
    auto const& layout = found.layout;
    rounds_of({static_cast<std::uint64_t>(layout.pitch), layout.swizzle.bits, layout.swizzle.base,
               layout.swizzle.base + static_cast<unsigned>(layout.swizzle.shift)},
              true);
    // The swizzles left out of the space only rename banks: those from any bit, of any number of bits, are no better.
    if (question % 4 == 0)
      for (auto const& other :
           space(tile_rows, tile_columns * element, widest, banks_log2, period, Write::capacity, true))
        if (other.pitch == tile_columns * element) CHECK(rounds_of(other, false) >= least);
  }
}

}  // namespace

TEST_CASE("no layout of the space has fewer rounds, nor as few in fewer bytes: random tiles, uses and masks") {
  std::mt19937 random(15);
  compare_with_brute_force<cc90::shared_store<32>, cc90::shared_load<32>>(random, 7, 128, 40);
  compare_with_brute_force<cc90::shared_store<32>, cc90::shared_load<128>>(random, 7, 128, 40);
  compare_with_brute_force<cc80::shared_store<16>, cc80::shared_load<64>>(random, 7, 128, 40);
  compare_with_brute_force<gfx942::ds_write<64>, gfx942::ds_read<128>>(random, 7, 128, 30);
  compare_with_brute_force<gfx942::ds_write<128>, gfx942::ds_read<32>>(random, 7, 128, 30);
  compare_with_brute_force<gfx950::ds_read<64>, gfx950::ds_read<128>>(random, 8, 256, 30);
  compare_with_brute_force<cc13::shared_store<32>, cc13::shared_load<32>>(random, 6, 128, 20);
}

// ---- Kernels of which the rule says something else than their source (shared/facts: examples/known_kernels) ----

TEST_CASE("SGEMM_CUDA 8: five columns more do nothing, a swizzle does") {
  auto const bs = co::suggest({.rows = 8, .columns = 128, .element_bytes = 4},
                              use<cc80::shared_store<32>>(
                                  [](unsigned lane, unsigned warp, unsigned i) {
                                    return cell{warp, 4 * lane + i};
                                  },
                                  domain{8, 4}),
                              use<cc80::shared_load<32>>(
                                  [](unsigned lane, unsigned d, unsigned i) {
                                    return cell{d, 8 * (lane % 16) + i};
                                  },
                                  domain{8, 8}));
  CHECK(bs.before[0].ways == 4);
  CHECK(bs.before[1].ways == 4);
  CHECK(bs.is_optimal);
  CHECK(bs.layout.pitch == 512);
  // The float4s of kernel 6, as they are compiled.
  auto const vectors = co::suggest({.rows = 8, .columns = 128, .element_bytes = 4},
                                   use<cc80::shared_store<128>>(
                                       [](unsigned lane, unsigned warp) {
                                         return cell{warp, 4 * lane};
                                       },
                                       domain{8}),
                                   use<cc80::shared_load<128>>(
                                       [](unsigned lane, unsigned d, unsigned i) {
                                         return cell{d, 8 * (lane % 16) + 4 * i};
                                       },
                                       domain{8, 2}));
  CHECK(vectors.before[1].ways == 2);
  CHECK(vectors.is_optimal);
}
TEST_CASE("CuTe's sgemm_2: a column more leaves four ways, a swizzle none") {
  auto const stores = [](unsigned lane, unsigned warp, unsigned r) {
    return cell{lane % 8, 4 * warp + lane / 8 + 32 * r};
  };
  auto const reads_a = [](unsigned lane, unsigned m, unsigned k) { return cell{k, lane % 16 + 16 * m}; };
  auto const reads_b = [](unsigned lane, unsigned w, unsigned m, unsigned k) {
    return cell{k, 2 * w + lane / 16 + 16 * m};
  };
  auto const found = co::suggest(
      {.rows = 8, .columns = 128, .element_bytes = 4}, use<cc80::shared_store<32>>(stores, domain{8, 4}),
      use<cc80::shared_load<32>>(reads_a, domain{8, 8}), use<cc80::shared_load<32>>(reads_b, domain{8, 8, 8}));
  CHECK(found.before[0] == co::bank_cost<>{.rounds = 256, .conflicts = 224, .phases = 32, .ways = 8});
  CHECK(found.is_optimal);
  CHECK(found.bytes == 4096);
}
TEST_CASE("CUTLASS example 50: free with 32-bit loads; with 128-bit ones nothing of the space is") {
  auto const stores = [](unsigned lane, unsigned w, unsigned i, unsigned ja, unsigned b) {
    return cell{2 * (lane % 4) + ja % 2 + 8 * b, lane / 4 + 8 * i + 16 * w + 64 * (ja / 2)};
  };
  auto const floats_of = [](unsigned lane, unsigned w, unsigned v, unsigned rest) {
    unsigned const element = 16 * (32 * w + lane) + v;
    return cell{element / 128 + 16 * rest, element % 128};
  };
  auto const vectors_of = [=](unsigned lane, unsigned w, unsigned v, unsigned rest) {
    return floats_of(lane, w, 4 * v, rest);
  };
  co::tile const tile{.rows = 64, .columns = 128, .element_bytes = 4};
  auto const store = use<cc90::shared_store<32>>(stores, domain{4, 2, 4, 8});
  auto const by_floats = co::suggest(tile, store, use<cc90::shared_load<32>>(floats_of, domain{4, 16, 4}));
  CHECK(by_floats.before[1].ways == 4 * 4);
  CHECK(by_floats.is_optimal);
  auto const by_vectors = co::suggest(tile, store, use<cc90::shared_load<128>>(vectors_of, domain{4, 4, 4}));
  CHECK(!by_vectors.is_optimal);
  CHECK(rounds(by_vectors.before) == 2048);
  CHECK(rounds(by_vectors.after) == 1024);
  // Its own swizzle: stores free, loads 4-way. A padding and a swizzle together are asked for by a wider tile.
  auto const wider = co::suggest({.rows = 64, .columns = 132, .element_bytes = 4}, store,
                                 use<cc90::shared_load<128>>(vectors_of, domain{4, 4, 4}));
  CHECK(rounds(wider.after) == 672);
}

namespace {

/// BlockExchange: 128 threads of Items items of Bytes, stored Vector at a time, loaded in stripes.
template <unsigned Bytes, unsigned Items, unsigned Vector>
auto exchanged() {
  return co::suggest({.rows = 128, .columns = Items, .element_bytes = Bytes},
                     use<cc80::shared_store<8 * Bytes * Vector>>(
                         [](unsigned lane, unsigned warp, unsigned i) {
                           return cell{32 * warp + lane, Vector * i};
                         },
                         domain{4, Items / Vector}),
                     use<cc80::shared_load<8 * Bytes>>(
                         [](unsigned lane, unsigned warp, unsigned i) {
                           unsigned const item = 128 * i + 32 * warp + lane;
                           return cell{item / Items, item % Items};
                         },
                         domain{4, Items}));
}
template <unsigned Bytes>
bool raking_is_free(unsigned threads) {
  unsigned const each = threads / 32;
  return co::suggest({.rows = 32, .columns = each, .element_bytes = Bytes},
                     use<cc80::shared_store<8 * Bytes>>(
                         [=](unsigned lane, unsigned warp) {
                           return cell{(32 * warp + lane) / each, (32 * warp + lane) % each};
                         },
                         domain{each}),
                     use<cc80::shared_load<8 * Bytes>>(columns, domain{each}))
      .is_optimal;
}

}  // namespace

TEST_CASE("CUB's exchange and raking: free without a padding, whatever the item") {
  CHECK(exchanged<8, 8, 1>().is_optimal);
  CHECK(exchanged<8, 16, 1>().is_optimal);
  CHECK(exchanged<8, 4, 2>().is_optimal);
  CHECK(exchanged<8, 12, 2>().is_optimal);
  CHECK(exchanged<4, 24, 4>().is_optimal);
  CHECK(exchanged<16, 8, 1>().is_optimal);
  CHECK(exchanged<2, 8, 1>().is_optimal);
  CHECK(exchanged<2, 16, 1>().is_optimal);
  CHECK(exchanged<1, 8, 1>().is_optimal);
  CHECK(exchanged<1, 16, 1>().is_optimal);
  CHECK(exchanged<8, 12, 2>().bytes == 128 * 12 * 8);
  for (unsigned threads = 128; threads <= 1024; threads *= 2) {
    CHECK(raking_is_free<1>(threads));
    CHECK(raking_is_free<2>(threads));
    CHECK(raking_is_free<4>(threads));
    CHECK(raking_is_free<8>(threads));
    CHECK(raking_is_free<16>(threads));
  }
}
TEST_CASE("rocm-examples' histogram: counting and summing can be free, not the clearing beside them") {
  auto const place = [](unsigned thread) { return 4 * (thread % 32) + thread / 32; };
  auto const clears = [=](unsigned lane, unsigned wave, unsigned i) {
    unsigned const item = i + 256 * place(64 * wave + lane);
    return cell{item / 128, item % 128};
  };
  auto const counts = [=](unsigned lane, unsigned wave, unsigned v) { return cell{v, place(64 * wave + lane)}; };
  auto const sums = [=](unsigned lane, unsigned wave, unsigned i, unsigned j) {
    return cell{128 * i + place(64 * wave + lane), j};
  };
  co::tile const bins{.rows = 256, .columns = 128, .element_bytes = 1};
  auto const count = use<gfx942::ds_read<8>>(counts, domain{2, 256});
  auto const sum = use<gfx942::ds_read<8>>(sums, domain{2, 2, 128});
  auto const all = co::suggest(bins, use<gfx942::ds_write<8>>(clears, domain{2, 256}), count, sum);
  CHECK(all.before[0].ways == 32);
  CHECK(all.before[2].ways == 32);
  CHECK(!all.is_optimal);
  CHECK(rounds(all.before) == 32768 + 1024 + 32768);
  CHECK(rounds(all.after) == 2048 + 1024 + 1024);
  CHECK(co::suggest(bins, count, sum).is_optimal);
}
TEST_CASE("flashinfer on gfx942, HipKittens and Composable Kernel on gfx950: free swizzles of the same tiles") {
  auto const q = co::suggest({.rows = 64, .columns = 128, .element_bytes = 2},
                             use<gfx942::ds_write<64>>(
                                 [](unsigned lane, unsigned a, unsigned c) {
                                   return cell{lane / 16 + 4 * a, 4 * (lane % 16 + 16 * c)};
                                 },
                                 domain{16, 2}),
                             use<gfx942::ds_read<64>>(
                                 [](unsigned lane, unsigned r, unsigned d) {
                                   return cell{lane % 16 + 16 * r, 4 * (lane / 16 + 4 * d)};
                                 },
                                 domain{4, 8}));
  CHECK(q.before[1].ways == 16);
  CHECK(q.is_optimal);
  CHECK(q.layout.swizzle == co::swizzle{.bits = 4, .base = 3, .shift = 5});  // its k128B_16Row
  auto const rows_32x16 = co::suggest({.rows = 32, .columns = 16, .element_bytes = 2},
                                      use<gfx950::ds_read<64>>(
                                          [](unsigned lane, unsigned k) {
                                            return cell{lane % 32, 8 * (lane / 32) + 4 * k};
                                          },
                                          domain{2}));
  CHECK(rows_32x16.is_optimal);
  auto const b = co::suggest({.rows = 256, .columns = 64, .element_bytes = 2},
                             use<gfx950::ds_write<128>>(
                                 [](unsigned lane, unsigned w, unsigned r) {
                                   return cell{8 * w + lane / 8 + 32 * r, 8 * (lane % 8)};
                                 },
                                 domain{4, 8}),
                             use<gfx950::ds_read<128>>(
                                 [](unsigned lane, unsigned m, unsigned k) {
                                   return cell{lane % 32 + 32 * m, 8 * (lane / 32 + 2 * k)};
                                 },
                                 domain{8, 4}));
  CHECK(b.before[1].ways == 8);
  CHECK(b.is_optimal);
}
TEST_CASE("flash-attention's sums of splits: free for every M and S, M = 32 too") {
  for (unsigned m = 4; m <= 32; m *= 2)
    for (unsigned s = 2; s <= 128; s *= 2) {
      unsigned const at_once = 128 / m, steps = s > at_once ? s / at_once : 1, r = at_once < s ? at_once : s;
      auto const thread = [](unsigned lane, unsigned warp) { return 32 * warp + lane; };
      auto const stores = [=](unsigned lane, unsigned w, unsigned q) {
        return cell{q * at_once + thread(lane, w) / m, thread(lane, w) % m};
      };
      auto const loads = [=](unsigned lane, unsigned w, unsigned q) {
        return cell{q * r + thread(lane, w) % r, thread(lane, w) / r};
      };
      CHECK(co::suggest({.rows = s, .columns = m, .element_bytes = 4},
                        use<cc80::shared_store<32>>(stores, domain{4, steps},
                                                    [=](unsigned lane, unsigned w, unsigned q) {
                                                      return q * at_once + thread(lane, w) / m < s;
                                                    }),
                        use<cc80::shared_load<32>>(
                            loads, domain{4, steps},
                            [=](unsigned lane, unsigned w, unsigned) { return thread(lane, w) / r < m; }))
                .is_optimal);
    }
}

// ---- Misuse ----

TEST_CASE("misuse: tiles and cells that cannot be") {
  auto const column = use<cc80::shared_load<32>>(first_column);
  auto const ask = [&](co::tile const& tile) { return co::suggest(tile, column); };
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = 0, .columns = 32, .element_bytes = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = -32, .columns = -32, .element_bytes = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = 32, .columns = 1 << 20, .element_bytes = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = 1ll << 62, .columns = 4, .element_bytes = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask({.base = 4, .rows = 32, .columns = 32, .element_bytes = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = 32, .columns = 33, .element_bytes = 2})),
                  co::misuse);  // rows of 66 bytes
  CHECK_THROWS_AS(static_cast<void>(ask({.rows = 31, .columns = 32, .element_bytes = 4})),
                  co::misuse);  // a row too many
  auto const wide = use<cc80::shared_load<128>>([](unsigned lane) { return cell{lane, 4}; });
  CHECK(co::suggest({.rows = 32, .columns = 8, .element_bytes = 4}, wide).is_optimal);
  CHECK_THROWS_AS(static_cast<void>(co::suggest({.rows = 32, .columns = 4, .element_bytes = 4}, wide)), co::misuse);
  auto const crossing = use<cc80::shared_load<128>>([](unsigned lane) { return cell{lane, 2}; });
  CHECK_THROWS_AS(static_cast<void>(co::suggest({.rows = 32, .columns = 8, .element_bytes = 4}, crossing)), co::misuse);
  auto const in_a_block = use<cc80::shared_load<32>>([](unsigned lane) { return cell{lane, 0, 1}; });
  CHECK_THROWS_AS(static_cast<void>(co::suggest(floats, in_a_block)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::suggest(floats, use<cc80::shared_load<32>>(columns, domain{-1}))), co::misuse);
}

#ifdef __cpp_exceptions
TEST_CASE("misuse: extents of nothing, and the largest tile of 48 KiB") {
  auto const one = use<cc20::shared_load<32>>([](unsigned) { return cell{0, 0}; });
  auto const is_refused = [&](co::tile const& tile) {
    try {
      static_cast<void>(co::suggest(tile, one));
    } catch (co::misuse const& said) {
      return std::string(said.what()).find("an extent of the tile is less than 1, or it has more bytes") !=
             std::string::npos;
    }
    return false;
  };
  CHECK(is_refused({.rows = 0, .columns = 4, .element_bytes = 4}));
  CHECK(is_refused({.rows = 4, .columns = 0, .element_bytes = 4}));
  CHECK(is_refused({.rows = 4, .columns = 4, .element_bytes = 0}));
  CHECK(is_refused({.rows = 1, .columns = 1, .element_bytes = 49156}));
  CHECK(is_refused({.rows = 1, .columns = 12289, .element_bytes = 4}));
  CHECK(is_refused({.rows = 12289, .columns = 1, .element_bytes = 4}));
  CHECK(is_refused({.rows = 1, .columns = 1 << 20, .element_bytes = 4}));
  CHECK(is_refused({.rows = 1ll << 62, .columns = 4, .element_bytes = 4}));
  CHECK(co::suggest({.rows = 1, .columns = 1, .element_bytes = 49152}, one).is_optimal);
  CHECK(co::suggest({.rows = 1, .columns = 12288, .element_bytes = 4}, one).is_optimal);
  CHECK(co::suggest({.rows = 12288, .columns = 1, .element_bytes = 4}, one).is_optimal);
}
TEST_CASE("misuse: a matrix of nothing has no lanes") {
  auto const is_refused = [](co::tile const& tile) {
    try {
      static_cast<void>(co::suggest_lanes<cc90::load<32>>(tile));
    } catch (co::misuse const& said) {
      return std::string(said.what()).find("the tile has no elements, or elements of no bytes") != std::string::npos;
    }
    return false;
  };
  CHECK(is_refused({.rows = 0, .columns = 4, .element_bytes = 4}));
  CHECK(is_refused({.rows = 4, .columns = 0, .element_bytes = 4}));
  CHECK(is_refused({.rows = 4, .columns = 4, .element_bytes = 0}));
}
TEST_CASE("misuse: a lane that the wave or warp does not have touches no cell") {
  constexpr co::tile matrix{.rows = 8, .columns = 8, .element_bytes = 4};
  constexpr auto warp = co::suggest_lanes<cc90::load<32>>(matrix);
  constexpr auto wave = co::suggest_lanes<co::gcn::buffer_load<32>>(matrix);
  COALESCE_CHECK(warp.lanes == 32);
  COALESCE_CHECK(wave.lanes == 64);
  CHECK_NOTHROW(static_cast<void>(warp(31)));
  CHECK_NOTHROW(static_cast<void>(wave(63)));
  for (unsigned const lane : {32u, 63u, 1000u, ~0u}) CHECK_THROWS_AS(static_cast<void>(warp(lane)), co::misuse);
  for (unsigned const lane : {64u, 1000u, ~0u}) CHECK_THROWS_AS(static_cast<void>(wave(lane)), co::misuse);
  // An empty suggestion has no lanes.
  CHECK_THROWS_AS(static_cast<void>(co::lane_suggestion<cc90::load<32>::cost_type>{}(0)), co::misuse);
}
#endif
TEST_CASE("elements that are wider than an access stay whole") {
  auto const found =
      co::suggest({.rows = 32, .columns = 8, .element_bytes = 16}, use<cc80::shared_load<32>>([](unsigned lane) {
                    return cell{lane, 0};
                  }));
  CHECK(found.before[0].ways == 32);
  CHECK(found.after[0].ways == 4);  // 8 places for 32 lanes
  for (unsigned row = 0; row != 32; ++row)
    for (unsigned column = 0; column != 8; ++column) CHECK(found.layout(row, column) % 16 == 0);
}
TEST_CASE("rows of an odd number of bytes, for bytes") {
  auto const found =
      co::suggest({.rows = 32, .columns = 33, .element_bytes = 1}, use<cc80::shared_load<8>>([](unsigned lane) {
                    return cell{lane, 0};
                  }));
  CHECK(found.bytes >= 32 * 33);
  CHECK(found.before[0].rounds != 0);
}
TEST_CASE("a use by one lane is a round, one by none is none, not on gfx942 either") {
  CHECK(co::suggest(floats, use<cc80::shared_load<32>>(first_column, 1u)).before[0].rounds == 1);
  CHECK(co::suggest(floats, use<gfx942::ds_read<32>>(
                                [](unsigned lane) {
                                  return cell{lane % 32, 0};
                                },
                                0u))
            .before[0]
            .rounds == 0);
}
TEST_CASE("what has not been asked for says nothing") {
  COALESCE_CHECK(co::suggested_layout{}.element_bytes == 0);
  COALESCE_CHECK(co::suggested_layout{}.pitch == 0);
  COALESCE_CHECK(co::suggestion<1>{}.bytes == 0);
  COALESCE_CHECK(co::suggestion<1>{}.tried == 0);
  COALESCE_CHECK(!co::suggestion<1>{}.is_optimal);
  using lanes = co::lane_suggestion<cc90::load<32>::cost_type>;
  COALESCE_CHECK(lanes{}.bits == 0);
  COALESCE_CHECK(lanes{}.lanes == 0);
  COALESCE_CHECK(lanes{}.along == 0);
  COALESCE_CHECK(lanes{}.elements == 0);
  COALESCE_CHECK(lanes{}.issued == 0);
  COALESCE_CHECK(!lanes{}.wastes_nothing);
}

// ---- Global memory ----

namespace {

using dword = cc90::load<32>;
using dwords_2 = cc90::load<64>;
using dwords_4 = cc90::load<128>;

/// The bytes that a mapping moves, one warp or wave after the other.
template <class Instruction>
std::uint64_t moved_by(co::tile const& matrix, unsigned along) {
  auto const vector = Instruction::bytes / static_cast<unsigned>(matrix.element_bytes);
  unsigned const down = Instruction::lanes / along, across = along * vector;
  auto const whole = [](std::int64_t extent, unsigned each) { return (extent + each - 1) / each; };
  auto const row_of = [=](unsigned lane, unsigned y) { return y * down + lane / along; };
  auto const column_of = [=](unsigned lane, unsigned x) { return x * across + lane % along * vector; };
  return co::total<Instruction>(
             [=](unsigned lane, unsigned x, unsigned y) { return matrix(row_of(lane, y), column_of(lane, x)); },
             domain{whole(matrix.columns, across), whole(matrix.rows, down)},
             [=](unsigned lane, unsigned x, unsigned y) {
               return row_of(lane, y) < matrix.rows && column_of(lane, x) < matrix.columns;
             })
      .bytes_moved;
}
template <class Instruction>
std::uint64_t least_moved_by(co::tile const& matrix) {
  std::uint64_t least = ~std::uint64_t{0};
  auto const element = static_cast<unsigned>(matrix.element_bytes);
  if (Instruction::bytes % element != 0 || matrix.columns % (Instruction::bytes / element) != 0 ||
      matrix.pitch % Instruction::alignment != 0 || matrix.base % Instruction::alignment != 0)
    return least;
  for (unsigned along = 1; along <= Instruction::lanes; along *= 2)
    if (auto const moved = moved_by<Instruction>(matrix, along); moved < least) least = moved;
  return least;
}

/// The bytes that the matrix has, each once.
std::uint64_t distinct_bytes(co::tile const& matrix) {
  std::set<std::uint64_t> bytes;
  for (std::int64_t row = 0; row != matrix.rows; ++row)
    for (std::int64_t byte = 0; byte != matrix.columns * matrix.element_bytes; ++byte)
      bytes.insert(matrix(row, 0) + static_cast<std::uint64_t>(byte));
  return bytes.size();
}

}  // namespace

TEST_CASE("lanes: rows that overlap are moved again and again, which is a waste") {
  // Two rows of 72 dwords, the second a sector after the first: a warp on each.
  constexpr co::tile overlapping{.rows = 2, .columns = 72, .element_bytes = 4, .pitch = 32};
  constexpr auto found = co::suggest_lanes<dword>(overlapping);
  COALESCE_CHECK(found.cost.bytes_moved == found.cost.bytes_used);
  CHECK(found.cost.bytes_moved > distinct_bytes(overlapping));
  COALESCE_CHECK(!found.wastes_nothing);
  // Beside it: rows that only touch, and rows that are one and in one warp.
  COALESCE_CHECK(co::suggest_lanes<dword>({.rows = 2, .columns = 72, .element_bytes = 4, .pitch = 288}).wastes_nothing);
  COALESCE_CHECK(co::suggest_lanes<dword>({.rows = 4, .columns = 8, .element_bytes = 4, .pitch = 0}).wastes_nothing);
  // Downwards, and overlapping downwards.
  COALESCE_CHECK(co::suggest_lanes<dword>({.base = 128, .rows = 4, .columns = 8, .element_bytes = 4, .pitch = -32})
                     .wastes_nothing);
  CHECK(!co::suggest_lanes<dword>({.base = 4096, .rows = 64, .columns = 64, .element_bytes = 4, .pitch = -32})
             .wastes_nothing);
  // The other widths too.
  CHECK(!co::suggest_lanes<dword, dwords_2, dwords_4>({.rows = 4, .columns = 280, .element_bytes = 4, .pitch = 32})
             .wastes_nothing);
  // A copy that reads nothing wastes nothing; one that reads half of each sector does.
  constexpr co::tile square{.rows = 32, .columns = 32, .element_bytes = 4};
  COALESCE_CHECK(co::suggest_lanes<cc80::cp_async<16, 0>::global>(square).wastes_nothing);
  COALESCE_CHECK(!co::suggest_lanes<cc80::cp_async<16, 8>::global>(square).wastes_nothing);
}
TEST_CASE("lanes: nothing is wasted where as many bytes are moved as the matrix has, of random matrices") {
  std::mt19937_64 random(17);
  unsigned wasted = 0, overlapping = 0, free = 0;
  for (unsigned question = 0; question != 400; ++question) {
    auto const below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    co::tile const matrix{.base = static_cast<std::uint64_t>(16384 + 32 * below(4)),
                          .rows = 1 + below(12),
                          .columns = 8 * (1 + below(24)),
                          .element_bytes = 4,
                          .pitch = 32 * (below(64) - 24)};
    auto const found = co::suggest_lanes<dword, dwords_2, dwords_4>(matrix);
    auto const distinct = distinct_bytes(matrix);
    CHECK(found.wastes_nothing == (found.cost.bytes_moved == distinct));
    bool const overlaps = distinct != static_cast<std::uint64_t>(matrix.rows * matrix.columns * 4);
    ++(!found.wastes_nothing ? wasted : overlaps ? overlapping : free);
  }
  CHECK(wasted > 20);
  CHECK(overlapping > 2);
  CHECK(free > 20);
}
TEST_CASE(
    "lanes: a small tile of a large matrix takes short rows, a whole matrix long ones, each in the widest loads") {
  constexpr auto corner =
      co::suggest_lanes<dword, dwords_2, dwords_4>({.rows = 8, .columns = 8, .element_bytes = 4, .pitch = 16384});
  COALESCE_CHECK(corner.bits == 64);
  COALESCE_CHECK(corner.along == 4);
  COALESCE_CHECK(corner.issued == 1);
  COALESCE_CHECK(corner.cost.transactions == 8);
  COALESCE_CHECK(corner.wastes_nothing);
  COALESCE_CHECK(corner(5) == cell{.row = 1, .column = 2});
  COALESCE_CHECK(corner(7) == cell{.row = 1, .column = 6});
  // One column: a lane each row.
  constexpr auto thin = co::suggest_lanes<dword>({.rows = 64, .columns = 1, .element_bytes = 4});
  COALESCE_CHECK(thin.along == 1);
  COALESCE_CHECK(thin.issued == 2);
  COALESCE_CHECK(thin.cost.bytes_moved == 256);
  constexpr auto all = co::suggest_lanes<dwords_4>({.rows = 4096, .columns = 4096, .element_bytes = 2});
  COALESCE_CHECK(all.along == 32);
  COALESCE_CHECK(all.elements == 8);
  COALESCE_CHECK(all.issued == 4096 * 4096 / 8 / 32);
  COALESCE_CHECK(all.wastes_nothing);
  // Quads of neighbours: 16 lanes a clock.
  constexpr auto texels =
      co::suggest_lanes<co::gcn::buffer_load<32>>({.rows = 8, .columns = 8, .element_bytes = 4, .pitch = 16384});
  COALESCE_CHECK(texels.along == 8);
  COALESCE_CHECK(texels.cost.clocks == 4);
}
TEST_CASE("lanes: the widths of one instruction, and no two instructions, are alike: as their names say") {
  namespace gcn = co::gcn;
  namespace rdna = co::rdna;
  auto const name_without_width = []<class Instruction>(Instruction*) {
    auto const name = co::name_of<Instruction>();
    std::string word;
    for (char const* at = name.c_str(); *at != '\0'; ++at)
      if (*at == '<')
        while (*at != '>') ++at;
      else
        word += *at;
    return word;
  };
  unsigned alike = 0, pairs = 0;
  auto const each_with_each = [&]<class... Instructions>(Instructions*... all) {
    auto const with_each = [&]<class Instruction>(Instruction* one) {
      auto const compare = [&]<class Other>(Other* other) {
        bool const same = name_without_width(one) == name_without_width(other);
        CHECK(co::detail::differ_in_width<Instruction, Other> == same);
        alike += same, ++pairs;
      };
      (compare(all), ...);
    };
    (with_each(all), ...);
  };
#define COALESCE_ONE(...) static_cast<__VA_ARGS__*>(nullptr)
  each_with_each(COALESCE_ONE(cc80::load<32>), COALESCE_ONE(cc90::load<32>), COALESCE_ONE(cc90::load<128>),
                 COALESCE_ONE(cc90::store<32>), COALESCE_ONE(cc90::store<64>), COALESCE_ONE(cc90::atomic<32>),
                 COALESCE_ONE(cc80::cp_async<4>::global), COALESCE_ONE(cc80::cp_async<16>::global),
                 COALESCE_ONE(cc90::cp_async<16>::global), COALESCE_ONE(gcn::buffer_load<32>),
                 COALESCE_ONE(gcn::buffer_load<32, 4>), COALESCE_ONE(gcn::image_load<128>),
                 COALESCE_ONE(gcn::buffer_store<32>), COALESCE_ONE(co::cdna::gfx90a::global_load<32>),
                 COALESCE_ONE(gfx942::global_load<32>), COALESCE_ONE(gfx942::global_load<96>),
                 COALESCE_ONE(gfx950::global_load_lds<32>::global), COALESCE_ONE(gfx950::global_load_lds<128>::global),
                 COALESCE_ONE(gfx950::buffer_load_lds<32>::global), COALESCE_ONE(rdna::gfx1100::global_load<32>),
                 COALESCE_ONE(rdna::gfx1100::global_load<128>), COALESCE_ONE(rdna::gfx1100::wave64::global_load<32>),
                 COALESCE_ONE(rdna::gfx1101::global_load<32>), COALESCE_ONE(rdna::gfx1100::s_load<1>));
#undef COALESCE_ONE
  CHECK(pairs == 24 * 24);
  CHECK(alike == 24 + 2 * 7);  // seven of them have two widths
}
TEST_CASE("lanes: through another cache, or where a part is filled with zeros, is another instruction") {
  using co::cuda::caching, co::detail::differ_in_width;
  COALESCE_CHECK(differ_in_width<cc20::load<32, caching::l1>, cc20::load<64, caching::l1>>);
  COALESCE_CHECK(differ_in_width<cc20::load<32>, cc20::load<64, caching::l1>>);  // the default
  COALESCE_CHECK(!differ_in_width<cc20::load<32, caching::l1>, cc20::load<64, caching::l2>>);
  COALESCE_CHECK(!differ_in_width<cc80::cp_async<16>::global, cc80::cp_async<16, 8>::global>);
  COALESCE_CHECK(!differ_in_width<cc80::cp_async<16, 0>::global, cc80::cp_async<8>::global>);
}
TEST_CASE("lanes: widths of copies, of formats, of loads to LDS, and of gfx1030 where it has clocks") {
  constexpr co::tile corner{.rows = 8, .columns = 8, .element_bytes = 4, .pitch = 16384};
  COALESCE_CHECK(co::suggest_lanes<cc80::cp_async<4>::global, cc80::cp_async<8>::global>(corner).bits == 64);
  COALESCE_CHECK(co::suggest_lanes<co::gcn::buffer_load<32>, co::gcn::buffer_load<32, 2>>(corner).bits == 32);
  COALESCE_CHECK(
      co::suggest_lanes<gfx950::global_load_lds<32>::global, gfx950::global_load_lds<128>::global>(corner).bits == 32);
  using co::rdna::gfx1030;
  constexpr auto clocked = co::suggest_lanes<gfx1030::global_load<32>, gfx1030::global_load<64>>(corner);
  COALESCE_CHECK(clocked.cost.clocks != 0);
  COALESCE_CHECK(co::suggest_lanes<gfx1030::global_load<96>, gfx1030::global_load<128>>(corner).bits == 128);
}
TEST_CASE("lanes: no width and mapping moves fewer bytes, of random matrices") {
  std::mt19937_64 random(16);
  for (unsigned question = 0; question != 200; ++question) {
    auto const below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    std::int64_t const element = std::int64_t{1} << below(3), wide = 1 + below(100);
    co::tile const matrix{.base = static_cast<std::uint64_t>(4 * below(16)),
                          .rows = 1 + below(40),
                          .columns = wide,
                          .element_bytes = element,
                          .pitch = (wide * element + 3) / 4 * 4 + 4 * below(40)};
    std::uint64_t const widths[] = {least_moved_by<dword>(matrix), least_moved_by<dwords_2>(matrix),
                                    least_moved_by<dwords_4>(matrix)};
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint64_t const width : widths) least = width < least ? width : least;
    auto const ask = [&] { return co::suggest_lanes<dword, dwords_2, dwords_4>(matrix); };
    if (least == ~std::uint64_t{0}) {
      CHECK_THROWS_AS(static_cast<void>(ask()), co::misuse);
      continue;
    }
    auto const found = ask();
    CHECK(found.cost.bytes_moved == least);
    CHECK((found.bits == 32   ? moved_by<dword>(matrix, found.along)
           : found.bits == 64 ? moved_by<dwords_2>(matrix, found.along)
                              : moved_by<dwords_4>(matrix, found.along)) == least);
    CHECK(found.cost.bytes_used == static_cast<std::uint64_t>(matrix.rows * matrix.columns * element));
  }
  CHECK_THROWS_AS(static_cast<void>(co::suggest_lanes<dword>({.rows = 0, .columns = 4, .element_bytes = 4})),
                  co::misuse);
}

// ---- The control ----

TEST_CASE("control: one bit less, and the transpose is not free") {
  co::swizzle less = transpose.layout.swizzle;
  --less.bits;
  auto const column = [=](unsigned lane) { return less(128 * lane); };
  CHECK(co::cost<cc80::shared_load<32>>(column).conflicts != 0);
}
