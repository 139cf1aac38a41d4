// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/numbers.hpp>

#include <cstdint>
#include <string>
#include <vector>

// The counters that a profiler should show for a kernel: the sums over its accesses, and for Nsight Compute's Source
// page the sums over each kind of instruction.

namespace co = coalescing;

struct expected_counter {
  std::string name, instruction;  ///< an instruction of the binary and its width, "LDG 128"; or "" for the whole kernel
  std::uint64_t value = 0;
  co::deviation may_be = co::deviation::none;
  std::string noise;
};

struct kernel {
  std::string name;
  std::vector<expected_counter> counters;

  /// One instruction of the kernel: what all its executions cost, and how many they are. (All of a kernel's accesses
  /// have to be named, as counters count them together.)
  template <class Instruction, class Cost>
  kernel& executes(Cost const& cost, std::uint64_t times) {
    std::vector<expected_counter> own;  // one counter may stand in several lines
    for (co::counter const& line : co::counters_of<Instruction>()) {
      std::string const of = line.sass[0] == '\0' ? "" : line.sass + (" " + std::to_string(8 * Instruction::bytes));
      if (line.name[0] != '\0')
        note(own, line.name, of) = {line.name, of, co::number_named(cost, line.number), line.may_be, line.noise};
      if (line.executed[0] != '\0') note(own, line.executed, of) = {line.executed, of, times, co::deviation::none, ""};
    }
    for (expected_counter const& one : own) {
      expected_counter& sum = note(counters, one.name, one.instruction);
      sum.value += one.value;
      if (one.may_be != co::deviation::none) sum.may_be = one.may_be, sum.noise = one.noise;
    }
    return *this;
  }
  [[nodiscard]] bool expects(std::string const& counter, std::string const& instruction) const {
    for (expected_counter const& one : counters)
      if (one.name == counter && one.instruction == instruction) return true;
    return false;
  }

 private:
  static expected_counter& note(std::vector<expected_counter>& list, std::string const& name, std::string const& of) {
    for (expected_counter& one : list)
      if (one.name == name && one.instruction == of) return one;
    list.push_back({name, of, 0, co::deviation::none, ""});
    return list.back();
  }
};
