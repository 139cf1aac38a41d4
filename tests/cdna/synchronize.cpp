// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/synchronization.hpp"

#include <string>
#include <string_view>

// Named sequences. Every combination is compared with LLVM 22 by tests/truth/outside/llvm/synchronize.cpp where llc is
// at hand.

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::address_space, cdna::description, cdna::environment, cdna::memory_order, cdna::operation, cdna::scope;

namespace {

constexpr environment one_l2{.l2_caches = 1};
constexpr environment many_l2{.l2_caches = 8};
constexpr environment split{.l2_caches = 8, .tg_split = true};

constexpr auto text(description const& asked, environment const& where = many_l2) {
  return cdna::synchronize(asked, where).text();
}
constexpr auto global(operation kind, memory_order order, scope visible) {
  return description{.kind = kind, .space = address_space::global, .order = order, .scope = visible};
}
constexpr auto local(operation kind, memory_order order, bool one_address_space = false) {
  return description{.kind = kind,
                     .space = address_space::local,
                     .order = order,
                     .scope = scope::group,
                     .one_address_space = one_address_space};
}
constexpr auto fence(memory_order order, scope visible, bool one_address_space = false) {
  return description{.order = order, .scope = visible, .one_address_space = one_address_space};
}

}  // namespace

TEST_CASE("CDNA post, release pattern: write back L2, wait, store the flag at device scope") {
  COALESCE_CHECK(text(global(operation::store, memory_order::release, scope::device)) ==
                 "buffer_wbl2 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_store sc1");
}
TEST_CASE("CDNA post, acquire pattern: load the flag at device scope, wait, invalidate L1 and L2") {
  COALESCE_CHECK(text(global(operation::load, memory_order::acquire, scope::device)) ==
                 "global_load sc1\ns_waitcnt vmcnt(0)\nbuffer_inv sc1");
}
TEST_CASE("CDNA post: likewise for wave, group and system scope") {
  COALESCE_CHECK(text(global(operation::store, memory_order::release, scope::wave)) == "global_store");
  COALESCE_CHECK(text(global(operation::load, memory_order::acquire, scope::wave)) == "global_load");
  COALESCE_CHECK(text(global(operation::store, memory_order::release, scope::group)) ==
                 "s_waitcnt lgkmcnt(0)\nglobal_store sc0");
  COALESCE_CHECK(text(global(operation::load, memory_order::acquire, scope::group)) == "global_load sc0");
  COALESCE_CHECK(text(global(operation::store, memory_order::release, scope::system)) ==
                 "buffer_wbl2 sc0 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_store sc0 sc1");
  COALESCE_CHECK(text(global(operation::load, memory_order::acquire, scope::system)) ==
                 "global_load sc0 sc1\ns_waitcnt vmcnt(0)\nbuffer_inv sc0 sc1");
}
TEST_CASE("under tg_split a work-group is waited for and invalidated as the agent is, without a write-back") {
  COALESCE_CHECK(text(global(operation::store, memory_order::release, scope::group), split) ==
                 "s_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_store sc0");
  COALESCE_CHECK(text(global(operation::load, memory_order::acquire, scope::group), split) ==
                 "global_load sc0\ns_waitcnt vmcnt(0)\nbuffer_inv sc0");
}
TEST_CASE("the number of L2s changes nothing: the compiler does not know it, and no-ops stay") {
  COALESCE_CHECK(text(global(operation::load, memory_order::acquire, scope::device), one_l2) ==
                 text(global(operation::load, memory_order::acquire, scope::device), many_l2));
}
TEST_CASE("monotonic accesses carry the scope's bits and nothing else; unordered ones are plain") {
  COALESCE_CHECK(text(global(operation::load, memory_order::monotonic, scope::system)) == "global_load sc0 sc1");
  COALESCE_CHECK(text(global(operation::store, memory_order::monotonic, scope::group)) == "global_store sc0");
  COALESCE_CHECK(text(global(operation::load, memory_order::unordered, scope::system)) == "global_load");
}
TEST_CASE(
    "LLVM, not its document: a releasing atomic carries sc1 for system scope only, sc0 only to return the value") {
  COALESCE_CHECK(text(global(operation::atomic, memory_order::release, scope::device)) ==
                 "buffer_wbl2 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_atomic");
  COALESCE_CHECK(text(global(operation::atomic_return, memory_order::release, scope::system)) ==
                 "buffer_wbl2 sc0 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_atomic sc0 sc1");
  COALESCE_CHECK(text(global(operation::atomic, memory_order::acq_rel, scope::device)) ==
                 "buffer_wbl2 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_atomic\ns_waitcnt vmcnt(0)\nbuffer_inv sc1");
}
TEST_CASE("LLVM, not its document: LDS: releases and seq_cst loads wait for it; not with OpenCL's one address space") {
  COALESCE_CHECK(text(local(operation::store, memory_order::release)) == "s_waitcnt lgkmcnt(0)\nds_store");
  COALESCE_CHECK(text(local(operation::load, memory_order::seq_cst)) ==
                 "s_waitcnt lgkmcnt(0)\nds_load\ns_waitcnt lgkmcnt(0)");
  COALESCE_CHECK(text(local(operation::load, memory_order::acquire)) == "ds_load\ns_waitcnt lgkmcnt(0)");
  COALESCE_CHECK(text(local(operation::store, memory_order::release, true)) == "ds_store");
}
TEST_CASE("LDS is the work-group's own: wider scopes ask no more of it") {
  constexpr description wide{.kind = operation::atomic_return,
                             .space = address_space::local,
                             .order = memory_order::seq_cst,
                             .scope = scope::system};
  COALESCE_CHECK(text(wide) == text(local(operation::atomic_return, memory_order::seq_cst)));
  COALESCE_CHECK(text(wide) == "s_waitcnt lgkmcnt(0)\nds_atomic\ns_waitcnt lgkmcnt(0)");
}
TEST_CASE("fences") {
  COALESCE_CHECK(text(fence(memory_order::release, scope::system)) ==
                 "buffer_wbl2 sc0 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)");
  COALESCE_CHECK(text(fence(memory_order::acquire, scope::device)) == "s_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc1");
  COALESCE_CHECK(text(fence(memory_order::acq_rel, scope::device)) ==
                 "buffer_wbl2 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc1");
  COALESCE_CHECK(text(fence(memory_order::seq_cst, scope::group)) == "s_waitcnt lgkmcnt(0)");  // not vmcnt(0)
  COALESCE_CHECK(text(fence(memory_order::seq_cst, scope::group, true)) == "");
  COALESCE_CHECK(text(fence(memory_order::release, scope::device, true)) == "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)");
  COALESCE_CHECK(text(fence(memory_order::acquire, scope::wave)) == "");
  COALESCE_CHECK(text(fence(memory_order::acquire, scope::group), split) ==
                 "s_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc0");
}
TEST_CASE("a fence has no address space") {
  COALESCE_CHECK(cdna::synchronize({.space = address_space::local}, split) == cdna::synchronize({}, split));
}
TEST_CASE("flat accesses wait for both counters") {
  constexpr description asked{
      .kind = operation::load, .space = address_space::flat, .order = memory_order::acquire, .scope = scope::device};
  COALESCE_CHECK(text(asked) == "flat_load sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc1");
}
TEST_CASE("seq_cst loads wait first") {
  COALESCE_CHECK(text(global(operation::load, memory_order::seq_cst, scope::device)) ==
                 "s_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_load sc1\ns_waitcnt vmcnt(0)\nbuffer_inv sc1");
}
TEST_CASE("a compare-exchange is as strong as the stronger of its two orderings") {
  constexpr auto exchange = [](memory_order order, memory_order failure) {
    return text({.kind = operation::exchange,
                 .space = address_space::global,
                 .order = order,
                 .failure = failure,
                 .scope = scope::device});
  };
  COALESCE_CHECK(exchange(memory_order::monotonic, memory_order::monotonic) == "global_atomic sc0");
  COALESCE_CHECK(exchange(memory_order::release, memory_order::monotonic) ==
                 "buffer_wbl2 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_atomic sc0");
  COALESCE_CHECK(exchange(memory_order::monotonic, memory_order::acquire) ==
                 "global_atomic sc0\ns_waitcnt vmcnt(0)\nbuffer_inv sc1");
  COALESCE_CHECK(exchange(memory_order::acquire, memory_order::seq_cst) ==
                 exchange(memory_order::acq_rel, memory_order::monotonic));
}
TEST_CASE("the default description is the strongest fence, and flat, at system scope") {
  COALESCE_CHECK(text({}) == "buffer_wbl2 sc0 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc0 sc1");
  COALESCE_CHECK(text({.kind = operation::atomic_return}) ==
                 "buffer_wbl2 sc0 sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nflat_atomic sc0 sc1\n"
                 "s_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_inv sc0 sc1");
}

