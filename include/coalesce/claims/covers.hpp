// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/accesses.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>
#include <coalesce/total/room.hpp>

#include <cstdint>

// Whether a whole copy touches each byte of a tile exactly once. The cost does not show this: an address formula with a
// wrong row, step or pitch can be as free of conflicts as the right one.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void covers_needs_a_tile_of_disjoint_rows(tile const&) {
  detail::refuse(
      "covers: the tile has no bytes, an extent is negative, its rows overlap, or it spans 2^32 bytes or more");
}

}  // namespace refused

/// A lane that touches a byte, and the point of the domain at which the lane touches it (all zeros if there is no
/// domain).
struct toucher {
  unsigned lane = 0;
  point at = {};
  bool operator==(toucher const&) const = default;
};

/// Which bytes of a tile are touched, and how often. The bytes between its rows (padding) are not bytes of the tile.
struct coverage {
  /// `hole`, `twice` and `beyond` have this value if there is no such byte.
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  std::uint64_t bytes = 0;    ///< bytes of the tile, without padding
  std::uint64_t touched = 0;  ///< bytes of the tile that some lane touches
  std::uint64_t least = 0;    ///< how often the least touched byte is touched
  std::uint64_t most = 0;     ///< how often the most touched byte is touched
  /// How many accesses have a byte outside the tile: in its padding, before it or after it. Each address of each lane
  /// is one access.
  std::uint64_t outside = 0;
  std::uint64_t hole = nowhere;    ///< address of the tile's lowest byte that no lane touches
  std::uint64_t twice = nowhere;   ///< address of the tile's lowest byte that is touched more than once
  std::uint64_t beyond = nowhere;  ///< address of the lowest byte outside the tile of the first access that leaves it
  toucher by[2] = {};              ///< who touches the byte `twice` first, and who second
  toucher beyond_by = {};          ///< the lane of the access that has the byte `beyond`
  bool exactly_once = false;       ///< each byte of the tile is touched once, and no byte outside it is touched
  /// Each byte of the tile is touched equally often and at least once, and no byte outside it is touched.
  bool evenly = false;
  bool operator==(coverage const&) const = default;
};

namespace detail {

/// Counts how often each granule of a tile is touched. A granule is the largest power of two of bytes for which each
/// row, each gap between rows and each access consists of whole granules.
template <instruction Instruction>
struct touches {
  static constexpr unsigned bytes = touched_bytes<Instruction>;
  std::uint64_t base, row_bytes, pitch;
  std::uint64_t end;               ///< bytes from the tile's first byte to its last, with the padding between rows
  std::uint64_t granule;           ///< bytes of a granule, a power of two
  std::uint64_t* times = nullptr;  ///< for each granule up to `end`: how often it is touched
  std::uint64_t touched = 0;       ///< how many granules of the tile are touched
  coverage found = {};

  COALESCE_API constexpr explicit touches(tile const& of)
      : base(of.base),
        row_bytes(detail::times(of.columns, of.element_bytes)),
        pitch(of.rows == 1 ? row_bytes : static_cast<std::uint64_t>(of.pitch)),
        end((static_cast<std::uint64_t>(of.rows) - 1) * pitch + row_bytes),
        granule(row_bytes | pitch | base | Instruction::alignment | bytes) {
    if (of.rows < 1 || of.columns < 1 || of.element_bytes < 1 || row_bytes > pitch ||
        (static_cast<std::uint64_t>(of.rows | of.columns | of.element_bytes) | pitch) >> 32 != 0 || end >> 32 != 0)
      refused::covers_needs_a_tile_of_disjoint_rows(of);
    for (std::uint64_t const offset : offsets_of<Instruction>.from) granule |= offset;
    granule &= ~granule + 1;
    found.bytes = static_cast<std::uint64_t>(of.rows) * row_bytes;
  }

  COALESCE_API constexpr void take(access<Instruction::lanes> const& asked, point const& at) {
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
      if ((asked.active >> lane & 1) != 0) {
        if constexpr (offsets_of<Instruction>.count == 1 && offsets_of<Instruction>.from[0] == 0)
          touch(asked.address[lane] - base, lane, at);
        else
          for (std::uint64_t const offset : offsets_of<Instruction>.from)
            touch(detail::moved<Instruction>(asked.address[lane], offset) - base, lane, at);
      }
  }
  /// Counts one lane's access. The access begins `first` bytes after the tile's first byte. (An access that begins 8
  /// bytes before that byte has `first` 2^64 - 8.)
  COALESCE_API constexpr void touch(std::uint64_t first, unsigned lane, point const& at) {
    bool is_outside = false;
    for (std::uint64_t byte = first; byte != first + bytes; byte += granule)
      if (byte >= end || byte % pitch >= row_bytes)
        is_outside = is_outside || (leave(base + byte, lane, at), true);
      else if (++times[byte / granule] == 1)
        ++touched;
      else
        touch_again(byte);
    if (is_outside) ++found.outside;
  }
  COALESCE_API constexpr void leave(std::uint64_t address, unsigned lane, point const& at) {
    if (found.outside == 0) found.beyond = address, found.beyond_by = {lane, at};
  }
  COALESCE_API constexpr void touch_again(std::uint64_t byte) {
    if (times[byte / granule] > found.most) found.most = times[byte / granule];
    if (base + byte < found.twice) found.twice = base + byte;
  }

  /// Fills in `touched`, `most`, `least` and `hole` of the answer.
  COALESCE_API constexpr void sum_up() {
    found.touched = touched * granule;
    if (found.most == 0 && touched != 0) found.most = 1;
    found.least = found.most;
    if (found.most != 1 || found.touched != found.bytes)
      for (std::uint64_t row = 0; row < end; row += pitch)
        for (std::uint64_t byte = row; byte != row + row_bytes; byte += granule)
          if (times[byte / granule] < found.least || found.least == 0) {
            found.least = times[byte / granule];
            if (found.least == 0) return static_cast<void>(found.hole = base + byte);
          }
  }
};

/// Finds the first two accesses that touch a byte.
template <instruction Instruction>
struct first_two {
  std::uint64_t byte;
  toucher by[2] = {};
  unsigned count = 0;

