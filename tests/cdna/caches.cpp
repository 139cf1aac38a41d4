// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "machinery/check.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::cache_action, cdna::cache_op, cdna::environment, cdna::reuse, cdna::scope;

namespace {

// The tables as the CDNA post prints them (its Tables 1 and 2), which are ISA4's Tables 49 and 50.
constexpr char const* load_table =
    "Wave   | 0 | 0 | 0 | Hit LRU    | Hit LRU    | Hit LRU\n"
    "Wave   | 0 | 0 | 1 | Miss Evict | Hit Stream | Hit Evict\n"
    "Group  | 0 | 1 | 0 | Hit LRU    | Hit LRU    | Hit Evict\n"
    "Group  | 0 | 1 | 1 | Miss Evict | Hit Stream | Hit Evict\n"
    "Device | 1 | 0 | 0 | Miss Evict | (1 L2 cache): Hit LRU; (>1 L2 cache): Coherent Cache Bypass | Hit LRU\n"
    "Device | 1 | 0 | 1 | Miss Evict | (1 L2 cache): Hit Stream; (>1 L2 cache): Coherent Cache Bypass | Hit Evict\n"
    "System | 1 | 1 | 0 | Miss Evict | Coherent Cache Bypass | Hit LRU\n"
    "System | 1 | 1 | 1 | Miss Evict | Coherent Cache Bypass | Hit Evict\n";
constexpr char const* store_table =
    "Wave   | 0 | 0 | 0 | Miss LRU   | Hit LRU    | Hit LRU\n"
    "Wave   | 0 | 0 | 1 | Miss Evict | Hit Stream | Hit Evict\n"
    "Group  | 0 | 1 | 0 | Miss LRU   | Hit LRU    | Hit LRU\n"
    "Group  | 0 | 1 | 1 | Miss Evict | Hit Stream | Hit Evict\n"
    "Device | 1 | 0 | 0 | Miss Evict | (1 L2 cache): Hit LRU; (>1 L2 cache): Coherent Cache Bypass | Hit LRU\n"
    "Device | 1 | 0 | 1 | Miss Evict | (1 L2 cache): Hit Stream; (>1 L2 cache): Coherent Cache Bypass | Hit Evict\n"
    "System | 1 | 1 | 0 | Miss Evict | Coherent Cache Bypass | Hit LRU\n"
    "System | 1 | 1 | 1 | Miss Evict | Coherent Cache Bypass | Hit Evict\n";

std::string trimmed(std::string const& text) {
  auto const first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return text.substr(first, last - first + 1);
}
std::vector<std::string> split(std::string const& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(trimmed(part));
  return parts;
}
/// "(1 L2 cache): A; (>1 L2 cache): B" is A or B; anything else is itself.
std::string of_l2s(std::string const& cell, bool one) {
  auto const cases = split(cell, ';');
  if (cases.size() == 1) return cell;
  return trimmed(cases[one ? 0 : 1].substr(cases[one ? 0 : 1].find(':') + 1));
}
cdna::scope scope_named(std::string const& name) {
  return name == "Wave"     ? scope::wave
         : name == "Group"  ? scope::group
         : name == "Device" ? scope::device
                            : scope::system;
}
std::string name(cache_op op) {
  char const* const names[] = {"Hit LRU", "Hit Stream", "Hit Evict", "Miss LRU", "Miss Evict", "Coherent Cache Bypass"};
  return names[static_cast<unsigned>(op)];
}

/// How many cells of the table differ from what the function says, over both columns of L2.
template <class Ask>
unsigned differences(std::string const& table, Ask const& ask, bool tg_split) {
  unsigned found = 0, rows = 0;
  for (auto const& line : split(table, '\n')) {
    auto const cells = split(line, '|');
    for (unsigned const l2_caches : {1u, 2u, 4u, 6u, 8u}) {
      cdna::bits const of{.sc1 = cells[1] == "1", .sc0 = cells[2] == "1", .nt = cells[3] == "1"};
      auto const hint = of.nt ? reuse::non_temporal : reuse::temporal;
      CHECK(cdna::encode(scope_named(cells[0]), hint) == of);
      CHECK(cdna::decode(of) == cdna::decoded{scope_named(cells[0]), hint});
      auto const row = ask(of, environment{.l2_caches = l2_caches, .tg_split = tg_split});
      found += name(row.cu) != cells[4];
      found += name(row.l2) != of_l2s(cells[5], l2_caches == 1);
      found += name(row.llc) != cells[6];
      ++rows;
    }
  }
  CHECK(rows == 8 * 5);
  return found;
}
auto const loads = [](cdna::bits of, environment const& where) { return cdna::caches_of_load(of, where); };
auto const stores = [](cdna::bits of, environment const& where) { return cdna::caches_of_store(of, where); };

template <class Function>
void for_each_scope(Function const& function) {
  for (auto const each : {scope::wave, scope::group, scope::device, scope::system}) function(each);
}

}  // namespace

