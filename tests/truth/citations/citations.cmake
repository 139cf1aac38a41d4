# SPDX-License-Identifier: BSL-1.0
# Every citation in the rows of the families is named by an instruction or a compute unit: in `sources` or `rests_on`.
# Gives each citation in a copy of the rows an edition of its own, and looks for it in what print.cpp prints.
# cmake -D root=SOURCE -D work=EMPTIED [-D unread=ON] -P citations.cmake -- COMPILER FLAGS...: `unread` adds a fact that
# nothing reads, as a control.
cmake_minimum_required(VERSION 3.23)
include(${CMAKE_CURRENT_LIST_DIR}/../../machinery/command.cmake)
file(REMOVE_RECURSE ${work})
file(COPY ${root}/include DESTINATION ${work})

# A document can say that it is of another edition.
set(source ${work}/include/coalesce/core/source.hpp)
file(READ ${source} text)
set(member "  char const* address = \"\";  ///< URL where it can be opened, or \"none known\"\n")
string(FIND "${text}" "${member}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "core/source.hpp has no such line:\n${member}")
endif()
string(REPLACE "${member}"
  "${member}  constexpr document marked(char const* mark) const { return {title, mark, address}; }\n" text "${text}")
file(WRITE ${source} "${text}")

set(number 0)
foreach(family IN ITEMS cuda gcn cdna rdna)
  file(GLOB rows ${work}/include/coalesce/${family}/*rows.hpp ${work}/include/coalesce/${family}/rows/*.hpp)
  list(FILTER rows EXCLUDE REGEX "product_rows")  # no instruction rests on them; unit/every_figure.cpp has them
  foreach(header IN LISTS rows)
    file(READ ${header} rest)
    if(unread AND header MATCHES "gcn/rows.hpp")
      string(APPEND rest "namespace coalescing::gcn {\n"
        "inline constexpr fact unread{1, documents::opt.says(\"2.2\", \"nothing reads this\")};\n}\n")
    endif()
    set(marked "")
    while(rest MATCHES "\\.(says|shows|implies)\\(")
      set(verb "${CMAKE_MATCH_1}(")
      string(FIND "${rest}" ".${verb}" at)
      string(SUBSTRING "${rest}" 0 ${at} before)
      string(LENGTH ".${verb}" length)
      math(EXPR at "${at} + ${length}")
      string(SUBSTRING "${rest}" ${at} -1 rest)
      string(SUBSTRING "${rest}" 0 100 claim)
      file(RELATIVE_PATH name ${work}/include/coalesce ${header})
      set(citation_${number} "${name}: ${verb}${claim}")
      string(APPEND marked "${before}.marked(\"#${number}#\").${verb}")
      math(EXPR number "${number} + 1")
    endwhile()
    file(WRITE ${header} "${marked}${rest}")
  endforeach()
endforeach()
if(number LESS 200)
  message(FATAL_ERROR "only ${number} citations were found in the rows")
endif()

execute_process(COMMAND ${command} -I ${work}/include -I ${root}/tests ${CMAKE_CURRENT_LIST_DIR}/print.cpp
  -o ${work}/print COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/print OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
set(missing "")
math(EXPR last "${number} - 1")
foreach(k RANGE ${last})
  string(FIND "${printed}" "#${k}#\n" at)
  if(at EQUAL -1)
    string(APPEND missing "\n${citation_${k}}")
  endif()
endforeach()
if(NOT missing STREQUAL "")
  message(FATAL_ERROR "no instruction and no compute unit names the source of:${missing}")
endif()
message(STATUS "${number} citations, each named by an instruction or a compute unit")
