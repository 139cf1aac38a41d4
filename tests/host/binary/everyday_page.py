#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the table of everyday.md anew: everyday_page.py BUILD, after the tests binary.everyday.* have run in BUILD,
which leave AMD's texts there. A number that is wrong is printed, and a number that grows is a defect, too."""
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
build = pathlib.Path(sys.argv[1]) / "tests/host/binary/amd"
texts = {f"sm_{n}": here / f"nvidia/text/everyday_{n}.sass" for n in (80, 90, 100, 120)}
texts |= {f"gfx{n}": build / f"gfx{n}.everyday/kernels.txt" for n in ("90a", "942", "950", "1030", "1100", "1201")}
cells, reasons = {}, {}
for target, text in texts.items():
    said = subprocess.run([build / "coalesce.binary.everyday", target, text], capture_output=True, text=True).stdout
    print("\n".join(line for line in said.splitlines() if not re.match(r"\||\w+: not yet", line)))
    for line in said.splitlines():
        if row := re.fullmatch(r"\| (\w+) \| (.*) \|", line):
            cells.setdefault(row[1], {})[target] = row[2]
        if row := re.fullmatch(r"(\w+): not yet: (.*)", line):
            why = re.sub(r"\bline \d+(: |, )", "", re.sub(r"0x[0-9a-f]{9,}", "ADDRESS", row[2]))
            reasons.setdefault((row[1], why), []).append(target)
order = re.findall(r'row_of\("(\w+)"', (here / "everyday_rows.inc").read_text())
lines = ["| kernel | " + " | ".join(texts) + " |", "|---" * (1 + len(texts)) + "|"]
lines += [f"| {name} | " + " | ".join(cells[name][target] for target in texts) + " |" for name in order]

def counted(target):
    """How many kernels are exact, bounded, bounded by round, not answered; and the median of bound over worst."""
    all_of = [cells[name][target] for name in order]
    above = sorted(float(cell.split()[-1]) for cell in all_of if re.search(r"\d", cell))
    return [sum(cell == "exact" for cell in all_of), sum(cell[0].isdigit() for cell in all_of),
            sum(cell.startswith("round") for cell in all_of), all_of.count("not yet"), above[len(above) // 2]]


lines += ["", "| target | exact | upper bounds | of a round | not yet | bound over worst, median |", "|---|---|---|---|---|---|"]
lines += [f"| {target} | " + " | ".join(map(str, counted(target))) + " |" for target in texts]
lines += ["", "## Not yet", ""] + [f"- {name} ({', '.join(on)}): {why}" for (name, why), on in sorted(reasons.items())]
page = here / "everyday.md"
head, _, _ = page.read_text().partition("| kernel |")
page.write_text(head + "\n".join(lines) + "\n")
