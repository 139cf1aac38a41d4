#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The kernels of kernels.py on five targets, for any block, with the arguments that the binary itself tells.

answered.py COALESCE [--print]      beside answered.txt, whose head says what is in a line; --print prints its lines

Checked are also: no access is unknown, but for a reason of NO_RULE; each warp is read to its end; the figures of BY_HAND.
"""
import collections
import json
import os
import subprocess
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from kernels import KERNELS

TARGETS = {"sm_80": GPUTarget("cuda", 80, 32), "sm_90": GPUTarget("cuda", 90, 32), "sm_120": GPUTarget("cuda", 120, 32),
           "gfx942": GPUTarget("hip", "gfx942", 64), "gfx1100": GPUTarget("hip", "gfx1100", 32)}
# What the library has no rule for, and why (nvidia.md, "What is not followed").
NO_RULE = {
    "it reads shared memory through descriptors": "HGMMA: no source tells its rounds",
    "a bulk copy, or one of the Tensor Memory Accelerator": "no source tells its rounds in shared memory",
    "an mbarrier: its cost has no source": "as it says",
}
# The sum of a number over the sites of one space and kind: kernel, target, space, kind, number, sum.
# add: 1,024 words are 4,096 bytes, read twice. gfx942 reads lines of 128 bytes and writes 64 at a time. gfx1100 moves lines of 128.
# Where n is no multiple of 16, a lane still has 4 neighbours, one for each of 4 loads: each load touches all lines.
# On NVIDIA a number of 8 bytes is a pointer to 16-byte words, since LDG.E.128 is (and a word behind a line costs a sector more): 8 warps'
# accesses of 512 bytes, 17 sectors each. Told that the arguments are buffers, 16.
# matmul: Triton's swizzle has no conflict when tiles are written: cp.async on NVIDIA.
BY_HAND = [
    ("add", "gfx942", "global", "load", "transactions", 2 * 4096 // 128),
    ("add", "gfx942", "global", "store", "transactions", 4096 // 64),
    ("add, any n", "gfx942", "global", "load", "transactions", 4 * 2 * 4096 // 128),
    ("add", "gfx1100", "global", "load", "transactions", 2 * 4096 // 128),
    ("add", "sm_80", "global", "load", "transactions", 2 * 8 * 17),
    ("add", "sm_90", "global", "store", "transactions", 8 * 17),
    ("add", "sm_120", "global", "store", "transactions", 8 * 17),
    ("add", "sm_90", "global", "load", "bytes_used", 2 * 4096),
    ("matmul", "sm_80", "shared", "store", "conflicts", 0),
    ("matmul", "sm_90", "shared", "store", "conflicts", 0),
    ("matmul", "sm_120", "shared", "store", "conflicts", 0),
    ("attention, not causal", "sm_80", "shared", "load", "conflicts", 0),
]
here = os.path.dirname(os.path.abspath(__file__))
nvdisasm = os.path.join(os.path.dirname(triton.__file__), "backends/nvidia/bin/nvdisasm")


def compiled(name, target):
    """The text of a kernel, and its metadata."""
    function, types, constants, warps, stages = KERNELS[name]
    signature = {each: "constexpr" if each in constants else types[each].removesuffix("*16") for each in function.arg_names}
    facts = {}
    for place, each in enumerate(function.arg_names):
        is_pointer = signature[each].startswith("*")
        if is_pointer or types.get(each, "").endswith("*16"):
            facts[place,] = [["tt.divisibility", 16]] + [["tt.pointer_range", 32]] * (is_pointer and target.backend == "hip")
    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=facts)
    kernel = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages})
    if "amdgcn" in kernel.asm:
        return kernel.asm["amdgcn"], kernel.metadata
    cubin = os.path.join(os.environ["TRITON_CACHE_DIR"], "kernel.cubin")
    with open(cubin, "wb") as file:
        file.write(kernel.asm["cubin"])
    return subprocess.run([nvdisasm, cubin], check=True, capture_output=True, text=True).stdout, kernel.metadata


def answer_of(name, machine):
    text, metadata = compiled(name, TARGETS[machine])
    block = metadata.num_warps * TARGETS[machine].warp_size
    done = subprocess.run([sys.argv[1], "binary", "--machine", machine, "--block", str(block), "--blocks", "any",
                           "--shared", str(metadata.shared), "--json"], input=text, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


wrong, found = [], []
for name in KERNELS:
    for machine in TARGETS:
        answer = answer_of(name, machine)
        if isinstance(answer, str):
            wrong.append(f"{name} on {machine}: {answer}")
            continue
        sites = answer["sites"]
        in_loops = sum("per_iteration" in site for site in sites)
        at_most = sum(site.get("at_most", False) for site in sites) - in_loops
        reasons = collections.Counter(each["why"] for each in answer["unknown"])
        wrong += [f"{name} on {machine}: unknown: {why}" for why in reasons if why not in NO_RULE]
        found.append(f"{name}; {machine}; {len(sites) - at_most - in_loops} {at_most} {in_loops}; " +
                     (", ".join(sorted(reasons)) or "none"))
        for hand in BY_HAND:
            if hand[:2] == (name, machine):
                got = sum(site.get(hand[4], 0) for site in sites if (site["space"], site["kind"]) == hand[2:4])
                if got != hand[5]:
                    wrong.append(f"{' '.join(map(str, hand))}: {got}")
if "--print" in sys.argv:
    print(*found, sep="\n")
else:
    committed = [line for line in open(f"{here}/answered.txt").read().splitlines() if not line.startswith("#")]
    wrong += [("found:     " if line in found else "committed: ") + line for line in sorted(set(found) ^ set(committed))]
print(*wrong, sep="\n", file=sys.stdout if "--print" not in sys.argv else sys.stderr)
sys.exit(1 if wrong else 0)
