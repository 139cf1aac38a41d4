// SPDX-License-Identifier: BSL-1.0
//
// Boxes against an oracle that walks them, element by element and bit by bit, into sets of pieces.
#include <coalesce/cuda/tma.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/boxes.hpp"
#include "truth/oracle/random_access.hpp"

#include <random>
#include <set>

namespace co = coalescing;
namespace cu = co::cuda;
using namespace coalescing_tests;

namespace {

class random_boxes {
 public:
  explicit random_boxes(unsigned seed) : engine_(seed) {}

  unsigned below(unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(engine_); }

  /// Legal maps. Strides: nested and padded, of any order; or overlapping, repeating, zero.
  cu::tensor_map next(unsigned rank, bool nested) {
    cu::tensor_map map{.element = static_cast<cu::tensor_element>(below(16)), .rank = rank};
    bool const padded = map.element >= cu::tensor_element::u4_align16;
    unsigned const bits = bits_of(map.element), unit = padded ? 128 : 16 * 8 / bits, align = padded ? 32 : 16;
    map.address = align * below(1000);
    map.extent[0] = padded ? 128 * (1 + below(3)) : 2 * (1 + below(4 * unit));
    map.box[0] = padded ? 128 : unit * (1 + below(256 / unit < 6 ? 256 / unit : 6));
    std::uint64_t least = (map.extent[0] * bits / 8 + align - 1) / align * align, budget = 512;
    for (unsigned k = 1; k != rank; ++k) {
      map.extent[k] = 1 + below(12);
      map.box[k] = 1 + below(budget < 16 ? 2 : 12);
      map.element_stride[k] = below(3) == 0 ? 1 + below(8) : 1;
      budget /= map.box[k];
      std::uint64_t const padding = align * below(below(2) == 0 ? 2 : 40);
      map.stride[k - 1] = nested ? least + padding : align * below(40);
      least = map.stride[k - 1] * map.extent[k];
    }
    if (nested && rank > 2 && below(2) == 0) {  // the order of the dimensions is the tensor's own
      unsigned const a = 1 + below(rank - 1), b = 1 + below(rank - 1);
      std::swap(map.stride[a - 1], map.stride[b - 1]), std::swap(map.extent[a], map.extent[b]);
    }
    return map;
  }
  /// A start before, in or after the tensor, more often one that leaves part of the box inside.
  std::int64_t start(cu::tensor_map const& map, unsigned k) {
    bool const padded = map.element >= cu::tensor_element::u4_align16;
    std::int64_t const unit = k != 0 ? 1 : padded ? 128 : 128 / bits_of(map.element);
    auto const extent = static_cast<std::int64_t>(map.extent[k]), box = static_cast<std::int64_t>(map.box[k]);
    std::int64_t const least = below(8) == 0 ? -2 * box : -box / 2, past = below(8) == 0 ? extent + box : extent;
    return (least + below(static_cast<unsigned>(past - least))) / unit * unit;
  }

 private:
  std::mt19937 engine_;
};

template <std::size_t Rank>
bool agrees(cu::tensor_map const& map, std::int64_t const (&from)[5]) {
  std::int64_t start[Rank];
  for (std::size_t k = 0; k != Rank; ++k) start[k] = from[k];
  auto const seen = walk(map, from);
  auto const cost = map.cost(start);
  return cost.sectors == seen.of_32.size() && cost.lines == seen.of_128.size() &&
         cost.bytes_read * 8 == seen.bits_read && cost.bytes_signalled * 8 == seen.bits_boxed &&
         map.template footprint<16>(start) == 16 * seen.of_16.size() &&
         map.template footprint<64>(start) == 64 * seen.of_64.size() &&
         map.template footprint<512>(start) == 512 * seen.of_512.size();
}
bool agrees(cu::tensor_map const& map, std::int64_t const (&from)[5]) {
  switch (map.rank) {
    case 1:
      return agrees<1>(map, from);
    case 2:
      return agrees<2>(map, from);
    case 3:
      return agrees<3>(map, from);
    case 4:
      return agrees<4>(map, from);
    default:
      return agrees<5>(map, from);
  }
}

struct outcome {
  unsigned asked = 0, wrong = 0, refused = 0, empty = 0, clipped = 0;
};
outcome ask(unsigned seed, bool nested) {
  random_boxes random(seed);
  outcome found;
  for (unsigned k = 0; k != share(4000); ++k) {
    auto const map = random.next(1 + k % 5, nested);
    std::int64_t start[5] = {};
    for (unsigned d = 0; d != map.rank; ++d) start[d] = random.start(map, d);
    CHECK(map.fault() == cu::tensor_fault::none);
    ++found.asked;
    try {
      bool const right = agrees(map, start);
      if (!right) {
        ++found.wrong;
        INFO("seed ", seed, ", box ", k, ", rank ", map.rank);
        CHECK(right);
      }
    } catch (co::misuse const&) {
      ++found.refused;
    }
    auto const seen = walk(map, start);
    if (seen.bits_read == 0)
      ++found.empty;
    else if (seen.bits_read != seen.bits_boxed)
      ++found.clipped;
  }
  return found;
}

}  // namespace

