// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/control.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

// Copies the routines that a kernel calls, such as the slow path of a division, or a function that is not inlined. A
// routine returns to different places for different calls. So each call gets a copy of its own, and what is known in
// one call is not joined with what is known in another. The copies stand at the end of the program, but their
// instructions keep the offsets and lines of the originals.

namespace coalescing::sass {

/// Whether execution may go on with the next instruction of the text. It cannot after a branch, CALL, RET or EXIT
/// without a predicate. (BRA.DIV and BRA.CONV may also not be taken. BPT without .TRAP is a breakpoint.)
[[nodiscard]] inline bool falls_through(instruction const& i) {
  bool always = i.guard.index == true_predicate && !i.guard.is_inverted;
  for (operand const& o : i.operands) always = always && !is_predicate(o);
  bool const leaves = i.base != "BSSY" && i.base != "BSYNC" && i.base != "BREAK" && i.base != "BMOV" &&
                      i.base != "WARPSYNC" && row_of(i.base).does == action::control;
  return !leaves || !always || i.has("DIV") || i.has("CONV") || (i.base == "BPT" && !i.has("TRAP"));
}

/// Which instructions may follow each instruction. EXIT is followed by the end of the program. RET is followed by the
/// instruction after its call, if that call is known, and otherwise by the instruction after any call.
[[nodiscard]] inline binary::text_graph graph_of(program const& code) {
  std::size_t const end = code.code.size();
  std::vector<std::vector<std::size_t>> next(end + 1);
  std::vector<std::size_t> returns;
  for (std::size_t k = 0; k + 1 < end; ++k)
    if (code.code[k].base == "CALL") returns.push_back(k + 1);
  for (std::size_t k = 0; k != end; ++k) {
    instruction const& i = code.code[k];
    if (is_branch(i) && i.target != i.nowhere && i.target < end) next[k].push_back(i.target);
    next[k].insert(next[k].end(), i.targets.begin(), i.targets.end());
    if (i.base == "RET" && i.returns_to != i.nowhere)
      next[k].push_back(i.returns_to);
    else if (i.base == "RET")
      next[k].insert(next[k].end(), returns.begin(), returns.end());
    if (falls_through(i) && k + 1 != end) next[k].push_back(k + 1);
    if (i.base == "EXIT") next[k].push_back(end);
  }
  return binary::text_graph(std::move(next));
}

class routine_copier {
 public:
  explicit routine_copier(program& of) : code_(of.code) {}

  /// Copies routines until each call has its own. Stops when the program has grown too long, because two routines that
  /// call each other would be copied without end.
  void copy_all() {
    std::size_t const most = 4 * code_.size() + most_added;
    for (std::size_t k = 0; k != code_.size() && code_.size() < most; ++k) {
      instruction const& call = code_[k];
      if (call.base != "CALL" || !call.has("REL") || call.target == call.nowhere || k + 1 == code_.size()) continue;
      std::set<std::size_t> const routine = from(call.target);
      if (routine.count(k) != 0) continue;
      bool const is_new = returns_of_.insert(call.target).second && !has_return(routine);
      std::size_t const added = code_.size();
      std::map<std::size_t, std::size_t> places;
      for (std::size_t const each : routine) places[each] = is_new ? each : added + places.size();
      if (!is_new)
        for (std::size_t const each : routine) code_.push_back(code_[each]);
      for (auto const& [was, is] : places) {
        instruction& one = code_[is];
        one.is_copy = one.is_copy || !is_new;
        if (one.base == "RET") one.returns_to = k + 1;
        if (auto const at = places.find(one.target); at != places.end() && is_branch(one) && one.base != "CALL")
          one.target = at->second;
        for (std::size_t& to : one.targets)
          if (auto const at = places.find(to); at != places.end()) to = at->second;
      }
      code_[k].target = places.at(code_[k].target);
    }
  }

 private:
  static constexpr std::size_t most_added = 1u << 14;

  /// The instructions of a routine: those reached from `entry` before the routine returns. A CALL in the routine leads
  /// to the instruction after the CALL. The code that it calls is not included.
  [[nodiscard]] std::set<std::size_t> from(std::size_t entry) const {
    std::set<std::size_t> seen{entry};
    for (std::vector<std::size_t> open{entry}; !open.empty();) {
      std::size_t const at = open.back();
      open.pop_back();
      instruction const& i = code_[at];
      std::vector<std::size_t> next = i.targets;
      if (is_branch(i) && i.base != "CALL") next.push_back(i.target);
      if (i.base == "CALL" || falls_through(i)) next.push_back(at + 1);
      for (std::size_t const each : next)
        if (each < code_.size() && seen.insert(each).second) open.push_back(each);
    }
    return seen;
  }
  [[nodiscard]] bool has_return(std::set<std::size_t> const& routine) const {
    for (std::size_t const each : routine)
      if (code_[each].returns_to != instruction::nowhere) return true;
    return false;
  }

  std::vector<instruction>& code_;
  std::set<std::size_t> returns_of_;  ///< the first instructions of the routines whose original already serves a call
};

}  // namespace coalescing::sass
