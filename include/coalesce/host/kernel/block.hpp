// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/fibers.hpp>
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/memory.hpp>
#include <coalesce/host/kernel/program.hpp>
#include <coalesce/host/kernel/refusals.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Runs a block of threads. A warp's lanes run one after the other, each until it ends, or waits at a barrier or for
// other lanes of its warp. The next warp runs when no lane of this warp can run on. So the accesses since the last
// barrier have to be kept for only one warp at a time.

namespace coalescing::detail {

class block_on_host : fibers_of_block {
 public:
  block_on_host(host_run& run, host_program& program, kept_for_blocks& kept)
      : fibers_of_block(run, kept), program_(program), memory_(run, program), accesses_(kept.accesses) {
    accesses_.resize(run.lanes);
  }

  void run(place const& block) {
    block_ = block;
    begin_threads();
    for (std::uint64_t barriers = 0;; ++barriers) {
      for (unsigned first = 0; first < lanes_.size(); first += run_.lanes) run_warp(first);
      if (!pass_barrier(barriers)) return;
    }
  }

  // ---- called by the running lane ----

  void begin_block(void const* place) {
    auto& list = accesses_[running.lane];
    if (list.size() >= run_.most_accesses) fail_of_values(place, refused::thread_waits_for_another);
    // The calls that a lane makes before its first basic block are dropped. They are the same for all lanes, but the
    // program's first lane has not recorded them: blocks_are_told is false until the first basic block. If the other
    // lanes kept these calls, one basic block would have two hashes.
    host_lane& lane = lanes_[now_];
    if (!std::exchange(lane.has_told_a_block, true)) lane.calls.clear();
    host_access& made = list.emplace_back();
    made.address = reinterpret_cast<std::uint64_t>(place) ^ lane.calls_so_far(), made.is = entry::block;
    lane.returned = 0;
  }
  void call(void const* caller) {
    host_lane& lane = lanes_[now_];
    lane.calls.push_back((lane.calls_so_far() ^ reinterpret_cast<std::uint64_t>(caller)) * 0x9e3779b97f4a7c15);
  }
  void leave() {
    host_lane& lane = lanes_[now_];
    if (lane.calls.empty()) return;
    lane.returned = ~lane.calls.back(), lane.calls.pop_back();
  }
  void note_copy(std::uint64_t address, std::uint64_t bytes, touch kind, void const* place) {
    if (bytes > ~0u)
      fail_of_values(place, [bytes](auto const& thread) { refused::thread_copies_too_many_bytes(thread, bytes); });
    note(address, static_cast<unsigned>(bytes), kind, place, nullptr, true);
  }
  void note(std::uint64_t address, unsigned bytes, touch kind, void const* place, issued_instruction const* instruction,
            bool is_copy = false) {
    if (lanes_[now_].stack.has(address) || memory_.is_given(address)) return;
    unsigned const at =
        memory_.place_of(address, bytes, kind, reinterpret_cast<std::uint64_t>(place), instruction, is_copy);
    if (at == host_places::none) {
      if (!memory_.is_constant(address))
        fail_of_values(place, [=, this](auto const& thread) {
          refused::access_lies_outside_every_array(thread, bytes, run_.tell_of ? run_.tell_of(address) : "");
        });
      return;
    }
    auto& list = accesses_[running.lane];
    if (list.size() >= run_.most_accesses) fail_of_values(place, refused::thread_waits_for_another);
    unsigned const number = run_.places[at].array;
    host_array const& array = run_.arrays[number];
    bool const unwritten =
        array.space == memory_space::shared && !memory_.touch(number, address - array.begin, bytes, kind);
    // A virtual call may have led lanes to different functions. They are together again where these functions return,
    // but no basic block begins there. So the rest of the caller's block is listed as a block of its own.
    if (std::uint64_t const returned = std::exchange(lanes_[now_].returned, 0); returned != 0) {
      host_access& after = list.emplace_back();
      after.address = returned, after.is = entry::block;
    }
    // The members are written directly into the list. If an entry were made first and then copied, note() would take
    // twice as long, since the processor would wait until all parts of the entry are written.
    host_access& made = list.emplace_back();
    made.address = array.base + (address - array.begin), made.place = at;
    made.is = entry::access, made.unwritten = unwritten;
  }
  unsigned barrier(bool vote, void const* place) {
    lanes_[now_].vote = vote, lanes_[now_].exchanges = 0;
    wait(lane_state::at_barrier, place);
    return votes_;
  }
  std::uint64_t exchange(std::uint64_t mask, void const* given, unsigned bytes, void const* place) {
    host_lane& lane = lanes_[now_];
    if (bytes > sizeof lane.given) fail([] { refused::lanes_exchange_too_many_bytes(); });
    if (mask != 0 && (mask >> running.lane & 1) == 0)
      fail([=, this] { refused::mask_leaves_out_the_lane_itself(thread_at(now_, place)); });
    if (++lane.exchanges > run_.most_accesses) fail_of_values(place, refused::thread_waits_for_another);
    lane.asked = mask;
    std::memcpy(lane.given, given, bytes);
    wait(lane_state::at_exchange, place);
    return lanes_[now_].present;
  }
  void taken(unsigned lane, void* to, unsigned bytes, void const* place) {
    if ((lanes_[now_].present >> lane & 1) == 0)
      fail([=, this] { refused::lane_is_not_there(thread_at(now_, place), lane); });
    std::memcpy(to, lanes_[now_ - running.lane + lane].taken, bytes);
  }
  host_program const& program() const { return program_; }

