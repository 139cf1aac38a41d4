// SPDX-License-Identifier: BSL-1.0
#include "rdna.hpp"

using namespace coalescing::rdna;

void list_machines(std::vector<coalescing::named_machine>& machines) {
  list_chips<gfx1100, gfx1101, gfx1102, gfx1103>(machines);
}
