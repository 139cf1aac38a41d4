// SPDX-License-Identifier: BSL-1.0
//
// The access patterns of T. Lottes, "Understanding Memory Coalescing on GCN" (GPUOpen), and variations of them, on a
// GCN compute unit. Every row of the table that this prints is asserted here too.
//
//   clocks      of the L1 path for the wave, a peak: every line hits L1
//   L2 requests of 64 bytes, for the whole wave: every line misses L1
//   efficiency  bytes that the lanes use, of the bytes moved in those requests

#include <coalesce/gcn.hpp>

#include <cstdio>

namespace co = coalescing;
namespace gcn = co::gcn;

using dword = gcn::buffer_load<32>;
using float4 = gcn::buffer_load<32, 4>;
inline constexpr std::uint64_t base = 0x10000;

// ---- Single-channel buffer loads of 32 bits or less: 4 clocks if every aligned 4 lanes read within a run of 4
// elements ----

constexpr auto in_order = co::cost<dword>(co::linear{.base = base, .stride = 4});
static_assert(in_order.clocks == 4 && in_order.transactions == 4);

// One element late: L1 does not care, L2 needs one more line.
constexpr auto one_late = co::cost<dword>(co::linear{.base = base + 4, .stride = 4});
static_assert(one_late.clocks == 4 && one_late.transactions == 5);

constexpr auto reversed = co::cost<dword>([](unsigned lane) { return base + 4 * (63 - lane); });
static_assert(reversed.clocks == 4 && reversed.transactions == 4);

// Ordering within the 4 does not matter...
constexpr auto swapped = co::cost<dword>([](unsigned lane) { return base + 4 * (lane ^ 1); });
static_assert(swapped.clocks == 4 && swapped.transactions == 4);

// ...but to share a line is not enough: 16 neighbours, shuffled across the quads.
constexpr auto scrambled = co::cost<dword>([](unsigned lane) { return base + 4 * (lane * 3 % 16); });
static_assert(scrambled.clocks == 16 && scrambled.transactions == 1);

constexpr auto one_address = co::cost<dword>(co::broadcast{.base = base});
static_assert(one_address.clocks == 4 && one_address.transactions == 1);

constexpr auto one_for_each_quad = co::cost<dword>([](unsigned lane) { return base + 4 * (lane / 4); });
static_assert(one_for_each_quad.clocks == 4 && one_for_each_quad.transactions == 1);

constexpr auto every_second = co::cost<dword>(co::linear{.base = base, .stride = 8});
static_assert(every_second.clocks == 16 && every_second.transactions == 8);

constexpr auto a_line_each = co::cost<dword>(co::linear{.base = base, .stride = 64});
static_assert(a_line_each.clocks == 16 && a_line_each.transactions == 64);

constexpr auto first_16 =
    co::cost<dword>(co::linear{.base = base, .stride = 4}, [](unsigned lane) { return lane < 16; });
static_assert(first_16.clocks == 1 && first_16.transactions == 1);

constexpr auto shorts = co::cost<gcn::buffer_load<16>>(co::linear{.base = base, .stride = 2});
static_assert(shorts.clocks == 4 && shorts.transactions == 2);

constexpr auto bytes = co::cost<gcn::buffer_load<8>>(co::linear{.base = base, .stride = 1});
static_assert(bytes.clocks == 4 && bytes.transactions == 1);

// ---- Wider, or several channels: a quad a clock, 16 clocks ----

constexpr auto doubles = co::cost<gcn::buffer_load<64>>(co::linear{.base = base, .stride = 8});
static_assert(doubles.clocks == 16 && doubles.transactions == 8);

constexpr auto float4s = co::cost<float4>(co::linear{.base = base, .stride = 16});
static_assert(float4s.clocks == 16 && float4s.transactions == 16);

constexpr auto float4s_late = co::cost<float4>(co::linear{.base = base + 4, .stride = 16});
static_assert(float4s_late.clocks == 16 && float4s_late.transactions == 17);

