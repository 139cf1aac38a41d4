// SPDX-License-Identifier: BSL-1.0
//
// The functions of a module. The page writes addresses, calls a function, and reads the text that it made. A refusal
// prints its sentence on standard error and traps; the page reads the sentence, and makes a new instance of the module.

#include "answers.hpp"

#include <coalesce/host/named/suggest.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace co = coalescing;

namespace {

constexpr unsigned most_lanes = 64;

std::uint64_t addresses[most_lanes];  // byte addresses of lanes, or cells of a tile: row * 2^32 + column
std::string answer;
std::vector<co::named_use> uses;

std::vector<co::named_machine> const& machines() {
  static std::vector<co::named_machine> const all = [] {
    std::vector<co::named_machine> made;
    list_machines(made);
    return made;
  }();
  return all;
}
co::named_instruction const& instruction_at(unsigned machine, unsigned instruction) {
  return machines().at(machine).instructions.at(instruction);
}
co::lane_addresses given(unsigned count) { return {addresses, count}; }

// ---- JSON: names and numbers need no escapes ----

std::string quoted(std::string const& words) { return '"' + words + '"'; }
/// Adds a member to the object at the end of the answer. The value "{" or "[" opens another object or a list there.
void open(std::string const& name, std::string const& value) {
  answer += (answer.back() == '{' ? "" : ",") + quoted(name) + ":" + value;
}
void append(std::string const& name, auto number) { open(name, std::to_string(number)); }

/// Where the numbers of an instruction are counted, in co::compare's words.
std::string level_of(co::named_instruction const& of) {
  co::comparison_row row;
  row.level = of.level, row.banked_memory.append(of.facts->called.machine.family.banked_memory);
  return row.where();
}
/// Appends the numbers that the cost has.
void append_numbers(co::compared_cost const& cost) {
  using numbers = co::detail::numbers_of<co::compared_cost::numbers>;
  auto const all = numbers::value(cost);
  for (unsigned k = 0; k != numbers::count; ++k)
    if (all.of[k] != co::not_counted) append(numbers::name().of[k].c_str(), all.of[k]);
}
void append_rounds(char const* name, co::bank_cost<> const& cost) {
  open(name, "{"), append("rounds", cost.rounds), append("conflicts", cost.conflicts), append("ways", cost.ways);
  answer += "}";
}

}  // namespace

extern "C" {

[[clang::export_name("addresses")]] std::uint64_t* where_addresses_are() { return addresses; }
[[clang::export_name("answer")]] char const* where_the_answer_is() { return answer.c_str(); }
[[clang::export_name("answer_size")]] std::size_t size_of_the_answer() { return answer.size(); }

/// The machines of this module and their instructions.
[[clang::export_name("list")]] void list() {
  answer = "[";
  for (co::named_machine const& machine : machines()) {
    answer += (answer.back() == '[' ? "" : ",") + std::string("{"), open("name", quoted(machine.name));
    open("instructions", "[");
    for (co::named_instruction const& each : machine.instructions) {
      answer += (answer.back() == '[' ? "" : ",") + std::string("{"), open("name", quoted(each.name));
      append("lanes", each.lanes), append("bytes", each.bytes), append("alignment", each.alignment);
      open("level", quoted(level_of(each))), append("unit", each.unit);
      append("shared", each.space() == co::memory_space::shared), append("loads", each.kind == co::touch::load);
      append("suggests", each.facts->can_be_used);
      answer += "}";
    }
    answer += "]}";
  }
  answer += "]";
}

[[clang::export_name("cost")]] void cost(unsigned machine, unsigned instruction, unsigned count, std::uint64_t active) {
  answer = "{", append_numbers(instruction_at(machine, instruction).cost(given(count), active)), answer += "}";
}
[[clang::export_name("explain")]] void explain(unsigned machine, unsigned instruction, unsigned count,
                                               std::uint64_t active) {
  answer = instruction_at(machine, instruction).explain(given(count), active);
}
[[clang::export_name("svg")]] void svg(unsigned machine, unsigned instruction, unsigned count, std::uint64_t active) {
  answer = instruction_at(machine, instruction).svg(given(count), active);
}

/// Adds a use of the tile: the addresses are cells. suggest() clears the uses.
[[clang::export_name("use")]] void use(unsigned machine, unsigned instruction, unsigned count, std::uint64_t active) {
  co::named_use added{&instruction_at(machine, instruction), {}, active};
  for (std::uint64_t const cell : given(count))
    added.cells.push_back({.row = static_cast<unsigned>(cell >> 32), .column = static_cast<unsigned>(cell)});
  uses.push_back(added);
}
[[clang::export_name("suggest")]] void suggest(unsigned rows, unsigned columns, unsigned element_bytes) {
  auto const found = co::suggest({.rows = rows, .columns = columns, .element_bytes = element_bytes}, uses);
  uses.clear();
  auto const& swizzle = found.layout.swizzle;
  answer = "{", append("pitch", found.layout.pitch), append("bits", swizzle.bits), append("base", swizzle.base);
  append("shift", swizzle.shift), append("bytes", found.bytes), append("tried", found.tried);
  append("is_optimal", found.is_optimal), append_rounds("before", found.before), append_rounds("after", found.after);
  answer += "}";
}

}  // extern "C"
