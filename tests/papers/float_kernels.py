#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for double arithmetic in the machine code of float kernels.

    float_kernels.py CUOBJDUMP CXXFILT LIBRARY...

Fails on an instruction that adds, multiplies, compares or converts doubles in a kernel whose
arguments name float, and where there is no such kernel, or no double kernel with such
instructions, by which the check would see nothing.
"""
import re
import subprocess
import sys

FUNCTION = re.compile(r"^\s*Function\s*:\s*(\S+)")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")
DOUBLE = re.compile(r"^(DADD|DMUL|DFMA|DSETP|DMNMX)\b|\.F64\b|64H\b")


def output(*command, text=""):
    return subprocess.run(command, check=True, text=True, input=text,
                          stdout=subprocess.PIPE).stdout


def double_instructions(cuobjdump, library):
    """{mangled name of a kernel: [its instructions on doubles]}"""
    found, kernel = {}, None
    for line in output(cuobjdump, "-sass", library).splitlines():
        if match := FUNCTION.match(line):
            kernel = found.setdefault(match.group(1), [])
        elif kernel is not None and (match := INSTRUCTION.match(line)):
            if DOUBLE.search(match.group(1)):
                kernel.append(match.group(1))
    return found


def main():
    cuobjdump, cxxfilt, *libraries = sys.argv[1:]
    kernels = {}
    for library in libraries:
        kernels.update(double_instructions(cuobjdump, library))
    names = output(cxxfilt, text="\n".join(kernels)).splitlines()
    faults, floats, doubles = [], 0, 0
    for name, found in zip(names, kernels.values()):
        if not name.startswith(("void shepard::", "shepard::")):
            continue
        if re.search(r"\bfloat\b", name):
            floats += 1
            if found:
                faults.append(f"{name}: {' '.join(sorted(set(found)))}")
        elif re.search(r"\bdouble\b", name) and found:
            doubles += 1
    if floats == 0 or doubles == 0:
        faults.append("no float kernel, or no double one with double arithmetic, was seen")
    for fault in faults:
        print(fault)
    print(f"float kernels: {floats} seen, {doubles} double ones, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