TEST_CASE("CDNA post, Table 1 (ISA4 Table 49): all eight rows of loads, with one L2 and with more") {
  CHECK(differences(load_table, loads, false) == 0);
}
TEST_CASE("CDNA post, Table 2 (ISA4 Table 50): all eight rows of stores; tg_split changes none") {
  CHECK(differences(store_table, stores, false) == 0);
  CHECK(differences(store_table, stores, true) == 0);
}
TEST_CASE("control: the tables of loads and stores are told apart, in three cells for each number of L2s") {
  CHECK(differences(store_table, loads, false) == 3 * 5);
  CHECK(differences(load_table, stores, false) == 3 * 5);
}
TEST_CASE("ISA4: under tg_split the group load alone changes, in L1 and in the last level") {
  CHECK(differences(load_table, loads, true) == 2 * 5);
  COALESCE_CHECK(cdna::scoped_load<scope::group>::on({.l2_caches = 1, .tg_split = true}) ==
                 cdna::caches{cache_op::miss_lru, cache_op::hit_lru, cache_op::hit_lru});
  COALESCE_CHECK(cdna::scoped_load<scope::group>::on({.l2_caches = 8, .tg_split = true}) ==
                 cdna::caches{cache_op::miss_lru, cache_op::hit_lru, cache_op::hit_lru});
  COALESCE_CHECK(cdna::scoped_load<scope::group, reuse::non_temporal>::on({.tg_split = true}).cu ==
                 cache_op::miss_evict);
}
TEST_CASE("CDNA post: a group load may hit in L1; a device load must bypass L1, and L2 where the agent has several") {
  COALESCE_CHECK(cdna::may_hit(cdna::scoped_load<scope::group>::on({}).cu));
  COALESCE_CHECK(!cdna::may_hit(cdna::scoped_load<scope::device>::on({.l2_caches = 8}).cu));
  COALESCE_CHECK(!cdna::may_hit(cdna::scoped_load<scope::device>::on({.l2_caches = 8}).l2));
  COALESCE_CHECK(cdna::may_hit(cdna::scoped_load<scope::device>::on({.l2_caches = 1}).l2));
}
TEST_CASE("the policies are the functions of their bits") {
  COALESCE_CHECK(cdna::scoped_load<scope::system, reuse::non_temporal>::encoding.aux() == 19);
  COALESCE_CHECK(cdna::scoped_load<scope::device, reuse::non_temporal>::on({.l2_caches = 1}) ==
                 cdna::caches{cache_op::miss_evict, cache_op::hit_stream, cache_op::hit_evict});
  COALESCE_CHECK(cdna::scoped_store<scope::device>::on({.l2_caches = 4}) ==
                 cdna::caches{cache_op::miss_evict, cache_op::coherent_bypass, cache_op::hit_lru});
  COALESCE_CHECK(cdna::scoped_load<scope::wave>::from.evidence == co::evidence::documented);
}
TEST_CASE("whose word it is: ISA4 for what caches do with each access and operation, LLVM for stores past L2") {
  auto const is_of_isa_4 = [](co::source const& from) {
    CHECK(std::string(from.document) == "AMD Instinct CDNA4 Instruction Set Architecture, Reference Guide");
    CHECK(from.evidence == co::evidence::documented);
  };
  is_of_isa_4(cdna::scoped_load<scope::group>::from);
  is_of_isa_4(cdna::scoped_store<scope::system>::from);
  is_of_isa_4(cdna::buffer_wbl2<scope::device>::from);
  is_of_isa_4(cdna::buffer_inv<scope::device>::from);
  is_of_isa_4(cdna::scoped_store<scope::wave>::reach_from);
  is_of_isa_4(cdna::scoped_store<scope::group>::reach_from);
  for (co::source const& from :
       {cdna::scoped_store<scope::device>::reach_from, cdna::scoped_store<scope::system>::reach_from}) {
    CHECK(std::string(from.document) == "LLVM, SIMemoryLegalizer.cpp, SIGfx6CacheControl");
    CHECK(from.evidence == co::evidence::inferred);
  }
}
TEST_CASE("by default an agent has one L2, and work-groups stay on a compute unit") {
  COALESCE_CHECK(environment{}.l2_caches == 1);
  COALESCE_CHECK(!environment{}.tg_split);
}

