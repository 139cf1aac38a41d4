// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/run/api.hpp>
#include <coalesce/host/run/messages.hpp>
#include <coalesce/host/runtime.hpp>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <utility>

// Runs the kernels of an unmodified CUDA or HIP program, and sends their accesses to `coalesce run` through a pipe. The
// command compiles a file that includes this header, without instrumentation, and links it to the program. Environment
// variables give the pipe, the machine, how many blocks of a launch are recorded, and how many bytes around an array a
// kernel may access.

__attribute__((aligned(128))) __thread decltype(coalesce_dynamic_shared) coalesce_dynamic_shared;

namespace coalescing::detail {

/// Makes the program end when the command `coalesce run` ends.
[[maybe_unused]] static int const ends_with_the_command = prctl(PR_SET_PDEATHSIG, SIGKILL);

/// A variable that the command sets in the environment, as a number; -1: it is not set.
inline int number_in(char const* variable) {
  char const* const words = std::getenv(variable);
  return words == nullptr ? -1 : std::atoi(words);
}
/// The process that the command has started. It sends the messages. A process that it starts with another program,
/// perhaps itself once more, does not get the pipe.
static pid_t const process_of_the_program = (fcntl(number_in("COALESCE_RUN_PIPE"), F_SETFD, FD_CLOEXEC), getpid());

class program_on_host {
 public:
  static program_on_host& self() {
    static program_on_host one;
    return one;
  }
  host_machine machine = {};

