// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "expected.hpp"
#include "profile.hpp"

/// Prints a line for each counter of the kernel, and for each instruction without one. A counter of the table that is
/// not expected and not 0 differs. Returns whether all instructions were compared and nothing differs, but for known
/// noise; -1 where nothing could be compared.
int compare(kernel const& expected, launch const& profiled);
