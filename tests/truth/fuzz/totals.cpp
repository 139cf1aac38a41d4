// SPDX-License-Identifier: BSL-1.0
//
// Totals. Launches over layouts in closed form are compared with a count thread by thread. Totals over domains, every
// base and launches of a function are compared with a loop over cost(), and the places that worst and best name are
// asked again. The waves are asked lane by lane, by their first lanes, or once.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/launches.hpp"
#include "truth/oracle/refused.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
__extension__ using wide = __int128;

// ---- Layouts ----

template <class Instruction>
constexpr std::uint64_t capacity_of = co::detail::capacity_of<Instruction>;

template <class Instruction, unsigned Rank>
auto closed_form(layout_launch const& launch, bool by_blocks) {
  co::layout<Rank> of{.base = launch.base};
  for (unsigned mode = 0; mode != Rank; ++mode)
    of.shape[mode] = launch.shape[mode], of.stride[mode] = launch.stride[mode];
  co::swizzle const swizzle{launch.bits, launch.from, launch.shift};
  bool const swizzled = launch.bits != 0;
  if constexpr (Rank <= 3)
    if (by_blocks) {
      co::block const block{launch.block[0], launch.block[1], launch.block[2]};
      return swizzled ? co::total<Instruction>(swizzle.over(of), block) : co::total<Instruction>(of, block);
    }
  return swizzled ? co::total<Instruction>(swizzle.over(of)) : co::total<Instruction>(of);
}

