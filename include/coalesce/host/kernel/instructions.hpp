// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/regroup.hpp>
#include <coalesce/record/visits.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

// Finds which accesses of a warp's lanes are one instruction, by the rule of record/visits.hpp. A visit is one
// instruction of the warp at a place. A stretch is what the lanes do between two points at which they are together. The
// journal (record/journal.hpp) applies the same rule in constant expressions. Here a kernel may come to a place a
// million times, so two things differ. Visits are found in tables, and not in lists. And the orders in which lanes make
// the visits are compared only when all lanes have run, so a refusal for contradicting orders names no lane.

namespace coalescing::detail {

/// A place as its number in host_run::places.
struct numbered_place {
  unsigned number, bytes;
  bool is_same(numbered_place const& other) const { return number == other.number; }
};

/// Finds the instruction of the warp (visit) that a lane joins at a place. For each place, a list has the visits since
/// the lanes were last together.
class search_in_tables {
 public:
  void begin_stretch() {
    for (unsigned const place : touched_) visits_[place].clear();
    touched_.clear();
  }
  static unsigned place_of(grown<numbered_place> const&, numbered_place const& what) { return what.number; }
  template <class Visits>
  unsigned next_of(Visits const& of, unsigned place, unsigned& last) {
    if (place >= visits_.size()) visits_.resize(place + 1);
    auto& list = visits_[place];
    auto const next = std::partition_point(list.begin(), list.end(),
                                           [&of](unsigned k) { return (of.visits[k].asked.active & of.bit) != 0; });
    if (next != list.end()) return *next;
    if (list.empty()) touched_.push_back(place);
    if (!list.empty()) last = list.back();
    list.push_back(of.visits.count);
    return no_index;
  }

 private:
  std::vector<std::vector<unsigned>> visits_;  // for each place: its visits since the lanes were last together
  std::vector<unsigned> touched_;              // the places whose lists are not empty
};

template <unsigned Lanes>
class warp_instructions : visits_of_warp<Lanes, numbered_place, search_in_tables> {
  using base = visits_of_warp<Lanes, numbered_place, search_in_tables>;
  using base::cursor, base::places, base::search, base::visits;

 public:
  using typename base::visit;

  /// Calls take(visit, is_uneven, reads_unwritten) for each instruction of the warp. `visit` has the active lanes and
  /// their addresses, and the number of the place in warp.places. Calls contradict(place) if no single order of the
  /// instructions fits all lanes.
  template <class Take, class Contradict>
  void each(host_warp const& warp, Take const& take, Contradict const& contradict) {
    has_blocks_ = has_blocks_ || has_blocks(warp);
    if (has_blocks_) return each_by_blocks(warp, take);
    while (places.count != warp.places.size()) places.append({places.count, warp.places[places.count].bytes});
    std::vector<std::size_t> at(warp.lanes.size());
    for (bool more = true; more;) {
      this->begin_warp(), search.begin_stretch(), followers_.clear(), unwritten_.clear();
      bool in_order = true;
      more = false;
      for (unsigned k = 0; k != warp.lanes.size(); ++k) {
        auto const& list = warp.lanes[k];
        this->begin_lane(k, k);
        for (; at[k] != list.size() && list[at[k]].is != entry::together; ++at[k])
          in_order = note_access(list[at[k]]) && in_order;
        if (at[k] != list.size()) ++at[k], more = true;
      }
      if (!in_order) find_circle(warp.places, contradict);
      for (unsigned k = 0; k != visits.count; ++k) take(visits[k], this->is_uneven(visits[k]), unwritten_[k]);
    }
  }

