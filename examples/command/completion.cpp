// SPDX-License-Identifier: BSL-1.0
#include "completion.hpp"

#include "binary.hpp"

#include <CLI/CLI.hpp>

#include <coalesce/host/named.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace co = coalescing;

bool begins_in_any_case(std::string const& word, std::string const& begun) {
  return co::detail::lower_case(std::string_view(word).substr(0, begun.size())) == co::detail::lower_case(begun);
}

/// Offers the names that begin as the word that is being typed, in upper or lower case. They keep the letters of that
/// word: h1 becomes h100.
void offer_machines(std::string const& begun, std::vector<std::string> const& names) {
  std::vector<std::string> offered;
  for (std::string const& name : names)
    if (begins_in_any_case(name, begun)) offered.push_back(begun + name.substr(begun.size()));
  if (offered.empty() && co::detail::find_machine(begun).machine != nullptr) offered.push_back(begun);
  for (std::string const& each : offered) std::cout << each << "\n";
}
/// Adds the names of a machine. Its other names are added only if a word is begun.
void add_names(std::vector<std::string>& to, co::named_machine const& machine, std::string const& begun,
               std::string const& after = "") {
  auto const add = [&](std::string const& name) {
    bool const has_family = begun.find("::") != begun.npos && after.empty();
    to.push_back((has_family ? name : std::string(co::detail::without_family(name))) + after);
  };
  add(machine.name);
  if (!begun.empty()) std::for_each(machine.also.begin(), machine.also.end(), add);
}

}  // namespace

void complete(CLI::App const& app, std::vector<std::string> words) {
  std::string const begun = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  auto const offer = [&begun](std::string const& word) {
    if (word.starts_with(begun)) std::cout << word << "\n";
  };
  CLI::App const* command = nullptr;
  auto const all = app.get_subcommands([](CLI::App const*) { return true; });
  for (CLI::App const* each : all)
    if (!words.empty() && each->get_name() == words[0]) command = each;
  if (command == nullptr) {
    for (CLI::App const* each : all) offer(each->get_name());
    return;
  }
  if (!words.empty() && words.back() == "--machine") {
    std::vector<std::string> names;
    for (std::string const& each : machines_of_binaries()) {
      auto const of = co::detail::machine_of(each);
      names.push_back(each);
      if (!begun.empty()) add_names(names, *of.machine, begun, of.is_wave64 ? "::wave64" : "");
    }
    std::sort(names.begin(), names.end()), names.erase(std::unique(names.begin(), names.end()), names.end());
    return offer_machines(begun, names);
  }
  if (begun.starts_with("-")) {
    for (CLI::Option const* each : command->get_options())
      for (std::string const& name : each->get_lnames()) offer("--" + name);
    return;
  }
  bool const takes_machine = command->get_option_no_throw("MACHINE") != nullptr;
  if (takes_machine && words.size() == 1) {
    std::vector<std::string> names;
    for (co::named_machine const& each : co::named_machines()) add_names(names, each, begun);
    return offer_machines(begun, names);
  }
  bool const takes_instruction = command->get_option_no_throw("INSTRUCTION") != nullptr;
  if (takes_instruction && (words.size() == 2 || words.size() == 3)) {
    std::string before;
    for (co::named_instruction const& each : co::named(words[1]).instructions) {
      if (!each.is_plain || (words.size() == 3 && each.verb != words[2])) continue;
      std::string const word = words.size() == 2 ? each.verb : std::to_string(each.width);
      if (word != before && before.find("\n" + word + "\n") == before.npos) offer(word), before += "\n" + word + "\n";
    }
  }
}
