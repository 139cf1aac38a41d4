// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/amd.hpp>

namespace coalescing::detail {

/// Calls record<Machine> of every target, so the compiler emits each, and other files only declare them.
binary_answer every_target_of_amd(std::string_view machine, std::string_view text, binary_launch const& launch) {
  return amdgcn::record(machine, text, launch);
}

}  // namespace coalescing::detail
