// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/launch.hpp>
#include <coalesce/total/visits.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// What then? A tile in shared memory or LDS, how it is written and how it is read: the layout with the fewest rounds
// over all of it, and the proof.
//
// The space that is searched, in this order. The *unit* is the widest access of any use, or an element if that is
// wider: no layout tears a unit or moves it off its alignment. A *row of banks* is one word of each.
// 1. The tile in rows.
// 2. Its swizzles of `bits` bits from `base` on, from the unit up to a row of banks, with as many bits from any bit on
//    that tells rows of banks apart (bits below that only rename banks). First those from bit log2(pitch) on, most bits
//    first. Skipped: those that leave the tile, and those of elements whose size is no power of two.
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
[[noreturn]] COALESCE_API inline void cell_lies_outside_the_tile(unsigned, unsigned) {
  detail::refuse(
      "suggest: a use touches bytes beyond its row of the tile, a row that the tile does not have, or a block");
}

}  // namespace refused

/// A tile's layout: rows `pitch` bytes apart, swizzled. (row, column) -> byte offset of the element, in host and device
/// code. What was counted holds where the tile begins at a multiple of the instructions' period; a swizzle of whole
/// addresses, as CuTe's pointers and tensor maps have it, is the same from a multiple of 2^swizzle.top().
struct suggested_layout {
  std::int64_t element_bytes = 0;
  std::int64_t pitch = 0;            ///< bytes from row to row, before the swizzle
  coalescing::swizzle swizzle = {};  ///< of the offset; none: 0 bits

  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return swizzle(detail::times(pitch, row) + detail::times(element_bytes, column));
  }
  bool operator==(suggested_layout const&) const = default;
};

/// A layout and its proof, what each use costs over its domain: `before` in rows without padding, `after` in `layout`.
/// Where nothing satisfies all, `after` tells whom it costs.
template <unsigned Uses>
struct suggestion {
  bank_cost<> before[Uses] = {};
  bank_cost<> after[Uses] = {};
  suggested_layout layout = {};
  std::uint64_t bytes = 0;  ///< of memory: rows times pitch
  std::uint64_t tried = 0;  ///< layouts that were asked; where not is_optimal, all of the space: none has fewer rounds
  bool is_optimal = false;  ///< no use has a conflict left: no layout whatsoever has fewer rounds
  bool operator==(suggestion const&) const = default;
};

namespace detail {

/// The one instruction, not over and over.
struct once {};

/// What use() makes.
template <class Instruction, class Cells, class Over, class Active>
struct use_of {
  using instruction = Instruction;
  Cells cells;
  Over over;
  Active active;
};
template <class T>
inline constexpr bool is_a_use = false;
template <class Instruction, class Cells, class Over, class Active>
inline constexpr bool is_a_use<use_of<Instruction, Cells, Over, Active>> = true;

/// ds_read2 reaches a second place at a distance that no swizzle keeps.
template <class Instruction>
inline constexpr bool is_on_one_piece = Instruction::level == level::lds&& addresses_of_a_lane<Instruction> == 1;
/// Of others in LDS no source tells the rounds.
template <class Instruction>
concept has_rounds = requires {
  Instruction::banks;
};

#ifdef __GNUC__  // calls of a user's function do not warn of conversions, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

template <class Cells, class... At>
concept gives_a_cell = (std::same_as<At, unsigned> && ...) && requires(Cells const& cells, At... at) {
  { cells(at...) } -> one_of<cell>;
};

/// A use as a pattern of byte addresses.
template <class Cells>
struct cells_in {
  Cells const& cells;
  coalescing::swizzle const& swizzle;
  std::uint64_t pitch, element_bytes;
  std::uint64_t rows, row_bytes;  ///< of the tile
  std::uint64_t bytes;            ///< of a lane

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class... At>
  requires gives_a_cell<Cells, At...> COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    cell const here = cells(at...);
    std::uint64_t const first = element_bytes * here.column, offset = pitch * here.row + first;
    if (here.row >= rows || first + bytes > row_bytes || here.block != 0)
      refused::cell_lies_outside_the_tile(here.row, here.column);
    return swizzle.bits == 0 ? offset : swizzle(offset);
  }
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// Adds up until there are as many conflicts as no longer interest.
struct conflicts_up_to {
  std::uint64_t limit;
  bank_cost<> sum{};

  template <class Cost>
  COALESCE_API constexpr void take(Cost const& cost, point const&) {
    sum += bank_cost<>{.rounds = cost.rounds, .conflicts = cost.conflicts, .phases = cost.phases, .ways = cost.ways};
  }
  COALESCE_API constexpr bool is_done() const { return sum.conflicts >= limit; }
};

/// The most and the least that several have of something.
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
  static constexpr unsigned count = sizeof...(Uses);

