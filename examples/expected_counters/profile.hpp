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

struct launch {
  std::string id, kernel;
  std::map<std::string, double> counters;
};

/// A file that is not what the profilers write; what() is one sentence.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<launch> read_profile(std::istream&);
