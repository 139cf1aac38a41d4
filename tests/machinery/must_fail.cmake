# SPDX-License-Identifier: BSL-1.0
# Compiles one section of a file of misuses. A section begins at a line "// ---- NAME ----" and ends before the next one;
# the lines before the first section are compiled with each. The compiler must fail, and its error must match the section's
# line "// EXPECT: REGEX". The error of COMPILER must also match a line "// EXPECT COMPILER: REGEX".
# cmake -D file=FILE -D section=NAME -D work=FOLDER -D compiler=COMPILER -P must_fail.cmake -- COMPILE...
# COMPILE is the command without the file.
cmake_minimum_required(VERSION 3.23)
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
file(READ ${file} text)
string(FIND "${text}" "\n// ---- " start)
string(FIND "${text}" "\n// ---- ${section} ----\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${file} has no section ${section}")
endif()
string(SUBSTRING "${text}" 0 ${start} shared)
string(SUBSTRING "${text}" ${at} -1 body)
string(SUBSTRING "${body}" 1 -1 body)
string(FIND "${body}" "\n// ---- " end)
string(SUBSTRING "${body}" 0 ${end} body)
if(NOT body MATCHES "\n// EXPECT: ([^\n]+)")
  message(FATAL_ERROR "${file}: the section ${section} has no line // EXPECT: REGEX")
endif()
set(words "error.*(${CMAKE_MATCH_1})")

file(WRITE ${work}/${section}.cpp "${shared}\n${body}\n")
list(APPEND command ${work}/${section}.cpp)
include(${CMAKE_CURRENT_LIST_DIR}/fails.cmake)
if(body MATCHES "\n// EXPECT ${compiler}: ([^\n]+)")
  set(words "${CMAKE_MATCH_1}")
  if(NOT output MATCHES "${words}")
    message(FATAL_ERROR "${compiler} failed without saying \"${words}\":\n${output}")
  endif()
endif()
