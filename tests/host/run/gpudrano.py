#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The rows that an instrumented run on a GPU counted, beside a run on this host.

    gpudrano.py COALESCE WARPS RESULTS [PROGRAM...]

RESULTS is the folder of that name in github.com/upenn-acg/gpuDranoDynamicAnalysis (1bb34d3), with Rodinia's data in
RESULTS/../data. WARPS is the program of warps.cpp. Each row of the GPU names a line and a column of a kernel that was
ever uncoalesced, and the lines of 128 bytes that its warps touched: mean, least, most, how often. `Align` counts the
addresses as they are; `NoAlign` the distances from the lowest address of the warp. A row agrees if least and most are
equal, and the mean where the GPU's buffer was not full (it counted as often as this host).
"""
import glob
import os
import shlex
import subprocess
import sys

# folder, sources, macros, folders of headers, arguments, and the result files that a run of them made
PROGRAMS = {
    "backprop": ("backprop", "backprop.c facetrain.c imagenet.c backprop_cuda.cu", "", "", "65536", "*/backprop.results"),
    "bfs4096": ("bfs", "bfs.cu", "", "", "DATA/bfs/graph4096.txt", "*/bfs4096.results"),
    "bfs65536": ("bfs", "bfs.cu", "", "", "DATA/bfs/graph65536.txt", "*/bfs65536.results"),
    "gaussian16": ("gaussian", "gaussian.cu", "", "", "-f DATA/gaussian/matrix16.txt", "*/gaussian16.results"),
    "gaussian208": ("gaussian", "gaussian.cu", "", "", "-f DATA/gaussian/matrix208.txt", "*/gaussian208.results"),
    "gaussian1024": ("gaussian", "gaussian.cu", "", "", "-s 1024", "*/gaussian1024.results"),
    "b+tree": ("b+tree", "main.c kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu util/timer/timer.c "
               "util/num/num.c util/cuda/cuda.cu", "", "", "file DATA/b+tree/mil.txt command DATA/b+tree/command.txt",
               "*/b+tree.results"),
    "dwt2d": ("dwt2d", "main.cu components.cu dwt.cu dwt_cuda/common.cu dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu "
              "dwt_cuda/rdwt53.cu dwt_cuda/rdwt97.cu", "", "", "rgb.bmp -d 1024x1024 -f -5 -l 3", "*/dwt2d.results"),
    "euler3d": ("euler3d", "euler3d.cu", "block_length=192", "", "DATA/cfd/fvcorr.domn.097K", "*/euler*.results"),
    "pre_euler3d": ("pre_euler3d", "pre_euler3d.cu", "block_length=192", "", "DATA/cfd/fvcorr.domn.097K", "*/pre_euler*.results"),
    "heartwall": ("heartwall", "main.cu AVI/avilib.c AVI/avimod.c", "", "AVI", "DATA/heartwall/test.avi 20", "*/heartwall.results"),
    "hotspot": ("hotspot", "hotspot.cu", "", "", "512 2 2 DATA/hotspot/temp_512 DATA/hotspot/power_512 /tmp/output.out",
                "*/hotspot.results"),
    "hotspot3D": ("hotspot3D", "3D.cu", "", "", "512 8 100 DATA/hotspot3D/power_512x8 DATA/hotspot3D/temp_512x8 /tmp/output.out",
                  "*/3D.results"),
    "huffman": ("huffman", "main_test_cu.cu cpuencode.cpp pack_kernels.cu vlc_kernel_sm64huff.cu scan.cu stats_logger.cpp hist.cu", "",
                "", "DATA/huffman/test1024_H2.206587175259.in", "*/huffman.results"),
    "lavaMD": ("lavaMD", "main.c kernel/kernel_gpu_cuda_wrapper.cu util/num/num.c util/timer/timer.c util/device/device.cu", "",
               "", "-boxes1d 4", "*/lavaMD.results"),
    "lud": ("lud/cuda", "lud.cu lud_kernel.cu ../common/common.c", "", "../common", "-s 256", "../Align/lud.results ../NoAlign/lud.results"),
    "myocyte": ("myocyte", "main.cu", "", "", "100 1 0", "*/myocyte.results"),
    "nn": ("nn", "nn_cuda.cu", "", "", "filelist_4 -r 5 -lat 30 -lng 90", "*/nn.results"),
    "nw": ("nw", "needle.cu", "", "", "2048 10", "*/needle.results"),
    "particlefilter": ("particlefilter", "ex_particle_CUDA_naive_seq.cu", "", "", "-x 128 -y 128 -z 10 -np 1000",
                       "*/particleFilter.results"),
    "pathfinder": ("pathfinder", "pathfinder.cu", "", "", "100000 100 20", "*/pathfinder.results"),
    "srad_v1": ("srad_v1", "main.cu", "", "", "100 0.5 502 458", "*/srad.results"),
    "srad_v2": ("srad_v2", "srad.cu", "", "", "2048 2048 0 127 0 127 0.5 2", "*/srad.results"),
    "streamcluster": ("streamcluster", "streamcluster_cuda_cpu.cpp streamcluster_cuda.cu", "", "",
                      "10 20 256 65536 65536 1000 none /tmp/output.txt 1", "*/streamcluster.results"),
}


def counted_here(coalesce, warps, results, name, seconds):
    """(file, line, column) to (absolute, relative), each (issued, sum, least, most); or the reason."""
    folder, sources, macros, folders, arguments, _ = PROGRAMS[name]
    at = os.path.join(results, folder)
    keep = os.path.join("/tmp", "gpudrano", name)
    command = [coalesce, "run", "--machine", "cc75", "--keep", keep, "--blocks", "1", "--margin", "4096", "--multiprocessors", "13"]
    for flag, words in ("-D", macros), ("-I", folders):
        for word in words.split():
            command += [flag, word]
    command += sources.split() + ["--"]
    built = subprocess.run(command, cwd=at, capture_output=True, text=True, errors="replace")
    program = os.path.join(keep, "program")
    if not os.path.exists(program):
        return built.stderr.strip().splitlines()[-1]
    words = shlex.join(shlex.split(arguments.replace("DATA", os.path.abspath(os.path.join(results, "..", "data")))))
    shell = f"{shlex.quote(program)} {words} 3>&1 >/dev/null | {shlex.quote(warps)} {shlex.quote(program)}"
    environment = {**os.environ, "COALESCE_RUN_PIPE": "3", "COALESCE_RUN_MACHINE": "32 7 5 13 49152 cc75",
                   "COALESCE_RUN_BLOCKS": os.environ.get("GPUDRANO_BLOCKS", "18446744073709551615"), "COALESCE_RUN_MARGIN": "65536"}
    try:
        done = subprocess.run(["bash", "-c", shell], cwd=at, env=environment, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"takes more than {seconds} s"
    found = {}
    for line in done.stdout.splitlines():
        file, row, column, kind, *numbers = line.split("\t")
        numbers = [int(number) for number in numbers]
        found.setdefault((os.path.basename(file), int(row)), []).append((int(column), kind, numbers[:4], numbers[4:]))
    return found if found else (done.stderr.strip().splitlines() or ["no access"])[-1]


def rows_of(path):
    for line in open(path):
        cells = line.split("\t")
        if cells[0].isdigit():
            yield (int(cells[1]), int(cells[2]), cells[3], cells[4], float(cells[5]), int(cells[6]), int(cells[7]), int(cells[8]), int(cells[9]))


def main():
    coalesce, warps, results, *names = sys.argv[1:]
    total = agree = extremes = 0
    for name in names or PROGRAMS:
        folder, *_, patterns = PROGRAMS[name]
        files = [path for pattern in patterns.split() for path in sorted(glob.glob(os.path.join(results, folder, pattern)))]
        here = counted_here(os.path.abspath(coalesce), os.path.abspath(warps), os.path.abspath(results), name, 1200)
        if isinstance(here, str):
            print(f"{name}: {sum(len(list(rows_of(path))) for path in files)} rows not compared: {here}", flush=True)
            continue
        for path in files:
            is_relative = "No" in os.path.basename(os.path.dirname(path))
            same = 0
            rows = list(rows_of(path))
            for line, column, module, kernel, mean, lines, issued, least, most in rows:
                near = [each for (file, row), sites in here.items() if row == line for each in sites]
                exact = [each for each in near if each[0] == column] or near
                found = [each[3 if is_relative else 2] for each in exact]
                is_same = any((f[2], f[3]) == (least, most) for f in found)
                # The mean counts where both counted as often.
                is_equal = is_same and all(f[1] == lines for f in found if f[0] == issued and (f[2], f[3]) == (least, most))
                same += is_equal
                if not is_equal:
                    said = ", ".join(f"{f[2]}..{f[3]} mean {f[1] / f[0]:.3f} of {f[0]}" for f in found) or "no access"
                    print(f"  {os.path.basename(os.path.dirname(path))} {kernel}:{line}:{column}: GPU {least}..{most} mean {mean:.3f} of {issued}; here {said}")
            total, agree = total + len(rows), agree + same
            print(f"{name} {os.path.basename(os.path.dirname(path))}: {same} of {len(rows)} rows agree", flush=True)
    print(f"{agree} of {total} rows agree")


if __name__ == "__main__":
    main()
