// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

#include <random>
#include <set>
#include <vector>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::issued, cdna::issued_operations, cdna::waitcnt;

// ---- The instruction ----

TEST_CASE("encodings that llvm-mc gives") {
  COALESCE_CHECK(waitcnt{.vmcnt = 0}.simm16() == 0x0f70);
  COALESCE_CHECK(waitcnt{.vmcnt = 16}.simm16() == 0x4f70);
  COALESCE_CHECK(waitcnt{.lgkmcnt = 0}.simm16() == 0xc07f);
  COALESCE_CHECK(waitcnt{.vmcnt = 0, .lgkmcnt = 0}.simm16() == 0x0070);
  COALESCE_CHECK(waitcnt{}.simm16() == 0xcf7f);
}
TEST_CASE("a published encoding of vmcnt(8) lgkmcnt(0) that leaves expcnt at 0 waits for that too") {
  COALESCE_CHECK(waitcnt::decode(0x0008) == waitcnt{.vmcnt = 8, .expcnt = 0, .lgkmcnt = 0});
  COALESCE_CHECK(waitcnt{.vmcnt = 8, .lgkmcnt = 0}.simm16() == 0x0078);
}
TEST_CASE("text names the counters that are waited for, and all of them where none is") {
  COALESCE_CHECK(waitcnt{.vmcnt = 3}.text() == "s_waitcnt vmcnt(3)");
  COALESCE_CHECK(waitcnt{.vmcnt = 62, .lgkmcnt = 14}.text() == "s_waitcnt vmcnt(62) lgkmcnt(14)");
  COALESCE_CHECK(waitcnt{.vmcnt = 0, .expcnt = 0, .lgkmcnt = 0}.text() == "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)");
  COALESCE_CHECK(waitcnt{}.text() == "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(15)");
}
TEST_CASE("every value of the counters has an encoding of its own, with bits 7, 12 and 13 zero, and comes back") {
  std::set<unsigned> seen;
  for (unsigned vm = 0; vm != 64; ++vm)
    for (unsigned exp = 0; exp != 8; ++exp)
      for (unsigned lgkm = 0; lgkm != 16; ++lgkm) {
        waitcnt const wait{.vmcnt = vm, .expcnt = exp, .lgkmcnt = lgkm};
        auto const code = wait.simm16();
        CHECK((code & ~0xcf7fu) == 0);
        CHECK(seen.insert(code).second);
        CHECK(waitcnt::decode(code) == wait);
      }
}
#ifdef __cpp_exceptions
TEST_CASE("refused: counters out of range, and immediates with other bits") {
  CHECK_THROWS_AS(static_cast<void>(waitcnt{.vmcnt = 64}.simm16()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt{.expcnt = 8}.simm16()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt{.lgkmcnt = 16}.simm16()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt{.lgkmcnt = 16}.text()), co::misuse);
  for (unsigned const bit : {7u, 12u, 13u, 16u, 31u})
    CHECK_THROWS_AS(static_cast<void>(waitcnt::decode(1u << bit)), co::misuse);
  issued_operations wave(issued::lds);
  CHECK_THROWS_AS(wave.wait({.lgkmcnt = 99}), co::misuse);
}
#endif

// ---- What is outstanding ----

namespace {

constexpr auto load = issued::vector_load;
constexpr auto store = issued::vector_store;
constexpr auto lds = issued::lds;

constexpr issued_operations five(load, load, load, load, load);

constexpr bool complete_after(issued_operations wave, waitcnt first, waitcnt second, unsigned number) {
  wave.wait(first);
  wave.wait(second);
  return wave.is_complete(number);
}

}  // namespace

