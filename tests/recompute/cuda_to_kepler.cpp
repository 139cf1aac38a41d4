// SPDX-License-Identifier: BSL-1.0
#include "cuda.hpp"

void recompute::ask_tesla_to_kepler() {
  ask_device<10>(48), ask_device<11>(12), ask_device<12>(32), ask_device<13>(12);
  ask_device<20>(20), ask_device<21>(8);
  ask_device<30>(16), ask_device<32>(6), ask_device<35>(16), ask_device<37>(8);
}
