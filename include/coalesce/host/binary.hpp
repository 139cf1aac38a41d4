// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd.hpp>
#include <coalesce/host/binary/nvidia.hpp>

// Includes the readers of both vendors' binaries. The pages about them: include/coalesce/manual/amd.md,
// include/coalesce/manual/nvidia.md.
