// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

// What the readers of both vendors share: which blocks run, and machines by their names.

namespace coalescing::binary {

/// Calls run(block) for each block that the launch names, one after the other. Refused: a block outside the grid.
template <class Run>
void run_blocks(binary_launch const& launch, Run const& run) {
  for (place const& each : launch.blocks) {
    if (each.x >= launch.grid.x || each.y >= launch.grid.y || each.z >= launch.grid.z)
      throw binary_refused("the block lies outside the grid");
    run(each);
  }
  if (!launch.blocks.empty()) return;
  auto const all = coalescing::detail::count_of(launch.grid);
  for (std::uint64_t k = 0; k != (launch.every_block ? all : 1); ++k) run(coalescing::detail::place_of(k, launch.grid));
}

/// A machine whose binaries are read.
struct named_reader {
  char const* name;
  binary_answer (*record)(std::string_view text, binary_launch const& launch);
};
/// The machine with a name; null where no machine has it.
template <std::size_t Count>
[[nodiscard]] named_reader const* reader_of(std::string_view name, named_reader const (&all)[Count]) {
  for (named_reader const& each : all)
    if (name == each.name) return &each;
  return nullptr;
}

}  // namespace coalescing::binary
