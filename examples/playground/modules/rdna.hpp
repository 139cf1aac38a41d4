// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "../answers.hpp"

#include <coalesce/host/named/rdna.hpp>

/// Appends some chips: all of them together are larger than a module may be.
template <class... Machine>
void list_chips(std::vector<coalescing::named_machine>& machines) {
  (coalescing::detail::list_chip(machines, static_cast<Machine const*>(nullptr)), ...);
}
