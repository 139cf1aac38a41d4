// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/tma_box.hpp>
#include <coalesce/cuda/tma_bulk.hpp>
#include <coalesce/cuda/tma_map.hpp>
#include <coalesce/cuda/tma_operand.hpp>
#include <coalesce/cuda/tma_rows.hpp>
#include <coalesce/cuda/tma_rules.hpp>
#include <coalesce/cuda/tma_shared.hpp>

// Opt-in: the copy engines of CC 9.0 and later, and what the tensor cores read of what they wrote.
//
//     tma_rows.hpp     the words of cuTensorMapEncodeTiled, and the swizzles: facts
//     tma_rules.hpp    the rules of a tensor map, each with its source
//     tma_box.hpp      what a box touches in global memory: bulk_cost, and its rows counted in closed form
//     tma_shared.hpp   where its elements lie in shared memory: shared_box
//     tma_map.hpp      tensor_map: fault(), cost(), footprint(), shared()
//     tma_bulk.hpp     cp_async_bulk
//     tma_operand.hpp  shared_operand: the layouts of wgmma and tcgen05, their descriptors
