// SPDX-License-Identifier: BSL-1.0
//
// Why a cache does what it does at a scope, and why each instruction of a synchronization is there: word by word, what
// they do by hand from ISA4's tables 49 to 52.
#include <coalesce/cdna/explain.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/synchronization.hpp"

#include <string>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::scope, cdna::operation, cdna::address_space, cdna::memory_order;

namespace {

template <class Text>
std::string before_the_rule(Text const& text) {
  std::string const all = text;
  return all.substr(0, all.find("Rule: "));
}
bool has(std::string const& text, char const* words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a flag polled at device scope, eight L2s: neither L1 nor L2 serves it, and why") {
  constexpr auto why = cdna::explain<cdna::scoped_load<scope::device>>({.l2_caches = 8});
  static_assert(why.size() != 0);
  CHECK(before_the_rule(why) ==
        "load of scope device, 8 L2s:\n"
        "  L1 of the compute unit: miss evict, goes on even if the line is here, and the line goes; not shared by the "
        "waves of the agent\n"
        "  L2 of the XCD: coherent bypass, goes on past this cache (what becomes of the line is in no glossary); not "
        "shared by the waves of the agent\n"
        "  last level, at the memory: hit LRU, may be served here, and the line counts as recently used; shared by the "
        "waves of the agent\n"
        "Who shares what, and so why, is our reading. ");
  CHECK(has(why, "9.1.10, Table 49)"));
  CHECK(has(why, "address: https://www.amd.com/"));
}
TEST_CASE("one L2 is shared by the agent; TG_SPLIT parts a work-group's L1s") {
  CHECK(has(cdna::explain<cdna::scoped_load<scope::device>>({.l2_caches = 1}),
            "L2 of the XCD: hit LRU, may be served here, and the line counts as recently used; shared by the waves"));
  CHECK(has(cdna::explain<cdna::scoped_load<scope::group>>({.l2_caches = 8}),
            "L1 of the compute unit: hit LRU, may be served here, and the line counts as recently used; shared by the "
            "waves of the work-group\n"));
  CHECK(has(cdna::explain<cdna::scoped_load<scope::group>>({.l2_caches = 8, .tg_split = true}),
            "L1 of the compute unit: miss LRU, goes on even if the line is here, which counts as recently used; not "
            "shared by the waves of the work-group\n"));
}
TEST_CASE("what goes on although it is shared does so for want of reuse, or is a store") {
  CHECK(
      has(cdna::explain<cdna::scoped_load<scope::wave, cdna::reuse::non_temporal>>({}),
          "load of scope wave, non-temporal, 1 L2:\n  L1 of the compute unit: miss evict, goes on even if the line is "
          "here, and the line goes; no reuse is expected\n"));
  CHECK(has(cdna::explain<cdna::scoped_store<scope::wave>>({}),
            "L1 of the compute unit: miss LRU, goes on even if the line is here, which counts as recently used; L1 "
            "writes through, so no store is done here\n"));
}
TEST_CASE("an acquire load of device scope") {
  constexpr auto why = cdna::explain(
      {.kind = operation::load, .space = address_space::global, .order = memory_order::acquire, .scope = scope::device},
      {.l2_caches = 8});
  CHECK(before_the_rule(why) ==
        "global_load sc1: the access\n"
        "s_waitcnt vmcnt(0): acquire, nothing later may go before the value is here\n"
        "buffer_inv sc1: acquire, L1 drops its lines, which may be older than what the waves of the agent wrote; L2 "
        "those that no probe keeps coherent\n");
  CHECK(has(why, "SIMemoryLegalizer.cpp"));
}
TEST_CASE("a release store of device scope, one L2: the write-back is there and does nothing") {
  CHECK(before_the_rule(cdna::explain({.kind = operation::store,
                                       .space = address_space::global,
                                       .order = memory_order::release,
                                       .scope = scope::device},
                                      {.l2_caches = 1})) ==
        "buffer_wbl2 sc1: release, L2 writes back what the waves of the agent could not see; here it does nothing, "
        "since they share the one L2\n"
        "s_waitcnt vmcnt(0) lgkmcnt(0): all that the wave did before is done, the write-back too, before others can "
        "see the access\n"
        "global_store sc1: the access\n");
}
TEST_CASE("which caches the waves of a scope share: by where they may run") {
  auto const shared = [](std::string const& why, char const* cache) {
    auto const from = why.find(cache);
    auto const line = why.substr(from, why.find('\n', from) - from);
    CHECK((has(line, "; shared by ") || has(line, "; not shared by ")));
    return has(line, "; shared by ");
  };
  auto const check = [&](std::string const& why, bool l1, bool l2) {
    INFO(why);
    CHECK(shared(why, "L1 of the compute unit") == l1);
    CHECK(shared(why, "L2 of the XCD") == l2);
    CHECK(shared(why, "last level, at the memory"));
  };
  check(cdna::explain<cdna::scoped_load<scope::wave>>({.l2_caches = 8}), true, true);
  check(cdna::explain<cdna::scoped_load<scope::wave>>({.l2_caches = 8, .tg_split = true}), true, true);
  check(cdna::explain<cdna::scoped_load<scope::group>>({.l2_caches = 8}), true, true);
  check(cdna::explain<cdna::scoped_load<scope::group>>({.l2_caches = 8, .tg_split = true}), false, true);
  check(cdna::explain<cdna::scoped_load<scope::device>>({.l2_caches = 1}), false, true);
  check(cdna::explain<cdna::scoped_load<scope::device>>({.l2_caches = 8}), false, false);
  check(cdna::explain<cdna::scoped_load<scope::system>>({.l2_caches = 1}), false, false);
  check(cdna::explain<cdna::scoped_load<scope::system>>({.l2_caches = 8}), false, false);
}
TEST_CASE("a store past L2: it goes on for its scope's sake there, and for L1's in L1") {
  CHECK(before_the_rule(cdna::explain<cdna::scoped_store<scope::system>>({.l2_caches = 8, .tg_split = true})) ==
        "store of scope system, 8 L2s, TG_SPLIT:\n"
        "  L1 of the compute unit: miss evict, goes on even if the line is here, and the line goes; L1 writes through, "
        "so no store is done here\n"
        "  L2 of the XCD: coherent bypass, goes on past this cache (what becomes of the line is in no glossary); not "
        "shared by other agents and the CPU\n"
        "  last level, at the memory: hit LRU, may be served here, and the line counts as recently used; shared by "
        "other agents and the CPU\n"
        "Who shares what, and so why, is our reading. ");
}
TEST_CASE("a fence that acquires waits and drops, and writes nothing back") {
  CHECK(before_the_rule(cdna::explain({.order = memory_order::acquire, .scope = scope::device}, {.l2_caches = 1})) ==
        "s_waitcnt vmcnt(0) lgkmcnt(0): all that the wave did before is done\n"
        "buffer_inv sc1: acquire, L1 drops its lines, which may be older than what the waves of the agent wrote\n");
  CHECK(
      before_the_rule(
          cdna::explain({.order = memory_order::acquire, .scope = scope::group}, {.l2_caches = 8, .tg_split = true})) ==
      "s_waitcnt vmcnt(0) lgkmcnt(0): all that the wave did before is done\n"
      "buffer_inv sc0: acquire, L1 drops its lines, which may be older than what the waves of the work-group wrote\n");
}
TEST_CASE("at system scope one L2 is written back, and drops what no probe keeps coherent") {
  constexpr auto why = cdna::explain({.scope = scope::system}, {.l2_caches = 1});
  CHECK(before_the_rule(why) ==
        "buffer_wbl2 sc0 sc1: release, L2 writes back what other agents and the CPU could not see\n"
        "s_waitcnt vmcnt(0) lgkmcnt(0): all that the wave did before is done, the write-back too, before others can "
        "see the access\n"
        "buffer_inv sc0 sc1: acquire, L1 drops its lines, which may be older than what other agents and the CPU wrote; "
        "L2 those that no probe keeps coherent\n");
  CHECK(has(why, "documented"));
}
TEST_CASE("a fence of a wave is no instruction; LDS has no bits") {
  CHECK(before_the_rule(cdna::explain({.order = memory_order::acquire, .scope = scope::wave}, {})) ==
        "no instruction: nothing is to wait for, to write back or to drop\n");
  CHECK(
      has(cdna::explain({.kind = operation::load, .space = address_space::local, .order = memory_order::monotonic}, {}),
          "ds_load: the access; LDS has no caches, and no bits for them\n"));
}
TEST_CASE("a release store of a work-group waits for LDS and not for plain stores, and says so") {
  constexpr cdna::description store{
      .kind = operation::store, .space = address_space::global, .order = memory_order::release, .scope = scope::group};
  CHECK(before_the_rule(cdna::explain(store, {.l2_caches = 8})) ==
        "s_waitcnt lgkmcnt(0): what the wave did before in LDS, GDS and scalar memory, and its messages, are done; "
        "vector memory is not waited for\n"
        "global_store sc0: the access\n");
  CHECK(before_the_rule(cdna::explain({.kind = operation::load,
                                       .space = address_space::global,
                                       .order = memory_order::seq_cst,
                                       .scope = scope::group},
                                      {.l2_caches = 8})) ==
        "s_waitcnt lgkmcnt(0): what the wave did before in LDS, GDS and scalar memory, and its messages, are done; "
        "vector memory is not waited for\n"
        "global_load sc0: the access\n");
}
TEST_CASE("one address space: a release store of the agent does not wait for LDS") {
  CHECK(before_the_rule(cdna::explain({.kind = operation::store,
                                       .space = address_space::global,
                                       .order = memory_order::release,
                                       .scope = scope::device,
                                       .one_address_space = true},
                                      {.l2_caches = 8})) ==
        "buffer_wbl2 sc1: release, L2 writes back what the waves of the agent could not see\n"
        "s_waitcnt vmcnt(0): what the wave did before in vector memory is done, the write-back too, before others can "
        "see the access; LDS, GDS, scalar memory and messages are not waited for\n"
        "global_store sc1: the access\n");
}
TEST_CASE("what a wait is said to leave undone is what issued_operations leaves undone, whatever is asked") {
  using cdna::issued;
  unsigned all = 0, vector = 0, local = 0, flat = 0;
  for (unsigned kind = 0; kind != 6; ++kind)
    for (unsigned order = 0; order != 6; ++order)
      for (unsigned failure = 0; failure != 6; ++failure)
        for (unsigned space = 0; space != 3; ++space)
          for (unsigned bits = 0; bits != 16; ++bits) {
            cdna::description const what{.kind = static_cast<operation>(kind),
                                         .space = static_cast<address_space>(space),
                                         .order = static_cast<memory_order>(order),
                                         .failure = static_cast<memory_order>(failure),
                                         .scope = static_cast<scope>(bits % 4),
                                         .one_address_space = bits / 4 % 2 != 0};
            cdna::environment const where{.l2_caches = 8, .tg_split = bits / 8 != 0};
            if (!coalescing_tests::slow_synchronization::text(what, where)) continue;
            std::string text = cdna::explain(what, where);
            CHECK(text.substr(text.size() - 5) == ".cpp\n");  // none is cut off
            text = before_the_rule(text);
            bool accessed = false;
            for (auto const& step : cdna::synchronize(what, where)) {
              std::string const line = text.substr(0, text.find('\n'));
              text.erase(0, line.size() + 1);
              accessed = accessed || step.kind == cdna::step_kind::memory_operation;
              if (step.kind != cdna::step_kind::wait) continue;
              auto const completes = [&](issued one) {
                return cdna::issued_operations(one).is_complete_after(step.counters, 0);
              };
              INFO(line);
              if (accessed) {
                bool const partly = has(line, "is not waited for");
                CHECK(partly == (what.space == address_space::flat && !completes(issued::flat)));
                if (what.space != address_space::flat)
                  CHECK(completes(what.space == address_space::local ? issued::lds : issued::vector_load));
                flat += partly;
                continue;
              }
              for (issued const one :
                   {issued::vector_load, issued::vector_store, issued::vector_atomic, issued::lds_dma})
                CHECK(completes(one) != has(line, "; vector memory is not waited for"));
              for (issued const one : {issued::lds, issued::scalar_dword, issued::scalar_wide, issued::message})
                CHECK(completes(one) != has(line, "; LDS, GDS, scalar memory and messages are not waited for"));
              CHECK(has(line, "all that the wave did before is done") == completes(issued::flat));
              ++(completes(issued::flat) ? all : completes(issued::lds) ? local : vector);
            }
          }
  CHECK(all > 100);
  CHECK(vector > 100);
  CHECK(local > 100);
  CHECK(flat > 20);
}
TEST_CASE("control: every instruction of a sequence has a line, whatever is asked") {
  unsigned asked = 0;
  for (unsigned kind = 0; kind != 6; ++kind)
    for (unsigned at = 0; at != 4; ++at)
      for (unsigned split = 0; split != 2; ++split) {
        cdna::description const what{.kind = static_cast<operation>(kind),
                                     .space = address_space::global,
                                     .order = kind == 0   ? memory_order::acquire
                                              : kind == 1 ? memory_order::release
                                                          : memory_order::acq_rel,
                                     .failure = memory_order::acquire,
                                     .scope = static_cast<scope>(at)};
        cdna::environment const where{.l2_caches = 8, .tg_split = split != 0};
        auto const sequence = cdna::synchronize(what, where);
        std::string const lines = before_the_rule(cdna::explain(what, where));
        unsigned count = 0;
        for (char const c : lines) count += c == '\n';
        CHECK(count == (sequence.empty() ? 1 : sequence.size()));
        ++asked;
      }
  CHECK(asked == 48);
}
