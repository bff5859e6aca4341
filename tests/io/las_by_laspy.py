#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LAS and LAZ files that laspy writes, read by shepard: every dimension, bit for bit.

    las_by_laspy.py SHEPARD [DATA [laz]]

Each version and point format, with extra dimensions, of the first returns of DATA/lidar/autzen_trim.csv
or of made up ones. The value of the nearest point at its own place is its dimension. With "laz" the files are
compressed by each library that laspy finds (lazrs, LASzip), and cut or damaged ones get an answer or an error. Prints
"skipped: ..." where laspy, or a library that compresses, is not installed.
"""
import csv
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import laspy
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

COUNT = 400
VERSIONS = {"1.1": (0, 1), "1.2": range(4), "1.3": range(6), "1.4": range(11)}
# lazrs 0.8 writes wave packets that LASzip refuses (4, 5) or that neither of them reads back (9, 10).
WITH_WAVES = {4, 5, 9, 10}
LEFT_OUT = {"X", "Y", "Z", "withheld", "raw_classification", "bit_fields", "classification_flags"}


def places(data):
    """Coordinates and intensities; no two points at one place."""
    table = Path(data) / "lidar/autzen_trim.csv"
    if table.is_file():
        with table.open() as file:
            rows = [[float(row[name]) for name in ("x", "y", "z")] for row, _ in zip(csv.DictReader(file), range(COUNT))]
        return np.array(rows)
    random = np.random.default_rng(1)
    return np.column_stack([random.permutation(COUNT) * 1.37 + 637000, random.random((COUNT, 2)) * 100])


def make(version, point_format, xyz, random):
    header = laspy.LasHeader(version=version, point_format=point_format)
    header.scales, header.offsets = [0.01, 0.01, 0.001], [637000, 849000, 400]
    header.add_extra_dim(laspy.ExtraBytesParams(name="range", type=np.int16, scales=np.array([0.25]),
                                                offsets=np.array([10.0])))
    header.add_extra_dim(laspy.ExtraBytesParams(name="exact", type=np.float64))
    las = laspy.LasData(header)
    las.x, las.y, las.z = xyz.T
    for name in las.point_format.dimension_names:
        if name in LEFT_OUT | {"range", "exact"}:
            continue
        info = las.point_format.dimension_by_name(name)
        if info.kind == laspy.DimensionKind.FloatingPoint:
            las[name] = random.random(COUNT) * 1000
        else:
            high = 90 if name == "scan_angle_rank" else 2 ** min(info.num_bits - (name == "scan_angle"), 31)
            las[name] = random.integers(0, high, COUNT)
    las["range"] = random.integers(-1000, 1000, COUNT) * 0.25 + 10
    las["exact"] = random.random(COUNT)
    return las


def expected(las, name):
    values = np.asarray(las[name], dtype=np.float64)
    return values * 0.006 if name == "scan_angle" else values


def check(shepard, path, las):
    names = [name for name in las.point_format.dimension_names if name not in LEFT_OUT]
    query, out = path.with_name("places.csv"), path.with_name("out.gpkg")
    x, y = np.asarray(las.x), np.asarray(las.y)
    query.write_text("x,y\n" + "".join(f"{a:.17g},{b:.17g}\n" for a, b in zip(x, y)))
    out.unlink(missing_ok=True)
    subprocess.run([shepard, "points", "-q", "-a", "idw:k=1", "-zfield", ",".join(["z", *names]), path, query, out],
                   check=True)
    with sqlite3.connect(out) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT * FROM out ORDER BY fid").fetchall()
    faults = 0
    columns = [column for column in rows[0].keys() if column not in ("fid", "geom", "x", "y")]
    for name, column in zip(["z", *names], columns):
        told = np.array([row[column] for row in rows], dtype=np.float64)
        wanted = np.asarray(las.z) if name == "z" else expected(las, name)
        if not np.array_equal(told, wanted):
            i = int(np.flatnonzero(told != wanted)[0])
            print(f"{path.name}: {name} ({column}) of point {i}: {told[i]!r}, laspy {wanted[i]!r}")
            faults += 1
    return faults


def check_damaged(shepard, path):
    """Cut files are errors; those with wrong bits errors or answers. Neither crashes or leaves a raster."""
    whole, random, faults = path.read_bytes(), np.random.default_rng(2), 0
    bad, out = path.with_name("bad.laz"), path.with_name("bad.tif")
    for trial in range(60):
        data = bytearray(whole)
        cut = trial % 3 == 0
        if cut:
            del data[int(random.integers(4, int.from_bytes(whole[96:100], "little") + 1000)):]
        else:
            data[int(random.integers(90, len(data)))] ^= 1 << int(random.integers(8))
        bad.write_bytes(data)
        out.unlink(missing_ok=True)
        run = subprocess.run([shepard, "grid", "-q", "-a", "idw:k=4", "-outsize", "9", "9", bad, out],
                             capture_output=True, text=True, errors="replace", timeout=60)
        failed = run.returncode == 1 and "error: " in run.stderr and not out.exists()
        if not failed and (cut or run.returncode != 0):
            print(f"{path.name}, {'cut' if cut else 'damaged'}, trial {trial}: {run.returncode} {run.stderr}")
            faults += 1
    return faults


def backends(packed, point_format):
    """The libraries that compress; one None for files that are not compressed."""
    if not packed:
        return [None]
    return [backend for backend in laspy.LazBackend.detect_available()
            if backend == laspy.LazBackend.Laszip or point_format not in WITH_WAVES]


def main(shepard, data="", packed=""):
    if packed and not laspy.LazBackend.detect_available():
        print("skipped: neither lazrs nor laszip is installed")
        return 0
    xyz, random = places(data), np.random.default_rng(1)
    faults = files = 0
    with tempfile.TemporaryDirectory() as folder:
        for version, formats in VERSIONS.items():
            for point_format in formats:
                las = make(version, point_format, xyz, random)
                path = Path(folder) / f"v{version[-1]}f{point_format}.{'laz' if packed else 'las'}"
                for backend in backends(packed, point_format):
                    las.write(path, laz_backend=backend)
                    faults += check(shepard, path, las)
                    files += 1
        for name in ("v2f3.laz", "v4f7.laz") if packed else ():
            faults += check_damaged(shepard, Path(folder) / name)
    print(f"laspy: {files} files, {faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
