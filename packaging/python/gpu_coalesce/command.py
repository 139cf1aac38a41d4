# SPDX-License-Identifier: BSL-1.0
"""Runs the command, and makes its refusals exceptions."""
from __future__ import annotations

import os
import subprocess

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "coalesce")


class Refused(ValueError):
    """What was asked has no answer. The words are the library's."""


def ask(*words: str, given: str = "") -> str:
    """What the command prints."""
    done = subprocess.run([COMMAND, *words], input=given, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(done.stderr.strip().removeprefix("coalesce: ") or f"the command ended with status {done.returncode}")
    return done.stdout
