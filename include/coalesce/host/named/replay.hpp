// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named.hpp>
#include <coalesce/host/trace.hpp>
#include <coalesce/record/prices.hpp>

#include <istream>
#include <string>
#include <string_view>
#include <vector>

// co::replay_files for a machine that is given by its name: co::replay_files("cc90", files, co::trace_format::plain).
// It needs the compiled library coalesce::host, which has co::replay_files<Machine> for every machine.

namespace coalescing {

namespace refused {

[[noreturn]] inline void machine_has_unknown_instructions(std::string const& machine) {
  detail::refuse(("the instructions of " + machine + " are not known").c_str());
}

}  // namespace refused

namespace detail {

/// The functions that replay traces on one machine. Nothing calls `stream`. This member makes the library compile
/// replay<Machine>.
struct named_replay {
  std::string machine;  ///< the machine's name as named_machine has it; rdna::gfx1100::wave64 for the waves of 64 lanes
  replayed (*stream)(std::istream&, trace_format, replay_options const&);
  replayed (*files)(std::vector<std::string> const&, trace_format, replay_options const&);
  machine_facts<32> const* of_32 = nullptr;  ///< the machine's facts, if its waves have 32 lanes; else nullptr
  machine_facts<64> const* of_64 = nullptr;
};

// Each function appends the replay functions of the machines that one source file of coalesce::host compiles.
void list_replays_of_waves_of_32(std::vector<named_replay>& machines);
void list_replays_of_waves_of_64(std::vector<named_replay>& machines);

/// Appends the replay functions of a machine, if its instructions are known.
template <class Machine>
void list_replay(std::vector<named_replay>& machines, std::string const& name) {
  if constexpr (has_issues<Machine>) {
    machines.push_back({name, replay<Machine>, replay_files<Machine>});
    if constexpr (Machine::issues::lanes == 32) machines.back().of_32 = &instructions_of_machine<Machine>;
    if constexpr (Machine::issues::lanes == 64) machines.back().of_64 = &instructions_of_machine<Machine>;
  }
}

/// The functions that replay traces on the machine of that name, in any spelling. Refused: a name that no machine has,
/// and a machine for whose instructions no source tells a cost.
[[nodiscard]] inline named_replay const& replay_of(std::string_view machine) {
  static std::vector<named_replay> const machines = [] {
    std::vector<named_replay> all;
    detail::list_replays_of_waves_of_32(all), detail::list_replays_of_waves_of_64(all);
    return all;
  }();
  auto const asked = detail::machine_of(machine);
  std::string const name = asked.machine->name + (asked.is_wave64 ? "::wave64" : "");
  for (named_replay const& each : machines)
    if (each.machine == name) return each;
  refused::machine_has_unknown_instructions(name);
}

}  // namespace detail

/// Calls replay_files<Machine>(files, format, options) for the machine of that name, in any spelling. Refused: what
/// replay_files<Machine> refuses; a name that no machine has; a machine for whose instructions no source tells a cost.
[[nodiscard]] inline replayed replay_files(std::string_view machine, std::vector<std::string> const& files,
                                           trace_format format, replay_options const& options = {}) {
  return detail::replay_of(machine).files(files, format, options);
}

}  // namespace coalescing
