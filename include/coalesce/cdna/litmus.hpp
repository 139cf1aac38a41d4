// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/build.hpp>
#include <coalesce/cdna/litmus/search.hpp>
#include <coalesce/cdna/litmus/verdict.hpp>

#include <concepts>
#include <cstdint>

// Litmus tests for CDNA 3 and 4: which values may the loads of up to four waves return? Opt-in: cdna.hpp does not
// include this header. The tests run in constant expressions and at run time. The answer comes from a model, not from
// silicon. An allowed outcome is a warning and has a trace. A forbidden outcome has no trace under the axioms that the
// verdict prints; hardware may still show it.
//
// cdna/litmus/wave.hpp has the instructions and axioms, verdict.hpp the answers, model.hpp the caches, walk.hpp the
// steps from state to state, search.hpp the search through the state space.

namespace coalescing::cdna {

/// A test: one to four waves in an environment. Each fence is replaced by LLVM 22's instructions, and the functions
/// below number a wave's instructions, from 0, as they are after this replacement. litmus(...) makes a test.
class litmus_test {
 public:
  COALESCE_API constexpr explicit litmus_test(rules::litmus_setting const& said) : said_(said) {
    static_cast<void>(rules::has_one_l2(said.where));  // refuses an agent without an L2
    for (unsigned k = 0; k != said.count; ++k) {
      if (said.waves[k].xcd >= said.where.l2_caches) refused::agent_has_no_such_xcd(said.waves[k].xcd);
      said_.waves[k] = with_fences_spelt_out(said.waves[k]);
    }
  }

  /// Sets which agent's memory a location is in, and with which memory types agents cache the location. By default it
  /// is in agent 0's memory, of type RW in agent 0 and NC in other agents. Refused: a location beyond 3.
  [[nodiscard]] COALESCE_API constexpr litmus_test memory(unsigned location, litmus_memory const& what) const {
    if (location >= litmus_wave::most_locations) refused::litmus_has_four_locations(location);
    litmus_test other = *this;
    other.said_.memories[location] = what;
    return other;
  }
  /// Names the locations for traces. The strings must live as long as the test and its verdicts, as literals do.
  [[nodiscard]] COALESCE_API constexpr litmus_test named(char const* first, char const* second = nullptr,
                                                         char const* third = nullptr,
                                                         char const* fourth = nullptr) const {
    litmus_test other = *this;
    char const* const given[] = {first, second, third, fourth};
    for (unsigned k = 0; k != litmus_wave::most_locations; ++k) other.said_.names[k] = given[k];
    return other;
  }
  /// This test in a model without one axiom.
  [[nodiscard]] COALESCE_API constexpr litmus_test without(axiom what) const {
    coalescing::detail::check_enumerator(what);
    litmus_test other = *this;
    other.said_.axioms &= ~(1u << static_cast<unsigned>(what));
    return other;
  }
  /// This test without one instruction. Refused: a wave or an instruction that the test does not have.
  [[nodiscard]] COALESCE_API constexpr litmus_test without(unsigned wave, unsigned instruction) const {
    if (wave >= said_.count) refused::litmus_test_has_no_such_wave(wave);
    litmus_test other = *this;
    other.said_.waves[wave] = said_.waves[wave].without(instruction);
    return other;
  }

  [[nodiscard]] COALESCE_API constexpr rules::litmus_setting const& setting() const { return said_; }
  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return said_.count; }
  /// One of the test's waves, after each fence is replaced by its instructions.
  [[nodiscard]] COALESCE_API constexpr litmus_wave const& wave(unsigned number) const {
    if (number >= said_.count) refused::litmus_test_has_no_such_wave(number);
    return said_.waves[number];
  }
  /// A wave's instructions as text, one on a line, with the numbers that necessary(...) and without(...) use.
  [[nodiscard]] COALESCE_API constexpr litmus_text program(unsigned number) const {
    litmus_wave const& whose = wave(number);
    litmus_text lines;
    for (unsigned k = 0; k != whose.size; ++k) {
      if (k != 0) lines.append("\n");
      lines.append(k), lines.append(": ");
      rules::append_instruction(lines, said_.names, whose.program[k]);
    }
    return lines;
  }

