// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/memory.hpp>
#include <coalesce/host/binary/nvidia/decode.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>
#include <coalesce/host/json.hpp>

#include <string>

// Finds the addresses and the registers of an instruction that accesses memory. This header also says in words what a
// value depends on.

namespace coalescing::sass {

/// An access of a warp's lanes, with the members that only NVIDIA needs.
struct warp_access : binary::lane_access {
  unsigned matrices = 0;  ///< how many matrices LDSM and STSM move
  bool is_transposed = false;
  bool is_copy = false;     ///< this is the load or the store of LDGSTS
  bool is_generic = false;  ///< the addresses are generic: an unknown one may lie in shared or local memory
};
using observer = binary::observer<warp_access>;
using held_accesses = binary::held_accesses<warp_access>;

/// Says in words what a value depends on.
[[nodiscard]] inline std::string because(program const& code, value const& of, std::string const& what,
                                         instruction const& user) {
  return binary::because(code.code, of, what, user, [](instruction const& made) -> std::string {
    action const does = row_of(made.base).does;
    if (does == action::control || does == action::barrier) return "a warp that ended at ";
    if (does == action::special) return (made.operands.empty() ? made.printed : made.operands.back().word) + ": ";
    return "data: ";
  });
}

/// An address in shared memory: register * scale + uniform register + offset, in 32 bits.
[[nodiscard]] inline value shared_address(warp const& w, operand const& at, unsigned lane) {
  u64 const scale = at.scale;
  value const scaled = low(binary::product(w.general_register(at.index, lane), exact(scale)), 32);
  return low(sum(sum(scaled, w.uniform_register(at.uniform)), exact(static_cast<u64>(at.number))), 32);
}
/// An address in global memory: a pair of general registers (.U32: one register) + a pair of uniform registers + the
/// offset.
[[nodiscard]] inline value global_address(warp const& w, operand const& at, unsigned lane) {
  value base = w.general_register(at.index, lane);
  if (!at.is_unsigned && at.index != zero_register)
    base = binary::paired(base, w.general_register(at.index + 1, lane));
  else
    base = binary::widened(base, false);
  value uniform = w.uniform_register(at.uniform);
  if (at.uniform != zero_register) uniform = binary::paired(uniform, w.uniform_register(at.uniform + 1));
  return sum(base, uniform, exact(static_cast<u64>(at.number)));
}

/// The registers that hold a lane's data. Data of 32 bytes is in two groups of four registers: words 0 to 3 in `first`,
/// words 4 to 7 in `second`. A load names the second group before the first, a store the first before the second.
/// Inferred from what ptxas 13.0 makes of ld.global.v8.b32 and st.global.v8.b32 for sm_100.
struct register_groups {
  operand const *first, *second;
  register_groups(instruction const& i, unsigned bytes, operand const* from, operand const* to)
      : first(from), second(to) {
    if ((bytes == 32) != (second != nullptr))
      throw binary_refused("the operands of " + i.printed + " are not understood", i.line);
  }
  [[nodiscard]] unsigned of(unsigned word) const {
    operand const* const in = second != nullptr && word >= 4 ? second : first;
    if (in == nullptr || in->index == zero_register) return zero_register;
    return in->index + (second != nullptr ? word % 4 : word);
  }
};

/// Says in words which byte a lane accesses that lies outside the block's shared memory, or outside every buffer.
[[nodiscard]] inline std::string outside_shared(u64 address, u64 bytes) {
  return "byte " + std::to_string(address) + " of shared memory, and the block has " + std::to_string(bytes) + " bytes";
}
[[nodiscard]] inline std::string outside_buffers(u64 address, binary::global_array const* near) {
  std::string const text = "address " + detail::json_offset(address) + ", which lies in no buffer";
  return near == nullptr ? text
                         : text + ": " + near->name + " has " + std::to_string(near->extent) +
                               " bytes, and this is byte " + std::to_string(address - near->base);
}

}  // namespace coalescing::sass
