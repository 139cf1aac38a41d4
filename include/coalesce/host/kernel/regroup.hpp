// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

// Which lanes of a warp issue an instruction together, where each lane has told the basic blocks of its way.
//
// Lanes that part run one group after the other. They are one group again at the first block to which every way leads
// that a lane took from there: the immediate post-dominator of the block where they parted, in the graph of all the
// lanes' ways. That is where compilers for GPUs let lanes meet, and where this library's readers of binaries do.
// (NVIDIA: BSSY and BSYNC around a branch. LLVM for AMD: the masks that SI_END_CF joins.)

namespace coalescing::detail {

class regrouping {
 public:
  using accesses = std::vector<std::vector<host_access>>;

  /// Calls issue(lanes, at) for each group of lanes that do something together. `at[lane]` is the lane's access in its
  /// list. `begin` and `end` say which part of each lane's list is asked for.
  template <class Issue>
  void each(accesses const& lists, std::vector<std::size_t> const& begin, std::vector<std::size_t> const& end,
            Issue const& issue) {
    std::uint64_t all = 0;
    for (unsigned lane = 0; lane != lists.size(); ++lane) all |= std::uint64_t{begin[lane] != end[lane]} << lane;
    if (all == 0) return;
    at_ = begin;
    if (have_one_way(lists, begin, end, all)) {
      unsigned const first = first_of(all);
      for (; at_[first] != end[first]; advance(all))
        if (!lists[first][at_[first]].begins_block()) issue(all, at_);
      return;
    }
    find_ways(lists, begin, end);
    find_meetings();
    run(lists, issue, all, begins, ends);
  }

 private:
  /// A block that a lane runs through: a node of the graph, and its accesses in the lane's list.
  struct step {
    unsigned node;
    std::size_t first, last;
  };
  static constexpr unsigned begins = 0, ends = 1;  // nodes: before the first blocks, after the last ones

  static unsigned first_of(std::uint64_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }
  template <class See>
  static void each_lane(std::uint64_t lanes, See const& see) {
    for (; lanes != 0; lanes &= lanes - 1) see(first_of(lanes));
  }
  void advance(std::uint64_t lanes) {
    each_lane(lanes, [this](unsigned lane) { ++at_[lane]; });
  }
  static bool have_one_way(accesses const& lists, std::vector<std::size_t> const& begin,
                           std::vector<std::size_t> const& end, std::uint64_t all) {
    unsigned const first = first_of(all);
    bool is_one = true;
    each_lane(all, [&](unsigned lane) {
      is_one = is_one && end[lane] - begin[lane] == end[first] - begin[first];
      for (std::size_t k = begin[lane], j = begin[first]; is_one && k != end[lane]; ++k, ++j)
        is_one = lists[lane][k].place == lists[first][j].place;
    });
    return is_one;
  }

