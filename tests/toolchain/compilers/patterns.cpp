// SPDX-License-Identifier: BSL-1.0
//
// Patterns and predicates whose parameters and sizes are of any type that holds a lane: none of our calls of them
// warns, with every conversion warning on.
#include <every_header.hpp>

namespace co = coalescing;
using load = co::cuda::cc90::load<32>;

struct of_int_size {
  int bytes[32] = {};
  constexpr int size() const { return 32; }
  constexpr int operator[](int lane) const { return bytes[lane]; }
};
struct of_short_size {
  constexpr short size() const { return 64; }
  constexpr unsigned short operator[](unsigned char lane) const { return lane; }
};

static_assert(co::cost<load>([](int lane) { return lane * 4; }).transactions == 4);
static_assert(co::cost<load>([](unsigned char lane) { return lane * 4; }).transactions == 4);
static_assert(co::cost<load>([](signed char lane) { return lane * 4; }).transactions == 4);
static_assert(co::cost<load>([](short lane) { return lane * 4; }).transactions == 4);
static_assert(co::cost<load>([](long long lane) { return lane * 4; }).transactions == 4);
static_assert(co::cost<load>([](double lane) { return static_cast<int>(lane) * 4; }).transactions == 4);
static_assert(co::cost<load>([](int lane) { return lane * 4; }, [](int lane) { return lane < 16; }).transactions == 2);
static_assert(co::cost<load>([](int lane) { return lane * 4; }, [](short lane) { return lane < 16; }).transactions ==
              2);
static_assert(co::cost<load>(of_int_size{}).transactions == 1);
static_assert(co::cost<co::cuda::cc90::load<8>>(of_short_size{}).transactions == 1);
static_assert(co::transactions<load>([](int lane) { return lane * 4; }).size() == 4);
static_assert(co::phases<co::cuda::cc90::shared_load<32>>([](int lane) { return lane * 4; }).size() == 1);
static_assert(co::footprint<64>([](int lane) { return lane * 4; }, 4) == 256);

#ifdef COALESCE_NARROWS_HERE  // the control: such a call of the user's own does warn
constexpr short narrowed(int lane) { return lane; }
#endif

int main() {}
