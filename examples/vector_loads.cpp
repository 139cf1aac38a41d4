// SPDX-License-Identifier: BSL-1.0
//
// float, float2, float4: what a warp or wave makes of a load, by the width of a lane and the distance between lanes.
// "used" is bytes_used of bytes_moved. Sectors of 32 bytes are what NVIDIA's L1 moves; the lines that they lie in are
// tags to look up. AMD's L1 moves lines of 128 bytes.

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc61, co::cuda::cc90;

// An array of particles {x, y, z, mass}, and each of its fields in an array of its own.
constexpr co::linear floats{.stride = 4}, float2s{.stride = 8}, float4s{.stride = 16}, one_field{.stride = 16};
// A tile of 8 x 4 float4s from a matrix whose rows are 4 KiB apart.
constexpr auto tile = [](unsigned lane) { return lane / 8 * 4096u + lane % 8 * 16; };

// Sectors are what counts: one field of each particle moves all of it, as much as loading all four does.
static_assert(co::cost<cc90::load<32>>(one_field).transactions == 16);
static_assert(co::cost<cc90::load<128>>(float4s).transactions == 16);
// Rows may lie apart, as long as each is whole sectors.
static_assert(co::cost<cc90::load<128>>(tile) == co::cost<cc90::load<128>>(float4s));
// One float late is one sector more.
static_assert(co::cost<cc90::load<32>>(co::linear{.base = 4, .stride = 4}).transactions == 5);

namespace {

using number = unsigned long long;

double used(auto const& cost) {
  return 100.0 * static_cast<double>(cost.bytes_used) / static_cast<double>(cost.bytes_moved);
}

template <unsigned Bits>
void row(char const* name, auto const& pattern) {
  auto const pascal = co::cost<cc61::load<Bits>>(pattern);
  auto const hopper = co::cost<cc90::load<Bits>>(pattern);
  auto const mi300 = co::cost<gfx942::global_load<Bits>>(pattern);
  std::printf("%-31s %8llu %7llu   %7llu %5llu %6.1f %%   %5llu %6.1f %%\n", name, number{pascal.requests},
              number{pascal.transactions}, number{hopper.transactions}, number{hopper.lines}, used(hopper),
              number{mi300.transactions}, used(mi300));
}

}  // namespace

int main() {
  std::printf("%-31s %16s   %22s   %14s\n", "", "CC 6.1", "CC 9.0", "gfx942, wave");
  std::printf("%-31s %8s %7s   %7s %5s %8s   %5s %8s\n", "a load of", "requests", "sectors", "sectors", "lines", "used",
              "lines", "used");
  row<32>("float x[lane]", floats);
  row<64>("float2 v[lane]", float2s);
  row<128>("float4 v[lane]", float4s);
  row<32>("float v[lane].x of a float4", one_field);
  row<32>("float x[lane + 1]", co::linear{.base = 4, .stride = 4});
  row<32>("float x[2 * lane]", co::linear{.stride = 8});
  row<32>("float x[n - 1 - lane]", co::linear{.base = 4 * 63, .stride = -4});
  row<32>("float m[lane][0], rows of 4 KiB", co::linear{.stride = 4096});
  row<128>("float4, 8 to a row of 4 KiB", tile);
}
