# SPDX-License-Identifier: MIT
"""The machine code of this project's kernels, as cuobjdump prints it."""
import re
import subprocess
from dataclasses import dataclass

FUNCTION = re.compile(r"^\s*Function\s*:\s*(\S+)")
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);")


@dataclass(frozen=True)
class Instruction:
    address: int
    opcode: str  # "LDG.E.128"
    operands: str


def _output(*command, text=""):
    return subprocess.run(command, check=True, text=True, input=text,
                          stdout=subprocess.PIPE).stdout


def kernels(cuobjdump, cxxfilt, libraries):
    """{name of a kernel, with its arguments: [its instructions]}"""
    found = {}
    for library in libraries:
        kernel = None
        for line in _output(cuobjdump, "-sass", library).splitlines():
            if match := FUNCTION.match(line):
                kernel = found.setdefault(match.group(1), [])
            elif kernel is not None and (match := INSTRUCTION.match(line)):
                kernel.append(Instruction(int(match.group(1), 16), *match.groups()[1:]))
    names = _output(cxxfilt, text="\n".join(found)).splitlines()
    return {name: instructions for name, instructions in zip(names, found.values())
            if name.startswith(("void shepard::", "shepard::"))}


def in_loops(instructions):
    """The instructions between a branch back and where it goes to."""
    loops = [(int(branch.operands.split()[-1], 16), branch.address) for branch in instructions
             if branch.opcode.startswith("BRA") and re.search(r"0x[0-9a-f]+\s*$", branch.operands)]
    return [one for one in instructions
            if any(start <= one.address <= end for start, end in loops)]


def report(faults, seen):
    """Prints the faults and what was seen; the exit status."""
    for fault in faults:
        print(fault)
    print(f"{seen} {len(faults)} faults")
    return 1 if faults else 0
