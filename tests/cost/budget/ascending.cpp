// SPDX-License-Identifier: BSL-1.0
//
// Questions about 64 lanes whose addresses ascend. Compiled with a limit on clang's constexpr steps: every constant
// here is an evaluation of its own.
#include <coalesce/gcn.hpp>

namespace co = coalescing;
namespace gcn = co::gcn;

constexpr auto in_order = [](unsigned lane) { return 4ull * lane; };
constexpr unsigned long long addresses[64] = {};

constexpr auto dword = co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4});
constexpr auto dword_of_a_lambda = co::cost<gcn::buffer_load<32>>(in_order);
constexpr auto dword_of_an_array = co::cost<gcn::buffer_load<32>>(addresses);
constexpr auto dword_of_some_lanes = co::cost<gcn::buffer_load<32>>(in_order, [](unsigned lane) { return lane < 60; });
constexpr auto byte = co::cost<gcn::buffer_load<8>>(co::linear{.stride = 1});
constexpr auto float4 = co::cost<gcn::buffer_load<32, 4>>(co::linear{.base = 4, .stride = 16});
constexpr auto gather = co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4096});
constexpr auto texel = co::cost<gcn::image_sample<128>>(co::linear{.stride = 16});
constexpr auto store = co::cost<gcn::buffer_store<32>>(co::linear{.stride = 4});
constexpr auto atomic = co::cost<gcn::buffer_atomic<64>>(co::linear{.stride = 8});
constexpr auto lds_32 = co::cost<gcn::ds_read<32>>(co::linear{.stride = 4});
constexpr auto lds_64 = co::cost<gcn::ds_read<64>>(co::linear{.stride = 8});
constexpr auto lds_128 = co::cost<gcn::ds_read<128>>(co::linear{.stride = 16});
constexpr auto lds_conflict = co::cost<gcn::ds_write<128>>(co::linear{.stride = 512});
constexpr auto lines = co::transactions<gcn::buffer_load<32>>(co::linear{.stride = 4096});
constexpr auto straddling_lines = co::transactions<gcn::buffer_load<32, 4>>(co::linear{.base = 60, .stride = 4096});
constexpr auto cold = co::footprint<128>(co::linear{.stride = 4}, 4);
