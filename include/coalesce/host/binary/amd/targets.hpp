// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/wave.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <string>
#include <string_view>

// Lists the targets whose disassembly is understood. Sources: LLVM 22, AMDGPUUsage: "Processors" (packed work-item
// ids), "Initial Kernel Execution State"; AMDGPU.td: FeatureUserSGPRInit16Bug. `lds_bytes` is the same number as in the
// machine's type, such as cdna::gfx950::lds_bytes. tests/host/binary/amd/operations.cpp checks `lds_bytes` of each
// target.

namespace coalescing::amdgcn {

inline constexpr target targets[] = {
    {.name = "gfx90a", .major = 9, .packed_ids = true, .tells_equal_max = false},
    {.name = "gfx942", .major = 9, .packed_ids = true},
    {.name = "gfx950", .lds_bytes = 160 << 10, .major = 9, .packed_ids = true},
    {.name = "gfx1030", .major = 10, .tells_equal_max = false, .keeps_high_half = true},
    {.name = "gfx1100", .major = 11, .packed_ids = true, .pads_user_registers = true, .keeps_high_half = true},
    {.name = "gfx1201", .major = 12, .packed_ids = true, .ids_in_ttmp = true, .keeps_high_half = true},
};

/// Finds a target by its name. Refused: a name that no target has.
[[nodiscard]] inline target const& target_of(std::string_view name) {
  for (target const& each : targets)
    if (name == each.name) return each;
  throw binary_refused("the binary of " + std::string(name) +
                       " is not understood: gfx90a, gfx942, gfx950, gfx1030, gfx1100 and gfx1201 are");
}

}  // namespace coalescing::amdgcn
