# SPDX-License-Identifier: BSL-1.0
# Sets `command` to the words after -- of a script's own command line.
set(command)
set(mine OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(k RANGE ${last})
  if(mine)
    list(APPEND command "${CMAKE_ARGV${k}}")
  elseif("${CMAKE_ARGV${k}}" STREQUAL "--")
    set(mine ON)
  endif()
endforeach()
