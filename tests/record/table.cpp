// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "machinery/check.hpp"

// The table of a recording: its columns fit any number, so that none runs into its neighbour.

namespace co = coalescing;

namespace {

constexpr std::uint64_t largest = co::not_counted - 1;  // 2^64 - 2: the next one stands for no number
constexpr std::uint64_t numbers[] = {0, 9, 999, 1'000, 999'999, 16'777'216, 999'999'999, 123'456'789'012, largest};

/// With commas, by a walk over the digits from the left.
std::string with_commas(std::uint64_t number) {
  std::string const digits = std::to_string(number);
  std::string words;
  for (std::size_t k = 0; k != digits.size(); ++k) {
    if (k != 0 && (digits.size() - k) % 3 == 0) words += ',';
    words += digits[k];
  }
  return words;
}

/// Whether a line's last words are these, with two blanks before each, and each ends where its heading does.
bool stands_in_columns(std::string const& heading, std::string const& line, std::vector<std::string> const& words) {
  std::size_t end = heading.size();
  if (line.size() != end) return false;
  for (std::size_t k = words.size(); k-- != 0;) {
    std::string const& word = words[k];
    if (end < word.size() + 2 || line.substr(end - word.size() - 2, word.size() + 2) != "  " + word) return false;
    std::size_t const next = heading.find_last_of(' ', end - 1);  // before this column's name
    end = heading.find_last_not_of(' ', next) + 1;
  }
  return true;
}
std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> all;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) all.push_back(line);
  return all;
}

co::site site_with(std::uint64_t issued, std::uint64_t counted, bool is_shared) {
  co::site s;
  s.at = {"k.cu", 7, 0}, s.array = "a", s.bits = 32, s.instruction = "cuda::cc90::load<32>";
  s.space = is_shared ? co::memory_space::shared : co::memory_space::global;
  s.cost.issued = issued, s.worst = counted;
  (is_shared ? s.cost.rounds : s.cost.transactions) = counted;
  if (is_shared) s.cost.conflicts = counted;
  (is_shared ? s.ideal.rounds : s.ideal.transactions) = counted;
  return s;
}

}  // namespace

TEST_CASE("table: columns fit every number") {
  for (std::uint64_t const issued : numbers)
    for (std::uint64_t const counted : numbers) {
      co::recording<co::any_number> seen;
      seen.sites = {site_with(1, 2, false), site_with(issued, counted, false), site_with(counted, issued, true)};
      auto const lines = lines_of(seen.text());
      REQUIRE(lines.size() == 4);
      CAPTURE(seen.text());
      CHECK(stands_in_columns(lines[0], lines[1], {"1", "2", "-", "-", "2", "2"}));
      auto const i = with_commas(issued), c = with_commas(counted);
      CHECK(stands_in_columns(lines[0], lines[2], {i, c, "-", "-", c, c}));
      CHECK(stands_in_columns(lines[0], lines[3], {c, "-", i, i, i, i}));
    }
}

TEST_CASE("table: the control: a number that runs into its neighbour is found") {
  std::string const heading = "line    issued  transactions  rounds  conflicts   ideal  worst";
  std::vector<std::string> const words{"1", "2", "16,777,216", "16,777,216", "3", "4"};
  CHECK_FALSE(stands_in_columns(heading, "k.cu:7       1             2  16,777,216-16,777,216       3      4", words));
  CHECK_FALSE(stands_in_columns(heading, "k.cu        1             216,777,216 16,777,216       3      4", words));
  CHECK(stands_in_columns(heading, "k.cu         1             2       3          4       5      6",
                          {"1", "2", "3", "4", "5", "6"}));
}

TEST_CASE("table: the longest words and numbers have room, and a site without a cost widens its own column alone") {
  std::string const word(200, 'w');
  co::site longest = site_with(largest, largest, true);
  longest.at = {word.c_str(), ~0u, ~0u}, longest.array = word.c_str(), longest.opcode = word.c_str();
  longest.offset = co::not_counted - 1, longest.bits = ~0u, longest.kind = co::touch::atomic, longest.uneven = true;
  longest.cost.transactions = largest;
  co::recording<co::any_number> seen;
  seen.sites = {longest};
  auto const lines = lines_of(seen.text());
  REQUIRE(lines.size() == 2);
  auto const number = with_commas(largest);
  std::string expected;
  for (unsigned k = 0; k != 6; ++k) expected += "  " + number;
  CHECK(lines[1].ends_with(expected + "  uneven"));
  co::site unknown = site_with(largest, 0, false);
  unknown.cost = {}, unknown.cost.issued = largest, unknown.cost.is_counted = false;
  seen.sites = {site_with(1, 2, false), unknown};
  auto const two = lines_of(seen.text());
  CHECK(stands_in_columns(two[0], two[1], {"1", "2", "-", "-", "2", "2"}));
  CHECK(two[2].find("  " + number + "  no source tells what it costs") != std::string::npos);
}

TEST_CASE("table: columns of machines fit every number") {
  for (std::uint64_t const counted : numbers) {
    co::recorded_comparison<2, 1> both;
    std::string const word(60, 'w');
    for (auto& one : both.of) {
      one.machine = co::cuda::cc90::identity;
      one.sites[0] = site_with(1, counted, true), one.count = 1;
      one.sites[0].at.file = word.c_str(), one.sites[0].array = word.c_str(), one.sites[0].opcode = word.c_str();
    }
    auto const lines = lines_of(both.text().c_str());
    REQUIRE(lines.size() == 2);
    CAPTURE(both.text().c_str());
    CHECK(stands_in_columns(lines[0], lines[1], {with_commas(counted), with_commas(counted)}));
  }
}
