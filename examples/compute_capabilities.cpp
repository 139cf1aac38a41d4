// SPDX-License-Identifier: BSL-1.0
//
// Twenty years of coalescing rules on one screen: 32 lanes read 32 words of 4 bytes, on every NVIDIA compute capability
// and on AMD GCN (the first half of its wave). Each cell is the transactions and the bytes that they move; 128 bytes
// are used, but for "one word". Level and unit say where the transactions are counted, and the size of the smallest.

#include <coalesce/compare.hpp>
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

/// All machines about one pattern; neighbours whose numbers are equal share a row. Below them are the loads that ask
/// for the other cache, where there is a choice, and GCN.
template <class... Capabilities>
auto everywhere(auto const& pattern, co::machine_list<Capabilities...>) {
  using namespace co::cuda;
  return co::compare(pattern, co::on<typename Capabilities::template load<32>...>(warp),
                     co::on<cc20::load<32, caching::l2>, cc21::load<32, caching::l2>, cc35::load<32, caching::l1>,
                            cc37::load<32, caching::l1>, gcn::buffer_load<32>>(warp));
}
auto everywhere(auto const& pattern) { return everywhere(pattern, co::cuda::every_machine{}); }

}  // namespace

int main() {
  // One word late tells the machines apart: its rows hold for the other patterns too, or we say so.
  auto const rows = everywhere(one_late);
  decltype(rows)
      const asked[] = {everywhere(in_order), rows, everywhere(swapped), everywhere(every_second), everywhere(one_word)};
  std::printf("%-38s %-5s %4s  %11s  %11s  %11s  %11s  %11s\n", "32 x 4-byte loads", "level", "unit", "in order",
              "one late", "swapped", "every 2nd", "one word");
  unsigned machine = 0;
  for (auto const& row : rows) {
    std::printf("%-23s%-15s %-5s %4u", row.who().c_str(), row.instruction.c_str(), row.where(), unsigned(row.unit));
    for (auto const& pattern : asked) {
      auto const cost = pattern.of(machine);
      std::printf("  %3u %5u B", unsigned(cost.transactions), unsigned(cost.bytes_moved));
      if (cost != pattern.of(machine + row.machines - 1)) std::printf(" not all");
    }
    std::printf("\n");
    machine += unsigned(row.machines);
  }
}
