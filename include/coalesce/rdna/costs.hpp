// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/costs.hpp>

// The types of the costs of RDNA's memory instructions. The cost of an LDS load or store is a bank_cost
// (coalesce/core/numbers.hpp). Only global loads of 32 and 64 bits on gfx1030 have clocks: no source tells the clocks
// of other loads.

namespace coalescing::rdna {

/// The cost of a load or store, scalar loads included. Its transactions are lines of the first cache, of 128 bytes
/// (scalar loads: 64). The two halves of a wave64 access memory one after the other, so a line that both touch counts
/// twice.
using amd::memory_cost;
/// The cost of a load of 32 or 64 bits on gfx1030. It includes the clocks of the compute unit's L0.
using amd::clocked_load_cost;

/// The cost of a global atomic.
template <class Of = counts>
struct atomic_cost {
  typename Of::sum transactions{};  ///< lines of L2, the cache that performs atomics
  typename Of::sum bytes_moved{};   ///< bytes of those lines
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access
  typename Of::sum operations{};    ///< atomic operations: one for each active lane

  using numbers = detail::members<&atomic_cost::transactions, &atomic_cost::bytes_moved, &atomic_cost::bytes_used,
                                  &atomic_cost::operations>;
  static constexpr char const* names[4] = {"transactions", "bytes_moved", "bytes_used", "operations"};
  bool operator==(atomic_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

}  // namespace coalescing::rdna
