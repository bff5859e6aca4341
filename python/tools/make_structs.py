#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes python/shepard/_structs.py from the public headers.

    make_structs.py [ROOT]        writes the file
    make_structs.py --check       fails if the file is not what the headers give

The headers are regular: one member or a list of names of one type for each semicolon, no unions, no
bit fields. What the script does not understand is an error. tests/test_structs.py compares the
result with what a C compiler says.
"""
import re
import sys
from pathlib import Path

HEADERS = ("shepard.h", "shepard_validate.h", "shepard_tune.h")
OUTPUT = Path("python/shepard/_structs.py")
SCALARS = {"double": "c_double", "size_t": "c_size_t", "ptrdiff_t": "c_ssize_t", "int": "c_int",
           "bool": "c_bool", "uint64_t": "c_uint64", "uint32_t": "c_uint32", "char": "c_char",
           "void": "None"}
TEMPLATE = '''# SPDX-License-Identifier: MIT
# Made by python/tools/make_structs.py from include/shepard: edit the headers, and run it again.
"""The structs and constants of the C interface."""
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int,
                    c_size_t, c_ssize_t, c_uint64, c_void_p)
from enum import IntEnum

{constants}


{enums}


{structs}


# Of each function what it returns and takes.
FUNCTIONS = {{
{functions}
}}
'''


def camel(name):
    return "".join(part.capitalize() for part in name.removeprefix("shepard_").split("_"))


def read(root):
    text = "\n".join((root / "include/shepard" / name).read_text() for name in HEADERS)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    return text.replace("\\\n", " ")


def constants(text):
    lines = []
    for name, value in re.findall(r"#define SHEPARD_(\w+) \(?(-?[0-9]+)u?\)?[ \t]*\n", text):
        lines.append(f"{name} = {value}")
    lines.append("NO_POINT = 2**32 - 1")
    return lines


def enum_members(text, body):
    """Names of an enum, with those that a list macro holds."""
    macro = re.match(r"\s*(SHEPARD_\w+_LIST)\(", body)
    if macro:
        listed = re.search(rf"#define {macro[1]}\(X\)(.*?)\n", text)[1]
        return re.findall(r"X\((\w+),", listed)
    return re.findall(r"\b(SHEPARD_\w+)\b", body)


def enums(text):
    """Of each enum its tag and members, the part that all names share left out."""
    found = []
    for tag, body in re.findall(r"enum (shepard_\w+) \{(.*?)\}", text, re.S):
        names = [name for name in enum_members(text, body)]
        parts = [name.split("_") for name in names]
        shared = 1
        while all(len(part) > shared + 1 and part[shared] == parts[0][shared] for part in parts):
            shared += 1
        found.append((tag, [("_".join(part[shared:]), name) for part, name in zip(parts, names)]))
    return found


def pointer_type(base, known):
    if base == "char":
        return "c_char_p"
    if base in known:
        return f"POINTER({known[base]})"
    return "c_void_p"


def c_type(words, known):
    """ctypes' name of a C type of a member or a parameter, without its name."""
    stars = words.count("*")
    base = re.sub(r"\b(const|struct)\b|\*", " ", words).split()
    if base[0] == "enum":
        return "c_int" if not stars else "c_void_p"
    if len(base) != 1:
        raise SystemExit(f"make_structs: cannot read the type '{words}'")
    if stars == 2 and base[0] == "char":
        return "POINTER(c_char_p)"
    if stars == 1:
        return pointer_type(base[0], known)
    if stars:
        return "c_void_p"
    return known.get(base[0]) or SCALARS[base[0]]


def function_type(member, known):
    result, name, parameters = re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", member, re.S).groups()
    types = [c_type(re.sub(r"\w+\s*$", "", parameter), known) for parameter in
             parameters.split(",")]
    result = c_type(result, known)
    return name, f"CFUNCTYPE({', '.join([result] + types)})"


def members(body, known):
    for member in (part.strip() for part in body.split(";")):
        if not member:
            continue
        if "(*" in member:
            yield function_type(member, known)
            continue
        words, names = re.fullmatch(r"((?:const |struct |enum )*\w+(?: const)?)\s*(.*)", member,
                                    re.S).groups()
        for declarator in names.split(","):
            stars, name, length = re.fullmatch(r"\s*((?:\*|const|\s)*)(\w+)(?:\[(\d+)\])?\s*",
                                               declarator).groups()
            kind = c_type(words + stars, known)
            yield name, f"{kind} * {length}" if length else kind


def structs(text):
    known = {}
    blocks = []
    for tag, body in re.findall(r"\nstruct (shepard_\w+) \{(.*?)\n\};", text, re.S):
        lines = [f"class {camel(tag)}(Structure):", f'    """struct {tag}"""', "    _fields_ = ["]
        lines += [f'        ("{name}", {kind}),' for name, kind in members(body, known)]
        blocks.append("\n".join(lines + ["    ]"]))
        known[tag] = camel(tag)
    return blocks, known


def functions(text, known):
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    for result, name, listed in re.findall(r"SHEPARD_API\s+([^;()]*?)\b(shepard_\w+)\(([^;]*?)\);",
                                           text, re.S):
        parameters = [] if listed.strip() == "void" else listed.split(",")
        types = [c_type(re.sub(r"\w+\s*$", "", parameter), known) for parameter in parameters]
        yield f'    "{name}": ({c_type(result, known)}, ({"".join(kind + ", " for kind in types)})),'


def enum_class(tag, names):
    lines = [f"class {camel(tag)}(IntEnum):", f'    """enum {tag}"""']
    lines += [f"    {name} = {i}" for i, (name, _) in enumerate(names)]
    return "\n".join(lines)


def generate(root):
    text = read(root)
    blocks, known = structs(text)
    return TEMPLATE.format(
        constants="\n".join(constants(text)),
        enums="\n\n\n".join(enum_class(*enum) for enum in enums(text)),
        structs="\n\n\n".join(blocks), functions="\n".join(functions(text, known)))


def main(arguments):
    check = "--check" in arguments
    paths = [argument for argument in arguments if argument != "--check"]
    root = Path(paths[0]) if paths else Path(__file__).resolve().parents[2]
    made = generate(root)
    if not check:
        (root / OUTPUT).write_text(made)
    elif (root / OUTPUT).read_text() != made:
        raise SystemExit(f"{OUTPUT} is not that of the headers: run python/tools/make_structs.py")


main(sys.argv[1:])
