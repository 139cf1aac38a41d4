# SPDX-License-Identifier: BSL-1.0
"""Kernels of Triton and Gluon, compiled without a GPU, by the lines of their Python source."""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import warnings
from typing import Any, Mapping, Optional

from .command import Refused, ask
from .recordings import Recording


def _names(machine: str) -> list[str]:
    """The name of a machine and its other names, without the family: cc90, sm_90, h100."""
    asked = machine.lower().removesuffix("::wave64").rpartition("::")[2].replace("-", "").replace(" ", "")
    for each in json.loads(ask("list", "--json")):
        names = [name.rpartition("::")[2] for name in (each["machine"], *each["also"])]
        if asked in names:
            return names
    raise Refused(f"there is no machine {machine}: `coalesce list --json` shows all")


def _target_of(machine: str) -> Any:
    """Triton's target for a machine in one of its spellings."""
    from triton.backends.compiler import GPUTarget

    name = _names(machine)[0]
    if name.startswith("cc"):
        return GPUTarget("cuda", int(name.removeprefix("cc")), 32)
    if name.startswith("gfx"):
        return GPUTarget("hip", name, 64 if name.startswith("gfx9") else 32)
    raise Refused(f"Triton does not compile for {machine}")


def _compiled(kernel: Any, signature: Mapping[str, str], constexprs: Mapping[str, Any], machine: str, options: Mapping[str, Any]) -> Any:
    """Compiles as a launch would: pointers are multiples of 16 bytes, and a number is one where its type ends with *16."""
    import triton

    target = _target_of(machine)
    for name in (*signature, *constexprs):
        if name not in kernel.arg_names:
            raise Refused(f"{kernel.__name__} has no parameter {name}: it has {', '.join(kernel.arg_names)}")
    types, facts = {}, {}
    for place, name in enumerate(kernel.arg_names):
        if name in constexprs:
            types[name] = "constexpr"
            continue
        if name not in signature:
            raise Refused(f"neither signature nor constexprs has the parameter {name} of {kernel.__name__}")
        types[name] = signature[name].removesuffix("*16")
        if types[name].startswith("*") or signature[name].endswith("*16"):
            facts[(place,)] = [["tt.divisibility", 16]]
    if hasattr(kernel, "is_gluon") and kernel.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource as Source
    else:
        from triton.compiler import ASTSource as Source
    source = Source(fn=kernel, signature=types, constexprs=dict(constexprs), attrs=facts)
    return triton.compile(source, target=target, options=dict(options))


