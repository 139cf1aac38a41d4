// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
using load = gcn::buffer_load<32>;

static_assert(co::lane_mask<int> && co::lane_mask<std::uint64_t>);
static_assert(co::lane_mask<decltype([](unsigned lane) { return lane < 16; })>);
static_assert(!co::lane_mask<decltype([](unsigned lane) { return lane & 1; })>,
              "exactly bool: an address is no predicate");
static_assert(!co::lane_mask<co::linear>, "a pattern is no mask");
static_assert(!co::lane_mask<bool>, "true would be lane 0 alone");
static_assert(!co::lane_mask<double> && !co::lane_mask<std::array<bool, 64>>);

namespace {
constexpr unsigned long long in_order[64] = {
    0,   4,   8,   12,  16,  20,  24,  28,  32,  36,  40,  44,  48,  52,  56,  60,  64,  68,  72,  76,  80,  84,
    88,  92,  96,  100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 148, 152, 156, 160, 164, 168, 172,
    176, 180, 184, 188, 192, 196, 200, 204, 208, 212, 216, 220, 224, 228, 232, 236, 240, 244, 248, 252};
constexpr auto as_array = [] {
  std::array<int, 70> longer_than_a_wave{};
  for (int lane = 0; lane != 70; ++lane) longer_than_a_wave[static_cast<unsigned>(lane)] = 4 * lane;
  return longer_than_a_wave;
}();
constexpr auto expected = co::cost<load>(co::linear{.stride = 4});
}  // namespace

TEST_CASE("an access of which nothing is said has no active lane") {
  constexpr co::access<2> none = {.address = {0, 0}};
  COALESCE_CHECK(none.active == 0);
  COALESCE_CHECK(none.differ == 0);
  COALESCE_CHECK(none.bytes == 0);
}
TEST_CASE("the natural alignment of a word is the next power of two") {
  using co::detail::next_power_of_two;
  COALESCE_CHECK(next_power_of_two(1) == 1);
  COALESCE_CHECK(next_power_of_two(2) == 2);
  COALESCE_CHECK(next_power_of_two(3) == 4);
  COALESCE_CHECK(next_power_of_two(12) == 16);
  COALESCE_CHECK(next_power_of_two(16) == 16);
  COALESCE_CHECK(next_power_of_two(33) == 64);
}
TEST_CASE("lanes that are not active stand where an active one does, whichever that is; at 0 where none is") {
  constexpr auto asked = [](std::uint64_t active) {
    return co::detail::apply<64>(co::linear{.base = 4096, .stride = 4}, active, {.bytes = 4, .alignment = 4});
  };
  for (unsigned only = 0; only != 64; ++only) {
    auto const one = asked(std::uint64_t{1} << only);
    bool there = true;
    for (std::uint64_t const address : one.address) there = there && address == 4096 + 4 * only;
    CHECK(there);
    CHECK(one.differ == 0);
  }
  for (std::uint64_t const address : asked(0).address) CHECK(address == 0);
}

TEST_CASE("arrays, spans and vectors of addresses are patterns") {
  COALESCE_CHECK(co::cost<load>(in_order) == expected);
  COALESCE_CHECK(co::cost<load>(as_array) == expected);
  COALESCE_CHECK(co::cost<load>(std::span(in_order)) == expected);
  CHECK(co::cost<load>(std::vector<std::uint64_t>(in_order, in_order + 64)) == expected);
}

TEST_CASE("callables of any integer type are patterns") {
  COALESCE_CHECK(co::cost<load>([](unsigned lane) { return 4 * lane; }) == expected);
  COALESCE_CHECK(co::cost<load>([](unsigned long long lane) { return static_cast<long long>(4 * lane); }) == expected);
  COALESCE_CHECK(co::cost<load>([](unsigned lane) { return static_cast<unsigned char>(4 * lane); }) == expected);
}

