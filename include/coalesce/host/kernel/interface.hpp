// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/places.hpp>
#include <coalesce/record/sums.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Declares CUDA's types of indices, what is known of the running thread, and what is noted of an access. An unmodified
// kernel and the program that records it both use these declarations. The code that runs the threads is in
// host/runtime.hpp. Include that header in a source file of its own, and not in the kernel's. The compiler instruments
// the kernel's file, and must not instrument the code that runs the threads.

namespace coalescing {

namespace host {

/// CUDA's uint3 and dim3.
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 const& of) : x(of.x), y(of.y), z(of.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

}  // namespace host

namespace detail {

/// What a kernel can ask about the thread that runs.
struct host_thread {
  host::uint3 thread = {}, block = {};
  host::dim3 block_size = {}, grid_size = {};
  int lanes = 32;         ///< how many lanes a warp or wave has
  unsigned lane = 0;      ///< the thread's own lane
  bool is_noted = false;  ///< whether its accesses are noted
};
inline host_thread running;

/// While an object of this type lives, accesses are not noted: they are this library's own, and not the kernel's.
struct unnoted {
  bool before = running.is_noted;
  unnoted() { running.is_noted = false; }
  ~unnoted() { running.is_noted = before; }
  unnoted(unnoted const&) = delete;
  unnoted& operator=(unnoted const&) = delete;
};

/// An array in memory: where it is on this host, and where it is on the GPU.
struct host_array {
  std::string name;
  std::uint64_t begin = 0, bytes = 0;  ///< its address on this host, and its size in bytes
  std::uint64_t base = 0;              ///< its first byte's address on the GPU
  memory_space space = memory_space::global;
};

/// An entry in the list of a thread's accesses. There are millions of entries, so they are small: what the accesses at
/// one place have in common is in host_run::places.
struct host_access {
  enum class entry : std::uint8_t {
    together,  ///< a mark: the lanes of the thread's warp have converged here
    block,     ///< a basic block begins (in programs compiled with -fsanitize-coverage=trace-pc)
    access,
  };
  /// For an access: its byte address on the GPU. For a basic block: a hash of its address in the program and of the
  /// calls that led to it.
  std::uint64_t address = 0;
  unsigned place = 0;  ///< for an access: the number of its place in host_run::places
  entry is = entry::together;
  bool unwritten = false;  ///< it reads bytes of shared memory that no thread of the block has written before
};
/// The accesses of a warp's lanes since the last barrier of the block, or since the block began.
struct host_warp {
  place block;
  unsigned warp;
  host_places& places;
  std::vector<std::vector<host_access>> const& lanes;
};

/// A launch that runs on the host.
struct host_run {
  launch threads;
  unsigned lanes = 32;
  /// The arrays of the launch, and then each shared array and variable of the program that the kernel has accessed.
  std::vector<host_array> arrays;
  host_places places = {};           ///< the places in the code at which threads have accessed memory
  bool takes_variables = false;      ///< whether variables of the program (__device__) count as arrays, too
  std::uint64_t dynamic_shared = 0;  ///< bytes of the array coalesce_dynamic_shared
  /// The address at which the thread-local variables begin, for the thread that ran the last block. The shared arrays
  /// are among these variables.
  std::uint64_t thread_local_memory = 0;
  void const* kernel = nullptr;  ///< an address in the program or library that has the kernel
  void (*call)(void const*) = nullptr;
  void const* arguments = nullptr;
  std::uint64_t argument_bytes = 0;
  bool threads_may_leave = false;
  bool is_quiet = false;  ///< whether the next block runs without its accesses being noted
  std::uint64_t most_accesses = 0, most_barriers = 0;
  std::function<void(host_warp const&)> see_warp;
  std::function<std::string(std::uint64_t)> tell_of = {};  ///< what a refusal says about an address in no array
};

// ---- defined in host/runtime.hpp ----

/// Runs a block of a launch.
void run_on_host(host_run& run, place const& block);
/// The line of the source at which an access stands. If calls are inlined there, symbolizer::find() chooses one of the
/// lines.
struct host_line {
  std::string file;
  unsigned line = 0, column = 0;
  std::uint64_t offset = 0;  ///< the access's address minus the address at which the program is loaded
  bool is_line_of(host_line const& other) const { return line != 0 && line == other.line && file == other.file; }
  std::string words() const {
    return line == 0 ? "byte " + std::to_string(offset) + " of the program"
                     : file.substr(file.rfind('/') + 1) + ":" + std::to_string(line);
  }
};
host_line line_on_host(std::uint64_t place);

/// These three functions note what the running thread does: it begins a basic block, calls a function, or returns from
/// a function.
void begin_block_on_host(void const* place);
void call_on_host(void const* caller);
void leave_on_host();
/// Notes an access by the running thread.
void note_on_host(void const volatile* to, unsigned bytes, touch kind, void const* place,
                  issued_instruction const* instruction = nullptr);
/// Notes bytes that the running thread copies, sets or merges as a whole. They may have any alignment. Refused: 4 GiB
/// or more.
void note_copy_on_host(void const volatile* to, std::size_t bytes, touch kind, void const* place);
/// __syncthreads(): returns how many threads came with `vote` true.
unsigned barrier_on_host(bool vote, void const* place);
/// Makes the lanes of the mask exchange values: each lane brings up to 16 bytes. A mask of 0 means the lanes that come
/// to this place. Returns the mask of the lanes that took part.
std::uint64_t exchange_on_host(std::uint64_t mask, void const* given, unsigned bytes, void const* place);
/// Copies what a lane brought to the running lane's last exchange. Refused: a lane that did not take part.
void taken_on_host(unsigned lane, void* to, unsigned bytes, void const* place);
/// Reserves memory. The bytes before it and after it stay unused, and cannot be accessed.
void* reserve_on_host(std::uint64_t bytes);
void release_on_host(void* memory, std::uint64_t bytes);
/// Converts an address on this host to a byte offset in the block's shared memory.
unsigned shared_offset_on_host(void const* address);

}  // namespace detail
}  // namespace coalescing
