// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/config.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/engine/launches.hpp>
#include <coalesce/launch.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/misuse.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// What an instruction costs in all that a kernel does with it: the total, the worst and the best over the warps and
// steps of a domain or over every base address; the total of a whole launch. Sums add up, maxima stay maxima. A warp
// or wave without an active lane does not issue the instruction, and so is not counted, nor looked at for the best.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void domain_is_too_large_or_negative() {
  detail::refuse("an extent of a domain is negative, or it has more than 2^32 - 1 points");
}
[[noreturn]] COALESCE_API inline void nothing_is_issued() {
  detail::refuse("there is no worst or best: no point of the domain has an active lane");
}
[[noreturn]] COALESCE_API inline void alignment_is_no_power_of_two() {
  detail::refuse("every_base: the alignment is no power of two");
}
[[noreturn]] COALESCE_API inline void bases_are_less_aligned_than_the_instruction() {
  detail::refuse("every_base: the alignment is less than the instruction's (Instruction::alignment)");
}

}  // namespace refused

/// The values that up to four more arguments of a pattern take, each from 0 on: domain{4, 8} is 4 warps and 8 steps of
/// a pattern of (lane, warp, step).
template <unsigned Rank>
struct domain {
  static_assert(Rank != 0 && Rank <= 4, "a domain has one to four dimensions");
  std::int64_t extent[Rank];
  bool operator==(domain const&) const = default;
};
template <detail::integer... Extents>
domain(Extents...) -> domain<sizeof...(Extents)>;

/// Every base address that is a multiple of `alignment` bytes, a power of two: the pattern shifted by 0, alignment, ...
/// up to the instruction's period, after which all repeats.
struct every_base {
  std::uint64_t alignment = 0;
  bool operator==(every_base const&) const = default;
};

/// A place in a domain, its dimensions in order, or a shift of the base in the first; the others are 0.
struct point {
  std::uint64_t at[4] = {};
  bool operator==(point const&) const = default;
};

/// The numbers of a cost are places: where each number is at its worst or best.
struct places {
  using sum = point;
  using most = point;
};

/// The worst or the best of each number, and under the same name where that is first found: in a domain the first
/// dimension varies slowest.
template <template <class> class Cost>
struct extreme {
  Cost<counts> cost{};
  Cost<places> at{};
  bool operator==(extreme const&) const = default;
};

namespace detail {

// ---- Functions of more than a lane, as patterns and masks ----

/// What a function of the lane and Rank more arguments gives.
template <class Function, unsigned Rank>
concept takes_a_point = (Rank == 1 && requires(Function const& function, unsigned k) { function(k, k); }) ||
                        (Rank == 2 && requires(Function const& function, unsigned k) { function(k, k, k); }) ||
                        (Rank == 3 && requires(Function const& function, unsigned k) { function(k, k, k, k); }) ||
                        (Rank == 4 && requires(Function const& function, unsigned k) { function(k, k, k, k, k); });
template <class Function>
concept takes_a_thread = requires(Function const& function, invocation const& at) {
  function(at);
};
template <class Function>
concept tells_of_a_thread = requires(Function const& function, invocation const& at) {
  { function(at) } -> one_of<bool>;
};

#ifdef __GNUC__  // calls of a user's function do not warn of conversions, as in access.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// At a point of a domain.
template <unsigned Rank, takes_a_point<Rank> Function>
struct at_point {
  Function const& function;
  unsigned const (&at)[4];

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const {
    if constexpr (Rank == 1)
      return function(lane, at[0]);
    else if constexpr (Rank == 2)
      return function(lane, at[0], at[1]);
    else if constexpr (Rank == 3)
      return function(lane, at[0], at[1], at[2]);
    else
      return function(lane, at[0], at[1], at[2], at[3]);
  }
};

/// In a warp of a launch.
template <unsigned Lanes, takes_a_thread Function>
struct at_thread {
  Function const& function;
  invocation const (&at)[Lanes];

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  COALESCE_API constexpr auto operator()(unsigned lane) const { return function(at[lane]); }
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

// ---- Adding up, and keeping the worst or the best ----

template <class Cost>
struct added_up {
  Cost sum{};
  COALESCE_API constexpr void take(Cost const& cost, point const&) { sum += cost; }
};

template <template <class> class Cost>
struct row_of_points {
  point at[sizeof(Cost<growth>)];
};

/// The highest of each number, or the lowest.
template <bool Highest, class Cost>
struct outermost;
template <bool Highest, template <class> class Cost>
struct outermost<Highest, Cost<counts>> {
  row_of_numbers<Cost> numbers{};
  row_of_points<Cost> found_at{};
  bool any = false;

