// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/rows/every_capability.hpp>
#include <coalesce/cuda/rows/fermi_and_kepler.hpp>
#include <coalesce/cuda/rows/maxwell_and_pascal.hpp>
#include <coalesce/cuda/rows/neighbours.hpp>
#include <coalesce/cuda/rows/sectors.hpp>
#include <coalesce/cuda/rows/tesla.hpp>
#include <coalesce/cuda/rows/volta_and_later.hpp>

// The facts of every compute capability: row<90> has those of CC 9.0. Each number stands beside its source. A row
// inherits the struct of its generation (such as `volta`), and adds facts of its own. A row has no facts about
// instructions that its machine lacks: row<75> has none about cp.async.
//
//     rows/every_capability.hpp    the warp, and the names of the rules
//     rows/tesla.hpp               CC 1.x
//     rows/fermi_and_kepler.hpp    CC 2.x, 3.x
//     rows/sectors.hpp             what CC 5.0 and later share
//     rows/maxwell_and_pascal.hpp  CC 5.x, 6.x
//     rows/volta_and_later.hpp     CC 7.0 to 12.0
//     rows/neighbours.hpp          CC 8.8, 10.3, 10.7, 11.0, 12.1: numbers taken over from a neighbour
