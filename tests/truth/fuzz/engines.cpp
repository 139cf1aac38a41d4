// SPDX-License-Identifier: BSL-1.0
//
// The engines by themselves: segments, banks, order, distinct. (That of launches: totals.cpp.)
#include <coalesce/engine/banks.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/footprint.hpp>
#include <coalesce/engine/segments.hpp>

#include "truth/fuzz/answers.hpp"

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
using accessed = co::access<64>;

template <std::uint64_t Size>
void segments(random_access const& made, accessed const& asked, unsigned bytes) {
  auto const touched = touched_bytes(made, bytes);
  auto const pieces = touched_pieces(touched, Size).size() +
                      (oracle_is_broken && !touched.empty() && touched.back() == ~std::uint64_t{0});
  expect(co::footprint<Size>(made.address, bytes, made.active) == pieces * Size, "footprint");
  auto const lanes = co::detail::by_address(asked);
  expect(co::detail::count_bytes(lanes) == touched.size(), "count_bytes of ascending lanes");
  expect(co::detail::count_segments(lanes, Size) == pieces, "count_segments");
  co::transaction_list<128> list;
  co::detail::list_segments(lanes, Size, list);
  auto const served = served_lanes(made, bytes, Size);
  expect(list.size() == served.size(), "list_segments: how many");
  std::uint64_t at = 0;
  for (auto const& [address, of_it] : served)
    expect(list[at++] == co::transaction{address, Size, of_it}, "list_segments: a segment");
}
/// Those that know the width of a lane.
template <std::uint64_t Size, unsigned Bytes, unsigned Alignment>
void touched(fuzz_input& in) {
  auto const made = access_reader(in, {.bytes = Bytes, .alignment = Alignment}).next();
  try {
    auto const asked = co::detail::apply<64>(made.address, made.active, {.bytes = Bytes, .alignment = Alignment});
    auto const bytes = touched_bytes(made, Bytes);
    expect(co::detail::count_touched<Size, Bytes, Alignment>(asked) == touched_pieces(bytes, Size).size(),
           "count_touched");
    expect(co::detail::count_bytes<Bytes, Alignment>(asked) == bytes.size(), "count_bytes");
    if constexpr (Bytes == Alignment && Size <= 64 && Bytes <= Size) {
      std::map<std::uint64_t, std::uint64_t> named;
      for (auto const byte : bytes) ++named[byte / Size];
      std::uint64_t whole = 0;
      for (auto const& [piece, count] : named) whole += count == Size;
      expect(co::detail::count_whole<Size, Bytes>(asked) == whole, "count_whole");
    }
  } catch (co::misuse const& refusal) {
    unsigned lane = co::misuse::no_lane;
    expect(is_refused(made, {.bytes = Bytes, .alignment = Alignment}, lane) && lane == refusal.lane(), "a refusal");
    return;
  }
  unsigned lane = 0;
  expect(!is_refused(made, {.bytes = Bytes, .alignment = Alignment}, lane), "is not refused");
}
void order(random_access const& made, accessed const& asked) {
  auto const lanes = co::detail::by_address(asked);
  std::multiset<std::uint64_t> sorted;
  bool ascends = true;
  std::uint64_t last = 0, differ = 0, first = 0, seen = 0;
  for (unsigned lane = 0; lane != 64; ++lane) {
    if (!is_active(made, lane)) continue;
    if (sorted.empty()) first = made.address[lane];
    ascends = ascends && (sorted.empty() || last <= made.address[lane]);
    last = made.address[lane], differ |= last ^ first, sorted.insert(last);
  }
  expect(co::detail::ascends(asked) == ascends, "ascends");
  expect(asked.differ == differ, "the bits in which addresses differ");
  expect(lanes.count == sorted.size(), "by_address: how many");
  unsigned at = 0;
  for (auto const address : sorted) {
    expect(lanes.at[at].address == address && made.address[lanes.at[at].lane] == address, "by_address: a lane");
    seen |= std::uint64_t{1} << lanes.at[at++].lane;
  }
  expect(seen == made.active, "by_address: every lane once");
  expect(co::detail::most_on_one_address(asked) == slow_most_on_one(made), "most_on_one_address");
}
void groups(std::uint64_t mask) {
  for (unsigned const size : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    std::uint64_t with_a_lane = 0;
    for (unsigned first = 0; first != 64; first += size) {
      bool any = false;
      for (unsigned lane = first; lane != first + size; ++lane) any = any || (mask >> lane & 1) != 0;
      with_a_lane += any;
    }
    expect(co::detail::active_groups(mask, size) == with_a_lane, "active_groups");
    if (size == 1) expect(co::detail::count_bits(mask) == with_a_lane, "count_bits");
  }
}
template <unsigned Count>
void parts(random_access const& made, accessed const& asked) {
  for (unsigned first = 0; first != 64; first += Count) {
    auto const part = co::detail::part_of<Count>(asked, first / Count);
    std::set<std::uint64_t> distinct;
    for (unsigned lane = first; lane != first + Count; ++lane) {
      expect((part.active >> (lane - first) & 1) == is_active(made, lane), "part_of: its lanes");
      if (is_active(made, lane)) distinct.insert(made.address[lane] / 32);
      if (is_active(made, lane)) expect(part.address[lane - first] == made.address[lane], "part_of: an address");
    }
    expect(co::detail::count_distinct<32>(part) == distinct.size(), "count_distinct of a part");
  }
}

