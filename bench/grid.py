# SPDX-License-Identifier: MIT
"""Points in a file to a raster, two threads: `shepard grid` and other programs.

ours and gdal_grid: whole commands, reading and writing included, the same options.
GRASS: v.surf.idw alone, its import left out. SciPy: search and sums alone, reading left out.
Runs take turns, so that other work on the machine falls on all alike. The answers are compared
cell by cell, in double precision. Reading is also timed by file format.
"""
import array
import json
import math
import shutil
import sys

import runs

X0, Y0, SIDE = 500000, 5400000, 10000  # of papers/dataset.h
NEIGHBOURS = 12
THREADS = 2
FORMATS = {"GeoPackage": "points.gpkg", "FlatGeobuf": "points.fgb", "Shapefile": "points.shp",
           "CSV": "points.csv"}
TO_FORMAT = ["-q", "-overwrite", "-a_srs", "EPSG:32632", "-nln", "points",
             "-oo", "X_POSSIBLE_NAMES=x", "-oo", "Y_POSSIBLE_NAMES=y",
             "-oo", "KEEP_GEOM_COLUMNS=NO", "-oo", "AUTODETECT_TYPE=YES"]


def algorithm(job, keys=""):
    # Three times the radius that holds 12 points on average: every cell has 12 within it.
    radius = 3 * SIDE / math.sqrt(job.points) * math.sqrt(NEIGHBOURS / math.pi)
    return ["-zfield", "z", "-a", f"invdistnn:radius={round(radius, 1)}{keys}"]


def options(job, keys=""):
    return ["-q", *algorithm(job, f":max_points={NEIGHBOURS}{keys}"), "-txe", str(X0),
            str(X0 + SIDE), "-tye", str(Y0), str(Y0 + SIDE), "-outsize", str(job.cells),
            str(job.cells)]


def make_data(job):
    runs.say("grid: writing the points as CSV, GeoPackage, FlatGeobuf and Shapefile")
    with open(job.draw("uniform", 1), "rb") as file:
        v, n = array.array("d"), job.points
        file.seek(16)
        v.fromfile(file, 3 * n + 2)
    with open(job.work / "points.csv", "w", encoding="ascii") as out:
        out.write("x,y,z\n")
        out.writelines(f"{x!r},{y!r},{z!r}\n" for x, y, z in zip(v[:n], v[n:2 * n], v[2 * n + 2:]))
    for file in FORMATS.values():
        if file != "points.csv":
            runs.run(["ogr2ogr", *TO_FORMAT, job.work / file, job.work / "points.csv"])


def run_ours(job, keys, out):
    return runs.timed([job.build / "cli" / "shepard", "grid", *options(job, keys), "--threads",
                       str(THREADS), job.work / "points.gpkg", job.work / out])


def run_gdal_grid(job):
    return runs.timed(["gdal_grid", *options(job), job.work / "points.gpkg",
                       job.work / "gdal_grid.tif"], THREADS)


def run_scipy(job, python):
    return json.loads(runs.run([python, runs.HERE / "peer_scipy.py", "idw",
                                job.work / "uniform.bin", str(NEIGHBOURS), job.work / "scipy.raw",
                                str(job.cells), str(THREADS)]))


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
    """v.surf.idw alone, timed inside GRASS; then the raster as doubles, north-up."""
    idw = ["v.surf.idw", "--overwrite", "--quiet", "input=pts", "layer=0",
           f"npoints={NEIGHBOURS}", "power=2", "output=surface"]
    script = f"import json, sys; sys.path.insert(0, {str(runs.HERE)!r}); import runs; " \
             f"print(json.dumps(runs.timed({idw!r})))"
    out = grass(job, "python3", "-c", script)
    grass(job, "r.out.bin", "-f", "--overwrite", "--quiet", "bytes=8", "input=surface",
          f"output={job.work / 'grass.raw'}")
    return json.loads(out[out.index("{"):out.index("}") + 1])


def find_programs(job):
    """Name of each program here and the call that runs it."""
    programs = {"shepard": lambda: run_ours(job, "", "shepard.tif"),
                "shepard double": lambda: run_ours(job, ":precision=double", "double.tif")}
    if shutil.which("gdal_grid"):
        programs["gdal_grid"] = lambda: run_gdal_grid(job)
    else:
        job.skipped["gdal_grid"] = "not installed (gdal-bin)"
    if shutil.which("grass"):
        import_into_grass(job)
        programs["grass"] = lambda: run_grass(job)
    else:
        job.skipped["grass"] = "not installed (grass-core)"
    python = job.find_scipy()
    if python:
        programs["scipy"] = lambda: run_scipy(job, python)
    return programs


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
        differences = [abs(a - b) for a, b in zip(ours, read_raster(job, result["tool"]))]
        result["largest_difference"] = max(differences)
        result["cells_that_differ"] = sum(d > 1e-6 for d in differences) / len(differences)


def time_reading(job):
    """Seconds of reading, from the command's own summary, and of the whole small command."""
    measured, summary = runs.Runs(), job.work / "summary.json"
    for _ in range(job.turns):
        for name, file in FORMATS.items():
            seconds = runs.timed([job.build / "cli" / "shepard", "grid", "-q", *algorithm(job),
                                  "-outsize", "8", "8", "--json", summary, job.work / file,
                                  job.work / "small.tif"])
            read = json.loads(summary.read_text("utf-8"))["seconds"]["read"]
            measured.add({"case": "read", "format": name}, dict(seconds, wall=read))
    return measured.finish()


def measure(job):
    make_data(job)
    programs, measured = find_programs(job), runs.Runs()
    for number in range(job.turns):
        runs.say(f"grid: turn {number + 1} of {job.turns}")
        for name, program in programs.items():
            measured.add({"case": "grid", "tool": name}, program())
    results, reading = measured.finish(), time_reading(job)
    compare(job, results)
    runs.show(f"{job.points} points to {job.cells} x {job.cells} cells, {NEIGHBOURS} nearest, "
              f"{THREADS} threads; seconds, of grass and scipy without reading", results, "tool",
              "wall_median", "cpu_median", "largest_difference", "cells_that_differ")
    runs.show("Reading", reading, "format", "wall_median")
    return results + reading
