// SPDX-License-Identifier: BSL-1.0
//
// co::explain tells the truth. Its sentences about random accesses are read back, and each claim is looked up among the
// addresses, byte by byte. They agree with the numbers: an access dearer than its ideal has a reason, and any other
// access has "no number is above its ideal". Sentences that were once wrong are tests with names.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"
#include "truth/oracle/sentences.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace cuda = co::cuda;
namespace rdna = co::rdna;
using namespace coalescing_tests;

namespace {

std::map<std::string, unsigned> kinds;  // how often which sort of sentence was looked at

template <class Instruction>
void look(std::vector<std::uint64_t> const& address, std::uint64_t active, serving const& how) {
  std::string const text = co::explain<Instruction>(address, active);
  looked_at in{{address.begin(), address.begin() + Instruction::lanes}, active, Instruction::bytes};
  if constexpr (requires { Instruction::source_bytes; }) in.bytes = Instruction::source_bytes;
  INFO(text);
  REQUIRE(contradiction(text) == "");
  std::istringstream sentences(why(text));
  for (std::string sentence; std::getline(sentences, sentence);) {
    REQUIRE(lie<Instruction>(sentence, in, how) == "");
    for (char const* words :
         {"each opens its own", " serves ", " begins ", "is used whole", "neighbours take 1: lanes", " alone take ",
          "different words", " wait for bank", "at least as often", "no number is above", "name byte", "is a request",
          " begins at byte ", " after lane ", " before lane "})
      if (has(sentence, words)) ++kinds[words];
  }
}

/// Random accesses of all kinds; and those that lie together but for an element, begin late, or are in no order.
template <class Instruction>
void check_one(serving const& how) {
  constexpr bool all = requires(co::access<Instruction::lanes> const& asked) { Instruction::check_lanes(asked); };
  std::mt19937_64 engine(7);
  auto const below = [&](std::uint64_t bound) { return engine() % bound; };
  random_accesses accesses(Instruction::bytes, Instruction::alignment, 1,
                           co::detail::capacity_of<Instruction> - co::detail::reach_of<Instruction>);
  constexpr unsigned step = co::detail::bytes_to_the_next_word<Instruction>;
  for (unsigned k = 0; k != share(160); ++k) {
    auto const made = accesses.next();
    std::vector<std::uint64_t> address(made.address.begin(), made.address.end());
    std::uint64_t active = all ? co::all_lanes : made.active;
    if (k % 2 != 0) {
      std::uint64_t const base = below(3) * below(33) * Instruction::alignment;
      for (unsigned lane = 0; lane != 64; ++lane) address[lane] = base + lane * step;
      if (k % 3 == 0)
        for (auto n = below(40) + 1; n != 0; --n) std::swap(address[below(64)], address[below(64)]);
      if (k % 5 == 0) address[below(64)] += below(64) * Instruction::alignment;
      if (k % 7 == 0) std::reverse(address.begin(), address.begin() + Instruction::lanes);
      if (k % 11 == 0)
        for (unsigned lane = 0; lane != 64; ++lane) address[lane] = base + (lane % 8 * 8 + lane / 8) * step;
      if (k % 13 == 0)
        for (unsigned lane = static_cast<unsigned>(below(64)); lane != 64; ++lane) address[lane] += 1024;
      if (k % 4 == 1) active = co::all_lanes;
    }
    look<Instruction>(address, active & co::detail::wave_mask<Instruction::lanes>, how);
  }
}
template <class... Instructions>
void check(serving const& how = together) {
  (check_one<Instructions>(how), ...);
}

}  // namespace

// ---- By name ----

