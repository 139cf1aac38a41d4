// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/pictures.hpp>

#include <cstdint>

// Counts the warps of a launch by their residues. A residue is a warp's first address modulo the instruction's period:
// if all addresses move by a period, the cost stays the same. Residues are counted in words. A word has as many bytes
// as the instruction's alignment.

namespace coalescing::detail {

/// The greatest common divisor of a number and a power of two.
COALESCE_API constexpr std::uint64_t gcd(std::uint64_t number, std::uint64_t power) {
  return number % power == 0 ? power : number & (~number + 1);
}

/// A layout, and the swizzle of its addresses. The total over them has a closed form.
template <unsigned Rank>
struct closed_form {
  coalescing::layout<Rank> layout;
  coalescing::swizzle swizzle = {};
};

/// With a swizzle the cost may depend on more address bits than without one: on the address modulo 2^swizzle.top()
/// bytes. That modulus may be at most this many words. A word is as long as the instruction's alignment.
inline constexpr std::uint64_t most_words_of_a_swizzle = 1024;

/// Adds up the costs of the warps of a launch.
template <class Instruction, bool Swizzled>
struct launch_total {
  static constexpr unsigned wave = wave_of<Instruction>, lanes = asked_lanes<Instruction>,
                            word = Instruction::alignment;
  static_assert(gcd(0, wave) == wave && gcd(Instruction::period, word) == word);
  static constexpr std::uint64_t residues = Swizzled ? most_words_of_a_swizzle : Instruction::period / word;

  typename Instruction::cost_type sum{};

  coalescing::swizzle swizzle;
  std::uint64_t modulus = Instruction::period;  ///< moving a warp by this many bytes does not change its cost
  std::uint64_t start, step;                    ///< warps begin at start + k * step words, modulo `modulus`
  std::uint64_t times[residues] = {};           ///< for each residue, how many warps with one picture begin there
  /// For each residue, the highest first address of these warps: if it lies in memory, all do. found() has the details.
  std::uint64_t address[residues] = {};

  template <unsigned Rank>
  COALESCE_API constexpr explicit launch_total(closed_form<Rank> const& of) : swizzle(of.swizzle) {
    if constexpr (Swizzled) {
      std::uint64_t const top = std::uint64_t{1} << (swizzle.bits == 0 ? 0 : swizzle.top());
      if (top > modulus) modulus = top;
    }
    std::uint64_t common = modulus;
    for (unsigned k = 0; k != Rank; ++k)
      if (of.layout.shape[k] > 1) common = gcd(static_cast<std::uint64_t>(of.layout.stride[k]), common);
    step = common > word ? common / word : 1;
    start = of.layout.base / word % step;
  }

  /// Counts `each` warps for each choice of values of the digits (a digit is the index in one dimension). If all digits
  /// are 0, the warp begins at address `bytes`, and `threads` threads precede it. A value k of a digit adds k *
  /// digit.bytes to the address, and k * digit.threads to the number of threads. If that number is not a multiple of
  /// `warp`, no warp begins there, and the choice is left out.
  COALESCE_API constexpr void count(digit const* digits, unsigned rank, std::uint64_t warp, std::uint64_t threads,
                                    std::uint64_t bytes, std::uint64_t each = 1) {
    if (rank == 0) return found(bytes, each);
    digit const& last = digits[rank - 1];
    if (rank != 1) {
      // If two values of the last digit are equal modulo `same`, their warps have equal residues. The value with the
      // highest address stands for all of them, since found() keeps the highest address.
      std::uint64_t const by_threads = warp / gcd(last.threads, warp), by_bytes = modulus / gcd(last.bytes, modulus),
                          same = by_threads > by_bytes ? by_threads : by_bytes;
      for (std::uint64_t k = 0; k != same && k != last.count; ++k)
        count(digits, rank - 1, warp, threads + k * last.threads,
              bytes + (last.bytes >> 63 != 0 ? k : last.count - 1 - (last.count - 1 - k) % same) * last.bytes,
              each * ((last.count - 1 - k) / same + 1));
      return;
    }
    // threads + k * last.threads is a multiple of `warp` for one k modulo `apart`, or for no k. (odd * (2 - odd * odd)
    // is the inverse of an odd number modulo 64, and `apart` divides 64.)
    std::uint64_t const common = gcd(last.threads, warp), apart = warp / common, odd = last.threads / common;
    std::uint64_t const k = (0 - threads / common) * odd * (2 - odd * odd) % apart;
    if (threads % common != 0 || k >= last.count) return;
    std::uint64_t const values = (last.count - 1 - k) / apart + 1, stride = apart * last.bytes,
                        same = modulus / gcd(stride, modulus);
    for (std::uint64_t n = 0; n != same && n != values; ++n)
      found(bytes + k * last.bytes + (last.bytes >> 63 != 0 ? n : values - 1 - (values - 1 - n) % same) * stride,
            each * ((values - 1 - n) / same + 1));
  }
  COALESCE_API constexpr void found(std::uint64_t begin, std::uint64_t warps) {
    std::uint64_t const residue = begin % modulus / word;
    // Among the addresses with one residue, the highest is kept: if the highest lies in memory, all of them do. But a
    // misaligned address is kept instead of the highest one, so that add() refuses it.
    if (times[residue] == 0 || off_a_word(begin) != 0 ||
        (off_a_word(address[residue]) == 0 && begin > address[residue]))
      address[residue] = begin;
    times[residue] += warps;
  }
  /// How many bytes the address of a warp's first thread, swizzled, lies above a multiple of the alignment.
  COALESCE_API constexpr std::uint64_t off_a_word(std::uint64_t begin) const {
    if constexpr (Swizzled)
      return swizzle(begin) % word;
    else
      return begin % word;
  }

  /// Adds the costs of the warps that were counted since the last call. `warp` is the picture of all of them.
  COALESCE_API constexpr void add(picture<wave> const& warp) {
    for (std::uint64_t residue = start; residue < modulus / word; residue += step)
      if (times[residue] != 0)
        sum += detail::cost_of_wave<Instruction>(asked_at(warp, address[residue])) * times[residue], times[residue] = 0;
  }
  COALESCE_API constexpr access<lanes> asked_at(picture<wave> const& warp, std::uint64_t begin) const {
    access<lanes> asked;
    asked.active = detail::asked_of_wave<Instruction>(warp.active);
    asked.bytes = Instruction::bytes;
    std::uint64_t any = 0, all = all_lanes;
    for (unsigned lane = 0; lane != lanes; ++lane) {
      std::uint64_t const here = Swizzled ? swizzle(begin + warp.offset[lane]) : begin + warp.offset[lane];
      asked.address[lane] = here, any |= here, all &= here;
    }
    asked.differ = any & ~all;
    detail::complete(asked, any, limits_of<Instruction>(word));
    return asked;
  }
};

}  // namespace coalescing::detail
