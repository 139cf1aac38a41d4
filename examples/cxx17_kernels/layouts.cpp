// SPDX-License-Identifier: BSL-1.0
//
// C++20, by the host's compiler: the one file that includes coalesce. Built with the kernels, linked into nothing: when
// somebody breaks a layout, this file does not compile.
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>

#include "layout.hpp"

namespace co = coalescing;

static_assert(co::cost<co::cuda::cc75::load<32>>(kernels::row{}).transactions == 4);
static_assert(co::cost<co::cuda::cc75::shared_load<32>>(kernels::column{}).conflicts == 0);
static_assert(co::cost<co::gcn::ds_read<32>>(kernels::column{}).conflicts == 0);
