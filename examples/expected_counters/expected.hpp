// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "checked_sum.hpp"

#include <coalesce/core/cost.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/numbers.hpp>
#include <coalesce/record.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
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
  /// The instructions without a known counter: of a whole kernel, and on Nsight Compute's Source page.
  std::vector<std::string> not_counted = {}, not_counted_on_page = {};

  /// One instruction of the kernel: what all its executions cost, and how many they are. (All of a kernel's accesses
  /// have to be named, as counters count them together.)
  template <class Instruction, class Cost>
  kernel& executes(Cost const& cost, std::uint64_t times) {
    return executes(co::name_of<Instruction>().c_str(), co::counters_of<Instruction>(), 8 * Instruction::bytes, cost,
                    times);
  }
  /// Every access of a recorded kernel. Each recorded block stands for so many blocks that cost as much.
  template <unsigned MostSites>
  kernel& executes(co::recording<MostSites> const& seen, std::uint64_t blocks = 1) {
    for (co::site const& s : seen) {
      if (!s.cost.is_counted)
        throw std::invalid_argument(std::string("no source tells what an access to ") + s.array + " costs");
      if (s.at_most)
        throw std::invalid_argument(std::string("the cost of an access to ") + s.array + " is an upper bound");
      unsigned const bits = width(s);
      if (s.bits % bits != 0)
        throw std::invalid_argument(std::string("instructions of several widths move an element of ") + s.array);
      co::recorded_cost all;
      add_checked(all, s.cost, blocks);
      executes(s.instruction, s.counters(), bits, all, all.issued);
    }
    return *this;
  }
  [[nodiscard]] bool expects(std::string const& counter, std::string const& instruction) const {
    for (expected_counter const& one : counters)
      if (one.name == counter && one.instruction == instruction) return true;
    return false;
  }

  /// All executions of an instruction of so many bits of a lane: what they cost, and how many they are.
  template <class Counters, class Cost>
  kernel& executes(std::string const& instruction, Counters const& lines, unsigned bits, Cost const& cost,
                   std::uint64_t times) {
    bool is_counted = false, is_counted_on_page = false;
    for (co::counter const& line : lines) (line.sass[0] == '\0' ? is_counted : is_counted_on_page) = true;
    if (!is_counted) note_name(not_counted, instruction);
    if (!is_counted_on_page) note_name(not_counted_on_page, instruction);
    return add(lines, bits, cost, times);
  }

 private:
  /// The bits of a lane that the site's instruction moves: 32 of cuda::cc90::load<32>.
  static unsigned width(co::site const& s) {
    if (s.kind == co::touch::issued) return s.bits;
    std::string const name = s.instruction;
    return static_cast<unsigned>(std::stoul(name.substr(name.find('<') + 1)));
  }
  template <class Counters, class Cost>
  kernel& add(Counters const& lines, unsigned bits, Cost const& cost, std::uint64_t times) {
    std::vector<expected_counter> own;  // one counter may stand in several lines
    for (co::counter const& line : lines) {
      std::string const of = line.sass[0] == '\0' ? "" : line.sass + (" " + std::to_string(bits));
      if (line.name[0] != '\0')
        note(own, line.name, of) = {line.name, of, counted(cost, line, times), line.may_be, line.noise};
      if (line.executed[0] != '\0') note(own, line.executed, of) = {line.executed, of, times, co::deviation::none, ""};
    }
    for (expected_counter const& one : own) {
      expected_counter& sum = note(counters, one.name, one.instruction);
      sum.value = sum_of(one.name, sum.value, one.value);
      if (one.may_be == co::deviation::none) continue;
      bool const differs = sum.may_be != co::deviation::none && sum.may_be != one.may_be;
      sum.may_be = differs ? co::deviation::either : one.may_be;
      sum.noise = one.noise;
    }
    return *this;
  }
  /// The number that the counter counts. An instruction that is never executed has no number, and is counted 0 times.
  template <class Cost>
  static std::uint64_t counted(Cost const& cost, co::counter const& line, std::uint64_t times) {
    std::uint64_t const number = co::number_named(cost, line.number);
    if (number != co::not_counted) return number;
    if (times == 0) return 0;
    throw std::invalid_argument(std::string("an instruction has no ") + line.number + ", which " + line.name +
                                " counts");
  }
  static void note_name(std::vector<std::string>& list, std::string const& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }
  static expected_counter& note(std::vector<expected_counter>& list, std::string const& name, std::string const& of) {
    for (expected_counter& one : list)
      if (one.name == name && one.instruction == of) return one;
    list.push_back({name, of, 0, co::deviation::none, ""});
    return list.back();
  }
};
