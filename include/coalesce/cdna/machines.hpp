// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/machines.hpp>

// The chips by name, and the list of all of them. Their instructions are in cdna.hpp, their products in
// cdna/products.hpp.

namespace coalescing::cdna {

using gfx90a = machine<chip::gfx90a>;
using gfx942 = machine<chip::gfx942>;
using gfx950 = machine<chip::gfx950>;

/// Every chip, oldest first: tests, examples and pages ask this list.
using every_machine = machine_list<gfx90a, gfx942, gfx950>;

}  // namespace coalescing::cdna
