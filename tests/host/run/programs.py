#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Plain programs in `coalesce run`: their own checks, each access's line and numbers by hand, and what is refused.

    programs.py COALESCE COMPILER [COMPILER...]
"""
import functools
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

COMMAND, COMPILERS = os.path.abspath(sys.argv[1]), sys.argv[2:]
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
failed = 0


def check(holds, what):
    global failed
    if not holds:
        failed += 1
        print("FAILED", what)


def run(*words, compiler, machine="h100", at=FOLDER, environment=None):
    command = [COMMAND, "run", "--machine", machine, "--cxx", compiler, *words]
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout, done.stderr


@functools.cache
def recorded(program, words, *, compiler, machine="h100"):
    """A program of the folder, with its words, run once: it is asked for its numbers, and beside its binary."""
    return run("--json", program, "--", *words, compiler=compiler, machine=machine)


def sites_of(program, *words, **how):
    """By the line of the source and the kind: the sums of the sites there."""
    status, out, err = recorded(program, words, **how)
    check(status == 0, f"{program} {words} {how}: status {status} {err[-300:]}")
    kernels = json.loads(err) if status == 0 else []
    sums = {}
    for kernel in kernels if isinstance(kernels, list) else [kernels]:
        check(kernel["unknown"] == [], f"{program}: every access has a cost")
        for site in kernel["sites"]:
            line = int(site["source"].rsplit(":", 1)[1])
            to = sums.setdefault((line, site["kind"], site["array"]), {"issued": 0, "transactions": 0, "conflicts": 0})
            for name in to:
                to[name] += site.get(name, 0)
    return sums, out


def has(sums, line, kind, array, **numbers):
    found = sums.get((line, kind, array))
    check(found is not None, f"line {line}, {kind} of {array} is there, among {sorted(sums)}")
    for name, value in numbers.items() if found else ():
        check(found[name] == value, f"line {line}, {kind} of {array}: {name} is {found[name]}, by hand {value}")


def ask_programs(compiler):
    how = {"compiler": compiler}
    # 4 blocks of 8 warps; 1,000 floats are 125 sectors of 32 bytes.
    sums, out = sites_of("vector_add.cu", **how)
    check(out == "sum of the last: 1000.5\n", "the program's output is as it was")
    has(sums, 7, "load", "d_a", issued=32, transactions=125), has(sums, 7, "load", "d_b", issued=32, transactions=125)
    has(sums, 7, "store", "d_out", issued=32, transactions=125)
    # 4 blocks of 32 warps, each row 4 sectors. A column of a tile of 32 columns lies in one bank: 31 conflicts a warp.
    sums, _ = sites_of("transpose.cu", **how)
    has(sums, 17, "load", "from", issued=128, transactions=512), has(sums, 20, "store", "to", issued=128, transactions=512)
    has(sums, 17, "store", "tile", issued=128, conflicts=0), has(sums, 20, "load", "tile", issued=128, conflicts=128 * 31)
    sums, _ = sites_of("transpose.cu", "padded", **how)
    has(sums, 20, "load", "tile", issued=128, conflicts=0)
    if "clang" in compiler:  # the page quotes the table, with clang's columns
        example = os.path.join(FOLDER, "../../../../examples/run/transpose.cu")
        status, out, err = run(example, **how)
        with open(os.path.join(FOLDER, "../../../../include/coalesce/manual/your_program.md")) as page:
            check(status == 0 and "```text\n" + out + err.rstrip() + "\n```" in page.read(), f"the page has {out + err}")
    # 4 blocks of 4 warps; halves of 64 and 32 threads are 2 + 1 warps a block.
    sums, out = sites_of("reduction.cu", **how)
    check(out == "512\n", "the sum")
    has(sums, 9, "load", "d_in", issued=16, transactions=64), has(sums, 9, "store", "sums", issued=16, conflicts=0)
    has(sums, 12, "load", "sums", issued=2 * 12), has(sums, 12, "store", "sums", issued=12)
    has(sums, 16, "load", "sums", issued=4), has(sums, 18, "atomic", "total", issued=4, transactions=4)
    # halves.cu: lanes 16 to 31 end before lanes 0 to 15 exchange again, and store with them. 16 lanes store 64 bytes, all
    # lanes 128. parts.cu has its stores on lines 10 and 12.
    sums, out = sites_of("parts.cu", **how)
    check(out == "6 61\n", "sums of halves")
    has(sums, 3, "load", "d_in", issued=1, transactions=4)
    has(sums, 6, "store", "d_out", issued=1, transactions=2), has(sums, 11, "store", "d_out", issued=1, transactions=4)
    has(sums, 10, "store", "d_out", issued=1, transactions=4), has(sums, 12, "store", "d_out", issued=1, transactions=4)
    # 4 blocks of 8 warps, 4 rounds each; 32 bytes are a sector. Neighbours share a bin: 16 lanes each of 2 bins.
    sums, _ = sites_of("histogram.cu", **how)
    has(sums, 12, "load", "d_data", issued=128, transactions=128), has(sums, 12, "atomic", "local", issued=128)
    has(sums, 14, "atomic", "d_bins", issued=4, transactions=8)
    # Lane k has k % 4 neighbours: 24, 16 and 8 lanes in 3 rounds of the loop. Those with an odd one store: 8 + 8 lanes in
    # the first round (k % 4 is 1 or 3), 8 in the second (2), 8 in the third (3).
    sums, _ = sites_of("bfs.cu", **how)
    has(sums, 13, "load", "d_edges", issued=3), has(sums, 14, "load", "d_visited", issued=3), has(sums, 15, "store", "d_cost", issued=3)
    # 20 floats of 3 rows are 3 sectors each; two steps and one more launch.
    sums, _ = sites_of("pitched.cu", **how)
    has(sums, 6, "load", "rows", issued=6, transactions=18), has(sums, 10, "store", "rows", issued=3, transactions=9)
    # 2 warps store 4 sectors each, and all lanes of a warp load one word.
    sums, _ = sites_of("interpolate.cu", **how)
    has(sums, 9, "store", "d_out", issued=2, transactions=8), has(sums, 9, "load", "d_ends", issued=4, transactions=4)
    # 16 lanes in 128 bytes; 4 times 16 bytes of each lane, 64 bytes apart, twice; a page of one lane.
    sums, _ = sites_of("copies.cu", **how)
    for line in 12, 13:
        has(sums, line, "load", "d_in", issued=1, transactions=4), has(sums, line, "store", "d_out", issued=1, transactions=4)
    has(sums, 14, "store", "d_out", issued=1, transactions=4)
    for line in 18, 19:
        has(sums, line, "load", "d_from", issued=4, transactions=128), has(sums, line, "store", "d_to", issued=4, transactions=128)
    has(sums, 20, "load", "d_from", issued=1024, transactions=1024), has(sums, 20, "store", "d_to", issued=1024, transactions=1024)
    # 16 floats of each lane, 68 bytes apart: one float at a time, and each lane has a sector of its own. Two floats of each
    # lane, 8 bytes apart: the first ones are bytes 4 to 256, in 8 sectors; the second ones bytes 8 to 260, in 9.
    for array, kind in ("d_others", "load"), ("d_nodes", "store"):
        has(sums, 25, kind, array, issued=16, transactions=16 * 32)
    has(sums, 26, "load", "d_in", issued=2, transactions=17), has(sums, 26, "store", "d_out", issued=2, transactions=17)
    # Five letters and the zero, read by all lanes.
    has(sums, 32, "load", "d_text", issued=6, transactions=6), has(sums, 33, "store", "d_lengths", issued=1, transactions=4)
    if "clang" in compiler:  # g++ says that it does not tell them
        # Three bytes of each lane, one at a time: 96 bytes are 3 sectors. Three shorts of each lane: 192 bytes are 6.
        sums, out = sites_of("odd.cu", **how)
        check(out == "771\n", "a sum of three times 0x101")
        has(sums, 14, "load", "d_colors", issued=3, transactions=9), has(sums, 14, "store", "d_grays", issued=3, transactions=9)
        has(sums, 15, "load", "d_triples", issued=3, transactions=18), has(sums, 15, "store", "d_sums", issued=1, transactions=4)
    # 16 bytes of each lane are 512 bytes.
    sums, _ = sites_of("managed.cu", **how)
    has(sums, 12, "load", "position", issued=1, transactions=16), has(sums, 12, "load", "mass", issued=1, transactions=4)
    if "clang" in compiler and any(os.path.exists(f"{folder}/cuda_fp16.h") for folder in ("/usr/local/cuda/include", "/usr/local/include")):
        sums, _ = sites_of("halves.cu", **how)  # 2 warps of 32 halves: 64 bytes each
        has(sums, 7, "load", "d_in", issued=2, transactions=4), has(sums, 7, "store", "d_out", issued=2, transactions=4)
        # A pair of halves is one number of 32 bits, as in nvcc's code: 4 sectors of 32 lanes, a column of 32 rows.
        for line in 10, 18:
            has(sums, line, "load", "d_in", issued=1, transactions=4), has(sums, line, "store", "d_out", issued=1, transactions=4)
        has(sums, 13, "store", "tile", issued=1, conflicts=31), has(sums, 15, "load", "tile", issued=1, conflicts=31)
    # Lanes 32 bytes apart; 32 shorts. Constants in a function are variables of the device.
    sums, out = sites_of("statics.cu", **how)
    check(out == "4 7 7 b\n", f"tables, and variables of both: {out}")
    has(sums, 5, "load", "table", issued=1, transactions=32), has(sums, 9, "load", "table", issued=1, transactions=2)
    has(sums, 17, "store", "total", issued=1, transactions=1), has(sums, 17, "store", "totals", issued=1, transactions=4)
    sums, _ = sites_of("locals.cu", **how)
    has(sums, 12, "store", "out", issued=1, transactions=4)
    # Neighbouring lanes read one array each: 32 banks in each of 2 warps, then two words of each of 16 banks.
    sums, _ = sites_of("several_arrays.cu", **how)
    has(sums, 9, "load", "t", issued=2, conflicts=0), has(sums, 10, "load", "t", issued=2, conflicts=2)
    check(all((line, "load", "s") not in sums for line in (9, 10)), "an instruction stands once")
    # Each lane loads every other float: 256 bytes are 8 sectors.
    sums, _ = sites_of("constants.cu", **how)
    for line, array in (14, "fixed"), (15, "known"), (16, "never_written"):
        has(sums, line, "load", array, issued=1, transactions=8)
    check(all(array != "given" for _, _, array in sums), "a __constant__ array has no cost")
    status, _, err = run("constants.cu", "-DIN_A_CONSTANT_EXPRESSION", **how)
    check(status == 0 and "not checked: the loads from the constexpr array at constants.cu:5" in err, f"a constexpr array in a constant expression: {err}")
    # Pointers to virtual functions, and floats behind them, 16 bytes apart: 16 lanes of each class. All lanes store together.
    sums, _ = sites_of("virtual.cu", **how)
    for array in "d_squares", "d_discs":
        has(sums, 28, "load", array, issued=1, transactions=16)
        check(any(a == array and kind == "store" and each["issued"] > 1 for (_, kind, a), each in sums.items()), f"the pointers of {array} are stored")
    has(sums, 29, "store", "d_out", issued=1, transactions=4)
    # 242 blocks of one warp.
    sums, _ = sites_of("threads.cu", **how)
    has(sums, 9, "store", "tile", issued=242), has(sums, 11, "load", "tile", issued=242), has(sums, 11, "store", "d_out", issued=242)
    sums, _ = sites_of("launches.cu", **how)
    has(sums, 3, "store", "d", issued=1), has(sums, 3, "store", "e", issued=1), has(sums, 5, "store", "d", issued=4), has(sums, 5, "load", "e", issued=1)
    sums, _ = sites_of("names.hip", machine="gfx942", **how)
    has(sums, 6, "store", "d_out", issued=3)
    # gfx942: 2 launches of 2 blocks of 4 waves; 256 bytes of a wave are 2 lines of 128 loaded, 4 units of 64 stored.
    sums, _ = sites_of("saxpy.hip", machine="gfx942", **how)
    has(sums, 8, "load", "d_x", issued=16, transactions=32), has(sums, 8, "store", "d_y", issued=16, transactions=64)
    sums, _ = sites_of("wave_sum.hip", machine="gfx942", **how)
    has(sums, 6, "load", "d_in", issued=4), has(sums, 8, "store", "dynamic shared memory", issued=4), has(sums, 12, "load", "dynamic shared memory", issued=4)


# ---- Beside the binaries ----

# The programs as nvcc 13.0 -O3 -lineinfo compiled them for sm_90, disassembled by nvdisasm 13.5 -c -gi: programs/sass. A
# program with its words; its kernels, and how often `coalesce run` launched each; grid, block, bytes of shared memory;
# arguments.
N = range(32)
NODES = struct.pack("64i", *(word for k in N for word in (4 * k, k % 4)))
EDGES = struct.pack("128i", *((k + e) % 32 for k in N for e in range(4)))
VISITED = struct.pack("32i", *(k % 2 == 0 for k in N))
BINARIES = [
    ("vector_add.cu", [], {"_Z3addPfPKfS1_i": 1}, "4", "256", 0, [4000, 4000, 4000, "u32:1000"]),
    ("transpose.cu", [], {"_Z9transposeIfLi0EEvPT_PKS0_i": 1}, "2,2", "32,32", 0, [16384, 16384, "u32:64"]),
    ("transpose.cu", ["padded"], {"_Z9transposeIfLi1EEvPT_PKS0_i": 1}, "2,2", "32,32", 0, [16384, 16384, "u32:64"]),
    ("reduction.cu", [], {"_Z6reducePKfi": 1}, "4", "128", 512, [2048, "u32:512"]),
    ("histogram.cu", [], {"_Z9histogramPjPKhi": 1}, "4", "256", 0, [64, bytes(k % 256 for k in range(4096)), "u32:4096"]),
    ("bfs.cu", [], {"_Z5visitPK4nodePKiS3_Pii": 1}, "1", "32", 0, [NODES, EDGES, VISITED, 128, "u32:32"]),
    ("pitched.cu", [], {"_Z5twicePfmi": 2, "_Z7add_onePfmi": 1}, "3", "32", 0, [1536, "u64:512", "u32:20"]),
]


def by_line(kernels, launches):
    """By line, memory and kind: the sums, and whether one of them is a bound. Atomics are in NVIDIA's headers, so they have no line."""
    sums = {}
    for site, times in ((site, times) for kernel, times in zip(kernels, launches) for site in kernel["sites"]):
        line = 0 if site["kind"] == "atomic" else int(site["source"].rsplit(":", 1)[1])
        to = sums.setdefault((line, site["space"], site["kind"]), {"issued": 0, "transactions": 0, "conflicts": 0, "at_most": False})
        to["at_most"] |= site.get("at_most", False)
        for name in ("issued", "transactions", "conflicts"):
            to[name] += site.get(name, 0) * times
    return sums


