#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints a link that opens README.md's first assertion in Compiler Explorer, with the small single header.

    packaging/explorer.py [ADDRESS]

ADDRESS is the folder on the web where a release's coalesce_small.hpp lies. Without it the folder is that of the project's
address, HOMEPAGE_URL in CMakeLists.txt: for a repository on GitHub its GitHub Pages. Compiler Explorer's page fetches
`#include <https://...>` itself, so the server must let other pages read the file, as GitHub Pages does.
"""
import base64
import json
import pathlib
import re
import sys
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent


def folder_of_the_project():
    homepage = re.search(r'HOMEPAGE_URL "(.*)"', (root / "CMakeLists.txt").read_text())[1]
    if not homepage:
        sys.exit("the project has no public address yet: state HOMEPAGE_URL in CMakeLists.txt, or name the folder of"
                 " coalesce_small.hpp: packaging/explorer.py https://...")
    return re.sub(r"^https://github\.com/([^/]+)/([^/]+?)/?$", r"https://\1.github.io/\2", homepage)


def link(folder):
    example = re.search(r"```cpp refused\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)[1]
    source = re.sub(r"<coalesce/[a-z]+\.hpp>", lambda _: f"<{folder.rstrip('/')}/coalesce_small.hpp>", example)
    # The state is described in Compiler Explorer's docs/API.md; g122 and clang1600 are its names of g++ 12.2 and clang 16.
    compilers = [{"id": name, "options": "-std=c++20"} for name in ("g122", "clang1600")]
    state = {"sessions": [{"id": 1, "language": "c++", "source": source, "compilers": compilers}]}
    encoded = base64.b64encode(json.dumps(state, separators=(",", ":")).encode()).decode()
    return "https://godbolt.org/clientstate/" + urllib.parse.quote(encoded, safe="")


if __name__ == "__main__":
    print(link(sys.argv[1] if len(sys.argv) > 1 else folder_of_the_project()))
