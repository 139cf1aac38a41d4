// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/memory.hpp>
#include <coalesce/host/binary/nvidia/warp.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The barriers of a block. They decide which writes of other warps a warp surely sees. (PTX ISA 9.0, "bar, barrier": a
// block has 16 barriers. A barrier completes when as many threads have arrived as the instruction says, or all threads
// of the block. Warps arrive as a whole, so lanes that have exited, or that the block lacks, count too.)

namespace coalescing::sass {

/// Which writes a warp surely sees at some moment.
struct warp_view {
  binary::moment now = {};  ///< `now.barriers` is the warp's own clock: at how many barriers it has arrived
  std::vector<std::uint32_t> const* seen = nullptr;

  [[nodiscard]] binary::moment const& when() const { return now; }
  [[nodiscard]] bool sees(binary::writers const& then) const {
    bool all = then.block == now.block;
    for (unsigned k = 0; k != seen->size() && k != 32; ++k)
      all = all && ((then.waves >> k & 1) == 0 || k == now.wave || then.barriers < (*seen)[k]);
    return all;
  }
};

/// An arrival of a warp's lanes at a barrier.
struct arrival {
  unsigned barrier = 0;
  std::uint64_t threads = 0;  ///< how many threads the barrier waits for; 0: all threads of the block
  std::uint32_t lanes = 0;
  std::uint32_t absent = 0;  ///< the lanes of the warp that have exited
  value reduced = exact(0);  ///< for BAR.RED: the number of lanes whose predicate is true
  bool is_all = false;       ///< the instruction is BAR.RED.AND, which asks whether all predicates are true
};

/// Barriers as vector clocks. Each warp has a clock, which moves on when the warp arrives at a barrier. Each warp also
/// keeps a number for each other warp: the clock up to which it has seen that warp's writes. When a barrier completes,
/// the warps that waited have seen all that the warps that arrived had written or seen.
class barrier_unit {
 public:
  static constexpr unsigned of_cluster = 16, count = 17;

