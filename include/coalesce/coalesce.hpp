// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/version.hpp>
