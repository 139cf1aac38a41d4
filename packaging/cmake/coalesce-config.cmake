# SPDX-License-Identifier: BSL-1.0
include(${CMAKE_CURRENT_LIST_DIR}/coalesce-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/coalesce-language.cmake)