  void* allocate(std::uint64_t bytes, char const* words, void const* place) {
    std::uint64_t const more = margin_;  // bytes on each side that a kernel may access, too
    void* const all = mmap(nullptr, bytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char* const memory = static_cast<char*>(all) + guard;
    if (all == MAP_FAILED || (bytes != 0 && mprotect(memory - more, bytes + 2 * more, PROT_READ | PROT_WRITE) != 0))
      refuse("there is no memory for " + std::to_string(bytes) + " bytes", place);
    auto const begin = reinterpret_cast<std::uint64_t>(memory);
    allocations_[begin] = {name_in(words), place, nullptr, bytes, run_.arrays.size()};
    run_.arrays.push_back({allocations_[begin].name, begin - more, bytes + 2 * more,
                           (std::uint64_t{run_.arrays.size() + 1} << 40) - more});
    return memory;
  }
  void free(void const* memory, void const* place) {
    if (memory == nullptr) return;
    auto const found = allocations_.find(reinterpret_cast<std::uint64_t>(memory));
    if (found == allocations_.end()) refuse("this memory was never allocated here", place);
    allocation& of = found->second;
    if (of.freed != nullptr) refuse(of.name + " is free already, since " + words_of(of.freed), place);
    of.freed = place;
    run_.arrays[of.array].bytes = 0;
    // The addresses are not given to another array, so a later access to them is refused.
    if (of.bytes != 0)
      mmap(const_cast<void*>(memory), of.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0);
  }
  [[nodiscard]] bool is_of_device(void const* memory) {
    return find(reinterpret_cast<std::uint64_t>(memory)) != nullptr;
  }
  void check(void const* memory, std::uint64_t bytes, std::string const& function, void const* place) {
    if (bytes == 0) return;
    auto const address = reinterpret_cast<std::uint64_t>(memory);
    if (auto const* const variable = program().variable_of(address); variable != nullptr)
      return check_end(address - variable->begin, bytes, function, variable->name, variable->bytes, place);
    auto const* const found = find(address);
    if (found == nullptr) refuse(function + ": this is not memory of the device", place);
    auto const& [begin, of] = *found;
    if (of.freed != nullptr) refuse(function + ": " + of.name + " is free, since " + words_of(of.freed), place);
    check_end(address - begin, bytes, function, of.name, of.bytes, place);
  }

  void launch(host_configuration const& how, void (*call)(void const*), void const* arguments,
              std::uint64_t argument_bytes, void const* place) {
    if (getpid() != process_of_the_program) refuse_of_child(place);
    auto const threads = std::uint64_t{how.block.x} * how.block.y * how.block.z;
    std::uint64_t const blocks = std::uint64_t{how.grid.x} * how.grid.y * how.grid.z;
    auto const most = detail::launch_limits_on_host();
    bool const is_nvidia = machine.major != 0;  // AMD's limit is not checked
    std::uint64_t const most_shared = is_nvidia ? machine.shared_of_asking_block : sizeof coalesce_dynamic_shared;
    auto const fits = [](host::dim3 const& asked, host::uint3 const& limit) {
      return asked.x <= limit.x && asked.y <= limit.y && asked.z <= limit.z;
    };
    if (threads == 0 || threads > 1024 || blocks == 0 || !fits(how.block, most.block) || !fits(how.grid, most.grid) ||
        how.bytes > most_shared) {
      last_error = host::api::cudaErrorInvalidConfiguration;
      to_.put(message::launch_fails), to_.put(std::string(how.kernel)), to_.put(program().offset_of(place)),
          to_.flush();
      return;
    }
    auto const extents = [](host::dim3 const& of) { return coalescing::block{of.x, of.y, of.z}; };
    run_.threads = {extents(how.grid), extents(how.block)}, run_.lanes = machine.lanes;
    run_.call = call, run_.arguments = arguments, run_.argument_bytes = argument_bytes;
    run_.kernel = place, run_.dynamic_shared = how.bytes;
    for (host_array& array : run_.arrays)
      if (array.name == "coalesce_dynamic_shared") array.bytes = how.bytes;
    to_.put(message::launch), to_.put(std::string(how.kernel)), to_.put(program().offset_of(place));
    to_.put(how.grid), to_.put(how.block), to_.flush();  // sent now: the program may end inside the launch
    std::uint64_t const told = std::min(blocks, most_told_);
    for (std::uint64_t b = 0, k = 0; b != blocks; ++b) {
      // The blocks whose accesses are sent are spread evenly from the first block to the last.
      bool const is_told = k != told && b == (told == 1 ? 0 : k * (blocks - 1) / (told - 1));
      k += is_told, run_.is_quiet = !is_told;
      guarded([&] { run_on_host(run_, detail::place_of(b, run_.threads.grid)); });
      if (is_told) to_.put(message::block_ends), to_.end();
    }
    to_.put(message::launch_ends), to_.put(blocks), to_.flush();  // sent now: the program may die before another launch
  }
  [[noreturn]] void refuse(std::string const& why, void const* place) { stop(words_of(place) + ": " + why); }

 private:
  struct allocation {
    std::string name;
    void const *place, *freed;  ///< the calls that allocated and freed the array; nullptr: it is not freed
    std::uint64_t bytes;
    std::size_t array;
  };
  /// How many bytes are reserved on each side of an array. A kernel may access only the nearest `margin_` bytes of
  /// these.
  static constexpr std::uint64_t guard = std::uint64_t{1} << 28;

  program_on_host() : to_(number_in("COALESCE_RUN_PIPE")) {
    char const *const words = std::getenv("COALESCE_RUN_MACHINE"), *const blocks = std::getenv("COALESCE_RUN_BLOCKS");
    if (words == nullptr || blocks == nullptr ||
        std::sscanf(words, "%u %u %u %u %u %u %u %63s", &machine.lanes, &machine.major, &machine.minor,
                    &machine.multiprocessors, &machine.shared_of_block, &machine.shared_of_asking_block,
                    &machine.shared_of_multiprocessor, machine.name) != 8) {
      std::fputs("coalesce: this program is for `coalesce run` and is started by it\n", stderr);
      std::_Exit(2);
    }
    margin_ = (static_cast<std::uint64_t>(number_in("COALESCE_RUN_MARGIN")) + 4095) / 4096 * 4096;
    most_told_ = static_cast<std::uint64_t>(std::strtoull(blocks, nullptr, 10));
    run_.takes_variables = run_.threads_may_leave = true;
    run_.most_accesses = std::uint64_t{1} << 21, run_.most_barriers = std::uint64_t{1} << 22;
    run_.see_warp = [this](host_warp const& warp) { machine.lanes == 32 ? tell(warp, of_32_) : tell(warp, of_64_); };
    run_.tell_of = [this](std::uint64_t address) { return words_of_address(address); };
  }
  void check_end(std::uint64_t offset, std::uint64_t bytes, std::string const& function, std::string const& name,
                 std::uint64_t size, void const* place) {
    if (offset > size || bytes > size - offset)
      refuse(function + ": " + std::to_string(bytes) + " bytes from byte " + std::to_string(offset) + " of " + name +
                 ", which has " + std::to_string(size),
             place);
  }
  /// The array's name in the text of a call's arguments: d_in in "(void**)&d_in, bytes".
  static std::string name_in(std::string const& words) {
    std::string name;
    int depth = 0;
    for (char const c : words) {
      depth += c == '(' || c == '[';
      depth -= c == ')' || c == ']';
      if (c == ',' && depth == 0) break;
      bool const is_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      if (depth != 0 && !name.empty() && c != '(') continue;
      if (is_word)
        name += c;
      else if (c == '&' || c == '.' || c == '>' || c == '*' || c == '(' || c == ')')
        name.clear();
    }
    return name.empty() ? words : name;
  }
  host_program& program() {
    if (program_that_runs == nullptr)
      program_that_runs = std::make_unique<host_program>(reinterpret_cast<void const*>(&detail::launch_on_host));
    return *program_that_runs;
  }
  std::string words_of(void const* place) { return program().line(reinterpret_cast<std::uint64_t>(place)).words(); }
  /// The allocation that holds the address, or that ends less than `guard` bytes before it. nullptr: there is none.
  std::pair<std::uint64_t const, allocation> const* find(std::uint64_t address) const {
    auto found = allocations_.upper_bound(address);
    if (found == allocations_.begin()) return nullptr;
    --found;
    return address - found->first < found->second.bytes + guard ? &*found : nullptr;
  }
  std::string words_of_address(std::uint64_t address) {
    auto const* const found = find(address);
    if (found == nullptr) return "";
    auto const& [begin, of] = *found;
    if (of.freed != nullptr) return "; it is in " + of.name + ", which is free since " + words_of(of.freed);
    return "; it begins at byte " + std::to_string(address - begin) + " of " + of.name + ", which has " +
           std::to_string(of.bytes);
  }
  template <unsigned Lanes>
  void tell(host_warp const& warp, warp_instructions<Lanes>& instructions) {
    if (run_.is_quiet) return;
    for (; told_ != run_.arrays.size(); ++told_) {
      host_array const& array = run_.arrays[told_];
      to_.put(message::array), to_.put(array.base), to_.put(array.bytes), to_.put(array.space), to_.put(array.name);
    }
    to_.put(message::warp), to_.put(warp.block), to_.put(warp.warp);
    instructions.each(
        warp,
        [&](auto const& v, bool uneven, bool unwritten) {
          for (; told_places_ <= v.place; ++told_places_)
            detail::put_place(to_, warp.places[told_places_], program().offset_of(nullptr));
          detail::put_instruction(to_, v, uneven, unwritten);
        },
        [&](host_place const& at) {
          refused::lanes_contradict_each_other(words_of(reinterpret_cast<void const*>(at.address)));
        });
    to_.end();
  }
  /// Calls a function. If it refuses, the program ends.
  template <class Run>
  void guarded(Run const& run) {
    try {
      run();
    } catch (std::exception const& why) {
      std::string words = why.what();
      if (words.starts_with("coalesce: ")) words.erase(0, 10);
      stop(words);
    }
  }
  /// A process that fork() made shares the pipe, but not what its parent has sent since. So its launch is refused.
  [[noreturn]] void refuse_of_child(void const* place) {
    to_.forget();
    refuse("a process that the program made by fork() launches a kernel; only the program's own launches are counted",
           place);
  }
  [[noreturn]] void stop(std::string const& why) {
    std::fflush(nullptr);
    to_.put(message::refused), to_.put(why), to_.flush();
    std::_Exit(2);
  }

  message_writer to_;
  host_run run_;
  std::map<std::uint64_t, allocation> allocations_;  // by their first address
  std::uint64_t most_told_ = 0, margin_ = 0;
  std::size_t told_ = 0;         // how many arrays have been sent
  unsigned told_places_ = 0;     // how many places have been sent
  warp_instructions<32> of_32_;  // for machines with 32 lanes in a warp; of_64_: with 64 lanes
  warp_instructions<64> of_64_;
};

// All threads of the program may call these functions, and a kernel may. The accesses that the functions make
// themselves are not noted.

/// Holds off the program's other threads while one of them is in the runtime. A launch lasts until its last block has
/// run. If a kernel makes the call, its accesses are not noted until the call returns.
struct call_of_runtime {
  static std::recursive_mutex& only() {
    static std::recursive_mutex one;
    return one;
  }
  std::lock_guard<std::recursive_mutex> const lock{only()};
  bool const before = runs_the_block && running.is_noted;
  call_of_runtime() {
    if (before) running.is_noted = false;
  }
  ~call_of_runtime() {
    if (before) running.is_noted = true;
  }
  call_of_runtime(call_of_runtime const&) = delete;
  call_of_runtime& operator=(call_of_runtime const&) = delete;
};

void launch_on_host(host_configuration const& how, void (*call)(void const*), void const* arguments,
                    std::uint64_t argument_bytes, void const* place) {
  call_of_runtime const own;
  program_on_host::self().launch(how, call, arguments, argument_bytes, place);
}
void* allocate_on_host(std::uint64_t bytes, char const* words, void const* place) {
  call_of_runtime const own;
  return program_on_host::self().allocate(bytes, words, place);
}
void free_on_host(void const* memory, void const* place) {
  call_of_runtime const own;
  program_on_host::self().free(memory, place);
}
void check_on_host(void const* memory, std::uint64_t bytes, char const* function, void const* place) {
  call_of_runtime const own;
  program_on_host::self().check(memory, bytes, function, place);
}
bool is_of_device(void const* memory) {
  call_of_runtime const own;
  return program_on_host::self().is_of_device(memory);
}
void refuse_on_host(char const* why, void const* place) {
  call_of_runtime const own;
  program_on_host::self().refuse(why, place);
}
host_machine const& machine_on_host() { return program_on_host::self().machine; }

}  // namespace coalescing::detail

// ---- Copies that a compiler does not report ----

// Clang before version 15 copies structs by memcpy and fills them by memset, and its code does not report these
// accesses. Code of g++ reports the copy of a struct, but not a call of memcpy, memmove or memset in the kernel itself.
// The command links all calls of these three functions to the functions below (--wrap in the manual of ld).
namespace coalescing::detail {

/// g++ may call memcpy to copy a struct of this many bytes or more. It never calls memcpy for a smaller struct. (Tried
/// with g++ 12 on x86-64: it copies 4,096 bytes by instructions, and calls memcpy for 16,384.) 0: not tried.
#ifdef __x86_64__
inline constexpr std::size_t fewest_told_and_called = 4097;
#else
inline constexpr std::size_t fewest_told_and_called = 0;
#endif

/// Notes a copy that a kernel makes, unless the code of g++ has just reported the same copy (last_read, last_written).
/// `from` is nullptr if memory is filled. Copies by other threads of the program, while a kernel runs, are not noted.
inline void note_copy(void* to, void const* from, std::size_t bytes, void const* place) {
  if (!running.is_noted || !runs_the_block) return;
  auto const is_told = [bytes, place](copied_range const& known, void const* begin) {
    auto const after = reinterpret_cast<std::uint64_t>(place) - reinterpret_cast<std::uint64_t>(known.place);
    return known.begin == begin && known.bytes == bytes && bytes >= fewest_told_and_called && after < 64;
  };
  bool const load = from != nullptr && !is_told(last_read, from), store = !is_told(last_written, to);
  last_read = last_written = {};
  if (load) detail::note_copy_on_host(from, bytes, touch::load, place);
  if (store) detail::note_copy_on_host(to, bytes, touch::store, place);
}

}  // namespace coalescing::detail

extern "C" {

void* __real_memcpy(void* to, void const* from, std::size_t bytes);
void* __real_memmove(void* to, void const* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);
void* __wrap_memcpy(void* to, void const* from, std::size_t bytes) {
  coalescing::detail::note_copy(to, from, bytes, __builtin_return_address(0));
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, void const* from, std::size_t bytes) {
  coalescing::detail::note_copy(to, from, bytes, __builtin_return_address(0));
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  coalescing::detail::note_copy(to, nullptr, bytes, __builtin_return_address(0));
  return __real_memset(to, value, bytes);
}

}  // extern "C"

// ---- For files in C: run/api.h ----

// For the linker these functions have the API's names, such as cudaMalloc. In C++ they have other names, such as
// coalesce_cudaMalloc, since run/api.hpp already defines the API's names there.
extern "C" {

int coalesce_cudaSetDevice(int device) __asm__("cudaSetDevice");
int coalesce_cudaSetDevice(int device) { return coalescing::host::api::cudaSetDevice(device); }
int coalesce_cudaGetDeviceCount(int* count) __asm__("cudaGetDeviceCount");
int coalesce_cudaGetDeviceCount(int* count) { return coalescing::host::api::cudaGetDeviceCount(count); }
int coalesce_cudaDeviceSynchronize() __asm__("cudaDeviceSynchronize");
int coalesce_cudaDeviceSynchronize() { return coalescing::host::api::cudaDeviceSynchronize(); }
int coalesce_cudaThreadSynchronize() __asm__("cudaThreadSynchronize");
int coalesce_cudaThreadSynchronize() { return coalescing::host::api::cudaThreadSynchronize(); }
int coalesce_cudaThreadExit() __asm__("cudaThreadExit");
int coalesce_cudaThreadExit() { return coalescing::host::api::cudaThreadExit(); }
int coalesce_cudaDeviceReset() __asm__("cudaDeviceReset");
int coalesce_cudaDeviceReset() { return coalescing::host::api::cudaDeviceReset(); }
int coalesce_cudaGetLastError() __asm__("cudaGetLastError");
int coalesce_cudaGetLastError() { return coalescing::host::api::cudaGetLastError(); }
char const* coalesce_cudaGetErrorString(int error) __asm__("cudaGetErrorString");
char const* coalesce_cudaGetErrorString(int error) {
  return coalescing::host::api::cudaGetErrorString(static_cast<cudaError_t>(error));
}
int coalesce_cudaMalloc(void** to, std::size_t bytes) __asm__("cudaMalloc");
int coalesce_cudaMalloc(void** to, std::size_t bytes) {
  return *to = coalescing::detail::allocate_on_host(bytes, "memory of a file in C", __builtin_return_address(0)), 0;
}
int coalesce_cudaMallocHost(void** to, std::size_t bytes) __asm__("cudaMallocHost");
int coalesce_cudaMallocHost(void** to, std::size_t bytes) {
  return *to = coalescing::detail::allocate_on_host(bytes, "memory of a file in C", __builtin_return_address(0)), 0;
}
int coalesce_cudaFree(void* memory) __asm__("cudaFree");
int coalesce_cudaFree(void* memory) { return coalescing::detail::free_on_host(memory, __builtin_return_address(0)), 0; }
int coalesce_cudaFreeHost(void* memory) __asm__("cudaFreeHost");
int coalesce_cudaFreeHost(void* memory) {
  return coalescing::detail::free_on_host(memory, __builtin_return_address(0)), 0;
}
int coalesce_cudaMemcpy(void* to, void const* from, std::size_t bytes, int kind) __asm__("cudaMemcpy");
int coalesce_cudaMemcpy(void* to, void const* from, std::size_t bytes, int kind) {
  return coalescing::detail::host_memory_calls::copy(to, from, bytes, static_cast<cudaMemcpyKind>(kind),
                                                     __builtin_return_address(0));
}
int coalesce_cudaMemset(void* to, int value, std::size_t bytes) __asm__("cudaMemset");
int coalesce_cudaMemset(void* to, int value, std::size_t bytes) {
  return coalescing::detail::host_memory_calls::set(to, value, bytes, __builtin_return_address(0));
}

}  // extern "C"
