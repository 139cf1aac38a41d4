// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/launch.hpp>
#include <coalesce/total/pictures.hpp>
#include <coalesce/total/residues.hpp>

#include <cstdint>

// The cost of every warp of a launch over a layout, in closed form: the work does not grow with the launch.
//
// A warp's cost depends on two things: the distances of its lanes' addresses from the first one (its *picture*), and
// that first address modulo the instruction's period (its *residue*). A launch of any size has few different pictures.
// So the total is a sum over pictures and residues: the number of such warps times the cost of one. The layout's
// extents give that number, without a visit to each warp. The first address is the layout's base plus, for each
// dimension, the index in that dimension (a *digit*) times the stride. total/residues.hpp goes through one digit after
// another, and counts how many warps have each residue.

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
[[noreturn]] COALESCE_API inline void total_does_not_cover_addresses_before_byte_0_beside_others() {
  detail::refuse(
      "some addresses of the layout lie before byte 0, where the instruction's offsets bring them back into the "
      "memory, and others do not: a total in closed form does not cover that; use a launch of a function");
}
[[noreturn]] COALESCE_API inline void total_does_not_cover_so_wide_a_swizzle() {
  detail::refuse(
      "the swizzle combines bits that are too far apart for a total in closed form: more than 1,024 words "
      "of the instruction's alignment; use a launch of a function");
}

}  // namespace refused

namespace detail {

/// Whether a layout has elements at all. Refused: addresses that wrap or lie too far apart; a swizzle that is too wide.
template <class Instruction, unsigned Rank>
COALESCE_API constexpr bool has_elements(closed_form<Rank> const& form) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  bool none = false;
  for (std::int64_t const extent : form.layout.shape) {
    if (extent < 0) refused::layout_has_a_negative_extent();
    none = none || extent == 0;
  }
  static_cast<void>(form.swizzle(form.layout.base));  // refuses a swizzle that is not a permutation
  if (none) return false;
  unsigned const top = form.swizzle.bits == 0 ? 0 : form.swizzle.top();
  if (top > 63 || (std::uint64_t{1} << top) / Instruction::alignment > most_words_of_a_swizzle)
    refused::total_does_not_cover_so_wide_a_swizzle();

  // `below` and `above` are how many bytes the elements reach below and above the base.
  std::uint64_t threads = 1, below = 0, above = 0;
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
  // An instruction's offsets may bring addresses back into the memory that lie before byte 0 (2^32 - 8 stands for -8).
  // The residues keep the highest address of several. It stands for all of them only if all lie in the memory, or all
  // before byte 0.
  constexpr address_limits limits = limits_of<Instruction>();
  if constexpr (limits.nearest != 0) {
    constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
    std::uint64_t const lowest = form.layout.base - below, highest = form.layout.base + above;
    bool const all_before_byte_0 =
        lowest + limits.nearest < limits.nearest || (lowest < wrap && lowest + limits.nearest >= wrap);
    if (highest >= wrap - limits.nearest && (form.swizzle.bits != 0 || !all_before_byte_0))
      refused::total_does_not_cover_addresses_before_byte_0_beside_others();
  }
  return true;
}

/// A launch with one thread for each element, in linear order: the warps follow one another through the layout.
template <class Instruction, unsigned Rank, bool Swizzled>
struct linear_launch : launch_total<Instruction, Swizzled> {
  using total = launch_total<Instruction, Swizzled>;
  using total::wave;

  digit digits[Rank] = {};  ///< one for each dimension, fastest first; contiguous dimensions share one
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

    // The last warp, if some of its lanes lie beyond the last element.
    std::uint64_t const rest = threads % wave;
    if (rest == 0) return;
    std::uint64_t begin = of.base;
    for (unsigned k = 0; k != rank; ++k)
      at[k] = (threads - rest) / digits[k].threads % digits[k].count, begin += at[k] * digits[k].bytes;
    this->found(begin, 1);
    this->add(detail::picture_of<wave>(digits, bounds, at, rest));
  }

  /// Counts the whole warps whose first thread has the values `at` in digits 0 to k - 1. (A digit is the index in one
  /// dimension.) The thread with these values, and 0 in the other digits, has the number `threads` and the address
  /// `bytes`. For the lower values of digit k, the warp ends before digit k does, so the higher digits do not change
  /// within the warp. All such warps have one picture, and are counted together. For each higher value of digit k, the
  /// function calls itself with k + 1.
  COALESCE_API constexpr void warps_from(unsigned k, std::uint64_t threads, std::uint64_t bytes) {
    digit const& digit = digits[k];
    if (threads % gcd(digit.threads, wave) != 0) return;  // digits k and up cannot make `threads` a multiple of `wave`
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
    if (k + 1 == rank) return;  // digit k is the last one: only the partial last warp remains
    for (at[k] = free; at[k] != digit.count; ++at[k])
      warps_from(k + 1, threads + at[k] * digit.threads, bytes + at[k] * digit.bytes);
  }
};

template <class Instruction, bool Swizzled, unsigned Rank>
COALESCE_API constexpr auto total_in_order(closed_form<Rank> const& of) {
  if (!detail::has_elements<Instruction>(of)) return typename Instruction::cost_type{};
  return linear_launch<Instruction, Rank, Swizzled>(of).sum;
}

/// The total of a launch of the blocks that cover a layout. The layout's modes 0, 1 and 2 lie along x, y and z. Threads
/// beyond the layout's extents are not active. Along each dimension there are whole blocks, and at most one block that
/// the end of the layout cuts.
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

  // Each iteration counts one kind of block. If bit k of is_cut is set, the end of the layout cuts these blocks along
  // dimension k. If it is not set, they are whole along dimension k.
  for (unsigned is_cut = 0; is_cut != 8; ++is_cut) {
    std::uint64_t bounds[3] = {}, begin = of.base;
    digit blocks[3] = {};  // for each dimension that is not cut: how many whole blocks, and how far apart
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
      // A warp without active lanes issues nothing.
      if (next.active != 0) total.count(blocks, rank, 1, 0, begin + next.first);
    }
    total.add(before);
  }
  return total.sum;
}

}  // namespace detail
}  // namespace coalescing
