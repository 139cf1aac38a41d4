// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>

#include <cstdint>

// Counts the distinct words, sectors or lines that lanes touch, without sorting. Each of these is known by a number,
// such as its address divided by its size. If the numbers are close together, each number sets a bit of one mask. If
// the addresses ascend, one pass suffices, since equal numbers are neighbours. Otherwise a small hash table remembers
// the first lane with each number. An inactive lane has the address of an active one, and so adds nothing.

namespace coalescing::detail {

COALESCE_API constexpr std::uint64_t count_bits(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555'5555'5555'5555;  // in each 2 bits, the number of set bits
  bits = (bits & 0x3333'3333'3333'3333) + (bits >> 2 & 0x3333'3333'3333'3333);  // in each 4 bits, too
  bits = (bits + (bits >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;                          // in each 8 bits
  return bits * 0x0101'0101'0101'0101 >> 56;                                    // the sum of all eight bytes
}

/// one_bit[k] has bit k alone. At run time a look-up is faster than a shift. (With shifts, clang handles two lanes at a
/// time. It loads their two addresses at once, and this load waits for the two stores of these addresses. With g++, a
/// shift takes more instructions than the look-up.) nvcc cannot read the table in a kernel. The table is written out,
/// because a loop that fills it would be executed in every compilation.
inline constexpr std::uint64_t one_bit[64] = {
    0x0000'0000'0000'0001, 0x0000'0000'0000'0002, 0x0000'0000'0000'0004, 0x0000'0000'0000'0008,  // bits 0 to 3
    0x0000'0000'0000'0010, 0x0000'0000'0000'0020, 0x0000'0000'0000'0040, 0x0000'0000'0000'0080,  // bits 4 to 7
    0x0000'0000'0000'0100, 0x0000'0000'0000'0200, 0x0000'0000'0000'0400, 0x0000'0000'0000'0800,  // bits 8 to 11
    0x0000'0000'0000'1000, 0x0000'0000'0000'2000, 0x0000'0000'0000'4000, 0x0000'0000'0000'8000,  // bits 12 to 15
    0x0000'0000'0001'0000, 0x0000'0000'0002'0000, 0x0000'0000'0004'0000, 0x0000'0000'0008'0000,  // bits 16 to 19
    0x0000'0000'0010'0000, 0x0000'0000'0020'0000, 0x0000'0000'0040'0000, 0x0000'0000'0080'0000,  // bits 20 to 23
    0x0000'0000'0100'0000, 0x0000'0000'0200'0000, 0x0000'0000'0400'0000, 0x0000'0000'0800'0000,  // bits 24 to 27
    0x0000'0000'1000'0000, 0x0000'0000'2000'0000, 0x0000'0000'4000'0000, 0x0000'0000'8000'0000,  // bits 28 to 31
    0x0000'0001'0000'0000, 0x0000'0002'0000'0000, 0x0000'0004'0000'0000, 0x0000'0008'0000'0000,  // bits 32 to 35
    0x0000'0010'0000'0000, 0x0000'0020'0000'0000, 0x0000'0040'0000'0000, 0x0000'0080'0000'0000,  // bits 36 to 39
    0x0000'0100'0000'0000, 0x0000'0200'0000'0000, 0x0000'0400'0000'0000, 0x0000'0800'0000'0000,  // bits 40 to 43
    0x0000'1000'0000'0000, 0x0000'2000'0000'0000, 0x0000'4000'0000'0000, 0x0000'8000'0000'0000,  // bits 44 to 47
    0x0001'0000'0000'0000, 0x0002'0000'0000'0000, 0x0004'0000'0000'0000, 0x0008'0000'0000'0000,  // bits 48 to 51
    0x0010'0000'0000'0000, 0x0020'0000'0000'0000, 0x0040'0000'0000'0000, 0x0080'0000'0000'0000,  // bits 52 to 55
    0x0100'0000'0000'0000, 0x0200'0000'0000'0000, 0x0400'0000'0000'0000, 0x0800'0000'0000'0000,  // bits 56 to 59
    0x1000'0000'0000'0000, 0x2000'0000'0000'0000, 0x4000'0000'0000'0000, 0x8000'0000'0000'0000};
#if defined(__CUDACC__) && defined(__NVCC__)
#define COALESCE_BIT(k) (std::uint64_t{1} << (k))
#else
#define COALESCE_BIT(k) (coalescing::detail::one_bit[k])
#endif

/// Remembers the first lane with each number, in a hash table with open addressing. A slot holds the lane's index plus
/// 1, or 0 if the slot is free.
template <unsigned Lanes>
struct first_lanes {
  static constexpr unsigned capacity = 8 * next_power_of_two(Lanes);
  unsigned char lane_in[capacity] = {};
  std::uint64_t number_of[Lanes];

  /// The first lane with the number. This is `lane` itself if no earlier lane has the number.
  COALESCE_API constexpr unsigned operator()(std::uint64_t number, unsigned lane) {
    unsigned slot =
        static_cast<unsigned>(number * 0x9e37'79b9'7f4a'7c15 >> 32) % capacity;  // 2^64 divided by the golden ratio
    while (lane_in[slot] != 0 && number_of[lane_in[slot] - 1] != number) slot = (slot + 1) % capacity;
    // This is one statement, since compilers limit the number of statements in a constant expression.
    return lane_in[slot] != 0 ? lane_in[slot] - 1u
                              : (number_of[lane] = number, lane_in[slot] = static_cast<unsigned char>(lane + 1), lane);
  }
};

/// Whether no lane has a lower address than the lane before it.
template <unsigned Lanes>
COALESCE_API constexpr bool ascends(access<Lanes> const& asked) {
  for (unsigned lane = 1; lane < Lanes; ++lane)
    if (asked.address[lane] < asked.address[lane - 1]) return false;
  return true;
}

/// The number of different values of address / Size among the active lanes.
template <std::uint64_t Size, unsigned Lanes>
COALESCE_COUNT constexpr std::uint64_t count_distinct(access<Lanes> const& asked) {
  if (asked.active == 0) return 0;
  if (asked.differ / Size == 0) return 1;
  if (asked.differ / Size < 64) {  // all values of address / Size lie in one aligned group of 64
    // How many lanes one statement handles. Compilers limit the number of statements in a constant expression.
    constexpr unsigned step = Lanes % 4 == 0 ? 4 : 1;
    std::uint64_t seen = 0;
    for (unsigned lane = 0; lane != Lanes; lane += step)
      seen |= COALESCE_BIT(asked.address[lane] / Size % 64) | COALESCE_BIT(asked.address[lane + 1 % step] / Size % 64) |
              COALESCE_BIT(asked.address[lane + 2 % step] / Size % 64) |
              COALESCE_BIT(asked.address[lane + 3 % step] / Size % 64);
    return detail::count_bits(seen);
  }
  std::uint64_t count = 1, before = asked.address[0] / Size, here = 0;
  unsigned lane = 1;
  for (; lane != Lanes && (here = asked.address[lane] / Size) >= before; ++lane) count += here != before, before = here;
  if (lane == Lanes) return count;  // all addresses ascend, so the count is complete
  first_lanes<Lanes> first;
  for (lane = 0, count = 0; lane != Lanes; ++lane) count += first(asked.address[lane] / Size, lane) == lane;
  return count;
}

/// The number of aligned pieces of Size bytes that the lanes together cover completely. Each lane accesses Bytes bytes,
/// naturally aligned.
template <unsigned Size, unsigned Bytes, unsigned Lanes>
COALESCE_COUNT constexpr std::uint64_t count_whole(access<Lanes> const& asked) {
  static_assert(Bytes <= Size && Size <= 64, "a bit for each byte of a piece");
  constexpr std::uint64_t all = all_lanes >> (64 - Size), word = all_lanes >> (64 - Bytes);
  if (asked.active == 0) return 0;
  first_lanes<Lanes> first;
  // named[k]: if lane k is the first lane that accesses a piece, a mask of the accessed bytes of this piece.
  std::uint64_t named[Lanes] = {}, count = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    std::uint64_t& bytes = named[first(asked.address[lane] / Size, lane)];
    if (bytes != all) bytes |= word << asked.address[lane] % Size, count += bytes == all;
  }
  return count;
}

/// The largest number of active lanes that have the same address.
template <unsigned Lanes>
COALESCE_COUNT constexpr std::uint64_t most_on_one_address(access<Lanes> const& asked) {
  first_lanes<Lanes> first;
  // lanes[k]: how many lanes so far have lane k's address, if lane k is the first lane with this address.
  unsigned lanes[Lanes] = {}, most = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0) most += ++lanes[first(asked.address[lane], lane)] > most;
  return most;
}

/// How many aligned groups of `size` lanes (a power of two) have an active lane.
COALESCE_API constexpr std::uint64_t active_groups(std::uint64_t active, unsigned size) {
  for (unsigned have = 1; have != size; have *= 2)
    active |= active >> have;  // after the loop: a group's lowest bit is set if one of its lanes is active
  std::uint64_t lowest = 1;
  for (unsigned have = size; have < 64; have *= 2) lowest |= lowest << have;
  return count_bits(active & lowest);
}

/// The mask of the lanes of group `index`, when a wave is served `lanes` lanes at a time: part_of_wave(1, 16) is
/// 0xffff'0000.
COALESCE_API constexpr std::uint64_t part_of_wave(unsigned index, unsigned lanes) {
  return all_lanes >> (64 - lanes) << index * lanes;
}

/// A pattern that gives the addresses of a wave from some lane on. If `first` points to the address of lane 16, the
/// pattern gives its lane 3 the address of lane 19.
struct lanes_from {
  std::uint64_t const* first;
  COALESCE_API constexpr std::uint64_t operator()(unsigned lane) const { return first[lane]; }
};
/// Cuts a wave into groups of Count lanes, and returns the access of group `index` alone.
template <unsigned Count, unsigned Lanes>
COALESCE_API constexpr decltype(auto) part_of(access<Lanes> const& asked, unsigned index) {
  if constexpr (Count == Lanes)
    return (asked);  // in brackets, so that decltype(auto) gives a reference and no copy
  else
    return detail::apply<Count>(lanes_from{asked.address + index * Count},
                                asked.active >> index * Count & wave_mask<Count>,
                                {.bytes = asked.bytes, .alignment = 1});
}

/// The number of pieces of Size bytes that the lanes touch, counted for Count lanes at a time. So a piece that two
/// groups touch counts twice. (To copy each group into an access of its own would take as long as counting.)
template <std::uint64_t Size, unsigned Count, unsigned Lanes>
COALESCE_API constexpr std::uint64_t count_by_parts(access<Lanes> const& asked) {
  if (asked.differ / Size == 0) return detail::active_groups(asked.active, Count);
  if constexpr (Count == Lanes) return detail::count_distinct<Size>(asked);
  // The number of a piece and of the group that touches it: address / Size * groups + lane / Count.
  constexpr unsigned groups = Lanes / Count;
  static_assert(groups <= Size, "a piece's number leaves bits for the group's");
  if (asked.differ / Size < 64 / groups) {  // all numbers lie in one aligned group of 64
    std::uint64_t seen = 0;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if ((asked.active >> lane & 1) != 0)
        seen |= COALESCE_BIT((asked.address[lane] / Size * groups + lane / Count) % 64);
    return detail::count_bits(seen);
  }
  std::uint64_t count = 0;
  first_lanes<Lanes> first;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0)
      count += first(asked.address[lane] / Size * groups + lane / Count, lane) == lane;
  return count;
}

#undef COALESCE_BIT

}  // namespace coalescing::detail
