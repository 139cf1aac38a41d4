// SPDX-License-Identifier: BSL-1.0
// A user's program that is built against an installed coalesce.
#include <coalesce/coalesce.hpp>
#include <cstdio>
namespace co = coalescing;

static_assert(co::cost<co::cuda::cc90::load<32>>(co::linear{.stride = 16}).transactions == 16);
static_assert(co::cost<co::gcn::buffer_load<32>>(co::linear{.stride = 16}).clocks == 16);

int main() {
  std::printf("coalesce %d.%d.%d\n", COALESCE_VERSION_MAJOR, COALESCE_VERSION_MINOR, COALESCE_VERSION_PATCH);
}
