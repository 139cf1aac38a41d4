// SPDX-License-Identifier: BSL-1.0
//
// Layouts under constraints: paddings or swizzles alone, copies in lane order, boxes of a tensor.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/suggest.hpp>
#include <coalesce/total.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "machinery/check.hpp"
#include "truth/oracle/layouts.hpp"

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc80, co::cuda::cc90, co::cuda::cc100;

namespace {

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile halves{.rows = 64, .columns = 128, .element_bytes = 2};
constexpr co::tile staged{.rows = 64, .columns = 64, .element_bytes = 2};
constexpr auto first_row = [](unsigned lane) { return cell{.row = 0, .column = lane}; };
constexpr auto first_column = [](unsigned lane) { return cell{.row = lane, .column = 0}; };
constexpr auto diagonal = [](unsigned lane) { return cell{.row = lane, .column = lane}; };
constexpr auto row_of_lane = [](unsigned lane, unsigned step) { return cell{.row = lane, .column = 8 * step}; };
constexpr auto matrix = [](unsigned lane, unsigned k) { return cell{lane % 16, 16 * k + lane / 16 * 8}; };

template <auto Value>
struct carried {};

template <class Suggestion>
std::uint64_t rounds_of(Suggestion const& found) {
  std::uint64_t sum = 0;
  for (auto const& cost : found.after) sum += cost.rounds;
  return sum;
}

}  // namespace

// ---- Paddings and swizzles ----

TEST_CASE("a transpose is padded by a float after each row") {
  constexpr auto found = co::suggest(floats, co::paddings, use<cc90::shared_store<32>>(first_row),
                                     use<cc90::shared_load<32>>(first_column));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.before[1].conflicts == 31);
  COALESCE_CHECK(found.after[1] == co::bank_cost<>{.rounds = 1, .conflicts = 0, .phases = 1, .ways = 1});
  COALESCE_CHECK(found.layout == co::padded_layout{.element_bytes = 4, .pitch = 128, .every = 1, .gap = 4});
  COALESCE_CHECK(found.bytes == 32 * 132);
  COALESCE_CHECK(found.layout(3, 5) == 3 * 132 + 20);
  [[maybe_unused]] carried<found> structural;
}
TEST_CASE("rows of 16 bytes of which every eighth is read: 16 bytes after every 8 rows, not after each") {
  constexpr auto found =
      co::suggest({.rows = 256, .columns = 4, .element_bytes = 4}, co::paddings,
                  use<cc90::shared_load<128>>([](unsigned lane) { return cell{.row = 8 * lane, .column = 0}; }));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.before[0].ways == 8);  // 8 rows are 128 bytes: the 8 lanes of a phase meet in one place
  COALESCE_CHECK(found.layout.every == 8);
  COALESCE_CHECK(found.layout.gap == 16);
  COALESCE_CHECK(found.bytes == 256 * 16 + 32 * 16);
  COALESCE_CHECK(found.layout(8, 0) == 8 * 16 + 16);
  COALESCE_CHECK(found.layout(255, 3) == 255 * 16 + 12 + 31 * 16);
}
TEST_CASE("what is free stays in rows, and paddings of one row are none") {
  constexpr auto found = co::suggest(floats, co::paddings, use<cc90::shared_load<32>>(diagonal));
  COALESCE_CHECK(found.tried == 1);
  COALESCE_CHECK(found.layout.gap == 0);
  COALESCE_CHECK(found.bytes == 4096);
  constexpr auto one_row =
      co::suggest({.rows = 1, .columns = 64, .element_bytes = 4}, co::paddings,
                  use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = 0, .column = lane % 2 * 32}; }));
  COALESCE_CHECK(!one_row.is_optimal);
  COALESCE_CHECK(one_row.tried == 1);
}
TEST_CASE("paddings end where the memory does") {
  // 48 KB of CC 2.x: 383 rows of 128 bytes leave 128 bytes, so a gap of 4 bytes after every 16 rows (23 of them) fits,
  // one after every 8 rows (47 of them) does not.
  using co::cuda::cc20;
  auto const found = co::suggest({.rows = 383, .columns = 32, .element_bytes = 4}, co::paddings,
                                 use<cc20::shared_load<32>>(first_column), use<cc20::shared_load<32>>(diagonal));
  CHECK(!found.is_optimal);
  CHECK(found.bytes <= 48 * 1024);
  // 1 gap (after 256 rows): 4 to 124 bytes. 2 (128 rows): 4 to 64. 5: 4 to 24. 11: 4, 8. 23: 4.
  CHECK(found.tried == 1 + 31 + 16 + 6 + 2 + 1);
}
TEST_CASE("swizzles alone take no memory more, and say where none serves") {
  constexpr auto found = co::suggest(floats, co::swizzles, use<cc90::shared_store<32>>(first_row),
                                     use<cc90::shared_load<32>>(first_column));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.layout.swizzle == co::swizzle{.bits = 5, .base = 2, .shift = 5});
  COALESCE_CHECK(found.bytes == 4096);
  // Elements of 12 bytes have no swizzle.
  auto const triples = co::suggest({.rows = 32, .columns = 8, .element_bytes = 12}, co::swizzles,
                                   use<cc90::shared_load<32>>(first_column));
  CHECK(triples.tried == 1);
  CHECK(!triples.is_optimal);
  CHECK(triples.after[0].ways == 8);
}