  /// Whether the loads and the returning atomics may return these values: wave by wave, in program order, each 0 or 1.
  /// Refused: an outcome with more or fewer values than these instructions return, and a state space of more than
  /// rules::litmus_states::most states.
  [[nodiscard]] COALESCE_API constexpr bool allows(litmus_outcome const& outcome) const {
    rules::litmus_model const model = rules::model_of(said_, outcome);
    rules::litmus_walk const walk(model);
    rules::litmus_states states;
    return rules::search(walk, model, states, has_values(walk)) != states.size();
  }

  /// Answers as allows(...) does, with reasons. For an allowed outcome the verdict has a trace. For a forbidden outcome
  /// it has the axioms on which the answer rests.
  [[nodiscard]] COALESCE_API constexpr litmus_verdict judge(litmus_outcome const& outcome) const {
    rules::litmus_model const model = rules::model_of(said_, outcome);
    rules::litmus_walk const walk(model);
    rules::litmus_states states;
    unsigned const end = rules::search(walk, model, states, has_values(walk));
    litmus_verdict made;
    made.allowed = end != states.size();
    made.states = states.size();
    made.assumed = said_.axioms;
    for (unsigned k = 0; k != litmus_wave::most_locations; ++k) made.names[k] = said_.names[k];
    if (made.allowed) {
      follow(model, walk, states, end, made);
    } else {
      for (unsigned k = 0; k != axiom_count; ++k)
        if (matters(static_cast<axiom>(k)) && without(static_cast<axiom>(k)).allows(outcome))
          made.load_bearing |= 1u << k;
    }
    return made;
  }

  /// Whether a write to a location is sure to become visible to a reader outside the test, which polls the location
  /// with loads of scope `visible`. The reader may run anywhere within this scope of each writer. If the answer is
  /// false, the reader may wait for ever: nothing promises that a dirty line is ever evicted. The test's own loads are
  /// ignored. Always false without axiom::stores_are_done_eventually. Refused: a location that no wave writes.
  [[nodiscard]] COALESCE_API constexpr bool reaches(unsigned location, scope visible) const {
    static_cast<void>(encode(visible));  // refuses a scope that does not exist
    rules::litmus_model const model = rules::model_without_reads(said_);
    if (!model.assumes(axiom::stores_are_done_eventually)) return false;
    rules::litmus_walk const walk(model);
    bool written = false, sure = true;
    for (unsigned k = 0; k != said_.count; ++k) {
      if (!writes(said_.waves[k], location)) continue;
      written = true;
      // The reader may use the writer's own L1 and L2, or other caches, which do not have the new value.
      // `fresh`: where every such reader finds the new value. `stale`: the writer's caches that may return the old one.
      rules::litmus_runner const& writer = model.waves[k];
      bool const passes_l2 = visible == scope::system || (visible == scope::device && said_.where.l2_caches > 1);
      bool const other_l1 = visible >= scope::device || (visible == scope::group && said_.where.tg_split);
      std::uint64_t const fresh =
          rules::litmus_bits::home(location) | (passes_l2 ? 0 : rules::litmus_bits::dirty(location, writer.l2));
      bool const asks_l2 = !passes_l2 || rules::kept_by_probes(said_, k, location);
      std::uint64_t const stale = (asks_l2 ? rules::litmus_bits::l2_old(location, writer.l2) : 0) |
                                  (other_l1 ? 0 : rules::litmus_bits::l1_old(location, writer.l1));
      rules::litmus_states states;
      auto const waits = [&](rules::litmus_state const& state) {
        return walk.is_over(state) && ((state.memory & fresh) == 0 || (state.memory & stale) != 0);
      };
      if (rules::search(walk, model, states, waits) != states.size()) sure = false;
    }
    if (!written) refused::nothing_writes_that_location(location);
    return sure;
  }

  /// Tells which waits and cache operations are necessary. An instruction is necessary if the verdict on the outcome
  /// changes when this instruction alone is left out.
  [[nodiscard]] COALESCE_API constexpr litmus_necessity necessary(litmus_outcome const& outcome) const {
    bool const verdict = allows(outcome);
    litmus_necessity made;
    made.count = said_.count;
    for (unsigned wave = 0; wave != said_.count; ++wave) {
      made.sizes[wave] = said_.waves[wave].size;
      for (unsigned k = 0; k != said_.waves[wave].size; ++k) {
        if (is_access(said_.waves[wave].program[k].kind)) continue;
        made.asked[wave] |= std::uint64_t{1} << k;
        if (without(wave, k).allows(outcome) != verdict) made.necessary[wave] |= std::uint64_t{1} << k;
      }
    }
    return made;
  }

