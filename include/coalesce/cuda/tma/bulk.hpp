// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/tma/box.hpp>
#include <coalesce/cuda/tma/rules.hpp>

#include <cstdint>

// cp.async.bulk: one thread copies contiguous bytes between global and shared memory.

namespace coalescing::cuda {

/// The rules of a bulk copy. fault() names the first rule, in this order, that the copy breaks.
enum class bulk_fault {
  none,  ///< the copy is legal
  global_address_is_not_a_multiple_of_16,
  shared_address_is_not_a_multiple_of_16,
  size_is_not_a_multiple_of_16,
  size_is_not_below_2_32,
  runs_past_the_top_of_memory,
  // Only fault_on finds this:
  machine_has_no_bulk_copies
};
COALESCE_API constexpr bool is_enumerator(bulk_fault value) {
  return value == bulk_fault::none || value == bulk_fault::global_address_is_not_a_multiple_of_16 ||
         value == bulk_fault::shared_address_is_not_a_multiple_of_16 ||
         value == bulk_fault::size_is_not_a_multiple_of_16 || value == bulk_fault::size_is_not_below_2_32 ||
         value == bulk_fault::runs_past_the_top_of_memory || value == bulk_fault::machine_has_no_bulk_copies;
}
/// The rule in words, and its source.
[[nodiscard]] COALESCE_API constexpr tensor_rule rule_of(bulk_fault fault) {
  constexpr source ptx = documents::ptx_9_1.says("9.7.9.25.4.1", "cp.async.bulk: its operands");
  constexpr tensor_rule rules[] = {
      {"legal", our_reading.implies("", "keeps every rule below")},
      {"the global address is a multiple of 16", ptx},
      {"the shared address is a multiple of 16", ptx},
      {"the size is a multiple of 16 bytes", ptx},
      {"the size is a number of 32 bits", ptx},
      {"the bytes end below the top of the address space", our_reading.implies("", "addresses do not wrap")},
      {"bulk copies exist since CC 9.0", documents::ptx_9_1.says("9.7.9.25.4.1", "requires sm_90")},
  };
  coalescing::detail::check_enumerator(fault);
  return rules[static_cast<unsigned>(fault)];
}
/// The rule in words.
[[nodiscard]] COALESCE_API constexpr char const* sentence(bulk_fault fault) { return rule_of(fault).text; }

/// cp.async.bulk: a copy between global and shared memory, in either direction. The bytes are contiguous on both sides.
/// A struct whose .shared is left at 0 also describes cp.async.bulk.prefetch.L2, which has no shared side. So whether
/// the bytes fit the shared memory of a machine is not checked. PTX ISA 9.1, 9.7.9.25.4.1.
struct cp_async_bulk {
  std::uint64_t global = 0;  ///< byte address: a multiple of 16
  std::uint64_t shared = 0;  ///< byte offset in shared memory: a multiple of 16
  std::uint64_t bytes = 0;   ///< a multiple of 16 below 2^32

  /// The first rule that the copy breaks, or `none` if the copy is legal.
  [[nodiscard]] COALESCE_API constexpr bulk_fault fault() const {
    using enum bulk_fault;
    if (global % 16 != 0) return global_address_is_not_a_multiple_of_16;
    if (shared % 16 != 0) return shared_address_is_not_a_multiple_of_16;
    if (bytes % 16 != 0) return size_is_not_a_multiple_of_16;
    if (bytes >> 32 != 0) return size_is_not_below_2_32;
    bool const wraps = bytes != 0 && (global + (bytes - 1) < global || shared + (bytes - 1) < shared);
    if (wraps) return runs_past_the_top_of_memory;
    return none;
  }
  /// The first rule that the copy breaks on a machine, as in fault_on<cc90>(): the rules of fault(), then the rule that
  /// the machine must have bulk copies.
  template <class Device>
  [[nodiscard]] COALESCE_API constexpr bulk_fault fault_on() const {
    auto const first = fault();
    if (first != bulk_fault::none || rules::has_tensor_copies<typename Device::row>) return first;
    return bulk_fault::machine_has_no_bulk_copies;
  }
  /// The cost in global memory of a copy to shared memory. (For a copy to global memory or a prefetch, ignore
  /// bytes_signalled: neither counts bytes at an mbarrier.) Refused: a copy that is not legal.
  [[nodiscard]] COALESCE_API constexpr bulk_cost<> cost() const {
    auto const run = touched();
    return {.sectors = run.template pieces<32>(),
            .lines = run.template pieces<128>(),
            .bytes_read = bytes,
            .bytes_signalled = bytes};
  }
  /// The bytes of the distinct aligned pieces of Granularity bytes that the copy touches in global memory. Granularity
  /// is a power of two up to 1024.
  template <std::uint64_t Granularity>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t footprint() const {
    return Granularity * touched().template pieces<Granularity>();
  }
  static constexpr bulk_cost<citations> sources{
      .sectors = documents::ptx_9_1.implies("9.7.9.25.4.1", "the bytes in pieces of 32: the pieces are not documented"),
      .lines = documents::ptx_9_1.implies("9.7.9.25.4.1", "the bytes in pieces of 128: the pieces are not documented"),
      .bytes_read = coalescing::detail::counted_from_the_addresses,
      .bytes_signalled = documents::ptx_9_1.says("9.7.9.25.4.1", "complete_tx on the mbarrier, of the bytes copied")};

  bool operator==(cp_async_bulk const&) const = default;

 private:
  COALESCE_API constexpr rules::repeated_row touched() const {
    if (fault() != bulk_fault::none) refused::bulk_copy_is_not_legal_see_its_fault();
    return {.first = global, .length = bytes};
  }
};

}  // namespace coalescing::cuda
