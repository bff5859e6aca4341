#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what bench/gpu.py derives with stored results, and looks for missed thresholds.

    check_gpu.py BENCH_FOLDER

A script stands for bench_cuda: it prints stored measurements, so no GPU is needed.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(sys.argv[1])
# What bench/gpu.py adds to results.
ADDED = {"machine": ("commit",), "stage": ("least_seconds", "share", "limit"),
         "device_arrays": ("pinned_milliseconds",)}


def measured(stored):
    """The stored results as bench_cuda prints them."""
    own = [r for r in stored if r["case"] != "figure" and r.get("peer") != "pytorch-brute-force"]
    return [{k: v for k, v in r.items() if k not in ADDED.get(r["case"], ())} for r in own]


def run(results, work, exit_status=0, *options):
    """Results that bench/gpu.py writes, and its exit status."""
    program, file = work / "bench_cuda", work / "results.json"
    lines = "".join(json.dumps(r) + "\n" for r in results)
    program.write_text(f"#!/bin/sh\ncat <<'end'\n{lines}end\nexit {exit_status}\n", "utf-8")
    program.chmod(0o755)
    done = subprocess.run([sys.executable, "-B", BENCH / "gpu.py", program, "--json", file, *options],
                          stdout=subprocess.DEVNULL, check=False)
    return json.loads(file.read_text("utf-8")) if file.exists() else [], done.returncode


def is_near(a, b):
    return abs(a - b) <= 1e-12 * abs(b) if isinstance(a, float) else a == b


def check_stored(stored, work):
    found, status = run(measured(stored), work, 0, "--commit", stored[0]["commit"])
    found = [r for r in found if r.get("peer") != "pytorch-brute-force"]
    wanted = [r for r in stored if r.get("peer") != "pytorch-brute-force"]
    missed = any(r.get("verdict") == "MISS" for r in stored)
    assert status == int(missed), f"exit {status}"
    assert len(found) == len(wanted), f"{len(found)} results, not {len(wanted)}"
    for one, other in zip(found, wanted):
        wrong = [k for k in one.keys() | other.keys() if not is_near(one.get(k), other.get(k))]
        assert not wrong, f"{wrong} of {one}, stored as {other}"


def check_missed(stored, work):
    """One worse measurement; an error that is not a number; a measurement that failed."""
    for case, key, value, missed in (("end_to_end", "wall_median", 0.0101, "1,024,000 x 1,024,000"),
                                     ("end_to_end", "error", None, "error over eps"),
                                     ("leave_one_out", "ratio", 1.2, "each left out")):
        results = measured(stored)
        next(r for r in results if r["case"] == case)[key] = value
        found, status = run(results, work)
        misses = [r["figure"] for r in found if r.get("verdict") == "MISS"]
        assert status == 1 and any(missed in text for text in misses), f"{key}: {status}, {misses}"
    assert run(measured(stored), work, 0, "--quick")[1] == 0, "--quick judges more than errors"
    assert run(measured(stored), work, 1, "--quick")[1] == 1, "a failure of the program is lost"
    assert run([], work, 77)[1] == 77, "a machine without a device is not skipped"


def main():
    stored = json.loads((BENCH / "results/cuda-nvidia-h200.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as work:
        check_stored(stored, pathlib.Path(work))
        check_missed(stored, pathlib.Path(work))


if __name__ == "__main__":
    main()
