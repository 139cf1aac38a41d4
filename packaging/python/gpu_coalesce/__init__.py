# SPDX-License-Identifier: BSL-1.0
"""What the memory system of a GPU does with the addresses that lanes touch, without a GPU.

>>> import gpu_coalesce as co
>>> co.cost("h100", "shared_load", 32, [128 * lane for lane in range(32)]).conflicts
31
"""
from __future__ import annotations

import json
from typing import Any, Iterable, Optional, Sequence

from .command import COMMAND, Refused, ask
from .recordings import Cost, Recording, Site
from .triton import triton

__all__ = ["COMMAND", "Cost", "Picture", "Recording", "Refused", "Site", "cost", "draw", "explain", "merge", "replay", "triton"]


class Picture(str):
    """An SVG. A notebook shows it."""

    def _repr_svg_(self) -> str:
        return str(self)


def _words_of(addresses: Iterable[Any]) -> str:
    """The addresses of the lanes as the command reads them. None: a lane that is not active."""
    words = []
    for each in addresses:
        if each is None:
            words.append("-")
        elif isinstance(each, Iterable) and not isinstance(each, str):
            words.append(_words_of(each))
        else:
            if isinstance(each, str) or int(each) != each:
                raise Refused(f"{each!r} is not a byte address")
            words.append(str(int(each)))
    return "\n".join(words) + "\n"


def _question(machine: str, instruction: str, width: Optional[int], active: Optional[int]) -> list[str]:
    words = [machine, instruction] + ([] if width is None else [str(width)])
    return words + ([] if active is None else ["--active", hex(active)])


def cost(machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any], active: Optional[int] = None) -> Cost:
    """What an access costs. `addresses` are the byte addresses of the lanes, or several such rows: a list or an array of numpy."""
    answer = ask("cost", *_question(machine, instruction, width, active), "--json", given=_words_of(addresses))
    return Recording(json.loads(answer)).sites[0].cost


def explain(machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any], active: Optional[int] = None) -> str:
    """Why it costs that much."""
    return ask("explain", *_question(machine, instruction, width, active), given=_words_of(addresses))


def draw(machine: str, instruction: str, width: Optional[int], addresses: Iterable[Any], active: Optional[int] = None) -> Picture:
    """The picture of an access."""
    return Picture(ask("draw", *_question(machine, instruction, width, active), "--svg", given=_words_of(addresses)))


def replay(machine: str, files: Sequence[str], format: str, *options: str) -> Recording:
    """The recording of traces. `options` are those of `coalesce replay`."""
    return Recording(json.loads(ask("replay", machine, *files, "--format", format, *options, "--json")))


def merge(recordings: Iterable[Recording]) -> Recording:
    """The recording that one run over all would give."""
    answer = json.loads(ask("merge", "-", given="\n".join(json.dumps(each.json) for each in recordings)))
    if isinstance(answer, list):
        raise Refused("the recordings are of several kernels: " + ", ".join(str(each["kernel"]) for each in answer))
    return Recording(answer)
