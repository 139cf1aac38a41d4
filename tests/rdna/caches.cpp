// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna/caches.hpp>
#include <coalesce/rdna/maintenance.hpp>

#include "machinery/check.hpp"

#include <sstream>
#include <string>

namespace co = coalescing;
namespace rdna = co::rdna;
using rdna::bits, rdna::cache_op, rdna::cache_scope, rdna::gfx10, rdna::gfx11, rdna::gfx12, rdna::gfx1250,
    rdna::l2_policy;
using rdna::instruction_format, rdna::temporal_hint;

// ---- Bits. Every value is compared with LLVM 22 by tests/truth/outside/llvm/rdna_bits.cpp ----

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
TEST_CASE("RDNA: where the bits stand in the instruction, as llvm-mc 22 gives them") {
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

namespace {

/// The places of the bits in llvm-mc 22, by format (rdna.md 4). Scalar loads have no SLC.
struct places {
  instruction_format format;
  unsigned glc, slc, dlc;
};
constexpr places of_gfx10[] = {{instruction_format::global, 16, 17, 12},
                               {instruction_format::buffer, 14, 54, 15},
                               {instruction_format::scalar, 16, 64, 14}};
constexpr places of_gfx11[] = {{instruction_format::global, 14, 15, 13},
                               {instruction_format::buffer, 14, 12, 13},
                               {instruction_format::scalar, 14, 64, 13}};
constexpr std::uint64_t bit(bool is_set, unsigned at) { return is_set && at < 64 ? 1ull << at : 0; }

template <class Generation>
void check_places(places const (&rows)[3]) {
  for (auto const& at : rows)
    for (unsigned aux = 0; aux != 8; ++aux) {
      bool const glc = aux % 2 == 1, slc = aux / 2 % 2 == 1, dlc = aux / 4 == 1;
      bits<Generation> const said{.glc = glc, .slc = slc, .dlc = dlc};
      CHECK(said.aux() == aux);
      CHECK(rdna::from_aux<Generation>(aux) == said);
      if (slc && at.slc == 64) continue;
      std::uint64_t const expected = bit(glc, at.glc) | bit(slc, at.slc) | bit(dlc, at.dlc),
                          others = ~(bit(true, at.glc) | bit(true, at.slc) | bit(true, at.dlc));
      CHECK(said.encoding(at.format) == expected);
      CHECK(bits<Generation>::decode(expected, at.format) == said);
      CHECK(bits<Generation>::decode(expected | others, at.format) == said);
    }
}
/// TH is in bits 54:52, the scope in 51:50; in scalar loads they are in 24:23 and 22:21.
template <class Generation>
void check_hints_and_scopes() {
  for (unsigned aux = 0; aux != 32; ++aux) {
    unsigned const th = aux % 8, scope = aux / 8;
    constexpr cache_scope scopes[] = {cache_scope::cu, cache_scope::se, cache_scope::dev, cache_scope::sys};
    bits<Generation> const said{.th = th, .scope = scopes[scope]};
    CHECK(said.aux() == aux);
    CHECK(rdna::from_aux<Generation>(aux) == said);
    for (auto const format : {instruction_format::global, instruction_format::buffer, instruction_format::scalar}) {
      bool const scalar = format == instruction_format::scalar;
      if (scalar && th > 3) continue;
      std::uint64_t const expected = std::uint64_t{scope} << (scalar ? 21 : 50) | std::uint64_t{th}
                                                                                      << (scalar ? 23 : 52),
                          others = ~(scalar ? 0xfull << 21 : 0x1full << 50);
      CHECK(said.encoding(format) == expected);
      CHECK(bits<Generation>::decode(expected, format) == said);
      CHECK(bits<Generation>::decode(expected | others, format) == said);
    }
  }
}

}  // namespace

TEST_CASE("RDNA: every value of the bits in every format, whatever else stands in the instruction") {
  check_places<gfx10>(of_gfx10), check_places<gfx11>(of_gfx11);
  check_hints_and_scopes<gfx12>(), check_hints_and_scopes<gfx1250>();
}

namespace {

using rdna::access_kind;

/// The words of LLVM 22's assembler for the bits of gfx12 and gfx1250 (hints: ISA4 4.1.1). nullptr means refused.
char const* name_of_hint(access_kind of, unsigned th, unsigned scope) {
  constexpr char const* loads[] = {"",           "LOAD_NT",    "LOAD_HT",    "LOAD_LU",
                                   "LOAD_NT_RT", "LOAD_RT_NT", "LOAD_NT_HT", nullptr};
  constexpr char const* stores[] = {
      "", "STORE_NT", "STORE_HT", "STORE_WB", "STORE_NT_RT", "STORE_RT_NT", "STORE_NT_HT", "STORE_NT_WB"};
  constexpr char const* atomics[] = {"",      "ATOMIC_RETURN",     "ATOMIC_NT", "ATOMIC_NT_RETURN", "ATOMIC_CASCADE_RT",
                                     nullptr, "ATOMIC_CASCADE_NT", nullptr};
  if (of == access_kind::atomic) return th >= 4 && scope < 2 ? nullptr : atomics[th];
  if (th == 3 && scope == 3) return of == access_kind::load ? "LOAD_BYPASS" : "STORE_BYPASS";
  return of == access_kind::load ? loads[th] : stores[th];
}
template <class Generation>
void check_texts() {
  for (auto const of : {access_kind::load, access_kind::store, access_kind::atomic})
    for (unsigned aux = 0; aux != 32; ++aux) {
      auto const said = rdna::from_aux<Generation>(aux);
      char const* const hint = name_of_hint(of, aux % 8, aux / 8);
      if (hint == nullptr) {
#ifdef __cpp_exceptions
        CHECK_THROWS_AS(static_cast<void>(said.text(of)), co::misuse);
#endif
        continue;
      }
      constexpr char const* scopes[] = {"", "scope:SCOPE_SE", "scope:SCOPE_DEV", "scope:SCOPE_SYS"};
      std::string expected = *hint == '\0' ? "" : std::string("th:TH_") + hint;
      if (aux % 8 != 0 && aux / 8 != 0) expected += ' ';
      CHECK(said.text(of) == expected + scopes[aux / 8]);
    }
}

}  // namespace

TEST_CASE("RDNA: every value of the bits as text, and those that have none") {
  constexpr char const* words[] = {"", "glc", "slc", "glc slc", "dlc", "glc dlc", "slc dlc", "glc slc dlc"};
  for (auto const of : {access_kind::load, access_kind::store, access_kind::atomic})
    for (unsigned aux = 0; aux != 8; ++aux) {
      CHECK(rdna::from_aux<gfx10>(aux).text(of) == words[aux]);
      CHECK(rdna::from_aux<gfx11>(aux).text(of) == words[aux]);
    }
  check_texts<gfx12>(), check_texts<gfx1250>();
}

// ---- gfx11: the table of ISA3 4.1.1, row by row ----

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
/// The number of cells that differ from the table, over all rows with that GLC added.
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

// ---- gfx10: the rows on which Mesa and LLVM 22 agree ----

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
// ---- gfx1250: AMD's guide of CDNA 5, 4.1.1 and Tables 10, 11, 13, as words ----

TEST_CASE("CDNA5 4.1.1: a cache serves what is of no wider scope than its own: the workgroup processor's, and L2") {
  constexpr char const* served =  // scope, workgroup processor's cache, L2
      "WGP hit hit\n"
      "SE forward hit\n"
      "DEV forward hit\n"
      "SYS forward forward\n";
  std::istringstream rows{served};
  unsigned k = 0;
  for (std::string scope, wgp, l2; rows >> scope >> wgp >> l2; ++k) {
    INFO(scope);
    constexpr cache_scope scopes[] = {cache_scope::wgp, cache_scope::se, cache_scope::dev, cache_scope::sys};
    for (auto const& row :
         {rdna::caches_of_load<gfx1250>({.scope = scopes[k]}), rdna::caches_of_store<gfx1250>({.scope = scopes[k]})}) {
      CHECK(row.by_wgp_cache == (wgp == "hit"));
      CHECK(row.by_l2 == (l2 == "hit"));
      CHECK(row.hint == temporal_hint::rt);
    }
  }
  CHECK(k == 4);
  static_assert(cache_scope::wgp == cache_scope::cu);  // scope 0, which LLVM calls SCOPE_CU
  COALESCE_CHECK(rdna::caches_of_load<rdna::gfx1251>({}) == rdna::served_gfx1250{true, true, temporal_hint::rt});
}
TEST_CASE("CDNA5 Tables 10, 11: TH of loads and stores is gfx12's, but that nothing bypasses at system scope") {
  using enum temporal_hint;
  temporal_hint const loads[] = {rt, nt, ht, lu, nt_rt, rt_nt, nt_ht},
                      stores[] = {rt, nt, ht, wb, nt_rt, rt_nt, nt_ht, nt_wb};
  for (auto const scope : {cache_scope::wgp, cache_scope::se, cache_scope::dev, cache_scope::sys}) {
    for (unsigned th = 0; th != 7; ++th)
      CHECK(rdna::caches_of_load<gfx1250>({.th = th, .scope = scope}).hint == loads[th]);
    for (unsigned th = 0; th != 8; ++th)
      CHECK(rdna::caches_of_store<gfx1250>({.th = th, .scope = scope}).hint == stores[th]);
  }
  // A control: gfx12 does bypass.
  COALESCE_CHECK(rdna::caches_of_load<gfx12>({.th = 3, .scope = cache_scope::sys}).hint == bypass);
}
TEST_CASE("CDNA5 Table 13: write-back and invalidation by scope") {
  COALESCE_CHECK(rdna::maintains<gfx1250>(cache_scope::wgp) == rdna::maintained_gfx1250{false, false});
  COALESCE_CHECK(rdna::maintains<gfx1250>(cache_scope::se) == rdna::maintained_gfx1250{true, false});
  COALESCE_CHECK(rdna::maintains<rdna::gfx1251>(cache_scope::dev) == rdna::maintained_gfx1250{true, false});
  COALESCE_CHECK(rdna::maintains<gfx1250>(cache_scope::sys) == rdna::maintained_gfx1250{true, true});
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
TEST_CASE("RDNA: words of the cache operations, as llvm-mc 22 gives them") {
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
  using namespace rdna::documents;
  auto const is_documented_in = [](co::source const& from, co::document const& where) {
    return from.evidence == co::evidence::documented && std::string(from.document) == where.title;
  };
  CHECK(is_documented_in(rdna::caches_from<gfx10>, mesa_cache_flags));
  CHECK(is_documented_in(rdna::caches_from<gfx11>, isa_3));
  CHECK(is_documented_in(rdna::caches_from<gfx12>, isa_4));
  CHECK(is_documented_in(rdna::caches_from<gfx1250>, isa_cdna_5));
  CHECK(is_documented_in(rdna::maintenance_from<gfx12>, isa_4));
  CHECK(is_documented_in(rdna::maintenance_from<rdna::gfx1250>, isa_cdna_5));
  COALESCE_CHECK(rdna::caches_from<rdna::gfx1201>.section[0] == '4');
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
  auto const no_format = static_cast<instruction_format>(3);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx10>{}.encoding(no_format)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{}.encoding(no_format)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx11>::decode(0, no_format)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx1250>::decode(0, no_format)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx10>{}.text(static_cast<access_kind>(3))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{}.text(static_cast<access_kind>(3))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 8}.text(access_kind::store)), co::misuse);
  for (unsigned const aux : {2u, 3u, 6u, 7u}) {
    CHECK_THROWS_AS(static_cast<void>(rdna::from_aux<gfx10>(aux).encoding(instruction_format::scalar)), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(rdna::from_aux<gfx11>(aux).encoding(instruction_format::scalar)), co::misuse);
  }
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 4}.encoding(instruction_format::scalar)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 8}.aux()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.scope = static_cast<cache_scope>(4)}.aux()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_load<gfx12>({.th = 7})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_load<gfx1250>({.th = 7})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_store<gfx1250>({.th = 8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_load<gfx12>({.th = 8})), co::misuse);
  auto const no_scope = static_cast<cache_scope>(4);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_load<gfx12>({.scope = no_scope})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::caches_of_store<gfx1250>({.scope = no_scope})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::maintains<gfx1250>(static_cast<cache_scope>(4))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 7}.text(rdna::access_kind::load)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx11>{.glc = true}.text(static_cast<rdna::access_kind>(7))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bits<gfx12>{.th = 4}.text(rdna::access_kind::atomic)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::decode_atomic<gfx12>({.th = 5})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::encode_atomic<gfx12>({.returns_value = true, .cascades = true})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::maintains<gfx12>(static_cast<cache_scope>(4))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::encoding_of<gfx10>(static_cast<rdna::invalidation>(2))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::encoding_of<gfx12>(static_cast<rdna::maintenance>(3), cache_scope::cu)),
                  co::misuse);
  CHECK_THROWS_AS(
      static_cast<void>(rdna::encoding_of<gfx12>(rdna::maintenance::write_back, static_cast<cache_scope>(4))),
      co::misuse);
}
#endif
