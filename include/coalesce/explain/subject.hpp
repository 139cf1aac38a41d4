// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/name.hpp>
#include <coalesce/explain/ideal.hpp>

#include <cstdint>
#include <type_traits>

// Collects what an explanation and a figure need to know of an instruction in one value, a subject. So the functions
// that write and draw are compiled once for all instructions with the same type of cost and the same number of lanes.

namespace coalescing::detail {

/// The most transactions or phases that an instruction can have: two for each of 64 lanes.
inline constexpr unsigned most_listed = 128;
using listed_transactions = transaction_list<most_listed>;
using listed_phases = phase_list<most_listed>;

/// The lanes of a half-warp of CC 1.0 and 1.1 that keep it from being coalesced: two lanes that are not in order, or
/// one lane that is in the wrong place.
struct order_broken {
  unsigned lane = 0, before = 0;  ///< `before`: the active lane before `lane`, or `lane` itself if it alone is to blame
  bool found = false;
};

/// How many accesses a lane makes one after the other. ds_read2 and its kind have two addresses per lane, so they make
/// two accesses, or one if both offsets are equal. On CC 1.x a lane splits a word of shared memory that is wider than a
/// bank into several accesses, each at most as wide as a bank.
template <class Instruction>
inline constexpr unsigned accesses_stated = 1;
template <class Instruction>
requires requires { Instruction::accesses; }
inline constexpr unsigned accesses_stated<Instruction> = Instruction::accesses;
template <class Instruction>
inline constexpr unsigned accesses_of_lane = accesses_stated<Instruction>;
template <class Instruction>
requires requires { Instruction::words; }
inline constexpr unsigned accesses_of_lane<Instruction> = Instruction::words;
/// Whether the machine's rule adds rounds beyond those that the words of a phase take. CC 2.x has such a rule for words
/// of 128 bits in shared memory.
template <class Instruction>
inline constexpr bool takes_more_ways = false;
template <class Instruction>
requires requires { Instruction::more_ways; }
inline constexpr bool takes_more_ways<Instruction> = Instruction::more_ways != 0;
/// Whether a figure can draw a phase as stacks of words: a stack for each bank, with one word of it served in each
/// round.
template <class Instruction>
inline constexpr bool rounds_are_stacks = accesses_of_lane<Instruction> == 1 && !takes_more_ways<Instruction>;

/// An instruction's facts, and its rules as functions. A function that the instruction does not have is null, and a
/// number that it does not have is 0.
template <class Cost, class Sources, unsigned Lanes>
struct subject {
  using cost_type = Cost;
  static constexpr unsigned lanes = Lanes;

  instruction_name called;
  family words;  ///< the family's names, such as "sector" for a 32-byte piece of global memory
  coalescing::level level;
  address_limits limits;
  linear neighbours;  ///< the pattern that puts the lanes on neighbouring words
  unsigned unit;
  unsigned bytes;  ///< bytes that a lane reads or writes at its address
  unsigned word;   ///< bytes from a word to its neighbour
  unsigned banks, line_bytes;
  unsigned data_lanes;    ///< lanes of a group whose passes through L1's data stage are counted together
  unsigned clock_lanes;   ///< lanes of a group whose clocks are counted together
  unsigned order_lanes;   ///< CC 1.0 and 1.1: lanes of a group that is coalesced only if its lanes are in order
  std::uint64_t segment;  ///< CC 1.x: bytes of the segment that a transaction is, or is a part of
  bool rounds_are_stacks;

  Cost (*cost_of)(access<Lanes> const&);
  listed_transactions (*transactions_of)(access<Lanes> const&);
  listed_phases (*phases_of)(access<Lanes> const&);
  access<Lanes> (*seen_by_banks)(access<Lanes> const&);
  bool (*breaks_a_run)(access<Lanes> const&, unsigned first, unsigned second);
  order_broken (*first_out_of_order)(access<Lanes> const&);

  void (*check_wave)(std::uint64_t active);

