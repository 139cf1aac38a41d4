# SPDX-License-Identifier: BSL-1.0
# An overlay port: vcpkg install coalesce --overlay-ports=packaging/vcpkg
# The source is the tree that this port lies in. vcpkg does not notice when the tree changes, and restores the package that it has
# archived: install with --no-binarycaching. A release (packaging/release.cmake) has the port for a registry, which begins with
# vcpkg_from_github.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release) # header-only port
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DCOALESCE_BUILD_TESTS=OFF
        -DCOALESCE_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup()
vcpkg_fixup_pkgconfig()
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")

file(REMOVE "${CURRENT_PACKAGES_DIR}/share/${PORT}/LICENSE") # vcpkg calls it copyright
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
