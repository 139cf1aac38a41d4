// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sass/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Runs the warps of a block, one after the other from barrier to barrier. Each lane has a program counter; the lanes
// with the lowest one run together, and wait for the others where the code says so (BSYNC, WARPSYNC).

namespace coalescing::sass {

class block_runner {
 public:
  block_runner(program const& code, binary_launch const& launch, target const& on, binary::global_memory& memory,
               observer const& told)
      : code_(code),
        launch_(launch),
        constants_(on, launch, memory),
        registers_(code, constants_, launch.block),
        memory_(code, registers_, memory, told),
        told_(told) {
    for (std::size_t k = 0; k != code.code.size(); ++k) {
      rows_.push_back(&row_of(code.code[k].base));
      places_[code.code[k].offset] = k;
    }
  }
  [[nodiscard]] std::vector<opcode_row const*> const& rows() const { return rows_; }

  void run(place const& block, std::uint32_t number) {
    block_ = block;
    memory_.begin_block(number);
    std::vector<warp> warps;
    auto const threads = coalescing::detail::threads_of(launch_.block);
    for (std::uint64_t k = 0; k * warp_lanes < threads; ++k) {
      warps.emplace_back();
      warps.back().number = static_cast<unsigned>(k);
      for (unsigned lane = 0; lane != warp_lanes; ++lane)
        warps.back().lanes[lane].has_exited = k * warp_lanes + lane >= threads;
    }
    for (bool running = true; running; memory_.barrier()) {
      running = false;
      for (warp& each : warps) {
        for (lane_state& lane : each.lanes)
          if (lane.waits == waits_for::block) lane.waits = waits_for::nothing, ++lane.counter;
        memory_.begin_warp(each.number), told_.warp(block, each.number);
        while (step(each)) {
        }
        running = running || each.alive() != 0;
      }
    }
  }

