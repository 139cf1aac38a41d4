#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Gives `coalesce binary` the files that compilers write, whole and damaged, and holds its answers to figures by hand.

objects.py COALESCE amd|nvidia|triton
"""
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources
from checks import Checks

here = os.path.dirname(os.path.abspath(__file__))
checks, VENDOR = Checks(sys.argv[1]), sys.argv[2]
COMMAND, check = checks.command, checks.check
run, refused = functools.partial(checks.run, "binary"), functools.partial(checks.refused, "binary")
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def answers(*arguments, **options):
    """The answers in JSON, by the name of the kernel."""
    status, out, err = run(*arguments, "--json", **options)
    check(status in (0, 2) and err == "", f"{arguments} is answered: {status} {err}")
    found = json.loads(out or "[]")
    return {each["kernel"]: each for each in (found if isinstance(found, list) else [found])}


def written(name, contents):
    with open(name, "wb") as file:
        file.write(contents)
    return name


def bytes_of(name):
    with open(name, "rb") as file:
        return file.read()


def has_column(answer, of_source, conflicts, block):
    """A thread stores a word of a tile and loads one of its column: the sites, and the lines of the source."""
    loads = [site for site in answer["sites"] if (site["space"] in ("shared", "lds"), site["kind"]) == (True, "load")]
    check(len(answer["sites"]) == 4 and len(loads) == 1 and loads[0]["conflicts"] == conflicts, f"a column: {answer}")
    check(answer["assumed"] == [f"blocks of {block} threads, the most that the kernel's launch bounds allow"], "its launch bounds")
    lines = [site["source"] for site in answer["sites"]]
    check(all(each and re.search(":[46]$", each) for each in lines) if of_source else lines == [None] * 4, f"lines of the source: {lines}")


def damaged(name, seeds, has_checksum=False):
    """A damaged file has an answer, or is refused with one sentence. A crash of the command is neither."""
    whole, seen = bytes_of(name), {True: 0, False: 0}
    for seed in range(seeds):
        dice, part = random.Random(seed), bytearray(whole)
        if seed % 4 == 0:
            del part[dice.randrange(len(part)):]
        elif seed % 4 == 1:
            part[:64] = bytes(byte if dice.random() < 0.9 else dice.randrange(256) for byte in part[:64])
        else:
            for _ in range(dice.choice((1, 8, 64, 512))):
                part[dice.randrange(len(part))] = dice.randrange(256)
        status, out, err = run("--block", "64", written("damaged", part))
        check(status in (0, 2) and (status == 2 or out != ""), f"{name}, damage {seed}: {status} {out} {err}")
        check(err.count("\n") <= 1 and (out != "" or err.startswith("coalesce: ")), f"{name}, damage {seed}: one sentence: {err}")
        seen[out != ""] += 1
    # The controls: some damages are of bytes that nobody reads, and others are refused.
    check((seen[True] != 0 or has_checksum) and seen[False] != 0, f"{name}: answered and refused: {seen}")


def odd_names(name):
    """A name with a dash in front, with blanks, with newlines, and standard input."""
    whole = run(name)
    check(whole[0] in (0, 2) and whole[1] != "", f"{name}: {whole}")
    for odd in "-k", "a b;$(false) 'c'", "two\nlines", "--grid":
        shutil.copyfile(name, "./" + odd)
        check(run("./" + odd) == whole and run("--", odd) == whole, f"a file of the name {odd!r}")
    check(run(given=bytes_of(name)) == whole and run("-", given=bytes_of(name)) == whole, "standard input")


# The programs of the machine, without those that the answers need. /usr/local/cuda/bin and /opt/rocm may have them.
def lacking(*programs):
    for each in programs:
        if os.path.exists(f"/usr/local/cuda/bin/{each}") or os.path.exists(f"/opt/rocm/llvm/bin/{each}"):
            return None
    return {"PATH": work.name + "/nothing"}


def linked(folder, **programs):
    """The folder, with these programs under other names."""
    os.makedirs(folder)
    for name, to in programs.items():
        os.symlink(to, f"{folder}/{name.replace('_', '-')}")
    return f"{work.name}/{folder}"


for name, contents in ("empty", b""), ("noise", b"\x00\x01\x02"), ("elf", b"\x7fELF"), ("bundle", b"__CLANG_OFFLOAD_BUNDLE__" + b"\xff" * 80), \
        ("compressed", b"CCOB\x03\x00\x01\x00\xff"), ("fat", b"\x50\xed\x55\xba\x01"), ("archive", b"!<arch>\n"), ("words", b"hello\n"):
    written(name, contents)
refused("empty", words="empty has no kernel: it must be a GPU's binary, or the text of")
refused("words", words="words has no kernel")
refused("noise", words="noise is not a text: it has a byte 0")
refused("/nowhere", words="/nowhere cannot be read")
for name in "elf", "bundle", "compressed", "archive":
    refused(name, words=f"{name} is a binary, and has no code of a GPU")
refused(COMMAND, words="is a binary, and has no code of a GPU") if VENDOR == "amd" else None
os.mkdir("folder")
refused("folder", words="folder is a folder, and not a file, and has no kernel of Triton's (.cubin, .hsaco)")

if VENDOR == "amd":
    clang, bundler = shutil.which("clang++-22"), shutil.which("clang-offload-bundler-22")
    if not clang or not bundler or not shutil.which("llvm-objdump-22"):
        print("skipped: no clang++-22, clang-offload-bundler-22 or llvm-objdump-22")
        sys.exit(0)
    written("kernels.hip", b"""\