def differing(program, arguments, kernels, grid, block, shared, of_kernels, compiler):
    """The lines at which the program on this host and its binary differ, and how many agree. A bound may be larger."""
    status, _, err = recorded(program, tuple(arguments), compiler=compiler)
    on_host = json.loads(err) if status == 0 else []
    on_host = on_host if isinstance(on_host, list) else [on_host]
    on_host = by_line(on_host, [1] * len(on_host))
    with tempfile.TemporaryDirectory() as folder:
        words = []
        for k, each in enumerate(of_kernels):
            if isinstance(each, bytes):
                with open(os.path.join(folder, str(k)), "wb") as file:
                    file.write(each)
                each = f"buffer:{len(each)}={file.name}"
            words += ["--arg", f"buffer:{each}" if isinstance(each, int) else each]
        text = os.path.join(FOLDER, "sass", program.replace(".cu", ".sass"))
        asked = ["--machine", "sm_90", "--grid", grid, "--block", block, "--shared", str(shared), "--blocks", "all"]
        answers = []
        for kernel in kernels:
            done = subprocess.run([COMMAND, "binary", "--json", "--kernel", kernel, *asked, *words, text], capture_output=True, text=True, timeout=60)
            check(done.returncode == 0, f"{kernel}: {done.stderr[-300:]}")
            answers.append(json.loads(done.stdout))
    of_binary = by_line(answers, kernels.values())
    other = [key for key in of_binary.keys() ^ on_host.keys()]
    for key, numbers in of_binary.items():
        is_bound = numbers.pop("at_most")
        for name, value in numbers.items():
            here = on_host.get(key, {}).get(name)
            if here is not None and (here > value if is_bound else here != value):
                other.append((key, name, here, value))
    return other, len(of_binary)


