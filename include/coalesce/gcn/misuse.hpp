// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

// The refusals that only GCN's functions need. The refusals that all families share are in core/misuse.hpp.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void position_is_outside_the_work_group() {
  detail::refuse("the position is outside the work-group's width or height");
}
[[noreturn]] COALESCE_API inline void invocation_index_is_too_large() {
  detail::refuse("the linear index of the invocation is 2^64 or more");
}
[[noreturn]] COALESCE_API inline void wave_has_no_such_quad_or_lane(unsigned) {
  detail::refuse("a wave has quads 0 to 15 and lanes 0 to 63");
}

}  // namespace coalescing::refused
