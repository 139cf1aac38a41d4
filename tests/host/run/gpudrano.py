#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The rows that an instrumented run on a GPU counted, beside a run on this host.

    gpudrano.py COALESCE WARPS RESULTS CSV [PROGRAM...]

RESULTS is the folder of that name in github.com/upenn-acg/gpuDranoDynamicAnalysis (1bb34d3), with Rodinia's data in
RESULTS/../data: those of github.com/JuliaParallel/rodinia, bfs's graphs of github.com/asubah/rodinia, nn's records of
github.com/Munksgaard/rodinia, and what make_data() writes. dwt2d reads its picture in /home/ec2-user/rodinia_3.1/data, so
that path is a link. WARPS is the program of warps.cpp, and CSV is written. The counts of a program stay in
/tmp/gpudrano/PROGRAM/counts, and are taken from there. A program that runs longer than GPUDRANO_SECONDS (600) is stopped,
and what it did until then is compared. hotspot3D and heartwall take fewer steps than the authors' runs, and streamcluster
points of 16 dimensions, not 256.

Each row of the GPU names a line and a column of a kernel that was ever uncoalesced, and the lines of 128 bytes that its
warps touched: mean, least, most, how often. Its buffer kept 4,096 records of a launch. Folders `Align...`
count the addresses as they are, `No...` the distances from the lowest address of the warp. Several instructions may
stand at a line and column, and the host's compiler may name another column: the row is compared with the one that is
nearest. It says
    whole     issued, lines, least and most are equal
    sample    the GPU kept fewer, and least and most are equal
    within    the GPU kept fewer, and its least and most lie within this host's
    differs   anything else
