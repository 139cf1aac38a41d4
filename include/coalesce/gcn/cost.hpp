// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>

#include <cstdint>

// The numbers that GCN's global memory instructions cost; load_cost<source> tells of each where it comes from.
// LDS instructions cost a bank_cost (coalesce/cost.hpp).

namespace coalescing::gcn {

/// What a vector load costs.
template <class Number = std::uint64_t>
struct load_cost {
  Number clocks{};        ///< of the L1 address and data path, a peak: every line hits L1
  Number transactions{};  ///< distinct aligned 64-byte requests of the whole wave to L2: every line misses L1
  Number bytes_moved{};   ///< in those requests
  Number bytes_used{};    ///< distinct bytes that the active lanes name

  bool operator==(load_cost const&) const = default;
  COALESCE_API friend constexpr load_cost operator+(load_cost const& a, load_cost const& b) {
    return {a.clocks + b.clocks, a.transactions + b.transactions, a.bytes_moved + b.bytes_moved,
            a.bytes_used + b.bytes_used};
  }
  COALESCE_API friend constexpr load_cost operator*(load_cost const& a, std::uint64_t n) {
    return {a.clocks * n, a.transactions * n, a.bytes_moved * n, a.bytes_used * n};
  }
};

/// What a vector store or atomic costs.
template <class Number = std::uint64_t>
struct write_cost {
  Number clocks{};        ///< of the L1 address path, a peak
  Number transactions{};  ///< distinct aligned 64-byte requests of the whole wave to L2
  Number bytes_moved{};   ///< in those requests
  Number bytes_used{};    ///< distinct bytes that the active lanes name
  Number operations{};    ///< writes or atomic operations that are left to do: see the instruction

  bool operator==(write_cost const&) const = default;
  COALESCE_API friend constexpr write_cost operator+(write_cost const& a, write_cost const& b) {
    return {a.clocks + b.clocks, a.transactions + b.transactions, a.bytes_moved + b.bytes_moved,
            a.bytes_used + b.bytes_used, a.operations + b.operations};
  }
  COALESCE_API friend constexpr write_cost operator*(write_cost const& a, std::uint64_t n) {
    return {a.clocks * n, a.transactions * n, a.bytes_moved * n, a.bytes_used * n, a.operations * n};
  }
};

/// What a scalar load costs. No clocks: no AMD document gives them.
template <class Number = std::uint64_t>
struct scalar_cost {
  Number transactions{};  ///< 64-byte lines: every line misses the scalar cache
  Number bytes_moved{};   ///< in those lines
  Number bytes_used{};    ///< that the load returns

  bool operator==(scalar_cost const&) const = default;
  COALESCE_API friend constexpr scalar_cost operator+(scalar_cost const& a, scalar_cost const& b) {
    return {a.transactions + b.transactions, a.bytes_moved + b.bytes_moved, a.bytes_used + b.bytes_used};
  }
  COALESCE_API friend constexpr scalar_cost operator*(scalar_cost const& a, std::uint64_t n) {
    return {a.transactions * n, a.bytes_moved * n, a.bytes_used * n};
  }
};

}  // namespace coalescing::gcn
