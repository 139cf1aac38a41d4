// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// What a profiler wrote: ncu --csv (a line a metric, or with --page raw a line a launch and a line of units) and
// rocprofv3's counter_collection.csv (a line a counter and dispatch). Lines before the header, such as ==PROF==, are
// none of it.

/// A file that is not what the profilers write; what() is one sentence.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// As the file has it: most of its metrics are not asked for, and may be anything.
struct reading {
  std::string words, unit;
  unsigned line = 0;
  bool is_twice = false;  ///< with other words

  [[nodiscard]] double value(std::string const& name) const;
};
struct launch {
  std::string id, kernel;
  std::map<std::string, reading> counters;
};

std::vector<launch> read_profile(std::istream&);
