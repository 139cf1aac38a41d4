// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/tma.hpp>

#include "machinery/check.hpp"

#include <iterator>
#include <set>
#include <string>

namespace co = coalescing;
namespace cu = co::cuda;
using cu::tensor_element, cu::tensor_interleave, cu::tensor_swizzle, cu::tensor_fill, cu::tensor_fault, cu::tensor_map;

namespace {

template <auto>
struct carried {};

constexpr tensor_map halves{.element = tensor_element::f16,
                            .rank = 2,
                            .extent = {4096, 4096},
                            .stride = {8192},
                            .box = {64, 64},
                            .swizzle = tensor_swizzle::bytes_128};
constexpr tensor_map floats{
    .element = tensor_element::f32, .rank = 2, .extent = {100, 50}, .stride = {400}, .box = {16, 8}};
constexpr tensor_map volume{.element = tensor_element::f16,
                            .rank = 3,
                            .address = 0x40,
                            .extent = {64, 8, 8},
                            .stride = {128, 1024},
                            .box = {8, 4, 2},
                            .interleave = tensor_interleave::bytes_16};
constexpr tensor_map sixes{.element = tensor_element::u6_align16,
                           .rank = 2,
                           .extent = {256, 8},
                           .stride = {192},
                           .box = {128, 4},
                           .swizzle = tensor_swizzle::bytes_128};
constexpr tensor_map fours{
    .element = tensor_element::u4_align16, .rank = 2, .extent = {256, 8}, .stride = {128}, .box = {128, 4}};

/// The map, changed.
template <class Change>
constexpr tensor_map with(tensor_map map, Change change) {
  change(map);
  return map;
}

[[maybe_unused]] carried<halves> structural;
[[maybe_unused]] carried<halves.shared()> structural_box;
[[maybe_unused]] carried<halves.cost({0, 0})> structural_cost;
static_assert(co::pattern<cu::shared_box>);

}  // namespace

TEST_CASE("tensor_map: the values of the driver's enumerations (cuda.h)") {
  using enum tensor_element;
  constexpr tensor_element elements[] = {u8,  u16,  u32,     i32,  u64,      i64,       f16,        f32,
                                         f64, bf16, f32_ftz, tf32, tf32_ftz, u4_align8, u4_align16, u6_align16};
  for (unsigned k = 0; k != 16; ++k) CHECK(static_cast<unsigned>(elements[k]) == k);
  constexpr tensor_interleave interleaves[] = {tensor_interleave::none, tensor_interleave::bytes_16,
                                               tensor_interleave::bytes_32};
  for (unsigned k = 0; k != 3; ++k) CHECK(static_cast<unsigned>(interleaves[k]) == k);
  constexpr tensor_swizzle swizzles[] = {tensor_swizzle::none,
                                         tensor_swizzle::bytes_32,
                                         tensor_swizzle::bytes_64,
                                         tensor_swizzle::bytes_128,
                                         tensor_swizzle::bytes_128_atom_32,
                                         tensor_swizzle::bytes_128_atom_32_flip_8,
                                         tensor_swizzle::bytes_128_atom_64};
  for (unsigned k = 0; k != 7; ++k) CHECK(static_cast<unsigned>(swizzles[k]) == k);
  using promotion = cu::tensor_promotion;
  constexpr promotion promotions[] = {promotion::none, promotion::bytes_64, promotion::bytes_128, promotion::bytes_256};
  for (unsigned k = 0; k != 4; ++k) CHECK(static_cast<unsigned>(promotions[k]) == k);
  COALESCE_CHECK((static_cast<int>(tensor_fill::zeros) == 0 && static_cast<int>(tensor_fill::nan) == 1));
}
TEST_CASE("copies.md 3.1: bits of every element in global and in shared memory, and which are floating point") {
  using enum tensor_element;
  struct element {
    tensor_element type;
    unsigned bits, shared_bits;
    bool floating_point;
  };
  // The 16 of 4 or 6 bits of an ALIGN16B type take 16 bytes of shared memory.
  constexpr element elements[] = {
      {u8, 8, 8, false},        {u16, 16, 16, false},     {u32, 32, 32, false},      {i32, 32, 32, false},
      {u64, 64, 64, false},     {i64, 64, 64, false},     {f16, 16, 16, true},       {f32, 32, 32, true},
      {f64, 64, 64, true},      {bf16, 16, 16, true},     {f32_ftz, 32, 32, true},   {tf32, 32, 32, true},
      {tf32_ftz, 32, 32, true}, {u4_align8, 4, 4, false}, {u4_align16, 4, 8, false}, {u6_align16, 6, 8, false}};
  for (element const& expected : elements) {
    CAPTURE(static_cast<unsigned>(expected.type));
    auto const row = cu::row_of(expected.type);
    CHECK(row.bits == expected.bits);
    CHECK(row.shared_bits == expected.shared_bits);
    CHECK(row.floating_point == expected.floating_point);
  }
  COALESCE_CHECK((cu::tensor_element_row{}.bits == 0 && cu::tensor_element_row{}.shared_bits == 0));
}
TEST_CASE("copies.md 3.1, 3.2: every swizzle: its span, its exclusive ors, and how it is known") {
  using enum tensor_swizzle;
  constexpr auto documented = co::evidence::documented, inferred = co::evidence::inferred;
  struct mode {
    tensor_swizzle swizzle;
    unsigned span;
    co::swizzle map, flip;
    bool has_atoms;
    co::evidence evidence;
  };
  constexpr mode modes[] = {{none, 0, {}, {}, false, documented},
                            {bytes_32, 32, {1, 4, 3}, {}, false, documented},
                            {bytes_64, 64, {2, 4, 3}, {}, false, documented},
                            {bytes_128, 128, {3, 4, 3}, {}, false, documented},
                            {bytes_128_atom_32, 128, {2, 5, 2}, {}, true, documented},
                            {bytes_128_atom_32_flip_8, 128, {2, 5, 2}, {1, 3, 4}, true, inferred},
                            {bytes_128_atom_64, 128, {1, 6, 1}, {}, true, inferred}};
  for (mode const& expected : modes) {
    CAPTURE(static_cast<unsigned>(expected.swizzle));
    auto const row = cu::row_of(expected.swizzle);
    CHECK(row.span == expected.span);
    CHECK(row.map == expected.map);
    CHECK(row.flip == expected.flip);
    CHECK(row.has_atoms == expected.has_atoms);
    CHECK(row.from.evidence == expected.evidence);
    CHECK(std::string(row.from.document) == "NVIDIA Parallel Thread Execution ISA");
    CHECK(std::string(row.from.edition) == "9.1 (CUDA 13.1)");
  }
  for (int const none_such : {-1, 7}) {
    CHECK_THROWS_AS(static_cast<void>(cu::row_of(static_cast<tensor_swizzle>(none_such))), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(cu::swizzle_of(static_cast<tensor_swizzle>(none_such))), co::misuse);
  }
  for (int const none_such : {-1, 16})
    CHECK_THROWS_AS(static_cast<void>(cu::row_of(static_cast<tensor_element>(none_such))), co::misuse);
}