// ---- Copies in lane order ----

TEST_CASE("64 x 64 halves, loaded to LDS 16 bytes a lane and read in rows of a lane's own") {
  constexpr auto found = co::suggest(staged, co::copied<gfx950::global_load_lds<128>>(),
                                     use<gfx950::ds_read<128>>(row_of_lane, domain{8}));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.before[0].conflicts != 0);
  COALESCE_CHECK(found.piece == 64 * 16);
  COALESCE_CHECK(found.steps == 8);
  COALESCE_CHECK(found.lanes == 64);
  COALESCE_CHECK(found.slot_bytes == 16);
  COALESCE_CHECK(found.bytes == 64 * 128);
  COALESCE_CHECK(found.layout.gap == 0);
  COALESCE_CHECK(found.evidence == co::evidence::documented);
  COALESCE_CHECK(found.destination(3) == 3072);
  COALESCE_CHECK(found.layout(found.source(5, 3).row, found.source(5, 3).column) == 3072 + 5 * 16);
  [[maybe_unused]] carried<found> structural;
}
TEST_CASE("4 bytes a lane on gfx942: pieces of 256 bytes") {
  // Rows of 256 bytes read in columns: all lanes of a phase want one bank, and a gap of 4 bytes parts them.
  constexpr auto found =
      co::suggest({.rows = 32, .columns = 64, .element_bytes = 4}, co::copied<gfx942::global_load_lds<32>>(),
                  use<gfx942::ds_read<32>>([](unsigned lane) {
                    return cell{lane % 32, lane / 32};
                  }));
  COALESCE_CHECK(found.before[0].ways == 32);
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.piece == 256);
  COALESCE_CHECK(found.steps == 32);
  COALESCE_CHECK(found.slot_bytes == 4);
}
TEST_CASE("a gap of 4 bytes rests on an inference, and the answer says so") {
  // 32 rows of 256 bytes, one piece each. A column needs all five bits of the row in the bank's number, by which (0, 0)
  // and (1, 1) meet in bank 0 ^ 0 = 1 ^ 1. With a float between the rows they lie in banks 0 and 2.
  auto const found = co::suggest({.rows = 32, .columns = 64, .element_bytes = 4},
                                 co::copied<gfx942::buffer_load_lds<32>>(), use<gfx942::ds_read<32>>([](unsigned lane) {
                                   return cell{lane % 32, lane / 32};
                                 }),
                                 use<gfx942::ds_read<32>>(diagonal, 0b11));
  CHECK(found.is_optimal);
  CHECK(found.layout.gap == 4);
  CHECK(found.layout.span == 256);
  CHECK(found.layout.swizzle.bits == 0);
  CHECK(found.bytes == 32 * 260);
  CHECK(found.destination(31) == 31 * 260);
  CHECK(found.evidence == co::evidence::inferred);
  CHECK(gfx942::buffer_load_lds<32>::lane_order.destination.from.evidence == co::evidence::inferred);
}