def ask_binaries(compiler):
    agree = 0
    for row in BINARIES:
        other, lines = differing(*row, compiler)
        check(other == [], f"{row[0]}, {row[2]}: this host and the binary differ at {other}")
        agree += lines
    check(agree == 29, f"{agree} lines agree")
    # The control: another block.
    other, _ = differing("vector_add.cu", [], {"_Z3addPfPKfS1_i": 1}, "4", "128", 0, [4000, 4000, 4000, "u32:1000"], compiler)
    check(len(other) == 2 * 2, f"512 threads instead of 1,024 are noticed: {other}")


BODY = "int *d, h[4] = {}; cudaMalloc(&d, 16); %s return cudaDeviceSynchronize();"
MAIN = "int main() { " + BODY + " }\n"
KERNEL = "__global__ void k(int* p, int n) { p[n] = n; }\n"
VARIABLE = "__device__ int four[4];\n"
# What does not compile: the source, and words of its one sentence.
REFUSED = [
    (KERNEL + MAIN % "k<<<1, 1>>(d, 0);", "a.cu:2: a launch has no >>> after its <<<"),
    ("#include <cub/cub.cuh>\n" + MAIN % "", "coalesce: a.cu:1: the program asks for CUB, which this host does not have; ask for the compiled kernel: 'coalesce binary'"),
    (KERNEL + "#include <thrust/sort.h>\n#include <curand.h>\n#include <thrust/scan.h>\n" + MAIN % "", "a.cu:2: the program asks for Thrust, cuRAND, which"),
    ("__global__ void k(cudaTextureObject_t t, float* p) { p[0] = tex2D<float>(t, 0, 0); }\n" + MAIN % "", "a.cu:1: the program asks for textures, which"),
    ("__global__ void k(int* p) { asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(p[0])); }\n" + MAIN % "k<<<1, 1>>>(d);", "a.cu:1: the program asks for inline PTX, which"),
    ("struct pair { int a, b; };\n__global__ void k(int* p, pair q) { p[0] = q.a; }\n" + MAIN % "k<<<1, 1>>>(d, {1, 2});", "an argument of a launch in braces without its type"),
    ("__global__ void k(int* p) { p[0] = unknown_word(1); }\n" + MAIN % "", "unknown_word"),
]
# What is refused where it runs: statements of main(), and words of their one sentence. All are one program, which is compiled
# once: kernels stand on its line 1, main() on its line 2.
KERNELS = ("__global__ void waits(volatile int* p) { while (p[0] == 0) {} } __global__ void meets() { while (true) __syncthreads(); } "
           "__global__ void traps(int* p) { __trap(); } __global__ void leaves(int* p) { p[0] = 1; std::_Exit(0); } ")