// ---- Legality: a map with exactly this fault, beside one that is legal ----

TEST_CASE("tensor_map: these are legal") {
  COALESCE_CHECK(halves.fault() == tensor_fault::none);
  COALESCE_CHECK(floats.fault() == tensor_fault::none);
  COALESCE_CHECK(volume.fault() == tensor_fault::none);
  COALESCE_CHECK(sixes.fault() == tensor_fault::none);
  COALESCE_CHECK(fours.fault() == tensor_fault::none);
}
TEST_CASE("tensor_map: enumerators that do not exist, im2col") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.element = static_cast<tensor_element>(16); }).fault() ==
                 tensor_fault::no_such_enumerator);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.interleave = static_cast<tensor_interleave>(3); }).fault() ==
                 tensor_fault::no_such_enumerator);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.swizzle = static_cast<tensor_swizzle>(7); }).fault() ==
                 tensor_fault::no_such_enumerator);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.fill = static_cast<tensor_fill>(-1); }).fault() ==
                 tensor_fault::no_such_enumerator);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.promotion = static_cast<cu::tensor_promotion>(4); }).fault() ==
                 tensor_fault::no_such_enumerator);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.mode = static_cast<cu::tensor_mode>(2); }).fault() ==
                 tensor_fault::no_such_enumerator);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.mode = cu::tensor_mode::im2col; }).fault() ==
                 tensor_fault::im2col_is_not_modelled);
}
TEST_CASE("tensor_map: rank") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.rank = 0; }).fault() == tensor_fault::rank_is_not_1_to_5);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.rank = 6; }).fault() == tensor_fault::rank_is_not_1_to_5);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.rank = 1; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(volume, [](tensor_map& map) { map.rank = 2; }).fault() ==
                 tensor_fault::interleaved_rank_is_not_3_to_5);
}
TEST_CASE("tensor_map: address") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.address = 8; }).fault() ==
                 tensor_fault::address_is_not_a_multiple_of_16);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.address = 16; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(sixes, [](tensor_map& map) { map.address = 16; }).fault() ==
                 tensor_fault::address_is_not_a_multiple_of_32);
  constexpr auto by_32 = with(volume, [](tensor_map& map) {
    map.interleave = tensor_interleave::bytes_32, map.swizzle = tensor_swizzle::bytes_32;
  });
  COALESCE_CHECK(by_32.fault() == tensor_fault::none);
  COALESCE_CHECK(with(by_32, [](tensor_map& map) { map.address += 16; }).fault() ==
                 tensor_fault::address_is_not_a_multiple_of_32);
}
TEST_CASE("tensor_map: the programming guide asks for more than the header of the driver, which is not a fault") {
  COALESCE_CHECK((halves.alignment() == 16 && halves.alignment_in_the_guide() == 128));
  COALESCE_CHECK((floats.alignment() == 16 && floats.alignment_in_the_guide() == 16));
  COALESCE_CHECK((fours.alignment() == 32 && fours.alignment_in_the_guide() == 32));
}
TEST_CASE("tensor_map: extents") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.extent[1] = 0; }).fault() ==
                 tensor_fault::extent_is_not_1_to_2_32);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.extent[1] = 1ull << 32; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.extent[1] = (1ull << 32) + 1; }).fault() ==
                 tensor_fault::extent_is_not_1_to_2_32);
  constexpr tensor_map packed{
      .element = tensor_element::u4_align8, .rank = 2, .extent = {62, 4}, .stride = {32}, .box = {32, 4}};
  COALESCE_CHECK(packed.fault() == tensor_fault::none);
  COALESCE_CHECK(with(packed, [](tensor_map& map) { map.extent[0] = 61; }).fault() == tensor_fault::extent_is_odd);
  COALESCE_CHECK(with(sixes, [](tensor_map& map) { map.extent[0] = 192; }).fault() ==
                 tensor_fault::extent_is_not_a_multiple_of_128);
}
TEST_CASE("tensor_map: strides") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.stride[0] = 8200; }).fault() ==
                 tensor_fault::stride_is_not_a_multiple_of_16);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.stride[1] = 1; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(fours, [](tensor_map& map) { map.stride[0] = 144; }).fault() ==
                 tensor_fault::stride_is_not_a_multiple_of_32);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.stride[0] = (1ull << 40) - 16; }).fault() ==
                 tensor_fault::none);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.stride[0] = 1ull << 40; }).fault() ==
                 tensor_fault::stride_is_not_below_2_40);
}
TEST_CASE("tensor_map: boxes and element strides") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.box[1] = 256; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.box[1] = 257; }).fault() == tensor_fault::box_is_not_1_to_256);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.box[1] = 0; }).fault() == tensor_fault::box_is_not_1_to_256);
  COALESCE_CHECK(with(sixes, [](tensor_map& map) { map.box[0] = 64; }).fault() == tensor_fault::box_is_not_128_wide);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.box[0] = 18; }).fault() ==
                 tensor_fault::box_row_is_not_a_multiple_of_16_bytes);
  COALESCE_CHECK(with(volume, [](tensor_map& map) { map.box[0] = 9; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.element_stride[1] = 8; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.element_stride[1] = 9; }).fault() ==
                 tensor_fault::element_stride_is_not_1_to_8);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.element_stride[1] = 0; }).fault() ==
                 tensor_fault::element_stride_is_not_1_to_8);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.element_stride[0] = 9; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(volume, [](tensor_map& map) { map.element_stride[0] = 9; }).fault() ==
                 tensor_fault::element_stride_is_not_1_to_8);
}
TEST_CASE("tensor_map: interleaves, swizzles and fills") {
  constexpr tensor_map six_deep{
      .element = tensor_element::u6_align16, .rank = 3, .extent = {128, 8, 8}, .stride = {96, 768}, .box = {128, 4, 2}};
  COALESCE_CHECK(six_deep.fault() == tensor_fault::none);
  COALESCE_CHECK(with(six_deep, [](tensor_map& map) { map.interleave = tensor_interleave::bytes_16; }).fault() ==
                 tensor_fault::element_is_not_interleaved);
  COALESCE_CHECK(with(volume, [](tensor_map& map) { map.interleave = tensor_interleave::bytes_32; }).fault() ==
                 tensor_fault::interleave_of_32_needs_the_swizzle_of_32);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_64; }).fault() ==
                 tensor_fault::box_row_is_wider_than_the_swizzle);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.box[0] = 72; }).fault() ==
                 tensor_fault::box_row_is_wider_than_the_swizzle);
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.box[0] = 56; }).fault() == tensor_fault::none);
  for (auto const swizzle : {tensor_swizzle::bytes_128, tensor_swizzle::bytes_128_atom_32})
    for (auto const& map : {sixes, fours}) {
      auto changed = map;
      changed.swizzle = swizzle;
      CHECK(changed.fault() == tensor_fault::none);
    }
  COALESCE_CHECK(with(sixes, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_128_atom_64; }).fault() ==
                 tensor_fault::none);
  COALESCE_CHECK(with(fours, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_128_atom_64; }).fault() ==
                 tensor_fault::element_has_no_such_swizzle);
  COALESCE_CHECK(with(sixes, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_128_atom_32_flip_8; }).fault() ==
                 tensor_fault::element_has_no_such_swizzle);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.fill = tensor_fill::nan; }).fault() == tensor_fault::none);
  COALESCE_CHECK(with(floats, [](tensor_map& map) {
                   map.fill = tensor_fill::nan, map.element = tensor_element::u32;
                 }).fault() == tensor_fault::fill_of_nan_needs_floating_point);
  COALESCE_CHECK(with(fours, [](tensor_map& map) { map.fill = tensor_fill::nan; }).fault() ==
                 tensor_fault::fill_of_nan_needs_floating_point);
}
TEST_CASE("tensor_map: of two faults the first is named, in the order of the fields") {
  using change = void (*)(tensor_map&);
  constexpr change changes[] = {
      [](tensor_map& map) { map.promotion = static_cast<cu::tensor_promotion>(4); },
      [](tensor_map& map) { map.mode = cu::tensor_mode::im2col; },
      [](tensor_map& map) { map.rank = 9; },
      [](tensor_map& map) { map.address = 24; },
      [](tensor_map& map) { map.extent[0] = 0; },
      [](tensor_map& map) { map.stride[0] = 8; },
      [](tensor_map& map) { map.box[1] = 300; },
      [](tensor_map& map) { map.box[0] = 60; },
      [](tensor_map& map) { map.element_stride[1] = 0; },
      [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_32; },
  };
  for (auto const first : changes)
    for (auto const second : changes) {
      auto a = halves, b = halves, both = halves;
      first(a), second(b), first(both), second(both);
      CHECK(a.fault() != tensor_fault::none);
      CHECK(both.fault() == (a.fault() < b.fault() ? a.fault() : b.fault()));
    }
}
TEST_CASE("tensor_map: what goes in one direction only") {
  using cu::tensor_copy;
  constexpr auto for_stores = with(sixes, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_128_atom_64; });
  COALESCE_CHECK(fours.fault(tensor_copy::load) == tensor_fault::none);
  COALESCE_CHECK(fours.fault(tensor_copy::store) == tensor_fault::element_is_loaded_only);
  COALESCE_CHECK(sixes.fault(tensor_copy::store) == tensor_fault::none);
  COALESCE_CHECK(for_stores.fault(tensor_copy::load) == tensor_fault::swizzle_is_for_stores_only);
  COALESCE_CHECK(for_stores.fault(tensor_copy::store) == tensor_fault::none);
  COALESCE_CHECK(for_stores.cost({0, 0}, tensor_copy::store).bytes_read == 384);
  CHECK_THROWS_AS(static_cast<void>(for_stores.shared()), co::misuse);  // stored from bytes, loaded into 12 of 16
  constexpr auto flips = with(halves, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_128_atom_32_flip_8; });
  COALESCE_CHECK(flips.fault(tensor_copy::load) == tensor_fault::none);
  COALESCE_CHECK(flips.fault(tensor_copy::store) == tensor_fault::swizzle_is_for_loads_only);
  COALESCE_CHECK(tensor_map{}.fault(tensor_copy::store) == tensor_fault::extent_is_not_1_to_2_32);
  CHECK_THROWS_AS(static_cast<void>(halves.fault(static_cast<tensor_copy>(2))), co::misuse);
}
TEST_CASE("tensor_map: what a machine lacks, and since when it exists") {
  COALESCE_CHECK(halves.fault_on<cu::cc90>() == tensor_fault::none);
  COALESCE_CHECK(halves.fault_on<cu::cc121>() == tensor_fault::none);
  COALESCE_CHECK(halves.fault_on<cu::cc89>() == tensor_fault::machine_has_no_tensor_copies);
  COALESCE_CHECK(halves.fault_on<cu::cc10>() == tensor_fault::machine_has_no_tensor_copies);
  COALESCE_CHECK(tensor_map{}.fault_on<cu::cc10>() == tensor_fault::extent_is_not_1_to_2_32);
  CHECK(std::string(cu::sentence(halves.fault_on<cu::cc80>())) == "tensor maps exist since CC 9.0");
  constexpr auto atoms = with(halves, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_128_atom_64; });
  COALESCE_CHECK(atoms.fault_on<cu::cc90>() == tensor_fault::machine_has_no_swizzle_atoms);
  COALESCE_CHECK(atoms.fault_on<cu::cc100>() == tensor_fault::none);
  COALESCE_CHECK(fours.fault_on<cu::cc90>() == tensor_fault::machine_has_no_elements_below_a_byte);
  COALESCE_CHECK(fours.fault_on<cu::cc103>() == tensor_fault::none);
  COALESCE_CHECK(halves.fault_on<cu::cc107>() == tensor_fault::none);
  COALESCE_CHECK(atoms.fault_on<cu::cc107>() == tensor_fault::none);
  COALESCE_CHECK(fours.fault_on<cu::cc107>() == tensor_fault::none);
}
TEST_CASE("every fault has a sentence of its own and a source") {
  std::set<std::string> sentences;
  auto const check = [&](cu::tensor_rule const& rule) {
    CHECK(sentences.insert(rule.text).second);
    CHECK(!std::string(rule.from.claim).empty());
    CHECK(std::string(rule.from.document) != "none");
  };
  for (int k = 0; k <= static_cast<int>(tensor_fault::machine_has_no_elements_below_a_byte); ++k)
    check(cu::rule_of(static_cast<tensor_fault>(k)));
  CHECK(sentences.size() == 28);
  CHECK_THROWS_AS(static_cast<void>(cu::sentence(static_cast<tensor_fault>(28))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::sentence(static_cast<tensor_fault>(-1))), co::misuse);
  sentences.clear();
  for (int k = 0; k <= static_cast<int>(cu::bulk_fault::machine_has_no_bulk_copies); ++k)
    check(cu::rule_of(static_cast<cu::bulk_fault>(k)));
  CHECK_THROWS_AS(static_cast<void>(cu::sentence(static_cast<cu::bulk_fault>(-1))), co::misuse);
  sentences.clear();
  for (int k = 0; k <= static_cast<int>(cu::operand_fault::offset_is_not_below_2_18); ++k)
    check(cu::rule_of(static_cast<cu::operand_fault>(k)));
  CHECK_THROWS_AS(static_cast<void>(cu::sentence(static_cast<cu::operand_fault>(7))), co::misuse);
}
TEST_CASE(
    "copies.md 3.1: where each rule of a tensor map stands: in cuda.h, but for what only PTX tells, and two of ours") {
  for (int k = 0; k <= static_cast<int>(tensor_fault::machine_has_no_elements_below_a_byte); ++k) {
    CAPTURE(k);
    auto const fault = static_cast<tensor_fault>(k);
    auto const from = cu::rule_of(fault).from;
    bool const ours = fault == tensor_fault::none || fault == tensor_fault::im2col_is_not_modelled;
    bool const of_ptx = fault == tensor_fault::swizzle_is_for_loads_only ||
                        fault == tensor_fault::machine_has_no_swizzle_atoms ||
                        fault == tensor_fault::machine_has_no_elements_below_a_byte;
    CHECK(from.evidence == (ours ? co::evidence::inferred : co::evidence::documented));
    CHECK(std::string(from.document) == (ours     ? "our reading"
                                         : of_ptx ? "NVIDIA Parallel Thread Execution ISA"
                                                  : "NVIDIA CUDA Driver API, Tensor Map Object Management (cuda.h)"));
  }
}