namespace {

/// Whether the steps of a copy leave each byte of the tile in LDS once, where the layout has it. The hardware's side is
/// lds_address(), which other tests hold to the documents.
template <class Copy, unsigned Uses>
bool fills(co::tile const& of, co::copied_suggestion<Uses> const& found) {
  std::map<std::uint64_t, std::uint64_t> lds;  // address to offset in rows
  auto const element = static_cast<std::uint64_t>(of.element_bytes), columns = static_cast<std::uint64_t>(of.columns),
             row_bytes = columns * element, rows = static_cast<std::uint64_t>(of.rows);
  for (unsigned step = 0; step != found.steps; ++step)
    for (unsigned lane = 0; lane != found.lanes; ++lane) {
      auto const from = found.source(lane, step);
      std::uint64_t const at = Copy::lds_address({.m0 = static_cast<unsigned>(found.destination(step))}, lane);
      for (unsigned byte = 0; byte != Copy::bytes; ++byte)
        if (!lds.emplace(at + byte, from.row * row_bytes + from.column * element + byte).second) return false;
    }
  if (lds.size() != rows * row_bytes || lds.rbegin()->first >= found.bytes) return false;
  for (std::uint64_t row = 0; row != rows; ++row)
    for (std::uint64_t column = 0; column != columns; ++column)
      for (std::uint64_t byte = 0; byte != element; ++byte) {
        auto const held = lds.find(found.layout(row, column) + byte);
        if (held == lds.end() || held->second != row * row_bytes + column * element + byte) return false;
      }
  return true;
}

}  // namespace

TEST_CASE("control: a copy does not fill a tile that has gaps within its pieces, or rows in another order") {
  auto found = co::suggest(staged, co::copied<gfx950::global_load_lds<128>>(),
                           use<gfx950::ds_read<128>>(row_of_lane, domain{8}));
  CHECK(fills<gfx950::global_load_lds<128>>(staged, found));
  auto gap = found;
  gap.layout.span = 512, gap.layout.gap = 16, gap.bytes += 16 * 16;
  CHECK(!fills<gfx950::global_load_lds<128>>(staged, gap));
  auto pieces = found;
  pieces.layout.span = 1024, pieces.layout.gap = 16, pieces.bytes += 8 * 16;
  CHECK(fills<gfx950::global_load_lds<128>>(staged, pieces));
  auto steps = found;
  steps.steps = 7;
  CHECK(!fills<gfx950::global_load_lds<128>>(staged, steps));
}

// ---- Cases that users met ----