// ---- What the operations mean ----

TEST_CASE("CDNA post, glossary: hit may be served here, miss and bypass must go on") {
  COALESCE_CHECK(cdna::may_hit(cache_op::hit_lru));
  COALESCE_CHECK(cdna::may_hit(cache_op::hit_stream));
  COALESCE_CHECK(cdna::may_hit(cache_op::hit_evict));
  COALESCE_CHECK(!cdna::may_hit(cache_op::miss_lru));
  COALESCE_CHECK(!cdna::may_hit(cache_op::miss_evict));
  COALESCE_CHECK(!cdna::may_hit(cache_op::coherent_bypass));
  COALESCE_CHECK(cdna::must_go_on(cache_op::miss_lru));
  COALESCE_CHECK(cdna::must_go_on(cache_op::miss_evict));
  COALESCE_CHECK(cdna::must_go_on(cache_op::coherent_bypass));
  COALESCE_CHECK(!cdna::must_go_on(cache_op::hit_evict));
}
TEST_CASE("CDNA post, glossary: LRU marks the line recently used, Stream unlikely to be reused, Evict removes it") {
  using cdna::line_after;
  COALESCE_CHECK(cdna::line_after_access(cache_op::hit_lru) == line_after::recently_used);
  COALESCE_CHECK(cdna::line_after_access(cache_op::miss_lru) == line_after::recently_used);
  COALESCE_CHECK(cdna::line_after_access(cache_op::hit_stream) == line_after::unlikely_reused);
  COALESCE_CHECK(cdna::line_after_access(cache_op::hit_evict) == line_after::gone);
  COALESCE_CHECK(cdna::line_after_access(cache_op::miss_evict) == line_after::gone);
  COALESCE_CHECK(cdna::line_after_access(cache_op::coherent_bypass) == line_after::unknown);  // in no glossary
}
TEST_CASE("CDNA post, notes: all stores miss L1, whose line they update (Miss LRU) or evict (Miss Evict)") {
  for_each_scope([](scope each) {
    for (auto const hint : {reuse::temporal, reuse::non_temporal}) {
      auto const l1 = cdna::caches_of_store(cdna::encode(each, hint), {}).cu;
      CHECK(cdna::must_go_on(l1));
      CHECK((l1 == cache_op::miss_lru || l1 == cache_op::miss_evict));
    }
  });
}
TEST_CASE("CDNA post: without reuse the line is evicted or marked, at every level, whatever the scope") {
  for_each_scope([](scope each) {
    for (unsigned const l2_caches : {1u, 8u})
      for (auto const& row : {cdna::caches_of_load(cdna::encode(each, reuse::non_temporal), {.l2_caches = l2_caches}),
                              cdna::caches_of_store(cdna::encode(each, reuse::non_temporal), {.l2_caches = l2_caches})})
        for (auto const op : {row.cu, row.l2, row.llc})
          CHECK(cdna::line_after_access(op) != cdna::line_after::recently_used);
  });
}

// ---- The principle: an operation never observes a level that is not coherent at its scope ----

namespace {

/// Whether all waves of the scope see one and the same copy in such a cache, from what the hierarchy says of it. A
/// memory-side cache is everybody's.
bool one_copy_for(scope of, cdna::cache const& level, environment const& where) {
  if (level.stores == cdna::store_policy::memory_side) return true;
  // How far the scope's waves may be apart: on one compute unit, in one XCD, in several, or elsewhere.
  unsigned const apart = of == scope::wave                             ? 0
                         : of == scope::group                          ? (where.tg_split ? 1 : 0)
                         : of == scope::device && where.l2_caches == 1 ? 1
                         : of == scope::device                         ? 2
                                                                       : 3;
  unsigned const shared = level.shared_by == cdna::sharers::compute_unit ? 0
                          : level.shared_by == cdna::sharers::xcd        ? 1
                                                                         : 3;
  return apart <= shared;
}

struct principle {
  unsigned violations = 0;    // may hit where the scope has several copies
  unsigned needless = 0;      // must go on, though the scope has one copy
  unsigned needless_lru = 0;  // the same of temporal accesses
};
template <class Product, class Ask>
principle check_principle(Ask const& ask) {
  principle found;
  for_each_scope([&](scope each) {
    for (auto const hint : {reuse::temporal, reuse::non_temporal})
      for (unsigned const l2_caches : {1u, 2u, 8u})
        for (bool const split : {false, true}) {
          environment const where{.l2_caches = l2_caches, .tg_split = split};
          auto const row = ask(cdna::encode(each, hint), where);
          auto const level = [&](cache_op op, cdna::cache const& facts) {
            bool const one_copy = one_copy_for(each, facts, where);
            found.violations += cdna::may_hit(op) && !one_copy;
            found.needless += cdna::must_go_on(op) && one_copy;
            found.needless_lru += cdna::must_go_on(op) && one_copy && hint == reuse::temporal;
          };
          level(row.cu, Product::vector_l1);
          level(row.l2, Product::l2);
          level(row.llc, Product::infinity_cache);
        }
  });
  return found;
}

}  // namespace