// ---- The examples of copies.md ----

TEST_CASE("copies.md 3c: f16 4096x4096, box 64x64, at (0,0), (8,0), (-8,0)") {
  COALESCE_CHECK((halves.cost({0, 0}).lines == 64 && halves.cost({0, 0}).sectors == 256));
  COALESCE_CHECK((halves.cost({8, 0}).lines == 128 && halves.cost({8, 0}).sectors == 320));
  constexpr auto before = halves.cost({-8, 0});
  COALESCE_CHECK((before.lines == 64 && before.sectors == 256));
  COALESCE_CHECK((before.bytes_read == 7168 && before.bytes_signalled == 8192));
  COALESCE_CHECK((halves.footprint<32>({0, 0}) == 256 * 32 && halves.footprint<128>({8, 0}) == 128 * 128));
}
TEST_CASE(
    "copies.md 3d: refused are a row wider than its swizzle, a stride of 4004, a box of 272, an interleave of "
    "rank 2, coordinate 1 of f32") {
  COALESCE_CHECK(with(halves, [](tensor_map& map) { map.swizzle = tensor_swizzle::bytes_64; }).fault() ==
                 tensor_fault::box_row_is_wider_than_the_swizzle);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.stride[0] = 4004; }).fault() ==
                 tensor_fault::stride_is_not_a_multiple_of_16);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.box[0] = 272; }).fault() == tensor_fault::box_is_not_1_to_256);
  COALESCE_CHECK(with(floats, [](tensor_map& map) { map.interleave = tensor_interleave::bytes_16; }).fault() ==
                 tensor_fault::interleaved_rank_is_not_3_to_5);
  CHECK_THROWS_AS(static_cast<void>(floats.cost({1, 0})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(floats.cost({4, 0})));
}
TEST_CASE("copies.md 2e: bulk copies of 64 bytes from 16, of 4096 from 112") {
  COALESCE_CHECK(cu::cp_async_bulk{.global = 16, .bytes = 64}.cost().sectors == 3);
  COALESCE_CHECK(cu::cp_async_bulk{.global = 16, .bytes = 64}.cost().lines == 1);
  COALESCE_CHECK(cu::cp_async_bulk{.global = 112, .bytes = 4096}.cost().sectors == 129);
  COALESCE_CHECK(cu::cp_async_bulk{.global = 112, .bytes = 4096}.cost().lines == 33);
  COALESCE_CHECK(cu::cp_async_bulk{.global = 112, .bytes = 4096}.footprint<64>() == 65 * 64);
}
TEST_CASE("copies.md 2f: bulk copies of 24 bytes, to 8 modulo 16") {
  using cu::bulk_fault, cu::cp_async_bulk;
  COALESCE_CHECK(cp_async_bulk{.bytes = 24}.fault() == bulk_fault::size_is_not_a_multiple_of_16);
  COALESCE_CHECK(cp_async_bulk{.shared = 24, .bytes = 32}.fault() ==
                 bulk_fault::shared_address_is_not_a_multiple_of_16);
  COALESCE_CHECK(cp_async_bulk{.global = 4, .bytes = 32}.fault() == bulk_fault::global_address_is_not_a_multiple_of_16);
  COALESCE_CHECK(cp_async_bulk{.bytes = 1ull << 32}.fault() == bulk_fault::size_is_not_below_2_32);
  COALESCE_CHECK(cp_async_bulk{.bytes = (1ull << 32) - 16}.fault() == bulk_fault::none);
  COALESCE_CHECK(cp_async_bulk{.global = ~0ull - 15, .bytes = 32}.fault() == bulk_fault::runs_past_the_top_of_memory);
  COALESCE_CHECK(cp_async_bulk{.shared = ~0ull - 15, .bytes = 32}.fault() == bulk_fault::runs_past_the_top_of_memory);
  COALESCE_CHECK(cp_async_bulk{.shared = ~0ull - 15, .bytes = 16}.fault() == bulk_fault::none);
  COALESCE_CHECK(cp_async_bulk{.global = ~0ull - 15, .bytes = 16}.cost().lines == 1);
  COALESCE_CHECK(cp_async_bulk{.global = 16, .shared = 16}.cost() == cu::bulk_cost<>{});
  COALESCE_CHECK(cp_async_bulk{.bytes = 32}.fault_on<cu::cc90>() == bulk_fault::none);
  COALESCE_CHECK(cp_async_bulk{.bytes = 32}.fault_on<cu::cc89>() == bulk_fault::machine_has_no_bulk_copies);
  COALESCE_CHECK(cp_async_bulk{.bytes = 24}.fault_on<cu::cc89>() == bulk_fault::size_is_not_a_multiple_of_16);
  CHECK_THROWS_AS(static_cast<void>(cp_async_bulk{.bytes = 24}.cost()), co::misuse);
}
TEST_CASE("bulk copies: where each rule stands, and how it is known") {
  std::string const ptx = "NVIDIA Parallel Thread Execution ISA, 9.1 (CUDA 13.1), 9.7.9.25.4.1";
  auto const from = [](co::source const& source) {
    return std::string(source.document) + ", " + source.edition + ", " + source.section;
  };
  using enum cu::bulk_fault;
  for (auto const fault : {global_address_is_not_a_multiple_of_16, shared_address_is_not_a_multiple_of_16,
                           size_is_not_a_multiple_of_16, size_is_not_below_2_32, machine_has_no_bulk_copies}) {
    CHECK(from(cu::rule_of(fault).from) == ptx);
    CHECK(cu::rule_of(fault).from.evidence == co::evidence::documented);
  }
  for (auto const fault : {none, runs_past_the_top_of_memory}) {
    CHECK(std::string(cu::rule_of(fault).from.document) == "our reading");
    CHECK(cu::rule_of(fault).from.evidence == co::evidence::inferred);
  }
  constexpr auto const& sources = cu::cp_async_bulk::sources;
  for (auto const& pieces : {sources.sectors, sources.lines}) {
    CHECK(from(pieces) == ptx);
    CHECK(pieces.evidence == co::evidence::inferred);
  }
  CHECK(from(sources.bytes_signalled) == ptx);
  CHECK(sources.bytes_signalled.evidence == co::evidence::documented);
}
TEST_CASE("copies.md 3a, 3b: byte offsets 0x90 and 0x3F0 under five swizzles") {
  using enum tensor_swizzle;
  constexpr tensor_swizzle modes[] = {bytes_32, bytes_64, bytes_128, bytes_128_atom_32, bytes_128_atom_64};
  constexpr std::uint64_t at_90[] = {0x80, 0x80, 0x80, 0xB0, 0xD0}, at_3f0[] = {0x3E0, 0x3C0, 0x380, 0x390, 0x3B0};
  for (unsigned k = 0; k != 5; ++k) {
    CHECK(cu::swizzle_of(modes[k])(0x90) == at_90[k]);
    CHECK(cu::swizzle_address(modes[k], 0x90) == at_90[k]);
    CHECK(cu::swizzle_of(modes[k])(0x3F0) == at_3f0[k]);
  }
  COALESCE_CHECK(cu::swizzle_of(bytes_128) == co::swizzle{3, 4, 3});
  COALESCE_CHECK(cu::swizzle_of(none)(0x90) == 0x90);
}