#define kernel extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void column(float* out, float const* in) {
  __attribute__((shared)) static float tile[32 * 32]; unsigned k = __builtin_amdgcn_workitem_id_x();
  tile[k] = in[k];
  __builtin_amdgcn_s_barrier();
  out[k] = tile[k % 32 * 32 + k / 32];
}
__attribute__((global)) void copy(float* out) { out[__builtin_amdgcn_workitem_id_x()] = 1; }
""")
    written("host.hip", b"""\
#define __host__ __attribute__((host))
struct dim3 { unsigned x, y, z; };
typedef struct ihipStream_t* hipStream_t;
enum hipError_t { hipSuccess };
extern "C" hipError_t hipLaunchKernel(void const*, dim3, dim3, void**, unsigned long, hipStream_t);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, unsigned long*, void*);
#include "kernels.hip"
""")

    def compiled(to, *options, source="kernels.hip", targets=("gfx942", "gfx1100")):
        subprocess.run([clang, "-x", "hip", "-nogpuinc", "-nogpulib", "-O3", *[f"--offload-arch={each}" for each in targets],
                        *options, "-c", source, "-o", to], check=True)
        return to

    device = "--cuda-device-only",
    alone = compiled("alone.co", *device, "--no-gpu-bundle-output", "-g", targets=("gfx942",))
    found = answers(alone)
    check(list(found) == ["column", "_Z4copyPf"] and found["column"]["machine"] == "cdna::gfx942", "a code object")
    # 4 waves load 64 lanes of a column: 32 rows of 32 floats, all in one bank of 32, each of two words: 64 rounds for 2.
    has_column(found["column"], True, 4 * (64 - 2), "256")
    check(found["_Z4copyPf"] == {"kernel": "_Z4copyPf", "refused": "the file does not state how many threads a block has: --block does"},
          "a kernel without launch bounds")
    check(answers(alone, "--block", "64")["_Z4copyPf"]["sites"][0]["transactions"] == 4, "a store of 64 words, in pieces of 64 bytes")
    check(list(answers(alone, "--kernel", "colu")) == ["column"], "a part of a name")
    refused(alone, "--kernel", "co", words="the text has 2 kernels with co in their names: name one of them: column and _Z4copyPf")
    check(run("--list", alone)[1] == "column: gfx942, blocks of at most 256\n_Z4copyPf (copy(float*)): gfx942, the file does not state how "
          "many threads a block has: --block does\n", "the list of kernels")
    odd_names(alone)
    # The lines of what the disassembler prints are not lines of the file. The control: those of a text are.
    bare = compiled("bare.co", *device, "--no-gpu-bundle-output", targets=("gfx942",))
    printed = [subprocess.run(words, capture_output=True, check=True).stdout for words in
               (["llvm-objdump-22", "-D", "-j", ".rodata", "-j", ".text", bare], ["llvm-readelf-22", "--notes", bare])]
    written("bare.s", b"".join(printed))
    for file, has_lines in (bare, False), ("bare.s", True):
        run("--machine", "gfx942", "--block", "256", "--sarif", "sarif", "--html", "html", file)
        places = [place["physicalLocation"] for result in json.loads(bytes_of("sarif"))["runs"][0]["results"] for place in result["locations"]]
        check(places and any("region" in place for place in places) == has_lines, f"{file} has lines: {places}")
        check((b"disassembly of bare.co" in bytes_of("html")) != has_lines, f"{file}: the page says what it shows")
    files = [compiled("several.bundle", *device), compiled("compressed.bundle", *device, "--offload-compress"),
             compiled("host.o", source="host.hip"), compiled("compressed.o", "--offload-compress", source="host.hip")]
    subprocess.run(["ar", "rc", "archive.a", "host.o"], check=True)
    for file in files + ["archive.a"]:
        refused(file, words=f"{file} has code of gfx1100 and gfx942: --machine chooses")
        refused(file, "--machine", "gfx90a", words=f"{file} has no code for this machine: it has some for gfx1100 and gfx942")
        has_column(answers(file, "--machine", "MI300X")["column"], False, 4 * (64 - 2), "256")
        # Waves of 32 lanes: 8 of them, each in 32 rounds.
        check(answers(file, "--machine", "gfx1100", "--kernel", "column")["column"]["sites"][2]["conflicts"] == 8 * 31, f"{file}: gfx1100")
        check(sorted(re.findall("^column: (gfx[0-9]*)", run("--list", file)[1], re.M)) == ["gfx1100", "gfx942"], f"{file}: both are listed")
    check(answers(compiled("gfx1201", *device, targets=("gfx1201",)), "--kernel", "column")["column"]["machine"] == "rdna::gfx1201", "gfx12")
    for file in alone, compiled("one.bundle", *device, targets=("gfx942",)), compiled("one.o", source="host.hip", targets=("gfx942",)):
        damaged(file, 24)
    damaged("compressed.bundle", 8, has_checksum=True)
    if lacks := lacking("llvm-objdump"):
        refused(alone, env=lacks, words="alone.co is of AMD, and there is no llvm-readelf on PATH or in /opt/rocm/llvm/bin: ROCm has it")
        # LLVM of any version, the newest first, or ROCm's. The control: the newest one fails.
        dump, elf = shutil.which("llvm-objdump-22"), shutil.which("llvm-readelf-22")
        versions = linked("versions", llvm_objdump_19=dump, llvm_readelf_15=elf, llvm_objdump_14=shutil.which("false"))
        check(answers(alone, env={"PATH": versions}) == found, "LLVM of other versions")
        linked("rocm/llvm/bin", llvm_objdump=dump, llvm_readelf=elf)
        check(answers(alone, env={**lacks, "ROCM_PATH": work.name + "/rocm"}) == found, "ROCm's LLVM")
        os.symlink(shutil.which("false"), "versions/llvm-objdump-20")
        refused(alone, env={"PATH": versions}, words="alone.co is not read by llvm-objdump-20: it ended with status 1")

if VENDOR == "nvidia":
    if not shutil.which("nvcc"):
        print("skipped: no nvcc")
        sys.exit(0)
    written("kernels.cu", b"""\
