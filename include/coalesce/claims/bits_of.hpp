// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/same.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/domain.hpp>

#include <cstdint>

// Finds the bit layout of a function, and writes a bit layout as a swizzle over a plain layout. In a bit layout
// (layout/bits.hpp) each bit of an index has a basis: the address bits that it flips.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void domain_is_no_power_of_two() {
  detail::refuse("bits_of: each extent of the domain is a power of two");
}
[[noreturn]] COALESCE_API inline void function_is_not_linear_over_bits() {
  detail::refuse(
      "bits_of: the function is not linear over bits: at some point its value is not the exclusive or of its values at "
      "the single bits (a base, a padded pitch or a carry makes it so)");
}

}  // namespace refused

namespace detail {  // in place of <bit>, whose functions device code cannot call

COALESCE_API constexpr bool is_a_power_of_two(std::uint64_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}
/// The position of the lowest set bit of a number. The number must not be 0.
COALESCE_API constexpr unsigned lowest_bit(std::uint64_t number) {
  unsigned bit = 0;
  for (; (number & 1) == 0; number >>= 1) ++bit;
  return bit;
}

/// Whether a function of Rank numbers gives integers.
template <class Function, unsigned Rank>
concept gives_numbers = has_values<Function, Rank> && requires(Function const& function, unsigned const (&at)[4]) {
  { detail::value_at<Rank>(function, at) } -> convertible_to_an_index;
};

}  // namespace detail

/// Finds the bit layout of a function of Rank numbers over a domain. The basis of a bit is the function's value where
/// only that bit is set. At every point of the domain, the value is compared with the exclusive or of the bases of the
/// bits that are set. Refused: a function whose value differs from this exclusive or at some point; an extent that is
/// not a power of two.
///
///     constexpr auto bases = co::bits_of(kernel_swizzle, co::domain{64, 128});  // row, column
template <class Function, unsigned Rank>
[[nodiscard]] COALESCE_API constexpr bit_layout<Rank> bits_of(Function const& function, domain<Rank> const& over) {
  constexpr bool has_values = detail::gives_numbers<Function, Rank>;
  static_assert(has_values,
                "bits_of(f, co::domain{n...}): over a domain of N dimensions the function is const-callable with N "
                "numbers, all unsigned, and gives an integer");
  static_assert(!detail::gives_elements<Function>,
                "this layout gives elements, and bits_of() finds bits of byte addresses: say co::elements<T>(layout)");
  bit_layout<Rank> found;
  if constexpr (has_values) {
    std::uint64_t const points = detail::points_of(over);
    detail::check_length(function, over);
    // The points are visited in order; the last argument varies fastest. From one point to the next, the lowest 0 bit
    // of the point's number and all bits below it flip. A point with a single bit set gives the basis of that bit. This
    // point comes before all other points that have the bit.
    std::uint64_t flipped[64] = {};  // element k: the exclusive or of the bases of bits 0 to k
    unsigned at[4] = {};
    std::uint64_t expected = 0;
    for (std::int64_t const extent : over.extent)
      if (!detail::is_a_power_of_two(static_cast<std::uint64_t>(extent))) refused::domain_is_no_power_of_two();
    for (std::uint64_t point = 0; point != points; ++point) {
      auto const value = static_cast<std::uint64_t>(detail::value_at<Rank>(function, at));
      if (detail::is_a_power_of_two(point)) {
        auto const bit = detail::lowest_bit(point);
        for (unsigned argument = 0; argument != Rank; ++argument)
          if (at[argument] != 0) found.basis[argument][found.bits_of[argument]++] = value;
        flipped[bit] = bit == 0 ? value : flipped[bit - 1] ^ value;
        expected = value;
      }
      if (value != expected) refused::function_is_not_linear_over_bits();
      expected ^= flipped[detail::lowest_bit(~point)];
      for (unsigned argument = Rank; argument-- != 0;) {
        if (++at[argument] != over.extent[argument]) break;
        at[argument] = 0;
      }
    }
  }
  return found;
}

/// A bit layout, written as a swizzle over a layout. `found` is false if the bit layout cannot be written so.
template <unsigned Rank>
struct swizzle_of_bits {
  bool found = false;
  coalescing::swizzle swizzle = {};      ///< `swizzle.bits` is 0 if the layout needs no swizzle
  coalescing::layout<Rank> layout = {};  ///< an argument with N bases has the extent 2^N
  bool operator==(swizzle_of_bits const&) const = default;
};

namespace detail {

/// Applies a swizzle to the bases of a bit layout, and finds out whether the result is a plain layout. That is so if
/// - each basis of an argument is twice the one before (the first is the stride), and
/// - no two bases share an address bit, since adding them would carry.
template <unsigned Rank>
COALESCE_API constexpr swizzle_of_bits<Rank> as_layout(bit_layout<Rank> const& of, swizzle const& by) {
  swizzle_of_bits<Rank> answer{.found = true, .swizzle = by};
  std::uint64_t taken = 0;
  for (unsigned argument = 0; argument != Rank; ++argument) {
    std::uint64_t const stride = of.bits_of[argument] == 0 ? 0 : by(of.basis[argument][0]);
    answer.layout.shape[argument] = static_cast<std::int64_t>(std::uint64_t{1} << of.bits_of[argument]);
    answer.layout.stride[argument] = static_cast<std::int64_t>(stride);
    for (unsigned bit = 0; bit != of.bits_of[argument]; ++bit) {
      std::uint64_t const basis = by(of.basis[argument][bit]);
      if (basis != stride << bit || (basis & taken) != 0) return {};
      taken |= basis;
    }
  }
  return answer;
}

}  // namespace detail

/// Writes a bit layout as a swizzle over a layout, with the fewest bits in the swizzle; `found` is false if that is
/// impossible. The function tries swizzles one by one. A swizzle is its own inverse. So each try applies the swizzle to
/// the bases (the address bits that each index bit flips): if the result is a layout, then the swizzle over that layout
/// is the answer. The function skips two kinds:
/// - a swizzle whose shift is not the distance between two bits of a basis: it cannot remove a bit from any basis,
/// - a swizzle whose lowest or highest source bit is in no basis: it equals a swizzle of fewer bits.
template <unsigned Rank>
[[nodiscard]] COALESCE_API constexpr swizzle_of_bits<Rank> as_swizzle(bit_layout<Rank> const& of) {
  auto answer = detail::as_layout(of, swizzle{});
  std::uint64_t used = 0;       // a mask of the bits that are set in at least one basis
  std::uint64_t distances = 0;  // bit n is set if a basis has two bits that are n apart
  for (unsigned argument = 0; argument != Rank; ++argument)
    for (unsigned bit = 0; bit != of.bits_of[argument]; ++bit) {
      std::uint64_t const basis = of.basis[argument][bit];
      used |= basis;
      for (std::uint64_t rest = basis; rest != 0; rest &= rest - 1) distances |= basis >> detail::lowest_bit(rest);
    }
  for (unsigned bits = 1; !answer.found && bits != 32; ++bits)
    for (std::uint64_t rest = distances >> bits << bits; rest != 0; rest &= rest - 1) {
      auto const distance = detail::lowest_bit(rest);
      for (std::uint64_t sources = used & used >> (bits - 1); sources != 0; sources &= sources - 1) {
        auto const source = detail::lowest_bit(sources);
        if (!answer.found && source >= distance)
          answer = detail::as_layout(of, {bits, source - distance, static_cast<int>(distance)});
        if (!answer.found && source + bits + distance <= 64)
          answer = detail::as_layout(of, {bits, source, -static_cast<int>(distance)});
      }
    }
  return answer;
}

}  // namespace coalescing
