// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/core/numbers.hpp>
#include <coalesce/host/numbers.hpp>
#include <coalesce/host/recording.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Recordings as JSON: what the command `coalesce` prints, and reads again. manual/command.md lists the members.

namespace coalescing {

namespace detail {

/// A text in quotes; null if it is empty.
[[nodiscard]] inline std::string json_word(std::string const& words) {
  if (words.empty()) return "null";
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
[[nodiscard]] inline std::string json_offset(std::uint64_t number) { return '"' + detail::hexadecimal(number) + '"'; }
/// The JSON members that the entries of `sites` and of `unknown` have in common. The offset is null for an instruction
/// that was read from an assembly text.
[[nodiscard]] inline std::string place_in_json(std::uint64_t offset, std::string const& opcode) {
  return "{\"at\": " + (offset == not_counted ? std::string("null") : detail::json_offset(offset)) +
         ", \"opcode\": " + detail::json_word(opcode);
}
[[nodiscard]] inline std::string source_in_json(std::string const& file, unsigned line, unsigned column) {
  return ", \"source\": " +
         (file.empty() ? std::string("null") : detail::json_word(file + ":" + std::to_string(line))) +
         (file.empty() && line != 0 ? ", \"line\": " + std::to_string(line) : "") +
         (column == 0 ? "" : ", \"column\": " + std::to_string(column));
}
template <auto... Members>
[[nodiscard]] std::string numbers_in_json(recorded_cost const& cost, members<Members...>) {
  std::string all;
  unsigned k = 0;
  std::uint64_t const numbers[] = {cost.*Members...};
  for (std::uint64_t const number : numbers) {
    if (number != not_counted) all += ", " + detail::json_word(compared_cost::names[k]) + ": " + std::to_string(number);
    ++k;
  }
  return all;
}

/// The lists `sites` and `unknown` of a recording.
class json_sites {
 public:
  /// Adds a site. `machine` is the machine of the recording. A site without a cost is listed as unknown.
  void add(site const& s, machine_name const& machine) {
    at_most_ = at_most_ || s.at_most;
    if (!s.cost.is_counted)
      return add_unknown({s.at.file, s.at.line, s.at.column, s.offset, s.opcode},
                         "no source tells what it costs on this machine", s.cost.issued);
    std::size_t const prefix = detail::words_of(machine).length + 2;  // cuda::cc90::
    std::string const instruction = s.instruction;
    for (std::string const& word :
         {std::string(sites_.empty() ? "\n    " : ",\n    "), detail::place_in_json(s.offset, s.opcode),
          detail::source_in_json(s.at.file, s.at.line, s.at.column), std::string(", \"array\": "),
          detail::json_word(s.array), std::string(", \"space\": "), detail::json_word(detail::word_of(s.space)),
          std::string(", \"kind\": "), detail::json_word(detail::word_of(s.kind)),
          ", \"bits\": " + std::to_string(s.bits), std::string(", \"instruction\": "),
          detail::json_word(instruction.size() < prefix ? instruction : instruction.substr(prefix)),
          std::string(s.at_most ? ", \"at_most\": true" : ""),
          s.per_iteration == 0 ? std::string() : ", \"per_iteration\": " + std::to_string(s.per_iteration),
          ", \"issued\": " + std::to_string(s.cost.issued), detail::numbers_in_json(s.cost, compared_cost::numbers{}),
          std::string("}")})
      sites_ += word;
  }
  /// Adds an instruction without a cost, with the reason.
  void add_unknown(found_at const& at, std::string const& why, std::uint64_t issued) {
    unknown_ += (unknown_.empty() ? "\n    " : ",\n    ") + detail::place_in_json(at.offset, at.opcode) +
                detail::source_in_json(at.file, at.line, at.column) + ", \"why\": " + detail::json_word(why) +
                ", \"issued\": " + std::to_string(issued) + "}";
  }
  /// The whole JSON text. `unchecked`, `assumed` and `arguments` are those of binary_answer. `any_block` says that the
  /// numbers hold for every block. `checksum` tells versions of the kernel's text apart; 0: there is no text.
  [[nodiscard]] std::string text(std::string const& machine, std::string const& kernel, std::uint64_t blocks,
                                 std::string const& unchecked = {}, std::vector<std::string> const& assumed = {},
                                 std::vector<std::string> const& arguments = {}, bool any_block = false,
                                 std::uint64_t checksum = 0) const {
    auto const list = [](char const* name, std::vector<std::string> const& sentences) {
      std::string all;
      for (std::string const& each : sentences)
        all += (all.empty() ? std::string(", \"") + name + "\": [" : ", ") + detail::json_word(each);
      return all + (all.empty() ? "" : "]");
    };
    return "{\"machine\": " + detail::json_word(machine) + ", \"kernel\": " + detail::json_word(kernel) +
           ", \"blocks\": " + std::to_string(blocks) +
           (checksum == 0 ? "" : ", \"checksum\": " + detail::json_offset(checksum)) +
           (any_block ? ", \"any_block\": true" : "") + (at_most_ ? ", \"at_most\": true" : "") + ", \"sites\": [" +
           sites_ + "\n  ], \"unknown\": [" + unknown_ + "\n  ]" + list("assumed", assumed) +
           list("arguments", arguments) +
           (unchecked.empty() ? "" : ", \"unchecked\": " + detail::json_word(unchecked)) + "}\n";
  }

 private:
  std::string sites_, unknown_;
  bool at_most_ = false;
};

}  // namespace detail

/// The recording of a kernel as JSON, in the form that `coalesce --json` prints and `coalesce counters` reads.
[[nodiscard]] inline std::string json(recording<any_number> const& seen, std::string const& kernel = {}) {
  detail::json_sites made;
  for (site const& s : seen) made.add(s, seen.machine);
  return made.text(detail::words_of(seen.machine).c_str(), kernel, seen.blocks);
}

}  // namespace coalescing
