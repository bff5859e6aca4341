# SPDX-License-Identifier: MIT
"""The structs are those of the headers: of a C compiler, and of the script that reads them."""
import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from shepard import _structs

ROOT = Path(__file__).resolve().parents[2]


def tag(structure):
    return structure.__doc__.split()[1]


def structures():
    return [found for found in vars(_structs).values()
            if isinstance(found, type) and issubclass(found, ctypes.Structure)
            and found is not ctypes.Structure]


def c_program():
    lines = ["#include <stddef.h>", "#include <stdio.h>", '#include "shepard/shepard_tune.h"',
             "int main(void) {"]
    for structure in structures():
        name = tag(structure)
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        for member, _ in structure._fields_:
            lines.append(f'printf("{name}.{member} %zu %zu\\n", offsetof(struct {name}, {member}), '
                         f"sizeof(((struct {name} *)0)->{member}));")
    return "\n".join(lines + ["return 0; }"])


def python_lines():
    for structure in structures():
        yield f"{tag(structure)} {ctypes.sizeof(structure)}"
        for member, _ in structure._fields_:
            described = getattr(structure, member)
            yield f"{tag(structure)}.{member} {described.offset} {described.size}"


def test_layouts_are_those_of_a_compiler(tmp_path):
    compiler = shutil.which("cc")
    if not compiler or not (ROOT / "include").exists():
        pytest.skip("no C compiler or no headers here")
    source = tmp_path / "layout.c"
    source.write_text(c_program())
    subprocess.run([compiler, "-I", ROOT / "include", "-o", tmp_path / "layout", source],
                   check=True)
    told = subprocess.run([tmp_path / "layout"], check=True, capture_output=True, text=True).stdout
    assert told.splitlines() == list(python_lines())


def test_file_is_that_of_the_headers():
    script = ROOT / "python/tools/make_structs.py"
    if not script.exists():
        pytest.skip("not in a source tree")
    subprocess.run([sys.executable, script, "--check"], check=True)