  Sources const* sources;
  fact_list const* rests_on;  ///< null: the instruction declares no facts
};

/// Copies a list into a list of the largest capacity, so that all instructions share one type of list.
template <class Listed, class List>
COALESCE_API constexpr Listed listed(List const& list) {
  static_assert(sizeof(List) <= sizeof(Listed), "an instruction has at most two transactions a lane");
  Listed all;
  for (auto const& item : list) all.append(item);
  return all;
}
template <class Instruction>
COALESCE_API constexpr listed_transactions transactions_listed(access<Instruction::lanes> const& asked) {
  return detail::listed<listed_transactions>(Instruction::transactions_of(asked));
}
template <class Instruction>
COALESCE_API constexpr listed_phases phases_listed(access<Instruction::lanes> const& asked) {
  return detail::listed<listed_phases>(Instruction::phases_of(asked));
}
template <class Instruction>
COALESCE_API constexpr order_broken order_broken_in(access<Instruction::lanes> const& asked) {
  auto const [lane, before, found] = Instruction::serve::first_out_of_order(asked);
  return {.lane = lane, .before = before, .found = found};
}

template <class Instruction>
COALESCE_API constexpr auto subject_of() {
  using taken = access<Instruction::lanes> const&;
  using about =
      subject<typename Instruction::cost_type, std::remove_cvref_t<decltype(Instruction::sources)>, Instruction::lanes>;
  about made{.called = name_declared_by<Instruction>(),
             .words = name_declared_by<Instruction>().machine.family,
             .level = Instruction::level,
             .limits = limits_of<Instruction>(),
             .neighbours = neighbours<Instruction>(),
             .unit = Instruction::unit,
             .bytes = touched_bytes<Instruction>,
             .word = bytes_to_the_next_word<Instruction>,
             .banks = 0,
             .line_bytes = 0,
             .data_lanes = 0,
             .clock_lanes = 0,
             .order_lanes = 0,
             .segment = 0,
             .rounds_are_stacks = rounds_are_stacks<Instruction>,
             .cost_of = detail::cost_function<Instruction>(),
             .transactions_of = nullptr,
             .phases_of = nullptr,
             .seen_by_banks = nullptr,
             .breaks_a_run = nullptr,
             .first_out_of_order = nullptr,
             .check_wave = nullptr,
             .sources = &Instruction::sources,
             .rests_on = nullptr};
  if constexpr (requires { Instruction::piece; }) made.words.piece = Instruction::piece;
  if constexpr (requires { Instruction::banks; }) made.banks = Instruction::banks;
  if constexpr (requires { Instruction::line_bytes; }) made.line_bytes = Instruction::line_bytes;
  if constexpr (requires { Instruction::data_lanes.value; }) made.data_lanes = Instruction::data_lanes.value;
  if constexpr (requires { Instruction::clock_lanes; }) made.clock_lanes = Instruction::clock_lanes;
  if constexpr (requires { Instruction::serve::segment; }) made.segment = Instruction::serve::segment;
  if constexpr (requires(taken asked) { Instruction::transactions_of(asked); })
    made.transactions_of = transactions_listed<Instruction>;
  if constexpr (requires(taken asked) { Instruction::phases_of(asked); }) made.phases_of = phases_listed<Instruction>;
  if constexpr (requires(taken asked) { Instruction::seen_by_banks(asked); })
    made.seen_by_banks = &seen_by_banks<Instruction, access<Instruction::lanes>>;
  if constexpr (requires(taken asked) { Instruction::break_a_run(asked, 0u, 0u); })
    made.breaks_a_run = &Instruction::break_a_run;
  if constexpr (requires(taken asked) { Instruction::serve::first_out_of_order(asked); })
    made.first_out_of_order = order_broken_in<Instruction>, made.order_lanes = Instruction::serve::lanes;
  if constexpr (requires { Instruction::check_wave(all_lanes); }) made.check_wave = &Instruction::check_wave;
  if constexpr (requires { Instruction::rests_on; }) made.rests_on = &Instruction::rests_on;
  return made;
}

/// The access as the banks see it. (Some instructions change the addresses.)
template <class Cost, class Sources, unsigned Lanes>
COALESCE_API constexpr access<Lanes> seen_by_banks(subject<Cost, Sources, Lanes> const& of,
                                                   access<Lanes> const& asked) {
  return of.seen_by_banks == nullptr ? asked : of.seen_by_banks(asked);
}
/// The ideal of an access (explain/ideal.hpp).
template <class Cost, class Sources, unsigned Lanes>
COALESCE_API constexpr Cost ideal_of(subject<Cost, Sources, Lanes> const& of, access<Lanes> const& asked) {
  return detail::ideal_by(of.cost_of, of.neighbours, of.limits, asked);
}

}  // namespace coalescing::detail
