#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a name stands for one thing.

    names.py ROOT

Fails if two definitions in the product, or in the headers of the tests, share the tag of a struct,
union, class or enum, and if two files share a name that says nothing about being the same stage.
In src a name may occur once in each layer: src/backend/cpu/moments.c and
src/backend/cuda/moments.cu are the same stage on the CPU and on the GPU. Elsewhere a name occurs
once in the whole product.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

from closing import close

PRODUCT = ("include", "src", "io", "cli", "mpi", "posix", "papers", "bench")
SOURCES = {".c", ".h", ".cu", ".cuh", ".cpp", ".hpp"}
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
DEFINITION = re.compile(r"^(?:typedef )?(struct|union|class|enum(?: class| struct)?)\s+(\w+)"
                        r"(?:\s+final)?(?:\s*:[^;{]*)?\s*\{", re.M)


def sources(root, folders):
    return sorted(path for folder in folders for path in (root / folder).rglob("*")
                  if path.suffix in SOURCES)


def tags(path):
    text = COMMENT_OR_TEXT.sub(" ", path.read_text())
    return [match.group(2) for match in DEFINITION.finditer(text)]


def shared_tags(root):
    places = defaultdict(list)
    headers = [path for path in sources(root, ["tests"]) if path.suffix in (".h", ".cuh")]
    for path in sources(root, PRODUCT) + headers:
        for tag in tags(path):
            places[tag].append(path.relative_to(root))
    return len(places), [(tag, paths) for tag, paths in sorted(places.items()) if len(paths) > 1]


def layer(path):
    """Of a file in src its folder, else one for all."""
    return str(path.parent) if path.parts[0] == "src" else "product"


def shared_files(root):
    places = defaultdict(lambda: defaultdict(list))
    count = 0
    for path in sources(root, PRODUCT):
        path = path.relative_to(root)
        places[path.stem][layer(path)].append(path)
        count += 1
    faults = []
    for stem, layers in sorted(places.items()):
        own = layers.get("product", [])
        folders = {path.parent for path in own}
        if len(folders) > 1 or (own and len(layers) > 1):
            faults.append((stem, [path for paths in layers.values() for path in paths]))
    return count, faults


def main():
    root = Path(sys.argv[1])
    tag_count, tag_faults = shared_tags(root)
    file_count, file_faults = shared_files(root)
    faults = [f"the tag {tag} is defined more than once: {', '.join(map(str, paths))}"
              for tag, paths in tag_faults]
    faults += [f"the file name {stem} stands for more than one thing: {', '.join(map(str, paths))}"
               for stem, paths in file_faults]
    if not file_count:
        faults.append(f"{root}: nothing was checked")
    return close("names", f"{tag_count} tags, {file_count} files", faults)


sys.exit(main())