"""
import csv
import glob
import hashlib
import os
import random
import shlex
import struct
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
              "dwt_cuda/rdwt53.cu dwt_cuda/rdwt97.cu", "", "", "192.bmp -d 192x192 -f -5 -l 3", "*/dwt2d.results"),
    "euler3d": ("euler3d", "euler3d.cu", "block_length=192", "", "DATA/cfd/fvcorr.domn.097K", "*/euler*.results"),
    "pre_euler3d": ("pre_euler3d", "pre_euler3d.cu", "block_length=192", "", "DATA/cfd/fvcorr.domn.097K", "*/pre_euler*.results"),
    "heartwall": ("heartwall", "main.cu AVI/avilib.c AVI/avimod.c", "", "AVI", "DATA/heartwall/test.avi 2", "*/heartwall.results"),
    "hotspot": ("hotspot", "hotspot.cu", "", "", "512 2 2 DATA/hotspot/temp_512 DATA/hotspot/power_512 /tmp/output.out",
                "*/hotspot.results"),
    "hotspot3D": ("hotspot3D", "3D.cu", "", "", "512 8 2 DATA/hotspot3D/power_512x8 DATA/hotspot3D/temp_512x8 /tmp/output.out",
                  "*/3D.results"),
    "huffman": ("huffman", "main_test_cu.cu cpuencode.cpp stats_logger.cpp", "",
                "", "DATA/huffman/test1024_H2.206587175259.in", "*/huffman.results"),
    "lavaMD": ("lavaMD", "main.c kernel/kernel_gpu_cuda_wrapper.cu util/num/num.c util/timer/timer.c util/device/device.cu", "",
               "", "-boxes1d 4", "*/lavaMD.results"),
    "lud": ("lud/cuda", "lud.cu lud_kernel.cu ../common/common.c", "", "../common", "-s 256", "../Align/lud.results ../NoAlign/lud.results"),
    "myocyte": ("myocyte", "main.cu", "", "", "100 1 0", "*/myocyte.results"),
    "nn": ("nn", "nn_cuda.cu", "", "", "DATA/nn/filelist_4 -r 5 -lat 30 -lng 90", "*/nn.results"),
    "nw": ("nw", "needle.cu", "", "", "2048 10", "*/needle.results"),
    "particlefilter": ("particlefilter", "ex_particle_CUDA_naive_seq.cu", "", "", "-x 128 -y 128 -z 10 -np 1000",
                       "*/particleFilter.results"),
    "pathfinder": ("pathfinder", "pathfinder.cu", "", "", "100000 100 20", "*/pathfinder.results"),
    "srad_v1": ("srad_v1", "main.cu", "", "", "100 0.5 502 458", "*/srad.results"),
    "srad_v2": ("srad_v2", "srad.cu", "", "", "2048 2048 0 127 0 127 0.5 2", "*/srad.results"),
    "streamcluster": ("streamcluster", "streamcluster_cuda_cpu.cpp streamcluster_cuda.cu", "", "",
                      "10 20 16 65536 65536 1000 none /tmp/output.txt 1", "*/streamcluster.results"),
}
COLUMNS = ("program folder kernel file line column gpu_issued gpu_lines gpu_least gpu_most here_issued here_lines here_least "
           "here_most says").split()


def make_data(data):
    """The data that no repository keeps."""
    def write(name, what):
        path = os.path.join(data, name)
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "wb").write(what())

    def keys():
        text = b"1000000\n" + b"".join(b"%d\n" % key for key in range(1000000))
        # github.com/Munksgaard/rodinia has this sum of the original.
        assert hashlib.sha256(text).hexdigest() == "1b52b1caf9e0926afbe070cd96327e2645dade902fe9cfd078938ff6d755a29d"
        return text

    def film(wide=656, high=744, count=24):
        """Noise: one frame, again and again. The original has as many pixels."""
        def chunk(name, body):
            return name + struct.pack("<I", len(body)) + body
        frame = random.Random(1).randbytes(wide * high)
        head = chunk(b"avih", struct.pack("<14I", 40000, 0, 0, 16, count, 0, 1, len(frame), wide, high, 0, 0, 0, 0))
        stream = chunk(b"strh", b"vidsY8  " + struct.pack("<10I4H", 0, 0, 0, 40000, 1000000, 0, count, len(frame), 0, 0, 0, 0, wide, high))
        stream += chunk(b"strf", struct.pack("<IiiHHIIiiII", 40, wide, high, 1, 8, 0, len(frame), 0, 0, 0, 0))
        index = b"".join(b"00db" + struct.pack("<III", 16, 4 + k * (len(frame) + 8), len(frame)) for k in range(count))
        return chunk(b"RIFF", b"AVI " + chunk(b"LIST", b"hdrl" + head + chunk(b"LIST", b"strl" + stream)) +
                     chunk(b"LIST", b"movi" + chunk(b"00db", frame) * count) + chunk(b"idx1", index))

    write("b+tree/mil.txt", keys)
    write("heartwall/test.avi", film)
    write("nn/filelist_4", lambda: b"".join(b"../../data/nn/cane4_%d.db\n" % k for k in range(4)))
    for name in "power", "temp":  # no address depends on them
        write(f"hotspot3D/{name}_512x8", lambda: b"0.5\n" * (512 * 512 * 8))


def counted_here(coalesce, warps, results, name, seconds):
    """(line) to [file, column, absolute, relative], the last two (issued, lines, least, most); or the reason."""
    folder, sources, macros, folders, arguments, _ = PROGRAMS[name]
    at = os.path.join(results, folder)
    keep = os.path.join("/tmp", "gpudrano", name)
    counts = os.path.join(keep, "counts")
    if not os.path.exists(counts):
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
        shell = f"timeout {seconds} {shlex.quote(program)} {words} 3>&1 >/dev/null | {shlex.quote(warps)} {shlex.quote(program)}"
        environment = {**os.environ, "COALESCE_RUN_PIPE": "3", "COALESCE_RUN_MACHINE": "32 7 5 13 49152 cc75",
                       "COALESCE_RUN_BLOCKS": str(2**64 - 1), "COALESCE_RUN_MARGIN": "65536"}
        done = subprocess.run(["bash", "-c", "set -o pipefail; " + shell], cwd=at, env=environment, capture_output=True, text=True)
        if done.returncode not in (0, 124) or not done.stdout:
            return (done.stderr.strip().splitlines() or [f"status {done.returncode}, no word"])[-1]
        if done.returncode == 124:
            print(f"{name}: stopped after {seconds} s", flush=True)
        open(counts, "w").write(done.stdout)
    found = {}
    for line in open(counts):
        file, row, column, kind, *numbers = line.split("\t")
        numbers = tuple(int(number) for number in numbers)
        found.setdefault(int(row), []).append((os.path.basename(file), int(column), numbers[:4], numbers[4:]))
    return found


def printed_by_gpu(path):
    """(number, kernel, line, column) to how many lines each warp touched, of a .raw file."""
    found = {}
    for line in open(path, errors="replace") if os.path.exists(path) else ():
        cells = line.rstrip("\n").split("DA__\t")[-1].split("\t")
        if len(cells) == 7 and all(cell.isdigit() for cell in cells[4:]):
            found.setdefault((cells[2], cells[1], cells[4], cells[5]), []).append(int(cells[6]))
    return found


def rows_of(path):
    """The rows of a .results file. Two modules give their instructions the same numbers, and its sums take such two as one:
    so the sums are made from the .raw file, where there is one."""
    printed = printed_by_gpu(path.removesuffix(".results") + ".raw")
    for line in open(path):
        number, row, column, _, kernel, _, lines, issued, least, most = line.rstrip("\n").split("\t")
        if number.isdigit():
            seen = printed.get((number, kernel, row, column))
            yield int(row), int(column), kernel, (
                (len(seen), sum(seen), min(seen), max(seen)) if seen else (int(issued), int(lines), int(least), int(most)))


def compared(gpu, here):
    if gpu == here:
        return "whole"
    if gpu[0] < here[0] and gpu[2:] == here[2:]:
        return "sample"
    if gpu[0] < here[0] and here[2] <= gpu[2] and gpu[3] <= here[3]:
        return "within"
    return "differs"


def nearest(gpu, near):
    order = ("whole", "sample", "within", "differs")
    return min(near, key=lambda each: (order.index(compared(gpu, each[1])), abs(gpu[1] / gpu[0] - each[1][1] / each[1][0])))


def main():
    coalesce, warps, results, table, *names = sys.argv[1:]
    make_data(os.path.join(results, "..", "data"))
    rows = []
    for name in names or PROGRAMS:
        folder, *_, patterns = PROGRAMS[name]
        files = [path for pattern in patterns.split() for path in sorted(glob.glob(os.path.join(results, folder, pattern)))]
        if not any(True for path in files for _ in rows_of(path)):
            print(f"{name}: no row", flush=True)
            continue
        here = counted_here(os.path.abspath(coalesce), os.path.abspath(warps), os.path.abspath(results), name,
                            int(os.environ.get("GPUDRANO_SECONDS", "600")))
        if isinstance(here, str):
            print(f"{name}: {sum(len(list(rows_of(path))) for path in files)} rows not compared: {here}", flush=True)
            here = {}
        for path in files:
            of = os.path.basename(os.path.dirname(path))
            for line, column, kernel, gpu in rows_of(path):
                near = [(file, numbers[of.startswith("No")]) for file, at, *numbers in here.get(line, []) if at == column]
                near = near or [(file, numbers[of.startswith("No")]) for file, at, *numbers in here.get(line, [])]
                file, found = nearest(gpu, near) if near else ("", ("", "", "", ""))
                says = compared(gpu, found) if near else "not compared"
                rows.append((name, of, kernel, file, line, column, *gpu, *found, says))
            said = [row[-1] for row in rows if row[:2] == (name, of)]
            print(f"{name} {of}: {len(said)} rows: " + ", ".join(f"{said.count(word)} {word}" for word in sorted(set(said))), flush=True)
    said = [row[-1] for row in rows]
    print(f"{len(said)} rows: " + ", ".join(f"{said.count(word)} {word}" for word in sorted(set(said))))
    with open(table, "w", newline="") as to:
        csv.writer(to, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
