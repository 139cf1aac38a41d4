// SPDX-License-Identifier: BSL-1.0
//
// Compares the library with public measurements: each row of the tables beside this file. Prints a table of the origins
// of the rows and their results. Exit status 1, with a message on stderr, if a result differs from the known ones.
#include "rows.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

using namespace coalescing_tests;

namespace {

unsigned surprises = 0;
void surprise(std::string const& what) { std::fprintf(stderr, "%s\n", what.c_str()), ++surprises; }

std::string shown(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.7g", number);
  return text.data();
}

question const* find(std::string_view machine, std::string_view instruction) {
  for (auto const& one : questions)
    if (one.machine == machine && one.instruction == instruction) return &one;
  return nullptr;
}

numbers ask(question const& about, formula address, std::uint64_t active) {
  std::array<std::uint64_t, 64> addresses{};
  for (unsigned lane = 0; lane != about.lanes; ++lane)
    addresses[lane] = active >> lane & 1 ? address(lane) : 0;  // a formula may be wild where no lane is
  return about.ask(addresses, active);
}
numbers ask_neighbours(question const& about, unsigned bytes) {
  std::array<std::uint64_t, 64> addresses{};
  for (unsigned lane = 0; lane != about.lanes; ++lane) addresses[lane] = std::uint64_t{bytes} * lane;
  return about.ask(addresses, ~std::uint64_t{0});
}

// ---- The readings of a number (measured.md) ----

/// The library's number for a row, and whether it agrees; empty where the library cannot be asked.
struct answer {
  double library;
  bool agrees;
};

std::optional<double> member(numbers const& of, std::string const& name) {
  auto const at = of.find(name);
  if (at == of.end()) return {};
  return static_cast<double>(at->second);
}
/// NAME of `of` over NAME of `one`.
std::optional<double> ratio(numbers const& of, numbers const& one, std::string const& name) {
  auto const above = member(of, name), below = member(one, name);
  if (!above || !below) return {};
  return *above / *below;
}
std::optional<std::string> without_ending(std::string const& name, std::string_view ending) {
  if (!name.ends_with(ending)) return {};
  return name.substr(0, name.size() - ending.size());
}

/// gpu-benches' kernel on gfx1030: eight loads, at these elements beyond the formula, of two waves that share 64 lanes;
/// what is measured is their mean. Its rows of doubles take no less than its FP64 additions, 4.34 clocks a load.
double mean_clocks(question const& about, measured_row const& row) {
  double sum = 0;
  for (unsigned const element : {0u, 4u, 8u, 12u, 20u, 16u, 24u, 28u})
    for (unsigned const wave : {0u, 32u}) {
      std::array<std::uint64_t, 64> addresses{};
      for (unsigned lane = 0; lane != about.lanes; ++lane)
        addresses[lane] = row.address(wave + lane) + std::uint64_t{element} * about.bytes;
      sum += static_cast<double>(about.ask(addresses, ~std::uint64_t{0}).at("clocks"));
    }
  double const mean = sum / 16;
  return about.bytes == 8 && mean < 4.34 ? 4.34 : mean;
}

/// `clocks_per_linear` is clocks over those of neighbours, `clocks_per_dword_linear` over those of dword neighbours.
/// A number that ends in `_at_least`, and the cycles of a machine that has wavefronts and no clocks, are bounds.
std::optional<answer> compare(measured_row const& row) {
  auto const* const about = find(row.machine, row.instruction);
  if (!about) return {};
  auto const costs = ask(*about, row.address, row.active);
  std::string const name = row.number;
  auto const bound = [&](double library) { return answer{library, library <= row.measured + row.tolerance}; };

  std::optional<double> library = member(costs, name);
  if (library && name.ends_with("_at_least")) return bound(*library);
  if (library && name == "clocks" && std::strcmp(row.machine, "gfx1030") == 0) library = mean_clocks(*about, row);
  if (auto const of_dwords = without_ending(name, "_per_dword_linear")) {
    auto const* const dword = find(row.machine, "buffer_load<32>");
    if (dword) library = ratio(costs, ask_neighbours(*dword, 4), *of_dwords);
  } else if (auto const of_neighbours = without_ending(name, "_per_linear")) {
    library = ratio(costs, ask_neighbours(*about, about->bytes), *of_neighbours);
  } else if (name == "clocks" && !library) {
    auto const data = member(costs, "data_wavefronts"), tags = member(costs, "tag_wavefronts_at_least");
    if (data && tags) return bound(*data < *tags ? *tags : *data);
  }
  if (!library) return {};
  return answer{*library, std::abs(*library - row.measured) <= row.tolerance};
}

// ---- What became of the rows ----

enum class fate { agrees, differs, silent };

/// The reason why the library cannot be asked a row; empty where none is known.
struct used_silence {
  silence of;
  unsigned rows = 0;
};
std::vector<used_silence> reasons;
used_silence* reason_for(measured_row const& row) {
  auto const stands_for = [](std::string_view of, std::string_view name) { return of.empty() || of == name; };
  for (auto& one : reasons)
    if (stands_for(one.of.machine, row.machine) && stands_for(one.of.instruction, row.instruction) &&
        stands_for(one.of.number, row.number))
      return &one;
  return nullptr;
}
known_difference const* known(measured_row const& row) {
  for (auto const& one : known_differences)
    if (std::strcmp(one.id, row.id) == 0) return &one;
  return nullptr;
}

/// A line of the table.
struct line {
  std::string chip, from;
  std::array<unsigned, 3> fates{};
};
std::vector<line> lines;
std::array<unsigned, 3>& fates_of(std::string const& chip, std::string const& from) {
  for (auto& one : lines)
    if (one.chip == chip && one.from == from) return one.fates;
  return lines.emplace_back(line{chip, from, {}}).fates;
}
/// The repository of an address, or its site.
std::string from(std::string const& source) {
  std::string const scheme = "https://", github = "github.com/";
  if (source.starts_with("tests/")) return source;  // measured by us
  if (!source.starts_with(scheme)) return "no address known";
  auto address = source.substr(scheme.size());
  auto const slash = address.find('/');
  if (!address.starts_with(github)) return address.substr(0, slash);
  address = address.substr(github.size());
  return address.substr(0, address.find('/', address.find('/') + 1));
}

/// Counts a row, and says so if it was not known to end so.
void settle(measured_row const& row, fate is, std::string const& why) {
  auto const is_known = known(row) != nullptr;
  if (is == fate::differs && !is_known) surprise(std::string(row.id) + " differs: " + why);
  if (is != fate::differs && is_known)
    surprise(std::string(row.id) + (is == fate::agrees ? " agrees" : " cannot be asked") +
             ", and known.csv says that it differs");
  if (is == fate::silent) {
    if (auto* const reason = reason_for(row))
      ++reason->rows;
    else
      surprise(std::string(row.id) + ": the library has no " + row.machine + " " + row.instruction + " " + row.number +
               ", and silent.csv does not say why");
  }
  ++fates_of(row.chip, from(row.source))[static_cast<unsigned>(is)];
}

void compare_numbers() {
  for (auto const& row : measured_rows) {
    if (*row.group != '\0') continue;
    auto const said = compare(row);
    settle(row,
           !said          ? fate::silent
           : said->agrees ? fate::agrees
                          : fate::differs,
           !said ? ""
                 : "library " + shown(said->library) + ", measured " + shown(row.measured) + " within " +
                       shown(row.tolerance));
  }
}

/// Latencies: within a group, fewer rounds must not take longer. Noise: 2 %.
void compare_orders() {
  constexpr double noise = 1.02;
  for (auto const& row : measured_rows) {
    if (*row.group == '\0') continue;
    auto const library = [](measured_row const& of) {
      auto const* const about = find(of.machine, of.instruction);
      return about ? member(ask(*about, of.address, of.active), of.number) : std::nullopt;
    };
    auto const own = library(row);
    fate is = own ? fate::agrees : fate::silent;
    std::string why;
    for (auto const& other : measured_rows) {
      if (std::strcmp(other.group, row.group) != 0) continue;
      auto const others = library(other);
      if (!own || !others) continue;
      auto const wrong = [&](double fewer, double shorter, double more, double longer) {
        return fewer < more && shorter > longer * noise;
      };
      if (!wrong(*own, row.measured, *others, other.measured) && !wrong(*others, other.measured, *own, row.measured))
        continue;
      is = fate::differs;
      why = shown(*own) + " rounds took " + shown(row.measured) + ", and the " + shown(*others) + " of " + other.id +
            " " + shown(other.measured);
    }
    settle(row, is, why);
  }
}

/// Two lanes read one bank at different rows of it, all others elsewhere: rounds of 256 bytes are of the same bank.
void compare_pairs() {
  auto& fates = fates_of("MI355X", "HazyResearch/HipKittens, pairs of lanes");
  for (auto const& table : measured_lane_pairs) {
    auto const* const about = find("gfx950", table.instruction);
    for (unsigned a = 0; a != 64; ++a)
      for (unsigned b = 0; b != a; ++b) {
        char const measured = table.conflict[a][b];
        auto const where =
            std::string(table.instruction) + ", lanes " + std::to_string(b) + " and " + std::to_string(a);
        if (measured != table.conflict[b][a]) surprise(where + ": measured both ways");
        if (measured == '.') continue;
        std::array<std::uint64_t, 64> addresses{};
        addresses[a] = 256;
        bool const conflict = about->ask(addresses, std::uint64_t{1} << a | std::uint64_t{1} << b).at("conflicts") != 0;
        bool const agrees = conflict == (measured == '1');
        if (!agrees) surprise(where + " differ: measured " + measured);
        ++fates[static_cast<unsigned>(agrees ? fate::agrees : fate::differs)];
      }
  }
}

// ---- The table ----

/// "4 times: reason", one reason of known.csv a line.
void print_known() {
  std::vector<std::pair<std::string, unsigned>> counts;
  for (auto const& one : known_differences) {
    bool is_new = true;
    for (auto& [reason, count] : counts)
      if (reason == one.reason) ++count, is_new = false;
    if (is_new) counts.emplace_back(one.reason, 1);
  }
  std::printf("\nwhat differs, and why\n");
  for (auto const& [reason, count] : counts) std::printf("%5u  %s\n", count, reason.c_str());
}

void print_silent() {
  std::printf("\nwhat the library cannot be asked, and why\n");
  for (auto const& one : reasons) {
    std::string const machine = one.of.machine, instruction = one.of.instruction, number = one.of.number;
    std::printf("%5u  %s%s%s: %s\n", one.rows, machine.c_str(), (instruction.empty() ? "" : " " + instruction).c_str(),
                (number.empty() ? "" : " " + number).c_str(), one.of.reason);
    if (one.rows == 0)
      surprise("no row needs this line of silent.csv or machines.csv: " + machine + " " + instruction + " " + number);
  }
}

}  // namespace

int main() {
  for (auto const& one : silences) reasons.push_back({one});
  compare_numbers();
  compare_orders();
  compare_pairs();

  constexpr auto* format = "%-53s %-44s %6s %6s %6s %6s\n";
  std::printf(format, "chip", "measured by", "rows", "agree", "differ", "silent");
  std::array<unsigned, 3> total{};
  auto const print = [&](line const& one) {
    auto const [agree, differ, silent] = one.fates;
    auto const text = [](unsigned count) { return count == 0 ? std::string("-") : std::to_string(count); };
    std::printf(format, one.chip.c_str(), one.from.c_str(), text(agree + differ + silent).c_str(), text(agree).c_str(),
                text(differ).c_str(), text(silent).c_str());
  };
  for (auto const& one : lines) {
    print(one);
    for (unsigned k = 0; k != 3; ++k) total[k] += one.fates[k];
  }
  print({"all", "", total});
  print_known();
  print_silent();
  if (surprises != 0) std::fprintf(stderr, "%u surprises\n", surprises);
  return surprises == 0 ? 0 : 1;
}
