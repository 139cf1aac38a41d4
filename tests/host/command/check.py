#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Asks the command real questions, and holds its numbers, its JSON, its sentences and its exit status to figures by hand.

check.py COALESCE
"""
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True  # beside the sources
from checks import OURS, Checks

checks = Checks(sys.argv[1])
COMMAND, run, check, refused = checks.command, checks.run, checks.check, checks.refused


def site(*arguments, given=""):
    """The one site of an answer in JSON."""
    status, out, err = run(*arguments, "--json", given=given)
    check(status == 0 and err == "", f"{arguments} is answered: {status} {err}")
    answer = json.loads(out)
    check(list(answer) == ["machine", "kernel", "blocks", "sites", "unknown"], f"{arguments}: the fields of a recording")
    check(len(answer["sites"]) == 1, f"{arguments}: one site")
    return answer["sites"][0]


def has(numbers, **expected):
    for name, value in expected.items():
        check(numbers.get(name) == value, f"{name} is {numbers.get(name)}, by hand {value}")


# ---- cost ----

# A column of 32 rows of 128 bytes lies in one of 32 banks. Rows of 132 bytes move it by a bank each.
column = site("cost", "cc90", "shared_load", "32", "--at", "lane * 128")
has(column, rounds=32, conflicts=31, phases=1, ways=32, issued=1, bits=32)
has(column, space="shared", kind="load", instruction="shared_load<32>", at=None, opcode=None, source=None)
has(site("cost", "cc90", "shared_load", "32", "--at", "lane * pitch", "--let", "pitch=132"), rounds=1, conflicts=0)
has(site("cost", "cc90", "shared_load", "32", "--at", "lane * 128", "--active", "0xff"), rounds=8, ways=8)
has(site("cost", "cc90", "shared_load", "32", "--at", "lane * 128", "--active", "lane % 4 == 0"), rounds=8)
# The same column under the swizzle of 32 banks: the row's number is in each address once.
has(site("cost", "cc90", "shared_load", "32", "--at", "lane * 128 + (lane ^ 0) * 4"), conflicts=0)
# A warp of floats from byte 4 on touches 5 sectors of 32 bytes, 160 bytes for 128.
late = site("cost", "cuda::cc90", "load", "32", given="\n".join(str(4 * lane + 4) for lane in range(32)))
has(late, transactions=5, bytes_moved=160, bytes_used=128, space="global")
# Addresses of two accesses, in hexadecimal, with a remark, and with a lane that is not active.
given = "# a warp\n" + " ".join(hex(4 * lane) for lane in range(32)) + "\n" + ", ".join(["-"] + ["0x80"] * 31)
has(site("cost", "cc90", "load", "32", given=given), transactions=4 + 1, issued=2)
# A row of 128 bytes for each lane of a wave, read 16 bytes at a time: gfx942 serves 8 lanes of ds_read_b128 together,
# which lie in the same 4 of 32 banks: 8 rounds for each of 8 phases, at each of 8 steps.
has(site("cost", "gfx942", "ds_read", "128", "--at", "lane * 128 + step * 16", "--over", "step=8"),
    rounds=8 * 8 * 8, phases=64, conflicts=8 * 56, ways=8, issued=8)
# GCN: four clocks for a wave of floats, and a store of RGBA8 by its full name.
has(site("cost", "gcn", "buffer_load", "32", "--at", "lane * 4"), clocks=4, transactions=4)
has(site("cost", "gcn", "buffer_store<8, 4>", "--at", "lane * 4"), kind="store", bits=32)
has(site("cost", "cc90", "atomic", "32", "--at", "64"), kind="atomic", operations=32, lanes_on_one_address=32)

status, out, err = run("cost", "cc90", "shared_load", "32", "--at", "lane * 128")
check(status == 0 and out.startswith("cuda::cc90::shared_load<32>, 1 access of 32 lanes\n"), "a table for people")
check("  conflicts                         31\n" in out, "a line for each number")

for gate, holds in ("conflicts=31", True), ("conflicts=0", False), ("conflicts<=31", True), ("conflicts<=30", False), \
        ("conflicts<32", True), ("conflicts<31", False), ("rounds>31", True), ("rounds>32", False), ("rounds>=32", True), ("rounds>=33", False):
    status, out, err = run("cost", "cc90", "shared_load", "32", "--at", "lane * 128", "--expect", gate)
    check(status == (0 if holds else 1), f"the gate {gate}: {status}")
    check((err == "") == holds, f"the gate {gate} says {err!r}")
check(err == "coalesce: expected rounds>=33, and rounds is 32\n", "a gate that fails names both numbers")

# ---- explain, draw, compare, suggest, list ----

status, out, err = run("explain", "cc90", "load", "128", "--at", "lane * 65536")
check("lanes 0 and 1 are 65,536 bytes apart: each opens its own 32-byte sector and uses 16 bytes of it" in out, "why")
status, out, err = run("explain", "cc90", "shared_load", "32", "--at", "lane * 4 * s", "--over", "s=34")
check(out.startswith("The worst of 34 accesses: s 32\n"), "the worst point: only a stride of 32 banks meets one bank")
status, out, err = run("explain", "gfx942", "ds_atomic", "32", "--at", "lane * 4 * (1 - s)", "--over", "s=2")
check(out.startswith("The worst of 2 accesses: s 1\n"), f"64 lanes on one word are worse than 64 words: {out}")
status, out, err = run("explain", "cc90", "atomic", "32", "--at", "lane / (1 + 31 * s) % 8 * 4", "--over", "s=2")
check(out.startswith("The worst of 2 accesses: s 1\n"), f"32 lanes on one word of a sector are worse than 4: {out}")
check("rounds 32" in site("explain", "cc90", "shared_load", "32", "--at", "lane * 128")["explained"], "why, in JSON")

status, out, err = run("draw", "gfx942", "ds_read", "128", "--at", "lane * 64", "--svg")
strips = [each for each in xml.etree.ElementTree.fromstring(out).iter() if each.get("class") == "round"]
# 8 lanes of 16 bytes, 64 bytes apart, meet in half of the 32 banks: 4 rounds in each of 8 phases.
check(len(strips) == 32, f"a picture with an element for each round: {len(strips)}")
status, out, err = run("draw", "cc90", "load", "32", "--at", "lane * 4")
check(status == 0 and "4 transactions" in out, "a picture for the terminal")
check(out.startswith("cuda::cc90::load<32> at lane * 4: ") and "profiler: " in out, "its title names the pattern")
for more in (), ("--svg",):
    whole, title = run("draw", "cc90", "load", "32", "--at", "lane * 4", *more)[1], run("draw", "cc90", "load", "32", "--at", "lane * 4", "--title", *more)[1]
    check("profiler: " in whole and "profiler: " not in title and "documented" not in title and "at lane * 4: 4 transactions" in title,
          f"the title alone {more}")

status, out, err = run("compare", "cc90::load<32>", "gfx942::global_load<32>", "--at", "lane * 4 + 4", "--json")
rows = json.loads(out)["rows"]
check([row["transactions"] for row in rows] == [5, 3], "5 sectors of 32 bytes, 3 lines of 128")
check([row["lanes"] for row in rows] == [32, 64], "lanes")
status, out, err = run("compare", "shared_load<32>", "--at", "lane * 4", "--json")
check(len(json.loads(out)["rows"]) == 31, "every compute capability has it")
status, out, err = run("compare", "cc90::load<32>", "cc90::load<64>", "--at", "lane * 4")
check("refused: lane 1 at byte 4, no multiple of 8" in out, "a row that refuses says why")

# Machines that do not follow one another are no range: CC 3.0, which is between these, has other numbers.
status, out, err = run("compare", *(f"{machine}::shared_load<64>" for machine in ("cc20", "cc80", "cc90")), "--at", "lane * 8")
check(out.splitlines()[1].startswith("cuda::cc20, cc80, cc90  shared_load<64>"), f"names, and no range: {out}")
# CC 3.0 and 3.2 have no caching to choose.
status, out, err = run("compare", "load<32, l1>", "--at", "lane * 4")
check(out.splitlines()[1].startswith("cuda::cc20, cc21, cc35, cc37  load<32, l1>"), f"machines between these lack the instruction: {out}")

transpose_tile = ["suggest", "--rows", "32", "--columns", "32", "--bytes", "4", "--use", "cc90::shared_store<32>", "0", "lane",
             "--use", "cc90::shared_load<32>", "lane", "0"]
status, out, err = run(*transpose_tile, "--expect", "conflicts=0", "--json")
found = json.loads(out)
check(status == 0 and found["before"]["conflicts"] == 31 and found["after"]["conflicts"] == 0, "a transpose")
check(found["layout"]["pitch"] * 32 == found["bytes"] and found["is_optimal"], "its layout")
status, out, err = run(*transpose_tile)
check("Rows 128 bytes apart, swizzled: co::swizzle{.bits = 5, .base = 2, .shift = 5}; 4096 bytes\n" in out, "in words")

status, out, err = run("list", "--json")
listed = {each["machine"]: each["instructions"] for each in json.loads(out)}
also = {each["machine"]: each["also"] for each in json.loads(out)}
check(also["cuda::cc90"] == ["cuda::sm_90", "cuda::gh200", "cuda::h200", "cuda::h100"], "the other names of cc90")
check("cdna::mi300x" in also["cdna::gfx942"] and also["gcn"] == [], "the products of gfx942, and no product of gcn")
by_name = [run("cost", machine, "shared_load", "32", "--at", "lane * 128") for machine in ("cc90", "sm_90", "cuda::h100")]
check(by_name[0] == by_name[1] == by_name[2] and by_name[0][0] == 0, "a machine by each of its names")
for machine in "cuda::cc10", "cuda::cc121", "gcn", "cdna::gfx950", "rdna::gfx1201", "rdna::gfx1310":
    check(machine in listed, f"{machine} is listed")
check("shared_load<32>" in listed["cuda::cc90"] and "wave64::ds_load<64>" in listed["rdna::gfx1100"], "instructions")
lines = run("list")[1].splitlines()
check([line.split()[0] for line in lines] == list(listed), "a line for each machine")
check("cuda::cc90      sm_90, gh200, h200, h100" in lines and "gcn" in lines, "with its products")
check(run("list", "gfx942")[1].splitlines() == listed["cdna::gfx942"], "a line for each instruction")

# ---- counters ----

# daxpy of NVIDIA's sample report: two loads and a store of doubles in each of 131,072 warps of an RTX 3070. The page of
# its report was made by hand: 2 * 1,048,576 sectors loaded, 1,048,576 stored, 2 lines a warp.
profiles = os.path.join(os.path.dirname(__file__), "../../truth/outside/profilers")
daxpy = json.loads(run("cost", "cc86", "load", "64", "--at", "lane * 8", "--over", "load=2", "--json")[1])
store = json.loads(run("cost", "cc86", "store", "64", "--at", "lane * 8", "--json")[1])
daxpy["sites"] += store["sites"]
counters = "counters", "-", f"{profiles}/made_by_hand_report.csv", "--kernel", "daxpy"
status, out, err = run(*counters, "--blocks", "131072", given=json.dumps(daxpy))
check(status == 0 and "6 agree, 0 differ by known noise, 0 differ" in out, f"daxpy agrees: {status}\n{out}{err}")
check("agrees        LDG 64: memory_l2_theoretical_sectors_global, 2097152\n" in out, "sectors of the loads")
status, out, err = run(*counters, "--blocks", "131071", given=json.dumps(daxpy))
check(status == 1 and "DIFFERS       LDG 64: inst_executed, expected 262142, profiled 262144" in out, "a block less differs")
del daxpy["sites"][1]
status, out, err = run(*counters, "--blocks", "131072", given=json.dumps(daxpy))
check(status == 1 and "NOT EXPECTED  STG.E.64" in out, "a store that the recording lacks")
refused("counters", "-", f"{profiles}/made_by_hand_report.csv", given="{", words="the recording is no JSON: parse error")
refused("counters", "-", f"{profiles}/made_by_hand_report.csv", "--blocks", str(2**58), given=json.dumps(daxpy), words="is past 2^64")
refused("counters", "-", f"{profiles}/made_by_hand_report.csv", given="{}", words="the JSON is not a recording")
refused("counters", "-", "/nowhere.csv", given=json.dumps(daxpy), words="/nowhere.csv cannot be read")
refused("counters", "-", "-", words="only one file is standard input")
refused("counters", "-", f"{profiles}/made_by_hand_report.csv", "--kernel", "saxpy", given=json.dumps(daxpy),
        words="has no launch of saxpy with one of its counters")
# An instruction without a counter is named, and fails: the counters are of the others alone. A kernel reads and writes
# LDS: 4 and 8 rounds, of which 2 and 4 are conflicts, in one instruction each.
def profiled(**counters):
    dispatch = '1,1,"k",'
    return '"Dispatch_Id","Kernel_Id","Kernel_Name","Counter_Name","Counter_Value"\n' + "".join(
        f'{dispatch}"{name}",{value}\n' for name, value in counters.items())
def with_profile(recording, **counters):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(profiled(**counters))
        file.flush()
        return run("counters", "-", file.name, given=json.dumps(recording))
in_lds = json.loads(run("cost", "gfx942", "ds_read", "32", "--at", "lane % 32 * 8", "--json")[1])
in_lds["sites"] += json.loads(run("cost", "gfx942", "ds_write2<32, 0, 1>", "--at", "lane * 8", "--json")[1])["sites"]
sums = [sum(site[number] for site in in_lds["sites"]) for number in ("rounds", "conflicts", "issued")]
in_lds_alone = [in_lds["sites"][0][number] for number in ("rounds", "conflicts", "issued")]
of_lds = "SQ_LDS_IDX_ACTIVE", "SQ_LDS_BANK_CONFLICT", "SQ_INSTS_LDS"
check(with_profile(in_lds, **dict(zip(of_lds, sums)))[0] == 0, "writes of two places count in the counters of LDS")
check(with_profile(in_lds, **dict(zip(of_lds, in_lds_alone)))[0] == 1, "reads alone differ")
in_lds["sites"] += json.loads(run("cost", "gfx942", "ds_atomic", "32", "--at", "lane * 4", "--json")[1])["sites"]
status, out, err = with_profile(in_lds, **dict(zip(of_lds, sums)))
check(status == 1 and "  NOT COMPARED  cdna::gfx942::ds_atomic<32>: no counter of a whole kernel is known for it\n" in out and
      "3 agree, 0 differ by known noise, 0 differ" in out, f"an atomic has no counter: {status}\n{out}{err}")
# A copy of doubles, as AMD counted it on MI200 (omniperf-0013): 32,768 loads and stores made 524,288
# accesses of L1, 16 each.
copied = json.loads(run("cost", "gfx90a", "global_load", "64", "--at", "lane * 8", "--json")[1])
copied["sites"] += json.loads(run("cost", "gfx90a", "global_store", "64", "--at", "lane * 8", "--json")[1])["sites"]
status, out, err = with_profile(copied, TCP_TOTAL_CACHE_ACCESSES_sum=32)
check(status == 0 and "agrees        TCP_TOTAL_CACHE_ACCESSES_sum, 32\n" in out, f"loads and stores of L1: {status}\n{out}{err}")
# A counter of an access that the recording lacks differs, unless it counts in other kernels too. What is 0 does not.
store_lacks = json.loads(run("cost", "gfx942", "global_load", "32", "--at", "lane * 4", "--json")[1])
for more, status, words in ({"SQ_INSTS_VMEM_WR": 32}, 1, "  NOT EXPECTED  SQ_INSTS_VMEM_WR, profiled 32\n"), \
        ({"SQ_INSTS_VMEM_WR": "0.000000"}, 0, "  not expected  SQ_INSTS_VMEM_WR, profiled 0.000000\n"), \
        ({"SQC_TC_DATA_READ_REQ": 3, "SQ_INSTS_SMEM": 2}, 0, "  not expected  SQ_INSTS_SMEM, profiled 2 (each kernel loads its arguments by scalar loads)\n"), \
        ({"inst_executed": 5, "SQ_WAVES": "many"}, 0, "others in the profile: 2\n"):
    done = with_profile(store_lacks, SQ_INSTS_VMEM_RD=1, **more)
    check(done[0] == status and words in done[1], f"{more}: {done}")
in_shared = json.loads(run("cost", "cc89", "shared_load", "32", "--at", "lane * 4", "--json")[1])
of_loads, of_reds = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"
of_shared, of_stage = "smsp__sass_inst_executed_op_shared_ld.sum", "l1tex__data_pipe_lsu_wavefronts.sum"
check(with_profile(in_shared, **{of_shared: 1, of_stage: 1})[0] == 0, "shared memory uses the stage")
check(with_profile(in_shared, **{of_shared: 1, of_loads: 4})[0] == 1, "a load from global memory")
check(with_profile(in_shared, **{of_shared: 1, of_reds: 4})[0] == 1, "an atomic without a result")
in_atomics = json.loads(run("cost", "cc89", "atomic", "32", "--at", "lane * 4", "--json")[1])
done = with_profile(in_atomics, **{of_reds: 4, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum": 4})
check(done[0] == 0 and "(atomics without a result count there)" in done[1], f"atomics with and without a result: {done}")
# Large counts are told apart, no sum wraps, and a number has decimal digits.
large = {**store_lacks, "sites": [{**store_lacks["sites"][0], "issued": 2**53}]}
for value, status in (2**53, 0), (2**53 + 1, 1), (f"{2**53}.000000", 0), (f"{2**53}.500000", 1):
    done = with_profile(large, SQ_INSTS_VMEM_RD=value)
    check(done[0] == status, f"{value} beside 2^53: {done}")
check(f"profiled {2**53}.5\n" in done[1], f"a fraction is told: {done}")
for value in "0x4", "inf", "1e3", "-4", "+4", ".5", "4.", "4.0.0", " 4", "nan4":
    done = with_profile(store_lacks, SQ_INSTS_VMEM_RD=value)
    check(done[0] == 2 and "is no number" in done[2], f"{value} is no number: {done}")
check("is past 2^64" in with_profile(store_lacks, SQ_INSTS_VMEM_RD=2**64)[2], "a number past 2^64")
twice = {**store_lacks, "sites": [{**store_lacks["sites"][0], "issued": 2**63}] * 2}
check(with_profile(twice, SQ_INSTS_VMEM_RD=0)[0::2] == (2, "coalesce: the sum of SQ_INSTS_VMEM_RD is past 2^64\n"), "a sum of counters does not wrap")
with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    file.write(profiled(SQ_INSTS_VMEM_RD=0)), file.flush()
    refused("counters", "-", file.name, "--blocks", "2", given=json.dumps({**twice, "sites": twice["sites"][:1]}), words="the sum of issued is past 2^64")
    refused("counters", "-", file.name, given=json.dumps(store_lacks).replace('"issued"', '"issued": 4, "issued"'), words="the JSON has issued twice in one object")
    lacks = {name: value for name, value in store_lacks["sites"][0].items() if name != "transactions"}
    refused("counters", "-", file.name, given=json.dumps({**store_lacks, "sites": [lacks]}),
            words="an instruction has no transactions, which TCP_TCC_READ_REQ_sum counts")
deep = lambda levels: '{"machine": ' + "[" * levels + "]" * levels + "}"
for levels, words in (63, "the JSON is not a recording"), (64, "more than 64 lists and objects in one another"), (10**6, "more than 64 lists and objects in one another"):
    refused("counters", "-", f"{profiles}/made_by_hand_report.csv", given=deep(levels), words=words)
    refused("merge", "-", given=deep(levels), words="is not a recording" if levels == 63 else words)
# Counts alone are counts, in a recording and in the command line.
for name, value in ("transactions", 4.7), ("transactions", -4), ("issued", -1), ("issued", 1.5), ("bits", -64), ("requests", "2"):
    refused(*counters, given=json.dumps({**daxpy, "sites": [{**daxpy["sites"][0], name: value}]}), words=f"the recording's {name} is {json.dumps(value)}, and not a count")
for value in "-18446744073709551615", "-1", "18446744073709551616", "99999999999999999999":
    refused(*counters, "--blocks", value, given=json.dumps(daxpy), words=f"--blocks: '{value}' is not a number from 0 to 2^64 - 1")
    refused("cost", "cc90", "load", "--at", "0", "--", value, words=f"'{value}' is not a number from 0 to 2^64 - 1")
for option in "--margin", "--blocks", "--multiprocessors", "--jobs":
    refused("run", "--machine", "h100", "app.cu", option, "-18446744073709551615", words="is not a number from 0 to 2^64 - 1")
daxpy["unknown"] = [{"opcode": "LDG"}]
refused(*counters, given=json.dumps(daxpy), words="1 of the recording's instructions is unknown")

# ---- replay ----

work = tempfile.TemporaryDirectory()
traces = os.path.join(os.path.dirname(__file__), "../trace")
transpose = "replay", "cc90", f"{traces}/plain.trace", "--format", "plain", "--kernel", "transpose"
status, out, err = run(*transpose, "--json", "--expect", "conflicts=0")
seen = json.loads(out)
# Two blocks of two warps: each loads 128 bytes in 4 sectors, and stores down a column of rows of 33 words, a bank a row.
check((status, seen["machine"], seen["kernel"], seen["blocks"]) == (0, "cuda::cc90", "transpose 32 x 32", 2), "a trace")
check([each["array"] for each in seen["sites"]] == ["in", "tile"] and seen["unknown"] == [], "its sites")
has(seen["sites"][0], transactions=16, issued=4, source="transpose.py:12", at=None, kind="load", instruction="load<32>")
has(seen["sites"][1], rounds=4, conflicts=0, issued=4, kind="store", space="shared", instruction="shared_store<32>")
check(run(*transpose, "--expect", "conflicts>=1")[0] == 1, "a gate of a trace")
gather = json.loads(run(*transpose[:-1], "gather", "--json")[1])
check([each["at"] for each in gather["sites"]] == ["0x1f0", "0x200", "0x210"], "places in the binary")
status, out, err = run("replay", "cc80", f"{traces}/every_memory.trace", "--format", "accel_sim", "--json")
seen = json.loads(out)
check(any(each["opcode"].startswith("LDL") and "why" in each for each in seen["unknown"]), "what is skipped is unknown")
check(all(each["opcode"] for each in seen["sites"]), "opcodes")
status, out, err = run("replay", "gfx942", f"{traces}/copy.omniprobe.csv", "--format", "omniprobe", "--bytes", "4",
                       "--width", "36=16", "--shared", "0x1000000000000,0x100000000", "--kernel", "copy", "--json")
check(status == 0 and json.loads(out)["sites"][0]["instruction"] == "global_load<32>", f"a log of Omniprobe {err}")
check("transpose 32 x 32" in run("replay", "gfx1100::wave64", "/dev/stdin", "--format", "plain",
                                 given="coalesce trace 1\nkernel transpose 32 x 32\nwarp 0\nload shared 4 t@0x10 1 0\nend\n")[1],
      "waves of 64 lanes; standard input")
refused("replay", "cc90", f"{traces}/plain.trace", "--format", "plain", "--json", words="name one by --kernel, of transpose")
refused("replay", "cc90", f"{traces}/plain.trace", "--format", "text", words="--format is accel_sim, mem_trace, omniprobe or")
refused("replay", "gfx1310", f"{traces}/plain.trace", "--format", "plain", words="the instructions of rdna::gfx1310 are not")
refused("replay", "cc90", "/nowhere", "--format", "plain", words="the trace cannot be opened: /nowhere")
refused("replay", "cc90", "/dev/stdin", "--format", "plain", given="coalesce trace 1\nload\n", words="2: ")
refused("replay", "cc90", f"{traces}/scale.mem_trace", "--format", "mem_trace", words="lanes")
refused("replay", "cc90", f"{traces}/plain.trace", "--format", "plain", "--kernel", "gemm", words="no access of a kernel gemm")
refused("replay", "cc90", f"{traces}/plain.trace", "--format", "omniprobe", "--width", "4294967332=16", words="past 2^32 - 1")

refused("replay", "cc90", f"{traces}/plain.trace", "--format", "plain", "--width", "36=16", "--width", "36=8",
        words="--width '36=8' gives line 36 a second width")
refused("replay", "cc90", "--format", "plain", given="coalesce trace 1\nkernel k\nload shared 4 a.cu:0 1 0\nend\n", words="line 3: the access stands at line 0, and lines count from 1")

# A gate holds only where nothing was left out: it implies unknown=0. Five instructions of this trace are unknown.
every = "replay", "cc80", f"{traces}/every_memory.trace", "--format", "accel_sim"
check(run(*every, "--expect", "transactions>=1")[0::2] == (1, "coalesce: expected unknown=0, and unknown is 5\n"), "a gate and unknown")
check(run(*every, "--expect", "transactions>=1", "--expect", "unknown<=5")[0] == 0, "a gate that allows so many")
check(run(*every, "--expect", "unknown=4")[0] == 1 and run(*every, "--expect", "unknown=5")[0] == 0, "unknown is a number")
seen = json.loads(run(*every, "--json")[1])["unknown"]
check(len(seen) == 5 and all(each["at"] and each["opcode"] for each in seen), "what is unknown, each with its place")
whole = "replay", "cc80", f"{traces}/reverse.traceg", "--format", "accel_sim", "--expect", "conflicts=0"
check(run(*whole)[0] == 0, "the control: a gate of a whole trace holds")
plain_head = "coalesce trace 1\nkernel k\nload shared 4 0x10 1 0\n"
gated = "replay", "cc90", "--format", "plain", "--expect", "conflicts=0"
check(run(*gated, given=plain_head + "end\n")[0] == 0, "the control: a gate of our own form holds")
for line, words in ("load shared 4 0x20 1 0x1000000", "runs past the end"), ("load shared 4 0x20 0xffffffff 100-4", "below 0"), \
        ("load global 4 0x20 0xffffffff 4096+4611686018427387904", "past 2^64"):
    refused(*gated, given=f"{plain_head}{line}\nend\n", words=words)
# A site whose cost no source tells: atomics of CC 1.3.
refused("replay", "cc13", "--format", "plain", "--expect", "conflicts=0", given="coalesce trace 1\nkernel k\natomic global 4 0x1 1 0\nend\n",
        words="nothing was counted here")
uncounted = plain_head + "atomic global 4 0x20 1 0\nend\n"
check(run("replay", "cc13", *gated[2:], given=uncounted)[0::2] == (1, "coalesce: expected unknown=0, and unknown is 1\n"),
      "a site without a cost fails a gate")
# A gate passes over no site that has a cost, but not this number: no source tells the rounds of CDNA's ds_atomic.
atomics = "coalesce trace 1\nkernel k\nload shared 4 a@f.py:1 0xffffffff 0+4\natomic shared 4 a@f.py:2 0xffffffff 0+128\nend\n"
on_lds = lambda *gates: run("replay", "gfx942", "--format", "plain", *(word for each in gates for word in ("--expect", each)), given=atomics)
for name in "rounds", "conflicts", "phases", "ways":
    check(on_lds(f"{name}<=99")[0::2] == (1, f"coalesce: expected {name}<=99, and no source tells the {name} of cdna::gfx942::ds_atomic<32> at f.py:2\n"),
          f"a gate on {name} passes over no atomic: {on_lds(f'{name}<=99')}")
check(on_lds("operations=32", "lanes_on_one_address<=32")[0] == 0, "the control: a load has no operations, and needs none")
check(run("replay", "cc90", "--format", "plain", "--expect", "rounds<=99", given=atomics)[0] == 0, "the control: CC 9.0 has the rounds of atomics")
requests = "coalesce trace 1\nkernel k\nload global 4 a@f.py:1 0xffffffff 0+4\natomic global 4 a@f.py:2 0xffffffff 0+4\nend\n"
for gate, words in ("requests<=99", "no source tells the requests of cuda::cc90::atomic<32> at f.py:2"), ("transactions<=99", ""), ("lines<=99", ""):
    check(run("replay", "cc90", "--format", "plain", "--expect", gate, given=requests)[0::2] ==
          ((1, f"coalesce: expected {gate}, and {words}\n") if words else (0, "")), f"{gate} beside an atomic")
# What was skipped in another kernel does not fail a gate of this one, and the program's own lines do not count.
launch = "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name {0} - grid launch id {1} - grid size 1,1,1\n" \
    "MEMTRACE: CTX 0x1 - grid_launch_id {1} - CTA 0,0,0 - warp 0 - {2} - " + "0x0000000000000040 " * 32 + "\n"
log = "hello\n" + launch.format("a", 0, "LDS") + launch.format("b", 1, "LDL") + launch.format("b", 1, "LDS")
mem_trace = "replay", "cc90", "--format", "mem_trace", "--all-lanes", "--expect", "conflicts=0"
check(run(*mem_trace, "--kernel", "a", given=log)[0] == 0, "a gate of a kernel without what is skipped")
for kernel in "b", "":
    check(run(*mem_trace, "--kernel", kernel, given=log)[0::2] == (1, "coalesce: expected unknown=0, and unknown is 1\n"), "LDL")
# Bytes that are not UTF-8 become U+FFFD, and the answer is whole.
bytes_of = (launch.format("a", 0, "LDS") + launch.format("a", 0, "LDL\xff")).encode("latin-1")
status, out, err = run(*mem_trace[:-2], "--json", given=bytes_of)
check(status == 0 and [each["opcode"] for each in json.loads(out)["unknown"]] == ["LDL\ufffd"], f"an opcode in other bytes: {err}")
check(run(*mem_trace, "--kernel", "a", given=log + "10 % MEMTRACE: CTX 0x1 - grid_l\n")[0] == 1, "a torn line may be an access")

# Standard input, as -, as no file, and through a pipe; a trace twice is none.
trace = open(f"{traces}/plain.trace").read()
as_file = run(*transpose)
check(as_file[0] == 0 and "transpose" in as_file[1], "a trace as a file")
for given in (["-"], [], ["/dev/stdin"]):
    check(run("replay", "cc90", *given, *transpose[3:], given=trace) == as_file, f"a trace as {given}")
piped = subprocess.run(["bash", "-c", f"cat {traces}/plain.trace | {COMMAND} replay cc90 --format plain --kernel transpose"],
                       capture_output=True, text=True)
check((piped.returncode, piped.stdout) == (0, as_file[1]), f"a trace through a pipe: {piped.stderr}")
# A name in brackets names one file, and not a list of files.
shutil.copy(f"{traces}/plain.trace", f"{work.name}/[q]")
for name in "q", "a", "b":
    open(f"{work.name}/{name}", "w").write("coalesce trace 1\nkernel transpose 32 x 32\nload global 4 other 1 0\nend\n")
shutil.copy(f"{traces}/plain.trace", f"{work.name}/[a,b]")
for name in "[q]", "[a,b]", "./[q]":
    check(run("replay", "cc90", name, *transpose[3:], cwd=work.name) == as_file, f"the trace {name}")
check(run("replay", "cc90", "--progress", "[q]", *transpose[3:], cwd=work.name)[:2] == as_file[:2], "the trace [q] after a flag")
with open(f"{work.name}/[m]", "w") as file:
    file.write(run(*transpose, "--json")[1])
check(run("merge", "[m]", cwd=work.name) == run("merge", "./[m]", cwd=work.name) and run("merge", "[m]", cwd=work.name)[0] == 0, "the recording [m]")
check("no access of a kernel [q]" in run("replay", "cc90", f"{traces}/plain.trace", "--format", "plain", "--kernel", "[q]")[2], "the kernel [q]")
refused("replay", "cc90", "-", "-", "--format", "plain", given=trace, words="only one of the traces is standard input")
refused("replay", "cc90", "-", "--format", "plain", given="coalesce trace 1\nload\n", words="standard input, line 2: ")

# ---- binary ----

binaries = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../binary")
sass = f"{binaries}/nvidia/text/sm_90.sass"
sm_90 = "binary", "--machine", "sm_90", "--kernel"
tile_launch = "--grid", "2,2", "--block", "32,8", "--arg", "buffer:16384", "--arg", "buffer:64*64*4", "--arg", "u32:64"
plain, padded = "_Z15transpose_plainPjPKjii", "_Z16transpose_paddedPjPKjii"
status, out, err = run(*sm_90, plain, *tile_launch, "--arg", "i32:64", "--blocks", "all", "--json", sass)
seen = json.loads(out)
check(status == 0 and list(seen) == ["machine", "kernel", "blocks", "checksum", "sites", "unknown", "unchecked"] and seen["unknown"] == [], "a binary")
check("without -c" in seen["unchecked"], "code alone does not say what launches it allows")
check((seen["machine"], seen["kernel"], seen["blocks"]) == ("cuda::cc90", plain, 4), "the launch of a binary")
check(run(*counters, given=out)[0] == 1, "counters takes a binary's recording: the profile is of another kernel")
# 64 by 64 words, in 4 blocks of 8 warps: each of 4 loads and 4 stores is issued 32 times. 128 bytes side by side are 4
# sectors and one round. Rows of 128 bytes put the 32 lanes of a column in one bank.
by = {}
for each in seen["sites"]:
    by.setdefault((each["space"], each["kind"]), []).append(each)
check({key: len(sites) for key, sites in by.items()} ==
      {("global", "load"): 4, ("shared", "store"): 4, ("shared", "load"): 4, ("global", "store"): 4}, "16 sites")
for each in by["global", "load"] + by["global", "store"]:
    has(each, issued=32, transactions=128, bits=32, bytes_moved=4096, source=None)
for each in by["shared", "store"]:
    has(each, issued=32, rounds=32, conflicts=0, opcode="STS", array="shared")
for each in by["shared", "load"]:
    has(each, issued=32, rounds=32 * 32, conflicts=32 * 31, ways=32, opcode="LDS")
check(all(int(each["at"], 16) % 16 == 0 for each in seen["sites"]), "SASS's instructions have 16 bytes")
check(run(*sm_90, plain, *tile_launch, "--arg", "u32:64", "--expect", "conflicts=0", sass)[0::2] ==
      (1, f"coalesce: expected conflicts=0, and conflicts is {4 * 8 * 31}\n"), "a gate of one block")
status, out, err = run(*sm_90, padded, *tile_launch, "--arg", "u32:64", "--expect", "conflicts=0", given=open(sass).read())
check("at most" not in out and "assumed" not in out, "an exact answer has no bound, and assumes nothing")
check(status == 0 and out.startswith(f"{padded} on cc90, 1 block\n") and "shared load 32 LDS" in out, "standard input")

# 1,000 of 1,024 words: the last of 4 blocks has 7 whole warps and 8 lanes, of one sector.
copy = *sm_90, "_Z4copyPjPKjj", "--grid", "4", "--block", "256", "--arg", "buffer:4000", "--arg", "buffer:4000", "--arg", \
    "u32:1000", "--json"
for blocks, of_them, transactions in ([], 1, 32), (["3,0,0"], 1, 7 * 4 + 1), (["2"], 2, 32 + 29), (["all"], 4, 3 * 32 + 29), \
        (["1,0,0", "--blocks", "3,0,0"], 2, 32 + 29):
    seen = json.loads(run(*copy, *(["--blocks"] if blocks else []), *blocks, sass)[1])
    check(seen["blocks"] == of_them, f"--blocks {blocks}")
    has(seen["sites"][0], transactions=transactions, issued=8 * of_them)

# Blocks in steps, of a grid of 2^50: half of them have the index 1 along z. There a column of 32 rows of 128 bytes is
# stored, else one word.
large = "binary", "--machine", "sm_90", "--grid", f"{2**25},{2**24},2", "--block", "32", "--blocks"
of_z = """.target sm_90
.text.z:
  /*0000*/ S2R R0, SR_CTAID.Z ;
  /*0010*/ S2R R1, SR_TID.X ;
  /*0020*/ IMAD R1, R1, 0x80, RZ ;
  /*0030*/ IMAD R0, R0, R1, RZ ;
  /*0040*/ STS [R0], R1 ;
  /*0050*/ EXIT ;
