// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/trace.hpp>
#include <coalesce/record/prices.hpp>

#include <string>
#include <vector>

// co::replay_files of a machine that is known by its name. Each function knows the machines of its file, and gives null
// for another name.

using replay_function = coalescing::replayed (*)(std::vector<std::string> const&, coalescing::trace_format,
                                                 coalescing::replay_options const&);

replay_function replay_on_cuda_to_turing(std::string const& machine);
replay_function replay_on_cuda_from_ampere(std::string const& machine);
replay_function replay_on_waves_of_32(std::string const& machine);
replay_function replay_on_waves_of_64(std::string const& machine);

/// Takes the machine whose name it is, if its instructions are known.
template <class Machine>
void find_replay(replay_function& found, std::string const& name, std::string const& asked) {
  if constexpr (coalescing::detail::has_issues<Machine>)
    if (name == asked) found = coalescing::replay_files<Machine>;
}
