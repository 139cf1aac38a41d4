// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

// The oracle of cdna/litmus.hpp: caches with lines. A line is absent or holds a value; it may be filled, evicted and
// written back at any time. A fill of L1 takes two steps: L2 answers, and the line arrives later. Any wave of the unit
// may have requested it. Fills of L2 arrive late only without their axiom: then one with the old value is always on its
// way, which may serve an access, or take the place of a line that is not dirty. The explorer tries every order of all
// steps, without merging any steps, and collects the values that the loads return. It is slow, and for run time only.
// It shares the tables of cdna/caches.hpp and cdna/maintenance.hpp with the library.

namespace coalescing_tests {

namespace cdna = coalescing::cdna;

class line_explorer {
 public:
  enum class fills { take_time, are_at_once };

  explicit line_explorer(cdna::rules::litmus_setting const& said, fills how = fills::take_time)
      : said_(said), fills_(how) {
    for (unsigned w = 0; w != said.count; ++w) {
      auto const& wave = said.waves[w];
      unit_[w] = xcd_[w] = w;
      for (unsigned other = 0; other != w; ++other) {
        auto const& older = said.waves[other];
        bool const one_xcd = older.agent == wave.agent && older.xcd == wave.xcd;
        if (one_xcd && xcd_[w] == w) xcd_[w] = xcd_[other];
        if (one_xcd && older.compute_unit == wave.compute_unit && unit_[w] == w) unit_[w] = unit_[other];
      }
      unsigned operations = 0;
      for (unsigned k = 0; k != wave.size; ++k) {
        auto const& what = wave.program[k];
        number_[w][k] = operations;
        if (counts(what)) instruction_[w].push_back(k), ++operations;
        if (gives_value(what)) value_number_[w][k] = values_++;
        // Only lines that some access can hit need be modelled.
        if (what.kind == cdna::litmus_kind::load && hits_l1(what)) l1_used_[unit_[w]][what.location] = true;
        if (is_access(what) && (!past_l2(w, what) || line_serves(w, what.location)))
          l2_used_[xcd_[w]][what.location] = true;
      }
      if (operations > 15) throw std::length_error("the explorer takes 15 operations a wave");
    }
  }

  /// Every possible outcome, its values as bits.
  std::set<std::uint32_t> outcomes() {
    explore();
    return found_;
  }
  /// Whether a reader that polls this location may never see the new value: bit k answers for scope number k. All waves
  /// are done then, and nothing is filled or evicted any more. The reader may run on the unit of any wave that wrote
  /// the location; it reads the old value from the caches there, or from the home memory if it bypasses them.
  unsigned may_be_missed(unsigned location) {
    for (unsigned w = 0; w != said_.count; ++w) l1_used_[unit_[w]][location] = l2_used_[xcd_[w]][location] = true;
    for (unsigned k = 0; k != 4; ++k)
      polls_.push_back(
          {.kind = cdna::litmus_kind::load, .location = location, .bits = cdna::encode(static_cast<cdna::scope>(k))});
    explore();
    return missed_;
  }
  std::size_t states() const { return size_; }

 private:
  static constexpr unsigned most_queued = 10;
  static constexpr unsigned absent = 0, old_line = 1, new_line = 2, dirty_line = 3;

  struct state {
    std::uint64_t lines = 0;  // two bits per line: the L1s, then the L2s
    std::uint64_t rest = 0;   // values in home memory, positions of the waves, values loaded
    std::uint64_t queue = 0;  // operations issued and not yet performed, oldest first: 6 bits each
    std::uint64_t fills = 0;  // fills on their way to an L1, two bits per line; bit v: a fill that brings value v

