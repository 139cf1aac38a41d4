// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/control.hpp>
#include <coalesce/host/binary/ways.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Both ways of a branch on data, as binary::meeting_of() follows them. Lanes that part run apart until a BSYNC brings
// them together again, so the ways meet at a BSYNC that waits for all of them; those of a uniform predicate, which no
// lane takes alone, may meet anywhere. The way from one BSSY to its BSYNC counts as straight: in which order its lanes
// pass it changes nothing, as they only change their own registers.

namespace coalescing::sass {

class way_runner {
 public:
  /// The lanes that may come to a place, and the warp as it is for them.
  struct state {
    warp w;
    std::uint32_t lanes = 0;
    std::uint32_t opened = 0;  ///< bit k: some way has passed a BSSY of barrier k
    bool parted = false;       ///< lanes have taken different ways, not only the warp as a whole
  };

  way_runner(program const& code, register_runner const& registers, std::vector<opcode_row const*> const& rows)
      : code_(code), registers_(registers), rows_(rows) {}

  /// Goes on where the ways of a branch meet, at which the lanes `group` are. Returns false if one of them accesses
  /// memory, waits, or ends before.
  bool pass(warp& w, std::size_t index, std::uint32_t group, place const& block, cause why) const {
    rules const follow{*this, block, group, why};
    state start{w, group};
    if (!follow.is_silent(index, start)) return false;
    std::vector<binary::way<state>> parted;
    follow.step(index, std::move(start), parted);
    auto met = binary::meeting_of(follow, std::move(parted));
    if (!met) return false;
    w = std::move(met->second.w);
    each_lane(group, [&](unsigned lane) { w.lanes[lane].counter = met->first; });
    return true;
  }

 private:
  struct rules {
    using state = way_runner::state;
    way_runner const& of;
    place const& block;
    std::uint32_t group;
    cause why;  ///< what the branch depends on

    [[nodiscard]] static std::uint32_t barrier_bit(instruction const& i) {
      return !i.operands.empty() && i.operands[0].kind == operand_kind::barrier ? 1u << i.operands[0].index % 16 : 0;
    }
    /// Whether a result is the warp's, not a lane's: lanes of the other way could see it.
    [[nodiscard]] static bool is_shared(shape const& s) {
      bool found = s.to != nullptr && s.to->kind == operand_kind::uniform;
      for (operand const* o : s.predicates)
        found = found || (o != nullptr && o->kind == operand_kind::uniform_predicate && o->index != true_predicate);
      return found;
    }
    [[nodiscard]] bool has_fixed_guard(std::size_t at, state const& now) const {
      bool fixed = true;
      each_lane(now.lanes, [&](unsigned lane) {
        value const is = now.w.predicate(of.code_.code[at].guard, lane);
        fixed = fixed && is.is_known() && is.bits != 0;
      });
      return fixed;
    }

