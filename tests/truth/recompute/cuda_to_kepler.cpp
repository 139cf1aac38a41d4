// SPDX-License-Identifier: BSL-1.0
#include "capabilities.hpp"

void recompute::ask_tesla_to_kepler() { ask_capabilities<10, 37>(); }
