// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "../answers.hpp"

#include <coalesce/host/named/rdna.hpp>

/// Appends some chips. (A module with all of them would be too large: pack.sh.)
template <class... Machine>
void list_chips(std::vector<coalescing::named_machine>& machines) {
  (coalescing::detail::list_chip(machines, static_cast<Machine const*>(nullptr)), ...);
}
