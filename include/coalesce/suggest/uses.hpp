// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/layout.hpp>
#include <coalesce/total/room.hpp>
#include <coalesce/total/visits.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// The uses of a tile: the accesses that a kernel makes to it (co::use). Their addresses are recorded once, and each
// layout that is tried moves them.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void tile_is_empty_or_larger_than_its_memory(std::uint64_t capacity) {
  if (capacity == ~std::uint64_t{0})
    detail::refuse("suggest: an extent of the tile is less than 1, or past 2^64 bytes");
  detail::refuse_number("suggest: an extent of the tile is less than 1, or it has more bytes than a use's memory, ",
                        capacity, " bytes");
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

namespace detail {

COALESCE_API constexpr std::uint64_t most_of(std::uint64_t a, std::uint64_t b) { return a < b ? b : a; }
COALESCE_API constexpr std::uint64_t least_of(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }
COALESCE_API constexpr unsigned log2_of(std::uint64_t number) {
  unsigned log = 0;
  while (number >> log > 1) ++log;
  return log;
}

/// Stands for the domain of a use that has none: the instruction is issued once.
struct once {};

/// The result of co::use(): an instruction, and the cells of a tile that its lanes access.
template <class Instruction, class Cells, class Over, class Active>
struct use_of {
  using instruction = Instruction;
  Cells cells;
  Over over;
  Active active;
};
/// Whether T is a use_of. (A class and not a variable: without optimization g++ keeps a variable of a lambda's type in
/// the object file.)
template <class T>
struct is_a_use : std::false_type {};
template <class Instruction, class Cells, class Over, class Active>
struct is_a_use<use_of<Instruction, Cells, Over, Active>> : std::true_type {};

/// Whether the instruction is on shared memory or LDS and each lane accesses one place only. ds_read2 and its kind
/// access a second place at a fixed distance, which a swizzle does not preserve.
template <class Instruction>
inline constexpr bool is_on_one_piece = Instruction::level == level::lds&& addresses_of_a_lane<Instruction> == 1;
/// Whether the rounds of the instruction are known. For some LDS instructions no source gives them.
template <class Instruction>
concept has_rounds = requires {
  Instruction::banks;
};

#ifdef __GNUC__  // no warnings of conversions in calls of a user's function, as in core/access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

template <class Cells, class... At>
concept gives_a_cell = (std::same_as<At, unsigned> && ...) && requires(Cells const& cells, At... at) {
  { cells(at...) } -> one_of<cell>;
};

/// Turns the cells that a use names into a pattern of byte offsets, in a tile whose rows have no padding.
template <class Cells>
struct cells_in_rows {
  Cells const& cells;
  std::uint64_t rows, row_bytes, element_bytes;
  std::uint64_t bytes;  ///< bytes per lane

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class... At>
  requires gives_a_cell<Cells, At...> COALESCE_API constexpr std::uint64_t operator()(At... at) const {
    cell const here = cells(at...);
    if (here.row >= rows || element_bytes * here.column + bytes > row_bytes || here.block != 0)
      refused::cell_lies_outside_the_tile(here.row, here.column);
    return row_bytes * here.row + element_bytes * here.column;
  }
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

template <class Use>
struct gives_cells : std::false_type {};
template <class Instruction, class Cells, class Active>
struct gives_cells<use_of<Instruction, Cells, once, Active>> : std::bool_constant<gives_a_cell<Cells, unsigned>> {};
template <class Instruction, class Cells, unsigned Rank, class Active>
struct gives_cells<use_of<Instruction, Cells, domain<Rank>, Active>>
    : std::bool_constant<takes_a_point<cells_in_rows<Cells>, Rank>> {};

/// What limits the layouts of a tile: its size, and the strictest demands of its uses.
struct tile_limits {
  std::uint64_t rows = 0, row_bytes = 0, element_bytes = 0;
  /// How many bytes stay together and aligned: the strictest alignment of the uses, or the largest power of two that
  /// divides element_bytes, whichever is more.
  std::uint64_t unit = 1;
  std::uint64_t period = 1;  ///< moving all accesses by this many bytes changes no cost
  std::uint64_t widest_row = 0, narrowest_row = ~std::uint64_t{0};  ///< bytes of a row of banks: one word of each bank
  std::uint64_t capacity = ~std::uint64_t{0};                       ///< bytes of the smallest memory of a use

