// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/machines.hpp>

// The chips by name, and the list of all of them. Their instructions are in cdna.hpp, cdna::every_product too.

namespace coalescing::cdna {

using gfx90a = machine<chip::gfx90a>;
using gfx942 = machine<chip::gfx942>;
using gfx950 = machine<chip::gfx950>;

/// The products of CDNA 2. Their figures are not here. Source: LLVM, User Guide for AMDGPU Backend, Processors.
using mi210 = gfx90a;
using mi250 = gfx90a;
using mi250x = gfx90a;

/// A chip and the names of its products, for host/named.hpp. The products of cdna.hpp name their chip themselves.
struct product_names {
  cdna::chip chip;
  char const* names;
};
inline constexpr product_names products_without_figures[] = {{chip::gfx90a, "mi210 mi250 mi250x"}};

/// Every chip, oldest first: tests, examples and pages ask this list.
using every_machine = machine_list<gfx90a, gfx942, gfx950>;

}  // namespace coalescing::cdna
