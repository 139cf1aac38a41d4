# SPDX-License-Identifier: BSL-1.0
# Shared by the groups of tests: the functions that add a test, and the tools that several groups look for.
find_program(COALESCE_CLANG NAMES clang++-22 clang++-19 clang++-16 clang++
  DOC "a clang that counts constexpr steps and compiles device code")
find_program(COALESCE_NVCC NAMES nvcc HINTS /usr/local/cuda/bin DOC "nvcc, to compile questions inside a kernel")
find_program(COALESCE_PYTHON NAMES python3 DOC "a Python that recomputes the numbers, reads the pictures and lists mutations")

# Every test that builds something takes this lock: two builds in one tree would collide under ctest -j.
set(builds RESOURCE_LOCK build)
get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
set(build ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR})
if(multi_config)
  list(APPEND build --config $<CONFIG>)
endif()
function(add_build_test name target)
  add_test(NAME ${name} COMMAND ${build} --target ${target})
  set_tests_properties(${name} PROPERTIES ${builds})
endfunction()

# TESTS...: only the preset `everything` runs them.
function(label_everything)
  set_tests_properties(${ARGN} PROPERTIES LABELS everything)
endfunction()
# TARGETS...: the target `everything` builds them, and `all` does not.
function(build_with_everything)
  set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(everything ${ARGN})
endfunction()
# FOLDER: its tests and those of the folders below are for `everything` alone, and so is what they need built.
function(add_everything folder)
  add_subdirectory(${folder} EXCLUDE_FROM_ALL)
  set(folders ${folder})
  while(folders)
    list(POP_FRONT folders each)
    set_property(DIRECTORY ${each} PROPERTY LABELS everything)
    get_property(below DIRECTORY ${each} PROPERTY SUBDIRECTORIES)
    list(APPEND folders ${below})
    get_property(targets DIRECTORY ${each} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(built_by_a_test ${target} EXCLUDE_FROM_ALL)
      if(NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT built_by_a_test)
        add_dependencies(everything ${target})
      endif()
    endforeach()
  endwhile()
endfunction()

# NAME WORDS COMMAND...: the command must exit with an error, and say so in words (a regular expression).
function(add_refusal_test name words)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D "words=${words}" -P ${PROJECT_SOURCE_DIR}/tests/machinery/refused.cmake --
    ${ARGN})
endfunction()

# The compiler is called directly, so that these need no lock.
separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
set(compile ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 -fsyntax-only -I ${PROJECT_SOURCE_DIR}/include)
# NAME FILE SECTION COMPILE...: a section of a file of misuses.
function(add_must_fail_test name file section)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D file=${file} -D section=${section}
    -D work=${CMAKE_CURRENT_BINARY_DIR}/must_fail/${name} -D compiler=${CMAKE_CXX_COMPILER_ID}
    -P ${PROJECT_SOURCE_DIR}/tests/machinery/must_fail.cmake -- ${ARGN})
endfunction()
# FILE COMPILE...: every section of it.
function(add_must_fail_tests file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  cmake_path(GET file STEM group)
  file(STRINGS ${file} sections REGEX "^// ---- .* ----$")
  foreach(section IN LISTS sections)
    string(REGEX REPLACE "^// ---- (.*) ----$" "\\1" section "${section}")
    add_must_fail_test(must_fail.${group}.${section} ${file} ${section} ${ARGN})
  endforeach()
endfunction()