 private:
  using entry = host_access::entry;

  // ---- Failures ----

  void run_thread(unsigned index) {
    resume(index);
    if (failure_ && depends_on_values_) look_for_lockstep(now_);
    if (failure_) failure_();
  }
  /// Ends the run with a refusal, which is thrown outside the lane's fiber.
  template <class Refusal>
  [[noreturn]] void fail(Refusal const& refusal) {
    failure_ = refusal;
    stop();
  }
  /// Ends the run with refusal(thread). The lane may have failed because it has read a wrong value. look_for_lockstep()
  /// finds that out.
  template <class Refusal>
  [[noreturn]] void fail_of_values(void const* place, Refusal const& refusal) {
    depends_on_values_ = true, lanes_[now_].place = place;
    fail([=, this, thread = now_] { refusal(thread_at(thread, place)); });
  }

  // ---- Code that relies on lockstep ----

  /// Called after a lane has failed. The code may rely on lockstep: the lane may have read a byte of shared memory that
  /// another lane of the warp writes later, with no exchange of values between. To find that out, the other lanes run
  /// on. If one of them writes such a byte, the refusal says that the code relies on lockstep. Otherwise the refusal is
  /// the lane's own failure.
  void look_for_lockstep(unsigned failed) {
    auto const reason = std::move(failure_);
    unsigned const first = failed - failed % run_.lanes;
    lanes_[failed].state = lane_state::failed;
    depends_on_values_ = false;
    for (unsigned k = first; k != first + run_.lanes && k < lanes_.size(); ++k) {
      if (lanes_[k].state != lane_state::runs) continue;
      resume(k);
      if (failure_) lanes_[now_].state = lane_state::failed;  // the refusal is about the lane that failed first
      failure_ = nullptr, depends_on_values_ = false;
    }
    refuse_lockstep(failed);
    failure_ = reason;
  }
  void refuse_lockstep(unsigned failed) const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<unsigned, std::uint64_t>>
        writes;  // for each byte and each stretch between two exchanges: the first lane that writes the byte, and where
    auto const each = [&](unsigned lane, auto const& see) {
      each_access(lane, [&](host_access const& one, std::uint64_t stretch) {
        host_place const& place = run_.places[one.place];
        if (run_.arrays[place.array].space != memory_space::shared) return;
        for (unsigned k = 0; k != place.bytes; ++k) see(place, std::pair{stretch, one.address + k});
      });
    };
    for (unsigned lane = 0; lane != run_.lanes; ++lane)
      if (lane != failed % run_.lanes)
        each(lane, [&](host_place const& one, auto const& key) {
          if (one.kind == touch::store) writes.try_emplace(key, lane, one.address);
        });
    auto const words = [this](std::uint64_t place) {
      host_line const& line = program_.line(place);
      return line.line == 0 ? "" : " at " + line.words();
    };
    each(failed % run_.lanes, [&](host_place const& one, auto const& key) {
      auto const found = writes.find(key);
      if (one.kind == touch::load && found != writes.end())
        refused::lanes_rely_on_lockstep(thread_at(failed, lanes_[failed].place), run_.arrays[one.array].name,
                                        words(one.address), found->second.first, words(found->second.second));
    });
  }

