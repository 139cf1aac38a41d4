// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/footprint.hpp>
#include <coalesce/total/accesses.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>
#include <coalesce/total/room.hpp>

#include <cstdint>

// The footprint of an instruction over a domain (total/domain.hpp). Memory is cut into aligned pieces whose size the
// caller names, such as lines of 128 bytes. The footprint is the bytes of all pieces that the instruction's accesses
// touch. Each piece counts once.

namespace coalescing {

namespace detail {

/// A set of numbers: a hash table with open addressing, never more than half full.
class set_of_numbers {
 public:
  COALESCE_API constexpr set_of_numbers() : slots_(count_) {}
  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const { return size_; }

  COALESCE_API constexpr void insert(std::uint64_t number) {
    if (!set_of_numbers::put(slots_, count_, number)) return;
    if (++size_ <= count_ / 2) return;
    room<slot> more(4 * count_);
    for (slot const* old = slots_.begin(); old != slots_.begin() + count_; ++old)
      if (old->is_taken) set_of_numbers::put(more, 4 * count_, old->number);
    slots_.swap(more);
    count_ *= 4;
  }

 private:
  struct slot {
    std::uint64_t number = 0;
    bool is_taken = false;
  };
  /// Inserts a number. Returns whether it is new.
  COALESCE_API static constexpr bool put(room<slot> const& table, std::uint64_t count, std::uint64_t number) {
    std::uint64_t k = (number * 0x9e37'79b9'7f4a'7c15 >> 32) % count;  // Fibonacci hashing: 2^64 / the golden ratio
    while (table.begin()[k].is_taken && table.begin()[k].number != number) k = (k + 1) % count;
    bool const is_new = !table.begin()[k].is_taken;
    table.begin()[k] = {number, true};
    return is_new;
  }

  std::uint64_t count_ = 256, size_ = 0;  // the number of slots, and how many of them are taken
  room<slot> slots_;
};

/// Collects the pieces that the lanes touch. A piece has Granularity bytes. Its number is its address / Granularity.
template <std::uint64_t Granularity, instruction Instruction>
struct granules_touched {
  set_of_numbers pieces;

  COALESCE_API constexpr void take(access<Instruction::lanes> const& asked, point const&) {
    constexpr unsigned bytes = touched_bytes<Instruction>;
    if (bytes == 0) return;
    // The last piece that was inserted, so that it is not looked up again for the next lane. It starts as a number
    // other than the first piece's.
    std::uint64_t before =
        detail::moved<Instruction>(asked.address[0], offsets_of<Instruction>.from[0]) / Granularity - 1;
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)  // inactive lanes repeat the address of an active one
      for (std::uint64_t const offset : offsets_of<Instruction>.from) {
        std::uint64_t const first = detail::moved<Instruction>(asked.address[lane], offset);
        std::uint64_t piece = first / Granularity;
        for (std::uint64_t const last = (first + bytes - 1) / Granularity; piece <= last; ++piece) {
          if (piece != before) pieces.insert(before = piece);
          if (piece == last) break;  // or ++piece could wrap to 0, since `last` may be 2^64 - 1
        }
      }
  }
};

}  // namespace detail

/// The footprint of an instruction over a domain, in bytes: the bytes of all pieces that the instruction touches. A
/// piece has Granularity bytes, and counts once even if several points touch it. `active` is a mask, a predicate of the
/// lane, or a predicate of the lane and the domain's numbers. Addresses need no alignment. For an instruction with two
/// addresses a lane (ds_read2, ds_write2), both addresses count.
///
///     co::footprint<128, cc90::load<128>>(f, co::domain{8, 4})
template <std::uint64_t Granularity, instruction Instruction, class Pattern, unsigned Rank,
          class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(Pattern const& pattern, domain<Rank> const& over,
                                                             Active const& active = {}) {
  static_assert(Granularity != 0 && (Granularity & (Granularity - 1)) == 0 && Granularity >> 32 == 0,
                "footprint: Granularity is a power of two, below 2^32");
  detail::granules_touched<Granularity, Instruction> touched;
  detail::visit_accesses<Instruction>(pattern, over, active, {.bytes = Instruction::bytes, .alignment = 1}, touched);
  return Granularity * touched.pieces.size();
}

}  // namespace coalescing
