// SPDX-License-Identifier: BSL-1.0
#pragma once
#if defined(__CUDACC__) && defined(__NVCC__)  // a kernel's body calls host functions only in constant expressions
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20012, 20013, 20014, 20015
#endif
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/atomics.hpp>
#include <coalesce/record/compare.hpp>
#include <coalesce/record/kernel.hpp>
#include <coalesce/record/races.hpp>
#include <coalesce/record/recorder.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/suggest.hpp>
#include <coalesce/record/thread.hpp>
#include <coalesce/record/words.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>

// Runs the kernel's own body, lane by lane, and finds the cost of every access at its place in the source.
//
// A kernel's body is written once, as a function template over its thread and its pointers. On the device it gets
// co::this_thread() and raw pointers, and the compiled kernel has nothing of this library. co::record runs it on the
// host, in a constant expression or at run time, with pointers that record each access. This header defines no machine:
// include cuda.hpp, gcn.hpp, cdna.hpp or rdna.hpp too.

namespace coalescing {

namespace detail {

template <class Machine, unsigned MostSites>
struct cost_recorder : recorder<Machine::issues::lanes, cost_sink<Machine, MostSites>> {
  using base = recorder<Machine::issues::lanes, cost_sink<Machine, MostSites>>;
  cost_sink<Machine, MostSites> costs = {};

  constexpr cost_recorder() : base(costs) {}
  constexpr void begin_warp(place const& block, unsigned warp) {
    costs.block = block, costs.warp = warp;
    base::begin_warp();
  }
};

/// Calls run(runner, costs), which lets the runner execute warps of the kernel. Returns the recording of the accesses
/// that these warps make.
template <class Machine, unsigned MostSites, class Body, class... Arrays, class Run>
constexpr recording<MostSites> recorded_by(kernel<Body, Arrays...> const& what, Run const& run) {
  static_assert(has_issues<Machine>,
                "record<Machine>: a machine, such as co::cuda::cc90, co::cdna::gfx942, co::gcn::machine, "
                "co::rdna::gfx1100, whose instructions are known");
  static_assert(sizeof...(Arrays) <= recording<MostSites>::most_arrays, "a kernel is given at most 16 arrays");
  if (!__builtin_is_constant_evaluated()) detail::at_run_time();
  if constexpr (has_issues<Machine>) {
    cost_recorder<Machine, MostSites> to;
    runner<cost_recorder<Machine, MostSites>, kernel<Body, Arrays...>> const runs{what, to};
    to.costs.seen.machine = Machine::identity, to.costs.seen.arrays = runs.arrays;
    for (unsigned k = 0; k != runs.arrays; ++k) to.costs.seen.names[k] = runs.facts[k].name;
    run(runs, to.costs);
    to.costs.flush();
    return to.costs.seen;
  } else {
    return {};
  }
}

/// Runs every block, and finds out whether every block adds the same cost to each site. (A site is the place of an
/// access in the source.)
template <unsigned MostSites, class Runner, class Costs, class Tell>
constexpr void run_blocks(launch const& of, Runner const& runs, Costs& costs, Tell const& tell) {
  std::uint64_t const blocks = detail::count_of(of.grid);
  recorded_cost first[MostSites], before[MostSites];
  for (std::uint64_t b = 0; b != blocks; ++b) {
    unsigned const sites = costs.seen.count;
    runs.run(detail::place_of(b, of.grid), 0, runs.warps());
    costs.flush();
    bool const alike = detail::grows_alike(costs.seen.sites, costs.seen.count, first, before, b == 0);
    costs.seen.blocks_alike = b == 0 || (costs.seen.blocks_alike && costs.seen.count == sites && alike);
    costs.seen.blocks = b + 1;
    tell(b + 1, blocks);
  }
}

}  // namespace detail

/// Records one block of a kernel, by default {0, 0, 0}. Its threads run one after the other, and the cost of each
/// access of each warp is counted on the Machine. Refused, in an error that names the array, the line and the lane:
/// - an access outside its array, an index outside its row, an address less aligned than its type;
/// - a load of an integer (or of a class that may hold one) from an array that is given neither `contents` nor
///   `any_value`;
/// - a load of an integer (or of such a class) from shared memory, if the order of the lanes decides the value;
/// - a load past the contents of a shared array;
/// - lanes that reach accesses in different orders;
/// - accesses at more than MostSites places in the source.
///
/// Refused, too: a block outside the grid.
///
///     constexpr co::kernel padded{co::launch{.grid = {128, 128}, .block = {32, 8}}, body,
///                                 co::global<float const>{"in"}, co::global<float>{"out"},
///                                 co::shared<float[32][33]>{"tile"}};
///     static_assert(co::record<cc90>(padded).of("tile").conflicts == 0);
///
/// Mark each loop that some lanes may leave earlier than others: for (auto again = t.loop(); again(k < end); ++k).
template <class Machine, unsigned MostSites = 32, class Body, class... Arrays>
[[nodiscard]] constexpr recording<MostSites> record(kernel<Body, Arrays...> const& what, place const& block = {}) {
  return detail::recorded_by<Machine, MostSites>(what, [&](auto const& runs, auto& costs) {
    detail::check_block(what.launch, block);
    runs.run(block, 0, runs.warps()), costs.seen.blocks = 1;
  });
}
/// Records some warps or waves of a block. Refused: warps that the block does not have.
template <class Machine, unsigned MostSites = 32, class Body, class... Arrays>
[[nodiscard]] constexpr recording<MostSites> record(kernel<Body, Arrays...> const& what, warps const& some) {
  return detail::recorded_by<Machine, MostSites>(what, [&](auto const& runs, auto& costs) {
    detail::check_block(what.launch, some.block);
    if (some.first > runs.warps() || some.count > runs.warps() - some.first)
      refused::block_has_no_such_warp(some.count);
    runs.run(some.block, some.first, some.first + some.count), costs.seen.blocks = 1;
  });
}
/// Records every block of the grid. `blocks` is co::every_block or co::each_block{tell}. With co::each_block, record()
/// calls tell(done, all) after each block: `done` blocks of `all` blocks are recorded.
template <class Machine, unsigned MostSites = 32, class Body, class... Arrays, class Tell>
[[nodiscard]] constexpr recording<MostSites> record(kernel<Body, Arrays...> const& what,
                                                    each_block<Tell> const& blocks) {
  return detail::recorded_by<Machine, MostSites>(what, [&](auto const& runs, auto& costs) {
    detail::run_blocks<MostSites>(what.launch, runs, costs, blocks.tell);
  });
}

/// Records one block of a kernel on several machines: co::compare<cc90, gfx942>(kernel).
template <class... Machines, class Body, class... Arrays>
requires(sizeof...(Machines) != 0)  // at least one machine
    [[nodiscard]] constexpr recorded_comparison<sizeof...(Machines), 32> compare(kernel<Body, Arrays...> const& what,
                                                                                 place const& block = {}) {
  return {{coalescing::record<Machines>(what, block)...}};
}

}  // namespace coalescing
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_diagnostic pop
#endif

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
