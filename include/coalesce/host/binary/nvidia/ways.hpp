// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/calls.hpp>
#include <coalesce/host/binary/nvidia/control.hpp>
#include <coalesce/host/binary/nvidia/instructions.hpp>
#include <coalesce/host/binary/ways.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A branch that depends on unknown data has two ways. These are NVIDIA's rules for following both (binary/ways.hpp).
// Each way has the lanes that may take it. Lanes that take different ways run apart until a BSYNC or a WARPSYNC brings
// them together, so their ways meet there. If the predicate is uniform, the warp takes one of the ways as a whole, and
// the ways may meet anywhere.

namespace coalescing::sass {

class way_runner {
 public:
  /// What is known of the warp on one way at some instruction, and the lanes that may come there on this way.
  struct state {
    warp w;
    std::uint32_t lanes = 0;
    bool parted = false;  ///< whether single lanes, and not the warp as a whole, have taken different ways
    /// The branches where lanes parted that have not come together since, and what they were at the last BSSY of each
    /// convergence barrier. (After the BSYNC of that barrier, its lanes are as they were at the BSSY.)
    std::set<std::size_t> apart = {};
    std::array<std::set<std::size_t>, 16> apart_before = {};
  };

  way_runner(program const& code, register_runner const& registers, memory_runner& memory, held_accesses& reports,
             std::vector<opcode_row const*> const& rows, instruction_runner const& instructions,
             binary::text_graph const& graph, std::set<std::size_t>& loops)
      : code_(code),
        registers_(registers),
        memory_(memory),
        reports_(reports),
        rows_(rows),
        instructions_(instructions),
        graph_(graph),
        loops_(loops) {}

  [[nodiscard]] bool is_loop(std::size_t at) const { return loops_.count(at) != 0; }

  /// Follows the ways that begin at the instruction `index`, to the place where they meet. The instruction is a branch
  /// that depends on unknown data, or the first one of a loop that only unknown data can end. `group` is the mask of
  /// lanes that execute it, `view` says which writes the warp sees, and `why` is what the branch depends on.
  void pass(warp& w, std::size_t index, std::uint32_t group, place const& block, warp_view const& view, cause why) {
    rules follow(*this, block, view, why);
    auto met = binary::follow_ways(follow, graph_, loops_, reports_, index, [&] {
      state start{w, group};
      start.w.is_way = true;
      std::vector<binary::way<state>> parted;
      if (is_loop(index))
        parted.emplace_back(index, std::move(start));
      else
        follow.step(index, std::move(start), parted);
      return parted;
    });
    std::uint32_t there = 0;
    if (met) w = std::move(met->second.w), w.is_way = false, there = met->second.lanes;
    w.uncertain |= follow.ended & there;
    each_lane(group, [&](unsigned lane) {
      if ((there >> lane & 1) != 0)
        w.lanes[lane].counter = met->first;
      else
        w.lanes[lane].has_exited = true;
    });
  }

 private:
  struct rules : binary::traces_of_ways {
    using state = way_runner::state;
    way_runner& of;
    place const& block;
    warp_view const& view;
    cause why;                ///< what the branch depends on
    std::uint32_t ended = 0;  ///< lanes that may have exited

