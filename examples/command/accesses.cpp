// SPDX-License-Identifier: BSL-1.0
#include "accesses.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace {

/// Reads a decimal or hexadecimal number: 128, 0x80. Returns whether the whole word is one.
bool read_number(std::string const& word, std::uint64_t& number) {
  bool const is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  char const *const begin = word.data() + (is_hexadecimal ? 2 : 0), *const end = word.data() + word.size();
  auto const [at, error] = std::from_chars(begin, end, number, is_hexadecimal ? 16 : 10);
  return error == std::errc() && at == end && begin != end;
}

values with_lane(values known, unsigned lane) {
  known.insert(known.begin(), {"lane", lane});
  return known;
}

}  // namespace

std::string why_octal(std::string const& word) {
  bool const is_octal = word.size() > 1 && word[0] == '0' &&
                        std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_octal ? "'" + word + "' has a 0 in front, which makes a number octal in C: write it without" : "";
}

values values_of(std::vector<std::string> const& words) {
  values made;
  for (std::string const& word : words) {
    auto const equals = word.find('=');
    std::uint64_t number = 0;
    if (auto const why = why_octal(word.substr(equals + 1)); equals != word.npos && !why.empty())
      throw refusal("'" + word + "': " + why);
    if (equals == 0 || equals == word.npos || !read_number(word.substr(equals + 1), number))
      throw refusal("'" + word + "' is not NAME=NUMBER");
    std::string const name = word.substr(0, equals);
    for (auto const& each : made)
      if (each.first == name) throw refusal("'" + word + "' gives " + name + " a second value");
    if (name == "lane") throw refusal("'" + word + "' gives lane a value, which counts the lanes");
    made.emplace_back(name, number);
  }
  return made;
}

std::uint64_t mask_of(told_accesses const& told, unsigned lanes, values known) {
  std::uint64_t const all = co::all_lanes >> (64 - lanes);
  if (told.active.empty()) return all;
  expression const active{told.active};
  std::uint64_t mask = 0;
  if (!active.has_name("lane")) {
    mask = active.value(known);
    if ((mask & ~all) != 0 && mask != co::all_lanes)
      throw refusal("--active '" + told.active + "' names lanes beyond the " + std::to_string(lanes) +
                    " of the instruction");
    return mask & all;
  }
  for (unsigned lane = 0; lane != lanes; ++lane)
    if (active.value(with_lane(known, lane)) != 0) mask |= std::uint64_t{1} << lane;
  return mask;
}

std::vector<access_of_wave> accesses_of(told_accesses const& told, co::named_instruction const& instruction,
                                        std::string const& input) {
  unsigned const lanes = instruction.lanes;
  std::vector<access_of_wave> made;
  if (!told.at.empty()) {
    expression const at{told.at};
    each_point(told, [&](values const& known, values const& point) {
      access_of_wave one{std::vector<std::uint64_t>(lanes), mask_of(told, lanes, known), point};
      for (unsigned lane = 0; lane != lanes; ++lane)
        if ((one.active >> lane & 1) != 0) one.address[lane] = at.value(with_lane(known, lane));
      made.push_back(one);
    });
    return made;
  }
  if (!told.over.empty()) throw refusal("--over counts for --at, and the addresses come from standard input");
  std::uint64_t const active = mask_of(told, lanes, values_of(told.let));
  std::istringstream lines{input};
  unsigned lane = lanes, number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    for (char& c : line)
      if (c == ',' || c == ';') c = ' ';
    std::istringstream words{line};
    for (std::string word; words >> word; ++lane) {
      if (lane == lanes) made.push_back({std::vector<std::uint64_t>(lanes), active, {}}), lane = 0;
      if (auto const why = why_octal(word); !why.empty())
        throw refusal("standard input, line " + std::to_string(number) + ": " + why);
      if (word == "-")
        made.back().active &= ~(std::uint64_t{1} << lane);
      else if (!read_number(word, made.back().address[lane]))
        throw refusal("standard input, line " + std::to_string(number) + ": '" + word + "' is not an address");
    }
  }
  if (made.empty()) throw refusal("standard input has no address, and there is no --at EXPRESSION");
  if (lane != lanes)
    throw refusal("standard input ends at lane " + std::to_string(lane) + " of an access, and " +
                  instruction.full_name() + " has " + std::to_string(lanes) +
                  " lanes: a lane that is not active is written as -");
  return made;
}
