// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_is_misaligned
// The second row begins at byte 4098.
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc90::load<32>>(co::layout<2>{.shape = {1024, 1024}, .stride = {4, 4098}}).requests ==
              32768);