  void begin_block(std::size_t warps) {
    clocks_.assign(warps, 0), seen_.assign(warps, std::vector<std::uint32_t>(warps));
    barriers_.assign(count, {});
    for (state& each : barriers_) each.before.assign(warps, 0);
  }
  [[nodiscard]] warp_view view(std::uint32_t block, unsigned warp) const {
    return {{block, clocks_[warp], warp, 0}, &seen_[warp]};
  }
  /// BAR.ARV: the warp arrives and does not wait. Returns whether as many threads have arrived as `how` states; false
  /// if the barrier waits for the whole block (complete_whole).
  [[nodiscard]] bool arrive(unsigned warp, arrival const& how) {
    state& at = barriers_[how.barrier];
    for (std::size_t k = 0; k != at.before.size(); ++k) at.before[k] = std::max(at.before[k], seen_[warp][k]);
    at.before[warp] = ++clocks_[warp];
    at.needed = how.threads, at.is_all = how.is_all;
    at.reduced = binary::of_known([](u64 x, u64 y, u64) { return x + y; }, 64, at.reduced, how.reduced);
    at.arrived += static_cast<unsigned>(std::popcount(how.lanes));
    if ((at.warps >> warp & 1) == 0) at.absent += static_cast<unsigned>(std::popcount(how.absent));
    at.warps |= u64{1} << warp;
    return at.needed != 0 && at.arrived + at.absent >= at.needed;
  }
  /// BAR.SYNC, and the wait for the cluster: the warp arrives, and the lanes in the mask `lanes` wait. Returns the same
  /// as arrive().
  [[nodiscard]] bool wait(warp& w, arrival const& how, std::uint32_t lanes) {
    for (unsigned k = 0; k != warp_lanes; ++k)
      if ((lanes >> k & 1) != 0) w.lanes[k].waits = waits_for::block, w.lanes[k].barrier = how.barrier;
    return arrive(w.number, how);
  }
  /// Completes a barrier: the lanes that wait at it go on, and it is ready for the next arrivals.
  void complete(std::vector<warp>& warps, unsigned barrier) {
    state& at = barriers_[barrier];
    for (warp const& w : warps)  // a warp that ended before its EXIT might have arrived, with an unknown predicate
      if (w.ended != 0) at.reduced = binary::unknown(w.ended);
    u64 const all = at.arrived;
    value const is_all = binary::of_known([all](u64 x, u64, u64) { return u64{x == all}; }, 64, at.reduced),
                is_any = binary::of_known([](u64 x, u64, u64) { return u64{x != 0}; }, 64, at.reduced);
    for (warp& w : warps) {
      bool waited = false;
      for (lane_state& lane : w.lanes)
        if (!lane.has_exited && lane.waits == waits_for::block && lane.barrier == barrier)
          lane.waits = waits_for::nothing, ++lane.counter, waited = true;
      if (!waited) continue;
      w.reduced[0] = at.reduced, w.reduced[1] = at.is_all ? is_all : is_any;
      for (std::size_t k = 0; k != at.before.size(); ++k)
        seen_[w.number][k] = std::max(seen_[w.number][k], at.before[k]);
    }
    at.needed = at.arrived = at.absent = at.warps = 0, at.reduced = exact(0);
    std::fill(at.before.begin(), at.before.end(), 0u);
  }
  /// If all lanes that have not exited wait at the same barrier of the whole block, completes that barrier. Returns its
  /// number, or -1.
  [[nodiscard]] int complete_whole(std::vector<warp>& warps) {
    int found = -1;
    for (warp const& w : warps)
      for (lane_state const& lane : w.lanes) {
        if (lane.has_exited) continue;
        bool const waits = lane.waits == waits_for::block && barriers_[lane.barrier].needed == 0;
        if (!waits || (found >= 0 && found != static_cast<int>(lane.barrier))) return -1;
        found = static_cast<int>(lane.barrier);
      }
    if (found >= 0) complete(warps, static_cast<unsigned>(found));
    return found;
  }
  /// If some warp could not be followed to its EXIT, completes the first barrier at which lanes wait, as if that warp
  /// had arrived. Returns the barrier's number, or -1 if there is none.
  [[nodiscard]] int complete_without_ended(std::vector<warp>& warps) {
    bool has_ended = false;
    unsigned first = count;
    for (warp const& w : warps) {
      has_ended = has_ended || w.ended != 0;
      for (lane_state const& lane : w.lanes)
        if (!lane.has_exited && lane.waits == waits_for::block) first = std::min(first, lane.barrier);
    }
    if (!has_ended || first == count) return -1;
    complete(warps, first);
    return static_cast<int>(first);
  }
  /// Says in words which barriers have arrivals but do not complete.
  [[nodiscard]] std::string waiting() const {
    std::string text;
    for (unsigned k = 0; k != count; ++k)
      if (state const& at = barriers_[k]; at.arrived != 0)
        text += (text.empty() ? "" : "; ") +
                (k == of_cluster ? std::string("the cluster's barrier") : "barrier " + std::to_string(k)) + " has " +
                std::to_string(at.needed != 0 ? at.arrived + at.absent : at.arrived) + " threads" +
                (at.needed != 0 ? " of " + std::to_string(at.needed) : ", and not all of the block");
    return text;
  }

 private:
  struct state {
    std::uint64_t needed = 0, arrived = 0;
    std::uint64_t warps = 0, absent = 0;  ///< a mask of the warps that have arrived, and how many lanes these lack
    value reduced = exact(0);
    bool is_all = false;
    std::vector<std::uint32_t> before = {};  ///< for each warp: its writes up to this clock come before the barrier
  };
  std::vector<std::uint32_t> clocks_;
  std::vector<std::vector<std::uint32_t>> seen_;
  std::vector<state> barriers_;
};

}  // namespace coalescing::sass
