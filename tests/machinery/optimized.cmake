# SPDX-License-Identifier: BSL-1.0
# The command, configured as its page says, is optimized.
# cmake -D source=SOURCES -D build=FOLDER -D compiler=COMPILER [-D options=...] -P optimized.cmake
cmake_minimum_required(VERSION 3.23)

file(REMOVE_RECURSE ${build})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -D CMAKE_CXX_COMPILER=${compiler} ${options}
  -D CMAKE_EXPORT_COMPILE_COMMANDS=ON
  -D COALESCE_BUILD_COMMAND=ON -D COALESCE_BUILD_TESTS=OFF -D COALESCE_BUILD_EXAMPLES=OFF OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${build}/compile_commands.json commands REGEX "\"command\":.*examples/command/main.cpp")
if(NOT commands MATCHES " -O3 ")
  message(FATAL_ERROR "the command is not optimized: ${commands}")
endif()