  unsigned node_of(host_access const& block) {
    std::uint64_t const key = block.place ^ block.address;  // the calls are hashed already
    auto const [found, is_new] = nodes_.try_emplace(key, static_cast<unsigned>(after_.size()));
    if (is_new) after_.emplace_back();
    return found->second;
  }
  void add_edge(unsigned from, unsigned to) {
    auto& list = after_[from];
    if (std::find(list.begin(), list.end(), to) == list.end()) list.push_back(to);
  }
  void find_ways(accesses const& lists, std::vector<std::size_t> const& begin, std::vector<std::size_t> const& end) {
    nodes_.clear(), after_.assign(2, {}), ways_.assign(lists.size(), {}), step_.assign(lists.size(), 0);
    for (unsigned lane = 0; lane != lists.size(); ++lane) {
      auto const& list = lists[lane];
      auto& way = ways_[lane];
      for (std::size_t k = begin[lane]; k != end[lane]; ++k) {
        if (list[k].begins_block()) {
          way.push_back({node_of(list[k]), k + 1, k + 1});
        } else {
          // After a barrier the lanes are within a block. What is left of it is a node of its own.
          if (way.empty()) way.push_back({node_of({.place = ~list[k].place}), k, k});
          way.back().last = k + 1;
        }
      }
      unsigned before = begins;
      for (step const& one : way) add_edge(before, one.node), before = one.node;
      if (!way.empty()) add_edge(before, ends);
    }
  }
  /// Immediate post-dominators: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", figure 3, on the
  /// graph with its edges turned around.
  void find_meetings() {
    std::vector<std::vector<unsigned>> before(after_.size());
    for (unsigned from = 0; from != after_.size(); ++from)
      for (unsigned const to : after_[from]) before[to].push_back(from);
    std::vector<unsigned> order, number(after_.size(), none);
    std::vector<std::pair<unsigned, std::size_t>> open{{ends, 0}};
    std::vector<bool> is_seen(after_.size());
    is_seen[ends] = true;
    while (!open.empty()) {
      auto& [node, next] = open.back();
      if (next == before[node].size()) {
        number[node] = static_cast<unsigned>(order.size()), order.push_back(node), open.pop_back();
        continue;
      }
      unsigned const other = before[node][next++];
      if (!is_seen[other]) is_seen[other] = true, open.emplace_back(other, 0);
    }
    meets_.assign(after_.size(), none), meets_[ends] = ends;
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t k = order.size(); k-- != 0;) {
        unsigned const node = order[k];
        if (node == ends) continue;
        unsigned found = none;
        for (unsigned const to : after_[node]) {
          if (meets_[to] == none) continue;
          unsigned other = to;
          while (found != none && found != other) {
            while (number[found] < number[other]) found = meets_[found];
            while (number[other] < number[found]) other = meets_[other];
          }
          found = other;
        }
        if (found != meets_[node]) meets_[node] = found, is_new = true;
      }
    }
  }

  [[nodiscard]] unsigned node_at(unsigned lane) const {
    return step_[lane] == ways_[lane].size() ? ends : ways_[lane][step_[lane]].node;
  }
  /// Runs lanes that stand after the same node, until each of them is at `stop` or has ended.
  template <class Issue>
  void run(accesses const& lists, Issue const& issue, std::uint64_t lanes, unsigned after, unsigned stop) {
    while (lanes != 0) {
      unsigned const meeting = meets_[after];
      std::vector<std::pair<unsigned, std::uint64_t>> groups;
      each_lane(lanes, [&](unsigned lane) {
        unsigned const node = node_at(lane);
        auto found = std::find_if(groups.begin(), groups.end(), [node](auto const& one) { return one.first == node; });
        if (found == groups.end()) found = groups.insert(groups.end(), {node, 0});
        found->second |= std::uint64_t{1} << lane;
      });
      if (groups.size() == 1) {
        if (groups[0].first == stop || groups[0].first == ends) return;
        after = groups[0].first;
        issue_step(lists, issue, lanes);
        continue;
      }
      for (auto const& [node, group] : groups)
        if (node != meeting && node != stop && node != ends) {
          issue_step(lists, issue, group);
          run(lists, issue, group, node, meeting);
        }
      // Those that have not ended, and have not come to `stop`, are at the meeting now.
      if (meeting == stop || meeting == ends) return;
      std::uint64_t left = 0;
      each_lane(lanes, [&](unsigned lane) { left |= std::uint64_t{node_at(lane) == meeting} << lane; });
      lanes = left, after = meeting;
      if (lanes != 0) issue_step(lists, issue, lanes);
    }
  }
  /// The accesses of a block. Lanes that are in it together make the same ones.
  template <class Issue>
  void issue_step(accesses const& lists, Issue const& issue, std::uint64_t lanes) {
    std::uint64_t open = lanes;
    each_lane(lanes, [&](unsigned lane) { at_[lane] = ways_[lane][step_[lane]].first; });
    while (true) {
      each_lane(open, [&](unsigned lane) {
        if (at_[lane] == ways_[lane][step_[lane]].last) open &= ~(std::uint64_t{1} << lane);
      });
      if (open == 0) break;
      std::uint64_t const place = lists[first_of(open)][at_[first_of(open)]].place;
      std::uint64_t here = 0;
      each_lane(open, [&](unsigned lane) { here |= std::uint64_t{lists[lane][at_[lane]].place == place} << lane; });
      issue(here, at_), advance(here);
    }
    each_lane(lanes, [this](unsigned lane) { ++step_[lane]; });
  }

  static constexpr unsigned none = ~0u;
  std::unordered_map<std::uint64_t, unsigned> nodes_;
  std::vector<std::vector<unsigned>> after_;  // by node: where lanes went from there
  std::vector<unsigned> meets_;               // by node: its immediate post-dominator
  std::vector<std::vector<step>> ways_;       // by lane
  std::vector<std::size_t> step_, at_;        // by lane: the next one of its way; its access
};

}  // namespace coalescing::detail