    bool operator==(state const& b) const = default;
    /// A free place in the table: no state of the caches has all bits set.
    bool is_nothing() const { return lines == ~std::uint64_t{0}; }
    std::size_t hash() const {
      std::uint64_t const mixed = lines * 0x9e37'79b9'7f4a'7c15 ^ rest * 0xbf58'476d'1ce4'e5b9 ^
                                  queue * 0x94d0'49bb'1331'11eb ^ fills * 0xd6e8'feb8'6659'fd93;
      return static_cast<std::size_t>((mixed ^ mixed >> 31) * 0x9e37'79b9'7f4a'7c15 >> 20);
    }

    unsigned l1(unsigned unit, unsigned l) const { return lines >> (8 * unit + 2 * l) & 3; }
    unsigned l2(unsigned xcd, unsigned l) const { return lines >> (32 + 8 * xcd + 2 * l) & 3; }
    void set_l1(unsigned unit, unsigned l, unsigned to) { put(lines, 8 * unit + 2 * l, 3, to); }
    void set_l2(unsigned xcd, unsigned l, unsigned to) { put(lines, 32 + 8 * xcd + 2 * l, 3, to); }
    unsigned fills_of(unsigned unit, unsigned l) const { return fills >> (8 * unit + 2 * l) & 3; }
    void set_fills(unsigned unit, unsigned l, unsigned to) { put(fills, 8 * unit + 2 * l, 3, to); }
    unsigned home(unsigned l) const { return rest >> l & 1; }
    void set_home(unsigned l) { rest |= std::uint64_t{1} << l; }
    unsigned at(unsigned wave) const { return rest >> (4 + 6 * wave) & 63; }
    void go_on(unsigned wave) { rest += std::uint64_t{1} << (4 + 6 * wave); }
    void give(unsigned number, unsigned value) { rest |= static_cast<std::uint64_t>(value) << (28 + number); }
    std::uint32_t values() const { return static_cast<std::uint32_t>(rest >> 28); }
    unsigned entry(unsigned k) const { return queue >> 6 * k & 63; }  // 0: no entry
    void remove(unsigned k) {
      std::uint64_t const low = (std::uint64_t{1} << 6 * k) - 1;
      queue = (queue & low) | (queue >> 6 & ~low);
    }
    static void put(std::uint64_t& where, unsigned bit, std::uint64_t mask, std::uint64_t to) {
      where = (where & ~(mask << bit)) | to << bit;
    }
  };
  void explore() {
    state start;
    for (unsigned k = 0; k != 4; ++k)
      for (unsigned l = 0; l != 4; ++l) {
        if (l1_used_[k][l]) start.set_l1(k, l, old_line);
        // Where accesses may be out of order, each line may start with one more fill in flight: this adds no outcome
        // that could not occur later, and saves states.
        if (l1_used_[k][l] && !in_order() && fills_ == fills::take_time) start.set_fills(k, l, 1);
        if (l2_used_[k][l]) start.set_l2(k, l, old_line);
      }
    keep(start);
    while (!waiting_.empty()) {
      state const now = waiting_.back();
      waiting_.pop_back();
      from(now);
      for (state const& next : reached_) keep(next);
      reached_.clear();
    }
  }
  bool assumes(cdna::axiom what) const { return (said_.axioms >> static_cast<unsigned>(what) & 1) != 0; }
  bool in_order() const { return assumes(cdna::axiom::one_unit_and_location_in_order); }
  static bool is_access(cdna::litmus_instruction const& what) {
    return what.kind == cdna::litmus_kind::load || what.kind == cdna::litmus_kind::store ||
           what.kind == cdna::litmus_kind::atomic;
  }
  static bool counts(cdna::litmus_instruction const& what) {
    return is_access(what) || what.kind == cdna::litmus_kind::write_back;
  }
  static bool gives_value(cdna::litmus_instruction const& what) {
    return what.kind == cdna::litmus_kind::load || (what.kind == cdna::litmus_kind::atomic && what.bits.sc0);
  }
  bool hits_l1(cdna::litmus_instruction const& what) const {
    return cdna::may_hit(cdna::caches_of_load(what.bits, said_.where).cu);
  }
  bool local(unsigned wave, unsigned l) const { return said_.memories[l].agent == said_.waves[wave].agent; }
  cdna::memory_type type(unsigned wave, unsigned l) const {
    return local(wave, l) ? said_.memories[l].local : said_.memories[l].remote;
  }
  bool past_l2(unsigned wave, cdna::litmus_instruction const& what) const {
    if (type(wave, what.location) == cdna::memory_type::uc) return true;
    switch (what.kind) {
      case cdna::litmus_kind::load:
        return cdna::caches_of_load(what.bits, said_.where).l2 == cdna::cache_op::coherent_bypass;
      case cdna::litmus_kind::store:
        return cdna::caches_of_store(what.bits, said_.where).l2 == cdna::cache_op::coherent_bypass;
      default:
        return what.bits.sc1 || (said_.where.l2_caches > 1 && assumes(cdna::axiom::device_atomics_past_several_l2s));
    }
  }

  /// Notes a state that a step leads to. The processor fetches its place in the table meanwhile.
  void meet(state const& s) {
    reached_.push_back(s);
    __builtin_prefetch(&met_[s.hash() & (met_.size() - 1)]);
  }
  /// Puts a new state on the list. The set of states met is a hash table, at most half full, with linear probing.
  void keep(state const& s) {
    if (2 * size_ >= met_.size()) {
      std::vector<state> const fewer = std::move(met_);
      met_.assign(fewer.empty() ? 1024 : 4 * fewer.size(), {.lines = ~std::uint64_t{0}});
      for (auto const& each : fewer)
        if (!each.is_nothing()) *find(each) = each;
    }
    state* const slot = find(s);
    if (*slot == s) return;
    *slot = s;
    ++size_;
    waiting_.push_back(s);
  }
  state* find(state const& s) {
    std::size_t slot = s.hash() & (met_.size() - 1);
    while (!met_[slot].is_nothing() && !(met_[slot] == s)) slot = (slot + 1) & (met_.size() - 1);
    return &met_[slot];
  }

