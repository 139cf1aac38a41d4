// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/costs.hpp>

// The costs of CDNA's memory instructions. The cost of LDS reads and writes is a bank_cost (coalesce/core/numbers.hpp).
// No cost has clocks: no document gives them, and measurements on MI210 contradict GCN's rates for strided dwords
// (gpu-benches).

namespace coalescing::cdna {

/// The cost of a global load.
template <class Of = counts>
struct load_cost {
  typename Of::sum transactions{};  ///< lines of L1 that the wave reads: the requests to L2 if every line misses
  typename Of::sum bytes_moved{};   ///< bytes of those lines
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access
  typename Of::sum quads{};  ///< groups of 4 lanes (0-3, 4-7, ...) with an active lane: the address unit makes at
                             ///< least one access for each group, and at most one for each lane

  using numbers =
      detail::members<&load_cost::transactions, &load_cost::bytes_moved, &load_cost::bytes_used, &load_cost::quads>;
  static constexpr char const* names[4] = {"transactions", "bytes_moved", "bytes_used", "quads"};
  bool operator==(load_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a global store or atomic.
template <class Of = counts>
struct write_cost {
  typename Of::sum transactions{};  ///< aligned 64-byte requests to L2
  typename Of::sum bytes_moved{};   ///< bytes of those requests
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access
  typename Of::sum quads{};         ///< groups of 4 lanes with an active lane, as in load_cost
  typename Of::sum operations{};    ///< of a store: distinct addresses, since lanes on one address collapse into one
                                    ///< write; of an atomic: active lanes

  using numbers = detail::members<&write_cost::transactions, &write_cost::bytes_moved, &write_cost::bytes_used,
                                  &write_cost::quads, &write_cost::operations>;
  static constexpr char const* names[5] = {"transactions", "bytes_moved", "bytes_used", "quads", "operations"};
  bool operator==(write_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a scalar load, in 64-byte lines of the scalar cache.
template <class Of = counts>
using scalar_cost = amd::memory_cost<Of>;

/// The known part of the cost of an atomic in LDS. The cost has no rounds, because no source tells which lanes LDS
/// serves together.
template <class Of = counts>
struct lds_atomic_cost {
  typename Of::sum operations{};             ///< one for each active lane
  typename Of::most lanes_on_one_address{};  ///< the most lanes on one address: LDS serves these lanes one by one

  using numbers = detail::members<&lds_atomic_cost::operations, &lds_atomic_cost::lanes_on_one_address>;
  static constexpr char const* names[2] = {"operations", "lanes_on_one_address"};
  bool operator==(lds_atomic_cost const&) const = default;
};

}  // namespace coalescing::cdna
