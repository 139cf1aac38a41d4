# SPDX-License-Identifier: BSL-1.0
# `document` must quote, in one block, what `program` prints. With `tables`, words for the program, it prints Markdown:
# that stands in the document as it is, before an empty line or the end.
execute_process(COMMAND ${program} ${tables} RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 0 OR output STREQUAL "")
  message(FATAL_ERROR "${program} failed: ${result}")
endif()
file(READ ${document} text)
if(tables)
  string(FIND "${text}\n" "${output}\n" at)
else()
  string(FIND "${text}" "```text\n${output}```\n" at)
endif()
if(at EQUAL -1)
  message(FATAL_ERROR "${document} does not quote what ${program} prints:\n${output}")
endif()
