// SPDX-License-Identifier: BSL-1.0
//
// Tensor maps: what is legal, what a box touches, where it lies in shared memory; bulk copies.
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/tma.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/boxes.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
namespace cu = co::cuda;
using cu::tensor_copy, cu::tensor_element, cu::tensor_fault, cu::tensor_map, cu::tensor_swizzle;
__extension__ using wide = unsigned __int128;

// ---- Legality, a table of CUH's rules: each rule by itself, and the first that is broken ----

bool is_one_of(tensor_element what, std::vector<tensor_element> const& those) {
  return std::find(those.begin(), those.end(), what) != those.end();
}
unsigned span(tensor_swizzle swizzle) {
  unsigned const spans[] = {0, 32, 64, 128, 128, 128, 128};
  return spans[static_cast<unsigned>(swizzle)];
}
template <class Enumeration>
bool exists(Enumeration value, int count) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) < count;
}

std::map<tensor_fault, bool> broken_rules(tensor_map const& map) {
  using enum tensor_fault;
  using enum tensor_element;
  std::map<tensor_fault, bool> broken;
  broken[no_such_enumerator] = !exists(map.element, 16) || !exists(map.interleave, 3) || !exists(map.swizzle, 7) ||
                               !exists(map.promotion, 4) || !exists(map.fill, 2) || !exists(map.mode, 2);
  broken[rank_is_not_1_to_5] = map.rank == 0 || map.rank >= 6;
  if (broken[no_such_enumerator] || broken[rank_is_not_1_to_5]) {  // nothing else can be asked
    broken[im2col_is_not_modelled] = map.mode == cu::tensor_mode::im2col;
    return broken;
  }
  auto const interleave = static_cast<int>(map.interleave);  // 0, 1: 16 bytes, 2: 32 bytes
  bool const with_gaps = is_one_of(map.element, {u4_align16, u6_align16});
  bool const by_32 = with_gaps || interleave == 2;
  broken[im2col_is_not_modelled] = map.mode == cu::tensor_mode::im2col;
  broken[interleaved_rank_is_not_3_to_5] = interleave != 0 && map.rank < 3;
  broken[address_is_not_a_multiple_of_16] = (map.address & 15) != 0;
  broken[address_is_not_a_multiple_of_32] = by_32 && (map.address & 31) != 0;
  for (unsigned k = 0; k != map.rank; ++k) {
    broken[extent_is_not_1_to_2_32] |= map.extent[k] < 1 || map.extent[k] > 0x1'0000'0000;
    broken[box_is_not_1_to_256] |= map.box[k] < 1 || map.box[k] > 256;
    bool const ignored = k == 0 && interleave == 0;
    broken[element_stride_is_not_1_to_8] |= !ignored && (map.element_stride[k] < 1 || map.element_stride[k] > 8);
  }
  // The first stride that breaks a rule is blamed, for the first rule that it breaks.
  for (unsigned k = 0; k + 1 < map.rank; ++k) {
    broken[stride_is_not_a_multiple_of_16] = (map.stride[k] & 15) != 0;
    broken[stride_is_not_a_multiple_of_32] = by_32 && (map.stride[k] & 31) != 0;
    broken[stride_is_not_below_2_40] = map.stride[k] >= std::uint64_t{1} << 40;
    if (broken[stride_is_not_a_multiple_of_16] || broken[stride_is_not_a_multiple_of_32] ||
        broken[stride_is_not_below_2_40])
      break;
  }
  broken[extent_is_odd] = map.element == u4_align8 && (map.extent[0] & 1) != 0;
  broken[extent_is_not_a_multiple_of_128] = with_gaps && (map.extent[0] & 127) != 0;
  broken[box_is_not_128_wide] = with_gaps && map.box[0] != 128;
  std::uint64_t const row_bits = std::uint64_t{map.box[0]} * bits_of(map.element);
  broken[box_row_is_not_a_multiple_of_16_bytes] = interleave == 0 && row_bits % 128 != 0;
  broken[element_is_not_interleaved] = interleave != 0 && map.element == u6_align16;
  broken[interleave_of_32_needs_the_swizzle_of_32] = interleave == 2 && map.swizzle != tensor_swizzle::bytes_32;
  unsigned const too_many = oracle_is_broken ? 0 : 1;  // bits beyond the span
  broken[box_row_is_wider_than_the_swizzle] =
      interleave == 0 && span(map.swizzle) != 0 && row_bits >= 8 * span(map.swizzle) + too_many;
  std::vector<tensor_swizzle> of_gaps{tensor_swizzle::none, tensor_swizzle::bytes_128,
                                      tensor_swizzle::bytes_128_atom_32};
  if (map.element == u6_align16) of_gaps.push_back(tensor_swizzle::bytes_128_atom_64);
  broken[element_has_no_such_swizzle] =
      with_gaps && std::find(of_gaps.begin(), of_gaps.end(), map.swizzle) == of_gaps.end();
  broken[fill_of_nan_needs_floating_point] =
      map.fill == cu::tensor_fill::nan && !is_one_of(map.element, {f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz});
  return broken;
}
tensor_fault first_fault(tensor_map const& map) {
  for (auto const& [fault, is_broken] : broken_rules(map))
    if (is_broken) return fault;
  return tensor_fault::none;
}
tensor_fault first_fault(tensor_map const& map, tensor_copy direction) {
  auto const first = first_fault(map);
  if (first != tensor_fault::none) return first;
  if (direction == tensor_copy::store && map.element == tensor_element::u4_align16)
    return tensor_fault::element_is_loaded_only;
  if (direction == tensor_copy::load && map.element == tensor_element::u6_align16 &&
      map.swizzle == tensor_swizzle::bytes_128_atom_64)
    return tensor_fault::swizzle_is_for_stores_only;
  if (direction == tensor_copy::store && map.swizzle == tensor_swizzle::bytes_128_atom_32_flip_8)
    return tensor_fault::swizzle_is_for_loads_only;
  return tensor_fault::none;
}

