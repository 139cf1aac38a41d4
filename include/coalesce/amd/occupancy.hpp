// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>

// What questions about occupancy have in common on CDNA and RDNA.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void kernel_uses_more_than_there_is() {
  detail::refuse("the kernel asks for more registers, LDS or lanes than a wave or a work-group may have");
}
[[noreturn]] COALESCE_API inline void kernel_with_lds_needs_a_work_group_size() {
  detail::refuse("how many work-groups with LDS fit depends on kernel_resources::work_group_size, which is 0");
}

}  // namespace coalescing::refused

namespace coalescing::amd {

/// How LDS is counted.
enum class lds_counting {
  by_granule,  ///< as the hardware allocates it
  raw_bytes    ///< as LLVM 22 does for the occupancy that it prints
};
COALESCE_API constexpr bool is_enumerator(lds_counting value) {
  return value == lds_counting::by_granule || value == lds_counting::raw_bytes;
}

}  // namespace coalescing::amd
