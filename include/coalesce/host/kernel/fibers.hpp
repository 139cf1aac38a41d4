// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/program.hpp>

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>

#include <sys/mman.h>
#include <cstdint>
#include <new>
#include <vector>

// The threads of a block are fibers of Boost.Context.

namespace coalescing::detail {

/// The fibers' stacks. The system provides memory only for the parts that are touched.
class host_stacks {
 public:
  static constexpr std::uint64_t bytes = std::uint64_t{1} << 18;
  byte_range operator[](unsigned index) {
    while (begins_.size() <= index) {
      void* const begin =
          mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (begin == MAP_FAILED) throw std::bad_alloc();
      begins_.push_back(begin);
    }
    auto const begin = reinterpret_cast<std::uint64_t>(begins_[index]);
    return {begin, begin + bytes};
  }
  ~host_stacks() {
    for (void* begin : begins_) munmap(begin, bytes);
  }

 private:
  std::vector<void*> begins_;
};

/// The unused bytes on each side of an array: as far as a signed index of 32 bits reaches in floats.
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

/// Gives Boost a stack that exists already.
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
  host::uint3 thread = {};
  bool vote = false;
  void const* place = nullptr;           ///< where it waits
  std::uint64_t asked = 0, present = 0;  ///< the lanes that it waits for, and those of the last exchange
  std::uint64_t exchanges = 0;           ///< since the last barrier
  unsigned char given[16] = {}, taken[16] = {};
};

}  // namespace coalescing::detail
