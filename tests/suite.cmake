# SPDX-License-Identifier: BSL-1.0
# The suite: each statement as a constant expression and again at run time.
find_package(doctest QUIET)
if(NOT doctest_FOUND)
  message(FATAL_ERROR
    "The tests of coalesce need doctest: 'apt-get install doctest-dev' on Debian, 'vcpkg install doctest' or "
    "'conan install --requires=doctest/2.4.11' elsewhere. Or configure with -DCOALESCE_BUILD_TESTS=OFF.")
endif()

# The quick gate has the slow programs ask a tenth on g++. (-DCOALESCE_TEST_SHARE=10 among the compiler's flags is for all.)
set(COALESCE_SLOW_SHARE 1 CACHE STRING "The slow programs of the tests ask one in so many of their questions")
# Files that ask an oracle tens of thousands of random questions (fewer where COALESCE_TEST_SHARE is set), which are optimized.
# All others are much code that runs once: optimizing it takes longer than running it. A linker keeps one copy of what both
# would have inline, so they are two programs. The program `coalesce.tests` and the fast oracles are of the preset `test`.
set(fast_oracles cdna/global.cpp cuda/atomics.cpp cuda/fermi.cpp cuda/global.cpp cuda/tesla.cpp engine/banks.cpp engine/distinct.cpp
  engine/segments.cpp gcn/lds.cpp gcn/vector.cpp rdna/global.cpp record/lockstep.cpp)
set(slow_oracles cdna/lds.cpp cdna/litmus.cpp cdna/pairs.cpp claims/every_choice.cpp claims/random.cpp cuda/sectors.cpp cuda/shared.cpp
  cuda/tma_box.cpp engine/launches.cpp every/bounds.cpp host/ways.cpp rdna/lds.cpp record/intervals_in_lockstep.cpp)
# Files that ask every instruction of every machine, or what needs a host: of the preset `everything`.
set(slow_suite every/every_instruction.cpp every/names.cpp every/no_active_lane.cpp every/sources.cpp explain/explain_all.cpp
  explain/explain_true.cpp record/machines.cpp record/operators.cpp)
set(suite_of_binaries host/binary/arguments.cpp host/binary/amd/descriptors.cpp host/binary/amd/operations.cpp host/binary/amd/reals.cpp host/binary/amd/private.cpp host/binary/amd/texts.cpp host/binary/amd/unfollowed.cpp host/binary/amd/wrap.cpp host/binary/nvidia/local.cpp)
find_package(Threads REQUIRED)  # traces are read by threads
# A new file of a subject, and a new subject, are found by themselves.
file(GLOB suite_of_the_host RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS host/*.cpp host/trace/*.cpp)
list(REMOVE_ITEM suite_of_the_host ${slow_oracles})
file(GLOB fast_suite RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS */*.cpp)
list(FILTER fast_suite EXCLUDE REGEX "^(host|machinery)/")
list(REMOVE_ITEM fast_suite ${fast_oracles} ${slow_oracles} ${slow_suite})
add_library(coalesce.tests.main OBJECT machinery/main.cpp)
add_executable(coalesce.tests ${fast_suite})
add_executable(coalesce.oracles ${fast_oracles})
add_executable(coalesce.tests.slow ${slow_suite} ${suite_of_the_host})
add_executable(coalesce.tests.binaries ${suite_of_binaries})
add_executable(coalesce.oracles.slow ${slow_oracles})
# Recordings are compiled optimized, too: with -O1 alone g++ 12 refuses some calls of always_inline functions through pointers.
add_library(coalesce.tests.optimized OBJECT record/compare.cpp)
build_with_everything(coalesce.tests.slow coalesce.tests.binaries coalesce.tests.optimized coalesce.oracles.slow)
foreach(program IN ITEMS coalesce.tests.main coalesce.tests.optimized coalesce.tests coalesce.oracles coalesce.tests.slow
    coalesce.tests.binaries coalesce.oracles.slow)
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${program} PRIVATE coalesce::coalesce doctest::doctest)
  if(NOT program STREQUAL "coalesce.tests.main")
    target_link_libraries(${program} PRIVATE coalesce.tests.main)
  endif()
endforeach()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22)
  target_compile_options(coalesce.tests.main PUBLIC -Wno-c2y-extensions)  # doctest 2.4 uses __COUNTER__
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # A recording of 300 rounds takes more constexpr steps than the gate's flags allow.
  set_source_files_properties(record/intervals.cpp PROPERTIES COMPILE_OPTIONS -fconstexpr-steps=1048576)