// ---- Maps: legal ones, then perhaps a field changed ----

tensor_map legal(fuzz_input& in) {
  tensor_map map{.element = static_cast<tensor_element>(in.below(16)), .rank = static_cast<unsigned>(1 + in.below(5))};
  bool const with_gaps = map.element >= tensor_element::u4_align16;
  unsigned const bits = bits_of(map.element), unit = with_gaps ? 128 : 128 / bits, align = with_gaps ? 32 : 16;
  map.address = in.one_in(8) ? 0 - std::uint64_t{align} * in.below(4096) : align * in.below(4096);
  map.extent[0] = with_gaps ? 128 * (1 + in.below(3)) : 2 * (1 + in.below(4 * unit));
  map.box[0] = with_gaps ? 128 : unit * static_cast<unsigned>(1 + in.below(256 / unit < 6 ? 256 / unit : 6));
  std::uint64_t next = (map.extent[0] * bits / 8 + align - 1) / align * align;
  std::uint32_t budget = 512;
  for (unsigned k = 1; k != map.rank; ++k) {
    map.extent[k] = 1 + in.below(12);
    map.box[k] = static_cast<std::uint32_t>(1 + in.below(budget < 16 ? 2 : 12));
    map.element_stride[k] = in.one_in(3) ? static_cast<std::uint32_t>(1 + in.below(8)) : 1;
    budget = budget / map.box[k] + 1;
    map.stride[k - 1] = in.one_in(3) ? align * in.below(64) : next + align * in.below(3);
    next = map.stride[k - 1] * map.extent[k];
  }
  if (map.rank > 2 && in.one_in(3)) {
    auto const a = in.below(map.rank - 1), b = in.below(map.rank - 1);
    std::swap(map.stride[a], map.stride[b]), std::swap(map.extent[a + 1], map.extent[b + 1]);
  }
  auto const swizzle = static_cast<tensor_swizzle>(in.below(7));
  map.swizzle = swizzle;
  if (first_fault(map) != tensor_fault::none) map.swizzle = tensor_swizzle::none;
  return map;
}
void change(fuzz_input& in, tensor_map& map) {
  auto const small = [&] { return static_cast<int>(in.below(10)) - 1; };
  auto const k = in.below(5);
  std::uint64_t const extents[] = {0, 1, 62, 127, 128, 0xffff'ffff, 0x1'0000'0000, 0x1'0000'0001, ~std::uint64_t{0}};
  std::uint64_t const strides[] = {0, 8, 16, 48, (1ull << 40) - 32, 1ull << 40, ~std::uint64_t{31}, in.number(2)};
  std::uint32_t const boxes[] = {0, 1, 128, 255, 256, 257, 0x8000'0000, in.byte()};
  switch (in.below(12)) {
    case 0:
      map.element = static_cast<tensor_element>(in.below(18));
      break;
    case 1:
      map.rank = static_cast<unsigned>(in.below(8));
      break;
    case 2:
      map.address += in.below(40);
      break;
    case 3:
      map.extent[k] = in.one_of(extents);
      break;
    case 4:
      map.stride[k % 4] = in.one_of(strides);
      break;
    case 5:
      map.box[k] = in.one_of(boxes);
      break;
    case 6:
      map.element_stride[k] = static_cast<std::uint32_t>(in.below(11));
      break;
    case 7:
      map.interleave = static_cast<cu::tensor_interleave>(small() % 4);
      break;
    case 8:
      map.swizzle = static_cast<tensor_swizzle>(small());
      break;
    case 9:
      map.fill = static_cast<cu::tensor_fill>(small() % 3);
      break;
    case 10:
      map.promotion = static_cast<cu::tensor_promotion>(small() % 6);
      break;
    default:
      map.mode = static_cast<cu::tensor_mode>(small() % 3);
  }
}

// ---- What a box touches ----

/// Whether rows lie between rows of another index: a stride less than all that the smaller ones span.
bool may_interleave(tensor_map const& map, std::int64_t const (&start)[5]) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;  // stride, times
  std::uint64_t length = 0;
  for (unsigned k = 0; k != map.rank; ++k) {
    std::uint64_t inside = 0;
    for (std::uint64_t at = 0; at < map.box[k]; at += k == 0 ? 1 : map.element_stride[k]) {
      auto const here = start[k] + static_cast<std::int64_t>(at);
      inside += here >= 0 && here < static_cast<std::int64_t>(map.extent[k]);
    }
    if (k == 0)
      length = inside * bits_of(map.element) / 8;
    else
      steps.emplace_back(map.stride[k - 1] * map.element_stride[k], inside);
  }
  std::sort(steps.begin(), steps.end());
  std::uint64_t spanned = length;
  for (auto const& [by, times] : steps) {
    if (times < 2 || by == 0) continue;
    if (by < spanned) return true;
    spanned += by * (times - 1);
  }
  return false;
}

template <unsigned Rank>
void box(fuzz_input& in, tensor_map const& map) {
  std::int64_t start[5] = {}, given[Rank];
  auto const direction = in.one_in(3) ? tensor_copy::store : tensor_copy::load;
  bool const with_gaps = map.element == tensor_element::u4_align16 || map.element == tensor_element::u6_align16;
  std::int64_t const of_gaps = direction == tensor_copy::load ? 128 : 64,
                     unit = with_gaps                 ? of_gaps
                            : exists(map.element, 16) ? std::max(1u, 128 / bits_of(map.element))
                                                      : 1;
  bool possible = true;
  for (unsigned k = 0; k != Rank; ++k) {
    auto const width = static_cast<std::int64_t>(map.extent[k] % 4096 + 8);
    start[k] = static_cast<std::int64_t>(in.below(static_cast<std::uint64_t>(2 * width))) - width / 2;
    if (k == 0 && !in.one_in(8)) start[k] = start[k] / (unit * 3) * (unit * 3);
    if (direction == tensor_copy::store && !in.one_in(8)) start[k] = std::max<std::int64_t>(0, start[k]);
    if (in.one_in(32)) start[k] = static_cast<std::int64_t>(in.number(8)) >> in.below(64);
    given[k] = start[k];
    possible = possible && start[k] >= -0x8000'0000ll && start[k] <= 0x7fff'ffffll;
    if (direction == tensor_copy::store && start[k] < 0) possible = false;
  }
  bool may_be_refused = false;
  walked seen;
  if (map.rank != Rank || first_fault(map, direction) != tensor_fault::none ||
      map.interleave != cu::tensor_interleave::none) {
    possible = false;
  } else if (possible) {
    possible = start[0] * static_cast<std::int64_t>(bits_of(map.element)) % 128 == 0;
    if (with_gaps && start[0] % of_gaps != 0) possible = false;
    std::uint64_t elements = 1;
    for (unsigned k = 0; k != Rank; ++k)
      elements *= k == 0 ? map.box[0] : (map.box[k] + map.element_stride[k] - 1) / map.element_stride[k];
    if (elements > 20'000) return;  // too many to walk
    if (possible) seen = walk(map, start);
    possible = possible && !seen.past_the_top;
    may_be_refused = possible && seen.bits_read != 0 && may_interleave(map, start);
  }
  try {
    auto const cost = map.cost(given, direction);
    expect(possible, "the cost of a box is not refused");
    expect(cost.sectors == seen.of_32.size(), "sectors of a box");
    expect(cost.lines == seen.of_128.size(), "lines of a box");
    expect(cost.bytes_read * 8 == seen.bits_read, "bytes of a box that are read");
    expect(cost.bytes_signalled * 8 == (direction == tensor_copy::load ? seen.bits_boxed : 0), "bytes of a box");
    if (direction == tensor_copy::store) return;
    expect(map.footprint<16>(given) == 16 * seen.of_16.size(), "a footprint of 16 bytes");
    expect(map.footprint<64>(given) == 64 * seen.of_64.size(), "a footprint of 64 bytes");
    expect(map.footprint<512>(given) == 512 * seen.of_512.size(), "a footprint of 512 bytes");
  } catch (co::misuse const&) {
    expect(!possible || may_be_refused, "the cost of a box is refused");
  }
}

// ---- In shared memory ----

std::uint64_t moved(tensor_swizzle swizzle, std::uint64_t address) {
  // Pairs of bits: the lower is combined with the higher.
  std::vector<std::pair<unsigned, unsigned>> const bits[] = {
      {}, {{4, 7}}, {{4, 7}, {5, 8}}, {{4, 7}, {5, 8}, {6, 9}}, {{5, 7}, {6, 8}}, {{5, 7}, {6, 8}, {3, 7}}, {{6, 7}}};
  std::uint64_t made = address;
  for (auto const& [low, high] : bits[static_cast<unsigned>(swizzle)])
    if ((address >> high & 1) != 0) made ^= std::uint64_t{1} << low;
  return made;
}
void shared(fuzz_input& in, tensor_map const& map) {
  auto const base = in.one_in(8) ? in.below(4096) : 128 * in.below(1024);
  std::uint64_t const pitches[] = {0, 0, 128, 16 * in.below(40), in.below(600)};
  auto const pitch = in.one_of(pitches);
  bool possible = first_fault(map, tensor_copy::load) == tensor_fault::none &&
                  map.interleave == cu::tensor_interleave::none && base % 128 == 0;
  std::uint64_t row = 0, between = 0;
  if (possible) {
    bool const with_gaps = map.element >= tensor_element::u4_align16;
    row = map.box[0] * (with_gaps ? 8 : bits_of(map.element)) / 8;
    bool const known = span(map.swizzle) == 0 || span(map.swizzle) == row;
    between = pitch == 0 ? row : pitch;
    if (!known && pitch == 0) possible = false;
    if (pitch != 0 && (pitch % 16 != 0 || pitch < row || (known && pitch != row))) possible = false;
  }
  std::uint64_t at[5] = {}, index = 0, rows = 0, times = 1;
  try {
    auto const box = map.shared(base, pitch);
    expect(possible, "a box in shared memory is not refused");
    for (unsigned k = 0; k != map.rank; ++k) {
      std::uint64_t const count =
          k == 0 ? map.box[0] : (map.box[k] + map.element_stride[k] - 1) / map.element_stride[k];
      expect(map.count(k) == count, "elements of a box each way");
      at[k] = in.below(count);
      index += at[k] * times, times *= count;
      if (k != 0) rows += at[k] * (times / count / map.box[0]);
    }
    // Sixteen elements below a byte fill 16 bytes where there are gaps, 8 where not.
    unsigned const bits = bits_of(map.element);
    std::uint64_t inner = at[0] * bits / 8;
    if (map.element >= tensor_element::u4_align16) inner = at[0] / 16 * 16 + at[0] % 16 * bits / 8;
    expect(box(index) == moved(map.swizzle, base + rows * between + inner), "an element of a box in shared memory");
    expect(box.size() == times, "how many elements a box has");
  } catch (co::misuse const&) {
    expect(!possible, "a box in shared memory is refused");
  }
}
void bulk(fuzz_input& in) {
  cu::cp_async_bulk copy{.global = 16 * in.below(4096), .shared = 16 * in.below(256), .bytes = 16 * in.below(256)};
  switch (in.below(5)) {
    case 0:
      copy.global += in.below(32);
      break;
    case 1:
      copy.global = 0 - 16 * in.below(300);
      break;
    case 2:
      copy.bytes += in.below(32);
      break;
    case 3:
      copy.bytes = in.number(8) >> in.below(64);
      break;
    default:
      break;
  }
  bool const possible = copy.global % 16 == 0 && copy.shared % 16 == 0 && copy.bytes % 16 == 0 &&
                        copy.bytes <= 0xffff'ffff && wide{copy.global} + copy.bytes <= wide{1} << 64;
  if (possible && copy.bytes > 65536) return;
  expect((copy.fault() == cu::bulk_fault::none) == possible, "whether a bulk copy is legal");
  try {
    std::set<std::uint64_t> sectors, lines, pages;
    auto const cost = copy.cost();
    expect(possible, "a bulk copy is not refused");
    for (std::uint64_t k = 0; k != copy.bytes; k += 16) {
      auto const byte = copy.global + k;
      sectors.insert(byte / 32), lines.insert(byte / 128), pages.insert(byte / 1024);
    }
    expect(cost.sectors == sectors.size() && cost.lines == lines.size(), "sectors and lines of a bulk copy");
    expect(cost.bytes_read == copy.bytes && cost.bytes_signalled == copy.bytes, "bytes of a bulk copy");
    expect(copy.footprint<1024>() == 1024 * pages.size(), "the footprint of a bulk copy");
  } catch (co::misuse const&) {
    expect(!possible, "a bulk copy is refused");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  auto const what = in.below(8);
  if (what == 0) return bulk(in), 0;
  auto map = legal(in);
  for (auto changes = in.below(4); changes > 1; --changes) change(in, map);
  expect(map.fault() == first_fault(map), "the fault of a map");
  for (auto const direction : {tensor_copy::load, tensor_copy::store})
    expect(map.fault(direction) == first_fault(map, direction), "the fault of a map in a direction");
  if (what == 1) return shared(in, map), 0;
  switch (in.one_in(16) ? 1 + in.below(5) : map.rank) {
    case 1:
      box<1>(in, map);
      break;
    case 2:
      box<2>(in, map);
      break;
    case 3:
      box<3>(in, map);
      break;
    case 4:
      box<4>(in, map);
      break;
    default:
      box<5>(in, map);
  }
  return 0;
}
