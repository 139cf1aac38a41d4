// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Instructions that move the program counters of a warp's lanes: branches, exits, waits for other lanes of the warp.

namespace coalescing::sass {

/// Whether the instruction is a branch or a call whose target is a label, and not a register. (BRA.CONV and BRA.DIV
/// name a uniform register besides the label.)
[[nodiscard]] inline bool is_branch(instruction const& i) {
  for (operand const& o : i.operands)
    if (o.kind == operand_kind::general) return false;
  return i.base == "BRA" || (i.base == "CALL" && i.has("REL")) || i.base == "JMP";
}
/// Whether all modifiers of a branch are known. BRA.CONV is taken if all lanes of the warp that still run execute it
/// together, and BRA.DIV if they do not. With .U the predicate is a uniform one.
[[nodiscard]] inline bool is_known_branch(instruction const& i) {
  for (std::string const& part : i.parts)
    if (part != "U" && part != "DIV" && part != "CONV" && part != "REL" && part != "NOINC") return false;
  return true;
}

/// Whether the instruction is a branch to the place that a register gives, and the text lists the possible places.
[[nodiscard]] inline bool is_jump_table(instruction const& i) { return !i.targets.empty() && !i.operands.empty(); }
/// The number in the register of a branch through a jump table.
[[nodiscard]] inline value entry_of(in_lane const& at) { return low(at.plain(at.i.operands[0], 32), 32); }
/// The index of the instruction to which the number `entry` of a jump table leads; `nowhere` if the text does not list
/// that place.
[[nodiscard]] inline std::size_t place_of_entry(program const& code, instruction const& i, value const& entry) {
  auto const found = code.places.find((entry.bits + i.from) & 0xffffffffu);
  bool is_named = false;
  for (std::size_t const each : i.targets) is_named = is_named || (found != code.places.end() && found->second == each);
  return is_named ? found->second : i.nowhere;
}

/// The index of the instruction to which a return jumps if its register holds the number `by`; `nowhere` if the kernel
/// has no instruction there.
[[nodiscard]] inline std::size_t place_of_return(program const& code, instruction const& i, value const& by) {
  auto const found = code.places.find(code.code[i.target].offset + by.bits);
  if (found == code.places.end() || !by.is_known()) return i.nowhere;
  bool const is_here = i.returns_to != i.nowhere && code.code[i.returns_to].offset == found->first;
  return is_here ? i.returns_to : found->second;
}

/// Whether the instruction is RET.REL with a label. The number in its register is then the distance from that label.
[[nodiscard]] inline bool is_return(instruction const& i) {
  return i.base == "RET" && i.has("REL") && i.target != i.nowhere && i.operands.size() == 2;
}
/// Where a return or a jump table leads a lane: the number in its register, and the index of the instruction. The index
/// is `nowhere` if the number is unknown, or leads to no possible place.
struct destination {
  value by;
  std::size_t place;
};
[[nodiscard]] inline destination destination_of(program const& code, in_lane const& at) {
  if (!is_jump_table(at.i)) {
    value const by = at.plain(at.i.operands[0], 32);
    return {by, place_of_return(code, at.i, by)};
  }
  value const entry = entry_of(at);
  return {entry, entry.is_known() ? place_of_entry(code, at.i, entry) : at.i.nowhere};
}

class control_runner {
 public:
  control_runner(program const& code, register_runner const& registers, memory_runner& memory,
                 held_accesses const& reports, binary::text_graph const& graph)
      : code_(code), registers_(registers), memory_(memory), reports_(reports), graph_(graph) {}

