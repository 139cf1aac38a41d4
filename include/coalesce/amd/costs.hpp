// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>

// The costs that more than one of AMD's families has. What a piece of memory is, and whose clocks are counted, each
// family says where it names them (gcn/costs.hpp, rdna/costs.hpp).

namespace coalescing::amd {

/// An access to memory.
template <class Of = counts>
struct memory_cost {
  typename Of::sum transactions{};  ///< aligned pieces of memory, of Instruction::unit bytes each
  typename Of::sum bytes_moved{};   ///< in those pieces
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes name

  using numbers = detail::members<&memory_cost::transactions, &memory_cost::bytes_moved, &memory_cost::bytes_used>;
  bool operator==(memory_cost const&) const = default;
};

/// A load of which a source tells the clocks.
template <class Of = counts>
struct clocked_load_cost {
  typename Of::sum clocks{};        ///< of the first cache, a peak: every line hits there
  typename Of::sum transactions{};  ///< aligned pieces of memory, of Instruction::unit bytes each
  typename Of::sum bytes_moved{};   ///< in those pieces
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes name

  using numbers = detail::members<&clocked_load_cost::clocks, &clocked_load_cost::transactions,
                                  &clocked_load_cost::bytes_moved, &clocked_load_cost::bytes_used>;
  bool operator==(clocked_load_cost const&) const = default;
};

}  // namespace coalescing::amd
