// SPDX-License-Identifier: BSL-1.0
#include "capabilities.hpp"

void recompute::ask_maxwell_and_pascal() { ask_capabilities<50, 62>(); }
