// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/suggest/uses.hpp>

#include <cstdint>

// The search spaces of co::suggest(): a space lists layouts of a tile, in the order in which they are tried.
//
// A space has a layout_type, and four functions of the tile's limits:
//     in_rows(limits)        the rows without padding: the first layout
//     has_rows(limits)       whether in_rows() belongs to the space; if not, it only gives the cost `before`
//     walk(limits, each)     calls each(layout) for the other layouts, until each() returns true
//     bytes(limits, layout)  how many bytes of memory the tile takes

namespace coalescing {

namespace detail {

/// Whether a swizzle moves elements beyond the end of the tile. At the tile's end the swizzle flips the address bits
/// `moved` << `base`. Let bit k be the highest of them: flipping it exchanges the halves of an aligned block of 2 * 2^k
/// bytes. So elements leave the tile if its end lies within such a block, that is, if it is not a multiple of 2 * 2^k.
COALESCE_API constexpr bool leaves_the_tile(tile_limits const& of, unsigned bits, unsigned base, unsigned from) {
  std::uint64_t const moved = of.bytes() >> from & ((std::uint64_t{1} << bits) - 1);
  return moved != 0 && of.bytes() % (std::uint64_t{2} << (base + detail::log2_of(moved))) != 0;
}

/// Calls each(swizzle) for the swizzles of the tile that keep aligned pieces of `whole` bytes together. (`whole` is a
/// power of two.) A swizzle XORs `bits` bits, from bit `base` on, with as many higher bits, from bit `from` on. The
/// lower bits choose a piece within a row of banks, which is one word of every bank. The higher bits must be among the
/// bits that number the rows of banks, since XORing with bits that choose a bank would only rename banks. Swizzles
/// whose higher bits begin at log2(pitch) come first. If the higher bits of two swizzles begin at the same bit, the
/// swizzle with more bits comes first. Swizzles that move elements out of the tile are left out. There are no swizzles
/// if the size of an element is not a power of two. Returns true if each() did, which ends the walk.
template <class Each>
COALESCE_API constexpr bool walk_swizzles(tile_limits const& of, std::uint64_t whole, Each const& each) {
  unsigned const lowest = detail::log2_of(whole), highest = detail::log2_of(of.widest_row),
                 first = detail::log2_of(of.narrowest_row), end = detail::log2_of(2 * of.bytes() - 1),
                 pitch = detail::log2_of(of.row_bytes), preferred = pitch < first || pitch >= end ? first : pitch;
  for (unsigned n = 0; of.elements_are_powers_of_two() && first + n < end; ++n) {
    unsigned const from = n == 0 ? preferred : first + n - (first + n <= preferred);
    for (unsigned bits = highest > lowest ? highest - lowest : 0; bits != 0; --bits)
      for (unsigned base = lowest; base + bits <= highest; ++base) {
        if (from + bits > end || base + bits > from || detail::leaves_the_tile(of, bits, base, from)) continue;
        if (each(swizzle{.bits = bits, .base = base, .shift = static_cast<int>(from - base)})) return true;
      }
  }
  return false;
}

/// Calls each(every, gap) for layouts of a tile of `parts` parts, such as rows, until each() returns true. In such a
/// layout `gap` bytes follow after every `every` parts, and `every` is a power of two less than `parts`. `gap` is a
/// multiple of `grain` bytes and less than `period`. All gaps together add at most `room` bytes. Gaps that add the
/// fewest bytes come first. If two add equally many bytes, the one with the smaller `every` comes first.
template <class Each>
COALESCE_API constexpr void walk_gaps(std::uint64_t parts, std::uint64_t grain, std::uint64_t period,
                                      std::uint64_t room, Each const& each) {
  for (std::uint64_t added = 0;;) {
    std::uint64_t next = ~std::uint64_t{0};
    for (std::uint64_t every = 1; every < parts; every *= 2) {
      std::uint64_t const gaps = parts / every, gap = (added / gaps / grain + 1) * grain;
      if (gap < period && gaps * gap < next) next = gaps * gap;
    }
    if (next > room) return;
    added = next;
    for (std::uint64_t every = 1; every < parts; every *= 2) {
      std::uint64_t const gaps = parts / every, gap = added / gaps;
      if (added % gaps == 0 && gap % grain == 0 && gap < period && each(every, gap)) return;
    }
  }
}

// The next two are classes and not lambdas, since g++ warns if a user's global variable has the name of a lambda's
// parameter.

/// Sets the swizzle of a layout, and calls each() with it.
template <class Layout, class Each>
struct each_swizzled {
  Layout& layout;
  Each const& each;
  COALESCE_API constexpr bool operator()(swizzle const& by) const {
    layout.swizzle = by;
    return each(layout);
  }
};
/// Sets the gaps of a layout, and calls each() with it.
template <class Each>
struct each_padded {
  padded_layout& layout;
  Each const& each;
  COALESCE_API constexpr bool operator()(std::uint64_t every, std::uint64_t gap) const {
    layout.every = every, layout.gap = gap;
    return each(layout);
  }
};

/// What all spaces that contain the rows without padding have in common.
template <class Layout>
struct space_of_rows {
  using layout_type = Layout;
  COALESCE_API static constexpr Layout in_rows(tile_limits const& of) {
    Layout layout;
    layout.element_bytes = static_cast<decltype(layout.element_bytes)>(of.element_bytes);
    layout.pitch = static_cast<decltype(layout.pitch)>(of.row_bytes);
    return layout;
  }
  COALESCE_API static constexpr bool has_rows(tile_limits const&) { return true; }
};

/// Three kinds of layouts, in this order: the rows without padding; their swizzles; then the rows padded by 1, 2, 3 ...
/// units, up to the instructions' period and the end of the memory. The unit is the strictest alignment of the uses, or
/// the largest power of two that divides an element's bytes, whichever is more.
struct swizzles_and_pitches : space_of_rows<suggested_layout> {
  template <class Each>
  COALESCE_API constexpr void walk(tile_limits const& of, Each const& each) const {
    auto layout = in_rows(of);
    if (detail::walk_swizzles(of, of.unit, each_swizzled<suggested_layout, Each>{layout, each})) return;
    layout.swizzle = {};
    for (std::uint64_t padding = of.unit; padding < of.period && of.row_bytes + padding <= of.capacity / of.rows;
         padding += of.unit) {
      layout.pitch = static_cast<std::int64_t>(of.row_bytes + padding);
      if (each(layout)) return;
    }
  }
  COALESCE_API static constexpr std::uint64_t bytes(tile_limits const& of, suggested_layout const& found) {
    return detail::times(found.pitch, of.rows);
  }
};

struct swizzles_alone : space_of_rows<suggested_layout> {
  template <class Each>
  COALESCE_API constexpr void walk(tile_limits const& of, Each const& each) const {
    auto layout = in_rows(of);
    static_cast<void>(detail::walk_swizzles(of, of.unit, each_swizzled<suggested_layout, Each>{layout, each}));
  }
  COALESCE_API static constexpr std::uint64_t bytes(tile_limits const& of, suggested_layout const&) {
    return of.bytes();
  }
};

struct gaps_alone : space_of_rows<padded_layout> {
  template <class Each>
  COALESCE_API constexpr void walk(tile_limits const& of, Each const& each) const {
    auto layout = in_rows(of);
    detail::walk_gaps(of.rows, of.unit, of.period, of.capacity - of.bytes(), each_padded<Each>{layout, each});
  }
  COALESCE_API static constexpr std::uint64_t bytes(tile_limits const& of, padded_layout const& found) {
    return of.bytes() + found.gap * (of.rows / found.every);
  }
};

}  // namespace detail

/// The layouts that co::suggest(tile, co::swizzles, uses...) tries: the rows without padding, then their swizzles, in
/// the order in which co::suggest(tile, uses...) tries them. No layout takes more memory than the tile. The answer's
/// layout is a suggested_layout.
inline constexpr detail::swizzles_alone swizzles{};

/// The layouts that co::suggest(tile, co::paddings, uses...) tries: the rows without padding, then rows with a gap
/// after every 2^n rows, where 2^n is less than the number of rows. A gap is a multiple of the strictest alignment of
/// the uses and of the largest power of two that divides an element's bytes. It is less than the largest
/// Instruction::period of the uses: moving all accesses by a period changes no cost. Gaps that add the fewest bytes
/// come first. If two add equally many bytes, the one after fewer rows comes first. The answer's layout is a
/// padded_layout.
inline constexpr detail::gaps_alone paddings{};

}  // namespace coalescing