TEST_CASE("CDNA post: of five vector operations, vmcnt(3) means that the first two are done") {
  COALESCE_CHECK(five.vm_cnt() == 5);
  COALESCE_CHECK(five.is_complete_after({.vmcnt = 3}, 0));
  COALESCE_CHECK(five.is_complete_after({.vmcnt = 3}, 1));
  COALESCE_CHECK(!five.is_complete_after({.vmcnt = 3}, 2));
  COALESCE_CHECK(!five.is_complete_after({.vmcnt = 3}, 4));
}
TEST_CASE("CDNA post: lgkmcnt(3) leaves at most three LDS operations, where no scalar load is among them") {
  constexpr issued_operations wave(lds, lds, lds, lds, lds);
  COALESCE_CHECK(wave.lgkm_cnt() == 5);
  COALESCE_CHECK(wave.is_complete_after({.lgkmcnt = 3}, 1));
  COALESCE_CHECK(!wave.is_complete_after({.lgkmcnt = 3}, 2));
  constexpr issued_operations mixed(lds, lds, lds, issued::scalar_dword, lds);
  COALESCE_CHECK(!mixed.is_complete_after({.lgkmcnt = 3}, 1));
  COALESCE_CHECK(!mixed.is_complete_after({.lgkmcnt = 3}, 0));
  COALESCE_CHECK(mixed.is_complete_after({.lgkmcnt = 0}, 3));
}
TEST_CASE("ISA4 4.4: the k-th oldest of n vector memory operations needs vmcnt(n - k)") {
  COALESCE_CHECK(five.weakest_wait(0) == waitcnt{.vmcnt = 4});
  COALESCE_CHECK(five.weakest_wait(1) == waitcnt{.vmcnt = 3});
  COALESCE_CHECK(five.weakest_wait(4) == waitcnt{.vmcnt = 0});
}
TEST_CASE("ISA4 4.4: load, store, use of the load: vmcnt(1), since stores, atomics and LDS-DMA count too") {
  COALESCE_CHECK(issued_operations(load, store).weakest_wait(0) == waitcnt{.vmcnt = 1});
  COALESCE_CHECK(issued_operations(load, issued::vector_atomic).weakest_wait(0) == waitcnt{.vmcnt = 1});
  COALESCE_CHECK(issued_operations(load, issued::lds_dma).weakest_wait(0) == waitcnt{.vmcnt = 1});
  COALESCE_CHECK(issued_operations(store, issued::write_back).weakest_wait(1) == waitcnt{.vmcnt = 0});
}
TEST_CASE(
    "ISA4 10.2.2: where any FLAT is outstanding, older or younger, vmcnt(0); its own result needs both counters") {
  COALESCE_CHECK(issued_operations(load, issued::flat).weakest_wait(0) == waitcnt{.vmcnt = 0});
  COALESCE_CHECK(issued_operations(issued::flat, load, load).weakest_wait(1) == waitcnt{.vmcnt = 0});
  COALESCE_CHECK(issued_operations(load, issued::flat, load).weakest_wait(1) == waitcnt{.vmcnt = 0, .lgkmcnt = 0});
  COALESCE_CHECK(issued_operations(lds, issued::flat, lds).weakest_wait(0) == waitcnt{.lgkmcnt = 0});
  COALESCE_CHECK(issued_operations(issued::flat).vm_cnt() == 1);
  COALESCE_CHECK(issued_operations(issued::flat).lgkm_cnt() == 1);
}
TEST_CASE("a FLAT operation is complete when both counters have said so, in one wait or in two") {
  constexpr issued_operations wave(issued::flat);
  COALESCE_CHECK(!wave.is_complete_after({.vmcnt = 0}, 0));
  COALESCE_CHECK(!wave.is_complete_after({.lgkmcnt = 0}, 0));
  COALESCE_CHECK(wave.is_complete_after({.vmcnt = 0, .lgkmcnt = 0}, 0));
  COALESCE_CHECK(complete_after(wave, {.lgkmcnt = 0}, {.vmcnt = 0}, 0));
}
TEST_CASE("ISA4 8.3: scalar loads count once for a dword and twice for more, and only lgkmcnt(0) is sure") {
  COALESCE_CHECK(issued_operations(issued::scalar_dword).lgkm_cnt() == 1);
  COALESCE_CHECK(issued_operations(issued::scalar_wide).lgkm_cnt() == 2);
  COALESCE_CHECK(issued_operations(issued::scalar_dword, issued::scalar_dword).weakest_wait(0) ==
                 waitcnt{.lgkmcnt = 0});
  COALESCE_CHECK(!issued_operations(issued::scalar_wide).is_complete_after({.lgkmcnt = 1}, 0));
  COALESCE_CHECK(issued_operations(lds, issued::message).weakest_wait(0) == waitcnt{.lgkmcnt = 0});
}
TEST_CASE("buffer_inv counts nowhere: there is nothing to wait for") {
  constexpr issued_operations wave(load, issued::invalidate);
  COALESCE_CHECK(wave.vm_cnt() == 1);
  COALESCE_CHECK(wave.is_complete(1));
  COALESCE_CHECK(wave.weakest_wait(1) == waitcnt{});
}
TEST_CASE("the largest value does not wait: of 100 loads the first needs vmcnt(62)") {
  constexpr auto wave = [] {
    issued_operations made;
    for (unsigned k = 0; k != 100; ++k) static_cast<void>(made.issue(load));
    return made;
  }();
  COALESCE_CHECK(wave.vm_cnt() == 63);
  COALESCE_CHECK(wave.weakest_wait(0) == waitcnt{.vmcnt = 62});
  COALESCE_CHECK(!wave.is_complete_after({.vmcnt = 63}, 0));
  COALESCE_CHECK(wave.is_complete_after({.vmcnt = 62}, 0));
}
TEST_CASE("the counters: their largest value is the most they can have, and a wait shows them to be less") {
  constexpr auto after = [](issued_operations wave, waitcnt until) {
    wave.wait(until);
    return wave;
  };
  COALESCE_CHECK(issued_operations().vm_cnt() == 0);
  COALESCE_CHECK(after(five, {.vmcnt = 3}).vm_cnt() == 3);
  COALESCE_CHECK(after(five, {.vmcnt = 9}).vm_cnt() == 5);
  // One of the two is still on the way, though it is not known which.
  constexpr auto one_left = after(issued_operations(load, issued::flat), {.vmcnt = 1});
  COALESCE_CHECK(one_left.vm_cnt() == 1);
  COALESCE_CHECK(!one_left.is_complete(0));
  COALESCE_CHECK(!one_left.is_complete(1));
}
TEST_CASE("after a wait, what it has shown counts no longer") {
  constexpr auto wave = [] {
    issued_operations made(load, issued::flat, lds);
    made.wait({.vmcnt = 0, .lgkmcnt = 0});
    static_cast<void>(made.issue(load));
    static_cast<void>(made.issue(store));
    return made;
  }();
  COALESCE_CHECK(wave.vm_cnt() == 2);
  COALESCE_CHECK(wave.lgkm_cnt() == 0);
  COALESCE_CHECK(wave.weakest_wait(0) == waitcnt{});  // done
  COALESCE_CHECK(wave.weakest_wait(3) == waitcnt{.vmcnt = 1});
}

