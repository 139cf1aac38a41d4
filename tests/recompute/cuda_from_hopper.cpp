// SPDX-License-Identifier: BSL-1.0
#include "cuda.hpp"

void recompute::ask_hopper_on() {
  ask_device<90>(24);
  ask_device<100>(24), ask_device<103>(8), ask_device<110>(8), ask_device<120>(8), ask_device<121>(8);
}
