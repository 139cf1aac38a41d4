// SPDX-License-Identifier: BSL-1.0
//
// Half of a program that includes every header (tests/toolchain/compilers/run lists them) and asks a few questions, at
// compile time and at run time. The other half is in_another_file.cpp, which asks the same: together they link.
#include <every_header.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cuda::cc90, co::gcn::buffer_load;

std::uint64_t in_another_file(std::int64_t stride);

constexpr std::uint64_t gather[64] = {0, 256, 512, 768};
static_assert(co::cost<cc90::load<32>>(co::linear{.stride = 4}).transactions == 4);
static_assert(co::cost<buffer_load<32>>(gather, [](unsigned lane) { return lane < 4; }).transactions == 4);
static_assert(co::transactions<buffer_load<32>>(co::broadcast{.base = ~std::uint64_t{0} - 3})[0].lanes ==
              co::all_lanes);
static_assert(co::footprint<128>(co::linear{.stride = -128}, 4) == 64 * 128);

template <auto>
struct carried {};
static_assert(sizeof(carried<co::cost<buffer_load<32>>(gather) * 2>) == 1);

int main() {
  for (std::int64_t stride = -512; stride <= 512; stride += 4) {
    auto const here = co::cost<cc90::load<32>>(co::linear{.base = 1 << 20, .stride = stride}).transactions +
                      co::cost<buffer_load<32>>(co::linear{.base = 1 << 20, .stride = stride}).clocks;
    if (here != in_another_file(stride)) return 1;
  }
#ifdef __cpp_exceptions
  try {
    static_cast<void>(co::cost<cc90::load<32>>(co::linear{.stride = in_another_file(0) == 5 ? 2 : 3}));
    return 2;
  } catch (co::misuse const& wrong) {
    if (wrong.lane() != 1) return 3;
  }
#endif
}
