#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the symbols of a static library against its public header.

    symbols.py READELF LIBRARY HEADER [OTHER_LIBRARY...]

Every external symbol starts with shepard_, but for hidden ones of C++, which say their namespace;
those of default visibility are exactly the functions
that the header declares with SHEPARD_API; no other library defines one of them, so that a program
can link all. An instrumented build is no subject for this check.
"""
import re
import subprocess
import sys
from pathlib import Path

DECLARATION = re.compile(r"\bSHEPARD_API\b[^;{]*?\b(\w+)\s*\(", re.DOTALL)
MANGLED = re.compile(r"_Z|DW\.ref\._")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)


def declared(header):
    return set(DECLARATION.findall(COMMENT.sub("", Path(header).read_text())))


def external(readelf, library):
    """{name: visibility} of the symbols that the library defines with external linkage."""
    listing = subprocess.run([readelf, "--wide", "--syms", library], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    names = {}
    for line in listing.splitlines():
        fields = line.split()  # number: value size type binding visibility section name
        if len(fields) >= 8 and fields[4] in ("GLOBAL", "WEAK", "UNIQUE") and fields[6] != "UND":
            names[fields[7]] = fields[5]
    return names


def main():
    readelf, library, header, *others = sys.argv[1:]
    wanted, found = declared(header), external(readelf, library)
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
        faults.append(f"no declaration with SHEPARD_API in {header}")
    for fault in faults:
        print(fault)
    print(f"symbols: {len(wanted)} declared, {len(exported)} exported, {len(found)} external, "
          f"{len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
