// SPDX-License-Identifier: BSL-1.0
//
// The command `coalesce`: asks the library about accesses by the names of machines and instructions.
// include/coalesce/manual/command.md is its page. Exit status: 0 answered, 1 a gate of the user's failed, 2 refused or
// not written.

#include "../expected_counters/compare.hpp"
#include "answers.hpp"
#include "binary.hpp"
#include "completion.hpp"
#include "files.hpp"
#include "merge.hpp"
#include "report.hpp"
#include "run.hpp"

#include <CLI/CLI.hpp>

#include <coalesce/compare/table.hpp>
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/kernel/committed.hpp>
#include <coalesce/host/named/replay.hpp>
#include <coalesce/version.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <tuple>

namespace {

/// What the user asks.
struct question {
  std::string machine, instruction;
  unsigned width = 0;
  told_accesses told;
  std::vector<std::string> expected, names;
  bool as_json = false, as_svg = false, title_only = false;
  unsigned rows = 0, columns = 0, element_bytes = 0;
  std::vector<std::tuple<std::string, std::string, std::string>> uses;
  std::string recording, profile, kernel;
  std::string format, shared, local;  // of a trace
  std::vector<std::string> widths;
  unsigned jobs = 1;
  told_launch launch;  // of a binary
  told_program program;
  unsigned run_jobs = 0;
  std::string report, numbers;
  told_reports reports;
  std::string file = "-";
  bool all_lanes = false, tells_progress = false, asks_facts = false, lists_kernels = false;
  std::uint64_t blocks = 1;

