# SPDX-License-Identifier: BSL-1.0
# The pages, block by block (page.cmake), and the outputs that they quote (quote.cmake).
function(add_page_test name page)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D page=${page} -D root=${PROJECT_SOURCE_DIR}
    -D work=${CMAKE_CURRENT_BINARY_DIR}/${name} -D compiler=${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}
    -P ${PROJECT_SOURCE_DIR}/tests/machinery/page.cmake -- ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 -fsyntax-only)
endfunction()
set(pages
  README.md examples/README.md packaging/README.md tests/README.md include/coalesce/README.md
  include/coalesce/layouts.md include/coalesce/cuda/README.md include/coalesce/gcn/README.md include/coalesce/cdna/README.md
  include/coalesce/rdna/README.md)
foreach(page IN LISTS pages)
  string(REGEX REPLACE "/?README.md|[.]md$|include/" "" name "${page}")
  string(REPLACE "/" "." name "page.${name}")
  add_page_test(${name} ${PROJECT_SOURCE_DIR}/${page})
endforeach()

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
add_quote_test(measured.table ${PROJECT_SOURCE_DIR}/tests/README.md coalesce.measured)
if(COALESCE_BUILD_EXAMPLES)
  foreach(example IN LISTS COALESCE_EXAMPLES)
    add_quote_test(example.${example} ${PROJECT_SOURCE_DIR}/examples/README.md coalesce.${example})
  endforeach()
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
