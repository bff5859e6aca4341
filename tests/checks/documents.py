#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the documents point at.

    documents.py ROOT

Fails on a relative link to a file or a heading that does not exist, and on a source file that is
named with its path but is not there. CHANGELOG.md describes the past and may name old files.
"""
import re
import sys
from pathlib import Path

from closing import close

LINK = re.compile(r"\]\(([^)\s]+)\)")
# docs/adr/0004 and src/backend/<name> are not full names of files.
SOURCE = re.compile(r"(?<![\w/.-])((?:src|cli|io|mpi|posix|papers|bench|tests|include|examples|tools|docs)"
                    r"/[\w/.-]*\.(?:c|h|cu|cuh|py|md|map|json|hpp|svg|txt|sh|bats))\b")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def anchors(path):
    """The names that GitHub gives to the headings of a page."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in HEADING.findall(text)}


def check_links(root, path, text, faults):
    name = path.relative_to(root).as_posix()
    for link in LINK.findall(FENCE.sub("", text)):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        found = (path.parent / target).resolve() if target else path
        if not found.exists():
            faults.append(f"{name}: links to {link}, which does not exist")
        elif anchor and anchor not in anchors(found):
            faults.append(f"{name}: links to {link}, a heading that does not exist")


def main():
    root = Path(sys.argv[1]).resolve()
    faults = []
    pages = [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md")),
             *sorted(path for path in root.glob("*/README.md") if path.parent.name != "docs")]
    for path in pages:
        text = path.read_text(encoding="utf-8")
        check_links(root, path, text, faults)
        if path.name == "CHANGELOG.md":
            continue
        name = path.relative_to(root).as_posix()
        faults += [f"{name}: names {source}, which does not exist"
                   for source in sorted(set(SOURCE.findall(text))) if not (root / source).exists()]
    if not pages:
        faults.append(f"{root}: no documents")
    return close("documents", f"{len(pages)} pages", faults)


sys.exit(main())
