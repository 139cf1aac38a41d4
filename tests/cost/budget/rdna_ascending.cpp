// SPDX-License-Identifier: BSL-1.0
//
// The questions of ascending.cpp, whose addresses ascend, for RDNA's waves of 32 and 64 lanes.
#include <coalesce/rdna.hpp>

namespace co = coalescing;
using co::rdna::gfx1030, co::rdna::gfx1100, co::rdna::gfx1201;

constexpr auto dword = co::cost<gfx1100::global_load<32>>(co::linear{.stride = 4});
constexpr auto dword_of_64 = co::cost<gfx1100::wave64::global_load<32>>(co::linear{.stride = 4});
constexpr auto dword_clocks = co::cost<gfx1030::global_load<32>>(co::linear{.stride = 4});
constexpr auto gather_clocks = co::cost<gfx1030::global_load<64>>(co::linear{.stride = 4096});
constexpr auto dword_clocks_of_64 = co::cost<gfx1030::wave64::global_load<32>>(co::linear{.stride = 4});
constexpr auto float4_of_64 = co::cost<gfx1201::wave64::global_store<128>>(co::linear{.base = 4, .stride = 16});
constexpr auto atomic_of_64 = co::cost<gfx1201::wave64::global_atomic<64>>(co::linear{.stride = 8});
constexpr auto lds_32 = co::cost<gfx1100::ds_load<32>>(co::linear{.stride = 4});
constexpr auto lds_128_of_64 = co::cost<gfx1100::wave64::ds_load<128>>(co::linear{.stride = 16});
constexpr auto lines_of_64 = co::transactions<gfx1100::wave64::global_load<32>>(co::linear{.stride = 4096});
constexpr auto waves = gfx1201::occupancy({.vgprs = 65, .lds_bytes = 32768, .work_group_size = 256}, {});
