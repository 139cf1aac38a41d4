# SPDX-License-Identifier: BSL-1.0
# Writes a release into a folder: cmake -D to=FOLDER -D version=0.1.0 [-D url=ADDRESS] -P release.cmake
#   coalesce-0.1.0.tar.gz  the tree, and in it the library as one header
#   coalesce_small.hpp     the small header, which explorer.py's link opens
#   conan                  the recipe that fetches it from that address, laid out as ConanCenter's are; without one, from here
# Where SOURCE_DATE_EPOCH is set, the same tree gives the same bytes.
cmake_minimum_required(VERSION 3.23)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
set(name coalesce-${version})
set(archive ${to}/${name}.tar.gz)
if(NOT url)
  set(url file://${archive})
endif()
file(REMOVE_RECURSE ${to})

# The files that git tracks, but those that .gitattributes exports to no archive. An unpacked archive has no git: all that lies
# there but builds, which are what CMake made, and each folder `build`.
if(EXISTS ${root}/.git)
  execute_process(COMMAND git ls-files -- . ":(exclude,attr:export-ignore)" WORKING_DIRECTORY ${root}
    OUTPUT_VARIABLE tracked OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" tracked "${tracked}")
  foreach(file IN LISTS tracked)
    cmake_path(GET file PARENT_PATH folder)
    file(COPY ${root}/${file} DESTINATION ${to}/${name}/${folder})
  endforeach()
else()
  file(GLOB entries ${root}/*)
  foreach(entry IN LISTS entries)
    if(NOT EXISTS ${entry}/CMakeCache.txt)
      file(COPY ${entry} DESTINATION ${to}/${name} REGEX "/build$" EXCLUDE)
    endif()
  endforeach()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -D to=${to}/${name}/coalesce.hpp -P ${CMAKE_CURRENT_LIST_DIR}/single_header.cmake
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -D to=${to}/coalesce_small.hpp -D headers=small
  -P ${CMAKE_CURRENT_LIST_DIR}/single_header.cmake COMMAND_ERROR_IS_FATAL ANY)

# Named one by one, since a folder would be read in the order of its disk.
file(GLOB_RECURSE files RELATIVE ${to} ${to}/${name}/*)
string(TIMESTAMP now "%Y-%m-%d %H:%M:%S UTC" UTC)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${archive} --format=gnutar --mtime=${now} ${files}
  WORKING_DIRECTORY ${to} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${to}/${name})
file(SHA256 ${archive} sha256)

file(READ ${root}/conanfile.py recipe)
# The test package lies where Conan looks by itself, and the recipe's own address is the index's.
string(REGEX REPLACE "\n    test_package_folder = [^\n]*" "" recipe "${recipe}")
string(REGEX REPLACE "\n    url = [^\n]*" "\n    url = \"https://github.com/conan-io/conan-center-index\"" recipe "${recipe}")
file(WRITE ${to}/conan/all/conanfile.py "${recipe}")
file(COPY ${root}/tests/toolchain/test_package DESTINATION ${to}/conan/all PATTERN build EXCLUDE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/conan/conandata.yml ${to}/conan/all/conandata.yml @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/conan/config.yml ${to}/conan/config.yml @ONLY)
