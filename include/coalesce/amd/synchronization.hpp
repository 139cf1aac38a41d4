// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/misuse.hpp>

// The operations, address spaces and orderings of synchronization, with LLVM's names. CDNA and RDNA share them. Each
// family has its own scopes, waits, cache operations and sequences.

namespace coalescing::amd {

enum class operation {
  load,
  store,
  atomic,         ///< read-modify-write whose result is not used
  atomic_return,  ///< read-modify-write that returns the old value
  exchange,       ///< compare-exchange that returns the old value (without a result it is not modelled)
  fence
};
COALESCE_API constexpr bool is_enumerator(operation value) {
  return value == operation::load || value == operation::store || value == operation::atomic ||
         value == operation::atomic_return || value == operation::exchange || value == operation::fence;
}
/// The memory that a pointer addresses. A flat pointer may be to global memory or LDS.
enum class address_space { global, local, flat };
COALESCE_API constexpr bool is_enumerator(address_space value) {
  return value == address_space::global || value == address_space::local || value == address_space::flat;
}
/// The orderings, with LLVM's names. A plain access is `unordered`.
enum class memory_order { unordered, monotonic, acquire, release, acq_rel, seq_cst };
COALESCE_API constexpr bool is_enumerator(memory_order value) {
  return value == memory_order::unordered || value == memory_order::monotonic || value == memory_order::acquire ||
         value == memory_order::release || value == memory_order::acq_rel || value == memory_order::seq_cst;
}

namespace rules {

/// Whether an ordering acquires, and whether it releases.
struct ordering_row {
  bool acquires, releases;
};
COALESCE_API constexpr ordering_row meaning_of(memory_order order) {
  constexpr ordering_row rows[] = {
      {false, false},  // unordered
      {false, false},  // monotonic
      {true, false},   // acquire
      {false, true},   // release
      {true, true},    // acq_rel
      {true, true},    // seq_cst
  };
  return rows[static_cast<unsigned>(order)];
}

/// Which orderings an operation has (LLVM's language reference, atomic instructions).
COALESCE_API constexpr bool has_ordering(operation kind, memory_order order) {
  constexpr bool rows[][6] = {
      // unordered, monotonic, acquire, release, acq_rel, seq_cst
      {true, true, true, false, false, true},  // load
      {true, true, false, true, false, true},  // store
      {false, true, true, true, true, true},   // atomic
      {false, true, true, true, true, true},   // atomic_return
      {false, true, true, true, true, true},   // exchange
      {false, false, true, true, true, true},  // fence
  };
  return rows[static_cast<unsigned>(kind)][static_cast<unsigned>(order)];
}
/// Which orderings a failed compare-exchange can have. A failed one only loads, and is at least monotonic.
COALESCE_API constexpr bool can_fail_with(memory_order order) {
  return order != memory_order::unordered && has_ordering(operation::load, order);
}

/// Refuses values that are not enumerators, and an ordering that the operation does not have. `failure` is the ordering
/// of a failed exchange; other operations may have any failure ordering.
COALESCE_API constexpr void check_synchronization(operation kind, address_space space, memory_order order,
                                                  memory_order failure) {
  coalescing::detail::check_enumerator(kind);
  coalescing::detail::check_enumerator(space);
  coalescing::detail::check_enumerator(order);
  coalescing::detail::check_enumerator(failure);
  if (!has_ordering(kind, order) || (kind == operation::exchange && !can_fail_with(failure)))
    refused::ordering_does_not_exist_for_the_operation();
}

/// Appends the name of an access without its width, and of an atomic without its operation: "global_load", "ds_store",
/// "flat_atomic".
template <class Text>
COALESCE_API constexpr void append_access(Text& to, operation kind, address_space space) {
  to.append(space == address_space::global ? "global_" : space == address_space::local ? "ds_" : "flat_");
  to.append(kind == operation::load ? "load" : kind == operation::store ? "store" : "atomic");
}

}  // namespace rules
}  // namespace coalescing::amd
