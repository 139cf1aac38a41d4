#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs the Python of a page as printed, in a folder of its own, and compares what it prints with the block after it.

page.py PAGE
"""
import re
import subprocess
import sys
import tempfile

blocks = re.findall(r"^```(.*?)\n(.*?)^```$", open(sys.argv[1]).read(), re.MULTILINE | re.DOTALL)
ran = 0
with tempfile.TemporaryDirectory() as folder:
    for (kind, text), (next_kind, expected) in zip(blocks, [*blocks[1:], ("", "")]):
        if not kind.startswith("python"):
            continue
        name = kind.partition(" ")[2] or "block.py"
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
        words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", name] if name.startswith("test_") else [name]
        done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name} fails:\n{done.stdout}{done.stderr}")
        if next_kind == "text" and done.stdout != expected:
            sys.exit(f"{name} prints\n{done.stdout}and the page\n{expected}")
        ran += 1
print(f"{ran} blocks of Python do as the page says")
sys.exit(0 if ran else 1)