TEST_CASE("CDNA post: no load observes a level that is not coherent at its scope, in any row") {
  CHECK(check_principle<cdna::mi300x>(loads).violations == 0);
  CHECK(check_principle<cdna::mi355x>(loads).violations == 0);
}
TEST_CASE("nor does it pass a level needlessly, except that wave and group loads without reuse miss L1") {
  auto const found = check_principle<cdna::mi300x>(loads);
  CHECK(found.needless_lru == 0);
  CHECK(found.needless == 6 /* wave */ + 3 /* group, one compute unit */);
}
TEST_CASE("stores: none stops at a level with several copies; L1 they always pass, since it is write-through") {
  auto const found = check_principle<cdna::mi300x>(stores);
  CHECK(found.violations == 0);
  CHECK(found.needless == 2 * (6 + 3));
}
TEST_CASE(
    "control: group loads under tg_split by the row without it, and device loads by one L2, break the principle") {
  CHECK(check_principle<cdna::mi300x>([](cdna::bits of, environment where) {
          where.tg_split = false;
          return cdna::caches_of_load(of, where);
        }).violations == 3);
  CHECK(check_principle<cdna::mi300x>([](cdna::bits of, environment where) {
          where.l2_caches = 1;
          return cdna::caches_of_load(of, where);
        }).violations == 2 * 2 * 2);
}

// ---- Bits ----

TEST_CASE("HIPDOC: the aux operand has SC0 in bit 0, NT in bit 1, SC1 in bit 4") {
  COALESCE_CHECK(cdna::encode(scope::wave).aux() == 0);
  COALESCE_CHECK(cdna::encode(scope::group).aux() == 1);
  COALESCE_CHECK(cdna::encode(scope::wave, reuse::non_temporal).aux() == 2);
  COALESCE_CHECK(cdna::encode(scope::device).aux() == 16);
  COALESCE_CHECK(cdna::encode(scope::system).aux() == 17);
  COALESCE_CHECK(cdna::encode(scope::system, reuse::non_temporal).aux() == 19);
  COALESCE_CHECK(cdna::from_aux(16) == cdna::encode(scope::device));
  for (unsigned const aux : {0u, 1u, 2u, 3u, 16u, 17u, 18u, 19u}) CHECK(cdna::from_aux(aux).aux() == aux);
}
TEST_CASE("ISA4 9.1.10.2: of an atomic SC0 returns the value, SC1 is system scope, NT does not allocate in the LLC") {
  COALESCE_CHECK(cdna::decode_atomic({.sc0 = true}) ==
                 cdna::atomic_control{.returns_value = true, .scope = scope::device, .allocates_in_llc = true});
  COALESCE_CHECK(cdna::decode_atomic({.sc1 = true, .nt = true}) ==
                 cdna::atomic_control{.returns_value = false, .scope = scope::system, .allocates_in_llc = false});
  COALESCE_CHECK(cdna::encode_atomic({.returns_value = true, .scope = scope::device}) == cdna::bits{.sc0 = true});
  COALESCE_CHECK(cdna::encode_atomic({}) == cdna::bits{.sc1 = true});
  for (unsigned const aux : {0u, 1u, 2u, 3u, 16u, 17u, 18u, 19u})
    CHECK(cdna::encode_atomic(cdna::decode_atomic(cdna::from_aux(aux))).aux() == aux);
}

// ---- Where a completed operation is ----