    rules(way_runner& runs, place const& in, warp_view const& seen, cause on)
        : of(runs), block(in), view(seen), why(on) {}
    [[nodiscard]] bool may_meet(std::size_t at, state const& now) const {
      return !now.parted || at >= of.code_.code.size() || of.code_.code[at].base == "BSYNC" ||
             of.code_.code[at].base == "WARPSYNC";
    }
    [[nodiscard]] bool has_ended() const { return ended != 0; }
    void meets(std::size_t at, state const& a, state const& b) {
      if (!a.parted || !b.parted || at >= of.code_.code.size()) return;
      std::string const& base = of.code_.code[at].base;
      if (base != "BSYNC" && base != "EXIT")
        assumed.emplace(at, "lanes that parted run together from here on, without a BSYNC");
    }
    [[nodiscard]] std::uint64_t changes() const { return of.memory_.changes(); }
    [[nodiscard]] bool accesses(std::size_t at) const {
      return of.rows_[at]->does == action::memory || of.rows_[at]->does == action::listed;
    }
    void begin_round(std::size_t head) const { of.reports_.begin_round(head); }
    void step(std::size_t at, state&& now, std::vector<binary::way<state>>& next) {
      of.instructions_.count(now.w, at);
      instruction const& i = of.code_.code[at];
      opcode_row const& row = *of.rows_[at];
      now.w.guard = {i.guard.kind, i.guard.index, i.guard.is_inverted};
      std::uint32_t surely = 0, perhaps = 0;
      value unknown = exact(1);
      each_lane(now.lanes, [&](unsigned lane) {
        value all = now.w.predicate(i.guard, lane);
        for (operand const& o : i.operands)
          if (row.does == action::control && is_predicate(o) && i.base != "BMOV") all = all & now.w.predicate(o, lane);
        if (!all.is_known()) perhaps |= std::uint32_t{1} << lane;
        if (!all.is_known()) unknown = all;
        if (all.is_known() && all.bits != 0) surely |= std::uint32_t{1} << lane;
      });
      std::uint32_t const may = surely | perhaps;
      if (row.does == action::control && perhaps != 0)
        assumed.emplace(at, because(of.code_, unknown, "which way is taken", i));
      if (row.does == action::control) return control(at, i, std::move(now), surely, may, next);
      if (row.does == action::missing && names_places(i) && may != 0)
        return stop(at, may, "the opcode is not in the tables, and names a place of the kernel");
      if (row.does == action::barrier && may != 0) {
        // this barrier no longer orders stores, because data decides which warps of the block come to it
        has_barrier = true, of.memory_.give_up(at);
        for (value& each : now.w.reduced) each = binary::unknown(static_cast<cause>(at + 1));
      }
      of.instructions_.run(now.w, at, surely, perhaps, block, view);
      next.emplace_back(at + 1, std::move(now));
    }
    /// Runs an instruction that moves program counters. `surely` is the mask of lanes whose counters it surely moves,
    /// and `may` of all lanes whose counters it may move.
    void control(std::size_t at, instruction const& i, state&& now, std::uint32_t surely, std::uint32_t may,
                 std::vector<binary::way<state>>& next) {
      std::uint32_t const passes = now.lanes & ~surely;
      auto const go = [&](std::size_t to, std::uint32_t lanes) {
        if (lanes == 0) return;
        next.emplace_back(to, now);
        next.back().second.lanes = lanes;
      };
      bool const is_parting = passes != 0 && may != 0 && lanes_part_at(at, now, i);
      unsigned const barrier =
          !i.operands.empty() && i.operands[0].kind == operand_kind::barrier ? i.operands[0].index % 16 : 0;
      if (is_branch(i) && is_known_branch(i) && i.target != i.nowhere) {
        if (i.has("DIV")) may = 0;  // assumed: all lanes are together, so .DIV is not taken
        if (i.has("CONV")) surely = may;
        if (is_parting) now.parted = true, now.apart.insert(at);
        go(i.target, may), go(at + 1, i.has("DIV") ? now.lanes : now.lanes & ~surely);
      } else if (i.base == "EXIT") {
        ended |= may;  // the other lanes go on
        go(at + 1, passes);
      } else if (i.base == "BPT" || i.base == "KILL") {
        bool const ends = i.base == "KILL" || i.has("TRAP");  // a trap ends the whole kernel
        go(at + 1, ends ? passes : now.lanes);
      } else if (is_return(i) || is_jump_table(i)) {
        std::map<std::size_t, std::uint32_t> places;
        std::uint32_t lost = 0;
        each_lane(may, [&](unsigned lane) {
          destination const to = destination_of(of.code_, of.registers_.reader(now.w, at, lane));
          std::uint32_t const bit = std::uint32_t{1} << lane;
          if (to.place != i.nowhere) {
            places[to.place] |= bit;
          } else if (is_jump_table(i) && !to.by.is_known()) {
            for (std::size_t const each : i.targets) places[each] |= bit;
            assumed.emplace(at, because(of.code_, to.by, "which way is taken", i));
          } else {
            lost |= bit;
          }
        });
        bool const is_apart = is_jump_table(i) ? may != 0 && lanes_part_at(at, now, i) : is_parting;
        if (is_apart) now.parted = true, now.apart.insert(at);
        for (auto const& [to, lanes] : places) go(to, lanes);
        if (lost != 0)
          stop(at, lost,
               is_jump_table(i) ? "its target is none of those that the text names" : "its target is not known");
        go(at + 1, passes);
      } else if (i.base == "BSSY" || i.base == "BMOV") {
        if (i.base == "BSSY") now.apart_before[barrier] = now.apart;
        each_lane(may, [&](unsigned lane) {
          if (i.base == "BSSY")
            now.w.lanes[lane].barriers[barrier] = may;
          else
            static_cast<void>(control_runner::move_barrier(now.w, i, lane));
        });
        go(at + 1, now.lanes);
      } else if (i.base == "BSYNC" || i.base == "BREAK" || i.base == "WARPSYNC") {
        if (i.base == "BSYNC" && passes == 0) now.apart = now.apart_before[barrier];
        go(at + 1, now.lanes);
      } else {
        if (may != 0) stop(at, may, "a branch to a place in a register is not followed");
        go(at + 1, passes);
      }
    }
    /// Whether lanes may take different ways at an instruction. If they do not, and that rests on an assumption, it is
    /// noted.
    [[nodiscard]] bool lanes_part_at(std::size_t at, state const& now, instruction const& i) {
      bool assumes = false;
      bool const own = parts(now, i, assumes);
      if (!own && assumes) assumed.emplace(at, std::string("the lanes go one way together: ") + binary::no_wrap);
      return own;
    }
    /// Whether lanes may take different ways. They do not if the instruction's predicates, and the register of a jump
    /// table, have the same value in all lanes. A predicate or register has the same value in all lanes if it is
    /// uniform, if it is known and equal in them, or if it is the same unknown number in them. `assumes` becomes true
    /// if such a number rests on an assumption (identity::assumes).
    [[nodiscard]] static bool parts(state const& now, instruction const& i, bool& assumes) {
      bool own = false;
      auto const compare = [&](std::array<word, warp_lanes> const& bits) {
        word const* first = nullptr;
        each_lane(now.lanes, [&](unsigned lane) {
          if (first == nullptr) first = &bits[lane];
          bool const is_same = first->is ? first->is == bits[lane].is : first->known == ~std::uint32_t{0};
          assumes = assumes || (first->is && first->is.assumes);
          own = own || !is_same || !first->looks_like(bits[lane]);
        });
      };
      auto const take = [&](operand const& o) {
        if (o.kind == operand_kind::predicate && o.index != true_predicate) compare(now.w.predicates[o.index]);
      };
      take(i.guard);
      for (operand const& o : i.operands) take(o);
      if (is_jump_table(i) && i.operands[0].kind == operand_kind::general && i.operands[0].index < now.w.first_local) {
        warp settled = now.w;  // a predicate of data may have decided in each lane what the register holds
        settled.settle_all();
        compare(settled.general[i.operands[0].index]);
      }
      return own;
    }
    [[nodiscard]] bool lanes_part(std::size_t at, state const& now, std::vector<bool> const& loop) const {
      for (std::size_t const branch : now.apart)
        if (loop[branch]) return true;
      bool assumes = false;  // noted when the instruction ran
      return of.rows_[at]->does == action::control && parts(now, of.code_.code[at], assumes);
    }
    [[nodiscard]] static bool are_together(state const& a, state const& b) {
      return !a.parted && !b.parted && a.lanes == b.lanes;
    }
    [[nodiscard]] std::uint64_t loop_name(std::size_t head) const { return binary::name_of(++of.loops_passed_, head); }
    /// Finds a general register of a lane, for words_of_both.
    struct general_words {
      template <class State>
      static auto& of(State& s, std::size_t k, unsigned lane) {
        return s.w.general[k][lane];
      }
    };
    struct predicate_words {
      template <class State>
      static auto& of(State& s, std::size_t k, unsigned lane) {
        return s.w.predicates[k][lane];
      }
    };
    struct uniform_words {
      template <class State>
      static auto& of(State& s, std::size_t k, unsigned) {
        return s.w.uniform[k];
      }
    };
    bool join_rounds(state& to, state&& from, std::uint64_t loop,
                     std::array<std::vector<binary::growth>, 2>& grown) const {
      if ((from.lanes & ~to.lanes) != 0) {  // some lanes come late, after fewer iterations, so identities do not hold
        bool const changed = join(to, from);
        auto const lose_names = [](auto& words) {
          for (word& one : words) one.is = {};
        };
        for (auto& each : to.w.general) lose_names(each);
        for (auto& each : to.w.predicates) lose_names(each);
        lose_names(to.w.uniform), lose_names(to.w.uniform_predicates);
        return changed;
      }
      from.w.settle_all(), to.w.settle_all();
      using general = binary::words_of_both<general_words, state>;
      using uniform = binary::words_of_both<uniform_words, state>;
      bool changed = binary::join_rounds(general{to, from}, to.w.general.size(), from.lanes, loop, grown[1], why);
      if (binary::join_rounds(uniform{to, from}, to.w.uniform.size(), 1, loop + 1, grown[0], why, true)) changed = true;
      // The general and uniform registers are joined already. `from` gets the joined values, so that join() keeps them.
      for (std::size_t k = 0; k != to.w.general.size(); ++k)
        each_lane(from.lanes, [&](unsigned lane) { from.w.general[k][lane] = to.w.general[k][lane]; });
      from.w.uniform = to.w.uniform;
      return join(to, from) || changed;
    }
    static void widen(state& now, state const& before) {
      using general = binary::words_of_both<general_words, state>;
      using uniform = binary::words_of_both<uniform_words, state>;
      binary::widen_rounds(general{now, before}, now.w.general.size(), now.lanes);
      binary::widen_rounds(uniform{now, before}, now.w.uniform.size(), 1);
    }
    void leave_apart(state& now, state const& before) const {
      now.w.settle_all();
      using general = binary::words_of_both<general_words, state>;
      binary::part_rounds(general{now, before}, now.w.general.size(), now.lanes);
      using predicates = binary::words_of_both<predicate_words, state>;
      binary::part_rounds(predicates{now, before}, now.w.predicates.size(), now.lanes);
    }
    /// Stops following these lanes. If the kernel stores anything, all memory becomes unknown, since they may write to
    /// it.
    void stop(std::size_t at, std::uint32_t lanes, std::string const& reason) {
      ended |= lanes;
      of.memory_.give_up(at);
      of.reports_.to().wave_ends_early(at, reason);
    }
    /// Joins two ways. If a lane is on only one of them, it keeps its registers. If it may come from both, the values
    /// of its registers are joined.
    bool join(state& to, state const& from) const {
      if (!from.w.is_settled()) {
        state settled = from;
        return settled.w.settle_all(), join(to, settled);
      }
      std::uint32_t const both = to.lanes & from.lanes, added = from.lanes & ~to.lanes;
      to.w.settle_all();
      bool changed = added != 0 || (from.parted && !to.parted) || (from.w.uncertain & ~to.w.uncertain) != 0;
      auto const add = [&changed](std::set<std::size_t>& a, std::set<std::size_t> const& b) {
        for (std::size_t const branch : b)
          if (a.insert(branch).second) changed = true;
      };
      add(to.apart, from.apart);
      for (unsigned k = 0; k != 16; ++k) add(to.apart_before[k], from.apart_before[k]);
      auto const each = [&](std::array<word, warp_lanes>& a, std::array<word, warp_lanes> const& b) {
        for (unsigned lane = 0; lane != warp_lanes; ++lane)
          if ((added >> lane & 1) != 0)
            a[lane] = b[lane];
          else if ((both >> lane & 1) != 0 && binary::join(a[lane], b[lane], why))
            changed = true;
      };
      for (std::size_t k = 0; k != to.w.general.size(); ++k) each(to.w.general[k], from.w.general[k]);
      for (std::size_t k = 0; k != to.w.predicates.size(); ++k) each(to.w.predicates[k], from.w.predicates[k]);
      for (std::size_t k = 0; k != to.w.uniform.size(); ++k)
        if (binary::join(to.w.uniform[k], from.w.uniform[k], why)) changed = true;
      for (std::size_t k = 0; k != to.w.uniform_predicates.size(); ++k)
        if (binary::join(to.w.uniform_predicates[k], from.w.uniform_predicates[k], why)) changed = true;
      each_lane(from.lanes, [&](unsigned lane) {
        for (unsigned k = 0; k != 16; ++k) {
          std::uint32_t& mask = to.w.lanes[lane].barriers[k];
          mask = from.w.lanes[lane].barriers[k] | ((both >> lane & 1) != 0 ? mask : 0);
        }
      });
      for (unsigned k = 0; k != 2; ++k)
        to.w.reduced[k] = chosen(binary::unknown(why), to.w.reduced[k], from.w.reduced[k]);
      to.lanes |= from.lanes, to.parted = to.parted || from.parted, to.w.uncertain |= from.w.uncertain;
      if (to.w.executed < from.w.executed) to.w.executed = from.w.executed;
      return changed;
    }
    [[nodiscard]] static bool looks_like(state const& a, state const& b) {
      bool same = a.lanes == b.lanes && a.parted == b.parted && a.apart == b.apart && a.apart_before == b.apart_before;
      auto const each = [&](auto const& x, auto const& y) {
        for (unsigned lane = 0; same && lane != warp_lanes; ++lane)
          same = (a.lanes >> lane & 1) == 0 || x[lane].looks_like(y[lane]);
      };
      for (std::size_t k = 0; same && k != a.w.general.size(); ++k) each(a.w.general[k], b.w.general[k]);
      for (std::size_t k = 0; same && k != a.w.predicates.size(); ++k) each(a.w.predicates[k], b.w.predicates[k]);
      for (std::size_t k = 0; same && k != a.w.uniform.size(); ++k) same = a.w.uniform[k].looks_like(b.w.uniform[k]);
      for (std::size_t k = 0; same && k != a.w.uniform_predicates.size(); ++k)
        same = a.w.uniform_predicates[k].looks_like(b.w.uniform_predicates[k]);
      return same;
    }
  };

  program const& code_;
  register_runner const& registers_;
  memory_runner& memory_;
  held_accesses& reports_;
  std::vector<opcode_row const*> const& rows_;
  instruction_runner const& instructions_;
  binary::text_graph const& graph_;
  std::set<std::size_t>& loops_;
  std::uint64_t loops_passed_ = 0;
};

}  // namespace coalescing::sass