TEST_CASE("triton pull request 7929: rows of 256 bytes, pieces of four rows, padding between pieces alone") {
  // 64 rows of 128 halves; each lane of a matrix operand reads 16 bytes of a row of its own.
  constexpr co::tile of{.rows = 64, .columns = 128, .element_bytes = 2};
  constexpr auto operand = [](unsigned lane, unsigned m, unsigned k) {
    return cell{lane % 16 + 16 * m, 8 * (lane / 16 + 4 * k)};
  };
  auto const reads = use<gfx950::ds_read<128>>(operand, domain{4, 4});
  auto const found = co::suggest(of, co::copied<gfx950::global_load_lds<128>>(), reads);
  CHECK(found.before[0].ways > 1);
  CHECK(found.is_optimal);
  CHECK(found.bytes == 64 * 256);  // a swizzle of what the lanes fetch serves, and takes no memory
  CHECK(fills<gfx950::global_load_lds<128>>(of, found));
  // The pull request's own layout: rows 16 apart follow each other, and 16 bytes follow every 4 of them.
  constexpr co::copied_layout reordered{
      .element_bytes = 2, .pitch = 256, .apart = 16, .together = 4, .span = 1024, .gap = 16};
  static_assert(reordered(16, 0) == 256 && reordered(48, 0) == 768 && reordered(1, 0) == 1024 + 16);
  auto const rounds_under = [&](auto const& layout) {
    return co::total<gfx950::ds_read<128>>(
        [&](unsigned lane, unsigned m, unsigned k) {
          auto const at = operand(lane, m, k);
          return layout(at.row, at.column);
        },
        domain{4, 4});
  };
  // Gaps between pieces serve with that order of rows. Without it none serves, as the pull request says: the four rows
  // of a piece meet.
  unsigned free_with = 0, free_without = 0;
  for (unsigned gap = 16; gap != 256; gap += 16) {
    auto layout = reordered;
    layout.gap = gap;
    free_with += rounds_under(layout).conflicts == 0;
    layout.apart = 1, layout.together = 1;
    free_without += rounds_under(layout).conflicts == 0;
  }
  CHECK(free_with != 0);
  CHECK(free_without == 0);
}
TEST_CASE("triton pull request 8365: groups of 64 rows, each in the order 0 16 32 48 1 17 ...") {
  constexpr co::copied_layout layout{
      .element_bytes = 2, .pitch = 256, .apart = 16, .together = 4, .span = 1024, .gap = 16};
  COALESCE_CHECK(layout(64, 0) == 64 * 256 + 16 * 16);   // the second group begins after 16 pieces
  COALESCE_CHECK(layout(80, 0) == layout(64, 0) + 256);  // its second row
  COALESCE_CHECK(layout.cell_at(64 * 256 + 256) == cell{80, 0});
}
TEST_CASE("rocm-libraries pull request 9260: slabs of two rows of 512 bytes, 32 bytes between slabs") {
  // D = 256 in bf16. Padding between slabs parts slabs, not the two rows of one; a swizzle parts them too.
  constexpr co::tile of{.rows = 32, .columns = 256, .element_bytes = 2};
  constexpr auto operand = [](unsigned lane, unsigned k) { return cell{lane % 32, 8 * (lane / 32 + 2 * k)}; };
  auto const under = [&](auto const& layout) {
    return co::total<gfx950::ds_read<128>>(
        [&](unsigned lane, unsigned k) { return layout(operand(lane, k).row, operand(lane, k).column); }, domain{16});
  };
  auto const in_rows = under(co::padded_layout{.element_bytes = 2, .pitch = 512});
  auto const slabs = under(co::padded_layout{.element_bytes = 2, .pitch = 512, .every = 2, .gap = 32});
  CHECK(slabs.conflicts < in_rows.conflicts);
  CHECK(slabs.conflicts != 0);
  auto const found =
      co::suggest(of, co::copied<gfx950::global_load_lds<128>>(), use<gfx950::ds_read<128>>(operand, domain{16}));
  CHECK(found.is_optimal);
  CHECK(found.bytes == 32 * 512);
  CHECK(fills<gfx950::global_load_lds<128>>(of, found));
}
TEST_CASE("rocm-libraries pull request 10102: two rows of 128 bytes a piece of 256, padded between pieces") {
  constexpr co::tile of{.rows = 64, .columns = 64, .element_bytes = 2};
  auto const operand = [](unsigned lane, unsigned n, unsigned k) {
    return cell{lane % 32 + 32 * n, 16 * k + lane / 32 * 8};
  };
  auto const found =
      co::suggest(of, co::copied<gfx950::global_load_lds<32>>(), use<gfx950::ds_read<128>>(operand, domain{2, 4}));
  CHECK(found.before[0].conflicts != 0);
  CHECK(found.is_optimal);
  CHECK(found.piece == 256);
  CHECK(found.steps == 32);
  CHECK(fills<gfx950::global_load_lds<32>>(of, found));
}
TEST_CASE(
    "Fuser pull request 3473: stmatrix into a box that TMA stores is 8-way without a swizzle, free with 128 bytes") {
  constexpr auto rows = [](unsigned lane, unsigned k) { return cell{lane % 16, 16 * k + lane / 16 * 8}; };
  constexpr auto found = co::suggest({.rows = 64, .columns = 64, .element_bytes = 2}, co::tensor_boxes,
                                     use<cc90::stmatrix<4>>(rows, domain{4}));
  COALESCE_CHECK(found.before[0].ways == 8);
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.boxes == 1);
  COALESCE_CHECK(found.layout.swizzle == co::swizzle{.bits = 3, .base = 4, .shift = 3});
}
TEST_CASE("tilelang issue 2630: rows of 96 bytes are no box of a swizzle of 32 bytes, three boxes are") {
  constexpr auto rows = [](unsigned lane) { return cell{lane, 0}; };
  auto const found = co::suggest({.rows = 64, .columns = 48, .element_bytes = 2}, co::tensor_boxes,
                                 use<cc90::ldmatrix<4>>(rows), use<cc90::ldmatrix<4>>([](unsigned lane) {
                                   return cell{lane % 16, 16 + lane / 16 * 8};
                                 }));
  CHECK((found.layout.swizzle.bits == 0 || found.layout.box_bytes == 32));
  CHECK(found.boxes * found.layout.box_bytes == 96);
}

// ---- Boxes ----