"""
for count, rounds in (1, 1), (2, 1 + 32), (4, 2 + 2 * 32):
    seen = json.loads(run(*large, str(count), "--json", given=of_z)[1])
    check((seen["blocks"], seen["sites"][0]["rounds"]) == (count, rounds), f"{count} blocks of many: {seen}")
# So many steps times so many blocks are past 2^64. No block is there twice, so the first one is what is refused.
status, out, err = run(*large, str(2**15), given=of_z.replace("[R0]", "[R0+0x1]"))
check(status == 2 and "not a multiple of this instruction's alignment" in err, f"blocks of many: {err}")
# A gather of every eighth word touches a sector a lane.
with open(f"{work.name}/index", "wb") as file:
    file.write(struct.pack("<256I", *(8 * k % 1024 for k in range(256))))
gather = *sm_90, "_Z6gatherPjPKjS1_j", "--block", "256", "--arg", "buffer:1024", "--arg", "buffer:4096"
contents = "--arg", f"buffer:1024={work.name}/index", "--arg", "u32:256"
seen = json.loads(run(*gather, *contents, "--json", sass)[1])
has(seen["sites"][1], array="arg1", transactions=256, issued=8)
exact = run(*gather, *contents, "--expect", "transactions=320", "--expect", "transactions<321", "--expect", "transactions>319", sass)
check(exact[0::2] == (0, "") and "at most" not in exact[1] and "assumed" not in exact[1], f"with contents nothing is a bound: {exact}")
for gate in "transactions<320", "transactions>320", "transactions=319":
    check(run(*gather, *contents, "--expect", gate, sass)[0::2] == (1, f"coalesce: expected {gate}, and transactions is 320\n"), gate)

# A texture has no rule: 8 warps load 32 words each, 4 sectors, and the texture is unknown.
texture = "binary", "--machine", "sm_90", "--block", "256", "--arg", "buffer:1024"
texture_text = """.target sm_90
.text.texture:
  /*0000*/ S2R R0, SR_TID.X ;
  /*0010*/ LDC.64 R2, c[0x0][0x210] ;
  /*0020*/ IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  /*0030*/ LDG.E R4, desc[UR4][R2.64] ;
  /*0040*/ TEX R4, R4, 0x0, 0x40, 2D ;
  /*0050*/ EXIT ;
