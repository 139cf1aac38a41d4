// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>

#include <cstdint>

// The numbers that GCN's global memory instructions cost; load_cost<source> tells of each where it comes from.
// LDS instructions cost a bank_cost (coalesce/cost.hpp).

namespace coalescing::gcn {

using coalescing::operator+;
using coalescing::operator*;
using coalescing::operator+=;

/// What a vector load costs.
template <class Number = std::uint64_t>
struct load_cost {
  Number clocks{};        ///< of the L1 address and data path, a peak: every line hits L1
  Number transactions{};  ///< distinct aligned 64-byte requests of the whole wave to L2: every line misses L1
  Number bytes_moved{};   ///< in those requests
  Number bytes_used{};    ///< distinct bytes that the active lanes name

  bool operator==(load_cost const&) const = default;
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
};

/// What a scalar load costs. No clocks: no AMD document gives them.
template <class Number = std::uint64_t>
struct scalar_cost {
  Number transactions{};  ///< 64-byte lines: every line misses the scalar cache
  Number bytes_moved{};   ///< in those lines
  Number bytes_used{};    ///< that the load returns

  bool operator==(scalar_cost const&) const = default;
};

}  // namespace coalescing::gcn
