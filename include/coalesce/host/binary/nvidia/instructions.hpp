// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Executes an instruction that is not a branch, an exit or a wait. It may depend on unknown data whether the warp
// reaches the instruction.

namespace coalescing::sass {

class instruction_runner {
 public:
  instruction_runner(program const& code, register_runner const& registers, memory_runner& memory,
                     std::vector<opcode_row const*> const& rows, std::uint64_t most_instructions)
      : code_(code), registers_(registers), memory_(memory), rows_(rows), most_instructions_(most_instructions) {}

  /// Counts one more instruction of a warp. Refused: an index after the last instruction, and too many instructions.
  void count(warp& w, std::size_t index) const {
    if (index >= code_.code.size()) throw binary_refused("a warp runs past the end of the kernel: is EXIT missing?");
    if (++w.executed > most_instructions_)
      throw binary_refused(
          "a warp executes more than " + std::to_string(most_instructions_) + " instructions: a loop without an end?",
          code_.code[index].line);
  }
  /// Runs the instruction. `active` is the mask of lanes whose predicate is true, `perhaps` of those whose predicate is
  /// unknown. `view` says which writes the warp sees.
  void run(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps, place const& block,
           warp_view const& view) const {
    instruction const& i = code_.code[index];
    opcode_row const& row = *rows_[index];
    auto const why = static_cast<cause>(index + 1);
    std::uint32_t const may = active | perhaps, surely = active & ~(w.is_way ? ~std::uint32_t{0} : w.uncertain);
    if (may == 0) return;
    switch (row.does) {
      case action::compute:
        return registers_.compute(w, index, active, perhaps);
      case action::constant:
        return registers_.load_constant(w, index, active, perhaps);
      case action::special:
        return registers_.special(w, index, active, perhaps, block);
      case action::lanes:
        return registers_.exchange(w, index, surely, may & ~surely);
      case action::unpack:
        return registers_.unpack(w, index, active, perhaps);
      case action::memory:
        memory_.now(view);
        return memory_.access(w, index, surely, may & ~surely);
      case action::listed:
        memory_.now(view);
        memory_.list(w, index, may, row.from);
        return registers_.forget(w, index, may, why);
      case action::data:
        return registers_.forget(w, index, may, why);
      case action::missing:
        if (may_access(i)) {
          memory_.now(view);
          memory_.list(w, index, may, "the opcode is not in the tables, and may access memory");
        }
        return registers_.forget(w, index, may, why | binary::of_opcode);
      case action::control:
      case action::barrier:
      case action::nothing:
        return;
    }
  }

 private:
  program const& code_;
  register_runner const& registers_;
  memory_runner& memory_;
  std::vector<opcode_row const*> const& rows_;
  std::uint64_t most_instructions_;
};

}  // namespace coalescing::sass
