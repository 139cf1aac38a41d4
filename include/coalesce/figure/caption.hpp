// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/pattern.hpp>
#include <coalesce/source.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a figure says in words: the instruction's name, its numbers, and the rules that they rest on.

namespace coalescing::detail::figure {

inline std::string decimal(std::uint64_t number) { return std::to_string(number); }
inline std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  while ((number /= 16) != 0);
  return "0x" + digits;
}
/// "1 clock", "4 clocks".
inline std::string counted(std::uint64_t number, char const* noun) {
  return decimal(number) + ' ' + noun + (number == 1 ? "" : "s");
}
/// Lanes as ranges, "0-3 20-23".
inline std::string ranges(std::uint64_t lanes) {
  std::string text;
  for (unsigned lane = 0; lane != 64; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    unsigned last = lane;
    while (last != 63 && (lanes >> (last + 1) & 1) != 0) ++last;
    text += (text.empty() ? "" : " ") + decimal(lane) +
            (last == lane ? "" : (last == lane + 1 ? " " : "-") + decimal(last));
    lane = last;
  }
  return text;
}

// ---- The instruction's name ----

/// The compiler's text for a type; no library is asked for it. g++ and clang differ in what name_of() leaves out.
template <class Instruction>
constexpr char const* signature() {
  return __PRETTY_FUNCTION__;
}

/// "a::b<c::d>::e" in its parts "a", "b<c::d>", "e"; or a list of arguments, where `between` is a comma.
inline std::vector<std::string> parts_of_name(std::string_view name, std::string_view between) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t at = 0; at != name.size(); ++at) {
    depth += (name[at] == '<') - (name[at] == '>');
    if (depth == 0 && name.substr(at, between.size()) == between)
      parts.emplace_back(), at += between.size() - 1;
    else if (name[at] != ' ')
      parts.back() += name[at];
  }
  return parts;
}
/// "load<32,coalescing::cuda::caching::by_default>" is load<32>.
inline std::string without_defaults(std::string const& part) {
  std::size_t const open = part.find('<');
  if (open == std::string::npos) return part;
  std::string arguments;
  for (std::string const& argument :
       parts_of_name(std::string_view(part).substr(open + 1, part.size() - open - 2), ",")) {
    std::string const last = parts_of_name(argument, "::").back();
    if (last != "by_default") arguments += (arguments.empty() ? "" : ", ") + last;
  }
  return part.substr(0, open) + '<' + arguments + '>';
}
/// "CC 9.0 load<32>", "gfx942 ds_read<128>", "GCN buffer_load<32>"; of a type of the user's, its own name.
template <class Instruction>
std::string name_of() {
  std::string_view const text = signature<Instruction>();
  std::size_t const from = text.find("Instruction = ") + 14;
  auto const parts = parts_of_name(text.substr(from, text.rfind(']') - from), "::");
  std::string name;
  for (std::string const& part : parts) {
    if (part.rfind("device<", 0) == 0) {
      std::string const capability = part.substr(7, part.find_first_of(">uU") - 7);
      name = "CC " + capability.substr(0, capability.size() - 1) + '.' + capability.back();
    } else if (part.rfind("machine<", 0) == 0) {
      name = parts_of_name(std::string_view(part).substr(8, part.size() - 9), "::").back();
    } else if (part == "gcn") {
      name = "GCN";
    } else if (part != "coalescing" && part != "cuda" && part != "cdna" && part != "rdna") {
      std::string const own = without_defaults(part);
      name += (name.empty() ? "" : name.find('<') == std::string::npos ? " " : "::") + own;
    }
  }
  return name;
}

// ---- The caption ----

struct caption {
  std::string title;               ///< the instruction and its number
  std::vector<std::string> lines;  ///< more numbers, rules
};

inline char const* place_of(level where) {
  switch (where) {
    case level::dram:
      return "to DRAM";
    case level::l2:
      return "at L2";
    case level::l1:
      return "at L1";
    case level::l0:
      return "at L0";
    case level::constant_cache:
      return "at the constant cache";
    case level::lds:
      break;
  }
  return "";
}
/// Which rule of which document decides a number.
inline void cite(caption& words, char const* number, source const& from) {
  std::string text =
      std::string(number) + ": " + from.claim + " (" + detail::words_of(from.evidence) + ": " + from.document;
  for (char const* more : {from.edition, from.section})
    if (*more != '\0') text += std::string(", ") + more;
  text += ')';
  if (*from.assumes != '\0') text += std::string("; taken for granted: ") + from.assumes;
  words.lines.push_back(text);
}

/// What it would be if the same lanes took neighbouring words from byte 0 on: co::ideal where all are active.
inline std::string beside(std::uint64_t neighbours) { return " (neighbours: " + decimal(neighbours) + ')'; }
template <class Instruction>
typename Instruction::cost_type cost_of_neighbours(std::uint64_t active) {
  return coalescing::cost<Instruction>(detail::neighbours<Instruction>(), active);
}

/// Of an access to global memory.
template <class Instruction>
caption caption_of_memory(typename Instruction::cost_type const& cost, std::uint64_t active) {
  auto const neighbours = cost_of_neighbours<Instruction>(active);
  caption words{name_of<Instruction>() + ": ", {}};
  if constexpr (requires { cost.clocks; })
    words.title += counted(cost.clocks, "clock") + (Instruction::level == level::l0 ? " at L0" : " at L1") +
                   beside(neighbours.clocks) + ", ";
  words.title +=
      counted(cost.transactions, "transaction") + ' ' + place_of(Instruction::level) + beside(neighbours.transactions);
  words.lines.push_back(decimal(cost.bytes_used) + " bytes used of " + decimal(cost.bytes_moved) + " moved");
  cite(words, "transactions", Instruction::sources.transactions);
  if constexpr (requires { cost.clocks; }) cite(words, "clocks", Instruction::sources.clocks);
  return words;
}
/// Of an access to shared memory or LDS.
template <class Instruction>
caption caption_of_banks(typename Instruction::cost_type const& cost, std::uint64_t active) {
  caption words{name_of<Instruction>() + ": " + counted(cost.rounds, "round") +
                    beside(cost_of_neighbours<Instruction>(active).rounds),
                {}};
  words.lines.push_back(counted(cost.phases, "phase") + ", " + counted(cost.conflicts, "conflict") +
                        (cost.ways > 1 ? "; at worst " + decimal(cost.ways) + "-way" : "") + "; " +
                        decimal(Instruction::banks) + " banks of " + decimal(Instruction::unit) + " bytes");
  if constexpr (requires { cost.rounds_at_least; })
    if (cost.rounds_at_least != cost.rounds)
      words.lines.back() += "; drawn with the worst choices, with the best " + decimal(cost.rounds_at_least);
  cite(words, "rounds", Instruction::sources.rounds);
  return words;
}

}  // namespace coalescing::detail::figure