  COALESCE_API constexpr std::uint64_t bytes() const { return rows * row_bytes; }
  COALESCE_API constexpr bool elements_are_powers_of_two() const { return (element_bytes & (element_bytes - 1)) == 0; }
};

/// The limits that the instruction of one use (an access of the kernel to the tile) sets to the tile's layouts.
struct use_limits {
  std::uint64_t alignment = 0, period = 0, capacity = 0;  ///< bytes
  std::uint64_t row = 0;                                  ///< bytes of a row of banks
};
template <class Instruction>
COALESCE_API constexpr use_limits limits_of_use() {
  return {.alignment = Instruction::alignment,
          .period = Instruction::period,
          .capacity = Instruction::capacity,
          .row = std::uint64_t{Instruction::banks} * Instruction::unit};
}
COALESCE_API constexpr void tighten(tile_limits& limits, use_limits const& use) {
  limits.unit = detail::most_of(limits.unit, use.alignment);
  limits.period = detail::most_of(limits.period, use.period);
  limits.widest_row = detail::most_of(limits.widest_row, use.row);
  limits.narrowest_row = detail::least_of(limits.narrowest_row, use.row);
  limits.capacity = detail::least_of(limits.capacity, use.capacity);
}
template <class... Instructions>
COALESCE_API constexpr tile_limits limits_of_tile(tile const& of) {
  tile_limits limits{.rows = static_cast<std::uint64_t>(of.rows),
                     .row_bytes = detail::times(of.columns, of.element_bytes),
                     .element_bytes = static_cast<std::uint64_t>(of.element_bytes)};
  (detail::tighten(limits, limits_of_use<Instructions>()), ...);
  if (of.rows < 1 || of.columns < 1 || of.element_bytes < 1 || limits.element_bytes > limits.capacity ||
      static_cast<std::uint64_t>(of.columns) > limits.capacity / limits.element_bytes ||
      limits.rows > limits.capacity / limits.row_bytes)
    refused::tile_is_empty_or_larger_than_its_memory(limits.capacity);
  if (of.base != 0 || static_cast<std::uint64_t>(of.pitch) != limits.row_bytes)
    refused::tile_has_a_base_or_pitch_already();
  if (limits.row_bytes % limits.unit != 0) refused::rows_are_no_multiple_of_the_vector(limits.unit);
  limits.unit = detail::most_of(limits.unit, limits.element_bytes & (~limits.element_bytes + 1));
  return limits;
}

/// An instruction whose "cost" is the access itself. So visit(), which hands out costs, can hand out accesses.
template <class Instruction>
struct access_itself : Instruction {
  using cost_type = access<Instruction::lanes>;
  static constexpr std::uint64_t period = std::uint64_t{1} << 63;  // so large that only equal accesses count as one
  COALESCE_API static constexpr cost_type cost_of(cost_type const& asked) { return asked; }
};

/// The accesses of one use that have an active lane. Their addresses are byte offsets in the tile's rows without
/// padding.
template <class Instruction>
class recorded_use {
 public:
  using instruction = Instruction;
  using access_type = access<Instruction::lanes>;

  recorded_use() = default;
  COALESCE_API constexpr recorded_use(recorded_use&& other) noexcept
      : accesses_(other.accesses_), size_(other.size_), room_(other.room_) {
    other.accesses_ = nullptr;
  }
  COALESCE_API constexpr ~recorded_use() { delete[] accesses_; }

  COALESCE_API constexpr access_type const* begin() const { return accesses_; }
  COALESCE_API constexpr access_type const* end() const { return accesses_ + size_; }

  COALESCE_API constexpr void take(access_type const& asked, point const&) {
    if (size_ == room_) {
      access_type* const fewer = accesses_;
      room_ = 4 * room_ + 1;
      accesses_ = new access_type[detail::size_of_memory(room_)];
      for (std::uint64_t k = 0; k != size_; ++k) accesses_[k] = fewer[k];
      delete[] fewer;
    }
    accesses_[size_++] = asked;
  }

 private:
  access_type* accesses_ = nullptr;
  std::uint64_t size_ = 0, room_ = 0;
};

/// Records the accesses of a use. Refused: a cell outside the tile; a misaligned offset.
template <class Instruction, class Cells, class Over, class Active>
COALESCE_API constexpr recorded_use<Instruction> recorded(tile_limits const& of,
                                                          use_of<Instruction, Cells, Over, Active> const& use) {
  cells_in_rows<Cells> const pattern{use.cells, of.rows, of.row_bytes, of.element_bytes, Instruction::bytes};
  recorded_use<Instruction> accesses;
  if constexpr (std::same_as<Over, once>) {
    using mask = decltype(detail::mask_of_lanes(use.active));
    if constexpr (detail::well_formed<cells_in_rows<Cells>, mask, Instruction::lanes>) {
      auto const asked = detail::apply<Instruction::lanes>(
          pattern, detail::address_lanes<Instruction>(detail::mask_of_lanes(use.active)), limits_of<Instruction>());
      if (asked.active != 0) accesses.take(asked, {});
    } else {
      detail::ill_formed<bool, cells_in_rows<Cells>, mask, Instruction::lanes>();
    }
  } else {
    detail::visit<access_itself<Instruction>>(pattern, use.over, use.active, accesses);
  }
  return accesses;
}

}  // namespace detail

}  // namespace coalescing
