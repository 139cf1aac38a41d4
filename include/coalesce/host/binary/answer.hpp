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

// The answer about a kernel's binary: a recording of what it does to memory, and the instructions whose cost is not
// known. Also its JSON, and machines by their names.

namespace coalescing {

/// An instruction that accesses memory and has no cost here, or one at which waves end before their kernel does, with
/// the reason.
struct binary_unknown {
  found_at at = {};
  std::string why = {};
  /// How many waves reached this instruction, or ended at it. 0: none did, but a wave that ended earlier might have.
  std::uint64_t issued = 0;
};

/// The answer about a binary.
struct binary_answer {
  std::string machine = {};  ///< the machine's name: gfx942
  std::string kernel = {};
  std::uint64_t checksum = 0;  ///< of the kernel's instructions, as the text prints them
  recording<any_number> sites = {};
  std::vector<binary_unknown> unknown = {};
  std::uint64_t blocks_run = 0;   ///< how many blocks ran; each of the others is known to cost what one of these does
  bool any_block = false;         ///< the numbers hold for every block of the grid (binary_launch::any_block)
  std::uint64_t passed_over = 0;  ///< how many instructions have unknown opcodes, but are not accesses, and no address,
                                  ///< mask or branch depends on them
  std::vector<binary::global_array> buffers = {};  ///< the buffers; those with contents also have what the kernel
                                                   ///< stored
  std::vector<std::string> assumed = {};    ///< the assumptions of the bounds, each with its line; empty if all numbers
                                            ///< are exact
  std::vector<std::string> arguments = {};  ///< in words, the arguments that the launch did not state
  std::string unchecked = {};  ///< what the answer takes from the launch unchecked, because the text does not state it;
                               ///< else empty
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
/// The machine with a name; null if no machine has it.
template <std::size_t Count>
[[nodiscard]] named_reader const* reader_of(std::string_view name, named_reader const (&all)[Count]) {
  for (named_reader const& each : all)
    if (name == each.name) return &each;
  return nullptr;
}

}  // namespace binary

}  // namespace coalescing
