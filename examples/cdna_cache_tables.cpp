// SPDX-License-Identifier: BSL-1.0
//
// The two tables of CDNA 3 and 4 that tell what each cache does with a load or a store, by scope and expected reuse
// (AMD CDNA4 ISA, Tables 49 and 50), for an agent with one L2 and with several.

#include <coalesce/cdna.hpp>

#include <cstdio>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::cache_op, cdna::reuse, cdna::scope;

// A kernel library would assert this: a flag that is polled at device scope is never served by a stale cache,
static_assert(!cdna::may_hit(cdna::scoped_load<scope::device>::on({.l2_caches = 8}).cu));
static_assert(!cdna::may_hit(cdna::scoped_load<scope::device>::on({.l2_caches = 8}).l2));
// in CPX mode an agent is one XCD, whose L2 is good enough,
static_assert(cdna::scoped_load<scope::device>::on(cdna::mi300x::agent(cdna::partition::cpx)).l2 == cache_op::hit_lru);
// and the aux operand of a streaming buffer store says what it should.
static_assert(cdna::from_aux(2) == cdna::encode(scope::wave, reuse::non_temporal));

namespace {

char const* name(cache_op op) {
  switch (op) {
    case cache_op::hit_lru:
      return "hit LRU";
    case cache_op::hit_stream:
      return "hit stream";
    case cache_op::hit_evict:
      return "hit evict";
    case cache_op::miss_lru:
      return "miss LRU";
    case cache_op::miss_evict:
      return "miss evict";
    case cache_op::coherent_bypass:
      return "coherent bypass";
  }
  return "?";
}

using table = cdna::caches (*)(cdna::bits, cdna::environment const&);

void print(char const* title, table ask) {
  char const* const scopes[] = {"wave", "group", "device", "system"};
  std::printf("%s\n  %-8s%-14s%-13s%-12s%-17s%-17s%s\n", title, "scope", "reuse", "SC1 SC0 NT", "L1", "L2: only one",
              "L2: several", "last level");
  for (unsigned k = 0; k != 4; ++k)
    for (unsigned nt = 0; nt != 2; ++nt) {
      auto const of = cdna::encode(static_cast<scope>(k), static_cast<reuse>(nt));
      auto const one = ask(of, {.l2_caches = 1}), several = ask(of, {.l2_caches = 8});
      std::printf("  %-8s%-14s %d   %d   %d   %-12s%-17s%-17s%s\n", scopes[k], of.nt ? "non-temporal" : "temporal",
                  of.sc1, of.sc0, of.nt, name(one.cu), name(one.l2), name(several.l2), name(one.llc));
    }
}

}  // namespace

int main() {
  print("loads", cdna::caches_of_load);
  auto const split = cdna::scoped_load<scope::group>::on({.tg_split = true});
  std::printf("  under tg_split, group, temporal: L1 %s, L2 %s, last level %s\n", name(split.cu), name(split.l2),
              name(split.llc));
  print("stores", cdna::caches_of_store);
}
