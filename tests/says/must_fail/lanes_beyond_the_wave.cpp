// SPDX-License-Identifier: BSL-1.0
// EXPECT: every_lane_must_be_in_exactly_one_phase
#include <coalesce/cdna.hpp>

namespace co = coalescing;

// Masks that name lane 16 of 16.
constexpr std::uint64_t masks[2] = {0x0000'00ff, 0x0001'ff00};
constexpr auto table = co::detail::phases_of_masks<16>(masks);
