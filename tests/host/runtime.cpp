// SPDX-License-Identifier: BSL-1.0
#include <coalesce/record/host/runtime.hpp>
