// SPDX-License-Identifier: BSL-1.0
#include <coalesce/coalesce.hpp>

#include "machinery/check.hpp"

#include <atomic>
#include <complex>
#include <vector>

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

/// A source for every number, and a member that show<> names: as many, in structs made from the same template.
template <auto... Members>
constexpr std::size_t named_members(co::detail::members<Members...>) {
  return sizeof...(Members);
}
template <class Instruction>
constexpr bool has_a_source_for_every_number = sizeof(Instruction::sources) / sizeof(co::source) ==
                                                   sizeof(typename Instruction::cost_type) / sizeof(std::uint64_t) &&
                                               named_members(typename Instruction::cost_type::numbers{}) ==
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
  COALESCE_CHECK(lds * 2 == co::bank_cost<>{.rounds = 8, .conflicts = 4, .phases = 4, .ways = 2});
  COALESCE_CHECK(lds + lds == lds * 2);
  COALESCE_CHECK(scalar * 2 == gcn::scalar_cost<>{.transactions = 4, .bytes_moved = 256, .bytes_used = 128});
  COALESCE_CHECK(scalar + scalar == scalar * 2);
  COALESCE_CHECK(load * 0 == gcn::load_cost<>{});
  COALESCE_CHECK(load != load * 2);
}

TEST_CASE("under + and * sums add up and maxima stay maxima; of none there is nothing") {
  constexpr auto worse = co::cost<gcn::ds_read<32>>(co::linear{.stride = 128});
  COALESCE_CHECK(lds.ways == 2);
  COALESCE_CHECK(worse.ways == 32);
  COALESCE_CHECK((lds + worse).ways == 32);
  COALESCE_CHECK((worse + lds).ways == 32);
  COALESCE_CHECK((lds + worse).rounds == lds.rounds + worse.rounds);
  COALESCE_CHECK((lds * 5).ways == 2);
  COALESCE_CHECK((lds * 5).rounds == 5 * lds.rounds);
  COALESCE_CHECK(lds * 0 == co::bank_cost<>{});
  using atomic = co::cuda::cc90::atomic<32>;
  constexpr auto one_address = co::cost<atomic>(co::broadcast{}), apart = co::cost<atomic>(co::linear{.stride = 4});
  COALESCE_CHECK((one_address + apart).lanes_on_one_address == 32);
  COALESCE_CHECK((apart + one_address * 3).operations == 4 * 32);
}
namespace theirs {
template <class T>
struct vec3 {
  T x, y, z;
  friend constexpr vec3 operator+(vec3 const& a, vec3 const& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr vec3 operator*(vec3 const& a, T n) { return {a.x * n, a.y * n, a.z * n}; }
};
}  // namespace theirs
TEST_CASE("our operators are found for our costs alone, with a using-directive as well") {
  using namespace coalescing;
  using three = theirs::vec3<std::uint64_t>;
  COALESCE_CHECK((three{1, 2, 3} + three{1, 2, 3} * 2).z == 9);
  COALESCE_CHECK(std::complex<std::uint64_t>(1, 2) + std::complex<std::uint64_t>(1, 1) ==
                 std::complex<std::uint64_t>(2, 3));
  std::atomic<std::uint64_t> counter{1};
  counter += 2;
  CHECK(counter * 2 == 6);
}

TEST_CASE("the ideal of an instruction: neighbouring words from a boundary on, of the constant cache one word") {
  COALESCE_CHECK(co::ideal<gcn::buffer_load<32>> == co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}));
  COALESCE_CHECK(co::ideal<gcn::buffer_load<96>>.transactions == 12);
  COALESCE_CHECK(co::ideal<gcn::ds_read<96>>.conflicts == 0);
  COALESCE_CHECK(co::ideal<co::cdna::gfx950::ds_read<128>>.rounds == 4);
  COALESCE_CHECK(co::ideal<co::cuda::cc90::shared_load<128>>.rounds == 4);
  COALESCE_CHECK(co::ideal<co::cuda::cc20::shared_load<128>>.ways == 2);
  COALESCE_CHECK(co::ideal<co::cuda::cc90::constant_load<32>>.requests == 1);
  COALESCE_CHECK(co::ideal<co::cuda::cc10::constant_load<32>>.requests == 2);
  COALESCE_CHECK(co::ideal<co::cuda::cc100::load<256>>.transactions == 32);
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

