// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <cstdint>

// The lists that co::transactions() and co::phases() return.

namespace coalescing {

namespace detail {

/// A range of at most Capacity items, without allocation. The members are public because template arguments need that;
/// only read them.
template <class Item, unsigned Capacity>
struct fixed_list {
  Item items[Capacity] = {};
  std::uint64_t count = 0;

  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return count == 0; }
  [[nodiscard]] COALESCE_API constexpr Item const* begin() const { return items; }
  [[nodiscard]] COALESCE_API constexpr Item const* end() const { return items + count; }
  COALESCE_API constexpr void append(Item const& next) { items[count++] = next; }

  bool operator==(fixed_list const&) const = default;
};

}  // namespace detail

/// One aligned piece of memory that the machine moves.
struct transaction {
  std::uint64_t address = 0;  ///< byte address of its first byte
  std::uint64_t bytes = 0;    ///< its size in bytes
  std::uint64_t lanes = 0;    ///< the lanes that it serves: bit k is lane k

  bool operator==(transaction const&) const = default;
};

/// The transactions of one instruction. Refused: an index that is not below size().
template <unsigned Capacity>
struct transaction_list : detail::fixed_list<transaction, Capacity> {
  [[nodiscard]] COALESCE_API constexpr transaction operator[](std::uint64_t index) const {
    if (index >= this->count) refused::list_has_no_such_transaction(index);
    return this->items[index];
  }
  bool operator==(transaction_list const&) const = default;
};

/// A phase: lanes that banked memory serves together. (For a load of CC 1.x, if several banks are equally busy, `bank`
/// is the one that the most lanes access.)
struct bank_phase {
  std::uint64_t lanes = 0;      ///< the active lanes of the phase: bit k is lane k
  std::uint64_t rounds = 0;     ///< passes over the banks that the phase takes
  std::uint64_t bank = 0;       ///< the busiest bank; the lowest if several are equally busy; 0 if no lane is active
  std::uint64_t colliding = 0;  ///< the lanes that access `bank`, if the phase takes several rounds; else 0

  bool operator==(bank_phase const&) const = default;
};

/// The phases of one instruction. They are ordered by their lowest lane. ds_read2 and ds_write2 have all phases of the
/// first access before those of the second. Refused: an index that is not below size().
template <unsigned Capacity>
struct phase_list : detail::fixed_list<bank_phase, Capacity> {
  [[nodiscard]] COALESCE_API constexpr bank_phase operator[](std::uint64_t index) const {
    if (index >= this->count) refused::list_has_no_such_phase(index);
    return this->items[index];
  }
  bool operator==(phase_list const&) const = default;
};

}  // namespace coalescing
