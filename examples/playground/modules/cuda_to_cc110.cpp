// SPDX-License-Identifier: BSL-1.0
#include "cuda.hpp"

void list_machines(std::vector<coalescing::named_machine>& machines) { list_capabilities<100, 110>(machines); }
