#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""How far plain programs get in `coalesce run`: compiled, run, passed their own check, and why not further.

    corpus.py COALESCE MACHINE FOLDER... [--seconds 60] [--jobs 2] [--blocks 16] [--args-of FILE] [--json FILE]

Each FOLDER has a Makefile, as the programs of Rodinia and HeCBench have. Its compile commands name the sources, macros
and folders; `make run`, or a file `run`, names the arguments. Programs are fetched by whoever asks; none is committed.
A line of --args-of is `NAME: ARGUMENTS`: smaller problems than a GPU is given. A program passes if its status is 0 and
its output does not say that it failed.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shlex
import subprocess
import sys

FAILED = re.compile(r"\b(FAIL(ED|URE)?|mismatch(es)?|incorrect|not correct|wrong)\b", re.IGNORECASE)
PASSED = re.compile(r"(0 mismatch|no mismatch|not fail|0 fail|no error)", re.IGNORECASE)


def commands(folder, *targets):
    """What make would do."""
    done = subprocess.run(["make", "-n", "-B", "-k", *targets], cwd=folder, capture_output=True, text=True)
    text = done.stdout.replace("\\\n", " ")
    return [line.strip() for part in text.split("\n") for line in part.split("&&")]


def program_of(folder):
    """Sources, folders, macros, libraries and arguments, by the commands of the Makefile."""
    sources, folders, defines, libraries, arguments = [], [], [], [], None
    at = folder
    for line in commands(folder) + commands(folder, "run"):
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        if not words:
            continue
        if words[0] == "cd" and len(words) == 2:
            at = os.path.normpath(os.path.join(at, words[1]))
        if words[0].startswith("./") and arguments is None:
            arguments = [word for word in words[1:] if word not in ("|", ">")]
        if not re.search(r"(nvcc|hipcc|g\+\+|gcc|clang|^cc$)", words[0]):
            continue
        for k, word in enumerate(words):
            if re.search(r"\.(cu|cpp|cc|c|cxx|hip)$", word) and not word.startswith("-"):
                path = os.path.normpath(os.path.join(folder, word))
                if path not in sources and os.path.exists(path):
                    sources.append(path)
            elif word.startswith("-I"):
                folders.append(word[2:] or words[k + 1])
            elif word.startswith("-D"):
                defines.append(word[2:] or words[k + 1])
            elif word.startswith("-l") and word not in ("-lm", "-lcuda", "-lcudart", "-lstdc++"):
                libraries.append(word[2:])
    script = os.path.join(folder, "run")
    if arguments is None and os.path.exists(script):
        for line in open(script, errors="replace"):
            if line.strip().startswith("./"):
                arguments = shlex.split(line)[1:]
    if not sources:  # the Makefile may lie deeper
        for deeper in sorted(glob.glob(os.path.join(folder, "*", "**", "Makefile"), recursive=True)):
            return program_of(os.path.dirname(deeper))
    unique = lambda words: list(dict.fromkeys(words))
    return unique(sources), unique(folders), unique(defines), unique(libraries), arguments or []


def ask(options, folder):
    name = os.path.basename(os.path.normpath(folder))
    sources, folders, defines, libraries, arguments = program_of(folder)
    arguments = options.arguments.get(name, arguments)
    if options.small and name not in options.arguments and arguments and arguments[-1].isdigit():
        arguments = arguments[:-1] + ["1"]
    row = {"name": name, "got": "nothing", "why": "", "kernels": 0, "sites": 0}
    if not sources:
        row["why"] = "its Makefile names no source"
        return row
    report = os.path.join("/tmp", f"corpus-{os.getpid()}-{name}.json")
    command = [options.coalesce, "run", "--machine", options.machine, "--json", "--report", report, "--jobs", "1"]
    command += ["--blocks", str(options.blocks)] if options.blocks else []
    for flag, words in ("-I", folders), ("-D", defines), ("-l", libraries):
        for word in words:
            command += [flag, word]
    command += sources + ["--"] + arguments
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=options.seconds)
    except subprocess.TimeoutExpired:
        row.update(got="compiled", why=f"takes more than {options.seconds} s")
        return row
    said = [line for line in done.stderr.splitlines() if line.startswith("coalesce: ")]
    output = done.stdout + done.stderr
    if os.path.exists(report):
        kernels = json.load(open(report))
        kernels = kernels if isinstance(kernels, list) else [kernels]
        row.update(kernels=len(kernels), sites=sum(len(each["sites"]) for each in kernels))
        os.unlink(report)
        bad = FAILED.search(PASSED.sub("", output))
        if done.returncode == 0 and not bad:
            row["got"] = "passed"
        elif done.returncode == 0:
            row.update(got="ran", why="says: " + bad.group(0))
        else:
            row.update(got="compiled", why=said[0] if said else f"status {done.returncode}")
        if row["got"] == "passed" and not kernels:
            row.update(got="ran", why="launches no kernel")
    else:
        row["why"] = said[0] if said else output.strip().splitlines()[-1] if output.strip() else "nothing was said"
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("coalesce")
    parser.add_argument("machine")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=16)
    parser.add_argument("--args-of")
    parser.add_argument("--small", action="store_true", help="the last number of the arguments, often how often, is 1")
    parser.add_argument("--json")
    options = parser.parse_args()
    options.coalesce = os.path.abspath(options.coalesce)
    options.arguments = {}
    if options.args_of:
        for line in open(options.args_of):
            if ":" in line and not line.startswith("#"):
                name, words = line.split(":", 1)
                options.arguments[name.strip()] = shlex.split(words)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = []
        for row in pool.map(lambda folder: ask(options, os.path.abspath(folder)), options.folders):
            rows.append(row)
            print(f"{row['name']:28} {row['got']:9} {row['kernels']:3} kernels {row['sites']:4} sites  {row['why']}", flush=True)
    counts = {got: sum(row["got"] == got for row in rows) for got in ("passed", "ran", "compiled", "nothing")}
    print(f"of {len(rows)} programs: " + ", ".join(f"{count} {got}" for got, count in counts.items()))
    if options.json:
        json.dump(rows, open(options.json, "w"), indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