// The same 1024 bytes as four loads of one channel each, structure of arrays: as many clocks and requests, not fewer.
constexpr auto four_arrays = in_order * 4;
static_assert(four_arrays.clocks == 16 && four_arrays.transactions == 16);

// ---- Images ----

constexpr auto texels = co::cost<gcn::image_load<32>>(co::linear{.base = base, .stride = 4});
static_assert(texels.clocks == 16 && texels.transactions == 4);

constexpr auto filtered_32 = co::cost<gcn::image_sample<32>>(co::linear{.base = base, .stride = 4});
static_assert(filtered_32.clocks == 16 && filtered_32.transactions == 4);

constexpr auto filtered_64 = co::cost<gcn::image_sample<64>>(co::linear{.base = base, .stride = 8});
static_assert(filtered_64.clocks == 32 && filtered_64.transactions == 8);

constexpr auto filtered_128 = co::cost<gcn::image_sample<128>>(co::linear{.base = base, .stride = 16});
static_assert(filtered_128.clocks == 64 && filtered_128.transactions == 16);

// ---- Stores and atomics ----

constexpr auto stores = co::cost<gcn::buffer_store<32>>(co::linear{.base = base, .stride = 4});
static_assert(stores.clocks == 16 && stores.transactions == 4 && stores.operations == 64);

constexpr auto colliding_stores = co::cost<gcn::buffer_store<32>>(co::broadcast{.base = base});
static_assert(colliding_stores.clocks == 16 && colliding_stores.transactions == 1 && colliding_stores.operations == 1);

constexpr auto colliding_atomics = co::cost<gcn::buffer_atomic<32>>(co::broadcast{.base = base});
static_assert(colliding_atomics.clocks == 16 && colliding_atomics.transactions == 1 &&
              colliding_atomics.operations == 64);

namespace {

void heading(char const* what) {
  std::printf("%-46s %6s %12s %12s %11s %11s\n", what, "clocks", "L2 requests", "bytes moved", "bytes used",
              "efficiency");
}
template <class Cost>
void row(char const* what, Cost const& cost) {
  std::printf("  %-44s %6llu %12llu %12llu %11llu %9.1f %%", what, static_cast<unsigned long long>(cost.clocks),
              static_cast<unsigned long long>(cost.transactions), static_cast<unsigned long long>(cost.bytes_moved),
              static_cast<unsigned long long>(cost.bytes_used),
              100.0 * static_cast<double>(cost.bytes_used) / static_cast<double>(cost.bytes_moved));
  if constexpr (requires { cost.operations; })
    std::printf("  (operations: %llu)", static_cast<unsigned long long>(cost.operations));
  std::printf("\n");
}

}  // namespace

int main() {
  heading("buffer load, one channel of 32 bits or less");
  row("dword, in order", in_order);
  row("dword, in order, one element late", one_late);
  row("dword, reversed", reversed);
  row("dword, neighbours swapped", swapped);
  row("dword, 16 neighbours across quads", scrambled);
  row("dword, all lanes one address", one_address);
  row("dword, each quad one address", one_for_each_quad);
  row("dword, every second", every_second);
  row("dword, a line each", a_line_each);
  row("dword, in order, lanes 0-15 only", first_16);
  row("short, in order", shorts);
  row("byte, in order", bytes);
  heading("buffer load, wider or several channels");
  row("64 bits, in order", doubles);
  row("4 x 32 bits, in order", float4s);
  row("4 x 32 bits, in order, one dword late", float4s_late);
  row("  the same from four arrays: 4 dword loads", four_arrays);
  heading("image");
  row("load, 32-bit texels, in order", texels);
  row("sample, filtered, 32-bit texels", filtered_32);
  row("sample, filtered, 64-bit texels", filtered_64);
  row("sample, filtered, 128-bit texels", filtered_128);
  heading("store and atomic");
  row("store, dword, in order", stores);
  row("store, dword, all lanes one address", colliding_stores);
  row("atomic, dword, all lanes one address", colliding_atomics);
}
