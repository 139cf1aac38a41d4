// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/any.hpp>

// Claims about a whole kernel, beyond the cost of one access: what an access costs at worst when each lane's index is
// data.
