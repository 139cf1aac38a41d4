// SPDX-License-Identifier: BSL-1.0
#pragma once

// The one place that states the version: CMakeLists.txt reads it from here.
#define COALESCE_VERSION_MAJOR 0
#define COALESCE_VERSION_MINOR 1
#define COALESCE_VERSION_PATCH 0
