// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/explain/numbers.hpp>

#include "truth/oracle/cuda.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Reads back the sentences of co::explain. Each claim is looked up among the addresses, byte by byte, and the lanes
// that it blames must be to blame. Costs are the library's, which other oracles hold to the documents; the pieces of CC
// 1.x are those of oracle/cuda.hpp.

namespace coalescing_tests {

namespace co = coalescing;

/// The text before the rules: the instruction, its numbers, and the reasons.
inline std::string head(std::string const& text) { return text.substr(0, text.find("Rules:\n")); }
inline std::string why(std::string const& text) {
  std::string const before = head(text);
  return before.substr(std::min(before.find("Why: "), before.size()));
}
inline bool has(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

/// Turns 65,536 into 65536.
inline std::string without_commas(std::string words) {
  for (std::size_t k = 1; k + 1 < words.size(); ++k)
    if (words[k] == ',' && words[k - 1] >= '0' && words[k - 1] <= '9' && words[k + 1] >= '0' && words[k + 1] <= '9')
      words.erase(k, 1);
  return words;
}
/// Reads "lanes 0 to 3 and 20 to 23" at the beginning of the words, as a set. "no lane" is empty, and so is a list that
/// leaves lanes out ("13 more"). `rest` receives the words that follow.
inline std::set<unsigned> lanes_in(std::string words, std::string& rest) {
  std::set<unsigned> lanes;
  if (words.substr(0, 7) == "no lane") return rest = words.substr(7), lanes;
  words.erase(0, words.find(' ') + 1);
  unsigned last = 0;
  bool to = false, known = true;
  for (;;) {
    char* end = nullptr;
    unsigned const lane = static_cast<unsigned>(std::strtoul(words.c_str(), &end, 10));
    if (end == words.c_str()) break;
    words.erase(0, static_cast<std::size_t>(end - words.c_str()));
    if (words.substr(0, 5) == " more") known = false, words.erase(0, 5);
    for (unsigned k = to ? last : lane; k <= lane; ++k) lanes.insert(k);
    last = lane, to = words.substr(0, 4) == " to ";
    bool more = false;
    for (char const* joint : {" to ", ", ", " and "})
      if (std::string const with = joint;
          words.substr(0, with.size()) == with && words.size() > with.size() && std::isdigit(words[with.size()])) {
        words.erase(0, with.size()), more = true;
        break;
      }
    if (!more) break;
  }
  rest = words;
  return known ? lanes : std::set<unsigned>{};
}

/// An access in which claims are looked up.
struct looked_at {
  std::vector<std::uint64_t> address;
  std::uint64_t active = 0;
  unsigned bytes = 0;

  [[nodiscard]] bool is_active(unsigned lane) const { return (active >> lane & 1) != 0; }
  [[nodiscard]] std::uint64_t apart(unsigned a, unsigned b) const {
    return std::max(address[a], address[b]) - std::min(address[a], address[b]);
  }
  /// The lanes with a byte in a piece of memory, and how many of its bytes some lanes name.
  [[nodiscard]] std::set<unsigned> lanes_on(std::uint64_t at, std::uint64_t size) const {
    std::set<unsigned> found;
    for (unsigned lane = 0; lane != address.size(); ++lane)
      for (unsigned byte = 0; byte != bytes; ++byte)
        if (is_active(lane) && address[lane] + byte - at < size) found.insert(lane);
    return found;
  }
  [[nodiscard]] std::size_t used(std::set<unsigned> const& lanes, std::uint64_t at, std::uint64_t size) const {
    std::set<std::uint64_t> named;
    for (unsigned const lane : lanes)
      for (unsigned byte = 0; byte != bytes; ++byte)
        if (address[lane] + byte - at < size) named.insert(address[lane] + byte);
    return named.size();
  }
  [[nodiscard]] random_access as_access() const {
    random_access made{.address = {}, .active = active};
    std::copy(address.begin(), address.end(), made.address.begin());
    return made;
  }
};

/// How a piece of memory serves lanes.
struct serving {
  bool merges = true;     ///< lanes on one piece are served together
  bool in_order = false;  ///< CC 1.0 and 1.1
  std::vector<piece> (*pieces)(random_access const&,
                               unsigned bytes) = nullptr;  ///< the oracle that lists the pieces, if there is one
};
inline std::vector<piece> pieces_in_order(random_access const& access, unsigned bytes) {
  auto all = in_order_half(access, 0, bytes);
  for (auto const& one : in_order_half(access, 16, bytes)) all.push_back(one);
  return all;
}
inline std::vector<piece> pieces_by_protocol(random_access const& access, unsigned bytes) {
  auto all = protocol_half(access, 0, bytes);
  for (auto const& one : protocol_half(access, 16, bytes)) all.push_back(one);
  return all;
}
inline constexpr serving together{}, in_parts{.merges = false},
    in_order{.merges = false, .in_order = true, .pieces = pieces_in_order},
    by_protocol{.merges = false, .pieces = pieces_by_protocol};

/// The active lanes on neighbouring words: packed (`side_by_side`), or each in its own place. In the constant cache all
/// lanes read one word.
template <class Instruction>
std::vector<std::uint64_t> neighbours_of(std::uint64_t active, bool side_by_side) {
  std::uint64_t const step = Instruction::level == co::level::constant_cache    ? 0
                             : Instruction::bytes % Instruction::alignment == 0 ? Instruction::bytes
                                                                                : Instruction::alignment;
  std::vector<std::uint64_t> address(Instruction::lanes);
  std::uint64_t next = 0;
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane) {
    bool const is_active = (active >> lane & 1) != 0;
    address[lane] = side_by_side ? next * step : lane * step;
    next += is_active;
  }
  return address;
}

/// The value of a number of the cost, by its name.
template <class Cost>
std::uint64_t number(Cost const& cost, char const* name) {
  return co::number_named(cost, name);
}

/// CC 1.0 and 1.1: the false part of "lane 1 is 8 bytes after lane 0: 16 lanes are coalesced only where lane k of them
/// has word k from a multiple of 64 bytes on", or of "lane 0 begins at byte 4: ..."; "" if all is true.
inline std::string lie_about_order(std::string const& words, looked_at const& in) {
  unsigned lane = 0, before = 0, group = 0, multiple = 0;
  unsigned long long at = 0;
  char way[8] = {};
  bool const begins = std::sscanf(words.c_str(), "Why: lane %u begins at byte %llu: ", &lane, &at) == 2;
  if (!begins && (std::sscanf(words.c_str(), "Why: lane %u is %llu byte", &lane, &at) != 2 ||
                  std::sscanf(words.c_str() + words.find(" byte"), " %*s %7s lane %u: ", way, &before) != 2))
    return "order? " + words;
  if (std::sscanf(words.c_str() + words.find(": ", 5),
                  ": %u lanes are coalesced only where lane k of them has word k from a multiple of %u bytes on",
                  &group, &multiple) != 2)
    return "rule? " + words;
  if (group != 16 || multiple != (in.bytes == 4 ? 64u : 128u)) return "another rule";
  if (!in.is_active(lane)) return "it is not active";
  unsigned const first = lane / 16 * 16;
  auto const is_at_its_place = [&](unsigned one, unsigned other) {
    return in.address[one] - in.address[other] == (std::uint64_t{one} - other) * in.bytes;
  };
  unsigned lowest = first;
  while (!in.is_active(lowest)) ++lowest;
  if (begins) {
    if (lane != lowest || in.address[lane] != at) return "it begins elsewhere";
    if ((at - (lane - first) * in.bytes) % multiple == 0) return "it begins well";
    for (unsigned k = first; k != first + 16; ++k)
      if (in.is_active(k) && !is_at_its_place(k, lane)) return "lanes are in no order";
  } else {
    bool const after = std::string(way) == "after";
    if (!in.is_active(before) || before >= lane || before < first) return "the other lane is of another half-warp";
    if (in.address[lane] - in.address[before] != (after ? at : 0 - at)) return "not so far";
    if (is_at_its_place(lane, before)) return "they are in order";
  }
  // In their proper places the lanes would need fewer transactions.
  random_access made = in.as_access(), there = made;
  for (unsigned k = 0; k != 32; ++k) there.address[k] = 4096 + (k - first) * in.bytes;
  return in_order_half(there, first, in.bytes).size() < in_order_half(made, first, in.bytes).size() ? "" : "innocent";
}

/// The false part of one sentence "Why: ..."; "" if all is true.
template <class Instruction>
std::string lie(std::string const& sentence, looked_at const& in, serving const& how) {
  std::string words = without_commas(sentence), rest, tail;
  auto const cost = [&](std::uint64_t active) { return co::cost<Instruction>(in.address, active); };
  unsigned a = 0, b = 0, used = 0;
  unsigned long long apart = 0, size = 0, at = 0;
  char noun[16] = {};
  auto const check_use = [&](std::string const& of) -> std::string {  // "the 32-byte sector at byte 0 serves ..."
    if (std::sscanf(of.c_str(), "the %llu-byte %15s at byte %llu serves ", &size, noun, &at) != 3) return "use? " + of;
    std::string after;
    auto lanes = lanes_in(of.substr(of.find(" serves ") + 8), after);
    if (std::sscanf(after.c_str(), ", and %u of its bytes", &used) != 1) return "used? " + after;
    if ((std::string(noun) == "sector") != (size == 32) && std::string(noun) != "line") return "noun";
    if constexpr (requires { Instruction::piece; })
      if (size != 32 && std::string(noun) != Instruction::piece) return "noun of the instruction";
    auto const on = in.lanes_on(at, size);
    if (how.pieces != nullptr) {
      auto const pieces = how.pieces(in.as_access(), Instruction::bytes);
      bool found = false;
      for (auto const& one : pieces) {
        std::set<unsigned> served;
        for (unsigned lane = 0; lane != 32; ++lane)
          if ((one.lanes >> lane & 1) != 0) served.insert(lane);
        found = found || (one.address == at && one.bytes == size && in.used(served, at, size) == used &&
                          (lanes.empty() || lanes == served));
      }
      if (!found) return "no such piece";
    }
    if (lanes.empty() && !how.merges) return "";  // the sentence names some lanes only, or no lane
    if (lanes.empty()) lanes = on;
    for (unsigned const lane : lanes)
      if (on.count(lane) == 0) return "serves no such lane";
    if (how.merges && lanes != on) return "serves others too";
    if (used >= size || in.used(lanes, at, size) != used) return "uses others";
    return at % size == 0 ? "" : "no piece";
  };
  if (std::sscanf(words.c_str(),
                  "Why: lanes %u and %u are %llu bytes apart: each opens its own %llu-byte %15s and uses "
                  "%u byte",
                  &a, &b, &apart, &size, noun, &used) == 6) {
    for (unsigned const lane : {a, b}) {
      at = in.address[lane] / size * size;
      if (in.lanes_on(at, size) != std::set<unsigned>{lane} || in.used({lane}, at, size) != used) return "not its own";
    }
    return in.apart(a, b) == apart ? "" : "not so far apart";
  }
  if (std::sscanf(words.c_str(), "Why: lanes %u and %u are %llu byte", &a, &b, &apart) == 3) {
    if (!in.is_active(a) || !in.is_active(b) || in.apart(a, b) != apart) return "not so far apart";
    tail = words.substr(words.find(": ", 5) + 2);
    if constexpr (Instruction::level == co::level::constant_cache) {
      if constexpr (requires { cost(in.active).requests; }) {
        std::uint64_t const two = std::uint64_t{1} << a | std::uint64_t{1} << b;
        auto const ideal = [](std::uint64_t lanes) { return co::cost<Instruction>(co::broadcast{}, lanes).requests; };
        if (cost(in.active).requests > ideal(in.active) && cost(two).requests == ideal(two))
          return "no more requests than neighbours";
      }
      return apart != 0 ? "" : "one address";
    }
    if (auto const wrong = check_use(tail); !wrong.empty()) return wrong;
    auto const on = in.lanes_on(at, size);
    return on.count(a) + on.count(b) != 0 ? "" : "neither is on it";
  }
  if (words.substr(0, 9) == "Why: the " && words[9] >= '0' && words[9] <= '9') return check_use(words.substr(5));
  if (std::sscanf(words.c_str(), "Why: lane %u begins %llu byte", &a, &at) == 2) {
    tail = words.substr(words.find(" into a ") + 8);
    if (std::sscanf(tail.c_str(), "%llu-byte %15s", &size, noun) != 2) return "late?";
    if (in.address[a] % size != at) return "begins elsewhere";
    // The claim is the reason: if the lanes began at the beginning of a piece, they would touch fewer pieces.
    auto const now = cost(in.active);
    char const* of = number(now, "lines") != 0 && size == 128 ? "lines" : "transactions";
    std::uint64_t const lowest = in.address[a];
    for (std::uint64_t from = 0; from < 256; from += size) {
      looked_at moved = in;
      for (auto& address : moved.address) address += (lowest > 4096 ? 0 - at - from : size - at + from);
      if (number(co::cost<Instruction>(moved.address, in.active), of) >= number(now, of))
        return "they reach as far from there";
    }
    for (unsigned lane = 0; lane != in.address.size(); ++lane)
      if (in.is_active(lane) && in.address[lane] < lowest) return "another lane is lower";
    return "";
  }
  if (words.substr(0, 13) == "Why: each of ") {
    unsigned count = 0, best = 0;
    if (std::sscanf(words.c_str(), "Why: each of %u pieces is used whole, where neighbours take %u: ", &count, &best) !=
        2)
      return "pieces?";
    if constexpr (requires(co::access<Instruction::lanes> const& asked) { Instruction::transactions_of(asked); }) {
      auto const list = co::transactions<Instruction>(in.address, in.active);
      for (auto const& piece : list) {
        std::set<unsigned> lanes;
        for (unsigned lane = 0; lane != in.address.size(); ++lane)
          if ((piece.lanes >> lane & 1) != 0) lanes.insert(lane);
        if (in.used(lanes, piece.address, piece.bytes) != piece.bytes) return "not whole";
      }
      auto const cost_at = [&](bool side_by_side) {
        return co::cost<Instruction>(neighbours_of<Instruction>(in.active, side_by_side), in.active).transactions;
      };
      if (best != std::min(cost_at(false), cost_at(true)) && !(number(cost(in.active), "lines") != 0))
        return "neighbours take another number";
      return count == list.size() && best < count ? "" : "not so many";
    }
    return "there are no pieces";
  }
  if (has(words, ", where neighbours take ")) {  // clocks, data_wavefronts
    auto const lanes = lanes_in(words.substr(5), rest);
    std::uint64_t mask = 0;
    for (unsigned const lane : lanes) mask |= std::uint64_t{1} << lane;
    unsigned taken = 0, best = 0;
    if (lanes.empty()) return "";  // the sentence names some lanes only
    if (std::sscanf(rest.c_str(), " take %u %15[a-z_], where neighbours take %u: ", &taken, noun, &best) != 3)
      return "take? " + rest;
    if (number(cost(mask), noun) != taken || best >= taken) return "takes another number";
    tail = rest.substr(rest.find(": ") + 2);
    if (std::sscanf(tail.c_str(), "lanes %u and %u are %llu bytes apart", &a, &b, &apart) == 3 &&
        !has(tail, " alone ")) {
      // The two lanes are to blame: together with a lane of another quad, they take a clock for each quad.
      if (in.apart(a, b) != apart) return "not so far apart";
      for (unsigned const lane : lanes)
        if (lane / 4 != a / 4)
          if (number(cost(std::uint64_t{1} << a | std::uint64_t{1} << b | std::uint64_t{1} << lane), noun) != 2)
            return "innocent";
      return "";
    }
    auto const few = lanes_in(tail, rest);
    if (few.empty()) return "";
    mask = 0;
    for (unsigned const lane : few) mask |= std::uint64_t{1} << lane;
    if (std::sscanf(rest.c_str(), " alone take %u", &taken) != 1) return "alone? " + rest;
    if (number(cost(mask), noun) != taken || taken <= best) return "takes another number alone";
    mask &= ~(std::uint64_t{1} << *few.rbegin());
    return number(cost(mask), noun) <= best ? "" : "fewer lanes do too";
  }
  if (words.substr(0, 14) == "Why: in phase ") {
    unsigned phase = 0, count = 0;
    if (std::sscanf(words.c_str(), "Why: in phase %u of %u ", &phase, &count) != 2) return "phase?";
    auto const guilty = lanes_in(words.substr(words.find(") ") + 2), rest);
    unsigned bank = 0, rounds = 0;
    if (std::sscanf(rest.substr(rest.find("bank ")).c_str(), "bank %u: %u rounds", &bank, &rounds) != 2) return "bank?";
    if constexpr (requires(co::access<Instruction::lanes> const& asked) { Instruction::phases_of(asked); }) {
      auto const list = co::phases<Instruction>(in.address, in.active);
      if (list.size() != count || list[phase - 1].rounds != rounds) return "another number of rounds";
      for (unsigned const lane : guilty)
        if ((list[phase - 1].lanes >> lane & 1) == 0) return "of another phase";
      if (bank >= Instruction::banks) return "no bank";
      // The lanes of the phase cost more than on neighbouring words. (Matrix instructions need every lane, so this is
      // not tried for them.)
      if constexpr (!requires { Instruction::check_lanes(co::access<Instruction::lanes>{}); }) {
        std::uint64_t const lanes = list[phase - 1].lanes;
        auto const taken = cost(lanes),
                   in_place = co::cost<Instruction>(neighbours_of<Instruction>(in.active, false), lanes),
                   side_by_side = co::cost<Instruction>(neighbours_of<Instruction>(in.active, true), lanes);
        auto const is_dear = [&]<auto... Members>(co::detail::members<Members...>) {
          return ((taken.*Members > std::min(in_place.*Members, side_by_side.*Members)) || ...);
        };
        if (!is_dear(typename Instruction::cost_type::numbers{})) return "innocent";
      }
      // The words that the named lanes access in that bank.
      constexpr bool one_word_a_bank = !requires { Instruction::folded(co::access<Instruction::lanes>{}); }
      &&!requires { Instruction::accesses; };
      if constexpr (one_word_a_bank) {
        std::set<std::uint64_t> wanted;
        for (unsigned const lane : guilty) {
          std::set<std::uint64_t> words_there;
          for (unsigned byte = 0; byte != Instruction::bytes; ++byte)
            if (auto const word = (in.address[lane] + byte) / Instruction::unit; word % Instruction::banks == bank)
              words_there.insert(word);
          if (words_there.empty()) return "wants nothing there";
          if (!has(rest, " want different words")) continue;
          for (auto const word : words_there)
            if (!wanted.insert(word).second) return "one word";
        }
      }
      return "";
    }
    return "there are no phases";
  }
  if (std::sscanf(words.c_str(), "Why: lanes") == 0 && has(words, " name byte ")) {
    auto const lanes = lanes_in(words.substr(5), rest);
    if (std::sscanf(rest.c_str(), " name byte %llu", &at) != 1) return "byte?";
    for (unsigned const lane : lanes)
      if (in.address[lane] != at) return "another byte";
    return "";
  }
  if (has(words, " lanes are coalesced only where "))
    return how.in_order ? lie_about_order(words, in) : "of another machine";
  if (words == "Why: no lane is active") return in.active == 0 ? "" : "one is";
  if (words == "Why: no number is above its ideal, the cost of these lanes on neighbouring words" ||
      words == "Why: these lanes conflict at least as often on neighbouring words")
    return "";
  return "unknown: " + words;
}

/// The contradiction between the numbers of a text and its reasons; "" if there is no contradiction.
inline std::string contradiction(std::string const& text) {
  bool const dear = has(head(text), ", ideal ");
  bool const none = has(text, "Why: no number is above its ideal"), as_many = has(text, "at least as often on"),
             idle = has(text, "Why: no lane is active");
  if (dear && (none || as_many || idle)) return "something is dearer";
  if (!dear && !none && !as_many && !idle) return "nothing is dearer";
  bool const conflicts = has(text, "\n  conflicts ") && !has(text, "\n  conflicts 0\n");
  if (conflicts && none) return "there are conflicts";
  if (as_many && !conflicts) return "there is no conflict";
  return "";
}

}  // namespace coalescing_tests
