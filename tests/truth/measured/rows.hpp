// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

// The build makes this from the tables here (generate.cpp): rows, and a question for each instruction that they name.

namespace coalescing_tests {

/// Byte address of a lane.
using formula = std::uint64_t (*)(std::uint64_t lane);

/// A row of measured.csv or measured_orderings.csv; of the latter `group` is not empty.
struct measured_row {
  char const *id, *group, *machine, *chip, *instruction;
  formula address;
  std::uint64_t active;
  char const* number;
  double measured, tolerance;
  char const *kind, *source;
};
extern std::vector<measured_row> const measured_rows;

/// A table of measured_lane_pairs.txt: cell [a][b] tells whether lanes a and b conflict: '1', '0', or '.' where that
/// was not measured.
struct lane_pairs {
  char const* instruction;
  char const* conflict[64];
};
extern std::vector<lane_pairs> const measured_lane_pairs;

/// Something that stands in a table beside the rows, and its reason: a known difference (its row), or what the library
/// cannot be asked (a machine, an instruction and a number; an empty one stands for all).
struct known_difference {
  char const *id, *reason;
};
extern std::vector<known_difference> const known_differences;
struct silence {
  char const *machine, *instruction, *number, *reason;
};
extern std::vector<silence> const silences;

/// The numbers of a cost, by name.
using numbers = std::map<std::string, std::uint64_t>;

/// An instruction of the library, by the names that the tables have for it.
struct question {
  char const *machine, *instruction;
  unsigned lanes, bytes;
  numbers (*ask)(std::span<std::uint64_t const> addresses, std::uint64_t active);
};
extern std::vector<question> const questions;

}  // namespace coalescing_tests
