// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>

#include <cstdint>

// The numbers that NVIDIA's memory instructions cost. load_cost<source> tells of each where it comes from.

namespace coalescing::cuda {

using coalescing::operator+;
using coalescing::operator*;
using coalescing::operator+=;

/// A global load, and on CC 1.x a global store.
template <class Number = std::uint64_t>
struct load_cost {
  Number requests{};      ///< parts with an active lane that the machine splits the instruction into
  Number transactions{};  ///< pieces of memory that serve the warp (Instruction::level says where they are counted)
  Number bytes_moved{};   ///< in those pieces
  Number bytes_used{};    ///< distinct bytes that the active lanes name

  bool operator==(load_cost const&) const = default;
};

/// A global store on CC 2.0 and later.
template <class Number = std::uint64_t>
struct store_cost {
  Number requests{};
  Number transactions{};
  Number bytes_moved{};
  Number bytes_used{};
  Number partial_sectors{};  ///< 32-byte sectors that the warp writes only in part: under ECC, L2 must fetch the rest
  Number operations{};       ///< writes that are left where lanes write the same address: one for each address

  bool operator==(store_cost const&) const = default;
};

/// A global load on CC 7.0 and later.
template <class Number = std::uint64_t>
struct volta_load_cost {
  Number requests{};
  Number transactions{};             ///< 32-byte sectors
  Number bytes_moved{};              ///< in those sectors
  Number bytes_used{};               ///< distinct bytes that the active lanes name
  Number lines{};                    ///< 128-byte lines: each is one tag to look up
  Number data_wavefronts{};          ///< cycles of the L1 data stage when every sector hits
  Number tag_wavefronts_at_least{};  ///< cycles of the L1 tag stage: no fewer; lines that meet in one set cost more

  bool operator==(volta_load_cost const&) const = default;
};

/// A global store on CC 7.0 and later.
template <class Number = std::uint64_t>
struct volta_store_cost {
  Number requests{};
  Number transactions{};
  Number bytes_moved{};
  Number bytes_used{};
  Number lines{};
  Number data_wavefronts{};
  Number tag_wavefronts_at_least{};
  Number partial_sectors{};  ///< 32-byte sectors that the warp writes only in part: under ECC, L2 must fetch the rest
  Number operations{};       ///< writes that are left where lanes write the same address: one for each address

  bool operator==(volta_store_cost const&) const = default;
};

/// A global atomic.
template <class Number = std::uint64_t>
struct atomic_cost {
  Number transactions{};          ///< 32-byte sectors of L2, where the operations are done
  Number bytes_moved{};           ///< in those sectors
  Number bytes_used{};            ///< distinct bytes that the active lanes name
  Number operations{};            ///< one for each active lane
  Number lanes_on_one_address{};  ///< the most operations on one address: these are serialized

  bool operator==(atomic_cost const&) const = default;
};

/// A load through the constant cache.
template <class Number = std::uint64_t>
struct constant_cost {
  Number requests{};    ///< distinct addresses: throughput falls by that factor
  Number bytes_used{};  ///< distinct bytes that the active lanes name

  bool operator==(constant_cost const&) const = default;
};

/// Shared memory on CC 1.x, where the guide leaves open which word is broadcast and which lane of a bank goes first.
template <class Number = std::uint64_t>
struct open_bank_cost {
  Number rounds{};           ///< no more than these: with the worst choices
  Number conflicts{};        ///< rounds less those of a conflict-free access of the same lanes
  Number phases{};           ///< half-warps with an active lane, once for each 32 bits of a wider word
  Number rounds_at_least{};  ///< with the best choices

  bool operator==(open_bank_cost const&) const = default;
};

/// An atomic in shared memory.
template <class Number = std::uint64_t>
struct shared_atomic_cost {
  Number rounds{};                ///< passes over the banks, as if every word were only read
  Number conflicts{};             ///< rounds less those of a conflict-free access of the same lanes
  Number phases{};                ///< parts of the warp served one after the other
  Number operations{};            ///< one for each active lane
  Number lanes_on_one_address{};  ///< the most operations on one address: these are serialized

  bool operator==(shared_atomic_cost const&) const = default;
};

}  // namespace coalescing::cuda
