// SPDX-License-Identifier: BSL-1.0
//
// The study of seed 004, "Sectors, Coalescing and Vector Loads in CUDA", for whole launches on its RTX 4070 (CC 8.9):
// what its two kernels cost at each level, what its profiler's columns must show, and how far that explains the
// throughput. On 1,024 blocks of 256 threads each thread makes 16 trips; any whole number of warps makes the same
// requests.
#include "layouts.hpp"

#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>

#include <cstdio>
#include <vector>

namespace co = coalescing;
using load = co::cuda::cc89::load<128>;
using store = co::cuda::cc89::store<128>;

// Two loads and a store of each float4.
constexpr auto coalesced_loads = 2 * co::total<load>(saxpy::coalesced);
constexpr auto coalesced_stores = co::total<store>(saxpy::coalesced);
constexpr auto strided_loads = 2 * co::total<load>(saxpy::strided);
constexpr auto strided_stores = co::total<store>(saxpy::strided);

// The article: 16 sectors a request, and 32.
constexpr std::uint64_t warps = saxpy::float4s / 32;
static_assert(coalesced_loads.requests == 2 * warps && coalesced_stores.requests == warps && warps == 131072);
static_assert(coalesced_loads.transactions == 16 * coalesced_loads.requests);
static_assert(coalesced_stores.transactions == 16 * coalesced_stores.requests);
static_assert(strided_loads.transactions == 32 * strided_loads.requests);
static_assert(strided_stores.transactions == 32 * strided_stores.requests);
static_assert(strided_stores.partial_sectors == strided_stores.transactions);  // half of each

// Each 128-byte line is a tag to look up, and each lane a cycle of the data stage: 65,536 bytes apart all want one
// bank.
static_assert(coalesced_loads.lines == 4 * coalesced_loads.requests &&
              strided_loads.lines == 32 * strided_loads.requests);
static_assert(coalesced_loads.data_wavefronts == 4 * coalesced_loads.requests);
static_assert(strided_loads.data_wavefronts == 32 * strided_loads.requests);
static_assert(strided_loads.tag_wavefronts_at_least == 8 * strided_loads.requests);

// Every float4 exactly once: 4,096 steps of 16 bytes fill a step of 65,536, and 1,024 of those fill the matrix.
static_assert(saxpy::strided.shape[1] * saxpy::strided.stride[1] == saxpy::strided.stride[0]);
static_assert(saxpy::strided.shape[0] * saxpy::strided.stride[0] == saxpy::side * saxpy::row_bytes);

// The bytes that a request would fetch with cold caches, in pieces of Bytes. They are equal for all requests.
template <std::uint64_t Bytes, class Layout>
constexpr std::uint64_t cold(Layout const& layout) {
  return co::footprint<Bytes, load>(layout);
}
static_assert(cold<32>(saxpy::coalesced) == 512 && cold<64>(saxpy::coalesced) == 512 &&
              cold<128>(saxpy::coalesced) == 512);
static_assert(cold<32>(saxpy::strided) == 1024 && cold<64>(saxpy::strided) == 2048 &&
              cold<128>(saxpy::strided) == 4096);

