// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

#include "random_access.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

// Launches over layouts, counted thread by thread, and random launches. This oracle shares only co::cost with the
// library; co::cost has oracles of its own.

namespace coalescing_tests {

/// A launch over a layout, as plain numbers.
struct layout_launch {
  std::uint64_t base = 0;
  std::vector<std::int64_t> shape, stride;
  unsigned bits = 0, from = 0;  // of the swizzle
  int shift = 0;
  std::array<std::int64_t, 3> block{};  // zeros: no blocks, threads in linear order

  [[nodiscard]] std::uint64_t address(std::vector<std::int64_t> const& at) const {
    std::uint64_t sum = base;
    for (std::size_t mode = 0; mode != at.size(); ++mode) sum += static_cast<std::uint64_t>(at[mode] * stride[mode]);
    for (unsigned bit = 0; bit != bits; ++bit) {  // bit by bit
      unsigned const low = from + bit;
      if (shift >= 0) {
        if (sum >> (low + static_cast<unsigned>(shift)) & 1) sum ^= std::uint64_t{1} << low;
      } else if (sum >> low & 1) {
        sum ^= std::uint64_t{1} << (low + static_cast<unsigned>(-shift));
      }
    }
    return sum;
  }
};

/// The threads of a wave that give the instruction an address: each one; one for the wave, so all active threads must
/// agree; or the first few, in a wave whose threads are all active.
enum class asks { each, once, the_first };
struct wave_form {
  unsigned threads;
  asks who;
};

/// Written by hand: the waves of the machines, and the instructions that do not take an address from each lane.
template <class Instruction>
inline constexpr wave_form wave_by_hand{Instruction::lanes, asks::each};
template <unsigned Dwords>
inline constexpr wave_form wave_by_hand<coalescing::gcn::s_load<Dwords>>{64, asks::once};
template <>
inline constexpr wave_form wave_by_hand<coalescing::rdna::gfx1100::s_load<2>>{32, asks::once};
template <>
inline constexpr wave_form wave_by_hand<coalescing::rdna::gfx1100::wave64::s_load<2>>{64, asks::once};
template <>
inline constexpr wave_form wave_by_hand<coalescing::cuda::cc90::ldmatrix<1>>{32, asks::the_first};
template <>
inline constexpr wave_form wave_by_hand<coalescing::cuda::cc90::ldmatrix<2>>{32, asks::the_first};
template <>
inline constexpr wave_form wave_by_hand<coalescing::cuda::cc90::ldmatrix<4>>{32, asks::the_first};
template <>
inline constexpr wave_form wave_by_hand<coalescing::cuda::cc90::stmatrix<1>>{32, asks::the_first};

/// The addresses of a wave's threads. An inactive thread has no address, and neither has a thread missing at the end of
/// the wave.
using wave_threads = std::vector<std::optional<std::uint64_t>>;

/// Calls `issued` with the cost of a wave; does not call it without an active thread. Refused: a wave that cannot issue
/// the instruction.
template <class Instruction, class Issued>
void issue(wave_form const& wave, wave_threads threads, Issued const& issued) {
  threads.resize(wave.threads);
  std::array<std::uint64_t, 64> address{};
  std::uint64_t active = 0, idle = 0;
  for (unsigned k = 0; k != wave.threads; ++k) {
    if (!threads[k]) ++idle;
    if (wave.who == asks::once) {
      if (threads[k] && active != 0 && address[0] != *threads[k]) coalescing::detail::refuse("the threads differ");
      if (threads[k]) address[0] = *threads[k], active = 1;
    } else if (threads[k] && k < Instruction::lanes) {
      address[k] = *threads[k], active |= std::uint64_t{1} << k;
    }
  }
  if (idle == wave.threads) return;
  if (wave.who == asks::the_first && idle != 0) coalescing::detail::refuse("the wave is not whole");
  issued(coalescing::cost<Instruction>(address, active));
}

/// Calls `issued` with the cost of each wave of the launch.
template <class Instruction, class Issued>
void enumerate(layout_launch const& launch, Issued const& issued, wave_form const& wave = wave_by_hand<Instruction>) {
  wave_threads threads;
  auto const flush = [&] {
    issue<Instruction>(wave, threads, issued);
    threads.clear();
  };
  std::int64_t extent[3] = {1, 1, 1};
  if (launch.block[0] == 0) {
    std::vector<std::int64_t> at(launch.shape.size());
    for (auto const n : launch.shape)
      if (n == 0) return;
    for (bool more = true; more;) {
      threads.emplace_back(launch.address(at));
      if (threads.size() == wave.threads) flush();
      more = false;
      for (std::size_t mode = 0; mode != at.size() && !more; ++mode) {
        more = ++at[mode] != launch.shape[mode];
        if (!more) at[mode] = 0;
      }
    }
    return flush();
  }
  for (std::size_t mode = 0; mode != launch.shape.size(); ++mode) extent[mode] = launch.shape[mode];
  auto const [width, height, depth] = launch.block;
  for (std::int64_t z0 = 0; z0 < extent[2]; z0 += depth)
    for (std::int64_t y0 = 0; y0 < extent[1]; y0 += height)
      for (std::int64_t x0 = 0; x0 < extent[0]; x0 += width) {
        for (std::int64_t z = z0; z != z0 + depth; ++z)
          for (std::int64_t y = y0; y != y0 + height; ++y)
            for (std::int64_t x = x0; x != x0 + width; ++x) {
              threads.emplace_back();
              if (x < extent[0] && y < extent[1] && z < extent[2]) {
                std::vector<std::int64_t> at{x, y, z};
                at.resize(launch.shape.size());
                threads.back() = launch.address(at);
              }
              if (threads.size() == wave.threads) flush();
            }
        flush();
      }
}

/// Random launches that fit into `room` bytes: rows of whole waves and of odd lengths, pitches, transposed layouts,
/// zero and negative strides, several modes, tiny extents, any base.
class random_launches {
 public:
  random_launches(std::uint64_t word, std::uint64_t room, unsigned seed = 1)
      : random_launches(word, room, [engine = std::mt19937_64(seed)]() mutable { return engine(); }) {}
  /// Takes its random numbers from the caller. A launch has at most `threads` threads.
  random_launches(std::uint64_t word, std::uint64_t room, std::function<std::uint64_t()> number,
                  std::uint64_t threads = 20000)
      : word_(word), room_(room), threads_(threads), number_(std::move(number)) {}

