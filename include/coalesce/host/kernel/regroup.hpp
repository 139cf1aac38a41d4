// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

// Finds which lanes of a warp issue an instruction together. The way of each lane must be known: the basic blocks
// through which the lane ran, one after the other.
//
// Lanes that went different ways are together again at the first block to which all of them come. The ways of all lanes
// make a graph, whose blocks are put in an order: a block comes after those that lead to it, and the blocks of a loop
// come before what follows the loop. The lanes whose next block is the earliest go on together, and the others wait for
// them. In a program of ifs, loops, breaks and returns, compilers for GPUs let lanes join again at the same blocks
// (NVIDIA: BSSY, BREAK and BSYNC; LLVM for AMD: the masks of EXEC), and so do this library's readers of binaries.
// Source of the order: Diamos et al., "SIMD Re-Convergence at Thread Frontiers", MICRO 2011, section 4.

namespace coalescing::detail {

class regrouping {
 public:
  /// For each lane: its accesses and basic blocks between two points at which the lanes are together.
  using accesses = std::vector<std::span<host_access const>>;

  /// Calls issue(mask, at) for each group of lanes that make an access together. `at[lane]` is the lane's access.
  /// host_access::place is a number in `places`.
  template <class Issue>
  void each(host_places const& places, accesses const& lists, Issue const& issue) {
    places_ = &places;
    std::uint64_t all = 0;
    for (unsigned lane = 0; lane != lists.size(); ++lane) all |= std::uint64_t{!lists[lane].empty()} << lane;
    if (all == 0) return;
    at_.resize(lists.size());
    if (have_one_way(lists, all)) {
      each_lane(all, [&](unsigned lane) { at_[lane] = lists[lane].data(); });
      for (host_access const& one : lists[first_of(all)]) {
        if (one.is == entry::access) issue(all, at_);
        advance(all);
      }
      return;
    }
    find_ways(lists);
    put_in_order();
    for (std::uint64_t left = all; left != 0;) {
      unsigned earliest = none;
      std::uint64_t group = 0;
      each_lane(left, [&](unsigned lane) {
        if (step_[lane] == ways_[lane].size()) {
          left &= ~(std::uint64_t{1} << lane);
          return;
        }
        unsigned const order = order_of_next(lane);
        if (order < earliest) earliest = order, group = 0;
        group |= std::uint64_t{order == earliest} << lane;
      });
      issue_step(issue, group);
    }
  }

 private:
  using entry = host_access::entry;
  /// A basic block that a lane has run through: its node in the graph, and the lane's accesses in it.
  struct step {
    unsigned node;
    host_access const *first, *last;
  };
  static constexpr unsigned begins = 0;  // a node without a block, which leads to each lane's first block

  static unsigned first_of(std::uint64_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }
  template <class See>
  static void each_lane(std::uint64_t lanes, See const& see) {
    for (; lanes != 0; lanes &= lanes - 1) see(first_of(lanes));
  }
  void advance(std::uint64_t lanes) {
    each_lane(lanes, [this](unsigned lane) { ++at_[lane]; });
  }
  /// Whether `a` and `b` are the same access of the program, or the beginning of the same basic block. (A call of
  /// memcpy is two accesses with one address in the program: a load and a store.)
  bool meet(host_access const& a, host_access const& b) const {
    if (a.is != entry::access || b.is != entry::access) return a.is == b.is && a.address == b.address;
    host_place const &of_a = (*places_)[a.place], &of_b = (*places_)[b.place];
    return a.place == b.place || (of_a.address == of_b.address && of_a.kind == of_b.kind);
  }
  bool have_one_way(accesses const& lists, std::uint64_t all) const {
    auto const& first = lists[first_of(all)];
    bool is_one = true;
    each_lane(all, [&](unsigned lane) {
      is_one = is_one && std::equal(lists[lane].begin(), lists[lane].end(), first.begin(), first.end(),
                                    [this](host_access const& a, host_access const& b) { return meet(a, b); });
    });
    return is_one;
  }

