// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>

// Visits each access that is issued, for questions about its addresses instead of its cost.

namespace coalescing::detail {

/// An instruction whose cost is the access itself, so that visit() hands out accesses. It refuses addresses that are no
/// multiple of Alignment, and those whose Bytes bytes run past the top of the address space; nothing else. (No access
/// differs from another one by a multiple of 2^63 bytes, unless it is equal: none is taken for another.)
template <instruction Instruction, unsigned Bytes, unsigned Alignment>
struct accesses_of : Instruction {
  using cost_type = access<Instruction::lanes>;
  static constexpr unsigned bytes = Bytes;
  static constexpr unsigned alignment = Alignment;
  static constexpr std::uint64_t period = std::uint64_t{1} << 63;
  static constexpr std::uint64_t capacity = 0;
  static constexpr std::uint64_t reach = 0;

  COALESCE_API static constexpr cost_type cost_of(cost_type const& asked) {
    if constexpr (requires { Instruction::check_lanes(asked); }) Instruction::check_lanes(asked);
    return asked;
  }
};

/// The place at one of the offsets that an instruction adds to an address. LDS adds them in 32 bits, so a pattern may
/// give -8 as 2^32 - 8.
template <class Instruction>
COALESCE_API constexpr std::uint64_t moved(std::uint64_t address, std::uint64_t offset) {
  if constexpr (requires { Instruction::offsets; })
    return address >> 32 == 0 ? (address + offset) & 0xffff'ffff : address + offset;
  else
    return address + offset;
}

}  // namespace coalescing::detail