TEST_CASE("CDNA post: operations of one type complete in order; of different types, and scalar loads, they do not") {
  COALESCE_CHECK(cdna::complete_in_order(load, load));
  COALESCE_CHECK(cdna::complete_in_order(load, store));
  COALESCE_CHECK(cdna::complete_in_order(store, issued::write_back));
  COALESCE_CHECK(cdna::complete_in_order(lds, lds));
  COALESCE_CHECK(!cdna::complete_in_order(load, lds));
  COALESCE_CHECK(!cdna::complete_in_order(lds, load));
  COALESCE_CHECK(!cdna::complete_in_order(issued::scalar_dword, issued::scalar_dword));
  COALESCE_CHECK(!cdna::complete_in_order(issued::scalar_dword, lds));
  COALESCE_CHECK(!cdna::complete_in_order(issued::flat, load));
  COALESCE_CHECK(!cdna::complete_in_order(load, issued::flat));
  COALESCE_CHECK(!cdna::complete_in_order(issued::message, issued::message));
}

#ifdef __cpp_exceptions
TEST_CASE("refused: operations that were not issued, and more than the model holds") {
  CHECK_THROWS_AS(static_cast<void>(five.weakest_wait(5)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(five.is_complete(5)), co::misuse);
  issued_operations wave;
  for (unsigned k = 0; k != 128; ++k) CHECK(wave.issue(load) == k);
  CHECK_THROWS_AS(static_cast<void>(wave.issue(load)), co::misuse);
  CHECK_THROWS_AS(issued_operations(static_cast<issued>(40)), co::misuse);
}
#endif

// ---- Against an exhaustive search: every way in which the operations may have progressed ----

namespace {

constexpr issued kinds[] = {issued::vector_load,  issued::vector_store, issued::vector_atomic, issued::lds_dma,
                            issued::write_back,   issued::invalidate,   issued::flat,          issued::lds,
                            issued::scalar_dword, issued::scalar_wide,  issued::message};

/// What ISA4 counts, in its own words: how much VM_CNT and LGKM_CNT rise.
unsigned vm_of(issued kind) {
  return kind == issued::vector_load || kind == issued::vector_store || kind == issued::vector_atomic ||
         kind == issued::lds_dma || kind == issued::write_back || kind == issued::flat;
}
unsigned lgkm_of(issued kind) {
  if (kind == issued::scalar_wide) return 2;
  return kind == issued::flat || kind == issued::lds || kind == issued::scalar_dword || kind == issued::message;
}

/// For each operation the largest value of the counter at which it has surely given back all that it had of it: one
/// less than the smallest count of any progress that the order allows and in which it has not. `holds` is what each
/// operation adds; in order, nothing may be done before what is older.
std::vector<unsigned> weakest(std::vector<unsigned> const& holds, bool in_order, unsigned most) {
  std::vector<unsigned> least(holds.size(), most + 1);
  std::vector<unsigned> left(holds.size(), 0);  // an odometer over all progress
  for (bool more = true; more;) {
    bool possible = true;
    unsigned count = 0;
    for (std::size_t k = 0; k != holds.size(); ++k) {
      count += left[k];
      for (std::size_t older = 0; in_order && older != k; ++older)
        possible = possible && !(left[k] < holds[k] && left[older] != 0);
    }
    for (std::size_t k = 0; possible && k != holds.size(); ++k)
      if (left[k] != 0 && count < least[k]) least[k] = count;
    more = false;
    for (std::size_t k = 0; k != holds.size() && !more; ++k) {
      more = left[k] != holds[k];
      left[k] = more ? left[k] + 1 : 0;
    }
  }
  for (std::size_t k = 0; k != holds.size(); ++k) least[k] = holds[k] == 0 ? most : least[k] - 1;
  return least;
}

/// Random programs of up to 9 operations in which the model differs from the search.
unsigned disagreements(bool believe_flat_in_order, bool believe_scalar_in_order) {
  std::mt19937 engine(7);
  unsigned found = 0;
  for (unsigned n = 0; n != coalescing_tests::share(4'000); ++n) {
    std::vector<issued> program(1 + engine() % 9);
    bool const few_kinds = engine() % 2 == 0;  // so that order matters often
    for (auto& kind : program)
      kind = few_kinds ? (engine() % 8 == 0 ? kinds[engine() % 11] : issued::lds) : kinds[engine() % 11];
    if (few_kinds && engine() % 2 == 0)
      for (auto& kind : program) kind = kind == issued::lds ? issued::vector_load : kind;

    issued_operations wave;
    std::vector<unsigned> vm, lgkm;
    bool vm_in_order = true, lgkm_in_order = true;
    for (auto const kind : program) {
      static_cast<void>(wave.issue(kind));
      vm.push_back(vm_of(kind)), lgkm.push_back(lgkm_of(kind));
      if (kind == issued::flat) vm_in_order = vm_in_order && believe_flat_in_order;
      if (lgkm_of(kind) != 0 && kind != issued::lds) lgkm_in_order = lgkm_in_order && believe_scalar_in_order;
    }
    auto const needs_vm = weakest(vm, vm_in_order, 63), needs_lgkm = weakest(lgkm, lgkm_in_order, 15);
    bool same = true;
    for (unsigned k = 0; k != program.size(); ++k) {
      waitcnt const asked{.vmcnt = static_cast<unsigned>(engine() % 10),
                          .lgkmcnt = static_cast<unsigned>(engine() % 10)};
      same = same && wave.weakest_wait(k) == waitcnt{.vmcnt = needs_vm[k], .lgkmcnt = needs_lgkm[k]};
      same = same && wave.is_complete_after(asked, k) == (asked.vmcnt <= needs_vm[k] && asked.lgkmcnt <= needs_lgkm[k]);
    }
    found += !same;
  }
  return found;
}

}  // namespace

TEST_CASE(
    "the weakest wait and what a wait completes agree with a search over all progress, on 4,000 programs, where FLAT "
    "and "
    "mixed LGKM operations leave the order of all unknown, as ISA4 and LLVM 22 have it") {
  CHECK(disagreements(false, false) == 0);
}
TEST_CASE("control: FLAT, or scalar loads, taken for in order are told apart") {
  CHECK(disagreements(true, false) > 0);
  CHECK(disagreements(false, true) > 0);
}