TEST_CASE("a transaction or a phase of which nothing is said is empty") {
  COALESCE_CHECK(co::transaction{} == co::transaction{.address = 0, .bytes = 0, .lanes = 0});
  COALESCE_CHECK(co::bank_phase{} == co::bank_phase{.lanes = 0, .rounds = 0, .bank = 0, .colliding = 0});
}
TEST_CASE("a list is structural too, and ends where it says") {
  COALESCE_CHECK(same<carried<co::transactions<gcn::s_load<16>>(co::broadcast{4})>,
                      carried<co::transactions<gcn::s_load<16>>(co::broadcast{4})>>);
  constexpr auto phases = co::phases<gcn::ds_read<32>>(co::linear{.stride = 8});
  COALESCE_CHECK(phases.size() == 2);
  COALESCE_CHECK(!phases.empty());
  COALESCE_CHECK(phases.end() - phases.begin() == 2);
  std::uint64_t rounds = 0;
  for (auto const& phase : phases) rounds += phase.rounds;
  CHECK(rounds == lds.rounds);
}

TEST_CASE("a footprint in pieces of 1 byte and of 2^31, the largest") {
  constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
  COALESCE_CHECK(co::footprint<1>(co::linear{.stride = 4}, 3) == 3 * 64);
  COALESCE_CHECK(co::footprint<2 * gibibyte>(co::linear{.stride = 4}, 4) == 2 * gibibyte);
  COALESCE_CHECK(co::footprint<2 * gibibyte>(co::linear{.stride = static_cast<std::int64_t>(gibibyte)}, 4) ==
                 32 * 2 * gibibyte);
  COALESCE_CHECK(co::footprint<2 * gibibyte>(co::broadcast{2 * gibibyte - 2}, 4) == 4 * gibibyte);
  COALESCE_CHECK(co::footprint<2 * gibibyte>(co::broadcast{0 - std::uint64_t{4}}, 4) == 2 * gibibyte);
}
TEST_CASE("a footprint is what would be fetched in pieces of that size") {
  COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 4}, 4) == 256);
  COALESCE_CHECK(co::footprint<128>(co::linear{.stride = 4}, 4) == 256);
  COALESCE_CHECK(co::footprint<128>(co::linear{.stride = 128}, 4) == 64 * 128);
  COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 128}, 4) == 64 * 32);
  COALESCE_CHECK(co::footprint<128>(co::linear{.base = 2, .stride = 4}, 4) == 3 * 128);
  COALESCE_CHECK(co::footprint<32, 32>(co::linear{.stride = 4}, 4) == 128);
  COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 4}, 4, 0xffffffff) == 128);
  // By default of every lane, of the instruction's bytes.
  COALESCE_CHECK(co::footprint<4, gcn::buffer_load<32>>(co::linear{.stride = 8}) == 64 * 4);
  COALESCE_CHECK(co::footprint<4, co::cuda::cc90::load<64>>(co::linear{.stride = 8}) == 32 * 8);
}

TEST_CASE("a footprint of a copy is of the bytes that are read, not of those that are filled with zeros") {
  using co::cuda::cc90;
  constexpr auto apart = co::linear{.stride = 64};
  COALESCE_CHECK(co::footprint<64, cc90::cp_async<16>::global>(apart) == 32 * 64);
  COALESCE_CHECK(co::footprint<64, cc90::cp_async<16, 0>::global>(apart) == 0);
  COALESCE_CHECK(co::footprint<1, cc90::cp_async<16, 12>::global>(apart) == 32 * 12);
  COALESCE_CHECK(co::footprint<4, cc90::cp_async<16, 5>::global>(apart) == 32 * 8);
  COALESCE_CHECK(co::footprint<4, cc90::cp_async<8, 1>::global>(co::linear{.stride = 8}, 0x7ull) == 3 * 4);
  // All of them are written.
  COALESCE_CHECK(co::footprint<4, cc90::cp_async<16, 0>::shared>(apart) == 32 * 16);
  // The refusals are the same for a copy that reads nothing.
  using nothing = cc90::cp_async<16, 0>::global;
  std::vector<std::uint64_t> const short_one(31);
  CHECK_THROWS_AS(static_cast<void>(co::footprint<64, nothing>(short_one)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::footprint<64, nothing>(apart, std::uint64_t{1} << 32)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::footprint<64, nothing>(co::broadcast{~std::uint64_t{0}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::footprint<64>(apart, 0)), co::misuse);
}

TEST_CASE("the version is 0.1.0") {
  COALESCE_CHECK(COALESCE_VERSION_MAJOR == 0);
  COALESCE_CHECK(COALESCE_VERSION_MINOR == 1);
  COALESCE_CHECK(COALESCE_VERSION_PATCH == 0);
}
