// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>
#include <coalesce/host/binary/text.hpp>
#include <coalesce/host/binary/values.hpp>
#include <coalesce/record/sums.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// What waves report while they run, whoever made the GPU: what their lanes access, where a wave ends early, and in
// words what a value depends on.

namespace coalescing::binary {

/// Calls function(lane) for each lane of a mask, from the lowest one on.
template <class Function>
void each_lane(std::uint64_t mask, Function const& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<unsigned>(std::countr_zero(mask)));
}

/// One side of an instruction of a wave: what its lanes move where, or why that is not known. A copy from global to
/// shared memory has two sides.
struct lane_access {
  memory_space space = {};
  touch kind = {};
  unsigned bytes = 4;      ///< of a lane
  std::string array = {};  ///< the buffer, or the shared memory
  std::uint64_t active = 0;
  std::array<std::uint64_t, 64> address = {};  ///< of an active lane
  std::string why = {};                        ///< empty, or why it cannot be costed
};

/// What is called while waves run. `Access` is a lane_access with what only one vendor has. `index` is that of the
/// instruction.
template <class Access>
struct observer {
  /// What follows is done by this wave of the block.
  std::function<void(place const& block, unsigned wave)> wave_goes_on;
  std::function<void(std::size_t index, Access const& one)> wave_accesses;
  /// The wave is not followed past this instruction.
  std::function<void(std::size_t index, std::string const& why)> wave_ends_early;
};

/// In words, what a value depends on. `source_of(instruction)` names the source that the instruction reads, up to the
/// word "line". Refused: an opcode that is not in the tables.
template <class Instruction, class Source>
[[nodiscard]] std::string because(std::vector<Instruction> const& code, value const& of, std::string const& what,
                                  Instruction const& user, Source const& source_of) {
  auto const text_of = [](Instruction const& i) { return "line " + std::to_string(i.line) + ", " + i.printed; };
  cause const number = of.why & ~of_opcode;
  if (number == 0) return what + " depends on a register that nothing wrote";
  Instruction const& made = code[number - 1];
  if ((of.why & of_opcode) != 0)
    throw binary_refused("the opcode " + made.printed + " (or a form of it) is not in the tables, and " + what +
                             " depends on it: " + text_of(user),
                         made.line);
  return what + " depends on " + source_of(made) + text_of(made);
}

}  // namespace coalescing::binary
