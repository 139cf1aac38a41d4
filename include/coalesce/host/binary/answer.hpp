// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/memory.hpp>
#include <coalesce/host/json.hpp>
#include <coalesce/host/recording.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a kernel's binary does to memory: a recording, and what could not be costed; its JSON; machines by their names.

namespace coalescing {

/// An instruction that accesses memory and has no cost here, or one at which waves end before their kernel does, with
/// the reason.
struct binary_unknown {
  found_at at = {};
  std::string why = {};
  /// How often waves came here; where waves end, how many end. 0: none came, but a wave that ended before might have.
  std::uint64_t issued = 0;
};

/// The answer about a binary.
struct binary_answer {
  std::string machine = {};  ///< its name: gfx942
  std::string kernel = {};
  recording<any_number> sites = {};
  std::vector<binary_unknown> unknown = {};
  bool any_block = false;         ///< the numbers hold for each block (binary_launch::any_block)
  std::uint64_t passed_over = 0;  ///< instructions of unknown opcodes, which are not accesses and steer nothing
  std::vector<binary::global_array> buffers = {};  ///< with what the kernel stored, where they have contents
  std::vector<std::string> assumed = {};    ///< what bounds rest on, each with its line; empty where all is exact
  std::vector<std::string> arguments = {};  ///< those that the launch did not state, in words
  std::string unchecked = {};  ///< what of the launch is taken as it is, since the text does not state it; else empty
};

/// The answer as JSON, in the words of `coalesce binary --json`.
[[nodiscard]] inline std::string json(binary_answer const& answer) {
  detail::json_sites made;
  for (site const& s : answer.sites) made.add(s, answer.sites.machine);
  for (binary_unknown const& each : answer.unknown) made.add_unknown(each.at, each.why, each.issued);
  return made.text(detail::words_of(answer.sites.machine).c_str(), answer.kernel, answer.sites.blocks, answer.unchecked,
                   answer.assumed, answer.arguments, answer.any_block);
}

namespace binary {

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

}  // namespace binary

}  // namespace coalescing
