# SPDX-License-Identifier: BSL-1.0
# Runs the ```python block of a page and compares what it prints with a file.
# cmake -D python=PYTHON -D page=FILE -D expected=FILE -P python_block.cmake
cmake_minimum_required(VERSION 3.23)
file(READ ${page} text)
if(NOT text MATCHES "```python\n([^`]*)```")
  message(FATAL_ERROR "${page} has no python block")
endif()
execute_process(COMMAND ${python} -c "${CMAKE_MATCH_1}" OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${expected} wanted)
if(NOT printed STREQUAL wanted)
  message(FATAL_ERROR "the python block of ${page} does not print ${expected}, but\n${printed}")
endif()