  layout_launch next(unsigned rank, bool blocks, bool swizzled) {
    layout_launch made;
    std::uint64_t size = 1;
    for (unsigned mode = 0; mode != rank; ++mode) {
      std::int64_t const extents[] = {1, 2, 3, 4, 31, 32, 33, 64, 96, 100, below(70), 1 + below(300), 32 * below(9)};
      std::int64_t extent = extents[static_cast<std::size_t>(below(13))];
      if (size * static_cast<std::uint64_t>(extent) > threads_) extent = 1 + below(5);
      size *= static_cast<std::uint64_t>(extent);
      made.shape.push_back(extent);
    }
    // Strides in words: as if the modes were contiguous in some order, then disturbed.
    auto const word = static_cast<std::int64_t>(word_);
    made.stride.resize(rank);
    std::int64_t reach = 1;
    unsigned const turn = static_cast<unsigned>(below(rank));
    for (unsigned k = 0; k != rank; ++k) {
      unsigned const mode = below(2) == 0 ? k : (k + turn) % rank;
      if (made.stride[mode] != 0) continue;
      made.stride[mode] = word * reach;
      reach *= made.shape[mode] == 0 ? 1 : made.shape[mode];
      if (below(3) == 0) reach += below(5);
      if (below(8) == 0) reach = 1 + below(40);
    }
    std::int64_t below_base = 0, above = 0;
    for (unsigned mode = 0; mode != rank; ++mode) {
      if (below(6) == 0) made.stride[mode] = -made.stride[mode];
      if (below(12) == 0) made.stride[mode] = word * below(3);
      std::int64_t const far_end = made.stride[mode] * (made.shape[mode] - 1);
      (far_end < 0 ? below_base : above) += far_end;
    }
    auto const span = static_cast<std::uint64_t>(above - below_base) + word_ + 1024;
    made.base = static_cast<std::uint64_t>(-below_base);
    if (room_ == 0 || span < room_)
      made.base +=
          word_ *
          static_cast<std::uint64_t>(
              below(1 + static_cast<std::int64_t>(((room_ == 0 ? 1 << 20 : room_) - span % (1 << 20)) / word_ % 4096)));
    if (swizzled) {
      int const shift = static_cast<int>(below(9)) - 4;
      made.shift = shift;
      unsigned const distance = static_cast<unsigned>(shift < 0 ? -shift : shift);
      made.bits = static_cast<unsigned>(below(4)) % (distance + 1);
      unsigned log = 0;
      while ((1u << log) != word_) ++log;
      made.from = log + static_cast<unsigned>(below(3));
    }
    if (blocks) {
      std::array<std::int64_t, 3> const shapes[] = {
          {32, 8, 1}, {16, 16, 1}, {96, 1, 1},  {8, 4, 4},
          {1, 64, 1}, {7, 5, 3},   {256, 1, 1}, {1 + below(40), 1 + below(8), 1 + below(3)}};
      made.block = shapes[static_cast<std::size_t>(below(8))];
    }
    return made;
  }
  [[nodiscard]] bool fits(layout_launch const& launch) const {
    if (room_ == 0) return true;
    std::uint64_t highest = launch.base + 16384;  // a swizzle can move an address at most to there
    for (std::size_t mode = 0; mode != launch.shape.size(); ++mode)
      if (launch.stride[mode] > 0 && launch.shape[mode] > 0)
        highest += static_cast<std::uint64_t>(launch.stride[mode] * (launch.shape[mode] - 1));
    return highest < room_;
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(number_() % static_cast<std::uint64_t>(bound));
  }
  std::uint64_t word_, room_, threads_;
  std::function<std::uint64_t()> number_;
};

}  // namespace coalescing_tests
