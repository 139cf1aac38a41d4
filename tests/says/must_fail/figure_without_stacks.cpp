// SPDX-License-Identifier: BSL-1.0
// EXPECT: no figure of two addresses a lane
#include <coalesce/cdna.hpp>
#include <coalesce/figure.hpp>
std::string const pair = coalescing::svg<coalescing::cdna::gfx942::ds_read2<64, 0, 8>>(coalescing::linear{.stride = 8});
