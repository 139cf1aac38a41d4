// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the kernel's file is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/host/interface.hpp>
#include <coalesce/record/host/issue.hpp>
#include <coalesce/record/host/refusals.hpp>
#include <coalesce/record/host/visits.hpp>
#include <coalesce/record/rows.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// An unmodified kernel, run on the host: include/coalesce/manual/your_kernel.md.
//
// A program includes <coalesce/record/host/cuda.hpp> or hip.hpp, the kernel's own file, and this header, and is
// compiled with instrumentation. One more file includes <coalesce/record/host/runtime.hpp>, and is compiled without.

namespace coalescing::host {

/// An array in global memory, as a kernel's argument: {"in", pointer, elements}, or {"in", vector}. On the GPU it
/// begins at a multiple of 2^40 of its own, or at `base`.
template <class T>
struct array {
  std::string name;
  T* first;
  std::uint64_t elements;
  std::uint64_t base = coalescing::detail::somewhere;

  array(std::string words, T* begin, std::uint64_t count, std::uint64_t at = coalescing::detail::somewhere)
      : name(std::move(words)), first(begin), elements(count), base(at) {}
  template <class Container>
  requires requires(Container& of) {
    of.data();
    of.size();
  }
  array(std::string words, Container& of, std::uint64_t at = coalescing::detail::somewhere)
      : array(std::move(words), of.data(), of.size(), at) {}
  operator T*() const { return first; }
  template <class U>
  explicit operator U*() const {
    return reinterpret_cast<U*>(first);
  }
  operator detail::host_array() const {
    return {name, reinterpret_cast<std::uint64_t>(first), elements * sizeof(T), base, memory_space::global};
  }
};
template <class T>
array(std::string, T*, std::uint64_t) -> array<T>;
template <class T>
array(std::string, T*, std::uint64_t, std::uint64_t) -> array<T>;
template <class Container>
array(std::string, Container& of) -> array<std::remove_pointer_t<decltype(of.data())>>;
template <class Container>
array(std::string, Container& of, std::uint64_t) -> array<std::remove_pointer_t<decltype(of.data())>>;

/// A launch, and how it is recorded.
struct launch {
  coalescing::block grid = {};
  coalescing::block block = {};
  std::uint64_t every = 1;  ///< records each such block: 0, every, 2 * every, ...
  std::vector<detail::host_array> also =
      {};  ///< arrays that are no arguments: __device__ variables, pointers in structs
  /// Threads may leave the kernel before others wait at a barrier. (On NVIDIA from CC 7.0 on, __syncthreads() waits for
  /// the threads that have not exited: CUDA C++ Programming Guide, "Compute Capability 7.x". CUDA and HIP promise that
  /// of no other machine.)
  bool threads_may_leave = false;
  std::uint64_t most_accesses = std::uint64_t{1} << 24;                     ///< of a thread between barriers
  std::function<void(std::uint64_t done, std::uint64_t blocks)> tell = {};  ///< is called after each block
};

}  // namespace coalescing::host

namespace coalescing::detail {

/// Makes a recording of warps' accesses.
template <class Machine>
class host_recorder {
 public:
  explicit host_recorder(host_run const& run) : run_(run) {}
  row_recorder<Machine> rows = {};

  void take(host_warp const& warp) {
    rows.begin(warp.block, warp.warp);
    visits_.each(
        warp, [this](host_visit const& v) { rows.take(site_of(v), v.active, v.address, v.uneven); },
        [](auto const& place) {
          host_line const line = line_on_host(place.place);
          refused::lanes_contradict_each_other(detail::file_name(line.file.c_str()) +
                                               (":" + std::to_string(line.line)));
        });
  }

