// SPDX-License-Identifier: BSL-1.0
#include "../answers.hpp"

#include <coalesce/host/named/cdna.hpp>

void list_machines(std::vector<coalescing::named_machine>& machines) {
  coalescing::detail::list_machines_of_cdna(machines);
}
