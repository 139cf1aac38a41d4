// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna/synchronize.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/rdna_synchronization.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Named sequences, and rules that hold for all. Every combination is compared with LLVM 22 by
// tests/truth/outside/llvm/synchronize.cpp where llc is at hand.

namespace co = coalescing;
namespace rdna = co::rdna;
using rdna::address_space, rdna::description, rdna::memory_order, rdna::operation, rdna::scope;
using rdna::gfx1010, rdna::gfx1030, rdna::gfx1100, rdna::gfx1151, rdna::gfx1201, rdna::gfx1250;

namespace {

template <class Chip>
constexpr auto text(description const& asked, rdna::environment<typename rdna::generation_of<Chip>::type> where = {}) {
  return rdna::synchronize<Chip>(asked, where).text();
}
constexpr auto global(operation kind, memory_order order, scope visible) {
  return description{.kind = kind, .space = address_space::global, .order = order, .scope = visible};
}
constexpr auto local(operation kind, memory_order order) {
  return description{.kind = kind, .space = address_space::local, .order = order, .scope = scope::system};
}
constexpr auto raise = global(operation::store, memory_order::release, scope::agent);
constexpr auto poll = global(operation::load, memory_order::acquire, scope::agent);

}  // namespace

TEST_CASE("LLVM 22, message passing at agent scope: the flag raised") {
  COALESCE_CHECK(text<gfx1030>(raise) == "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0\nglobal_store");
  COALESCE_CHECK(text<gfx1100>(raise) == text<gfx1030>(raise));
  COALESCE_CHECK(text<gfx1201>(raise) ==
                 "s_wait_bvhcnt 0x0\ns_wait_samplecnt 0x0\ns_wait_loadcnt 0x0\ns_wait_storecnt 0x0\ns_wait_dscnt 0x0\n"
                 "global_store scope:SCOPE_DEV");
  COALESCE_CHECK(text<gfx1250>(raise) ==
                 "global_wb scope:SCOPE_DEV\ns_wait_loadcnt 0x0\ns_wait_storecnt 0x0\ns_wait_dscnt 0x0\n"
                 "s_wait_xcnt 0x0\nglobal_store scope:SCOPE_DEV");
}
TEST_CASE("LLVM 22, message passing at agent scope: the flag polled") {
  COALESCE_CHECK(text<gfx1030>(poll) == "global_load glc dlc\ns_waitcnt vmcnt(0)\nbuffer_gl1_inv\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1100>(poll) == "global_load glc\ns_waitcnt vmcnt(0)\nbuffer_gl1_inv\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1201>(poll) == "global_load scope:SCOPE_DEV\ns_wait_loadcnt 0x0\nglobal_inv scope:SCOPE_DEV");
  COALESCE_CHECK(text<gfx1250>(poll) == text<gfx1201>(poll));
}
TEST_CASE("a work-group's acquire: in WGP mode past L0, in CU mode a plain load; gfx1250 waits in its CU mode") {
  constexpr auto asked = global(operation::load, memory_order::acquire, scope::workgroup);
  COALESCE_CHECK(text<gfx1030>(asked) == "global_load glc\ns_waitcnt vmcnt(0)\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1030>(asked, {.cu_mode = true}) == "global_load");
  COALESCE_CHECK(text<gfx1201>(asked) == "global_load scope:SCOPE_SE\ns_wait_loadcnt 0x0\nglobal_inv scope:SCOPE_SE");
  COALESCE_CHECK(text<gfx1201>(asked, {.cu_mode = true}) == "global_load");
  COALESCE_CHECK(text<gfx1250>(asked) == "global_load\ns_wait_loadcnt 0x0");
}
TEST_CASE("LLVM PR 161638: a work-group's release waits for vector memory in CU mode too") {
  constexpr auto asked = global(operation::store, memory_order::release, scope::workgroup);
  COALESCE_CHECK(text<gfx1100>(asked, {.cu_mode = true}) ==
                 "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0\nglobal_store");
}
TEST_CASE("gfx12 writes back at system scope alone, gfx1250 for the agent too, neither for a cluster") {
  constexpr auto fence = [](scope visible) { return description{.order = memory_order::release, .scope = visible}; };
  constexpr auto writes_back = [](auto const& sequence) {
    return sequence.steps[0].kind == rdna::step_kind::write_back;
  };
  COALESCE_CHECK(writes_back(rdna::synchronize<gfx1201>(fence(scope::system), {})));
  COALESCE_CHECK(!writes_back(rdna::synchronize<gfx1201>(fence(scope::agent), {})));
  COALESCE_CHECK(writes_back(rdna::synchronize<gfx1250>(fence(scope::agent), {})));
  COALESCE_CHECK(!writes_back(rdna::synchronize<gfx1250>(fence(scope::cluster), {})));
  COALESCE_CHECK(text<gfx1201>(fence(scope::cluster)) == text<gfx1201>(fence(scope::agent)));
}
TEST_CASE("an atomic's wait is for stores unless it returns the value; the bit says which") {
  constexpr auto quiet = global(operation::atomic, memory_order::acquire, scope::agent);
  constexpr auto telling = global(operation::atomic_return, memory_order::acquire, scope::agent);
  COALESCE_CHECK(text<gfx1030>(quiet) == "global_atomic\ns_waitcnt_vscnt null, 0x0\nbuffer_gl1_inv\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1030>(telling) == "global_atomic glc\ns_waitcnt vmcnt(0)\nbuffer_gl1_inv\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1201>(telling) ==
                 "global_atomic th:TH_ATOMIC_RETURN scope:SCOPE_DEV\ns_wait_loadcnt 0x0\nglobal_inv scope:SCOPE_DEV");
}
TEST_CASE("gfx1250 waits for translations before what writes, unordered stores too, but not in LDS") {
  COALESCE_CHECK(text<gfx1250>(global(operation::store, memory_order::unordered, scope::system)) ==
                 "s_wait_xcnt 0x0\nglobal_store");
  COALESCE_CHECK(text<gfx1250>(local(operation::store, memory_order::monotonic)) == "ds_store");
}
TEST_CASE("LDS is the work-group's own: wider scopes ask no more of it, and it has no bits") {
  COALESCE_CHECK(text<gfx1100>(local(operation::atomic_return, memory_order::acquire)) ==
                 "ds_atomic\ns_waitcnt lgkmcnt(0)\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1100>(local(operation::load, memory_order::acquire), {.cu_mode = true}) ==
                 "ds_load\ns_waitcnt lgkmcnt(0)");
}
TEST_CASE("a fence orders everything, or one address space") {
  constexpr description all{.order = memory_order::acq_rel, .scope = scope::agent};
  constexpr description lds{.space = address_space::local, .order = memory_order::acq_rel, .scope = scope::agent};
  constexpr description memory{.space = address_space::global, .order = memory_order::acq_rel, .scope = scope::agent};
  COALESCE_CHECK(text<gfx1030>(all) ==
                 "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0\nbuffer_gl1_inv\nbuffer_gl0_inv");
  COALESCE_CHECK(text<gfx1030>(lds) == "s_waitcnt lgkmcnt(0)");
  COALESCE_CHECK(text<gfx1030>(memory) ==
                 "s_waitcnt vmcnt(0)\ns_waitcnt_vscnt null, 0x0\nbuffer_gl1_inv\nbuffer_gl0_inv");
}
TEST_CASE("a scope is less than a wider one") {
  COALESCE_CHECK(scope::singlethread < scope::wavefront);
  COALESCE_CHECK(scope::wavefront < scope::workgroup);
  COALESCE_CHECK(scope::workgroup < scope::cluster);
  COALESCE_CHECK(scope::cluster < scope::agent);
  COALESCE_CHECK(scope::agent < scope::system);
}
TEST_CASE("the default description is the strongest fence") {
  COALESCE_CHECK(text<gfx1201>({}) ==
                 "global_wb scope:SCOPE_SYS\ns_wait_bvhcnt 0x0\ns_wait_samplecnt 0x0\ns_wait_loadcnt 0x0\n"
                 "s_wait_storecnt 0x0\ns_wait_dscnt 0x0\nglobal_inv scope:SCOPE_SYS");
}
TEST_CASE("a sequence is a range of its instructions, and a template argument") {
  constexpr auto acquire = rdna::synchronize<gfx1100>(poll, {});
  using is = rdna::step_kind;
  COALESCE_CHECK(acquire.size() == 4);
  COALESCE_CHECK(acquire.begin()[0].bits == rdna::bits<gfx1100>{.glc = true});
  COALESCE_CHECK(acquire.begin()[1].counters == rdna::waitcnt<gfx1100>{.vmcnt = 0});
  COALESCE_CHECK(acquire.begin()[2].kind == is::invalidate_gl1);
  COALESCE_CHECK(acquire.begin()[3].kind == is::invalidate_gl0);
  COALESCE_CHECK(acquire.end() - acquire.begin() == 4);
  COALESCE_CHECK(rdna::synchronize<gfx1100>({.scope = scope::wavefront}, {}).empty());
  COALESCE_CHECK(acquire == rdna::synchronize<gfx1151>(poll, {}));
}
namespace {
template <auto Range>
constexpr std::size_t length_of = Range.size();
}
static_assert(length_of<rdna::synchronize<gfx1250>({}, {})> == 5);

// ---- Rules for all combinations ----

namespace {

constexpr operation kinds[] = {operation::load,          operation::store,    operation::atomic,
                               operation::atomic_return, operation::exchange, operation::fence};
constexpr address_space spaces[] = {address_space::global, address_space::local, address_space::flat};
constexpr memory_order orders[] = {memory_order::unordered, memory_order::monotonic, memory_order::acquire,
                                   memory_order::release,   memory_order::acq_rel,   memory_order::seq_cst};
constexpr scope scopes[] = {scope::singlethread, scope::wavefront, scope::workgroup,
                            scope::cluster,      scope::agent,     scope::system};

/// Whether the operation has the ordering, in the words of LLVM's language reference.
bool exists(operation kind, memory_order order) {
  using enum memory_order;
  if (kind == operation::load) return order != release && order != acq_rel;
  if (kind == operation::store) return order != acquire && order != acq_rel;
  return order != unordered && (kind != operation::fence || order != monotonic);
}
template <class Function>
unsigned for_all(Function const& function) {
  unsigned asked = 0;
  for (auto const kind : kinds)
    for (auto const space : spaces)
      for (auto const order : orders)
        for (auto const failure : {memory_order::monotonic, memory_order::acquire, memory_order::seq_cst})
          for (bool const one : {false, true})
            if (exists(kind, order) && (kind == operation::exchange || failure == memory_order::monotonic)) {
              function(description{
                  .kind = kind, .space = space, .order = order, .failure = failure, .one_address_space = one});
              ++asked;
            }
  return asked;
}
/// The lines of a text.
std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines(1);
  for (char const c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}
/// Counts the waits of a text, each counter by itself: "vmcnt(0)", "s_wait_dscnt 0x0".
unsigned waits_in(std::string const& text) {
  unsigned found = 0;
  for (auto const& line : lines_of(text)) {
    found += line.starts_with("s_wait_") + line.starts_with("s_waitcnt_vscnt");
    found += (line.find("vmcnt(0)") != line.npos) + (line.find("lgkmcnt(0)") != line.npos);
  }
  return found;
}
std::string without(std::string text, std::string const& what) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what)) text.erase(at, what.size());
  return text;
}