  /// Finds a group of lanes that wait for each other, and that have all come to the same instruction. Lets the group go
  /// on. Returns whether there is such a group.
  [[nodiscard]] static bool release(warp& w) {
    std::uint32_t const alive = w.alive();
    for (unsigned k = 0; k != warp_lanes; ++k) {
      lane_state const& first = w.lanes[k];
      if (first.has_exited || first.waits != waits_for::lanes) continue;
      std::uint32_t const group = (first.with & alive) | std::uint32_t{1} << k;
      bool all = true;
      each_lane(group, [&](unsigned lane) {
        all = all && w.lanes[lane].waits == waits_for::lanes && w.lanes[lane].counter == first.counter;
      });
      if (!all) continue;
      each_lane(group, [&](unsigned lane) { w.lanes[lane].waits = waits_for::nothing, ++w.lanes[lane].counter; });
      return true;
    }
    return false;
  }

  /// Ends a warp that cannot be followed any further: all its lanes exit here, before their EXIT. If the kernel stores
  /// anything, all memory becomes unknown, since the warp might have written to it.
  void stop(warp& w, std::size_t index, std::string const& why) const {
    for (lane_state& lane : w.lanes) lane.has_exited = true;
    w.ended = static_cast<cause>(index + 1);
    memory_.give_up(index);
    reports_.to().wave_ends_early(index, why);
  }

  /// Runs BMOV: moves a mask of lanes between a register and a convergence barrier. Returns an unknown value if the
  /// mask is unknown, or if the form of the instruction is not in the tables.
  [[nodiscard]] static value move_barrier(warp& w, instruction const& i, unsigned lane) {
    if (i.operands.size() != 2) return binary::unknown(0);
    operand const &to = i.operands[0], &from = i.operands[1];
    auto& barriers = w.lanes[lane].barriers;
    if (from.kind == operand_kind::barrier) {
      if (to.kind == operand_kind::general && to.index != zero_register)
        w.set_general(to.index, lane, word(exact(barriers[from.index % 16])));
      if (i.has("CLEAR") && to.index != zero_register) barriers[from.index % 16] = 0;
      return exact(0);
    }
    if (to.kind != operand_kind::barrier || from.kind != operand_kind::general) return binary::unknown(0);
    value const mask = w.general_register(from.index, lane);
    if (mask.is_known()) barriers[to.index % 16] = static_cast<std::uint32_t>(mask.bits);
    return mask;
  }

