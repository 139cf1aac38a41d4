// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cell.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>
#include <coalesce/total/launch.hpp>

#include <concepts>
#include <cstdint>

// Finds the width of an instruction, and the mapping of its lanes, that cover a matrix in global memory at the least
// cost.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void tile_has_no_elements() {
  detail::refuse("suggest_lanes: the tile has no elements, or elements of no bytes");
}
[[noreturn]] COALESCE_API inline void tile_fits_no_width() {
  detail::refuse(
      "suggest_lanes: no instruction fits the tile: its vectors must hold whole elements, divide a row, and be aligned "
      "at "
      "its base and from row to row");
}

[[noreturn]] COALESCE_API inline void suggestion_has_no_such_lane(unsigned) {
  detail::refuse("suggest_lanes: the lane is not one of the wave or warp (0 to lane_suggestion::lanes - 1)");
}

}  // namespace refused

/// Which elements of a matrix in global memory each lane accesses. A lane accesses `bits` bits. `along` neighbouring
/// lanes access one row, and the next lanes access the rows below.
template <class Cost>
struct lane_suggestion {
  unsigned bits = 0;         ///< the width of the instruction, in bits per lane
  unsigned lanes = 0;        ///< how many lanes the wave or warp has
  unsigned along = 0;        ///< how many lanes access the same row, a power of two
  unsigned elements = 0;     ///< how many elements a lane accesses
  std::uint64_t issued = 0;  ///< how many instructions cover the whole matrix; one wave or warp issues each
  Cost cost{};               ///< the total over all these instructions
  /// Whether each byte of the matrix is moved exactly once, and no other byte is. If so, no mapping moves fewer bytes.
  bool wastes_nothing = false;

  /// The first element of a lane in the wave or warp that begins at (0, 0). Refused: a lane that the wave does not
  /// have.
  [[nodiscard]] COALESCE_API constexpr cell operator()(unsigned lane) const {
    if (lane >= lanes) refused::suggestion_has_no_such_lane(lane);
    return {.row = lane / along, .column = lane % along * elements};
  }
  bool operator==(lane_suggestion const&) const = default;
};

namespace detail {

template <class Cost>
concept moves_bytes = requires(Cost const& cost) {
  cost.bytes_moved;
  cost.bytes_used;
};
template <class Cost>
concept has_clocks = requires(Cost const& cost) {
  cost.clocks;
};

/// The number that the search minimizes: the clocks if the cost has clocks, else the bytes moved (transactions times
/// their size).
template <class Cost>
COALESCE_API constexpr std::uint64_t burden_of(Cost const& cost) {
  if constexpr (has_clocks<Cost>)
    return cost.clocks;
  else
    return cost.bytes_moved;
}

/// The bytes of all rows. Where rows overlap, each byte counts once.
COALESCE_API constexpr std::uint64_t bytes_in(tile const& of) {
  auto const row = static_cast<std::uint64_t>(of.columns) * static_cast<std::uint64_t>(of.element_bytes),
             pitch = static_cast<std::uint64_t>(of.pitch), apart = of.pitch < 0 ? 0 - pitch : pitch;
  return row + (static_cast<std::uint64_t>(of.rows) - 1) * (apart < row ? apart : row);
}

/// Counts the cost of every mapping of the lanes for one width, and keeps the best.
template <class Instruction, class Cost>
COALESCE_API constexpr void consider_lanes(tile const& of, lane_suggestion<Cost>& best) {
  constexpr std::int64_t bytes = Instruction::bytes, alignment = Instruction::alignment;
  std::int64_t const vector = bytes / of.element_bytes;
  if (bytes % of.element_bytes != 0 || of.columns % vector != 0 || of.pitch % alignment != 0 ||
      of.base % Instruction::alignment != 0)
    return;
  layout<2> const vectors{.base = of.base, .shape = {of.columns / vector, of.rows}, .stride = {bytes, of.pitch}};
  for (unsigned along = Instruction::lanes; along != 0; along /= 2) {
    std::int64_t const x = along, y = Instruction::lanes / along;
    auto const cost = coalescing::total<Instruction>(vectors, block{x, y});
    auto const issued = static_cast<std::uint64_t>((of.columns / vector + x - 1) / x * ((of.rows + y - 1) / y));
    auto const burden = detail::burden_of(cost), least = detail::burden_of(best.cost);
    if (best.along == 0 || burden < least || (burden == least && issued < best.issued))
      best = {.bits = 8 * Instruction::bytes,
              .lanes = Instruction::lanes,
              .along = along,
              .elements = static_cast<unsigned>(vector),
              .issued = issued,
              .cost = cost,
              .wastes_nothing = cost.bytes_moved == cost.bytes_used && cost.bytes_moved <= detail::bytes_in(of)};
  }
}

template <class First, class...>
struct first_of {
  using type = First;
};

/// Gives one type for all widths of an instruction, so that load<32> and load<64> give the same type. This type is the
/// member any_width if the instruction declares it, else one made from the instruction's template. For an instruction
/// with neither, this type is the instruction itself.
template <class Instruction>
struct without_width {
  using type = Instruction;
};
template <template <auto...> class Instruction, auto... Width>
struct without_width<Instruction<Width...>> {
  using type = any_width<Instruction>;
};
template <class Instruction>
requires requires { typename Instruction::any_width; }
struct without_width<Instruction> {
  using type = typename Instruction::any_width;
};
/// Whether two instructions differ in width alone: they are one instruction of one machine, and their costs are counted
/// at one memory level.
template <class A, class B>
inline constexpr bool differ_in_width =
    std::same_as<typename without_width<A>::type, typename without_width<B>::type> && (A::level == B::level);

}  // namespace detail