TEST_CASE("nine lanes of gfx942's ds_read_b128 side by side have a conflict that they have not in place") {
  using read = cdna::gfx942::ds_read<128>;
  constexpr std::uint64_t nine = 0x10'07f1;  // lanes 0, 4 to 10 and 20: in place none meet
  constexpr auto packed = [](unsigned lane) { return 16ull * (lane == 0 ? 0 : lane == 20 ? 8 : lane - 3); };
  COALESCE_CHECK(co::cost<read>(packed, nine).conflicts == 1);
  COALESCE_CHECK(co::cost<read>(co::linear{.stride = 16}, nine).conflicts == 0);
  CHECK(head(co::explain<read>(packed, nine)) ==
        "cdna::gfx942::ds_read<128>: 64 lanes of 16 bytes, active: lanes 0, 4 to 10 and 20\n"
        "  rounds 9, ideal 8: 1 more\n"
        "  conflicts 1, ideal 0: 1 more\n"
        "  phases 8\n"
        "  ways 2, ideal 1: 2 times that\n"
        "Why: in phase 1 of 8 (lanes 0 and 20) lanes 0 and 20 want different words of bank 0: 2 rounds\n");
  CHECK(why(co::explain<read>(co::linear{.stride = 16}, nine)) ==
        "Why: no number is above its ideal, the cost of these lanes on neighbouring words\n");
}
TEST_CASE("GCN: a quad whose four words are in no order is a run; the quads after it are none") {
  constexpr auto words = [](unsigned lane) {
    unsigned const first[] = {0, 8, 4, 12};
    return lane < 4 ? first[lane] : lane < 16 ? 16 + 4 * ((lane - 4) * 5 % 12) : 4 * lane;
  };
  using load = gcn::buffer_load<32>;
  COALESCE_CHECK(co::cost<load>(words).clocks == 7);
  CHECK(why(co::explain<load>(words)) ==
        "Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 4 and 5 are 20 bytes apart\n");
  COALESCE_CHECK(co::cost<load>([=](unsigned lane) { return lane < 4 ? 4 * lane : words(lane); }).clocks == 7);
  COALESCE_CHECK(co::cost<load>([=](unsigned lane) { return lane < 4 ? words(lane) : 4 * lane; }).clocks == 4);
}
TEST_CASE("GCN: a quad reads a run where no two of its lanes break it") {
  std::mt19937_64 engine(5);
  unsigned runs = 0, none = 0;
  for (unsigned n = 0; n != share(4000); ++n) {
    co::access<64> asked{};
    asked.active = engine() % 16, asked.bytes = 4;
    for (unsigned lane = 0; lane != 4; ++lane) asked.address[lane] = 1000 + engine() % 5 * 4 + (engine() % 16 == 0);
    bool broken = false;
    for (unsigned a = 0; a != 4; ++a)
      for (unsigned b = 0; b != 4; ++b) broken = broken || gcn::rules::break_a_run<4>(asked, a, b);
    CHECK(broken != gcn::rules::reads_a_run<4>(asked, 0));
    ++(broken ? none : runs);
  }
  CHECK(runs > share(500));
  CHECK(none > share(500));
}
TEST_CASE("four floats of each 64 bytes: lane 3's sector is not its own") {
  CHECK(why(co::explain<cuda::cc90::load<32>>([](unsigned lane) { return lane / 4 * 64 + lane % 4 * 4; })) ==
        "Why: lanes 3 and 4 are 52 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its bytes "
        "are used\n");
}
TEST_CASE("of two sectors at a gap, that which is not used whole is named") {
  CHECK(
      why(co::explain<cuda::cc90::load<32>>([](unsigned lane) { return lane < 8 ? 4 * lane : 1028 + 4 * lane; })) ==
      "Why: lanes 7 and 8 are 1,032 bytes apart: the 32-byte sector at byte 1,056 serves lanes 8 to 14, and 28 of its "
      "bytes are used\n");
}
TEST_CASE("a late start is that of the lowest lane, in whatever order, and of lines where only lines are more") {
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.base = 128, .stride = -4})) ==
        "Why: lane 31 begins 4 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
        "with one\n");
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.base = 32, .stride = 4})) ==
        "Why: lane 0 begins 32 bytes into a 128-byte line, so the lanes reach into more of them than if they began "
        "with one\n");
}
TEST_CASE("CC 1.0: not where lanes begin in a sector is to blame, but that their half-warp is not coalesced") {
  // 16 bytes late: from byte 32 on they would be no better off, from 128 on they are.
  using float4 = cuda::cc10::load<128>;
  COALESCE_CHECK(co::cost<float4>(co::linear{.base = 16, .stride = 16}).transactions == 32);
  COALESCE_CHECK(co::cost<float4>(co::linear{.base = 32, .stride = 16}).transactions == 32);
  COALESCE_CHECK(co::cost<float4>(co::linear{.base = 128, .stride = 16}).transactions == 4);
  CHECK(why(co::explain<float4>(co::linear{.base = 16, .stride = 16})) ==
        "Why: lane 0 begins at byte 16: 16 lanes are coalesced only where lane k of them has word k from a multiple of "
        "128 bytes on\n");
  CHECK(why(co::explain<float4>(co::linear{.base = 32, .stride = 16})) ==
        "Why: lane 0 begins at byte 32: 16 lanes are coalesced only where lane k of them has word k from a multiple of "
        "128 bytes on\n");
  CHECK(why(co::explain<float4>(co::linear{.base = 128, .stride = 16})) ==
        "Why: no number is above its ideal, the cost of these lanes on neighbouring words\n");
  CHECK(why(co::explain<cuda::cc11::store<64>>(co::linear{.base = 152, .stride = 8})) ==
        "Why: lane 0 begins at byte 152: 16 lanes are coalesced only where lane k of them has word k from a multiple "
        "of 128 bytes on\n");
  CHECK(why(co::explain<cuda::cc10::load<32>>(co::linear{.base = 4, .stride = 4})) ==
        "Why: lane 0 begins at byte 4: 16 lanes are coalesced only where lane k of them has word k from a multiple of "
        "64 bytes on\n");
}
TEST_CASE("CC 1.0: lane k must have word k, in either half-warp") {
  CHECK(why(co::explain<cuda::cc10::load<32>>(co::linear{.base = 4096, .stride = -4})) ==
        "Why: lane 1 is 4 bytes before lane 0: 16 lanes are coalesced only where lane k of them has word k from a "
        "multiple of 64 bytes on\n");
  CHECK(why(co::explain<cuda::cc10::store<32>>(co::broadcast{.base = 64})) ==
        "Why: lane 1 is 0 bytes after lane 0: 16 lanes are coalesced only where lane k of them has word k from a "
        "multiple of 64 bytes on\n");
  // The first half-warp is coalesced, with a lane off; of the second lanes 20 and 23 follow each other.
  constexpr auto second = [](unsigned lane) { return 4 * lane + (lane < 23 ? 0 : 64); };
  CHECK(why(co::explain<cuda::cc11::load<32>>(second, 0xff90'fffd)) ==
        "Why: lane 23 is 76 bytes after lane 20: 16 lanes are coalesced only where lane k of them has word k from a "
        "multiple of 64 bytes on\n");
  // CC 1.2 asks for no order.
  CHECK(why(co::explain<cuda::cc12::load<32>>(co::linear{.base = 4092, .stride = -4})) ==
        "Why: no number is above its ideal, the cost of these lanes on neighbouring words\n");
}
TEST_CASE("CC 1.3: lanes that begin in a sector are late if they reach into fewer segments from every sector on") {
  // 24 floats upwards from byte 120 are three transactions, and so they are from the sector at 64 on; from that at 96
  // on they are two.
  constexpr auto down = co::linear{.base = 212, .stride = -4};
  using load = cuda::cc13::load<32>;
  COALESCE_CHECK(co::cost<load>(down, 0xff'ffff).transactions == 3);
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 212 - 24, .stride = -4}, 0xff'ffff).transactions == 2);
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 212 - 56, .stride = -4}, 0xff'ffff).transactions == 3);
  CHECK(why(co::explain<load>(down, 0xff'ffff)) ==
        "Why: the 128-byte segment at byte 128 serves lanes 0 to 15, and 64 of its bytes are used\n");
  CHECK(why(co::explain<load>(co::linear{.base = 68, .stride = 4}, 0xffff)) ==
        "Why: lane 0 begins 4 bytes into a 64-byte segment, so the lanes reach into more of them than if they began "
        "with one\n");
}
TEST_CASE("RDNA: a line that a lane of the other half reaches into from the line before it is not one lane's own") {
  // Lane 41 stores to [252, 264), lane 2 to [288, 300): both reach into the line at 256, in two halves of a wave.
  std::vector<std::uint64_t> address(64);
  address[2] = 288, address[8] = 108, address[41] = 252;
  using store = rdna::gfx1100::wave64::global_store<96>;
  std::string const reason = why(co::explain<store>(address, 1ull << 2 | 1ull << 8 | 1ull << 41));
  CHECK(!has(reason, "each opens its own"));
  CHECK(reason ==
        "Why: lanes 2 and 8 are 180 bytes apart: the 128-byte line at byte 256 serves lane 2, and 12 of its bytes are "
        "used\n");
  // Without it, it is.
  CHECK(has(why(co::explain<store>(address, 1ull << 2 | 1ull << 8)), "each opens its own 128-byte line"));
}
TEST_CASE("CC 1.0: a half-warp of few lanes is dearer coalesced, for its segments are whole") {
  // A lane on its own: two segments of 128 bytes at its place, a sector side by side.
  using float4 = cuda::cc10::load<128>;
  COALESCE_CHECK(co::cost<float4>(co::linear{.stride = 16}, 0b10).transactions == 2);
  COALESCE_CHECK(co::cost<float4>(co::linear{.base = 16, .stride = 16}, 0b10).transactions == 1);
  CHECK(why(co::explain<float4>(co::linear{.stride = 16}, 0b10)) ==
        "Why: the 128-byte segment at byte 0 serves lane 1, and 16 of its bytes are used\n");
  CHECK(why(co::explain<float4>(co::linear{.stride = 16}, 0xc000'0000)) ==
        "Why: the 128-byte segment at byte 256 serves no lane, and 0 of its bytes are used\n");
  // Beside a lane that has a sector of its own: that is none of the blame.
  CHECK(why(co::explain<float4>([](unsigned lane) { return lane < 16 ? 80u : 16 * lane; }, 0x4'0002)) ==
        "Why: the 128-byte segment at byte 256 serves lane 18, and 16 of its bytes are used\n");
}
TEST_CASE("CC 1.0: bytes in shared memory that neighbours broadcast better are explained") {
  // Lanes 3 and 4 are on one word, 9 and 10 on one of its bank: the best choices take 2 steps for the half-warp.
  std::vector<std::uint64_t> bytes(32);
  unsigned const lanes[] = {1, 3, 4, 9, 10, 11, 15, 17, 18, 19, 22, 23, 26},
                 at[] = {16126, 16128, 16129, 454, 455, 456, 460, 1166, 1167, 1168, 1171, 1172, 1879};
  std::uint64_t active = 0;
  for (unsigned k = 0; k != std::size(lanes); ++k) bytes[lanes[k]] = at[k], active |= std::uint64_t{1} << lanes[k];
  using load = cuda::cc10::shared_load<8>;
  CHECK(co::cost<load>(bytes, active).rounds_at_least == 4);
  CHECK(has(head(co::explain<load>(bytes, active)), "rounds_at_least 4, ideal 3: 1 more"));
  std::string const reason = why(co::explain<load>(bytes, active));
  CHECK(has(reason, "Why: in phase "));
  CHECK(lie<load>(reason.substr(0, reason.find('\n')), {bytes, active, 1}, together) == "");
  // In a store, bytes 81 and 83 are in one word; side by side, lanes 25 and 27 would store to two words.
  constexpr auto stored = [](unsigned lane) { return 56 + lane; };
  using store = cuda::cc10::shared_store<8>;
  COALESCE_CHECK(co::cost<store>(stored, 0xa00'e000).rounds == 5);
  COALESCE_CHECK(
      co::cost<store>([](unsigned lane) { return lane < 16    ? lane - 13
                                                 : lane == 25 ? 3u
                                                              : 4u; }, 0xa00'e000).rounds ==
      4);
  CHECK(why(co::explain<store>(stored, 0xa00'e000)) ==
        "Why: in phase 2 of 2 (lanes 25 and 27) lanes 25 and 27 wait for bank 4: 2 rounds\n");
}
TEST_CASE("CC 1.x: lanes of two half-warps are two requests of constants anyway, and not to blame") {
  // Lanes 12 and 21 are in two half-warps, lanes 21 and 29 in one.
  constexpr auto constants = [](unsigned lane) { return 4 * lane; };
  COALESCE_CHECK(co::cost<cuda::cc10::constant_load<32>>(constants, 0x2020'1000).requests == 3);
  CHECK(why(co::explain<cuda::cc10::constant_load<32>>(constants, 0x2020'1000)) ==
        "Why: lanes 21 and 29 are 32 bytes apart: each address is a request\n");
  // From CC 2.0 on, all lanes of a warp are served together, so the first two of them are blamed.
  CHECK(why(co::explain<cuda::cc20::constant_load<32>>(constants, 0x2020'1000)) ==
        "Why: lanes 12 and 21 are 36 bytes apart: each address is a request\n");
}
TEST_CASE("whole sectors that lie together, read across: the data stage is to blame") {
  constexpr auto across = [](unsigned lane) { return 16 * (lane % 4 * 8 + lane / 4); };
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(across).transactions == 16);
  CHECK(why(co::explain<cuda::cc90::load<128>>(across)) ==
        "Why: lanes 0 to 7 take 4 data_wavefronts, where neighbours take 1: lanes 0 and 1 alone take 2\n");
}
TEST_CASE("CC 1.3: segments that are used whole, and are more than neighbours take") {
  CHECK(why(co::explain<cuda::cc13::load<32>>(co::linear{.base = 96, .stride = 4}, 0xffff)) ==
        "Why: each of 2 pieces is used whole, where neighbours take 1: lane 0 begins at byte 96\n");
  CHECK(why(co::explain<cuda::cc13::load<32>>([](unsigned lane) { return 4 * lane + lane / 8 * 1024; }, 0xffff)) ==
        "Why: each of 2 pieces is used whole, where neighbours take 1: lanes 7 and 8 are 1,028 bytes apart\n");
}
TEST_CASE("CC 1.0: of stores of bytes five of one bank, where neighbours are four; and the bank is named") {
  // Lanes 16 to 20 write the bytes of one word and one 16 words on, the others bytes of banks of their own.
  constexpr auto bytes = [](unsigned lane) {
    return lane < 16 ? lane : lane < 20 ? 12 + lane - 16 : lane == 20 ? 76 : lane;
  };
  using store = cuda::cc10::shared_store<8>;
  COALESCE_CHECK(co::cost<store>(bytes).ways == 5);
  CHECK(co::phases<store>(bytes)[1] ==
        co::bank_phase{.lanes = 0xffff'0000, .rounds = 5, .bank = 3, .colliding = 0x1f'0000});
  CHECK(has(co::explain<store>(bytes).c_str(),
            "Why: in phase 2 of 2 (lanes 16 to 31) lanes 16 and 20 want different words of bank 3: 5 rounds\n"));
  // Loads of one word of each bank: rounds come of who is not broadcast to, and it has a bank with more lanes than one.
  CHECK(co::phases<cuda::cc10::shared_load<8>>([](unsigned lane) { return lane < 1 ? 0u : 4u; }, 0xf)[0] ==
        co::bank_phase{.lanes = 0xf, .rounds = 2, .bank = 1, .colliding = 0xe});
}
TEST_CASE("conflicts that neighbours have too are no 'nothing'") {
  CHECK(why(co::explain<cuda::cc20::shared_load<128>>(co::linear{.stride = 16})) ==
        "Why: these lanes conflict at least as often on neighbouring words\n");
}

/// The ideal by the words of its definition: each number of two accesses, the lesser.
template <class Instruction>
unsigned check_ideal() {
  std::mt19937_64 engine(3);
  unsigned in_place_is_less = 0;
  for (unsigned n = 0; n != share(300); ++n) {
    std::uint64_t const active =
        (n % 2 == 0 ? engine() : engine() & engine()) & co::detail::wave_mask<Instruction::lanes>;
    std::vector<std::uint64_t> side_by_side(64), in_place(64);
    unsigned next = 0;
    for (unsigned lane = 0; lane != 64; ++lane) {
      in_place[lane] = lane * Instruction::bytes;
      if ((active >> lane & 1) != 0) side_by_side[lane] = next++ * Instruction::bytes;
    }
    auto const asked =
        co::detail::apply<Instruction::lanes>(side_by_side, active, co::detail::limits_of<Instruction>());
    auto const ideal = co::detail::ideal_of<Instruction>(asked);
    auto const one = co::cost<Instruction>(side_by_side, active), other = co::cost<Instruction>(in_place, active);
    auto const check = [&]<auto... Members>(co::detail::members<Members...>) {
      CHECK(((ideal.*Members == std::min(one.*Members, other.*Members)) && ...));
      in_place_is_less += ((other.*Members < one.*Members) || ...);
    };
    check(typename Instruction::cost_type::numbers{});
  }
  return in_place_is_less;
}
TEST_CASE("the ideal is, of each number, the lesser of side by side and in place") {
  CHECK(check_ideal<cdna::gfx942::ds_read<128>>() > share(50));
  CHECK(check_ideal<cuda::cc10::load<32>>() > share(50));
  CHECK(check_ideal<cuda::cc10::shared_store<8>>() > share(50));
  CHECK(check_ideal<cuda::cc20::load<64>>() > share(1));
  CHECK(check_ideal<cuda::cc90::load<128>>() == 0);
  CHECK(check_ideal<gcn::buffer_load<32>>() == 0);
}

// ---- Random accesses ----

TEST_CASE("what is said of accesses to NVIDIA's global memory is true, and agrees with the numbers") {
  check<cuda::cc10::load<8>, cuda::cc10::load<32>, cuda::cc10::load<128>, cuda::cc10::store<64>, cuda::cc11::load<32>,
        cuda::cc11::store<128>>(in_order);
  check<cuda::cc12::load<64>, cuda::cc13::load<8>, cuda::cc13::load<16>, cuda::cc13::load<32>, cuda::cc13::load<64>,
        cuda::cc13::store<128>>(by_protocol);
  check<cuda::cc20::load<32>, cuda::cc20::load<128>, cuda::cc20::store<64>, cuda::cc35::load<64>,
        cuda::cc20::atomic<32>>(in_parts);
  check<cuda::cc52::load<32>, cuda::cc61::load<128>, cuda::cc61::store<64>, cuda::cc90::load<8>, cuda::cc90::load<32>,
        cuda::cc90::load<64>, cuda::cc90::load<128>, cuda::cc90::store<8>, cuda::cc90::store<32>,
        cuda::cc90::store<128>, cuda::cc100::load<256>, cuda::cc100::store<256>, cuda::cc90::atomic<64>,
        cuda::cc90::constant_load<32>, cuda::cc10::constant_load<32>, cuda::cc13::constant_load<64>,
        cuda::cc80::cp_async<16>::global, cuda::cc80::cp_async<16, 0>::global, cuda::cc80::cp_async<8, 4>::global>();
}
TEST_CASE("what is said of accesses to shared memory is true, and agrees with the numbers") {
  check<cuda::cc10::shared_load<8>, cuda::cc10::shared_load<16>, cuda::cc10::shared_load<32>,
        cuda::cc10::shared_load<64>, cuda::cc13::shared_load<128>, cuda::cc10::shared_store<8>,
        cuda::cc10::shared_store<16>, cuda::cc10::shared_store<32>, cuda::cc20::shared_load<64>,
        cuda::cc20::shared_load<128>, cuda::cc20::shared_atomic<32>, cuda::cc35::shared_load<32>,
        cuda::cc35::shared_load<128>, cuda::cc35::shared_load<64, cuda::shared_mode::eight_byte_banks>,
        cuda::cc75::shared_load<64, cuda::shared_mode::pair_merge>,
        cuda::cc75::shared_load<128, cuda::shared_mode::pair_merge>, cuda::cc90::shared_load<8>,
        cuda::cc90::shared_load<32>, cuda::cc90::shared_load<128>, cuda::cc90::shared_atomic<64>,
        cuda::cc90::ldmatrix<4>, cuda::cc90::ldmatrix<1>, cuda::cc100::ldmatrix<2, cuda::matrix::m16n16_trans_b8>,
        cuda::cc90::stmatrix<2>, cuda::cc80::cp_async<4>::shared>();
}
TEST_CASE("what is said of accesses of GCN and CDNA is true, and agrees with the numbers") {
  check<gcn::buffer_load<8>, gcn::buffer_load<16>, gcn::buffer_load<32>, gcn::buffer_load<128>, gcn::buffer_load<16, 4>,
        gcn::buffer_store<32>, gcn::buffer_store<96>, gcn::buffer_atomic<64>, gcn::image_sample<64>, gcn::s_load<16>,
        gcn::ds_read<32>, gcn::ds_read<96>, gcn::ds_read<128>, gcn::ds_write<8>, gcn::ds_write<128>>();
  check<cdna::gfx942::global_load<8>, cdna::gfx942::global_load<96>, cdna::gfx942::global_load<128>,
        cdna::gfx942::global_store<32>, cdna::gfx90a::global_load<64>, cdna::gfx942::global_atomic<64>,
        cdna::gfx942::ds_read2<64, 0, 255>, cdna::gfx942::ds_read<128>, cdna::gfx950::ds_read<64>,
        cdna::gfx950::ds_read<96>, cdna::gfx950::ds_read<128>, cdna::gfx950::ds_read_tr<64>, cdna::gfx950::ds_write<32>,
        cdna::gfx950::global_load_lds<128>::global, cdna::gfx942::ds_atomic<32>>();
}
TEST_CASE("what is said of accesses of RDNA is true, and agrees with the numbers") {
  check<rdna::gfx1030::global_load<32>, rdna::gfx1030::global_load<64>, rdna::gfx1030::global_load<128>,
        rdna::gfx1100::global_atomic<64>, rdna::gfx1201::s_load<3>, rdna::gfx1100::s_load<16>>();
  check<rdna::gfx1030::wave64::global_load<64>, rdna::gfx1100::wave64::global_store<96>>(in_parts);
  check<rdna::gfx1100::wave64::ds_load<128>, rdna::gfx1100::ds_load<32>, rdna::gfx1201::wave64::ds_load<8>,
        rdna::gfx1100::wave64::ds_store<16>>();
}
TEST_CASE("every sort of sentence was said, and looked at") {  // so it comes after them
  for (char const* words :
       {"each opens its own", " serves ", " begins ", "is used whole", "neighbours take 1: lanes", " alone take ",
        "different words", " wait for bank", "at least as often", "no number is above", "name byte", "is a request",
        " begins at byte ", " after lane ", " before lane "}) {
    INFO(std::string(words));
    CHECK(kinds[words] >= share(10));
  }
}
TEST_CASE("control: each sentence that is not true is noticed") {
  std::vector<std::uint64_t> address(32);
  for (unsigned lane = 0; lane != 32; ++lane) address[lane] = lane / 4 * 64 + lane % 4 * 4;
  looked_at const tiles{address, 0xffff'ffff, 4};
  using load = cuda::cc90::load<32>;
  auto const said = [&](char const* words) { return lie<load>(words, tiles, together); };
  CHECK(said("Why: lanes 3 and 4 are 52 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its "
             "bytes are used") == "");
  CHECK(said("Why: lanes 3 and 4 are 52 bytes apart: each opens its own 32-byte sector and uses 16 bytes of it") ==
        "not its own");
  CHECK(said("Why: lanes 3 and 4 are 51 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its "
             "bytes are used") == "not so far apart");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lanes 0 to 3, and 12 of its bytes are used") == "uses others");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lanes 0 to 2, and 12 of its bytes are used") ==
        "serves others too");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lanes 3 and 4, and 4 of its bytes are used") ==
        "serves no such lane");
  CHECK(
      said("Why: lane 1 begins 4 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
           "with one") == "they reach as far from there");
  CHECK(said("Why: lane 1 begins 8 bytes into a 32-byte sector, so") == "begins elsewhere");
  CHECK(said("Why: each of 8 pieces is used whole, where neighbours take 4: lanes 3 and 4 are 52 bytes apart") ==
        "not whole");
  CHECK(said("Why: lanes 0 to 31 name byte 0: their operations follow one another") == "another byte");
  CHECK(said("Why: no lane is active") == "one is");
  CHECK(said("Why: it is slow").substr(0, 7) == "unknown");
  CHECK(contradiction("  rounds 8\n  ways 5, ideal 4: 1 more\nWhy: no number is above its ideal") ==
        "something is dearer");
  CHECK(contradiction("  rounds 8\n  conflicts 1\nWhy: no number is above its ideal") == "there are conflicts");
  CHECK(contradiction("  rounds 8\nWhy: in phase 1") == "nothing is dearer");

  // GCN: lanes 0 to 3 read a run, 4 and 5 no run.
  address.resize(64);
  for (unsigned lane = 0; lane != 64; ++lane) address[lane] = 4 * lane;
  address[1] = 8, address[2] = 4, address[5] = 36, address[9] = 20;
  looked_at const quads{address, co::all_lanes, 4};
  auto const of_gcn = [&](char const* words) { return lie<gcn::buffer_load<32>>(words, quads, together); };
  CHECK(of_gcn("Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 4 and 5 are 20 bytes apart") == "");
  CHECK(of_gcn("Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 0 and 1 are 8 bytes apart") ==
        "innocent");
  CHECK(of_gcn("Why: lanes 0 to 15 take 3 clocks, where neighbours take 1: lanes 4 and 5 are 20 bytes apart") ==
        "takes another number");
}
TEST_CASE("control: each untrue sentence about CC 1.x is noticed") {
  std::vector<std::uint64_t> address(32);
  for (unsigned lane = 0; lane != 32; ++lane) address[lane] = 16 + 16 * lane;
  address[20] = 4096;
  looked_at const late{address, 0xffff'ffff, 16};
  std::string const rule = ": 16 lanes are coalesced only where lane k of them has word k from a multiple of ";
  auto const said = [&](std::string const& words, serving const& how = in_order) {
    return lie<cuda::cc10::load<128>>(words, late, how);
  };
  CHECK(said("Why: lane 0 begins at byte 16" + rule + "128 bytes on") == "");
  CHECK(said("Why: lane 0 begins at byte 16" + rule + "128 bytes on", by_protocol) == "of another machine");
  CHECK(said("Why: lane 0 begins at byte 16" + rule + "64 bytes on") == "another rule");
  CHECK(said("Why: lane 0 begins at byte 32" + rule + "128 bytes on") == "it begins elsewhere");
  CHECK(said("Why: lane 1 begins at byte 32" + rule + "128 bytes on") == "it begins elsewhere");
  CHECK(said("Why: lane 16 begins at byte 272" + rule + "128 bytes on") == "lanes are in no order");
  CHECK(said("Why: lane 20 is 3,776 bytes after lane 19" + rule + "128 bytes on") == "");
  CHECK(said("Why: lane 20 is 3,776 bytes before lane 19" + rule + "128 bytes on") == "not so far");
  CHECK(said("Why: lane 19 is 16 bytes after lane 18" + rule + "128 bytes on") == "they are in order");
  CHECK(said("Why: lane 16 is 16 bytes after lane 15" + rule + "128 bytes on") ==
        "the other lane is of another half-warp");
  CHECK(said("Why: lane 0 begins 16 bytes into a 32-byte sector, so the lanes reach into more of them") ==
        "they reach as far from there");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lane 0, and 16 of its bytes are used") == "");
  CHECK(said("Why: the 64-byte segment at byte 0 serves lane 0, and 16 of its bytes are used") == "no such piece");

  // In order from an aligned base, and lanes on their own, which no order helps.
  for (unsigned lane = 0; lane != 32; ++lane) address[lane] = lane < 16 ? 16 * lane : 16;
  looked_at const well{address, 0xffff'ffff, 16}, alone{address, 0x1'0000, 16};
  CHECK(lie<cuda::cc10::load<128>>("Why: lane 0 begins at byte 0" + rule + "128 bytes on", well, in_order) ==
        "it begins well");
  CHECK(lie<cuda::cc10::load<128>>("Why: lane 16 begins at byte 16" + rule + "128 bytes on", alone, in_order) ==
        "innocent");

  // Banks: lanes 0 and 16 are of two half-warps; constants too.
  for (unsigned lane = 0; lane != 32; ++lane) address[lane] = lane < 16 ? 4 * lane : 4 * lane + lane % 2 * 64;
  looked_at const banks{address, 0xffff'ffff, 4};
  auto const of_banks = [&](char const* words) { return lie<cuda::cc10::shared_load<32>>(words, banks, together); };
  CHECK(of_banks("Why: in phase 1 of 2 (lanes 0 to 15) lanes 0 and 1 want different words of bank 0: 1 rounds") ==
        "innocent");
  CHECK(of_banks("Why: in phase 1 of 2 (lanes 0 to 15) lanes 0 and 16 want different words of bank 0: 1 rounds") ==
        "of another phase");
  for (unsigned lane = 0; lane != 32; ++lane) address[lane] = 64 * (lane % 16);
  looked_at const column{address, 0xffff'ffff, 4};
  auto const of_column = [&](char const* words) { return lie<cuda::cc10::shared_load<32>>(words, column, together); };
  CHECK(of_column("Why: in phase 1 of 2 (lanes 0 to 15) lanes 0 to 15 want different words of bank 0: 16 rounds") ==
        "");
  CHECK(of_column("Why: in phase 1 of 2 (lanes 0 to 15) lanes 0 to 15 want different words of bank 1: 16 rounds") ==
        "wants nothing there");
  CHECK(lie<cuda::cc10::constant_load<32>>("Why: lanes 15 and 16 are 960 bytes apart: each address is a request",
                                           column, together) == "no more requests than neighbours");
  CHECK(lie<cuda::cc10::constant_load<32>>("Why: lanes 14 and 15 are 64 bytes apart: each address is a request", column,
                                           together) == "");
}