"""
seen = json.loads(run(*texture, "--json", given=texture_text)[1])
check(len(seen["unknown"]) == 1 and len(seen["sites"]) == 1, "what has no rule is unknown")
has(seen["unknown"][0], opcode="TEX", issued=8, source=None, at="0x40")
check("textures and surfaces have no rule" in seen["unknown"][0]["why"], "why it is unknown")
check(run(*texture, "--expect", "transactions=32", given=texture_text)[0::2] == (1, "coalesce: expected unknown=0, and unknown is 1\n"),
      "a gate does not hold beside what is unknown")
check(run(*texture, "--expect", "transactions=32", "--expect", "unknown<=1", given=texture_text)[0] == 0, "unless it allows so many")
saxpy = *sm_90, "_Z5saxpyPfPKffi", "--block", "256", "--arg", "buffer:1024", "--arg", "buffer:1024"
check(run(*saxpy, "--arg", "f32:-2.5", "--arg", "i32:256", "--expect", "transactions=96", sass)[0] == 0, "a float")

# ---- binary: upper bounds ----


def bounds(machine, kernel, *options):
    """The answer about a kernel of bounds.cu, without contents."""
    return run("binary", "--machine", machine, "--kernel", kernel, "--block", "256", *["--arg", "buffer:65536"] * 3, *options,
               f"{binaries}/nvidia/text/bounds_{machine[3:]}.sass")


def gated(answer, *gates):
    """The exit status, and what is said, of each gate."""
    for gate, status, words in gates:
        done = answer("--expect", gate)
        expected = f"coalesce: expected {gate}, and {words}\n" if words else ""
        check(done[0::2] == (status, expected), f"the gate {gate}: {done[0]} {done[2]}")


for machine, place in ("sm_80", "0x90"), ("sm_90", "0xb0"), ("sm_120", "0xb0"):
    # out[i] = table[index[i]]: 8 warps load 4 sectors, and store 4. Each of 256 lanes may load a sector of its own.
    most, data, share = "transactions is at most 320", "data decide it, and", f"LDG.E at {place} has the largest share, at most 256"
    gated(lambda *gate: bounds(machine, "gather", *gate), ("transactions<=320", 0, ""), ("transactions<321", 0, ""),
          ("transactions<=319", 1, f"{most}: {data} {share}"), ("transactions<320", 1, f"{most}: {data} {share}"),
          ("transactions=0", 1, f"{most}: {data} {share}"),
          ("transactions=320", 1, f"{most}: {data} an upper bound does not show =320"),
          ("transactions>=64", 1, f"{most}: {data} an upper bound does not show >=64"),
          ("transactions>319", 1, f"{most}: {data} an upper bound does not show >319"),
          ("transactions>320", 1, most), ("transactions>=321", 1, most), ("transactions=321", 1, most), ("unknown=0", 0, ""))
    status, out, err = bounds(machine, "gather")
    check("\nat most: the numbers of 1 of 3 sites are upper bounds\nnot checked: " in out, f"the table of gather says so: {out}")
    seen = json.loads(bounds(machine, "gather", "--json")[1])
    check(seen["at_most"] and [each.get("at_most") for each in seen["sites"]] == [None, True, None], "the JSON of gather says so")
    refused(*counters, given=json.dumps(seen), words="the numbers of 1 of the recording's instructions are upper bounds")
    # tile[a[i] & 255]: the store has no conflict. A bank has 8 of 256 words, so some contents have 7 conflicts a warp.
    status, out, err = bounds(machine, "looked_up", "--expect", "conflicts=0")
    said = re.fullmatch(r"coalesce: expected conflicts=0, and conflicts is at most (\d+): data decide it, and LDS at 0x\w+ "
                        r"has the largest share, at most (\d+)\n", err)
    check(status == 1 and said and said[1] == said[2] and 8 * 7 <= int(said[1]) <= 8 * 31, f"conflicts of looked_up: {err}")
    # Global memory has nothing but exact sites there: 8 warps load twice and store once, 4 sectors each.
    gated(lambda *gate: bounds(machine, "looked_up", *gate), ("transactions=96", 0, ""), ("transactions>=96", 0, ""),
          ("transactions<=95", 1, "transactions is 96"), (f"conflicts<={8 * 31}", 0, ""))
    # if (a[i] > 100) out[i] = b[i] + 1: the way to the last two accesses depends on the load.
    status, out, err = bounds(machine, "masked")
    lines = open(f"{binaries}/nvidia/text/bounds_{machine[3:]}.sass").read().splitlines()
    at = lines.index(".text.masked:")
    load, leaves = (next(k + 1 for k in range(at, len(lines)) if word in lines[k]) for word in ("LDG.E", "EXIT"))
    check("\nat most: the numbers of 2 of 3 sites are upper bounds\n"
          f"assumed: line {leaves}, EXIT: which way is taken depends on data: line {load}, LDG.E\nnot checked: " in out, f"the table of masked: {out}")
    gated(lambda *gate: bounds(machine, "masked", *gate), ("transactions<=96", 0, ""), ("transactions=32", 1,
          "transactions is at most 96: data decide it, and an upper bound does not show =32"))
    # A row of values for each thread: whatever rounds are unrolled, sums leave out what data repeat.
    status, out, err = bounds(machine, "rows", "--expect", "transactions<=1000000")
    said = re.fullmatch(r"coalesce: expected transactions<=1000000, and the sum of transactions leaves out the loop at line (\d+): "
                        r"data decide how often it runs\n", err)
    at = lines.index(".text.rows:")
    check(status == 1 and said and int(said[1]) > at and lines[int(said[1]) - 2].startswith(".L_x_"), f"the loop of rows: {err}")
    refused(*counters, given=bounds(machine, "rows", "--json")[1], words="are upper bounds, and a counter counts what one run did")

# Each lane repeats a load of its own word as often as data say. A round has no conflict. The store is exact, and has 1 round.
loop = """.target sm_90
.text.loop:
  /*0000*/ S2R R0, SR_TID.X ;
  /*0010*/ LDC.64 R2, c[0x0][0x210] ;
  /*0020*/ SHF.L.U32 R5, R0, 0x{shift}, RZ ;
  /*0030*/ IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  /*0040*/ LDG.E R4, desc[UR4][R2.64] ;
  /*0050*/ STS [R5], R4 ;
  /*0060*/ BSSY B0, `(.L_x_1) ;
.L_x_0:
  /*0070*/ LDS R6, [R5] ;
  /*0080*/ IADD3 R4, R4, -0x1, RZ ;
  /*0090*/ ISETP.NE.AND P0, PT, R4, RZ, PT ;
  /*00a0*/ @P0 BRA `(.L_x_0) ;
  /*00b0*/ BSYNC B0 ;
