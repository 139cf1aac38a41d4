// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/arguments.hpp>
#include <coalesce/host/binary/amd/arithmetic.hpp>
#include <coalesce/host/binary/amd/indexed.hpp>
#include <coalesce/host/binary/amd/lanes.hpp>
#include <coalesce/host/binary/amd/memory_units.hpp>
#include <coalesce/host/binary/amd/reach.hpp>
#include <coalesce/host/binary/ways.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Runs the waves of a block in turn. Each wave runs until it comes to a barrier or ends, and then the next wave runs.

namespace coalescing::amdgcn {

class block_runner {
 public:
  block_runner(program const& code, std::vector<decoded> const& meanings, target const& on, unsigned lanes,
               binary_launch const& launch, binary::global_memory& memory, observer const& reports,
               std::set<std::size_t>& loops)
      : code_(code),
        meanings_(meanings),
        on_(on),
        lanes_(lanes),
        launch_(launch),
        reports_(reports),
        units_(code, on, launch, memory, reports_),
        loops_(loops),
        graph_(graph_of(code, meanings)) {
    units_.memory.watch(loops);
    for (instruction const& each : code.code) count_registers(each);
    // If the kernel reads the base of private memory's aperture (src_private_base), a flat address may reach private
    // memory. Then the words of private memory are not followed.
    private_words_ = code.start.private_bytes <= binary::most_private_bytes ? (code.start.private_bytes + 3) / 4 : 0;
    for (instruction const& each : code.code)
      for (operand const& of : each.operands)
        if (begins(of.text, "src_private")) private_words_ = 0;
    for (decoded const& each : meanings)  // an index in M0 may reach any register
      if (each.does == action::indexed || each.does == action::indexing) registers_ = vector_registers;
  }

  void run(place const& block, std::uint32_t number) {
    units_.memory.begin_block();
    std::vector<wave> waves;
    auto const threads = coalescing::detail::threads_of(launch_.block);
    for (unsigned k = 0; k * lanes_ < threads; ++k) {
      waves.emplace_back(lanes_, k, registers_, private_words_);
      start(waves.back(), code_.start, on_, units_.arguments(), launch_, block);
    }
    units_.now = {number, 0, 0, 0};
    for (bool running = true; running; ++units_.now.barriers) {
      running = false;
      for (wave& each : waves) {
        units_.now.wave = each.number, each.waits = false;
        reports_.to().wave_goes_on(block, each.number);
        while (!each.ended && !each.waits)
          if (loops_.count(each.counter) != 0)
            pass_loop(each);
          else
            step(each);
        running = running || !each.ended;
      }
    }
  }

  /// Executes one instruction of a wave.
  void step(wave& w) {
    if (w.counter >= code_.code.size())
      throw binary_refused("the wave runs past the end of the text: is s_endpgm missing?");
    if (++w.executed > launch_.most_instructions)
      throw binary_refused("a wave executes more than " + std::to_string(launch_.most_instructions) +
                               " instructions: a loop without an end?",
                           code_.code[w.counter].line);
    std::size_t const index = w.counter++;
    instruction const& i = code_.code[index];
    if (i.second.empty() || i.operands.empty()) return execute(w, index, i, meanings_[index]);
    // Both instructions of a pair read their sources before either writes ("AMD RDNA 3 ISA", Dual Issue VALU).
    unsigned const to = i.operands[0].first;
    std::array<value, 64> before, made;
    for (unsigned lane = 0; lane != w.lanes; ++lane) before[lane] = w.lane(to, lane, 32);
    execute(w, index, i, meanings_[index]);
    for (unsigned lane = 0; lane != w.lanes; ++lane) {
      made[lane] = w.lane(to, lane, 32);
      w.replace_lane(to, lane, before[lane]);
    }
    execute(w, index, i.second[0], decode(i.second[0].opcode));
    for (unsigned lane = 0; lane != w.lanes; ++lane) w.replace_lane(to, lane, made[lane]);
  }

