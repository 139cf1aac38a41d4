# SPDX-License-Identifier: BSL-1.0
"""What the memory system of a GPU does with the addresses that lanes touch, without a GPU.

>>> import gpu_coalesce as co
>>> co.cost("h100", "shared_load", 32, [128 * lane for lane in range(32)]).conflicts
31
"""
from __future__ import annotations

import functools
import json
import re
from typing import Any, Iterable, Optional, Sequence

from .command import COMMAND, Refused, ask
from .recordings import Cost, Recording, Site
from .triton import triton

__all__ = ["COMMAND", "Cost", "Picture", "Recording", "Refused", "Site", "cost", "draw", "explain", "merge", "replay", "triton"]


class Picture(str):
    """An SVG. A notebook shows it."""

    def _repr_svg_(self) -> str:
        return str(self)


def _rows_of(addresses: Iterable[Any]) -> list[list[str]]:
    """The addresses of the lanes as the command reads them, row by row. None: a lane that is not active."""
    given = list(addresses)
    are_rows = [isinstance(each, Iterable) and not isinstance(each, str) for each in given]
    if given and all(are_rows):
        return [row for each in given for row in _rows_of(each) or [[]]]
    if not given:
        return []
    if any(are_rows):
        raise Refused("some of the addresses are rows, and some are not")
    return [["-" if each is None else _address(each) for each in given]]


def _address(each: Any) -> str:
    try:
        number = int(each)
    except (OverflowError, TypeError, ValueError):
        number = -1
    if number != each or not 0 <= number < 1 << 64:
        raise Refused(f"'{each}' is not a byte address")
    return str(number)


@functools.lru_cache(maxsize=None)
def _lanes_of(*instruction: str) -> int:
    """How many lanes an access has. The command writes it in the first line of an answer."""
    said = re.search(r"1 access of (\d+) lanes?$", ask("cost", "--at", "0", "--", *instruction).partition("\n")[0])
    assert said is not None
    return int(said[1])


def _ask(verb: str, option: Optional[str], machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any],
         active: Optional[int]) -> str:
    """What a subcommand says of accesses. Refused: a row that is not one access."""
    rows = _rows_of(addresses)
    if not rows:
        raise Refused("there is no address")
    words = [machine, instruction] + ([] if width is None else [str(width)])
    lengths = {len(row) for row in rows}
    if lengths != {_lanes_of(*words)}:
        raise Refused(f"a row has an address for each of the {_lanes_of(*words)} lanes, None where it is not active: "
                      f"there {'is' if len(rows) == 1 else 'are'} {len(rows)} of {' and '.join(map(str, sorted(lengths)))}")
    options = ([] if option is None else [option]) + ([] if active is None else ["--active", hex(active)])
    return ask(verb, *options, "--", *words, given="\n".join(word for row in rows for word in row) + "\n")


def cost(machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any], active: Optional[int] = None) -> Cost:
    """What an access costs. `addresses` are the byte addresses of the lanes, or several such rows: a list or an array of numpy."""
    return Recording(json.loads(_ask("cost", "--json", machine, instruction, width, addresses, active))).sites[0].cost


def explain(machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any], active: Optional[int] = None) -> str:
    """Why it costs that much."""
    return _ask("explain", None, machine, instruction, width, addresses, active)


def draw(machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any], active: Optional[int] = None) -> Picture:
    """The picture of an access."""
    return Picture(_ask("draw", "--svg", machine, instruction, width, addresses, active))


def replay(machine: str, files: Sequence[str], format: str, *options: str) -> Recording:
    """The recording of traces. `options` are those of `coalesce replay`."""
    return Recording(json.loads(ask("replay", machine, *files, "--format", format, *options, "--json")))


def merge(recordings: Iterable[Recording]) -> Recording:
    """The recording that one run over all would give."""
    answer = json.loads(ask("merge", "-", given="\n".join(json.dumps(each.json) for each in recordings)))
    if isinstance(answer, list):
        raise Refused("the recordings are of several kernels: " + ", ".join(str(each["kernel"]) for each in answer))
    return Recording(answer)
