# SPDX-License-Identifier: BSL-1.0
# Compiles kernels.hip, or another source, for a target, disassembles it, and runs the program on the disassembly and
# on the assembly. The page's table has how many of the sites have a cost.
# cmake -D clang=... -D objdump=... -D program=... -D target=gfx942 -D work=FOLDER [-D source=ways.cu]
#   [-D texts=LIST] [-D option=--break] [-D page=...] -P carried.cmake
file(MAKE_DIRECTORY ${work})
if(NOT DEFINED source)
  set(source kernels.hip)
endif()
set(compile ${clang} -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=${target} -nogpuinc -nogpulib
  -std=c++20 -O3 ${CMAKE_CURRENT_LIST_DIR}/${source})
execute_process(COMMAND ${compile} -c -o ${work}/kernels.co COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${compile} -S -g -o ${work}/kernels.s COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${objdump} -D -j .rodata -j .text ${work}/kernels.co OUTPUT_FILE ${work}/kernels.txt
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT DEFINED texts)
  set(texts kernels.txt kernels.s)
endif()
foreach(text IN LISTS texts)
  execute_process(COMMAND ${program} ${target} ${work}/${text} ${option} COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_VARIABLE said_of_${text} ECHO_OUTPUT_VARIABLE)
endforeach()
if(NOT DEFINED page)
  return()
endif()
# The page's table counts the sites of the disassembly.
string(REGEX MATCH "([0-9]+) of ([0-9]+) sites costed" counted "${said_of_kernels.txt}")
set(row "| ${target} | ${CMAKE_MATCH_2} | ${CMAKE_MATCH_1} |")
file(READ ${page} text)
string(FIND "${text}" "${row}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${page} lacks the row: ${row}")
endif()