 private:
  /// Raises registers_ to cover each vector register that the instruction names. A wave holds no further registers, so
  /// that its copies stay small: each branch on unknown data copies the wave.
  void count_registers(instruction const& i) {
    for (operand const& each : i.operands)
      if (each.kind == operand_kind::vector && each.first + each.registers > registers_)
        registers_ = each.first + each.registers;
    for (instruction const& other : i.second) count_registers(other);
  }
  void execute(wave& w, std::size_t index, instruction const& i, decoded const& means) {
    auto const why = static_cast<cause>(index + 1);
    if (w.indexes && begins(i.opcode, "v_") && means.does != action::nothing) return run_moved_on(w, i, why);
    bool const other_wave = means.does == action::saving && ends(i.opcode, "64") != (w.lanes == 64);
    if (means.computes() && (other_wave || !amdgcn::is_understood(i)))
      return forget_results(w, i, why | binary::of_opcode);
    switch (means.does) {
      case action::scalar:
        return run_scalar(w, i, *means.row, on_, why);
      case action::saving:
        return run_saving(w, i, *means.row, why);
      case action::vector:
        return run_vector(w, i, *means.row, on_, why);
      case action::packed:
        return run_packed(w, i, *means.row, why);
      case action::comparison:
        return run_comparison(w, i, means.compares, on_, why);
      case action::lanes:
        return run_lanes(w, i, why);
      case action::bits:
        return run_bits(w, i, why);
      case action::memory:
        return units_.access(w, index, i, means.moves, why);
      case action::jump:
        return jump(w, index, i);
      case action::indexed:
        return run_indexed(w, i, *means.moves_registers, why);
      case action::indexing:
        return run_indexing(w, i, why);
      case action::barrier:
        if (waits_elsewhere(i))
          return leave(w, index, i.printed + " waits at another barrier than the block's, which is not followed");
        w.waits = true, w.has_signaled = false;
        return;
      case action::end:
        w.ended = true;
        return;
      case action::nothing:
        if (on_.major == 9 && turns_on_indexes(i))
          throw binary_refused(i.printed + " may turn on a mode that is not followed", i.line);
        if (begins(i.opcode, "s_barrier_signal")) w.has_signaled = true;
        return run_mode(w, i, why);
      case action::data:
        forget_results(w, i, why);
        if (begins(i.opcode, "s_barrier_signal")) w.has_signaled = true;
        if (i.opcode == "s_getpc_b64" && !i.operands.empty())  // all waves get the same number, which is unknown
          w.set_scalar(i.operands[0].first, 64,
                       binary::identified(binary::settled(0, 3, why), binary::named(binary::name_of(why, place_of_code),
                                                                                    binary::part_of_number::whole)));
        return;
      case action::missing:
        return forget_results(w, i, why | binary::of_opcode);
      case action::undecoded:
        throw binary_refused(
            "the disassembler did not know this instruction (for gfx12, give llvm-objdump --mattr=+real-true16 too)",
            i.line);
      case action::leaving:
        return leave(w, index, i.printed + " " + amdgcn::leaving_because(i.opcode) + ", which is not followed");
    }
  }
  /// Ends a wave that cannot be followed any further. The memory that it might still store to becomes unknown.
  void leave(wave& w, std::size_t index, std::string const& why) {
    reports_.to().wave_ends_early(index, why);
    w.ended = true;
    possible_stores const may = amdgcn::stores_after(code_, meanings_, index);
    units_.memory.give_up(may.global, may.lds, static_cast<cause>(index + 1));
  }

  void jump(wave& w, std::size_t index, instruction const& i) {
    value const taken = is_taken(w, i);
    if (!taken.is_known() && (taken.why & binary::of_opcode) != 0)
      return leave(w, index, because(code_, taken, "the branch", i));
    if (!taken.is_known()) return pass_both_ways(w, index, taken);
    bool const is_counted = w.perhaps && !reports_.is_holding();
    if (is_counted) w.rounds.decide(graph_, index);
    if (taken.bits == 0) return;
    if (i.target >= code_.code.size()) return leave(w, index, "the branch leads out of the kernel's text");
    if (is_counted && i.target < w.counter) w.rounds.jump_to(i.target);
    w.counter = i.target;
  }
  /// Whether a branch is taken: 0, 1 or unknown.
  [[nodiscard]] static value is_taken(wave const& w, instruction const& i) {
    value taken = exact(1);
    if (begins(i.opcode, "s_cbranch_scc")) taken = low(w.scc, 1);
    if (begins(i.opcode, "s_cbranch_vcc")) taken = any_bit(w.mask(vcc_register), w.lanes);
    if (begins(i.opcode, "s_cbranch_exec")) taken = any_bit(w.exec(), w.lanes);
    if (ends(i.opcode, "z") && !ends(i.opcode, "nz")) taken = low(~taken, 1);
    if (i.opcode == "s_cbranch_scc0") taken = low(~taken, 1);
    return taken;
  }

  /// Tells binary::way_follower how a wave takes both ways of a branch whose condition is unknown data. A wave has one
  /// program counter, so the ways can be joined at any instruction to which both lead (may_meet).
  struct both_ways : binary::traces_of_ways {
    using state = wave;
    block_runner& runs;
    cause why;           ///< what the branch depends on
    bool ended = false;  ///< whether the wave has ended on one of the ways

    both_ways(block_runner& of, cause on) : runs(of), why(on) {}
    void part_on(std::size_t at, value const& taken) {
      instruction const& i = runs.code_.code[at];
      if (!taken.is_known()) assumed.emplace(at, because(runs.code_, taken, "which way is taken", i));
    }

