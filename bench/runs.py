# SPDX-License-Identifier: MIT
"""What the measurements share: runs of programs, their seconds, and tables of results."""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import tables

HERE = pathlib.Path(__file__).parent


class Job:
    """Where the programs are built and files go, and how much is measured."""

    def __init__(self, build, turns, points=1024000, cells=1000):
        self.build, self.bench = build, build / "bench"
        self.work = build / "bench-work"
        self.turns, self.points, self.cells = turns, points, cells
        self.skipped = {}  # name of each program that is not here, and why

    def draw(self, kind, targets, points=None, name=None):
        """A dataset of papers/dataset.h as a file."""
        file = self.work / f"{name or kind}.bin"
        run([self.bench / "bench_core", "draw", kind, file, "--points",
             str(points or self.points), "--targets", str(targets)])
        return file

    def core(self, *words):
        """Results of bench_core, printed as tables, and whether all of its cases succeeded."""
        with subprocess.Popen([self.bench / "bench_core", *words, "--repeat", str(self.turns)],
                              stdout=subprocess.PIPE, text=True) as program:
            results = tables.show_lines(program.stdout)
        return results, program.returncode == 0

    def find_scipy(self):
        """A Python that has SciPy, or None. The system's own comes first: Debian's package is for it."""
        for python in ("/usr/bin/python3", "python3"):
            try:
                run([python, "-c", "import scipy.spatial"])
                return python
            except (OSError, SystemExit):
                continue
        self.skipped["scipy"] = "no python3 with SciPy (python3-scipy)"
        return None


def say(text):
    """Progress, kept apart from the tables."""
    print(text, file=sys.stderr, flush=True)


def run(command, **more):
    """Runs a program; its output as text. A failure ends the script with the program's words."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def timed(command, threads=None):
    """Seconds of a whole command: wall clock, and processor time of it and its children."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), GDAL_NUM_THREADS=str(threads))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(command, env=env if threads else None)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu}


class Runs:
    """Seconds of several runs of each thing measured, a thing named by its members."""

    def __init__(self):
        self.results = []

    def add(self, key, seconds, **more):
        for result in self.results:
            if all(result.get(name) == value for name, value in key.items()):
                break
        else:
            result = dict(key, wall=[], cpu=[])
            self.results.append(result)
        result["wall"].append(seconds["wall"])
        result["cpu"].append(seconds["cpu"])
        result.update(more)

    def finish(self):
        for result in self.results:
            for clock in ("wall", "cpu"):
                result[clock + "_median"] = statistics.median(result[clock])
                result[clock + "_min"] = min(result[clock])
        return self.results


def show(title, results, *columns):
    """Prints results as a table."""
    rows = [columns, *([tables.cell(r.get(c, "")) for c in columns] for r in results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    print(f"\n{title}")
    for row in rows:
        print("  ".join(text.rjust(width) for text, width in zip(row, widths)))
