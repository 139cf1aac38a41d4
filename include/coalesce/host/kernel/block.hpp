// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/fibers.hpp>
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/memory.hpp>
#include <coalesce/host/kernel/program.hpp>
#include <coalesce/host/kernel/refusals.hpp>

#include <boost/context/fiber.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

// A block of threads. A warp's lanes run one after the other, each until it ends, or waits at a barrier or for other
// lanes of its warp. The next warp runs when no lane of this one can. So only one warp's accesses since the last
// barrier have to be kept at a time.

namespace coalescing::detail {

class block_on_host {
 public:
  block_on_host(host_run& run, host_program& program, host_stacks& stacks)
      : run_(run), program_(program), memory_(run, program), stacks_(stacks), accesses_(run.lanes) {}
  block_on_host(block_on_host const&) = delete;
  block_on_host& operator=(block_on_host const&) = delete;
  /// Threads that stopped at a refusal are not resumed. (Their frames are not unwound, since compilers leave out what
  /// that needs.)
  ~block_on_host() {
    for (host_lane& lane : lanes_) {
      alignas(boost::context::fiber) unsigned char never_ends[sizeof(boost::context::fiber)];
      new (never_ends) boost::context::fiber(std::move(lane.continues));
    }
  }

  void run(place const& block) {
    block_ = block;
    begin();
    for (std::uint64_t barriers = 0;; ++barriers) {
      for (unsigned first = 0; first < lanes_.size(); first += run_.lanes) run_warp(first);
      if (!pass_barrier(barriers)) return;
    }
  }

  // ---- called by the running lane ----

