#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Three kernels of Triton 3.9, compiled without a GPU, beside the numbers that are committed: numbers.txt says what they are.

check.py COALESCE [--print]      asks `coalesce binary` about each kernel on gfx942 and sm_90
"""
import json
import os
import subprocess
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def transpose(source, target, rows, columns, SIZE: tl.constexpr):
    r = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    c = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    tile = tl.load(source + r[:, None] * columns + c[None, :], mask=inside)
    tl.store(target + c[:, None] * rows + r[None, :], tl.trans(tile), mask=tl.trans(inside))


@triton.jit
def softmax(source, target, columns, SIZE: tl.constexpr):
    c = tl.arange(0, SIZE)
    at = tl.program_id(0) * columns + c
    x = tl.load(source + at, mask=c < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(target + at, e / tl.sum(e, axis=0), mask=c < columns)


@triton.jit
def matmul(a, b, product, n, depth, SIZE: tl.constexpr, STEP: tl.constexpr):
    r = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    c = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    k = tl.arange(0, STEP)
    left = a + r[:, None] * depth + k[None, :]
    right = b + k[:, None] * n + c[None, :]
    sum = tl.zeros((SIZE, SIZE), tl.float32)
    for _ in range(0, depth // STEP):
        sum = tl.dot(tl.load(left), tl.load(right), sum)
        left += STEP
        right += STEP * n
    tl.store(product + r[:, None] * n + c[None, :], sum.to(tl.float16))


# 128 by 96 words; 4 rows of 1,000 words; 128 by 64 times 64 by 128 halves.
KERNELS = [
    (transpose, dict(source="*fp32", target="*fp32", rows="i32", columns="i32"), dict(SIZE=64), "2,2",
     ["buffer:128*96*4", "buffer:128*96*4", "i32:128", "i32:96"]),
    (softmax, dict(source="*fp32", target="*fp32", columns="i32"), dict(SIZE=1024), "4",
     ["buffer:4000*4", "buffer:4000*4", "i32:1000"]),
    (matmul, dict(a="*fp16", b="*fp16", product="*fp16", n="i32", depth="i32"), dict(SIZE=64, STEP=32), "2,2",
     ["buffer:128*64*2", "buffer:64*128*2", "buffer:128*128*2", "i32:128", "i32:64"]),
]
MACHINES = [("gfx942", GPUTarget("hip", "gfx942", 64), "256"), ("sm_90", GPUTarget("cuda", 90, 32), "128")]
WARPS = 4
here = os.path.dirname(os.path.abspath(__file__))
nvdisasm = os.path.join(os.path.dirname(triton.__file__), "backends/nvidia/bin/nvdisasm")


def text_of(compiled):
    if "amdgcn" in compiled.asm:
        return compiled.asm["amdgcn"]
    cubin = os.path.join(os.environ["TRITON_CACHE_DIR"], "kernel.cubin")
    with open(cubin, "wb") as file:
        file.write(compiled.asm["cubin"])
    return subprocess.run([nvdisasm, cubin], check=True, capture_output=True, text=True).stdout


def row(kernel, signature, constants, grid, arguments, machine, target, block):
    whole = {**signature, **{name: "constexpr" for name in constants}}
    compiled = triton.compile(ASTSource(fn=kernel, signature=whole, constexprs=constants), target=target, options={"num_warps": WARPS})
    launch = [part for each in arguments + ["u64:0", "u64:0"] for part in ("--arg", each)]  # Triton's own two pointers come last
    done = subprocess.run([sys.argv[1], "binary", "--machine", machine, "--grid", grid, "--block", block, "--blocks", "all",
                           "--shared", str(compiled.metadata.shared), *launch, "--json"],
                          input=text_of(compiled), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{kernel.__name__} on {machine}: {done.stderr}")
    answer = json.loads(done.stdout)

    def sum_of(number, space, kind):
        return sum(site.get(number, 0) for site in answer["sites"] if (site["space"], site["kind"]) == (space, kind))

    numbers = [len(answer["sites"]), len(answer["unknown"])]
    numbers += [sum_of("bytes_used", "global", "load"), sum_of("bytes_used", "global", "store")]
    numbers += [sum_of("transactions", "global", "load"), sum_of("transactions", "global", "store")]
    numbers += [sum_of("conflicts", "shared", "load"), sum_of("conflicts", "shared", "store")]
    if "--why" in sys.argv:
        print(*answer["unknown"], sep="\n")
    return " ".join([kernel.__name__, machine, *map(str, numbers)])


found = [row(*kernel, *machine) for kernel in KERNELS for machine in MACHINES]
if "--print" in sys.argv:
    print(*found, sep="\n")
    sys.exit(0)
committed = [line for line in open(f"{here}/numbers.txt").read().splitlines() if not line.startswith("#")]
for line in sorted(set(found) ^ set(committed)):
    print("found:    " if line in found else "committed:", line)
sys.exit(0 if found == committed else 1)
