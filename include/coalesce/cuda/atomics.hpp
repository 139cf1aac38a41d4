// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/global.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/engine/words.hpp>

// The rules of atomics, and of loads through the constant cache. The numbers of each machine are in cuda/rows.hpp.

namespace coalescing::cuda::rules {

/// Atomics bypass L1 and are done in L2. Their transactions are the sectors that the warp touches, even on machines
/// where the transactions of loads follow another rule.
template <class Row, unsigned Bits>
struct l2_atomic : global_memory<Row, Bits> {
  using cost_type = atomic_cost<>;
  static constexpr coalescing::level level = coalescing::level::l2;
  static constexpr unsigned unit = Row::sector_bytes.value;
  static constexpr unsigned period = largest_piece<Row>;
  static constexpr auto grows_with = coalescing::detail::pieces_of_memory<Row::lanes.value, Row::lanes.value>(unit);
  static constexpr fact_list facts() {
    auto const all = global_memory<Row, Bits>::rests_on.with("bytes a sector", Row::sector_bytes);
    if constexpr (Bits == 16)
      return all.with("atomics of 16 bits", Row::atomics_of_16_bits);
    else if constexpr (Bits == 128)
      return all.with("atomics of 128 bits", Row::atomics_of_128_bits);
    else
      return all;
  }
  static constexpr fact_list rests_on = facts();
  static constexpr atomic_cost<citations> sources{.transactions = Row::atomics,
                                                  .bytes_moved = Row::atomics,
                                                  .bytes_used = from_the_addresses,
                                                  .operations = Row::serialized,
                                                  .lanes_on_one_address = Row::serialized};

  COALESCE_API static constexpr warp_transactions transactions_of(access<warp_lanes> const& asked) {
    return coalescing::detail::segments_of<Row::lanes.value>(asked, unit);
  }
  COALESCE_API static constexpr atomic_cost<> cost_of(access<warp_lanes> const& asked) {
    auto const sectors = coalescing::detail::count_distinct<unit>(asked);
    return {.transactions = sectors,
            .bytes_moved = sectors * unit,
            .bytes_used = bytes_used<Bits / 8>(asked, sectors),
            .operations = coalescing::detail::count_bits(asked.active),
            .lanes_on_one_address = coalescing::detail::most_on_one_address(asked)};
  }
};

/// An atomic in shared memory. It takes the rounds that the store instruction Access takes for the same words.
/// Operations on one address are serialized. No document says what this costs, so no rounds are added.
/// lanes_on_one_address is the largest number of operations on one address.
template <class Row, class Access>
struct shared_atomic : Access {
  using cost_type = shared_atomic_cost<>;
  static constexpr shared_atomic_cost<citations> sources{.rounds = Row::shared_atomics,
                                                         .conflicts = Row::shared_atomics,
                                                         .phases = Row::shared_atomics,
                                                         .ways = Row::shared_atomics,
                                                         .operations = Row::serialized,
                                                         .lanes_on_one_address = Row::serialized};
  COALESCE_API static constexpr shared_atomic_cost<> cost_of(access<warp_lanes> const& asked) {
    auto const words = Access::cost_of(asked);
    return {.rounds = words.rounds,
            .conflicts = words.conflicts,
            .phases = words.phases,
            .ways = words.ways,
            .operations = coalescing::detail::count_bits(asked.active),
            .lanes_on_one_address = coalescing::detail::most_on_one_address(asked)};
  }
};

/// A load through the constant cache: one request for each different address of the warp, or on CC 1.x of each
/// half-warp.
template <class Row, unsigned Bits>
struct constant_access : global_memory<Row, Bits> {
  using cost_type = constant_cost<>;
  static constexpr coalescing::level level = coalescing::level::constant_cache;
  static constexpr unsigned unit = Bits / 8;
  static constexpr unsigned period = unit;
  static constexpr auto grows_with =
      coalescing::detail::pieces_of_memory<Row::lanes.value, Row::constant_lanes.value>(unit);
  static constexpr fact_list rests_on = fact_list{}
                                            .with("lanes a warp", Row::lanes)
                                            .with("bits of the widest word", Row::widest_shared_bits)
                                            .with("lanes a request", Row::constant_lanes);
  static constexpr constant_cost<citations> sources{.requests = Row::constant_lanes.from,
                                                    .bytes_used = from_the_addresses};

  COALESCE_API static constexpr constant_cost<> cost_of(access<warp_lanes> const& asked) {
    // (count_by_parts is not for single bytes: their numbers leave no bit for the number of the half-warp.)
    constexpr unsigned lanes = Row::constant_lanes.value;
    std::uint64_t requests = 0;
    for (unsigned k = 0; k != Row::lanes.value / lanes; ++k)
      requests += coalescing::detail::count_distinct<Bits / 8>(coalescing::detail::part_of<lanes>(asked, k));
    return {.requests = requests, .bytes_used = bytes_used<Bits / 8>(asked)};
  }
};

}  // namespace coalescing::cuda::rules
