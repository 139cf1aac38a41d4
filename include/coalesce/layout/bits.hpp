// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>

#include <cstdint>

// Layouts that are linear over bits, such as Triton's linear layouts and CUTLASS's swizzles. Each bit of each argument
// has a basis, and the address is the exclusive or of the bases of the bits that are set.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void bit_layout_has_no_such_element(std::uint64_t) {
  detail::refuse("bit_layout: an argument has a bit for which the layout has no basis");
}

}  // namespace refused

/// The bases of one argument of a bit_layout, in bytes: bits{4, 8, 128} says that bit 0 of the argument flips address
/// bit 2, bit 1 flips bit 3, and bit 2 flips bit 7. A basis may have several bits set, or none.
template <unsigned N>
struct bits {
  std::uint64_t basis[N == 0 ? 1 : N] = {};

  template <detail::integer... Bases>
  requires(sizeof...(Bases) == N) COALESCE_API constexpr bits(Bases... of) : basis{static_cast<std::uint64_t>(of)...} {}
  bool operator==(bits const&) const = default;
};
template <detail::integer... Bases>
#if defined(__clang__) && __clang_major__ < 22  // clang before 22 needs COALESCE_API here; later ones reject it
COALESCE_API
#endif
bits(Bases...)
    ->bits<sizeof...(Bases)>;

/// A layout that is linear over bits. Each bit of each argument has a basis: the address bits that it flips.
/// bit_layout{bits{4, 8, 16, 32, 64}, bits{128, 256}} has (lane, warp) at byte 4 * lane + 128 * warp, for 32 lanes and
/// 4 warps. If bases have a bit in common, the address is their exclusive or, not their sum. A layout with one argument
/// is a pattern; one with several arguments is a pattern over a co::domain. A kernel can compute its indices with a
/// bit_layout. Refused: an argument that has a bit without a basis; more than 32 bases of an argument.
///
/// co::bits_of(f, domain) in claims.hpp finds the bases of a function, and co::as_swizzle() finds the swizzle that a
/// bit layout equals.
template <unsigned Rank>
struct bit_layout {
  static_assert(Rank != 0 && Rank <= 5, "a bit layout has one to five arguments");
  static constexpr unsigned most_bits = 32;
  unsigned bits_of[Rank] = {};                ///< how many bits each argument has
  std::uint64_t basis[Rank][most_bits] = {};  ///< basis[k][b]: the address bits that bit b of argument k flips

  constexpr bit_layout() = default;
  template <unsigned... N>
  requires(sizeof...(N) == Rank) COALESCE_API constexpr bit_layout(bits<N> const&... of) {
    static_assert(((N <= most_bits) && ...), "bit_layout: an argument has at most 32 bases");
    unsigned argument = 0;
    (take(argument++, of), ...);
  }

  /// The byte address of the element with these indices.
  template <detail::integer... At>
  requires(sizeof...(At) == Rank) [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    std::uint64_t address = 0;
    unsigned argument = 0;
    return ((address ^= part(argument++, static_cast<std::uint64_t>(at))), ...), address;
  }
  // nvcc 13 cannot default this operator.
  [[nodiscard]] COALESCE_API constexpr bool operator==(bit_layout const& other) const {
    bool equal = true;
    for (unsigned argument = 0; argument != Rank; ++argument) {
      equal = equal && bits_of[argument] == other.bits_of[argument];
      for (unsigned bit = 0; equal && bit != bits_of[argument]; ++bit)
        equal = basis[argument][bit] == other.basis[argument][bit];
    }
    return equal;
  }

 private:
  template <unsigned N>
  COALESCE_API constexpr void take(unsigned argument, bits<N> const& of) {
    bits_of[argument] = N;
    for (unsigned bit = 0; bit != N; ++bit) basis[argument][bit] = of.basis[bit];
  }
  COALESCE_API constexpr std::uint64_t part(unsigned argument, std::uint64_t at) const {
    if (at >> bits_of[argument] != 0) refused::bit_layout_has_no_such_element(at);
    std::uint64_t address = 0;
    for (unsigned bit = 0; at != 0; ++bit, at >>= 1)
      if (at & 1) address ^= basis[argument][bit];
    return address;
  }
};
template <unsigned... N>
#if defined(__clang__) && __clang_major__ < 22  // clang before 22 needs COALESCE_API here; later ones reject it
COALESCE_API
#endif
bit_layout(bits<N> const&...)
    ->bit_layout<sizeof...(N)>;

}  // namespace coalescing
