// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/nvidia/decode.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>

#include <string>

// The addresses of an instruction that accesses memory, lane by lane; in words, what a value depends on.

namespace coalescing::sass {

/// What the lanes of a warp access, with what only NVIDIA has.
struct warp_access : binary::lane_access {
  unsigned matrices = 0;  ///< of LDSM and STSM
  bool is_transposed = false;
  bool is_copy = false;     ///< a side of LDGSTS
  bool is_generic = false;  ///< a generic address: if it is unknown, it may be one of shared or local memory
};
using observer = binary::observer<warp_access>;

/// In words, what a value depends on.
[[nodiscard]] inline std::string because(program const& code, value const& of, std::string const& what,
                                         instruction const& user) {
  return binary::because(code.code, of, what, user, [](instruction const& made) -> std::string {
    action const does = row_of(made.base).does;
    if (does == action::control || does == action::barrier) return "a warp that ended at ";
    if (does == action::special) return (made.operands.empty() ? made.printed : made.operands.back().word) + ": ";
    return "data: ";
  });
}

/// The address of shared memory: 32 bits of register * scale + uniform register + offset.
[[nodiscard]] inline value shared_address(warp const& w, operand const& at, unsigned lane) {
  u64 const scale = at.scale;
  value const scaled =
      binary::of_known([scale](u64 x, u64, u64) { return x * scale; }, 32, w.general_register(at.index, lane));
  return low(sum(sum(scaled, w.uniform_register(at.uniform)), exact(static_cast<u64>(at.number))), 32);
}
/// The address of global memory: a pair of registers, or (.U32) one register; plus a pair of uniform registers.
[[nodiscard]] inline value global_address(warp const& w, operand const& at, unsigned lane) {
  value base = w.general_register(at.index, lane);
  if (!at.is_unsigned && at.index != zero_register) base = base | w.general_register(at.index + 1, lane) << 32;
  value uniform = w.uniform_register(at.uniform);
  if (at.uniform != zero_register) uniform = uniform | w.uniform_register(at.uniform + 1) << 32;
  return sum(sum(base, uniform), exact(static_cast<u64>(at.number)));
}

}  // namespace coalescing::sass
