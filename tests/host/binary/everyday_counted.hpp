// SPDX-License-Identifier: BSL-1.0
// Compares the counts of a GPU (tests/truth/outside/profilers/everyday/run) with a binary's answer, instruction by
// instruction.
#pragma once
#include <coalesce/host/binary.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "truth/measured/csv.hpp"

namespace coalescing_tests {

/// An instruction of a kernel in one run: how often warps executed it, and the counts that it has.
struct counted_on_gpu {
  unsigned contents;
  std::uint64_t offset;
  std::string opcode;
  std::uint64_t executed;
  std::optional<std::uint64_t> tags, sectors, wavefronts, local_sectors;
};

/// The rows of a file, by kernel. Its first line says on what they were counted.
inline std::map<std::string, std::vector<counted_on_gpu>> read_counts(std::string const& path) {
  std::ifstream in{path};
  std::string line;
  std::getline(in, line);
  if (!in || line.rfind("# ", 0) != 0) throw malformed(path + ": it does not begin with where it was counted");
  std::getline(in, line);
  if (line != "contents,kernel,offset,opcode,executed,tags,sectors,wavefronts,local_sectors")
    throw malformed(path + ": other columns");
  std::map<std::string, std::vector<counted_on_gpu>> made;
  while (std::getline(in, line)) {
    auto const cells = cells_of(line, path + ": " + line + ": ");
    if (cells.size() != 9) throw malformed(path + ": " + line);
    auto const count = [&](unsigned k) {
      return cells[k].empty() ? std::nullopt : std::optional<std::uint64_t>(std::stoull(cells[k]));
    };
    made[cells[1]].push_back({static_cast<unsigned>(std::stoul(cells[0])), std::stoull(cells[2], nullptr, 16), cells[3],
                              std::stoull(cells[4]), count(5), count(6), count(7), count(8)});
  }
  return made;
}

/// How many counts were compared, how many of them with exact numbers, and how many rows were left out, because the
/// answer has only the numbers of one round there.
struct compared_counts {
  unsigned all = 0, exact = 0, rounds = 0;
};
/// Holds an answer without contents to the counts of all runs: an exact number is equal, a bound is not exceeded. Each
/// instruction that certainly accesses memory has a row.
inline compared_counts compare_with_counts(coalescing::binary_answer const& answer,
                                           std::vector<counted_on_gpu> const& rows, unsigned divisor,
                                           std::set<std::string>& wrong) {
  namespace co = coalescing;
  compared_counts made;
  for (co::site const& s : answer.sites) {
    bool const is_counted = std::any_of(rows.begin(), rows.end(), [&](counted_on_gpu const& row) {
      return row.offset == s.offset && row.opcode == s.opcode && row.executed != 0;
    });
    if (!s.at_most && s.cost.issued != 0 && !is_counted) wrong.insert(std::string(s.opcode) + ": no row of the GPU");
  }
  for (counted_on_gpu const& row : rows) {
    // The sites of an instruction: one for each array.
    co::recorded_cost sum;
    bool at_most = false, of_a_round = false;
    unsigned found = 0;
    for (co::site const& s : answer.sites) {
      if (s.offset != row.offset || s.opcode != row.opcode) continue;
      ++found, at_most = at_most || s.at_most, of_a_round = of_a_round || s.per_iteration != 0;
      co::detail::add_up(sum, s.cost);
    }
    auto const compare = [&](std::uint64_t number, std::uint64_t told, char const* what) {
      ++made.all, made.exact += !at_most;
      told /= divisor;
      if (at_most ? number > told : number != told)
        wrong.insert(row.opcode + " with contents " + std::to_string(row.contents) + ": the GPU has " +
                     std::to_string(number) + ' ' + what + ", and the binary " + (at_most ? "at most " : "") +
                     std::to_string(told));
    };
    if (found == 0 && row.executed != 0) wrong.insert(row.opcode + " at " + std::to_string(row.offset) + ": no site");
    made.rounds += of_a_round;
    if (found == 0 || of_a_round) continue;
    // Lanes that an atomic of shared memory brings to one word take turns there; `rounds` counts its words.
    bool const takes_turns = row.opcode.rfind("ATOMS", 0) == 0;
    if (row.sectors) compare(*row.sectors, sum.transactions, "sectors");
    if (row.tags && sum.lines != co::not_counted) compare(*row.tags, sum.lines, "tags");
    if (row.local_sectors) compare(*row.local_sectors, sum.transactions, "sectors of local memory");
    if (row.wavefronts && !takes_turns) compare(*row.wavefronts, sum.rounds, "wavefronts");
    if (at_most) compare(row.executed, sum.issued, "instructions");
  }
  return made;
}

}  // namespace coalescing_tests