TEST_CASE("64 x 128 halves read by ldmatrix: two boxes of 128 bytes a row") {
  constexpr auto found = co::suggest(halves, co::tensor_boxes, use<cc90::ldmatrix<4>>(matrix, domain{8}));
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.boxes == 2);
  COALESCE_CHECK(found.layout.box_bytes == 128);
  COALESCE_CHECK(found.layout.swizzle == co::swizzle{.bits = 3, .base = 4, .shift = 3});
  COALESCE_CHECK(found.layout(1, 64) == ((64 * 128 + 128) ^ 16));
  COALESCE_CHECK(found.bytes == 64 * 256);
  [[maybe_unused]] carried<found> structural;
}
TEST_CASE("a column of floats: 16 bytes stay whole, so 32 rows meet in eight places") {
  constexpr auto found = co::suggest(floats, co::tensor_boxes, use<cc90::shared_load<32>>(first_column));
  COALESCE_CHECK(!found.is_optimal);
  COALESCE_CHECK(found.before[0].ways == 32);
  COALESCE_CHECK(found.after[0].ways == 4);
  COALESCE_CHECK(found.tried == 2 + 2 + 2 + 1);  // boxes of 128, 64, 32, 16 bytes; the first three swizzled, too
}
TEST_CASE("CC 10.0 has swizzles of wider atoms besides") {
  constexpr auto found = co::suggest(floats, co::tensor_boxes, use<cc100::shared_load<32>>(first_column));
  COALESCE_CHECK(found.tried == 4 + 2 + 2 + 1);
  COALESCE_CHECK(found.after[0].ways == 4);
}
TEST_CASE("rows of 512 elements are two boxes at least, and 300 rows two boxes high") {
  auto const found = co::suggest({.rows = 300, .columns = 512, .element_bytes = 1}, co::tensor_boxes,
                                 use<cc90::shared_load<32>>([](unsigned lane) {
                                   return cell{0, 4 * lane};
                                 }));
  CHECK(found.is_optimal);
  CHECK(found.layout.box_bytes == 256);
  CHECK(found.boxes == 4);
  CHECK(found.before[0].conflicts == 0);  // in rows, which no box has
}
TEST_CASE("wgmma reads boxes as wide as their swizzle, or of 16 bytes") {
  using co::cuda::boxed_operand, co::cuda::major, co::cuda::tensor_core;
  constexpr auto store = use<cc90::shared_store<128>>([](unsigned lane) { return cell{lane / 8, lane % 8 * 8}; });
  constexpr co::tile of{.rows = 64, .columns = 64, .element_bytes = 2};
  constexpr boxed_operand by_k{.bits = 16, .major = major::k}, by_mn{.bits = 16, .major = major::mn};
  constexpr auto free_in_rows = co::suggest(of, co::tensor_boxes, store);
  COALESCE_CHECK(free_in_rows.layout.swizzle.bits == 0);
  COALESCE_CHECK(!by_k(free_in_rows.layout));  // rows of 128 bytes without a swizzle are no operand
  constexpr auto found = co::suggest(of, co::tensor_boxes.read_by(by_k), store);
  COALESCE_CHECK(found.is_optimal);
  COALESCE_CHECK(found.layout.swizzle == co::swizzle{.bits = 3, .base = 4, .shift = 3});
  COALESCE_CHECK(found.boxes == 1);
  // 32-bit elements are read along K alone; CC 10.0 reads them along MN with atoms of 32 bytes.
  COALESCE_CHECK(!boxed_operand{.bits = 32, .major = major::mn}(
      co::boxed_layout{.rows = 64, .element_bytes = 4, .box_bytes = 128, .swizzle = {3, 4, 3}}));
  COALESCE_CHECK(boxed_operand{.unit = tensor_core::tcgen05, .bits = 32, .major = major::mn}(
      co::boxed_layout{.rows = 64, .element_bytes = 4, .box_bytes = 128, .swizzle = {2, 5, 2}}));
  // Each operand's elements lie where the layout has them.
  for (unsigned bits = 0; bits != 4; ++bits)
    for (bool const along_k : {true, false}) {
      co::boxed_layout const layout{.rows = 64,
                                    .element_bytes = 2,
                                    .box_bytes = 16u << bits,
                                    .swizzle = {bits, bits == 0 ? 0u : 4u, bits == 0 ? 0 : 3}};
      auto const& reader = along_k ? by_k : by_mn;
      CHECK(reader(layout));
      auto const operand = reader.operand(layout);
      unsigned const columns = along_k && bits != 0 ? 8u << bits : 64;  // along K a descriptor has one swizzled box
      for (unsigned row = 0; row != 64; ++row)
        for (unsigned column = 0; column != columns; ++column)
          CHECK((along_k ? operand(row, column) : operand(column, row)) == layout(row, column));
    }
}

