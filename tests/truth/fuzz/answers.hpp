// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/footprint.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/cuda.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// An instruction's whole answer as plain numbers, so that one comparison serves all: the library's beside the oracle's.
// A family is a list of instructions, each with its form and with what its oracle expects.

namespace coalescing_tests {

/// The numbers that a cost may have; those that it has not are empty.
struct cost_numbers {
  static constexpr char const* names[] = {"clocks",
                                          "requests",
                                          "transactions",
                                          "bytes_moved",
                                          "bytes_used",
                                          "lines",
                                          "quads",
                                          "data_wavefronts",
                                          "tag_wavefronts_at_least",
                                          "partial_sectors",
                                          "operations",
                                          "lanes_on_one_address",
                                          "rounds",
                                          "conflicts",
                                          "phases",
                                          "ways",
                                          "rounds_at_least"};
  std::optional<std::uint64_t> clocks{}, requests{}, transactions{}, bytes_moved{}, bytes_used{}, lines{}, quads{},
      data_wavefronts{}, tag_wavefronts_at_least{}, partial_sectors{}, operations{}, lanes_on_one_address{}, rounds{},
      conflicts{}, phases{}, ways{}, rounds_at_least{};

  [[nodiscard]] std::array<std::optional<std::uint64_t>, 17> row() const {
    return {clocks,
            requests,
            transactions,
            bytes_moved,
            bytes_used,
            lines,
            quads,
            data_wavefronts,
            tag_wavefronts_at_least,
            partial_sectors,
            operations,
            lanes_on_one_address,
            rounds,
            conflicts,
            phases,
            ways,
            rounds_at_least};
  }
  template <class Cost>
  void take(Cost const& cost) {
    if constexpr (requires { cost.clocks; }) clocks = cost.clocks;
    if constexpr (requires { cost.requests; }) requests = cost.requests;
    if constexpr (requires { cost.transactions; }) transactions = cost.transactions;
    if constexpr (requires { cost.bytes_moved; }) bytes_moved = cost.bytes_moved;
    if constexpr (requires { cost.bytes_used; }) bytes_used = cost.bytes_used;
    if constexpr (requires { cost.lines; }) lines = cost.lines;
    if constexpr (requires { cost.quads; }) quads = cost.quads;
    if constexpr (requires { cost.data_wavefronts; }) data_wavefronts = cost.data_wavefronts;
    if constexpr (requires { cost.tag_wavefronts_at_least; }) tag_wavefronts_at_least = cost.tag_wavefronts_at_least;
    if constexpr (requires { cost.partial_sectors; }) partial_sectors = cost.partial_sectors;
    if constexpr (requires { cost.operations; }) operations = cost.operations;
    if constexpr (requires { cost.lanes_on_one_address; }) lanes_on_one_address = cost.lanes_on_one_address;
    if constexpr (requires { cost.rounds; }) rounds = cost.rounds;
    if constexpr (requires { cost.conflicts; }) conflicts = cost.conflicts;
    if constexpr (requires { cost.phases; }) phases = cost.phases;
    if constexpr (requires { cost.ways; }) ways = cost.ways;
    if constexpr (requires { cost.rounds_at_least; }) rounds_at_least = cost.rounds_at_least;
  }
};

/// A refusal, or numbers and lists. The oracle leaves out the list that it does not know.
struct cost_answer {
  bool refused = false;
  unsigned lane = coalescing::misuse::no_lane;  ///< to blame
  cost_numbers numbers{};
  std::optional<std::vector<std::vector<piece>>> pieces{};  ///< group by group, in any order within one
  std::optional<std::vector<slow_phase>> phases{};
  std::optional<std::uint64_t> footprint{};  ///< in pieces of 64 bytes
};

template <class Instruction>
cost_answer ask_library(random_access const& made) {
  cost_answer found;
  try {
    found.numbers.take(coalescing::cost<Instruction>(made.address, made.active));
    if constexpr (requires { &Instruction::transactions_of; }) {
      auto& all = found.pieces.emplace(1)[0];
      for (auto const& [address, bytes, lanes] : coalescing::transactions<Instruction>(made.address, made.active))
        all.push_back({address, bytes, lanes});
    }
    if constexpr (requires { &Instruction::phases_of; }) {
      auto& all = found.phases.emplace();
      for (auto const& [lanes, rounds, bank, colliding] : coalescing::phases<Instruction>(made.address, made.active))
        all.push_back({lanes, rounds, bank, colliding});
    }
    if constexpr (!requires { Instruction::accesses; })
      found.footprint = coalescing::footprint<64, Instruction>(made.address, made.active);
  } catch (coalescing::misuse const& refusal) {
    return {.refused = true, .lane = refusal.lane()};
  }
  return found;
}

/// Before any rule: a mask with lanes that there are not, then the lowest lane whose address is not aligned, or whose
/// bytes are not all in memory.
inline bool is_refused(random_access const& made, access_form const& form, unsigned& lane) {
  for (unsigned k = form.lanes; k != max_lanes; ++k)
    if (is_active(made, k) && made.active != ~std::uint64_t{0}) return true;
  for (unsigned k = 0; k != form.lanes; ++k) {
    if (!is_active(made, k)) continue;
    auto const address = made.address[k], after = address + form.bytes;  // which wraps to 0 at the very end
    bool inside = after > address || after == 0;
    if (form.capacity != 0) inside = inside && after != 0 && after <= form.capacity - form.reach;
    if (form.nearest != 0)  // negative in 64 bits or in 32
      inside = inside || address >= 0 - form.nearest || (address >> 32 == 0 && (address + form.nearest) >> 32 == 1);
    if (inside && address % form.alignment == 0) continue;
    lane = k;
    return true;
  }
  return false;
}

/// An instruction to ask about.
struct fuzzed_instruction {
  std::string name;
  access_form form;
  bool needs_every_lane;  ///< or none
  cost_answer (*ask)(random_access const&);
  cost_answer (*oracle)(random_access const&, access_form const&);
};

inline void compare(fuzzed_instruction const& of, random_access made) {
  auto const found = of.ask(made);
  auto const say = [&](std::string const& what) { report((of.name + ": " + what).c_str()); };
  cost_answer expected;
  expected.refused = is_refused(made, of.form, expected.lane);
  std::uint64_t const wave = ~std::uint64_t{0} >> (64 - of.form.lanes);
  made.active &= wave;
  if (!expected.refused && of.needs_every_lane && made.active != wave && made.active != 0) expected.refused = true;
  if (found.refused != expected.refused) say(found.refused ? "is refused" : "is not refused");
  if (found.lane != expected.lane) say("the lane to blame");
  if (found.refused) return;

  expected = of.oracle(made, of.form);
  auto const numbers = found.numbers.row(), wanted = expected.numbers.row();
  for (std::size_t k = 0; k != numbers.size(); ++k)
    if (numbers[k] != wanted[k]) say(cost_numbers::names[k]);
  if (expected.phases && found.phases != expected.phases) say("the list of phases");
  if (expected.footprint && found.footprint != expected.footprint) say("the footprint");
  if (!expected.pieces) return;
  if (!found.pieces) say("no list of transactions");
  auto at = (*found.pieces)[0].begin();
  auto const end = (*found.pieces)[0].end();
  for (auto group : *expected.pieces) {
    if (end - at < static_cast<std::ptrdiff_t>(group.size())) say("too few transactions are listed");
    std::vector<piece> listed(at, at + static_cast<std::ptrdiff_t>(group.size()));
    at += static_cast<std::ptrdiff_t>(group.size());
    if (!std::is_sorted(listed.begin(), listed.end(),
                        [](auto const& a, auto const& b) { return a.address < b.address; }))
      say("transactions do not ascend");
    std::sort(listed.begin(), listed.end());
    std::sort(group.begin(), group.end());
    if (listed != group) say("the list of transactions");
  }
  if (at != end) say("too many transactions are listed");
}

/// The family's one input: which instruction, then an access.
inline void ask_one(std::vector<fuzzed_instruction> const& all, std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  auto const& of = all[in.below(all.size())];
  compare(of, access_reader(in, of.form).next());
}

/// `form`: bytes, alignment and capacity are stated by the family; the library's own are compared with them here, once.
template <class Instruction>
fuzzed_instruction fuzzed(std::string name, access_form form,
                          cost_answer (*oracle)(random_access const&, access_form const&),
                          bool needs_every_lane = false) {
  expect(Instruction::lanes == form.lanes && Instruction::bytes == form.bytes &&
             Instruction::alignment == form.alignment && coalescing::detail::capacity_of<Instruction> == form.capacity,
         (name + ": lanes, bytes, alignment or capacity").c_str());
  return {std::move(name), form, needs_every_lane, ask_library<Instruction>, oracle};
}

// ---- What oracles share ----

inline std::uint64_t slow_quads(random_access const& made) {
  std::set<unsigned> quads;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(made, lane)) quads.insert(lane / 4);
  return quads.size();
}
inline std::uint64_t slow_lanes(random_access const& made) {
  std::uint64_t lanes = 0;
  for (unsigned lane = 0; lane != max_lanes; ++lane) lanes += is_active(made, lane);
  return lanes;
}
inline std::uint64_t slow_addresses(random_access const& made) {
  std::set<std::uint64_t> addresses;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(made, lane)) addresses.insert(made.address[lane]);
  return addresses.size();
}
inline std::uint64_t slow_most_on_one(random_access const& made) {
  std::map<std::uint64_t, std::uint64_t> lanes;
  std::uint64_t most = 0;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(made, lane)) most = std::max(most, ++lanes[made.address[lane]]);
  return most;
}
/// Distinct aligned pieces of one size, of the whole wave.
inline cost_answer slow_pieces(random_access const& made, unsigned bytes, std::uint64_t size) {
  cost_answer made_of;
  auto& group = made_of.pieces.emplace(1)[0];
  for (auto const& [address, lanes] : served_lanes(made, bytes, size)) group.push_back({address, size, lanes});
  made_of.numbers.transactions = group.size();
  made_of.numbers.bytes_moved = group.size() * size;
  made_of.numbers.bytes_used = touched_bytes(made, bytes).size();
  return made_of;
}
/// AMD's LDS: every phase takes a round, if a lane of the wave is active.
inline cost_answer slow_lds(random_access const& made, unsigned bytes, std::string const& phases, unsigned banks) {
  cost_answer made_of;
  auto const lists = lane_lists(phases);
  lds_rounds const rounds(made, bytes, lists, banks);
  made_of.numbers.rounds = rounds.sum, made_of.numbers.conflicts = rounds.sum - rounds.phases;
  made_of.numbers.phases = rounds.phases, made_of.numbers.ways = rounds.worst;
  made_of.phases = slow_phases(with_a_round, made, bytes, lists, banks, 4);
  return made_of;
}

}  // namespace coalescing_tests
