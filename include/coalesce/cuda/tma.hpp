// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/cuda/tma/box.hpp>
#include <coalesce/cuda/tma/boxed_operand.hpp>
#include <coalesce/cuda/tma/bulk.hpp>
#include <coalesce/cuda/tma/enumerations.hpp>
#include <coalesce/cuda/tma/map.hpp>
#include <coalesce/cuda/tma/operand.hpp>
#include <coalesce/cuda/tma/rules.hpp>
#include <coalesce/cuda/tma/shared.hpp>

// Opt-in: the copy engine of CC 9.0 and later (TMA), and the operands that tensor cores read from shared memory.
//
//     tma/enumerations.hpp    facts: the enumerations of cuTensorMapEncodeTiled, and the swizzles
//     tma/rules.hpp           the rules of a tensor map, each with its source: tensor_fault
//     tma/box.hpp             what a box touches in global memory, counted in closed form: bulk_cost
//     tma/shared.hpp          where the elements of a box lie in shared memory: shared_box
//     tma/map.hpp             tensor_map: fault(), cost(), footprint(), shared()
//     tma/bulk.hpp            cp_async_bulk
//     tma/operand.hpp         shared_operand: the layouts of wgmma and tcgen05, their descriptors
//     tma/boxed_operand.hpp   which tiles in boxes the tensor cores can read: a constraint of co::suggest()
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
