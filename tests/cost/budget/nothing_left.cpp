// SPDX-License-Identifier: BSL-1.0
//
// Every question in a constant expression, about patterns and masks of every kind: nothing of them may be left in the
// object file, not even where the compiler does not optimize. (Lambdas have no name, since g++ keeps what has one.)
#include <coalesce/coalesce.hpp>

#include <array>

namespace co = coalescing;
using co::cuda::cc90, co::cdna::gfx942;

static_assert(co::cost<cc90::load<32>>(co::linear{.stride = 4}).transactions == 4);
static_assert(co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; }).transactions == 4);
static_assert(co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; }, 0xff).transactions == 1);
static_assert(co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; }, [](unsigned lane) { return lane < 8; })
                  .transactions == 1);
static_assert(co::cost<cc90::store<32>>([](unsigned lane) { return 4 * lane; }).partial_sectors == 0);
static_assert(co::cost<cc90::shared_load<32>>([](unsigned lane) { return 4 * lane; }).conflicts == 0);
static_assert(co::cost<co::cuda::cc13::load<32>>([](unsigned lane) { return 4 * lane; }).transactions == 2);
static_assert(co::cost<co::gcn::buffer_load<32>>([](unsigned lane) { return 4 * lane; }).clocks == 4);
static_assert(co::cost<gfx942::global_load<32>>([](unsigned lane) { return 4 * lane; }).transactions == 2);
static_assert(co::cost<gfx942::ds_read<32>>(std::array<unsigned, 64>{}).conflicts == 0);
static_assert(co::transactions<cc90::load<32>>([](unsigned lane) { return 4 * lane; },
                                               [](unsigned lane) { return lane < 8; })
                  .size() == 1);
static_assert(co::phases<cc90::shared_load<32>>([](unsigned lane) { return 4 * lane; }).size() == 1);
static_assert(co::footprint<64>([](unsigned lane) { return 4 * lane; }, 4) == 256);
static_assert((2 * co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; })).transactions == 8);

#ifdef COALESCE_ASK_AT_RUN_TIME
std::uint64_t sectors(unsigned stride) {
  return co::cost<cc90::load<32>>([=](unsigned lane) { return std::uint64_t{stride} * lane; }).transactions;
}
#endif
