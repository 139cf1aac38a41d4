// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/ways.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

// Runs the warps of a block one after the other, each until it waits at a barrier or ends. Each lane has a program
// counter. The lanes with the lowest counter run together, and wait for the other lanes where the code says so (BSYNC,
// WARPSYNC).

namespace coalescing::sass {

class block_runner {
 public:
  block_runner(program const& code, binary_launch const& launch, target const& on, binary::global_memory& memory,
               observer const& reports, std::set<std::size_t>& loops)
      : code_(code),
        launch_(launch),
        reports_(reports),
        local_bytes_(local_bytes_of(code)),
        constants_(on, launch, memory, local_bytes_),
        registers_(code, constants_, launch),
        memory_(code, registers_, memory, reports_,
                code.shared_limit(launch.dynamic_shared, on.shared_bytes, on.reserved), loops),
        graph_(graph_of(code)),
        control_(code, registers_, memory_, reports_, graph_),
        instructions_(code, registers_, memory_, rows_, launch.most_instructions),
        ways_(code, registers_, memory_, reports_, rows_, instructions_, graph_, loops) {
    constants_.put_compiled(code.constants);
    code.allows.check_parameters(constants_.parameter_bytes());
    for (instruction const& each : code.code) {
      rows_.push_back(&row_of(each.base));
      for (operand const& o : each.operands)
        if (o.index != zero_register) general_ = std::max(general_, o.index + most_of_one);
    }
  }

  void run(place const& block, std::uint32_t number) {
    block_ = block, number_ = number;
    warps_.clear();
    auto const threads = coalescing::detail::threads_of(launch_.block);
    for (std::uint64_t k = 0; k * warp_lanes < threads; ++k) {
      warps_.emplace_back(static_cast<unsigned>(k), std::min(general_, zero_register), local_bytes_ / 4);
      for (unsigned lane = 0; lane != warp_lanes; ++lane)
        warps_.back().lanes[lane].has_exited = k * warp_lanes + lane >= threads;
    }
    memory_.begin_block(), barriers_.begin_block(warps_.size());
    for (bool running = true; running;) {
      running = false;
      bool moved = false;
      for (warp& each : warps_) {
        reports_.to().wave_goes_on(block, each.number);
        while (step(each)) moved = true;
        running = running || each.alive() != 0;
      }
      int whole = barriers_.complete_whole(warps_);
      if (running && !moved && whole < 0) whole = barriers_.complete_without_ended(warps_);
      if (whole == static_cast<int>(barrier_unit::of_cluster)) memory_.forget_all(cluster_wait_);
      if (running && !moved && whole < 0)
        throw binary_refused("warps wait at a barrier in vain: " + barriers_.waiting());
    }
  }

