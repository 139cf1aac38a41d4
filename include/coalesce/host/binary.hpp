// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd.hpp>
#include <coalesce/host/binary/nvidia.hpp>

// Binaries of both vendors: include/coalesce/manual/amd.md, include/coalesce/manual/nvidia.md.
