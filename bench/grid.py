#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Points in a file to a raster, two threads: `shepard grid` beside other programs.

grid.py BUILD_DIR WORK_DIR OUT.json [--repeat R] [--points N] [--cells C]

ours and gdal_grid: whole commands, reading and writing included, the same options.
GRASS: v.surf.idw alone, its import left out. SciPy: search and sums alone, reading left out.
Runs take turns, so that other work on the machine falls on all alike. The answers are compared
cell by cell, in double precision. Reading is also timed by file format.
"""
import argparse
import array
import json
import math
import pathlib
import shutil
import sys

import runs

X0, Y0, SIDE = 500000, 5400000, 10000  # of bench/cloud.h
NEIGHBOURS = 12
THREADS = 2
FORMATS = {"GeoPackage": "points.gpkg", "FlatGeobuf": "points.fgb", "Shapefile": "points.shp",
           "CSV": "points.csv"}
TO_FORMAT = ["-q", "-overwrite", "-a_srs", "EPSG:32632", "-nln", "points",
             "-oo", "X_POSSIBLE_NAMES=x", "-oo", "Y_POSSIBLE_NAMES=y",
             "-oo", "KEEP_GEOM_COLUMNS=NO", "-oo", "AUTODETECT_TYPE=YES"]


class Job:
    """What is gridded, and where the files are."""

    def __init__(self, args):
        self.bin_dir, self.work = args.build_dir / "bench", args.work_dir
        self.command = args.build_dir / "cli" / "shepard"
        self.points, self.cells, self.repeat = args.points, args.cells, args.repeat
        # Three times the radius that holds 12 points on average: every cell has 12 within it.
        spacing = SIDE / math.sqrt(args.points)
        self.radius = round(3 * spacing * math.sqrt(NEIGHBOURS / math.pi), 1)
        self.cloud = self.work / "uniform.bin"

    def options(self, keys=""):
        return ["-q", "-zfield", "z", "-txe", str(X0), str(X0 + SIDE), "-tye", str(Y0),
                str(Y0 + SIDE), "-outsize", str(self.cells), str(self.cells), "-a",
                f"invdistnn:radius={self.radius}:max_points={NEIGHBOURS}{keys}"]


def write_csv(job):
    with open(job.cloud, "rb") as file:
        counts = array.array("Q")
        counts.fromfile(file, 2)
        n, m = counts
        v = array.array("d")
        v.fromfile(file, 3 * n + 2 * m)
    with open(job.work / "points.csv", "w", encoding="ascii") as out:
        out.write("x,y,z\n")
        out.writelines(f"{x!r},{y!r},{z!r}\n"
                       for x, y, z in zip(v[:n], v[n:2 * n], v[2 * n + 2 * m:]))


def make_data(job):
    runs.say("grid: writing the points as CSV, GeoPackage, FlatGeobuf and Shapefile")
    runs.run([job.bin_dir / "bench_core", "draw", "uniform", job.cloud, "--points",
              str(job.points), "--targets", "1"])
    write_csv(job)
    for file in FORMATS.values():
        if file != "points.csv":
            runs.run(["ogr2ogr", *TO_FORMAT, job.work / file, job.work / "points.csv"])


def run_ours(job, keys, out):
    return runs.timed([job.command, "grid", *job.options(keys), "--threads", str(THREADS),
                       job.work / "points.gpkg", job.work / out])


def run_gdal_grid(job):
    return runs.timed(["gdal_grid", *job.options(), job.work / "points.gpkg",
                       job.work / "gdal_grid.tif"], env=runs.with_threads(THREADS))


def run_scipy(job, python):
    here = pathlib.Path(__file__).parent
    return json.loads(runs.run([python, here / "peer_scipy_idw.py", job.cloud,
                                job.work / "scipy.raw", str(job.cells), str(NEIGHBOURS),
                                str(THREADS)]))


def grass(job, *command):
    return runs.run(["grass", job.work / "grass" / "bench" / "PERMANENT", "--exec", *command])


def import_into_grass(job):
    """The points as a map without topology and table, their values as z: the fastest to read."""
    runs.say("grid: importing the points into GRASS")
    shutil.rmtree(job.work / "grass", ignore_errors=True)
    (job.work / "grass").mkdir()
    runs.run(["grass", "-e", "-c", "EPSG:32632", job.work / "grass" / "bench"])
    grass(job, "v.in.ascii", "-b", "-z", "-t", "--quiet", f"input={job.work / 'points.csv'}",
          "output=pts", "separator=comma", "skip=1", "x=1", "y=2", "z=3")
    grass(job, "g.region", f"n={Y0 + SIDE}", f"s={Y0}", f"w={X0}", f"e={X0 + SIDE}",
          f"rows={job.cells}", f"cols={job.cells}")


def run_grass(job):
    script = pathlib.Path(__file__).parent / "peer_grass.py"
    out = grass(job, "python3", str(script), str(NEIGHBOURS), str(job.work / "grass.raw"))
    return json.loads(out[out.index("{"):out.index("}") + 1])


def find_programs(job):
    """Name of each program here and the call that runs it; those missing with the reason."""
    programs = {"shepard": lambda: run_ours(job, "", "shepard.tif"),
                "shepard double": lambda: run_ours(job, ":precision=double", "double.tif")}
    missing = {}
    if shutil.which("gdal_grid"):
        programs["gdal_grid"] = lambda: run_gdal_grid(job)
    else:
        missing["gdal_grid"] = "not installed (gdal-bin)"
    if shutil.which("grass"):
        import_into_grass(job)
        programs["grass"] = lambda: run_grass(job)
    else:
        missing["grass"] = "not installed (grass-core)"
    python = runs.find_scipy()
    if python:
        programs["scipy"] = lambda: run_scipy(job, python)
    else:
        missing["scipy"] = "no python3 with SciPy (python3-scipy)"
    return programs, missing


def read_raster(job, name):
    """The cells of a program's raster, north-up."""
    raw = job.work / {"shepard double": "double.raw"}.get(name, f"{name}.raw")
    if name not in ("scipy", "grass"):
        runs.run(["gdal_translate", "-q", "-of", "ENVI", "-ot", "Float64",
                  raw.with_suffix(".tif"), raw])
    cells = array.array("d")
    cells.frombytes(raw.read_bytes())
    if len(cells) != job.cells ** 2:
        sys.exit(f"{name}: {len(cells)} cells in its raster, not {job.cells ** 2}")
    return cells