  void note(std::uint64_t address, unsigned bytes, touch kind, void const* place,
            issued_instruction const* instruction) {
    if (lanes_[now_].stack.has(address)) return;
    host_array const* const array = memory_.array_of(address, bytes);
    auto const at = reinterpret_cast<std::uint64_t>(place);
    if (array == nullptr) {
      if (!memory_.is_private(address))
        fail_of_values(
            [=, this, thread = now_] { refused::access_lies_outside_every_array(thread_at(thread, at), bytes); },
            place);
      return;
    }
    auto& list = accesses_[running.lane];
    if (list.size() >= run_.most_accesses)
      fail_of_values([=, this, thread = now_] { refused::thread_waits_for_another(thread_at(thread, at)); }, place);
    auto const number = static_cast<unsigned>(array - run_.arrays.data());
    bool const unwritten =
        array->space == memory_space::shared && !memory_.touch(number, address - array->begin, bytes, kind);
    list.push_back({at, array->base + (address - array->begin), bytes, number, kind, instruction, unwritten});
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
    if (++lane.exchanges > run_.most_accesses)
      fail_of_values([=, this, thread = now_] { refused::thread_waits_for_another(thread_at(thread, place)); }, place);
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
  // ---- Fibers ----

  void begin() {
    auto const threads = static_cast<unsigned>(detail::threads_of(run_.threads.block));
    lanes_.clear(), lanes_.resize(threads);
    for (unsigned k = 0; k != threads; ++k) {
      host_lane& lane = lanes_[k];
      lane.stack = stacks_[k];
      place const at = detail::place_of(k, run_.threads.block);
      lane.thread = {at.x, at.y, at.z};
      lane.continues = boost::context::fiber(std::allocator_arg, kept_stack{lane.stack},
                                             [this, k](boost::context::fiber&& scheduler) {
                                               scheduler_ = std::move(scheduler);
                                               running.is_noted = true;
                                               run_.call(run_.arguments);
                                               running.is_noted = false;
                                               lanes_[k].state = lane_state::left;
                                               return std::move(scheduler_);
                                             });
    }
  }
  void resume(unsigned index) {
    now_ = index;
    running.lane = index % run_.lanes, running.thread = lanes_[index].thread;
    lanes_[index].continues = std::move(lanes_[index].continues).resume();
    if (failure_ && depends_on_values_) look_for_lockstep(index);
    if (failure_) failure_();
  }
  void wait(lane_state state, void const* place) {
    host_lane& lane = lanes_[now_];
    lane.state = state, lane.place = place;
    scheduler_ = std::move(scheduler_).resume();
  }
  /// Ends the run. The refusal is made outside the fiber.
  template <class Refusal>
  [[noreturn]] void fail(Refusal const& refusal) {
    failure_ = refusal;
    scheduler_ = std::move(scheduler_).resume();
    std::abort();  // it is not resumed
  }
  /// Ends the run with a refusal that may be due to the values that the lane has read.
  template <class Refusal>
  [[noreturn]] void fail_of_values(Refusal const& refusal, void const* place) {
    depends_on_values_ = true, lanes_[now_].place = place;
    fail(refusal);
  }

  // ---- Code that relies on lockstep ----

  /// Lets the other lanes of the warp run on, and refuses code that relies on lockstep, if that may be why one of them
  /// has failed: the lane has read what another one writes before they exchange values.
  void look_for_lockstep(unsigned failed) {
    auto const reason = std::move(failure_);
    unsigned const first = failed - failed % run_.lanes;
    lanes_[failed].state = lane_state::failed;
    depends_on_values_ = false;
    for (unsigned k = first; k != first + run_.lanes && k < lanes_.size(); ++k) {
      if (lanes_[k].state != lane_state::runs) continue;
      now_ = k, running.lane = k % run_.lanes, running.thread = lanes_[k].thread;
      lanes_[k].continues = std::move(lanes_[k].continues).resume();
      if (failure_) lanes_[k].state = lane_state::failed;  // for any reason
      failure_ = nullptr, depends_on_values_ = false;
    }
    refuse_lockstep(failed);
    failure_ = reason;
  }
  void refuse_lockstep(unsigned failed) const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<unsigned, std::uint64_t>>
        writes;  // by stretch and byte
    auto const each = [&](unsigned lane, auto const& see) {
      std::uint64_t stretch = 0;
      for (host_access const& one : accesses_[lane])
        if (one.place == 0)
          ++stretch;
        else if (run_.arrays[one.array].space == memory_space::shared)
          for (unsigned k = 0; k != one.bytes; ++k) see(one, std::pair{stretch, one.address + k});
    };
    for (unsigned lane = 0; lane != run_.lanes; ++lane)
      if (lane != failed % run_.lanes)
        each(lane, [&](host_access const& one, auto const& key) {
          if (one.kind == touch::store) writes.try_emplace(key, lane, one.place);
        });
    auto const words = [this](std::uint64_t place) {
      host_line const& line = line_of(reinterpret_cast<void const*>(place));
      if (line.line == 0) return std::string();
      return " at " + line.file.substr(line.file.rfind('/') + 1) + ":" + std::to_string(line.line);
    };
    each(failed % run_.lanes, [&](host_access const& one, auto const& key) {
      auto const found = writes.find(key);
      if (one.kind == touch::load && found != writes.end())
        refused::lanes_rely_on_lockstep(thread_at(failed, lanes_[failed].place), run_.arrays[one.array].name,
                                        words(one.place), found->second.first, words(found->second.second));
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
    do {
      for (unsigned k = first; k != first + run_.lanes && k < lanes_.size(); ++k)
        if (lanes_[k].state == lane_state::runs) resume(k);
    } while (end_exchanges(first));
    if (lanes_in(first, lane_state::at_exchange) != 0) refuse_exchange(first);
    run_.see_warp({block_, first / run_.lanes, accesses_});
  }
  /// Lets lanes go on whose exchange is complete. Returns whether there are any.
  bool end_exchanges(unsigned first) {
    std::uint64_t const wait = lanes_in(first, lane_state::at_exchange), left = lanes_in(first, lane_state::left);
    std::uint64_t const all = wait | left | lanes_in(first, lane_state::at_barrier);
    std::uint64_t ended = 0;
    bool const has_new = std::any_of(accesses_.begin(), accesses_.end(),
                                     [](auto const& list) { return !list.empty() && list.back().place != 0; });
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
        if ((here | left) == all && has_new) accesses_[j].push_back({});  // all lanes are together here
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
  /// Lets the threads go on after the barrier. Returns whether there are any.
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
      if (lane.place != lanes_[waits].place && !is_one_line(lane.place, lanes_[waits].place))
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
  bool is_one_line(void const* a, void const* b) {
    host_line const& x = line_of(a);
    host_line const& y = line_of(b);
    return x.line != 0 && x.line == y.line && x.file == y.file;
  }

  // ---- Words ----

  host_line const& line_of(void const* place) const { return program_.line(reinterpret_cast<std::uint64_t>(place)); }
  std::string thread_at(unsigned index, std::uint64_t place) const {
    return thread_at(index, reinterpret_cast<void const*>(place));
  }
  /// file:line, block (0,0,0), thread (1,0,0)
  std::string thread_at(unsigned index, void const* place) const {
    std::string words;
    if (place != nullptr) {
      host_line const& line = line_of(place);
      words = line.file.substr(line.file.rfind('/') + 1) + ":" + std::to_string(line.line) + ", ";
    }
    auto const put = [&words](char const* name, unsigned x, unsigned y, unsigned z) {
      words += name + ("(" + std::to_string(x)) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
    };
    put("block ", block_.x, block_.y, block_.z);
    put(", thread ", lanes_[index].thread.x, lanes_[index].thread.y, lanes_[index].thread.z);
    return words;
  }

  static constexpr unsigned none = ~0u;
  host_run& run_;
  host_program& program_;
  host_memory memory_;
  host_stacks& stacks_;
  std::vector<std::vector<host_access>> accesses_;  // of the lanes of the warp that runs
  std::vector<host_lane> lanes_;                    // of the block
  boost::context::fiber scheduler_;
  std::function<void()> failure_;
  bool depends_on_values_ = false;  // the failure may depend on values that the lane read
  place block_ = {};
  unsigned now_ = 0, votes_ = 0;
};

}  // namespace coalescing::detail
