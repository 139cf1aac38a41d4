// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "expression.hpp"

#include <coalesce/host/named.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace co = coalescing;

/// One access of a warp or wave.
struct access_of_wave {
  std::vector<std::uint64_t> address;  ///< the byte address of each lane
  std::uint64_t active = 0;
  values at;  ///< the names of --over and their values
};

/// How the command line tells the addresses.
struct told_accesses {
  std::string at;                 ///< an expression of lane; empty: standard input
  std::string active;             ///< a mask, or an expression of lane; empty: all
  std::vector<std::string> let;   ///< NAME=VALUE
  std::vector<std::string> over;  ///< NAME=COUNT
};

/// Says why a number is refused: it begins with 0, and C reads such a number as octal. Returns "" for any other word.
std::string why_octal(std::string const& word);

/// How many points --over may have.
inline constexpr std::uint64_t most_points = 1 << 20;

/// Reads words of the form NAME=NUMBER. Refused: other words, a number with a 0 in front, a name that is given twice,
/// and the name lane.
values values_of(std::vector<std::string> const& words);

/// Calls see(values) for each point of --over, with the values of --let; the first name changes fastest. Refused: a
/// name of both.
template <class See>
void each_point(told_accesses const& told, See const& see) {
  values const let = values_of(told.let), over = values_of(told.over);
  std::uint64_t points = 1;
  for (auto const& [name, count] : over) {
    for (auto const& [same, value] : let)
      if (name == same) throw refusal("--let gives " + name + " a value, and --over counts it");
    if (count == 0) throw refusal("--over " + name + "=0 has no point");
    if (count > most_points / points) throw refusal("--over has more than " + std::to_string(most_points) + " points");
    points *= count;
  }
  values at = over;
  for (auto& each : at) each.second = 0;
  for (bool more = true; more;) {
    values known = let;
    known.insert(known.end(), at.begin(), at.end());
    see(known, at);
    more = false;
    for (std::size_t k = 0; k != at.size() && !more; ++k) {
      more = ++at[k].second != over[k].second;
      if (!more) at[k].second = 0;
    }
  }
}

/// The active lanes at a point.
std::uint64_t mask_of(told_accesses const& told, unsigned lanes, values known);

/// The accesses of an instruction, by the expression, or without one by `input`: addresses in the order of the lanes,
/// with - for a lane that is not active, access after access. Refused: input that ends within an access.
std::vector<access_of_wave> accesses_of(told_accesses const& told, co::named_instruction const& instruction,
                                        std::string const& input);
