# SPDX-License-Identifier: BSL-1.0
"""Runs the command, and makes its refusals exceptions."""
from __future__ import annotations

import os
import subprocess
import sys
from typing import Iterable, Union

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "coalesce")


class Refused(ValueError):
    """What was asked has no answer. The words are the library's."""


def environment(*first: str) -> dict[str, str]:
    """This process's environment. Programs are looked for in the folders `first`, and `python3`, whose packages the command searches for
    disassemblers, is this one."""
    folders = [*first, os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    return {**os.environ, "PATH": os.pathsep.join(each for each in folders if each)}


def ask(*words: str, given: Union[str, bytes] = "", first: Iterable[str] = ()) -> str:
    """What the command prints. `given` is its standard input; `first` are folders of programs, as in environment()."""
    done = subprocess.run([COMMAND, *words], input=given.encode() if isinstance(given, str) else given, capture_output=True,
                          env=environment(*first))
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise Refused(said.removeprefix("coalesce: ") or f"the command ended with status {done.returncode}")
    return done.stdout.decode()
