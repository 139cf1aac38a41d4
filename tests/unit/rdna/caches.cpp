// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna/caches.hpp>
#include <coalesce/rdna/maintenance.hpp>

#include "unit/check.hpp"

#include <sstream>
#include <string>

namespace co = coalescing;
namespace rdna = co::rdna;
using rdna::bits, rdna::cache_op, rdna::cache_scope, rdna::gfx10, rdna::gfx11, rdna::gfx12, rdna::gfx1250,
    rdna::l2_policy;
using rdna::instruction_format, rdna::temporal_hint;

// ---- Bits. Every value is compared with LLVM by tests/outside/llvm/rdna_bits.cpp ----

TEST_CASE("RDNA: what one aux operand says by family: 16 is gfx12's device, and no bit of gfx10 and gfx11") {
  COALESCE_CHECK(rdna::from_aux<rdna::gfx1201>(16) == bits<gfx12>{.scope = cache_scope::dev});
  COALESCE_CHECK(rdna::from_aux<rdna::gfx1201>(17) == bits<gfx12>{.th = 1, .scope = cache_scope::dev});
  COALESCE_CHECK(rdna::from_aux<rdna::gfx1201>(24) == bits<gfx12>{.scope = cache_scope::sys});
  COALESCE_CHECK(rdna::from_aux<rdna::gfx1201>(2).th == 2);  // high priority; NT of gfx942
  COALESCE_CHECK(rdna::from_aux<rdna::gfx1100>(1) == bits<gfx11>{.glc = true});
  COALESCE_CHECK(rdna::from_aux<rdna::gfx1030>(6) == bits<gfx10>{.slc = true, .dlc = true});
}
TEST_CASE("RDNA: texts") {
  using rdna::access_kind;
  COALESCE_CHECK(rdna::from_aux<gfx11>(7).text(access_kind::load) == "glc slc dlc");
  COALESCE_CHECK(rdna::from_aux<gfx11>(4).text(access_kind::store) == "dlc");
  COALESCE_CHECK(rdna::from_aux<gfx12>(17).text(access_kind::load) == "th:TH_LOAD_NT scope:SCOPE_DEV");
  COALESCE_CHECK(rdna::from_aux<gfx12>(27).text(access_kind::store) == "th:TH_STORE_BYPASS scope:SCOPE_SYS");
  COALESCE_CHECK(rdna::from_aux<gfx1250>(1).text(access_kind::atomic) == "th:TH_ATOMIC_RETURN");
  COALESCE_CHECK(rdna::from_aux<gfx12>(0).text(access_kind::load).empty());
}
TEST_CASE("RDNA: where the bits stand in the instruction, as llvm-mc gives them") {
  using enum instruction_format;
  COALESCE_CHECK(bits<gfx10>{.glc = true}.encoding(global) == 1ull << 16);
  COALESCE_CHECK(bits<gfx10>{.slc = true}.encoding(buffer) == 1ull << 54);
  COALESCE_CHECK(bits<gfx10>{.dlc = true}.encoding(scalar) == 1ull << 14);
  COALESCE_CHECK(bits<gfx11>{.slc = true}.encoding(buffer) == 1ull << 12);
  COALESCE_CHECK(bits<gfx12>{.th = 5, .scope = cache_scope::sys}.encoding(global) == (5ull << 52 | 3ull << 50));
  COALESCE_CHECK(bits<gfx1250>{.th = 2, .scope = cache_scope::se}.encoding(scalar) == (2ull << 23 | 1ull << 21));
  COALESCE_CHECK(bits<gfx1250>::decode(2ull << 23 | 1ull << 21, scalar) ==
                 bits<gfx1250>{.th = 2, .scope = cache_scope::se});
  COALESCE_CHECK(bits<gfx12>::decode(0xffff'ffff'ffff'ffff, scalar) == bits<gfx12>{.th = 3, .scope = cache_scope::sys});
}

// ---- gfx11: ISA3 4.1.1 as it stands, row by row ----

namespace {

constexpr char const* gfx11_loads =  // DLC SLC GLC, L0, GL1, GL2, MALL
    "0 0 0 HIT_LRU HIT_LRU LRU alloc\n"
    "0 0 1 MISS_EVICT MISS_EVICT LRU alloc\n"
    "0 1 0 HIT_LRU HIT_EVICT STREAM alloc\n"
    "0 1 1 MISS_EVICT MISS_EVICT STREAM alloc\n"
    "1 0 0 HIT_LRU HIT_LRU LRU noalloc\n"
    "1 0 1 MISS_EVICT MISS_EVICT LRU noalloc\n"
    "1 1 0 HIT_LRU HIT_EVICT STREAM noalloc\n"
    "1 1 1 MISS_EVICT MISS_EVICT STREAM noalloc\n";

std::string name(cache_op op) {
  char const* const names[] = {"HIT_LRU", "HIT_EVICT", "MISS_EVICT"};
  return names[static_cast<unsigned>(op)];
}
/// Cells that differ from the table, of all rows with that GLC added.
unsigned gfx11_differences(bool force_glc) {
  std::istringstream rows{gfx11_loads};
  unsigned found = 0, count = 0;
  std::string dlc, slc, glc, l0, gl1, gl2, mall;
  while (rows >> dlc >> slc >> glc >> l0 >> gl1 >> gl2 >> mall) {
    auto const row =
        rdna::caches_of_load<gfx11>({.glc = glc == "1" || force_glc, .slc = slc == "1", .dlc = dlc == "1"});
    found += name(row.l0) != l0;
    found += name(row.gl1) != gl1;
    found += (row.gl2 == l2_policy::lru ? "LRU" : "STREAM") != gl2;
    found += (row.allocates_in_mall ? "alloc" : "noalloc") != mall;
    ++count;
  }
  CHECK(count == 8);
  return found;
}

}  // namespace

TEST_CASE("ISA3 4.1.1: all eight rows of loads on gfx11") { CHECK(gfx11_differences(false) == 0); }
TEST_CASE("control: GLC set where it is not is told apart, in two cells of four rows") {
  CHECK(gfx11_differences(true) == 2 * 4);
}
TEST_CASE("ISA3 4.1.1: stores and atomics on gfx11 are of device scope: SLC is for GL2, DLC for MALL") {
  for (unsigned aux = 0; aux != 8; ++aux)
    CHECK(rdna::caches_of_store<gfx11>(rdna::from_aux<gfx11>(aux)) ==
          rdna::store_caches_gfx11{aux & 2 ? l2_policy::stream : l2_policy::lru, (aux & 4) == 0});
  COALESCE_CHECK(rdna::returns_value<gfx11>({.glc = true}));
  COALESCE_CHECK(!rdna::returns_value<gfx10>({.slc = true}));
}

// ---- gfx10: where Mesa and LLVM say the same ----

TEST_CASE("gfx10 loads: compute unit, shader array, device, non-temporal") {
  COALESCE_CHECK(rdna::caches_of_load<gfx10>({}) == rdna::load_caches_gfx10{true, true, false});
  COALESCE_CHECK(rdna::caches_of_load<gfx10>({.glc = true}) == rdna::load_caches_gfx10{false, true, false});
  COALESCE_CHECK(rdna::caches_of_load<gfx10>({.glc = true, .dlc = true}) ==
                 rdna::load_caches_gfx10{false, false, false});
  COALESCE_CHECK(rdna::caches_of_load<gfx10>({.slc = true}) == rdna::load_caches_gfx10{true, true, true});
}

// ---- gfx12 ----

TEST_CASE("ISA4 4.1.1: a cache serves what is of no wider scope than its own") {
  unsigned k = 0;
  for (auto const scope : {cache_scope::cu, cache_scope::se, cache_scope::dev, cache_scope::sys}) {
    unsigned const own[] = {0, 2};  // the compute unit's cache, L2
    for (auto const& row :
         {rdna::caches_of_load<gfx12>({.scope = scope}), rdna::caches_of_store<gfx12>({.scope = scope})}) {
      CHECK(row.by_cu_cache == (k <= own[0]));
      CHECK(row.by_l2 == (k <= own[1]));
      CHECK(row.hint == temporal_hint::rt);
    }
    ++k;
  }
}
TEST_CASE("ISA4 4.1.1: TH of loads and stores; 3 bypasses at system scope") {
  using enum temporal_hint;
  temporal_hint const loads[] = {rt, nt, ht, lu, nt_rt, rt_nt, nt_ht},
                      stores[] = {rt, nt, ht, wb, nt_rt, rt_nt, nt_ht, nt_wb};
  for (unsigned th = 0; th != 7; ++th) CHECK(rdna::caches_of_load<gfx12>({.th = th}).hint == loads[th]);
  for (unsigned th = 0; th != 8; ++th) CHECK(rdna::caches_of_store<gfx12>({.th = th}).hint == stores[th]);
  COALESCE_CHECK(rdna::caches_of_load<gfx12>({.th = 3, .scope = cache_scope::sys}).hint == bypass);
  COALESCE_CHECK(rdna::caches_of_store<gfx12>({.th = 3, .scope = cache_scope::sys}).hint == bypass);
}
TEST_CASE("ISA4 4.1.1: TH of atomics is three bits: return, non-temporal, cascade") {
  COALESCE_CHECK(rdna::decode_atomic<gfx12>({.th = 3, .scope = cache_scope::dev}) ==
                 rdna::atomic_control{.returns_value = true, .non_temporal = true, .scope = cache_scope::dev});
  COALESCE_CHECK(rdna::encode_atomic<gfx1250>({.cascades = true}) == bits<gfx1250>{.th = 4, .scope = cache_scope::sys});
  for (unsigned aux = 0; aux != 32; ++aux)
    if ((aux & 5) != 5)
      CHECK(rdna::encode_atomic<gfx12>(rdna::decode_atomic<gfx12>(rdna::from_aux<gfx12>(aux))).aux() == aux);
}
TEST_CASE("ISA4 Table 16: GLOBAL_INV and its kin do nothing at the compute unit, reach L2 at system scope alone") {
  COALESCE_CHECK(rdna::maintains<gfx12>(cache_scope::cu) == rdna::maintained_gfx12{false, false});
  COALESCE_CHECK(rdna::maintains<gfx12>(cache_scope::se) == rdna::maintained_gfx12{true, false});
  COALESCE_CHECK(rdna::maintains<gfx12>(cache_scope::dev) == rdna::maintained_gfx12{true, false});
  COALESCE_CHECK(rdna::maintains<gfx12>(cache_scope::sys) == rdna::maintained_gfx12{true, true});
}
TEST_CASE("RDNA: words of the cache operations, as llvm-mc gives them") {
  using rdna::invalidation, rdna::maintenance;
  COALESCE_CHECK(rdna::encoding_of<gfx10>(invalidation::gl0) == 0xe1c4'0000);
  COALESCE_CHECK(rdna::encoding_of<gfx11>(invalidation::gl0) == 0xe0ac'0000);
  COALESCE_CHECK(rdna::encoding_of<gfx10>(invalidation::gl1) == 0xe1c8'0000);
  COALESCE_CHECK(rdna::encoding_of<gfx11>(invalidation::gl1) == 0xe0b0'0000);
  COALESCE_CHECK(rdna::encoding_of<gfx12>(maintenance::invalidate, cache_scope::cu) == 0xee0a'c07c);
  COALESCE_CHECK(rdna::encoding_of<gfx1250>(maintenance::write_back, cache_scope::dev) == (0xee0b'007c | 2ull << 50));
  COALESCE_CHECK(rdna::encoding_of<gfx12>(maintenance::write_back_invalidate, cache_scope::sys) ==
                 (0xee13'c07c | 3ull << 50));
}
TEST_CASE("RDNA: the tables say where they are from") {
  COALESCE_CHECK(rdna::caches_from<gfx11>.evidence == co::evidence::documented);
  COALESCE_CHECK(rdna::caches_from<rdna::gfx1201>.section[0] == '4');
  COALESCE_CHECK(rdna::maintenance_from.evidence == co::evidence::documented);
}

#ifdef __cpp_exceptions
TEST_CASE("RDNA, refused: bits that the family does not have, and what one source alone tells") {
  for (unsigned const aux : {8u, 16u, 17u, 1u << 31}) {
    CHECK_THROWS_AS(static_cast<void>(rdna::from_aux<gfx10>(aux)), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(rdna::from_aux<gfx11>(aux)), co::misuse);
  }
  for (unsigned const aux : {32u, 64u, 1u << 31}) {
    CHECK_THROWS_AS(static_cast<void>(rdna::from_aux<gfx12>(aux)), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(rdna::from_aux<gfx1250>(aux)), co::misuse);
  }
  for (unsigned const aux : {3u, 4u, 6u, 7u})
    CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_load<gfx10>(rdna::from_aux<gfx10>(aux))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx11>{.slc = true}.encoding(instruction_format::scalar)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 4}.encoding(instruction_format::scalar)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 8}.aux()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.scope = static_cast<cache_scope>(4)}.aux()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_load<gfx12>({.th = 7})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 7}.text(rdna::access_kind::load)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx11>{.glc = true}.text(static_cast<rdna::access_kind>(7))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 4}.text(rdna::access_kind::atomic)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::decode_atomic<gfx12>({.th = 5})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::encode_atomic<gfx12>({.returns_value = true, .cascades = true})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::maintains<gfx12>(static_cast<cache_scope>(9))), co::misuse);
}
#endif
