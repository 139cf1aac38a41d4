# SPDX-License-Identifier: BSL-1.0
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import valid_min_cppstd
from conan.tools.files import copy, get, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


# Packages the tree that it lies in. packaging/release.cmake makes a release's recipe of it, which has a conandata.yml and fetches
# the archive that is named there.
class Coalesce(ConanFile):
    name = "coalesce"
    description = "GPU memory behaviour at compile time: transactions, clocks and bank conflicts in a static_assert"
    license = "BSL-1.0"
    homepage = ""  # CMakeLists.txt says who fills this
    url = ""
    topics = ("gpu", "cuda", "hip", "coalescing", "bank-conflicts", "constexpr", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "include/*", "packaging/cmake/coalesce-language.cmake", "LICENSE"
    no_copy_source = True
    test_package_folder = "tests/toolchain/test_package"

    # The version is stated once, in version.hpp; a release's recipe is told.
    def set_version(self):
        if self.conan_data:
            return
        header = load(self, os.path.join(self.recipe_folder, "include/coalesce/version.hpp"))
        self.version = ".".join(re.findall(r"#define COALESCE_VERSION_\w+ (\d+)", header))

    def layout(self):
        basic_layout(self)

    def validate(self):
        if not valid_min_cppstd(self, 20):
            raise ConanInvalidConfiguration(
                f"coalesce needs C++20, but compiler.cppstd is {self.settings.compiler.cppstd}: "
                "say -s 'coalesce/*:compiler.cppstd=20' for this package alone, or -s compiler.cppstd=20 for all")

    def source(self):
        if self.conan_data:
            get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def package(self):
        for headers in "*.hpp", "*.h":
            copy(self, headers, os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "coalesce-language.cmake", os.path.join(self.source_folder, "packaging/cmake"),
             os.path.join(self.package_folder, "share/coalesce"))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    # One package for all settings.
    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        # Else a consumer in C++17 would not be told of C++20, as it is by CMake's own package.
        self.cpp_info.set_property("cmake_build_modules", ["share/coalesce/coalesce-language.cmake"])
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")  # as CMake's own package
