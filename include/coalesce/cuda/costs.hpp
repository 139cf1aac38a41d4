// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>

// The costs of NVIDIA's memory instructions. Sectors, lines and wavefronts count the work of different stages. So a
// ratio such as sectors to wavefronts means nothing. No number is a time.

namespace coalescing::cuda {

/// The cost of a global load before CC 7.0, and of a global store on CC 1.x.
template <class Of = counts>
struct load_cost {
  typename Of::sum requests{};  ///< parts of the warp that the machine serves separately, and that have an active lane
  typename Of::sum transactions{};  ///< aligned pieces of memory that the access moves, counted at Instruction::level
  typename Of::sum bytes_moved{};   ///< bytes of those pieces
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access

  using numbers =
      detail::members<&load_cost::requests, &load_cost::transactions, &load_cost::bytes_moved, &load_cost::bytes_used>;
  static constexpr char const* names[4] = {"requests", "transactions", "bytes_moved", "bytes_used"};
  bool operator==(load_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a global store on CC 2.0 to 6.2.
template <class Of = counts>
struct store_cost {
  typename Of::sum requests{};  ///< parts of the warp that the machine serves separately, and that have an active lane
  typename Of::sum transactions{};  ///< aligned pieces of memory that the access moves, counted at Instruction::level
  typename Of::sum bytes_moved{};   ///< bytes of those pieces
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes access
  typename Of::sum partial_sectors{};  ///< sectors that the warp writes only in part: under ECC, L2 must fetch the rest
  typename Of::sum operations{};       ///< writes that take effect: one for each distinct address

  using numbers = detail::members<&store_cost::requests, &store_cost::transactions, &store_cost::bytes_moved,
                                  &store_cost::bytes_used, &store_cost::partial_sectors, &store_cost::operations>;
  static constexpr char const* names[6] = {"requests",   "transactions",    "bytes_moved",
                                           "bytes_used", "partial_sectors", "operations"};
  bool operator==(store_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a global load on CC 7.0 and later, with the work of the stages of L1.
template <class Of = counts>
struct l1_load_cost {
  typename Of::sum requests{};                 ///< 1, or 0 where no lane is active
  typename Of::sum transactions{};             ///< distinct 32-byte sectors
  typename Of::sum bytes_moved{};              ///< bytes of those sectors
  typename Of::sum bytes_used{};               ///< distinct bytes that the active lanes access
  typename Of::sum lines{};                    ///< distinct 128-byte lines: each is one tag to look up
  typename Of::sum data_wavefronts{};          ///< cycles of the L1 data stage when every sector hits
  typename Of::sum tag_wavefronts_at_least{};  ///< a lower bound on the cycles of the L1 tag stage: several lines in
                                               ///< one set of the cache cost more

  using numbers = detail::members<&l1_load_cost::requests, &l1_load_cost::transactions, &l1_load_cost::bytes_moved,
                                  &l1_load_cost::bytes_used, &l1_load_cost::lines, &l1_load_cost::data_wavefronts,
                                  &l1_load_cost::tag_wavefronts_at_least>;
  static constexpr char const* names[7] = {
      "requests", "transactions", "bytes_moved", "bytes_used", "lines", "data_wavefronts", "tag_wavefronts_at_least"};
  bool operator==(l1_load_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a global store on CC 7.0 and later.
template <class Of = counts>
struct l1_store_cost {
  typename Of::sum requests{};                 ///< 1, or 0 where no lane is active
  typename Of::sum transactions{};             ///< distinct 32-byte sectors
  typename Of::sum bytes_moved{};              ///< bytes of those sectors
  typename Of::sum bytes_used{};               ///< distinct bytes that the active lanes access
  typename Of::sum lines{};                    ///< distinct 128-byte lines: each is one tag to look up
  typename Of::sum data_wavefronts{};          ///< cycles of the L1 data stage, inferred from loads
  typename Of::sum tag_wavefronts_at_least{};  ///< a lower bound on the cycles of the L1 tag stage, inferred from loads
  typename Of::sum partial_sectors{};  ///< sectors that the warp writes only in part: under ECC, L2 must fetch the rest
  typename Of::sum operations{};       ///< writes that take effect: one for each distinct address

  using numbers = detail::members<&l1_store_cost::requests, &l1_store_cost::transactions, &l1_store_cost::bytes_moved,
                                  &l1_store_cost::bytes_used, &l1_store_cost::lines, &l1_store_cost::data_wavefronts,
                                  &l1_store_cost::tag_wavefronts_at_least, &l1_store_cost::partial_sectors,
                                  &l1_store_cost::operations>;
  static constexpr char const* names[9] = {"requests",
                                           "transactions",
                                           "bytes_moved",
                                           "bytes_used",
                                           "lines",
                                           "data_wavefronts",
                                           "tag_wavefronts_at_least",
                                           "partial_sectors",
                                           "operations"};
  bool operator==(l1_store_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of the global side of an asynchronous copy into shared memory.
template <class Of = counts>
struct copy_cost {
  typename Of::sum requests{};      ///< 1, or 0 where no lane is active or the copy reads nothing
  typename Of::sum transactions{};  ///< distinct 32-byte sectors
  typename Of::sum bytes_moved{};   ///< bytes of those sectors
  typename Of::sum bytes_used{};    ///< distinct bytes that the active lanes read
  typename Of::sum lines{};         ///< distinct 128-byte lines

  using numbers = detail::members<&copy_cost::requests, &copy_cost::transactions, &copy_cost::bytes_moved,
                                  &copy_cost::bytes_used, &copy_cost::lines>;
  static constexpr char const* names[5] = {"requests", "transactions", "bytes_moved", "bytes_used", "lines"};
  bool operator==(copy_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of an atomic in global memory.
template <class Of = counts>
struct atomic_cost {
  typename Of::sum transactions{};           ///< distinct 32-byte sectors of L2, where the operations are done
  typename Of::sum bytes_moved{};            ///< bytes of those sectors
  typename Of::sum bytes_used{};             ///< distinct bytes that the active lanes access
  typename Of::sum operations{};             ///< one for each active lane
  typename Of::most lanes_on_one_address{};  ///< the most operations on one address: these are serialized

  using numbers = detail::members<&atomic_cost::transactions, &atomic_cost::bytes_moved, &atomic_cost::bytes_used,
                                  &atomic_cost::operations, &atomic_cost::lanes_on_one_address>;
  static constexpr char const* names[5] = {"transactions", "bytes_moved", "bytes_used", "operations",
                                           "lanes_on_one_address"};
  bool operator==(atomic_cost const&) const = default;

 private:
  static constexpr coalescing::detail::global_memory_has_no_banks_ask_transactions conflicts{};
};

/// The cost of a load through the constant cache.
template <class Of = counts>
struct constant_cost {
  typename Of::sum requests{};    ///< one for each distinct address of a warp (on CC 1.x: of each half-warp); the
                                  ///< throughput is divided by this number
  typename Of::sum bytes_used{};  ///< distinct bytes that the active lanes access

  using numbers = detail::members<&constant_cost::requests, &constant_cost::bytes_used>;
  static constexpr char const* names[2] = {"requests", "bytes_used"};
  bool operator==(constant_cost const&) const = default;
};

/// The cost of a load or store of shared memory on CC 1.x. The guide does not say which word is broadcast, nor which of
/// the lanes that want one bank is served first. So the rounds of a load are known only as an upper and a lower bound.
template <class Of = counts>
struct open_bank_cost {
  typename Of::sum rounds{};     ///< an upper bound: the passes over the banks if the hardware makes the worst choices
  typename Of::sum conflicts{};  ///< rounds beyond the first of each phase
  typename Of::sum phases{};     ///< half-warps with an active lane, times the number of 32-bit parts of each word
  typename Of::most ways{};      ///< the most rounds of one phase, with the worst choices
  typename Of::sum rounds_at_least{};  ///< a lower bound: the rounds if the hardware makes the best choices

  using numbers = detail::members<&open_bank_cost::rounds, &open_bank_cost::conflicts, &open_bank_cost::phases,
                                  &open_bank_cost::ways, &open_bank_cost::rounds_at_least>;
  static constexpr char const* names[5] = {"rounds", "conflicts", "phases", "ways", "rounds_at_least"};
  bool operator==(open_bank_cost const&) const = default;
};

/// The cost of an atomic in shared memory.
template <class Of = counts>
struct shared_atomic_cost {
  typename Of::sum rounds{};                 ///< passes over the banks, as for a store to the same words
  typename Of::sum conflicts{};              ///< rounds beyond the first of each phase
  typename Of::sum phases{};                 ///< parts of the warp that are served one after the other
  typename Of::most ways{};                  ///< the most rounds of one phase
  typename Of::sum operations{};             ///< one for each active lane
  typename Of::most lanes_on_one_address{};  ///< the most operations on one address: these are serialized

  using numbers = detail::members<&shared_atomic_cost::rounds, &shared_atomic_cost::conflicts,
                                  &shared_atomic_cost::phases, &shared_atomic_cost::ways,
                                  &shared_atomic_cost::operations, &shared_atomic_cost::lanes_on_one_address>;
  static constexpr char const* names[6] = {"rounds", "conflicts",  "phases",
                                           "ways",   "operations", "lanes_on_one_address"};
  bool operator==(shared_atomic_cost const&) const = default;
};

}  // namespace coalescing::cuda
