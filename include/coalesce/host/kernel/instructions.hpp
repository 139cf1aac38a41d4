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
struct warp_instruction {
  unsigned place = 0;
  std::uint64_t active = 0, any = 0;
  bool uneven = false, unwritten = false;
  std::uint64_t address[64] = {};
};

class warp_instructions {
 public:
  struct place_key {
    std::uint64_t place;
    issued_instruction const* instruction;
    unsigned bytes, array;
    touch kind;
    auto operator<=>(place_key const&) const = default;
  };
  std::vector<place_key> places;  ///< of all warps so far

  /// Calls take(instruction) for each instruction of the warp, and contradict(place) where lanes have different orders.
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
          unsigned const number = instruction_of(list[at[lane]], lane);
          if (last != none) {
            in_order = in_order && last < number;
            if (followers_[last].empty() || followers_[last].back() != number) followers_[last].push_back(number);
          }
          last = number;
        }
        if (at[lane] != list.size()) ++at[lane], more = true;
      }
      if (!in_order) find_circle(contradict);
      for (unsigned place : touched_) {
        auto const& list = tables_[place].instructions;
        for (std::size_t k = 1; k != list.size(); ++k)
          instructions_[list[k]].uneven = instructions_[list[k]].active != instructions_[list[k - 1]].active;
      }
      for (unsigned k = 0; k != count_; ++k) take(instructions_[k]);
      for (unsigned place : touched_) tables_[place].instructions.clear(), tables_[place].next = 0;
    }
  }

 private:
  static constexpr unsigned none = ~0u;
  struct table {
    std::vector<unsigned> instructions;  // in this stretch
    std::size_t next = 0;                // the lane's next one
  };

  unsigned instruction_of(host_access const& access, unsigned lane) {
    place_key const key{access.place, access.instruction, access.bytes, access.array, access.kind};
    if (guess_ >= places.size() || places[guess_] != key) {
      auto const [found, is_new] = numbers_.try_emplace(key, static_cast<unsigned>(places.size()));
      if (is_new) places.push_back(key), tables_.emplace_back();
      guess_ = found->second;
    }
    unsigned const place = guess_++;  // the next access is often at the next place
    table& of = tables_[place];
    if (of.next == of.instructions.size()) {
      if (of.next == 0) touched_.push_back(place);
      of.instructions.push_back(count_);
      if (count_ == instructions_.size()) instructions_.emplace_back();
      warp_instruction& fresh = instructions_[count_++];
      fresh.place = place, fresh.active = fresh.any = 0, fresh.uneven = fresh.unwritten = false;
      followers_.emplace_back();
    }
    unsigned const number = of.instructions[of.next++];
    warp_instruction& mine = instructions_[number];
    mine.active |= std::uint64_t{1} << lane, mine.any |= access.address, mine.address[lane] = access.address;
    mine.unwritten = mine.unwritten || access.unwritten;
    return number;
  }
  /// Takes away instructions that follow none that is left, until only circles are.
  template <class Contradict>
  void find_circle(Contradict const& contradict) const {
    std::vector<unsigned> before(count_), ready;
    for (auto const& list : followers_)
      for (unsigned number : list) ++before[number];
    for (unsigned k = 0; k != count_; ++k)
      if (before[k] == 0) ready.push_back(k);
    std::size_t taken = 0;
    for (; taken != ready.size(); ++taken)
      for (unsigned number : followers_[ready[taken]])
        if (--before[number] == 0) ready.push_back(number);
    if (taken == count_) return;
    unsigned k = 0;
    while (before[k] == 0) ++k;
    contradict(places[instructions_[k].place]);
  }

  std::map<place_key, unsigned> numbers_;
  std::vector<table> tables_;  // of the places
  std::vector<unsigned> touched_;
  std::vector<warp_instruction> instructions_;
  unsigned count_ = 0, guess_ = 0;
  std::vector<std::vector<unsigned>> followers_;  // of the instructions: which some lane issued next
};

}  // namespace coalescing::detail
