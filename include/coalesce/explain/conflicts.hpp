// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/transaction.hpp>
#include <coalesce/explain/ideal.hpp>
#include <coalesce/explain/words.hpp>

#include <cstddef>
#include <cstdint>

// The lanes that wait for one another, in words: in the banks of shared memory and LDS, and on one address of atomics.

namespace coalescing::detail {

/// Whether an access has more rounds than its ideal, in sum or in one phase. (Rounds are phases plus conflicts.)
template <class Cost>
COALESCE_API constexpr bool has_more_rounds(Cost const& cost, Cost const& ideal) {
  bool more = cost.conflicts > ideal.conflicts || cost.ways > ideal.ways;
  if constexpr (requires { cost.rounds_at_least; }) more = more || cost.rounds_at_least > ideal.rounds_at_least;
  return more;
}

/// Writes the Why line of bank conflicts: the first phase that takes more rounds than on neighbouring words, and the
/// lanes that want different words of its busiest bank. There is such a phase whenever a number is above its ideal: the
/// ideal is the lesser of two sums over these phases.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_banks(text<Capacity>& out, access<Instruction::lanes> asked,
                                          typename Instruction::cost_type const& ideal) {
  auto const list = Instruction::phases_of(asked);
  for (std::uint64_t k = 0; k != list.count; ++k) {
    bank_phase const phase = list.items[k];
    if (phase.rounds <= 1) continue;
    if (ideal.ways > 1) {  // more than one round may be ideal then
      auto const of_phase = [&](access<Instruction::lanes> const& all) {
        return Instruction::cost_of(detail::only(all, phase.lanes));
      };
      if (!detail::has_more_rounds(of_phase(asked), detail::lesser(of_phase(detail::in_place<Instruction>(asked)),
                                                                   of_phase(detail::side_by_side<Instruction>(asked)))))
        continue;
    }
    asked = detail::seen_by_banks<Instruction>(asked);
    std::uint64_t different = 0, seen[64] = {};
    unsigned count = 0;
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
      bool fresh = (phase.colliding >> lane & 1) != 0;
      for (unsigned j = 0; fresh && j != count; ++j) fresh = seen[j] != asked.address[lane] / Instruction::unit;
      if (fresh) different |= std::uint64_t{1} << lane, seen[count++] = asked.address[lane] / Instruction::unit;
    }
    detail::say(out, "Why: in phase ", k + 1, " of ", list.count, " (", lanes_named{phase.lanes}, ") ",
                lanes_named{count > 1 ? different : phase.colliding},
                count > 1 ? " want different words of bank " : " wait for bank ", phase.bank, ": ", phase.rounds,
                " rounds\n");
    return;
  }
}

/// Writes the Why line of atomics: the lanes that name the first address with more than one lane.
template <std::size_t Capacity, unsigned Lanes>
COALESCE_API constexpr void say_who_meets(text<Capacity>& out, access<Lanes> const& asked) {
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    std::uint64_t met = 0;
    for (unsigned other = lane; other != Lanes && (asked.active >> lane & 1) != 0; ++other)
      if ((asked.active >> other & 1) != 0 && asked.address[other] == asked.address[lane])
        met |= std::uint64_t{1} << other;
    if ((met & (met - 1)) == 0) continue;
    return detail::say(out, "Why: ", lanes_named{met}, " name byte ", asked.address[lane],
                       ": their operations follow one another\n");
  }
}

}  // namespace coalescing::detail
