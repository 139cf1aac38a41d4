# SPDX-License-Identifier: BSL-1.0
# cmake -D nm=NM -D object=FILE -P nothing_left.cmake -- COMPILE...: what is compiled to FILE must have no symbol.
include(${CMAKE_CURRENT_LIST_DIR}/../../machinery/command.cmake)
execute_process(COMMAND ${command} -c -o ${object} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${nm} ${object} OUTPUT_VARIABLE symbols ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(symbols)
  message(FATAL_ERROR "the object file has symbols:\n${symbols}")
endif()
