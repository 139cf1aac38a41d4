// SPDX-License-Identifier: BSL-1.0
//
// buffer_load and buffer_store of CDNA and RDNA: as global_load and global_store at the addresses in memory.
#include <coalesce/cdna.hpp>
#include <coalesce/rdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <cstdint>
#include <set>
#include <string_view>

namespace co = coalescing;
namespace cdna = co::cdna;
namespace rdna = co::rdna;
using namespace coalescing_tests;

namespace {

template <class Instruction>
concept has_clocks = requires(typename Instruction::cost_type const& cost) {
  cost.clocks;
};

}  // namespace

TEST_CASE("64 lanes on neighbouring dwords: lines of L1 on loads, requests of 64 bytes on stores") {
  constexpr auto rows = co::linear{.stride = 4};
  COALESCE_CHECK(co::cost<cdna::gfx90a::buffer_load<32>>(rows).transactions == 4);
  COALESCE_CHECK(co::cost<cdna::gfx942::buffer_load<32>>(rows).transactions == 2);
  COALESCE_CHECK(co::cost<cdna::gfx950::buffer_load<32>>(rows).quads == 16);
  COALESCE_CHECK(co::cost<cdna::gfx942::buffer_store<32>>(rows).transactions == 4);
  COALESCE_CHECK(co::cost<cdna::gfx942::buffer_store<32>>(co::broadcast{}).operations == 1);
  COALESCE_CHECK(co::cost<rdna::gfx1100::buffer_load<32>>(rows).transactions == 1);
  COALESCE_CHECK(co::cost<rdna::gfx1100::wave64::buffer_store<32>>(co::broadcast{}).transactions == 2);
  // Half of the lanes are out of the descriptor's range: they read 0, and ask for nothing.
  COALESCE_CHECK(co::cost<cdna::gfx942::buffer_load<128>>(co::linear{.stride = 16}, 0xffff'ffff).transactions == 4);
}
TEST_CASE("gfx1030's buffer_load has no clocks, and may lie at any dword, also of 64 bits") {
  using load = rdna::gfx1030::buffer_load<64>;
  static_assert(!has_clocks<load> && has_clocks<rdna::gfx1030::global_load<64>>);
  COALESCE_CHECK(load::alignment == 4);
  COALESCE_CHECK(rdna::gfx1030::global_load<64>::alignment == 8);
}
TEST_CASE("every number is inferred, apart from those that only count, and the rule is named") {
  using enum co::evidence;
  COALESCE_CHECK(cdna::gfx942::buffer_load<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(cdna::gfx942::buffer_store<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(rdna::gfx1201::buffer_load<32>::sources.transactions.evidence == inferred);
  auto const names_it = [](co::fact_list const& facts) {
    bool named = false;
    for (auto const& fact : facts) named = named || std::string_view(fact.name) == "buffer accesses";
    return named;
  };
  CHECK(names_it(cdna::gfx942::buffer_load<32>::rests_on));
  CHECK(names_it(rdna::gfx1030::buffer_store<32>::rests_on));
  CHECK(!names_it(cdna::gfx942::global_load<32>::rests_on));
}

namespace {

/// The aligned pieces that the lanes touch, byte by byte; each half of a wave of 64 lanes on its own if `halves`.
std::uint64_t pieces(random_access const& made, unsigned lanes, unsigned bytes, unsigned size, bool halves) {
  std::set<std::uint64_t> seen;
  for (unsigned lane = 0; lane != lanes; ++lane)
    for (unsigned byte = 0; (made.active >> lane & 1) != 0 && byte != bytes; ++byte)
      seen.insert((made.address[lane] + byte) / size * 2 + (halves ? lane / 32 : 0));
  return seen.size();
}
template <class Instruction>
unsigned disagreements(unsigned size, bool halves, unsigned questions) {
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes, std::uint64_t{1} << 40);
  unsigned found = 0;
  for (unsigned n = 0; n != questions; ++n) {
    auto made = accesses.next();
    made.active &= co::detail::wave_mask<Instruction::lanes>;
    auto const right = pieces(made, Instruction::lanes, Instruction::bytes, size, halves);
    auto const cost = co::cost<Instruction>(made.address, made.active);
    found += cost.transactions != right || cost.bytes_moved != size * right;
  }
  return found;
}

}  // namespace

TEST_CASE("buffers agree with sets of pieces, on 14,000 random accesses; control: pieces of another size do not") {
  unsigned const each = share(2'000);
  CHECK(disagreements<cdna::gfx90a::buffer_load<96>>(64, false, each) == 0);
  CHECK(disagreements<cdna::gfx942::buffer_load<128>>(128, false, each) == 0);
  CHECK(disagreements<cdna::gfx950::buffer_load<16>>(128, false, each) == 0);
  CHECK(disagreements<cdna::gfx942::buffer_store<64>>(64, false, each) == 0);
  CHECK(disagreements<rdna::gfx1100::buffer_load<32>>(128, false, each) == 0);
  CHECK(disagreements<rdna::gfx1030::wave64::buffer_load<64>>(128, true, each) == 0);
  CHECK(disagreements<rdna::gfx1201::wave64::buffer_store<128>>(128, true, each) == 0);
  CHECK(disagreements<cdna::gfx942::buffer_load<128>>(64, false, each) != 0);
  CHECK(disagreements<rdna::gfx1201::wave64::buffer_store<128>>(128, false, each) != 0);
}
