// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/core/config.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/record/prices.hpp>
#include <coalesce/record/recorder.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/table.hpp>

#include <cstdint>
#include <type_traits>

// co::explain<Machine>(site) says which access of a site costs most, where it stands in the source, and why it costs
// that much. This header is opt-in. It calls co::explain of explain.hpp with the addresses that the site keeps.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void site_is_of_another_machine(char const*) {
  detail::refuse(
      "the site's instruction is another one: name the machine that was recorded, or the instruction of co::issue");
}

}  // namespace refused

namespace detail {

/// If the site names Instruction, calls see() with an empty object that has this type as its member `type`
/// (moving_instruction). Returns whether see() was called.
template <class Instruction, class See>
constexpr bool see_if_named(site const& s, See const& see) {
  if constexpr (is_missing<Instruction> || std::is_same<Instruction, uncounted>::value) {
    return false;
  } else {
    if (!detail::same_words(s.instruction, lasting_name<Instruction>.characters)) return false;
    see(moving_instruction<Instruction, 8 * Instruction::bytes>{});
    return true;
  }
}
template <class Issues, memory_space Space, touch Kind, unsigned Bits>
using instruction_of = typename decltype(detail::instruction_of_width<Issues, Space, Kind, Bits>())::type;
template <class Issues, memory_space Space, touch Kind, class See>
constexpr bool see_of_any_width(site const& s, See const& see) {
  return detail::see_if_named<instruction_of<Issues, Space, Kind, 32>>(s, see) ||
         detail::see_if_named<instruction_of<Issues, Space, Kind, 128>>(s, see) ||
         detail::see_if_named<instruction_of<Issues, Space, Kind, 64>>(s, see) ||
         detail::see_if_named<instruction_of<Issues, Space, Kind, 16>>(s, see) ||
         detail::see_if_named<instruction_of<Issues, Space, Kind, 8>>(s, see) ||
         detail::see_if_named<instruction_of<Issues, Space, Kind, 96>>(s, see) ||
         detail::see_if_named<instruction_of<Issues, Space, Kind, 256>>(s, see);
}
template <class Issues, memory_space Space, class See>
constexpr bool see_in_space(site const& s, See const& see) {
  switch (s.kind) {
    case touch::load:
      return detail::see_of_any_width<Issues, Space, touch::load>(s, see);
    case touch::store:
      return detail::see_of_any_width<Issues, Space, touch::store>(s, see);
    case touch::atomic:
      return detail::see_of_any_width<Issues, Space, touch::atomic>(s, see);
    case touch::issued:
      return false;
  }
  return false;
}
/// Finds the type of the instruction that the site names, and calls see() with an empty object that has this type as
/// its member `type` (moving_instruction). Asked is the machine that has this instruction, or the instruction itself.
template <class Asked, class See>
constexpr void see_instruction(site const& s, See const& see) {
  bool seen = false;
  if constexpr (has_issues<Asked>)
    seen = s.space == memory_space::global ? detail::see_in_space<typename Asked::issues, memory_space::global>(s, see)
                                           : detail::see_in_space<typename Asked::issues, memory_space::shared>(s, see);
  else
    seen = detail::see_if_named<Asked>(s, see);
  if (!seen) refused::site_is_of_another_machine(s.instruction);
}

/// Writes which access of a site costs most.
template <std::size_t Capacity>
constexpr void say_worst(text<Capacity>& out, site const& s) {
  named_site const names = detail::names_of(s);
  detail::say(out, names.place, ": ", names.array, ", ", names.access);
  if (!s.cost.is_counted) return out.append(": no source tells what it costs\n");
  detail::say(out, ": the dearest is of block {", std::uint64_t{s.worst_block.x}, ", ", std::uint64_t{s.worst_block.y},
              ", ", std::uint64_t{s.worst_block.z}, "}, warp ", std::uint64_t{s.worst_warp});
  if (s.at_most)
    detail::say(out, ". It costs at most ", s.worst,
                s.cost.rounds != not_counted         ? " rounds"
                : s.cost.transactions != not_counted ? " transactions"
                : s.cost.operations != not_counted   ? " operations"
                                                     : " requests",
                ". Not everything is known of it, and these addresses are one of the possible ones");
  out.append("\n");
}

/// Writes which instruction is explained, if several move an element.
template <class Instruction, std::size_t Capacity>
constexpr void say_part(text<Capacity>& out, site const& s) {
  constexpr unsigned bits = 8 * Instruction::bytes;
  if (bits < s.bits)
    detail::say(out, "several instructions move the element. Here is the first, of ", std::uint64_t{bits}, " of its ",
                std::uint64_t{s.bits}, " bits\n");
}

template <class Asked>
constexpr auto explanation_of(site const& s) {
  text<10000> out;
  detail::say_worst(out, s);
  if (s.cost.is_counted)
    detail::see_instruction<Asked>(s, [&out, &s](auto named) {
      using instruction = typename decltype(named)::type;
      detail::say_part<instruction>(out, s);
      out.append(
          coalescing::explain<instruction>(s.worst_access, detail::asked_of_wave<instruction>(s.worst_access.active))
              .characters);
    });
  return out;
}

}  // namespace detail

/// Explains the most expensive access of a site of record<Machine>: its place in the source, its block and its warp,
/// and what co::explain says of its addresses. Where several instructions move an element, it explains the first one,
/// and says so. Where the site's cost is an upper bound, it explains one of the possible accesses, and says so.
/// Refused: a site of another machine, and a site of co::issue. (For a site of co::issue, name the instruction in place
/// of the machine.)
///
///     constexpr auto seen = co::record<cc90>(kernel);
///     static_assert(seen.of("tile").conflicts == 0, co::explain<cc90>(seen[2]));
template <class Machine>
requires detail::has_issues<Machine>
[[nodiscard]] constexpr auto explain(site const& of) { return detail::explanation_of<Machine>(of); }
/// Explains the most expensive access of a site of co::issue<Instruction>, or of a site whose elements Instruction
/// moves.
template <instruction Instruction>
[[nodiscard]] constexpr auto explain(site const& of) {
  return detail::explanation_of<Instruction>(of);
}

}  // namespace coalescing
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
