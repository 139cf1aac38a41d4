// SPDX-License-Identifier: BSL-1.0
//
// Questions about 64 lanes in any order: descending, scrambled, and in the orders that are worst for sorting.
#include <coalesce/gcn.hpp>

namespace co = coalescing;
namespace gcn = co::gcn;

constexpr auto descending = [](unsigned lane) { return 4096ull * (63 - lane); };
constexpr auto scrambled = [](unsigned lane) { return 4096ull * ((37 * lane + 11) % 64) + 60; };
constexpr auto bit_reversed = [](unsigned lane) {
  return 4096ull *
         ((lane & 1) << 5 | (lane & 2) << 3 | (lane & 4) << 1 | (lane & 8) >> 1 | (lane & 16) >> 3 | lane >> 5);
};
constexpr auto zigzag = [](unsigned lane) { return 4096ull * (lane % 2 == 0 ? lane : 127 - lane); };
constexpr auto quads_reversed = [](unsigned lane) { return 4ull * (lane ^ 3); };
constexpr auto most = [](unsigned lane) { return lane != 17; };
// LDS is small.
constexpr auto descending_in_lds = [](unsigned lane) { return 512 * (63 - lane); };
constexpr auto scrambled_in_lds = [](unsigned lane) { return 512 * ((37 * lane + 11) % 64) + 60; };

constexpr auto dword_1 = co::cost<gcn::buffer_load<32>>(descending);
constexpr auto dword_2 = co::cost<gcn::buffer_load<32>>(scrambled);
constexpr auto dword_3 = co::cost<gcn::buffer_load<32>>(bit_reversed);
constexpr auto dword_4 = co::cost<gcn::buffer_load<32>>(zigzag, most);
constexpr auto dword_5 = co::cost<gcn::buffer_load<32>>(quads_reversed, most);
constexpr auto float4 = co::cost<gcn::buffer_store<32, 4>>(scrambled, most);
constexpr auto lds_32 = co::cost<gcn::ds_read<32>>(scrambled_in_lds, most);
constexpr auto lds_128 =
    co::cost<gcn::ds_read<128>>([](unsigned lane) { return descending_in_lds(lane) + 256 * (lane % 2); }, most);
constexpr auto lines_1 = co::transactions<gcn::buffer_load<32, 4>>(scrambled, most);
constexpr auto lines_2 = co::transactions<gcn::buffer_load<32, 4>>(bit_reversed, most);
constexpr auto cold = co::footprint<32>(scrambled, 16, most);
