# SPDX-License-Identifier: BSL-1.0
# Runs examples/demo/demo.cmake, and holds what it shows: the broken layout with the error's two numbers, the reason, the fix
# and the pictures, in this order, each picture at its path, and nothing long after them.
# cmake (as demo.cmake) -P demo.cmake
include(${root}/examples/demo/demo.cmake)
file(READ ${to}/shown.txt rest)
string(REGEX MATCHALL "[^ \n]+[.]svg" pictures "${rest}")
foreach(words IN ITEMS "A broken layout" "31 == 0" "The reason" "lanes 0 to 31 want different words of bank 0: 32 rounds" "documented"
        "The fix" "rows of 33 floats" "31 conflicts -> 0" "lane * 33" "The pictures" "column_of_32.svg" "column_of_33.svg")
  string(FIND "${rest}" "${words}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the demo does not show, in its place: ${words}")
  endif()
  string(SUBSTRING "${rest}" ${at} -1 rest)
endforeach()
string(REGEX MATCHALL "\n" lines "${rest}")
list(LENGTH lines lines)
if(lines GREATER 5)
  message(FATAL_ERROR "after its pictures the demo shows ${lines} lines")
endif()
foreach(picture IN LISTS pictures)
  if(NOT EXISTS ${picture})
    message(FATAL_ERROR "the demo names ${picture}, which is not there")
  endif()
endforeach()
