// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/cell.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;

TEST_CASE("what is not said of a cell, a holder or an origin is the first: all count from 0") {
  COALESCE_CHECK(co::cell{} == co::cell{.row = 0, .column = 0, .block = 0});
  COALESCE_CHECK(co::cell{.row = 3, .column = 2} == co::cell{3, 2, 0});
  COALESCE_CHECK(co::holder{} == co::holder{.lane = 0, .value = 0});
  COALESCE_CHECK(co::origin{} == co::origin{.lane = 0, .element = 0});
}
