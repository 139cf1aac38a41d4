# SPDX-License-Identifier: BSL-1.0
"""Kernels of Triton and Gluon, compiled without a GPU, by the lines of their Python source."""
from __future__ import annotations

import importlib.util
import json
import os
import re
import struct
import subprocess
import tempfile
import warnings
from typing import Any, Mapping, Optional

from .command import Refused, ask
from .recordings import Recording


def _names(machine: str) -> list[str]:
    """The name of a machine and its other names, without the family: cc90, sm_90, h100."""
    each, = json.loads(ask("list", "--json", "--", machine))
    return [name.rpartition("::")[2] for name in (each["machine"], *each["also"])]


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
    """Compiles as a launch would: pointers are multiples of 16 bytes, a number is one where its type ends with *16, and a tensor has less
    than 2 GiB, which AMD's compiler asks."""
    import triton
    from triton.compiler import make_backend

    target = _target_of(machine)
    for name in (*signature, *constexprs):
        if name not in kernel.arg_names:
            raise Refused(f"{kernel.__name__} has no parameter {name}: it has {', '.join(kernel.arg_names)}")
    known = vars(make_backend(target).parse_options({}))
    for name in options:
        if name not in known:
            raise Refused(f"Triton's compiler has no option {name}; it has {', '.join(known)}")
    types, facts = {}, {}
    for place, name in enumerate(kernel.arg_names):
        if name in constexprs:
            types[name] = "constexpr"
            continue
        if name not in signature:
            raise Refused(f"neither signature nor constexprs has the parameter {name} of {kernel.__name__}")
        types[name] = signature[name].removesuffix("*16")
        is_pointer = types[name].startswith("*")
        if is_pointer or signature[name].endswith("*16"):
            facts[(place,)] = [["tt.divisibility", 16]] + [["tt.pointer_range", 32]] * (is_pointer and target.backend == "hip")
    if hasattr(kernel, "is_gluon") and kernel.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource as Source
    else:
        from triton.compiler import ASTSource as Source
    source = Source(fn=kernel, signature=types, constexprs=dict(constexprs), attrs=facts)
    return triton.compile(source, target=target, options=dict(options))


def _instructions(cubin: bytes) -> dict[str, bytes]:
    """The sections of an ELF file that have code, by their names."""
    table, = struct.unpack_from("<Q", cubin, 40)
    size, count, of_names = struct.unpack_from("<3H", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + k * size) for k in range(count)]
    names = cubin[sections[of_names][4]:]
    named = {names[name:names.index(0, name)].decode(): cubin[at:at + length] for name, _, _, _, at, length in sections}
    return {name: code for name, code in named.items() if name.startswith(".text")}


def _assembled(ptx: str, metadata: Mapping[str, Any]) -> Optional[bytes]:
    """The cubin that Triton makes of PTX."""
    from triton.backends.nvidia.compiler import get_ptxas

    target = re.search(r"^\.target\s+(\w+)", ptx, re.MULTILINE)
    options = [] if metadata.get("enable_fp_fusion", True) else ["--fmad=false"]
    options += (metadata.get("ptx_options") or "").split()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ptx")
        with open(path, "w") as file:
            file.write(ptx)
        subprocess.run([get_ptxas(metadata["target"]["arch"]).path, "-lineinfo", "--regAllocOptLevel=2", *options,
                        f"--gpu-name={target and target.group(1)}", path, "-o", path + ".cubin"], capture_output=True)
        if not os.path.exists(path + ".cubin"):
            return None
        with open(path + ".cubin", "rb") as binary:
            return binary.read()


def _with_lines(asm: Mapping[str, Any], metadata: Mapping[str, Any]) -> bytes:
    """The cubin with the lines that Triton's compiler meant. In Triton 3.9 a load of several words is PTX of several lines, and LLVM counts
    them: the load stands up to four lines too low. Assembled again without the marks inside such a load, the same instructions have the
    right lines. Where they are not the same, a warning says so, and the lines stay."""
    cubin: bytes = asm["cubin"]
    ptx = asm.get("ptx", "")
    inside = r"(// begin inline asm)(.*?)(// end inline asm)"
    without = re.sub(inside, lambda m: re.sub(r"(?m)^\s*\.loc\b.*\n", "", m.group()), ptx, flags=re.DOTALL)
    if without == ptx:
        return cubin
    again = _assembled(without, metadata) if importlib.util.find_spec("triton") else None
    if again is not None and _instructions(again) == _instructions(cubin):
        return again
    warnings.warn("the lines of wide loads are up to four too low: ptxas " +
                  ("made other instructions than those in the cubin" if again else "did not assemble the kernel again"))
    return cubin


