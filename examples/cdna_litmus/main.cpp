// SPDX-License-Identifier: BSL-1.0
//
// Who sees what, when: the well-known litmus tests on CDNA 3 and 4 for each placement of the waves, with LLVM 22's
// sequences and with the mistakes that kernels are shipped with. A model is asked, not silicon.

#include "named.hpp"

#include <cstdio>

using namespace named_litmus;

// A table's row can be asserted: the build fails when somebody takes the wait away.
static_assert(!passing(placements[3]).test.allows({1, 0}));
static_assert(passing_without(placements[3], 0, cdna::litmus_kind::wait).test.allows({1, 0}));

int main() {
  std::printf("%s\n\nmay the wrong outcome happen?\n%-40s", cdna::what_litmus_proves, "");
  for (auto const& at : placements) std::printf("%7s", at.name);
  for (auto const& [name, ask] : tests) {
    std::printf("\n%-40s", name);
    for (auto const& at : placements) {
      auto const [test, unwanted] = ask(at);
      std::printf("%7s", test.allows(unwanted) ? "may" : "-");
    }
  }

  auto const explain = [](char const* what, question const& asked) {
    auto const verdict = asked.test.judge(asked.unwanted);
    std::printf("\n\n%s: %s\n%s", what, verdict.allowed ? "may" : "forbidden",
                verdict.allowed ? verdict.trace().c_str() : verdict.axioms().c_str());
  };
  auto const& l2s = placements[3];
  explain("message passing between XCDs, no wait before the flag is written",
          passing_without(l2s, 0, cdna::litmus_kind::wait));
  explain("message passing between XCDs, no invalidation", passing_without(l2s, 1, cdna::litmus_kind::invalidate));
  explain("message passing between XCDs, LLVM's (* rests on it)", passing(l2s));
  explain("causality between XCDs, group scope first", causality(l2s));

  auto const flag_of = [](cdna::bits said) {
    return in(placements[3], litmus_wave{}.store(flag, said)).reaches(flag, scope::device);
  };
  std::printf("\n\na reader on another XCD polls a flag written with aux = 0: %s; with aux = 16: %s\n",
              flag_of(cdna::from_aux(0)) ? "sees it" : "may wait for ever",
              flag_of(cdna::from_aux(16)) ? "sees it" : "may wait for ever");
}
