// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "../expected_counters/expected.hpp"
#include "accesses.hpp"

#include <coalesce/host/json.hpp>
#include <coalesce/host/named.hpp>
#include <coalesce/host/trace.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// What every subcommand prints. The JSON is that of a recording: a machine, and sites with their numbers.

using json = nlohmann::ordered_json;

/// Adds the numbers that the cost has.
void add_numbers(json& to, co::compared_cost const& cost);

/// Reads JSON. If it need not be the whole text, more may follow. Refused: JSON that is deeper than a recording is, as
/// the stack could not hold a copy of it; an object that has one member twice.
json read_json(std::istream& from, bool is_whole);

/// A member that is a count. Refused: any other value.
std::uint64_t number_in(json const& from, std::string const& name);

/// Reads the numbers that JSON has. The others are not_counted. Refused: a number that is not a count.
void read_numbers(json const& from, co::compared_cost& to);

/// The error of the JSON reader in words, without the name of the exception, such as [json.exception.parse_error.101].
std::string words_of(json::exception const& why);

/// A site of a recording: an instruction, and the cost of its accesses.
json site_of(co::named_instruction const& instruction, co::recorded_cost const& cost);

/// A recording of one site.
json recording_of(co::named_instruction const& instruction, co::recorded_cost const& cost);

/// The text of JSON. Bytes of names that are not UTF-8 become U+FFFD.
std::string written(json const& all, int indent = 2);
/// Parses JSON that the library has written. Bytes of names that are not UTF-8 become U+FFFD.
json parsed(std::string const& text);

/// The JSON of a kernel's recording. Skipped accesses are listed as unknown, beside the instructions whose cost no
/// source tells.
json recording_of(co::recording<co::any_number> const& seen, std::string const& kernel,
                  std::vector<co::skipped_accesses> const& skipped);

/// The counters that a profiler should show if a kernel does `times` times what a recording in JSON has. Refused:
/// another text; a recording with an instruction whose cost is unknown or an upper bound, as counters count all of them
/// together.
kernel kernel_of(std::istream& recording, std::string const& name, std::uint64_t times);

/// A line for each number.
std::string table_of(co::compared_cost const& cost);

/// The numbers that the cost has.
using named_numbers = std::vector<std::pair<std::string, std::uint64_t>>;
named_numbers named_numbers_of(co::compared_cost const& cost);

/// A number that a gate compares.
struct gated_number {
  std::string name = {};
  std::uint64_t is = co::not_counted;  ///< a sum over sites, or their maximum
  bool at_most = false;                ///< an upper bound: data decide the number
  co::site const* largest = nullptr;   ///< the site with the largest share of it
  std::uint64_t share = 0;
  co::site const* without = nullptr;  ///< a site with a cost, of whose accesses no source tells this number
  unsigned left_out = 0;  ///< the line of a loop that the sum leaves out, since data decide how often it runs; 0: none
};

/// --expect: NAME=NUMBER, or NAME and <=, >=, <, > and a NUMBER. Returns whether all are shown to hold, and says on
/// standard error which are not. Refused: a number that is not there.
bool meets(std::vector<std::string> const& expected, std::vector<gated_number> const& are);
bool meets(std::vector<std::string> const& expected, co::compared_cost const& cost);

/// The gates of recordings: unknown=0 is added, unless there are no gates, or one of them is about unknown.
std::vector<std::string> with_unknown(std::vector<std::string> expected);
/// The numbers that these gates may name: the numbers of all sites with a cost, and how many instructions have none.
/// Refused: a sum past 2^64.
std::vector<gated_number> numbers_of_sites(std::vector<co::recording<co::any_number> const*> const& recordings,
                                           std::uint64_t unknown);

/// The summed cost of the accesses.
co::recorded_cost cost_of(co::named_instruction const& instruction, std::vector<access_of_wave> const& accesses);

/// The first of the accesses with the most rounds. If they have none, it is the most clocks, else transactions, else
/// requests, else operations. If several accesses have as many, it is the one with the most lanes on one address.
access_of_wave const& worst_of(co::named_instruction const& instruction, std::vector<access_of_wave> const& accesses);

/// "cuda::cc90::shared_load<32>", with any spelling of the machine, or "shared_load<32>" of every machine that has it.
/// Refused: an unknown name.
std::vector<co::named_instruction const*> instructions_of(std::string const& name);