    [[nodiscard]] bool may_meet(std::size_t at, state const& now) const {
      if (now.lanes != group) return false;
      if (!now.parted) return true;
      instruction const& i = of.code_.code[at];
      if (i.base != "BSYNC" || (barrier_bit(i) & ~now.opened) == 0 || !has_fixed_guard(at, now)) return false;
      bool waits_for_all = true;
      each_lane(group, [&](unsigned lane) {
        waits_for_all = waits_for_all && (group & ~now.w.lanes[lane].barriers[i.operands[0].index % 16]) == 0;
      });
      return waits_for_all;
    }
    [[nodiscard]] bool is_silent(std::size_t at, state const& now) const {
      if (at >= of.code_.code.size()) return false;
      instruction const& i = of.code_.code[at];
      action const does = of.rows_[at]->does;
      if (does == action::control) {
        if (i.base == "BSSY") return barrier_bit(i) != 0 && has_fixed_guard(at, now);
        if (i.base == "BSYNC") return (now.opened & barrier_bit(i)) != 0 && has_fixed_guard(at, now);
        if (i.base == "BREAK") return (now.opened & barrier_bit(i)) != 0;
        return parts_lanes(i) || !of.return_of(at, now).empty();
      }
      if (does == action::nothing) return true;
      if (is_shared(of.registers_.shape_at(at)) || (!i.operands.empty() && i.operands[0].word == "UPR")) return false;
      if (does == action::missing) return !may_access(i) && !names_places(i);
      return does == action::compute || does == action::constant || does == action::special || does == action::unpack ||
             does == action::data;
    }
    void step(std::size_t at, state&& now, std::vector<binary::way<state>>& next) const {
      instruction const& i = of.code_.code[at];
      ++now.w.executed;
      std::uint32_t surely = 0, perhaps = 0;
      each_lane(now.lanes, [&](unsigned lane) {
        value all = now.w.predicate(i.guard, lane);
        for (operand const& o : i.operands)
          if (of.rows_[at]->does == action::control && is_predicate(o)) all = all & now.w.predicate(o, lane);
        if (!all.is_known()) perhaps |= 1u << lane;
        if (all.is_known() && all.bits != 0) surely |= 1u << lane;
      });
      std::uint32_t const passes = now.lanes & ~surely;
      auto const go = [&](std::size_t to, std::uint32_t lanes, bool is_last) {
        if (lanes == 0) return;
        next.emplace_back(to, is_last ? std::move(now) : state(now));
        next.back().second.lanes = lanes;
      };
      action const does = of.rows_[at]->does;
      if (does == action::control) {
        now.parted = now.parted || (is_lanes_own(i) && passes != 0 && (surely | perhaps) != 0);
        if (parts_lanes(i)) return go(i.target, surely | perhaps, false), go(at + 1, passes, true);
        if (i.base == "RET") return go(of.return_of(at, now)[0], surely | perhaps, false), go(at + 1, passes, true);
        if (i.base == "BSSY") now.opened |= barrier_bit(i);
      }
      auto const this_one = static_cast<cause>(at + 1);
      if (does == action::compute) of.registers_.compute(now.w, at, surely, perhaps);
      if (does == action::constant) of.registers_.load_constant(now.w, at, surely, perhaps);
      if (does == action::special) of.registers_.special(now.w, at, surely, perhaps, block);
      if (does == action::unpack) of.registers_.unpack(now.w, at, surely, perhaps);
      if (does == action::data) of.registers_.forget(now.w, at, surely | perhaps, this_one);
      if (does == action::missing) of.registers_.forget(now.w, at, surely | perhaps, this_one | binary::of_opcode);
      go(at + 1, now.lanes, true);
    }
    /// A lane of one way keeps its registers; those of a lane that may come from both are joined.
    bool join(state& to, state const& from) const {
      std::uint32_t const both = to.lanes & from.lanes, added = from.lanes & ~to.lanes;
      bool changed = added != 0 || (from.opened & ~to.opened) != 0 || (from.parted && !to.parted);
      auto const each = [&](std::array<word, warp_lanes>& a, std::array<word, warp_lanes> const& b) {
        for (unsigned lane = 0; lane != warp_lanes; ++lane)
          if ((added >> lane & 1) != 0)
            a[lane] = b[lane];
          else if ((both >> lane & 1) != 0 && binary::join(a[lane], b[lane], why))
            changed = true;
      };
      for (std::size_t k = 0; k != to.w.general.size(); ++k) each(to.w.general[k], from.w.general[k]);
      for (std::size_t k = 0; k != to.w.predicates.size(); ++k) each(to.w.predicates[k], from.w.predicates[k]);
      to.lanes |= from.lanes, to.opened |= from.opened, to.parted = to.parted || from.parted;
      if (to.w.executed < from.w.executed) to.w.executed = from.w.executed;
      return changed;
    }
  };

  /// Whether an instruction's predicates are those of lanes, not only of the warp.
  [[nodiscard]] static bool is_lanes_own(instruction const& i) {
    bool own = i.guard.kind == operand_kind::predicate && i.guard.index != true_predicate;
    for (operand const& o : i.operands) own = own || (o.kind == operand_kind::predicate && o.index != true_predicate);
    return own;
  }
  /// A branch to a place of the text that each lane takes by itself: not .DIV and .CONV, which ask for other lanes.
  [[nodiscard]] static bool parts_lanes(instruction const& i) {
    for (operand const& o : i.operands)
      if (is_register(o)) return false;
    return is_branch(i) && is_known_branch(i) && !i.has("DIV") && !i.has("CONV") && i.target != i.nowhere;
  }
  /// The place that RET returns to, if it is the same one for all lanes; else nothing.
  [[nodiscard]] std::vector<std::size_t> return_of(std::size_t at, state const& now) const {
    instruction const& i = code_.code[at];
    if (i.base != "RET" || !i.has("REL") || i.target == i.nowhere || i.operands.size() != 2) return {};
    std::vector<std::size_t> to;
    bool is_one = true;
    each_lane(now.lanes, [&](unsigned lane) {
      value const by = registers_.reader(now.w, at, lane).plain(i.operands[0], 32);
      auto const found = code_.places.find(code_.code[i.target].offset + by.bits);
      is_one = is_one && by.is_known() && found != code_.places.end() && (to.empty() || to[0] == found->second);
      if (is_one && to.empty()) to.push_back(found->second);
    });
    return is_one ? to : std::vector<std::size_t>{};
  }

  program const& code_;
  register_runner const& registers_;
  std::vector<opcode_row const*> const& rows_;
};

}  // namespace coalescing::sass
