// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "amd/lds.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <string>
#include <vector>

// LDS, scalar loads and occupancy of CDNA 2.

namespace co = coalescing;
using namespace coalescing_tests;
using co::cdna::gfx90a, co::cdna::gfx942, co::cdna::gfx950;

namespace {

template <class Instruction>
constexpr co::bank_cost<> strided(std::int64_t stride) {
  return co::cost<Instruction>(co::linear{.stride = stride});
}
/// The phases by bits of the lane's number, as rocKE's profile of gfx90a has them: lanes of equal keys go together.
enum class key { bit_5, bits_5_and_4, reads_of_16_bytes, writes_of_16_bytes };
std::vector<std::vector<unsigned>> lanes_by(key of) {
  std::vector<std::vector<unsigned>> phases(of == key::bit_5 ? 2 : of == key::bits_5_and_4 ? 4 : 8);
  for (unsigned lane = 0; lane != 64; ++lane) {
    unsigned const b5 = lane >> 5 & 1, b4 = lane >> 4 & 1, b3 = lane >> 3 & 1, b2 = lane >> 2 & 1;
    unsigned const phase = of == key::bit_5               ? b5
                           : of == key::bits_5_and_4      ? 2 * b5 + b4
                           : of == key::reads_of_16_bytes ? 4 * b5 + 2 * b3 + (b4 ^ b2)
                                                          : 4 * b5 + 2 * b4 + b3;
    phases[phase].push_back(lane);
  }
  return phases;
}
template <class Instruction>
unsigned disagreements(key of, unsigned count) {
  auto const phases = lanes_by(of);
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes, Instruction::capacity);
  unsigned found = 0;
  for (unsigned n = 0; n != count; ++n) found += !lds_agrees<Instruction>(accesses.next(), phases, 32);
  return found;
}

}  // namespace

