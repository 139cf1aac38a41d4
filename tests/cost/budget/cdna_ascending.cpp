// SPDX-License-Identifier: BSL-1.0
//
// Questions about CDNA's 64 lanes whose addresses ascend, as ascending.cpp asks GCN.
#include <coalesce/cdna.hpp>

namespace co = coalescing;
using co::cdna::gfx90a, co::cdna::gfx942, co::cdna::gfx950;

constexpr auto in_order = [](unsigned lane) { return 4ull * lane; };
constexpr unsigned long long addresses[64] = {};

constexpr auto dword = co::cost<gfx942::global_load<32>>(co::linear{.stride = 4});
constexpr auto dword_of_a_lambda = co::cost<gfx942::global_load<32>>(in_order);
constexpr auto dword_of_an_array = co::cost<gfx942::global_load<32>>(addresses);
constexpr auto dword_of_some_lanes =
    co::cost<gfx942::global_load<32>>(in_order, [](unsigned lane) { return lane < 60; });
constexpr auto dword_of_cdna_2 = co::cost<gfx90a::global_load<32>>(co::linear{.stride = 4});
constexpr auto float4 = co::cost<gfx950::global_load<128>>(co::linear{.base = 4, .stride = 16});
constexpr auto gather = co::cost<gfx942::global_load<32>>(co::linear{.stride = 4096});
constexpr auto straddling_gather = co::cost<gfx942::global_load<128>>(co::linear{.base = 124, .stride = 4096});
constexpr auto to_lds = co::cost<gfx950::global_load_lds<128>::global>(co::linear{.stride = 16});
constexpr auto store = co::cost<gfx942::global_store<32>>(co::linear{.stride = 4});
constexpr auto scatter = co::cost<gfx942::global_store<128>>(co::linear{.base = 60, .stride = 4096});
constexpr auto atomic = co::cost<gfx942::global_atomic<64>>(co::linear{.stride = 8});
constexpr auto lds_32 = co::cost<gfx942::ds_read<32>>(co::linear{.stride = 4});
constexpr auto lds_64 = co::cost<gfx942::ds_read<64>>(co::linear{.stride = 8});
constexpr auto lds_128 = co::cost<gfx942::ds_read<128>>(co::linear{.stride = 16});
constexpr auto lds_conflict = co::cost<gfx942::ds_write<128>>(co::linear{.stride = 512});
constexpr auto lds_32_of_64_banks = co::cost<gfx950::ds_read<32>>(co::linear{.stride = 256});
constexpr auto lds_128_of_64_banks = co::cost<gfx950::ds_read<128>>(co::linear{.stride = 256});
constexpr auto lds_transposed = co::cost<gfx950::ds_read_tr<64>>(co::linear{.stride = 128});
constexpr auto lds_pair = co::cost<gfx942::ds_read2<64, 0, 1>>(co::linear{.stride = 128});
constexpr auto lds_atomic = co::cost<gfx950::ds_atomic<64>>(co::linear{.stride = 8});
constexpr auto lines = co::transactions<gfx942::global_load<32>>(co::linear{.stride = 4096});
constexpr auto straddling_lines = co::transactions<gfx942::global_load<128>>(co::linear{.base = 124, .stride = 4096});
constexpr auto requests = co::transactions<gfx942::global_store<128>>(co::linear{.base = 60, .stride = 4096});
constexpr auto cold = co::footprint<128, gfx942::global_load<32>>(co::linear{.stride = 4});
constexpr auto waves =
    gfx950::occupancy({.arch_vgprs = 65, .acc_vgprs = 64, .lds_bytes = 32768, .work_group_size = 256});
