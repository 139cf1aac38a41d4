// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/block.hpp>
#include <coalesce/host/kernel/fibers.hpp>
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/program.hpp>
#include <coalesce/host/kernel/refusals.hpp>

#include <cstdint>
#include <memory>

// Runs a block of a launch. One kernel runs at a time.

namespace coalescing::detail {

inline block_on_host* block_that_runs = nullptr;
/// Whether this thread of the program runs the block. Accesses that other threads of the program make at the same time
/// are not part of the kernel.
inline constinit thread_local bool runs_the_block = false;
inline std::unique_ptr<host_program> program_that_runs;

void run_on_host(host_run& run, place const& block) {
  if (block_that_runs != nullptr) refused::kernel_runs_already();
  if (program_that_runs == nullptr || !program_that_runs->is_of(run.kernel))
    program_that_runs = std::make_unique<host_program>(run.kernel);
  // The thread that runs this block may not be the one that ran the last block. Each has thread-local variables of its
  // own, so the arrays in shared memory lie elsewhere.
  program_that_runs->move_to_this_thread();
  std::uint64_t const begin = program_that_runs->thread_local_memory.begin;
  for (host_array& array : run.arrays)
    if (array.space == memory_space::shared) array.begin += begin - run.thread_local_memory;
  run.thread_local_memory = begin;
  static kept_for_blocks kept;
  block_on_host runs(run, *program_that_runs, kept);
  struct while_it_runs {
    explicit while_it_runs(block_on_host* block) { block_that_runs = block, runs_the_block = true; }
    ~while_it_runs() { block_that_runs = nullptr, running.is_noted = runs_the_block = false; }
  } const mark(&runs);
  auto const extents = [](coalescing::block const& of) {
    return host::dim3(static_cast<unsigned>(of.x), static_cast<unsigned>(of.y), static_cast<unsigned>(of.z));
  };
  running.block = {block.x, block.y, block.z}, running.lanes = static_cast<int>(run.lanes);
  running.block_size = extents(run.threads.block), running.grid_size = extents(run.threads.grid);
  runs.run(block);
}

host_line line_on_host(std::uint64_t place) { return program_that_runs->line(place); }
unsigned shared_offset_on_host(void const* address) {
  return static_cast<unsigned>(reinterpret_cast<std::uint64_t>(address) -
                               block_that_runs->program().thread_local_memory.begin / 128 * 128);
}

}  // namespace coalescing::detail
