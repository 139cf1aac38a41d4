# SPDX-License-Identifier: BSL-1.0
# Asks each question of a file. The compiler must fail with one error, the sentence of a static_assert, among its first
# lines, and answer no more lines than allowed.
# cmake -D questions=FILE -D lines=N -D first=N -D work=FOLDER -P refusals.cmake -- COMPILE...
# COMPILE is the command without the file.
cmake_minimum_required(VERSION 3.23)
include(${CMAKE_CURRENT_LIST_DIR}/../machinery/command.cmake)
file(STRINGS ${questions} asked REGEX "^[a-z]")
set(wrong)
foreach(question IN LISTS asked)
  string(REGEX REPLACE "^([a-z,]+) .*" "\\1" headers "${question}")
  string(REGEX REPLACE "^[a-z,]+ " "" expression "${question}")
  string(REGEX REPLACE "([a-z]+),?" "#include <coalesce/\\1.hpp>\n" includes "${headers}")
  set(kind constexpr)
  if(headers MATCHES "figure")  # draws at run time
    set(kind const)
  endif()
  file(WRITE ${work}/refusal.cpp "${includes}namespace co = coalescing;\n${kind} auto asked = ${expression};\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${command} ${work}/refusal.cpp
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[^\n]" "" ends "${output}")
  string(LENGTH "${ends}" count)
  string(REGEX MATCHALL " error: " errors "${output}")
  list(LENGTH errors errors)
  string(REGEX REPLACE "static (assertion failed|assertion failed due).*" "" before "${output}")
  string(REGEX REPLACE "[^\n]" "" ends "${before}")
  string(LENGTH "${ends}" at)
  math(EXPR at "${at} + 1")
  if(result EQUAL 0 OR NOT errors EQUAL 1 OR count GREATER lines OR at GREATER first)
    string(APPEND wrong "${expression}: ${errors} errors, ${count} lines, the sentence in line ${at}\n${output}\n")
  endif()
endforeach()
list(LENGTH asked count)
if(wrong OR count EQUAL 0)
  message(FATAL_ERROR "refusals of at most ${lines} lines, with the sentence among the first ${first}:\n${wrong}")
endif()
message(STATUS "${count} refusals of at most ${lines} lines")
