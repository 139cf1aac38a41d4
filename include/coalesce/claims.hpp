// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/any.hpp>
#include <coalesce/claims/bits_of.hpp>
#include <coalesce/claims/covers.hpp>
#include <coalesce/claims/same.hpp>

// Claims about a whole kernel, beyond the cost of one access: what an access costs at worst when each lane's index is
// data; that a copy touches each byte of a tile exactly once; that two formulas are one map.