    [[nodiscard]] bool may_meet(std::size_t, wave const&) const { return true; }
    [[nodiscard]] bool has_ended() const { return ended; }
    static void meets(std::size_t, wave const&, wave const&) {}
    [[nodiscard]] std::uint64_t changes() const { return runs.units_.memory.changes(); }
    [[nodiscard]] bool accesses(std::size_t at) const { return runs.meanings_[at].does == action::memory; }
    void begin_round(std::size_t head) const { runs.reports_.begin_round(head); }
    [[nodiscard]] static bool looks_like(wave const& a, wave const& b) { return a.looks_like(b); }
    bool join(wave& to, wave const& from) const {
      to.executed = to.executed < from.executed ? from.executed : to.executed;
      return to.join(from, why);
    }
    [[nodiscard]] static bool are_together(wave const&, wave const&) { return true; }  // all lanes take the same way
    [[nodiscard]] std::uint64_t loop_name(std::size_t head) const {
      return binary::name_of(++runs.loops_passed_, head);
    }
    bool join_rounds(wave& to, wave&& from, std::uint64_t loop,
                     std::array<std::vector<binary::growth>, 2>& grown) const {
      to.executed = to.executed < from.executed ? from.executed : to.executed;
      return to.join_rounds(std::move(from), loop, grown, why);
    }
    [[nodiscard]] static bool lanes_part(std::size_t, wave const& now, std::vector<bool> const&) {
      return now.has_unsure_lanes();
    }
    static void widen(wave& now, wave const& before) { now.widen(before); }
    static void leave_apart(wave& now, wave const& before) { now.leave_apart(before); }
    void step(std::size_t at, wave&& now, std::vector<binary::way<wave>>& next) {
      now.counter = at;
      if (at < runs.code_.code.size() && runs.meanings_[at].does == action::jump) {
        part_on(at, is_taken(now, runs.code_.code[at]));
        runs.part(at, now, next);
        ended = ended || now.ended;
        return;
      }
      runs.step(now);
      // Unknown data decides which waves of the block come to this barrier. So the barrier does not order their stores,
      // and the contents of the buffers and of LDS become unknown.
      if (now.waits) {
        now.waits = false, has_barrier = true;
        runs.units_.memory.give_up(true, true, static_cast<cause>(at + 1));
      }
      if (now.ended)
        ended = true;
      else
        next.emplace_back(now.counter, std::move(now));
    }
  };
  /// Appends to `next` the ways that the branch at `at` may take.
  void part(std::size_t at, wave& now, std::vector<binary::way<wave>>& next) {
    instruction const& i = code_.code[at];
    value const taken = is_taken(now, i);
    now.counter = at + 1, ++now.executed;
    if (taken.is_known() || (taken.why & binary::of_opcode) != 0) {
      jump(now, at, i);
      if (!now.ended) next.emplace_back(now.counter, std::move(now));
      return;
    }
    bool const on_lanes = begins(i.opcode, "s_cbranch_exec"), if_none = i.opcode == "s_cbranch_execz";
    auto const go = [&](std::size_t to, bool is_jump) {
      next.emplace_back(to, now);
      if (on_lanes && is_jump == if_none) next.back().second.know_none_is_active();
    };
    go(at + 1, false);
    if (i.target < code_.code.size())
      go(i.target, true);
    else
      leave(now, at, "the branch leads out of the kernel's text");
  }
  void pass_both_ways(wave& w, std::size_t index, value const& taken) {
    both_ways rules(*this, taken.why);
    rules.part_on(index, taken);
    follow(w, rules, index, [&] {
      std::vector<binary::way<wave>> parted;
      wave now = w;
      part(index, now, parted);
      rules.ended = now.ended;
      return parted;
    });
  }
  /// Follows a loop that only unknown data can end. The wave is at the loop's first instruction.
  void pass_loop(wave& w) {
    both_ways rules(*this, static_cast<cause>(w.counter + 1));
    follow(w, rules, w.counter, [&] { return std::vector<binary::way<wave>>{{w.counter, w}}; });
  }
  template <class Start>
  void follow(wave& w, both_ways& rules, std::size_t index, Start const& start) {
    bool const was_there = !w.perhaps;
    w.perhaps = true;
    auto met = binary::follow_ways(rules, graph_, loops_, reports_, index, start);
    if (!met) return w.ended = true, void();
    w = std::move(met->second), w.counter = met->first;
    w.perhaps = !was_there || rules.ended;
  }
  /// The control flow graph: which instructions may follow each instruction.
  [[nodiscard]] static binary::text_graph graph_of(program const& code, std::vector<decoded> const& meanings) {
    std::vector<std::vector<std::size_t>> next(code.code.size());
    for (std::size_t k = 0; k != next.size(); ++k) {
      action const does = meanings[k].does;
      if (does == action::end || does == action::leaving || does == action::undecoded) continue;
      if (does == action::jump && code.code[k].target < next.size()) next[k].push_back(code.code[k].target);
      if (code.code[k].opcode != "s_branch" && k + 1 != next.size()) next[k].push_back(k + 1);
    }
    return binary::text_graph(std::move(next));
  }

  program const& code_;
  std::vector<decoded> const& meanings_;
  target const& on_;
  unsigned lanes_;
  binary_launch const& launch_;
  held_accesses reports_;
  memory_units units_;
  std::set<std::size_t>& loops_;  ///< the first instructions of loops that only unknown data can end
  binary::text_graph graph_;
  std::uint64_t loops_passed_ = 0;
  /// How many vector registers a wave has. It has at least 4: the first 3 may hold the thread's index in the block.
  unsigned registers_ = 4;
  static constexpr std::uint64_t place_of_code = 0x706c6163656f66u;
  unsigned private_words_ = 0;
};

}  // namespace coalescing::amdgcn