def _multiples(ir: str, name: str) -> list[str]:
    """What the compiler was told of numbers, for --arg. Pointers are multiples of 256 bytes in any case. Parameters after a tensor
    descriptor get no facts: a descriptor may be several parameters of the kernel."""
    head = re.search(r"tt\.func public @" + re.escape(name) + r"\((.*)", ir)
    if head is None:
        return []
    facts = []
    for place, each in enumerate(re.findall(r"%[\w.$-]+: (!tt\.ptr<[^>]*>|[^\s,{)]+)([^%]*)", head.group(1))):
        if not re.match(r"!tt\.ptr<|i\d+$|[bf]+\d+$", each[0]):
            break
        factor = re.search(r"tt\.divisibility = (\d+)", each[1])
        if factor is not None and re.fullmatch(r"i\d+", each[0]):
            facts += ["--arg", f"{place}%{factor.group(1)}==0"]
    return facts


def _answer(metadata: Mapping[str, Any], asm: Mapping[str, Any], machine: Optional[str], html: Optional[str]) -> Recording:
    code = asm["amdgcn"] if "amdgcn" in asm else _with_lines(asm, metadata)
    words = ["binary", "--blocks", "any", "--json", "--block", str(metadata["num_warps"] * metadata["target"]["warp_size"]),
             "--shared", str(metadata["shared"]), *_multiples(asm.get("ttgir", ""), metadata["name"])]
    if machine is not None:
        words += ["--machine", machine]
    if html is not None:
        words += ["--html", html]
    triton = importlib.util.find_spec("triton")  # its disassembler reads what its assembler wrote
    folders = [os.path.join(each, "backends", "nvidia", "bin") for each in (triton and triton.submodule_search_locations) or ()]
    return Recording(json.loads(ask(*words, "-", given=code, first=folders)))


def _compiled_for(target: Mapping[str, Any]) -> str:
    return f"sm_{target['arch']}" if target["backend"] == "cuda" else str(target["arch"]).partition(":")[0]


def _of_cache(folder: str, name: Optional[str], machine: Optional[str], html: Optional[str]) -> Recording:
    found = []
    for place, _, files in os.walk(folder):
        for each in sorted(files):
            if not each.endswith(".json") or each.startswith("__grp__"):
                continue
            with open(os.path.join(place, each)) as file:
                try:
                    metadata = json.load(file)
                except ValueError:
                    raise Refused(f"{os.path.join(place, each)} is not the metadata of a kernel") from None
            if isinstance(metadata, dict) and "target" in metadata and name in (None, metadata.get("name")):
                found.append((os.path.join(place, each.removesuffix(".json")), metadata))
    if machine is not None:
        names = _names(machine)
        found = [each for each in found if _compiled_for(each[1]["target"]) in names] or found
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
    if not {"amdgcn", "cubin"} & set(asm):
        raise Refused(f"{os.path.dirname(base)} has no binary of {metadata['name']}")
    return _answer(metadata, asm, machine, html)


def triton(kernel: Any, signature: Optional[Mapping[str, str]] = None, constexprs: Optional[Mapping[str, Any]] = None,
           machine: Optional[str] = None, name: Optional[str] = None, html: Optional[str] = None, **options: Any) -> Recording:
    """What a kernel's accesses cost at each line of its Python source, for any block.

    `kernel` is a function of @triton.jit or @gluon.jit with its `signature` ({"x": "*fp32", "n": "i32*16"}, where *16 says that a number
    is a multiple of 16), `constexprs`, the `machine` and the compiler's `options` (num_warps=8); or what Triton has compiled, as a
    CompiledKernel; or a folder of Triton's cache, in which `name` chooses the kernel. `html` is a file for the page with the source's lines
    and the pictures of their lanes.
    """
    if (signature or constexprs or options) and (isinstance(kernel, (str, os.PathLike)) or hasattr(kernel, "asm")):
        raise Refused("this kernel is compiled already: signature, constexprs and options are for a function")
    if isinstance(kernel, (str, os.PathLike)):
        return _of_cache(os.fspath(kernel), name, machine, html)
    if not hasattr(kernel, "asm"):
        if machine is None:
            raise Refused("name a machine to compile for: machine=\"h100\"")
        kernel = _compiled(kernel, signature or {}, constexprs or {}, machine, options)
    metadata = kernel.metadata._asdict()
    metadata["target"] = vars(metadata["target"])
    return _answer(metadata, kernel.asm, machine, html)
