// SPDX-License-Identifier: BSL-1.0
// EXPECT: every_lane_must_be_in_exactly_one_phase
#include <coalesce/cdna.hpp>

namespace co = coalescing;

// Lane 7 twice.
constexpr std::uint64_t masks[2] = {0x0000'00ff, 0x0000'ff80};
constexpr auto table = co::detail::phases_of_masks<16>(masks);
