// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/named/cuda_to_turing.hpp>