REFUSED_RUNNING = [
    (BODY % "cudaFree(d); k<<<1, 1>>>(d, 0);", "a.cu:1, block (0,0,0), thread (0,0,0): an access of 4 bytes lies outside every array that the launch names, shared memory and the thread's stack; it is in d, which is free since a.cu:2"),
    (BODY % "cudaFree(d); cudaFree(d);", "a.cu:2: d is free already, since a.cu:2"),
    (BODY % "cudaFree(h);", "a.cu:2: this memory was never allocated here"),
    (BODY % "cudaMemcpy(d, h, 20, cudaMemcpyHostToDevice);", "a.cu:2: cudaMemcpy: 20 bytes from byte 0 of d, which has 16"),
    (BODY % "cudaMemcpy(h, d + 3, 8, cudaMemcpyDeviceToHost);", "a.cu:2: cudaMemcpy: 8 bytes from byte 12 of d, which has 16"),
    (BODY % "cudaMemset(h, 0, 4);", "a.cu:2: cudaMemset: this is not memory of the device"),
    (BODY % "k<<<1, 1>>>(d, 4);", "it begins at byte 16 of d, which has 16"),
    (BODY % "k<<<1, 1>>>(NULL, 4);", "a.cu:1, block (0,0,0), thread (0,0,0): an access of 4 bytes lies outside every array"),
    (BODY % "k<<<1, 1>>>(h, 0);", "lies outside every array"),
    (BODY % "cudaMemset(d, 0, 16); waits<<<1, 2>>>(d);", "does it wait for another block?"),
    (BODY % "meets<<<1, 2>>>();", "does the loop around it end?"),
    (BODY % "traps<<<1, 2>>>(d);", "a.cu:1: the kernel calls __trap()"),
    (BODY % "void* p; cudaGetSymbolAddress(&p, four); cudaMemcpy(p, h, 20, cudaMemcpyHostToDevice);", "a.cu:2: cudaMemcpy: 20 bytes from byte 0 of four, which has 16"),
    (BODY % "cudaMemcpyToSymbol(four, d + 1, 16, 0, cudaMemcpyDeviceToDevice);", "a.cu:2: cudaMemcpyToSymbol: 16 bytes from byte 4 of d, which has 16"),
    (BODY % "cudaMemcpyFromSymbol(d + 1, four, 16, 0, cudaMemcpyDefault);", "a.cu:2: cudaMemcpyFromSymbol: 16 bytes from byte 4 of d, which has 16"),
    (BODY % "leaves<<<1, 1>>>(d);", "the program ended inside a launch of leaves, so"),
    (BODY % "for (int f = 3; f < 256; ++f) close(f); k<<<1, 1>>>(d, 0);", "the program's messages do not reach `coalesce run`"),
    (BODY % "if (fork() == 0) k<<<1, 1>>>(d, 0); wait(nullptr);", "a process that the program made by fork() launches a kernel"),
    ("int const child = fork(); " + (BODY % "k<<<1, 1>>>(d, 0);").replace("return", "wait(nullptr); return"), "a process that the program made by fork() launches a kernel"),
]


