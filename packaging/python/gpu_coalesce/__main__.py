# SPDX-License-Identifier: BSL-1.0
"""The command `coalesce`, as a script of the wheel."""
import os
import sys

from .command import COMMAND, environment


def main() -> None:
    os.execve(COMMAND, [COMMAND, *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
