// The GCN names of DESIGN.md, as a program: it must compile with -std=c++20 -I include on every compiler.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

constexpr auto rows = co::linear{.stride = 4};  // lane k -> byte 4*k
static_assert(co::cost<gcn::buffer_load<32>>(rows).clocks == 4);
static_assert(co::cost<gcn::buffer_load<32>>(rows).transactions == 4);
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.base = 4, .stride = 4}).transactions == 5);
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8}).clocks == 16);
static_assert(co::cost<gcn::buffer_load<32>>(co::broadcast{.base = 256}).transactions == 1);
static_assert(co::cost<gcn::buffer_load<32, 4>>(co::linear{.stride = 16}).clocks == 16);
static_assert(co::cost<gcn::buffer_load<32>>(rows, 0xffffull).clocks == 1);
static_assert(co::cost<gcn::buffer_load<32>>(rows, [](unsigned lane) { return lane < 16; }).clocks == 1);
static_assert(co::cost<gcn::buffer_load<32>>([](unsigned lane) { return 4 * (lane ^ 1); }).clocks == 4);
static_assert(co::cost<gcn::buffer_store<32>>(co::broadcast{}).operations == 1);
static_assert(co::cost<gcn::buffer_atomic<32>>(co::broadcast{}).operations == 64);
static_assert(co::cost<gcn::image_sample<64>>(co::linear{.stride = 8}).clocks == 32);
static_assert(co::cost<gcn::ds_read<32>>(co::linear{.stride = 8}).conflicts == 2);
static_assert(gcn::buffer_load<32>::lanes == 64 && gcn::buffer_load<32>::bytes == 4 &&
              gcn::buffer_load<32>::unit == 64);
static_assert(gcn::buffer_load<32>::sources.clocks.evidence != co::evidence::inferred);
static_assert(co::footprint<128>(rows, 4) == 256);
static_assert(co::transactions<gcn::buffer_load<32>>(rows).size() == 4);

constexpr unsigned long long table[64] = {};  // an array is a pattern
static_assert(co::cost<gcn::buffer_load<32>>(table).transactions == 1);

template <auto Cost>
struct carried {};  // a cost is structural
using in_a_type = carried<co::cost<gcn::buffer_load<32>>(rows)>;

int main() {
  unsigned long long sum = 0;
  for (auto const& t : co::transactions<gcn::buffer_load<32>>(rows)) sum += t.address + t.bytes + (t.lanes & 1);
  return sum == 0 + 64 + 128 + 192 + 4 * 64 + 1 ? 0 : 1;
}
