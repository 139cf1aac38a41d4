# SPDX-License-Identifier: BSL-1.0
"""The module gpu_coalesce, with figures by hand."""
import json
import os

import numpy
import pytest
import triton as compiler
import triton.language as tl
from IPython.core.formatters import DisplayFormatter

import gpu_coalesce as co


@compiler.jit
def add(x, y, out, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = i < n
    a = tl.load(x + i, mask=inside)
    b = tl.load(y + i, mask=inside)
    tl.store(out + i, a + b, mask=inside)


LOADS = next(k for k, line in enumerate(open(__file__), 1) if "tl.load(x" in line)
COLUMN = [128 * lane for lane in range(32)]


def counted(n="i32*16", machine="h100", **options):
    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": n}
    return co.triton(add, signature=signature, constexprs={"SIZE": 1024}, machine=machine, **options)


def test_costs():
    assert co.cost("h100", "shared_load", 32, COLUMN).conflicts == 31
    assert co.cost("h100", "shared_load", 32, numpy.arange(32) * 128) == co.cost("h100", "shared_load", 32, COLUMN)
    assert co.cost("h100", "shared_load", 32, numpy.arange(64, dtype=numpy.uint64).reshape(2, 32) * 4).issued == 2
    assert co.cost("h100", "shared_load", 32, [0] + [None] * 31).rounds == 1
    assert co.cost("h100", "shared_load", 32, COLUMN, active=0xff).conflicts == 7
    assert co.cost("h100", "shared_load", 32, [COLUMN, [None] * 32], active=0xff).issued == 1


def test_sentences():
    with pytest.raises(co.Refused, match="the nearest names are"):
        co.cost("h100", "shared_laod", 32, COLUMN)
    with pytest.raises(co.Refused, match="'0.5' is not a byte address"):
        co.cost("h100", "shared_load", 32, [0.5] * 32)
    with pytest.raises(co.Refused, match="'0x80' is not a byte address"):
        co.cost("h100", "shared_load", 32, ["0x80"] * 32)
    with pytest.raises(co.Refused, match="'-4' is not a byte address"):
        co.cost("h100", "shared_load", 32, [-4] * 32)
    with pytest.raises(co.Refused, match="a row has an address for each of the 32 lanes, None where it is not active: there is 1 of 40"):
        co.cost("h100", "shared_load", 32, [0] * 40)
    with pytest.raises(co.Refused, match="there are 32 of 2"):  # columns of lanes, and not rows
        co.draw("h100", "shared_load", 32, numpy.arange(64).reshape(32, 2) * 4)
    for first, second, lengths in (COLUMN[:16], COLUMN + COLUMN[:16], "16 and 48"), (COLUMN + COLUMN[:16], COLUMN[:16] + [None] * 32, "48"):
        with pytest.raises(co.Refused, match=f"there are 2 of {lengths}"):  # 64 or 96 addresses, and yet not rows of 32
            co.cost("h100", "shared_load", 32, [first, second])
    with pytest.raises(co.Refused, match="there is no machine --help"):
        co.cost("--help", "shared_load", 32, COLUMN)
    with pytest.raises(co.Refused, match="some of the addresses are rows"):
        co.cost("h100", "shared_load", 32, [0, [4]])
    with pytest.raises(co.Refused, match="there is no address"):
        co.cost("h100", "shared_load", 32, [])
    with pytest.raises(co.Refused, match="there are 2 of 0 and 32"):
        co.cost("h100", "shared_load", 32, [[], COLUMN])
    with pytest.raises(AttributeError, match="there is no conflicts here; the numbers are issued, requests, transactions"):
        co.cost("h100", "load", 32, COLUMN).conflicts


def test_notebooks():
    shown = DisplayFormatter().format
    assert shown(co.draw("h100", "shared_load", 32, COLUMN))[0]["image/svg+xml"].startswith("<svg")
    assert "31" in shown(co.cost("h100", "shared_load", 32, COLUMN))[0]["text/html"]
    assert "<td>&lt;=" in shown(counted())[0]["text/html"]
    assert "rounds 32" in co.explain("h100", "shared_load", 32, COLUMN)


# 1,024 floats in 4 warps of 16 bytes a lane: two loads a warp, of 512 bytes, which are 17 sectors where only 16 bytes are known of a pointer.
# A wave of gfx942 has 64 lanes: 4 accesses of 1,024 bytes, in lines of 128.
@pytest.mark.parametrize("machine, transactions", [("h100", 8 * 17), ("sm_80", 8 * 17), ("mi300x", 4 * 8), ("gfx1100", 32)])
def test_triton(machine, transactions):
    seen = counted(machine=machine)
    for line in LOADS, LOADS + 1:
        assert (seen.of_line(line).transactions, seen.of_line(line).at_most) == (transactions, True)
    assert f"check.py:{LOADS}" in str(seen) and "<table>" in seen._repr_html_()


def test_page(tmp_path):
    counted(html=str(tmp_path / "add.html"))
    page = (tmp_path / "add.html").read_text()
    assert "a = tl.load(x + i, mask=inside)" in page


def test_divisibility_is_of_the_kernel():
    assert counted("i32").of_line(LOADS).issued == 4 * counted("i32*16").of_line(LOADS).issued  # 4 bytes a lane, and not 16
    assert counted(num_warps=8).of_line(LOADS).issued == 8  # the same words, a load a warp


def test_what_triton_compiled(tmp_path):
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    os.environ["TRITON_CACHE_DIR"] = str(tmp_path)
    source = ASTSource(fn=add, signature={"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "SIZE": "constexpr"}, constexprs={"SIZE": 512})
    kernel = compiler.compile(source, target=GPUTarget("cuda", 90, 32))
    assert co.triton(kernel).json == co.triton(tmp_path).json == co.triton(str(tmp_path), name="add", machine="h100").json
    with pytest.raises(co.Refused, match="the text is of sm_90, and the machine is cc80"):
        co.triton(kernel, machine="a100")
    with pytest.raises(co.Refused, match="has no kernel sub of Triton"):
        co.triton(tmp_path, name="sub")
    compiler.compile(source, target=GPUTarget("hip", "gfx942", 64))
    assert co.triton(tmp_path, machine="mi300x").machine == "cdna::gfx942"
    with pytest.raises(co.Refused, match="has several kernels: give the folder of one"):
        co.triton(tmp_path)
    with pytest.raises(co.Refused, match="this kernel is compiled already"):
        co.triton(kernel, num_warps=8)
    binary, = tmp_path.glob("*/add.cubin")
    binary.rename(tmp_path / "add.elsewhere")
    with pytest.raises(co.Refused, match="has no binary of add"):
        co.triton(tmp_path, machine="h100")
    (binary.parent / "add.json").write_text("{")
    with pytest.raises(co.Refused, match="is not the metadata of a kernel"):
        co.triton(tmp_path, machine="h100")


def test_facts_of_arguments():
    from gpu_coalesce.triton import _multiples

    head = "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(1), %n: i32 {tt.divisibility = 16 : i32}"
    assert _multiples(head + ", %m.0: i64 {tt.divisibility = 8 : i32}) {", "k") == ["--arg", "1%16==0", "--arg", "2%8==0"]
    described = ", %d: !tt.tensordesc<64x64xf16>, %d.shape.0: i32, %M: i32 {tt.divisibility = 16 : i32}) {"
    assert _multiples(head + described, "k") == ["--arg", "1%16==0"]  # %M is not argument 2


def test_triton_is_refused():
    with pytest.raises(co.Refused, match="add has no parameter m: it has x, y, out, n, SIZE"):
        co.triton(add, signature={"m": "i32"}, constexprs={}, machine="h100")
    with pytest.raises(co.Refused, match="neither signature nor constexprs has the parameter n"):
        co.triton(add, signature={"x": "*fp32", "y": "*fp32", "out": "*fp32"}, constexprs={"SIZE": 4}, machine="h100")
    with pytest.raises(co.Refused, match="name a machine"):
        co.triton(add)
    with pytest.raises(co.Refused, match="Triton's compiler has no option num_warp; it has num_warps"):
        counted(num_warp=8)
    assert counted(machine="sm_90a").json == counted(machine="9.0").json == counted().json
    with pytest.raises(co.Refused, match="there is no machine h1000"):
        counted(machine="h1000")
    with pytest.raises(co.Refused, match=f"no access is at line 1; the lines with one are {LOADS}, "):
        counted().of_line(1)


SITE = {"at": None, "opcode": "LDS", "source": "k.py:9", "space": "shared", "kind": "load", "bits": 32, "instruction": "shared_load<32>",
        "issued": 1, "rounds": 4, "conflicts": 3, "phases": 1, "ways": 4}
PART = {"machine": "cuda::cc90", "kernel": "<k>", "blocks": 1, "sites": [SITE], "unknown": []}


def test_sums_pass_over_nothing():
    assert co.Recording({**PART, "sites": [SITE, SITE]}).total().numbers == {"issued": 2, "rounds": 8, "conflicts": 6, "phases": 2, "ways": 4}
    loop = co.Recording({**PART, "sites": [SITE, {**SITE, "at_most": True, "per_iteration": 7}]}).of_line(9)
    assert (loop.ways, loop.at_most) == (4, True)
    with pytest.raises(co.Refused, match="conflicts has no sum: data decide how often the loop at line 7 runs"):
        loop.conflicts
    clean = {**SITE, "conflicts": 0, "at_most": True, "per_iteration": 7}
    assert co.Recording({**PART, "sites": [clean]}).of_line(9).conflicts == 0
    unknown = {"at": None, "opcode": "LDSM", "source": "k.py:9", "why": "no source", "issued": 1}
    with pytest.raises(co.Refused, match="an access has no number: no source"):
        co.Recording({**PART, "unknown": [unknown]}).of_line(9).conflicts
    elsewhere = co.Recording({**PART, "unknown": [{**unknown, "source": "k.py:10"}]})
    assert elsewhere.of_line(9).conflicts == 3
    nowhere = co.Recording({**PART, "unknown": [{**unknown, "source": None}]})  # it may stand at any line
    with pytest.raises(co.Refused, match="an access has no number: no source"):
        nowhere.of_line(9).conflicts
    for shown in repr(nowhere.total()), nowhere.total()._repr_html_():
        assert "no source" in shown and "conflicts" not in shown
    atomic = {"at": None, "opcode": "ATOMS", "source": "k.py:9", "space": "shared", "kind": "atomic", "bits": 32,
              "instruction": "shared_atomic<32>", "issued": 1, "rounds": 2}
    with pytest.raises(co.Refused, match="conflicts has no sum: no source tells it of shared_atomic<32>"):
        co.Recording({**PART, "sites": [SITE, atomic]}).of_line(9).conflicts
    assert co.Recording({**PART, "sites": [SITE, {**atomic, "issued": 0}]}).of_line(9).conflicts == 3
    lost = co.Recording({**PART, "sites": [{**SITE, "conflicts": 0}, {**SITE, "source": None}]})
    with pytest.raises(co.Refused, match="conflicts has no sum: an access by shared_load<32> has no line, and may stand here"):
        lost.of_line(9).conflicts
    assert lost.total().conflicts == 3
    assert "in each round of the loop at line 7" in repr(co.Recording({**PART, "sites": [{**SITE, "per_iteration": 7}]}).sites[0])
    assert "&lt;k&gt;" in co.Recording(PART)._repr_html_() and "<k>" not in co.Recording(PART)._repr_html_()


def test_merge(tmp_path):
    assert co.merge([co.Recording(PART)] * 3).total().conflicts == 9
    (tmp_path / "a.json").write_text(json.dumps(PART))
    assert co.Recording.read(str(tmp_path / "a.json")).total().conflicts == 3
    for text, words in (json.dumps([PART, PART]), "has 2 recordings"), ("{", "is not JSON"):
        (tmp_path / "b.json").write_text(text)
        with pytest.raises(co.Refused, match=words):
            co.Recording.read(str(tmp_path / "b.json"))
    with pytest.raises(co.Refused, match="do not add up"):
        co.merge([co.Recording(PART), co.Recording({**PART, "machine": "cuda::cc80"})])
