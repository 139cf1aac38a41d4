// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// Reads what a profiler wrote: ncu --csv (a line a metric, or with --page raw a line a launch and a line of units, or
// with
// --page source a table a launch and a line an instruction) and rocprofv3's counter_collection.csv (a line a counter
// and dispatch). Lines before the header, such as ==PROF==, are skipped.

/// A file that is not what the profilers write; what() is one sentence.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A number of a profile, which is never negative. Its whole part is an integer, as a double cannot tell large counts
/// apart.
struct amount {
  std::uint64_t whole = 0;
  double fraction = 0;  ///< below 1

  [[nodiscard]] bool is_zero() const { return whole == 0 && fraction == 0; }
  [[nodiscard]] std::string words() const;
};

/// A metric as text. Most metrics of a file are never asked for, and need not be numbers.
struct reading {
  std::string words, unit;
  unsigned line = 0;
  bool is_twice = false;  ///< with other words

  [[nodiscard]] amount value(std::string const& name) const;
};
/// An instruction of the binary, from the Source page.
struct line_of_sass {
  std::string address, source;  ///< "0x7f10", "@P0 LDG.E.128.CONSTANT R4, [R2.64]"
  std::string kind;             ///< "LDG 128"; "" where it does not access memory
  std::map<std::string, reading> counters;
};
struct launch {
  std::string id, kernel;
  std::map<std::string, reading> counters;  ///< of the whole kernel
  std::vector<line_of_sass> instructions;   ///< of a Source page
};

std::vector<launch> read_profile(std::istream&);
