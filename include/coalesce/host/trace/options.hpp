// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/recording.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The options of a replay, and what a replay skips.

namespace coalescing {

/// A range of addresses. 0 bytes: there are no such addresses.
struct address_window {
  std::uint64_t base = 0, bytes = 0;
};

/// How many bytes each lane moves in an access at a line of the source.
struct width_of_line {
  unsigned line = 0, bytes = 0;
};

/// How far a replay has come.
struct replay_progress {
  std::string file = {};           ///< the file that replay_files reads; empty in replay
  std::uint64_t lines = 0;         ///< how many lines were read
  std::uint64_t bytes = 0;         ///< how many bytes of the trace were read
  std::uint64_t of_bytes = 0;      ///< how many bytes the file has; 0: not known (a pipe)
  std::uint64_t instructions = 0;  ///< how many memory instructions of warps or waves were recorded
};

/// The options of a replay. The first five give facts that some formats of traces lack.
struct replay_options {
  /// Whether all lanes are active. The traces of mem_trace do not tell which lanes are active.
  bool all_lanes = false;
  /// How many bytes each lane moves in an access: `widths` for some lines of the source, `bytes` for every other line.
  /// Omniprobe's logs do not tell how many. 0: not known.
  std::vector<width_of_line> widths = {};
  unsigned bytes = 0;
  /// Which generic addresses belong to shared memory (AMD: the aperture of LDS), and which to local memory (AMD:
  /// scratch). Accel-Sim's traces tell both. address_window{} says that the kernel has no such addresses.
  std::optional<address_window> shared = {}, local = {};
  /// A function that is called whenever another `every` lines have been read, and at the end of a file.
  std::function<void(replay_progress const&)> progress = {};
  std::uint64_t every = 1'000'000;
  /// How many threads replay_files uses.
  unsigned jobs = 1;
};

/// What a replay left out for one reason: accesses of an instruction, lines, or parts of a launch.
struct skipped_accesses {
  std::string what;  ///< an opcode, or what else was skipped: a line, or parts of a launch
  std::string why;
  std::uint64_t count = 0;  ///< how many instructions of warps or waves, lines or parts
  std::string kernel = {};  ///< the kernel's name; empty for a line that belongs to no kernel
  found_at at = {};         ///< where the instruction stands
  /// Whether an access to global or shared memory may have been skipped. False for a line that the program or the tool
  /// prints, and for a load of a constant.
  bool may_be_access = true;

  auto operator<=>(skipped_accesses const&) const = default;
};

}  // namespace coalescing
