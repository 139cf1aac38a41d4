// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/program.hpp>

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>

#include <sys/mman.h>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

// The threads of a block are fibers of Boost.Context. A thread that ends without waiting leaves its fiber to the next
// thread of its warp, so that a kernel without barriers runs on one fiber for each warp.

namespace coalescing::detail {

/// The fibers' stacks. A thread of a GPU has at most 512 KiB of local memory (CUDA C++ Programming Guide, Technical
/// Specifications per Compute Capability). A stack has twice as much, and below it as much that nothing may access, so
/// that a thread which needs more ends the program, and changes no other thread's variables. The system provides memory
/// only for the parts that are touched.
class host_stacks {
 public:
  static constexpr std::uint64_t bytes = std::uint64_t{1} << 20;
  byte_range operator[](unsigned index) {
    while (begins_.size() <= index) {
      void* const all = mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (all == MAP_FAILED) throw std::bad_alloc();
      begins_.push_back(all);
      if (mprotect(static_cast<char*>(all) + bytes, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    }
    auto const begin = reinterpret_cast<std::uint64_t>(begins_[index]) + bytes;
    return {begin, begin + bytes};
  }
  ~host_stacks() {
    for (void* begin : begins_) munmap(begin, 2 * bytes);
  }

 private:
  std::vector<void*> begins_;  // each with the part below it that nothing may access
};

/// How many unused bytes lie on each side of an array: as many as 2^31 floats have. A signed 32-bit index into an array
/// of floats cannot reach past them.
inline constexpr std::uint64_t guard_on_host = std::uint64_t{1} << 33;
void* reserve_on_host(std::uint64_t bytes) {
  void* const all =
      mmap(nullptr, bytes + 2 * guard_on_host, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  void* const memory = static_cast<char*>(all) + guard_on_host;
  if (bytes != 0 && mprotect(memory, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  return memory;
}
void release_on_host(void* memory, std::uint64_t bytes) {
  munmap(static_cast<char*>(memory) - guard_on_host, bytes + 2 * guard_on_host);
}

/// Gives Boost.Context a stack that exists already, so that it allocates no new one.
struct kept_stack {
  byte_range memory;
  boost::context::stack_context allocate() const {
    boost::context::stack_context made;
    made.size = memory.end - memory.begin, made.sp = reinterpret_cast<void*>(memory.end);
    return made;
  }
  void deallocate(boost::context::stack_context&) const {}
};

enum class lane_state { runs, at_barrier, at_exchange, left, failed };

struct host_lane {
  boost::context::fiber continues;
  byte_range stack;
  lane_state state = lane_state::runs;
  bool has_begun = false;
  host::uint3 thread = {};
  bool vote = false;
  void const* place = nullptr;  ///< the call at which the lane waits
  std::uint64_t asked = 0;      ///< the mask of the lane's exchange; 0: all lanes that wait at the same call
  std::uint64_t present = 0;    ///< the mask of the lanes that took part in its last exchange
  std::uint64_t exchanges = 0;  ///< how many exchanges the lane has made since the last barrier
  bool has_told_a_block = false;
  /// The function calls that the lane is in, the outermost first. Each entry is a hash of that call and of all calls
  /// before it in the list.
  std::vector<std::uint64_t> calls = {};
  /// After a call has returned into the middle of a basic block: a number for the rest of that block, which note()
  /// lists like a basic block. 0: no call has returned since the lane last began a basic block or accessed memory.
  std::uint64_t returned = 0;
  unsigned char given[16] = {}, taken[16] = {};
  [[nodiscard]] std::uint64_t calls_so_far() const { return calls.empty() ? 0 : calls.back(); }
};

/// Memory that is allocated once: each block takes it over from the block before it.
struct kept_for_blocks {
  host_stacks stacks;
  std::vector<host_lane> lanes;
  std::vector<std::vector<host_access>> accesses;
};

/// The threads of a block. One of them runs at a time, until it ends or waits.
class fibers_of_block {
 protected:
  fibers_of_block(host_run& run, kept_for_blocks& kept) : run_(run), lanes_(kept.lanes), stacks_(kept.stacks) {}
  fibers_of_block(fibers_of_block const&) = delete;
  fibers_of_block& operator=(fibers_of_block const&) = delete;
  /// Does not destroy the fibers of threads that stopped at a refusal. (Destroying such a fiber would unwind its
  /// frames, and compilers leave out what unwinding needs.)
  ~fibers_of_block() {
    for (host_lane& lane : lanes_) {
      alignas(boost::context::fiber) unsigned char never_ends[sizeof(boost::context::fiber)];
      new (never_ends) boost::context::fiber(std::move(lane.continues));
    }
  }

  void begin_threads() {
    auto const threads = static_cast<unsigned>(detail::threads_of(run_.threads.block));
    lanes_.resize(threads);
    host::uint3 at = {};
    for (host_lane& lane : lanes_) {
      auto calls = std::move(lane.calls);  // so that the vector keeps its memory
      calls.clear();
      lane = {}, lane.thread = at, lane.calls = std::move(calls);
      if (++at.x != run_.threads.block.x) continue;
      at.x = 0;
      if (++at.y == run_.threads.block.y) at.y = 0, ++at.z;
    }
  }
  /// Lets a thread run until it ends or waits. If the thread ends, the next thread of its warp runs, unless that next
  /// thread has begun already.
  void resume(unsigned index) {
    if (!lanes_[index].has_begun) {
      begin(index, stacks_[index]);
      lanes_[index].continues = boost::context::fiber(std::allocator_arg, kept_stack{lanes_[index].stack},
                                                      [this](boost::context::fiber&& scheduler) {
                                                        scheduler_ = std::move(scheduler);
                                                        run_threads();
                                                        return std::move(scheduler_);
                                                      });
    }
    make_running(index);
    boost::context::fiber rest = std::move(lanes_[index].continues).resume();
    lanes_[now_].continues = std::move(rest);
  }
  /// Makes the running thread wait until it is resumed.
  void wait(lane_state state, void const* place) {
    lanes_[now_].state = state, lanes_[now_].place = place;
    scheduler_ = std::move(scheduler_).resume();
  }
  /// Ends the running thread where it is.
  [[noreturn]] void stop() {
    scheduler_ = std::move(scheduler_).resume();
    std::abort();  // a stopped thread is never resumed
  }

  host_run& run_;
  std::vector<host_lane>& lanes_;  // the threads of the block
  unsigned now_ = 0;               // the index of the thread that runs

 private:
  void begin(unsigned index, byte_range const& stack) { lanes_[index].has_begun = true, lanes_[index].stack = stack; }
  void make_running(unsigned index) {
    now_ = index;
    running.lane = index % run_.lanes, running.thread = lanes_[index].thread;
  }
  /// Runs the thread now_. When a thread ends, the next thread of its warp runs on the same fiber, unless that next
  /// thread has begun already.
  void run_threads() {
    while (true) {
      running.is_noted = !run_.is_quiet;
      run_.call(run_.arguments);
      running.is_noted = false;
      lanes_[now_].state = lane_state::left;
      unsigned const next = now_ + 1;
      if (next == lanes_.size() || next % run_.lanes == 0 || lanes_[next].has_begun) return;
      begin(next, lanes_[now_].stack), make_running(next);
    }
  }

  host_stacks& stacks_;
  boost::context::fiber scheduler_;
};

}  // namespace coalescing::detail