  COALESCE_API constexpr void take(access<Instruction::lanes> const& asked, point const& at) {
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
      if ((asked.active >> lane & 1) != 0)
        for (std::uint64_t const offset : offsets_of<Instruction>.from)
          if (byte - detail::moved<Instruction>(asked.address[lane], offset) < touches<Instruction>::bytes &&
              count != 2)
            by[count++] = {lane, at};
  }
  [[nodiscard]] COALESCE_API constexpr bool is_done() const { return count == 2; }
};

/// Takes the place of the domain if the instruction is issued only once.
struct one_access {};

template <class T>
inline constexpr bool is_domain = false;
template <unsigned Rank>
inline constexpr bool is_domain<domain<Rank>> = true;

/// Hands each access of a domain, or the only access if there is no domain, to a visitor. An access past the end of the
/// memory is not refused.
template <instruction Instruction, class Pattern, class Over, class Active, class Visitor>
COALESCE_API constexpr bool visit_everywhere(Pattern const& pattern, Over const& over, Active const& active,
                                             Visitor& visitor) {
  constexpr address_limits limits{.bytes = 1, .alignment = Instruction::alignment};
  if constexpr (is_domain<Over>) {
    return detail::visit_accesses<Instruction>(pattern, over, active, limits, visitor);
  } else {
    using mask = decltype(detail::mask_of_lanes(active));
    if constexpr (detail::well_formed<Pattern, mask, Instruction::lanes>) {
      detail::take_access<Instruction>(
          detail::apply<Instruction::lanes>(pattern, detail::address_lanes<Instruction>(detail::mask_of_lanes(active)),
                                            limits),
          {}, visitor);
      return true;
    } else {
      return detail::ill_formed<bool, Pattern, mask, Instruction::lanes>();
    }
  }
}

template <class Instruction, class Pattern, class Over, class Active>
COALESCE_API constexpr coverage coverage_of(Pattern const& pattern, Over const& over, tile const& of,
                                            Active const& active) {
  if constexpr (detail::is_refused<Instruction>() || !detail::is_instruction<Instruction>()) {
    return {};
  } else {
    touches<Instruction> counted(of);
    room<std::uint64_t> const times(counted.end / counted.granule);
    counted.times = times.begin();
    if (!detail::visit_everywhere<Instruction>(pattern, over, active, counted)) return {};
    counted.sum_up();
    coverage& found = counted.found;
    found.evenly = found.least == found.most && found.least != 0 && found.outside == 0;
    found.exactly_once = found.evenly && found.most == 1;
    if (found.most > 1) {
      first_two<Instruction> who{found.twice};
      detail::visit_everywhere<Instruction>(pattern, over, active, who);
      found.by[0] = who.by[0], found.by[1] = who.by[1];
    }
    return found;
  }
}

}  // namespace detail

/// Which bytes of a tile the lanes touch at all points of a domain, and how often: `covers<I>(f, domain, tile)
/// .exactly_once` says that a copy writes each byte of the tile once, and no other byte; `.evenly` says that loads read
/// each byte equally often. `f` is a pattern of the lane and one more number for each dimension of the domain. `active`
/// is a mask, a predicate of the lane, or a predicate of the lane and all these numbers.
///
/// A lane touches the bytes at the address that its pattern gives:
/// - with ldmatrix, stmatrix and a transposing load: all bytes of the row at this address, whichever lane gets them,
/// - with ds_read2 and ds_write2: the bytes at both addresses of the lane,
/// - on a copy's global side: the bytes that are read, not those that are filled with zeros.
///
/// `by` names the first two accesses to the byte `twice`; `beyond` is in the first access that leaves the tile.
/// Accesses at earlier points of the domain come first (the domain's first dimension varies slowest), and at one point
/// the lower lanes come first.
///
/// An access past the end of the memory, or below byte 0, counts as one outside the tile. Refused: a misaligned
/// address, which cost() refuses too; a partial mask of an instruction that needs every lane; a tile without bytes,
/// with overlapping rows, or with 2^32 bytes or more from its first byte to its last.
///
/// Constexpr steps of clang: 64 KB in 4,096 accesses of 16 bytes take under 150,000 (tests/cost/budget).
template <class Instruction, class Pattern, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr coverage covers(Pattern const& pattern, domain<Rank> const& over, tile const& of,
                                                     Active const& active = {}) {
  return detail::coverage_of<Instruction>(pattern, over, of, active);
}
/// Which bytes of a tile one instruction touches, and how often. The pattern takes only the lane.
template <class Instruction, class Pattern, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr coverage covers(Pattern const& pattern, tile const& of,
                                                     Active const& active = {}) {
  static_assert(!detail::is_domain<Active>,
                "covers<Instruction>(pattern, domain, tile): the domain stands before the "
                "tile");
  if constexpr (detail::is_domain<Active>)
    return {};
  else
    return detail::coverage_of<Instruction>(pattern, detail::one_access{}, of, active);
}
/// Refused: a call of covers() without a tile.
template <class Instruction, class Pattern, class... Rest>
COALESCE_API constexpr coverage covers(Pattern const&, Rest const&...) {
  static_assert(sizeof(Instruction) == 0,
                "covers<Instruction>(pattern, [domain,] tile[, active]): say which bytes are to be touched, by a "
                "co::tile{.rows, .columns, .element_bytes}");
  return {};
}

}  // namespace coalescing
