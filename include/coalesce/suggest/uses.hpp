// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/visits.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// The uses of a tile, and each as a pattern of byte addresses under a layout.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void cell_lies_outside_the_tile(unsigned, unsigned) {
  detail::refuse(
      "suggest: a use touches bytes beyond its row of the tile, a row that the tile does not have, or a block");
}

}  // namespace refused

namespace detail {

/// A use without a domain: the instruction is issued once.
struct once {};

/// The result of use().
template <class Instruction, class Cells, class Over, class Active>
struct use_of {
  using instruction = Instruction;
  Cells cells;
  Over over;
  Active active;
};
/// Classes, not variables: g++ keeps a variable of a lambda's type in the object file where it does not optimize.
template <class T>
struct is_a_use : std::false_type {};
template <class Instruction, class Cells, class Over, class Active>
struct is_a_use<use_of<Instruction, Cells, Over, Active>> : std::true_type {};

/// ds_read2 and its like access a second place at a fixed distance, which a swizzle does not preserve.
template <class Instruction>
inline constexpr bool is_on_one_piece = Instruction::level == level::lds&& addresses_of_a_lane<Instruction> == 1;
/// Whether the rounds of the instruction are known. For some LDS instructions no source gives them.
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
  std::uint64_t rows, row_bytes;  ///< of the tile: their number, and the bytes of one
  std::uint64_t bytes;            ///< per lane

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

template <class Use>
struct gives_cells : std::false_type {};
template <class Instruction, class Cells, class Active>
struct gives_cells<use_of<Instruction, Cells, once, Active>> : std::bool_constant<gives_a_cell<Cells, unsigned>> {};
template <class Instruction, class Cells, unsigned Rank, class Active>
struct gives_cells<use_of<Instruction, Cells, domain<Rank>, Active>>
    : std::bool_constant<takes_a_point<cells_in<Cells>, Rank>> {};

}  // namespace detail

}  // namespace coalescing
