# SPDX-License-Identifier: BSL-1.0
"""The command `coalesce`, as a script of the wheel."""
import os
import sys

from .command import COMMAND


def main() -> None:
    os.execv(COMMAND, [COMMAND, *sys.argv[1:]])


if __name__ == "__main__":
    main()
