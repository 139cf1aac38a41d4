// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/costs.hpp>

// The types of the costs of GCN's vector memory instructions and scalar loads. The cost of an LDS instruction is a
// bank_cost (coalesce/core/numbers.hpp).

namespace coalescing::gcn {

/// The cost of a vector load: the clocks of the L1 address and data path, and the distinct aligned 64-byte requests of
/// the whole wave to L2 if every line misses L1.
template <class Of = counts>
using load_cost = amd::clocked_load_cost<Of>;

/// The cost of a vector store or atomic.
template <class Of = counts>
struct write_cost {
  typename Of::sum clocks{};        ///< clocks of the L1 address path at its peak rate
  typename Of::sum transactions{};  ///< distinct aligned 64-byte requests of the whole wave to L2
  typename Of::sum bytes_moved{};   ///< bytes of those requests
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access
  /// For a store, the number of writes: lanes with the same address make one write. For an atomic, the number of active
  /// lanes.
  typename Of::sum operations{};

  using numbers = detail::members<&write_cost::clocks, &write_cost::transactions, &write_cost::bytes_moved,
                                  &write_cost::bytes_used, &write_cost::operations>;
  static constexpr char const* names[5] = {"clocks", "transactions", "bytes_moved", "bytes_used", "operations"};
  bool operator==(write_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a scalar load: the 64-byte lines that it requests if every line misses the scalar cache. It has no
/// clocks, because no AMD document gives them.
template <class Of = counts>
using scalar_cost = amd::memory_cost<Of>;

}  // namespace coalescing::gcn
