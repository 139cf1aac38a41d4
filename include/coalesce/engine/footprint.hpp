// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/segments.hpp>

#include <cstdint>

// The bytes that an access fetches if nothing is cached, in aligned pieces of a size that the caller names.

namespace coalescing {

namespace detail {

/// Implements co::footprint. `bytes` bytes from each lane's address on must lie below the top of memory. The lane
/// accesses only the first `touched` of them. (A copy may fill the rest of its destination with zeros.)
template <std::uint64_t Granularity, unsigned Lanes, class Pattern, class Active>
COALESCE_API constexpr std::uint64_t footprint_of(Pattern const& pattern, Active const& active, unsigned bytes,
                                                  unsigned touched) {
  static_assert(Granularity != 0 && (Granularity & (Granularity - 1)) == 0 && Granularity >> 32 == 0,
                "footprint: Granularity is a power of two, below 2^32");
  static_assert(Lanes != 0 && Lanes <= 64, "footprint: a wave or warp has 1 to 64 lanes");
  if constexpr (detail::well_formed<Pattern, Active, Lanes>) {
    auto asked = detail::apply<Lanes>(pattern, active, {.bytes = bytes, .alignment = 1});
    asked.bytes = touched;
    return touched == 0 ? 0 : Granularity * detail::count_segments(detail::by_address(asked), Granularity);
  } else {
    return detail::ill_formed<std::uint64_t, Pattern, Active, Lanes>();
  }
}

}  // namespace detail

/// The bytes in the distinct aligned pieces of Granularity bytes (a power of two) that the lanes access. This is the
/// number of bytes that are fetched if nothing is cached and memory is fetched in such pieces. Addresses need no
/// alignment. By default the wave has 64 lanes. For a warp of 32 lanes of 4 bytes say footprint<32, 32>(pattern, 4), or
/// name an instruction, as in footprint<32, cuda::cc90::load<32>>(pattern). Refused: 0 bytes per lane.
template <std::uint64_t Granularity, unsigned Lanes = 64, class Pattern, class Active = detail::every_lane>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern, unsigned bytes_per_lane,
                                                             Active const& active = {}) {
  if (bytes_per_lane == 0) refused::access_has_no_bytes();
  return detail::footprint_of<Granularity, Lanes>(pattern, active, bytes_per_lane, bytes_per_lane);
}

/// The footprint for the lanes and bytes of an instruction: footprint<64, cuda::cc90::load<128>>(pattern). For a copy,
/// the footprint is about the bytes that the copy reads, not the bytes that it fills with zeros. The second argument is
/// a mask. Refused: a mask of at most 32 bits that could be meant as a number of bytes, such as the int 4. (A sizeof
/// has 64 bits, and is a mask.)
template <std::uint64_t Granularity, instruction Instruction, class Pattern, class Active = detail::every_lane>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern, Active const& active = {}) {
  if constexpr (detail::integer<Active> && sizeof(Active) <= 4) {
    unsigned const sizes[] = {1, 2, 4, 8, 12, 16, 32};
    for (unsigned const bytes : sizes)
      if (static_cast<std::uint64_t>(active) == bytes) refused::mask_could_be_a_number_of_bytes(bytes);
  }
  constexpr bool one_address = detail::addresses_of_a_lane<Instruction> == 1;
  static_assert(one_address,
                "footprint<Granularity, Instruction>: of two addresses a lane (ds_read2, ds_write2), say "
                "footprint<Granularity>(pattern, bytes_per_lane) of each");
  return detail::footprint_of<Granularity, Instruction::lanes>(pattern, detail::address_lanes<Instruction>(active),
                                                               Instruction::bytes, detail::touched_bytes<Instruction>);
}

}  // namespace coalescing
