// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/cdna.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/misuse.hpp>
#include <coalesce/pattern.hpp>
#include <coalesce/text.hpp>
#include <coalesce/version.hpp>
