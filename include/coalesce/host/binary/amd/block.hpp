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
#include <cstdint>
#include <string>
#include <vector>

// Runs the waves of a block, one after the other from barrier to barrier.

namespace coalescing::amdgcn {

class block_runner {
 public:
  block_runner(program const& code, std::vector<decoded> const& meanings, target const& on, unsigned lanes,
               binary_launch const& launch, binary::global_memory& memory, observer const& reports)
      : code_(code),
        meanings_(meanings),
        on_(on),
        lanes_(lanes),
        launch_(launch),
        reports_(reports),
        units_(code, on, launch, memory, reports) {
    for (instruction const& each : code.code) count_registers(each);
    for (decoded const& each : meanings)  // an index may reach any register
      if (each.does == action::indexed || each.does == action::indexing) registers_ = vector_registers;
  }

  void run(place const& block, std::uint32_t number) {
    units_.memory.begin_block();
    std::vector<wave> waves;
    auto const threads = coalescing::detail::threads_of(launch_.block);
    for (unsigned k = 0; k * lanes_ < threads; ++k) {
      waves.emplace_back(lanes_, k, registers_);
      start(waves.back(), code_.start, on_, units_.arguments(), launch_, block);
    }
    units_.now = {number, 0, 0, 0};
    for (bool running = true; running; ++units_.now.barriers) {
      running = false;
      for (wave& each : waves) {
        units_.now.wave = each.number, each.waits = false;
        reports_.wave_goes_on(block, each.number);
        while (!each.ended && !each.waits) step(each);
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
      w.set_lane_anyway(to, lane, before[lane]);
    }
    execute(w, index, i.second[0], decode(i.second[0].opcode));
    for (unsigned lane = 0; lane != w.lanes; ++lane) w.set_lane_anyway(to, lane, made[lane]);
  }

 private:
  /// The vector registers that the text names: a copy of a wave holds no others.
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
        w.waits = true;
        return;
      case action::end:
        w.ended = true;
        return;
      case action::nothing:
        if (on_.major == 9 && turns_on_indexes(i))
          throw binary_refused(i.printed + " may turn on a mode that is not followed", i.line);
        return;
      case action::data:
        return forget_results(w, i, why);
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
  /// Ends a wave that cannot be followed any further. What it might still store becomes unknown.
  void leave(wave& w, std::size_t index, std::string const& why) {
    reports_.wave_ends_early(index, why);
    w.ended = true;
    possible_stores const may = amdgcn::stores_after(code_, meanings_, index);
    units_.memory.give_up(may.global, may.lds, static_cast<cause>(index + 1));
  }

  void jump(wave& w, std::size_t index, instruction const& i) {
    value const taken = is_taken(w, i);
    bool const is_data = !taken.is_known() && (taken.why & binary::of_opcode) == 0;
    if (is_data && pass_both_ways(w, index, taken.why)) return;
    if (!taken.is_known()) return leave(w, index, because(code_, taken, "the branch", i));
    if (taken.bits == 0) return;
    if (i.target >= code_.code.size()) return leave(w, index, "the branch leads out of the kernel's text");
    w.counter = i.target;
  }
  /// Whether a branch is taken: 0 or 1.
  [[nodiscard]] static value is_taken(wave const& w, instruction const& i) {
    value taken = exact(1);
    if (begins(i.opcode, "s_cbranch_scc")) taken = low(w.scc, 1);
    if (begins(i.opcode, "s_cbranch_vcc")) taken = any_bit(w.mask(vcc_register), w.lanes);
    if (begins(i.opcode, "s_cbranch_exec")) taken = any_bit(w.exec(), w.lanes);
    if (ends(i.opcode, "z") && !ends(i.opcode, "nz")) taken = low(~taken, 1);
    if (i.opcode == "s_cbranch_scc0") taken = low(~taken, 1);
    return taken;
  }

  /// Both ways of a branch on data, as binary::meeting_of() follows them. A wave has one program counter, so ways may
  /// meet anywhere.
  struct both_ways {
    using state = wave;
    block_runner& runs;
    cause why;  ///< what the branch depends on

    [[nodiscard]] bool may_meet(std::size_t, wave const&) const { return true; }
    [[nodiscard]] bool is_silent(std::size_t at, wave const&) const {
      if (at >= runs.code_.code.size()) return false;
      instruction const& i = runs.code_.code[at];
      decoded const& means = runs.meanings_[at];
      if (means.does == action::jump) return i.target < runs.code_.code.size();
      if (means.does == action::missing) return begins(i.opcode, "v_");  // a vector instruction changes only registers
      if (means.does == action::nothing)
        return !begins(i.opcode, "s_barrier") && !begins(i.opcode, "s_setreg") && !begins(i.opcode, "s_sendmsg");
      return means.computes() || means.does == action::indexed || means.does == action::data;
    }
    void step(std::size_t at, wave&& now, std::vector<binary::way<wave>>& next) const {
      instruction const& i = runs.code_.code[at];
      now.counter = at;
      if (runs.meanings_[at].does != action::jump) {
        runs.step(now);
        return next.emplace_back(at + 1, std::move(now)), void();
      }
      value const taken = is_taken(now, i);
      ++now.executed;
      bool const may_pass = !taken.is_known() || taken.bits == 0;
      if (!taken.is_known() || taken.bits != 0) next.emplace_back(i.target, may_pass ? wave(now) : std::move(now));
      if (may_pass) next.emplace_back(at + 1, std::move(now));
    }
    bool join(wave& to, wave const& from) const {
      to.executed = to.executed < from.executed ? from.executed : to.executed;
      return to.join(from, why);
    }
  };
  /// Goes on where the two ways of a branch meet. Returns false if they access memory, wait or end before.
  bool pass_both_ways(wave& w, std::size_t index, cause why) {
    both_ways const rules{*this, why};
    if (w.indexes || !rules.is_silent(index, w)) return false;
    std::vector<binary::way<wave>> parted;
    parted.emplace_back(code_.code[index].target, w);
    parted.emplace_back(index + 1, w);
    auto met = binary::meeting_of(rules, std::move(parted));
    if (!met) return false;
    w = std::move(met->second), w.counter = met->first;
    return true;
  }

  program const& code_;
  std::vector<decoded> const& meanings_;
  target const& on_;
  unsigned lanes_;
  binary_launch const& launch_;
  observer const& reports_;
  memory_units units_;
  unsigned registers_ = 4;  ///< three hold the thread's place in the block
};

}  // namespace coalescing::amdgcn
