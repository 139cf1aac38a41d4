// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named/instruction.hpp>

#include <vector>

/// Appends the machines of this module. Each file of modules/ defines it.
void list_machines(std::vector<coalescing::named_machine>& machines);
