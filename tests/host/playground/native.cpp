// SPDX-License-Identifier: BSL-1.0
//
// Answers the questions of drive.py on this machine, by the names of machines and instructions. A question is a line of
// words between tabs: "ask", machine, instruction, mask, addresses; or "suggest", machine, rows, columns, bytes of an
// element, and for each use instruction, mask, cells. An answer is parts: a word, a number of bytes, those bytes.

#include <coalesce/host/named.hpp>

#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;

namespace {

void part(std::string const& word, std::string const& bytes) {
  std::cout << word << " " << bytes.size() << "\n" << bytes << "\n";
}
/// The part, or why it is refused.
template <class Make>
void part_or_refusal(std::string const& word, Make const& make) {
  try {
    part(word, make());
  } catch (co::misuse const& why) {
    part("refused", why.what());
  }
}
std::vector<std::string> words_of(std::string const& line) {
  std::vector<std::string> words;
  std::istringstream in{line};
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}
std::vector<std::uint64_t> numbers_of(std::string const& words) {
  std::vector<std::uint64_t> numbers;
  std::istringstream in{words};
  for (std::uint64_t number = 0; in >> number;) numbers.push_back(number);
  return numbers;
}
std::string text_of(co::compared_cost const& cost) {
  using numbers = co::detail::numbers_of<co::compared_cost::numbers>;
  auto const all = numbers::value(cost);
  std::string text;
  for (unsigned k = 0; k != numbers::count; ++k)
    if (all.of[k] != co::not_counted)
      text += numbers::name().of[k].c_str() + std::string(" ") + std::to_string(all.of[k]) + "\n";
  return text;
}

void list() {
  for (co::named_machine const& machine : co::named_machines()) {
    std::cout << "machine\t" << machine.name;
    for (std::string const& also : machine.also) std::cout << "\t" << co::detail::without_family(also);
    std::cout << "\n";
    for (co::named_instruction const& each : machine.instructions)
      std::cout << each.name << "\t" << each.lanes << "\t" << each.bytes << "\t" << each.alignment << "\t"
                << (each.space() == co::memory_space::shared) << "\t" << (each.facts->can_be_used) << "\n";
  }
}
void ask(std::vector<std::string> const& words) {
  co::named_instruction const& instruction = co::named(words.at(1), words.at(2));
  std::uint64_t const active = std::stoull(words.at(3));
  auto const at = numbers_of(words.at(4));
  part_or_refusal("cost", [&] { return text_of(instruction.cost(at, active)); });
  part_or_refusal("explanation", [&] { return instruction.explain(at, active); });
  part_or_refusal("picture", [&] { return instruction.svg(at, active); });
}
void suggest(std::vector<std::string> const& words) {
  auto const number = [&](unsigned k) { return static_cast<unsigned>(std::stoul(words.at(k))); };
  std::vector<co::named_use> uses;
  for (unsigned k = 5; k + 2 < words.size(); k += 3) {
    uses.push_back({&co::named(words[1], words[k]), {}, std::stoull(words[k + 1])});
    auto const cells = numbers_of(words[k + 2]);
    for (unsigned lane = 0; lane + 1 < cells.size(); lane += 2)
      uses.back().cells.push_back(
          {.row = static_cast<unsigned>(cells[lane]), .column = static_cast<unsigned>(cells[lane + 1])});
  }
  part_or_refusal("suggestion", [&] {
    auto const found = co::suggest({.rows = number(2), .columns = number(3), .element_bytes = number(4)}, uses);
    std::ostringstream text;
    text << found.layout.pitch << " " << found.layout.swizzle.bits << " " << found.layout.swizzle.base << " "
         << found.layout.swizzle.shift << " " << found.bytes << " " << found.is_optimal << " " << found.before.rounds
         << " " << found.before.conflicts << " " << found.after.rounds << " " << found.after.conflicts;
    return text.str();
  });
}

}  // namespace

int main(int count, char**) {
  if (count > 1) {
    list();
    return 0;
  }
  for (std::string line; std::getline(std::cin, line);) {
    auto const words = words_of(line);
    words.at(0) == "ask" ? ask(words) : suggest(words);
    part("end", "");
    std::cout.flush();
  }
}
