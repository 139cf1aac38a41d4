// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/generations.hpp>

// Products by name: rdna::rx7900xtx is rdna::gfx1100.
// Source: LLVM 22.1, User Guide for AMDGPU Backend, Processors
// (https://releases.llvm.org/22.1.0/docs/AMDGPUUsage.html#processors). That page does not list Radeon AI PRO R9700,
// 880M, 8050S and 8040S. They are in the table of chips in AMD's library Origami
// (https://github.com/ROCm/rocm-libraries/pull/6060).

namespace coalescing::rdna {

using rx5700 = gfx1010;
using rx5700xt = gfx1010;
using rx5500 = gfx1012;
using rx5500xt = gfx1012;
using rx6800 = gfx1030;
using rx6800xt = gfx1030;
using rx6900xt = gfx1030;
using w6800 = gfx1030;
using v620 = gfx1030;
using rx7900xt = gfx1100;
using rx7900xtx = gfx1100;
using rx7900gre = gfx1100;
using w7800 = gfx1100;
using w7900 = gfx1100;
using rx7700 = gfx1101;
using rx7700xt = gfx1101;
using rx7800xt = gfx1101;
using rx7600 = gfx1102;
using rx7600xt = gfx1102;
using radeon_890m = gfx1150;
using radeon_880m = gfx1150;
using radeon_8060s = gfx1151;
using radeon_8050s = gfx1151;
using radeon_8040s = gfx1151;
using radeon_860m = gfx1152;
using rx9060 = gfx1200;
using rx9060xt = gfx1200;
using rx9070 = gfx1201;
using rx9070gre = gfx1201;
using rx9070xt = gfx1201;
using r9700 = gfx1201;

/// The product names above as text, for host/named.hpp.
inline constexpr products_of_machine<chip> product_names[] = {
    {chip::gfx1010, "rx5700 rx5700xt"},
    {chip::gfx1012, "rx5500 rx5500xt"},
    {chip::gfx1030, "rx6800 rx6800xt rx6900xt w6800 v620"},
    {chip::gfx1100, "rx7900xt rx7900xtx rx7900gre w7800 w7900"},
    {chip::gfx1101, "rx7700 rx7700xt rx7800xt"},
    {chip::gfx1102, "rx7600 rx7600xt"},
    {chip::gfx1150, "radeon_890m radeon_880m"},
    {chip::gfx1151, "radeon_8060s radeon_8050s radeon_8040s"},
    {chip::gfx1152, "radeon_860m"},
    {chip::gfx1200, "rx9060 rx9060xt"},
    {chip::gfx1201, "rx9070 rx9070gre rx9070xt r9700"},
};

}  // namespace coalescing::rdna