TEST_CASE("a negative address is an offset before the origin: modulo 2^64, and no address is special") {
  COALESCE_CHECK(co::cost<load>([](unsigned lane) { return 4 * (static_cast<int>(lane) - 1); }).clocks == 4);
  COALESCE_CHECK(co::cost<load>([](unsigned lane) { return 4 * (static_cast<int>(lane) - 1); }).transactions == 5);
}

TEST_CASE("a mask selects lanes; all_lanes and -1 are every lane") {
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, 0xffffull).transactions == 1);
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, 1).bytes_used == 4);
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, -1) == expected);
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, co::all_lanes) == expected);
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, -1ll << 48).transactions == 1);
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, 0) == gcn::load_cost<>{});
}
TEST_CASE("-1 and all_lanes fit an instruction of fewer lanes") {
  COALESCE_CHECK(co::cost<gcn::s_load<1>>(co::linear{}, -1).transactions == 1);
  COALESCE_CHECK(co::cost<gcn::s_load<1>>(co::linear{}).transactions == 1);
}

TEST_CASE("a predicate is a mask") {
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, [](unsigned lane) { return lane < 16; }) ==
                 co::cost<load>(co::linear{.stride = 4}, 0xffffull));
  COALESCE_CHECK(co::cost<load>(co::linear{.stride = 4}, [](unsigned lane) { return (lane & 1) != 0; }).bytes_used ==
                 128);
}

