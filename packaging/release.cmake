# SPDX-License-Identifier: BSL-1.0
# Writes a release into a folder: cmake -D to=FOLDER -D version=0.1.0 [-D url=ADDRESS] [-D homepage=ADDRESS] -P release.cmake
#   coalesce-0.1.0.tar.gz  the tree, and in it the library as one header
#   coalesce_small.hpp     the small header, which explorer.py's link opens
#   conan                  the recipe that fetches it from `url`, laid out as ConanCenter's are; without one, from here
#   vcpkg                  the port that fetches the tag v0.1.0 from `homepage`, a repository on GitHub, laid out as vcpkg's are;
#                          without one there is none
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

# Conan's recipe ends before what packages the tree. Its own address is the index's, and there the test package lies beside it.
file(READ ${root}/conanfile.py recipe)
string(FIND "${recipe}" "\n\n\n# ---- The tree that this file lies in" end)
if(end EQUAL -1)
  message(FATAL_ERROR "conanfile.py does not say where the tree's part begins")
endif()
string(SUBSTRING "${recipe}" 0 ${end} recipe)
string(REGEX REPLACE "\n    url = [^\n]*" "\n    url = \"https://github.com/conan-io/conan-center-index\"" recipe "${recipe}")
string(REGEX REPLACE "\n    homepage = [^\n]*" "\n    homepage = \"${homepage}\"" recipe "${recipe}")
file(WRITE ${to}/conan/all/conanfile.py "${recipe}\n")
file(COPY ${root}/tests/toolchain/test_package DESTINATION ${to}/conan/all PATTERN build EXCLUDE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/conan/conandata.yml ${to}/conan/all/conandata.yml @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/conan/config.yml ${to}/conan/config.yml @ONLY)

# vcpkg's port fetches what GitHub packs of the tag: `git archive`, through gzip.
if(homepage MATCHES "^https://github.com/([^/]+/([^/]+))$" AND EXISTS ${root}/.git)
  set(repository ${CMAKE_MATCH_1})
  execute_process(COMMAND git -C ${root} archive --prefix=${CMAKE_MATCH_2}-${version}/ HEAD COMMAND gzip -cn
    OUTPUT_FILE ${to}/tag.tar.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SHA512 ${to}/tag.tar.gz sha512)
  file(REMOVE ${to}/tag.tar.gz)
  set(port ${CMAKE_CURRENT_LIST_DIR}/vcpkg/coalesce)
  file(READ ${port}/portfile.cmake portfile)
  string(FIND "${portfile}" "\nset(VCPKG_BUILD_TYPE" begin)
  string(SUBSTRING "${portfile}" ${begin} -1 portfile)
  file(WRITE ${to}/vcpkg/coalesce/portfile.cmake "vcpkg_from_github(
    OUT_SOURCE_PATH SOURCE_PATH
    REPO ${repository}
    REF \"v\${VERSION}\"
    SHA512 ${sha512}
    HEAD_REF main
)
${portfile}")
  file(READ ${port}/vcpkg.json manifest)
  string(REGEX REPLACE "\n  \"homepage\": [^\n]*" "" manifest "${manifest}")
  string(REGEX REPLACE "(\n  \"description\": [^\n]*)" "\\1\n  \"homepage\": \"${homepage}\"," manifest "${manifest}")
  file(WRITE ${to}/vcpkg/coalesce/vcpkg.json "${manifest}")
  file(COPY ${port}/usage DESTINATION ${to}/vcpkg/coalesce)
else()
  message(STATUS "No port of vcpkg: it fetches a repository on GitHub, and HOMEPAGE_URL is \"${homepage}\".")
endif()