def refused_running():
    cases = " ".join(f"case {k}: {{ {statements} }}" for k, (statements, _) in enumerate(REFUSED_RUNNING))
    return ("#include <sys/wait.h>\n#include <unistd.h>\n#include <cstdlib>\n#line 1\n" + VARIABLE.strip() + " " + KERNELS + KERNEL
            + f"int main(int, char** words) {{ switch (atoi(words[1])) {{ {cases} default: return 0; }} }}\n")


def ask_refusals(compiler):
    with tempfile.TemporaryDirectory() as folder:
        def write(source):
            with open(os.path.join(folder, "a.cu"), "w") as file:
                file.write(source)

        def is_refused(what, words, *program):
            status, _, err = run(*program, compiler=compiler, at=folder)
            said = [line for line in err.splitlines() if line.startswith("coalesce: ")]
            check(status == 2 and len(said) == 1 and words in said[0], f"{what!r} says {words!r}: {status} {err[-400:]}")

        for source, words in REFUSED:
            write(source)
            is_refused(source, words, "a.cu")
        write(refused_running())
        status, _, err = run("--keep", "kept", "a.cu", "--", str(len(REFUSED_RUNNING)), compiler=compiler, at=folder)
        check(status == 0, f"the program that does nothing is not refused: {status} {err[-400:]}")
        for k, (statements, words) in enumerate(REFUSED_RUNNING):
            is_refused(statements, words, "kept/object_0.o", "--", str(k))

        def ask(source, *words, expected, said="", **how):
            write(source)
            status, _, err = run("a.cu", *words, compiler=compiler, at=folder, **how)
            check(status == expected and said in err, f"{source!r} {words}: status {status}, expected {expected} and {said!r}: {err[-300:]}")

        # The status is the program's. A gate that fails makes a 0 a 1, and leaves another one.
        good = KERNEL + MAIN % "k<<<2, 1>>>(d, 1);"
        ask(good, "--expect", "transactions=2", expected=0)
        ask(good, "--expect", "transactions=3", expected=1, said="coalesce: expected transactions=3, and transactions is 2")
        ask(good.replace("cudaDeviceSynchronize()", "7"), "--expect", "transactions=3", expected=7)
        ask(good.replace("return", "__builtin_trap(); return"), expected=128 + 4, said="k, 1 launch, 2 blocks")
        ask(good, "--blocks", "1", expected=0, said="2 blocks, of which 1 are counted")
        # A launch that CUDA refuses is an error of the program's. What it would do is unknown.
        for how in "1, 2000", "dim3(1, 65536), 1", "dim3(1, 1, 65536), 1", "1, dim3(1, 1, 65)", "1u << 31, 1", "0, 1", "1, 1, 232449":
            fails = KERNEL + MAIN % f"k<<<{how}>>>(d, 1); if (cudaGetLastError() != cudaErrorInvalidConfiguration) return 1; k<<<1, 1>>>(d, 0);"
            ask(fails, expected=0, said="not checked: 1 launch failed (invalid configuration): k at a.cu:2")
        ask(fails, "--expect", "transactions=1", expected=1, said="coalesce: expected unknown=0, and unknown is 1")
        ask(fails, "--expect", "transactions=1", "--expect", "unknown<=1", expected=0)
        # The JSON has a launch that failed as unknown, and says where a program was stopped: no gate of a sum passes over either.
        merge = lambda *words: subprocess.run([COMMAND, "merge", os.path.join(folder, "a.json"), *words], capture_output=True, text=True, timeout=60)
        ask(fails, "--json", "--report", "a.json", expected=0)
        check("unknown is 1" in merge("--expect", "transactions=1").stderr and merge("--expect", "transactions=1", "--expect", "unknown=1").returncode == 0,
              "a sum knows of launches that failed")
        ask(fails.replace("; k<<<1, 1>>>(d, 0)", ""), "--json", "--report", "a.json", expected=0)
        check("unknown is 1" in merge("--expect", "unknown=0").stderr, "where all of them failed, too")
        ask(good.replace("k<<<2, 1>>>(d, 1)", "k<<<2, 1>>>(d, 1); k<<<1, 1>>>(d, 4)"), "--json", "--report", "a.json", expected=2)
        check("the numbers of the program are missing: a.cu:1" in merge().stderr, "a sum knows of a program that was stopped")
        ask("int main() {}", "--json", "--report", "a.json", expected=0)
        check("has no recording" in merge().stderr, "nothing has no sum")
        ask(good, "--report", "/dev/full", expected=2, said="coalesce: /dev/full cannot be written")
        # 227 and 228 KiB of an H100; 48 and 64 KiB of CC 6.0, whose blocks cannot ask for more.
        sizes = "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); if (p.sharedMemPerBlockOptin != %u || p.sharedMemPerMultiprocessor != %u) return 9; k<<<1, 1, %u>>>(d, 1);"
        ask(KERNEL + MAIN % (sizes % (232448, 233472, 232448)), "--expect", "transactions=1", expected=0)
        status, _, err = run("a.cu", compiler=compiler, at=folder, machine="cc60")
        check(status == 9, f"CC 6.0 has other sizes: {status} {err[-300:]}")
        # What is asked for and not compiled is not missed.
        ask("#if 0\n#include <cub/cub.cuh>\n#endif\ntemplate <class T> __device__ void f(T t) { asm(\"exit.a;\"); }\n" + good, expected=0)
        # A toolkit's folder does not hide this library's headers.
        os.mkdir(os.path.join(folder, "toolkit"))
        with open(os.path.join(folder, "toolkit", "cuda_runtime.h"), "w") as file:
            file.write("#error NVIDIA's\n")
        ask("#include <cuda_runtime.h>\n" + good, "-I", "toolkit", expected=0)
        # A header of the user's own that begins like one that is missing.
        with open(os.path.join(folder, "curand_of_mine.h"), "w") as file:
            file.write("inline int three() { return 3; }\n")
        ask("#include \"curand_of_mine.h\"\n" + good.replace("cudaDeviceSynchronize()", "three()"), expected=3)
        # An atomic load.
        ask("__global__ void k(int* p, int n) { p[n] = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED) + 2; }\n"
            + MAIN % "k<<<1, 1>>>(d, 1); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); if (h[1] != h[0] + 2) return 1;", expected=0)
        # Numbers in a file.
        ask(good, "--numbers", "numbers", expected=0, environment={"COALESCE_COMMIT": "1"})
        ask(good, "--numbers", "numbers", expected=0)
        ask(good.replace("<<<2", "<<<3"), "--numbers", "numbers", expected=1, said="- a.cu:1: d, global store 32: issued 2,")
        # An access past an end, where the user says that it is meant.
        ask(KERNEL + MAIN % "k<<<1, 1>>>(d, 4);", "--margin", "64", expected=0)


for each in COMPILERS:
    if shutil.which(each) is None:
        print(f"{each} is not here")
        continue
    ask_programs(each)
    if each == COMPILERS[0]:
        ask_refusals(each)
        ask_binaries(each)
# The control: a wrong figure is found.
before = failed
has({(1, "load", "a"): {"issued": 1}}, 1, "load", "a", issued=2)
if failed != before + 1:
    sys.exit("the control was not found")
sys.exit(failed != before + 1 or before != 0)
