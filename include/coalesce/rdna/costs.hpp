// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/costs.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>

// The numbers that RDNA's memory instructions cost. LDS loads and stores cost a bank_cost (coalesce/core/cost.hpp).
// Clocks are known of gfx1030's loads of 32 and 64 bits alone, so only they have such a number.

namespace coalescing::rdna {

/// What a load or store costs, scalar loads included: lines of the first cache, 128 bytes (scalar: 64), those of each
/// half of a wave64 on its own.
using amd::memory_cost;
/// What a load of 32 or 64 bits costs on gfx1030: clocks of the compute unit's L0 besides.
using amd::clocked_load_cost;

/// What a global atomic costs.
template <class Of = counts>
struct atomic_cost {
  typename Of::sum transactions{};  ///< lines of L2, where atomics are done
  typename Of::sum bytes_moved{};   ///< in those lines
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes name
  typename Of::sum operations{};    ///< one for each active lane

  using numbers = detail::members<&atomic_cost::transactions, &atomic_cost::bytes_moved, &atomic_cost::bytes_used,
                                  &atomic_cost::operations>;
  static constexpr auto names = numbers::named("transactions", "bytes_moved", "bytes_used", "operations");
  bool operator==(atomic_cost const&) const = default;
};

}  // namespace coalescing::rdna
