// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/loops.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A branch that depends on unknown data has two ways. Both are followed until they meet: until both have come to the
// same instruction. If the ways only compute, they differ in nothing but registers, and the answer stays exact. An
// access on a way may take place or not, so its cost is an upper bound.
//
// A loop whose jump back depends on unknown data is followed iteration by iteration, as long as each iteration (round)
// begins in another state than the one before. So a loop that a known condition ends after at most N iterations ends
// here, too. If an iteration begins in the same state as the one before, only unknown data can end the loop. Then the
// states of its iterations are joined until nothing changes. What is known at the loop's head then holds for any number
// of iterations, and the accesses of one more iteration are the most that any iteration makes.

namespace coalescing::binary {

/// A way through the program: the place that it has reached (the index of an instruction), and what is known of the
/// registers there.
template <class State>
using way = std::pair<std::size_t, State>;

/// Follows several ways from the branch where they part to the place where they meet. (A place is the index of an
/// instruction.)
///
/// `Rules` says how instructions run. A state is what is known of the registers on one way.
/// - step(place, state, next) executes an instruction, and appends each way that it may take to `next`;
/// - join(to, from) joins two states: what holds in both stays known. It returns whether that changed `to`;
/// - join_rounds(to, from, loop, grown) joins two states at the head of a loop (binary::join_rounds), and may change
/// `from`. `loop` is what loop_name(head) returned;
/// - widen(state, before) calls binary::widen for each register;
/// - leave_apart(state, before): called when lanes leave a loop, each after its own number of iterations. `before` is
/// the state at the head of the loop when the states of its iterations began to be joined;
/// - lanes_part(place, state, loop): whether the branch at `place` may send lanes different ways, or lanes took
/// different ways before, at a branch of this loop, and did not come together since;
/// - are_together(a, b): whether two ways that meet have the same lanes, and these lanes took one of the ways all
/// together;
/// - looks_like(a, b): whether the same is known in both states;
/// - may_meet(place, state): whether ways may meet at this place;
/// - changes(): how often memory has changed;
/// - accesses(place): whether the instruction accesses memory;
/// - begin_round(head): called when a loop that only unknown data can end begins an iteration;
/// - has_ended(): whether some way has ended;
/// - meets(place, a, b): called when two ways, with the states `a` and `b`, come to the same place.
template <class Rules, class State = typename Rules::state>
class way_follower {
 public:
  way_follower(Rules& rules, text_graph const& graph, std::set<std::size_t> const& known_loops)
      : rules_(rules), graph_(graph), known_loops_(known_loops) {}

  /// Returns the place where all ways meet, and what is known there; nothing if each way ends. `from` is the place of
  /// the branch, or the first instruction of a loop. `parted` holds the ways that leave the branch, or the one way to
  /// the loop.
  [[nodiscard]] std::optional<way<State>> follow(std::size_t from, std::vector<way<State>> parted) {
    bool is_first = known_loops_.count(from) != 0;
    for (way<State>& each : parted)
      add(each.first, std::move(each.second), !is_first && graph_.is_back(from, each.first));
    for (std::vector<way<State>> next; !waiting_.empty(); next.clear(), is_first = false) {
      auto const at = next_one();
      std::size_t const place = at->first;
      arrived now = std::move(at->second);
      bool const is_last = waiting_.size() == 1;
      waiting_.erase(at);
      if (!goes_on(place, now)) continue;
      // Suppose that some way has ended, and that the only way left has jumped back to this place. Then that way may
      // end in its next iteration, too. So the ways do not meet here, and the way that is left is followed further.
      bool const is_all = is_last && !is_first && !is_in_open_loop(place) && !(now.is_back && rules_.has_ended());
      if (is_all && rules_.may_meet(place, now.state)) return way<State>(place, std::move(now.state));
      ++steps_;
      auto const loops = loops_of_parted(place, now.state);
      rules_.step(place, std::move(now.state), next);
      note_known_exits(place, next);
      for (auto& [to, state] : next) {
        for (std::size_t const head : loops)
          if (!graph_.is_inside(head, to)) rules_.leave_apart(state, *heads_[head].before);
        add(to, std::move(state), graph_.is_back(place, to));
      }
    }
    return {};
  }
  /// The head of the innermost loop around a place, among the loops that only unknown data can end; `otherwise` if
  /// there is none.
  [[nodiscard]] std::size_t loop_around(std::size_t place, std::size_t otherwise) const {
    std::size_t found = otherwise;
    for (auto const& [head, each] : heads_)
      if (each.is_joined && graph_.loop_of(head)[place] && (found == otherwise || graph_.loop_of(found)[head]))
        found = head;
    return found;
  }

