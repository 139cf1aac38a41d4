// SPDX-License-Identifier: BSL-1.0
#include <coalesce/coalesce.hpp>

#include "check.hpp"

namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::instruction<gcn::buffer_load<32>> && co::instruction<gcn::ds_read<32>> &&
              co::instruction<gcn::s_load<1>>);
static_assert(!co::instruction<int> && !co::instruction<gcn::compute_unit>);

namespace {
template <auto Cost>
struct carried {};
template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

constexpr auto load = co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4});
constexpr auto store = co::cost<gcn::buffer_store<32>>(co::linear{.stride = 4});
constexpr auto lds = co::cost<gcn::ds_read<32>>(co::linear{.stride = 8});
constexpr auto scalar = co::cost<gcn::s_load<16>>(co::broadcast{4});

/// A source for every number: as many, and in a struct made from the same template.
template <class Instruction>
constexpr bool has_a_source_for_every_number = sizeof(Instruction::sources) / sizeof(co::source) ==
                                               sizeof(typename Instruction::cost_type) / sizeof(std::uint64_t);
}  // namespace

static_assert(same<decltype(co::cost<gcn::buffer_load<32>>(co::linear{})), gcn::buffer_load<32>::cost_type>);
static_assert(has_a_source_for_every_number<gcn::buffer_load<32>> &&
              has_a_source_for_every_number<gcn::buffer_atomic<32>> &&
              has_a_source_for_every_number<gcn::ds_read<32>> && has_a_source_for_every_number<gcn::s_load<2>>);

TEST_CASE("costs add up and multiply, number by number") {
  COALESCE_CHECK(load + load ==
                 gcn::load_cost<>{.clocks = 8, .transactions = 8, .bytes_moved = 512, .bytes_used = 512});
  COALESCE_CHECK(load * 3 == load + load + load);
  COALESCE_CHECK(3 * load == load * 3);
  auto total = load;
  total += load;
  CHECK(total == load * 2);
  COALESCE_CHECK(
      store * 2 ==
      gcn::write_cost<>{.clocks = 32, .transactions = 8, .bytes_moved = 512, .bytes_used = 512, .operations = 128});
  COALESCE_CHECK(store + store == store * 2);
  COALESCE_CHECK(lds * 2 == co::bank_cost<>{.rounds = 8, .conflicts = 4, .phases = 4});
  COALESCE_CHECK(lds + lds == lds * 2);
  COALESCE_CHECK(scalar * 2 == gcn::scalar_cost<>{.transactions = 4, .bytes_moved = 256, .bytes_used = 128});
  COALESCE_CHECK(scalar + scalar == scalar * 2);
  COALESCE_CHECK(load * 0 == gcn::load_cost<>{});
  COALESCE_CHECK(load != load * 2);
}

TEST_CASE("a cost is structural: it can be a template argument, and equal costs are one type") {
  COALESCE_CHECK(same<carried<load>, carried<co::cost<gcn::buffer_load<32>>([](unsigned lane) { return 4 * lane; })>>);
  COALESCE_CHECK(!same<carried<load>, carried<load * 2>>);
  COALESCE_CHECK(same<carried<lds>, carried<lds>>);
}

TEST_CASE("transactions are the ones that cost counts, in ascending order, with the lanes they serve") {
  constexpr auto list = co::transactions<gcn::buffer_load<32>>(co::linear{.base = 4, .stride = 4});
  COALESCE_CHECK(list.size() == 5);
  COALESCE_CHECK(!list.empty());
  COALESCE_CHECK(list[0] == co::transaction{.address = 0, .bytes = 64, .lanes = 0x7fff});
  COALESCE_CHECK(list[4] == co::transaction{.address = 256, .bytes = 64, .lanes = 0x8000'0000'0000'0000});
  COALESCE_CHECK(co::transactions<gcn::buffer_load<32>>(co::linear{}, 0).empty());
  std::uint64_t lanes = 0, bytes = 0;
  for (auto const& transaction : list) lanes |= transaction.lanes, bytes += transaction.bytes;
  CHECK(lanes == co::all_lanes);
  CHECK(bytes == 5 * 64);
}

TEST_CASE("a footprint is what would be fetched in pieces of that size") {
  COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 4}, 4) == 256);
  COALESCE_CHECK(co::footprint<128>(co::linear{.stride = 4}, 4) == 256);
  COALESCE_CHECK(co::footprint<128>(co::linear{.stride = 128}, 4) == 64 * 128);
  COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 128}, 4) == 64 * 32);
  COALESCE_CHECK(co::footprint<128>(co::linear{.base = 2, .stride = 4}, 4) == 3 * 128);
  COALESCE_CHECK(co::footprint<32, 32>(co::linear{.stride = 4}, 4) == 128);
  COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 4}, 4, 0xffffffff) == 128);
}

TEST_CASE("the version is 0.1.0") {
  COALESCE_CHECK(COALESCE_VERSION_MAJOR == 0);
  COALESCE_CHECK(COALESCE_VERSION_MINOR == 1);
  COALESCE_CHECK(COALESCE_VERSION_PATCH == 0);
}
