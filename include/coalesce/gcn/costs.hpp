// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>

// The numbers that GCN's global memory instructions cost. LDS instructions cost a bank_cost (coalesce/core/cost.hpp).

namespace coalescing::gcn {

/// What a vector load costs.
template <class Of = counts>
struct load_cost {
  typename Of::sum clocks{};        ///< of the L1 address and data path, a peak: every line hits L1
  typename Of::sum transactions{};  ///< distinct aligned 64-byte requests of the whole wave to L2: every line misses L1
  typename Of::sum bytes_moved{};   ///< in those requests
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes name

  using numbers =
      detail::members<&load_cost::clocks, &load_cost::transactions, &load_cost::bytes_moved, &load_cost::bytes_used>;
  bool operator==(load_cost const&) const = default;
};

/// What a vector store or atomic costs.
template <class Of = counts>
struct write_cost {
  typename Of::sum clocks{};        ///< of the L1 address path, a peak
  typename Of::sum transactions{};  ///< distinct aligned 64-byte requests of the whole wave to L2
  typename Of::sum bytes_moved{};   ///< in those requests
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes name
  typename Of::sum operations{};    ///< writes or atomic operations that are left to do: see the instruction

  using numbers = detail::members<&write_cost::clocks, &write_cost::transactions, &write_cost::bytes_moved,
                                  &write_cost::bytes_used, &write_cost::operations>;
  bool operator==(write_cost const&) const = default;
};

/// What a scalar load costs. No clocks: no AMD document gives them.
template <class Of = counts>
struct scalar_cost {
  typename Of::sum transactions{};  ///< 64-byte lines: every line misses the scalar cache
  typename Of::sum bytes_moved{};   ///< in those lines
  typename Of::sum bytes_used{};    ///< that the load returns

  using numbers = detail::members<&scalar_cost::transactions, &scalar_cost::bytes_moved, &scalar_cost::bytes_used>;
  bool operator==(scalar_cost const&) const = default;
};

}  // namespace coalescing::gcn
