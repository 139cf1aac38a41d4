# SPDX-License-Identifier: BSL-1.0
"""Costs and recordings, as the command's JSON has them."""
from __future__ import annotations

import html
import json
from typing import Any, Iterable, Mapping, Optional

from .command import Refused

MAXIMA = ("ways", "lanes_on_one_address")
NUMBERS = ("clocks", "requests", "transactions", "bytes_moved", "bytes_used", "lines", "data_wavefronts", "tag_wavefronts_at_least", "quads",
           "partial_sectors", "rounds", "rounds_at_least", "conflicts", "phases", *MAXIMA, "operations")
# What each access to a space has, unless no source tells it. All other numbers are of one kind of access alone.
OF_EACH = {"shared": ("rounds", "conflicts", "phases", "ways"), "global": ("clocks", "requests", "transactions", "bytes_moved", "bytes_used")}
COLUMNS = ("issued", "transactions", "rounds", "conflicts")


class Cost:
    """The numbers of an access, or the sum of several. Asking for a number that it does not have is refused with the reason."""

    issued: int
    clocks: int
    requests: int
    transactions: int
    bytes_moved: int
    bytes_used: int
    lines: int
    data_wavefronts: int
    tag_wavefronts_at_least: int
    quads: int
    partial_sectors: int
    rounds: int
    rounds_at_least: int
    conflicts: int
    phases: int
    ways: int
    lanes_on_one_address: int
    operations: int
    at_most: bool
    """Data decide: the numbers are upper bounds."""

    def __init__(self, numbers: Mapping[str, int], at_most: bool = False, missing: Optional[Mapping[str, str]] = None) -> None:
        self.numbers = dict(numbers)
        self.at_most = at_most
        self._missing = dict(missing or {})

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name == "numbers":
            raise AttributeError(name)
        why = self._missing.get(name) or self._missing.get("")
        if why is not None and (name in NUMBERS or name == "issued"):
            raise Refused(f"{name} has no sum: {why}")
        if name in self.numbers:
            return self.numbers[name]
        raise AttributeError(f"there is no {name} here; the numbers are {', '.join(self.numbers)}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cost) and vars(self) == vars(other)

    def _reasons(self) -> list[str]:
        """Why numbers have no sum, each reason once."""
        return list(dict.fromkeys(self._missing.values()))

    def __repr__(self) -> str:
        sign = "<=" if self.at_most else "="
        parts = [f"{name}{sign}{number}" for name, number in self.numbers.items()] + [f"without a sum: {why}" for why in self._reasons()]
        return f"Cost({', '.join(parts)})"

    def _repr_html_(self) -> str:
        sign = "&le; " if self.at_most else ""
        rows = "".join(f"<tr><th>{name}</th><td>{sign}{number:,}</td></tr>" for name, number in self.numbers.items())
        rows += "".join(f"<tr><th>without a sum</th><td>{html.escape(why)}</td></tr>" for why in self._reasons())
        return f"<table>{rows}</table>"


class Site:
    """An instruction of the kernel, or an access of the source, with the cost of all that it did."""

    def __init__(self, words: Mapping[str, Any]) -> None:
        self.json = dict(words)
        self.array: Optional[str] = words.get("array")
        self.opcode: Optional[str] = words.get("opcode")
        self.space: str = words["space"]
        self.kind: str = words["kind"]
        self.bits: int = words["bits"]
        self.instruction: str = words["instruction"]
        self.per_iteration: int = words.get("per_iteration", 0)
        self.file, self.line = place_of(words)
        numbers = {name: words[name] for name in ("issued", *NUMBERS) if name in words}
        self.cost = Cost(numbers, words.get("at_most", False))

    def __repr__(self) -> str:
        each = f", in each round of the loop at line {self.per_iteration}" if self.per_iteration else ""
        return f"Site({self.file}:{self.line}, {self.space} {self.kind} {self.bits}, {self.cost!r}{each})"


def place_of(words: Mapping[str, Any]) -> tuple[str, int]:
    file, _, line = (words.get("source") or "").rpartition(":")
    return file, int(line) if line.isdigit() else words.get("line", 0)


def sum_of(sites: Iterable[Site], unknown: Iterable[Mapping[str, Any]], elsewhere: Iterable[Site] = ()) -> Cost:
    """What all sites cost together. Numbers of one round of a loop stay out of a sum, which then is none. So does what no source tells of
    a site, and what a site of `elsewhere` has, which may belong here."""
    numbers: dict[str, int] = {}
    missing: dict[str, str] = {}
    at_most = False
    for each in unknown:
        missing[""] = f"an access has no number: {each['why']}"
    sites = list(sites)
    told = {name for site in sites for name in site.cost.numbers}
    for site in sites:
        if site.cost.numbers.get("issued", 1) != 0:
            for name in OF_EACH.get(site.space, ()):
                if name in told and name not in site.cost.numbers:
                    missing[name] = f"no source tells it of {site.instruction}"
    for site in elsewhere:
        for name, number in site.cost.numbers.items():
            if number != 0:
                missing[name] = f"an access by {site.instruction} has no line, and may stand here"
    for site in sites:
        at_most = at_most or site.cost.at_most
        for name, number in site.cost.numbers.items():
            if name in MAXIMA:
                numbers[name] = max(number, numbers.get(name, 0))
            elif site.per_iteration and number != 0:
                missing[name] = f"data decide how often the loop at line {site.per_iteration} runs"
            else:
                numbers[name] = numbers.get(name, 0) + number
    # An access without a number may have any of them, so no sum is shown.
    return Cost({name: number for name, number in numbers.items() if name not in missing and "" not in missing}, at_most, missing)


class Recording:
    """What a kernel's accesses cost, place by place. It prints as a table of the source's lines."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        if "refused" in answer:
            raise Refused(f"{answer['kernel']}: {answer['refused']}")
        self.json = dict(answer)
        self.machine: str = answer["machine"]
        self.kernel: Optional[str] = answer["kernel"]
        self.blocks: Optional[int] = answer["blocks"]
        self.at_most: bool = answer.get("at_most", False)
        self.sites = [Site(each) for each in answer["sites"]]
        self.unknown: list[dict[str, Any]] = list(answer["unknown"])

    @classmethod
    def read(cls, path: str) -> "Recording":
        """The recording in a file, as `--json` wrote it."""
        with open(path) as file:
            try:
                answer = json.load(file)
            except ValueError as why:
                raise Refused(f"{path} is not JSON: {why}") from None
        if isinstance(answer, list):
            raise Refused(f"{path} has {len(answer)} recordings; Recording(each) takes one of json.load")
        return cls(answer)

    def of_line(self, line: int, file: Optional[str] = None) -> Cost:
        """The sum over the accesses at a line. `file` is the end of a file's name, where several files have such a line."""
        def is_there(words: Mapping[str, Any]) -> bool:
            return place_of(words)[1] == line and (file is None or place_of(words)[0].endswith(file))

        sites = [each for each in self.sites if is_there(each.json)]
        unknown = [each for each in self.unknown if is_there(each)]
        without_line = [each for each in self.unknown if place_of(each)[1] == 0]  # it may stand at this line
        elsewhere = [each for each in self.sites if each.line == 0]
        files = sorted({place_of(each)[0] for each in [*(site.json for site in sites), *unknown]})
        if len(files) > 1:
            raise Refused(f"line {line} is of several files: {', '.join(files)}")
        if not files:
            lines = sorted({place_of(each)[1] for each in [*(site.json for site in self.sites), *self.unknown]})
            raise Refused(f"no access is at line {line}; the lines with one are {', '.join(map(str, lines))}")
        return sum_of(sites, unknown + without_line, [each for each in elsewhere if each not in sites])

    def total(self) -> Cost:
        """The sum over all accesses."""
        return sum_of(self.sites, self.unknown)

    def rows(self) -> list[list[str]]:
        """A row for each line and kind of access, under a head."""
        groups: dict[tuple[str, int, str], list[Site]] = {}
        for site in self.sites:
            groups.setdefault((site.file, site.line, f"{site.space} {site.kind}"), []).append(site)
        table = [["line", "access", *COLUMNS, "ways"]]
        for (file, line, access), sites in sorted(groups.items(), key=lambda each: each[0]):
            row = [f"{file.rpartition('/')[2]}:{line}", access]
            for name in (*COLUMNS, "ways"):
                having = [site for site in sites if name in site.cost.numbers]
                numbers = [site.cost.numbers[name] for site in having]
                at_most = "<=" if any(site.cost.at_most and site.cost.numbers[name] for site in having) else ""
                # A loop's numbers are of one round, and do not add up with others.
                in_loop = {site.per_iteration for site in having if site.cost.numbers[name] and name not in MAXIMA}
                if not numbers:
                    row.append("-")
                elif len(in_loop) > 1:
                    row.append("several loops")
                else:
                    number = max(numbers) if name in MAXIMA else sum(numbers)
                    row.append(f"{at_most}{number}" + (" a round" if any(in_loop) else ""))
            table.append(row)
        return table

    def __str__(self) -> str:
        table = self.rows()
        widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
        lines = [f"{self.kernel or 'an access'} on {self.machine}"]
        for row in table:
            lines.append("  ".join([row[0].ljust(widths[0]), row[1].ljust(widths[1]),
                                    *(word.rjust(width) for word, width in zip(row[2:], widths[2:]))]).rstrip())
        for each in self.unknown:
            file, line = place_of(each)
            lines.append(f"unknown: {each['opcode']} at {file.rpartition('/')[2]}:{line}: {each['why']}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Recording({self.kernel!r} on {self.machine}, {len(self.sites)} sites, {len(self.unknown)} unknown)"

    def _repr_html_(self) -> str:
        head, *rows = [[html.escape(word) for word in row] for row in self.rows()]
        body = "".join("<tr>" + "".join(f"<td>{word}</td>" for word in row) + "</tr>" for row in rows)
        body += "".join(f"<tr><td colspan={len(head)}>{html.escape('unknown: {opcode}: {why}'.format(**each))}</td></tr>"
                        for each in self.unknown)
        return (f"<table><caption>{html.escape(f'{self.kernel} on {self.machine}')}</caption><tr>" +
                "".join(f"<th>{word}</th>" for word in head) + f"</tr>{body}</table>")