TEST_CASE("a sequence is a range of its instructions") {
  constexpr auto acquire = cdna::synchronize(global(operation::load, memory_order::acquire, scope::device), many_l2);
  using is = cdna::step_kind;
  COALESCE_CHECK(acquire.size() == 3);
  COALESCE_CHECK(acquire.begin()[0].kind == is::memory_operation);
  COALESCE_CHECK(acquire.begin()[0].bits == cdna::encode(scope::device));
  COALESCE_CHECK(acquire.begin()[1].counters == cdna::waitcnt{.vmcnt = 0});
  COALESCE_CHECK(acquire.begin()[2].kind == is::invalidate);
  COALESCE_CHECK(acquire.end() - acquire.begin() == 3);
  COALESCE_CHECK(cdna::synchronize(fence(memory_order::acquire, scope::wave), {}).empty());
  COALESCE_CHECK(acquire == cdna::synchronize(global(operation::load, memory_order::acquire, scope::device), {}));
  COALESCE_CHECK(acquire != cdna::synchronize(global(operation::load, memory_order::acquire, scope::system), {}));
}

TEST_CASE("CDNA post: n device-scope stores pass L2 n times; n plain ones stay in it, and one write-back follows") {
  constexpr auto passes_l2 = [](scope visible) {
    return cdna::caches_of_store(cdna::encode(visible), many_l2).l2 == cdna::cache_op::coherent_bypass;
  };
  COALESCE_CHECK(passes_l2(scope::device));
  COALESCE_CHECK(!passes_l2(scope::wave));
  COALESCE_CHECK(cdna::buffer_wbl2<scope::device>::on(many_l2).l2 == cdna::cache_action::write_back);
  // A wave that stores 100 times to its 256 bytes: 400 requests to the fabric, or 4 pieces of 64 bytes once.
  constexpr auto store = co::cost<cdna::gfx942::global_store<32>>(co::linear{.stride = 4});
  COALESCE_CHECK((100 * store).transactions == 400);
  COALESCE_CHECK(store.transactions == 4);
}

