#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""`coalesce merge`: traces that were cut into parts give the recording of the whole, whatever the order and the groups.

merge.py COALESCE
"""
import json
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources
from checks import Checks

checks = Checks(sys.argv[1])
run, check = checks.run, checks.check


def merged(*recordings):
    status, out, err = run("merge", "-", given="\n".join(json.dumps(each) for each in recordings))
    check(status == 0, f"merge answers: {err}")
    return json.loads(out) if status == 0 else None


def refused(recordings, words):
    checks.refused("merge", "-", given="\n".join(json.dumps(each) for each in recordings), words=words)


def replayed(blocks):
    text = "coalesce trace 1\nkernel k\n" + "".join(blocks) + "end\n"
    status, out, err = run("replay", "cc90", "-", "--format", "plain", "--json", given=text)
    check(status == 0, f"a trace is replayed: {err}")
    return json.loads(out)


# ---- The property: any cut, any order, any groups ----

dice = random.Random(40)


def block(number):
    lines = [f"block {number} 0 0\n"]
    for warp in range(dice.randrange(1, 4)):
        lines.append(f"warp {warp}\n")
        for _ in range(dice.randrange(1, 5)):
            memory, kind = dice.choice([("global", "load"), ("global", "store"), ("shared", "load"), ("shared", "store"), ("global", "atomic")])
            size = dice.choice([4, 8, 16]) if kind != "atomic" else 4
            at = f"k.cu:{dice.randrange(8, 12)}" + dice.choice(["", ":3", ":9"])
            start, stride = size * dice.randrange(64), size * dice.choice([1, 2, 32, 33])
            lines.append(f"{kind} {memory} {size} a@{at} {hex(dice.randrange(1, 2**32))} {start}+{stride}\n")
    return "".join(lines)


def groups_of(parts):
    """The parts in another order, merged in groups, and those merged."""
    parts = parts[:]
    dice.shuffle(parts)
    while len(parts) > 1:
        count = dice.randrange(2, len(parts) + 1)
        parts = [merged(*parts[:count]), *parts[count:]]
        dice.shuffle(parts)
    return parts[0]


for _ in range(12):
    blocks = [block(number) for number in range(dice.randrange(2, 9))]
    cuts = sorted(dice.sample(range(1, len(blocks)), dice.randrange(1, len(blocks))))
    parts = [replayed(blocks[a:b]) for a, b in zip([0, *cuts], [*cuts, len(blocks)])]
    whole = merged(replayed(blocks))
    check(merged(*parts) == whole, "the parts add up to the whole")
    check(groups_of(parts) == whole, "in any order and groups")
    check(merged(*parts[1:]) != whole, "the control: a part less is another sum")
    check(merged(*parts, parts[0]) != whole, "the control: a part twice is another sum")

# The whole has the sites of the run itself, which stand in the order in which they were reached.
whole = replayed(blocks)
sites = lambda of: sorted(json.dumps(each, sort_keys=True) for each in of["sites"])
check(sites(merged(whole)) == sites(whole), "a run alone is unchanged")

# ---- By hand ----

site = {"at": "0x10", "opcode": "LDS", "source": "k.cu:9", "array": "t", "space": "shared", "kind": "load", "bits": 32,
        "instruction": "shared_load<32>", "issued": 1, "rounds": 4, "conflicts": 3, "phases": 1, "ways": 4}
part = {"machine": "cuda::cc90", "kernel": "k", "blocks": 1, "sites": [site], "unknown": []}
other = {**part, "blocks": 2, "sites": [{**site, "issued": 2, "rounds": 6, "conflicts": 4, "phases": 2, "ways": 3}]}
sum_of_both = merged(part, other)
check(sum_of_both == {**part, "blocks": 3, "sites": [{**site, "issued": 3, "rounds": 10, "conflicts": 7, "phases": 3, "ways": 4}]},
      f"sums, and maxima: {sum_of_both}")
bound = {**part, "at_most": True, "sites": [{**site, "at_most": True}]}
check(merged(part, bound)["sites"][0]["at_most"] is True and merged(part, bound)["at_most"] is True, "a sum with a bound is a bound")
check("at_most" not in merged(part, part), "the control: a sum without one is none")
# LDS at line 9 is before LDS at line 10, though "10" is before "9" as words.
later = {**part, "sites": [{**site, "source": "k.cu:10"}]}
check([each["source"] for each in merged(later, part)["sites"]] == ["k.cu:9", "k.cu:10"], "in the order of the lines")
check(len(merged(part, {**part, "sites": [{**site, "column": 3}]})["sites"]) == 2, "columns are told apart")
two = merged(part, {**part, "kernel": "l"})
check([each["kernel"] for each in two] == ["k", "l"], "kernels are told apart, in a list")
check(merged(two, part)[0]["blocks"] == 2, "a list is merged, too")
unknown = {**part, "unknown": [{"at": None, "opcode": "LDG", "source": None, "why": "no mask", "issued": 2}]}
check(merged(unknown, part, unknown)["unknown"] == [{**unknown["unknown"][0], "issued": 4}], "unknown ones add up")
thrice = {**unknown, "unknown": 3 * unknown["unknown"]}
check(merged(thrice) == thrice, "several of one recording stay several")
check(merged(merged(thrice, unknown), thrice)["unknown"] == [{**unknown["unknown"][0], "issued": n} for n in (6, 4, 4)], "whatever the groups")
# What a replay skipped has its place as sites have it: without a file, the line and the column stand by themselves.
reads = "".join(f'{{"kernel_name": "k","dispatch_id": 1,"exec": 1,"timestamp": 8,"dwarf_line": 33,"dwarf_column": {column},"block_idx_x": 0,'
                '"block_idx_y": 0,"block_idx_z": 0,"wave_num": 0,"xcc_id": 0,"se_id": 0,"cu_id": 0,"active_lane_count": 1,"user_type": 0,'
                '"op_type": "read","addresses": [64]}\n' for column in (3, 9, 9))
status, out, err = run("replay", "gfx942", "-", "--format", "omniprobe", "--bytes", "4", "--json", given=reads)
skips = json.loads(out)
check([(each["source"], each.get("line"), each.get("column"), each["issued"]) for each in skips["unknown"]] == [(None, 33, 3, 1), (None, 33, 9, 2)],
      f"a place of what was skipped: {out}{err}")
check(merged(skips) == skips, "a recording with what was skipped is unchanged")
assumed = [{**bound, "assumed": ["b", "a"], "unchecked": "x"}, {**bound, "assumed": ["c", "a"], "unchecked": "y"}]
check([merged(*assumed)[name] for name in ("assumed", "unchecked")] == [["a", "b", "c"], ["x", "y"]], "sentences are all kept")
check(merged(merged(*assumed), part) == merged(part, *reversed(assumed)), "in any order")

# ---- Gates: what stands per iteration stays out of totals ----


def gate(recordings, *expected):
    status, out, err = run("merge", "-", *(word for each in expected for word in ("--expect", each)),
                           given="\n".join(json.dumps(each) for each in recordings))
    return status, err


check(gate([part, other], "conflicts=7", "issued=3") [0] == 2, "issued is no number of a gate")
check(gate([part, other], "conflicts=7", "ways=4") == (0, ""), "a gate that holds")
check(gate([part, other], "conflicts=6") == (1, "coalesce: expected conflicts=6, and conflicts is 7\n"), "and one that fails")
check(gate([part, bound], "conflicts<=6") == (0, "") and gate([part, bound], "conflicts=6")[0] == 1, "a bound shows no sum")
of_loop = {**bound, "sites": [{**site, "at_most": True, "per_iteration": 7}]}
check(merged(of_loop, of_loop)["sites"][0] == {**site, "at_most": True, "per_iteration": 7, "issued": 2, "rounds": 8, "conflicts": 6, "phases": 2},
      "warps' rounds add up")
check("leaves out the loop at line 7" in gate([part, of_loop], "conflicts<=99")[1], "no gate passes over a loop")
check("unknown is 3" in gate([thrice, unknown], "unknown<=2")[1] and gate([thrice, unknown], "unknown=3")[0] == 0, "each is counted")
check("unknown is 1" in gate([part, unknown], "conflicts<=9")[1] and gate([unknown], "conflicts=3", "unknown=1")[0] == 0, "nor over what has no number")

# No source tells the conflicts of CDNA's ds_atomic, so no gate on them passes over it, whatever it was merged with.
atomic = {"at": None, "opcode": None, "source": "k.py:2", "array": "t", "space": "shared", "kind": "atomic", "bits": 32,
          "instruction": "ds_atomic<32>", "issued": 1, "operations": 32, "lanes_on_one_address": 1}
with_atomic = {**part, "machine": "cdna::gfx942", "sites": [{**site, "instruction": "ds_read<32>"}, atomic]}
check(gate([with_atomic], "conflicts<=9") == (1, "coalesce: expected conflicts<=9, and no source tells the conflicts of ds_atomic<32> at k.py:2\n"),
      "a gate passes over no atomic")
check(gate([with_atomic], "operations=32") == (0, ""), "the control: its operations are told")

# ---- What is refused ----

refused([part, {**part, "machine": "cuda::cc80"}], "recordings of cuda::cc80 and of cuda::cc90 do not add up")
refused([{**part, "checksum": "0x1"}, {**part, "checksum": "0x2"}], "of k are of two editions of it")
refused([{**part, "checksum": "0x1"}, part], "of two editions")
check(merged({**part, "checksum": "0x1"}, {**part, "checksum": "0x1"})["checksum"] == "0x1", "the control: one edition")
refused([{**part, "any_block": True}], "an answer about any block")
refused([{"kernel": "k", "refused": "no launch"}], "the numbers of k are missing: no launch")
refused([{**part, "blocks": None}], "it has no blocks")
refused([{**part, "colour": 1}], "a recording has colour, which merge does not know")
refused([{**part, "sites": [{**site, "colour": 1}]}], "a site with colour")
refused([{**part, "sites": [{**site, "rounds": -1}]}], "rounds is -1, and not a count")
refused([{**part, "sites": [{**site, "rounds": 1.5}]}], "rounds is 1.5, and not a count")
refused([{**part, "sites": [{**site, "rounds": 2**63}]}] * 2, "the sum of rounds is past 2^64")
# So is a sum over sites, which a gate asks: it does not wrap to 0.
halves_of_all = {**part, "sites": [{**site, "conflicts": 2**63}, {**site, "conflicts": 2**63, "source": "k.cu:10"}]}
check(gate([halves_of_all], "conflicts=0") == (2, "coalesce: the sum of conflicts is past 2^64\n"), "a sum over sites does not wrap")
fits = {**halves_of_all, "sites": [halves_of_all["sites"][0], {**halves_of_all["sites"][1], "conflicts": 2**63 - 2}]}
check(gate([fits], f"conflicts={2**64 - 2}") == (0, ""), "the control: the largest sum")
# A site has a number in each recording, or in none. One that was never executed has none.
without = {name: value for name, value in site.items() if name != "conflicts"}
for order in [part, {**part, "sites": [without]}], [{**part, "sites": [without]}, part]:
    refused(order, "a site of shared_load<32> has conflicts in one recording, and lacks it in another")
idle = {**part, "sites": [{name: value for name, value in {**site, "issued": 0}.items() if name not in ("rounds", "conflicts", "phases", "ways")}]}
check(merged(idle, part)["sites"] == merged(part, idle)["sites"] == merged(idle, part, idle)["sites"] == [site], "a site that was never executed")
# Other types, and a member twice.
refused([{**part, "kernel": 7}], "the recording's kernel is 7, and not a word")
for name, value in ("array", 5), ("at", 16), ("opcode", ["LDS"]), ("source", {}), ("instruction", True):
    refused([{**part, "sites": [{**site, name: value}]}], f"the recording's {name} is {json.dumps(value)}, and not a word")
for name, value in ("line", "9"), ("column", None), ("bits", -32), ("bits", 1.5):
    refused([{**part, "sites": [{**site, name: value}]}], f"the recording's {name} is {json.dumps(value)}, and not a count")
for name, value in ("space", "local"), ("kind", None), ("kind", "read"):
    refused([{**part, "sites": [{**site, name: value}]}], f"a site's {name} is {json.dumps(value)}, and not ")
refused([{**part, "unknown": [{**unknown["unknown"][0], "why": 1}]}], "the recording's why is 1, and not a word")
check(len(merged({**part, "kernel": None}, part)) == 2, "the control: a kernel without a name")
for twice, name in (('{"blocks": 2, ' + json.dumps(part)[1:], "blocks"),
                    (json.dumps(part).replace('"issued": 1', '"issued": 5, "issued": 1'), "issued")):
    checks.refused("merge", "-", given=twice, words=f"the JSON has {name} twice in one object")
refused([of_loop, {**of_loop, "sites": [{**of_loop["sites"][0], "per_iteration": 5}]}], "line 5 in one recording, and at line 7")
for name in "sites", "unknown":
    for given in None, {}, {"0": site}, "", 0:
        refused([{**part, name: given}], f"the recording's {name} is {json.dumps(given, separators=(',', ':'))}, and not a list")
refused([{"machine": "cuda::cc90"}], "is not a recording")
refused([], "standard input has no recording")
refused([part, 3], "is not a recording")
check(run("merge", "/nowhere.json")[2] == "coalesce: /nowhere.json cannot be read\n", "a file that is not there")
check("is not a recording" in run("merge", "-", given=json.dumps(part)[:-1])[2], "a file that is cut off")

# ---- Binaries: the checksum is that of the kernel's instructions ----

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../binary/nvidia/text/sm_90.sass")) as file:
    sass = file.read()
launch = ("--kernel", "_Z15transpose_plainPjPKjii", "--grid", "2,2", "--block", "32,8", "--arg", "buffer:16384", "--arg", "buffer:16384",
          "--arg", "u32:64", "--arg", "i32:64", "--json")


def asked(text, *blocks):
    status, out, err = run("binary", "--machine", "sm_90", *launch, *(word for each in blocks for word in ("--blocks", each)), given=text)
    check(status == 0, f"a binary is answered: {err}")
    return json.loads(out)


halves = asked(sass, "0,0,0", "1,0,0"), asked(sass, "0,1,0", "1,1,0")
check(merged(*halves) == merged(asked(sass, "all")), "the blocks of a binary add up")
check(halves[0]["checksum"] == asked("// a remark\n" + sass, "0,0,0")["checksum"], "a remark is the same edition")
head, mark, rest = sass.partition(".text._Z15transpose_plainPjPKjii:")
edited = head + mark + rest.replace("0x4", "0x8", 1)
check(mark != "" and edited != sass, "an instruction is another")
refused([halves[0], {**halves[1], "checksum": asked(edited, "0,0,0")["checksum"]}], "of two editions")
check(asked(head.replace("0x", "0x0") + mark + rest, "0,0,0")["checksum"] == halves[0]["checksum"], "another kernel's text is not in it")

# ---- Files, and a pipe ----

with tempfile.TemporaryDirectory() as folder:
    for name, of in ("a", part), ("b", other):
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(of, file)
    check(json.loads(run("merge", f"{folder}/a.json", f"{folder}/b.json")[1]) == sum_of_both, "files")

checks.end("merge: the sums are those of one run")
