// SPDX-License-Identifier: BSL-1.0
#include <coalesce/named/gcn.hpp>
