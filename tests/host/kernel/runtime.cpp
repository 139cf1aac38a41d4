// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/runtime.hpp>