template <class Chip>
unsigned weaker_though_wider(bool backwards) {
  unsigned found = 0;
  for_all([&](description asked) {
    unsigned before = 0;
    for (unsigned n = 0; n != 6; ++n) {
      asked.scope = scopes[backwards ? 5 - n : n];
      auto const now = waits_in(text<Chip>(asked));
      found += now < before;
      before = now;
    }
  });
  return found;
}

}  // namespace

TEST_CASE("RDNA: a wider scope never waits for less, and the control sees that a narrower one does") {
  CHECK(weaker_though_wider<gfx1030>(false) == 0);
  CHECK(weaker_though_wider<gfx1201>(false) == 0);
  CHECK(weaker_though_wider<gfx1250>(false) == 0);
  CHECK(weaker_though_wider<gfx1030>(true) > 0);
}
TEST_CASE("RDNA: gfx11 differs from gfx10 in DLC alone; one-as never waits for LDS; CU mode asks for no more") {
  unsigned differ = 0, lds = 0, more = 0;
  CHECK(for_all([&](description asked) {
          for (auto const visible : scopes) {
            asked.scope = visible;
            std::string const ten = text<gfx1010>(asked), eleven = text<gfx1100>(asked);
            CHECK(without(ten, " dlc") == eleven);
            differ += ten != eleven;
            std::string const twelve = text<gfx1201>(asked);
            lds += asked.one_address_space && twelve.find("dscnt") != twelve.npos;
            more += text<gfx1201>(asked, {.cu_mode = true}).size() > twelve.size();
            more += text<gfx1030>(asked, {.cu_mode = true}).size() > ten.size();
          }
        }) == 2 * 3 * (4 + 4 + 5 + 5 + 5 * 3 + 4));
  CHECK(differ > 0);
  CHECK(lds == 0);
  CHECK(more == 0);
}

