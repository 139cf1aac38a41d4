// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/decode.hpp>
#include <coalesce/host/binary/amd/program.hpp>

#include <cstddef>
#include <vector>

// Finds the instructions that a wave may still reach when it is no longer followed, and the memory that they may write.

namespace coalescing::amdgcn {

/// Which memory may be written: buffers, or LDS.
struct possible_stores {
  bool global = false, lds = false;
};

/// The memory that an instruction may write.
[[nodiscard]] inline possible_stores stores_of(instruction const& i, memory_opcode const& moves) {
  bool const to_lds = moves.to_lds || i.has("lds");
  bool const writes = moves.kind != touch::load && moves.by != unit::exchange && moves.by != unit::scratch;
  bool const anywhere = moves.by == unit::flat || moves.by == unit::missing;
  return {writes && moves.by != unit::lds,
          to_lds || (writes && (moves.by == unit::lds || anywhere)) || (moves.by == unit::lds && moves.bytes == 0)};
}

/// The memory that a wave may write after the instruction `branch`. The wave may go on at the next instruction, or at
/// the target of the branch. A wave that leaves the text may store to anything.
[[nodiscard]] inline possible_stores stores_after(program const& code, std::vector<decoded> const& meanings,
                                                  std::size_t branch) {
  possible_stores found;
  std::vector<bool> seen(code.code.size());
  std::vector<std::size_t> left;
  auto const go = [&](std::uint64_t to) {
    if (to >= code.code.size()) {
      found = {true, true};
    } else if (!seen[to]) {
      seen[to] = true, left.push_back(to);
    }
  };
  auto const leave = [&](std::size_t at) {
    action const does = meanings[at].does;
    if (does == action::end) return;
    if (does == action::leaving || does == action::undecoded) return go(code.code.size());
    if (does == action::jump) go(code.code[at].target);
    if (code.code[at].opcode != "s_branch") go(at + 1);
  };
  for (leave(branch); !left.empty();) {
    std::size_t const at = left.back();
    left.pop_back();
    if (meanings[at].does == action::memory) {
      possible_stores const here = stores_of(code.code[at], meanings[at].moves);
      found = {found.global || here.global, found.lds || here.lds};
    }
    leave(at);
  }
  return found;
}

}  // namespace coalescing::amdgcn