TEST_CASE("a pattern is not asked about inactive lanes") {
  std::vector<unsigned> asked;
  auto const listen = [&](unsigned lane) {
    asked.push_back(lane);
    return 4 * lane;
  };
  static_cast<void>(co::cost<load>(listen, 0x8000'0000'0000'0005));
  CHECK(asked == std::vector<unsigned>{0, 2, 63});
}
TEST_CASE("inactive lanes may hold addresses that would be refused") {
  COALESCE_CHECK(co::cost<load>([](unsigned lane) { return lane; }, 0x1111'1111'1111'1111).bytes_used == 64);
}

#ifdef __cpp_exceptions
namespace {
template <class Question>
co::misuse refusal(Question const& question) {
  try {
    static_cast<void>(question());
  } catch (co::misuse const& caught) {
    return caught;
  }
  return co::misuse("nothing was refused");
}
}  // namespace

TEST_CASE("misuse names the lane and the address, and is a std::exception") {
  auto const caught = refusal([] { return co::cost<load>([](unsigned lane) { return lane == 3 ? 0x102u : 0u; }); });
  CHECK(caught.lane() == 3);
  CHECK(caught.address() == 0x102);
  std::exception const& base = caught;
  CHECK(std::string(base.what()) ==
        "coalesce: lane 3, address 0x102: the address is not a multiple of this instruction's alignment, "
        "4 bytes (a pattern gives bytes, not elements)");
}
TEST_CASE("the lane that is named is the first active one to blame") {
  auto const blamed = [](unsigned wrong, std::uint64_t active) {
    return refusal([=] { return co::cost<load>([=](unsigned lane) { return lane == wrong ? 1u : 0u; }, active); });
  };
  for (unsigned wrong = 0; wrong != 64; ++wrong) {
    CHECK(blamed(wrong, co::all_lanes).lane() == wrong);
    CHECK(blamed(wrong, co::all_lanes).address() == 1);
    CHECK(blamed(wrong, std::uint64_t{1} << wrong).lane() == wrong);
    CHECK(std::string(blamed(wrong, ~(std::uint64_t{1} << wrong)).what()) == "coalesce: nothing was refused");
  }
}
TEST_CASE("a negative address of a narrow type is refused wherever it is, and its lane is named") {
  for (unsigned wrong = 0; wrong != 64; ++wrong) {
    auto const below_zero = [=](unsigned lane) { return static_cast<short>(lane == wrong ? -4 : 4); };
    CHECK(refusal([&] { return co::cost<load>(below_zero); }).lane() == wrong);
    CHECK(refusal([&] { return co::cost<load>(below_zero, std::uint64_t{1} << wrong); }).lane() == wrong);
    CHECK_NOTHROW(static_cast<void>(co::cost<load>(below_zero, ~(std::uint64_t{1} << wrong))));
  }
}
TEST_CASE("an access that runs past the top of the address space is refused; the last one that fits is not") {
  using wide = gcn::buffer_load<32, 4>;
  auto const caught = refusal([] { return co::cost<wide>(co::broadcast{0xffff'ffff'ffff'fff4}); });
  CHECK(caught.address() == 0xffff'ffff'ffff'fff4);
  CHECK(std::string(caught.what()).find("past the top") != std::string::npos);
  COALESCE_CHECK(co::cost<wide>(co::broadcast{0xffff'ffff'ffff'fff0}).transactions == 1);
}
TEST_CASE("an array that is too short is refused at run time too") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<load>(std::vector<int>(63))), co::misuse);
  CHECK(refusal([] { return co::cost<load>(std::vector<int>(63)); }).lane() == co::misuse::no_lane);
  CHECK(refusal([] { return co::cost<load>(std::vector<int>(63)); }).address() == 0);
  CHECK_NOTHROW(static_cast<void>(co::cost<load>(std::vector<int>(64))));
}
TEST_CASE("a misuse that no lane is to blame for has neither lane nor address, and says the sentence alone") {
  co::misuse const nobody("so");
  CHECK(nobody.lane() == co::misuse::no_lane);
  CHECK(co::misuse::no_lane == 0xffff'ffff);
  CHECK(nobody.address() == 0);
  CHECK(std::string(nobody.what()) == "coalesce: so");
  co::misuse const first("so", 0, 0);
  CHECK(first.lane() == 0);
  CHECK(std::string(first.what()) == "coalesce: lane 0, address 0x0: so");
}
TEST_CASE("a mask with lanes that the instruction does not have is refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::s_load<1>>(co::linear{}, 2)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::footprint<32, 32>(co::linear{}, 4, 0x1'0000'0000)), co::misuse);
}
TEST_CASE("a negative mask narrower than 64 bits is refused: its sign would fill lanes 32 to 63") {
  int const ballot = static_cast<int>(0x8000'0001u);
  CHECK_THROWS_AS(static_cast<void>(co::cost<load>(co::linear{}, ballot)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<load>(co::linear{}, -2)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<load>(co::linear{}, -2ll)));
}
TEST_CASE("a lane that asks for no bytes, and an index past the list, are refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(co::footprint<32>(co::linear{}, 0)),
                       "coalesce: each lane must ask for at least one byte", co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::transactions<load>(co::linear{})[0]));
  CHECK_THROWS_WITH_AS(static_cast<void>(co::transactions<load>(co::linear{})[1]),
                       "coalesce: the index is not less than the number of transactions", co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::phases<gcn::ds_read<32>>(co::linear{})[1]));
  CHECK_THROWS_WITH_AS(static_cast<void>(co::phases<gcn::ds_read<32>>(co::linear{})[2]),
                       "coalesce: the index is not less than the number of phases", co::misuse);
}
namespace {
enum class three { a, b, c };
constexpr bool is_enumerator(three value) { return value == three::a || value == three::b || value == three::c; }
}  // namespace
TEST_CASE("a value that is not one of its enumeration's names is refused; the first and the last are") {
  auto const check = [](int value) { co::detail::check_enumerator(three{value}); };
  CHECK_NOTHROW(check(0));
  CHECK_NOTHROW(check(2));
  CHECK_THROWS_WITH_AS(check(-1), "coalesce: the value is not one of its enumeration's names", co::misuse);
  CHECK_THROWS_AS(check(3), co::misuse);
}
TEST_CASE("what a misuse says is 255 characters long at most: more is cut, not written past the end") {
  std::string const words(300, 'x');
  CHECK(std::string(co::misuse(words.c_str()).what()) == "coalesce: " + words.substr(0, 245));
  CHECK(std::string(co::misuse(words.c_str(), 7, 16).what()) ==
        "coalesce: lane 7, address 0x10: " + words.substr(0, 223));
}
#endif