def _text_of_cubin(cubin: bytes) -> str:
    """What nvdisasm prints of it, with the lines of the source."""
    import triton

    tool = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cubin")
        with open(path, "wb") as file:
            file.write(cubin)
        done = subprocess.run([tool, "-gi", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(f"nvdisasm of Triton's wheel does not read the cubin: {done.stderr.strip()}")
    return done.stdout


def _instructions(text: str) -> list[str]:
    return re.findall(r"^\s*/\*[0-9a-f]{4,}\*/.*;", text, re.MULTILINE)


def _with_lines(text: str, asm: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """The text with the lines that Triton's compiler meant. In Triton 3.9 a load of several words is PTX of several lines, and LLVM counts
    them: the load stands up to four lines too low. Assembled again without the marks inside such a load, the same instructions have the
    right lines. Where they are not the same, a warning says so, and the lines stay."""
    ptx = asm.get("ptx")
    inside = r"(// begin inline asm)(.*?)(// end inline asm)"
    without = ptx and re.sub(inside, lambda m: re.sub(r"(?m)^\s*\.loc\b.*\n", "", m.group()), ptx, flags=re.DOTALL)
    if not ptx or without == ptx:
        return text
    from triton.backends.nvidia.compiler import get_ptxas

    target = re.search(r"^\.target\s+(\w+)", ptx, re.MULTILINE)
    options = [] if metadata.get("enable_fp_fusion", True) else ["--fmad=false"]
    options += (metadata.get("ptx_options") or "").split()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ptx")
        with open(path, "w") as file:
            file.write(without)
        subprocess.run([get_ptxas(metadata["target"]["arch"]).path, "-lineinfo", "--regAllocOptLevel=2", *options,
                        f"--gpu-name={target and target.group(1)}", path, "-o", path + ".cubin"], capture_output=True)
        if os.path.exists(path + ".cubin"):
            with open(path + ".cubin", "rb") as binary:
                again = _text_of_cubin(binary.read())
            if _instructions(again) == _instructions(text):
                return again
    warnings.warn("the lines of wide loads are up to four too low: ptxas made other instructions than those in the cubin")
    return text


def _multiples(ir: str, name: str) -> list[str]:
    """What the compiler was told of numbers, for --arg. Pointers are multiples of 256 bytes in any case."""
    head = re.search(r"tt\.func public @" + re.escape(name) + r"\((.*)", ir)
    if head is None:
        return []
    facts = []
    for place, each in enumerate(re.findall(r"%\w+: (!tt\.ptr<[^>]*>|[^\s,{)]+)([^%]*)", head.group(1))):
        factor = re.search(r"tt\.divisibility = (\d+)", each[1])
        if factor is not None and re.fullmatch(r"i\d+", each[0]):
            facts += ["--arg", f"{place}%{factor.group(1)}==0"]
    return facts


def _answer(metadata: Mapping[str, Any], asm: Mapping[str, Any], machine: Optional[str]) -> Recording:
    target = metadata["target"]
    backend, arch = target["backend"], target["arch"]
    compiled_for = f"sm_{arch}" if backend == "cuda" else str(arch).partition(":")[0]
    if machine is not None and compiled_for not in _names(machine):
        raise Refused(f"the kernel is compiled for {compiled_for}, and not for {machine}")
    if target["warp_size"] == 64 and not compiled_for.startswith("gfx9"):
        compiled_for += "::wave64"
    text = asm["amdgcn"] if "amdgcn" in asm else _with_lines(_text_of_cubin(asm["cubin"]), asm, metadata)
    words = ["binary", "--machine", compiled_for, "--kernel", metadata["name"], "--blocks", "any", "--json",
             "--block", str(metadata["num_warps"] * target["warp_size"]), "--shared", str(metadata["shared"])]
    words += _multiples(asm.get("ttgir", ""), metadata["name"])
    return Recording(json.loads(ask(*words, "-", given=text)))


def _of_cache(folder: str, name: Optional[str], machine: Optional[str]) -> Recording:
    found = []
    for place, _, files in os.walk(folder):
        for each in sorted(files):
            if not each.endswith(".json") or each.startswith("__grp__"):
                continue
            with open(os.path.join(place, each)) as file:
                metadata = json.load(file)
            if isinstance(metadata, dict) and "target" in metadata and name in (None, metadata.get("name")):
                found.append((os.path.join(place, each.removesuffix(".json")), metadata))
    if len(found) != 1:
        kernels = ", ".join(sorted(f"{metadata['name']} in {os.path.dirname(base)}" for base, metadata in found))
        raise Refused(f"{folder} has no kernel" + (f" {name}" if name else "") + " of Triton" if not found else
                      f"{folder} has several kernels: give the folder of one, or name=...: {kernels}")
    base, metadata = found[0]
    asm: dict[str, Any] = {}
    for kind in "amdgcn", "ttgir", "ptx":
        if os.path.exists(f"{base}.{kind}"):
            with open(f"{base}.{kind}") as file:
                asm[kind] = file.read()
    if os.path.exists(f"{base}.cubin"):
        with open(f"{base}.cubin", "rb") as binary:
            asm["cubin"] = binary.read()
    return _answer(metadata, asm, machine)


def triton(kernel: Any, signature: Optional[Mapping[str, str]] = None, constexprs: Optional[Mapping[str, Any]] = None,
           machine: Optional[str] = None, name: Optional[str] = None, **options: Any) -> Recording:
    """What a kernel's accesses cost at each line of its Python source, for any block.

    `kernel` is a function of @triton.jit or @gluon.jit with its `signature` ({"x": "*fp32", "n": "i32*16"}, where *16 says that a number
    is a multiple of 16), `constexprs`, the `machine` and the compiler's `options` (num_warps=8); or what Triton has compiled, as a
    CompiledKernel; or a folder of Triton's cache, in which `name` chooses the kernel.
    """
    if isinstance(kernel, (str, os.PathLike)):
        return _of_cache(os.fspath(kernel), name, machine)
    if not hasattr(kernel, "asm"):
        if machine is None:
            raise Refused("name a machine to compile for: machine=\"h100\"")
        kernel = _compiled(kernel, signature or {}, constexprs or {}, machine, options)
    metadata = kernel.metadata._asdict()
    of = metadata["target"]
    metadata["target"] = {"backend": of.backend, "arch": of.arch, "warp_size": of.warp_size}
    return _answer(metadata, kernel.asm, machine)
