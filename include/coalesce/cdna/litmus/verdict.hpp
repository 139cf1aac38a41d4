// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/model.hpp>

#include <cstdint>

// The answers of a litmus test: verdict, trace and axioms, as data and as text.

namespace coalescing::cdna {

/// A text that can hold a trace of about 250 lines. A longer trace is refused; litmus_verdict::events still has its
/// events.
using litmus_text = coalescing::text<16383>;

/// The first sentence of every verdict's text.
inline constexpr char const* what_litmus_proves =
    "A model was asked, not silicon: allowed is a warning with a way to get there, and forbidden means that the model "
    "has no way under the axioms below, never that hardware has none.";

/// A sentence that states the axiom and starts with its name.
[[nodiscard]] COALESCE_API constexpr char const* sentence_of(axiom what) {
  constexpr char const* sentences[axiom_count] = {
      "one_unit_and_location_in_order: what one compute unit does to one location is done in the order of issue",
      "probes_done_before_acknowledgement: a write past L2 is done once no other L2 can return the old RW or CC line",
      "invalidate_ends_fills_in_flight: no line that L1 had asked for before buffer_inv arrives after it",
      "invalidate_writes_dirty_lines_back: a dirty NC line that buffer_inv drops from L2 is written back first",
      "device_atomics_past_several_l2s: if the agent has several L2s its atomics pass them and leave nothing stale",
      "one_value_in_each_l2: no fill is late, a write past it leaves no old line, a load past it finds its dirty line",
      "stores_are_done_eventually: a store is done some time, whether or not something waits for it"};
  coalescing::detail::check_enumerator(what);
  return sentences[static_cast<unsigned>(what)];
}

/// One event of a trace. The event is that an access or a cache operation is done.
struct litmus_event {
  unsigned char wave = 0;
  /// The instruction's number in its wave, from 0, after each fence is replaced by its instructions.
  unsigned char instruction = 0;
  litmus_kind kind = litmus_kind::load;
  unsigned char location = 0;
  bool reads = false;  ///< the instruction returns a value: it is a load, or an atomic that returns one
  bool value = false;  ///< the value that the instruction returns
  enum class place : unsigned char { l1, l2, home } at = place::home;
  bool stale = false;    ///< the instruction reads the old value although the new one is at home
  bool evicted = false;  ///< another L2 evicted its dirty line just before: that brought the new value home
  bool drops_l1 = false, drops_l2 = false;
  unsigned char written_back = 0;  ///< bit k: the cache operation writes location k back
  unsigned char lost = 0;          ///< bit k: the cache operation loses location k's dirty line

  bool operator==(litmus_event const&) const = default;
};

namespace rules {

/// Derives the event of a step from the memory before and after the step.
COALESCE_API constexpr litmus_event event_of(litmus_model const& model, unsigned wave, litmus_step const& step,
                                             std::uint64_t before, std::uint64_t after) {
  litmus_event made;
  made.wave = static_cast<unsigned char>(wave);
  made.instruction = static_cast<unsigned char>(step.instruction);
  made.kind = step.kind;
  made.location = static_cast<unsigned char>(step.location);
  made.reads = step.reads, made.value = step.value;
  if (step.kind == litmus_kind::invalidate) made.drops_l1 = step.acts_on_l1, made.drops_l2 = step.acts_on_l2;
  bool const access = is_access(step.kind);
  for (unsigned k = 0; k != litmus_wave::most_locations && !access; ++k) {
    if ((after & ~before & model.places[k].home) != 0) made.written_back |= static_cast<unsigned char>(1u << k);
    if ((before & ~after & step.dirty & model.places[k].any_dirty) != 0 && (after & model.places[k].home) == 0)
      made.lost |= static_cast<unsigned char>(1u << k);
  }
  if (!access) return made;
  litmus_place const& place = model.places[step.location];
  bool const home = (before & place.home) != 0;
  made.stale = step.reads && !step.value && home;
  // Whether only L1 still has the new value: L2 has lost it.
  bool const only_l1 = step.reads && step.value && (after & (place.home | step.dirty)) == 0;
  // Whether a line of L2 served a load that should bypass L2: a dirty line, or a stale line that probes should have
  // dropped.
  bool const by_line =
      step.past_l2 && step.kind == litmus_kind::load && (step.value ? !home && (before & step.dirty) != 0 : made.stale);
  made.at = step.past_l2 && !by_line                                       ? litmus_event::place::home
            : only_l1                                                      ? litmus_event::place::l1
            : made.stale && step.may_hit_l1 && (before & step.l1_old) != 0 ? litmus_event::place::l1
                                                                           : litmus_event::place::l2;
  made.evicted = step.reads && step.value && !home && !only_l1 && (before & step.dirty) == 0;
  return made;
}

/// Appends the location's name, or "location k" if it has no name.
COALESCE_API constexpr void append_location(litmus_text& words, char const* const (&names)[litmus_wave::most_locations],
                                            unsigned location) {
  if (names[location] != nullptr) return words.append(names[location]);
  words.append("location "), words.append(location);
}
COALESCE_API constexpr void append_locations(litmus_text& words,
                                             char const* const (&names)[litmus_wave::most_locations], unsigned which) {
  char const* before = " ";
  for (unsigned k = 0; k != litmus_wave::most_locations; ++k)
    if ((which >> k & 1) != 0) words.append(before), append_location(words, names, k), before = ", ";
}

/// Appends an event as a line: "wave 1 reads data = 0 from its L1, filled before".
COALESCE_API constexpr void append_event(litmus_text& words, char const* const (&names)[litmus_wave::most_locations],
                                         litmus_event const& what) {
  words.append("wave "), words.append(what.wave);
  if (what.kind == litmus_kind::write_back) {
    words.append(what.written_back != 0 ? " writes back" : " writes nothing back");
    append_locations(words, names, what.written_back);
  } else if (what.kind == litmus_kind::invalidate) {
    words.append(what.drops_l2   ? " invalidates its L1, and its L2's NC lines"
                 : what.drops_l1 ? " invalidates its L1"
                                 : " invalidates nothing");
    if (what.written_back != 0) words.append(", writing back"), append_locations(words, names, what.written_back);
    if (what.lost != 0) words.append(", losing"), append_locations(words, names, what.lost);
  } else {
    words.append(what.kind == litmus_kind::store  ? " writes "
                 : what.kind == litmus_kind::load ? " reads "
                                                  : " exchanges ");
    append_location(words, names, what.location);
    words.append(what.kind == litmus_kind::store ? " = 1" : what.reads ? (what.value ? " = 1" : " = 0") : "");
    if (what.kind == litmus_kind::atomic) words.append(" for 1");
    char const* const in = what.kind == litmus_kind::load ? " from its L2" : " in its L2";
    words.append(what.at == litmus_event::place::home ? " at its home"
                 : what.at == litmus_event::place::l1 ? " from its L1"
                                                      : in);
    if (what.stale) words.append(", filled before");
    if (what.evicted) words.append(", another L2 having evicted it");
  }
}

/// Appends an instruction in assembler syntax, followed by its location.
COALESCE_API constexpr void append_instruction(litmus_text& words,
                                               char const* const (&names)[litmus_wave::most_locations],
                                               litmus_instruction const& what) {
  if (what.kind == litmus_kind::wait) {
    auto const waits = what.counters.text();  // a variable, since CUDA 12 cannot use the characters of a temporary
    return words.append(waits.characters);
  }
  constexpr char const* spelt[] = {"global_load", "global_store", "global_atomic", "buffer_wbl2", "buffer_inv"};
  words.append(spelt[static_cast<unsigned>(what.kind)]);
  append_bits(words, what.bits);
  if (is_access(what.kind)) words.append(", "), append_location(words, names, what.location);
}

}  // namespace rules

/// The answer of litmus_test::judge(...).
struct litmus_verdict {
  static constexpr unsigned most_events = 4 * litmus_wave::most_instructions;

