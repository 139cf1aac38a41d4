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

// The width of an instruction and the mapping of its lanes that cover a matrix in global memory at the least cost.

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

/// Who touches what of a matrix in global memory: `bits` of a lane, `along` neighbouring lanes on a row, the others on
/// the rows below.
template <class Cost>
struct lane_suggestion {
  unsigned bits = 0;            ///< of a lane: the width of the instruction
  unsigned lanes = 0;           ///< of the wave or warp
  unsigned along = 0;           ///< lanes on a row, a power of two
  unsigned elements = 0;        ///< of a lane
  std::uint64_t issued = 0;     ///< instructions, one wave or warp each, over the whole matrix
  Cost cost{};                  ///< of all of them
  bool wastes_nothing = false;  ///< each byte of the matrix that is used is moved once, and no other: no mapping moves
                                ///< fewer bytes

  /// The lane's first element, of the wave or warp that begins at (0, 0). Refused: a lane that it does not have.
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

/// What is to be least: clocks where the machine has them, else transactions times their size.
template <class Cost>
COALESCE_API constexpr std::uint64_t burden_of(Cost const& cost) {
  if constexpr (has_clocks<Cost>)
    return cost.clocks;
  else
    return cost.bytes_moved;
}

/// Bytes that lie in some row, those of overlapping rows once.
COALESCE_API constexpr std::uint64_t bytes_in(tile const& of) {
  auto const row = static_cast<std::uint64_t>(of.columns) * static_cast<std::uint64_t>(of.element_bytes),
             pitch = static_cast<std::uint64_t>(of.pitch), apart = of.pitch < 0 ? 0 - pitch : pitch;
  return row + (static_cast<std::uint64_t>(of.rows) - 1) * (apart < row ? apart : row);
}

/// Asks one width about every mapping of its lanes.
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

/// What all widths of an instruction have in common: its template, or what a member of one names; else itself.
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
/// Whether two are one instruction of one machine, at one level.
template <class A, class B>
inline constexpr bool differ_in_width =
    std::same_as<typename without_width<A>::type, typename without_width<B>::type> && (A::level == B::level);

}  // namespace detail

/// The width and lane mapping with which a wave or warp covers a matrix in global memory at the least cost: of the
/// instructions that are named, the first that reaches the fewest clocks where they have them (GCN), else the fewest
/// bytes moved; of equals the fewest instructions; of those the most lanes on a row. Each lane takes whole elements of
/// one row. Exact, in closed form: the extents may be large.
///
///     co::suggest_lanes<cc90::load<32>, cc90::load<64>, cc90::load<128>>(co::tile{.rows = 4096, .columns = 4096,
///     .element_bytes = 2})
///
/// Refused: a tile that none of the widths fits (co::total refuses what leaves memory); anything but widths of one
/// template of instructions.
template <instruction... Instructions>
requires(sizeof...(Instructions) != 0)  //
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
