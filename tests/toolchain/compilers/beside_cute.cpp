// SPDX-License-Identifier: BSL-1.0
//
// CuTe has a function coalesce(), and its users write `using namespace cute`: their unqualified calls still find it,
// and nothing else of ours gets in the way.
namespace cute {
template <class Layout>
constexpr auto coalesce(Layout const& layout) {
  return layout;
}
template <class Layout>
constexpr auto cost(Layout const&) {
  return 7;
}
}  // namespace cute
using namespace cute;

#include <every_header.hpp>

#ifdef COALESCE_AMBIGUOUS
namespace coalesce {  // what our namespace would do, were it not called coalescing
}
#endif

namespace co = coalescing;

static_assert(coalesce(4) == 4);
static_assert(coalesce(co::linear{.stride = 4}) == co::linear{.stride = 4});  // by argument-dependent lookup neither
static_assert(cost(4) == 7);
static_assert(co::cost<co::cuda::cc90::load<32>>(coalesce(co::linear{.stride = 4})).transactions == 4);

int main() {}
