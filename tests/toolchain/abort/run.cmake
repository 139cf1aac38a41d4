# SPDX-License-Identifier: BSL-1.0
# Runs `program` without and with an argument: the first answers, the second must say why not, and abort.
execute_process(COMMAND ${program} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE message)
if(NOT result EQUAL 0 OR NOT output STREQUAL "clocks 4\n" OR message)
  message(FATAL_ERROR "a good question was not answered: ${result} ${output} ${message}")
endif()
execute_process(COMMAND ${program} misaligned RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE message)
if(result EQUAL 0 OR output OR NOT message MATCHES "^coalesce: lane 1, address 0x2: the address is not a multiple")
  message(FATAL_ERROR "a misaligned address was not refused: ${result} ${output} ${message}")
endif()
