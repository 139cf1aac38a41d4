# SPDX-License-Identifier: BSL-1.0
# Looks in pages and comments for statements that something agrees or is compared with LLVM: the version must stand there,
# since LLVM's sequences, waits and tables change. "LLVM 22", "`llc` 22", "llvm-mc 22".
# cmake -D root=FOLDER -P llvm_version.cmake, or as a control -D file=FILE in the place of all files.
cmake_minimum_required(VERSION 3.23)
set(tool "(LLVM|llc|llvm-mc)[`*]*")
set(version "${tool}[ -]22")
set(claims "([Ww]ith|[Aa]gainst|[Ww]hat|[Aa]s|[Ee]qual to|[Ee]quals|and|backend of) [`*]*${tool}[^A-Za-z]............."
  "${tool}'s (assembler|backend|compiler|instructions|occupancy|rule|sequences?|`Occupancy)")
# Its language, names and documents.
set(no_claim "and LLVM[,. ]*(PR|pull|documents)|LLVM's (words|names|language|guide|documents|page|cpol|!mmra)|LLVM names")
if(file)
  set(files ${file})
else()
  file(GLOB pages_of_the_tests ${root}/tests/*.md)
  file(GLOB_RECURSE files ${root}/include/*.md ${root}/include/*.hpp ${root}/examples/*.md ${root}/examples/*.hpp
    ${root}/examples/*.cpp ${root}/tests/truth/outside/*.hpp ${root}/tests/truth/outside/*.cpp
    ${root}/tests/*/*.cpp ${root}/tests/*/*/*.cpp)
  list(FILTER files EXCLUDE REGEX "/tests/(says|machinery)/")  # what is given, and controls
  list(APPEND files ${root}/README.md ${pages_of_the_tests})
endif()
set(named 0)
set(faults "")
foreach(each IN LISTS files)
  file(READ ${each} text)
  string(REGEX REPLACE "[][;\\]" "," text "${text}")  # they would quote, or part, a list's elements
  string(REGEX REPLACE "[ \n]+(///?<?)?[ \n]*" " " text "${text}")
  string(APPEND text "                ")  # what a claim at the end has behind it
  string(REGEX MATCHALL "${version}" versions "${text}")
  list(LENGTH versions count)
  math(EXPR named "${named} + ${count}")
  foreach(claim IN LISTS claims)
    string(REGEX MATCHALL "${claim}" matches "${text}")
    foreach(match IN LISTS matches)
      if(NOT match MATCHES "${version}|${no_claim}")
        string(APPEND faults "${each}: ${match}\n")
      endif()
    endforeach()
  endforeach()
endforeach()
if(faults)
  message(FATAL_ERROR "LLVM without its version:\n${faults}")
endif()
if(NOT file AND named LESS 30)
  message(FATAL_ERROR "only ${named} places name LLVM 22")
endif()
