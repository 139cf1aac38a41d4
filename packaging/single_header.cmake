# SPDX-License-Identifier: BSL-1.0
# Writes the library as one header: cmake -D to=coalesce.hpp [-D headers=cuda,cdna/litmus] -P single_header.cmake
# With a list it holds <coalesce/cuda.hpp>, <coalesce/cdna/litmus.hpp> and what they include; without, every header. The list
# `small` is named below.
cmake_minimum_required(VERSION 3.23)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
if(NOT to)
  message(FATAL_ERROR "usage: cmake -D to=coalesce.hpp [-D headers=small] -P single_header.cmake\n"
    "`headers` is `small`, or names like cuda,cdna/litmus; without it the one header has all.")
endif()

# Appends a header to the property `single`, once, after those of ours that it includes.
function(append_header header)
  get_property(seen GLOBAL PROPERTY seen)
  if(header IN_LIST seen)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY seen ${header})
  file(READ ${root}/include/${header} text)
  string(REGEX REPLACE "\n#if[^\n]*(\n#pragma[^\n]*)+\n#endif" "" left "${text}")  # pragmas leave nothing out
  if(left MATCHES "\n#if.*\n#include <coalesce/")
    message(FATAL_ERROR "${header} includes a header of ours after an #if: in one header nothing can be left out")
  endif()
  string(REGEX MATCHALL "\n#include <coalesce/[^>]+>" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE ".*<(.+)>" "\\1" include "${include}")
    append_header(${include})
  endforeach()
  string(REGEX REPLACE "\n(#include <coalesce/[^>]+>|#pragma once)" "" text "${text}")
  string(REPLACE "// SPDX-License-Identifier: BSL-1.0" "" text "${text}")
  string(STRIP "${text}" text)
  if(text)
    set_property(GLOBAL APPEND_STRING PROPERTY single "\n// ---- ${header} ----\n\n${text}\n")
  endif()
endfunction()

file(GLOB_RECURSE every RELATIVE ${root}/include ${root}/include/coalesce/*.hpp)
# What a program asks on the host and at run time stays apart.
list(FILTER every EXCLUDE REGEX "^coalesce/host/")
set(small cuda,gcn,cdna,layout,total,explain,compare,suggest)  # a quarter of the compile time of all headers
if(headers STREQUAL "small")
  set(headers ${small})
endif()
if(headers)
  set(held " (${headers})")
  string(REPLACE "," ";" headers "version,${headers}")
  list(TRANSFORM headers REPLACE "(.+)" "coalesce/\\1.hpp")
else()
  set(headers ${every})
endif()
foreach(header IN LISTS headers)
  if(NOT header IN_LIST every)
    message(FATAL_ERROR "one header cannot hold <${header}>: it does not exist, or is for the host alone (coalesce/host/)")
  endif()
  append_header(${header})
endforeach()

file(READ ${root}/include/coalesce/version.hpp version)
string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+).*" "\\1.\\2.\\3" version "${version}")
file(READ ${root}/LICENSE licence)
string(REGEX REPLACE "\n([^\n])" "\n// \\1" licence "// ${licence}")
string(REPLACE "\n\n" "\n//\n" licence "${licence}")
get_property(single GLOBAL PROPERTY single)
# claims.hpp, record.hpp, suggest.hpp and total.hpp are silent of these in what they include.
set(nvcc "#if defined(__CUDACC__) && defined(__NVCC__)\n#pragma nv_diagnostic")
set(gcc "#ifdef __GNUC__\n#pragma GCC diagnostic")
set(quiet "${nvcc} push\n#pragma nv_diag_suppress 20011, 20012, 20013, 20014, 20015\n#endif
${gcc} push\n#pragma GCC diagnostic ignored \"-Wshadow\"\n#endif\n")
set(loud "${gcc} pop\n#endif\n${nvcc} pop\n#endif\n")
file(WRITE ${to} "// SPDX-License-Identifier: BSL-1.0
// The headers of coalesce ${version} as one file${held}: generated, so change the headers instead.
//
${licence}#pragma once
${quiet}${single}
${loud}")
