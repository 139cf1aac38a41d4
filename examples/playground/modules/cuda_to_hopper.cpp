// SPDX-License-Identifier: BSL-1.0
#include "cuda.hpp"

void list_machines(std::vector<coalescing::named_machine>& machines) { list_capabilities<80, 90>(machines); }
