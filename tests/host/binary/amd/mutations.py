#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Deletes the padding, the swizzle or the offset of the waves in twenty kernels: the numbers that are committed turn red.

mutations.py COALESCE [--print]      asks `coalesce binary` about mutated.hip on gfx942, and compares with mutations.txt
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
clang, objdump = shutil.which("clang++-22"), shutil.which("llvm-objdump-22")
if not clang or not objdump:
    print("skipped: no clang++-22 or llvm-objdump-22")
    sys.exit(0)


def costs(*flags):
    """Of each kernel: transactions of global memory, conflicts of LDS."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([clang, "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib",
                        "-std=c++20", "-O3", *flags, f"{here}/mutated.hip", "-c", "-o", f"{work}/mutated.co"], check=True)
        text = subprocess.run([objdump, "-D", "-j", ".rodata", "-j", ".text", f"{work}/mutated.co"], check=True, capture_output=True,
                              text=True).stdout
    made = {}
    for name in [line.split("<")[1].split(".kd>")[0] for line in text.splitlines() if line.endswith(".kd>:")]:
        block = "32,8" if name.startswith(("transpose", "two")) else "256"
        done = subprocess.run([sys.argv[1], "binary", "--machine", "gfx942", "--kernel", name, "--block", block, "--arg", "buffer:65536",
                               "--arg", "buffer:65536", "--arg", "u32:64", "--json"], input=text, capture_output=True, text=True, check=True)
        answer = json.loads(done.stdout)
        if answer["unknown"]:
            sys.exit(f"{name}: {answer['unknown']}")
        made[name] = tuple(sum(site.get(number, 0) for site in answer["sites"]) for number in ("transactions", "conflicts"))
    return made


whole, mutated = costs(), costs("-D", "DELETED")
if "--print" in sys.argv:
    for name in whole:
        print(name, *whole[name], *mutated[name])
    sys.exit(0)
committed = {}
for line in open(f"{here}/mutations.txt"):
    if not line.startswith("#"):
        name, *numbers = line.split()
        committed[name] = tuple(map(int, numbers))
red = sum(committed[name][:2] != mutated[name] for name in committed)
wrong = [name for name in whole if committed.get(name) != whole[name] + mutated[name]]
for name in wrong:
    print(f"{name}: committed {committed.get(name)}, found {whole[name] + mutated[name]}")
print(f"{len(whole)} kernels, {red} turn red where the layout is deleted")
sys.exit(0 if not wrong and len(whole) == len(committed) == red == 20 else 1)
