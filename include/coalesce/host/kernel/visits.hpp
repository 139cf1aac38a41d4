// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

// Which accesses of a warp's lanes are one instruction: those of the lanes' n-th visits to a place, since they were
// last together. This is the journal's rule (record/journal.hpp). The journal works in constant expressions and
// searches its lists; here are tables, since an unmodified kernel may visit a place a million times.

namespace coalescing::detail {

/// An instruction of a warp.
struct host_visit {
  unsigned place = 0;
  std::uint64_t active = 0, any = 0;
  bool uneven = false, unwritten = false;
  std::uint64_t address[64] = {};
};

class warp_visits {
 public:
  struct place_key {
    std::uint64_t place;
    issued_instruction const* instruction;
    unsigned bytes, array;
    touch kind;
    auto operator<=>(place_key const&) const = default;
  };
  std::vector<place_key> places;  ///< of all warps so far

  /// Calls take(visit) for each instruction of the warp, and contradict(place) where lanes have different orders.
  template <class Take, class Contradict>
  void each(host_warp const& warp, Take const& take, Contradict const& contradict) {
    std::vector<std::size_t> at(warp.lanes.size());
    for (bool more = true; more;) {
      count_ = 0, touched_.clear(), followers_.clear();
      bool in_order = true;
      more = false;
      for (unsigned lane = 0; lane != warp.lanes.size(); ++lane) {
        auto const& list = warp.lanes[lane];
        unsigned last = none;
        for (unsigned place : touched_) tables_[place].next = 0;
        for (; at[lane] != list.size() && list[at[lane]].place != 0; ++at[lane]) {
          unsigned const visit = visit_of(list[at[lane]], lane);
          if (last != none) {
            in_order = in_order && last < visit;
            if (followers_[last].empty() || followers_[last].back() != visit) followers_[last].push_back(visit);
          }
          last = visit;
        }
        if (at[lane] != list.size()) ++at[lane], more = true;
      }
      if (!in_order) find_circle(contradict);
      for (unsigned place : touched_) {
        auto const& visits = tables_[place].visits;
        for (std::size_t k = 1; k != visits.size(); ++k)
          visits_[visits[k]].uneven = visits_[visits[k]].active != visits_[visits[k - 1]].active;
      }
      for (unsigned k = 0; k != count_; ++k) take(visits_[k]);
      for (unsigned place : touched_) tables_[place].visits.clear(), tables_[place].next = 0;
    }
  }

 private:
  static constexpr unsigned none = ~0u;
  struct table {
    std::vector<unsigned> visits;  // in this stretch
    std::size_t next = 0;          // the lane's next one
  };

  unsigned visit_of(host_access const& access, unsigned lane) {
    place_key const key{access.place, access.instruction, access.bytes, access.array, access.kind};
    if (guess_ >= places.size() || places[guess_] != key) {
      auto const [found, is_new] = numbers_.try_emplace(key, static_cast<unsigned>(places.size()));
      if (is_new) places.push_back(key), tables_.emplace_back();
      guess_ = found->second;
    }
    unsigned const place = guess_++;  // the next access is often at the next place
    table& of = tables_[place];
    if (of.next == of.visits.size()) {
      if (of.next == 0) touched_.push_back(place);
      of.visits.push_back(count_);
      if (count_ == visits_.size()) visits_.emplace_back();
      host_visit& fresh = visits_[count_++];
      fresh.place = place, fresh.active = fresh.any = 0, fresh.uneven = fresh.unwritten = false;
      followers_.emplace_back();
    }
    unsigned const number = of.visits[of.next++];
    host_visit& visit = visits_[number];
    visit.active |= std::uint64_t{1} << lane, visit.any |= access.address, visit.address[lane] = access.address;
    visit.unwritten = visit.unwritten || access.unwritten;
    return number;
  }
  /// Removes visits that follow no other remaining one, until only circles remain.
  template <class Contradict>
  void find_circle(Contradict const& contradict) const {
    std::vector<unsigned> before(count_), ready;
    for (auto const& list : followers_)
      for (unsigned visit : list) ++before[visit];
    for (unsigned k = 0; k != count_; ++k)
      if (before[k] == 0) ready.push_back(k);
    std::size_t taken = 0;
    for (; taken != ready.size(); ++taken)
      for (unsigned visit : followers_[ready[taken]])
        if (--before[visit] == 0) ready.push_back(visit);
    if (taken == count_) return;
    unsigned k = 0;
    while (before[k] == 0) ++k;
    contradict(places[visits_[k].place]);
  }

  std::map<place_key, unsigned> numbers_;
  std::vector<table> tables_;  // of the places
  std::vector<unsigned> touched_;
  std::vector<host_visit> visits_;
  unsigned count_ = 0, guess_ = 0;
  std::vector<std::vector<unsigned>> followers_;  // of the visits: which some lane paid next
};

}  // namespace coalescing::detail