  // ---- Warps ----

  std::uint64_t lanes_in(unsigned first, lane_state state) const {
    std::uint64_t mask = 0;
    for (unsigned k = 0; k != run_.lanes && first + k < lanes_.size(); ++k)
      mask |= std::uint64_t{lanes_[first + k].state == state} << k;
    return mask;
  }
  void run_warp(unsigned first) {
    for (auto& list : accesses_) list.clear();
    marks_.assign(run_.lanes, 0);
    do {
      for (unsigned k = first; k != first + run_.lanes && k < lanes_.size(); ++k)
        if (lanes_[k].state == lane_state::runs) run_thread(k);
    } while (end_exchanges(first));
    if (lanes_in(first, lane_state::at_exchange) != 0) refuse_exchange(first);
    remove_early_marks();
    run_.see_warp({block_, first / run_.lanes, run_.places, accesses_});
  }
  /// Calls see(access, stretch) for each access of a lane. A stretch is what a lane does between two marks; they are
  /// numbered from 0.
  template <class See>
  void each_access(unsigned lane, See const& see) const {
    std::uint64_t stretch = 0;
    for (host_access const& one : accesses_[lane])
      if (one.is == entry::together)
        ++stretch;
      else if (one.is == entry::access)
        see(one, stretch);
  }
  /// Removes the marks at which not all lanes are together. A lane that waits for no exchange runs to its end before
  /// the other lanes go on. So it may have made an access that they make only after some exchanges. They make it
  /// together, so they are not together at those exchanges. A lane that has ended lacks the marks after its last
  /// stretch.
  void remove_early_marks() {
    constexpr std::uint64_t never = ~std::uint64_t{0};
    auto const [least, most] = std::minmax_element(marks_.begin(), marks_.end());
    if (*least == *most) return;
    std::set<std::uint64_t> early;
    for (std::uint64_t const last : std::set(marks_.begin(), marks_.end())) {  // the last stretch of lanes that end
      if (last == *most) break;
      std::map<std::uint64_t, std::uint64_t> next;  // for each place there: the stretch in which others access it next
      for (unsigned lane = 0; lane != run_.lanes; ++lane)
        if (marks_[lane] == last)
          each_access(lane, [&](host_access const& one, std::uint64_t stretch) {
            if (stretch == last) next.emplace(run_.places[one.place].address, never);
          });
      for (unsigned lane = 0; lane != run_.lanes && !next.empty(); ++lane)
        if (marks_[lane] > last)
          each_access(lane, [&](host_access const& one, std::uint64_t stretch) {
            auto const found = next.find(run_.places[one.place].address);
            if (found != next.end() && stretch >= last) found->second = std::min(found->second, stretch);
          });
      for (auto const& [place, stretch] : next)
        if (stretch != never)
          for (std::uint64_t mark = last; mark != stretch; ++mark) early.insert(mark);
    }
    if (early.empty()) return;
    for (auto& list : accesses_) {
      std::uint64_t mark = 0;
      std::erase_if(list,
                    [&](host_access const& one) { return one.is == entry::together && early.count(mark++) != 0; });
    }
  }
  /// Lets lanes go on if their exchange is complete. Returns whether any lane goes on.
  bool end_exchanges(unsigned first) {
    std::uint64_t const wait = lanes_in(first, lane_state::at_exchange), left = lanes_in(first, lane_state::left);
    std::uint64_t const all = wait | left | lanes_in(first, lane_state::at_barrier);
    std::uint64_t ended = 0;
    bool const has_new = std::any_of(accesses_.begin(), accesses_.end(), [](auto const& list) {
      return !list.empty() && list.back().is != entry::together;
    });
    for (unsigned k = 0; k != run_.lanes; ++k) {
      if (((wait & ~ended) >> k & 1) == 0) continue;
      host_lane const& one = lanes_[first + k];
      std::uint64_t here = 0;
      for (unsigned j = 0; j != run_.lanes; ++j) {
        if ((wait >> j & 1) == 0) continue;
        host_lane const& other = lanes_[first + j];
        here |= std::uint64_t{other.asked == one.asked && (one.asked != 0 || other.place == one.place)} << j;
      }
      if (one.asked != 0 && (one.asked & all & ~left & ~here) != 0) continue;
      ended |= here;
      for (unsigned j = 0; j != run_.lanes; ++j) {
        if ((here >> j & 1) == 0) continue;
        host_lane& member = lanes_[first + j];
        member.present = here, member.state = lane_state::runs;
        std::memcpy(member.taken, member.given, sizeof member.given);
        if ((here | left) != all || !has_new) continue;
        accesses_[j].push_back({}), ++marks_[j];  // a mark: the warp's lanes are together here
      }
    }
    return ended != 0;
  }
  [[noreturn]] void refuse_exchange(unsigned first) const {
    std::uint64_t const wait = lanes_in(first, lane_state::at_exchange);
    unsigned k = 0;
    while ((wait >> k & 1) == 0) ++k;
    host_lane const& lane = lanes_[first + k];
    refused::lanes_of_the_mask_do_not_come(thread_at(first + k, lane.place),
                                           lane.asked & ~wait & ~lanes_in(first, lane_state::left));
  }
  /// Lets the threads go on after the barrier. Returns whether any thread goes on.
  bool pass_barrier(std::uint64_t barriers) {
    unsigned waits = none, left = none, votes = 0;
    for (unsigned k = 0; k != lanes_.size(); ++k) {
      host_lane const& lane = lanes_[k];
      if (lane.state == lane_state::left) {
        left = left == none ? k : left;
        continue;
      }
      votes += lane.vote;
      if (waits == none) waits = k;
      if (lane.place != lanes_[waits].place && !line_of(lane.place).is_line_of(line_of(lanes_[waits].place)))
        refused::threads_wait_at_different_barriers(thread_at(waits, lanes_[waits].place), thread_at(k, lane.place));
    }
    if (waits == none) return false;
    if (barriers == run_.most_barriers)
      refused::block_has_too_many_barriers(thread_at(waits, lanes_[waits].place), barriers);
    if (left != none && !run_.threads_may_leave)
      refused::barrier_is_not_reached_by_all(thread_at(waits, lanes_[waits].place), thread_at(left, nullptr));
    votes_ = votes;
    for (host_lane& lane : lanes_)
      if (lane.state == lane_state::at_barrier) lane.state = lane_state::runs;
    return true;
  }

  // ---- Texts of refusals ----

  host_line const& line_of(void const* place) const { return program_.line(reinterpret_cast<std::uint64_t>(place)); }
  /// A thread in words, such as: file:line, block (0,0,0), thread (1,0,0)
  std::string thread_at(unsigned index, void const* place) const {
    std::string words = place == nullptr ? "" : line_of(place).words() + ", ";
    auto const put = [&words](char const* name, unsigned x, unsigned y, unsigned z) {
      words += name + ("(" + std::to_string(x)) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
    };
    put("block ", block_.x, block_.y, block_.z);
    put(", thread ", lanes_[index].thread.x, lanes_[index].thread.y, lanes_[index].thread.z);
    return words;
  }

  static constexpr unsigned none = ~0u;
  host_program& program_;
  host_memory memory_;
  std::vector<std::vector<host_access>>& accesses_;  // for each lane of the warp that runs
  std::vector<std::uint64_t> marks_;                 // for each of these lists: how many marks it has
  std::function<void()> failure_;
  bool depends_on_values_ = false;  // the failure may depend on values that the lane read
  place block_ = {};
  unsigned votes_ = 0;
};

}  // namespace coalescing::detail
