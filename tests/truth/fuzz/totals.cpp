// SPDX-License-Identifier: BSL-1.0
//
// Totals: of launches over layouts in closed form, against thread by thread; over domains, every base and launches of a
// function, and their worst and best, against a loop over cost().
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/total.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/launches.hpp"
#include "truth/oracle/refused.hpp"

#include <algorithm>
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
    auto const apart = launch.shift < 0 ? -static_cast<std::int64_t>(launch.shift) : launch.shift;
    auto const top = apart + launch.from + launch.bits;
    if (launch.bits > apart || top > 63 || wide{1} << top > wide{1024} * Instruction::alignment) return true;
    return lowest < 0 || highest >= wide{1} << 64;
  }
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

/// One number of a cost as worst and best keep it.
struct kept {
  std::uint64_t value = 0;
  co::point at{};
  bool any = false;
  void take(bool highest, std::uint64_t next, co::point const& here) {
    if (!any || (highest ? next > value : next < value)) value = next, at = here;
    any = true;
  }
};

/// A loop over cost(): each visit is one instruction; one without an active lane costs nothing, and is no worst or
/// best.
template <class Instruction>
struct looped {
  typename Instruction::cost_type sum{};
  kept worst, best;  // of transactions, or rounds

  template <class Cost>
  static auto number(Cost const& of) {
    if constexpr (requires { of.transactions; })
      return of.transactions;
    else
      return of.rounds;
  }
  void visit(std::array<std::uint64_t, 64> const& address, std::uint64_t active, co::point const& at) {
    auto const cost = co::cost<Instruction>(address, active);
    sum += cost;
    if (active == 0) return;
    worst.take(true, number(cost), at), best.take(false, number(cost), at);
  }
};

