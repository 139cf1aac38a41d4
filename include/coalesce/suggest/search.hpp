// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/suggest/uses.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/visits.hpp>

#include <concepts>
#include <cstdint>

// The search space of co::suggest(), in order. The *unit* is the widest access of any use, or one element where an
// element is wider: no layout splits a unit or misaligns it. A *row of banks* is one word of every bank.
// 1. The tile in rows, without padding.
// 2. Its swizzles. Each XORs `bits` bits, from bit `base` on, with as many higher bits. The lower bits lie between the
//    unit and the row of banks. The higher bits may begin at any bit that distinguishes rows of banks; bits below that
//    only rename banks. Swizzles from bit log2(pitch) on come first, those of the most bits first. The search skips
//    swizzles that leave the tile, and all of them where the element size is no power of two.
// 3. Its rows padded by 1, 2, 3 ... units, up to the instructions' period and the end of the memory.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void tile_is_empty_or_larger_than_its_memory() {
  detail::refuse(
      "suggest: an extent of the tile is less than 1, or it has more bytes than a use's memory "
      "(Instruction::capacity)");
}
[[noreturn]] COALESCE_API inline void tile_has_a_base_or_pitch_already() {
  detail::refuse(
      "suggest: the tile begins at byte 0, and its pitch is what is looked for: name rows, columns and element_bytes");
}
[[noreturn]] COALESCE_API inline void rows_are_no_multiple_of_the_vector(std::uint64_t) {
  detail::refuse("suggest: a row of the tile is no multiple of the widest access, whose vectors must stay aligned");
}

}  // namespace refused

namespace detail {

/// Adds up costs until there are `limit` conflicts: such a layout is no better than the best one so far.
struct conflicts_up_to {
  std::uint64_t limit;
  bank_cost<> sum{};

  template <class Cost>
  COALESCE_API constexpr void take(Cost const& cost, point const&) {
    sum += bank_cost<>{.rounds = cost.rounds, .conflicts = cost.conflicts, .phases = cost.phases, .ways = cost.ways};
  }
  COALESCE_API constexpr bool is_done() const { return sum.conflicts >= limit; }
};

COALESCE_API constexpr std::uint64_t most_of(std::uint64_t a, std::uint64_t b) { return a < b ? b : a; }
COALESCE_API constexpr std::uint64_t least_of(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }
COALESCE_API constexpr unsigned log2_of(std::uint64_t number) {
  unsigned log = 0;
  while (number >> log > 1) ++log;
  return log;
}

/// The search for one tile and its uses.
template <class... Uses>
struct layout_search {
  enum : unsigned { count = sizeof...(Uses) };  // no variable, for the reason of is_a_use

  std::uint64_t rows, row_bytes, element_bytes;
  std::uint64_t unit = 1, period = 1;
  std::uint64_t widest_row = 0, narrowest_row = ~std::uint64_t{0};  ///< bytes of a row of banks
  std::uint64_t capacity = ~std::uint64_t{0};
  unsigned suspect = 0;  ///< the use that ruled out the last layout: it is counted first for the next
  suggestion<count> found = {};

  COALESCE_API constexpr explicit layout_search(tile const& of)
      : rows(static_cast<std::uint64_t>(of.rows)),
        row_bytes(detail::times(of.columns, of.element_bytes)),
        element_bytes(static_cast<std::uint64_t>(of.element_bytes)) {
    (meet<typename Uses::instruction>(), ...);
    if (of.rows < 1 || of.columns < 1 || of.element_bytes < 1 || element_bytes > capacity ||
        static_cast<std::uint64_t>(of.columns) > capacity / element_bytes || rows > capacity / row_bytes)
      refused::tile_is_empty_or_larger_than_its_memory();
    if (of.base != 0 || static_cast<std::uint64_t>(of.pitch) != row_bytes) refused::tile_has_a_base_or_pitch_already();
    if (row_bytes % unit != 0) refused::rows_are_no_multiple_of_the_vector(unit);
    unit = detail::most_of(unit, element_bytes & (~element_bytes + 1));
  }
  template <class Instruction>
  COALESCE_API constexpr void meet() {
    constexpr std::uint64_t row = std::uint64_t{Instruction::banks} * Instruction::unit;
    unit = detail::most_of(unit, Instruction::alignment);
    period = detail::most_of(period, Instruction::period);
    widest_row = detail::most_of(widest_row, row), narrowest_row = detail::least_of(narrowest_row, row);
    capacity = detail::least_of(capacity, Instruction::capacity);
  }

