#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the numbers of equations: in docs/math/, and wherever they are cited.

    equations.py ROOT

Fails on an equation that is out of order or defined twice, a page that docs/math.md does not list or
lists with other numbers, a citation "Eq. n" of an equation that does not exist, and a citation of a
page that does not exist.
"""
import re
import sys
from pathlib import Path

from closing import close

FOLDERS = ("include", "src", "io", "cli", "mpi", "posix", "papers", "bench", "tests", "examples", "docs",
           "cmake", "tools")
SUFFIXES = {".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh", ".py", ".md", ".txt", ".1", ".R"}

NUMBER = r"[1-9]\d*[a-z]?(?![\w.]*\d)"
TAG = re.compile(r"\\tag\{([^}]*)\}")
# "Eq. 3", "Eq. 10 to 12", "Eq. 29, 31 and 32": all numbers of a list count, those between need not.
CITATION = re.compile(rf"\bEqs?\.\s*({NUMBER}(?:(?:,| to| and|, and) {NUMBER})*)")
# A row of the table of pages: | [name](math/name.md) | 1 to 12a | ...
ROW = re.compile(rf"^\| \[[\w-]+\]\(math/([\w-]+)\.md\) \| ({NUMBER}) to ({NUMBER}) \|", re.MULTILINE)
PAGE = re.compile(r"\bdocs/math/([\w-]+)\.md|\(math/([\w-]+)\.md")
SECTION = re.compile(r"docs/math\.md,? section \d+")
# The numbers of a published paper, not ours: "[AIDW15] Eq. 5".
FOREIGN = re.compile(r"\[\w+\]\s+Eqs?\.\s*[\d, toand]*\d")
# What begins a further line of a comment.
MARGIN = re.compile(r"\s*\n[ \t]*(?:\*(?!/)|//|#)?[ \t]*")


def key(number):
    """The place of a number in the order 33, 33a, 33b, 34."""
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits), number[len(digits):]


def check_pages(root, faults):
    """All equations that are defined; appends what is wrong to faults."""
    rows = ROW.findall((root / "docs/math.md").read_text(encoding="utf-8"))
    listed = [name for name, _, _ in rows]
    for path in sorted((root / "docs/math").glob("*.md")):
        if path.stem not in listed:
            faults.append(f"docs/math.md: does not list math/{path.name}")
    defined, last = set(), (0, "")
    for name, first, end in rows:
        page = root / "docs/math" / f"{name}.md"
        tags = TAG.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
        if not tags or (tags[0], tags[-1]) != (first, end):
            faults.append(f"docs/math.md: math/{name}.md does not have Eq. {first} to {end}")
        for tag in tags:
            if not re.fullmatch(NUMBER, tag):
                faults.append(f"docs/math/{name}.md: \\tag{{{tag}}} is no number")
                continue
            if key(tag) <= last:
                faults.append(f"docs/math/{name}.md: Eq. {tag} is out of order")
            last = key(tag)
            defined.add(tag)
    return defined


def text_files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path
    yield from sorted(root.glob("*.md"))


def check_file(root, path, defined, faults):
    """The number of citations in a file."""
    name = path.relative_to(root).as_posix()
    text = MARGIN.sub(" ", path.read_text(encoding="utf-8"))
    for page in PAGE.findall(text):
        if not (root / "docs/math" / ("".join(page) + ".md")).is_file():
            faults.append(f"{name}: there is no page docs/math/{''.join(page)}.md")
    if SECTION.search(text):
        faults.append(f"{name}: cite a page of docs/math/, not a section of docs/math.md")
    count = 0
    for numbers in CITATION.findall(FOREIGN.sub(" ", text)):
        for number in re.findall(NUMBER, numbers):
            count += 1
            if number not in defined:
                faults.append(f"{name}: there is no Eq. {number}")
    return count


def main():
    root = Path(sys.argv[1]).resolve()
    faults = []
    defined = check_pages(root, faults)
    checks = root / "tests/checks"  # their examples are wrong on purpose
    cited = sum(check_file(root, path, defined, faults)
                for path in text_files(root) if checks not in path.parents)
    if not cited:
        faults.append(f"{root}: no equation is cited")
    return close("equations", f"{len(defined)} defined, {cited} citations", faults)


sys.exit(main())
