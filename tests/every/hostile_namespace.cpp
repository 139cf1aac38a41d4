// SPDX-License-Identifier: BSL-1.0
//
// A user's namespace whose functions have our names: none of them may be called, or make a call of ours ambiguous.
#include <coalesce/coalesce.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;

namespace hostile {

struct pattern {
  constexpr std::uint64_t operator()(unsigned lane) const { return 4 * lane; }
};
struct predicate {
  constexpr bool operator()(unsigned) const { return true; }
};
template <class T>
constexpr std::uint64_t at(T const&, unsigned) {
  return 0;
}
template <unsigned Lanes, class... T>
constexpr co::access<Lanes> apply(T const&...) {
  return {};
}
template <unsigned Lanes>
constexpr co::access<Lanes> apply(pattern const&, std::uint64_t const&, unsigned, unsigned) {
  return {};
}
template <unsigned Lanes, class T>
constexpr std::uint64_t mask_of(T const&) {
  return 0;
}
template <class Instruction, class... T>
constexpr co::access<Instruction::lanes> ask(T const&...) {
  return {};
}
template <class Instruction, class... T>
constexpr int cost(T const&...) {
  return 0;
}

}  // namespace hostile

TEST_CASE("functions of the user's namespace that have our names are not called") {
  COALESCE_CHECK(co::cost<co::gcn::buffer_load<32>>(hostile::pattern{}, hostile::predicate{}).transactions == 4);
  COALESCE_CHECK(co::cost<co::cuda::cc90::load<32>>(hostile::pattern{}).transactions == 4);
  COALESCE_CHECK(co::transactions<co::cuda::cc90::load<32>>(hostile::pattern{}).size() == 4);
  COALESCE_CHECK(co::footprint<32>(hostile::pattern{}, 4) == 256);
}