  template <class Instruction, class Cells, class Over, class Active>
  COALESCE_API constexpr bank_cost<> ask(suggested_layout const& layout, std::uint64_t limit,
                                         use_of<Instruction, Cells, Over, Active> const& use) const {
    cells_in<Cells> const pattern{use.cells,         layout.swizzle, static_cast<std::uint64_t>(layout.pitch),
                                  element_bytes,     rows,           row_bytes,
                                  Instruction::bytes};
    conflicts_up_to counted{.limit = limit};
    if constexpr (std::same_as<Over, once>) {
      using mask = decltype(detail::mask_of_lanes(use.active));
      if constexpr (detail::well_formed<cells_in<Cells>, mask, Instruction::lanes>) {
        auto const asked =
            detail::apply<Instruction::lanes>(pattern, detail::mask_of_lanes(use.active), limits_of<Instruction>());
        if (asked.active != 0) counted.take(Instruction::cost_of(asked), {});
      } else {
        detail::ill_formed<bool, cells_in<Cells>, mask, Instruction::lanes>();
      }
    } else {
      detail::visit<Instruction>(pattern, use.over, use.active, counted);
    }
    return counted.sum;
  }

  /// Keeps a layout that has fewer than `limit` conflicts, and lowers `limit` to its number. Returns whether the search
  /// is over: a layout has no conflict.
  COALESCE_API constexpr bool consider(suggested_layout const& layout, std::uint64_t& limit, Uses const&... uses) {
    ++found.tried;
    bank_cost<> costs[count];
    std::uint64_t conflicts = 0;
    for (unsigned turn = 0; turn != count; ++turn) {
      unsigned const which = (suspect + turn) % count;
      unsigned k = 0;
      ((k++ == which ? void(costs[which] = ask(layout, limit - conflicts, uses)) : void()), ...);
      conflicts += costs[which].conflicts;
      if (conflicts >= limit) return suspect = which, false;
    }
    for (unsigned k = 0; k != count; ++k) found.after[k] = costs[k];
    found.layout = layout;
    return (limit = conflicts) == 0;
  }

  /// Tries every layout of the search space except the first, until one has no conflict.
  COALESCE_API constexpr void walk(std::uint64_t limit, Uses const&... uses) {
    auto layout = in_rows();
    unsigned const lowest = detail::log2_of(unit), highest = detail::log2_of(widest_row),
                   first = detail::log2_of(narrowest_row), end = detail::log2_of(2 * rows * row_bytes - 1),
                   pitch = detail::log2_of(row_bytes), preferred = pitch < first || pitch >= end ? first : pitch;
    bool const can_be_swizzled = (element_bytes & (element_bytes - 1)) == 0;
    for (unsigned n = 0; can_be_swizzled && first + n < end; ++n) {
      unsigned const from = n == 0 ? preferred : first + n - (first + n <= preferred);
      for (unsigned bits = highest > lowest ? highest - lowest : 0; bits != 0; --bits)
        for (unsigned base = lowest; base + bits <= highest; ++base) {
          if (from + bits > end || base + bits > from || leaves_the_tile(bits, base, from)) continue;
          layout.swizzle = {.bits = bits, .base = base, .shift = static_cast<int>(from - base)};
          if (consider(layout, limit, uses...)) return;
        }
    }
    layout.swizzle = {};
    for (std::uint64_t padding = unit; padding < period && row_bytes + padding <= capacity / rows; padding += unit) {
      layout.pitch = static_cast<std::int64_t>(row_bytes + padding);
      if (consider(layout, limit, uses...)) return;
    }
  }
  /// Whether a swizzle moves elements beyond the end of the tile. Only the last aligned piece can, where the tile ends
  /// within it: all of the piece moves by those swizzled bits that the end of the tile has set.
  COALESCE_API constexpr bool leaves_the_tile(unsigned bits, unsigned base, unsigned from) const {
    std::uint64_t const moved = rows * row_bytes >> from & ((std::uint64_t{1} << bits) - 1);
    return moved != 0 && rows * row_bytes % (std::uint64_t{2} << (base + detail::log2_of(moved))) != 0;
  }
  COALESCE_API constexpr suggested_layout in_rows() const {
    return {.element_bytes = static_cast<std::int64_t>(element_bytes), .pitch = static_cast<std::int64_t>(row_bytes)};
  }

  /// Searches twice. The first walk looks for a layout without conflicts, and drops each layout at its first conflict.
  /// The second walk, needed where the first finds no such layout, looks for the fewest conflicts.
  COALESCE_API constexpr suggestion<count> run(Uses const&... uses) {
    std::uint64_t fewest = ~std::uint64_t{0};
    consider(in_rows(), fewest, uses...);
    for (unsigned k = 0; k != count; ++k) found.before[k] = found.after[k];
    if (fewest != 0) walk(1, uses...);
    if (has_conflicts()) found.tried = 1, walk(fewest, uses...);
    found.bytes = rows * static_cast<std::uint64_t>(found.layout.pitch);
    found.is_optimal = !has_conflicts();
    return found;
  }
  COALESCE_API constexpr bool has_conflicts() const {
    for (bank_cost<> const& cost : found.after)
      if (cost.conflicts != 0) return true;
    return false;
  }
};

}  // namespace detail

}  // namespace coalescing