  void new_value_at_home(state& s, unsigned xcd, unsigned l) const {
    s.set_home(l);
    for (unsigned w = 0; w != said_.count; ++w) {
      auto const where = local(w, l) ? cdna::home::local : cdna::home::remote;
      if (xcd_[w] != xcd && assumes(cdna::axiom::probes_done_before_acknowledgement) &&
          cdna::kept_coherent_by_probes(type(w, l), where))
        s.set_l2(xcd_[w], l, absent);
    }
  }
  void write_back_line(state& s, unsigned xcd, unsigned l) const {
    if (s.l2(xcd, l) != dirty_line) return;
    s.set_l2(xcd, l, new_line);
    new_value_at_home(s, xcd, l);
  }
  static unsigned value_of(unsigned line) { return line == old_line ? 0 : 1; }
  bool late_fills() const { return !assumes(cdna::axiom::one_value_in_each_l2); }
  /// Whether the L2's line of a location may serve a load that bypasses L2: where probes keep the line.
  bool line_serves(unsigned wave, unsigned l) const {
    return cdna::kept_coherent_by_probes(type(wave, l), local(wave, l) ? cdna::home::local : cdna::home::remote);
  }
  /// The value that L2 gives; L2 fetches the line if it is absent.
  unsigned ask_l2(state& s, unsigned xcd, unsigned l) const {
    if (s.l2(xcd, l) == absent) s.set_l2(xcd, l, s.home(l) != 0 ? new_line : old_line);
    return value_of(s.l2(xcd, l));
  }

  bool may_perform(state const& s, unsigned k) const {
    unsigned const wave = wave_of(s.entry(k));
    auto const& what = of(s.entry(k));
    for (unsigned older = 0; older != k; ++older) {
      unsigned const other = wave_of(s.entry(older));
      if (what.kind == cdna::litmus_kind::write_back) {
        if (other == wave) return false;
      } else if (in_order() && unit_[other] == unit_[wave] && is_access(of(s.entry(older))) &&
                 of(s.entry(older)).location == what.location) {
        return false;
      }
    }
    // A fill in flight was requested before every outstanding access to its location; otherwise it would wait behind
    // them.
    return what.kind == cdna::litmus_kind::write_back || !in_order() || s.fills_of(unit_[wave], what.location) == 0;
  }
  static unsigned wave_of(unsigned entry) { return (entry - 1) / 15; }
  static unsigned number_of(unsigned entry) { return (entry - 1) % 15; }
  unsigned instruction_of(unsigned entry) const { return instruction_[wave_of(entry)][number_of(entry)]; }
  cdna::litmus_instruction const& of(unsigned entry) const {
    return said_.waves[wave_of(entry)].program[instruction_of(entry)];
  }

  /// What answers an access: the home of the location, the L2's line, or a fill of the L2 that arrives late.
  enum class answers { home, line, late_fill };