// ---- Against the rule in words ----

namespace {

/// The questions about a generation in one mode, those with a different answer, and the longest sequence.
struct comparison {
  unsigned asked = 0, different = 0, longest = 0;
};
template <class Chip>
comparison compared(unsigned generation, bool cu_mode, bool told_of_wgp_mode = false) {
  comparison found;
  for (auto const kind : kinds)
    for (auto const space : spaces)
      for (auto const order : orders)
        for (auto const failure : orders)
          for (auto const visible : scopes)
            for (bool const one : {false, true}) {
              description const asked{.kind = kind,
                                      .space = space,
                                      .order = order,
                                      .failure = failure,
                                      .scope = visible,
                                      .one_address_space = one};
              auto const expected =
                  coalescing_tests::slow_rdna_synchronization::text(asked, generation, cu_mode && !told_of_wgp_mode);
              bool const failure_is_asked_for =
                  kind == operation::exchange || failure == memory_order::monotonic || failure == memory_order::seq_cst;
              if (!failure_is_asked_for || !expected) continue;
              auto const made = rdna::synchronize<Chip>(asked, {.cu_mode = cu_mode});
              ++found.asked, found.different += made.text() != *expected;
              found.longest = std::max(found.longest, made.size());
            }
  return found;
}

}  // namespace

