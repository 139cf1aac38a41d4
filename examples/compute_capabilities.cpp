// SPDX-License-Identifier: BSL-1.0
//
// Twenty years of coalescing rules on one screen: 32 lanes read 32 words of 4 bytes, on every NVIDIA compute capability
// and on AMD GCN (the first half of its wave). Each cell is the transactions and the bytes that they move; 128 bytes
// are used, but for "one word". Level and unit say where the transactions are counted, and the size of the smallest.

#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>

#include <cstdio>

namespace co = coalescing;
namespace gcn = co::gcn;

constexpr std::uint64_t warp = 0xffff'ffff;
constexpr co::linear in_order{.base = 128, .stride = 4};
constexpr co::linear one_late{.base = 132, .stride = 4};
constexpr auto swapped = [](unsigned lane) { return 128 + 4 * (lane ^ 1); };
constexpr co::linear every_second{.base = 128, .stride = 8};
constexpr co::linear one_word{.base = 128, .stride = 0};

// In order, the rules agree but for the unit. One word late tells them apart:
// CC 1.0 gives up, 32 bytes for each lane.
static_assert(co::cost<co::cuda::cc10::load<32>>(one_late).bytes_moved == 32 * 32);
// CC 1.2 takes the segments that are touched, and of each the half that is used: 128 + 64 + 32.
static_assert(co::cost<co::cuda::cc12::load<32>>(one_late).bytes_moved == 128 + 64 + 32);
// CC 2.0 loads lines into L1, CC 3.0 and later ask for sectors.
static_assert(co::cost<co::cuda::cc20::load<32>>(one_late).bytes_moved == 2 * 128);
static_assert(co::cost<co::cuda::cc30::load<32>>(one_late).bytes_moved == 5 * 32);
static_assert(co::cost<co::cuda::cc121::load<32>>(one_late).bytes_moved == 5 * 32);
static_assert(co::cost<gcn::buffer_load<32>>(one_late, warp).bytes_moved == 3 * 64);
// On CC 1.0 lanes must read in order, and one word for all is the worst case.
static_assert(co::cost<co::cuda::cc10::load<32>>(swapped).transactions == 32);
static_assert(co::cost<co::cuda::cc10::load<32>>(one_word).transactions == 32);
static_assert(co::cost<co::cuda::cc12::load<32>>(swapped).transactions == 2);

namespace {

constexpr char const* name(co::level level) {
  switch (level) {
    case co::level::dram:
      return "DRAM";
    case co::level::l2:
      return "L2";
    case co::level::l1:
      return "L1";
    case co::level::constant_cache:
      return "constant";
    case co::level::lds:
      return "shared";
  }
  return "";
}

template <class Load>
void row(char const* machines) {
  std::printf("%-21s %-5s %4u", machines, name(Load::level), Load::unit);
  auto const cell = [](auto const& pattern) {
    auto const cost = co::cost<Load>(pattern, warp);
    std::printf("  %3llu %5llu B", static_cast<unsigned long long>(cost.transactions),
                static_cast<unsigned long long>(cost.bytes_moved));
  };
  cell(in_order), cell(one_late), cell(swapped), cell(every_second), cell(one_word);
  std::printf("\n");
}

/// Whether two loads have the same row.
template <class A, class B>
constexpr bool same = [](auto const&... pattern) {
  return A::level == B::level && A::unit == B::unit &&
         ((co::cost<A>(pattern).transactions == co::cost<B>(pattern).transactions &&
           co::cost<A>(pattern).bytes_moved == co::cost<B>(pattern).bytes_moved) &&
          ...);
}(in_order, one_late, swapped, every_second, one_word);

/// One row for several machines, which must agree.
template <unsigned First, unsigned... Others>
void rows(char const* machines) {
  using load = typename co::cuda::device<First>::template load<32>;
  static_assert((same<load, typename co::cuda::device<Others>::template load<32>> && ...));
  row<load>(machines);
}

}  // namespace

int main() {
  std::printf("%-21s %-5s %4s  %11s  %11s  %11s  %11s  %11s\n", "32 x 4-byte loads", "level", "unit", "in order",
              "one late", "swapped", "every 2nd", "one word");
  rows<10, 11>("CC 1.0, 1.1");
  rows<12, 13>("CC 1.2, 1.3");
  rows<20, 21>("CC 2.x");
  row<co::cuda::cc20::load<32, co::cuda::caching::l2>>("CC 2.x -dlcm=cg");
  rows<30, 32, 35, 37>("CC 3.x");
  row<co::cuda::cc37::load<32, co::cuda::caching::l1>>("CC 3.5, 3.7 -dlcm=ca");
  rows<50, 52, 53>("CC 5.x");
  rows<60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121>("CC 6.0 to 12.1");
  row<gcn::buffer_load<32>>("GCN");
}
