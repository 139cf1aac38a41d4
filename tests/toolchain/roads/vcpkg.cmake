# SPDX-License-Identifier: BSL-1.0
# Runs a port without vcpkg: stand-ins for the helpers that a portfile calls, doing for a release build what vcpkg's do.
# cmake -D port=<folder of the port> -D CURRENT_PACKAGES_DIR=<prefix> -D build=<folder> -P vcpkg.cmake
cmake_minimum_required(VERSION 3.23)
file(READ ${port}/vcpkg.json manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON VERSION GET "${manifest}" version-semver)

function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(output MATCHES "Warning|variables were not used")
    message(FATAL_ERROR "${output}")
  endif()
endfunction()

if(manifest MATCHES "\"vcpkg-cmake\"")
  function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" SOURCE_PATH OPTIONS)
    if(DEFINED arg_UNPARSED_ARGUMENTS OR NOT VCPKG_BUILD_TYPE STREQUAL "release")
      message(FATAL_ERROR "vcpkg_cmake_configure: this stand-in knows SOURCE_PATH, OPTIONS and release builds")
    endif()
    run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${build} ${arg_OPTIONS} -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}
      -DCMAKE_BUILD_TYPE=Release)
  endfunction()
  function(vcpkg_cmake_install)
    run(${CMAKE_COMMAND} --build ${build} --target install)
  endfunction()
endif()

if(manifest MATCHES "\"vcpkg-cmake-config\"")
  # In place already, the files need no moving; what they say must not depend on where they lie.
  function(vcpkg_cmake_config_fixup)
    file(STRINGS ${CURRENT_PACKAGES_DIR}/share/${PORT}/${PORT}-config.cmake absolute REGEX ${CURRENT_PACKAGES_DIR})
    if(absolute)
      message(FATAL_ERROR "the package cannot move: ${absolute}")
    endif()
  endfunction()
endif()

# What pkg-config is told must not depend on where the files lie either.
function(vcpkg_fixup_pkgconfig)
  file(STRINGS ${CURRENT_PACKAGES_DIR}/share/pkgconfig/${PORT}.pc absolute REGEX ${CURRENT_PACKAGES_DIR})
  if(absolute)
    message(FATAL_ERROR "the package cannot move: ${absolute}")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
  file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT} RENAME copyright)
endfunction()

# What GitHub packs of a tag is packed of the repository $GITHUB_STANDIN instead.
function(vcpkg_from_github)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_SOURCE_PATH;REPO;REF;SHA512;HEAD_REF" "")
  if(DEFINED arg_UNPARSED_ARGUMENTS OR NOT arg_REF STREQUAL "v${VERSION}" OR NOT arg_REPO MATCHES "^[^/]+/([^/]+)$")
    message(FATAL_ERROR "vcpkg_from_github: ${ARGV}")
  endif()
  set(name ${CMAKE_MATCH_1}-${VERSION})
  file(REMOVE_RECURSE ${build}-src)
  file(MAKE_DIRECTORY ${build}-src)
  execute_process(COMMAND git -C $ENV{GITHUB_STANDIN} archive --prefix=${name}/ HEAD COMMAND gzip -cn
    OUTPUT_FILE ${build}-src/tag.tar.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SHA512 ${build}-src/tag.tar.gz sha512)
  if(NOT sha512 STREQUAL arg_SHA512)
    message(FATAL_ERROR "vcpkg_from_github: the archive's SHA512 is ${sha512}")
  endif()
  run(tar xzf ${build}-src/tag.tar.gz -C ${build}-src)
  set(${arg_OUT_SOURCE_PATH} ${build}-src/${name} PARENT_SCOPE)
endfunction()

include(${port}/portfile.cmake)