/// Masks and addresses as numbers of any type: a negative one that is narrow is an overflow, but a mask of -1.
template <class Mask, class Address, unsigned Lanes>
void typed(fuzz_input& in) {
  auto const mask = in.one_in(4) ? static_cast<Mask>(-1) : static_cast<Mask>(in.number(8) >> in.below(64));
  std::array<Address, Lanes> address;
  for (auto& one : address) one = static_cast<Address>(in.number(8) >> in.below(64));
  // As 64 bits: what the sign fills is not meant, of a mask or of an address of less than an int.
  bool const signed_mask = static_cast<Mask>(-1) < Mask{}, signed_address = static_cast<Address>(-1) < Address{};
  auto const bits = static_cast<std::uint64_t>(mask);
  bool is_refused = signed_mask && sizeof(Mask) < 8 && mask < Mask{} && bits != ~std::uint64_t{0};
  std::uint64_t const wave = ~std::uint64_t{0} >> (64 - Lanes);
  is_refused = is_refused || (bits != ~std::uint64_t{0} && (bits & ~wave) != 0);
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((bits >> lane & 1) != 0 && signed_address && sizeof(Address) < 4 && address[lane] < Address{})
      is_refused = true;
  try {
    auto const asked = co::detail::apply<Lanes>(address, mask, {.bytes = 1, .alignment = 1});
    expect(!is_refused, "a narrow negative number is not refused");
    expect(asked.active == (bits & wave), "a mask of some type");
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if ((bits >> lane & 1) != 0)
        expect(asked.address[lane] == static_cast<std::uint64_t>(address[lane]), "an address of some type");
  } catch (co::misuse const&) {
    expect(is_refused, "a mask or an address of some type is refused");
  }
}

constexpr auto odd_and_even = co::detail::phases_of_masks<64, 2>({0xaaaa'aaaa'aaaa'aaaa, 0x5555'5555'5555'5555});
template <unsigned Banks, unsigned Width, unsigned Bytes, unsigned Alignment, unsigned Phases>
void banks(fuzz_input& in, co::detail::phase_table<64, Phases> const& table) {
  auto made = access_reader(in, {.bytes = Bytes, .alignment = Alignment}).next();
  for (auto& address : made.address) address = std::min(address, ~std::uint64_t{Bytes}) / Alignment * Alignment;
  auto const asked = co::detail::apply<64>(made.address, made.active, {.bytes = Bytes, .alignment = Alignment});
  std::vector<std::vector<unsigned>> lists(Phases);
  for (unsigned lane = 0; lane != 64; ++lane) lists[table.phase_of_lane[lane]].push_back(lane);
  auto const rounds = co::detail::count_rounds<Banks, Width, Alignment>(asked, table);
  auto const expected = bank_rounds(made, Bytes, lists, Banks, Width);
  for (unsigned phase = 0; phase != Phases; ++phase) expect(rounds.rounds[phase] == expected[phase], "count_rounds");
  expect(lists_phases(co::detail::describe_phases<Banks, Width>(asked, table), with_empty, made, Bytes, lists, Banks,
                      Width),
         "describe_phases");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  switch (in.below(16)) {
    case 0:
      touched<32, 1, 1>(in);
      break;
    case 1:
      touched<32, 4, 4>(in);
      break;
    case 2:
      touched<64, 12, 4>(in);
      break;
    case 3:
      touched<128, 16, 4>(in);
      break;
    case 4:
      touched<64, 2, 1>(in);
      break;
    case 5:
      banks<32, 4, 4, 4>(in, co::detail::consecutive_phases<64, 2>());
      break;
    case 6:
      banks<64, 4, 16, 16>(in, odd_and_even);
      break;
    case 7:
      banks<32, 4, 12, 16>(in, co::detail::consecutive_phases<64, 8>());
      break;
    case 8:
      banks<32, 8, 2, 2>(in, co::detail::consecutive_phases<64, 1>());
      break;
    case 9:
      typed<std::int32_t, std::int64_t, 32>(in);
      break;
    case 10:
      typed<std::int16_t, std::int16_t, 64>(in);
      break;
    case 11:
      typed<std::uint32_t, std::int8_t, 32>(in);
      break;
    case 12:
      typed<std::int64_t, std::int32_t, 32>(in);
      break;
    default: {
      unsigned const widths[] = {1, 2, 3, 4, 8, 12, 16, 17, 32};
      unsigned const bytes = in.one_of(widths);
      auto made = access_reader(in, {.bytes = bytes, .alignment = 1}).next();
      for (auto& address : made.address) address = std::min(address, 0 - std::uint64_t{bytes});
      auto const asked = co::detail::apply<64>(made.address, made.active, {.bytes = bytes, .alignment = 1});
      segments<32>(made, asked, bytes), segments<64>(made, asked, bytes), segments<128>(made, asked, bytes);
      order(made, asked), groups(made.active), parts<16>(made, asked), parts<32>(made, asked);
    }
  }
  return 0;
}