 private:
  /// Lets the lanes go on that wait for lanes which all have come. Whether there are any.
  static bool release(warp& w) {
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

  /// Runs an instruction. False where the warp waits for the block, or has ended.
  bool step(warp& w) {
    while (release(w)) {
    }
    std::size_t lowest = ~std::size_t{0};
    bool waits_for_block = false, waits = false;
    for (lane_state const& lane : w.lanes) {
      if (lane.has_exited) continue;
      if (lane.waits == waits_for::nothing) lowest = std::min(lowest, lane.counter);
      waits_for_block = waits_for_block || lane.waits == waits_for::block;
      waits = waits || lane.waits == waits_for::lanes;
    }
    if (lowest == ~std::size_t{0}) {
      if (waits && !waits_for_block) throw binary_refused("lanes of a warp wait for lanes that never come");
      if (waits) throw binary_refused("lanes of a warp wait for lanes that wait at a barrier of the block");
      return false;
    }
    if (lowest >= code_.code.size()) throw binary_refused("a warp runs past the end of the kernel: is EXIT missing?");
    std::uint32_t group = 0;
    for (unsigned k = 0; k != warp_lanes; ++k)
      if (lane_state const& lane = w.lanes[k];
          !lane.has_exited && lane.waits == waits_for::nothing && lane.counter == lowest)
        group |= std::uint32_t{1} << k;
    instruction const& i = code_.code[lowest];
    if (++w.executed > launch_.most_instructions)
      throw binary_refused("a warp executes more than " + std::to_string(launch_.most_instructions) +
                               " instructions: a loop without an end?",
                           i.line);
    execute(w, lowest, group);
    return true;
  }

  void execute(warp& w, std::size_t index, std::uint32_t group) {
    instruction const& i = code_.code[index];
    opcode_row const& row = *rows_[index];
    auto const why = static_cast<cause>(index + 1);
    std::uint32_t active = 0, perhaps = 0;  // `perhaps`: lanes whose predicate is unknown
    value guard = exact(1);
    each_lane(group, [&](unsigned lane) {
      value const is = w.predicate(i.guard, lane);
      if (!is.is_known()) perhaps |= std::uint32_t{1} << lane, guard = is;
      if (is.is_known() && is.bits != 0) active |= std::uint32_t{1} << lane;
    });
    bool const moves = row.does == action::control || row.does == action::barrier;
    if (moves && perhaps != 0) return stop(w, index, memory_.because(guard, "its predicate", i));
    if (moves) {
      if (row.does == action::barrier) return wait(w, i, group, active);
      return control(w, index, group, active);
    }
    each_lane(group, [&](unsigned lane) { ++w.lanes[lane].counter; });
    if ((active | perhaps) == 0) return;
    switch (row.does) {
      case action::compute:
        return registers_.compute(w, index, active, perhaps);
      case action::constant:
        return registers_.load_constant(w, index, active, perhaps);
      case action::special:
        return registers_.special(w, index, active, perhaps, block_);
      case action::lanes:
        return registers_.exchange(w, index, active, perhaps);
      case action::unpack:
        return registers_.unpack(w, index, active, perhaps);
      case action::memory:
        return memory_.access(w, index, active, perhaps, guard);
      case action::listed:
        told_.listed(index, row.from);
        return registers_.forget(w, index, active | perhaps, why);
      case action::data:
        return registers_.forget(w, index, active | perhaps, why);
      case action::missing:
        return registers_.forget(w, index, active | perhaps, why | binary::of_opcode);
      case action::control:
      case action::barrier:
      case action::nothing:
        return;
    }
  }

  /// A branch or a predicate of one depends on data: the warp ends here.
  void stop(warp& w, std::size_t index, std::string const& why) {
    for (lane_state& lane : w.lanes) lane.has_exited = true;
    told_.stopped(index, why);
  }

  void wait(warp& w, instruction const& i, std::uint32_t group, std::uint32_t active) {
    bool const is_whole = i.operands.size() == 1 && i.operands[0].kind == operand_kind::integer &&
                          i.operands[0].number == 0 && i.has("SYNC");
    if (active != 0 && !is_whole)
      throw binary_refused(i.opcode + " of another barrier than 0 of the whole block is not followed", i.line);
    each_lane(group, [&](unsigned lane) {
      if ((active >> lane & 1) != 0)
        w.lanes[lane].waits = waits_for::block;
      else
        ++w.lanes[lane].counter;
    });
  }

  void control(warp& w, std::size_t index, std::uint32_t group, std::uint32_t active) {
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
        if (!unknown.is_known()) return stop(w, index, memory_.because(unknown, "its predicate", i));
      }
    auto const go = [&](std::uint32_t mask, std::size_t to) {
      each_lane(mask, [&](unsigned lane) { w.lanes[lane].counter = to; });
    };
    auto const all_wait_for = [&](auto const& lanes_of) {
      each_lane(active, [&](unsigned lane) {
        w.lanes[lane].with = lanes_of(w.lanes[lane]), w.lanes[lane].waits = waits_for::lanes;
      });
    };
    unsigned const barrier =
        !i.operands.empty() && i.operands[0].kind == operand_kind::barrier ? i.operands[0].index % 16 : 0;
    bool const is_branch = i.base == "BRA" || (i.base == "CALL" && i.has("REL")) || i.base == "JMP";
    if (is_branch) {
      if (!i.has_target && active != 0) return stop(w, index, "its target is not a place of the kernel");
      bool const converged = (w.alive() & ~group) == 0;
      if ((i.has("CONV") && !converged) || (i.has("DIV") && converged)) taken = 0;
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
          for (lane_state& lane : w.lanes) lane.barriers[o.index % 16] &= ~taken;
    } else if (i.base == "WARPSYNC") {
      value const mask = i.has("ALL") || i.operands.empty()
                             ? exact(0xffffffffu)
                             : registers_.reader(w, index, register_runner::first_of(group)).plain(i.operands[0], 32);
      if (!mask.is_known()) return stop(w, index, memory_.because(mask, "its mask", i));
      go(group & ~active, index + 1);
      all_wait_for([&](lane_state const&) { return static_cast<std::uint32_t>(mask.bits); });
    } else if (i.base == "BMOV") {
      go(group, index + 1);
      if (i.operands.size() != 2) return stop(w, index, "its form is not in the tables");
      each_lane(active, [&](unsigned lane) { move_barrier(w, i, lane); });
    } else if (i.base == "RET" && i.has("REL") && i.has_target && i.operands.size() == 2) {
      std::string problem;
      each_lane(active, [&](unsigned lane) {
        value const by = registers_.reader(w, index, lane).plain(i.operands[0], 32);
        auto const found = places_.find(code_.code[i.target].offset + by.bits);
        if (!by.is_known())
          problem = memory_.because(by, "its target", i);
        else if (found == places_.end())
          problem = "its target is not a place of the kernel";
        else
          w.lanes[lane].counter = found->second;
      });
      go(group & ~active, index + 1);
      if (!problem.empty()) return stop(w, index, problem);
    } else {
      if (active != 0) return stop(w, index, "a branch to a place in a register is not followed");
      go(group, index + 1);
    }
  }
  static void move_barrier(warp& w, instruction const& i, unsigned lane) {
    operand const &to = i.operands[0], &from = i.operands[1];
    auto& barriers = w.lanes[lane].barriers;
    if (from.kind == operand_kind::barrier) {
      if (to.kind == operand_kind::general && to.index != zero_register)
        w.general[to.index][lane] = word(exact(barriers[from.index % 16]));
      if (i.has("CLEAR") && to.index != zero_register) barriers[from.index % 16] = 0;
    } else if (to.kind == operand_kind::barrier) {
      value const mask = w.general_register(from.index, lane);
      if (mask.is_known()) barriers[to.index % 16] = static_cast<std::uint32_t>(mask.bits);
    }
  }

  program const& code_;
  binary_launch const& launch_;
  constant_bank constants_;
  register_runner registers_;
  memory_runner memory_;
  observer const& told_;
  std::vector<opcode_row const*> rows_;
  std::map<std::uint64_t, std::size_t> places_;
  place block_ = {};
};

}  // namespace coalescing::sass
