// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>

// Hands each access that a kernel issues to a visitor that needs the access's addresses, not its cost. For example,
// footprint() collects the pieces of memory that the accesses touch.

namespace coalescing::detail {

/// Hands an access to a visitor. Refused: a partial mask of an instruction that needs every lane.
template <instruction Instruction, class Visitor>
COALESCE_API constexpr void take_access(access<Instruction::lanes> const& asked, point const& at, Visitor& visitor) {
  if constexpr (requires { Instruction::check_lanes(asked); }) Instruction::check_lanes(asked);
  visitor.take(asked, at);
}

/// Hands each access to a visitor. (A class, not a lambda: in a template, g++ warns if a lambda's parameter has the
/// name of a user's global variable.)
template <instruction Instruction, class Visitor>
struct accesses_taken {
  Visitor& visitor;

  COALESCE_API constexpr bool operator()(access<Instruction::lanes> const& asked, point const& at) const {
    detail::take_access<Instruction>(asked, at, visitor);
    if constexpr (requires(Visitor & v) { v.is_done(); })
      return !visitor.is_done();
    else
      return true;
  }
};
/// Hands the accesses of a domain to a visitor, until the visitor is done. Returns false if the pattern or the mask has
/// the wrong type, which a static_assert then reports.
template <instruction Instruction, class Pattern, unsigned Rank, class Active, class Visitor>
COALESCE_API constexpr bool visit_accesses(Pattern const& pattern, domain<Rank> const& over, Active const& active,
                                           address_limits const& limits, Visitor& visitor) {
  return detail::each_point<Instruction>(pattern, over, active, limits, accesses_taken<Instruction, Visitor>{visitor});
}

/// The address with one of the instruction's offsets added. LDS adds offsets to addresses in 32 bits, so a pattern may
/// give -8 as 2^32 - 8: an offset of 16 bytes makes it 8.
template <class Instruction>
COALESCE_API constexpr std::uint64_t moved(std::uint64_t address, std::uint64_t offset) {
  if constexpr (requires { Instruction::offsets; })
    return address >> 32 == 0 ? (address + offset) & 0xffff'ffff : address + offset;
  else
    return address + offset;
}

}  // namespace coalescing::detail
