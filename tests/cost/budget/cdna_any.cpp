// SPDX-License-Identifier: BSL-1.0
//
// Questions about CDNA's 64 lanes in any order, as any.cpp asks GCN, and through a swizzle.
#include <coalesce/cdna.hpp>

namespace co = coalescing;
using co::cdna::gfx90a, co::cdna::gfx942, co::cdna::gfx950;

constexpr auto descending = [](unsigned lane) { return 4096ull * (63 - lane); };
constexpr auto scrambled = [](unsigned lane) { return 4096ull * ((37 * lane + 11) % 64) + 60; };
constexpr auto bit_reversed = [](unsigned lane) {
  return 4096ull *
         ((lane & 1) << 5 | (lane & 2) << 3 | (lane & 4) << 1 | (lane & 8) >> 1 | (lane & 16) >> 3 | lane >> 5);
};
constexpr auto zigzag = [](unsigned lane) { return 4096ull * (lane % 2 == 0 ? lane : 127 - lane); };
// LDS is small.
constexpr auto descending_in_lds = [](unsigned lane) { return 512 * (63 - lane); };
constexpr auto scrambled_in_lds = [](unsigned lane) { return 512 * ((37 * lane + 11) % 64) + 60; };
constexpr auto bit_reversed_in_lds = [](unsigned lane) { return bit_reversed(lane) / 8; };
constexpr auto swizzled = [](unsigned lane) {
  return lane % 32 * 128ull + (lane % 32 % 8 ^ lane / 32) * 16;  // CK: rows of 64 halves, columns of 8
};
constexpr auto most = [](unsigned lane) { return lane != 17; };

constexpr auto dword_1 = co::cost<gfx942::global_load<32>>(descending);
constexpr auto dword_2 = co::cost<gfx942::global_load<32>>(scrambled);
constexpr auto dword_3 = co::cost<gfx942::global_load<32>>(bit_reversed, most);
constexpr auto dword_4 = co::cost<gfx90a::global_load<32>>(zigzag, most);
constexpr auto float4 = co::cost<gfx950::global_load<128>>(scrambled, most);
constexpr auto to_lds = co::cost<gfx950::global_load_lds<128>::global>(scrambled, most);
constexpr auto store = co::cost<gfx942::global_store<128>>(scrambled, most);
constexpr auto atomic = co::cost<gfx942::global_atomic<64>>(bit_reversed, most);
constexpr auto lds_32 = co::cost<gfx942::ds_read<32>>(scrambled_in_lds, most);
constexpr auto lds_32_of_64_banks = co::cost<gfx950::ds_read<32>>(scrambled_in_lds, most);
constexpr auto lds_128 =
    co::cost<gfx942::ds_read<128>>([](unsigned lane) { return descending_in_lds(lane) + 256 * (lane % 2); }, most);
constexpr auto lds_128_of_64_banks =
    co::cost<gfx950::ds_read<128>>([](unsigned lane) { return bit_reversed_in_lds(lane) + 256 * (lane % 2); }, most);
constexpr auto lds_write = co::cost<gfx950::ds_write<64>>(bit_reversed_in_lds, most);
constexpr auto lds_transposed = co::cost<gfx950::ds_read_tr<64>>(bit_reversed_in_lds);
constexpr auto lds_pair = co::cost<gfx942::ds_read2<64, 0, 1>>(bit_reversed_in_lds, most);
constexpr auto lds_pair_of_dwords = co::cost<gfx942::ds_write2st64<32, 1, 0>>(scrambled_in_lds, most);
constexpr auto lds_atomic = co::cost<gfx942::ds_atomic<32>>(bit_reversed_in_lds, most);
constexpr auto lds_swizzled = co::cost<gfx942::ds_read<128>>(swizzled);
constexpr auto lds_swizzled_of_64_banks = co::cost<gfx950::ds_read<128>>(swizzled);
constexpr auto lines_1 = co::transactions<gfx942::global_load<128>>(scrambled, most);
constexpr auto lines_2 = co::transactions<gfx942::global_store<128>>(bit_reversed, most);
constexpr auto cold = co::footprint<128>(scrambled, 16, most);
