# SPDX-License-Identifier: BSL-1.0
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, get
from conan.tools.layout import basic_layout
from conan.tools.scm import Version

required_conan_version = ">=2.0"


class Coalesce(ConanFile):
    name = "coalesce"
    description = "GPU memory behaviour at compile time: transactions, clocks and bank conflicts in a static_assert"
    license = "BSL-1.0"
    url = ""
    homepage = ""  # CMakeLists.txt says who fills this
    topics = ("gpu", "cuda", "hip", "coalescing", "bank-conflicts", "constexpr", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    # The oldest that ran (tests/compilers.md).
    @property
    def _minimum_compilers_version(self):
        return {"gcc": "11", "clang": "14"}

    def layout(self):
        basic_layout(self, src_folder="src")

    # One package for all settings.
    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)
        minimum = self._minimum_compilers_version.get(str(self.settings.compiler))
        if minimum and Version(self.settings.compiler.version) < minimum:
            raise ConanInvalidConfiguration(f"{self.ref} needs {self.settings.compiler} {minimum} or later")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def package(self):
        for headers in "*.hpp", "*.h":
            copy(self, headers, os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "coalesce-language.cmake", os.path.join(self.source_folder, "packaging", "cmake"),
             os.path.join(self.package_folder, "share", "coalesce"))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        # Else a consumer in C++17 would not be told of C++20, as it is by CMake's own package.
        self.cpp_info.set_property("cmake_build_modules", [os.path.join("share", "coalesce", "coalesce-language.cmake")])
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")  # as CMake's own package


# ---- The tree that this file lies in. packaging/release.cmake leaves all below out of a release's recipe, which fetches an archive ----

import re

from conan.tools.files import load


class Coalesce(Coalesce):
    exports_sources = "include/*", "packaging/cmake/coalesce-language.cmake", "LICENSE"
    test_package_folder = "tests/toolchain/test_package"

    # The version is stated once, in version.hpp.
    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/coalesce/version.hpp"))
        self.version = ".".join(re.findall(r"#define COALESCE_VERSION_\w+ (\d+)", header))

    def layout(self):
        basic_layout(self)

    def source(self):
        pass
