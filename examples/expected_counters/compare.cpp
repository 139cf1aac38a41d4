// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include <cinttypes>
#include <cstdio>

namespace {

enum class verdict { agrees, is_noise, differs };
verdict judge(expected_counter const& expected, double is) {
  auto const should = static_cast<double>(expected.value);
  if (is == should) return verdict::agrees;
  bool const may = expected.may_be == (is > should ? co::deviation::more : co::deviation::fewer);
  return may || expected.may_be == co::deviation::either ? verdict::is_noise : verdict::differs;
}

bool is_in_the_table(std::string const& name) {
  auto const table = co::all_counters();
  for (co::counter const& line : table.lines)
    if (name == line.name || name == line.executed) return true;
  return false;
}

/// A kernel's counter in a launch; of an instruction the sum over those of its kind. Whether it was profiled.
bool find(launch const& profiled, expected_counter const& line, double& is) {
  bool found = false;
  auto const add = [&](std::map<std::string, reading> const& counters) {
    auto const at = counters.find(line.name);
    if (at != counters.end()) is += at->second.value(line.name), found = true;
  };
  is = 0;
  if (line.instruction.empty()) add(profiled.counters);
  bool any = line.instruction.empty();
  for (line_of_sass const& one : profiled.instructions)
    if (one.kind == line.instruction) add(one.counters), any = true;
  return found || !any;  // the binary has no such instruction: 0
}
/// Each instruction of a kind that differs as a whole.
void list(launch const& profiled, expected_counter const& line) {
  for (line_of_sass const& one : profiled.instructions) {
    auto const at = one.counters.find(line.name);
    if (!line.instruction.empty() && one.kind == line.instruction && at != one.counters.end())
      std::printf("                %s at %s: %s\n", one.source.c_str(), one.address.c_str(), at->second.words.c_str());
  }
}

}  // namespace

int compare(kernel const& expected, launch const& profiled) {
  std::printf("%s, launch %s: %s\n", expected.name.c_str(), profiled.id.c_str(), profiled.kernel.c_str());
  unsigned count[3] = {}, missing = 0, others = 0;
  for (expected_counter const& line : expected.counters) {
    if (line.instruction.empty() != profiled.instructions.empty()) continue;
    std::string const what = line.instruction + (line.instruction.empty() ? "" : ": ") + line.name;
    double is = 0;
    if (!find(profiled, line, is)) {
      ++missing;
      std::printf("  not profiled  %s, expected %" PRIu64 "\n", what.c_str(), line.value);
      continue;
    }
    verdict const found = judge(line, is);
    ++count[static_cast<unsigned>(found)];
    if (found == verdict::agrees) {
      std::printf("  agrees        %s, %" PRIu64 "\n", what.c_str(), line.value);
    } else {
      std::printf("  %s%s, expected %" PRIu64 ", profiled %.15g",
                  found == verdict::differs ? "DIFFERS       " : "known noise   ", what.c_str(), line.value, is);
      std::printf(found == verdict::is_noise ? " (%s)\n" : "\n", line.noise.c_str());
      list(profiled, line);
    }
  }
  for (auto const& [name, is] : profiled.counters) {
    if (expected.expects(name, "")) continue;
    if (is_in_the_table(name))
      std::printf("  not expected  %s, profiled %s\n", name.c_str(), is.words.c_str());
    else
      ++others;
  }
  for (line_of_sass const& one : profiled.instructions) {
    auto const executed = one.counters.find("inst_executed");
    if (!one.kind.empty() && executed != one.counters.end() && executed->second.value("inst_executed") != 0 &&
        !expected.expects("inst_executed", one.kind)) {
      std::printf("  NOT EXPECTED  %s at %s\n", one.source.c_str(), one.address.c_str());
      ++count[static_cast<unsigned>(verdict::differs)];
    }
  }
  bool const is_page = !profiled.instructions.empty();
  std::vector<std::string> const& uncounted = is_page ? expected.not_counted_on_page : expected.not_counted;
  for (std::string const& instruction : uncounted)
    std::printf("  NOT COMPARED  %s: no counter of %s is known for it\n", instruction.c_str(),
                is_page ? "the Source page" : "a whole kernel");
  std::printf("  %u agree, %u differ by known noise, %u differ, %u not profiled; others in the profile: %u\n", count[0],
              count[1], count[2], missing, others);
  return count[0] + count[1] + count[2] == 0 ? -1 : count[2] == 0 && uncounted.empty();
}
