#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of pages as a reader does: what they print must be what the page shows.

    blocks.py console|python ROOT PAGE...

console: in blocks marked so, lines that begin with `$ ` (and `> ` where one goes on) are commands,
the others what they print, of both streams. They run in one shell for each page, in a new folder
that has a copy of ROOT/data. python: doctests of the blocks. "..." stands for any text.
"""
import doctest
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

END = "==== end of command"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page, language):
    """Of each block of the language its first line and its text."""
    text = page.read_text(encoding="utf-8")
    return [(text[:found.start(1)].count("\n") + 1, found[1])
            for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)]


def commands(page):
    """Line, command and expected output of each command of a page."""
    made = []
    for first, block in blocks(page, "console"):
        for number, line in enumerate(block.splitlines(), first):
            if line.startswith("$ "):
                made.append((number, [line[2:]], []))
            elif line.startswith("> ") and made and not made[-1][2]:
                made[-1][1].append(line[2:])
            else:
                made[-1][2].append(line)
    return [(number, "\n".join(lines), "\n".join(output)) for number, lines, output in made]


def matches(expected, printed):
    parts = [re.escape(part) for part in expected.split("...")]
    return re.fullmatch(".*".join(parts), printed, re.S) is not None


def printed_by(wanted, folder):
    """What each command prints. The end of one keeps its exit status for the next."""
    script = "".join(f"{command}\n(status=$?; echo '{END}'; exit $status)\n"
                     for _, command, _ in wanted)
    run = subprocess.run(["bash"], input=script, cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    return [re.sub(r"\s+$", "", part.replace("\r", "\n"), flags=re.M).strip("\n")
            for part in run.stdout.split(END + "\n")]


def check_console(root, page):
    wanted = commands(page)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(root / "data", Path(folder) / "data")
        printed = printed_by(wanted, folder)
    faults = 0
    for (number, command, expected), output in zip(wanted, printed, strict=False):
        if not matches(expected, output):
            faults += 1
            print(f"{page}:{number}: {command}\nexpected:\n{expected}\nprinted:\n{output}\n")
    if len(printed) <= len(wanted):
        faults += 1
        print(f"{page}: the shell ended early")
    return len(wanted), faults


def check_python(root, page):
    text = "\n".join(block for _, block in blocks(page, "python") if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    return result.attempted, result.failed


def main():
    check = {"console": check_console, "python": check_python}[sys.argv[1]]
    root = Path(sys.argv[2]).resolve()
    run = failed = 0
    for name in sys.argv[3:]:
        page_run, page_failed = check(root, Path(name))
        print(f"{name}: {page_run} examples, {page_failed} wrong")
        run += page_run
        failed += page_failed
    return 0 if run and not failed else 1


sys.exit(main())
