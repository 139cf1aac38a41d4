// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// The widths of memory instructions that AMD's families share.

namespace coalescing::amd {

/// The widths of an access to global memory or of a read of LDS, in bits per lane.
template <unsigned Bits>
inline constexpr bool access_width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
/// The widths of an atomic, in bits per lane.
template <unsigned Bits>
inline constexpr bool atomic_width = Bits == 32 || Bits == 64;
/// The sizes of a scalar load, in dwords. (GFX12 has 3, too.)
template <unsigned Dwords>
inline constexpr bool scalar_width = Dwords == 1 || Dwords == 2 || Dwords == 4 || Dwords == 8 || Dwords == 16;

}  // namespace coalescing::amd
