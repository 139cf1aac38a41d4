// SPDX-License-Identifier: BSL-1.0
#include "capabilities.hpp"

void recompute::ask_volta_to_ada() { ask_capabilities<70, 89>(); }