TEST_CASE("boxes of tensors whose rows do not overlap: sectors, lines and bytes are those of a walk") {
  auto const found = ask(1, true);
  CHECK(found.wrong == 0);
  CHECK(found.refused == 0);
  CHECK(found.empty > found.asked / 50);
  CHECK(found.empty < found.asked / 2);
  CHECK(found.clipped > found.asked / 5);
}
TEST_CASE("boxes of any strides: the same, or rows_of_the_box_interleave") {
  auto const found = ask(2, false);
  CHECK(found.wrong == 0);
  CHECK(found.refused < found.asked / 5);
  MESSAGE(found.refused, " of ", found.asked, " interleave");
}
TEST_CASE("boxes: rows that touch, overlap or go on, counted by hand") {
  auto const bytes = [](unsigned rank, std::uint32_t row) {
    return cu::tensor_map{.rank = rank, .extent = {row, 8, 8, 8}, .box = {row, 8, 1, 1}};
  };
  auto box = bytes(3, 16);
  // Eight rows 128 bytes apart end at 912. A plane that begins there shares the sector and the line of the last row.
  box.stride[0] = 128, box.stride[1] = 912, box.box[2] = 2;
  CHECK(box.cost({0, 0, 0}) == cu::bulk_cost<>{.sectors = 15, .lines = 15, .bytes_read = 256, .bytes_signalled = 256});
  box.stride[1] = 896;  // the last row again: rows go on
  CHECK(box.cost({0, 0, 0}).sectors == 15);
  box.stride[1] = 880;  // between the last two rows
  CHECK_THROWS_AS(static_cast<void>(box.cost({0, 0, 0})), co::misuse);
  box.box[2] = 1;  // of one plane no stride is taken
  CHECK(box.cost({0, 0, 0}).sectors == 8);
  // Rows without a gap are one of 256 bytes; a plane that begins at its byte 240 goes on with it, to byte 496.
  box = bytes(3, 32);
  box.stride[0] = 32, box.stride[1] = 240, box.box[2] = 2;
  CHECK(box.cost({0, 0, 0}) == cu::bulk_cost<>{.sectors = 16, .lines = 4, .bytes_read = 512, .bytes_signalled = 512});
  // Rows 0 to 7, then 8 to 15, and from the twelfth on the same sixteen again: 28 rows in 28 lines.
  box = bytes(4, 16);
  box.stride[0] = 128, box.stride[1] = 1024, box.stride[2] = 1536, box.box[2] = 2, box.box[3] = 2;
  CHECK(box.cost({0, 0, 0, 0}).sectors == 28);
  CHECK(box.cost({0, 0, 0, 0}).lines == 28);
}
TEST_CASE("boxes: footprints of pieces smaller than 16 bytes, and of a row of one byte") {
  constexpr cu::tensor_map tens{.rank = 2, .extent = {10, 4}, .stride = {16}, .box = {16, 4}};
  COALESCE_CHECK((tens.footprint<1>({0, 0}) == 40 && tens.footprint<2>({0, 0}) == 40));
  COALESCE_CHECK((tens.footprint<4>({0, 0}) == 48 && tens.footprint<8>({0, 0}) == 64));
  COALESCE_CHECK((tens.footprint<16>({0, 0}) == 64 && tens.footprint<1024>({0, 0}) == 1024));
  constexpr cu::tensor_map one{.address = 48, .extent = {1}, .box = {16}};
  COALESCE_CHECK(one.cost({0}) == cu::bulk_cost<>{.sectors = 1, .lines = 1, .bytes_read = 1, .bytes_signalled = 16});
  COALESCE_CHECK((one.footprint<1>({0}) == 1 && one.footprint<8>({0}) == 8));
}
TEST_CASE("boxes: the oracle disagrees where it should") {
  cu::tensor_map const map{
      .element = cu::tensor_element::u8, .rank = 2, .extent = {64, 4}, .stride = {64}, .box = {32, 4}};
  auto moved = map;
  moved.address = 16;
  std::int64_t const start[5] = {};
  CHECK(agrees(map, start));
  CHECK(walk(moved, start).of_32 != walk(map, start).of_32);
  CHECK(map.cost({0, 0}) != moved.cost({0, 0}));
}
TEST_CASE("boxes in shared memory: every element lies where a walk through the box puts it") {
  // The bits of the address that each swizzle moves: from `high`, so many, to `low` (copies.md 3.2).
  struct moved {
    unsigned low, high, bits;
  };
  constexpr moved swizzles[][2] = {
      {}, {{4, 7, 1}}, {{4, 7, 2}}, {{4, 7, 3}}, {{5, 7, 2}}, {{5, 7, 2}, {3, 7, 1}}, {{6, 7, 1}}};
  constexpr std::uint64_t spans[] = {0, 32, 64, 128, 128, 128, 128};
  random_boxes random(4);
  unsigned swizzled = 0, with_pitch = 0, wrong = 0;
  for (unsigned k = 0; k != share(1000); ++k) {
    auto map = random.next(1 + k % 5, true);
    map.swizzle = static_cast<cu::tensor_swizzle>(random.below(7));
    if (map.fault(cu::tensor_copy::load) != cu::tensor_fault::none) map.swizzle = cu::tensor_swizzle::none;
    auto const mode = static_cast<unsigned>(map.swizzle);
    bool const gaps = map.element >= cu::tensor_element::u4_align16;
    unsigned const bits = bits_of(map.element);
    std::uint64_t const base = 128 * random.below(64), row = map.box[0] * (gaps ? 8 : bits) / 8;
    bool const open = spans[mode] != 0 && row != spans[mode];
    std::uint64_t const asked = open ? row + 16 * random.below(4) : random.below(2) * row, pitch = open ? asked : row;
    swizzled += mode != 0, with_pitch += open;

    auto const box = map.shared(base, asked);
    std::uint64_t number = 0, rows = 0;
    std::uint64_t at[5] = {}, copied[5] = {1, 1, 1, 1, 1};
    for (unsigned d = 0; d != map.rank; ++d) {
      std::uint64_t const step = d == 0 ? 1 : map.element_stride[d];
      for (copied[d] = 0; copied[d] * step < map.box[d];) ++copied[d];
    }
    for (at[4] = 0; at[4] != copied[4]; ++at[4])
      for (at[3] = 0; at[3] != copied[3]; ++at[3])
        for (at[2] = 0; at[2] != copied[2]; ++at[2])
          for (at[1] = 0; at[1] != copied[1]; ++at[1], ++rows)
            for (at[0] = 0; at[0] != copied[0]; ++at[0], ++number) {
              std::uint64_t const in_row = gaps ? at[0] / 16 * 16 + at[0] % 16 * bits / 8 : at[0] * bits / 8;
              auto const place = [&](std::uint64_t from) {
                std::uint64_t const plain = from + rows * pitch + in_row;
                std::uint64_t found = plain;
                for (auto const& [low, high, count] : swizzles[mode])
                  found ^= (plain >> high & ((1u << count) - 1)) << low;
                return found;
              };
              wrong += box.unswizzled(at) != rows * pitch + in_row || box(number) != place(base);
              if (map.rank == 2) wrong += box(at[0], at[1]) != place(base);
              if (map.rank == 3) wrong += map.shared_offset({at[0], at[1], at[2]}, asked) != place(0);
              if (map.rank == 5) wrong += box(at[0], at[1], at[2], at[3], at[4]) != place(base);
            }
    wrong += box.size() != number;
    CHECK_THROWS_AS(static_cast<void>(box(number)), co::misuse);
  }
  CHECK(wrong == 0);
  CHECK(swizzled >= share(200));
  CHECK(with_pitch >= share(100));
}
TEST_CASE("bulk copies: sectors and lines are those of a walk") {
  random_boxes random(3);
  bool same = true;
  for (unsigned k = 0; k != share(2000); ++k) {
    cu::cp_async_bulk const copy{.global = 16 * random.below(100), .bytes = 16 * random.below(100)};
    std::set<std::uint64_t> sectors, lines, pages;
    for (std::uint64_t byte = copy.global; byte != copy.global + copy.bytes; ++byte)
      sectors.insert(byte / 32), lines.insert(byte / 128), pages.insert(byte / 1024);
    same = same && copy.cost().sectors == sectors.size() && copy.cost().lines == lines.size() &&
           copy.footprint<1024>() == 1024 * pages.size();
  }
  CHECK(same);
}