  /// Performs an operation. Without the axiom on atomics, an atomic may act in L2 or pass it, where an agent has
  /// several L2s; an L2 that it passes keeps its line.
  void perform(state const& s, unsigned k) {
    auto const& what = of(s.entry(k));
    if (what.kind == cdna::litmus_kind::write_back) return perform(s, k, false, answers::line);
    bool const past = past_l2(wave_of(s.entry(k)), what);
    bool const free = what.kind == cdna::litmus_kind::atomic && !assumes(cdna::axiom::device_atomics_past_several_l2s);
    with_each_answer(s, k, past);
    if (free && !past && said_.where.l2_caches > 1) with_each_answer(s, k, true);
  }
  void with_each_answer(state const& s, unsigned k, bool past) {
    auto const& what = of(s.entry(k));
    unsigned const w = wave_of(s.entry(k)), line = s.l2(xcd_[w], what.location);
    bool const cached = type(w, what.location) != cdna::memory_type::uc;
    if (!past) {
      perform(s, k, past, answers::line);
      if (late_fills()) perform(s, k, past, answers::late_fill);
      return;
    }
    bool const loads = what.kind == cdna::litmus_kind::load;
    if (line != dirty_line || late_fills()) perform(s, k, past, answers::home);
    if (line == dirty_line || (loads && line != absent && line_serves(w, what.location)))
      perform(s, k, past, answers::line);
    if (loads && cached && late_fills() && line_serves(w, what.location)) perform(s, k, past, answers::late_fill);
  }
  void perform(state s, unsigned k, bool past, answers from) {
    unsigned const entry = s.entry(k), w = wave_of(entry), unit = unit_[w], xcd = xcd_[w];
    auto const& what = of(entry);
    unsigned const l = what.location;
    bool const atomic = what.kind == cdna::litmus_kind::atomic;
    s.remove(k);
    unsigned value = 0;
    switch (what.kind) {
      case cdna::litmus_kind::load:
        if (hits_l1(what) && s.l1(unit, l) != absent) {
          value = value_of(s.l1(unit, l));
        } else {
          value = from == answers::home        ? s.home(l)
                  : from == answers::late_fill ? 0
                  : past                       ? value_of(s.l2(xcd, l))
                                               : ask_l2(s, xcd, l);
          s.set_l1(unit, l, hits_l1(what) ? (value != 0 ? new_line : old_line) : absent);
        }
        break;
      case cdna::litmus_kind::store:
      case cdna::litmus_kind::atomic:
        s.set_l1(unit, l, absent);
        if (past) {
          if (from == answers::home) value = s.home(l);
          write_back_line(s, xcd, l);
          if (from == answers::line) value = s.home(l);
          bool const leaves_old = late_fills() || (atomic && !assumes(cdna::axiom::device_atomics_past_several_l2s));
          if (!leaves_old) s.set_l2(xcd, l, absent);
          new_value_at_home(s, xcd, l);
        } else {
          value = from == answers::late_fill ? 0 : ask_l2(s, xcd, l);
          s.set_l2(xcd, l, dirty_line);
        }
        break;
      default:
        if (writes_back(what.bits))
          for (unsigned each = 0; each != 4; ++each) write_back_line(s, xcd, each);
    }
    if (gives_value(what)) s.give(value_number_[w][instruction_of(entry)], value);
    meet(s);
  }

  bool writes_back(cdna::bits said) const { return said.sc1 && (said.sc0 || said_.where.l2_caches > 1); }

  void invalidate(state s, unsigned w, cdna::bits said) {
    bool const l2 = said.sc1 && (said.sc0 || said_.where.l2_caches > 1);
    bool const l1 = said.sc1 || (said.sc0 && said_.where.tg_split);
    // Bit l of `lost`: the dirty line of location l is lost.
    unsigned const choices = l2 && !assumes(cdna::axiom::invalidate_writes_dirty_lines_back) ? 16 : 1;
    for (unsigned lost = 0; lost != choices; ++lost) {
      state then = s;
      for (unsigned l = 0; l != 4 && l2; ++l) {
        if (type(w, l) != cdna::memory_type::nc) continue;
        if ((lost >> l & 1) == 0) write_back_line(then, xcd_[w], l);
        then.set_l2(xcd_[w], l, absent);
      }
      // Without the axiom, to be cautious, L1 keeps its lines: any of them may be there again.
      for (unsigned l = 0; l != 4 && l1 && assumes(cdna::axiom::invalidate_ends_fills_in_flight); ++l) {
        then.set_l1(unit_[w], l, absent);
        then.set_fills(unit_[w], l, 0);
      }
      then.go_on(w);
      meet(then);
    }
  }

  void from(state const& s) {
    bool over = s.queue == 0;
    unsigned queued = 0;
    while (queued != most_queued && s.entry(queued) != 0) ++queued;
    for (unsigned w = 0; w != said_.count; ++w) {
      if (s.at(w) == said_.waves[w].size) continue;
      over = false;
      auto const& what = said_.waves[w].program[s.at(w)];
      unsigned const number = number_[w][s.at(w)];
      if (what.kind == cdna::litmus_kind::invalidate) {
        invalidate(s, w, what.bits);
      } else if (what.kind == cdna::litmus_kind::wait) {
        bool done = true;
        for (unsigned k = 0; k != queued; ++k)
          if (wave_of(s.entry(k)) == w && number_of(s.entry(k)) + what.counters.vmcnt < number) done = false;
        if (!done) continue;
        state then = s;
        then.go_on(w);
        meet(then);
      } else {
        if (queued == most_queued) throw std::length_error("the explorer takes 10 operations at a time");
        state then = s;
        then.queue |= std::uint64_t{1 + 15 * w + number} << 6 * queued;
        then.go_on(w);
        meet(then);
      }
    }
    if (over) {
      found_.insert(s.values());
      for (unsigned k = 0; k != polls_.size(); ++k)
        if (polls_in_vain(polls_[k], s)) missed_ |= 1u << k;
    }
    for (unsigned k = 0; k != queued; ++k)
      if (may_perform(s, k)) perform(s, k);
    for (unsigned w = 0; w != said_.count; ++w)
      for (unsigned l = 0; l != 4; ++l) come_and_go(s, w, l, queued);
  }