  std::uint64_t rows, row_bytes, element_bytes;
  std::uint64_t unit = 1, period = 1;
  std::uint64_t widest_row = 0, narrowest_row = ~std::uint64_t{0};  ///< of banks, of any use
  std::uint64_t capacity = ~std::uint64_t{0};
  unsigned suspect = 0;  ///< the use that ruled out the last layout, asked first about the next one
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

  /// Keeps a layout that has fewer conflicts than `limit`, and lowers that. Whether nothing is left to be looked for.
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

  /// Goes through the space, but for its first layout, until one has no conflict.
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
  /// Only the last piece can, where the tile ends within it: all of it moves by the bits that the tile's end has.
  COALESCE_API constexpr bool leaves_the_tile(unsigned bits, unsigned base, unsigned from) const {
    std::uint64_t const moved = rows * row_bytes >> from & ((std::uint64_t{1} << bits) - 1);
    return moved != 0 && rows * row_bytes % (std::uint64_t{2} << (base + detail::log2_of(moved))) != 0;
  }
  COALESCE_API constexpr suggested_layout in_rows() const {
    return {.element_bytes = static_cast<std::int64_t>(element_bytes), .pitch = static_cast<std::int64_t>(row_bytes)};
  }

  /// First for a layout without conflicts, where each is dropped at its first; then for the fewest.
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

/// One way in which a tile is used: an instruction on shared memory or LDS, and the cell whose first byte each lane
/// touches, a function (lane) -> co::cell. Over a domain (lane, step, ...) -> co::cell.
template <instruction Instruction, class Cells, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto use(Cells const& cells, Active const& active = {}) {
  return detail::use_of<Instruction, Cells, detail::once, Active>{cells, {}, active};
}
/// `active` is a mask, a predicate of the lane, or of what the function takes.
template <instruction Instruction, class Cells, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto use(Cells const& cells, domain<Rank> const& over, Active const& active = {}) {
  return detail::use_of<Instruction, Cells, domain<Rank>, Active>{cells, over, active};
}

namespace detail {

template <class Use>
inline constexpr bool gives_cells = false;
template <class Instruction, class Cells, class Active>
inline constexpr bool gives_cells<use_of<Instruction, Cells, once, Active>> = gives_a_cell<Cells, unsigned>;
template <class Instruction, class Cells, unsigned Rank, class Active>
inline constexpr bool gives_cells<use_of<Instruction, Cells, domain<Rank>, Active>> =
    takes_a_point<cells_in<Cells>, Rank>;

}  // namespace detail

/// The layout of the tile with the fewest rounds in total over all uses, whatever their machines; of several that with
/// the fewest bytes; of several the first in the order that is told above. The same at compile time and at run time.
///
///     constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
///                                        co::use<cc90::shared_store<32>>(by_rows),
///                                        co::use<cc90::shared_load<32>>(by_columns));
///
/// Refused: a tile with a base or a pitch, or whose rows are no multiple of the widest access; cells outside it.
///
/// Constexpr steps of clang (tests/cost/budget): a transpose of 32 x 32 floats under 50,000; 64 x 64 halves staged in
/// LDS, 16 asks of 64 lanes, under 200,000; the proof that nothing is free for three asks of a warp, in up to 64 KB,
/// under a million. Longer ones are for run time.
template <class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, Uses const&... uses) {
  constexpr bool are_uses = sizeof...(Uses) != 0 && (detail::is_a_use<Uses> && ...);
  static_assert(are_uses,
                "suggest(tile, uses...): each use is co::use<Instruction>(cells[, co::domain{n...}][, active])");
  if constexpr (are_uses) {
    constexpr bool are_on_pieces = (detail::is_on_one_piece<typename Uses::instruction> && ...);
    constexpr bool have_rounds = (detail::has_rounds<typename Uses::instruction> && ...);
    constexpr bool give_cells = (detail::gives_cells<Uses> && ...);
    static_assert(are_on_pieces,
                  "suggest: a use is of an instruction on shared memory or LDS, where each lane touches one piece (of "
                  "ds_read2 and ds_write2, use ds_read and ds_write of the same bits for each of the two)");
    static_assert(
        !are_on_pieces || have_rounds,
        "suggest: no source tells the rounds of an instruction that a use is of (ds_atomic and ds_read_tr<96, "
        "6> of CDNA), so there is nothing to be least");
    static_assert(give_cells,
                  "suggest: the cells of a use are const-callable with the lane, and with N more numbers over a domain "
                  "of N dimensions, all unsigned, and give a co::cell");
    if constexpr (are_on_pieces && have_rounds && give_cells)
      return detail::layout_search<Uses...>(of).run(uses...);
    else
      return suggestion<sizeof...(Uses)>{};
  } else {
    return suggestion<1>{};
  }
}

// ---- Global memory ----

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
