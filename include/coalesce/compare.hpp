// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/compare/table.hpp>

#include <cstdint>

// Compares the cost of one access on many instructions: co::compare(pattern, co::on<Instructions...>()). This header
// has no machine: include cuda.hpp, gcn.hpp, cdna.hpp or rdna.hpp too.

namespace coalescing {

namespace detail {

/// The result of on(): the instructions to compare, and their active lanes.
template <class Active, class... Instructions>
struct asked_of {
  static constexpr unsigned count = sizeof...(Instructions);
  Active active;
};
template <class T>
inline constexpr bool is_asked = false;
template <class Active, class... Instructions>
inline constexpr bool is_asked<asked_of<Active, Instructions...>> = true;

/// The name of an instruction, split into its machine and the rest. For example, cuda::cc90 and load<32>; or
/// rdna::gfx1100 and wave64::ds_load<32>. (The machine's part has at most one "::".)
struct parted_name {
  text<80> machine = {}, instruction = {};
};
template <class Instruction>
inline constexpr parted_name parted_name_of{detail::words_of(detail::name_declared_by<Instruction>().machine),
                                            detail::words_of(detail::name_declared_by<Instruction>())};

template <class Instruction>
inline constexpr std::uint64_t place_of_machine =
    detail::place_in_family(detail::name_declared_by<Instruction>().machine);

template <class Instruction>
inline constexpr auto banked_memory_of = [] {
  text<16> words;
  words.append(detail::name_declared_by<Instruction>().machine.family.banked_memory);
  return words;
}();

/// Whether an instruction accepts the addresses. If not, the row gets the reason, and the first lane whose address is
/// refused.
template <unsigned Lanes>
COALESCE_API constexpr bool takes(access<Lanes>& asked, address_limits const& limits, compared_access& row) {
  if (limits.nearest != 0) detail::extend_signs(asked, limits);
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    if ((asked.active >> lane & 1) == 0) continue;
    std::uint64_t const address = asked.address[lane];
    if (!limits.hold(address))
      row.refused = limits.capacity != 0 ? refusal::access_runs_past_the_end : refusal::access_runs_past_the_top,
      row.refused_by = limits.capacity;
    else if (address % limits.alignment != 0)
      row.refused = refusal::address_is_misaligned, row.refused_by = limits.alignment;
    else
      continue;
    row.refused_lane = lane, row.refused_address = address;
    return false;
  }
  return true;
}

/// Makes the row of one instruction and adds it.
template <class Instruction, unsigned Machines, class Pattern, class Active>
COALESCE_API constexpr void append_row(comparison<Machines>& rows, Pattern const& pattern, Active const& active) {
  constexpr unsigned lanes = Instruction::lanes;
  if constexpr (detail::well_formed<Pattern, Active, lanes>) {
    comparison_row row;
    row.instruction = parted_name_of<Instruction>.instruction;
    row.first_machine = row.last_machine = parted_name_of<Instruction>.machine;
    row.machines = 1, row.place = place_of_machine<Instruction>;
    row.banked_memory = banked_memory_of<Instruction>;
    row.level = Instruction::level, row.unit = Instruction::unit;
    row.lanes = lanes, row.bytes = Instruction::bytes;

    auto asked = detail::apply<lanes>(pattern, detail::address_lanes<Instruction>(active),
                                      {.bytes = 0, .alignment = 1, .capacity = ~std::uint64_t{0}});
    asked.bytes = Instruction::bytes;
    if (detail::takes(asked, detail::limits_of<Instruction>(), row)) {
      using cost_type = typename Instruction::cost_type;
      constexpr unsigned taken = [] {
        compared_cost nothing;
        return detail::take_numbers(nothing, cost_type{});
      }();
      static_assert(taken == detail::numbers_in<cost_type>::count, "compare: this cost has a number without a column");
      detail::take_numbers(row, Instruction::cost_of(asked));
    }
    rows.add(row);
  } else {
    detail::ill_formed<bool, Pattern, Active, lanes>();
  }
}
template <unsigned Machines, class Pattern, class Active, class... Instructions>
COALESCE_API constexpr void append_rows(comparison<Machines>& rows, Pattern const& pattern,
                                        asked_of<Active, Instructions...> const& asked) {
  (detail::append_row<Instructions>(rows, pattern, asked.active), ...);
}

}  // namespace detail

/// One or more instructions for compare(), and their active lanes: a predicate or a mask, as in cost(). By default all
/// lanes of each instruction are active. Refused: a mask with a lane that one of the instructions does not have.
template <instruction... Instructions, class Active = std::uint64_t>
requires(sizeof...(Instructions) != 0)  // (so that clang-format breaks the line here)
    [[nodiscard]] COALESCE_API constexpr auto on(Active const& active = all_lanes) {
  return detail::asked_of<Active, Instructions...>{active};
}

/// Compares the cost of one access on many machines. Neighbouring instructions with equal numbers share a row. If an
/// instruction refuses the addresses (misaligned, or past the end of its memory), its row says so. Refused: everything
/// else that cost() refuses.
///
///     co::compare(co::linear{.base = 4, .stride = 4}, co::on<cc13::load<32>, gfx942::global_load<32>>(0xffff))
///
/// By default the pattern is called for all lanes of each instruction, 32 or 64. With `co::on<...>(mask)` it is called
/// for the lanes of the mask. A comparison of all 31 compute capabilities of NVIDIA takes under 32,000 of clang's
/// constexpr steps if the words are near each other, and up to 62,000 if they are scattered (tests/cost/budget).
template <class Pattern, class... Machines>
[[nodiscard]] COALESCE_API constexpr auto compare(Pattern const& pattern, Machines const&... machines) {
  constexpr bool are_asked = sizeof...(Machines) != 0 && (detail::is_asked<Machines> && ...);
  static_assert(are_asked, "compare(pattern, machines...): machines are co::on<Instructions...>([active])");
  if constexpr (are_asked) {
    comparison<(Machines::count + ...)> rows;
    (detail::append_rows(rows, pattern, machines), ...);
    return rows;
  } else {
    return comparison<1>{};
  }
}

}  // namespace coalescing
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