 private:
  static constexpr unsigned most_rounds = 4096, most_silent_rounds = 16, most_joined_rounds = 64, narrow_rounds = 8,
                            most_steps = 1u << 17;
  struct head_of_loop {
    std::optional<State> state = {};   ///< the state at the head in the last iteration; if is_joined: in any iteration
    std::optional<State> before = {};  ///< if is_joined: the state at the head when the joining of iterations began
    std::uint64_t name = 0;
    unsigned joined = 0;  ///< how many iterations' states were joined into `state`
    /// How the iterations change each register. grown[0] is for the registers of the whole wave, grown[1] for those of
    /// single lanes.
    std::array<std::vector<growth>, 2> grown = {};
    bool is_joined = false;  ///< the states of all iterations are joined: `state` is what is known in each of them
    unsigned rounds = 0;
    std::uint64_t changes = 0;     ///< how often memory had changed when the last iteration began
    std::optional<bool> accesses;  ///< whether an instruction of the loop accesses memory
    bool has_known_exit = true;    ///< in this iteration, a known condition has kept some way in the loop
  };

  /// The ways that have come to a place and wait there, joined into one state.
  struct arrived {
    State state;
    bool is_back;  ///< each of these ways came by a jump back to the head of a loop
  };

  void add(std::size_t place, State&& state, bool has_jumped_back) {
    auto const found = waiting_.find(place);
    if (found == waiting_.end()) {
      waiting_.emplace(place, arrived{std::move(state), has_jumped_back});
    } else {
      rules_.meets(place, found->second.state, state);
      // If the same lanes took one of the two ways all together, the states are joined like two iterations of a loop.
      // If the two values of a register differ by the same number in all lanes, the joined register then holds the
      // first value plus an unknown number, and it stays known that this number is the same in all lanes.
      std::array<std::vector<growth>, 2> grown;
      if (rules_.are_together(found->second.state, state))
        static_cast<void>(rules_.join_rounds(found->second.state, std::move(state), rules_.loop_name(place), grown));
      else
        static_cast<void>(rules_.join(found->second.state, state));
      found->second.is_back = found->second.is_back && has_jumped_back;
    }
  }
  /// The way that goes on next. A way that jumped back to the head of a loop waits for the other ways in this loop.
  /// Among the ways that need not wait, the one whose place has the lowest number in reverse postorder goes first. So a
  /// way waits for all ways that may still come to its place.
  [[nodiscard]] auto next_one() {
    auto first = waiting_.begin();
    std::pair first_turn(true, ~std::size_t{0});
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      std::pair turn(false, graph_.turn_of(at->first));
      if (at->second.is_back)
        for (auto const& [other, way] : waiting_)
          turn.first = turn.first || (other != at->first && graph_.loop_of(at->first)[other]);
      if (turn < first_turn) first = at, first_turn = turn;
    }
    return first;
  }
  /// Sets has_known_exit of each loop that the branch at `place` could leave, if no way in `next` leaves the loop: then
  /// the condition of the branch is known.
  void note_known_exits(std::size_t place, std::vector<way<State>> const& next) {
    if (graph_.next(place).size() < 2 || next.empty()) return;
    for (auto& [head, each] : heads_) {
      if (each.is_joined || each.has_known_exit || !graph_.is_inside(head, place)) continue;
      bool stays = true, may_leave = false;
      for (auto const& [to, state] : next) stays = stays && graph_.is_inside(head, to);
      for (std::size_t const to : graph_.next(place)) may_leave = may_leave || !graph_.is_inside(head, to);
      each.has_known_exit = stays && may_leave;
    }
  }
  /// The heads of the loops around `place` that lanes may leave in different iterations, if they leave them here. The
  /// states of the iterations of such a loop were joined (is_joined).
  [[nodiscard]] std::vector<std::size_t> loops_of_parted(std::size_t place, State const& now) const {
    std::vector<std::size_t> all;
    for (auto const& [head, each] : heads_)
      if (each.is_joined && each.before && graph_.is_inside(head, place) &&
          rules_.lanes_part(place, now, graph_.loop_of(head)))
        all.push_back(head);
    return all;
  }
  [[nodiscard]] bool is_in_open_loop(std::size_t place) const {
    for (auto const& [head, each] : heads_)
      if (each.is_joined && graph_.loop_of(head)[place]) return true;
    return false;
  }
  [[nodiscard]] bool accesses_in(std::vector<bool> const& loop) const {
    bool any = false;
    for (std::size_t k = 0; k != loop.size(); ++k) any = any || (loop[k] && rules_.accesses(k));
    return any;
  }
  /// Whether the ways that have come to a place go on from there. At the head of a loop, the answer says whether
  /// another iteration is followed. If so, `now.state` becomes the state in which that iteration begins.
  [[nodiscard]] bool goes_on(std::size_t place, arrived& now) {
    bool const is_known_loop = known_loops_.count(place) != 0;
    if (!now.is_back && !is_known_loop) return true;
    head_of_loop& head = heads_[place];
    head.is_joined = head.is_joined || is_known_loop;
    bool const is_quiet = head.changes == rules_.changes();
    head.changes = rules_.changes();
    if (!head.is_joined) {
      if (!head.accesses) head.accesses = accesses_in(graph_.loop_of(place));
      bool const is_same = head.state && is_quiet && rules_.looks_like(*head.state, now.state);
      unsigned const most = !*head.accesses ? most_silent_rounds : head.has_known_exit ? most_rounds : most_open_rounds;
      head.has_known_exit = false;
      if (!is_same && ++head.rounds <= most && steps_ <= most_steps) return head.state = now.state, true;
      if (*head.accesses) throw found_loop{place};
      head.is_joined = true;
    }
    bool changed = true;
    std::optional<State> last;
    if (head.joined >= narrow_rounds) last = head.state;
    // After most_joined_rounds iterations, join() replaces join_rounds(): it drops the names of unknown numbers
    // (identities.hpp) that still change, so that the states stop changing.
    if (head.state && now.is_back && ++head.joined <= most_joined_rounds)
      changed = rules_.join_rounds(*head.state, std::move(now.state), head.name, head.grown);
    else if (head.state)
      changed = rules_.join(*head.state, now.state);
    else
      head.state = now.state;
    if (last && changed) rules_.widen(*head.state, *last);
    if (!head.before) head.before = head.state, head.name = rules_.loop_name(place);
    if (!changed && is_quiet && now.is_back) return false;
    rules_.begin_round(place);
    now.state = *head.state;
    return true;
  }

