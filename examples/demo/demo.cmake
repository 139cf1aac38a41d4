# SPDX-License-Identifier: BSL-1.0
# The demo: runs the examples, keeps what they print and draw in FOLDER, and writes FOLDER/shown.txt, which is what it shows:
# README.md's first assertion and the compiler's error, the reason, the layout that mends it, and where the pictures are.
# cmake -D to=FOLDER -D programs=PATH,... -D "compile=COMMAND" -D root=SOURCES [-D column=32] -P demo.cmake
# COMMAND compiles a file, and lacks only its name. `column` is a length of the rows: the control gives another.
cmake_minimum_required(VERSION 3.23)
file(REMOVE_RECURSE ${to})
file(MAKE_DIRECTORY ${to}/pictures)

string(REPLACE "," ";" programs "${programs}")
foreach(program IN LISTS programs)
  string(REGEX REPLACE ".*coalesce[.]([a-z0-9_]+).*" "\\1" name "${program}")
  execute_process(COMMAND ${program} OUTPUT_FILE ${to}/${name}.txt COMMAND_ERROR_IS_FATAL ANY)
  if(name STREQUAL "gallery")
    execute_process(COMMAND ${program} ${to}/pictures COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

# CODE: sets `result` and `said`.
separate_arguments(compile NATIVE_COMMAND "${compile}")
function(try code)
  file(WRITE ${to}/kernels.cpp "${code}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${compile} kernels.cpp WORKING_DIRECTORY ${to}
    RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(result ${result} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()
# Sets NAME to the text with each line indented.
function(indent name text)
  string(STRIP "${text}" text)
  string(REPLACE "\n" "\n    " text "    ${text}")
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

file(READ ${root}/README.md page)
if(NOT page MATCHES "```cpp refused\n([^`]*)```")
  message(FATAL_ERROR "README.md has no block that the compiler refuses")
endif()
set(broken "${CMAKE_MATCH_1}")
string(REPLACE "lane * 32" "lane * 33" mended "${broken}")
if(DEFINED column)
  string(REPLACE "lane * 32" "lane * ${column}" broken "${broken}")
endif()
try("${mended}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the mended layout does not compile:\n${said}")
endif()
try("${broken}")
if(result EQUAL 0)
  message(FATAL_ERROR "the broken layout compiles:\n${broken}")
endif()

file(READ ${to}/broken_tile.txt answer)
if(NOT answer MATCHES "^(.*)\nMended by\n(.*)$")
  message(FATAL_ERROR "broken_tile.cpp does not say what mends it:\n${answer}")
endif()
set(fixes "${CMAKE_MATCH_2}")
indent(reason "${CMAKE_MATCH_1}")
string(REPLACE "\n  " "\n" fixes "${fixes}")
indent(fixes "${fixes}")
indent(broken "${broken}")
indent(said "${said}")
string(REGEX MATCH "[^\n]*lane \\* 33[^\n/]*" line "${mended}")
string(STRIP "${line}" line)
file(WRITE ${to}/shown.txt "
======== A broken layout ========

A warp reads a column of a tile in shared memory. The assertion is in kernels.cpp:

${broken}

Your compiler says:

${said}

======== The reason ========

${reason}

======== The fix ========

${fixes}

With this line kernels.cpp compiles:

    ${line}

======== The pictures ========

    before: ${to}/pictures/column_of_32.svg
    after:  ${to}/pictures/column_of_33.svg

A browser opens them. The other examples' output and pictures are in the folder
${to}; examples/README.md explains them.
")
