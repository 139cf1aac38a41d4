// SPDX-License-Identifier: BSL-1.0
#include "cuda.hpp"

void recompute::ask_maxwell_and_pascal() {
  ask_device<50>(24), ask_device<52>(8), ask_device<53>(8);
  ask_device<60>(24), ask_device<61>(8), ask_device<62>(8);
}
