# SPDX-License-Identifier: MIT
"""What the drivers share: runs of programs, their seconds, and results as JSON."""
import json
import os
import resource
import statistics
import subprocess
import sys
import time


def say(text):
    """Progress, kept apart from the tables."""
    print(text, file=sys.stderr, flush=True)


def run(command, **more):
    """Runs a program; its output as text. A failure ends the driver with the program's words."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def timed(command, **more):
    """Seconds of a whole command: wall clock, and processor time of it and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    run(command, **more)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu}


def with_threads(count):
    """An environment that gives every program this many threads."""
    return dict(os.environ, OMP_NUM_THREADS=str(count), GDAL_NUM_THREADS=str(count))


def find_scipy():
    """A Python that has SciPy, or None. The system's own comes first: Debian's package is for it."""
    for python in ("/usr/bin/python3", "python3"):
        try:
            subprocess.run([python, "-c", "import scipy.spatial"], check=True,
                           stderr=subprocess.DEVNULL)
            return python
        except (OSError, subprocess.CalledProcessError):
            continue
    return None


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


def write(results, file):
    with open(file, "w", encoding="utf-8") as out:
        json.dump(results, out, indent=1)
        out.write("\n")