  [[nodiscard]] co::named_instruction const& asked() const { return co::named(machine, instruction, width); }
};

std::string all_of_input(told_accesses const& told) { return told.at.empty() ? text_of_file("-") : ""; }

std::string heading(co::named_instruction const& instruction, std::size_t accesses) {
  return instruction.full_name() + ", " + std::to_string(accesses) + (accesses == 1 ? " access of " : " accesses of ") +
         std::to_string(instruction.lanes) + (instruction.lanes == 1 ? " lane\n" : " lanes\n");
}
/// "The worst of 8 accesses: step 3"; nothing where there is one access.
std::string which(access_of_wave const& worst, std::size_t accesses) {
  if (accesses == 1) return "";
  std::string words = "The worst of " + std::to_string(accesses) + " accesses";
  for (auto const& [name, value] : worst.at)
    words += (name == worst.at[0].first ? ": " : ", ") + name + " " + std::to_string(value);
  return words + "\n";
}

// ---- The subcommands: each returns the exit status ----

int cost(question const& asks) {
  co::named_instruction const& instruction = asks.asked();
  auto const accesses = accesses_of(asks.told, instruction, all_of_input(asks.told));
  co::recorded_cost const sum = cost_of(instruction, accesses);
  bool const holds = meets(asks.expected, sum);
  if (asks.as_json)
    std::cout << written(recording_of(instruction, sum)) << "\n";
  else
    std::cout << heading(instruction, accesses.size()) << table_of(sum);
  return holds ? 0 : 1;
}

int explain(question const& asks) {
  co::named_instruction const& instruction = asks.asked();
  auto const accesses = accesses_of(asks.told, instruction, all_of_input(asks.told));
  access_of_wave const& worst = worst_of(instruction, accesses);
  std::string const text = instruction.explain(worst.address, worst.active);
  if (asks.as_json) {
    json all = recording_of(instruction, cost_of(instruction, {worst}));
    all["sites"][0]["explained"] = text;
    std::cout << written(all) << "\n";
  } else {
    std::cout << which(worst, accesses.size()) << text;
  }
  return 0;
}

int draw(question const& asks) {
  co::named_instruction const& instruction = asks.asked();
  auto const accesses = accesses_of(asks.told, instruction, all_of_input(asks.told));
  access_of_wave const& worst = worst_of(instruction, accesses);
  auto const words = asks.title_only ? co::caption::title : co::caption::whole;
  if (asks.as_svg)
    std::cout << instruction.svg(worst.address, worst.active, words);
  else
    std::cout << which(worst, accesses.size()) << instruction.terminal(worst.address, worst.active, words);
  return 0;
}

constexpr unsigned most_rows = 256;

int compare(question const& asks) {
  auto const rows = std::make_unique<co::comparison<most_rows>>();
  json all{{"rows", json::array()}};
  std::string const input = all_of_input(asks.told);
  unsigned asked = 0;
  for (std::string const& name : asks.names)
    for (co::named_instruction const* const instruction : instructions_of(name)) {
      if (++asked > most_rows) throw refusal("compare asks at most " + std::to_string(most_rows) + " instructions");
      auto const accesses = accesses_of(asks.told, *instruction, input);
      if (accesses.size() != 1) throw refusal("compare asks about one access, and these are several");
      auto const row = instruction->row(accesses[0].address, accesses[0].active);
      json one{{"machine", instruction->machine},
               {"instruction", instruction->name},
               {"lanes", row.lanes},
               {"level", row.where()},
               {"unit", row.unit}};
      if (row.refused == co::refusal::none)
        add_numbers(one, row);
      else
        one["refused"] = co::detail::refusal_of(row).c_str();
      all["rows"].push_back(one);
      rows->add(row);
    }
  if (asks.as_json)
    std::cout << written(all) << "\n";
  else
    std::cout << rows->text().c_str();
  return 0;
}

int suggest(question const& asks) {
  std::vector<co::named_use> uses;
  for (auto const& [name, row, column] : asks.uses) {
    auto const found = instructions_of(name);
    if (found.size() != 1) throw refusal("--use " + name + " is of several machines: name one, as cc90::" + name);
    expression const row_of{row}, column_of{column};
    each_point(asks.told, [&](values const& known, values const&) {
      co::named_use use{found[0], std::vector<co::cell>(found[0]->lanes), mask_of(asks.told, found[0]->lanes, known)};
      for (unsigned lane = 0; lane != found[0]->lanes; ++lane) {
        if ((use.active >> lane & 1) == 0) continue;
        values at = known;
        at.insert(at.begin(), {"lane", lane});
        auto const small = [](std::uint64_t number) {
          if (number >> 32 != 0) throw refusal("a row or column is " + std::to_string(number) + ", past every tile");
          return static_cast<unsigned>(number);
        };
        use.cells[lane] = {.row = small(row_of.value(at)), .column = small(column_of.value(at))};
      }
      uses.push_back(use);
    });
  }
  auto const found =
      co::suggest({.rows = asks.rows, .columns = asks.columns, .element_bytes = asks.element_bytes}, uses);
  auto const& swizzle = found.layout.swizzle;
  auto const numbers_of = [](co::bank_cost<> const& cost) {
    co::compared_cost numbers;
    co::detail::take_numbers(numbers, cost);
    return numbers;
  };
  bool const holds = meets(asks.expected, numbers_of(found.after));
  if (asks.as_json) {
    json all{{"layout",
              {{"pitch", found.layout.pitch},
               {"swizzle", {{"bits", swizzle.bits}, {"base", swizzle.base}, {"shift", swizzle.shift}}}}},
             {"bytes", found.bytes},
             {"tried", found.tried},
             {"is_optimal", found.is_optimal},
             {"before", json::object()},
             {"after", json::object()}};
    add_numbers(all["before"], numbers_of(found.before));
    add_numbers(all["after"], numbers_of(found.after));
    std::cout << written(all) << "\n";
  } else {
    std::cout << "Rows " << found.layout.pitch << " bytes apart";
    if (swizzle.bits != 0)
      std::cout << ", swizzled: co::swizzle{.bits = " << swizzle.bits << ", .base = " << swizzle.base
                << ", .shift = " << swizzle.shift << "}";
    std::cout << "; " << found.bytes << " bytes\n"
              << (found.is_optimal ? "No layout has fewer rounds.\n"
                                   : "Every layout of the space was tried, and has conflicts.\n")
              << "before\n"
              << table_of(numbers_of(found.before)) << "after\n"
              << table_of(numbers_of(found.after));
  }
  return holds ? 0 : 1;
}

int counters(question const& asks) {
  std::istringstream recording{text_of_file(asks.recording)}, profile{text_of_file(asks.profile)};
  ::kernel const expected = kernel_of(recording, asks.kernel, asks.blocks);
  int status = 2;
  try {
    for (::launch const& each : read_profile(profile))
      if (each.kernel.find(asks.kernel) != std::string::npos)
        if (int const agrees = ::compare(expected, each); agrees != -1 && status != 1) status = agrees == 1 ? 0 : 1;
  } catch (malformed const& why) {
    throw refusal(asks.profile + ", " + why.what());
  }
  if (status == 2)
    throw refusal(asks.profile + " has no launch" + (asks.kernel.empty() ? "" : " of " + asks.kernel) +
                  " with one of its counters");
  return status;
}

/// BASE,BYTES, or none for a window that the kernel does not have; nothing where the option was not given.
std::optional<co::address_window> window_of(std::string const& words) {
  if (words.empty()) return std::nullopt;
  if (words == "none") return co::address_window{};
  auto const comma = words.find(',');
  if (comma == words.npos) throw refusal("'" + words + "' is not BASE,BYTES or none");
  return co::address_window{expression{words.substr(0, comma)}.value({}),
                            expression{words.substr(comma + 1)}.value({})};
}

int replay(question const& asks) {
  std::vector<std::pair<std::string, co::trace_format>> const formats{{"accel_sim", co::trace_format::accel_sim},
                                                                      {"mem_trace", co::trace_format::mem_trace},
                                                                      {"omniprobe", co::trace_format::omniprobe},
                                                                      {"plain", co::trace_format::plain}};
  auto const format =
      std::find_if(formats.begin(), formats.end(), [&asks](auto const& each) { return each.first == asks.format; });
  if (format == formats.end())
    throw refusal("--format is accel_sim, mem_trace, omniprobe or plain, and not '" + asks.format + "'");
  co::replay_options options{.all_lanes = asks.all_lanes, .bytes = asks.element_bytes};
  options.shared = window_of(asks.shared), options.local = window_of(asks.local), options.jobs = asks.jobs;
  for (std::string const& words : asks.widths) {
    auto const equals = words.find('=');
    if (equals == words.npos) throw refusal("--width '" + words + "' is not LINE=BYTES");
    std::uint64_t const line = expression{words.substr(0, equals)}.value({});
    std::uint64_t const bytes = expression{words.substr(equals + 1)}.value({});
    if (line >> 32 != 0 || bytes >> 32 != 0) throw refusal("--width '" + words + "' has a number past 2^32 - 1");
    for (auto const& each : options.widths)
      if (each.line == line)
        throw refusal("--width '" + words + "' gives line " + std::to_string(line) + " a second width");
    options.widths.push_back({static_cast<unsigned>(line), static_cast<unsigned>(bytes)});
  }
  if (asks.tells_progress)
    options.progress = [](co::replay_progress const& so_far) {
      std::cerr << so_far.file << ": ";
      if (so_far.of_bytes != 0) std::cerr << 100 * so_far.bytes / so_far.of_bytes << " %, ";
      std::cerr << so_far.lines << " lines, " << so_far.instructions << " instructions\n";
    };
  std::vector<std::string> const files = asks.names.empty() ? std::vector<std::string>{"-"} : asks.names;
  co::replayed all = co::replay_files(asks.machine, files, format->second, options);
  auto const is_asked = [&asks](std::string const& kernel) { return kernel.find(asks.kernel) != kernel.npos; };
  std::vector<std::string> names;
  for (auto const& each : all.kernels) names.push_back(each.name);
  std::erase_if(all.kernels, [&](auto const& each) { return !is_asked(each.name); });
  std::erase_if(all.skipped, [&](auto const& each) { return !each.kernel.empty() && !is_asked(each.kernel); });
  if (all.kernels.empty())
    throw refusal("the trace has no access" + (asks.kernel.empty() ? "" : " of a kernel " + asks.kernel) +
                  (names.empty() ? "" : "; the nearest names are " + co::detail::nearest(asks.kernel, names)));
  if (asks.as_json && all.kernels.size() != 1) {
    names.clear();
    for (auto const& each : all.kernels) names.push_back(each.name);
    throw refusal("the JSON is of one kernel, and the trace has several: name one by --kernel, of " +
                  co::binary::first_of(names));
  }
  std::vector<co::recording<co::any_number> const*> recordings;
  for (auto const& each : all.kernels) recordings.push_back(&each.seen);
  bool const holds = meets(with_unknown(asks.expected), numbers_of_sites(recordings, all.unknown()));
  if (asks.reports.is_asked()) write_reports(asks.reports, reported(all), {files[0]});
  if (asks.as_json)
    std::cout << written(recording_of(all.kernels[0].seen, all.kernels[0].name, all.skipped)) << "\n";
  else
    std::cout << all.text();
  return holds ? 0 : 1;
}

/// The answers about a file: of the kernel that is asked for, or of each. Where there are several, a kernel that is
/// refused has a sentence in the place of its answer.
int binary(question const& asks) {
  std::vector<asked_kernel> kernels = kernels_of(asks.machine, asks.file, asks.launch, !asks.lists_kernels);
  if (asks.lists_kernels) return std::cout << list_of(std::move(kernels)), 0;
  bool const is_one = kernels.size() == 1;
  std::vector<co::binary_answer> answers;
  std::vector<std::string> printed;
  std::vector<reported_kernel> refusals;
  for (asked_kernel& kernel : kernels) try {
      kernel.complete();
      co::binary_answer answer = answer_about(kernel.machine, *kernel.text, launch_of(kernel.told));
      if (!kernel.assumed.empty()) answer.assumed.push_back(kernel.assumed);
      std::string words = asks.as_json ? co::json(answer) : table_of(answer);
      if (asks.asks_facts) words += facts_that_help(kernel.machine, *kernel.text, kernel.told, answer);
      answers.push_back(std::move(answer)), printed.push_back(std::move(words));
    } catch (refusal const&) {
      throw;  // a mistake in the command line
    } catch (std::exception const& refused) {
      if (is_one) throw;
      std::string why = refused.what();
      if (why.starts_with("coalesce: ")) why.erase(0, 10);
      std::string const& name = kernel.told.kernel;
      json const as_json = {{"kernel", name}, {"refused", why}};
      refusals.push_back({as_json});
      printed.push_back((asks.as_json ? written(as_json) : name + ": refused: " + why) + "\n");
    }
  std::vector<co::recording<co::any_number> const*> recordings;
  std::uint64_t unknown = 0;
  for (co::binary_answer const& answer : answers) {
    recordings.push_back(&answer.sites), unknown += answer.unknown.size();
    for (co::site const& each : answer.sites) unknown += !each.cost.is_counted;
  }
  if (asks.reports.is_asked()) {
    std::vector<reported_kernel> all;
    for (co::binary_answer const& answer : answers) all.push_back(reported(answer));
    all.insert(all.end(), refusals.begin(), refusals.end());
    asked_kernel const& first = kernels[0];
    bool const has_one_text = std::all_of(kernels.begin(), kernels.end(),
                                          [&first](asked_kernel const& each) { return each.text == first.text; });
    write_reports(asks.reports, all, {asks.file, has_one_text ? *first.text : "", first.is_printed});
  }
  bool const holds = answers.empty() || meets(with_unknown(asks.expected), numbers_of_sites(recordings, unknown));
  bool const is_list = asks.as_json && !is_one;
  std::string between = is_list ? "[\n" : "";
  for (std::string const& each : printed) {
    std::cout << between << each;
    between = is_list ? ",\n" : "\n";
  }
  if (is_list) std::cout << "]\n";
  return answers.size() != kernels.size() ? 2 : holds ? 0 : 1;
}

/// The tables of all kernels.
std::string table_of(ran const& all) {
  std::string words;
  for (co::detail::run_kernel const& each : all.kernels) {
    if (each.launches == 0) continue;  // all failed, which `unchecked` says
    words +=
        each.name + ", " + std::to_string(each.launches) + (each.launches == 1 ? " launch, " : " launches, ") +
        std::to_string(each.blocks) + (each.blocks == 1 ? " block" : " blocks") +
        (each.seen.blocks == each.blocks ? "" : ", of which " + std::to_string(each.seen.blocks) + " are counted") +
        "\n" + each.seen.text() + "\n";
  }
  if (!all.unchecked.empty()) words += "not checked: " + all.unchecked + "\n";
  return words;
}
std::string json_of(ran const& all) {
  json list = json::array();
  for (reported_kernel const& each : reported(all)) list.push_back(each.answer);
  return written(list.size() == 1 ? list[0] : list) + "\n";
}

/// The program's own output stays as it is, so the report goes to standard error or to a file. The status is the
/// program's; if that is 0 and a gate fails, it is 1.
int run_and_tell(question const& asks) {
  told_program told = asks.program;
  told.machine = asks.machine, told.sources = asks.names;
  told.tells_progress = asks.tells_progress;
  told.jobs = asks.run_jobs != 0 ? asks.run_jobs : std::max(1u, std::thread::hardware_concurrency());
  ran const all = run_program(told);
  std::string const words = asks.as_json ? json_of(all) : table_of(all);
  if (asks.report.empty()) {
    std::cerr << words;
  } else {
    std::ofstream to(asks.report);
    if (!(to << words).flush()) throw refusal(asks.report + " cannot be written");
  }
  if (asks.reports.is_asked()) write_reports(asks.reports, reported(all), {told.sources[0]});
  if (!all.refused.empty()) throw refusal(all.refused);
  bool holds = true;
  std::vector<co::recording<co::any_number> const*> recordings;
  co::recording<co::any_number> sites;
  std::uint64_t unknown = 0;
  for (co::detail::run_kernel const& each : all.kernels) {
    recordings.push_back(&each.seen), unknown += each.failed.size();  // what a launch that failed would do is not known
    for (co::site const& s : each.seen) unknown += !s.cost.is_counted, sites.sites.push_back(s);
  }
  if (!asks.expected.empty()) holds = meets(with_unknown(asks.expected), numbers_of_sites(recordings, unknown));
  if (!asks.numbers.empty()) {
    std::string const changes = co::host::changed_numbers(sites, asks.numbers);
    std::cerr << changes, holds = holds && changes.empty();
  }
  return all.status == 0 && !holds ? 1 : all.status;
}

int merge(question const& asks) {
  merged_recordings sum;
  for (std::string const& name : asks.names) sum.add_file(name);
  bool const holds = sum.meets(asks.expected);
  std::cout << written(sum.all()) << "\n";
  return holds ? 0 : 1;
}

int list(question const& asks) {
  auto const asked = asks.machine.empty() ? co::detail::machine_asked{} : co::detail::machine_of(asks.machine);
  json all = json::array();
  for (co::named_machine const& machine : co::named_machines()) {
    if (asked.machine != nullptr && &machine != asked.machine) continue;
    json instructions = json::array();
    for (co::named_instruction const& each : machine.instructions) {
      if (asked.is_wave64 && !each.name.starts_with("wave64::")) continue;
      if (!asks.as_json && asked.machine != nullptr) std::cout << each.name << "\n";
      instructions.push_back(each.name);
    }
    if (!asks.as_json && asked.machine == nullptr) {
      std::string others;
      for (std::string const& each : machine.also)
        others += (others.empty() ? "" : ", ") + std::string(co::detail::without_family(each));
      constexpr std::size_t column = 16;
      std::size_t const blanks = others.empty() ? 0 : column - std::min(machine.name.size(), column - 2);
      std::cout << machine.name << std::string(blanks, ' ') << others << "\n";
    }
    all.push_back({{"machine", machine.name}, {"also", machine.also}, {"instructions", instructions}});
  }
  if (asks.as_json) std::cout << written(all) << "\n";
  return 0;
}

// ---- The command line ----

void add_addresses(CLI::App& command, question& asks) {
  command
      .add_option(
          "--at", asks.told.at,
          "The byte address of each lane: an expression of lane. Without it, addresses come from standard input")
      ->type_name("EXPRESSION");
  command
      .add_option("--active", asks.told.active,
                  "The active lanes: a mask, or an expression of lane that is not 0 for them")
      ->type_name("MASK");
  command.add_option("--let", asks.told.let, "A name that expressions may use, and its value")
      ->type_name("NAME=NUMBER");
}
void add_over(CLI::App& command, question& asks) {
  command.add_option("--over", asks.told.over, "A name that counts from 0 to COUNT - 1: an access for each value")
      ->type_name("NAME=COUNT");
}
void add_instruction(CLI::App& command, question& asks) {
  command.add_option("MACHINE", asks.machine, "cc90, cuda::cc90, gfx942, gcn: 'coalesce list' shows all")->required();
  command.add_option("INSTRUCTION", asks.instruction, "shared_load, or with all arguments \"shared_load<32>\"")
      ->required();
  command.add_option("WIDTH", asks.width,
                     "The first argument: bits of a lane; of s_load dwords, of cp_async bytes, of ldmatrix matrices");
}
void add_json(CLI::App& command, question& asks) { command.add_flag("--json", asks.as_json, "JSON for scripts"); }
void add_expect(CLI::App& command, question& asks) {
  command.add_option("--expect", asks.expected, "A gate: the exit status is 1 where it fails")
      ->type_name("NAME=NUMBER");
}
void add_reports(CLI::App& command, question& asks) {
  command.add_option("--sarif", asks.reports.sarif, "Writes findings as SARIF, which code hosts show at their lines")
      ->type_name("FILE");
  command.add_option("--html", asks.reports.html, "Writes a page: the source with the cost of its lines, and pictures")
      ->type_name("FILE");
}

/// Refuses an option whose value is empty, as that of a shell variable that is not set: it would count as absent. The
/// empty word is a part of each kernel's name.
void refuse_empty_words(CLI::App const& command) {
  for (CLI::Option const* each : command.get_options())
    for (std::string const& word : each->results())
      if (word.empty() && each->nonpositional() && each->get_name() != "--kernel")
        throw refusal("the value of " + each->get_name() + " is empty: leave the option out, or give it a value");
}

/// Why a word is not a number of 64 bits; nothing if it is one. CLI11 takes -1 for 2^64 - 1, and 2^64 too; and 010
/// for 8.
std::string not_a_count(std::string const& word) {
  if (std::string why = why_octal(word); !why.empty()) return why;
  errno = 0;
  static_cast<void>(std::strtoull(word.c_str(), nullptr, 0));
  return word.starts_with('-') || errno == ERANGE ? "'" + word + "' is not a number from 0 to 2^64 - 1" : "";
}

/// The files that a subcommand with reports reads.
std::vector<std::string> inputs_of(question const& asks) {
  std::vector<std::string> files = asks.names;
  files.push_back(asks.file), files.push_back(asks.numbers);
  for (std::string const& each : asks.launch.arguments)  // buffer:BYTES=FILE
    if (auto const at = each.find("buffer:"); at != each.npos)
      if (auto const equals = each.find('=', at); equals != each.npos) files.push_back(each.substr(equals + 1));
  return files;
}

int run(int count, char** arguments) {
  CLI::App app{"What the memory system of a GPU does with the addresses that lanes touch"};
  app.name("coalesce");
  app.set_version_flag("--version", std::to_string(COALESCE_VERSION_MAJOR) + "." +
                                        std::to_string(COALESCE_VERSION_MINOR) + "." +
                                        std::to_string(COALESCE_VERSION_PATCH));
  app.require_subcommand(1);
  question asks;

  auto* const costs = app.add_subcommand("cost", "What an access costs: transactions, bank conflicts, clocks");
  add_instruction(*costs, asks), add_addresses(*costs, asks), add_over(*costs, asks);
  add_expect(*costs, asks), add_json(*costs, asks);
  costs->footer(
      "Examples:\n"
      "  coalesce cost cc90 shared_load 32 --at 'lane * 128' --expect conflicts=0\n"
      "  coalesce cost gfx942 ds_read 128 --at 'lane * 128 + step * 16' --over step=8\n"
      "  seq 0 4 124 | coalesce cost cc90 load 32 --json\n"
      "Several accesses add up; ways and lanes_on_one_address are maxima.");

  auto* const explains = app.add_subcommand("explain", "Why it costs that much, by which rule of which document");
  add_instruction(*explains, asks), add_addresses(*explains, asks), add_over(*explains, asks),
      add_json(*explains, asks);
  explains->footer(
      "Example:\n  coalesce explain cc90 load 128 --at 'lane * 65536'\nIt explains the worst of several accesses.");

  auto* const draws = app.add_subcommand("draw", "A picture for the terminal, or as SVG");
  add_instruction(*draws, asks), add_addresses(*draws, asks), add_over(*draws, asks);
  draws->add_flag("--svg", asks.as_svg, "SVG to standard output");
  draws->add_flag("--title", asks.title_only, "Of its words the title alone: no rules, no counters");
  draws->footer("Example:\n  coalesce draw gfx942 ds_read 128 --at 'lane * 64' --svg > picture.svg");

  auto* const compares = app.add_subcommand("compare", "One access on many machines");
  compares->add_option("INSTRUCTIONS", asks.names, "\"cc90::load<32>\", or \"load<32>\" of every machine that has it")
      ->required();
  add_addresses(*compares, asks), add_json(*compares, asks);
  compares->footer(
      "Examples:\n"
      "  coalesce compare 'shared_load<64>' --at 'lane * 8'\n"
      "  coalesce compare 'cc90::load<32>' 'gfx942::global_load<32>' --at 'lane * 4 + 4'");

  auto* const suggests = app.add_subcommand("suggest", "The padding or swizzle of a tile with the fewest rounds");
  suggests->add_option("--rows", asks.rows, "Rows of the tile")->required();
  suggests->add_option("--columns", asks.columns, "Elements of a row")->required();
  suggests->add_option("--bytes", asks.element_bytes, "Bytes of an element")->required();
  suggests->add_option("--use", asks.uses, "An access: the row and the column of each lane, as expressions of lane")
      ->required()
      ->type_name("INSTRUCTION ROW COLUMN");
  suggests->add_option("--active", asks.told.active, "The active lanes of all uses")->type_name("MASK");
  suggests->add_option("--let", asks.told.let, "A name that expressions may use, and its value")
      ->type_name("NAME=NUMBER");
  add_over(*suggests, asks), add_expect(*suggests, asks), add_json(*suggests, asks);
  suggests->footer(
      "Example:\n"
      "  coalesce suggest --rows 32 --columns 32 --bytes 4 \\\n"
      "    --use 'cc90::shared_store<32>' 0 lane --use 'cc90::shared_load<32>' lane 0");

  auto* const replays = app.add_subcommand("replay", "What the accesses of a trace cost, kernel by kernel");
  replays->add_option("MACHINE", asks.machine, "cc90, gfx942, gfx1100::wave64")->required();
  replays->add_option("FILES", asks.names, "The traces; - is standard input, as is no file");
  replays->add_option("--format", asks.format, "accel_sim, mem_trace, omniprobe or plain")
      ->required()
      ->type_name("FORMAT");
  replays->add_option("--kernel", asks.kernel, "A part of the kernel's name")->type_name("NAME");
  replays->add_flag("--all-lanes", asks.all_lanes, "mem_trace: every lane is active");
  replays->add_option("--bytes", asks.element_bytes, "omniprobe: bytes of a lane")->type_name("BYTES");
  replays->add_option("--width", asks.widths, "omniprobe: bytes of a lane at a line of the source")
      ->type_name("LINE=BYTES");
  replays->add_option("--shared", asks.shared, "Where generic addresses are of shared memory or LDS, or none")
      ->type_name("BASE,BYTES");
  replays->add_option("--local", asks.local, "Where generic addresses are of local memory or scratch, or none")
      ->type_name("BASE,BYTES");
  replays->add_option("--jobs", asks.jobs, "Threads that read files")->type_name("NUMBER");
  replays->add_flag("--progress", asks.tells_progress, "Tell on standard error how far it is");
  add_expect(*replays, asks), add_json(*replays, asks), add_reports(*replays, asks);
  replays->footer(
      "Examples:\n"
      "  coalesce replay cc80 kernel-1.traceg --format accel_sim\n"
      "  coalesce replay gfx942 log.csv --format omniprobe --bytes 4 --shared 0x1000000000000,0x100000000\n"
      "  xz -dc kernel-1.trace.xz | coalesce replay cc80 --format accel_sim --json >recording.json\n"
      "--expect asks the total of the kernels. An access that was skipped or has no cost fails it, unless --expect\n"
      "unknown<=NUMBER allows so many instructions.");

  auto* const binaries = app.add_subcommand(
      "binary", "What a kernel's own instructions do to memory, by a binary or a disassembler's text of one");
  binaries->add_option("FILE", asks.file,
                       "A cubin, a code object, an executable, object or library with code of CUDA or HIP, a folder of "
                       "Triton's cache, or the text of a disassembler; - is standard input, as is no file");
  binaries
      ->add_option("--machine", asks.machine,
                   "gfx942, gfx1100::wave64, sm_90. Without it, the one that the file is for")
      ->type_name("MACHINE")
      ->each([](std::string const& told) { static_cast<void>(co::detail::machine_of(told)); });  // none, not even ''

  binaries
      ->add_option("--kernel", asks.launch.kernel,
                   "The kernel's name in the file or in the source, or a part of it. Without it, each kernel of the "
                   "file has its answer")
      ->type_name("NAME");
  binaries->add_flag("--list", asks.lists_kernels, "Lists the kernels, and does not run them");
  binaries->add_option("--grid", asks.launch.grid, "Blocks of the grid")->type_name("X[,Y[,Z]]");
  binaries
      ->add_option("--block", asks.launch.block,
                   "Threads of a block. Without it, those that the kernel is compiled for, or at most allows")
      ->type_name("X[,Y[,Z]]");
  binaries->add_option("--shared", asks.launch.shared, "Shared memory or LDS that the launch adds to the kernel's own")
      ->type_name("BYTES");
  binaries
      ->add_option(
          "--arg", asks.launch.arguments,
          "An argument, in their order: a buffer by its size, with the file of its contents where they steer "
          "addresses; pointer, a buffer of any size; or a number: u8, u16, u32, u64, i32, i64, f32, f64. Without "
          "any, the binary's own tables tell the arguments, and NAME=NUMBER, NAME%FACTOR==0 and NAME<=NUMBER say "
          "what is known of one")
      ->type_name("buffer:BYTES[=FILE]|u32:NUMBER|NAME=NUMBER|...");
  binaries
      ->add_option(
          "--blocks", asks.launch.blocks,
          "The blocks that run: all; any, which bounds each block at once; so many, in steps from the first to "
          "the last; or one by its place. Without it, block 0,0,0")
      ->type_name("all|any|NUMBER|X,Y,Z");
  binaries->add_option("--jobs", asks.launch.jobs, "Threads that run blocks; the answer does not depend on it")
      ->type_name("NUMBER");
  add_expect(*binaries, asks), add_json(*binaries, asks), add_reports(*binaries, asks);
  binaries
      ->add_flag("--facts", asks.asks_facts,
                 "Tells which unknown numbers would make bounds smaller if they were multiples of 32; runs the kernel "
                 "once more for each")
      ->excludes("--json");
  for (CLI::Option* each : binaries->get_options())  // so that FILE may follow them
    if (each->get_items_expected_max() > 1) each->allow_extra_args(false);
  binaries->footer(
      "Examples:\n"
      "  coalesce binary --list a.out\n"
      "  coalesce binary --kernel softmax --block 256 --blocks any a.out\n"
      "  coalesce binary ~/.triton/cache --machine h100\n"
      "  nvdisasm kernels.cubin >kernels.sass\n"
      "  coalesce binary --machine sm_90 --kernel _Z4copyPjPKjj --block 256 \\\n"
      "    --arg buffer:1024 --arg buffer:1024 --arg u32:256 --json kernels.sass\n"
      "  llvm-objdump -D -j .rodata -j .text kernels.co | coalesce binary --machine gfx942 --kernel transpose \\\n"
      "    --grid 2,2 --block 32,8 --arg buffer:16384 --arg buffer:16384 --arg u32:64 --blocks all --expect "
      "conflicts=0\n"
      "  coalesce binary --machine sm_90 --kernel copy --block 256 --blocks any --arg '2%32==0' kernels.sass\n"
      "Where data decide, numbers are upper bounds (<= 32), and --expect holds for each run.\n"
      "--expect asks the sum of all instructions, of all kernels. An instruction without a cost fails it, unless "
      "--expect\n"
      "unknown<=NUMBER allows so many. The exit status is 2 where a kernel is refused.");

  auto* const runs = app.add_subcommand(
      "run", "A plain CUDA or HIP program, compiled for this host and run: what each kernel's lines do to memory");
  runs->add_option("FILES", asks.names, "The program's sources, and objects to link")->required();
  runs->add_option("--machine", asks.machine, "h100, sm_90, gfx942, gfx1100::wave64")->required()->type_name("MACHINE");
  runs->add_option("-I", asks.program.folders, "A folder of headers")->type_name("FOLDER")->allow_extra_args(false);
  runs->add_option("-D", asks.program.defines, "A macro")->type_name("NAME[=WORDS]")->allow_extra_args(false);
  runs->add_option("-l", asks.program.libraries, "A library to link")->type_name("NAME")->allow_extra_args(false);
  runs->add_option("--option", asks.program.options, "Another option of the compiler: --option=-std=gnu++23")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  runs->add_option("--cxx", asks.program.compiler, "The compiler; without it CXX, clang++ or g++")
      ->type_name("COMPILER");
  runs->add_option("--blocks", asks.program.blocks,
                   "Counts so many blocks of a launch, in steps from the first to the last. All blocks run")
      ->type_name("NUMBER");
  runs->add_option("--multiprocessors", asks.program.multiprocessors,
                   "Multiprocessors or compute units that the program is told of; without it 1")
      ->type_name("NUMBER");
  runs->add_option(
          "--margin", asks.program.margin,
          "So many bytes before and after each array are 0 and may be accessed: for programs that read past an end")
      ->type_name("BYTES");
  runs->add_option("--report", asks.report, "Where the report goes; without it to standard error")->type_name("FILE");
  runs->add_option(
          "--numbers", asks.numbers,
          "Committed numbers: lines that changed are told, and fail as --expect does. COALESCE_COMMIT=1 in the "
          "environment writes the file")
      ->type_name("FILE");
  runs->add_option("--keep", asks.program.keep, "A folder in which what is compiled stays")->type_name("FOLDER");
  runs->add_option("--jobs", asks.run_jobs, "Compilers at a time; without it, as many as there are processors")
      ->type_name("NUMBER");
  runs->add_flag("--progress", asks.tells_progress, "Tell on standard error how far it is");
  add_expect(*runs, asks), add_json(*runs, asks), add_reports(*runs, asks);
  runs->get_option("--expect")->allow_extra_args(false);
  runs->footer(
      "Examples:\n"
      "  coalesce run --machine h100 transpose.cu\n"
      "  coalesce run --machine gfx942 main.hip -I include -- --size 4096\n"
      "  coalesce run --machine h100 app.cu --expect conflicts=0 --report report.txt -- input.dat\n"
      "What follows -- are the program's arguments. The exit status is the program's; a gate that fails makes a 0 a "
      "1.\n"
      "2: the program was refused, with a sentence.");

  auto* const counts =
      app.add_subcommand("counters", "A recording beside a profile: counter by counter, instruction by instruction");
  counts->add_option("RECORDING", asks.recording, "JSON of this command; - is standard input")->required();
  counts->add_option("PROFILE", asks.profile, "CSV of ncu or rocprofv3; - is standard input")->required();
  counts->add_option("--kernel", asks.kernel, "A part of the kernel's name in the profile");
  counts->add_option("--blocks", asks.blocks, "So many times the recording's cost is that of the launch")
      ->type_name("NUMBER");
  counts->footer(
      "Examples:\n"
      "  coalesce cost cc86 load 64 --at 'lane * 8' --json >loads.json\n"
      "  ncu --import REPORT.ncu-rep --page source --print-source sass --csv >page.csv\n"
      "  coalesce counters loads.json page.csv --blocks 262144\n"
      "The exit status is 1 where a counter differs by more than known noise.");

  auto* const merges = app.add_subcommand("merge", "Adds up recordings, as one run over all would have them");
  merges->add_option("RECORDINGS", asks.names, "JSON of replay, binary or run; - is standard input")->required();
  add_expect(*merges, asks);
  merges->get_option("--expect")->allow_extra_args(false);
  merges->footer(
      "Examples:\n"
      "  coalesce merge day_1.json day_2.json >both.json\n"
      "  parallel coalesce replay h100 {} --format accel_sim --json ::: *.traceg | coalesce merge -\n"
      "Refused: recordings of two machines, or of two editions of a kernel.");

  auto* const lists = app.add_subcommand("list", "The machines with their products, or the instructions of one");
  lists->add_option("MACHINE", asks.machine, "cc90, gfx942, gcn");
  add_json(*lists, asks);

  app.footer(
      "Examples:\n"
      "  coalesce cost h100 shared_load 32 --at 'lane * 128'\n"
      "  coalesce explain h100 shared_load 32 --at 'lane * 128'\n"
      "  coalesce binary --kernel softmax --block 256 --blocks any kernels.cubin\n"
      "Expressions have C's integers and operators: lane / 8 * 128 + (lane % 8 ^ lane / 8 % 8) * 16\n"
      "Machines are spelled as cc90, sm_90a, H100, gfx942 or MI300X; 'coalesce list' shows all names.\n"
      "Exit status: 0 answered, 1 an --expect failed, 2 refused with a sentence, or the answer cannot be written.");
  for (CLI::App* const command : app.get_subcommands([](CLI::App const*) { return true; }))
    for (char const* const name :
         {"WIDTH", "--rows", "--columns", "--bytes", "--jobs", "--blocks", "--multiprocessors", "--margin"})
      if (CLI::Option* const option = command->get_option_no_throw(name);
          option != nullptr && option->get_items_expected_max() == 1)
        option->check(not_a_count);
  if (count > 1 && std::string(arguments[1]) == "complete") return complete(app, {arguments + 2, arguments + count}), 0;
  if (count > 1 && arguments[1][0] != '-') {
    std::vector<std::string> known;
    for (CLI::App const* each : app.get_subcommands([](CLI::App const*) { return true; }))
      known.push_back(each->get_name());
    if (std::find(known.begin(), known.end(), arguments[1]) == known.end())
      throw refusal("there is no subcommand " + std::string(arguments[1]) + "; the nearest names are " +
                    co::detail::nearest(arguments[1], known));
  }
  if (count > 1 && std::string(arguments[1]) == "run")  // what follows -- are the program's arguments
    if (char** const end =
            std::find_if(arguments, arguments + count, [](char const* each) { return std::string(each) == "--"; });
        end != arguments + count) {
      asks.program.arguments.assign(end + 1, arguments + count);
      count = static_cast<int>(end - arguments);
    }
  // CLI11 takes a word in brackets for a list of words, where an option may have several. So a file of such a name gets
  // its folder.
  std::vector<std::string> in_folder;
  in_folder.reserve(static_cast<std::size_t>(count));
  for (CLI::App const* const each : {replays, merges, runs})
    for (int k = 2; k < count && each->get_name() == arguments[1]; ++k) {
      std::string const word = arguments[k];
      CLI::Option const* const before = each->get_option_no_throw(arguments[k - 1]);
      bool const is_file = before == nullptr || before->get_items_expected_max() == 0;
      if (is_file && word.starts_with('[') && word.ends_with(']'))
        in_folder.push_back("./" + word), arguments[k] = in_folder.back().data();
    }
  try {
    app.parse(count, arguments);
  } catch (CLI::ParseError const& stop) {
    if (stop.get_exit_code() == 0) return app.exit(stop);
    std::cerr << "coalesce: " << stop.what() << "; 'coalesce --help' and 'coalesce SUBCOMMAND --help' show examples\n";
    return 2;
  }
  refuse_empty_words(*app.get_subcommands()[0]);
  asks.reports.check(inputs_of(asks), asks.report);
  return costs->parsed()      ? cost(asks)
         : explains->parsed() ? explain(asks)
         : draws->parsed()    ? draw(asks)
         : compares->parsed() ? compare(asks)
         : suggests->parsed() ? suggest(asks)
         : counts->parsed()   ? counters(asks)
         : replays->parsed()  ? replay(asks)
         : binaries->parsed() ? binary(asks)
         : merges->parsed()   ? merge(asks)
         : runs->parsed()     ? run_and_tell(asks)
                              : list(asks);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return status_once_written(run(count, arguments));
  } catch (co::misuse const& why) {
    std::cerr << why.what() << "\n";
  } catch (std::exception const& why) {
    std::cerr << "coalesce: " << why.what() << "\n";
  }
  return 2;
}