TEST_CASE("RDNA: every operation, ordering, scope, space and mode agrees with the rule in words") {
  // Loads and stores have 4 orderings, atomics 5, exchanges 5 times 3, fences 4; all except exchanges with two
  // failures.
  constexpr unsigned all = 3 * 6 * 2 * (2 * (4 + 4 + 5 + 5 + 4) + 5 * 3);
  for (bool const cu_mode : {false, true}) {
    auto const ten = compared<gfx1030>(10, cu_mode), eleven = compared<gfx1100>(11, cu_mode),
               twelve = compared<gfx1201>(12, cu_mode);
    CHECK(ten.different + eleven.different + twelve.different == 0);
    CHECK(ten.asked == all);
    CHECK(eleven.asked == all);
    CHECK(twelve.asked == all);
    CHECK(twelve.longest == rdna::instruction_sequence<rdna::gfx12>::capacity);
  }
  auto const last = compared<gfx1250>(1250, true);
  CHECK(last.different == 0);
  CHECK(last.asked == all);
}
TEST_CASE("control: the rule of the other mode, or of another generation, differs") {
  CHECK(compared<gfx1030>(10, true, true).different > 100);
  CHECK(compared<gfx1201>(12, true, true).different > 100);
  CHECK(compared<gfx1030>(11, true).different > 50);
}
TEST_CASE("an exchange that says nothing of its failure fails as seq_cst") {
  constexpr description quiet{.kind = operation::exchange, .order = memory_order::monotonic};
  constexpr description said{
      .kind = operation::exchange, .order = memory_order::monotonic, .failure = memory_order::seq_cst};
  COALESCE_CHECK(text<gfx1201>(quiet) == text<gfx1201>(said));
}

#ifdef __cpp_exceptions
TEST_CASE("RDNA, refused: orderings that the operation does not have, values that are no names, WGP mode on gfx1250") {
  auto const is_refused = [](description const& asked) {
    try {
      static_cast<void>(rdna::synchronize<gfx1100>(asked, {}));
    } catch (co::misuse const&) {
      return true;
    }
    return false;
  };
  for (auto const kind : kinds)
    for (auto const order : orders) CHECK(is_refused({.kind = kind, .order = order}) == !exists(kind, order));
  for (auto const failure : {memory_order::unordered, memory_order::release, memory_order::acq_rel})
    CHECK(is_refused({.kind = operation::exchange, .failure = failure}));
  for (int const beyond : {6, 17}) {  // the first that is no name, and another
    CHECK(is_refused({.kind = static_cast<operation>(beyond)}));
    CHECK(is_refused({.space = static_cast<address_space>(beyond - 3)}));
    CHECK(is_refused({.order = static_cast<memory_order>(beyond)}));
    CHECK(is_refused({.kind = operation::exchange, .failure = static_cast<memory_order>(beyond)}));
    CHECK(is_refused({.failure = static_cast<memory_order>(beyond)}));
    CHECK(is_refused({.scope = static_cast<scope>(beyond)}));
  }
  CHECK_THROWS_AS(static_cast<void>(rdna::synchronize<gfx1250>({}, {.cu_mode = false})), co::misuse);
}
#endif