  Rules& rules_;
  text_graph const& graph_;
  std::set<std::size_t> const& known_loops_;
  std::map<std::size_t, arrived> waiting_;
  std::map<std::size_t, head_of_loop> heads_;
  std::uint64_t steps_ = 0;
};

/// What follow_ways() learns about the ways, apart from their accesses.
struct traces_of_ways {
  bool has_barrier = false;  ///< some way passes a barrier
  /// Assumptions of the answer, each with its instruction. They are reported only if the ways have an access or a
  /// barrier, or if a way ends: else they change nothing in the answer.
  std::set<std::pair<std::size_t, std::string>> assumed = {};
};

/// Follows ways from an instruction on, and reports what they access. `Rules` must derive from traces_of_ways. start()
/// makes the first ways. If it turns out that only unknown data can end a loop, this function adds the loop to
/// `known_loops`, drops the accesses so far, and begins anew with start(). So one call may find several such loops. The
/// answer of a run that found a loop is not used: the recorder ends that run, and the launch runs again with all loops
/// that were found.
template <class Rules, class Access, class Start, class State = typename Rules::state>
[[nodiscard]] std::optional<way<State>> follow_ways(Rules& rules, text_graph const& graph,
                                                    std::set<std::size_t>& known_loops, held_accesses<Access>& reports,
                                                    std::size_t from, Start const& start) {
  std::optional<way<State>> met;
  std::optional<way_follower<Rules>> follower;
  while (!follower) try {
      std::vector<way<State>> parted = start();
      reports.hold();
      met = follower.emplace(rules, graph, known_loops).follow(from, std::move(parted));
    } catch (found_loop const& found) {
      // If the loop begins at `from` itself, answer_with_loops() catches the exception, adds the loop to the known
      // ones, and runs the launch again.
      if (found.head == from) throw;
      known_loops.insert(found.head), reports.drop(), follower.reset();
    }
  if (rules.has_barrier)
    rules.assumed.emplace(from, "a barrier stands in one of the ways: the whole block passes it, or nothing of it");
  if (reports.holds_any() || rules.has_ended() || rules.has_barrier)
    for (auto const& [at, what] : rules.assumed) reports.to().assumes(at, what);
  reports.report([&follower](std::size_t at, std::size_t none) { return follower->loop_around(at, none); },
                 [&graph](std::size_t head, std::size_t at) { return graph.loop_of(head)[at]; });
  return met;
}

}  // namespace coalescing::binary
