// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/intervals.hpp>
#include <coalesce/record/pack.hpp>
#include <coalesce/record/pointers.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/record/thread.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>
#include <type_traits>

// Describes a kernel, and runs its body: one thread after the other, each through the whole body.

namespace coalescing {

/// A launch, the kernel's body, and the arrays that it is given. The body is called as body(thread, arrays...).
template <class Body, class... Arrays>
struct kernel {
  coalescing::launch launch;
  Body body;
  detail::pack<Arrays...> arrays;

  constexpr kernel(coalescing::launch const& threads, Body const& function, Arrays const&... given)
      : launch(threads), body(function), arrays(detail::packed_of(given...)) {}
};

/// An argument of record() that stands for some warps or waves of a block. Use it where recording a whole block takes
/// more constexpr steps than the compiler allows.
struct warps {
  place block = {};
  unsigned first = 0, count = 1;
};

namespace detail {

struct tells_no_one {
  constexpr void operator()(std::uint64_t, std::uint64_t) const {}
};

}  // namespace detail

/// An argument of record() that stands for every block of the grid. After each block record() calls tell(blocks done,
/// blocks of the grid).
template <class Tell = detail::tells_no_one>
struct each_block {
  Tell tell = {};
};
template <class Tell>
each_block(Tell) -> each_block<Tell>;
inline constexpr each_block<> every_block{};

namespace detail {

/// This function is not constexpr on purpose. A compiler tries to evaluate a call such as record() even where no
/// constant is required, and gives up only at its limit of constexpr steps. The call of this function ends that
/// attempt.
inline void at_run_time() {}

constexpr place size_of(block const& extents) {
  return {static_cast<unsigned>(extents.x), static_cast<unsigned>(extents.y), static_cast<unsigned>(extents.z)};
}
constexpr void check_block(launch const& of, place const& which) {
  static_cast<void>(detail::count_of(of.grid));
  if (which.x >= of.grid.x || which.y >= of.grid.y || which.z >= of.grid.z) refused::grid_has_no_such_block();
}

/// What the kernel's body gets instead of an array: a pointer that records.
template <class Recorder, class T>
constexpr auto handle_of(global<T> const& array, Recorder& to, array_facts const& facts) {
  auto const* const values = array.contents.count == 0 ? nullptr : array.contents.first;
  return recorded_pointer<Recorder, memory_space::global, T>{&to, &facts, values, facts.base, {}};
}
template <class Recorder, class T>
constexpr auto handle_of(shared<T> const& array, Recorder& to, array_facts const& facts) {
  using handle = recorded_pointer<Recorder, memory_space::shared, T>;
  auto const* const values = array.contents.count == 0 ? nullptr : array.contents.first;
  if constexpr (std::rank<T>::value == 1)
    return handle{{&to, &facts, values, facts.base, {}}};
  else
    return handle{&to, &facts, values, facts.base, {}};
}
template <class Recorder>
constexpr pack<> handles_of(pack<> const&, Recorder&, array_facts const*) {
  return {};
}
template <class First, class... Rest, class Recorder>
constexpr auto handles_of(pack<First, Rest...> const& arrays, Recorder& to, array_facts const* facts) {
  auto const first = detail::handle_of(arrays.first, to, *facts);
  auto const rest = detail::handles_of(arrays.rest, to, facts + 1);
  return detail::joined(first, rest);
}

/// Finds the address of each array. `end` is the first byte after the shared arrays.
constexpr void place_arrays(pack<> const&, array_facts*, unsigned, std::uint64_t&) {}
template <class First, class... Rest>
constexpr void place_arrays(pack<First, Rest...> const& arrays, array_facts* facts, unsigned id, std::uint64_t& end) {
  *facts = detail::facts_of_array(arrays.first, id, end);
  detail::place_arrays(arrays.rest, facts + 1, id + 1, end);
}

/// Runs some warps of a block, lane by lane. It calls the recorder's begin_warp() and end_warp() around each warp, and
/// begin_lane() before each lane.
template <class Recorder, class Body, class... Arrays>
constexpr void run_warps(kernel<Body, Arrays...> const& what, Recorder& to, array_facts const* facts,
                         interval_memory* memory, place const& block, unsigned first_warp, unsigned end_warp) {
  enum : unsigned { lanes = Recorder::lanes };  // an enumerator and not a variable, which g++ -O0 would keep in memory
  auto const run_with = [&](auto const&... handles) {
    auto const threads = static_cast<unsigned>(detail::threads_of(what.launch.block));
    recorded_thread<Recorder> t{block, {},    detail::size_of(what.launch.grid), detail::size_of(what.launch.block),
                                &to,   memory};
    for (unsigned warp = first_warp; warp != end_warp; ++warp) {
      unsigned const first = warp * lanes, end = threads - first < lanes ? threads - first : lanes;
      t.thread = detail::place_of(first, what.launch.block);
      to.begin_warp(block, warp);
      for (unsigned lane = 0; lane != end; ++lane) {
        to.begin_lane(lane, first + lane);
        if (memory != nullptr) memory->begin_lane(first + lane);
        what.body(t, handles...);
        if (++t.thread.x == t.block_size.x) {
          t.thread.x = 0;
          if (++t.thread.y == t.block_size.y) t.thread.y = 0, ++t.thread.z;
        }
      }
      to.end_warp();
    }
  };
  detail::call_with(detail::handles_of(what.arrays, to, facts), run_with);
}

/// The contents of the arrays as bytes. The array_facts of each array that was given contents refer to these bytes.
template <class T>
constexpr auto contents_of(global<T> const& array) {
  return bytes_of_values<std::remove_cv_t<T>>(array.contents);
}
template <class T>
constexpr auto contents_of(shared<T> const& array) {
  return bytes_of_values<std::remove_cv_t<std::remove_all_extents_t<T>>>(array.contents);
}
constexpr pack<> all_contents_of(pack<> const&) { return {}; }
template <class First, class... Rest>
constexpr auto all_contents_of(pack<First, Rest...> const& arrays) {
  return detail::joined(detail::contents_of(arrays.first), detail::all_contents_of(arrays.rest));
}
constexpr void refer_to(pack<> const&, array_facts*) {}
template <class First, class... Rest>
constexpr void refer_to(pack<First, Rest...> const& contents, array_facts* facts) {
  if (facts->contents_bytes != 0) facts->contents = &contents.first;
  detail::refer_to(contents.rest, facts + 1);
}

template <class Array>
inline constexpr bool is_shared = false;
template <class T>
inline constexpr bool is_shared<shared<T>> = true;

/// Runs the threads of a kernel.
template <class Recorder, class Kernel>
struct runner;
template <class Recorder, class Body, class... Arrays>
struct runner<Recorder, kernel<Body, Arrays...>> {
  // These are enumerators, since g++ -O0 keeps static variables in memory.
  enum : unsigned { arrays = sizeof...(Arrays), lanes = Recorder::lanes };

