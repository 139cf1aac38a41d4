// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named/instruction.hpp>

#include <vector>

// Each function appends the machines of a family. The family's header (host/named/gcn.hpp, ...) defines the function.
// One source file of a program includes that header, so the program's other files do not compile the instructions.

namespace coalescing::detail {

void list_machines_of_cuda_to_turing(std::vector<named_machine>& machines);
void list_machines_of_cuda_from_ampere(std::vector<named_machine>& machines);
void list_machines_of_gcn(std::vector<named_machine>& machines);
void list_machines_of_cdna(std::vector<named_machine>& machines);
void list_machines_of_rdna(std::vector<named_machine>& machines);

}  // namespace coalescing::detail
