// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>

// The types of cost that several of AMD's families share. A family's own costs.hpp, such as rdna/costs.hpp, names the
// types that the family uses. It also says how many bytes an aligned piece of memory has in that family, and which
// cache's clocks clocked_load_cost counts.

namespace coalescing::amd {

/// The cost of an access to global memory.
template <class Of = counts>
struct memory_cost {
  typename Of::sum transactions{};  ///< aligned pieces of memory, of Instruction::unit bytes each
  typename Of::sum bytes_moved{};   ///< bytes of those pieces
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access

  using numbers = detail::members<&memory_cost::transactions, &memory_cost::bytes_moved, &memory_cost::bytes_used>;
  static constexpr char const* names[3] = {"transactions", "bytes_moved", "bytes_used"};
  bool operator==(memory_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a load whose clocks a source gives.
template <class Of = counts>
struct clocked_load_cost {
  typename Of::sum clocks{};        ///< clocks that the first-level cache takes at its peak rate, if every line hits
  typename Of::sum transactions{};  ///< aligned pieces of memory, of Instruction::unit bytes each
  typename Of::sum bytes_moved{};   ///< bytes of those pieces
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access

  using numbers = detail::members<&clocked_load_cost::clocks, &clocked_load_cost::transactions,
                                  &clocked_load_cost::bytes_moved, &clocked_load_cost::bytes_used>;
  static constexpr char const* names[4] = {"clocks", "transactions", "bytes_moved", "bytes_used"};
  bool operator==(clocked_load_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

}  // namespace coalescing::amd
