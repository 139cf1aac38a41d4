// SPDX-License-Identifier: BSL-1.0
//
// Layouts, tiles, swizzles: their elements one by one, and what they refuse.
#include <coalesce/layout.hpp>

#include "truth/fuzz/input.hpp"

#include <set>
#include <vector>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
__extension__ using wide = unsigned __int128;

std::int64_t extent(fuzz_input& in) {
  switch (in.below(16)) {
    case 0:
      return -static_cast<std::int64_t>(in.below(3));
    case 1:
      return static_cast<std::int64_t>(std::uint64_t{1} << in.below(63));
    case 2:
      return static_cast<std::int64_t>(in.number(8) >> 1);
    default:
      return static_cast<std::int64_t>(in.below(40));
  }
}
std::int64_t stride(fuzz_input& in) {
  if (in.one_in(8)) return static_cast<std::int64_t>(in.number(8));
  return static_cast<std::int64_t>(in.below(600)) - 100;
}

/// How many elements there are, up to 2^64; nothing said of a negative extent.
bool count(std::vector<std::int64_t> const& shape, wide& elements) {
  elements = 1;
  bool none = false;
  for (auto const extent : shape) {
    if (extent < 0) return false;
    none = none || extent == 0;
    if (extent != 0) elements *= static_cast<std::uint64_t>(extent);
    if (elements >> 64 != 0) elements = wide{1} << 64;
  }
  if (none) elements = 0;
  return true;
}

/// The offset of an index: small indices are counted up mode by mode, large ones are divided.
template <class Layout>
void ask(fuzz_input& in, Layout const& of, std::vector<std::int64_t> const& shape,
         std::vector<std::int64_t> const& strides) {
  wide elements = 0;
  bool const there = count(shape, elements);
  try {
    auto const size = of.size();
    expect(there && elements >> 64 == 0, "size is not refused");
    expect(size == static_cast<std::uint64_t>(elements), "size");
  } catch (co::misuse const&) {
    expect(!there || elements >> 64 != 0, "size is refused");
  }
  std::uint64_t index = in.one_in(8) ? in.number(8) : in.below(2000);
  if (in.one_in(4) && there && elements != 0) index = static_cast<std::uint64_t>(elements) + in.below(3) - 1;
  bool const inside = there && (index < elements || (oracle_is_broken && index == elements));
  try {
    auto const found = of(index);
    expect(inside, "an index is not refused");
    std::uint64_t address = of.base, rest = index;
    std::vector<std::uint64_t> at(shape.size());
    if (index < 4096) {
      for (std::uint64_t k = 0; k != index; ++k)
        for (std::size_t mode = 0; mode != shape.size(); ++mode) {
          if (++at[mode] != static_cast<std::uint64_t>(shape[mode])) break;
          at[mode] = 0;
        }
    } else {
      for (std::size_t mode = 0; mode != shape.size(); ++mode)
        at[mode] = rest % static_cast<std::uint64_t>(shape[mode]), rest /= static_cast<std::uint64_t>(shape[mode]);
    }
    for (std::size_t mode = 0; mode != shape.size(); ++mode)
      address += static_cast<std::uint64_t>(static_cast<wide>(at[mode]) * static_cast<std::uint64_t>(strides[mode]));
    expect(found == address, "the address of an index");
    if constexpr (requires { of(std::int64_t{}, std::int64_t{}); })
      expect(of(at[0], at[1]) == address, "the address of coordinates");
  } catch (co::misuse const&) {
    expect(!inside, "an index is refused");
  }
}
template <unsigned Rank>
void layout(fuzz_input& in) {
  co::layout<Rank> of{.base = in.number(8)};
  std::vector<std::int64_t> shape, strides;
  for (unsigned mode = 0; mode != Rank; ++mode) {
    of.shape[mode] = extent(in), of.stride[mode] = stride(in);
    shape.push_back(of.shape[mode]), strides.push_back(of.stride[mode]);
  }
  ask(in, of, shape, strides);
}
void tile(fuzz_input& in) {
  co::tile of{.base = in.number(2), .rows = extent(in), .columns = extent(in), .element_bytes = stride(in)};
  if (in.one_in(2)) of.pitch = stride(in);
  auto const at = [&](std::int64_t row, std::int64_t column) {
    return of.base + static_cast<std::uint64_t>(of.pitch) * static_cast<std::uint64_t>(row) +
           static_cast<std::uint64_t>(of.element_bytes) * static_cast<std::uint64_t>(column);
  };
  auto const row = stride(in), column = stride(in);
  expect(of(row, column) == at(row, column), "an element of a tile");
  // Used as a pattern, along the rows.
  wide elements = 0;
  bool const there = count({of.columns, of.rows}, elements);
  auto const index = in.below(2000);
  try {
    auto const found = of(index);
    expect(there && index < elements, "a tile's index is not refused");
    auto const columns = static_cast<std::uint64_t>(of.columns);
    expect(found == at(static_cast<std::int64_t>(index / columns), static_cast<std::int64_t>(index % columns)),
           "an index of a tile");
  } catch (co::misuse const&) {
    expect(!there || index >= elements, "a tile's index is refused");
  }
}
void swizzle(fuzz_input& in) {
  co::swizzle const of{.bits = static_cast<unsigned>(in.one_in(8) ? in.number(4) : in.below(8)),
                       .base = static_cast<unsigned>(in.one_in(8) ? in.number(4) : in.below(66)),
                       .shift = in.one_in(8) ? static_cast<int>(in.number(4)) : static_cast<int>(in.below(40)) - 20};
  // Which bits it reads and which it changes: both sets, of bits that an address has.
  auto const base = static_cast<std::int64_t>(of.base), apart = static_cast<std::int64_t>(of.shift);
  auto const low = base, high = base + (apart < 0 ? -apart : apart);
  bool const there = high <= 63 && high + static_cast<std::int64_t>(of.bits) <= 64 &&
                     low + static_cast<std::int64_t>(of.bits) <= (of.bits == 0 ? 64 : high);
  auto const address = in.number(8);
  try {
    auto const found = of(address);
    expect(there, "a swizzle is not refused");
    std::uint64_t moved = address;
    for (std::int64_t bit = 0; bit != static_cast<std::int64_t>(of.bits); ++bit) {
      auto const from = (apart < 0 ? low : high) + bit, to = (apart < 0 ? high : low) + bit;
      if ((address >> from & 1) != 0) moved ^= std::uint64_t{1} << to;
    }
    expect(found == moved, "a swizzle");
    expect(of(found) == address, "a swizzle twice");
    expect(of.over(co::layout<1>{.base = address, .shape = {1}})(0) == moved, "a swizzle over a layout");
  } catch (co::misuse const&) {
    expect(!there, "a swizzle is refused");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  switch (in.below(6)) {
    case 0:
      layout<1>(in);
      break;
    case 1:
      layout<2>(in);
      break;
    case 2:
    case 3:
      layout<4>(in);
      break;
    case 4:
      tile(in);
      break;
    default:
      swizzle(in);
  }
  return 0;
}
