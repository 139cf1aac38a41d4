// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/waves.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>

// The cost of every warp of a launch over a layout, in closed form: at an expense that does not grow with the launch.
//
// What a warp costs depends on how far its lanes' addresses lie from that of its first one, and on that first address
// modulo the instruction's period. Few different such pictures exist, whatever the size of the launch. So a total is
// the sum, over the pictures and over the residues of the first address, of how many warps there are times what one
// costs. How many follows from the extents: addresses are sums of digits, each of which contributes its residues in
// turn.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void total_does_not_cover_addresses_that_wrap() {
  detail::refuse(
      "the addresses of the layout pass the top of the 64-bit address space, or byte 0: a total in closed "
      "form does not cover that");
}
[[noreturn]] COALESCE_API inline void total_does_not_cover_addresses_so_far_apart() {
  detail::refuse(
      "an element of the layout is 2^63 bytes or more from its base: a total in closed form does not cover that; use a "
      "launch of a function");
}
[[noreturn]] COALESCE_API inline void total_does_not_cover_so_wide_a_swizzle() {
  detail::refuse(
      "the swizzle combines bits that are too far apart for a total in closed form: more than 1,024 words "
      "of the instruction's alignment; use a launch of a function");
}

}  // namespace refused

namespace detail {

/// The greatest common divisor of a number and a power of two.
COALESCE_API constexpr std::uint64_t gcd(std::uint64_t number, std::uint64_t power) {
  return number % power == 0 ? power : number & (~number + 1);
}

/// A layout, and how its addresses are swizzled: what has a total in closed form.
template <unsigned Rank>
struct closed_form {
  coalescing::layout<Rank> layout;
  coalescing::swizzle swizzle = {};
};

/// A digit of a sum: each step of it adds so many threads and bytes.
struct digit {
  std::uint64_t count = 1, threads = 0, bytes = 0;
};

/// How the lanes of a warp stand to each other.
template <unsigned Lanes>
struct picture {
  std::uint64_t offset[Lanes] = {};  ///< bytes from the first active lane; others stand where an active one does
  std::uint64_t first = 0;           ///< bytes to that lane from where all digits are 0
  std::uint64_t active = 0;          ///< bit k: lane k

  COALESCE_API constexpr bool is_like(picture const& other) const {
    if (active != other.active) return false;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if (offset[lane] != other.offset[lane]) return false;
    return true;
  }
};

/// Lane after lane, counting on from digits `at`. Active are those whose every digit is less than its bound.
template <unsigned Lanes, unsigned Rank>
COALESCE_API constexpr picture<Lanes> picture_of(digit const (&digits)[Rank], std::uint64_t const (&bounds)[Rank],
                                                 std::uint64_t (&at)[Rank], std::uint64_t threads) {
  picture<Lanes> seen;
  std::uint64_t here = 0, last = 0;
  for (unsigned k = 0; k != Rank; ++k) here += at[k] * digits[k].bytes;
  unsigned lane = 0;
  while (lane != threads) {
    // A run of lanes along the first digit, the first of which are active.
    std::uint64_t const left = threads - lane, row = digits[0].count - at[0], run = row < left ? row : left;
    std::uint64_t active = at[0] >= bounds[0] ? 0 : bounds[0] - at[0] < run ? bounds[0] - at[0] : run;
    for (unsigned k = 1; k != Rank; ++k) active = at[k] >= bounds[k] ? 0 : active;
    if (active != 0) {
      if (seen.active == 0) seen.first = here;
      seen.active |= all_lanes >> (64 - active) << lane;
      std::uint64_t next = here - seen.first;
      for (std::uint64_t k = 0; k != active; ++k) seen.offset[lane++] = next, next += digits[0].bytes;
      last = next - digits[0].bytes;
    }
    for (std::uint64_t k = active; k != run; ++k) seen.offset[lane++] = last;
    at[0] += run, here += run * digits[0].bytes;
    for (unsigned k = 0; k + 1 != Rank && at[k] == digits[k].count; ++k)
      here += digits[k + 1].bytes - at[k] * digits[k].bytes, at[k] = 0, ++at[k + 1];
  }
  while (lane != Lanes) seen.offset[lane++] = last;
  return seen;
}

/// A swizzle tells more addresses apart than an instruction does: those within so many words of its alignment.
inline constexpr std::uint64_t most_words_of_a_swizzle = 1024;

/// Adds up the warps of a launch.
template <class Instruction, bool Swizzled>
struct launch_total {
  static constexpr unsigned wave = wave_of<Instruction>, lanes = asked_lanes<Instruction>,
                            word = Instruction::alignment;
  static_assert(gcd(0, wave) == wave && gcd(Instruction::period, word) == word);
  static constexpr std::uint64_t residues = Swizzled ? most_words_of_a_swizzle : Instruction::period / word;

  typename Instruction::cost_type sum{};