/// Finds the width and the lane mapping with which warps or waves cover a matrix in global memory at the least cost. It
/// chooses among the instructions that are named. The fewest clocks win if the cost has clocks (GCN, and the 32- and
/// 64-bit loads of gfx1030), else the fewest bytes moved. Among equal costs the fewest instructions win, then the
/// instruction that is named first, then the most lanes on a row. Each lane accesses whole elements of one row. The
/// cost is exact and in closed form, so the extents may be large.
///
///     co::suggest_lanes<cc90::load<32>, cc90::load<64>, cc90::load<128>>(co::tile{.rows = 4096, .columns = 4096,
///     .element_bytes = 2})
///
/// Refused: a tile that no width fits; instructions that are not widths of one template; addresses that co::total
/// refuses.
template <instruction... Instructions>
requires(sizeof...(Instructions) != 0)  // (so that clang-format breaks the line here)
    [[nodiscard]] COALESCE_API constexpr auto suggest_lanes(tile const& of) {
  using first = typename detail::first_of<Instructions...>::type;
  constexpr bool are_widths =
      detail::moves_bytes<typename first::cost_type> && (detail::differ_in_width<Instructions, first> && ...);
  constexpr bool alike = (std::same_as<typename Instructions::cost_type, typename first::cost_type> && ...);
  static_assert(are_widths,
                "suggest_lanes<Instructions...>(tile): one load or store of one machine, on global memory and through "
                "the same cache, in several widths: cc90::load<32>, cc90::load<64>");
  static_assert(
      !are_widths || alike,
      "suggest_lanes<Instructions...>(tile): these widths are not counted in the same numbers (of the loads of "
      "gfx1030 those of 32 and 64 bits have clocks, others have none): ask about each kind on its own");
  lane_suggestion<typename first::cost_type> best;
  if constexpr (are_widths && alike) {
    if (of.rows < 1 || of.columns < 1 || of.element_bytes < 1) refused::tile_has_no_elements();
    (detail::consider_lanes<Instructions>(of, best), ...);
    if (best.along == 0) refused::tile_fits_no_width();
  }
  return best;
}

}  // namespace coalescing
