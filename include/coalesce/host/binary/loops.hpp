// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

// The control flow of a program's text: which place leads to which, and what belongs to a loop.

namespace coalescing::binary {

/// A loop that data alone can keep going, found after rounds of it were taken for certain: the launch is run again, and
/// each wave that comes to the loop's first instruction knows it.
struct found_loop {
  std::size_t head;
};

class text_graph {
 public:
  /// `next`: of each place, the places that may follow.
  explicit text_graph(std::vector<std::vector<std::size_t>> next)
      : next_(std::move(next)), before_(next_.size()), turn_(turns_of(next_)) {
    for (std::size_t k = 0; k != next_.size(); ++k)
      for (std::size_t const to : next_[k]) before_[to].push_back(k);
  }
  /// The number of a place in reverse postorder. A place has a higher number than all that lead to it, except for jumps
  /// back to the head of a loop. So out-of-line code comes before the place to which it returns.
  [[nodiscard]] std::size_t turn_of(std::size_t place) const { return place < turn_.size() ? turn_[place] : place; }
  /// Whether an edge is a jump back to the head of a loop. Each way around a loop has one.
  [[nodiscard]] bool is_back(std::size_t from, std::size_t to) const { return turn_of(to) <= turn_of(from); }
  [[nodiscard]] std::vector<std::size_t> const& next(std::size_t place) const { return next_[place]; }
  /// The places of the loop that begins there: those from which a jump back to its head is reached, without passing the
  /// head.
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

  /// Whether a place is one of the loop's. The place after the last one is not.
  [[nodiscard]] bool is_inside(std::size_t head, std::size_t place) const {
    std::vector<bool> const& loop = loop_of(head);
    return place < loop.size() && loop[place];
  }

 private:
  using edges = std::vector<std::vector<std::size_t>>;
  /// All places that the edges lead to from these, themselves included; not beyond `end`.
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
  /// Numbers all places by a depth-first search. The search takes the successor furthest down the text first, so that
  /// the code of a loop gets lower numbers than the code after the loop.
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

/// A loop with more rounds than these, in none of which a known condition kept it going, is taken for a loop on data.
inline constexpr unsigned most_open_rounds = 32;

/// The rounds of loops that a wave goes for certain, once it depends on data whether it is still there: data may end it
/// in each of them.
class counted_rounds {
 public:
  explicit counted_rounds(unsigned most = 16384) : most_(most) {}
  /// A branch whose condition is known: it keeps the wave in the loops that it may leave.
  void decide(text_graph const& graph, std::size_t place) {
    if (graph.next(place).size() < 2) return;
    for (auto& [head, each] : loops_) {
      bool may_leave = false;
      for (std::size_t const to : graph.next(place)) may_leave = may_leave || !graph.is_inside(head, to);
      each.has_known_exit = each.has_known_exit || (may_leave && graph.is_inside(head, place));
    }
  }
  /// A jump back to a loop's first instruction. Throws where the loop seems to have no other end.
  void jump_to(std::size_t head) {
    loop& of = loops_[head];
    if (++of.rounds > (of.has_known_exit ? most_ : most_open_rounds)) throw found_loop{head};
    of.has_known_exit = false;
  }

 private:
  struct loop {
    unsigned rounds = 0;
    bool has_known_exit = true;  ///< in this round
  };
  unsigned most_;
  std::map<std::size_t, loop> loops_;
};

}  // namespace coalescing::binary
