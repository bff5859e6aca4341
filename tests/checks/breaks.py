#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks each rule of the checks once, in a small tree of its own, and sees the check fail.

    breaks.py CC CXX AR READELF NM
"""
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CC, CXX, AR, READELF, NM = sys.argv[1:6]

HEADER = """#ifndef SHEPARD_SHEPARD_H
#define SHEPARD_SHEPARD_H
#define SHEPARD_API __attribute__((visibility("default")))
#ifdef __cplusplus
extern "C" {
#endif
SHEPARD_API int shepard_one(void);
#ifdef __cplusplus
}
#endif
#endif
"""
SOUND = {
    "include/shepard/shepard.h": HEADER,
    "src/base/memory.h": '#include <stddef.h>\n#include "shepard/shepard.h"\n',
    "src/base/parallel.c": "#include <omp.h>\n",
    "src/kernel/vector.h": '#include <immintrin.h>\n#include "base/memory.h"\n',
    "src/core/tree.h": '#include "kernel/vector.h"\n',
    "src/backend/backend.h": '#include "core/tree.h"\n',
    "src/backend/cpu/cpu.h": '#include "backend/backend.h"\n',
    "src/backend/ref/ref.c": '#include "backend/backend.h"\n',
    "src/api/model.c": '#include "backend/backend.h"\nint shepard_one(void) { return 1; }\n',
    "src/api.map": "SHEPARD_1 { global: shepard_one; local: *; };",
    "src/cuda/check.cuh": '#include <cuda_runtime.h>\n#include "base/memory.h"\n#include <new>\n',
    "papers/sums.cuh": '#include "cuda/check.cuh"\n#include "core/tree.h"\n',
    "papers/grid.cu": '#include "sums.cuh"\n#include <cub/device/device_scan.cuh>\n',
    "posix/place.h": "#include <sys/stat.h>\n",
    "io/reader.c": '#include <gdal.h>\n#include <shepard/shepard.h>\n#include "place.h"\n',
    "src/cuda/device.h": '#include "base/memory.h"\n#include <cuda_runtime.h>\n',
    "src/backend/cuda/cuda.h": '#include "backend/backend.h"\n#include "cuda/device.h"\n',
    "papers/study.h": '#include <shepard/shepard.h>\n#include "core/tree.h"\n',
    "papers/scan.cuh": '#include "cuda/device.h"\n#include <cub/cub.cuh>\n',
    "bench/gpu.cu": '#include "papers/study.h"\n#include "cuda/check.cuh"\n',
    "docs/math.md": "| page |\n| [means](math/means.md) | 1 to 2 | means |\n"
                    "| [sums](math/sums.md) | 3 to 3a | sums |\n",
    "docs/math/means.md": "$$ a \\tag{1} $$\n$$ b \\tag{2} $$\n",
    "docs/math/sums.md": "$$ c \\tag{3} $$\n$$ d \\tag{3a} $$\n",
    "src/core/mean.h": "/* Eq. 1 to 3,\n * 3a and [AIDW16] Eq. 9: docs/math/means.md. */\n",
    "cli/main.c": "#include <shepard/shepard.h>\n#include <cjson/cJSON.h>\n",
}

# What is added to the sound tree, and the words that the fault must carry.
BROKEN_LAYERS = [
    ({"src/base/up.c": '#include "core/tree.h"\n'}, "layer base may not include layer core"),
    ({"src/kernel/up.c": '#include "core/tree.h"\n'}, "layer kernel may not include layer core"),
    ({"src/core/up.c": '#include "backend/backend.h"\n'}, "core may not include layer backend"),
    ({"src/backend/ref/side.c": '#include "../cpu/cpu.h"\n'}, "layer ref may not include layer cpu"),
    ({"src/api/side.c": '#include "backend/cpu/cpu.h"\n'}, "layer api may not include layer cpu"),
    ({"io/deep.c": '#include "base/memory.h"\n'}, "layer io may not include layer base"),
    ({"cli/deep.c": '#  include "../src/api/../core/tree.h"\n'}, "cli may not include layer core"),
    ({"posix/up.c": "#include <shepard/shepard.h>\n"}, "posix may not include layer public"),
    ({"posix/foreign.c": "#include <gdal.h>\n"}, "may see GDAL"),
    ({"cli/foreign.c": "#include <mpi.h>\n"}, "may see MPI"),
    ({"papers/deep.c": '#include "backend/backend.h"\n'}, "papers may not include layer backend"),
    ({"cli/side.c": '#include "papers/study.h"\n'}, "layer cli may not include layer papers"),
    ({"papers/up.c": '#include "../cli/verb.h"\n', "cli/verb.h": "\n"},
     "layer papers may not include layer cli"),
    ({"src/core/paper.c": '#include "../../papers/study.h"\n'}, "core may not include layer papers"),
    ({"src/core/gpu.c": '#include "cuda/device.h"\n'}, "layer core may not include layer device"),
    ({"bench/up.c": '#include "../cli/verb.h"\n', "cli/verb.h": "\n"},
     "layer bench may not include layer cli"),
    ({"examples/deep.c": '#include "core/tree.h"\n'}, "examples may not include layer core"),
    ({"src/core/gdal.c": "#include <gdal/ogr_api.h>\n"}, "may see GDAL"),
    ({"cli/gdal.c": '#include "cpl_conv.h"\n'}, "may see GDAL"),
    ({"src/core/omp.c": "#include <omp.h>\n"}, "may see OpenMP"),
    ({"src/core/simd.c": "#include <immintrin.h>\n"}, "may see an instruction set"),
    ({"src/core/json.c": "#include <cjson/cJSON.h>\n"}, "may see cJSON"),
    ({"src/core/gpu.c": "#include <cuda_runtime_api.h>\n"}, "may see CUDA"),
    ({"cli/gpu.c": "#include <cuda.h>\n"}, "may see CUDA"),
    ({"src/cuda/up.c": '#include "core/tree.h"\n'}, "layer device may not include layer core"),
    ({"src/api/gpu.c": '#include "cuda/check.cuh"\n'}, "layer api may not include layer device"),
    ({"src/core/posix.c": "#include <unistd.h>\n"}, "C17 headers only"),
    ({"src/core/lost.c": '#include "core/lost.h"\n'}, "names no file of the tree"),
    ({"stray/file.c": "\n"}, "belongs to no layer"),
    ({"src/core/a.h": '#include "core/b.h"\n', "src/core/b.h": '#include "core/a.h"\n'},
     "ring of includes: src/core/a.h -> src/core/b.h -> src/core/a.h"),
]
# Sources named call*.c are built.
CALLS = {
    "src/base/call.c": "int shepard_low(void) { return 1; }\n",
    "src/core/call_one.c": "int shepard_low(void);\nint shepard_one_up(void) { return shepard_low(); }\n",
    "src/core/call_two.c": "int shepard_one_up(void);\nint shepard_two(void) { return shepard_one_up(); }\n",
    "src/backend/cpu/call.c": "int shepard_two(void);\nint shepard_backend_cpu(void) { return shepard_two(); }\n",
    "src/api/call.c": "int shepard_backend_cpu(void);\nint shepard_go(void) { return shepard_backend_cpu(); }\n",
    "cli/call.c": "int shepard_go(void);\nint main(void) { return shepard_go(); }\n",
    "tests/base/call.c": "int malloc_stand_in(void) { return 1; }\n",
}
BROKEN_CALLS = [
    ({"src/base/call_up.c": "int shepard_two(void);\nint a(void) { return shepard_two(); }\n"},
     "src/base/call_up.c: calls shepard_two of src/core/call_two.c: layer base may not call layer core"),
    ({"src/core/call_up.c": "extern int b;\nint a(void) { return b; }\n",
      "src/backend/ref/call.c": "int b = 1;\n"}, "layer core may not call layer ref"),
    ({"src/backend/ref/call_side.c": "int c(void);\nint a(void) { return c(); }\n",
      "src/backend/cpu/call_c.c": "int c(void) { return 1; }\n"}, "layer ref may not call layer cpu"),
    ({"cli/call_deep.c": "int shepard_low(void);\nint a(void) { return shepard_low(); }\n"},
     "layer cli may not call layer base"),
    ({"src/core/call_one.c": "int shepard_two(void);\nint shepard_one_up(void) { return shepard_two(); }\n"},
     "ring of calls: src/core/call_two.c -> src/core/call_one.c -> src/core/call_two.c"),
]
BROKEN_SYMBOLS = [
    ({"src/api/extra.c": "int shepard_two(void); __attribute__((visibility(\"default\")))"
      " int shepard_two(void) { return 2; }\n"}, "shepard_two: visible outside"),
    ({"src/api/prefix.c": "int two(void); int two(void) { return 2; }\n"}, "two: external, but has"),
    ({"src/api/model.c": "int shepard_half;\n"}, "shepard_one: declared with SHEPARD_API, but"),
    ({"src/other/twin.c": "int shepard_one(void); int shepard_one(void) { return 3; }\n"},
     "shepard_one: defined in"),
]
BROKEN_SHARED = [
    ({"src/api.map": "SHEPARD_1 { global: shepard_*; };",
      "src/api/extra.c": "__attribute__((visibility(\"default\"))) int shepard_two;\n"},
     "shepard_two: visible outside"),
    ({"src/api.map": "SHEPARD_1 { local: *; };"}, "shepard_one: declared with SHEPARD_API, but"),
    ({"src/api.map": "{ global: shepard_one; local: *; };"}, "shepard_one@NONE: visible outside"),
]
BROKEN_HEADERS = [
    ({"include/shepard/need.h": "size_t shepard_size(void);\n"}, "need.h does not compile alone"),
    ({"include/shepard/cpp.h": "struct shepard_s { int class; };\n"}, "alone as c++17"),
    ({"include/shepard/twice.h": "struct shepard_t { int a; };\n"}, "twice.h does not compile"),
]
BROKEN_EQUATIONS = [
    ({"src/core/mean.c": "/* (Eq. 4) */\n"}, "src/core/mean.c: there is no Eq. 4"),
    ({"src/core/mean.c": "/* as in Eq. 1,\n * 2 and 3b of docs/math.md */\n"}, "there is no Eq. 3b"),
    ({"docs/math/sums.md": "\\tag{3}\n\\tag{2a}\n\\tag{3a}\n"}, "Eq. 2a is out of order"),
    ({"docs/math/sums.md": "\\tag{3}\n\\tag{3}\n\\tag{3a}\n"}, "Eq. 3 is out of order"),
    ({"docs/math/sums.md": "\\tag{3}\n"}, "math/sums.md does not have Eq. 3 to 3a"),
    ({"docs/math/more.md": "\\tag{5}\n"}, "does not list math/more.md"),
    ({"README.md": "[why](docs/math/why.md)\n"}, "there is no page docs/math/why.md"),
    ({"src/core/mean.c": "/* docs/math.md,\n * section 3 */\n"}, "not a section of docs/math.md"),
]
BROKEN_DOCUMENTS = [
    ({"README.md": "[a](docs/none.md)\n"}, "links to docs/none.md, which does not exist"),
    ({"docs/a.md": "# One two\n[a](#one-two) [b](math/sums.md#three)\n"},
     "links to math/sums.md#three, a heading that does not exist"),
    ({"docs/a.md": "see src/core/lost.c.\n"}, "names src/core/lost.c, which does not exist"),
]
BROKEN_NAMES = [
    ({"src/core/one.c": "struct one {\n    int a;\n};\n",
      "cli/two.h": "/* struct two { */\nenum one { A };\n"}, "the tag one is defined more than once"),
    ({"src/backend/cuda/one.cuh": "template <class T>\nclass one : public two {\n",
      "tests/io/two.h": "struct one {\n"}, "the tag one is defined more than once"),
    ({"cli/wave.c": "\n", "io/wave.h": "\n"}, "the file name wave stands for more than one thing"),
    ({"cli/wave.c": "\n", "src/base/wave.h": "\n"}, "the file name wave stands for more than one"),
    ({"src/core/wave.c": "\n", "src/backend/cpu/wave.c": "struct one {\n",
      "tests/io/a.c": "struct one {\n"}, None),
]


def plant(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run(*command):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def check_layers(root):
    return run(sys.executable, HERE / "layers.py", root)


def check_calls(root):
    plant(root, {name: text for name, text in CALLS.items() if not (root / name).exists()})
    for source in sorted(root.rglob("call*.c")):
        name = source.relative_to(root)
        target = root / "build" / name.parent / "CMakeFiles/all.dir" / (name.name + ".o")
        target.parent.mkdir(parents=True, exist_ok=True)
        status, text = run(CC, "-c", source, "-o", target)
        assert status == 0, text
    return run(sys.executable, HERE / "layers.py", root, NM, root / "build")


def build_objects(root, folder):
    objects = []
    for source in sorted((root / folder).glob("*.c")):
        objects.append(source.with_suffix(".o"))
        status, text = run(CC, "-c", "-fPIC", "-fvisibility=hidden", "-I", root / "include", "-I",
                           root / "src", source, "-o", objects[-1])
        assert status == 0, text
    return objects


def build_library(root, folder):
    library = root / folder / "library.a"
    status, text = run(AR, "rcs", library, *build_objects(root, folder))
    assert status == 0, text
    return library


def check_equations(root):
    return run(sys.executable, HERE / "equations.py", root)


def check_documents(root):
    return run(sys.executable, HERE / "documents.py", root)


def check_names(root):
    return run(sys.executable, HERE / "names.py", root)


def check_symbols(root):
    return run(sys.executable, HERE / "symbols.py", READELF, build_library(root, "src/api"),
               root / "include/shepard/shepard.h",
               *[build_library(root, f) for f in ["src/other"] if (root / f).is_dir()])


def check_shared(root):
    library = root / "library.so.1.0"
    status, text = run(CC, "-shared", f"-Wl,--version-script={root / 'src/api.map'}",
                       *build_objects(root, "src/api"), "-o", library)
    assert status == 0, text
    return run(sys.executable, HERE / "symbols.py", READELF, library,
               root / "include/shepard/shepard.h")


def check_headers(root):
    return run("sh", HERE / "headers.sh", CC, CXX, root / "include")


def expect(check, files, words):
    """1 where the check's answer on the sound tree with these files is not the expected one."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        plant(root, {**SOUND, **files})
        status, text = check(root)
    if (status != 0) == (words is not None) and (words or "") in text:
        return 0
    print(f"{check.__name__} with {files}: wanted {words or 'no fault'}, got {status}:\n{text}")
    return 1


def main():
    wrong = count = 0
    for check, cases in ((check_layers, BROKEN_LAYERS), (check_calls, BROKEN_CALLS),
                         (check_symbols, BROKEN_SYMBOLS),
                         (check_shared, BROKEN_SHARED),
                         (check_headers, BROKEN_HEADERS), (check_equations, BROKEN_EQUATIONS),
                         (check_documents, BROKEN_DOCUMENTS), (check_names, BROKEN_NAMES)):
        for files, words in [({}, None)] + cases:
            wrong += expect(check, files, words)
            count += 1
    print(f"breaks: {count} trees, {wrong} judged wrongly")
    return 1 if wrong else 0


sys.exit(main())
