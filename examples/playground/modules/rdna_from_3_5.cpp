// SPDX-License-Identifier: BSL-1.0
#include "rdna.hpp"

using namespace coalescing::rdna;

void list_machines(std::vector<coalescing::named_machine>& machines) {
  list_chips<gfx1150, gfx1151, gfx1152, gfx1153, gfx1200, gfx1201, gfx1250, gfx1251, gfx1170, gfx1171, gfx1172,
             gfx1310>(machines);
}
