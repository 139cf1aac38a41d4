// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

// A branch on data: both of its ways are followed, until they meet. That is done where no instruction of either way
// accesses memory, waits or ends: the ways differ in nothing but registers, and so the answer stays exact. The slow
// path of a division is such a way, and so is a loop that only computes. Where ways meet, a bit stays known that is
// known and equal in both.

namespace coalescing::binary {

/// A place of the program, and the registers of what runs, as they may be there.
template <class State>
using way = std::pair<std::size_t, State>;

/// Follows ways from where they part. Returns the place where all of them meet, with what is known there; nothing where
/// an instruction that is not silent comes first.
///
/// `Rules` says what runs: `is_silent(place, state)`: the instruction only changes registers, or branches;
/// `step(place, state, next)` executes it and appends each way that it may take to `next`; `join(to, from)` joins what
/// is known, and returns whether that changed `to`; `may_meet(place, state)`: the ways may meet here.
///
/// The lowest place goes on first, since compilers put the place where ways meet after them; a way that comes to an
/// instruction that is not silent waits for the others there. Each time that a way jumps back, its state is joined with
/// the earlier ones of that place, until nothing changes: the state then holds for any number of rounds.
template <class Rules, class State = typename Rules::state>
[[nodiscard]] std::optional<way<State>> meeting_of(Rules const& rules, std::vector<way<State>> parted) {
  constexpr unsigned most_rounds = 256;  // each round makes known bits unknown, so a loop seldom needs more than a few
  struct joined {
    State state;
    unsigned rounds = 0;
  };
  std::map<std::size_t, State> waiting;
  std::map<std::size_t, joined> heads;                      // where ways jump back to
  auto const add = [&](std::size_t place, State&& state) {  // try_emplace does not move the state of an old place
    if (auto const [at, is_new] = waiting.try_emplace(place, std::move(state)); !is_new)
      static_cast<void>(rules.join(at->second, state));
  };
  for (way<State>& each : parted) add(each.first, std::move(each.second));
  for (std::vector<way<State>> next;; next.clear()) {
    if (waiting.size() == 1 && rules.may_meet(waiting.begin()->first, waiting.begin()->second))
      return way<State>(waiting.begin()->first, std::move(waiting.begin()->second));
    auto at = waiting.begin();
    while (at != waiting.end() && !rules.is_silent(at->first, at->second)) ++at;
    if (at == waiting.end()) return {};
    std::size_t const place = at->first;
    State now = std::move(at->second);
    waiting.erase(at);
    rules.step(place, std::move(now), next);
    for (auto& [to, state] : next) {
      if (to > place) {
        add(to, std::move(state));
        continue;
      }
      auto const [head, is_new] = heads.try_emplace(to, joined{state});
      if (!is_new && !rules.join(head->second.state, state)) continue;
      if (++head->second.rounds > most_rounds) return {};
      add(to, State(head->second.state));
    }
  }
}

}  // namespace coalescing::binary
