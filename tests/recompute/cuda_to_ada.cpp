// SPDX-License-Identifier: BSL-1.0
#include "cuda.hpp"

void recompute::ask_volta_to_ada() {
  ask_device<70>(24), ask_device<72>(8), ask_device<75>(16);
  ask_device<80>(24), ask_device<86>(8), ask_device<87>(8), ask_device<88>(8), ask_device<89>(8);
}
