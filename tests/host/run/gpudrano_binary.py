#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The rows that an instrumented run on a GPU counted, beside the bounds that the binaries tell.

    gpudrano_binary.py COALESCE NVCC NVDISASM RESULTS CSV [PROGRAM...]

RESULTS is the folder of gpudrano.py. Each kernel is compiled for sm_80, and `coalesce binary --blocks any` answers
without arguments. So its numbers are upper bounds, for every launch. A line here is a line and column of a kernel for
which the GPU printed how many lines of 128 bytes a warp touched, with addresses as they are (the .raw files; else the
.results, which have those that were ever more than one). With the GPU's largest number the binary's answer says
    may       its bound allows so many
    denies    its bound is lower: an error
    one       a warp touches one line at most, and the GPU saw no more
    loose     its bound allows more than one, and the GPU saw one
    no site   no access to global memory has this line: the compiler needs none, or names another one
    unknown   an access has no bound
"""
import csv
import glob
import json
import os
import re
import subprocess
import sys

from gpudrano import PROGRAMS, printed_by_gpu, rows_of

# what is compiled, and the threads of a block by the kernel's mangled name
KERNELS = {
    "backprop": ("backprop_cuda.cu", {"": "16,16"}),
    "bfs4096": ("bfs.cu", {"": "512"}),
    "bfs65536": ("bfs.cu", {"": "512"}),
    "gaussian16": ("gaussian.cu", {"Fan1": "512", "Fan2": "4,4"}),
    "gaussian208": ("gaussian.cu", {"Fan1": "512", "Fan2": "4,4"}),
    "gaussian1024": ("gaussian.cu", {"Fan1": "512", "Fan2": "4,4"}),
    "b+tree": ("kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu", {"": "256"}),
    "dwt2d": ("dwt_cuda/fdwt53.cu components.cu", {"ILi64E": "64", "ILi128E": "128", "ILi192E": "192", "c_Copy": "256"}),
    "heartwall": ("main.cu", {"": "256"}),
    "hotspot": ("hotspot.cu", {"": "16,16"}),
    "hotspot3D": ("3D.cu", {"": "64,4"}),
    "huffman": ("main_test_cu.cu", {"pack2": "16", "histo": "256", "vlc_encode": "256"}),
    "lavaMD": ("kernel/kernel_gpu_cuda_wrapper.cu", {"": "128"}),
    "lud": ("lud_kernel.cu", {"internal": "16,16", "diagonal": "16", "perimeter": "32"}),
    "nn": ("nn_cuda.cu", {"": "256"}),
    "nw": ("needle.cu", {"": "16"}),
    "particlefilter": ("ex_particle_CUDA_naive_seq.cu", {"": "128"}),
    "pathfinder": ("pathfinder.cu", {"": "256"}),
    "srad_v1": ("main.cu", {"": "512"}),
    "srad_v2": ("srad.cu", {"": "16,16"}),
    "streamcluster": ("streamcluster_cuda.cu", {"": "512"}),
}


def sites_of(coalesce, nvcc, nvdisasm, at, name):
    """(line) to [kernel, issued, lines]; what was refused."""
    sources, blocks = KERNELS[name]
    folders = [f"-I{os.path.join(at, each)}" for each in PROGRAMS[name][3].split()]
    renamed = ["-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset",
               "-DclockRate=major", "-DdeviceOverlap=major"]  # CUDA 13 lacks them
    cubin = os.path.join("/tmp", "gpudrano", name + ".cubin")
    os.makedirs(os.path.dirname(cubin), exist_ok=True)
    sites, refused = {}, []
    for source in sources.split():
        made = subprocess.run([nvcc, "-lineinfo", "-cubin", "-arch=sm_80", "-w", *renamed, *folders, source, "-o", cubin], cwd=at,
                              capture_output=True, text=True)
        if made.returncode != 0:
            refused.append(f"{name}: nvcc: {(made.stderr.strip().splitlines() or ['no word'])[0]}")
            continue
        text = subprocess.run([nvdisasm, "-gi", cubin], capture_output=True, text=True, check=True).stdout
        for kernel in re.findall(r"^\.text\.(\S+):", text, re.MULTILINE):
            block = next((threads for word, threads in blocks.items() if word in kernel), None)
            if block is None:
                continue
            command = [coalesce, "binary", "--machine", "sm_80", "--kernel", kernel, "--block", block, "--blocks", "any", "--shared", "32768", "--json"]
            done = subprocess.run(command, input=text, capture_output=True, text=True)
            if done.returncode != 0:
                refused.append(f"{kernel}: {(done.stderr.strip().splitlines() or ['no word'])[0]}")
                continue
            for site in json.loads(done.stdout)["sites"]:
                if site["space"] == "global":
                    line = int(site.get("source", ":0").rsplit(":", 1)[1])
                    sites.setdefault(line, []).append((kernel, site.get("issued"), site.get("lines")))
    return sites, refused


def seen_by_gpu(results, name):
    """(line, column, kernel) to the most lines that a warp touched."""
    folder, *_, patterns = PROGRAMS[name]
    most = {}
    for pattern in patterns.split():
        for path in glob.glob(os.path.join(results, folder, pattern)):
            if not os.path.basename(os.path.dirname(path)).startswith("Align"):
                continue
            for line, column, kernel, gpu in rows_of(path):
                most[line, column, kernel] = max(gpu[3], most.get((line, column, kernel), 0))
            for (_, kernel, line, column), seen in printed_by_gpu(path.removesuffix(".results") + ".raw").items():
                key = int(line), int(column), kernel
                most[key] = max(*seen, most.get(key, 0))
    return most


def says(near, most):
    if not near:
        return "no site", ""
    if any(lines is None for *_, lines in near):
        return "unknown", ""
    # Each other warp of the block touches one line at least.
    bound = max(lines - (issued - 1) for *_, issued, lines in near)
    if bound < most:
        return "denies", bound
    return ("may" if most > 1 else "one" if bound == 1 else "loose"), bound


def main():
    coalesce, nvcc, nvdisasm, results, table, *names = sys.argv[1:]
    rows = []
    for name in names or KERNELS:
        at = os.path.join(os.path.abspath(results), PROGRAMS[name][0])
        sites, refused = sites_of(os.path.abspath(coalesce), nvcc, nvdisasm, at, name)
        for sentence in refused:
            print("  refused", sentence)
        for (line, column, kernel), most in sorted(seen_by_gpu(results, name).items()):
            # Lines of two files may have one number. A function that is inlined has the name of no kernel.
            here, mangled = sites.get(line, []), f"{len(kernel)}{kernel}"
            is_kernel = any(mangled in site[0] for each in sites.values() for site in each)
            word, bound = says([site for site in here if mangled in site[0] or not is_kernel], most)
            rows.append((name, kernel, line, column, most, bound, word))
        said = [row[-1] for row in rows if row[0] == name]
        print(f"{name}: " + ", ".join(f"{said.count(word)} {word}" for word in sorted(set(said))), flush=True)
    said = [row[-1] for row in rows]
    print(f"{len(rows)} lines: " + ", ".join(f"{said.count(word)} {word}" for word in sorted(set(said))))
    with open(table, "w", newline="") as to:
        csv.writer(to, lineterminator="\n").writerows(["program kernel line column gpu_most binary_most says".split(), *rows])


if __name__ == "__main__":
    main()