 private:
  /// The alignment of a built-in type is its size. Of a struct that is copied whole it is what all addresses have.
  static unsigned alignment_of(host_visit const& v, unsigned bytes) {
    if (bytes <= 16 && (bytes & (bytes - 1)) == 0) return bytes;
    std::uint64_t const bits = v.any | bytes | 16;
    return static_cast<unsigned>(bits & (~bits + 1));
  }
  unsigned site_of(host_visit const& v) {
    auto const& place = visits_.places[v.place];
    unsigned const alignment = alignment_of(v, place.bytes);
    auto const [found, is_new] = sites_.try_emplace({v.place, alignment});
    if (is_new) {
      host_line const line = line_on_host(place.place);
      host_array const& array = run_.arrays[place.array];
      found_at const at{line.file, line.line, line.column, line.line == 0 ? line.offset : not_counted, ""};
      found->second = place.instruction != nullptr
                          ? rows.open_as(at, array.name, array.space, place.kind, issued_piece(*place.instruction))
                          : rows.open(at, array.name, array.space, place.kind, place.bytes, alignment);
    }
    return found->second;
  }

  static constexpr unsigned lanes = row_recorder<Machine>::lanes;
  static piece<lanes> issued_piece(issued_instruction const& of) {
    if constexpr (lanes == 32)
      if (of.of_32 != nullptr) return of.of_32();
    if constexpr (lanes == 64)
      if (of.of_64 != nullptr) return of.of_64();
    refused::instruction_is_of_another_machine();
  }

  host_run const& run_;
  warp_visits visits_;
  std::map<std::pair<unsigned, unsigned>, unsigned> sites_;
};

/// What a kernel is called with.
template <class... Parameters>
struct host_call {
  void (*kernel)(Parameters...);
  std::tuple<Parameters...> arguments;
  static void run(void const* self) {
    auto const& of = *static_cast<host_call const*>(self);
    void (*volatile kernel)(Parameters...) = of.kernel;  // compilers may not merge it with this function
    std::apply(kernel, of.arguments);
  }
};
template <class T>
void name_array(std::vector<host_array>&, T const&) {}
template <class T>
void name_array(std::vector<host_array>& arrays, host::array<T> const& argument) {
  arrays.push_back(argument);
}

}  // namespace coalescing::detail

namespace coalescing::host {

/// Runs an unmodified kernel on this host, block after block, and records each access of each warp on the Machine.
/// Arguments are what the kernel takes; its arrays are co::host::array.
///
///     co::host::record<cc90>(transpose, co::launch{.grid = {4, 4}, .block = {32, 8}},
///                            co::host::array{"in", in}, co::host::array{"out", out}, 128u)
///
/// Refused, with the line and the thread: an access outside every array, shared memory and the thread's stack; a
/// barrier that not all threads reach; a shuffle that reads from a lane that is not there; lanes that do not come
/// though a mask names them; lanes that reach accesses in different orders.
template <class Machine, class... Parameters, class... Arguments>
[[nodiscard]] recording<any_number> record(void (*kernel)(Parameters...), launch const& how,
                                           Arguments const&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "record: the kernel takes another number of arguments");
  using call = detail::host_call<Parameters...>;
  call const given{kernel, {static_cast<Parameters>(arguments)...}};
  detail::host_run run;
  run.threads = {how.grid, how.block}, run.lanes = Machine::issues::lanes;
  (detail::name_array(run.arrays, arguments), ...);
  run.arrays.insert(run.arrays.end(), how.also.begin(), how.also.end());
  run.kernel = reinterpret_cast<void const*>(kernel), run.call = &call::run;
  run.arguments = &given, run.argument_bytes = sizeof given;
  run.threads_may_leave = how.threads_may_leave, run.most_accesses = how.most_accesses;

  detail::host_recorder<Machine> to(run);
  for (std::size_t k = 0; k != run.arrays.size(); ++k) {
    to.rows.array(run.arrays[k].name);
    if (run.arrays[k].base == coalescing::detail::somewhere) run.arrays[k].base = std::uint64_t{k + 1} << 40;
  }
  run.take = [&to](detail::host_warp const& warp) { to.take(warp); };
  if (how.every == 0) refused::launch_skips_every_block();
  std::uint64_t const blocks = detail::count_of(how.grid);
  for (std::uint64_t b = 0; b < blocks; b += how.every) {
    detail::run_on_host(run, detail::place_of(b, how.grid));
    to.rows.block_done();
    if (how.tell) how.tell(b + 1, blocks);
  }
  return to.rows.result();
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
