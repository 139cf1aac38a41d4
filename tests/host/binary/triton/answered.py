#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The kernels of kernels.py on five targets, as co.triton answers: for any block, with the arguments that the binary itself tells.

answered.py [--print]      beside answered.txt, whose head says what is in a line; --print prints its lines

Checked are also: no access is unknown, but for a reason of NO_RULE; each warp is read to its end; the figures of BY_HAND.
"""
import collections
import os
import sys

import gpu_coalesce as co
from kernels import KERNELS

TARGETS = ["sm_80", "sm_90", "sm_120", "gfx942", "gfx1100"]
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
    ("dropout", "sm_90", "global", "load", "transactions", 2 * 8 * 17),
    ("dropout, seeded", "sm_90", "global", "store", "transactions", 8 * 17),
    ("dropout, seeded", "gfx942", "global", "load", "transactions", 4096 // 128),
    ("attention, not causal", "sm_80", "shared", "load", "conflicts", 0),
]
here = os.path.dirname(os.path.abspath(__file__))


def answer_of(name, machine):
    function, types, constants, warps, stages = KERNELS[name]
    try:
        return co.triton(function, signature=types, constexprs=constants, machine=machine, num_warps=warps, num_stages=stages).json
    except co.Refused as why:
        return str(why)


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