  unsigned node_of(std::uint64_t block) {
    auto const [found, is_new] = nodes_.try_emplace(block, static_cast<unsigned>(after_.size()));
    if (is_new) after_.emplace_back();
    return found->second;
  }
  void add_edge(unsigned from, unsigned to) {
    auto& list = after_[from];
    if (std::find(list.begin(), list.end(), to) == list.end()) list.push_back(to);
  }
  void find_ways(accesses const& lists) {
    nodes_.clear(), after_.assign(1, {}), ways_.assign(lists.size(), {}), step_.assign(lists.size(), 0);
    for (unsigned lane = 0; lane != lists.size(); ++lane) {
      auto& way = ways_[lane];
      for (host_access const& one : lists[lane]) {
        if (one.is == entry::block) {
          way.push_back({node_of(one.address), &one + 1, &one + 1});
        } else {
          // After a barrier a lane goes on inside a basic block. The rest of that block is a node of its own.
          if (way.empty()) way.push_back({node_of(~(*places_)[one.place].address), &one, &one});
          way.back().last = &one + 1;
        }
      }
      unsigned before = begins;
      for (step const& one : way) add_edge(before, one.node), before = one.node;
    }
  }
  /// Returns a number for the lane's next basic block. The lanes with the lowest number go on first. A lane that goes
  /// back to the first block of a loop waits for all lanes that are in the loop.
  [[nodiscard]] unsigned order_of_next(unsigned lane) const {
    unsigned const next = ways_[lane][step_[lane]].node;
    bool const goes_back = step_[lane] != 0 && order_[next] <= order_[ways_[lane][step_[lane] - 1].node];
    return goes_back ? 2 * last_[next] + 1 : 2 * order_[next];
  }
  void put_in_order() {
    last_.assign(after_.size(), 0);
    order_.assign(after_.size(), none), number_.assign(after_.size(), none), lowest_.assign(after_.size(), 0);
    is_open_.assign(after_.size(), false), loop_.assign(after_.size(), 0), next_ = after_.size();
    order_from(begins, 0);
  }
  /// Puts the nodes of a loop, or of the whole graph, in order, from the last one to the first. Tarjan's algorithm
  /// finds the strongly connected components, and finds a component before those that lead to it. A component of
  /// several nodes is a loop. The node that the search enters first gets the loop's first position. The other nodes are
  /// ordered as if no edge led back to this node.
  void order_from(unsigned first, unsigned loop) {
    std::vector<std::pair<unsigned, std::size_t>> calls{{first, 0}};
    std::vector<unsigned> open;
    unsigned count = 0;
    auto const enter = [&](unsigned node) {
      number_[node] = lowest_[node] = count++, is_open_[node] = true, open.push_back(node);
    };
    enter(first);
    while (!calls.empty()) {
      auto& [node, next] = calls.back();
      if (next != after_[node].size()) {
        unsigned const to = after_[node][next++];
        if (loop_[to] != loop || order_[to] != none) continue;  // `to` is outside the loop, or is in the order already
        if (number_[to] == none)
          enter(to), calls.emplace_back(to, 0);
        else if (is_open_[to])
          lowest_[node] = std::min(lowest_[node], number_[to]);
        continue;
      }
      unsigned const done = node;
      calls.pop_back();
      if (!calls.empty()) lowest_[calls.back().first] = std::min(lowest_[calls.back().first], lowest_[done]);
      if (lowest_[done] != number_[done]) continue;
      std::vector<unsigned> members;
      do members.push_back(open.back()), is_open_[open.back()] = false, open.pop_back();
      while (members.back() != done);
      // `done` is the first node of its loop. Positions are given from the last one down, so the loop's other nodes get
      // their positions before `done` gets its own.
      last_[done] = static_cast<unsigned>(next_ - 1);
      unsigned const inner = ++loops_;
      for (unsigned const member : members)
        if (member != done) loop_[member] = inner, number_[member] = none;
      order_[done] = 0;  // any position, so that edges back to `done` are skipped
      for (unsigned const to : after_[done])
        if (loop_[to] == inner && order_[to] == none) order_from(to, inner);
      order_[done] = static_cast<unsigned>(--next_);
    }
  }

  /// Issues the accesses of a basic block for the lanes that run through it together. The accesses of these lanes at
  /// one place are one instruction.
  template <class Issue>
  void issue_step(Issue const& issue, std::uint64_t lanes) {
    std::uint64_t open = lanes;
    each_lane(lanes, [&](unsigned lane) { at_[lane] = ways_[lane][step_[lane]].first; });
    while (true) {
      each_lane(open, [&](unsigned lane) {
        if (at_[lane] == ways_[lane][step_[lane]].last) open &= ~(std::uint64_t{1} << lane);
      });
      if (open == 0) break;
      host_access const& first = *at_[first_of(open)];
      std::uint64_t here = 0;
      each_lane(open, [&](unsigned lane) { here |= std::uint64_t{meet(*at_[lane], first)} << lane; });
      issue(here, at_), advance(here);
    }
    each_lane(lanes, [this](unsigned lane) { ++step_[lane]; });
  }

  static constexpr unsigned none = ~0u;
  host_places const* places_ = nullptr;
  std::unordered_map<std::uint64_t, unsigned> nodes_;
  // Positions are given to nodes from the last position down. The positions from next_ on are taken.
  std::size_t next_ = 0;
  unsigned loops_ = 0;
  // for each node:
  std::vector<std::vector<unsigned>> after_;  // the nodes that lanes entered right after it
  std::vector<unsigned> order_;               // its position in the order
  std::vector<unsigned> last_;                // the position of the last node of the loop that it begins
  std::vector<unsigned> number_, lowest_;     // its index and its low link in Tarjan's algorithm
  std::vector<unsigned> loop_;                // the innermost loop that is known to contain it
  std::vector<bool> is_open_;
  // for each lane:
  std::vector<std::vector<step>> ways_;
  std::vector<std::size_t> step_;  // the index in ways_[lane] of its next step
  std::vector<host_access const*> at_;
};

}  // namespace coalescing::detail