TEST_CASE("CDNA post: a completed store is visible across its XCD; beyond it a write-back or a bypass is needed") {
  using cdna::reach, cdna::reach_of_completed_store;
  COALESCE_CHECK(reach_of_completed_store(scope::wave, {.l2_caches = 8}) == reach::xcd);
  COALESCE_CHECK(reach_of_completed_store(scope::group, {.l2_caches = 2}) == reach::xcd);
  COALESCE_CHECK(reach_of_completed_store(scope::wave, {.l2_caches = 1}) == reach::agent);
  COALESCE_CHECK(reach_of_completed_store(scope::device, {.l2_caches = 1}) == reach::agent);
  COALESCE_CHECK(reach_of_completed_store(scope::device, {.l2_caches = 8}) == reach::agent);
  COALESCE_CHECK(reach_of_completed_store(scope::system, {.l2_caches = 8}) == reach::system);
  COALESCE_CHECK(reach_of_completed_store(scope::system, {.l2_caches = 1}) == reach::system);
}
TEST_CASE("and that is documented of stores that end in L2, inferred of those that pass it") {
  COALESCE_CHECK(cdna::scoped_store<scope::wave>::reach_when_complete({.l2_caches = 8}) == cdna::reach::xcd);
  COALESCE_CHECK(cdna::scoped_store<scope::wave>::reach_from.evidence == co::evidence::documented);
  COALESCE_CHECK(cdna::scoped_store<scope::device>::reach_from.evidence == co::evidence::inferred);
}
TEST_CASE("CDNA post: a completed LDS operation is visible to the waves of its compute unit") {
  COALESCE_CHECK(cdna::reach_of_completed_lds == cdna::reach::compute_unit);
}
TEST_CASE("CDNA post: atomics bypass L1 and are done in L2; past it, where the agent has several (inferred)") {
  COALESCE_CHECK(cdna::place_of_device_atomic({.l2_caches = 1}) == cdna::atomic_place::l2);
  COALESCE_CHECK(cdna::place_of_device_atomic({.l2_caches = 8}) == cdna::atomic_place::past_l2);
}
TEST_CASE("CDNA post, glossary: a store marks the line dirty in L2, never in L1 or the Infinity Cache") {
  for_each_scope([](scope each) {
    for (unsigned const l2_caches : {1u, 8u}) {
      auto const row = cdna::caches_of_store(cdna::encode(each), {.l2_caches = l2_caches});
      CHECK(!cdna::marks_dirty(row.cu, cdna::mi300x::vector_l1));
      CHECK(!cdna::marks_dirty(row.llc, cdna::mi300x::infinity_cache));
      CHECK(cdna::marks_dirty(row.l2, cdna::mi300x::l2) == (row.l2 == cache_op::hit_lru));
    }
  });
  COALESCE_CHECK(cdna::marks_dirty(cache_op::hit_stream, cdna::mi300x::l2));
}
TEST_CASE("LLVMDOC: under tg_split a work-group has neither LDS nor barrier") {
  COALESCE_CHECK(cdna::has_lds_and_barrier({}));
  COALESCE_CHECK(!cdna::has_lds_and_barrier({.tg_split = true}));
}

// ---- Bulk maintenance ----

namespace {

/// {L1, L2} of BUFFER_WBL2 and BUFFER_INV for each scope from wave to system.
struct expected {
  cdna::cache_actions of[4];
};
template <template <scope> class Instruction>
expected all_scopes(environment const& where) {
  return {{Instruction<scope::wave>::on(where), Instruction<scope::group>::on(where),
           Instruction<scope::device>::on(where), Instruction<scope::system>::on(where)}};
}
template <template <scope> class Instruction>
bool agrees(environment const& where, expected const& told) {
  auto const found = all_scopes<Instruction>(where);
  for (unsigned k = 0; k != 4; ++k)
    if (found.of[k] != told.of[k]) return false;
  return true;
}
constexpr auto nop = cache_action::nothing;
constexpr auto wb = cache_action::write_back;
constexpr auto all = cache_action::invalidate;
constexpr auto nc = cache_action::invalidate_non_coherent;

}  // namespace