  bool polls_in_vain(cdna::litmus_instruction const& poll, state const& s) const {
    unsigned const l = poll.location;
    for (unsigned w = 0; w != said_.count; ++w) {
      bool writes = false;
      for (auto const& what : said_.waves[w].program)
        writes = writes || (is_access(what) && what.kind != cdna::litmus_kind::load && what.location == l);
      if (!writes) continue;
      unsigned const in_l1 = hits_l1(poll) ? s.l1(unit_[w], l) : absent;
      unsigned const line = s.l2(xcd_[w], l), in_l2 = past_l2(w, poll) ? absent : line;
      if (past_l2(w, poll) && line == old_line && line_serves(w, l)) return true;
      if ((in_l1 != absent ? value_of(in_l1) : in_l2 != absent ? value_of(in_l2) : s.home(l)) == 0) return true;
    }
    return false;
  }

  /// Fills and evictions that no instruction of the test causes.
  void come_and_go(state const& s, unsigned w, unsigned l, unsigned queued) {
    unsigned const unit = unit_[w], xcd = xcd_[w];
    if (l2_used_[xcd][l] && xcd == w) {  // once per L2
      state then = s;
      if (s.l2(xcd, l) == absent) {
        ask_l2(then, xcd, l);
      } else {
        write_back_line(then, xcd, l);
        then.set_l2(xcd, l, absent);
      }
      meet(then);
      if (late_fills() && s.l2(xcd, l) != dirty_line) {
        then = s;
        then.set_l2(xcd, l, old_line);
        meet(then);
      }
    }
    if (!l1_used_[unit][l] || unit != w) return;
    // A requested line arrives, whatever has happened since. Out of order, an equal line may arrive again.
    for (unsigned value = 0; value != 2; ++value) {
      if ((s.fills_of(unit, l) >> value & 1) == 0) continue;
      state then = s;
      then.set_l1(unit, l, value != 0 ? new_line : old_line);
      if (in_order()) then.set_fills(unit, l, 0);
      meet(then);
    }
    state then = s;
    if (s.l1(unit, l) != absent) {
      then.set_l1(unit, l, absent);
      return meet(then);
    }
    // Another wave's load requests the line: in order, behind every access that the unit has issued to that location.
    if (in_order() && s.fills_of(unit, l) != 0) return;
    for (unsigned k = 0; k != queued; ++k)
      if (in_order() && unit_[wave_of(s.entry(k))] == unit && is_access(of(s.entry(k))) && of(s.entry(k)).location == l)
        return;
    bool const cached = type(w, l) != cdna::memory_type::uc;
    unsigned const value = cached ? ask_l2(then, xcd, l) : s.home(l);
    auto const brings = [&](state next, unsigned brought) {
      if (fills_ == fills::are_at_once)
        next.set_l1(unit, l, brought != 0 ? new_line : old_line);
      else
        next.set_fills(unit, l, s.fills_of(unit, l) | 1u << brought);
      meet(next);
    };
    brings(then, value);
    if (cached && late_fills() && value != 0) brings(s, 0);
  }

  cdna::rules::litmus_setting const& said_;
  fills fills_;
  unsigned unit_[4] = {}, xcd_[4] = {};
  unsigned number_[4][64] = {}, value_number_[4][64] = {};
  std::vector<unsigned> instruction_[4];
  unsigned values_ = 0;
  bool l1_used_[4][4] = {}, l2_used_[4][4] = {};
  std::vector<state> met_;
  std::size_t size_ = 0;
  std::vector<state> waiting_, reached_;
  std::set<std::uint32_t> found_;
  std::vector<cdna::litmus_instruction> polls_;  // what readers may poll with
  unsigned missed_ = 0;                          // bit k: poll k may never see the new value
};

/// The fill model that suffices for a test. With accesses in order, fills in flight add states but no outcome
/// (tests/cdna/litmus.cpp compares both).
inline line_explorer::fills enough(cdna::litmus_test const& test) {
  auto const order = static_cast<unsigned>(cdna::axiom::one_unit_and_location_in_order);
  return (test.setting().axioms >> order & 1) != 0 ? line_explorer::fills::are_at_once
                                                   : line_explorer::fills::take_time;
}

}  // namespace coalescing_tests
