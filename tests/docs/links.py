#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the links within a built site: the files, and the places in them, must be there.

    links.py FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Names of places in a page, and what it links to or shows."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links = {""}, set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        self.links |= {given[key] for key in ("href", "src") if given.get(key)}


def faults_of(path, pages):
    for link in sorted(pages[path].links):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{link} does not exist"
        elif target in pages and unquote(parts.fragment) not in pages[target].names:
            yield f"{link}: no such place in the page"


def main():
    root = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    count = sum(len(page.links) for page in pages.values())
    faults = [f"{path.relative_to(root)}: {fault}" for path in pages
              for fault in faults_of(path, pages)]
    print(*faults, f"links: {len(pages)} pages, {count} links, {len(faults)} faults", sep="\n")
    return 0 if count and not faults else 1


sys.exit(main())
