// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>
#include <coalesce/total/launch.hpp>
#include <coalesce/version.hpp>