endif()
target_link_libraries(coalesce.tests.slow PRIVATE Threads::Threads)
target_link_libraries(coalesce.tests.binaries PRIVATE coalesce_host_binaries)
if(COALESCE_SLOW_SHARE GREATER 1)
  target_compile_definitions(coalesce.oracles.slow PRIVATE COALESCE_TEST_SHARE=${COALESCE_SLOW_SHARE})
  target_compile_definitions(coalesce.tests.slow PRIVATE COALESCE_TEST_SHARE=${COALESCE_SLOW_SHARE})
endif()
if(NOT MSVC)
  target_compile_options(coalesce.tests.optimized PRIVATE -O1)
endif()
# Where few questions are asked, optimizing takes longer than asking does, but for the litmus tests: they walk through whole programs.
if(NOT MSVC)
  if(NOT CMAKE_CXX_FLAGS MATCHES "COALESCE_TEST_SHARE")
    target_compile_options(coalesce.oracles PRIVATE -O1)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "COALESCE_TEST_SHARE" OR COALESCE_SLOW_SHARE GREATER 1)
    set_source_files_properties(cdna/litmus.cpp PROPERTIES COMPILE_OPTIONS -O1)
  else()
    target_compile_options(coalesce.oracles.slow PRIVATE -O1)
  endif()
endif()
add_test(NAME suite COMMAND coalesce.tests)
add_test(NAME suite.oracles COMMAND coalesce.oracles)
add_test(NAME suite.slow COMMAND coalesce.tests.slow)
add_test(NAME suite.binaries COMMAND coalesce.tests.binaries)
add_test(NAME suite.oracles.slow COMMAND coalesce.oracles.slow --source-file-exclude=*litmus.cpp)
add_test(NAME suite.litmus COMMAND coalesce.oracles.slow --source-file=*litmus.cpp)
label_everything(suite.slow suite.binaries suite.oracles.slow suite.litmus)
# A failing assertion about a document prints the title, not an address.
add_refusal_test(control.suite.prints_titles "values: CHECK. a post == another post ." $<TARGET_FILE:coalesce.tests>
  --no-skip "--test-case=control: this assertion fails*")

# The walk over the figures leaves none of a row out.
set(figures ${CMAKE_COMMAND} -D include=${PROJECT_SOURCE_DIR}/include
  -D test=${CMAKE_CURRENT_SOURCE_DIR}/every/figures.hpp)
add_test(NAME suite.figures COMMAND ${figures} -P ${PROJECT_SOURCE_DIR}/tests/machinery/figures.cmake)
add_refusal_test(control.suite.figures "does not ask for loads_of_64" ${figures} -D without=loads_of_64
  -P ${PROJECT_SOURCE_DIR}/tests/machinery/figures.cmake)
add_refusal_test(control.suite.figures.of_an_era "does not ask for wide_bank_bytes" ${figures}
  -D without=wide_bank_bytes -P ${PROJECT_SOURCE_DIR}/tests/machinery/figures.cmake)

# Every row and every name is in its family's list of machines, and on its page. Controls: a row, a chip's row, a product's
# name and a name of another row that no list has, and a name that its page lacks.
set(machines ${CMAKE_COMMAND} -D include=${PROJECT_SOURCE_DIR}/include)
set(every_machine -P ${PROJECT_SOURCE_DIR}/tests/machinery/machines.cmake)
add_test(NAME suite.machines COMMAND ${machines} ${every_machine})
add_refusal_test(control.suite.machines.row "cc125 has a row and is not in cuda::every_machine" ${machines}
  -D family=cuda -D "extra=struct row<125> " ${every_machine})
add_refusal_test(control.suite.machines.chip "gfx1202 has a row and is not in rdna::every_machine" ${machines}
  -D family=rdna -D "extra=struct row<chip::gfx1202> " ${every_machine})
add_refusal_test(control.suite.machines.product "cdna::mi360x is not in cdna::every_product" ${machines}
  -D family=cdna -D "extra=using mi360x = product<mi360x_row>" ${every_machine})
add_refusal_test(control.suite.machines.name "cuda::cc121 is the machine of another row, cc120" ${machines}
  -D family=cuda -D "extra=using cc121 = device<120>" ${every_machine})
add_refusal_test(control.suite.machines.listed "rdna::rx9999 is not in the list of products, in the line of 1201"
  ${machines} -D family=rdna -D "more=using rx9999 = gfx1201" ${every_machine})
add_refusal_test(control.suite.machines.line "and their list has" ${machines}
  -D family=cuda -D "more={90, \"h400\"}" ${every_machine})
add_refusal_test(control.suite.machines.page "cuda/README.md[ \n]+does[ \n]+not[ \n]+name"
  ${machines} -D family=cuda -D unnamed=cc121 ${every_machine})
