# SPDX-License-Identifier: BSL-1.0
# cmake -D words=REGEX -P refused.cmake -- COMMAND...: the command must exit with an error and say these words.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "should have failed, and succeeded:\n${output}")
elseif(NOT output MATCHES "${words}")
  message(FATAL_ERROR "failed without saying \"${words}\":\n${output}")
endif()
