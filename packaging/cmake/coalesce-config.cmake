# SPDX-License-Identifier: BSL-1.0
include(${CMAKE_CURRENT_LIST_DIR}/coalesce-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/coalesce-language.cmake)
# The component host is there where coalesce was built with COALESCE_HOST=ON.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/coalesce-host-targets.cmake)
  include(CMakeFindDependencyMacro)
  find_dependency(Threads)
  include(${CMAKE_CURRENT_LIST_DIR}/coalesce-host-targets.cmake)
elseif(coalesce_FIND_REQUIRED_host)
  set(coalesce_FOUND FALSE)
  set(coalesce_NOT_FOUND_MESSAGE "coalesce was installed without its component host: configure it with -D COALESCE_HOST=ON")
endif()