TEST_CASE("ISA4 Table 51: BUFFER_WBL2") {
  for (bool const split : {false, true}) {
    CHECK(agrees<cdna::buffer_wbl2>({.l2_caches = 1, .tg_split = split},
                                    {{{nop, nop}, {nop, nop}, {nop, nop}, {nop, wb}}}));
    CHECK(agrees<cdna::buffer_wbl2>({.l2_caches = 8, .tg_split = split},
                                    {{{nop, nop}, {nop, nop}, {nop, wb}, {nop, wb}}}));
  }
  COALESCE_CHECK(cdna::buffer_wbl2<scope::device>::encoding == cdna::bits{.sc1 = true});
  COALESCE_CHECK(cdna::buffer_wbl2<scope::device>::on({.l2_caches = 2}).l2 == wb);
}
TEST_CASE("ISA4 Table 52: BUFFER_INV, which empties L1 from device scope on, whatever the number of L2s") {
  CHECK(agrees<cdna::buffer_inv>({.l2_caches = 1}, {{{nop, nop}, {nop, nop}, {all, nop}, {all, nc}}}));
  CHECK(agrees<cdna::buffer_inv>({.l2_caches = 4}, {{{nop, nop}, {nop, nop}, {all, nc}, {all, nc}}}));
  CHECK(
      agrees<cdna::buffer_inv>({.l2_caches = 1, .tg_split = true}, {{{nop, nop}, {all, nop}, {all, nop}, {all, nc}}}));
  CHECK(agrees<cdna::buffer_inv>({.l2_caches = 4, .tg_split = true}, {{{nop, nop}, {all, nop}, {all, nc}, {all, nc}}}));
  COALESCE_CHECK(cdna::buffer_inv<scope::system>::encoding == cdna::bits{.sc1 = true, .sc0 = true});
}
TEST_CASE("control: the post's reading, that with one L2 buffer_inv sc1 has no effect, is told apart") {
  CHECK(!agrees<cdna::buffer_inv>({.l2_caches = 1}, {{{nop, nop}, {nop, nop}, {nop, nop}, {all, nc}}}));
}
TEST_CASE("an acquire needs L1 emptied exactly where the scope has several L1s, and L2 where it has several L2s") {
  for (unsigned const l2_caches : {1u, 2u, 8u})
    for (bool const split : {false, true}) {
      environment const where{.l2_caches = l2_caches, .tg_split = split};
      auto const found = all_scopes<cdna::buffer_inv>(where);
      unsigned k = 0;
      for_each_scope([&](scope each) {
        CHECK((found.of[k].l1 != nop) == !one_copy_for(each, cdna::mi300x::vector_l1, where));
        CHECK((found.of[k].l2 != nop) == !one_copy_for(each, cdna::mi300x::l2, where));
        ++k;
      });
    }
}

// ---- Memory types ----

TEST_CASE("LLVMDOC: local lines of type RW and CC are kept coherent by probes, NC lines are for BUFFER_INV") {
  using cdna::home, cdna::memory_type;
  COALESCE_CHECK(cdna::kept_coherent_by_probes(memory_type::rw, home::local));
  COALESCE_CHECK(cdna::kept_coherent_by_probes(memory_type::cc, home::local));
  COALESCE_CHECK(!cdna::kept_coherent_by_probes(memory_type::nc, home::local));
  COALESCE_CHECK(!cdna::kept_coherent_by_probes(memory_type::rw, home::remote));
  COALESCE_CHECK(!cdna::kept_coherent_by_probes(memory_type::nc, home::host));
  COALESCE_CHECK(cdna::dropped_by_buffer_inv(memory_type::nc));
  COALESCE_CHECK(!cdna::dropped_by_buffer_inv(memory_type::rw));
  COALESCE_CHECK(!cdna::dropped_by_buffer_inv(memory_type::cc));
  COALESCE_CHECK(!cdna::cached_in_l2(memory_type::uc));
  COALESCE_CHECK(cdna::cached_in_l2(memory_type::nc));
}

#ifdef __cpp_exceptions
TEST_CASE("refused at run time: an agent without L2, unknown bits, atomics of wave or group scope") {
  CHECK_THROWS_AS(static_cast<void>(cdna::scoped_load<scope::wave>::on({.l2_caches = 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::scoped_load<scope::group>::on({.l2_caches = 0, .tg_split = true})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::scoped_store<scope::wave>::on({.l2_caches = 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::buffer_inv<scope::wave>::on({.l2_caches = 0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::buffer_wbl2<scope::system>::on({.l2_caches = 0})), co::misuse);
  for (unsigned const aux : {4u, 8u, 32u, 1u << 31})
    CHECK_THROWS_AS(static_cast<void>(cdna::from_aux(aux)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::encode_atomic({.scope = scope::wave})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::encode_atomic({.scope = scope::group})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::encode(static_cast<scope>(9))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::encode(static_cast<scope>(-1))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::encode(scope::wave, static_cast<reuse>(9))), co::misuse);
}
#endif
