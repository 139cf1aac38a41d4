// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/memory.hpp>
#include <coalesce/host/binary/nvidia/decode.hpp>
#include <coalesce/record/sums.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

// The addresses of an instruction that accesses memory, lane by lane; what the interpreter tells of it.

namespace coalescing::sass {

/// One side of an instruction of a warp: what it moves where, or why that is not known.
struct warp_access {
  memory_space space = {};
  touch kind = {};
  unsigned bytes = 4;     ///< of a lane
  unsigned matrices = 0;  ///< of LDSM and STSM
  bool is_transposed = false;
  bool is_copy = false;     ///< a side of LDGSTS
  bool is_generic = false;  ///< a generic address: if it is unknown, it may be one of shared or local memory
  std::string array = {};
  std::uint32_t active = 0;
  std::array<std::uint64_t, warp_lanes> address = {};
  std::string why = {};  ///< empty, or why it cannot be costed
};

/// What the interpreter calls.
struct observer {
  std::function<void(std::size_t index, warp_access const&)> access;
  std::function<void(std::size_t index, std::string const& why)> listed;   ///< an instruction without a cost
  std::function<void(std::size_t index, std::string const& why)> stopped;  ///< a warp ends before its EXIT
  std::function<void(place const& block, unsigned number)> warp;           ///< the accesses of this warp follow
};

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
