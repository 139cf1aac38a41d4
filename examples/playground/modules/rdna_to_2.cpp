// SPDX-License-Identifier: BSL-1.0
#include "rdna.hpp"

using namespace coalescing::rdna;

void list_machines(std::vector<coalescing::named_machine>& machines) {
  list_chips<gfx1010, gfx1012, gfx1030, gfx1036>(machines);
}
