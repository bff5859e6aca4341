#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for arithmetic of the other precision in the machine code of float and double kernels.

    kernel_precision.py CUOBJDUMP CXXFILT LIBRARY...

Fails on an instruction that adds, multiplies, compares or converts doubles in a kernel whose
arguments name float; on one that adds, multiplies or converts floats, or takes an approximation
from them, in a kernel whose arguments name double only; and where no kernel of a precision has
arithmetic of its own, by which the check would see nothing.

What double kernels do to the upper half of a number is not arithmetic in float: the library's
division, roots and powers compare it (FSETP) and copy it (FFMA of RZ).
"""
import re
import sys

import sass

DOUBLE = re.compile(r"^(DADD|DMUL|DFMA|DSETP|DMNMX)\b|\.F64\b|64H\b")
FLOAT = re.compile(r"^(FADD|FMUL|FFMA|FMNMX|FSWZADD|HADD2|HMUL2)\b|^MUFU\.(?!\w*64H\b)|^F2F\b|"
                   r"^(I2F|F2I|FRND)\b(?!.*\.F64\b)")


def is_float(instruction):
    copies = instruction.opcode.startswith("FFMA") and \
        instruction.operands.split(",")[1].strip() == "RZ"
    return bool(FLOAT.search(instruction.opcode)) and not copies


def is_double(instruction):
    return bool(DOUBLE.search(instruction.opcode))


def main():
    kernels = sass.kernels(*sys.argv[1:3], sys.argv[3:])
    faults, seen = [], {"float": 0, "double": 0}
    for name, instructions in kernels.items():
        named = set(re.findall(r"\b(float|double)\b", name))
        if not named:
            continue
        precision = "float" if "float" in named else "double"
        own, other = (is_float, is_double) if precision == "float" else (is_double, is_float)
        seen[precision] += any(map(own, instructions))
        if wrong := sorted({one.opcode for one in instructions if other(one)}):
            faults.append(f"{name}: {' '.join(wrong)}")
    for precision, count in seen.items():
        if count == 0:
            faults.append(f"no {precision} kernel with arithmetic was seen")
    return sass.report(faults, f"kernels with arithmetic: {seen['float']} float, {seen['double']} double,")


sys.exit(main())