TEST_CASE("PROF, MI250: one lane is 2 rounds without a conflict, lanes 0 and 1 128 bytes apart are 3 with one") {
  constexpr co::linear columns{.stride = 128};
  COALESCE_CHECK(co::cost<gfx90a::ds_read<32>>(columns, 1) ==
                 co::bank_cost<>{.rounds = 2, .conflicts = 0, .phases = 2, .ways = 1});
  COALESCE_CHECK(co::cost<gfx90a::ds_read<32>>(columns, 3) ==
                 co::bank_cost<>{.rounds = 3, .conflicts = 1, .phases = 2, .ways = 2});
}
TEST_CASE("rocKE, gfx90a: half waves of 4 bytes, quarters of 8, eight phases of 16, on 32 banks") {
  COALESCE_CHECK(strided<gfx90a::ds_read<32>>(4).rounds == 2);
  COALESCE_CHECK(strided<gfx90a::ds_read<64>>(8).rounds == 4);
  COALESCE_CHECK(strided<gfx90a::ds_read<128>>(16).rounds == 8);
  COALESCE_CHECK(strided<gfx90a::ds_write<64>>(16).conflicts == 4);
  COALESCE_CHECK(strided<gfx90a::ds_write<128>>(128).rounds == 64);
  // A read serves lanes 0 and 20 together, a write lanes 0 and 7.
  constexpr auto far = [](unsigned lane) { return lane == 20 ? 128 : lane == 0 ? 0 : 16; };
  constexpr auto near = [](unsigned lane) { return lane == 7 ? 128 : lane == 0 ? 0 : 16; };
  COALESCE_CHECK(co::cost<gfx90a::ds_read<128>>(far).conflicts == 1);
  COALESCE_CHECK(co::cost<gfx90a::ds_read<128>>(near).conflicts == 0);
  COALESCE_CHECK(co::cost<gfx90a::ds_write<128>>(far).conflicts == 0);
  COALESCE_CHECK(co::cost<gfx90a::ds_write<128>>(near).conflicts == 1);
}
TEST_CASE("Omniprobe: bytes and shorts by half waves, as dwords") {
  COALESCE_CHECK(strided<gfx90a::ds_read<8>>(1).rounds == 2);
  COALESCE_CHECK(strided<gfx90a::ds_write<16>>(2).rounds == 2);
  COALESCE_CHECK(strided<gfx90a::ds_write<8>>(128).rounds == 64);
}
TEST_CASE("what is measured, documented and inferred of gfx90a's LDS") {
  using enum co::evidence;
  COALESCE_CHECK(gfx90a::ds_read<32>::sources.rounds.evidence == measured);
  COALESCE_CHECK(gfx90a::ds_read<16>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx90a::ds_read<128>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx90a::ds_write<64>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx90a::ds_read<96>::sources.rounds.evidence == inferred);
}
TEST_CASE("rocKE's keys give the phases of every width, on 1,000 random accesses each") {
  CHECK(disagreements<gfx90a::ds_read<32>>(key::bit_5, share(1'000)) == 0);
  CHECK(disagreements<gfx90a::ds_write<32>>(key::bit_5, share(1'000)) == 0);
  CHECK(disagreements<gfx90a::ds_read<8>>(key::bit_5, share(1'000)) == 0);
  CHECK(disagreements<gfx90a::ds_read<64>>(key::bits_5_and_4, share(1'000)) == 0);
  CHECK(disagreements<gfx90a::ds_write<64>>(key::bits_5_and_4, share(1'000)) == 0);
  CHECK(disagreements<gfx90a::ds_read<128>>(key::reads_of_16_bytes, share(1'000)) == 0);
  CHECK(disagreements<gfx90a::ds_write<128>>(key::writes_of_16_bytes, share(1'000)) == 0);
  // rocKE has gfx942 as gfx90a.
  CHECK(disagreements<gfx942::ds_write<32>>(key::bit_5, share(1'000)) == 0);
  CHECK(disagreements<gfx942::ds_write<64>>(key::bits_5_and_4, share(1'000)) == 0);
  CHECK(disagreements<gfx942::ds_read<128>>(key::reads_of_16_bytes, share(1'000)) == 0);
  CHECK(disagreements<gfx950::ds_write<128>>(key::writes_of_16_bytes, share(1'000)) == 0);
}
TEST_CASE("control: another key disagrees") {
  CHECK(disagreements<gfx90a::ds_read<32>>(key::bits_5_and_4, 100) > 0);
  CHECK(disagreements<gfx90a::ds_read<64>>(key::bit_5, 100) > 0);
  CHECK(disagreements<gfx90a::ds_read<128>>(key::writes_of_16_bytes, 100) > 0);
  CHECK(disagreements<gfx90a::ds_write<128>>(key::reads_of_16_bytes, 100) > 0);
}

TEST_CASE("scalar loads: lines of 64 bytes; on CDNA 3 and 4 they are taken over") {
  COALESCE_CHECK(co::cost<gfx90a::s_load<16>>(co::linear{}).transactions == 1);
  COALESCE_CHECK(co::cost<gfx90a::s_load<16>>(co::linear{.base = 4}).transactions == 2);
  COALESCE_CHECK(co::cost<gfx942::s_load<2>>(co::linear{.base = 60}).bytes_moved == 128);
  COALESCE_CHECK(co::cost<gfx950::s_load<1>>(co::linear{.base = 60}).bytes_used == 4);
  COALESCE_CHECK(gfx90a::s_load<4>::lanes == 1);
  COALESCE_CHECK(gfx90a::s_load<4>::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(gfx942::s_load<4>::sources.transactions.evidence == co::evidence::inferred);
}
#ifdef __cpp_exceptions
TEST_CASE("a scalar load that is not aligned as a dword is refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx90a::s_load<1>>(co::broadcast{2})), co::misuse);
}
TEST_CASE("LDS ends at 64 KiB") {
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx90a::ds_read<128>>(co::broadcast{65536 - 16})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx90a::ds_read<128>>(co::broadcast{65536})), co::misuse);
}
#endif

TEST_CASE("occupancy is that of gfx942: 512 registers a lane, 8 waves, 64 KiB of LDS in granules of 512 bytes") {
  COALESCE_CHECK(gfx90a::occupancy({.arch_vgprs = 64}).waves == 8);
  COALESCE_CHECK(gfx90a::occupancy({.arch_vgprs = 65, .acc_vgprs = 64}).waves == 3);
  COALESCE_CHECK(gfx90a::occupancy({.lds_bytes = 16384, .work_group_size = 256}).waves == 4);
  COALESCE_CHECK(gfx90a::lds_allocated(1) == 512);
  COALESCE_CHECK(gfx90a::lds_bytes == 65536);
}
