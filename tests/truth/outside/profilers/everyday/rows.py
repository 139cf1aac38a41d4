# SPDX-License-Identifier: BSL-1.0
# What ncu counted of each instruction that accesses memory, as CSV: rows.py TOOLS N.ncu-rep...
# The name of a report is the number of the contents. An instruction is named by its place in the kernel, in bytes.
import pathlib
import sys

import ncu_report

COLUMNS = {
    "executed": "inst_executed",
    "tags": "memory_l1_tag_requests_global",
    "sectors": "memory_l2_theoretical_sectors_global",
    "wavefronts": "memory_l1_wavefronts_shared",
    "local_sectors": "memory_l2_theoretical_sectors_local",
}


def rows(contents, action):
    counts = {}
    for column, name in COLUMNS.items():
        metric = action.metric_by_name(name)
        places = metric.correlation_ids()
        for k in range(metric.num_instances()):
            counts.setdefault(places.as_uint64(k), {})[column] = metric.as_uint64(k)
    start = min(counts)  # the first instruction of a kernel is always executed
    for place, found in sorted(counts.items()):
        text = action.sass_by_pc(place).split()
        opcode = text[1] if text[0].startswith("@") else text[0]
        if any(column in found for column in list(COLUMNS)[1:]) or opcode.startswith(("LDL", "STL")):
            numbers = ",".join(str(found.get(column, "")) for column in COLUMNS)
            yield f"{contents},{action.name()},{place - start:#06x},{opcode},{numbers}"


print(f"# {sys.argv[1]}")
print("contents,kernel,offset,opcode," + ",".join(COLUMNS))
for path in sorted(sys.argv[2:], key=lambda path: int(pathlib.Path(path).stem)):
    of = ncu_report.load_report(path).range_by_idx(0)
    for k in range(of.num_actions()):
        for row in rows(pathlib.Path(path).stem, of.action_by_idx(k)):
            print(row)
