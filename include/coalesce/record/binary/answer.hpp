// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/rows.hpp>
#include <coalesce/core/numbers.hpp>
#include <coalesce/record/binary/memory.hpp>
#include <coalesce/record/rows.hpp>

#include <cstdint>
#include <string>
#include <vector>

// What a kernel's binary does to memory: a recording, and what could not be costed; and its JSON.

namespace coalescing {

/// An instruction that accesses memory and has no cost here, with the reason.
struct binary_unknown {
  found_at at = {};
  std::string why = {};
  std::uint64_t issued = 0;  ///< 0: perhaps; it stands behind a branch that depends on data
};

/// The answer about a binary.
struct binary_answer {
  std::string machine = {};  ///< its name: gfx942
  std::string kernel = {};
  recording<any_number> sites = {};
  std::vector<binary_unknown> unknown = {};
  std::uint64_t passed_over = 0;  ///< instructions of the text whose opcodes are not in the tables, and feed no address
  std::vector<binary::global_array> buffers = {};  ///< with what the kernel stored, where they have contents
};

namespace binary {

[[nodiscard]] inline std::string quoted(std::string const& words) {
  std::string all = "\"";
  for (char const c : words) {
    if (c == '"' || c == '\\') all += '\\';
    if (static_cast<unsigned char>(c) < 32)
      all += ' ';
    else
      all += c;
  }
  return all + "\"";
}
[[nodiscard]] inline std::string hexadecimal(std::uint64_t number) {
  std::string all;
  do {
    all.insert(all.begin(), "0123456789abcdef"[number % 16]), number /= 16;
  } while (number != 0);
  return "\"0x" + all + "\"";
}
/// The members that sites and unknown instructions have in common. An instruction of assembly has no offset.
[[nodiscard]] inline std::string place_in_json(std::uint64_t offset, std::string const& opcode) {
  return "{\"at\": " + (offset == not_counted ? std::string("null") : binary::hexadecimal(offset)) +
         ", \"opcode\": " + binary::quoted(opcode);
}
[[nodiscard]] inline std::string source_in_json(std::string const& file, unsigned line) {
  return ", \"source\": " + (file.empty() ? std::string("null") : binary::quoted(file + ":" + std::to_string(line)));
}
template <auto... Members>
[[nodiscard]] std::string numbers_in_json(recorded_cost const& cost, coalescing::detail::members<Members...>) {
  std::string all;
  unsigned k = 0;
  std::uint64_t const numbers[] = {cost.*Members...};
  for (std::uint64_t const number : numbers) {
    if (number != not_counted) all += ", " + binary::quoted(compared_cost::names[k]) + ": " + std::to_string(number);
    ++k;
  }
  return all;
}

}  // namespace binary

/// The answer as JSON, in the words of `coalesce binary --json`.
[[nodiscard]] inline std::string json(binary_answer const& answer) {
  std::string sites, unknown;
  auto const no_cost = [&unknown](std::string const& place, std::string const& source, std::string const& why,
                                  std::uint64_t issued) {
    unknown += (unknown.empty() ? "" : ",") + ("\n    " + place) + source + ", \"why\": " + binary::quoted(why) +
               ", \"issued\": " + std::to_string(issued) + "}";
  };
  for (site const& s : answer.sites) {
    std::string const place = binary::place_in_json(s.offset, s.opcode),
                      source = binary::source_in_json(s.at.file, s.at.line);
    if (!s.cost.is_counted) {
      no_cost(place, source, "no source tells what it costs on this machine", s.cost.issued);
      continue;
    }
    char const* const kind = s.kind == touch::store ? "store" : s.kind == touch::atomic ? "atomic" : "load";
    std::string const words[] = {sites.empty() ? "\n    " : ",\n    ",
                                 place,
                                 source,
                                 ", \"array\": ",
                                 binary::quoted(s.array),
                                 ", \"space\": ",
                                 s.space == memory_space::shared ? "\"shared\"" : "\"global\"",
                                 ", \"kind\": ",
                                 binary::quoted(kind),
                                 ", \"bits\": ",
                                 std::to_string(s.bits),
                                 ", \"issued\": ",
                                 std::to_string(s.cost.issued),
                                 binary::numbers_in_json(s.cost, compared_cost::numbers{}),
                                 "}"};
    for (std::string const& word : words) sites += word;
  }
  for (binary_unknown const& each : answer.unknown)
    no_cost(binary::place_in_json(each.at.offset, each.at.opcode), binary::source_in_json(each.at.file, each.at.line),
            each.why, each.issued);
  return "{\"machine\": " + binary::quoted(answer.machine) + ", \"kernel\": " + binary::quoted(answer.kernel) +
         ", \"blocks\": " + std::to_string(answer.sites.blocks) + ", \"sites\": [" + sites + "\n  ], \"unknown\": [" +
         unknown + "\n  ]}\n";
}

}  // namespace coalescing