template <class Instruction, class Pattern, class Over, class Active>
void against(std::optional<looped<Instruction>> const& expected, Pattern const& pattern, Over const& over,
             Active const& active) {
  auto const total = unless_refused([&] { return co::total<Instruction>(pattern, over, active); });
  expect(total.has_value() == expected.has_value(), total ? "a total is not refused" : "a total is refused");
  if (expected) expect(*total == expected->sum, "a total");
  for (bool const highest : {true, false}) {
    auto const found = unless_refused([&] {
      return highest ? co::worst<Instruction>(pattern, over, active) : co::best<Instruction>(pattern, over, active);
    });
    bool const some = expected && expected->worst.any;
    expect(found.has_value() == some, highest ? "worst: a refusal" : "best: a refusal");
    if (!some) continue;
    kept const& wanted = highest ? expected->worst : expected->best;
    expect(looped<Instruction>::number(found->cost) == wanted.value, highest ? "worst" : "best");
    expect(looped<Instruction>::number(found->at) == wanted.at, highest ? "worst: where" : "best: where");
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
  made.active = in_wave(made.active, Instruction::lanes);
  std::uint64_t const below = in.one_in(3) ? Instruction::alignment * in.below(4096) : 0;
  for (auto& address : made.address) address -= below;
  auto const alignment = in.one_in(8) ? in.below(600) : std::uint64_t{1} << in.below(10);
  bool const power = alignment == 1 || (alignment % 2 == 0 && (alignment & (alignment - 1)) == 0);
  auto const expected = [&]() -> std::optional<looped<Instruction>> {
    if (!power || alignment < Instruction::alignment) return std::nullopt;
    auto const moved = room_for_every_base<Instruction>(made, alignment);
    if (!moved) return std::nullopt;
    return unless_refused([&] {
      looped<Instruction> all;
      std::uint64_t const period = Instruction::period;
      for (std::uint64_t shift = 0; shift < period && made.active != 0; shift += alignment) {
        // The base at this shift: the first from `moved` on that is equal to it modulo the period.
        std::uint64_t const base = *moved + (shift - *moved) % period;
        auto address = made.address;
        for (auto& each : address) each += base;
        all.visit(address, made.active, {{shift}});
      }
      return all;
    });
  }();
  against<Instruction>(expected, made.address, co::every_base{alignment}, made.active);
}

template <class Instruction>
void over_domain(fuzz_input& in) {
  auto const by = [&] { return static_cast<std::uint64_t>(Instruction::alignment) * in.below(200); };
  std::uint64_t const base = by(), lane_by = by(), first_by = by(), second_by = by(), fold = 1 + in.below(64),
                      off = in.one_in(16) ? 1 : 0, kept_lanes = in.number(1);
  auto const pattern = [=](unsigned lane, unsigned i, unsigned j) {
    return base + (lane % fold) * lane_by + i * first_by + ((j ^ lane) % 4) * second_by + off * i;
  };
  auto const active = [=](unsigned lane, unsigned i, unsigned j) {
    return (kept_lanes >> (lane + i + j) % 8 & 1) != 0;
  };
  auto const extent = [&] { return static_cast<std::int64_t>(in.below(6)) - (in.one_in(16) ? 3 : 0); };
  co::domain const over{extent(), extent()};
  auto const expected = [&]() -> std::optional<looped<Instruction>> {
    if (over.extent[0] < 0 || over.extent[1] < 0) return std::nullopt;
    return unless_refused([&] {
      looped<Instruction> all;
      for (unsigned i = 0; i != over.extent[0]; ++i)
        for (unsigned j = 0; j != over.extent[1]; ++j) {
          std::array<std::uint64_t, 64> address{};
          std::uint64_t mask = 0;
          for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
            if (active(lane, i, j)) address[lane] = pattern(lane, i, j), mask |= std::uint64_t{1} << lane;
          all.visit(address, mask, {{i, j}});
        }
      return all;
    });
  }();
  against<Instruction>(expected, pattern, over, active);
}

template <class Instruction>
void over_launch(fuzz_input& in) {
  auto const by = [&] { return static_cast<std::uint64_t>(Instruction::alignment) * in.below(64); };
  std::uint64_t const base = by(), x_by = by(), y_by = by(), z_by = by(), block_by = by(), off = in.one_in(16) ? 1 : 0;
  unsigned const kept_threads = in.byte();
  auto const pattern = [=](co::invocation const& at) {
    return base + at.thread.x * x_by + at.thread.y * y_by + at.thread.z * z_by +
           (at.block.x + 3 * at.block.y + 5 * at.block.z) * block_by + off * at.block.x;
  };
  auto const active = [=](co::invocation const& at) {
    return (kept_threads >> (at.thread.x + at.thread.y + at.block.x) % 8 & 1) != 0;
  };
  auto const extent = [&](unsigned most) { return static_cast<std::int64_t>(in.one_in(64) ? 0 : 1 + in.below(most)); };
  co::launch const over{.grid = {extent(3), extent(2), extent(2)}, .block = {extent(40), extent(6), extent(6)}};
  auto const expected = [&]() -> std::optional<looped<Instruction>> {
    auto const& [x, y, z] = over.block;
    if (x * y * z == 0 || x * y * z > 1024 || over.grid.x * over.grid.y * over.grid.z == 0) return std::nullopt;
    return unless_refused([&] {
      looped<Instruction> all;
      for (unsigned bz = 0; bz != over.grid.z; ++bz)
        for (unsigned by_ = 0; by_ != over.grid.y; ++by_)
          for (unsigned bx = 0; bx != over.grid.x; ++bx) {
            std::array<std::uint64_t, 64> address{};
            std::uint64_t mask = 0, warp = 0;
            unsigned lane = 0;
            auto const flush = [&] { all.visit(address, mask, {{bx, by_, bz, warp++}}), mask = 0, lane = 0; };
            for (unsigned tz = 0; tz != z; ++tz)
              for (unsigned ty = 0; ty != y; ++ty)
                for (unsigned tx = 0; tx != x; ++tx) {
                  co::invocation const at{{bx, by_, bz}, {tx, ty, tz}};
                  if (active(at)) address[lane] = pattern(at), mask |= std::uint64_t{1} << lane;
                  if (++lane == Instruction::lanes) flush();
                }
            if (lane != 0) flush();
          }
      return all;
    });
  }();
  against<Instruction>(expected, pattern, over, active);
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
  switch (in.below(4)) {
    case 0:
      ask<co::cuda::cc90::load<32>>(in);
      break;
    case 1:
      ask<co::cuda::cc13::load<64>>(in);
      break;
    case 2:
      ask<co::cdna::gfx942::ds_read<64>>(in);
      break;
    default:
      ask<co::gcn::buffer_load<16>>(in);
  }
  return 0;
}