namespace {

// The article's own arithmetic, in floats.
std::uint64_t article(std::uint64_t thread) {
  std::uint64_t const i = 4 * thread, column = i / saxpy::side, row = i % saxpy::side;
  return 4 * column + row * saxpy::side;
}
bool once_each() {
  std::vector<bool> taken(saxpy::float4s);
  for (std::uint64_t thread = 0; thread != saxpy::float4s; ++thread) {
    if (saxpy::strided(thread) != 4 * article(thread) || taken[saxpy::strided(thread) / 16]) return false;
    taken[saxpy::strided(thread) / 16] = true;
  }
  return true;
}

unsigned long long whole(std::uint64_t number) { return number; }

void level(char const* what, std::uint64_t coalesced, std::uint64_t strided) {
  std::printf("  %-34s%13llu%13llu", what, whole(coalesced), whole(strided));
  if (coalesced != 0) std::printf("%8.1fx", static_cast<double>(strided) / static_cast<double>(coalesced));
  std::printf("\n");
}
template <std::int64_t Together>
void group() {
  constexpr auto sum = co::total<load>(saxpy::in_groups<Together>);
  static_assert(sum.bytes_used == 16 * saxpy::float4s);
  auto const per = [&](std::uint64_t number) { return whole(number / sum.requests); };
  std::printf("%6lld%10llu%8llu%8.0f %%%8llu%8llu%8llu\n", static_cast<long long>(Together), per(sum.transactions),
              per(sum.lines), 100.0 * static_cast<double>(sum.bytes_used) / static_cast<double>(sum.bytes_moved),
              whole(cold<32>(saxpy::in_groups<Together>)), whole(cold<64>(saxpy::in_groups<Together>)),
              whole(cold<128>(saxpy::in_groups<Together>)));
}

// If all time went with the bytes moved for each float4 of 16 bytes: two loads and a store.
void hypothesis(char const* what, std::uint64_t load_bytes, std::uint64_t store_bytes) {
  auto const moved = static_cast<double>(2 * load_bytes + store_bytes);
  std::printf("  %-49s%7.1f MB%7.1f %%%6.0f GB/s\n", what, moved * saxpy::float4s / 1e6, 100 * 48 / moved,
              463 * 48 / moved);
}

}  // namespace

int main() {
  if (!once_each()) return 1;
  std::printf("4096 x 4096 floats, a float4 a thread, CC 8.9     coalesced      strided\n");
  level("load requests", coalesced_loads.requests, strided_loads.requests);
  level("load sectors", coalesced_loads.transactions, strided_loads.transactions);
  level("load sectors a request", coalesced_loads.transactions / coalesced_loads.requests,
        strided_loads.transactions / strided_loads.requests);
  level("load lines (L1 tags)", coalesced_loads.lines, strided_loads.lines);
  level("load wavefronts, L1 tags, at least", coalesced_loads.tag_wavefronts_at_least,
        strided_loads.tag_wavefronts_at_least);
  level("load wavefronts, L1 data", coalesced_loads.data_wavefronts, strided_loads.data_wavefronts);
  level("load bytes, L2 to L1", coalesced_loads.bytes_moved, strided_loads.bytes_moved);
  level("store requests", coalesced_stores.requests, strided_stores.requests);
  level("store sectors", coalesced_stores.transactions, strided_stores.transactions);
  level("store sectors written in part", coalesced_stores.partial_sectors, strided_stores.partial_sectors);
  level("store bytes, L1 to L2, in sectors", coalesced_stores.bytes_moved, strided_stores.bytes_moved);
  level("cold bytes a load, pieces of 32", cold<32>(saxpy::coalesced), cold<32>(saxpy::strided));
  level("cold bytes a load, pieces of 64", cold<64>(saxpy::coalesced), cold<64>(saxpy::strided));
  level("cold bytes a load, pieces of 128", cold<128>(saxpy::coalesced), cold<128>(saxpy::strided));

  // For each lane: the bytes of the pieces that a load fetches, and of the sector that a store writes.
  constexpr auto by_32 = cold<32>(saxpy::strided) / 32, by_64 = cold<64>(saxpy::strided) / 32,
                 by_128 = cold<128>(saxpy::strided) / 32, sector = by_32;
  std::printf("\nthe strided kernel, if only bytes took time            moved     used   463 GB/s becomes\n");
  hypothesis("between L1 and L2, by sectors", sector, sector);
  hypothesis("H1: DRAM loads by 32 bytes, none found in L2", by_32, sector);
  hypothesis("H1: DRAM loads by 64 bytes, none found in L2", by_64, sector);
  hypothesis("H1: DRAM loads by 128 bytes, none found in L2", by_128, sector);
  hypothesis("DRAM loads by any, the rest found in L2 later", 16, 16);
  std::printf("  %-49s%10s%7.1f %%%6d GB/s\n", "measured by the article", "", 100.0 * 132 / 463, 132);

  std::printf("\nneighbours  sectors   lines    used  cold: 32      64     128\n");
  group<1>();
  group<2>();
  group<4>();
  group<8>();
  group<16>();
  group<32>();
}
