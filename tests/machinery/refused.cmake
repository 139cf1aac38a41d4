# SPDX-License-Identifier: BSL-1.0
# cmake -D words=REGEX -P refused.cmake -- COMMAND...: the command must exit with an error and say these words.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/fails.cmake)
