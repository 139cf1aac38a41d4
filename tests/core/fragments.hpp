// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/fragment.hpp>

#include "machinery/check.hpp"

#include <vector>

namespace coalescing_tests {

/// Whether lanes and values hold every element once, and owner() says which of them does.
template <class Fragment>
bool is_a_partition() {
  unsigned const elements = Fragment::rows * Fragment::columns * Fragment::blocks;
  std::vector<unsigned> held(elements);
  bool good = Fragment::lanes * Fragment::values == elements;
  for (unsigned lane = 0; lane != Fragment::lanes; ++lane)
    for (unsigned value = 0; value != Fragment::values; ++value) {
      coalescing::cell const at = Fragment::of(lane, value);
      good = good && at.row < Fragment::rows && at.column < Fragment::columns && at.block < Fragment::blocks &&
             Fragment::owner(at) == coalescing::holder{lane, value};
      if (good) ++held[(at.block * Fragment::rows + at.row) * Fragment::columns + at.column];
    }
  for (unsigned const times : held) good = good && times == 1;
  return good;
}

template <class Fragment>
void refuses_what_lies_outside() {
  using coalescing::misuse;
  auto const last = Fragment::of(Fragment::lanes - 1, Fragment::values - 1);
  CHECK_NOTHROW(static_cast<void>(Fragment::owner(last)));
  CHECK_THROWS_AS(static_cast<void>(Fragment::of(Fragment::lanes, 0)), misuse);
  CHECK_THROWS_AS(static_cast<void>(Fragment::of(0, Fragment::values)), misuse);
  CHECK_THROWS_AS(static_cast<void>(Fragment::of(~0u, ~0u)), misuse);
  CHECK_THROWS_AS(static_cast<void>(Fragment::owner({.row = Fragment::rows})), misuse);
  CHECK_THROWS_AS(static_cast<void>(Fragment::owner({.column = Fragment::columns})), misuse);
  CHECK_THROWS_AS(static_cast<void>(Fragment::owner({.block = Fragment::blocks})), misuse);
  CHECK_THROWS_AS(static_cast<void>(Fragment::owner({.row = ~0u, .column = ~0u, .block = ~0u})), misuse);
}

}  // namespace coalescing_tests