 private:
  using entry = host_access::entry;
  /// Whether the list of any lane has basic blocks. A list with basic blocks begins with one.
  static bool has_blocks(host_warp const& warp) {
    return std::any_of(warp.lanes.begin(), warp.lanes.end(),
                       [](auto const& list) { return !list.empty() && list.front().is == entry::block; });
  }
  /// Finds the instructions of a warp whose lists have basic blocks, by the rule of regroup.hpp.
  template <class Take>
  void each_by_blocks(host_warp const& warp, Take const& take) {
    left_.clear();  // (assign() would take longer to compile)
    for (auto const& each : warp.lanes) left_.push_back({each.data(), each.size()});
    for (bool more = true; more;) {
      more = false;
      stretch_.clear();
      for (auto& left : left_) {
        auto const mark =
            std::find_if(left.begin(), left.end(), [](host_access const& one) { return one.is == entry::together; });
        auto const count = static_cast<std::size_t>(mark - left.begin());
        stretch_.push_back(left.first(count));
        more = more || count != left.size();
        left = left.subspan(std::min(left.size(), count + 1));
      }
      regrouping_.each(warp.places, stretch_,
                       [&](std::uint64_t group, auto const& at) { issue(warp.places, group, at, take); });
    }
  }
  /// Calls take() for the lanes that come to a place together: one instruction for each array that they access there,
  /// and one for all arrays in shared memory, which has the place of its first lane.
  template <class Take>
  void issue(host_places const& known, std::uint64_t group, std::vector<host_access const*> const& at,
             Take const& take) {
    for (std::uint64_t left = group; left != 0;) {
      visit made;
      bool unwritten = false;
      made.place = at[static_cast<unsigned>(std::countr_zero(left))]->place;
      for (unsigned k = 0; k != at.size(); ++k) {
        if ((left >> k & 1) == 0) continue;
        host_access const& one = *at[k];
        if (one.place != made.place && !detail::is_one_instruction(known[one.place], known[made.place])) continue;
        made.asked.address[k] = one.address, made.asked.active |= std::uint64_t{1} << k;
        made.any |= one.address, made.all &= one.address, unwritten = unwritten || one.unwritten;
      }
      made.asked.bytes = known[made.place].bytes;
      take(made, false, unwritten);
      left &= ~made.asked.active;
    }
  }
  /// Notes an access as a part of an instruction of the warp (visit). Returns false if this visit has a lower number
  /// than the lane's previous one. Then the order of this lane may contradict the order of an earlier lane.
  bool note_access(host_access const& access) {
    unsigned const last = cursor;
    this->note(places[access.place], access.address, [](numbered_place const&) {});
    if (unwritten_.size() != visits.count) followers_.emplace_back(), unwritten_.push_back(false);
    unwritten_[cursor] = unwritten_[cursor] || access.unwritten;
    if (last == no_index) return true;
    if (followers_[last].empty() || followers_[last].back() != cursor) followers_[last].push_back(cursor);
    return last < cursor;
  }
  /// Looks for a circle in the graph of visits (instructions of the warp). Edges lead from a visit to each visit that
  /// some lane made next. On a circle the lanes contradict each other. Visits to which no edge leads are removed, again
  /// and again, until only circles and what comes after them are left. A walk back from there ends on a circle.
  template <class Contradict>
  void find_circle(host_places const& known, Contradict const& contradict) const {
    std::vector<unsigned> before(visits.count), ready;
    for (auto const& list : followers_)
      for (unsigned const number : list) ++before[number];
    for (unsigned k = 0; k != visits.count; ++k)
      if (before[k] == 0) ready.push_back(k);
    std::size_t taken = 0;
    for (; taken != ready.size(); ++taken)
      for (unsigned const number : followers_[ready[taken]])
        if (--before[number] == 0) ready.push_back(number);
    if (taken == visits.count) return;
    std::vector<unsigned> last(visits.count);  // for each remaining visit: a remaining visit right before it
    unsigned at = 0;
    for (unsigned k = 0; k != visits.count; ++k)
      if (before[k] != 0) {
        at = k;
        for (unsigned const number : followers_[k]) last[number] = k;
      }
    for (unsigned k = 0; k != visits.count; ++k) at = last[at];
    contradict(known[visits[at].place]);
  }

  regrouping regrouping_;
  regrouping::accesses left_;     // for each lane: the accesses that are still to be taken
  regrouping::accesses stretch_;  // for each lane: the accesses up to the next point at which lanes are together
  bool has_blocks_ = false;       // whether the lists of some warp had basic blocks
  std::vector<std::vector<unsigned>> followers_;  // for each visit (instruction): those that some lane made next
  std::vector<bool> unwritten_;  // for each visit: whether a lane reads shared memory that nothing has written
};

}  // namespace coalescing::detail
