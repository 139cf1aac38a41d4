// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

// Sums that are refused where 64 bits cannot hold them, so that no sum wraps to a small number.

/// Refused: a sum past 2^64. The exception's what() is one sentence, which has the name.
inline std::uint64_t sum_of(std::string const& name, std::uint64_t sum, std::uint64_t more, std::uint64_t times = 1) {
  std::uint64_t const room = coalescing::not_counted - 1;
  if (sum > room || (more != 0 && times > (room - sum) / more))
    throw std::overflow_error("the sum of " + name + " is past 2^64");
  return sum + times * more;
}

/// Adds `times` times the cost `more` to a sum, as co::detail::add_up does. Refused: a sum past 2^64.
inline void add_checked(coalescing::recorded_cost& sum, coalescing::recorded_cost const& more,
                        std::uint64_t times = 1) {
  using coalescing::not_counted;
  static_cast<void>(sum_of("issued", sum.issued, more.issued, times));
  unsigned k = 0;
  coalescing::detail::each_number(
      sum, more,
      [&k, times](std::uint64_t before, std::uint64_t number, bool is_maximum) {
        char const* const name = coalescing::compared_cost::names[k++];
        if (number != not_counted && !is_maximum)
          static_cast<void>(sum_of(name, before == not_counted ? 0 : before, number, times));
      },
      coalescing::compared_cost::numbers{});
  coalescing::detail::add_up(sum, more, times);
}
