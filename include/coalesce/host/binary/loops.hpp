// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

// The control flow of a program's text: which instruction may follow which, and which instructions belong to a loop.

namespace coalescing::binary {

/// Thrown when it turns out that only unknown data can end a loop, after iterations of the loop were reported as
/// certain. The launch is then run again. In that run no wave reports an iteration of this loop as certain.
struct found_loop {
  std::size_t head;
};

/// The entry in a set of found loops that stands for a load. The load may run before the store of another wave,
/// although the program orders the store first (memory.hpp). `index` is that of the load. No loop begins at this place.
[[nodiscard]] constexpr std::size_t early_load(std::size_t index) { return ~index; }

class text_graph {
 public:
  /// A place is the index of an instruction. next[k] has the places that may follow place k.
  explicit text_graph(std::vector<std::vector<std::size_t>> next)
      : next_(std::move(next)), before_(next_.size()), turn_(turns_of(next_)) {
    for (std::size_t k = 0; k != next_.size(); ++k)
      for (std::size_t const to : next_[k]) before_[to].push_back(k);
  }
  /// The number of a place in reverse postorder. Each edge leads to a higher number, unless it is a jump back to the
  /// head of a loop. So code that was moved to a later place of the text still has lower numbers than the place to
  /// which it returns.
  [[nodiscard]] std::size_t turn_of(std::size_t place) const { return place < turn_.size() ? turn_[place] : place; }
  /// Whether the edge `from`, `to` is a jump back to the head of a loop. Each cycle of edges has such a jump.
  [[nodiscard]] bool is_back(std::size_t from, std::size_t to) const { return turn_of(to) <= turn_of(from); }
  [[nodiscard]] std::vector<std::size_t> const& next(std::size_t place) const { return next_[place]; }
  /// For each place, whether it belongs to the loop that begins at `head`. A place belongs to it if a jump back to the
  /// head can be reached from there without passing the head.
  [[nodiscard]] std::vector<bool> const& loop_of(std::size_t head) const {
    auto const [at, is_new] = loops_.try_emplace(head);
    if (!is_new) return at->second;
    std::vector<std::size_t> backs;
    for (std::size_t const each : before_[head])
      if (is_back(each, head)) backs.push_back(each);
    at->second = spread(backs, before_, head);
    at->second[head] = true;
    return at->second;
  }

  /// Whether a place belongs to the loop that begins at `head`. The place after the last instruction of the text
  /// belongs to no loop.
  [[nodiscard]] bool is_inside(std::size_t head, std::size_t place) const {
    std::vector<bool> const& loop = loop_of(head);
    return place < loop.size() && loop[place];
  }

 private:
  using edges = std::vector<std::vector<std::size_t>>;
  /// For each place, whether it can be reached from the places `from` along the edges `along`. The places `from` count
  /// as reached. The search does not go on from the place `end`.
  [[nodiscard]] static std::vector<bool> spread(std::vector<std::size_t> from, edges const& along, std::size_t end) {
    std::vector<bool> seen(along.size());
    for (std::size_t const each : from) seen[each] = true;
    while (!from.empty()) {
      std::size_t const at = from.back();
      from.pop_back();
      if (at == end) continue;
      for (std::size_t const to : along[at])
        if (!seen[to]) seen[to] = true, from.push_back(to);
    }
    return seen;
  }
  /// Numbers all places by a depth-first search. The search takes the successor that is furthest down the text first,
  /// so that the code of a loop gets lower numbers than the code after the loop.
  [[nodiscard]] static std::vector<std::size_t> turns_of(edges next) {
    std::vector<std::size_t> turns(next.size()), open;
    std::vector<bool> seen(next.size());
    std::size_t turn = next.size();
    for (std::vector<std::size_t>& each : next) std::sort(each.begin(), each.end());
    for (std::size_t root = 0; root != next.size(); ++root) {
      if (!seen[root]) seen[root] = true, open.push_back(root);
      while (!open.empty()) {
        std::vector<std::size_t>& left = next[open.back()];
        if (left.empty()) {
          turns[open.back()] = --turn, open.pop_back();
          continue;
        }
        std::size_t const to = left.back();
        left.pop_back();
        if (!seen[to]) seen[to] = true, open.push_back(to);
      }
    }
    return turns;
  }
  edges next_, before_;
  std::vector<std::size_t> turn_;
  mutable std::map<std::size_t, std::vector<bool>> loops_;
};

/// If a loop runs for more iterations than this, and no known condition keeps it going, it counts as a loop that
/// only unknown data can end.
inline constexpr unsigned most_open_rounds = 32;

/// Counts the iterations of each loop of a wave. A wave counts them only while it depends on unknown data whether some
/// or all of its lanes still run.
class counted_rounds {
 public:
  explicit counted_rounds(unsigned most = 16384) : most_(most) {}
  /// Notes that a known condition has decided the branch at `place`. This counts for each loop that the branch could
  /// leave.
  void decide(text_graph const& graph, std::size_t place) {
    if (graph.next(place).size() < 2) return;
    for (auto& [head, each] : loops_) {
      bool may_leave = false;
      for (std::size_t const to : graph.next(place)) may_leave = may_leave || !graph.is_inside(head, to);
      each.has_known_exit = each.has_known_exit || (may_leave && graph.is_inside(head, place));
    }
  }
  /// Notes a jump back to a loop's first instruction. Throws found_loop if it seems that only unknown data can end the
  /// loop.
  void jump_to(std::size_t head) {
    loop& of = loops_[head];
    if (++of.rounds > (of.has_known_exit ? most_ : most_open_rounds)) throw found_loop{head};
    of.has_known_exit = false;
  }

 private:
  struct loop {
    unsigned rounds = 0;
    bool has_known_exit = true;  ///< whether a known condition has kept the wave in the loop, in this iteration
  };
  unsigned most_;
  std::map<std::size_t, loop> loops_;
};

}  // namespace coalescing::binary
