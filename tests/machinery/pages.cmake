# SPDX-License-Identifier: BSL-1.0
# The pages, block by block (page.cmake), and the outputs that they quote (quote.cmake).
# A page may record a block of threads, which takes more constexpr steps than the flags allow the suite.
set(page_flags ${flags})
list(FILTER page_flags EXCLUDE REGEX "^-fconstexpr-steps")
function(add_page_test name page)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D page=${page} -D root=${PROJECT_SOURCE_DIR}
    -D work=${CMAKE_CURRENT_BINARY_DIR}/${name} -D compiler=${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}
    -P ${PROJECT_SOURCE_DIR}/tests/machinery/page.cmake -- ${CMAKE_CXX_COMPILER} ${page_flags} ${ARGN} -std=c++20 -fsyntax-only)
endfunction()
# All pages of the manual, of the families and beside them; a new page is found by itself.
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include/*.md
  ${PROJECT_SOURCE_DIR}/examples/*.md ${PROJECT_SOURCE_DIR}/packaging/*.md ${PROJECT_SOURCE_DIR}/.github/*.md)
file(GLOB pages_of_the_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests/*.md)
foreach(page IN ITEMS README.md CHANGELOG.md LISTS pages pages_of_the_tests)
  string(REGEX REPLACE "/?README.md|[.]md$|include/|[.]github/" "" name "${page}")
  string(REPLACE "/" "." name "page.${name}")
  # These use the readers of binaries and traces as a program does that links coalesce::host: their headers only declare them.
  set(linked "")
  if(name MATCHES "manual[.](amd|bounds|nvidia|traces)$")
    set(linked -DCOALESCE_HOST_COMPILED)
  endif()
  add_page_test(${name} ${PROJECT_SOURCE_DIR}/${page} ${linked})
endforeach()

# What needs the host's part, or applies what it says to a copy of the tree.
label_everything(page.coalesce.manual.amd page.coalesce.manual.bounds page.coalesce.manual.contributing
  page.coalesce.manual.nvidia page.coalesce.manual.traces)

# One control for each thing that can be wrong with a page.
file(GLOB controls CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/machinery/control/page/*.md)
foreach(page IN LISTS controls)
  cmake_path(GET page STEM name)
  file(STRINGS ${page} expected REGEX "^<!-- EXPECT: " LIMIT_COUNT 1)
  string(REGEX REPLACE "<!-- EXPECT: (.*) -->" "\\1" expected "${expected}")
  string(REPLACE " " "[ \n]+" expected "${expected}")  # CMake breaks lines
  add_page_test(control.page.${name} ${page})
  set_tests_properties(control.page.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${expected}")
endforeach()

function(add_quote_test name document program)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D document=${document}
    -P ${PROJECT_SOURCE_DIR}/tests/machinery/quote.cmake)
endfunction()

# The tables that restate rows are printed from the rows: the figures of each family, the shapes of matrix
# instructions, the profilers' counters, the numbers by evidence. Compiling the printer takes as long as all pages do.
# The controls are a page with another section in a citation, one with a line too many, and one with another count.
add_executable(coalesce.print_rows ${PROJECT_SOURCE_DIR}/tests/machinery/print_rows.cpp)
target_include_directories(coalesce.print_rows PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(coalesce.print_rows PRIVATE coalesce::coalesce)
build_with_everything(coalesce.print_rows)
set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/machinery/print_rows.cpp PROPERTIES COMPILE_OPTIONS -O0)  # much code that runs once
function(add_printed_test name document tables)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:coalesce.print_rows> -D document=${document}
    -D tables=${tables} -P ${PROJECT_SOURCE_DIR}/tests/machinery/quote.cmake)
  label_everything(${name})
endfunction()
set(manual ${PROJECT_SOURCE_DIR}/include/coalesce)
foreach(family IN ITEMS cuda gcn cdna rdna)
  add_printed_test(page.printed.${family} ${manual}/${family}/figures.md ${family})
endforeach()
add_printed_test(page.printed.mma ${manual}/cuda/README.md mma)
add_printed_test(page.printed.mfma ${manual}/cdna/README.md mfma)
add_printed_test(page.printed.counters ${manual}/manual/profilers.md counters)
add_printed_test(page.printed.evidence ${PROJECT_SOURCE_DIR}/tests/README.md evidence)
file(READ ${manual}/cuda/figures.md text)
string(REPLACE "| G.3.3 |" "| G.3.4 |" changed "${text}")
file(CONFIGURE OUTPUT changed_figures.md CONTENT "${changed}" @ONLY)
add_printed_test(control.page.printed.changed ${CMAKE_CURRENT_BINARY_DIR}/changed_figures.md cuda)
file(CONFIGURE OUTPUT longer_figures.md CONTENT "${text}| left over |\n" @ONLY)
add_printed_test(control.page.printed.longer ${CMAKE_CURRENT_BINARY_DIR}/longer_figures.md cuda)
file(READ ${PROJECT_SOURCE_DIR}/tests/README.md text)
string(REPLACE "| GCN | " "| GCN | 1" changed "${text}")
file(CONFIGURE OUTPUT changed_evidence.md CONTENT "${changed}" @ONLY)
add_printed_test(control.page.printed.evidence ${CMAKE_CURRENT_BINARY_DIR}/changed_evidence.md evidence)
set_tests_properties(control.page.printed.changed control.page.printed.longer control.page.printed.evidence PROPERTIES
  PASS_REGULAR_EXPRESSION "does[ \n]+not[ \n]+quote")

# README.md: the width of its code, and what it needs. The controls: a wider line, another compiler, none.
function(add_readme_test name words change)
  file(READ ${PROJECT_SOURCE_DIR}/README.md text)
  if(change)
    list(GET change 0 from)
    list(GET change 1 to)
    string(REPLACE "${from}" "${to}" text "${text}")
  endif()
  file(CONFIGURE OUTPUT ${name}.md CONTENT "${text}" @ONLY)
  set(checked ${CMAKE_COMMAND} -D page=${CMAKE_CURRENT_BINARY_DIR}/${name}.md -D root=${PROJECT_SOURCE_DIR}
    -P ${PROJECT_SOURCE_DIR}/tests/machinery/readme.cmake)
  if(words)
    add_refusal_test(${name} "${words}" ${checked})
  else()
    add_test(NAME ${name} COMMAND ${checked})
  endif()
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
add_readme_test(pages.readme "" "")
add_readme_test(control.pages.readme.width "81[ \n]+columns"
  "#include <coalesce/gcn.hpp>;#include <coalesce/gcn.hpp>  // code that is one column wider than a forge shows.")
add_readme_test(control.pages.readme.oldest "g[+][+][ \n]+12.*11" "g++ 11,;g++ 12,")
add_readme_test(control.pages.readme.silent "CMake[ \n]+that[ \n]+is[ \n]+known" "CMake 3.23;CMake")

# The programs that pages name stand where the pages say. The control is a page with the path of another folder.
function(add_programs_test name)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D root=${PROJECT_SOURCE_DIR} -D build=${PROJECT_BINARY_DIR}
    -D programs=$<TARGET_FILE:coalesce.tests>,$<TARGET_FILE:coalesce.oracles>,$<TARGET_FILE:coalesce.print_rows> ${ARGN}
    -P ${PROJECT_SOURCE_DIR}/tests/machinery/programs.cmake)
  label_everything(${name})
endfunction()
add_programs_test(pages.programs)
add_programs_test(control.pages.programs -D page=${PROJECT_SOURCE_DIR}/tests/machinery/control/programs.md)
set_tests_properties(control.pages.programs PROPERTIES PASS_REGULAR_EXPRESSION "the[ \n]+build[ \n]+does[ \n]+not[ \n]+make[ \n]+there")

add_quote_test(measured.table ${PROJECT_SOURCE_DIR}/tests/measurements.md coalesce.measured)
label_everything(measured.table)
if(COALESCE_BUILD_EXAMPLES)
  foreach(example IN LISTS COALESCE_EXAMPLES)
    add_quote_test(example.${example} ${PROJECT_SOURCE_DIR}/examples/README.md coalesce.${example})
  endforeach()
  label_everything(example.known_kernels)
  build_with_everything(coalesce.known_kernels)
  # The end of the demo. The controls: a layout that holds, a demo without pictures, and one without its reason.
  function(add_demo_test name words programs)
    set(ran ${COALESCE_DEMO} -D to=${CMAKE_CURRENT_BINARY_DIR}/${name} -D "programs=${programs}" ${ARGN}
      -P ${PROJECT_SOURCE_DIR}/tests/machinery/demo.cmake)
    if(words)
      add_refusal_test(${name} "${words}" ${ran})
    else()
      add_test(NAME ${name} COMMAND ${ran})
    endif()
  endfunction()
  set(shown $<TARGET_FILE:coalesce.broken_tile>)
  add_demo_test(example.demo "" "${shown},$<TARGET_FILE:coalesce.gallery>")
  add_demo_test(control.example.demo.holds "the[ \n]+broken[ \n]+layout[ \n]+compiles" "${shown}" -D column=33)
  add_demo_test(control.example.demo.pictures "which[ \n]+is[ \n]+not[ \n]+there" "${shown}")
  add_demo_test(control.example.demo.reason "broken_tile.txt" "$<TARGET_FILE:coalesce.gcn_patterns>")
  # The pictures, and as a control those of a folder where one has another byte.
  function(add_gallery_test name folder)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:coalesce.gallery> -D folder=${folder}
      -D work=${CMAKE_CURRENT_BINARY_DIR}/${name} -P ${PROJECT_SOURCE_DIR}/tests/machinery/gallery.cmake)
  endfunction()
  add_gallery_test(example.gallery.pictures ${PROJECT_SOURCE_DIR}/examples/gallery)
  set(changed ${CMAKE_CURRENT_BINARY_DIR}/changed_gallery)
  file(COPY ${PROJECT_SOURCE_DIR}/examples/gallery/ DESTINATION ${changed} FILES_MATCHING PATTERN *.svg)
  file(APPEND ${changed}/late_cc90.svg " ")
  add_gallery_test(control.example.gallery ${changed})
  set_tests_properties(control.example.gallery PROPERTIES PASS_REGULAR_EXPRESSION "late_cc90.svg[ \n]+is[ \n]+not")  # CMake breaks lines
  if(COALESCE_PYTHON)
    set(parse ${COALESCE_PYTHON} ${PROJECT_SOURCE_DIR}/tests/machinery/well_formed.py)
    file(GLOB pictures CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/gallery/*.svg)
    add_test(NAME example.gallery.xml COMMAND ${parse} ${pictures})
    add_refusal_test(control.example.gallery.xml "ExpatError" ${parse} ${PROJECT_SOURCE_DIR}/tests/machinery/control/demo.md)
  endif()
  add_quote_test(control.example ${PROJECT_SOURCE_DIR}/tests/machinery/control/demo.md coalesce.gcn_patterns)
  set_tests_properties(control.example PROPERTIES PASS_REGULAR_EXPRESSION "does[ \n]+not[ \n]+quote")
endif()
