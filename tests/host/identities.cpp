// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/identities.hpp>

#include "machinery/check.hpp"

// Sums of unknown numbers: which parts of a number add up to one with a name.

namespace {

using namespace coalescing::binary;
using enum part_of_number;

constexpr std::uint64_t x = 0x1234567, y = 0x7654321;

constexpr term of(std::uint64_t name, part_of_number part, std::uint64_t offset = 0) {
  return {.is = {name, offset, offset, part}};
}
constexpr term known(std::uint64_t number) { return {.number = number, .is_known = true}; }
template <class... Terms>
constexpr total sum(Terms... terms) {
  term const all[] = {terms...};
  return sum_of(all);
}
constexpr bool has_name(total const& made, std::uint64_t name, part_of_number part, std::uint64_t offset) {
  return !made.is_known && made.is.name == name && made.is.part == part && made.is.offset == offset;
}
/// Neither a name nor a known number.
constexpr bool is_unknown(total const& made) { return !made.is_known && !made.is; }

}  // namespace

TEST_CASE("identities: numbers of one part add their names and offsets") {
  COALESCE_CHECK(has_name(sum(of(x, whole, 8), known(4)), x, whole, 12));
  COALESCE_CHECK(has_name(sum(of(x, whole, 8), of(y, whole, 16), known(4)), x + y, whole, 28));
  COALESCE_CHECK(has_name(sum(of(x, lower, 8), of(y, lower)), x + y, lower, 8));
  COALESCE_CHECK(has_name(sum(of(x, upper), known(1)), x, upper, std::uint64_t{1} << 32));
  COALESCE_CHECK((sum(known(3), known(4)).is_known && sum(known(3), known(4)).number == 7));
  // x - x
  COALESCE_CHECK((sum(of(x, whole, 8), of(-x, whole)).is_known && sum(of(x, whole, 8), of(-x, whole)).number == 8));
  COALESCE_CHECK(is_unknown(sum(of(x, lower), of(-x, lower))));
}
TEST_CASE("identities: different parts add up to no number with a name, but an upper half and a carry") {
  COALESCE_CHECK(is_unknown(sum(of(x, whole), of(y, lower))));
  COALESCE_CHECK(is_unknown(sum(of(x, whole), of(y, upper))));
  COALESCE_CHECK(is_unknown(sum(of(x, lower), of(y, upper))));
  COALESCE_CHECK(is_unknown(sum(of(x, whole), of(-x, lower))));
  COALESCE_CHECK(is_unknown(sum(of(x, upper), of(y, upper))));
  COALESCE_CHECK(is_unknown(sum(of(x, carry), of(y, carry))));
  COALESCE_CHECK(is_unknown(sum(of(x, whole), of(y, carry))));
  COALESCE_CHECK(is_unknown(sum(of(x, lower), of(y, carry))));
  COALESCE_CHECK(is_unknown(sum(of(x, whole), term{})));
  // The carry of the same sum: `halves` says so.
  constexpr identity made{x, 4, 0, carry, identity::any_range, true, false, half_of(x, 0)};
  COALESCE_CHECK(has_name(sum(of(x, upper), term{.is = made}), x, upper, 4));
  COALESCE_CHECK(is_unknown(sum(of(y, upper), term{.is = made})));
}
