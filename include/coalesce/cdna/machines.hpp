// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/machines.hpp>

// The chips by name, and the list of all chips. The instructions are in cdna.hpp, the products in cdna/products.hpp.

namespace coalescing::cdna {

using gfx90a = machine<chip::gfx90a>;
using gfx942 = machine<chip::gfx942>;
using gfx950 = machine<chip::gfx950>;

/// Every chip, oldest first. Tests, examples and pages go through this list.
using every_machine = machine_list<gfx90a, gfx942, gfx950>;
/// The names of every_machine, in its order. co::compare finds here which machines follow one another.
inline constexpr char names_of_machines[] = "gfx90a gfx942 gfx950";

}  // namespace coalescing::cdna
