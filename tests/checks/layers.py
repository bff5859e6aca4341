#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the direction of every #include in the tree, and of every call in a build of it.

    layers.py ROOT [NM BUILD]

Fails on an include that points up or sideways between layers, a ring of includes, a quoted include
that names no file, and a header of GDAL, MPI, OpenMP or an instruction set outside its place. With a
build folder: on a call from a file to one in a layer that it may not include, and on a ring of
calls between files; a variable that another file defines counts as a call. Tests do not count, nor
do the tables of the back ends, which the layer backend declares and each back end defines.
"""
import re
import subprocess
import sys
from pathlib import Path

from closing import close

# Layer of a file: the first prefix that fits. The order is from special to general.
LAYERS = [
    ("include/shepard/shepard_io.h", "public_io"),
    ("include/shepard/", "public"),
    ("src/base/", "base"),
    ("src/kernel/", "kernel"),
    ("src/core/", "core"),
    ("src/backend/ref/", "ref"),
    ("src/backend/cpu/", "cpu"),
    ("src/backend/cuda/", "cuda"),
    ("src/backend/", "backend"),
    ("src/cuda/", "device"),
    ("src/api/", "api"),
    ("papers/", "papers"),
    ("posix/", "posix"),
    ("mpi/", "mpi"),
    ("io/", "io"),
    ("cli/", "cli"),
    ("examples/", "examples"),
    ("tools/", "tools"),
    ("bench/", "bench"),
    ("tests/", "tests"),
]

# What each layer may include, itself apart. Arrows point down only.
BELOW_BACKEND = {"public", "base", "kernel", "core", "backend"}
MAY_INCLUDE = {
    "public": set(),
    "public_io": {"public"},
    "base": {"public"},
    "kernel": {"public", "base"},
    "core": {"public", "base", "kernel"},
    "backend": {"public", "base", "kernel", "core"},
    "ref": BELOW_BACKEND,
    "cpu": BELOW_BACKEND,
    "device": {"public", "base"},
    "cuda": BELOW_BACKEND | {"device"},
    "api": BELOW_BACKEND,
    "papers": {"public", "base", "core", "device", "api"},
    "posix": {"public_io"},
    "mpi": {"public", "public_io", "posix"},
    "io": {"public", "public_io", "posix"},
    "cli": {"public", "public_io", "posix", "mpi"},
    "examples": {"public", "public_io"},
    "tools": set(),
    "bench": {"public", "public_io", "base", "kernel", "core", "backend", "device", "papers"},
    "tests": {"public", "public_io", "base", "kernel", "core", "backend", "ref", "cpu", "cuda",
              "api", "device", "papers", "posix", "mpi", "io", "cli"},
}

# What each layer may call besides: public headers declare what these layers define.
MAY_CALL = {
    **{layer: set() for layer in MAY_INCLUDE},
    "api": {"device"},
    "mpi": {"api"},
    "io": {"api", "device"},
    "cli": {"api", "device", "io"},
    "examples": {"api", "device", "io"},
    "bench": {"api"},
}

# Families of foreign headers, and the only places that may see them.
FOREIGN = [
    ("GDAL", re.compile(r"^(gdal/)?(gdal|ogr|cpl_|vrt)\w*\.h$"),
     ("io/", "tests/io/", "tests/fuzz/fuzz_files.c", "tests/fuzz/fuzz_las.c")),
    ("MPI", re.compile(r"^mpi\.h$"), ("mpi/ranks.c",)),
    ("PROJ", re.compile(r"^proj\w*\.h$"), ("io/",)),
    ("cJSON", re.compile(r"^(cjson/)?cJSON\.h$"), ("io/", "cli/", "bench/", "tests/")),
    ("OpenMP", re.compile(r"^omp\.h$"), ("src/base/", "bench/", "tests/")),
    ("an instruction set", re.compile(r"^(\w*intrin|arm_neon|arm_sve|cpuid)\.h$"),
     ("src/kernel/", "src/base/")),
    ("CUDA", re.compile(r"^(cuda|cub/|thrust/|cooperative_groups)"),
     ("src/cuda/", "src/backend/cuda/", "papers/", "tests/papers/", "tests/cuda/",
      "bench/")),
]

C17 = ("assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdalign "
       "stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time")
CXX17 = ("algorithm atomic chrono cmath condition_variable cstddef cstdint cstdlib cstring deque exception "
         "limits list memory mutex new optional string thread type_traits utility vector").split()
STANDARD = {name + ".h" for name in C17.split()}
SYSTEM = re.compile(r"^(unistd|fcntl|dlfcn|pthread|sched|sys/\w+|asm/\w+)\.h$")

SOURCES = {".c", ".h", ".cc", ".cpp", ".cu", ".cuh", ".inc"}
SKIPPED = {"build", "demo", ".git", "_deps"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def layer_of(name):
    return next((layer for prefix, layer in LAYERS if name.startswith(prefix)), None)


def source_files(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.suffix in SOURCES and path.is_file() and parts[0] not in SKIPPED:
            yield "/".join(parts)


def resolve(root, name, quote, target):
    """The file in the tree that an include means, or None. <> does not look beside the file."""
    own = [Path(name).parent] if quote == '"' else []
    folders = [*own, *map(Path, ("include", "src", "posix", "mpi", "io", "cli", "tests", "bench", "."))]
    if name.startswith("tests/"):  # folders of tests may share helpers
        folders += sorted(path.relative_to(root) for path in (root / "tests").iterdir())
    for folder in folders:
        path = (root / folder / target).resolve()
        if path.is_file() and root in path.parents:
            return path.relative_to(root).as_posix()
    return None


def foreign_fault(name, target):
    for family, pattern, places in FOREIGN:
        if pattern.match(target):
            return None if name.startswith(places) else f"only {' '.join(places)} may see {family}"
    return None


def core_fault(name, target):
    """The core library needs the C library, libm and OpenMP, nothing else."""
    if not name.startswith("src/") or target in STANDARD:
        return None
    if name.endswith((".cu", ".cuh")) and target in CXX17:
        return None
    if any(pattern.match(target) for _, pattern, _ in FOREIGN):
        return None
    if name.startswith("src/base/") and SYSTEM.match(target):
        return None
    return "the core library may include C17 headers only (src/base: POSIX too)"


def check_file(root, name, faults):
    """Files of the tree that this file includes; appends what is wrong to faults."""
    layer, targets = layer_of(name), []
    if layer is None:
        faults.append(f"{name}: belongs to no layer")
        return targets
    text = COMMENT.sub(" ", (root / name).read_text(encoding="utf-8"))
    for quote, target in INCLUDE.findall(text):
        found = resolve(root, name, quote, target)
        if found is None:
            fault = foreign_fault(name, target)
            if not fault and quote == "<":
                fault = core_fault(name, target)
            elif not fault and not any(pattern.match(target) for _, pattern, _ in FOREIGN):
                fault = "names no file of the tree"
        else:
            targets.append(found)
            to = layer_of(found)
            allowed = to == layer or to in MAY_INCLUDE[layer]
            fault = None if allowed else f"layer {layer} may not include layer {to}"
        if fault:
            faults.append(f"{name}: #include {target}: {fault}")
    return targets


# CMake's place of an object, with the target's folder and the source below it.
OBJECT = re.compile(r"(.*?)/?CMakeFiles/[^/]+\.dir/(.*)\.o$")
TABLE = re.compile(r"shepard_backend_(ref|cpu|cuda)$")


def objects_of(root, build):
    """(source in the tree, object) of the targets of a build but for tests, which define stand-ins
    of functions."""
    for path in sorted(build.rglob("*.o")):
        match = OBJECT.match(path.relative_to(build).as_posix())
        name = "/".join(filter(None, match.groups())) if match else ""
        if name and layer_of(name) != "tests" and (root / name).is_file():
            yield name, path


def symbols_of(nm, path):
    """The names that an object defines for others, and those that it needs."""
    listing = subprocess.run([nm, "-P", "-g", str(path)], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    defined, needed = set(), set()
    for line in listing.splitlines():
        name, kind = line.split()[:2]
        if kind == "U":
            needed.add(name)
        elif kind in "TDBRC":
            defined.add(name)
    return defined, needed


def check_calls(root, nm, build, faults):
    """{file: files whose functions or variables it uses}; appends what is wrong to faults."""
    home, needs = {}, {}
    for name, path in objects_of(root, build):
        defined, needed = symbols_of(nm, path)
        needs.setdefault(name, set()).update(needed)
        for symbol in defined:
            home.setdefault(symbol, set()).add(name)
    graph = {}
    for name, needed in sorted(needs.items()):
        layer, targets = layer_of(name), graph.setdefault(name, [])
        for symbol in sorted(needed):
            for to in sorted(home.get(symbol, set()) - {name}):
                if TABLE.match(symbol):
                    continue
                targets.append(to)
                if layer_of(to) not in {layer} | MAY_INCLUDE[layer] | MAY_CALL[layer]:
                    faults.append(f"{name}: calls {symbol} of {to}: layer {layer} may not call "
                                  f"layer {layer_of(to)}")
    return graph


def find_ring(graph):
    """One ring of files as a list, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for target in graph.get(node, ()):
            if state.get(target) == "open":
                return trail[trail.index(target):] + [target]
            if target not in state:
                ring = visit(target, trail + [target])
                if ring:
                    return ring
        state[node] = "done"
        return None

    for node in graph:
        if node not in state:
            ring = visit(node, [node])
            if ring:
                return ring
    return None


def main():
    root = Path(sys.argv[1]).resolve()
    faults = []
    graph = {name: check_file(root, name, faults) for name in source_files(root)}
    if not graph:
        faults.append(f"{root}: no source files")
    built = sys.argv[2:]
    calls = check_calls(root, built[0], Path(built[1]).resolve(), faults) if built else {}
    if built and not calls:
        faults.append(f"{built[1]}: no objects")
    for what, edges in (("includes", graph), ("calls", calls)):
        ring = find_ring(edges)
        if ring:
            faults.append(f"ring of {what}: " + " -> ".join(ring))
    includes, used = (sum(len(targets) for targets in edges.values()) for edges in (graph, calls))
    return close("layers", f"{len(graph)} files, {includes} includes within the tree, "
                 f"{used} calls between files", faults)


sys.exit(main())
