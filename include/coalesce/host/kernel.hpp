// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the kernel's file is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/launch.hpp>
#include <coalesce/host/kernel/recorder.hpp>
#include <coalesce/host/kernel/refusals.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/record/arrays.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

// Runs an unmodified kernel on the host: include/coalesce/manual/your_kernel.md.
//
// A program includes <coalesce/host/cuda.hpp> or hip.hpp, the kernel's own file, and this header, and is compiled with
// instrumentation. One more file includes <coalesce/host/runtime.hpp>, and is compiled without instrumentation.

namespace coalescing::detail {

/// A kernel with the arguments for its call.
template <class... Parameters>
struct host_call {
  void (*kernel)(Parameters...);
  std::tuple<Parameters...> arguments;
  static void run(void const* self) {
    auto const& of = *static_cast<host_call const*>(self);
    // Volatile, so that compilers do not inline the kernel into this function.
    void (*volatile kernel)(Parameters...) = of.kernel;
    std::apply(kernel, of.arguments);
  }
};
/// Copies of the arrays among the arguments. They lie far apart, so that an index that leaves one array does not reach
/// another one.
class arrays_apart {
 public:
  explicit arrays_apart(host_run& run) : run_(run) {}
  arrays_apart(arrays_apart const&) = delete;
  arrays_apart& operator=(arrays_apart const&) = delete;
  ~arrays_apart() {
    for (copied const& one : copies_) detail::release_on_host(one.copy, one.bytes);
  }
  template <class T>
  T const& apart(T const& argument) {
    return argument;
  }
  template <class T>
  host::array<T> apart(host::array<T> const& argument) {
    host::array<T> moved = argument;
    moved.first = static_cast<T*>(copy_of(argument.name, const_cast<std::remove_const_t<T>*>(argument.first),
                                          argument.elements * sizeof(T), std::is_const<T>::value));
    host_array const known = moved;
    for (host_array const& other : run_.arrays)
      if (other.begin == known.begin) return moved;  // an array that is given twice keeps its first name
    run_.arrays.push_back(known);
    return moved;
  }
  /// Copies what the kernel has stored back into the user's arrays.
  void write_back() const {
    for (copied const& one : copies_)
      if (!one.is_const && one.bytes != 0) std::memcpy(one.original, one.copy, one.bytes);
  }

 private:
  struct copied {
    std::string name;
    void *original, *copy;
    std::uint64_t bytes;
    bool is_const;
    [[nodiscard]] bool overlaps(void* other, std::uint64_t other_bytes) const {
      auto const begin = reinterpret_cast<std::uint64_t>(original),
                 other_begin = reinterpret_cast<std::uint64_t>(other);
      return std::max(begin, other_begin) < std::min(begin + bytes, other_begin + other_bytes);
    }
  };
  /// The copy of an array. An array that is given twice has one copy. Refused: two arrays that overlap and are not the
  /// same, if the kernel may store in one of them.
  void* copy_of(std::string const& name, void* original, std::uint64_t bytes, bool is_const) {
    copied* same = nullptr;
    for (copied& one : copies_)
      if (one.original == original && one.bytes == bytes)
        same = &one;
      else if (!(one.is_const && is_const) && one.overlaps(original, bytes))
        refused::arrays_overlap(one.name, name);
    if (same != nullptr) {
      same->is_const = same->is_const && is_const;
      return same->copy;
    }
    copies_.push_back({name, original, detail::reserve_on_host(bytes), bytes, is_const});
    if (bytes != 0) std::memcpy(copies_.back().copy, original, bytes);
    return copies_.back().copy;
  }
  host_run& run_;
  std::vector<copied> copies_;
};

}  // namespace coalescing::detail

namespace coalescing::host {

/// Runs an unmodified kernel on this host, block after block, and records each access of each warp on the Machine. The
/// arguments are those of the kernel, and an array is given as a co::host::array. The kernel works on copies of the
/// arrays. The copies are written back when all blocks have run.
///
///     co::host::record<cc90>(transpose, co::launch{.grid = {4, 4}, .block = {32, 8}},
///                            co::host::array{"in", in}, co::host::array{"out", out}, 128u)
///
/// Refused: arrays that overlap on this host and are not the same, if the kernel may store in one of them.
/// Refused, with the line and the thread:
/// - an access outside every array, shared memory and the thread's stack;
/// - a barrier that not all threads reach, and more barriers than launch::most_barriers;
/// - a shuffle that reads from a lane that does not take part;
/// - a lane that a mask names and that does not reach the call;
/// - lanes that reach accesses in different orders;
/// - an address that depends on what another lane of the warp writes, with no __syncwarp() between write and read;
/// - an atomic whose line in the source is not known.
template <class Machine, class... Parameters, class... Arguments>
[[nodiscard]] recording<any_number> record(void (*kernel)(Parameters...), launch const& how,
                                           Arguments const&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "record: the kernel takes another number of arguments");
  using call = detail::host_call<Parameters...>;
  detail::host_run run;
  detail::arrays_apart arrays(run);
  call const given{kernel, {static_cast<Parameters>(arrays.apart(arguments))...}};
  run.threads = {how.grid, how.block}, run.lanes = Machine::issues::lanes;
  run.arrays.insert(run.arrays.end(), how.also.begin(), how.also.end());
  run.kernel = reinterpret_cast<void const*>(kernel), run.call = &call::run;
  run.arguments = &given, run.argument_bytes = sizeof given;
  run.threads_may_leave = how.threads_may_leave, run.most_accesses = how.most_accesses;
  run.most_barriers = how.most_barriers;

  row_recorder<Machine> rows;
  detail::warp_recorder<Machine::issues::lanes> to(rows, run.arrays, detail::line_on_host,
                                                   reinterpret_cast<std::uint64_t>(kernel) + 1, how.widths);
  for (std::size_t k = 0; k != run.arrays.size(); ++k) {
    rows.array(run.arrays[k].name);
    if (run.arrays[k].base == coalescing::detail::somewhere) run.arrays[k].base = std::uint64_t{k + 1} << 40;
  }
  run.see_warp = [&to](detail::host_warp const& warp) { to.add_warp(warp); };
  if (how.every == 0) refused::launch_skips_every_block();
  std::uint64_t const blocks = detail::count_of(how.grid);
  for (std::uint64_t b = 0; b < blocks; b += how.every) {
    detail::run_on_host(run, detail::place_of(b, how.grid));
    rows.block_done();
    if (how.tell) how.tell(b + how.every < blocks ? b + 1 : blocks, blocks);
  }
  arrays.write_back();
  return rows.result();
}
template <class Machine, class... Parameters, class... Arguments>
[[nodiscard]] recording<any_number> record(void (*kernel)(Parameters...), coalescing::launch const& threads,
                                           Arguments const&... arguments) {
  return host::record<Machine>(kernel, launch{.grid = threads.grid, .block = threads.block}, arguments...);
}

}  // namespace coalescing::host
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
#ifdef __clang__
#pragma clang attribute pop
#endif