  /// Runs a branch, an exit or a wait for lanes.
  void run(warp& w, std::size_t index, std::uint32_t group, std::uint32_t active) const {
    instruction const& i = code_.code[index];
    std::uint32_t taken = active;
    for (operand const& o : i.operands)
      if (is_predicate(o) && i.base != "BMOV") {
        value unknown = exact(1);
        each_lane(active, [&](unsigned lane) {
          value const is = w.predicate(o, lane);
          if (!is.is_known()) unknown = is;
          if (is.is_known() && is.bits == 0) taken &= ~(std::uint32_t{1} << lane);
        });
        if (!unknown.is_known()) return stop(w, index, because(code_, unknown, "its predicate", i));
      }
    auto const go = [&](std::uint32_t mask, std::size_t to) {
      each_lane(mask, [&](unsigned lane) { w.lanes[lane].counter = to; });
    };
    auto const all_wait_for = [&](auto const& lanes_of) {
      each_lane(active, [&](unsigned lane) {
        w.lanes[lane].with = lanes_of(w.lanes[lane]), w.lanes[lane].waits = waits_for::lanes;
      });
    };
    if (w.uncertain != 0) w.rounds.decide(graph_, index);
    unsigned const barrier =
        !i.operands.empty() && i.operands[0].kind == operand_kind::barrier ? i.operands[0].index % 16 : 0;
    if (is_branch(i)) {
      if (active != 0 && !is_known_branch(i)) return stop(w, index, "its form is not in the tables");
      if (i.target == i.nowhere && active != 0) return stop(w, index, "its target is not a place of the kernel");
      bool const converged = (w.alive() & ~group) == 0;
      if ((i.has("CONV") && !converged) || (i.has("DIV") && converged)) taken = 0;
      if (w.uncertain != 0 && taken != 0 && i.target <= index) w.rounds.jump_to(i.target);
      go(group & ~taken, index + 1), go(taken, i.target);
    } else if (i.base == "EXIT") {
      go(group & ~taken, index + 1);
      each_lane(taken, [&](unsigned lane) { w.lanes[lane].has_exited = true; });
    } else if (i.base == "BSSY") {
      go(group, index + 1);
      each_lane(active, [&](unsigned lane) { w.lanes[lane].barriers[barrier] = active; });
    } else if (i.base == "BSYNC") {
      go(group & ~active, index + 1);
      all_wait_for([&](lane_state const& lane) { return lane.barriers[barrier]; });
    } else if (i.base == "BREAK") {
      go(group, index + 1);
      for (operand const& o : i.operands)
        if (o.kind == operand_kind::barrier)
          for (lane_state& lane : w.lanes) {
            lane.barriers[o.index % 16] &= ~taken;
            if (waits_at(lane, o.index)) lane.with &= ~taken;
          }
    } else if (i.base == "WARPSYNC") {
      bool const is_known_form = i.parts.empty() || (i.parts.size() == 1 && i.has("ALL"));
      if (!is_known_form && active != 0) return stop(w, index, "its form is not in the tables");
      bool const has_mask = !i.has("ALL") && !i.operands.empty() && !is_predicate(i.operands.back());
      value const mask =
          has_mask && active != 0
              ? registers_.reader(w, index, register_runner::first_of(active)).plain(i.operands.back(), 32)
              : exact(0xffffffffu);
      if (!mask.is_known()) return stop(w, index, because(code_, mask, "its mask", i));
      go(group & ~active, index + 1);
      all_wait_for([&](lane_state const&) { return static_cast<std::uint32_t>(mask.bits); });
    } else if (i.base == "BMOV") {
      go(group, index + 1);
      value unknown = exact(0);
      each_lane(active, [&](unsigned lane) {
        if (value const mask = move_barrier(w, i, lane); !mask.is_known(32)) unknown = mask;
      });
      if (unknown.is_known()) return;
      bool const has_barrier = i.operands.size() == 2 && (i.operands[0].kind == operand_kind::barrier ||
                                                          i.operands[1].kind == operand_kind::barrier);
      return stop(w, index, has_barrier ? because(code_, unknown, "its mask", i) : "its form is not in the tables");
    } else if (is_return(i) || is_jump_table(i)) {
      std::string problem;
      each_lane(taken, [&](unsigned lane) {
        destination const to = destination_of(code_, registers_.reader(w, index, lane));
        w.lanes[lane].counter = to.place;
        if (!to.by.is_known())
          problem = because(code_, to.by, "its target", i);
        else if (to.place == i.nowhere)
          problem = is_jump_table(i) ? "its target is none of those that the text names"
                                     : "its target is not a place of the kernel";
      });
      go(group & ~taken, index + 1);
      if (!problem.empty()) return stop(w, index, problem);
    } else if (i.base == "BPT" && !i.has("TRAP")) {
      go(group, index + 1);
    } else {
      bool const is_trap = i.base == "BPT" || i.base == "KILL";
      if (active != 0) return stop(w, index, is_trap ? "a trap" : "a branch to a place in a register is not followed");
      go(group, index + 1);
    }
  }

 private:
  /// Whether the lane waits at a BSYNC for the lanes of this convergence barrier.
  [[nodiscard]] bool waits_at(lane_state const& lane, unsigned barrier) const {
    if (lane.has_exited || lane.waits != waits_for::lanes) return false;
    instruction const& i = code_.code[lane.counter];
    return i.base == "BSYNC" && !i.operands.empty() && i.operands[0].index % 16 == barrier % 16;
  }

  program const& code_;
  register_runner const& registers_;
  memory_runner& memory_;
  held_accesses const& reports_;
  binary::text_graph const& graph_;
};

}  // namespace coalescing::sass