  coalescing::swizzle swizzle;
  std::uint64_t modulus = Instruction::period;  ///< shifting a warp by so many bytes does not change its cost
  std::uint64_t start, step;                    ///< the residues that occur: these words
  std::uint64_t times[residues] = {};           ///< how many warps of the present picture begin at each residue,
  std::uint64_t address[residues] = {};         ///< and where the highest of them does

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

  /// Counts the warps whose first address is `bytes` and any values of the digits, where the number of threads before
  /// it is a multiple of `warp`.
  COALESCE_API constexpr void count(digit const* digits, unsigned rank, std::uint64_t warp, std::uint64_t threads,
                                    std::uint64_t bytes, std::uint64_t each = 1) {
    if (rank == 0) return found(bytes, each);
    digit const& last = digits[rank - 1];
    if (rank != 1) {
      // Values that are equal modulo `same` have the same residues; the one that leads to the highest bytes stands for
      // them.
      std::uint64_t const by_threads = warp / gcd(last.threads, warp), by_bytes = modulus / gcd(last.bytes, modulus),
                          same = by_threads > by_bytes ? by_threads : by_bytes;
      for (std::uint64_t k = 0; k != same && k != last.count; ++k)
        count(digits, rank - 1, warp, threads + k * last.threads,
              bytes + (last.bytes >> 63 != 0 ? k : last.count - 1 - (last.count - 1 - k) % same) * last.bytes,
              each * ((last.count - 1 - k) / same + 1));
      return;
    }
    // threads + k * last.threads is 0 modulo `warp` for one k modulo `apart`, if for any. (odd * (2 - odd * odd) is the
    // inverse of an odd number modulo 64.)
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
    // The highest is asked about, since it must lie in memory; but a misaligned one, once found, is to be refused.
    if (times[residue] == 0 || begin % word != 0 || (address[residue] % word == 0 && begin > address[residue]))
      address[residue] = begin;
    times[residue] += warps;
  }

  /// Adds the costs of the warps that were counted, which are of this picture.
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
    detail::settle(asked, any, limits_of<Instruction>(word));
    return asked;
  }
};

/// Whether a layout has elements. Refused: one whose addresses wrap or lie too far apart; a swizzle that is too wide.
template <class Instruction, unsigned Rank>
COALESCE_API constexpr bool has_elements(closed_form<Rank> const& form) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  bool none = false;
  for (std::int64_t const extent : form.layout.shape) {
    if (extent < 0) refused::layout_has_a_negative_extent();
    none = none || extent == 0;
  }
  static_cast<void>(form.swizzle(form.layout.base));  // refused: what is no permutation
  if (none) return false;
  unsigned const top = form.swizzle.bits == 0 ? 0 : form.swizzle.top();
  if (top > 63 || (std::uint64_t{1} << top) / Instruction::alignment > most_words_of_a_swizzle)
    refused::total_does_not_cover_so_wide_a_swizzle();

  std::uint64_t threads = 1, below = 0, above = 0;  // below, above: bytes from the base
  for (unsigned k = 0; k != Rank; ++k) {
    auto const extent = static_cast<std::uint64_t>(form.layout.shape[k]);
    threads = detail::count_threads(threads, extent);
    bool const down = form.layout.stride[k] < 0;
    auto const stride = static_cast<std::uint64_t>(form.layout.stride[k]), distance = down ? 0 - stride : stride;
    if (distance != 0 && extent - 1 > (half - 1) / distance) refused::total_does_not_cover_addresses_so_far_apart();
    (down ? below : above) += (extent - 1) * distance;
    if (below >= half || above >= half) refused::total_does_not_cover_addresses_so_far_apart();
  }
  if (below > form.layout.base || above > ~form.layout.base) refused::total_does_not_cover_addresses_that_wrap();
  return true;
}

/// A thread an element, in linear order: the warps one after the other.
template <class Instruction, unsigned Rank, bool Swizzled>
struct linear_launch : launch_total<Instruction, Swizzled> {
  using total = launch_total<Instruction, Swizzled>;
  using total::wave;

  digit digits[Rank] = {};  ///< the modes, the fastest first, those that follow each other merged
  std::uint64_t bounds[Rank] = {};
  unsigned rank = 0;
  std::uint64_t at[Rank] = {};

  COALESCE_API constexpr explicit linear_launch(closed_form<Rank> const& form) : total(form) {
    auto const& of = form.layout;
    std::uint64_t threads = 1;
    for (unsigned k = 0; k != Rank; ++k) {
      digit const next{static_cast<std::uint64_t>(of.shape[k]), threads, static_cast<std::uint64_t>(of.stride[k])};
      threads *= next.count;
      if (rank != 0 && digits[rank - 1].count * digits[rank - 1].bytes == next.bytes)
        digits[rank - 1].count *= next.count;
      else if (next.count != 1)
        digits[rank++] = next;
    }
    if (rank == 0) digits[rank++].threads = 1;
    for (unsigned k = 0; k != Rank; ++k) bounds[k] = digits[k].count;
    warps_from(0, 0, of.base);

    // The last warp, if some of its lanes are beyond the end.
    std::uint64_t const rest = threads % wave;
    if (rest == 0) return;
    std::uint64_t begin = of.base;
    for (unsigned k = 0; k != rank; ++k)
      at[k] = (threads - rest) / digits[k].threads % digits[k].count, begin += at[k] * digits[k].bytes;
    this->found(begin, 1);
    this->add(detail::picture_of<wave>(digits, bounds, at, rest));
  }

