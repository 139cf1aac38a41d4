# SPDX-License-Identifier: BSL-1.0
"""What the checks of the command share: questions to it, its refusals, and a count of what does not hold."""
import os
import re
import subprocess
import sys

# What no sentence says: our own names, Tcl's mark, another library's name for an error, an end without its list.
OURS = re.compile(r"Instruction::|named: |_@_|json\.exception|basic_|%llu|[ ,:]\n|coalesce: .*coalesce: ")
for sentence in "coalesce: named: there is no", "coalesce: the numbers here are \n", "coalesce: missing operand at _@_\n":
    assert OURS.search(sentence), f"the control: {sentence!r} is found"


class Checks:
    def __init__(self, command):
        self.command, self.failed = os.path.abspath(command), 0

    def check(self, holds, what):
        if not holds:
            self.failed += 1
            print("FAILED", what)

    def run(self, *arguments, given="", **options):
        """The exit status, the output and the errors. `given` is standard input, as text or bytes."""
        given = given.encode() if isinstance(given, str) else given
        done = subprocess.run([self.command, *arguments], input=given, capture_output=True, timeout=300, **options)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def refused(self, *arguments, words, **options):
        status, out, err = self.run(*arguments, **options)
        self.check(status == 2 and out == "", f"{arguments} is refused: {status} {out}")
        self.check(err.startswith("coalesce: ") and words in err and err.count("\n") == 1, f"{arguments} says {words!r}: {err}")
        self.check(not OURS.search(err), f"{arguments} says numbers and names of the user: {err}")

    def end(self, said):
        """Ends the script with its result."""
        if self.failed:
            sys.exit(f"{self.failed} failed")
        print(said)
        sys.exit()
