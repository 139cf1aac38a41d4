# SPDX-License-Identifier: BSL-1.0
# Runs `command`, which must exit with an error and say `words`, a regular expression.
execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "should have failed, and succeeded:\n${output}")
elseif(NOT output MATCHES "${words}")
  message(FATAL_ERROR "failed without saying \"${words}\":\n${output}")
endif()
