# SPDX-License-Identifier: BSL-1.0
# `document` must quote, in one block, what `program` prints.
execute_process(COMMAND ${program} RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 0 OR output STREQUAL "")
  message(FATAL_ERROR "${program} failed: ${result}")
endif()
file(READ ${document} text)
string(FIND "${text}" "```text\n${output}```\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${document} does not quote what ${program} prints:\n${output}")
endif()
