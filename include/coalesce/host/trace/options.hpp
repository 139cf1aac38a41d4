// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/recording.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// What a replay is told beside the trace, and what it skips.

namespace coalescing {

/// A piece of the address space. With 0 bytes there is no such piece.
struct address_window {
  std::uint64_t base = 0, bytes = 0;
};

/// How many bytes of a lane the accesses at a line of the source move.
struct width_of_line {
  unsigned line = 0, bytes = 0;
};

/// How far a replay is.
struct replay_progress {
  std::string file = {};           ///< of replay_files
  std::uint64_t lines = 0;         ///< that were read
  std::uint64_t bytes = 0;         ///< of the trace that were read
  std::uint64_t instructions = 0;  ///< of warps or waves: memory instructions that were taken
};

/// What a format does not tell.
struct replay_options {
  /// mem_trace does not tell which lanes are active: true says that all of them are.
  bool all_lanes = false;
  /// Omniprobe does not tell how many bytes of a lane an access moves: those of a line, and of every other line.
  std::vector<width_of_line> widths = {};
  unsigned bytes = 0;
  /// Where generic addresses are those of shared memory (AMD: the aperture of LDS), and where of local memory (AMD:
  /// scratch). Accel-Sim's traces tell it. address_window{} says that the kernel has no such addresses.
  std::optional<address_window> shared = {}, local = {};
  /// Is called after each `every` lines, and at the end of a file.
  std::function<void(replay_progress const&)> progress = {};
  std::uint64_t every = 1'000'000;
  /// Threads that replay_files uses.
  unsigned jobs = 1;
};

/// What is left out at one place, and why.
struct skipped_accesses {
  std::string what;  ///< an opcode, or what stands in the trace instead
  std::string why;
  std::uint64_t count = 0;    ///< instructions of warps or waves, or lines
  std::string kernel = {};    ///< empty: a line that is not a kernel's
  found_at at = {};           ///< of an instruction
  bool may_be_access = true;  ///< false: a line of the program or of the tool, which accesses nothing

  auto operator<=>(skipped_accesses const&) const = default;
};

}  // namespace coalescing
