// SPDX-License-Identifier: BSL-1.0
#include <coalesce/named/cuda_from_ampere.hpp>
