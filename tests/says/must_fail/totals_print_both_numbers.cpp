// SPDX-License-Identifier: BSL-1.0
// EXPECT: 4194304 == 2097152
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc89::load<128>>(co::layout<2>{.shape = {1024, 4096}, .stride = {65536, 16}})
                  .transactions == 2097152);