// ---- Against every layout of the space ----

namespace {

struct affine {
  unsigned row[3], column[3], rows, vectors, vector;  ///< of lane, step, and none
  cell operator()(unsigned lane, unsigned step) const {
    return {(row[0] * lane / 4 + row[1] * step + row[2]) % rows,
            (column[0] * lane / 2 + column[1] * step + column[2]) % vectors * vector};
  }
};
struct question {
  co::tile of;
  oracle::shape shape;
  affine first, second;
  std::uint64_t mask;
  domain<1> steps{1};
};

template <class First, class Second>
question random_question(std::mt19937& random, unsigned rows, unsigned row_bytes, unsigned element) {
  auto const below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  auto const cells = [&](unsigned bytes) {
    unsigned const vector = bytes / element;
    return affine{{below(3) * 2, below(4), below(8)}, {below(4), below(4), below(8)}, rows, row_bytes / bytes, vector};
  };
  auto const log2 = [](unsigned n) {
    unsigned log = 0;
    while (n >> log > 1) ++log;
    return log;
  };
  constexpr unsigned wide = First::banks * First::unit, other = Second::banks * Second::unit;
  unsigned const unit = First::alignment < Second::alignment ? Second::alignment : First::alignment;
  question made{.of = {.rows = rows, .columns = row_bytes / element, .element_bytes = element},
                .shape = {.rows = rows,
                          .row_bytes = row_bytes,
                          .unit = unit < element ? element : unit,
                          .period = First::period < Second::period ? Second::period : First::period,
                          .capacity = First::capacity < Second::capacity ? First::capacity : Second::capacity,
                          .banks_log2 = log2(wide < other ? other : wide),
                          .narrow_banks_log2 = log2(wide < other ? wide : other)},
                .first = cells(First::bytes),
                .second = cells(Second::bytes),
                .mask = below(2) != 0 ? co::all_lanes : std::uint64_t{random()} & 0xffff'ffff};
  made.steps = {1 + static_cast<std::int64_t>(below(3))};
  return made;
}

template <class First, class Second>
std::uint64_t rounds_under(question const& asked, std::vector<std::uint64_t> const& byte) {
  auto const place = [&](affine const& cells) {
    return [&](unsigned lane, unsigned step) {
      auto const at = cells(lane, step);
      return byte[at.row * asked.shape.row_bytes + at.column * static_cast<std::uint64_t>(asked.of.element_bytes)];
    };
  };
  return co::total<First>(place(asked.first), asked.steps, asked.mask).rounds +
         co::total<Second>(place(asked.second), asked.steps).rounds;
}

/// Holds an answer to all layouts of its space: none has fewer rounds, and none as few in fewer bytes. The answer's own
/// layout is one of them.
template <class First, class Second, class Found>
std::uint64_t compare(question const& asked, Found const& found, std::vector<oracle::table> const& all) {
  std::uint64_t least = ~std::uint64_t{0}, bytes = 0, alike = 0, most = 0;
  for (auto const& table : all) {
    std::uint64_t const rounds = rounds_under<First, Second>(asked, table.byte);
    if (rounds > most) most = rounds;
    if (rounds < least || (rounds == least && table.bytes < bytes)) least = rounds, bytes = table.bytes;
  }
  std::vector<std::uint64_t> its(asked.shape.bytes());
  for (std::uint64_t k = 0; k != its.size(); ++k)
    its[k] = found.layout.byte_at(k / asked.shape.row_bytes, k % asked.shape.row_bytes);
  for (auto const& table : all) alike += table.byte == its && table.bytes == found.bytes;
  CHECK(alike == 1);
  CHECK(rounds_of(found) == least);
  CHECK(rounds_of(found) == rounds_under<First, Second>(asked, its));
  CHECK(found.bytes == bytes);
  if (found.is_optimal)
    CHECK(found.tried <= all.size());
  else
    CHECK(found.tried == all.size());
  for (std::uint64_t k = 0; k != its.size(); ++k)  // the layout's other face, for a kernel
    if (k % static_cast<std::uint64_t>(asked.of.element_bytes) == 0)
      CHECK(found.layout(k / asked.shape.row_bytes,
                         k % asked.shape.row_bytes / static_cast<std::uint64_t>(asked.of.element_bytes)) == its[k]);
  return most - least;  // 0 in all questions would mean that they ask nothing
}

template <class First, class Second>
void compare_paddings_and_swizzles(std::mt19937& random, unsigned questions) {
  std::uint64_t differences = 0;
  for (unsigned n = 0; n != questions; ++n) {
    unsigned const element = First::bytes < Second::bytes ? First::bytes : Second::bytes;
    unsigned const unit = First::bytes < Second::bytes ? Second::bytes : First::bytes;
    unsigned const rows = random() % 3 != 0 ? 4u << random() % 4 : 3 + static_cast<unsigned>(random() % 30);
    unsigned const columns = random() % 3 != 0 ? 1u << random() % 4 : 1 + static_cast<unsigned>(random() % 9);
    auto const asked = random_question<First, Second>(random, rows, unit * columns, element);
    auto const first = use<First>(asked.first, asked.steps, asked.mask);
    auto const second = use<Second>(asked.second, asked.steps);
    std::vector<oracle::table> padded{oracle::plain(asked.shape)}, swizzled = padded;
    for (auto const& table : oracle::gaps(asked.shape, oracle::in_order(rows), asked.shape.row_bytes, asked.shape.unit))
      padded.push_back(table);
    for (auto const& table : oracle::swizzles(asked.shape, asked.shape.unit)) swizzled.push_back(table);
    auto const gaps = co::suggest(asked.of, co::paddings, first, second);
    differences += compare<First, Second>(asked, gaps, padded);
    for (auto const& table : padded)  // between equals, the gap after the fewest rows
      if (table.bytes == gaps.bytes && table.gap != 0 &&
          rounds_under<First, Second>(asked, table.byte) == rounds_of(gaps))
        CHECK(gaps.layout.every <= table.every);
    differences += compare<First, Second>(asked, co::suggest(asked.of, co::swizzles, first, second), swizzled);
  }
  CHECK(differences != 0);
}

template <class Copy, class First, class Second>
void compare_copies(std::mt19937& random, unsigned questions) {
  std::uint64_t differences = 0;
  constexpr std::uint64_t slot = Copy::slot_bytes, piece = 64 * slot;
  for (unsigned n = 0; n != questions; ++n) {
    unsigned const element = First::bytes < slot ? First::bytes : static_cast<unsigned>(slot);
    unsigned const unit = First::bytes < Second::bytes ? Second::bytes : First::bytes;
    unsigned const whole = unit < slot ? static_cast<unsigned>(slot) : unit;
    unsigned const row_bytes =
        random() % 4 != 0 ? whole << random() % 5 : whole * (1 + static_cast<unsigned>(random() % 6));
    unsigned rows = 2u << random() % 5;
    while (rows * row_bytes % piece != 0) ++rows;
    auto const asked = random_question<First, Second>(random, rows, row_bytes, element);
    auto const found = co::suggest(asked.of, co::copied<Copy>(), use<First>(asked.first, asked.steps, asked.mask),
                                   use<Second>(asked.second, asked.steps));
    std::vector<oracle::table> all{oracle::plain(asked.shape)};
    for (auto const& table : oracle::swizzles(asked.shape, asked.shape.unit < slot ? slot : asked.shape.unit))
      all.push_back(table);
    std::uint64_t const grain = asked.shape.unit < 4 ? 4 : asked.shape.unit;
    auto const orders = oracle::orders(asked.shape, piece);
    for (auto const& order : orders) {
      if (order != orders[0]) all.push_back(oracle::laid_out(asked.shape, order, piece, 1, 0));
      for (auto const& table : oracle::gaps(asked.shape, order, piece, grain)) all.push_back(table);
    }
    differences += compare<First, Second>(asked, found, all);
    CHECK(fills<Copy>(asked.of, found));
    CHECK(found.evidence == (found.layout.gap == 0 ? co::evidence::documented : co::evidence::inferred));
  }
  CHECK(differences != 0);
}

template <class First, class Second>
void compare_boxes(std::mt19937& random, unsigned questions) {
  std::uint64_t differences = 0;
  for (unsigned n = 0; n != questions; ++n) {
    unsigned const element = First::bytes < 8 ? First::bytes : 2;
    unsigned const row_bytes =
        random() % 3 != 0 ? 16u << random() % 6 : 16 * (1 + static_cast<unsigned>(random() % 20));
    unsigned const rows = random() % 3 != 0 ? 8u << random() % 4 : 1 + static_cast<unsigned>(random() % 40);
    auto const asked = random_question<First, Second>(random, rows, row_bytes, element);
    std::vector<oracle::table> all;
    for (std::uint64_t box = row_bytes; box >= 16; box -= 16) {
      if (row_bytes % box != 0 || box / element > 256 || (box != row_bytes && rows * box % 128 != 0)) continue;
      all.push_back(oracle::boxed(asked.shape, box, 0));
      if (box == 32 || box == 64 || box == 128) all.push_back(oracle::boxed(asked.shape, box, box));
    }
    if (all.empty()) continue;
    auto const found = co::suggest(asked.of, co::tensor_boxes, use<First>(asked.first, asked.steps, asked.mask),
                                   use<Second>(asked.second, asked.steps));
    differences += compare<First, Second>(asked, found, all);

    // TMA writes the tile so: one tensor map, a box for each part of the rows.
    using namespace co::cuda;
    auto const kind = element == 1 ? tensor_element::u8 : element == 2 ? tensor_element::u16 : tensor_element::u32;
    auto const& layout = found.layout;
    tensor_map const map{
        .element = kind,
        .rank = 2,
        .extent = {row_bytes / element, rows},
        .stride = {row_bytes},
        .box = {static_cast<std::uint32_t>(layout.box_bytes / element), rows},
        .swizzle = layout.swizzle.bits == 0 ? tensor_swizzle::none : static_cast<tensor_swizzle>(layout.swizzle.bits)};
    CHECK(map.fault() == tensor_fault::none);
    for (std::uint64_t first = 0; first != row_bytes; first += layout.box_bytes) {
      auto const box = map.shared(first * rows);
      for (std::uint64_t row = 0; row != rows; ++row)
        for (std::uint64_t column = 0; column != layout.box_bytes / element; ++column)
          CHECK(box(column, row) == layout(row, first / element + column));
    }
  }
  CHECK(differences != 0);
}

}  // namespace

TEST_CASE("control: rows without padding are not the least of a question, and the tables tell") {
  std::mt19937 random(24);
  auto asked = random_question<cc90::shared_store<32>, cc90::shared_load<32>>(random, 32, 128, 4);
  asked.first = asked.second = {{4, 0, 0}, {0, 0, 0}, 32, 32, 1};  // a column
  auto const rows = rounds_under<cc90::shared_store<32>, cc90::shared_load<32>>(asked, oracle::plain(asked.shape).byte);
  bool fewer = false;
  for (auto const& table : oracle::gaps(asked.shape, oracle::in_order(32), 128, 4))
    fewer = fewer || rounds_under<cc90::shared_store<32>, cc90::shared_load<32>>(asked, table.byte) < rows;
  CHECK(fewer);
  CHECK(oracle::boxed(asked.shape, 128, 128).byte[128] == 128 + 16);  // the second row's first piece, by PTX's table
}
TEST_CASE("paddings and swizzles alone: all layouts of random tiles") {
  std::mt19937 random(25);
  compare_paddings_and_swizzles<cc90::shared_store<32>, cc90::shared_load<32>>(random, 25);
  compare_paddings_and_swizzles<cc80::shared_store<16>, cc80::shared_load<64>>(random, 20);
  compare_paddings_and_swizzles<gfx942::ds_write<64>, gfx942::ds_read<128>>(random, 20);
  compare_paddings_and_swizzles<gfx942::ds_read<32>, gfx950::ds_read<128>>(random, 20);
}
TEST_CASE("copies in lane order: all layouts of random tiles, and what the copy leaves in LDS") {
  std::mt19937 random(26);
  compare_copies<gfx950::global_load_lds<128>, gfx950::ds_read<128>, gfx950::ds_read<64>>(random, 20);
  compare_copies<gfx950::global_load_lds<128>, gfx950::ds_read<16>, gfx950::ds_read<128>>(random, 15);
  compare_copies<gfx942::global_load_lds<32>, gfx942::ds_read<32>, gfx942::ds_read<128>>(random, 20);
  compare_copies<gfx950::buffer_load_lds<32>, gfx950::ds_read<16>, gfx950::ds_read<32>>(random, 15);
}
TEST_CASE("boxes: all layouts of random tiles, and where TMA puts each element") {
  std::mt19937 random(27);
  compare_boxes<cc90::shared_store<16>, cc90::shared_load<128>>(random, 60);
  compare_boxes<cc90::shared_load<32>, cc90::shared_load<128>>(random, 60);
}