  /// The whole warps whose first thread has the digits `at` below digit k, which stand for so many threads and bytes.
  /// As long as digit k is not carried within a warp, all above it are the same for all its lanes, and its own value
  /// makes no difference either: one picture.
  COALESCE_API constexpr void warps_from(unsigned k, std::uint64_t threads, std::uint64_t bytes) {
    digit const& digit = digits[k];
    if (threads % gcd(digit.threads, wave) != 0) return;  // no warp begins there
    std::uint64_t const carried = (threads + (wave - 1)) / digit.threads,
                        free = digit.count > carried ? digit.count - carried : 0;
    if (free != 0) {
      detail::digit others[Rank] = {};
      for (unsigned j = k; j != rank; ++j) others[j - k] = digits[j];
      others[0].count = free;
      this->count(others, rank - k, wave, threads, bytes);
      std::uint64_t from[Rank] = {};
      for (unsigned j = 0; j != k; ++j) from[j] = at[j];
      this->add(detail::picture_of<wave>(digits, bounds, from, wave));
    }
    if (k + 1 == rank) return;  // the digits above are all used up: only the last warp of all is left
    for (at[k] = free; at[k] != digit.count; ++at[k])
      warps_from(k + 1, threads + at[k] * digit.threads, bytes + at[k] * digit.bytes);
  }
};

template <class Instruction, bool Swizzled, unsigned Rank>
COALESCE_API constexpr auto total_in_order(closed_form<Rank> const& of) {
  if (!detail::has_elements<Instruction>(of)) return typename Instruction::cost_type{};
  return linear_launch<Instruction, Rank, Swizzled>(of).sum;
}

/// Blocks that cover the layout, whose modes are x, y and z; threads beyond its extents are not active. In each
/// dimension there are whole blocks, and at most one that is cut by the extent.
template <class Instruction, bool Swizzled, unsigned Rank>
COALESCE_API constexpr auto total_of_blocks(closed_form<Rank> const& form, block const& extents) {
  static_assert(Rank <= 3, "blocks have three dimensions: they cover layouts of up to three modes");
  constexpr unsigned wave = wave_of<Instruction>;
  std::uint64_t const threads = detail::threads_of(extents);
  auto const& of = form.layout;
  if (!detail::has_elements<Instruction>(form)) return typename Instruction::cost_type{};
  launch_total<Instruction, Swizzled> total(form);
  std::int64_t const block_of[] = {extents.x, extents.y, extents.z};
  digit block_digits[3] = {};
  std::uint64_t whole[3] = {}, cut[3] = {};
  for (unsigned k = 0; k != 3; ++k) {
    auto const count = static_cast<std::uint64_t>(block_of[k]),
               extent = k < Rank ? static_cast<std::uint64_t>(of.shape[k % Rank]) : 1;
    block_digits[k] = {.count = count, .bytes = k < Rank ? static_cast<std::uint64_t>(of.stride[k % Rank]) : 0};
    whole[k] = extent / count, cut[k] = extent % count;
  }

  for (unsigned is_cut = 0; is_cut != 8; ++is_cut) {  // bit k: the block that is cut in dimension k
    std::uint64_t bounds[3] = {}, begin = of.base;
    digit blocks[3] = {};  // the other dimensions' whole blocks
    unsigned rank = 0;
    bool some = true;
    for (unsigned k = 0; k != 3; ++k) {
      std::uint64_t const stride = block_digits[k].count * block_digits[k].bytes;
      if ((is_cut >> k & 1) != 0)
        bounds[k] = cut[k], begin += whole[k] * stride;
      else
        bounds[k] = block_digits[k].count, blocks[rank++] = {.count = whole[k], .bytes = stride};
      some = some && ((is_cut >> k & 1) != 0 ? cut[k] : whole[k]) != 0;
    }
    if (!some) continue;
    picture<wave> before{};
    for (std::uint64_t thread = 0; thread < threads; thread += wave) {
      auto const at = detail::place_of(thread, extents);
      std::uint64_t from[3] = {at.x, at.y, at.z};
      auto const next =
          detail::picture_of<wave>(block_digits, bounds, from, threads - thread < wave ? threads - thread : wave);
      if (!next.is_like(before)) total.add(before), before = next;
      if (next.active != 0) total.count(blocks, rank, 1, 0, begin + next.first);  // else it is not issued
    }
    total.add(before);
  }
  return total.sum;
}

}  // namespace detail
}  // namespace coalescing
