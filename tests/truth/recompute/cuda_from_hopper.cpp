// SPDX-License-Identifier: BSL-1.0
#include "capabilities.hpp"

void recompute::ask_hopper_on() { ask_capabilities<90, 9999>(); }
