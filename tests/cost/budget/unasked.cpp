// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary.hpp>

namespace coalescing {

#ifdef COALESCE_ASK
binary_answer asked(std::string_view text) { return sass::record<cuda::cc90>(text, {}); }
#endif

// A template may not be specialized after it was used. So these headers use neither machine's reader.

template <>
binary_answer amdgcn::record<cdna::gfx942>(std::string_view, binary_launch const&) {
  return {};
}
template <>
binary_answer sass::record<cuda::cc90>(std::string_view, binary_launch const&) {
  return {};
}

}  // namespace coalescing