__global__ void __launch_bounds__(256) column(float* out, float const* in) {
  __shared__ float tile[32 * 32];
  unsigned k = threadIdx.x;
  tile[k] = in[k];
  __syncthreads();
  out[k] = tile[k % 32 * 32 + k / 32];
}
template <class T> __global__ void copy(T* out) { out[threadIdx.x] = 1; }
template __global__ void copy<int>(int*);
template __global__ void copy<double>(double*);
#ifdef FIXED  // sm_90 and later
__global__ void __block_size__((64, 2, 1)) fixed(float* out) { out[threadIdx.x] = 1; }
#endif
int main() { column<<<1, 256>>>(nullptr, nullptr); }
""")

    def compiled(to, *options, targets=("80", "90")):
        codes = [part for each in targets for part in ("-gencode", f"arch=compute_{each},code=sm_{each}")]
        subprocess.run(["nvcc", "-std=c++20", *codes, *options, "kernels.cu", "-o", to], check=True, stdout=subprocess.DEVNULL)
        return to

    cubin = compiled("kernels.cubin", "-cubin", "-lineinfo", "-DFIXED", targets=("90",))
    if lacks := lacking("nvdisasm"):
        refused(cubin, env=lacks, words="kernels.cubin is of CUDA, and there is no nvdisasm on PATH, in /usr/local/cuda/bin, or among Python's "
                "packages: NVIDIA's toolkit has it, and so has 'pip install nvidia-cuda-nvdisasm'")
    if "there is no nvdisasm" in run(cubin)[2] or "there is no cuobjdump" in run(compiled("probe.o", "-c"))[2]:
        checks.end("skipped: no nvdisasm and cuobjdump (python3 -m pip install nvidia-cuda-nvdisasm nvidia-cuda-cuobjdump)")
    found = answers(cubin)
    if lacks and shutil.which("nvdisasm"):
        # NVIDIA's programs in CUDA's folder, in Triton's wheel, and in a wheel of NVIDIA's.
        linked("cuda/bin", nvdisasm=shutil.which("nvdisasm"))
        check(answers(cubin, env={**lacks, "CUDA_HOME": work.name + "/cuda"}) == found, "CUDA's folder")
        python = linked("python", python3=sys.executable)
        for wheel in "triton/backends/nvidia/bin", "nvidia/cu13/bin":
            linked("wheel/" + wheel, nvdisasm=shutil.which("nvdisasm"))
            check(answers(cubin, env={"PATH": python, "PYTHONPATH": work.name + "/wheel"}) == found, f"among Python's packages, {wheel}")
            shutil.rmtree("wheel")
    column, fixed = found["_Z6columnPfPKf"], found["_Z5fixedPf"]
    check(len(found) == 4 and column["machine"] == "cuda::cc90" and "unchecked" not in column, "a cubin")
    # 8 warps load 32 lanes of a column, all in one bank: 32 rounds for 1.
    has_column(column, True, 8 * 31, "256")
    check([site["issued"] for site in fixed["sites"]] == [4] and "assumed" not in fixed, "the block that a kernel is compiled for")
    refused(cubin, "--kernel", "copy", "--block", "32", words="the text has 2 kernels of the name copy: name one of them: ")
    check(list(answers(cubin, "--kernel", "copy<int>", "--block", "32")) == ["_Z4copyIiEvPT_"], "a template by the source's name")
    check(list(answers(cubin, "--kernel", "olum")) == ["_Z6columnPfPKf"], "a part of a name")
    odd_names(cubin)
    files = [compiled("kernels.o", "-c"), compiled("program", "-cudart=static"), compiled("kernels.fatbin", "-fatbin"),
             compiled("library.so", "-shared", "-Xcompiler", "-fPIC", "-cudart=none"), compiled("kernels.a", "-lib")]
    for file in files:
        refused(file, words=f"{file} has code of sm_80 and sm_90: --machine chooses")
        refused(file, "--machine", "a10", words=f"{file} has no code for this machine: it has some for sm_80 and sm_90")
        has_column(answers(file, "--machine", "H100", "--kernel", "column")["_Z6columnPfPKf"], False, 8 * 31, "256")
        check(len(re.findall(r"^_Z6columnPfPKf \(column\(float\*, float const\*\)\): sm_[89]0, blocks of at most 256$", run("--list", file)[1], re.M)) == 2,
              f"{file}: both are listed")
    subprocess.run(["nvcc", "-arch=compute_90", "-fatbin", "kernels.cu", "-o", "ptx.fatbin"], check=True)
    refused("ptx.fatbin", words="ptx.fatbin is a binary, and has no code of a GPU that is compiled for one target")
    for file in cubin, compiled("one.fatbin", "-fatbin", targets=("90",)):
        damaged(file, 16)

if VENDOR == "triton":
    os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
    os.environ["TRITON_CACHE_DIR"] = cache = work.name + "/cache"
    sys.path.insert(0, f"{here}/../binary/triton")
    import triton
    from kernels import KERNELS
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    function, types, constants, warps, stages = KERNELS["add"]
    signature = {each: "constexpr" if each in constants else types[each].removesuffix("*16") for each in function.arg_names}
    for target in GPUTarget("cuda", 90, 32), GPUTarget("hip", "gfx942", 64):
        triton.compile(ASTSource(fn=function, signature=signature, constexprs=constants), target=target,
                       options={"num_warps": warps, "num_stages": stages})
    status, listed, err = run("--list", cache)
    check("\nadd: sm_90, blocks of 128\n" in "\n" + listed and "add: gfx942, blocks of 256\n" in listed, f"Triton's cache: {listed} {err}")
    refused(cache, words="--machine chooses")
    for machine in "h100", "mi300x":
        add = answers(cache, "--machine", machine, "--kernel", "add", "--blocks", "any")["add"]
        lines = {os.path.basename(site["source"]).split(":")[0] for site in add["sites"]}
        check(lines == {"kernels.py"} and add["unknown"] == [], f"add on {machine}: lines of the Python source: {lines}")
    shutil.copytree(cache, "copy")
    beside = next(f"{at}/add.json" for at, _, names in os.walk("copy") if "add.cubin" in names)
    written(beside, b"{}")
    refused("copy", "--machine", "h100", words="add.json does not state num_warps, shared and target, as Triton writes them")

# The page: its commands say what it quotes.
if VENDOR != "triton":
    page = open(f"{here}/../../../include/coalesce/manual/command.md").read()
    blocks = re.findall(rf"```sh {VENDOR}\n(.*?)```\n\n```text\n(.*?)```", page, re.S)
    check(len(blocks) == page.count("```sh " + VENDOR) == 1, "each block of commands has its output")
    path = f"{work.name}/bin:{os.environ['PATH']}"
    os.mkdir("bin"), os.symlink(COMMAND, "bin/coalesce")
    for commands, quoted in blocks:
        done = subprocess.run(["bash", "-c", commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                              env={**os.environ, "PATH": path})
        check(done.stdout == quoted, f"the page quotes\n{quoted}and the command says\n{done.stdout}")

checks.end(f"binaries of {VENDOR}: the command reads them")
