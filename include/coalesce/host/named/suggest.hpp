// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cell.hpp>
#include <coalesce/host/named/instruction.hpp>
#include <coalesce/record/suggest.hpp>
#include <coalesce/suggest/uses.hpp>

#include <cstdint>
#include <vector>

// co::suggest() for instructions that are known by their names.

namespace coalescing {

namespace refused {

[[noreturn]] inline void use_has_no_rounds() {
  detail::refuse(
      "suggest: a use is of an instruction on shared memory or LDS whose rounds a source tells, where each lane "
      "touches "
      "one piece");
}
[[noreturn]] inline void uses_have_no_active_lane() {
  detail::refuse("suggest: no lane of a use is active, so each layout is as good as another");
}
[[noreturn]] inline void use_lacks_cells_of_lanes() {
  detail::refuse("suggest: each use has a cell for every lane of its instruction, and there is at least one use");
}

}  // namespace refused

/// One access to a tile: the cell at which each lane's access begins, the instruction, and the active lanes.
struct named_use {
  named_instruction const* instruction = nullptr;
  std::vector<cell> cells = {};
  std::uint64_t active = all_lanes;
};

namespace detail {

/// One access to a tile: its instruction, and the lanes' addresses.
struct named_tile_access {
  named_facts const* price = nullptr;
  access<64> asked = {};  ///< its addresses count bytes from the beginning of the tile
};
/// Whether both accesses are by the same instruction.
inline bool has_price_of(named_tile_access const& one, named_tile_access const& other) {
  return one.price == other.price;
}
inline bank_cost<> rounds_by(named_facts const* by, access<64> const& asked, std::uint64_t any) {
  return by->rounds(asked, any);
}

}  // namespace detail

/// Finds the layout of the tile with which all uses together need the fewest rounds. Tries the same layouts as
/// co::suggest(tile, uses...), in the same order. Refused: what co::suggest(tile, uses...) refuses; an instruction that
/// has no rounds; a use with fewer cells than lanes; uses without any active lane.
[[nodiscard]] inline recorded_suggestion suggest(tile const& of, std::vector<named_use> const& uses) {
  detail::tile_limits limits = detail::limits_of_tile<>(of);
  if (uses.empty()) refused::use_lacks_cells_of_lanes();
  for (named_use const& use : uses) {
    if (use.instruction == nullptr || !use.instruction->facts->can_be_used) refused::use_has_no_rounds();
    if (use.cells.size() < use.instruction->lanes) refused::use_lacks_cells_of_lanes();
    detail::tighten(limits, use.instruction->facts->use);
  }
  if (limits.bytes() > limits.capacity) refused::tile_is_empty_or_larger_than_its_memory(limits.capacity);
  if (limits.row_bytes % limits.unit != 0) refused::rows_are_no_multiple_of_the_vector(limits.unit);
  limits.unit = detail::most_of(limits.unit, limits.element_bytes & (~limits.element_bytes + 1));

  detail::grown<detail::named_tile_access> accesses;
  for (named_use const& use : uses) {
    named_instruction const& by = *use.instruction;
    auto const cell_of = [&use](unsigned lane) { return use.cells[lane]; };
    detail::cells_in_rows<decltype(cell_of)> const bytes{cell_of, limits.rows, limits.row_bytes, limits.element_bytes,
                                                         by.bytes};
    std::uint64_t const wave = all_lanes >> (64 - by.lanes);
    if (use.active != all_lanes && (use.active & ~wave) != 0) refused::mask_names_lanes_beyond_the_wave(use.active);
    auto const asked = detail::apply<64>(bytes, use.active & wave,
                                         {.bytes = by.bytes, .alignment = by.alignment, .capacity = limits.capacity});
    if (asked.active != 0) accesses.append({by.facts, asked});
  }
  if (accesses.count == 0) refused::uses_have_no_active_lane();
  return detail::suggest_recorded(accesses, limits);
}

}  // namespace coalescing
