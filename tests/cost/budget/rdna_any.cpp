// SPDX-License-Identifier: BSL-1.0
//
// Questions about RDNA's 32 and 64 lanes in any order, as any.cpp asks GCN.
#include <coalesce/rdna.hpp>

namespace co = coalescing;
using co::rdna::gfx1030, co::rdna::gfx1100, co::rdna::gfx1201;

constexpr auto descending = [](unsigned lane) { return 4096ull * (63 - lane); };
constexpr auto scrambled = [](unsigned lane) { return 4096ull * ((37 * lane + 11) % 64) + 64; };
constexpr auto scrambled_in_lds = [](unsigned lane) { return 512 * ((37 * lane + 11) % 64) + 64; };
constexpr auto most = [](unsigned lane) { return lane != 17; };

constexpr auto dword = co::cost<gfx1100::global_load<32>>(scrambled, most);
constexpr auto dword_of_64 = co::cost<gfx1100::wave64::global_load<32>>(descending);
constexpr auto dword_clocks = co::cost<gfx1030::global_load<32>>(scrambled, most);
constexpr auto dword_clocks_of_64 = co::cost<gfx1030::wave64::global_load<32>>(scrambled);
constexpr auto double_clocks_of_64 = co::cost<gfx1030::wave64::global_load<64>>(scrambled, most);
constexpr auto store_of_64 = co::cost<gfx1201::wave64::global_store<128>>(scrambled, most);
constexpr auto lds_32_of_64 = co::cost<gfx1100::wave64::ds_load<32>>(scrambled_in_lds, most);
constexpr auto lds_128_of_64 = co::cost<gfx1100::wave64::ds_load<128>>(scrambled_in_lds, most);
constexpr auto lines_of_64 = co::transactions<gfx1100::wave64::global_load<32>>(scrambled);