/// Whether a total is refused before any access is asked about: its words. Further from the base than 2^63 bytes counts
/// as a wrap. Where a swizzle leads is asked element by element.
template <class Instruction>
bool is_refused(layout_launch const& launch, bool by_blocks) {
  for (auto const extent : launch.shape)
    if (extent < 0) return true;
  if (by_blocks) {
    wide threads = 1;
    for (auto const extent : launch.block) {
      if (extent < 1 || extent > 0x7fff'ffff) return true;
      threads *= extent;
    }
    if (threads > 1024) return true;
  }
  wide const apart = launch.shift < 0 ? -wide{launch.shift} : wide{launch.shift};
  if (launch.bits != 0 && (launch.bits > apart || launch.bits + launch.from + apart > 64)) return true;
  if (std::count(launch.shape.begin(), launch.shape.end(), 0) != 0) return false;
  wide const limit = wide{1} << 63;
  wide threads = 1, lowest = launch.base, highest = launch.base;
  for (std::size_t mode = 0; mode != launch.shape.size(); ++mode) {
    threads *= launch.shape[mode];
    if (threads > wide{1} << 50) return true;
    wide const far_end = static_cast<wide>(launch.stride[mode]) * (launch.shape[mode] - 1);
    (far_end < 0 ? lowest : highest) += far_end;
    if (far_end >= limit || far_end <= -limit || highest - launch.base >= limit || launch.base - lowest >= limit)
      return true;
  }
  if (launch.bits != 0) {
    auto const top = static_cast<unsigned>(apart) + launch.from + launch.bits;
    if (top > 63 || wide{1} << top > wide{1024} * Instruction::alignment) return true;
  }
  // An element that no lane is asked for may lie beyond the memory, but wrap it may not.
  if (launch.bits != 0 || wave_by_hand<Instruction>.who != asks::each) return lowest < 0 || highest >= wide{1} << 64;
  wide const end = capacity_of<Instruction> == 0 ? wide{1} << 64 : wide{capacity_of<Instruction>};
  return lowest < 0 || highest + Instruction::bytes > end;
}

template <class Instruction>
void layouts(fuzz_input& in) {
  random_launches random(
      Instruction::alignment, capacity_of<Instruction>, [&] { return in.number(2); }, 1500);
  auto const rank = static_cast<unsigned>(1 + in.below(3));
  bool const by_blocks = in.one_in(2);
  auto launch = random.next(rank, by_blocks, in.one_in(3));
  // Mostly what a wave can issue that is asked once, or by its first lanes.
  if (wave_by_hand<Instruction>.who != asks::each && !in.one_in(4)) {
    launch.shape[0] = static_cast<std::int64_t>(64 * (1 + in.below(2)));
    if (by_blocks && in.one_in(2)) launch.block = {64, 1, 1};
    for (auto& stride : launch.stride) stride = std::abs(stride);
    if (wave_by_hand<Instruction>.who == asks::once) launch.stride[0] = 0;
  }
  // A swizzle of no bits is none.
  if (launch.bits == 0) launch.shift = 0, launch.from = 0;
  switch (in.below(12)) {
    case 0:
      launch.base += in.below(64);
      break;
    case 1:
      launch.base = capacity_of<Instruction> - in.below(65536);
      break;
    case 2:
      launch.stride[in.below(rank)] += static_cast<std::int64_t>(in.below(16)) - 8;
      break;
    case 3:
      launch.shape[in.below(rank)] = static_cast<std::int64_t>(in.below(3)) - 1;
      break;
    case 4:
      launch.stride[in.below(rank)] = static_cast<std::int64_t>(in.number(8));
      break;
    case 5:
      if (by_blocks) launch.block[in.below(3)] = static_cast<std::int64_t>(in.below(2000));
      break;
    case 6:
      if (launch.bits != 0)
        launch.bits += static_cast<unsigned>(in.below(4)), launch.from += static_cast<unsigned>(in.below(80));
      break;
    case 7:
      launch.shape[in.below(rank)] = static_cast<std::int64_t>(in.number(8) >> in.below(40));
      break;
    default:
      break;
  }
  bool refused = is_refused<Instruction>(launch, by_blocks);
  std::uint64_t threads = 1;
  for (auto const extent : launch.shape)
    if (!refused && static_cast<std::uint64_t>(extent) > 4000 / std::max<std::uint64_t>(1, threads))
      return;  // too slow
    else if (extent > 0)
      threads *= static_cast<std::uint64_t>(extent);
  auto const found = unless_refused([&] {
    switch (rank) {
      case 1:
        return closed_form<Instruction, 1>(launch, by_blocks);
      case 2:
        return closed_form<Instruction, 2>(launch, by_blocks);
      default:
        return closed_form<Instruction, 3>(launch, by_blocks);
    }
  });
  if (refused) return expect(!found, "a total is not refused");
  auto counted = launch;
  if (!by_blocks) counted.block = {};
  auto const expected = unless_refused([&] {
    typename Instruction::cost_type sum{};
    bool some = !oracle_is_broken;  // a broken one leaves out the first warp
    if (std::count(launch.shape.begin(), launch.shape.end(), 0) == 0)
      enumerate<Instruction>(counted, [&](auto const& cost) {
        if (some) sum += cost;
        some = true;
      });
    return sum;
  });
  expect(found.has_value() == expected.has_value(), found ? "a total is not refused" : "a total is refused");
  expect(found == expected, "a total of a layout");
}

// ---- Patterns ----

template <class Instruction>
using asked_once = std::optional<typename Instruction::cost_type>;  // nothing: not issued

/// Numbers in the order of the cost's members, or places.
template <class Number, class Row>
auto row_of(Row const& row) {
  return __builtin_bit_cast(std::array<Number, sizeof(Row) / sizeof(Number)>, row);
}

/// Against a loop over some points: `ask` gives the cost at one. No points: all is refused.
template <class Instruction, class Pattern, class Over, class Active, class Ask>
void against(std::optional<std::vector<co::point>> const& points, Ask const& ask, Pattern const& pattern,
             Over const& over, Active const& active) {
  using cost_type = typename Instruction::cost_type;
  std::vector<cost_type> each;
  std::vector<co::point> at;
  auto const expected = !points ? std::optional<cost_type>{} : unless_refused([&] {
    cost_type sum{};
    for (co::point const& point : *points)
      if (auto const cost = ask(point)) sum += *cost, each.push_back(*cost), at.push_back(point);
    return sum;
  });
  auto const total = unless_refused([&] { return co::total<Instruction>(pattern, over, active); });
  expect(total.has_value() == expected.has_value(), total ? "a total is not refused" : "a total is refused");
  expect(total == expected, "a total");
  for (bool const highest : {true, false}) {
    auto const found = unless_refused([&] {
      return highest ? co::worst<Instruction>(pattern, over, active) : co::best<Instruction>(pattern, over, active);
    });
    bool const some = expected && !each.empty();
    expect(found.has_value() == some, highest ? "worst: a refusal" : "best: a refusal");
    if (!some) continue;
    auto const numbers = row_of<std::uint64_t>(found->cost);
    auto const places = row_of<co::point>(found->at);
    for (std::size_t k = 0; k != numbers.size(); ++k) {
      std::size_t first = 0;
      auto const number = [&](std::size_t of) { return row_of<std::uint64_t>(each[of])[k]; };
      for (std::size_t next = 1; next != each.size(); ++next)
        if (highest ? number(next) > number(first) : number(next) < number(first)) first = next;
      expect(numbers[k] == number(first), highest ? "worst" : "best");
      expect(places[k] == at[first], highest ? "worst: where" : "best: where");
      auto const again = ask(places[k]);
      expect(again && row_of<std::uint64_t>(*again)[k] == numbers[k], "a place that is asked again");
    }
  }
}

template <class Instruction>
access_form form_of() {
  return {.lanes = Instruction::lanes,
          .bytes = Instruction::bytes,
          .alignment = Instruction::alignment,
          .capacity = capacity_of<Instruction>};
}
constexpr std::uint64_t in_wave(std::uint64_t mask, unsigned lanes) { return mask & ~std::uint64_t{0} >> (64 - lanes); }

/// How far all lanes are moved, by a multiple of the alignment, to where every base of a period leaves them in memory;
/// nothing where there is no such place. Of 64 bits: so that the widest gap between two neighbours lies at the top. Of
/// less: as little as takes the lowest, which may be below byte 0, into memory.
template <class Instruction>
std::optional<std::uint64_t> room_for_every_base(random_access const& made, std::uint64_t alignment) {
  std::uint64_t const capacity = capacity_of<Instruction>, period = Instruction::period;
  std::vector<std::uint64_t> lanes;
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
    if ((made.active >> lane & 1) != 0) lanes.push_back(made.address[lane]);
  if (lanes.empty()) return 0;
  if (capacity == 0) {
    std::sort(lanes.begin(), lanes.end());
    std::uint64_t above = lanes.front(), widest = lanes.front() - lanes.back();
    for (std::size_t k = 1; k != lanes.size(); ++k)
      if (lanes[k] - lanes[k - 1] > widest) widest = lanes[k] - lanes[k - 1], above = lanes[k];
    return 0 - above / period * period;
  }
  wide lowest = 0, highest = -(wide{1} << 64);
  for (std::uint64_t const address : lanes)
    lowest = std::min(lowest, wide{static_cast<std::int64_t>(address)}),
    highest = std::max(highest, wide{static_cast<std::int64_t>(address)});
  wide const each = alignment, first = (-lowest + each - 1) / each * each, last = (period - 1) / each * each;
  if (highest + first + last + Instruction::bytes > wide{capacity}) return std::nullopt;
  // The first shift is 0 modulo the period; the bases after `first` are these, in another order.
  return static_cast<std::uint64_t>(first);
}

template <class Instruction>
void every_base(fuzz_input& in) {
  auto made = access_reader(in, form_of<Instruction>()).next();
  if (wave_by_hand<Instruction>.who != asks::each && !in.one_in(8)) made.active = ~std::uint64_t{0};
  made.active = in_wave(made.active, Instruction::lanes);
  std::uint64_t const below = in.one_in(3) ? Instruction::alignment * in.below(4096) : 0;
  for (auto& address : made.address) address -= below;
  auto const alignment = in.one_in(8) ? in.below(600) : std::uint64_t{1} << in.below(10);
  bool const power = alignment == 1 || (alignment % 2 == 0 && (alignment & (alignment - 1)) == 0);
  auto const moved =
      power && alignment >= Instruction::alignment ? room_for_every_base<Instruction>(made, alignment) : std::nullopt;
  // In shared memory a place is the base. In global memory it is the base modulo the period: the first from `moved` on.
  bool const shared = capacity_of<Instruction> != 0;
  std::uint64_t const period = Instruction::period;
  std::optional<std::vector<co::point>> points;
  if (moved) points.emplace();
  for (std::uint64_t shift = 0; moved && shift < period && made.active != 0; shift += alignment)
    points->push_back({{(shared ? *moved : 0) + shift}});
  auto const ask = [&](co::point const& at) -> asked_once<Instruction> {
    std::uint64_t const base = shared ? at.at[0] : *moved + (at.at[0] - *moved) % period;
    auto address = made.address;
    for (auto& each : address) each += base;
    return co::cost<Instruction>(address, made.active);
  };
  against<Instruction>(points, ask, made.address, co::every_base{alignment}, made.active);
}

/// A mask with bits up to a few beyond the last lane, or all 64.
std::uint64_t mask_of_bits(fuzz_input& in, unsigned lanes) {
  std::uint64_t const mask = in.number(8);
  return in.one_in(4) ? mask : in_wave(mask, std::min(64u, lanes + 1));
}

template <class Instruction>
void over_domain(fuzz_input& in) {
  auto const by = [&] { return static_cast<std::uint64_t>(Instruction::alignment) * in.below(200); };
  std::uint64_t const base = by(), lane_by = by(), first_by = by(), second_by = by(), fold = 1 + in.below(64),
                      off = in.one_in(16) ? 1 : 0, kept_lanes = in.one_in(2) ? 0xff : in.number(1);
  auto const pattern = [=](unsigned lane, unsigned i, unsigned j) {
    return base + (lane % fold) * lane_by + i * first_by + ((j ^ lane) % 4) * second_by + off * i;
  };
  auto const active = [=](unsigned lane, unsigned i, unsigned j) {
    return (kept_lanes >> (lane + i + j) % 8 & 1) != 0;
  };
  auto const extent = [&] { return static_cast<std::int64_t>(in.below(6)) - (in.one_in(16) ? 3 : 0); };
  co::domain const over{extent(), extent()};
  std::optional<std::vector<co::point>> points;
  if (over.extent[0] >= 0 && over.extent[1] >= 0) points.emplace();
  for (unsigned i = 0; points && i != over.extent[0]; ++i)
    for (unsigned j = 0; j != over.extent[1]; ++j) points->push_back({{i, j}});
  auto const ask = [&](co::point const& at) -> asked_once<Instruction> {
    auto const i = static_cast<unsigned>(at.at[0]), j = static_cast<unsigned>(at.at[1]);
    // Every lane of the wave is asked whether it is active, also where fewer give an address.
    constexpr wave_form wave = wave_by_hand<Instruction>;
    std::array<std::uint64_t, 64> address{};
    std::uint64_t mask = 0;
    unsigned of_wave = 0;
    for (unsigned lane = 0; lane != wave.threads; ++lane) of_wave += active(lane, i, j);
    if (of_wave == 0) return std::nullopt;
    if (wave.who == asks::once) return co::cost<Instruction>(std::array{pattern(0, i, j)}, 1);
    if (wave.who == asks::the_first && of_wave != wave.threads) co::detail::refuse("the wave is not whole");
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
      if (active(lane, i, j)) address[lane] = pattern(lane, i, j), mask |= std::uint64_t{1} << lane;
    return co::cost<Instruction>(address, mask);
  };
  against<Instruction>(points, ask, pattern, over, active);
  // A mask is looked at whether or not there are points.
  auto const names_others = mask_of_bits(in, Instruction::lanes);
  bool const answered = unless_refused([&] {
                          return co::total<Instruction>(pattern, co::domain{0, 3}, names_others);
                        }).has_value();
  expect(answered == (in_wave(names_others, Instruction::lanes) == names_others || names_others == co::all_lanes),
         "a mask over no points");
}

template <class Instruction>
void over_launch(fuzz_input& in) {
  auto const by = [&] { return static_cast<std::uint64_t>(Instruction::alignment) * in.below(64); };
  constexpr wave_form wave = wave_by_hand<Instruction>;
  // Such waves mostly are refused, so many are made to be whole and to agree.
  bool const agree = wave.who == asks::once && !in.one_in(4), whole = wave.who == asks::the_first && !in.one_in(4);
  std::uint64_t const base = by(), x_by = agree ? 0 : by(), y_by = agree ? 0 : by(), z_by = agree ? 0 : by(),
                      block_by = by(), off = in.one_in(16) ? 1 : 0,
                      skew = agree ? 0 : Instruction::alignment * in.below(3);  // so that warps are not alike
  unsigned const kept_threads = whole || in.one_in(2) ? 0xff : in.byte();
  auto const pattern = [=](co::invocation const& at) {
    return base + at.thread.x * (x_by + at.thread.y % 2 * skew) + at.thread.y * y_by + at.thread.z * z_by +
           (at.block.x + 3 * at.block.y + 5 * at.block.z) * block_by + off * at.block.x;
  };
  auto const active = [=](co::invocation const& at) {
    return (kept_threads >> (at.thread.x + at.thread.y + at.block.x) % 8 & 1) != 0;
  };
  auto const extent = [&](unsigned most) { return static_cast<std::int64_t>(in.one_in(64) ? 0 : 1 + in.below(most)); };
  co::launch const over{.grid = {extent(3), extent(2), extent(2)},
                        .block = {whole ? 32 : extent(wave.threads == 64 ? 100 : 40), extent(6), extent(6)}};
  auto const x = static_cast<std::uint64_t>(over.block.x), y = static_cast<std::uint64_t>(over.block.y),
             block_threads = x * y * static_cast<std::uint64_t>(over.block.z);
  std::optional<std::vector<co::point>> points;
  if (block_threads != 0 && block_threads <= 1024 && over.grid.x * over.grid.y * over.grid.z != 0) points.emplace();
  for (unsigned bz = 0; points && bz != over.grid.z; ++bz)
    for (unsigned by_ = 0; by_ != over.grid.y; ++by_)
      for (unsigned bx = 0; bx != over.grid.x; ++bx)
        for (std::uint64_t k = 0; k * wave.threads < block_threads; ++k) points->push_back({{bx, by_, bz, k}});
  auto const ask = [&](co::point const& point) -> asked_once<Instruction> {
    auto const small = [](std::uint64_t number) { return static_cast<unsigned>(number); };
    wave_threads threads;
    for (std::uint64_t t = point.at[3] * wave.threads; t < block_threads && threads.size() != wave.threads; ++t) {
      co::invocation const at{{small(point.at[0]), small(point.at[1]), small(point.at[2])},
                              {small(t % x), small(t / x % y), small(t / x / y)}};
      threads.emplace_back();
      if (active(at)) threads.back() = pattern(at);
    }
    asked_once<Instruction> cost;
    issue<Instruction>(wave, threads, [&](auto const& issued) { cost = issued; });
    return cost;
  };
  against<Instruction>(points, ask, pattern, over, active);
}

template <class Instruction>
void ask(fuzz_input& in) {
  switch (in.below(6)) {
    case 0:
      every_base<Instruction>(in);
      break;
    case 1:
      over_domain<Instruction>(in);
      break;
    case 2:
      over_launch<Instruction>(in);
      break;
    default:
      layouts<Instruction>(in);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  switch (in.below(8)) {
    case 0:
      ask<co::cuda::cc90::load<32>>(in);
      break;
    case 1:
      ask<co::cuda::cc13::load<64>>(in);
      break;
    case 2:
      ask<co::cdna::gfx942::ds_read<64>>(in);
      break;
    case 3:
      ask<co::gcn::buffer_load<16>>(in);
      break;
    case 4:
      ask<co::cuda::cc90::ldmatrix<1>>(in);
      break;
    case 5:
      ask<co::cuda::cc90::shared_load<32>>(in);
      break;
    case 6:
      ask<co::rdna::gfx1100::wave64::s_load<2>>(in);
      break;
    default:
      ask<co::gcn::s_load<4>>(in);
  }
  return 0;
}