def compare(job, results):
    """Adds to each result its largest difference from ours in double, and the share of cells that
    differ by more than 1e-6: not the mean of the exact nearest."""
    ours = read_raster(job, "shepard double")
    for result in results:
        theirs = read_raster(job, result["tool"])
        differences = [abs(a - b) for a, b in zip(ours, theirs)]
        result["largest_difference"] = max(differences)
        result["cells_that_differ"] = sum(d > 1e-6 for d in differences) / len(differences)


def time_reading(job):
    """Seconds of reading, from the command's own summary, and of the whole small command."""
    measured = runs.Runs()
    summary = job.work / "summary.json"
    keys = ["-a", f"invdistnn:radius={job.radius}", "-outsize", "8", "8", "-zfield", "z"]
    for _ in range(job.repeat):
        for name, file in FORMATS.items():
            seconds = runs.timed([job.command, "grid", "-q", *keys, "--json", summary,
                                  job.work / file, job.work / "small.tif"])
            told = json.loads(summary.read_text(encoding="utf-8"))["seconds"]["read"]
            measured.add({"case": "read", "format": name},
                         {"wall": told, "cpu": seconds["cpu"]})
    return measured.finish()


def measure(job):
    make_data(job)
    programs, missing = find_programs(job)
    measured = runs.Runs()
    for turn in range(job.repeat):
        runs.say(f"grid: turn {turn + 1} of {job.repeat}")
        for name, program in programs.items():
            measured.add({"case": "grid", "tool": name}, program())
    results = measured.finish()
    compare(job, results)
    return results, time_reading(job), missing


def print_table(job, results, reading, missing):
    print(f"Raster of {job.cells} x {job.cells} cells from {job.points} points, "
          f"{NEIGHBOURS} nearest, {THREADS} threads; seconds (median)\n"
          "tool               wall      cpu   x ours  largest difference  cells that differ")
    ours = results[0]["wall_median"]
    for r in results:
        print(f"{r['tool']:15} {r['wall_median']:8.3f} {r['cpu_median']:8.3f} "
              f"{r['wall_median'] / ours:8.2f} {r['largest_difference']:19.1e} "
              f"{100 * r['cells_that_differ']:16.2f} %")
    print("grass and scipy: without reading. Reading by format, wall seconds:")
    for r in reading:
        print(f"{r['format']:15} {r['wall_median']:8.3f}")
    for name, reason in missing.items():
        print(f"{name} skipped: {reason}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("work_dir", type=pathlib.Path)
    parser.add_argument("out")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--points", type=int, default=1024000)
    parser.add_argument("--cells", type=int, default=1000)
    args = parser.parse_args()
    job = Job(args)
    results, reading, missing = measure(job)
    print_table(job, results, reading, missing)
    skipped = [{"case": "skipped", "tool": name, "reason": why} for name, why in missing.items()]
    runs.write(results + reading + skipped, args.out)


if __name__ == "__main__":
    main()
