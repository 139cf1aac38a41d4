// SPDX-License-Identifier: BSL-1.0
//
// Whether a tensor map is legal: random maps, most with one field at or beside a boundary, against the table of
// copies.md 3.1, row by row. And where its boxes end.
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/tma.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/boxes.hpp"
#include "truth/oracle/random_access.hpp"

#include <random>
#include <string>
#include <vector>

namespace co = coalescing;
namespace cu = co::cuda;
using namespace coalescing_tests;
using cu::tensor_copy, cu::tensor_element, cu::tensor_fault, cu::tensor_fill, cu::tensor_interleave, cu::tensor_map,
    cu::tensor_mode, cu::tensor_promotion, cu::tensor_swizzle;

namespace {

// ---- The table ----

// The driver's numbers.
enum { u4_align8 = 13, u4_align16 = 14, u6_align16 = 15 };
enum { swizzle_none = 0, swizzle_32 = 1, swizzle_128 = 3, atom_32 = 4, flip_8 = 5, atom_64 = 6 };
enum { interleave_none = 0, interleave_32 = 2 };

int element_of(tensor_map const& map) { return static_cast<int>(map.element); }
int swizzle_of(tensor_map const& map) { return static_cast<int>(map.swizzle); }
int interleave_of(tensor_map const& map) { return static_cast<int>(map.interleave); }
/// The types named ALIGN16B: 16 elements take 16 bytes of shared memory.
bool has_gaps(tensor_map const& map) { return element_of(map) == u4_align16 || element_of(map) == u6_align16; }
bool by_32_bytes(tensor_map const& map) { return interleave_of(map) == interleave_32 || has_gaps(map); }
std::uint64_t row_bits(tensor_map const& map) { return std::uint64_t{map.box[0]} * bits_of(map.element); }

template <class Field, class Predicate>
bool any(Field const& field, unsigned first, unsigned count, Predicate wrong) {
  for (unsigned k = first; k < count; ++k)
    if (wrong(field[k])) return true;
  return false;
}

struct rule {
  tensor_fault fault;
  bool (*broken)(tensor_map const&);
};
constexpr rule rules[] = {
    {tensor_fault::no_such_enumerator,
     [](tensor_map const& map) {
       auto const outside = [](int value, int names) { return value < 0 || value >= names; };
       return outside(element_of(map), 16) || outside(interleave_of(map), 3) || outside(swizzle_of(map), 7) ||
              outside(static_cast<int>(map.promotion), 4) || outside(static_cast<int>(map.fill), 2) ||
              outside(static_cast<int>(map.mode), 2);
     }},
    {tensor_fault::im2col_is_not_modelled, [](tensor_map const& map) { return static_cast<int>(map.mode) == 1; }},
    {tensor_fault::rank_is_not_1_to_5, [](tensor_map const& map) { return map.rank == 0 || map.rank >= 6; }},
    {tensor_fault::interleaved_rank_is_not_3_to_5,
     [](tensor_map const& map) { return interleave_of(map) != interleave_none && map.rank <= 2; }},
    {tensor_fault::address_is_not_a_multiple_of_16, [](tensor_map const& map) { return (map.address & 15) != 0; }},
    {tensor_fault::address_is_not_a_multiple_of_32,
     [](tensor_map const& map) { return by_32_bytes(map) && (map.address & 31) != 0; }},
    {tensor_fault::extent_is_not_1_to_2_32,
     [](tensor_map const& map) {
       return any(map.extent, 0, map.rank, [](std::uint64_t extent) { return extent - 1 >= 0x1'0000'0000; });
     }},
    {tensor_fault::extent_is_odd,
     [](tensor_map const& map) { return element_of(map) == u4_align8 && (map.extent[0] & 1) != 0; }},
    {tensor_fault::extent_is_not_a_multiple_of_128,
     [](tensor_map const& map) { return has_gaps(map) && (map.extent[0] & 127) != 0; }},
    // The two rules and the limit of a stride are asked of one stride after the other.
    {tensor_fault::stride_is_not_a_multiple_of_16, nullptr},
    {tensor_fault::box_is_not_1_to_256,
     [](tensor_map const& map) {
       return any(map.box, 0, map.rank, [](std::uint32_t box) { return box < 1 || box >= 257; });
     }},
    {tensor_fault::box_is_not_128_wide, [](tensor_map const& map) { return has_gaps(map) && map.box[0] != 128; }},
    {tensor_fault::box_row_is_not_a_multiple_of_16_bytes,
     [](tensor_map const& map) { return interleave_of(map) == interleave_none && (row_bits(map) & 127) != 0; }},
    {tensor_fault::element_stride_is_not_1_to_8,
     [](tensor_map const& map) {
       return any(map.element_stride, interleave_of(map) == interleave_none ? 1 : 0, map.rank,
                  [](std::uint32_t stride) { return stride < 1 || stride >= 9; });
     }},
    {tensor_fault::element_is_not_interleaved,
     [](tensor_map const& map) { return element_of(map) == u6_align16 && interleave_of(map) != interleave_none; }},
    {tensor_fault::interleave_of_32_needs_the_swizzle_of_32,
     [](tensor_map const& map) { return interleave_of(map) == interleave_32 && swizzle_of(map) != swizzle_32; }},
    {tensor_fault::box_row_is_wider_than_the_swizzle,
     [](tensor_map const& map) {
       constexpr std::uint64_t span[] = {~0u, 32, 64, 128, 128, 128, 128};
       return interleave_of(map) == interleave_none && row_bits(map) > 8 * span[swizzle_of(map)];
     }},
    {tensor_fault::element_has_no_such_swizzle,
     [](tensor_map const& map) {
       int const swizzle = swizzle_of(map);
       bool const both = swizzle == swizzle_none || swizzle == swizzle_128 || swizzle == atom_32;
       return (element_of(map) == u4_align16 && !both) ||
              (element_of(map) == u6_align16 && !both && swizzle != atom_64);
     }},
    {tensor_fault::fill_of_nan_needs_floating_point,
     [](tensor_map const& map) {
       constexpr bool floats[] = {false, false, false, false, false, false, true,  true,
                                  true,  true,  true,  true,  true,  false, false, false};
       return static_cast<int>(map.fill) == 1 && !floats[element_of(map)];
     }},
};
tensor_fault by_the_table(tensor_map const& map) {
  for (auto const& [fault, broken] : rules) {
    if (broken != nullptr) {
      if (broken(map)) return fault;
      continue;
    }
    for (unsigned k = 0; k + 1 < map.rank; ++k) {
      if ((map.stride[k] & 15) != 0) return tensor_fault::stride_is_not_a_multiple_of_16;
      if (by_32_bytes(map) && (map.stride[k] & 31) != 0) return tensor_fault::stride_is_not_a_multiple_of_32;
      if (map.stride[k] >= 0x100'0000'0000) return tensor_fault::stride_is_not_below_2_40;
    }
  }
  return tensor_fault::none;
}

// ---- The maps ----

class random_maps {
 public:
  tensor_map legal() {
    tensor_map map{.element = static_cast<tensor_element>(below(16)), .rank = 1 + below(5)};
    unsigned const unit = has_gaps(map) ? 128 : 128 / bits_of(map.element);
    if (map.rank > 2 && element_of(map) != u6_align16 && below(3) == 0)
      map.interleave = static_cast<tensor_interleave>(1 + below(element_of(map) == u4_align16 ? 1 : 2));
    map.address = 32 * below(100);
    for (unsigned k = 0; k != 5; ++k)
      map.extent[k] = k == 0 ? 128 * (1 + below(4)) : 1 + below(100), map.box[k] = k == 0 ? unit : 1 + below(256);
    for (auto& stride : map.stride) stride = 32 * below(1000);
    for (auto& stride : map.element_stride) stride = 1 + below(8);
    if (!has_gaps(map) && below(2) == 0) map.box[0] = unit * (1 + below(256 / unit));
    // The first swizzle, from a random one on, that goes with the rest.
    map.fill = static_cast<tensor_fill>(below(2));
    map.promotion = static_cast<tensor_promotion>(below(4));
    for (unsigned k = below(7);; k = (k + 1) % 7) {
      map.swizzle = static_cast<tensor_swizzle>(k);
      auto const fault = by_the_table(map);
      if (fault == tensor_fault::none) return map;
      if (fault == tensor_fault::fill_of_nan_needs_floating_point) map.fill = tensor_fill::zeros;
    }
  }
  /// A value of one field at or beside a boundary of some rule.
  void change(tensor_map& map) {
    unsigned const k = below(5);
    switch (below(12)) {
      case 0:
        map.element = static_cast<tensor_element>(one_of({-1, 0, 1, 6, 7, 12, 13, 14, 15, 16}));
        break;
      case 1:
        map.interleave = static_cast<tensor_interleave>(one_of({-1, 0, 1, 2, 3}));
        break;
      case 2:
        map.swizzle = static_cast<tensor_swizzle>(one_of({-1, 0, 1, 2, 3, 4, 5, 6, 7}));
        break;
      case 3:
        map.promotion = static_cast<tensor_promotion>(one_of({-1, 0, 3, 4}));
        break;
      case 4:
        map.fill = static_cast<tensor_fill>(one_of({-1, 0, 1, 2}));
        break;
      case 5:
        map.mode = static_cast<tensor_mode>(one_of({-1, 0, 1, 2}));
        break;
      case 6:
        map.rank = static_cast<unsigned>(one_of({0, 1, 2, 3, 4, 5, 6}));
        break;
      case 7:
        map.address = static_cast<std::uint64_t>(one_of({1, 8, 15, 16, 17, 24, 32, 33, 48}));
        break;
      case 8:
        map.extent[below(2) == 0 ? 0 : k] = static_cast<std::uint64_t>(
            one_of({0, 1, 2, 3, 64, 127, 128, 129, 0xffff'ffff, 0x1'0000'0000, 0x1'0000'0001, 0x1'0000'0080}));
        break;
      case 9:
        map.stride[k % 4] = static_cast<std::uint64_t>(
            one_of({0, 1, 8, 16, 17, 32, 48, 0xff'ffff'fff0, 0xff'ffff'ffe0, 0x100'0000'0000, 0x200'0000'0000}));
        break;
      case 10:
        map.box[below(2) == 0 ? 0 : k] =
            static_cast<std::uint32_t>(one_of({0, 1, 2, 4, 8, 16, 32, 64, 127, 128, 129, 255, 256, 257, 258}));
        break;
      default:
        map.element_stride[k] = static_cast<std::uint32_t>(one_of({0, 1, 2, 7, 8, 9, 10}));
    }
  }
  unsigned below(unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(engine_); }

 private:
  std::int64_t one_of(std::initializer_list<std::int64_t> values) {
    return values.begin()[below(static_cast<unsigned>(values.size()))];
  }
  std::mt19937 engine_{7};
};

}  // namespace

TEST_CASE("tensor_map: the first rule that a map breaks is that of the table, for random maps around every boundary") {
  random_maps random;
  std::vector<unsigned> seen(static_cast<unsigned>(tensor_fault::fill_of_nan_needs_floating_point) + 1);
  unsigned wrong = 0;
  for (unsigned round = 0; round != share(200'000); ++round) {
    auto map = random.legal();
    for (unsigned changes = random.below(4); changes != 0; --changes) random.change(map);
    auto const expected = by_the_table(map);
    wrong += map.fault() != expected;
    ++seen[static_cast<unsigned>(expected)];

    // A legal map may still be refused in one direction, or on one machine.
    auto store = expected, load = expected, hopper = expected;
    if (expected == tensor_fault::none) {
      if (element_of(map) == u4_align16) store = tensor_fault::element_is_loaded_only;
      if (swizzle_of(map) == flip_8) store = tensor_fault::swizzle_is_for_loads_only;
      if (element_of(map) == u6_align16 && swizzle_of(map) == atom_64) load = tensor_fault::swizzle_is_for_stores_only;
      if (element_of(map) >= u4_align8) hopper = tensor_fault::machine_has_no_elements_below_a_byte;
      if (swizzle_of(map) >= atom_32) hopper = tensor_fault::machine_has_no_swizzle_atoms;
    }
    auto const ampere = expected == tensor_fault::none ? tensor_fault::machine_has_no_tensor_copies : expected;
    wrong += map.fault(tensor_copy::store) != store;
    wrong += map.fault(tensor_copy::load) != load;
    wrong += map.fault_on<cu::cc80>() != ampere;
    wrong += map.fault_on<cu::cc90>() != hopper;
    wrong += map.fault_on<cu::cc100>() != expected;
  }
  CHECK(wrong == 0);
  for (unsigned fault = 0; fault != seen.size(); ++fault) {
    CAPTURE(fault);
    CHECK(seen[fault] >= share(50));  // the questions reach every rule
  }
}
TEST_CASE("tensor_map: a direction that is none is refused") {
  CHECK_THROWS_AS(static_cast<void>(tensor_map{}.fault(static_cast<tensor_copy>(-1))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tensor_map{}.fault(static_cast<tensor_copy>(2))), co::misuse);
}
TEST_CASE("tensor_map: what its address is aligned to: 32 bytes if interleaved by 32 or with gaps; 128 in the guide") {
  for (int element = 0; element != 16; ++element)
    for (int interleave = 0; interleave != 3; ++interleave)
      for (int swizzle = 0; swizzle != 7; ++swizzle) {
        tensor_map const map{.element = static_cast<tensor_element>(element),
                             .interleave = static_cast<tensor_interleave>(interleave),
                             .swizzle = static_cast<tensor_swizzle>(swizzle)};
        unsigned const alignment = element >= u4_align16 || interleave == interleave_32 ? 32 : 16;
        CHECK(map.alignment() == alignment);
        CHECK(map.alignment_in_the_guide() == (swizzle != swizzle_none ? 128 : alignment));
      }
}

// ---- The fields ----

TEST_CASE("tensor_map: its arrays are the driver's: 5 dimensions, 4 strides; what is left out is plain") {
  constexpr tensor_map plain;
  COALESCE_CHECK((plain.rank == 1 && plain.address == 0));
  COALESCE_CHECK((std::size(plain.extent) == 5 && std::size(plain.stride) == 4));
  COALESCE_CHECK((std::size(plain.box) == 5 && std::size(plain.element_stride) == 5));
  for (auto const stride : plain.element_stride) CHECK(stride == 1);
  COALESCE_CHECK((plain.element == tensor_element::u8 && plain.mode == tensor_mode::tile));
}
TEST_CASE("tensor_map::count: ceil(box / element stride) of each dimension, but of the first the box") {
  constexpr tensor_map map{.rank = 5,
                           .extent = {64, 9, 9, 9, 9},
                           .stride = {64, 576, 5184, 46656},
                           .box = {32, 7, 8, 9, 256},
                           .element_stride = {8, 4, 4, 4, 7}};
  COALESCE_CHECK((map.count(0) == 32 && map.count(1) == 2 && map.count(2) == 2));
  COALESCE_CHECK((map.count(3) == 3 && map.count(4) == 37));
  CHECK_THROWS_AS(static_cast<void>(map.count(5)), co::misuse);
}
TEST_CASE("tensor_map::count: of a map that is not legal no wrong number, and nothing beyond its arrays") {
  tensor_map map{.rank = 2, .box = {16, 16}, .element_stride = {0, 0, 1, 1, 1}};
  CHECK(map.count(0) == 16);  // the first stride is ignored
  CHECK_THROWS_WITH_AS(static_cast<void>(map.count(1)), doctest::Contains("fault() names the rule"), co::misuse);
  map.element_stride[1] = 1;
  CHECK(map.count(1) == 16);
  CHECK_THROWS_AS(static_cast<void>(map.count(2)), co::misuse);
  map.rank = 6;
  CHECK_THROWS_AS(static_cast<void>(map.count(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(map.count(5)), co::misuse);
}
TEST_CASE("tensor_map: five dimensions, from a corner") {
  // Rows of 32 of 64 bytes, two of each further index; the last two dimensions begin one before and at the end.
  constexpr tensor_map map{
      .rank = 5, .address = 32, .extent = {64, 4, 4, 4, 4}, .stride = {64, 256, 1024, 4096}, .box = {32, 2, 2, 2, 2}};
  COALESCE_CHECK(map.cost({32, 0, 0, 0, 0}) ==
                 cu::bulk_cost<>{.sectors = 16, .lines = 16, .bytes_read = 512, .bytes_signalled = 512});
  COALESCE_CHECK(map.cost({32, 0, 0, -1, 3}) ==
                 cu::bulk_cost<>{.sectors = 4, .lines = 4, .bytes_read = 128, .bytes_signalled = 512});
  COALESCE_CHECK((map.shared()(31, 1, 1, 1, 1) == 511 && map.shared_offset({31, 1, 1, 1, 1}) == 511));
}

// ---- Where boxes start and end ----

TEST_CASE("tensor_map: start coordinates are of 32 bits, in every dimension") {
  constexpr std::int64_t least = INT32_MIN, most = INT32_MAX;
  constexpr tensor_map map{.rank = 2, .extent = {64, 4}, .stride = {64}, .box = {16, 2}};
  CHECK_NOTHROW(static_cast<void>(map.cost({least, least})));
  CHECK_NOTHROW(static_cast<void>(map.cost({most - 15, most})));
  CHECK_THROWS_AS(static_cast<void>(map.cost({most + 1, 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(map.cost({least - 16, 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(map.cost({0, most + 1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(map.cost({0, least - 1})), co::misuse);
}
TEST_CASE(
    "tensor_map: the first coordinate is a multiple of 16 bytes, or of 128 elements if a box has gaps; the others are "
    "any") {
  for (int element = 0; element != 16; ++element) {
    tensor_map map{.element = static_cast<tensor_element>(element),
                   .rank = 2,
                   .extent = {256, 4},
                   .stride = {2048},
                   .box = {128, 2}};
    CAPTURE(element);
    for (std::int64_t start = -128; start != 129; ++start) {
      if (has_gaps(map) ? start % 128 == 0 : start * bits_of(map.element) % 128 == 0)
        CHECK_NOTHROW(static_cast<void>(map.cost({start, start})));
      else
        CHECK_THROWS_AS(static_cast<void>(map.cost({start, 0})), co::misuse);
    }
  }
}
TEST_CASE("tensor_map: a store starts at 0 or later, in every dimension") {
  constexpr tensor_map map{.rank = 2, .extent = {64, 4}, .stride = {64}, .box = {16, 2}};
  CHECK_NOTHROW(static_cast<void>(map.cost({0, 0}, tensor_copy::store)));
  CHECK_THROWS_AS(static_cast<void>(map.cost({-16, 0}, tensor_copy::store)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(map.cost({0, -1}, tensor_copy::store)), co::misuse);
}
TEST_CASE("tensor_map: boxes up to the last byte of memory, and one row or element beyond") {
  // 16 bytes, then rows of 16 bytes 16 apart, that end with memory; and the same in planes.
  constexpr std::uint64_t top = ~0ull - 63;  // four rows below the top
  constexpr tensor_map row{.rank = 1, .address = top, .extent = {128}, .box = {64}};
  COALESCE_CHECK(row.cost({0}).sectors == 2);
  CHECK_THROWS_AS(static_cast<void>(row.cost({16})), co::misuse);  // ends 16 bytes too late
  CHECK_THROWS_AS(static_cast<void>(row.cost({64})), co::misuse);  // begins too late
  // A tensor that ends inside the box: its last byte is memory's, or one too many.
  constexpr tensor_map last{.rank = 1, .address = ~0ull - 15, .extent = {16}, .box = {32}};
  COALESCE_CHECK((last.cost({0}).sectors == 1 && last.cost({0}).bytes_read == 16));
  auto past = last;
  past.extent[0] = 17;
  CHECK_THROWS_AS(static_cast<void>(past.cost({0})), co::misuse);
  past.extent[0] = 1;
  CHECK(past.cost({0}).bytes_read == 1);
  constexpr tensor_map rows{.rank = 2, .address = top, .extent = {16, 8}, .stride = {16}, .box = {16, 4}};
  COALESCE_CHECK((rows.cost({0, 0}).sectors == 2 && rows.cost({0, -2}).sectors == 1));
  CHECK_THROWS_AS(static_cast<void>(rows.cost({0, 1})), co::misuse);
  constexpr tensor_map planes{.rank = 3, .address = top, .extent = {16, 2, 4}, .stride = {16, 32}, .box = {16, 2, 2}};
  COALESCE_CHECK((planes.cost({0, 0, 0}).sectors == 2 && planes.cost({0, 1, 0}).sectors == 2));
  CHECK_THROWS_AS(static_cast<void>(planes.cost({0, 0, 1})), co::misuse);
  // Every other row: the third of them, at 64, is past the top.
  constexpr tensor_map apart{
      .rank = 2, .address = top, .extent = {16, 8}, .stride = {16}, .box = {16, 4}, .element_stride = {1, 2}};
  COALESCE_CHECK(apart.cost({0, 0}).sectors == 2);
  COALESCE_CHECK(apart.cost({0, 1}).sectors == 2);
  CHECK_THROWS_AS(static_cast<void>(apart.cost({0, 2})), co::misuse);
}
TEST_CASE("tensor_map: sums that pass 2^64 on the way, in an outer dimension, are refused") {
  // 2^24 strides of 2^40 - 16 bytes are 2^28 less than 2^64: what is left is 2^28 bytes.
  constexpr std::uint64_t stride = (1ull << 40) - 16, left = 1ull << 28;
  constexpr tensor_map map{
      .rank = 2, .address = left - 16, .extent = {16, 1ull << 32}, .stride = {stride}, .box = {16, 1}};
  COALESCE_CHECK(map.cost({0, 1 << 24}).sectors == 1);
  auto beyond = map;
  beyond.address = left;
  CHECK_THROWS_AS(static_cast<void>(beyond.cost({0, 1 << 24})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(beyond.cost({0, (1 << 24) - 1})));
}
TEST_CASE("tensor_map: planes that are one plane, and rows that are one row, of stride 0") {
  constexpr tensor_map same{.rank = 3, .extent = {64, 4, 4}, .stride = {0, 64}, .box = {64, 4, 2}};
  COALESCE_CHECK(same.cost({0, 0, 0}) ==
                 cu::bulk_cost<>{.sectors = 4, .lines = 1, .bytes_read = 512, .bytes_signalled = 512});
}

// ---- How it is known ----

TEST_CASE(
    "tensor_map: pieces are inferred; that what lies outside is not read, and the full box signalled, documented") {
  auto const from = [](co::source const& source) {
    return std::string(source.document) + ", " + source.edition + ", " + source.section;
  };
  constexpr auto const& sources = tensor_map::sources;
  for (auto const& pieces : {sources.sectors, sources.lines}) {
    CHECK(from(pieces) == "NVIDIA Parallel Thread Execution ISA, 9.1 (CUDA 13.1), 5.5.3");
    CHECK(pieces.evidence == co::evidence::inferred);
  }
  CHECK(from(sources.bytes_read) == "NVIDIA Parallel Thread Execution ISA, 9.1 (CUDA 13.1), 5.5.3.3");
  CHECK(sources.bytes_read.evidence == co::evidence::documented);
  CHECK(from(sources.bytes_signalled) == "NVIDIA CUDA Programming Guide, Asynchronous Data Copies, 13.1, 4.11.2");
  CHECK(sources.bytes_signalled.evidence == co::evidence::documented);
}
