// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include <cinttypes>
#include <cstdio>

namespace {

enum class verdict { agrees, is_noise, differs };
verdict judge(expected_counter const& expected, amount const& is) {
  if (is.whole == expected.value && is.fraction == 0) return verdict::agrees;
  bool const may = expected.may_be == (is.whole >= expected.value ? co::deviation::more : co::deviation::fewer);
  return may || expected.may_be == co::deviation::either ? verdict::is_noise : verdict::differs;
}

/// Whether the table has it as a counter of a whole kernel.
bool is_in_the_table(std::string const& name) {
  auto const table = co::all_counters();
  for (co::counter const& line : table.lines)
    if (line.sass[0] == '\0' && (name == line.name || name == line.executed)) return true;
  return false;
}

/// A counter that may count in a kernel without the access for which the table has it.
struct counted_besides {
  char const* counter;
  char const* beside;  ///< a counter that is expected then; "" in any kernel
  char const* why;
};
constexpr char const *arguments = "each kernel loads its arguments by scalar loads",
                     *stage = "stores, atomics and shared memory use the stage and count there too",
                     *matrices = "ldmatrix counts there too", *no_result = "atomics without a result count there",
                     *of_matrices = "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum",
                     *of_atomics = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum";
constexpr counted_besides besides[] = {
    {"SQC_TC_DATA_READ_REQ", "", arguments},
    {"SQ_INSTS_SMEM", "", arguments},
    {"l1tex__data_pipe_lsu_wavefronts.sum", "", stage},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", of_matrices, matrices},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", of_matrices, matrices},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", of_atomics, no_result},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", of_atomics, no_result},
};
/// Why a counter that is not expected may count all the same; "" if it may not.
std::string why_besides(kernel const& expected, std::string const& counter) {
  for (counted_besides const& one : besides)
    if (counter == one.counter && (one.beside[0] == '\0' || expected.expects(one.beside, ""))) return one.why;
  return expected.not_counted.empty() ? "" : "an instruction that is not compared may count there";
}

/// A kernel's counter in a launch; of an instruction the sum over those of its kind. Whether it was profiled.
bool find(launch const& profiled, expected_counter const& line, amount& is) {
  bool found = false;
  auto const add = [&](std::map<std::string, reading> const& counters) {
    auto const at = counters.find(line.name);
    if (at == counters.end()) return;
    amount const more = at->second.value(line.name);
    is.whole = sum_of(line.name, is.whole, more.whole), is.fraction += more.fraction, found = true;
    if (is.fraction >= 1) is.whole = sum_of(line.name, is.whole, 1), is.fraction -= 1;
  };
  is = {};
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
    amount is;
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
      std::printf("  %s%s, expected %" PRIu64 ", profiled %s",
                  found == verdict::differs ? "DIFFERS       " : "known noise   ", what.c_str(), line.value,
                  is.words().c_str());
      std::printf(found == verdict::is_noise ? " (%s)\n" : "\n", line.noise.c_str());
      list(profiled, line);
    }
  }
  for (auto const& [name, is] : profiled.counters) {
    if (expected.expects(name, "")) continue;
    if (!is_in_the_table(name)) {
      ++others;
      continue;
    }
    bool const is_zero = is.value(name).is_zero();
    std::string const why = is_zero ? "" : why_besides(expected, name);
    bool const differs = !is_zero && why.empty();
    if (differs) ++count[static_cast<unsigned>(verdict::differs)];
    std::printf("  %s  %s, profiled %s%s\n", differs ? "NOT EXPECTED" : "not expected", name.c_str(), is.words.c_str(),
                why.empty() ? "" : (" (" + why + ")").c_str());
  }
  for (line_of_sass const& one : profiled.instructions) {
    auto const executed = one.counters.find("inst_executed");
    if (!one.kind.empty() && executed != one.counters.end() && !executed->second.value("inst_executed").is_zero() &&
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
