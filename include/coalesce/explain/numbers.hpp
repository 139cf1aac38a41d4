// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/explain/words.hpp>

#include <cstdint>
#include <type_traits>

// Lists the numbers of a cost, each with its name.

namespace coalescing::detail {

/// The name that a cost declares for one of its numbers.
template <class Cost, class Number, auto... Members>
COALESCE_API constexpr char const* name_among(members<Members...>, Number Cost::*member) {
  static_assert(sizeof(Cost::names) / sizeof(char const*) == sizeof...(Members),
                "a cost names each of its numbers: `names` in the order of `numbers`");
  unsigned place = 0;
  static_cast<void>(((Members == member || (++place, false)) || ...));
  return Cost::names[place];
}
template <class Cost, class Number>
COALESCE_API constexpr text<32> declared_name(Number Cost::*member) {
  text<32> name;
  name.append(detail::name_among(typename Cost::numbers{}, member));
  return name;
}
template <auto Member>
COALESCE_API constexpr text<32> name_of_number() {
  return detail::declared_name(Member);
}

/// The numbers of a cost, in the order of its members: their names, values and sources.
template <class Members>
struct numbers_of;
template <auto... Members>
struct numbers_of<members<Members...>> {
  static constexpr unsigned count = sizeof...(Members);
  struct names {
    text<32> of[count];
  };
  struct values {
    std::uint64_t of[count];
  };
  struct origins {
    source of[count];
  };
  static constexpr names written{{detail::name_of_number<Members>()...}};
  COALESCE_API static constexpr names const& name() { return written; }
  template <class Cost>
  COALESCE_API static constexpr values value(Cost const& cost) {
    return {{cost.*Members...}};
  }
  template <class Sources>
  COALESCE_API static constexpr origins from(Sources const& sources) {
    return {{sources.*Members...}};
  }
};
template <class Cost>
using numbers_in = numbers_of<typename std::remove_cvref_t<Cost>::numbers>;

}  // namespace coalescing::detail

namespace coalescing {

/// The number of a cost whose member has this name, such as "transactions"; 0 if the cost has no such member.
/// counter::number is such a name.
template <class Cost>
[[nodiscard]] COALESCE_API constexpr std::uint64_t number_named(Cost const& cost, char const* name) {
  auto const& names = detail::numbers_in<Cost>::name();
  auto const values = detail::numbers_in<Cost>::value(cost);
  for (unsigned k = 0; k != detail::numbers_in<Cost>::count; ++k)
    if (detail::same_words(names.of[k].characters, name)) return values.of[k];
  return 0;
}

}  // namespace coalescing
