// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/claims/any.hpp>
#include <coalesce/claims/bits_of.hpp>
#include <coalesce/claims/covers.hpp>
#include <coalesce/claims/same.hpp>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

// Claims about a whole kernel, beyond the cost of one access: what an access costs at worst when each lane's index is
// data; that a copy touches each byte of a tile exactly once; that two formulas give the same values.
