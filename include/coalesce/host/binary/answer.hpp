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

// The answer about a kernel's binary: a recording of what the kernel does to memory, and the instructions whose cost is
// not known. This header also writes the answer as JSON, and finds the function that reads binaries for a machine.

namespace coalescing {

/// An instruction to which the answer gives no cost, with the reason: it accesses memory and its cost is not known, or
/// a wave cannot be followed past it.
struct binary_unknown {
  found_at at = {};
  std::string why = {};
  /// How many times a wave reached this instruction, or ended at it. 0: no wave reached the instruction, but a wave
  /// that ended earlier might have reached it.
  std::uint64_t issued = 0;
};

/// The answer about a kernel's binary.
struct binary_answer {
  std::string machine = {};  ///< the machine's name: gfx942
  std::string kernel = {};
  /// The checksum of the kernel's opcodes and operands, as the disassembly spells them, without blanks.
  std::uint64_t checksum = 0;
  recording<any_number> sites = {};
  std::vector<binary_unknown> unknown = {};
  /// How many blocks ran. If `sites.blocks` is greater, each of the other blocks is known to cost as much as a block
  /// that ran.
  std::uint64_t blocks_run = 0;
  bool any_block = false;  ///< whether the numbers hold for every block of the grid (binary_launch::any_block)
  /// How many instructions were passed over: their opcodes are unknown, but they are not accesses, and no address, mask
  /// or branch depends on them.
  std::uint64_t passed_over = 0;
  /// The buffers of the launch. If the launch gave the contents of a buffer, its `bytes` are these contents as the
  /// kernel left them.
  std::vector<binary::global_array> buffers = {};
  /// The assumptions on which the numbers rest, each as a sentence. If an assumption is about one instruction, the
  /// sentence begins with the instruction's line.
  std::vector<std::string> assumed = {};
  std::vector<std::string> arguments = {};  ///< in words, the arguments that the launch did not state
  /// A launch is checked against the limits that the text states for the kernel, such as the size of its blocks. If the
  /// text states no limits, this sentence says so; else it is empty.
  std::string unchecked = {};
};

/// The answer as JSON, as `coalesce binary --json` prints it.
[[nodiscard]] inline std::string json(binary_answer const& answer) {
  detail::json_sites made;
  for (site const& s : answer.sites) made.add(s, answer.sites.machine);
  for (binary_unknown const& each : answer.unknown) made.add_unknown(each.at, each.why, each.issued);
  return made.text(detail::words_of(answer.sites.machine).c_str(), answer.kernel, answer.sites.blocks, answer.unchecked,
                   answer.assumed, answer.arguments, answer.any_block, answer.checksum);
}

namespace binary {

/// A machine whose binaries can be read, and the function that reads them.
struct named_reader {
  char const* name;
  binary_answer (*record)(std::string_view text, binary_launch const& launch);
};
/// The element of `all` for the machine with this name; null if there is none.
template <std::size_t Count>
[[nodiscard]] named_reader const* reader_of(std::string_view name, named_reader const (&all)[Count]) {
  for (named_reader const& each : all)
    if (name == each.name) return &each;
  return nullptr;
}

}  // namespace binary

}  // namespace coalescing
