// SPDX-License-Identifier: BSL-1.0
//
// Who imports them can add them up: sums add, maxima stay.
import costs;

static_assert((load + load * 2).transactions == 12);
static_assert((column + 3 * column).rounds == 4 * 32 && (column + 3 * column).ways == 32);
#ifdef COALESCE_SUBTRACTS  // the control
static_assert((load - load).transactions == 0);
#endif

int main() {
  auto sum = load;
  sum += load;
  return sum == load * 2 ? 0 : 1;
}