 private:
  /// Whether every load and every returning atomic has returned its expected value.
  struct has_values {
    rules::litmus_walk const& walk;
    COALESCE_API constexpr explicit has_values(rules::litmus_walk const& of) : walk(of) {}
    COALESCE_API constexpr bool operator()(rules::litmus_state const& state) const { return walk.has_values(state); }
  };
  /// Writes each access and cache operation that is done into the verdict's trace.
  struct recorder {
    rules::litmus_model const& model;
    litmus_verdict& made;
    COALESCE_API constexpr void operator()(unsigned wave, rules::litmus_step const& step, std::uint64_t before,
                                           std::uint64_t after) const {
      made.events[made.size++] = rules::event_of(model, wave, step, before, after);
    }
  };

  /// Whether the verdict on an outcome could rest on an axiom. It cannot if
  /// - the axiom is off,
  /// - the axiom is stores_are_done_eventually, which forbids no value,
  /// - the axiom is about atomics, and the test has no atomics,
  /// - the axiom is about NC lines, and no instruction accesses an NC line. (A line that nobody accesses is never
  /// dirty.)
  COALESCE_API constexpr bool matters(axiom what) const {
    if ((said_.axioms >> static_cast<unsigned>(what) & 1) == 0 || what == axiom::stores_are_done_eventually)
      return false;
    if (what != axiom::device_atomics_past_several_l2s && what != axiom::invalidate_writes_dirty_lines_back)
      return true;
    for (unsigned wave = 0; wave != said_.count; ++wave)
      for (unsigned k = 0; k != said_.waves[wave].size; ++k) {
        litmus_instruction const& made = said_.waves[wave].program[k];
        if (!is_access(made.kind)) continue;
        litmus_memory const& memory = said_.memories[made.location];
        bool const atomics = what == axiom::device_atomics_past_several_l2s;
        if (atomics ? made.kind == litmus_kind::atomic
                    : dropped_by_buffer_inv(said_.waves[wave].agent == memory.agent ? memory.local : memory.remote))
          return true;
      }
    return false;
  }

  /// Repeats the moves that lead to state `end`, and records their events.
  COALESCE_API constexpr void follow(rules::litmus_model const& model, rules::litmus_walk const& walk,
                                     rules::litmus_states const& states, unsigned end, litmus_verdict& made) const {
    // An access may take two moves: its issue and its completion.
    rules::litmus_move moves[litmus_verdict::most_events + 4 * litmus_wave::most_accesses] = {};
    unsigned count = 0;
    for (unsigned k = end; k != 0; k = states[k].parent) moves[count++] = states[k].move;
    recorder const note{model, made};
    rules::litmus_state state = walk.first();
    static_cast<void>(walk.settle(state, note));
    while (count-- != 0) {
      static_cast<void>(walk.move(state, moves[count], note));
      static_cast<void>(walk.settle(state, note));
    }
  }

  COALESCE_API static constexpr bool writes(litmus_wave const& wave, unsigned location) {
    for (unsigned k = 0; k != wave.size; ++k)
      if (wave.program[k].location == location &&
          (wave.program[k].kind == litmus_kind::store || wave.program[k].kind == litmus_kind::atomic))
        return true;
    return false;
  }

  COALESCE_API constexpr litmus_wave with_fences_spelt_out(litmus_wave const& wave) const {
    litmus_wave made{.agent = wave.agent, .xcd = wave.xcd, .compute_unit = wave.compute_unit};
    for (unsigned k = 0; k != wave.size; ++k) {
      litmus_instruction const& what = wave.program[k];
      if (what.kind == litmus_kind::fence)
        made = made.sequence(synchronize({.order = what.order, .scope = decode(what.bits).scope}, said_.where));
      else
        made = made.with(what);
    }
    return made;
  }

  rules::litmus_setting said_;
};

/// Makes a litmus test of one to four waves. Refused: an environment without an L2 cache, and a wave on an XCD that its
/// agent does not have.
template <std::same_as<litmus_wave>... Waves>
[[nodiscard]] COALESCE_API constexpr litmus_test litmus(environment const& where, Waves const&... waves) {
  static_assert(sizeof...(Waves) >= 1 && sizeof...(Waves) <= 4,
                "cdna litmus(environment, waves...): one to four waves");
  rules::litmus_setting said;
  said.where = where;
  said.count = sizeof...(Waves);
  unsigned k = 0;
  ((said.waves[k++] = waves), ...);
  return litmus_test(said);
}

}  // namespace coalescing::cdna