  COALESCE_API constexpr void take(Cost<counts> const& cost, point const& at) {
    auto const next = __builtin_bit_cast(row_of_numbers<Cost>, cost);
    for (unsigned k = 0; k != numbers.count; ++k)
      if (!any || (Highest ? next.number[k] > numbers.number[k] : next.number[k] < numbers.number[k]))
        numbers.number[k] = next.number[k], found_at.at[k] = at;
    any = true;
  }
  COALESCE_API constexpr extreme<Cost> result() const {
    return {__builtin_bit_cast(Cost<counts>, numbers), __builtin_bit_cast(Cost<places>, found_at)};
  }
};

// ---- Over what ----

/// The default: no mask.
struct everyone {};

template <class Active>
COALESCE_API constexpr auto mask_of_lanes(Active const& active) {
  if constexpr (std::same_as<Active, everyone>)
    return all_lanes;
  else
    return active;
}
/// A mask or predicate of the lane alone stands for every point.
template <unsigned Rank, class Active>
COALESCE_API constexpr auto mask_at(Active const& active, unsigned const (&at)[4]) {
  if constexpr (takes_a_point<Active, Rank>)
    return at_point<Rank, Active>{active, at};
  else
    return detail::mask_of_lanes(active);
}

// Each calls visitor.take(cost, point) for every instruction that is issued; false, and no more is said, of a question
// that is not well formed.

template <instruction Instruction, class Pattern, unsigned Rank, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, domain<Rank> const& over, Active const& active,
                                  Visitor& visitor) {
  static_assert(takes_a_point<Pattern, Rank>,
                "over a domain of N dimensions a pattern is const-callable with the lane and N more numbers, all "
                "unsigned");
  if constexpr (takes_a_point<Pattern, Rank>) {
    using mask = decltype(detail::mask_at<Rank>(active, {0, 0, 0, 0}));
    if constexpr (detail::well_formed<at_point<Rank, Pattern>, mask, Instruction::lanes>()) {
      std::uint64_t points = 1;
      for (std::int64_t const extent : over.extent) {
        if (extent < 0 || extent >> 32 != 0 ||
            (extent != 0 && points > 0xffff'ffff / static_cast<std::uint64_t>(extent)))
          refused::domain_is_too_large_or_negative();
        points *= static_cast<std::uint64_t>(extent);
      }
      unsigned at[4] = {};
      for (std::uint64_t k = 0; k != points; ++k) {
        auto const asked = detail::ask<Instruction>(at_point<Rank, Pattern>{pattern, at}, mask_at<Rank>(active, at));
        if (asked.active != 0) visitor.take(Instruction::cost_of(asked), {{at[0], at[1], at[2], at[3]}});
        for (unsigned digit = Rank; digit-- != 0;) {
          if (++at[digit] != over.extent[digit]) break;
          at[digit] = 0;
        }
      }
      return true;
    }
  }
  return false;
}

template <instruction Instruction, class Pattern, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, every_base const& over, Active const& active,
                                  Visitor& visitor) {
  if constexpr (detail::well_formed<Pattern, decltype(detail::mask_of_lanes(active)), Instruction::lanes>()) {
    if (over.alignment == 0 || (over.alignment & (over.alignment - 1)) != 0) refused::alignment_is_no_power_of_two();
    if (over.alignment < Instruction::alignment) refused::bases_are_less_aligned_than_the_instruction();
    auto asked = detail::ask<Instruction>(pattern, detail::mask_of_lanes(active));
    if (asked.active == 0) return true;
    std::uint64_t const last = (Instruction::period - 1) / over.alignment * over.alignment;
    address_limits const limits{.bytes = Instruction::bytes, .alignment = 1, .capacity = capacity_of<Instruction>};
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
      if (asked.address[lane] > limits.last_start() - last) {
        if (limits.capacity != 0) refused::access_runs_past_the_end_of_shared_memory(lane, asked.address[lane] + last);
        refused::access_runs_past_the_top_of_memory(lane, asked.address[lane] + last);
      }
    for (std::uint64_t shift = 0; shift <= last; shift += over.alignment) {
      visitor.take(Instruction::cost_of(asked), {{shift}});
      for (std::uint64_t& address : asked.address) address += over.alignment;
    }
    return true;
  }
  return false;
}

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <instruction Instruction, class Pattern, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, launch const& over, Active const& active, Visitor& visitor) {
  static_assert(takes_a_thread<Pattern>,
                "over a launch a pattern is const-callable with a co::invocation, the thread: [](co::invocation const& "
                "at) { return 4ull * (at.block.x * 256 + at.thread.x); }");
  constexpr bool all = std::same_as<Active, everyone>;
  static_assert(all || tells_of_a_thread<Active>,
                "over a launch the active threads are told by a predicate: const-callable from a co::invocation to "
                "exactly bool");
  constexpr unsigned lanes = Instruction::lanes;
  if constexpr (takes_a_thread<Pattern> && (all || tells_of_a_thread<Active>)) {
    if constexpr (detail::well_formed<at_thread<lanes, Pattern>, std::uint64_t, lanes>()) {
      std::uint64_t const threads = detail::threads_of(over.block), blocks = detail::count_of(over.grid);
      invocation at[lanes];
      for (std::uint64_t block = 0; block != blocks; ++block) {
        auto const here = detail::place_of(block, over.grid);
        for (std::uint64_t first = 0; first < threads; first += lanes) {
          std::uint64_t const count = threads - first < lanes ? threads - first : lanes;
          std::uint64_t active_lanes = all_lanes >> (64 - count);
          for (unsigned lane = 0; lane != count; ++lane) at[lane] = {here, detail::place_of(first + lane, over.block)};
          if constexpr (!all)
            for (unsigned lane = 0; lane != count; ++lane)
              if (!active(at[lane])) active_lanes &= ~(std::uint64_t{1} << lane);
          auto const asked = detail::ask<Instruction>(at_thread<lanes, Pattern>{pattern, at}, active_lanes);
          if (asked.active != 0) visitor.take(Instruction::cost_of(asked), {{here.x, here.y, here.z, first / lanes}});
        }
      }
      return true;
    }
  }
  return false;
}

template <class Over>
inline constexpr bool can_be_visited = one_of<Over, every_base, launch>;
template <unsigned Rank>
inline constexpr bool can_be_visited<domain<Rank>> = true;

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

/// Takes {32, 8}, which could be a block, a domain or a launch.
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

// ---- Asking ----

/// The cost of a launch of one thread for each element of a layout, in linear order; exact, at an expense that does not
/// grow with the launch. Of a layout, a tile, or a swizzle over one; all addresses must lie within the memory, and wrap
/// nowhere.
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
/// - a domain, of a pattern of the lane and as many numbers as the domain has dimensions;
/// - every_base, of a pattern of the lane: summed over one period of the bases;
/// - a block, of a layout of up to three modes: a launch of the blocks that cover it, mode 0 along x, threads beyond
/// its
///   extents not active. In closed form, as the total of a layout alone;
/// - a launch, of a function of co::invocation: any, thread by thread.
///
/// `active` over a domain is a mask, a predicate of the lane, or of what the pattern takes; over every_base a mask or a
/// predicate of the lane; over a launch a predicate of co::invocation; over a block there is none.
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

/// The highest of each number of the cost, and where it is first met: `.cost` and `.at`, a co::point under the same
/// names. Over a domain, over every_base (at: the shift in bytes), or over a launch (at: the block's x, y, z, and the
/// warp or wave in it). Each number has its own place. Refused: where no lane is active anywhere.
template <instruction Instruction, class Pattern, class Over, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto worst(Pattern const& pattern, Over const& over, Active const& active = {}) {
  return detail::outermost_of<true, Instruction>(pattern, over, active);
}
/// The lowest of each number.
template <instruction Instruction, class Pattern, class Over, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto best(Pattern const& pattern, Over const& over, Active const& active = {}) {
  return detail::outermost_of<false, Instruction>(pattern, over, active);
}

/// Refused: braces without a name.
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