.L_x_1:
  /*00c0*/ EXIT ;
"""
of_loop = lambda shift: lambda *options: run("binary", "--machine", "sm_90", "--block", "32", "--arg", "buffer:128", *options,
                                             given=loop.format(shift=shift))
left_out = "the sum of {} leaves out the loop at line 11: data decide how often it runs"
gated(of_loop(2), ("conflicts=0", 0, ""), ("ways<=1", 0, ""), ("ways=1", 0, ""), ("transactions=4", 0, ""),
      ("rounds<=1000", 1, left_out.format("rounds")), ("rounds>=1", 1, left_out.format("rounds")))
status, out, err = of_loop(2)()
check("\nat most: the numbers of 1 of 3 sites are upper bounds; those of 1 are of one round of a loop, and sums leave them out\n"
      "assumed: line 14, BRA: which way is taken depends on data: line 7, LDG.E\n" in out, f"the table of a loop: {out}")
# Two words apart, two lanes share a bank: each round has a conflict.
gated(of_loop(3), ("conflicts<=1000", 1, left_out.format("conflicts")), ("ways<=2", 0, ""), ("ways<=1", 1, "ways is 2"))

# AMD's text: words and loads of two words alike make a column of 32 rows in one bank, for each half of a wave.
if shutil.which("clang++-22") and shutil.which("llvm-objdump-22"):
    subprocess.run(["clang++-22", "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "--offload-arch=gfx942", "-nogpuinc",
                    "-nogpulib", "-std=c++20", "-O3", f"{binaries}/amd/kernels.hip", "-c", "-o", f"{work.name}/kernels.co"], check=True)
    text = subprocess.run(["llvm-objdump-22", "-D", "-j", ".rodata", "-j", ".text", f"{work.name}/kernels.co"], check=True,
                          capture_output=True, text=True).stdout
    for kernel, conflicts in ("transpose_plain", 4 * 4 * 2 * 31), ("transpose", 0), ("transpose_swizzled", 0):
        gfx942 = "binary", "--machine", "gfx942", "--kernel", kernel, *tile_launch
        check(run(*gfx942, "--expect", f"conflicts={conflicts}", given=text)[0] == 0, f"{kernel} on gfx942")
        seen = json.loads(run(*gfx942, "--json", given=text)[1])
        # 32 rows of 128 bytes of the input: a line each, and each wave has two of them.
        check(sum(each["transactions"] for each in seen["sites"] if each["array"] == "arg0") == 32, "lines of the input")
    # The page's job, in a folder with the kernels; and with a kernel without the padding.
    job = re.search(r"- name: bank conflicts\n +run: \|\n(.*?)```", open(f"{binaries}/../../../include/coalesce/manual/amd.md").read(), re.S)[1]
    shutil.copy(f"{binaries}/amd/kernels.hip", work.name), shutil.copy(f"{binaries}/amd/expressions.hpp", work.name)
    for kernel, expected in ("transpose", (0, "")), ("transpose_plain", (1, "coalesce: expected conflicts=0, and conflicts is 3968\n")):
        done = subprocess.run(["bash", "-c", job.replace("--kernel transpose ", f"--kernel {kernel} ")], cwd=work.name, text=True,
                              capture_output=True, env={**os.environ, "PATH": os.path.dirname(os.path.abspath(COMMAND)) + ":" + os.environ["PATH"]})
        check((done.returncode, done.stderr) == expected, f"the page's job about {kernel}: {done.returncode} {done.stderr}")
    refused("binary", "--machine", "gfx942", "--kernel", "transposed", *tile_launch, given=text, words="the text has no kernel of the name transposed; the nearest names are transpose, ")
else:
    print("AMD's text is not asked: no clang++-22 or llvm-objdump-22")

refused(*sm_90, plain, "--block", "32", "--arg", "buffer:4096", sass, words="and the launch has 8 bytes of them")
refused(*sm_90, "nothing", "--block", "32", sass, words="the text has no kernel of the name nothing; the nearest names are ")
refused(*sm_90, "saxpi", "--block", "32", sass, words="no kernel of the name saxpi; the nearest names are saxpy, ")
facts = "binary", "--machine", "sm_90", "--block", "256", "--facts", "--kernel"
check("fact: no unknown number" in run(*facts, "_Z4copyPjPKjj", sass)[1], "facts that do not help")
check("exclude" in run(*facts, "_Z4copyPjPKjj", sass, "--json")[2], "facts as JSON")
# Each kernel of a text: the answers of one after the other, gates on the sum of all, and a sentence for one that is refused.
each = json.loads(run("binary", "--machine", "sm_90", "--block", "32", "--json", sass)[1])
alone = [json.loads(run(*sm_90, one["kernel"], "--block", "32", "--json", sass)[1]) for one in each]
check(len(each) == 17 and each == alone, "each kernel of a text")
stores = ".target sm_90\n" + "".join(
    f".text.{name}:\n/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ SHF.L.U32 R0, R0, {shift}, RZ ;\n/*0020*/ STS [R0], R0 ;\n/*0030*/ EXIT ;\n"
    for name, shift in (("a", "0x7"), ("b", "0x2"), ("c", "0x7")))
for gate, status in ("conflicts=62", 0), ("conflicts<=61", 1), ("rounds=65", 0):
    check(run("binary", "--machine", "sm_90", "--block", "32", "--expect", gate, given=stores)[0] == status, f"{gate} of all kernels")
one_bad = ".target sm_90\n.text.a:\n.text.b:\n/*0000*/ EXIT ;\n"
status, said, _ = run("binary", "--machine", "sm_90", "--block", "32", given=one_bad)
check(status == 2 and said.startswith("a: refused: the kernel a has no instruction\n\nb on cc90, "), "a kernel of a text is refused")
status, said, _ = run("binary", "--machine", "sm_90", "--block", "32", "--json", given=one_bad)
check(status == 2 and json.loads(said)[0] == {"kernel": "a", "refused": "the kernel a has no instruction"}, "and as JSON")
status, said, err = run("binary", "--machine", "sm_90", "--block", "32", "--json", given=one_bad.replace(".a:", ".\xff:").encode("latin-1"))
check(status == 2 and err == "" and json.loads(said)[0]["kernel"] == "\ufffd" and len(json.loads(said)) == 2, f"a refused kernel in other bytes: {err}")
refused("binary", "--machine", "sm_91", "--block", "32", sass, words="there is no machine sm_91; the nearest names are sm_90")
refused("binary", "--machine", "v100", "--block", "32", sass, words="binaries of cuda::cc70 are not read: those of gfx90a, gfx942")
# A kernel by the name that its source has, in each length; one that two kernels have is refused.
args = "--block", "256", "--arg", "buffer:1024", "--arg", "buffer:1024", "--arg", "u32:256", "--json", sass
by_its_name = run(*sm_90, "_Z4copyPjPKjj", *args)
check(by_its_name[0] == 0, "a kernel by its mangled name")
for name in "copy", "copy(unsigned int*, unsigned int const*, unsigned int)", "copy(unsigned int*,unsigned int const*,unsigned int)":
    check(run(*sm_90, name, *args) == by_its_name, f"the kernel {name}")
refused(*sm_90, "copy(unsigned int*)", *args, words="no kernel of the name copy(unsigned int*); the nearest names are copy")
two = "\t.text.{}:\n/*0000*/ EXIT ;\n"
refused(*sm_90, "f", "--block", "32", given=two.format("_ZN1a1fEv") + two.format("_ZN1b1fEv"),
        words="the text has 2 kernels of the name f: name one of them: _ZN1a1fEv and _ZN1b1fEv")
check(run(*sm_90, "b::f", "--block", "32", given=two.format("_ZN1a1fEv") + two.format("_ZN1b1fEv"))[1].startswith("_ZN1b1fEv on"),
      "a kernel of a namespace")
check(run(*sm_90, "f<int>", "--block", "32", given=two.format("_Z1fIiEvPT_") + two.format("_Z1fIfEvPT_"))[1].startswith("_Z1fIiEvPT_ on"),
      "a kernel of a template")
refused("binary", "--machine", "sm_80", "--kernel", plain, "--block", "32", sass, words="the text is of sm_90")
refused("binary", "--machine", "gfx942", "--block", "64", given="hello", words="no kernel descriptor")
refused("binary", "--machine", "sm_90", "--block", "32", "/nowhere", words="/nowhere cannot be read")
for asked in ["--list"], ["--list", "--machine", "sm_90"], ["--list", "--machine", "gfx942"]:
    refused("binary", *asked, given="hello", words="standard input has no kernel: it must be a GPU's binary, or the text of")
for argument, words in ("u32", "empty expression"), ("u31:3", "is not one of pointer, buffer:BYTES"), ("u8:256", "does not fit 8 bits"), \
        ("i32:2147483648", "does not fit 32 bits"), ("f32:x", "'x' is not a number"), ("u32:-1", "not an integer from 0"), \
        ("buffer:4=/nowhere", "/nowhere cannot be read"), (f"buffer:4={work.name}/index", "has more than 4 bytes"):
    refused(*sm_90, plain, "--block", "32", "--arg", argument, sass, words=words)
# The sign is a part of the expression: 256 words of 4 bytes are 32 sectors loaded, and 32 stored; of 16 lanes 2 and 2.
for argument, transactions in ("i32:-4+20", 4), ("i32:-240+256", 4), ("i32:0-1+257", 64), ("i32:256", 64):
    seen = json.loads(run(*sm_90, "_Z4copyPjPKjj", "--block", "256", "--arg", "buffer:1024", "--arg", "buffer:1024", "--arg", argument, "--json", sass)[1])
    check(sum(each["transactions"] for each in seen["sites"]) == transactions, f"--arg {argument}")
for argument, transactions in ("2=-4+20", 4), ("2=256", 64), ("2=-4", 64), ("2=-2147483648", 64):  # the kernel compares unsigned numbers
    seen = json.loads(run(*sm_90, "copy", "--block", "256", "--arg", argument, "--json", sass)[1])
    check(sum(each["transactions"] for each in seen["sites"]) == transactions, f"--arg {argument}")
for argument, bits in ("f32:1e39", 32), ("f32:-3.5e38", 32), ("f32:1e400", 64), ("f64:1e400", 64), ("f64:-1e400", 64):
    refused(*sm_90, plain, "--block", "32", "--arg", argument, sass, words=f"'{argument[4:]}' does not fit {bits} bits")
for argument in "f32:3.4e38", "f32:inf", "f32:1e-50", "f64:1e300":
    refused(*sm_90, plain, "--block", "32", "--arg", argument, sass, words="of them")  # the control: too few arguments
refused(*sm_90, "copy", "--block", "32", "--arg", "2%0==0", sass, words="--arg '2%0==0' divides by 0")
for argument in "i32:-2147483649", "i32:2147483647+1", "i64:-9223372036854775809", "i64:1<<63":
    refused(*sm_90, plain, "--block", "32", "--arg", argument, sass, words="does not fit")
for argument, words in ("n=1", "the kernel has no argument n; its arguments are 0, 1, 2"), ("2=99999999999", "does not fit"), ("2=-2147483649", "does not fit"), \
        ("0<4", "is not NAME=NUMBER, NAME%FACTOR==0 or NAME<=NUMBER"), ("2%4", "is not NAME=NUMBER"), ("2=u64:1", "has 4 bytes, and 8 are given"):
    refused(*sm_90, "copy", "--block", "32", "--arg", argument, sass, words=words)
refused(*sm_90, "copy", "--block", "32", "--arg", "u32:1", "--arg", "2=1", sass, words="only where the others come from the binary")
refused(*sm_90, "copy", "--block", "32", "--blocks", "any", "--blocks", "1", sass, words="leaves no other block to name")
# Without --arg: pointers, and an unknown number that guards the copy, from the mangled name.
stated = json.loads(run(*sm_90, "copy", "--block", "256", "--arg", "2=256", "--json", sass)[1])
anyhow = json.loads(run(*sm_90, "copy", "--block", "256", "--blocks", "any", "--json", sass)[1])
check(anyhow["arguments"][2] == "arg2: 4 bytes, unknown" and anyhow["any_block"] and anyhow["at_most"], "what nobody states")
check([each["transactions"] for each in anyhow["sites"]] == [each["transactions"] for each in stated["sites"]] == [32, 32],
      "256 neighbours in any block")
refused(*sm_90, plain, "--block", "32,1,1,1", sass, words="is not X, X,Y or X,Y,Z")
refused(*sm_90, plain, "--block", "0", sass, words="less than 1")
refused(*copy, "--blocks", "5", sass, words="the grid has 4 blocks")
refused(*copy, "--blocks", "4,0,0", sass, words="the block lies outside the grid")
refused(*copy, "--blocks", "3,0,0", "--blocks", "3,0,0", sass, words="the block 3,0,0 is to run twice")
refused(*copy, "--blocks", "2", "--blocks", "3", sass, words="the block 0,0,0 is to run twice")
refused(*copy, "--blocks", "all", "--blocks", "1", sass, words="--blocks all leaves no other block")
refused(*copy, "--expect", "rounds=0", sass, words="the numbers here are requests, transactions")
nothing = *sm_90, "_Z4copyPjPKjj", "--block", "32", "--arg", "buffer:4", "--arg", "buffer:4", "--arg", "u32:0", sass
refused(*nothing, "--expect", "transactions=0", words="nothing was counted here, so there is no transactions")
check(run("complete", "binary", "--machine", "gfx9")[1].split() == ["gfx90a", "gfx942", "gfx950"], "machines complete")
check(run("complete", "binary", "--machine", "H1")[1].split() == ["H100"], "machines complete by another name, as it was begun")
every_binary = run("complete", "binary", "--machine", "")[1].split()
check("sm_90" in every_binary and "gfx1100::wave64" in every_binary, "machines of binaries")
for machine in every_binary:
    status, out, err = run("binary", "--machine", machine, "--block", "32", given="")
    check(status == 2 and "no machine" not in err and "are not read" not in err, f"{machine} is read: {err}")

# ---- Refusals ----

refused("cost", "cc91", "load", "32", "--at", "lane * 4", words="there is no machine cc91; the nearest names are cc90")
refused("cost", "cc90", "laod", "32", "--at", "lane * 4", words="cuda::cc90 has no instruction laod, or no source tells what it costs; the nearest names are load")
refused("cost", "gfx942", "ds_read2", "64", "--at", "0", words="with all its arguments, as ds_read2<32, 0, 1> or ds_read2<64, 0, 1>")
refused("cost", "gfx1310", "ds_load", "32", "--at", "0", words="no source tells what an instruction of rdna::gfx1310 costs")
refused("cost", "cc90", "load", "--at", "0", words="cuda::cc90::load has a width, which is not given: 8, 16, 32, 64, 128")
refused("cost", "cc90", "load", "33", "--at", "lane * 4", words="has no width 33; it has 8, 16, 32, 64, 128")
refused("cost", "cc90", "shared_load<32>", "64", "--at", "lane * 8", words="cuda::cc90::shared_load<32> has no width 64; it has 32")
check(run("cost", "cc90", "shared_load<32>", "32", "--at", "lane * 4")[0] == 0, "the control: the width that the name has")
refused("cost", "cc90", "load", "32", "--at", "lane * 3", words="lane 1, address 0x3: the address is not a multiple of this instruction's alignment, 4 bytes")
refused("cost", "cc90", "shared_load", "32", "--at", "lane * 32768", words="of this machine's shared memory or LDS, 233472 bytes")
refused("cost", "cc90", "load", "32", "--at", "lane - 1", words="is -1, which is not an integer from 0 to 2^64 - 1")
refused("cost", "cc90", "load", "32", "--at", "lane * pitch", words="names pitch, which has no value")
refused("cost", "cc90", "load", "32", "--at", "[exec ls]", words="which is not a name, an integer or an operator of C")
refused("cost", "cc90", "load", "32", "--at", "f(lane)", words="calls f, and an expression calls no function")
refused("cost", "cc90", "load", "32", "--at", "lane *", words="'lane *': missing operand at its end")
refused("cost", "cc90", "load", "32", "--at", "lane * * 4", words="'lane * * 4': missing operand before '* 4'")
refused("cost", "cc90", "load", "32", "--at", "lane lane", words="'lane lane': missing operator before 'lane'")
refused("cost", "cc90", "load", "32", "--at", "1" * 100000, words="an expression has 100000 characters, and may have 4096")
refused("cost", "h" * 3000, "load", "32", "--at", "0", words="h...; the nearest names are h")
refused("cost", "cc90", "h" * 3000, "32", "--at", "0", words="h..., or no source tells what it costs; the nearest names are ")
# A 0 in front is C's octal in an expression, and refused elsewhere.
octal = "'010' has a 0 in front, which makes a number octal in C: write it without"
load = "cost", "cc90", "load"
refused(*load, "32", "--at", "lane * k", "--let", "k=010", words="'k=010': " + octal)
refused(*load, "32", "--at", "lane * k", "--over", "k=010", words="'k=010': " + octal)
refused(*load, "010", "--at", "lane", words=octal)
refused(*load, "32", "--at", "lane * 4", "--expect", "transactions=010", words="--expect 'transactions=010': " + octal)
refused(*load, "32", given="010", words="standard input, line 1: " + octal)
refused(*counters, "--blocks", "010", given="{}", words="--blocks: " + octal)
check(site(*load, "8", "--at", "lane * k", "--let", "k=0x010")["transactions"] == 16, "the control: hexadecimal digits")
check(site(*load, "8", "--at", "lane * k", "--let", "k=0")["transactions"] == 1, "the control: 0")
refused("cost", "cc90", "load", "32", "--at", "08", words="'08' has '08', and after a 0 stand octal digits")
refused("cost", "cc90", "load", "32", "--at", "lane", "--active", "1 << 32", words="names lanes beyond the 32")
# An empty word, such as the value of an unset shell variable, is refused: it does not stand for an option that is left out.
for option, *asked in [("--at", "cost", "cc90", "load", "32"), ("--active", "cost", "cc90", "load", "32", "--at", "0"),
                       ("--active", *transpose_tile), ("--block", "binary", sass), ("--shared", "binary", "--block", "32", sass),
                       ("--html", *whole), ("--sarif", *whole), ("--shared", *whole), ("--local", *whole), ("--expect", *whole[:-2]),
                       ("--report", "run", "--machine", "h100", "app.cu"), ("--numbers", "run", "--machine", "h100", "app.cu"),
                       ("--keep", "run", "--machine", "h100", "app.cu"), ("--cxx", "run", "--machine", "h100", "app.cu")]:
    refused(*asked, option, "", words=f"the value of {option} is empty: leave the option out, or give it a value")
check(run(*transpose[:-1], "")[0] == 0, "the control: an empty word is a part of each kernel's name")
for name in "tcl_precision", "env", "tcl_platform", "errorCode", "of_lane":
    has(site("cost", "cc90", "shared_load", "32", "--at", f"lane * {name}", "--let", f"{name}=128"), rounds=32)
for bits in 64, 70, 268435456:
    refused("cost", "cc90", "load", "32", "--at", f"1 << {bits}", words=f"'1 << {bits}' takes more than 64 bits")
has(site("cost", "cc90", "load", "8", "--at", "(1 << 64) - 1 - lane"), transactions=1)
refused("cost", "cc90", "load", "32", "--at", "lane ** 2", words="'lane ** 2' has '**', which is not an operator of C")
refused("cost", "cc90", "load", "32", "--at", "env * * lane", "--let", "env=1", words="'env * * lane': missing operand before '* lane'")
refused("cost", "cc90", "load", "32", "--at", "lane", "--let", "pitch", words="'pitch' is not NAME=NUMBER")
refused("cost", "cc90", "load", "32", "--at", "step * 4", "--let", "step=5", "--over", "step=3", words="--let gives step a value, and --over counts it")
refused(*transpose_tile, "--let", "k=5", "--over", "k=3", words="--let gives k a value, and --over counts it")
refused("cost", "cc90", "load", "32", "--at", "lane", "--over", "a=9999999", words="more than 1048576 points")
refused("cost", "cc90", "load", "32", "--at", "lane * 4", "--expect", "conflicts=0", words="the numbers here are requests, transactions")
refused("cost", "cc90", "load", "32", "--at", "lane * 4", "--expect", "lines", words="is not NAME=NUMBER, NAME<=NUMBER or")
refused("cost", "cc90", "load", "32", "--nonsense", words="show examples")
refused("cost", "cc90", "load", "32", words="standard input has no address")
refused("cost", "cc90", "load", "32", given="1 2 3", words="ends at lane 3 of an access")
refused("cost", "cc90", "load", "32", given="0\nx", words="standard input, line 2: 'x' is not an address")
refused("draw", "cc90", "constant_load", "32", "--at", "0", words="no figure of this instruction")
refused("compare", "load<31>", "--at", "lane * 4", words="no machine has load<31>; the nearest names are load<32>")
refused("suggest", "--rows", "32", "--columns", "32", "--bytes", "4", "--use", "cc90::load<32>", "0", "lane",
        words="whose rounds a source tells")
refused("suggest", "--rows", "32", "--columns", "32", "--bytes", "4", "--use", "cc90::shared_load<32>", "lane + 1", "0",
        words="beyond its row of the tile")
refused("suggest", "--rows", "3200", "--columns", "3200", "--bytes", "4", "--use", "cc90::shared_load<32>", "lane", "0",
        words="more bytes than a use's memory, 233472 bytes")
refused(*transpose_tile, "--active", "0", words="suggest: no lane of a use is active")
check(run(*transpose_tile, "--active", "step == lane", "--over", "step=33")[0] == 0, "the control: one access of 33 has no active lane")
refused("suggest", "--rows", "0", "--columns", "32", "--bytes", "4", "--use", "cc90::shared_load<32>", "lane", "0",
        words="an extent of the tile is less than 1")
refused("compare", "cc91::load<32>", "--at", "lane * 4", words="there is no machine cc91; the nearest names are cc90")
refused("run", "--machine", "cc91", "app.cu", words="there is no machine cc91; the nearest names are cc90")
refused("run", "--machine", "cc90", "/nowhere/app.cu", words="/nowhere/app.cu: this file cannot be read")
refused("cots", words="there is no subcommand cots; the nearest names are cost")
refused(words="show examples")

# ---- Machines: each spelling means the same, in every subcommand, and a wrong one is refused by each ----

tiny = ".target sm_90\n.text.k:\n/*0000*/ EXIT ;\n"
tile = "suggest", "--rows", "32", "--columns", "32", "--bytes", "4", "--use"
of_nvidia = {
    "cost": lambda m: run("cost", m, "shared_load", "32", "--at", "lane * 128", "--json"),
    "explain": lambda m: run("explain", m, "shared_load", "32", "--at", "lane * 128"),
    "draw": lambda m: run("draw", m, "shared_load", "32", "--at", "lane * 128"),
    "compare": lambda m: run("compare", m + "::cp_async<16>::shared", "--at", "lane * 16", "--json"),
    "suggest": lambda m: run(*tile, m + "::shared_load<32>", "lane", "0"),
    "replay": lambda m: run("replay", m, f"{traces}/plain.trace", "--format", "plain", "--kernel", "gather", "--json"),
    "binary": lambda m: run("binary", "--machine", m, "--block", "32", given=tiny),
    "counters": lambda m: run("counters", "-", f"{profiles}/made_by_hand_report.csv", given=json.dumps({**daxpy, "machine": m, "unknown": []})),
    "list": lambda m: run("list", m, "--json"),
}
subcommands = set(run("complete", "")[1].split()) - {"run", "merge"}  # tests/host/run/programs.py asks run, with compilers; merge takes no machine's name
check(subcommands == set(of_nvidia), f"every subcommand is asked: {subcommands ^ set(of_nvidia)}")
spellings = "CC90", "cuda::cc90", "CUDA::CC90", "sm_90", "SM_90", "sm90", "sm_90a", "sm_90f", "compute_90", "CC 9.0", "cc9.0", "9.0", "9.0a", \
    "h100", "H100", "H-100", "cuda::h100", "H200", "gh200"
for subcommand, ask in of_nvidia.items():
    right = ask("cc90")
    check(right[0] != 2, f"{subcommand} about cc90: {right}")
    for spelling in spellings:
        check(ask(spelling) == right, f"{subcommand} about {spelling}: {ask(spelling)}")
    for wrong in "cc91", "sm_90b", "sm_91a", "h1000", "90", "sm_", "cc", "9.0+ptx", "titan_x", "rdna::h100", "cuda::", "cc90:xnack+", "":
        status, out, err = ask(wrong)
        if subcommand == "list" and wrong == "":
            continue  # as no machine: all of them
        check(status == 2 and out == "" and not OURS.search(err), f"{subcommand} about {wrong!r} is refused: {status} {err}")
        check("there is no machine " + wrong in err or wrong in ("", "cuda::"), f"{subcommand} says of {wrong!r}: {err}")
    status, out, err = ask("cc90::wave64")
    check(status == 2 and "cuda::cc90 has waves of one size" in err, f"{subcommand} about cc90::wave64: {err}")
for subcommand, machine in ("cost", None), ("replay", None), ("binary", "cuda::cc90"), ("compare", None):
    out = json.loads(run("binary", "--machine", "H100", "--block", "32", "--json", given=tiny)[1]) if subcommand == "binary" else \
        json.loads(of_nvidia[subcommand]("H100")[1])
    check((out["rows"][0] if subcommand == "compare" else out)["machine"] == "cuda::cc90", f"the machine in the JSON of {subcommand}")
amd = [("GFX942", "gfx942"), ("cdna::gfx942", "gfx942"), ("MI300X", "gfx942"), ("mi 300x", "gfx942"), ("cdna::MI325X", "gfx942"),
       ("gfx942:sramecc+:xnack-", "gfx942"), ("gfx942:xnack-:sramecc+", "gfx942"), ("GFX942:XNACK+", "gfx942"),
       ("cdna::gfx942:sramecc-", "gfx942"), ("rx7900xtx", "gfx1100"), ("RX 7900 XTX", "gfx1100"), ("W7900", "gfx1100"),
       ("GFX1100::WAVE64", "gfx1100::wave64"), ("rdna::gfx1100::wave64", "gfx1100::wave64"), ("W7900::wave64", "gfx1100::wave64")]
of_amd = {
    "cost": lambda m: run("cost", m, "ds_read" if "942" in m or "3" in m else "ds_load", "64", "--at", "lane * 8", "--json"),
    "compare": lambda m: run("compare", m + ("::ds_read<64>" if "942" in m or "3" in m else "::ds_load<64>"), "--at", "lane * 8"),
    "suggest": lambda m: run(*tile, m + ("::ds_read<32>" if "942" in m or "3" in m else "::ds_load<32>"), "lane % 32", "0"),
    "replay": lambda m: run("replay", m, "--format", "plain", "--json", given=plain_head + "end\n"),
    "binary": lambda m: run("binary", "--machine", m, "--block", "64", given=".amdhsa_kernel k\n"),
    "list": lambda m: run("list", m),
}
for subcommand, ask in of_amd.items():
    for spelling, name in amd:
        check(ask(spelling) == ask(name), f"{subcommand} about {spelling}: {ask(spelling)}")
    for wrong in "gfx942:xnack", "gfx942:xnack+:xnack-", "gfx942:tgsplit+", "gfx942:", "gfx1100:xnack+", "gfx1010:sramecc+", "mi300", "cdna::gfx1100":
        if wrong.endswith(":") and subcommand in ("compare", "suggest"):
            continue  # gfx942:::ds_read is gfx942 and :ds_read
        check(ask(wrong)[0] == 2 and "there is no machine " + wrong in ask(wrong)[2], f"{subcommand} about {wrong}: {ask(wrong)}")
check(json.loads(of_amd["cost"]("W7900::wave64")[1])["sites"][0]["instruction"] == "wave64::ds_load<64>", "waves of 64 lanes")
check(json.loads(of_amd["cost"]("W7900::wave64")[1])["machine"] == "rdna::gfx1100", "the machine of waves of 64 lanes")
refused("cost", "H101", "load", "32", "--at", "0", words="there is no machine H101; the nearest names are h100, ")
refused("cost", "GFX943", "load", "32", "--at", "0", words="there is no machine GFX943; the nearest names are gfx942")
# The targets that name features are those that a compiler takes.
if shutil.which("clang++-22"):
    for chip in [each.split("::")[1] for each in listed if each.startswith(("cdna", "rdna"))]:
        for feature in "xnack+", "sramecc-":
            done = subprocess.run(["clang++-22", "-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", f"--offload-arch={chip}:{feature}", "-",
                                   "-fsyntax-only"], input="", capture_output=True, text=True)
            check((done.returncode == 0) == (run("list", f"{chip}:{feature}")[0] == 0), f"{chip}:{feature} for clang: {done.stderr}")

# ---- What cannot be written or read ----

asks = [("cost", "cc90", "load", "32", "--at", "lane * 4"), ("cost", "cc90", "load", "32", "--at", "lane * 4", "--json"),
        ("cost", "cc90", "load", "32", "--at", "lane * 4", "--expect", "transactions=4"),
        ("cost", "cc90", "load", "32", "--at", "lane * 4", "--expect", "transactions=5"),
        ("explain", "cc90", "load", "32", "--at", "lane * 4"), ("explain", "cc90", "load", "32", "--at", "lane * 4", "--json"),
        ("draw", "cc90", "load", "32", "--at", "lane * 4"), ("draw", "cc90", "load", "32", "--at", "lane * 4", "--svg"),
        ("compare", "load<32>", "--at", "lane * 4"), ("compare", "load<32>", "--at", "lane * 4", "--json"), transpose_tile, (*transpose_tile, "--json"),
        transpose, (*transpose, "--json"), whole, (*sm_90, plain, *tile_launch, "--arg", "i32:64", sass),
        (*sm_90, plain, *tile_launch, "--arg", "i32:64", "--json", sass), ("counters", f"{work.name}/daxpy.json", *counters[2:], "--blocks", "131072"),
        ("merge", f"{work.name}/seen.json"), ("list",), ("list", "cc90"), ("list", "--json"), ("--help",), ("--version",), ("cost", "--help"), ("complete", "cost", "")]
with open(f"{work.name}/daxpy.json", "w") as file:
    json.dump({**daxpy, "unknown": []}, file)
with open(f"{work.name}/seen.json", "w") as file:
    file.write(run(*transpose, "--json")[1])
check(subcommands <= {each[0] for each in asks}, "every subcommand is asked to write")
for arguments in asks:
    for place, cannot in ("/dev/full", True), ("/dev/null", False):
        with open(place, "w") as out:
            done = subprocess.run([COMMAND, *arguments], stdout=out, stderr=subprocess.PIPE, text=True, timeout=300)
        if cannot:
            check(done.returncode == 2 and "standard output cannot be written" in done.stderr, f"{arguments} to {place}: {done}")
        else:  # the control
            check(done.returncode != 2 and "cannot be written" not in done.stderr, f"{arguments} to {place}: {done}")
closed = subprocess.run(["bash", "-c", f"{COMMAND} list >&-"], capture_output=True, text=True)
check(closed.returncode == 2 and "standard output cannot be written" in closed.stderr, "standard output is closed")

no_memory = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))


def refused_early(*arguments, words, stdin=subprocess.DEVNULL):
    """Refused with half a gigabyte of memory, before any is filled."""
    done = subprocess.run([COMMAND, *arguments], stdin=stdin, capture_output=True, text=True, timeout=300, preexec_fn=no_memory)
    check(done.returncode == 2 and done.stdout == "" and words in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {done}")


# If the system starts no more threads, the threads that there are do all the work. Here two more have room for a stack.
stack, memory = 3 << 30, 8 << 30
no_threads = lambda: (resource.setrlimit(resource.RLIMIT_STACK, (stack, resource.getrlimit(resource.RLIMIT_STACK)[1])),
                      resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
may_set_stack = resource.getrlimit(resource.RLIMIT_STACK)[1] == resource.RLIM_INFINITY
for asked in (("replay", "cc90", *[f"{traces}/plain.trace"] * 9, "--format", "plain"), (*copy, "--blocks", "0,0,0", "--blocks", "1,0,0",
              "--blocks", "2,0,0", "--blocks", "3,0,0", sass)):
    if may_set_stack:
        check(run(*asked, "--jobs", "8", preexec_fn=no_threads) == run(*asked), f"threads that do not start: {asked[0]}")

binary_of = *sm_90, "_Z4copyPjPKjj", "--block", "32", "--arg"
page_of_a_report = f"{profiles}/made_by_hand_report.csv"
for file, is_what in (work.name, " is a folder, and not a file"), ("/dev/zero", " is not a text: it has a byte 0"), \
        ("/dev/urandom", " is not a text: it has a byte 0"):
    refused_early("binary", "--machine", "sm_90", "--block", "32", file, words=file + is_what)
    refused_early("counters", file, page_of_a_report, words=file + is_what)
    refused_early("counters", f"{work.name}/daxpy.json", file, words=file + is_what)
    given = os.open(file, os.O_RDONLY)
    refused_early("cost", "cc90", "load", "32", words="standard input" + is_what, stdin=given)
    refused_early("binary", "--machine", "sm_90", "--block", "32", words="standard input" + is_what, stdin=given)
    refused_early("replay", "cc90", "--format", "plain", stdin=given, words="coalesce: ")
    os.close(given)
refused_early(*binary_of, f"buffer:64={work.name}", sass, words=f"{work.name} is a folder, and not a file")
refused_early(*binary_of, "buffer:64=/dev/zero", sass, words="/dev/zero has more than 64 bytes")
refused_early(*binary_of, "buffer:64=-", words="standard input", stdin=open("/dev/zero", "rb"))
refused("binary", "--machine", "sm_90", "--block", "32", "--arg", "buffer:64=-", given=tiny, words="only one file is standard input")
refused_early("replay", "cc90", work.name, "--format", "plain", words=f"this is a folder, and not a trace: {work.name}")
refused_early("replay", "cc90", "/dev/zero", "--format", "plain", words="zero, line 1: the line has more than 65,536 bytes")
refused_early("replay", "cc90", "/dev/urandom", "--format", "mem_trace", words="urandom, line ")
# A pipe without an end: a text has 1 GiB at most. A short one is read, from a named pipe too.
endless = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
done = subprocess.run([COMMAND, "binary", "--machine", "sm_90", "--block", "32"], stdin=endless.stdout, capture_output=True, text=True, timeout=300)
endless.kill()
check(done.returncode == 2 and "standard input has more than 1073741824 bytes" in done.stderr, f"a pipe without an end: {done}")
os.mkfifo(f"{work.name}/pipe")
writes = subprocess.Popen(["bash", "-c", f"cat {sass} >{work.name}/pipe"])
check(run(*sm_90, "copy", *args[:-1], f"{work.name}/pipe") == by_its_name, "a named pipe")
writes.wait()

# ---- Help and completion ----

for subcommand in "cost", "explain", "draw", "compare", "suggest", "replay", "binary", "counters":
    status, out, err = run(subcommand, "--help")
    check(status == 0 and f"  coalesce {subcommand} " in out, f"{subcommand} --help shows an example")
check("\n  coalesce cost h100 shared_load 32 --at" in run("--help")[1], "--help shows an example")
check(run("--help")[0] == 0 and "Exit status: 0 answered, 1 an --expect failed, 2 refused" in run("--help")[1], "--help")
check(run("complete", "cost", "sm_9")[1].split() == ["sm_90"] and run("complete", "cost", "SM_9")[1].split() == ["SM_90"], "other names complete")
check(run("complete", "list", "cuda::h")[1].split() == ["cuda::h200", "cuda::h100"], "a name with its family completes")
check(run("complete", "cost", "sm_90a")[1].split() == ["sm_90a"] and run("complete", "cost", "xyz")[1] == "", "a spelling that is whole")
check(run("complete", "cost", "H100", "shared_l")[1] == "shared_load\n", "instructions of a machine in any spelling complete")
check(run("complete", "cost", "")[1].split()[:2] == ["cc10", "cc11"] and "h100" not in run("complete", "cost", "")[1].split(), "machines")
check(run("complete", "su")[1] == "suggest\n", "subcommands complete")
check(run("complete", "cost", "cc9")[1] == "cc90\n", "machines complete")
check(run("complete", "cost", "cc90", "shared_l")[1] == "shared_load\n", "instructions complete")
check(run("complete", "cost", "cc90", "shared_load", "")[1].split() == ["8", "16", "32", "64", "128"], "widths complete")
check(run("complete", "cost", "--e")[1] == "--expect\n", "options complete")

# ---- The page: its commands say what it quotes ----

page = open(os.path.join(os.path.dirname(__file__), "../../../include/coalesce/manual/command.md")).read()
blocks = re.findall(r"```sh command\n(.*?)```\n\n```text\n(.*?)```", page, re.S)
check(len(blocks) == page.count("```sh command") and len(blocks) >= 4, "each block of commands has its output")
folder = os.path.dirname(os.path.abspath(COMMAND))
for commands, quoted in blocks:
    done = subprocess.run(["bash", "-c", commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                          cwd=work.name, env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
    check(done.stdout == quoted, f"the page quotes\n{quoted}and the command says\n{done.stdout}")
example = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])
status, out, err = run("cost", "cc90", "shared_load", "32", "--at", "lane * 128", "--json")
check(json.loads(out) == example, "the page's JSON is the command's")

checks.end("the command answers")
