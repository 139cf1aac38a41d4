// SPDX-License-Identifier: BSL-1.0
// EXPECT: operand_is_not_legal_see_its_fault
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::shared_operand transposed{.bits = 8, .major = cu::major::mn};
static_assert(transposed.tcgen05_descriptor(0) != 0 && transposed.wgmma_descriptor(0) == 0);
