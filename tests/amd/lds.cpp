// SPDX-License-Identifier: BSL-1.0
#include <coalesce/amd/lds.hpp>

#include "amd/lds.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

// AMD's LDS rule over rows of machines that do not exist: no figure stands in the rule.

namespace co = coalescing;
using namespace coalescing_tests;

namespace {

constexpr co::source nowhere{co::our_reading, "", "made up", co::evidence::inferred};

/// A wave of 32 lanes over 64 banks of 4 bytes; odd and even lanes are served apart.
struct wave_of_32 {
  static constexpr co::fact<unsigned> lanes{32, nowhere}, banks{64, nowhere}, bank_bytes{4, nowhere},
      lds_bytes{4096, nowhere};
  static constexpr co::fact<co::amd::lane_masks<2>> phases{{{0x5555'5555, 0xaaaa'aaaa}}, nowhere};
};
/// The same lanes over 16 banks of 8 bytes, each quarter of the wave on its own.
struct wide_banks : wave_of_32 {
  static constexpr co::fact<unsigned> banks{16, nowhere}, bank_bytes{8, nowhere};
  static constexpr co::fact<co::amd::lane_masks<4>> phases{{{0xff, 0xff00, 0xff'0000, 0xff00'0000}}, nowhere};
};

template <unsigned Bits, class Row>
unsigned disagreements(std::string const& lanes, unsigned banks, unsigned width) {
  using read = co::amd::lds_memory<Bits, Row>;
  auto const lists = lane_lists(lanes);
  unsigned found = 0;
  random_accesses accesses(read::bytes, read::alignment, Bits, read::capacity);
  for (unsigned n = 0; n != share(4'000); ++n) {
    auto made = accesses.next();
    made.active &= 0xffff'ffff;
    found += !lds_agrees<read>(made, lists, banks, width);
  }
  return found;
}

std::string const odd_and_even =
    "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31";
std::string const quarters = "0-7 8-15 16-23 24-31";

}  // namespace

TEST_CASE("the masks of lanes are those that the sources print") {
  auto const check = []<unsigned Phases>(co::amd::lane_masks<Phases> const& masks, std::string const& printed) {
    auto const lists = lane_lists(printed);
    REQUIRE(lists.size() == Phases);
    for (unsigned phase = 0; phase != Phases; ++phase) {
      std::uint64_t lanes = 0;
      for (unsigned const lane : lists[phase]) lanes |= std::uint64_t{1} << lane;
      CHECK(masks.phase[phase] == lanes);
    }
  };
  check(co::amd::whole_wave, "0-63");
  check(co::amd::halves, lds_phases::halves);
  check(co::amd::quarters, lds_phases::quarters);
  check(co::amd::eighths, lds_phases::eighths);
  check(co::amd::paired_quads, lds_phases::crossed);
}
TEST_CASE("a wave of 32 lanes over 64 banks is a row alone") {
  CHECK(disagreements<8, wave_of_32>(odd_and_even, 64, 4) == 0);
  CHECK(disagreements<32, wave_of_32>(odd_and_even, 64, 4) == 0);
  CHECK(disagreements<64, wave_of_32>(odd_and_even, 64, 4) == 0);
  CHECK(disagreements<96, wave_of_32>(odd_and_even, 64, 4) == 0);
  CHECK(disagreements<128, wave_of_32>(odd_and_even, 64, 4) == 0);
}
TEST_CASE("banks of 8 bytes are a row alone") {
  CHECK(disagreements<8, wide_banks>(quarters, 16, 8) == 0);
  CHECK(disagreements<32, wide_banks>(quarters, 16, 8) == 0);
  CHECK(disagreements<64, wide_banks>(quarters, 16, 8) == 0);
  CHECK(disagreements<128, wide_banks>(quarters, 16, 8) == 0);
}
TEST_CASE("control: with other phases, banks or widths they are other machines") {
  CHECK(disagreements<32, wave_of_32>("0-15 16-31", 64, 4) > 0);
  CHECK(disagreements<32, wave_of_32>(odd_and_even, 32, 4) > 0);
  CHECK(disagreements<32, wide_banks>(quarters, 16, 4) > 0);
}
TEST_CASE("what it says of itself follows from the row") {
  using read = co::amd::lds_memory<64, wide_banks>;
  COALESCE_CHECK(read::lanes == 32);
  COALESCE_CHECK(read::bytes == 8);
  COALESCE_CHECK(read::capacity == 4096);
  COALESCE_CHECK(read::level == co::level::lds);
  COALESCE_CHECK(read::banks == 16);
  COALESCE_CHECK(read::unit == 8);
  COALESCE_CHECK(read::period == 128);
  COALESCE_CHECK(co::amd::lds_memory<96, wave_of_32>::alignment == 16);
}
#ifdef __cpp_exceptions
TEST_CASE("their masks and offsets end where their rows say") {
  using read = co::amd::lds_memory<32, wave_of_32>;
  CHECK(co::cost<read>(co::broadcast{4092}).phases == 2);
  CHECK_THROWS_AS(static_cast<void>(co::cost<read>(co::broadcast{4096})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<read>(co::broadcast{}, std::uint64_t{1} << 32)), co::misuse);
}
#endif