 private:
  /// How many bytes of local memory the kernel takes: the sum of what its instructions subtract from the stack pointer
  /// R1. Rounded up to words of 4 bytes; at most `most_private_bytes`, since the values of no more bytes are tracked.
  [[nodiscard]] static unsigned local_bytes_of(program const& code) {
    u64 all = 0;
    for (instruction const& each : code.code) {
      if (each.operands.empty() || each.operands[0].kind != operand_kind::general || each.operands[0].index != 1)
        continue;
      for (operand const& o : each.operands)
        if (auto const added = static_cast<std::int32_t>(o.number); o.kind == operand_kind::integer && added < 0)
          all += u64{0} - static_cast<u64>(added);
    }
    return static_cast<unsigned>(std::min<u64>((all + 3) / 4 * 4, binary::most_private_bytes));
  }
  /// Runs the next instruction of the warp. Returns false if there is none to run: each lane waits at a barrier of the
  /// block, or has exited.
  bool step(warp& w) {
    while (control_.release(w)) {
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
    instructions_.count(w, lowest);
    std::uint32_t group = 0;
    for (unsigned k = 0; k != warp_lanes; ++k)
      if (lane_state const& lane = w.lanes[k];
          !lane.has_exited && lane.waits == waits_for::nothing && lane.counter == lowest)
        group |= std::uint32_t{1} << k;
    if (ways_.is_loop(lowest))
      ways_.pass(w, lowest, group, block_, barriers_.view(number_, w.number), static_cast<cause>(lowest + 1));
    else
      execute(w, lowest, group);
    return true;
  }

  void execute(warp& w, std::size_t index, std::uint32_t group) {
    instruction const& i = code_.code[index];
    opcode_row const& row = *rows_[index];
    w.guard = {i.guard.kind, i.guard.index, i.guard.is_inverted};
    std::uint32_t active = 0, perhaps = 0;  // `perhaps`: the lanes whose predicate is unknown
    value guard = exact(1);
    each_lane(group, [&](unsigned lane) {
      value const is = w.predicate(i.guard, lane);
      if (!is.is_known()) perhaps |= std::uint32_t{1} << lane, guard = is;
      if (is.is_known() && is.bits != 0) active |= std::uint32_t{1} << lane;
    });
    if (row.does == action::missing && names_places(i) && (active | perhaps) != 0)
      return control_.stop(w, index, "the opcode is not in the tables, and names a place of the kernel");
    bool const moves = row.does == action::control || row.does == action::barrier;
    if (row.does == action::control) {
      value const taken = is_taken(w, index, group);
      bool const is_data = !taken.is_known() && (taken.why & binary::of_opcode) == 0;
      if (is_data) return ways_.pass(w, index, group, block_, barriers_.view(number_, w.number), taken.why);
    }
    if (moves && perhaps != 0) return control_.stop(w, index, because(code_, guard, "its predicate", i));
    if (moves) {
      if (row.does == action::barrier) return wait(w, index, group, active);
      return control_.run(w, index, group, active);
    }
    each_lane(group, [&](unsigned lane) { ++w.lanes[lane].counter; });
    instructions_.run(w, index, active, perhaps, block_, barriers_.view(number_, w.number));
  }

  /// Returns a known value if it is known for each lane whether it takes the branch, and where a jump table sends it.
  /// Otherwise returns an unknown value with the cause. (The known value itself has no meaning.)
  [[nodiscard]] value is_taken(warp const& w, std::size_t index, std::uint32_t group) const {
    instruction const& i = code_.code[index];
    value taken = exact(1);
    each_lane(group, [&](unsigned lane) {
      value all = w.predicate(i.guard, lane);
      for (operand const& o : i.operands)
        if (is_predicate(o)) all = all & w.predicate(o, lane);
      if (all.is_known() && all.bits != 0 && is_jump_table(i)) all = entry_of(registers_.reader(w, index, lane));
      if (!all.is_known()) taken = all;
    });
    return taken;
  }

  /// Runs BAR, and UCGABAR, the barrier of a cluster. An operand of BAR gives the barrier's number, and a second one
  /// may give how many threads the barrier waits for. If both are the same register, its lowest four bits are the
  /// number, and the bits from 16 on are the threads.
  void wait(warp& w, std::size_t index, std::uint32_t group, std::uint32_t active) {
    instruction const& i = code_.code[index];
    each_lane(group & ~active, [&](unsigned lane) { ++w.lanes[lane].counter; });
    if (active == 0) return;
    arrival how{.lanes = active, .absent = ~w.alive(), .is_all = i.has("AND")};
    bool goes_on = i.has("ARV");
    if (i.base != "BAR") {
      if (launch_.is_of_many() || block_.x + block_.y + block_.z != 0)
        throw binary_refused(i.printed + ": only block 0,0,0 is known to be the first one of its cluster", i.line);
      how.barrier = barrier_unit::of_cluster, goes_on = i.base == "UCGABAR_ARV", cluster_wait_ = index;
      if (!goes_on) how.lanes = 0;
    } else {
      unsigned const lane = register_runner::first_of(active);
      in_lane const at = registers_.reader(w, index, lane);
      bool const is_known_form =
          (i.has("SYNC") || i.has("ARV") || i.has("RED")) && !i.operands.empty() && !is_predicate(i.operands[0]);
      bool const has_threads = i.operands.size() > 1 && !is_predicate(i.operands[1]);
      if (!is_known_form || (goes_on && !has_threads))
        throw binary_refused(i.printed + ": this form of a barrier is not followed", i.line);
      bool const both_in_one = has_threads && is_register(i.operands[0]) && is_register(i.operands[1]);
      if (both_in_one && i.operands[0].index != i.operands[1].index)
        throw binary_refused(i.printed + ": this form of a barrier is not followed", i.line);
      value const number = at.plain(i.operands[0], 32), threads = has_threads ? at.plain(i.operands[1], 32) : exact(0);
      if (!number.is_known()) return control_.stop(w, index, because(code_, number, "its number", i));
      if (!threads.is_known()) return control_.stop(w, index, because(code_, threads, "its threads", i));
      how.barrier = static_cast<unsigned>(number.bits & 15);
      how.threads = both_in_one ? threads.bits >> 16 : threads.bits;
      operand const& last = i.operands.back();
      if (i.has("RED") && is_predicate(last))
        each_lane(active, [&](unsigned each) { how.reduced = sum(how.reduced, w.predicate(last, each)); });
      if ((active & w.uncertain) != 0)  // lanes that may have exited count only if they have not
        how.reduced = binary::unknown(static_cast<cause>(index + 1));
    }
    if (goes_on) each_lane(active, [&](unsigned lane) { ++w.lanes[lane].counter; });
    bool const is_complete = goes_on ? barriers_.arrive(w.number, how) : barriers_.wait(w, how, active);
    if (is_complete) barriers_.complete(warps_, how.barrier);
  }

  program const& code_;
  static constexpr unsigned most_of_one = 8;  ///< an operand, such as R4, may mean R4 and up to 7 registers after it

  binary_launch const& launch_;
  held_accesses reports_;
  /// How many general registers a warp has: at least as many as the text names.
  unsigned general_ = most_of_one;
  unsigned local_bytes_;  ///< how many bytes of a lane's local memory have tracked values
  constant_bank constants_;
  register_runner registers_;
  memory_runner memory_;
  binary::text_graph graph_;
  control_runner control_;
  std::vector<opcode_row const*> rows_;
  instruction_runner instructions_;
  way_runner ways_;
  barrier_unit barriers_;
  std::vector<warp> warps_;
  place block_ = {};
  std::uint32_t number_ = 0;
  std::size_t cluster_wait_ = 0;
};

}  // namespace coalescing::sass
