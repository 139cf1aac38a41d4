#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What an Nsight Compute report says of each instruction, as the CSV of its Source page, for expected_counters.

    pip install ncu-report          # NVIDIA's, under its own license; it needs neither a GPU nor ncu
    ncu --section SourceCounters -o REPORT ...
    source_page.py REPORT.ncu-rep > page.csv
    expected_counters KERNEL page.csv

Beside `ncu --import REPORT.ncu-rep --page source --csv`, which needs ncu.
"""
import csv
import sys

import ncu_report

METRICS = [
    "inst_executed",
    "memory_l1_tag_requests_global",
    "memory_l1_wavefronts_shared",
    "memory_l1_wavefronts_shared_ideal",
    "memory_l2_theoretical_sectors_global",
    "memory_l2_theoretical_sectors_global_ideal",
]


def by_address(action, name):
    """The values of a metric by the addresses of the instructions; none where it was not profiled."""
    metric = action.metric_by_name(name)
    if metric is None or not metric.has_correlation_ids():
        return {}
    addresses = metric.correlation_ids()
    return {addresses.as_uint64(k): metric.as_uint64(k) for k in range(metric.num_instances())}


def main(path):
    out = csv.writer(sys.stdout, quoting=csv.QUOTE_ALL, lineterminator="\n")
    actions = [action for group in ncu_report.load_report(path) for action in group]
    if not actions:
        sys.exit(f"{path} has no kernel: is it a report of Nsight Compute?")
    profiled = False
    for action in actions:
        values = {name: by_address(action, name) for name in METRICS}
        if not values["inst_executed"]:
            continue
        profiled = True
        out.writerow(["Kernel Name", action.name()])
        out.writerow(["Address", "Source"] + METRICS)
        for address in sorted(values["inst_executed"]):
            row = [values[name].get(address, "-") for name in METRICS]
            out.writerow([hex(address), action.sass_by_pc(address)] + row)
    if not profiled:
        sys.exit(f"{path} has no metric of single instructions: profile with --section SourceCounters")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
