// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/host/bounds.hpp>
#include <coalesce/record/prices.hpp>
#include <coalesce/record/recorder.hpp>
#include <coalesce/record/sums.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

// Finds the instructions that move an element whose size and alignment are known only at run time. pieces_of() applies
// the rule of record/prices.hpp to a table of a machine's instructions.

namespace coalescing {

namespace refused {

[[noreturn]] inline void machine_moves_no_element_of_that_size(unsigned) {
  detail::refuse("this machine has no instruction that moves so many bytes at that alignment");
}

[[noreturn]] inline void issued_instruction_has_no_name() {
  detail::refuse("open: an instruction that the kernel issues itself is named by its type: open_as");
}

}  // namespace refused

namespace detail {

/// What the accesses of an instruction cost, for code that has the instruction as an object and not as a type.
template <unsigned Lanes>
struct piece_cost : costs_of_lanes<Lanes> {
  /// Adds the cost of this instruction when it moves the part of an element that begins at byte `offset`. `ideal` is
  /// the ideal cost with all lanes active.
  virtual void add(price&, access<Lanes> const&, std::uint64_t any, unsigned offset,
                   recorded_cost const& ideal) const = 0;
  [[nodiscard]] virtual recorded_cost ideal() const = 0;
  [[nodiscard]] virtual recorded_cost ideal_of(std::uint64_t lanes) const = 0;

 protected:
  ~piece_cost() = default;
};

/// The possible accesses of a scalar load. All lanes have one address, so one lane stands for them all. Refused: lanes
/// whose addresses differ.
template <unsigned Lanes>
possible_access<Lanes> one_of_wave(possible_access<Lanes> const& asked) {
  unsigned first = 0;
  while ((asked.may >> first & 1) == 0) ++first;
  for (unsigned k = first; k != Lanes; ++k)
    if ((asked.may >> k & 1) != 0 && (asked.address[k] != asked.address[first] || asked.base[k] != asked.base[first]))
      refused::address_of_a_scalar_load_depends_on_the_lane(k, asked.address[k]);
  possible_access<Lanes> one{.may = 1, .surely = asked.surely != 0};
  one.address[0] = asked.address[first], one.base[0] = asked.base[first], one.aligned[0] = asked.aligned[first];
  return one;
}
/// Adds upper bounds on the cost of the instruction `by`, which moves the bytes of an element from `offset` on. If
/// `offset` is 0, `example` becomes one of the possible accesses.
template <unsigned Lanes>
void add_bound(price& to, piece_cost<Lanes> const& by, possible_access<Lanes> asked, unsigned offset,
               access<Lanes>& example) {
  bounded_by const facts = by.facts();
  if (facts.period == 0) {
    detail::add_uncounted(to, access<Lanes>{}, 0, offset);
    return void(to.cost.at_most = true);
  }
  std::uint64_t const of_wave = asked.may;
  asked.may = facts.asked_of_wave(asked.may),
  asked.surely = facts.needs_every_lane ? asked.may : asked.surely & asked.may;
  if (asked.may == 0) return;
  if (facts.is_scalar) asked = detail::one_of_wave(asked);
  for (std::uint64_t& address : asked.address) address += offset;
  bound_finder<Lanes> found(by, asked);
  if (found.may() == 0) return;
  recorded_cost const bound = found.bound();
  detail::add_up(to.cost, bound), detail::add_up(to.ideal, by.ideal_of(found.may()));
  to.weight += detail::weight_of(bound);
  if (offset != 0) return;
  example = found.example();
  if (facts.is_scalar || facts.needs_every_lane) example.active = of_wave;
}

/// For an instruction whose lanes shared memory serves in several parts (cuda/shared.hpp). Two parts may merge, and are
/// then served together. merges() says whether the parts of an access merge. The other two functions give the cost if
/// all parts are served apart, and if they merge. All three are null if parts never merge.
template <class Cost, unsigned Lanes>
struct merging_parts {
  bool (*merges)(access<Lanes> const&) = nullptr;
  Cost (*if_apart)(access<Lanes> const&) = nullptr;
  Cost (*if_merged)(access<Lanes> const&) = nullptr;
};

/// The cost of an instruction. Instructions whose costs have the same type share this class. `Asked` lanes of the wave
/// have an address, and the instruction takes `Given` addresses. (A scalar load takes one address for all lanes.)
template <class Cost, unsigned Given, unsigned Asked, unsigned Lanes>
struct cost_of_piece final : piece_cost<Lanes> {
  using function = Cost (*)(access<Given> const&);
  function cost_of;
  merging_parts<Cost, Given> parts;
  std::uint64_t (*asked_of_wave)(std::uint64_t active);
  linear neighbours;
  address_limits limits;
  std::uint64_t period;
  bool needs_every_lane;

