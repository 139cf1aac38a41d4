// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>

#include <cstdint>

// The numbers that CDNA's memory instructions cost; load_cost<source> tells of each where it comes from. LDS reads and
// writes cost a bank_cost (coalesce/cost.hpp). No clocks: no document gives them, and measurements on MI210 contradict
// GCN's rates for strided dwords (gpu-benches).

namespace coalescing::cdna {

using coalescing::operator+;
using coalescing::operator*;
using coalescing::operator+=;

/// What a global load costs.
template <class Number = std::uint64_t>
struct load_cost {
  Number transactions{};  ///< lines of L1 that the wave reads: requests to L2 where every line misses, no fewer
  Number bytes_moved{};   ///< in those lines
  Number bytes_used{};    ///< distinct bytes that the active lanes name
  Number quads{};  ///< aligned groups of 4 lanes with an active one: the address unit makes an access for each at
                   ///< least, one for each lane at most

  bool operator==(load_cost const&) const = default;
};

/// What a global store or atomic costs.
template <class Number = std::uint64_t>
struct write_cost {
  Number transactions{};  ///< aligned 64-byte requests to L2, no fewer
  Number bytes_moved{};   ///< in those requests
  Number bytes_used{};    ///< distinct bytes that the active lanes name
  Number quads{};         ///< as of a load
  Number operations{};  ///< of stores, the distinct addresses: of lanes that write one, one remains; of atomics, lanes

  bool operator==(write_cost const&) const = default;
};

/// What an atomic in LDS costs, as far as it is known: no source tells which lanes it serves together.
template <class Number = std::uint64_t>
struct lds_atomic_cost {
  Number operations{};            ///< one for each active lane
  Number lanes_on_one_address{};  ///< the most lanes on one address: their operations follow each other

  bool operator==(lds_atomic_cost const&) const = default;
};

}  // namespace coalescing::cdna
