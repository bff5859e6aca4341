#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the symbols of a library, static or shared, against its public headers.

    symbols.py READELF LIBRARY HEADER... [OTHER_LIBRARY...]

Every external symbol starts with shepard_, but for hidden ones of C++, which say their namespace;
those of default visibility (shared: those exported, each with a version) are exactly the functions
that the headers declare with SHEPARD_API; no other library defines one of them, so that a program
can link all. Templates of the C++ library in a static library do not count. An instrumented build is no subject for this check.
"""
import re
import subprocess
import sys
from pathlib import Path

from closing import close

DECLARATION = re.compile(r"\bSHEPARD_API\b[^;{]*?\b(\w+)\s*\(", re.DOTALL)
MANGLED = re.compile(r"_Z|DW\.ref\._")
# Instantiated templates of the C++ library: visible by its own rule, the same in every program.
STANDARD = re.compile(r"_Z(T[ISV]|Z?NK?)St")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)


def declared(header):
    return set(DECLARATION.findall(COMMENT.sub("", Path(header).read_text())))


def external(readelf, library):
    """{name: visibility} of the symbols that the library defines with external linkage.

    Those of a shared library without a version keep the mark @NONE.
    """
    shared = ".so" in Path(library).name
    table = "--dyn-syms" if shared else "--syms"
    listing = subprocess.run([readelf, "--wide", table, library], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    names = {}
    for line in listing.splitlines():
        fields = line.split()  # number: value size type binding visibility section name
        if len(fields) < 8 or fields[4] not in ("GLOBAL", "WEAK", "UNIQUE") or fields[6] == "UND":
            continue
        name, _, version = fields[7].partition("@@")
        if shared:
            skipped = fields[6] == "ABS"  # a version's own name
        else:
            skipped = fields[4] != "GLOBAL" and STANDARD.match(name)
        if not skipped:
            names[name if version or not shared else name + "@NONE"] = fields[5]
    return names


def main():
    readelf, library, *rest = sys.argv[1:]
    headers = [path for path in rest if path.endswith(".h")]
    others = [path for path in rest if not path.endswith(".h")]
    wanted, found = set().union(*map(declared, headers)), external(readelf, library)
    exported = {name for name, visibility in found.items() if visibility == "DEFAULT"}
    faults = [f"{name}: external, but has no prefix shepard_"
              for name in sorted(found)
              if not name.startswith("shepard_") and not (MANGLED.match(name) and name not in exported)]
    faults += [f"{name}: visible outside the library, but declared in no public header"
               for name in sorted(exported - wanted)]
    faults += [f"{name}: declared with SHEPARD_API, but the library does not export it"
               for name in sorted(wanted - exported)]
    faults += [f"{name}: defined in {other} too" for other in others
               for name in sorted(found.keys() & external(readelf, other).keys())]
    if not wanted:
        faults.append(f"no declaration with SHEPARD_API in {headers}")
    return close("symbols", f"{len(wanted)} declared, {len(exported)} exported, {len(found)} external",
                 faults)


sys.exit(main())