// ---- Costs and boxes ----

TEST_CASE("tensor_map: a box outside the tensor reads nothing and signals all") {
  constexpr auto outside = halves.cost({4096, 0});
  COALESCE_CHECK(outside == cu::bulk_cost<>{.bytes_signalled = 8192});
  COALESCE_CHECK((halves.cost({-64, 0}) == outside && halves.cost({0, -64}) == outside));
  COALESCE_CHECK((halves.cost({0, INT32_MAX}) == outside && halves.cost({INT32_MIN, INT32_MIN}) == outside));
  COALESCE_CHECK(halves.footprint<256>({0, -64}) == 0);
}
TEST_CASE("tensor_map: a store signals nothing, and does not start before the tensor") {
  COALESCE_CHECK(halves.cost({8, 4090}, cu::tensor_copy::store) ==
                 cu::bulk_cost<>{.sectors = 30, .lines = 12, .bytes_read = 768});
  CHECK_THROWS_AS(static_cast<void>(halves.cost({-8, 0}, cu::tensor_copy::store)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(fours.cost({0, 0}, cu::tensor_copy::store)), co::misuse);
}
TEST_CASE("tensor_map: a box of elements with gaps starts at a multiple of 128 elements, and of 64 in a store") {
  COALESCE_CHECK((fours.cost({128, 0}).sectors != 0 && sixes.cost({-128, 0}).sectors == 0));
  for (std::int64_t const start : {32, 64, 192}) {
    CHECK_THROWS_AS(static_cast<void>(fours.cost({start, 0})), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(sixes.cost({start, 0})), co::misuse);
  }
  COALESCE_CHECK(sixes.cost({64, 0}, cu::tensor_copy::store).bytes_read != 0);
  CHECK_THROWS_AS(static_cast<void>(sixes.cost({32, 0}, cu::tensor_copy::store)), co::misuse);
}
TEST_CASE("tensor_map: costs add up") {
  COALESCE_CHECK(halves.cost({0, 0}) * 2 + halves.cost({8, 0}) ==
                 cu::bulk_cost<>{.sectors = 832, .lines = 256, .bytes_read = 3 * 8192, .bytes_signalled = 3 * 8192});
  COALESCE_CHECK(tensor_map::sources.sectors.evidence == co::evidence::inferred);
  COALESCE_CHECK(cu::cp_async_bulk::sources.bytes_read.evidence == co::evidence::documented);
}
TEST_CASE("tensor_map: elements below a byte are packed in global memory, with gaps in shared memory") {
  COALESCE_CHECK(sixes.cost({128, 0}) ==
                 cu::bulk_cost<>{.sectors = 12, .lines = 6, .bytes_read = 384, .bytes_signalled = 384});
  COALESCE_CHECK((sixes.shared_offset({16, 0}) == 16 && sixes.shared_offset({15, 0}) == 11));
  COALESCE_CHECK(sixes.shared_offset({127, 1}) == ((128 + 112 + 11) ^ 0x10));
  COALESCE_CHECK(fours.shared_offset({17, 2}) == 256 + 16);
  constexpr tensor_map packed{
      .element = tensor_element::u4_align8, .rank = 2, .extent = {62, 4}, .stride = {32}, .box = {32, 4}};
  COALESCE_CHECK((packed.shared_offset({31, 1}) == 31 && packed.cost({32, 0}).bytes_read == 60));
}
TEST_CASE("tensor_map: a cube of 64 is counted, not walked") {
  constexpr tensor_map cube{.element = tensor_element::f16,
                            .rank = 3,
                            .extent = {4096, 4096, 4096},
                            .stride = {8208, 8208 * 4096ull},
                            .box = {64, 64, 64},
                            .swizzle = tensor_swizzle::bytes_128};
  COALESCE_CHECK(cube.cost({8, -3, 5}).bytes_read == 64 * 61 * 128);
  COALESCE_CHECK(cube.cost({8, -3, 5}).sectors == 64 * (4 * 30 + 5 * 31));
}
TEST_CASE("tensor_map: boxes at the top of memory, and past it") {
  constexpr tensor_map top{.element = tensor_element::u8,
                           .rank = 2,
                           .address = ~0ull - 0xfff,
                           .extent = {256, 17},
                           .stride = {256},
                           .box = {256, 8}};
  COALESCE_CHECK((top.cost({0, 8}).lines == 16 && top.cost({0, -8}).lines == 0));
  CHECK_THROWS_AS(static_cast<void>(top.cost({0, 9})), co::misuse);
  constexpr tensor_map wide{.element = tensor_element::u8,
                            .rank = 3,
                            .extent = {16, 1ull << 32, 1ull << 32},
                            .stride = {(1ull << 40) - 16, (1ull << 40) - 16},
                            .box = {16, 1, 1}};
  COALESCE_CHECK(wide.cost({0, 1 << 20, 1 << 20}).sectors == 1);
  CHECK_THROWS_AS(static_cast<void>(wide.cost({0, 1 << 24, 1 << 23})), co::misuse);
  // In shared memory: the last row ends at the last address, or past it.
  std::uint64_t const bytes = top.shared().size();
  CHECK(top.shared(0 - bytes)(255, 7) == ~0ull);
  CHECK_THROWS_AS(static_cast<void>(top.shared(0 - bytes + 128)), co::misuse);
}
TEST_CASE("tensor_map: questions that have no answer") {
  CHECK_THROWS_AS(static_cast<void>(halves.cost({0, 0, 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.cost({0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.footprint<32>({0, 1ll << 31})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tensor_map{}.cost({0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(volume.cost({0, 0, 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(volume.shared()), co::misuse);
  // Planes that begin between the rows of the one before.
  constexpr tensor_map comb{
      .element = tensor_element::u8, .rank = 3, .extent = {16, 8, 8}, .stride = {128, 336}, .box = {16, 8, 8}};
  CHECK_THROWS_AS(static_cast<void>(comb.cost({0, 0, 0})), co::misuse);
}

// ---- Shared memory ----

TEST_CASE("shared_box: the box as TMA leaves it, as a pattern of its elements") {
  constexpr auto box = halves.shared(0x8400);
  COALESCE_CHECK(halves.shared_offset({20, 3}) == 408);
  COALESCE_CHECK((box(20, 3) == 0x8400 + 408 && box(64 * 3 + 20) == box(20, 3) && box.size() == 4096));
  // Eight rows of 16 bytes of one column, as ldmatrix reads them.
  COALESCE_CHECK(co::cost<cu::cc90::shared_load<128>>([](unsigned lane) {
                   return halves.shared()(lane / 8 * 8, lane % 8);
                 }).conflicts == 0);
  static constexpr auto plain = with(halves, [](tensor_map& map) { map.swizzle = tensor_swizzle::none; });
  COALESCE_CHECK(co::cost<cu::cc90::shared_load<128>>([](unsigned lane) {
                   return plain.shared()(lane / 8 * 8, lane % 8);
                 }).conflicts == 28);
}
TEST_CASE("copies.md 3.2: a column of a tile of 128-byte rows takes 8, 4, 2, 1, 2 or 4 rounds a phase") {
  using enum tensor_swizzle;
  constexpr tensor_swizzle modes[] = {none, bytes_32, bytes_64, bytes_128, bytes_128_atom_32, bytes_128_atom_64};
  constexpr unsigned ways[] = {8, 4, 2, 1, 2, 4};
  for (unsigned k = 0; k != 6; ++k)
    CHECK(co::cost<cu::cc90::shared_load<128>>([&](unsigned lane) {
            return cu::swizzle_address(modes[k], 128 * (lane % 8) + 16 * (lane / 8));
          }).ways == ways[k]);
}
TEST_CASE("shared_box: a box narrower than its swizzle has no known pitch") {
  constexpr auto narrow = with(halves, [](tensor_map& map) { map.box[0] = 32; });
  COALESCE_CHECK(narrow.fault() == tensor_fault::none);
  CHECK_THROWS_AS(static_cast<void>(narrow.shared_offset({0, 1})), co::misuse);
  COALESCE_CHECK(narrow.shared_offset({0, 1}, 128) == (128 ^ 16));
  COALESCE_CHECK(narrow.shared(0, 64)(0, 2) == (128 ^ 16));
  CHECK_THROWS_AS(static_cast<void>(narrow.shared(0, 48)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(narrow.shared(0, 72)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.shared(0, 256)), co::misuse);
  COALESCE_CHECK(halves.shared(0, 128) == halves.shared());
  COALESCE_CHECK(narrow.cost({0, 0}).sectors == 128);
}
TEST_CASE("shared_box: what is left out is plain, and five dimensions is the most") {
  constexpr cu::shared_box plain;
  COALESCE_CHECK((plain.base == 0 && plain.rank == 1 && plain.pitch == 0));
  COALESCE_CHECK((plain.element == tensor_element::u8 && plain.swizzle == tensor_swizzle::none));
  COALESCE_CHECK((std::size(plain.count) == 5 && plain.size() == 0));
  constexpr cu::shared_box line{.count = {4}};
  COALESCE_CHECK((line.size() == 4 && line(3) == 3));
  CHECK_THROWS_AS(static_cast<void>(line(4)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(line(0, 0)), co::misuse);
  constexpr cu::shared_box five{.rank = 5, .pitch = 16, .count = {16, 1, 1, 1, 2}};
  COALESCE_CHECK((five.size() == 32 && five(17) == 17 && five(1, 0, 0, 0, 1) == 17));
}
TEST_CASE("shared_box: misuse") {
  CHECK_THROWS_AS(static_cast<void>(halves.shared(64)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.shared_offset({64, 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.shared_offset({0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.shared()(0, -1)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.shared()(0, 0, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(halves.shared()(4096)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::shared_box{}(0)), co::misuse);
  for (unsigned const rank : {0u, 6u})
    CHECK_THROWS_WITH_AS(static_cast<void>(cu::shared_box{.rank = rank}(0)), doctest::Contains("coordinates"),
                         co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::shared_box{.rank = 2}(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::shared_box{.rank = 0}.unswizzled({0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::shared_box{.rank = 6}.unswizzled({0})), co::misuse);
  COALESCE_CHECK((cu::shared_box{.rank = 6, .count = {2, 2, 2, 2, 2}}.size() == 32));  // nothing beyond its array
}
TEST_CASE("shared_box: of a strided box, the elements that are copied lie side by side") {
  constexpr tensor_map every_other{.element = tensor_element::f32,
                                   .rank = 3,
                                   .extent = {100, 50, 9},
                                   .stride = {400, 20000},
                                   .box = {16, 7, 3},
                                   .element_stride = {1, 2, 3},
                                   .swizzle = tensor_swizzle::bytes_64};
  COALESCE_CHECK(every_other.fault() == tensor_fault::none);
  COALESCE_CHECK((every_other.count(0) == 16 && every_other.count(1) == 4 && every_other.count(2) == 1));
  COALESCE_CHECK((every_other.shared().size() == 64 && every_other.shared_offset({1, 3, 0}) == ((192 + 4) ^ 16)));
  // From (-4, -3, 0): 12 of 16 columns, rows 1 and 3 of -3, -1, 1, 3.
  COALESCE_CHECK(every_other.cost({-4, -3, 0}).bytes_read == 2 * 48);
  COALESCE_CHECK(every_other.cost({-4, -3, 0}).bytes_signalled == 256);
  CHECK_THROWS_AS(static_cast<void>(every_other.count(3)), co::misuse);
}
TEST_CASE("swizzle_address: bit by bit; FLIP_8B is two exclusive ors") {
  struct exclusive_or {
    unsigned low, high;
  };
  using ors = std::initializer_list<exclusive_or>;
  auto const check = [](tensor_swizzle mode, ors pairs) {
    bool same = true;
    for (std::uint64_t address = 0; address != 4096; ++address) {
      std::uint64_t moved = address;
      for (auto const [low, high] : pairs)
        if (address >> high & 1) moved ^= 1ull << low;
      same = same && cu::swizzle_address(mode, address) == moved && cu::swizzle_address(mode, moved) == address;
    }
    CHECK(same);
  };
  check(tensor_swizzle::none, {});
  check(tensor_swizzle::bytes_32, {{4, 7}});
  check(tensor_swizzle::bytes_64, {{4, 7}, {5, 8}});
  check(tensor_swizzle::bytes_128, {{4, 7}, {5, 8}, {6, 9}});
  check(tensor_swizzle::bytes_128_atom_32, {{5, 7}, {6, 8}});
  check(tensor_swizzle::bytes_128_atom_32_flip_8, {{5, 7}, {6, 8}, {3, 7}});
  check(tensor_swizzle::bytes_128_atom_64, {{6, 7}});
  constexpr std::uint64_t repeats[] = {1, 256, 512, 1024, 512, 512, 256};
  for (unsigned k = 0; k != 7; ++k) CHECK(cu::row_of(static_cast<tensor_swizzle>(k)).repeats() == repeats[k]);
  CHECK_THROWS_AS(static_cast<void>(cu::swizzle_of(tensor_swizzle::bytes_128_atom_32_flip_8)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::swizzle_address(static_cast<tensor_swizzle>(7), 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cu::row_of(static_cast<tensor_element>(-1))), co::misuse);
}