  constexpr cost_of_piece(function of, merging_parts<Cost, Given> const& of_parts,
                          std::uint64_t (*asked_by)(std::uint64_t), linear const& next, address_limits const& of_lane,
                          std::uint64_t every, bool needs_all)
      : cost_of(of),
        parts(of_parts),
        asked_of_wave(asked_by),
        neighbours(next),
        limits(of_lane),
        period(every),
        needs_every_lane(needs_all) {}

  void add(price& to, access<Lanes> const& from, std::uint64_t any, unsigned offset,
           recorded_cost const& ideal) const override {
    auto const asked = detail::moved_by<Asked>(from, asked_of_wave(from.active), any, offset, limits);
    if (asked.active == 0) return;
    if constexpr (Given != Asked)
      detail::add_cost(to, cost_of(detail::one_of_wave(asked)), ideal);
    else if (asked.active == wave_mask<Asked>)
      detail::add_cost(to, cost_of(asked), ideal);
    else
      detail::add_cost(to, cost_of(asked), detail::as_recorded(detail::ideal_by(cost_of, neighbours, limits, asked)));
    to.period = std::max(to.period, period);
    to.last_start = std::min(to.last_start, limits.last_start() - offset);
  }
  [[nodiscard]] bounded_by facts() const override {
    return {limits, period, needs_every_lane, Given != Asked, asked_of_wave};
  }
  [[nodiscard]] bool may_merge() const override { return parts.merges != nullptr; }
  [[nodiscard]] bool merges(access<Lanes> const& asked) const override { return parts.merges(first_lanes(asked)); }
  [[nodiscard]] recorded_cost cost(access<Lanes> const& asked, serving by) const override {
    function const of = by == serving::as_issued ? cost_of : by == serving::apart ? parts.if_apart : parts.if_merged;
    return detail::as_recorded(of(first_lanes(asked)));
  }
  [[nodiscard]] static decltype(auto) first_lanes(access<Lanes> const& asked) {
    if constexpr (Given == Lanes) {
      return (asked);
    } else {
      access<Given> first{{}, asked.active, asked.differ, asked.bytes};
      std::copy(asked.address, asked.address + Given, first.address);
      return first;
    }
  }
  [[nodiscard]] recorded_cost ideal() const override { return ideal_of(wave_mask<Given>); }
  [[nodiscard]] recorded_cost ideal_of(std::uint64_t lanes) const override {
    access<Given> asked{};
    asked.active = lanes, asked.bytes = limits.bytes;
    return detail::as_recorded(detail::ideal_by(cost_of, neighbours, limits, asked));
  }
};
template <unsigned Lanes>
struct uncounted_cost final : piece_cost<Lanes> {
  void add(price& to, access<Lanes> const& from, std::uint64_t any, unsigned offset,
           recorded_cost const&) const override {
    detail::add_uncounted(to, from, any, offset);
  }
  [[nodiscard]] recorded_cost ideal() const override { return {}; }
  [[nodiscard]] recorded_cost ideal_of(std::uint64_t) const override { return {}; }
  [[nodiscard]] bounded_by facts() const override { return {}; }
  [[nodiscard]] bool may_merge() const override { return false; }
  [[nodiscard]] bool merges(access<Lanes> const&) const override { return false; }
  [[nodiscard]] recorded_cost cost(access<Lanes> const&, serving) const override { return {}; }
};
template <unsigned Lanes>
inline constexpr uncounted_cost<Lanes> no_cost{};
template <class Instruction>
constexpr auto merging_of() {
  using found = merging_parts<typename Instruction::cost_type, Instruction::lanes>;
  if constexpr (requires { requires Instruction::may_merge; })
    return found{&Instruction::merges, &Instruction::cost_if_apart, &Instruction::cost_if_merged};
  else
    return found{};
}
/// Whether all lanes must take part in an instruction.
template <class Instruction>
concept checks_lanes = requires(access<Instruction::lanes> const& asked) {
  Instruction::check_lanes(asked);
};
template <class Instruction, unsigned Lanes>
inline constexpr cost_of_piece<typename Instruction::cost_type, Instruction::lanes, asked_lanes<Instruction>, Lanes>
    cost_of_instruction{cost_function<Instruction>(), merging_of<Instruction>(), &detail::asked_of_wave<Instruction>,
                        neighbours<Instruction>(),    limits_of<Instruction>(),  Instruction::period,
                        checks_lanes<Instruction>};

/// An instruction as constant data.
template <unsigned Lanes>
struct piece_facts {
  unsigned bits = 0;       ///< how many bits it moves for each lane; 0: there is no such instruction
  unsigned alignment = 0;  ///< its addresses are multiples of so many bytes; 0: there is no such instruction
  piece_cost<Lanes> const* by = nullptr;
  /// Its name, which is made from its type. Empty if no published document states its cost: then it has no type.
  char const* instruction = "";
  counter_list (*counters)() = nullptr;
};
template <class Instruction, unsigned Lanes>
constexpr piece_facts<Lanes> facts_of_piece() {
  if constexpr (is_missing<Instruction>)
    return {};
  else
    return {8 * Instruction::bytes, Instruction::alignment, &cost_of_instruction<Instruction, Lanes>,
            lasting_name<Instruction>.characters, &counters_of<Instruction>};
}
template <unsigned Lanes>
constexpr piece_facts<Lanes> facts_of_uncounted(unsigned bytes) {
  return {8 * bytes, detail::next_power_of_two(bytes), &no_cost<Lanes>};
}

/// An instruction that moves a part of an element: the bytes from `offset` on.
template <unsigned Lanes>
struct piece : piece_facts<Lanes> {
  unsigned offset = 0;
  recorded_cost ideal;  ///< the ideal cost with all lanes active

