# SPDX-License-Identifier: BSL-1.0
# cmake -D expected=FILE -P same_output.cmake -- COMMAND...: what the command prints must be what the file holds.
include(${CMAKE_CURRENT_LIST_DIR}/../../../../machinery/command.cmake)
execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output)
file(READ ${expected} text)
if(NOT result EQUAL 0 OR NOT output STREQUAL text)
  message(FATAL_ERROR "${result}, and printed is not what ${expected} holds:\n${output}")
endif()
