// SPDX-License-Identifier: BSL-1.0
// HipKittens' own swizzles, asked on the host: include/types/shared/st_shape.cuh, swizzle() of each shape.
#include <cstdint>
#include <type_traits>
#define __device__
#define __forceinline__ constexpr
struct int2 {
  int x, y;
};
struct half {  // an element: only its size counts
  std::uint16_t bits;
};

#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/total.hpp>
#include <types/shared/st_shape.cuh>
namespace co = coalescing;
using namespace kittens::ducks::st_shape;
using co::cdna::gfx942, co::cdna::gfx950;

template <class Shape>
constexpr auto at = [](unsigned row, unsigned column) {
  return Shape::template swizzle<half>({static_cast<int>(row), static_cast<int>(column)});
};

// 16 x 32: a lane reads 16 bytes of its row. The swizzle is made for gfx950; on gfx942 two lanes meet in each bank.
constexpr auto rows = [](unsigned lane) { return at<st_16x32>(lane % 16, 8 * (lane / 16)); };
static_assert(co::cost<gfx950::ds_read<128>>(rows).conflicts == 0);
static_assert(co::cost<gfx942::ds_read<128>>(rows).ways == 2);
static_assert(co::as_swizzle(co::bits_of(at<st_16x32>, co::domain{16, 32})).swizzle ==
              co::swizzle{.bits = 1, .base = 5, .shift = 4});

// 32 x 32: two swizzles at once, which no single one is; free of conflicts, and each byte in its place once.
constexpr auto halves = [](unsigned lane, unsigned k) { return at<st_32x32>(lane % 32, 8 * (lane / 32) + 16 * k); };
static_assert(co::total<gfx950::ds_read<128>>(halves, co::domain{2}).conflicts == 0);
static_assert(co::covers<gfx950::ds_read<128>>(halves, co::domain{2},
                                               co::tile{.rows = 32, .columns = 32, .element_bytes = 2})
                  .exactly_once);
static_assert(!co::as_swizzle(co::bits_of(at<st_32x32>, co::domain{32, 32})).found);