  kernel<Body, Arrays...> const& what;
  Recorder& to;
  array_facts facts[sizeof...(Arrays) + 1] = {};  // one more, since an array of 0 elements is not allowed
  std::uint64_t end_of_shared = 0;
  decltype(detail::all_contents_of(what.arrays)) contents;

  constexpr runner(kernel<Body, Arrays...> const& k, Recorder& r)
      : what(k), to(r), contents(detail::all_contents_of(k.arrays)) {
    detail::place_arrays(what.arrays, facts, 0, end_of_shared);
    detail::refer_to(contents, facts);
  }
  runner(runner const&) = delete;
  runner& operator=(runner const&) = delete;

  /// Runs some warps of a block. If loads must give what the kernel has stored in shared memory, and these values
  /// matter (interval_memory::looks), the whole block first runs several times, only to find the values.
  constexpr void run(place const& block, unsigned first_warp, unsigned end_warp) const {
    if constexpr ((is_shared<Arrays> || ...)) {
      for (array_facts const& each : facts)
        if (each.is_remembered) return run_remembering(block, first_warp, end_warp);
    }
    detail::run_warps(what, to, facts, nullptr, block, first_warp, end_warp);
  }
  constexpr unsigned warps() const {
    return static_cast<unsigned>((detail::threads_of(what.launch.block) + lanes - 1) / lanes);
  }

 private:
  constexpr void run_remembering(place const& block, unsigned first_warp, unsigned end_warp) const {
    interval_memory memory;
    array_facts remembered[arrays];
    std::uint64_t end = 0;
    memory.origin = ~std::uint64_t{0}, memory.looks = !__builtin_is_constant_evaluated();
    for (unsigned k = 0; k != arrays; ++k) {
      remembered[k] = facts[k];
      if (!facts[k].is_remembered) continue;
      remembered[k].memory = &memory;
      if (facts[k].base < memory.origin) memory.origin = facts[k].base;
      if (facts[k].base + facts[k].bytes > end) end = facts[k].base + facts[k].bytes;
      // At run time the first run only checks whether stored values matter (interval_memory::looks). There is no such
      // run if an array holds integers, or bytes (which may be read as any type), since loads of these matter. There is
      // none either if an array has contents, since loads may have to give the contents.
      if (facts[k].holds_integers || facts[k].element_bytes == 1 || facts[k].contents != nullptr) memory.looks = false;
    }
    if (end - memory.origin > most_shared_bytes) refused::shared_arrays_lie_too_far_apart(end - memory.origin);
    bool const matters = run_passes(block, remembered, memory);
    detail::run_warps(what, to, matters ? remembered : facts, matters ? &memory : nullptr, block, first_warp, end_warp);
  }
  /// Runs all threads of the block again and again, until the values that they store in shared memory are found
  /// (intervals.hpp). Returns false if these values do not matter (interval_memory::looks): then loads may give T{}.
  constexpr bool run_passes(place const& block, array_facts const* remembered, interval_memory& memory) const {
    pass_recorder<lanes> passing{&memory};
    if (memory.looks) {
      memory.begin_pass();
      for (unsigned warp = 0; warp != warps() && memory.looks; ++warp)
        detail::run_warps(what, passing, remembered, &memory, block, warp, warp + 1);
      if (memory.looks) return false;
      memory.forget_passes();
    }
    do {
      memory.begin_pass();
      detail::run_warps(what, passing, remembered, &memory, block, 0, warps());
    } while (memory.end_pass());
    memory.begin_pass();  // the run that follows, the recording, counts as one more pass
    return true;
  }
};

}  // namespace detail
}  // namespace coalescing