#ifdef __cpp_exceptions
namespace {

bool is_refused(description const& asked, environment const& where = many_l2) {
  try {
    static_cast<void>(cdna::synchronize(asked, where));
  } catch (co::misuse const&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("refused: orderings that the operation does not have") {
  for (auto const space : {address_space::global, address_space::local, address_space::flat}) {
    using enum memory_order;
    for (auto const order : {release, acq_rel})
      CHECK(is_refused({.kind = operation::load, .space = space, .order = order}));
    for (auto const order : {acquire, acq_rel})
      CHECK(is_refused({.kind = operation::store, .space = space, .order = order}));
    for (auto const kind : {operation::atomic, operation::atomic_return, operation::exchange})
      CHECK(is_refused({.kind = kind, .space = space, .order = unordered}));
    for (auto const order : {unordered, monotonic}) CHECK(is_refused({.order = order}));
    for (auto const failure : {unordered, release, acq_rel})
      CHECK(is_refused({.kind = operation::exchange, .space = space, .failure = failure}));
  }
  CHECK(is_refused({.kind = static_cast<operation>(17)}));
  CHECK(is_refused({.kind = operation::load, .order = static_cast<memory_order>(9)}));
  CHECK(is_refused({.order = static_cast<memory_order>(9)}));
  CHECK(is_refused({.kind = operation::load, .space = static_cast<address_space>(9)}));
  CHECK(is_refused({.scope = static_cast<scope>(9)}));
}
TEST_CASE("refused: LDS under tg_split, but neither flat accesses nor fences; and an agent without L2") {
  for (auto const kind : {operation::load, operation::store, operation::atomic, operation::exchange})
    CHECK(is_refused({.kind = kind, .space = address_space::local}, split));
  CHECK(!is_refused({.kind = operation::load, .space = address_space::flat}, split));
  CHECK(!is_refused({.kind = operation::fence, .space = address_space::local}, split));
  CHECK(is_refused({}, {.l2_caches = 0}));
}
#endif

// ---- Against the rule in words ----

#ifdef __cpp_exceptions
TEST_CASE("every combination, 10,368 of them, is what the rule in words gives, or refused by it") {
  unsigned asked = 0, wrong = 0, refused = 0, other = 0;
  for (unsigned k = 0; k != 6 * 3 * 6 * 6 * 4 * 2 * 2; ++k) {
    unsigned rest = k;
    auto const next = [&](unsigned count) {
      unsigned const digit = rest % count;
      rest /= count;
      return digit;
    };
    description const question{.kind = static_cast<operation>(next(6)),
                               .space = static_cast<address_space>(next(3)),
                               .order = static_cast<memory_order>(next(6)),
                               .failure = static_cast<memory_order>(next(6)),
                               .scope = static_cast<scope>(next(4)),
                               .one_address_space = next(2) == 0};
    environment const where{.l2_caches = 8, .tg_split = next(2) == 0};
    auto const expected = coalescing_tests::slow_synchronization::text(question, where);
    ++asked, refused += !expected.has_value();
    wrong += is_refused(question, where) == expected.has_value();
    if (!expected) continue;
    wrong += cdna::synchronize(question, where).text() != expected->c_str();
    // The control: another scope gives another sequence, except for LDS and operations without bits there.
    auto changed = question;
    changed.scope = question.scope == scope::system ? scope::device : scope::system;
    other += cdna::synchronize(changed, where).text() != expected->c_str();
  }
  CHECK(asked == 10'368);
  CHECK(wrong == 0);
  CHECK(refused > 1'000);
  CHECK(other > (asked - refused) / 2);
}
#endif

// ---- The text itself ----

TEST_CASE("a text owns its characters, compares with literals, and converts to strings and views") {
  constexpr auto acquire = text(global(operation::load, memory_order::monotonic, scope::device));
  COALESCE_CHECK(acquire.size() == 15);
  COALESCE_CHECK(acquire == "global_load sc1");
  COALESCE_CHECK(acquire != "global_load sc");
  COALESCE_CHECK(acquire != "global_load sc1 ");
  COALESCE_CHECK(acquire != "");
  std::string_view const view = acquire;
  CHECK(view == "global_load sc1");
  std::string const copy = text(fence(memory_order::release, scope::device, true));  // from a temporary
  CHECK(copy == "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)");
  CHECK(std::string(text({.order = memory_order::acquire, .scope = scope::wave}).c_str()).empty());
  CHECK(std::string(acquire.c_str()) == copy.substr(0, 0) + "global_load sc1");
}
#ifdef __cpp_exceptions
TEST_CASE("refused: more text than there is room for") {
  co::text<4> word;
  word.append("four");
  CHECK_THROWS_AS(word.append(5), co::misuse);
  CHECK(word == "four");
}
#endif
static_assert(!std::is_convertible_v<co::text<4>, std::string_view>);
static_assert(std::is_convertible_v<co::text<4> const&, std::string_view>);
static_assert(std::is_convertible_v<co::text<4>, std::string>);

namespace {
template <auto Range>
constexpr std::size_t length_of = Range.size();
}
static_assert(length_of<cdna::synchronize({}, {})> == 3);
static_assert(length_of<cdna::waitcnt{.vmcnt = 3}.text()> == 18);
