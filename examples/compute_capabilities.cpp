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
void row(char const* machine) {
  std::printf("%-17s %-5s %4u", machine, name(Load::level), Load::unit);
  auto const cell = [](auto const& pattern) {
    auto const cost = co::cost<Load>(pattern, warp);
    std::printf("  %3llu %5llu B", static_cast<unsigned long long>(cost.transactions),
                static_cast<unsigned long long>(cost.bytes_moved));
  };
  cell(in_order), cell(one_late), cell(swapped), cell(every_second), cell(one_word);
  std::printf("\n");
}

}  // namespace

int main() {
  std::printf("%-17s %-5s %4s  %11s  %11s  %11s  %11s  %11s\n", "32 x 4-byte loads", "level", "unit", "in order",
              "one late", "swapped", "every 2nd", "one word");
  row<co::cuda::cc10::load<32>>("CC 1.0");
  row<co::cuda::cc11::load<32>>("CC 1.1");
  row<co::cuda::cc12::load<32>>("CC 1.2");
  row<co::cuda::cc13::load<32>>("CC 1.3");
  row<co::cuda::cc20::load<32>>("CC 2.0");
  row<co::cuda::cc20::load<32, co::cuda::caching::l2>>("CC 2.0 -dlcm=cg");
  row<co::cuda::cc21::load<32>>("CC 2.1");
  row<co::cuda::cc30::load<32>>("CC 3.0");
  row<co::cuda::cc32::load<32>>("CC 3.2");
  row<co::cuda::cc35::load<32>>("CC 3.5");
  row<co::cuda::cc37::load<32>>("CC 3.7");
  row<co::cuda::cc37::load<32, co::cuda::caching::l1>>("CC 3.7 -dlcm=ca");
  row<co::cuda::cc50::load<32>>("CC 5.0");
  row<co::cuda::cc52::load<32>>("CC 5.2");
  row<co::cuda::cc53::load<32>>("CC 5.3");
  row<co::cuda::cc60::load<32>>("CC 6.0");
  row<co::cuda::cc61::load<32>>("CC 6.1");
  row<co::cuda::cc62::load<32>>("CC 6.2");
  row<co::cuda::cc70::load<32>>("CC 7.0");
  row<co::cuda::cc72::load<32>>("CC 7.2");
  row<co::cuda::cc75::load<32>>("CC 7.5");
  row<co::cuda::cc80::load<32>>("CC 8.0");
  row<co::cuda::cc86::load<32>>("CC 8.6");
  row<co::cuda::cc87::load<32>>("CC 8.7");
  row<co::cuda::cc88::load<32>>("CC 8.8");
  row<co::cuda::cc89::load<32>>("CC 8.9");
  row<co::cuda::cc90::load<32>>("CC 9.0");
  row<co::cuda::cc100::load<32>>("CC 10.0");
  row<co::cuda::cc103::load<32>>("CC 10.3");
  row<co::cuda::cc110::load<32>>("CC 11.0");
  row<co::cuda::cc120::load<32>>("CC 12.0");
  row<co::cuda::cc121::load<32>>("CC 12.1");
  row<gcn::buffer_load<32>>("GCN");
}
