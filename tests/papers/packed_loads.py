#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at the loads of points and targets in the machine code of kernels with one value column.

    packed_loads.py CUOBJDUMP CXXFILT LIBRARY...

An aligned structure in float is read by one instruction of 16 bytes, from global memory and from a
tile; of 8 bytes where no more than the place is used, by the search for neighbours and of targets.
In double it takes two, the place by one of 16 bytes. Arrays are read a number at a time. Points are
read in loops, targets before them.
"""
import re
import sys

import sass

KERNEL = re.compile(r"shepard::(?:(plain_)?(weigh|original))<(?:\(shepard::form\)\d, )?"
                    r"(true|false), (true|false), (float|double)(?:, (\d+))?")


class Kernel:
    def __init__(self, match, instructions):
        plain, self.kind, tiled, packed, self.precision, number = match.groups()
        self.tiled, self.packed = tiled == "true", packed == "true"
        self.has_one_column = bool(plain) or number == "1"
        looping = set(sass.in_loops(instructions))
        loads = [one for one in instructions if re.match(r"LD[GS]\b(?!.*CONSTANT)", one.opcode)]
        self.points = {kind: [self._size(one) for one in loads if one in looping and
                              one.opcode.startswith(kind)] for kind in ("LDG", "LDS")}
        self.targets = [self._size(one) for one in loads if one not in looping]

    @staticmethod
    def _size(load):
        width = re.search(r"\.(64|128)\b", load.opcode)
        return int(width.group(1)) // 8 if width else 4

    @property
    def layout(self):
        return f"{self.precision} {'structures' if self.packed else 'arrays'}"

    def faults(self):
        """What is wrong, a text each."""
        place = 8 if self.precision == "float" else 16
        number = place // 2
        searches = self.kind == "original"
        read, filled = self.points["LDS" if self.tiled else "LDG"], self.points["LDG"]
        if not self.packed:
            if set(filled) != {number}:
                yield f"points in arrays are read by {sorted(set(filled))} bytes"
            if max(self.targets) > number:
                yield "targets in arrays are not read a number at a time"
            return
        if self.precision == "float":
            allowed = {16, 8} if searches else {16}
        else:
            allowed = {16, 8}
            if read.count(8) > read.count(16):
                yield "a place is not read by one load"
        if 16 not in read or not set(read) <= allowed:
            yield f"points in structures are read by {sorted(set(read))} bytes"
        if self.tiled and set(filled) != {16}:
            yield f"tiles are filled by {sorted(set(filled))} bytes"
        if place not in self.targets:
            yield "targets in structures are not read by one load"


def main():
    faults, seen = [], dict.fromkeys(("float structures", "float arrays", "double structures",
                                      "double arrays"), 0)
    for name, instructions in sass.kernels(*sys.argv[1:3], sys.argv[3:]).items():
        match = KERNEL.search(name)
        kernel = Kernel(match, instructions) if match else None
        if kernel is None or not kernel.has_one_column:
            continue
        seen[kernel.layout] += 1
        faults += [f"{name.split('(shepard::kernel_data')[0]}: {fault}" for fault in kernel.faults()]
    faults += [f"no kernel of {layout} was seen" for layout, count in seen.items() if count == 0]
    return sass.report(faults, f"kernels: {', '.join(f'{count} {layout}' for layout, count in seen.items())};")


sys.exit(main())
