#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The promised figures beside the measured ones, and all results in one file.

summary.py BUILD_DIR RESULTS_DIR LOAD COMMIT PART.json...

LOAD, COMMIT: the machine's load average and the source measured, when the measurements began.
Prints one table and writes RESULTS_DIR/cpu-<processor>-<cores>-cores.json. Ends with 1 where a figure was missed or an answer
was wrong, with 0 otherwise; a figure whose peer is not installed is left out, with the reason.
"""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

# Points and targets that the promises about sums within a tolerance are for.
SIZES = {"sums": 1024000, "large": 10240000, "raster": (10000, 100000000), "growth": 262144}


def output_of(*command):
    """First line of what a program prints; empty where it is not here."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip().split("\n")[0]


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def compiler(build_dir):
    cache = (build_dir / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", cache, re.M)
    return output_of(found.group(1), "--version") if found else ""


def describe_host(build_dir, load, commit):
    return {"processor": processor(), "cores": os.cpu_count(), "load_at_start": float(load),
            "system": platform.system() + " " + platform.machine(),
            "compiler": compiler(build_dir), "commit": commit,
            "date": datetime.date.today().isoformat(),
            "gdal": output_of("gdalinfo", "--version"),
            "grass": output_of("grass", "--version"),
            "scipy": output_of("/usr/bin/python3", "-c", "import scipy; print(scipy.__version__)")}


class Results:
    """All results, found by their members."""

    def __init__(self, files):
        self.all = [r for f in files for r in json.loads(pathlib.Path(f).read_text("utf-8"))]

    def find(self, **members):
        """The one result with these members, or None."""
        for result in self.all:
            if all(result.get(name) == value for name, value in members.items()):
                return result
        return None

    def get(self, name, **members):
        result = self.find(**members)
        return None if result is None else result.get(name)


class Figure:
    """One promise: text, limit, measured value, and which side of the limit is good."""

    def __init__(self, text, limit, measured, at_least):
        self.text, self.limit, self.measured, self.at_least = text, limit, measured, at_least

    def passed(self):
        if self.at_least:
            return self.measured >= self.limit
        return self.measured <= self.limit

    def ratio(self):
        """How many times as good as promised."""
        if self.at_least:
            return self.measured / self.limit
        return self.limit / self.measured if self.measured else float("inf")

    def as_json(self):
        ratio = self.ratio()
        return {"figure": self.text, "promised": ("at least " if self.at_least else "at most ")
                + f"{self.limit:g}", "measured": self.measured,
                "times_as_good": None if ratio == float("inf") else ratio,
                "passed": self.passed()}


def quotient(a, b):
    return None if a is None or b is None else a / b


def knn_figures(results):
    for k in (10, 15):
        seconds = {tool: results.get("cpu_median", case="knn", tool=tool, data="uniform", k=k)
                   for tool in ("shepard", "scipy", "cgal", "nanoflann")}
        best = min((s for t, s in seconds.items() if t in ("cgal", "nanoflann") and s),
                   default=None)
        yield Figure(f"kNN k={k}: times as fast as SciPy", 6,
                     quotient(seconds["scipy"], seconds["shepard"]), True)
        yield Figure(f"kNN k={k}: times as fast as the best of CGAL, nanoflann", 1.6,
                     quotient(best, seconds["shepard"]), True)
        clustered = results.get("cpu_median", case="knn", tool="shepard", data="clustered", k=k)
        yield Figure(f"kNN k={k}: clustered over uniform", 2,
                     quotient(clustered, seconds["shepard"]), False)
    ours = [r for r in results.all if r["case"] == "knn"]
    if ours:
        yield Figure("kNN: wrong answers, and peers with other ones", 0,
                     sum(r.get("wrong", 0) + (not r.get("agrees", True)) for r in ours), False)


def grid_figures(results):
    wall = {tool: results.get("wall_median", case="grid", tool=tool)
            for tool in ("shepard", "gdal_grid", "grass", "scipy")}
    cpu = {tool: results.get("cpu_median", case="grid", tool=tool) for tool in wall}
    yield Figure("grid: times as fast as gdal_grid, wall", 10,
                 quotient(wall["gdal_grid"], wall["shepard"]), True)
    yield Figure("grid: times as fast as gdal_grid, processor time", 10,
                 quotient(cpu["gdal_grid"], cpu["shepard"]), True)
    yield Figure("grid: largest difference from gdal_grid", 1e-9,
                 results.get("largest_difference", case="grid", tool="gdal_grid"), False)
    yield Figure("grid: times as fast as GRASS without its import, wall", 1,
                 quotient(wall["grass"], wall["shepard"]), True)


def pairs_figures(results):
    for power, rate in (("2.5", 1.4e9), ("aidw", 1.4e9), ("2", 5e9)):
        yield Figure(f"pairs a second and core, single, power {power}", rate,
                     results.get("pairs_per_cpu_second", case="pairs", power=power,
                                 precision="single", columns=1), True)
    for precision, limit in (("single", 1e-6), ("double", 1e-12)):
        errors = [r["error"] for r in results.all
                  if r["case"] == "pairs" and r["precision"] == precision]
        yield Figure(f"sums in {precision}: largest error over the value range", limit,
                     max(errors, default=None), False)


def tolerance_figures(results, sizes=None):
    sizes = sizes or SIZES

    def aidw(member, n, data="uniform"):
        return results.get(member, case="sums", method="aidw", data=data, points=n, targets=n)

    def raster(columns):
        points, cells = sizes["raster"]
        return results.get("wall_median", case="raster", points=points, targets=cells,
                           columns=columns)

    n, large = sizes["sums"], sizes["large"]
    uniform = aidw("wall_median", n)
    yield Figure(f"AIDW {n:,} x {n:,}: seconds (aim 0.8)", 1.6, uniform, False)
    yield Figure(f"AIDW {large:,} x {large:,}: seconds (aim 9)", 18,
                 aidw("wall_median", large), False)
    yield Figure(f"AIDW {n:,}: clustered over uniform (aim 1)", 1.5,
                 quotient(aidw("wall_median", n, "clustered"), uniform), False)
    yield Figure(f"AIDW {n:,}: model, bytes a data point (aim 96)", 160,
                 aidw("model_bytes_per_point", n), False)
    yield Figure("IDW p=2, {:,} to {:,} cells: seconds (aim 10)".format(*sizes["raster"]), 60,
                 raster(1), False)
    yield Figure("the same with 8 columns over 1 column", 2, quotient(raster(8), raster(1)), False)
    yield growth_figure(results, sizes["growth"])
    # An error that is not a number is written as null, and is as bad as any.
    errors = [float("inf") if r["error"] is None else r["error"] / r["eps"] for r in results.all
              if r["case"] in ("sums", "raster", "growth")]
    yield Figure("sums with eps 1e-4: largest error over eps", 1, max(errors, default=None), False)


def growth_figure(results, least):
    factors = {r["points"]: r["ratio"] for r in results.all
               if r["case"] == "growth_ratio" and r["points"] >= 4 * least}
    return Figure(f"AIDW {least:,} to {max(factors, default=0):,}: largest time(4n)/time(n)", 4.6,
                  max(factors.values(), default=None), False)


def memory_figures(results):
    held = [r["model_bytes_per_point"] for r in results.all
            if r["case"] == "memory" and r["columns"] == 1]
    yield Figure("model of exact sums: bytes a data point, most of all", 64,
                 max(held, default=None), False)


def list_figures(results):
    figures = [*knn_figures(results), *grid_figures(results), *pairs_figures(results),
               *tolerance_figures(results), *memory_figures(results)]
    return [f for f in figures if f.measured is not None]


def print_table(figures, results):
    print(f"{'figure':57} {'promised':>9} {'measured':>10} {'times as good':>13}")
    for f in figures:
        sign = ">=" if f.at_least else "<="
        limit = f"{sign} {f.limit:.3g}"
        print(f"{f.text:57} {limit:>9} {f.measured:10.3g} {f.ratio():13.2f}  "
              + ("pass" if f.passed() else "MISS"))
    for r in results.all:
        if r["case"] == "skipped":
            print(f"{r['tool']} is not measured beside: {r['reason']}")
    print("kNN and pairs: processor seconds, one thread. grid, AIDW, IDW: two threads. Medians.")


def file_name(host):
    kind = re.sub(r"[^a-z0-9]+", "-", host["processor"].lower()).strip("-")
    return f"cpu-{kind}-{host['cores']}-cores.json"


def main():
    build_dir, results_dir = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    results = Results(sys.argv[5:])
    figures = list_figures(results)
    host = describe_host(build_dir, sys.argv[3], sys.argv[4])
    results_dir.mkdir(exist_ok=True)
    file = results_dir / file_name(host)
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"host": host, "figures": [f.as_json() for f in figures],
                   "results": results.all}, out, indent=1)
        out.write("\n")
    print(f"{host['processor']}, {host['cores']} cores, load {host['load_at_start']:g} at the "
          f"start; {host['compiler']}; commit {host['commit']}\n")
    print_table(figures, results)
    print(f"written: {file}")
    sys.exit(0 if all(f.passed() for f in figures) else 1)


if __name__ == "__main__":
    main()