  bool allowed = false;
  unsigned states = 0;        ///< how many states the search reached
  unsigned assumed = 0;       ///< the axioms in force: bit k is axiom k
  unsigned load_bearing = 0;  ///< of a forbidden outcome: bit k is set if the outcome is allowed without axiom k
  /// For an allowed outcome: a shortest trace. Its length counts only the steps that the search could delay (walk.hpp).
  litmus_event events[most_events] = {};
  unsigned size = 0;
  char const* names[litmus_wave::most_locations] = {};

  /// The trace to an allowed outcome, one line for each event. Empty if the outcome is forbidden.
  [[nodiscard]] COALESCE_API constexpr litmus_text trace() const {
    litmus_text lines;
    append_trace(lines);
    return lines;
  }
  /// Lists the axioms in force, one on a line. A star marks each axiom without which a forbidden outcome would be
  /// allowed.
  [[nodiscard]] COALESCE_API constexpr litmus_text axioms() const {
    litmus_text lines;
    append_axioms(lines);
    return lines;
  }
  /// The whole answer: what a verdict proves, the verdict, the trace of an allowed outcome, and the axioms.
  [[nodiscard]] COALESCE_API constexpr litmus_text text() const {
    litmus_text lines;
    lines.append(what_litmus_proves);
    lines.append(allowed ? "\nallowed:\n" : "\nforbidden");
    append_trace(lines);
    lines.append(load_bearing != 0 ? "\nassumed (* without it: allowed):\n" : "\nassumed:\n");
    append_axioms(lines);
    return lines;
  }

 private:
  COALESCE_API constexpr void append_trace(litmus_text& lines) const {
    for (unsigned k = 0; k != size; ++k) {
      if (k != 0) lines.append("\n");
      rules::append_event(lines, names, events[k]);
    }
  }
  COALESCE_API constexpr void append_axioms(litmus_text& lines) const {
    char const* before = "";
    for (unsigned k = 0; k != axiom_count; ++k) {
      if ((assumed >> k & 1) == 0) continue;
      lines.append(before), lines.append((load_bearing >> k & 1) != 0 ? "* " : "  ");
      lines.append(sentence_of(static_cast<axiom>(k)));
      before = "\n";
    }
  }
};

/// The answer of litmus_test::necessary(...): which waits and cache operations of each wave are necessary.
struct litmus_necessity {
  std::uint64_t asked[4] = {};      ///< bit k: instruction k is a wait or a cache operation
  std::uint64_t necessary[4] = {};  ///< bit k: removing instruction k alone changes the verdict
  unsigned count = 0;               ///< the test's waves
  unsigned sizes[4] = {};           ///< the instructions of each wave

  /// Whether an instruction is necessary. Refused: a wave or an instruction that the test does not have.
  [[nodiscard]] COALESCE_API constexpr bool is_necessary(unsigned wave, unsigned instruction) const {
    if (wave >= count) refused::litmus_test_has_no_such_wave(wave);
    if (instruction >= sizes[wave]) refused::litmus_wave_has_no_such_instruction(instruction);
    return (necessary[wave] >> instruction & 1) != 0;
  }
  [[nodiscard]] COALESCE_API constexpr bool all() const {
    return asked[0] == necessary[0] && asked[1] == necessary[1] && asked[2] == necessary[2] && asked[3] == necessary[3];
  }
  bool operator==(litmus_necessity const&) const = default;
};

}  // namespace coalescing::cdna
