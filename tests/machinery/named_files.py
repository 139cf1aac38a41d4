# SPDX-License-Identifier: BSL-1.0
"""named_files.py ROOT OUTSIDE [FILE]: a file that a comment or a page names is in the tree.

A comment names a file by `name.ext`, or with folders before it, from a folder that the comment is in, or that the header
is named after, or from one of the places below. A page may also name a user's files, so there only paths that begin with a folder of the tree count. OUTSIDE lists the files of other
projects and those that programs make, a line each; a line that nothing names is an error too. As a control, FILE is read
in the place of all files.
"""
import re
import sys
from pathlib import Path

root, outside, *control = map(Path, sys.argv[1:])
extensions = "hpp|cpp|cppm|cu|cuh|inc|hip|cmake|py|sass|md|csv|txt|json|svg|sh|js|in|traceg?"
folders = "include|coalesce|tests|examples|packaging"
named_with_extension = re.compile(rf"(?<![\w./<>*{{}}-])(?:\w[\w.-]*/)*\w[\w.-]*\.(?:{extensions})(?![\w*/-])")
named_with_folder = re.compile(rf"(?<![\w./*{{}}-])(?:{folders})(?:/[\w.-]*\w)+(?![\w*])")
# The house writes names in small letters, but for these. FILE.cpp and FAMILY/rows.hpp stand for any; CamelCase is another
# project's.
capitals = {"README.md", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json"}

everything = [root / name for name in ("README.md", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "conanfile.py")]
for folder in (".ci", ".github", "include", "examples", "tests", "packaging"):
    everything += [path for path in (root / folder).rglob("*") if "__pycache__" not in path.parts]
given = root / "tests/says/contract"  # its comments are not ours to change

others = [line for line in outside.read_text().splitlines() if line and not line.startswith("#")]
unused = set(others)


def comments(path, text):
    if path.suffix in (".hpp", ".cpp", ".cppm", ".cu", ".hip", ".inc", ".js"):
        return re.findall(r"(?<![:\w])//.*", text)
    if path.suffix in (".cmake", ".py", ".sh", ".yml") or path.name == "CMakeLists.txt" or text.startswith("#!"):
        return re.findall(r"(?:^|\s)#.*", text)
    return []


def names(path, text):
    if path.suffix == ".md":
        prose = re.sub(r"```.*?```|https?://\S+|\]\([^)]*\)", " ", text, flags=re.S)
        return named_with_folder.findall(prose)
    found = []
    for line in comments(path, text):
        line = re.sub(r"https?://\S+", " ", line)
        found += named_with_extension.findall(line) + named_with_folder.findall(line)
    return found


def is_there(name, path):
    places = ("include", "include/coalesce", "examples", "tests", "tests/machinery")
    folders = [path.with_suffix(""), *path.parents, *(root / place for place in places)]
    return any((folder / name).exists() for folder in folders if folder.is_relative_to(root))


faults, count = [], 0
for path in control or everything:
    if not path.is_file() or path.suffix in (".svg", ".csv") or path.parent == given:
        continue
    for name in names(path, path.read_text(errors="replace")):
        last = name.rpartition("/")[2]
        if any(letter.isupper() for letter in last) and last not in capitals:
            continue
        if any(part.isupper() for part in name.split("/")):
            continue
        count += 1
        if name in others:
            unused.discard(name)
        elif not is_there(name, path):
            faults.append(f"{path}: names {name}, which is not in the tree")
if not control:
    faults += [f"{outside}: nothing names {name}" for name in sorted(unused)]
    if count < 300:
        faults.append(f"only {count} names were found")
print("\n".join(faults) if faults else f"{count} files are named")
sys.exit(bool(faults))
