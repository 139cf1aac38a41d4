// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total/bases.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/footprint.hpp>
#include <coalesce/total/launch.hpp>
#include <coalesce/total/launches.hpp>
#include <coalesce/total/visits.hpp>
#include <coalesce/total/warps.hpp>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#include <concepts>
#include <cstdint>

// total(), worst() and best() give the cost of an instruction that a kernel issues many times: over the warps and steps
// of a domain, over every base address, or over a whole launch. A total adds up each number of the cost that is a sum,
// such as `transactions`. If a number is a maximum, such as `ways`, its total is the largest value. A warp or wave
// without an active lane does not issue the instruction, so no total and no best counts that warp.

namespace coalescing {

namespace detail {

// ---- Layouts whose totals have a closed form ----

template <unsigned Rank>
COALESCE_API constexpr closed_form<Rank> closed(layout<Rank> const& of) {
  return {of};
}
COALESCE_API constexpr closed_form<2> closed(tile const& of) { return {of.as_layout()}; }
template <unsigned Rank>
COALESCE_API constexpr closed_form<Rank> closed(swizzled<layout<Rank>> const& of) {
  return {of.layout, of.swizzle};
}
COALESCE_API constexpr closed_form<2> closed(swizzled<tile> const& of) { return {of.layout.as_layout(), of.swizzle}; }

template <class Layout>
concept has_closed_form = requires(Layout const& of) {
  detail::closed(of);
};
template <class Layout>
inline constexpr bool is_swizzled = false;
template <class Layout>
inline constexpr bool is_swizzled<swizzled<Layout>> = true;

template <bool Highest, instruction Instruction, class Pattern, class Over, class Active>
COALESCE_API constexpr auto outermost_of(Pattern const& pattern, Over const& over, Active const& active) {
  static_assert(
      can_be_visited<Over>,
      "worst and best are over a co::domain{n...}, co::every_base{.alignment}, or a co::launch{.grid, .block} "
      "of a function");
  outermost<Highest, typename Instruction::cost_type> kept;
  bool well_formed = false;
  if constexpr (can_be_visited<Over>) well_formed = detail::visit<Instruction>(pattern, over, active, kept);
  if (well_formed && !kept.any) refused::nothing_is_issued();
  return kept.result();
}

/// The parameter type that an argument of braces alone, such as {32, 8}, converts to. Such braces are refused, because
/// they could mean a block, a domain or a launch.
struct braces {
  std::int64_t first, second = 0, third = 0, fourth = 0;
};

template <class Instruction>
COALESCE_API constexpr auto say_what_the_braces_are() {
  static_assert(sizeof(Instruction) == 0,
                "say what the braces are: co::block{32, 8}, co::domain{32, 8} or co::launch{.grid, .block}");
  return 0;
}

}  // namespace detail

// ---- total(), worst() and best() ----

/// The cost of a launch with one thread per element of a layout, in linear order. Takes a co::layout, a co::tile, or a
/// co::swizzle over one. The total is exact, and the work does not grow with the launch. Refused: addresses that wrap
/// or lie beyond the memory.
template <instruction Instruction, class Layout>
[[nodiscard]] COALESCE_API constexpr auto total(Layout const& layout) {
  constexpr bool closed = detail::has_closed_form<Layout>;
  static_assert(closed,
                "a total of a whole launch in closed form is that of a co::layout, a co::tile, or a co::swizzle over "
                "one; of other patterns say over what: a co::domain, co::every_base or a co::launch");
  if constexpr (closed) {
    return detail::total_in_order<Instruction, detail::is_swizzled<Layout>>(detail::closed(layout));
  } else {
    return typename Instruction::cost_type{};
  }
}

/// The cost of an instruction over
/// - a domain, for a pattern of the lane and one more number per dimension;
/// - every_base, for a pattern of the lane: the sum over the bases of one period (Instruction::period bytes);
/// - a block, for a layout of up to three modes: a launch of the blocks that cover the layout, with mode 0 along x.
///   Threads beyond the layout's extents are not active. The total is a closed formula, and takes no time for each
///   warp;
/// - a launch, for any function of co::invocation, thread by thread.
///
/// `active` over a domain is a mask, a predicate of the lane, or a predicate of the pattern's arguments; over
/// every_base, a mask or a predicate of the lane; over a launch, a predicate of co::invocation. Over a block there is
/// no mask.
template <instruction Instruction, class Pattern, class Over, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto total(Pattern const& pattern, Over const& over, Active const& active = {}) {
  constexpr bool by_blocks = std::same_as<Over, block>, visited = detail::can_be_visited<Over>;
  static_assert(by_blocks || visited,
                "a total is over a co::domain{n...}, co::every_base{.alignment}, a co::block{x, y, z} that covers a "
                "layout, or a co::launch{.grid, .block} of a function");
  if constexpr (by_blocks) {
    constexpr bool closed = detail::has_closed_form<Pattern>, no_mask = std::same_as<Active, detail::everyone>;
    static_assert(
        closed,
        "blocks cover a co::layout of up to three modes, a co::tile, or a co::swizzle over one; of a function "
        "say the whole co::launch{.grid, .block}");
    static_assert(no_mask, "by blocks, the threads beyond the layout's extents are not active: there is no other mask");
    if constexpr (closed && no_mask) {
      return detail::total_of_blocks<Instruction, detail::is_swizzled<Pattern>>(detail::closed(pattern), over);
    } else {
      return typename Instruction::cost_type{};
    }
  } else {
    detail::added_up<typename Instruction::cost_type> sum;
    if constexpr (visited) detail::visit<Instruction>(pattern, over, active, sum);
    return sum.sum;
  }
}

/// The highest value of each number of the cost, in `.cost`, and the first place that has it, in `.at`. For example,
/// .cost.transactions is found at .at.transactions, a co::point. Each number has its own place. The place is a point of
/// the domain; over every_base, the base; over a launch, the x, y and z of the block and the number of the warp or wave
/// in the block. Refused: a call for which no lane is active at any place.
template <instruction Instruction, class Pattern, class Over, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto worst(Pattern const& pattern, Over const& over, Active const& active = {}) {
  return detail::outermost_of<true, Instruction>(pattern, over, active);
}
/// The lowest value of each number of the cost, and the first place that has it. The result has the type of worst()'s.
template <instruction Instruction, class Pattern, class Over, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto best(Pattern const& pattern, Over const& over, Active const& active = {}) {
  return detail::outermost_of<false, Instruction>(pattern, over, active);
}

/// The total, worst and best over all pairs of a point of a domain and a base. A base moves the addresses of all
/// points, since a kernel's warps and steps work in one array. `.at` of a result has the numbers of the point, then the
/// base.
template <instruction Instruction, class Pattern, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto total(Pattern const& pattern, domain<Rank> const& over,
                                                every_base const& bases, Active const& active = {}) {
  return coalescing::total<Instruction>(pattern, detail::based<Rank>{over, bases}, active);
}
template <instruction Instruction, class Pattern, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto worst(Pattern const& pattern, domain<Rank> const& over,
                                                every_base const& bases, Active const& active = {}) {
  return coalescing::worst<Instruction>(pattern, detail::based<Rank>{over, bases}, active);
}
template <instruction Instruction, class Pattern, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto best(Pattern const& pattern, domain<Rank> const& over,
                                               every_base const& bases, Active const& active = {}) {
  return coalescing::best<Instruction>(pattern, detail::based<Rank>{over, bases}, active);
}

/// Refused: braces without a type name, such as {32, 8}.
template <instruction Instruction, class Pattern>
COALESCE_API constexpr auto total(Pattern const&, detail::braces const&) {
  return detail::say_what_the_braces_are<Instruction>();
}
template <instruction Instruction, class Pattern>
COALESCE_API constexpr auto worst(Pattern const&, detail::braces const&) {
  return detail::say_what_the_braces_are<Instruction>();
}
template <instruction Instruction, class Pattern>
COALESCE_API constexpr auto best(Pattern const&, detail::braces const&) {
  return detail::say_what_the_braces_are<Instruction>();
}

}  // namespace coalescing