  explicit piece(piece_facts<Lanes> const& of) : piece_facts<Lanes>(of), ideal(of.by->ideal()) {}
  void add(price& to, access<Lanes> const& from, std::uint64_t any) const {
    this->by->add(to, from, any, offset, ideal);
  }
  void add_bound(price& to, possible_access<Lanes> const& from, access<Lanes>& example) const {
    detail::add_bound(to, *this->by, from, offset, example);
  }
};
template <class Instruction, unsigned Lanes>
piece<Lanes> piece_of() {
  return piece<Lanes>(detail::facts_of_piece<Instruction, Lanes>());
}

inline constexpr unsigned number_of_widths = std::size(widths_of_elements);

/// The instructions of a machine as constant data.
template <unsigned Lanes>
struct machine_facts {
  struct moves {
    memory_space space;
    touch kind;
    piece_facts<Lanes> widths[number_of_widths];  ///< one for each width in widths_of_elements
  };
  /// Instructions that move 1, 2 or 4 matrices of 8 by 8 elements between shared memory and registers.
  struct matrices {
    touch kind;
    unsigned count;
    piece_facts<Lanes> by;
  };
  machine_name identity;
  moves moved[6];
  matrices of_matrices[6] = {};
};

template <class Issues, memory_space Space, touch Kind, unsigned Bits>
constexpr piece_facts<Issues::lanes> facts_of_width() {
  using width = decltype(detail::instruction_of_width<Issues, Space, Kind, Bits>());
  if constexpr (!width::is_counted)
    return detail::facts_of_uncounted<Issues::lanes>(Bits / 8);
  else
    return detail::facts_of_piece<typename width::type, Issues::lanes>();
}
template <class Issues, memory_space Space, touch Kind>
constexpr typename machine_facts<Issues::lanes>::moves facts_of_moves() {
  return []<unsigned... Width>(std::integer_sequence<unsigned, Width...>) {
    using moves = typename machine_facts<Issues::lanes>::moves;
    return moves{Space, Kind, {detail::facts_of_width<Issues, Space, Kind, widths_of_elements[Width]>()...}};
  }
  (std::make_integer_sequence<unsigned, number_of_widths>{});
}
template <class Machine>
constexpr auto facts_of_machine() {
  using issues = typename Machine::issues;
  constexpr auto global = memory_space::global, shared = memory_space::shared;
  constexpr unsigned lanes = issues::lanes;
  machine_facts<lanes> all{
      Machine::identity,
      {detail::facts_of_moves<issues, global, touch::load>(), detail::facts_of_moves<issues, global, touch::store>(),
       detail::facts_of_moves<issues, global, touch::atomic>(), detail::facts_of_moves<issues, shared, touch::load>(),
       detail::facts_of_moves<issues, shared, touch::store>(),
       detail::facts_of_moves<issues, shared, touch::atomic>()}};
  if constexpr (requires { typename issues::template matrix_load<1>; }) {
    auto const fill = [&]<unsigned... Count>(std::integer_sequence<unsigned, Count...>) {
      unsigned next = 0;
      ((all.of_matrices[next++] = {touch::load, Count,
                                   detail::facts_of_piece<typename issues::template matrix_load<Count>, lanes>()},
        all.of_matrices[next++] = {touch::store, Count,
                                   detail::facts_of_piece<typename issues::template matrix_store<Count>, lanes>()}),
       ...);
    };
    fill(std::integer_sequence<unsigned, 1, 2, 4>{});
  }
  return all;
}
/// The instructions of a machine as an object. Code that takes this object, such as the readers of traces, is compiled
/// only once for all machines with the same number of lanes.
template <class Machine>
inline constexpr auto instructions_of_machine = detail::facts_of_machine<Machine>();

/// The instructions that move an element. At each offset the widest instruction is taken that the alignment allows and
/// that moves no more bytes than are left: on NVIDIA, 8 bytes and then 4 bytes for an element of 12 bytes that is
/// aligned to 8 bytes. An atomic is always one instruction.
template <unsigned Lanes>
std::vector<piece<Lanes>> pieces_of(machine_facts<Lanes> const& machine, memory_space space, touch kind, unsigned bytes,
                                    unsigned alignment) {
  std::vector<piece<Lanes>> made;
  auto const moved = std::find_if(std::begin(machine.moved), std::end(machine.moved),
                                  [&](auto const& one) { return one.space == space && one.kind == kind; });
  if (moved == std::end(machine.moved)) refused::issued_instruction_has_no_name();
  bool const is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (bytes == 0 || !is_power_of_two) refused::machine_moves_no_element_of_that_size(bytes);
  for (unsigned offset = 0; offset != bytes;) {
    auto const suits = [&](auto const& one) {
      return kind == touch::atomic ? one.bits == 8 * bytes
                                   : one.bits <= 8 * (bytes - offset) &&
                                         detail::suits(one.alignment, detail::alignment_at(offset, alignment));
    };
    auto const next = std::find_if(std::begin(moved->widths), std::end(moved->widths), suits);
    if (next == std::end(moved->widths)) refused::machine_moves_no_element_of_that_size(bytes);
    made.emplace_back(*next), made.back().offset = offset;
    offset += next->bits / 8;
  }
  return made;
}

}  // namespace detail
}  // namespace coalescing
