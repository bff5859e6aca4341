#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the Python package with other packages on random data, in one run.

    compare.py [--points N] [--results FILE] [--only NAME]...

Each package does the whole work: it takes the data, and predicts. Times are the least of the
repetitions that fit into ten seconds, at least one: wall clock, and CPU seconds of all threads, which
other work on the machine changes less. Errors are largest differences from our
predictions, as fractions of the value range. What is not installed is left out:

    pip install . scipy scikit-learn pykdtree verde pykrige
"""
import argparse
import importlib
import json
import platform
import time
from importlib.metadata import version

import numpy as np

import shepard

K = 12


def data(count, seed=0):
    rng = np.random.default_rng(seed)
    points, at = rng.random((count, 2)), rng.random((count, 2))
    return points, np.sin(9 * points[:, 0]) * points[:, 1], at


def inverse_squares(distances):
    return 1 / np.maximum(distances, 1e-300) ** 2


def weighted_mean(distances, indices, values):
    weights = inverse_squares(distances)
    return (weights * values[indices]).sum(axis=1) / weights.sum(axis=1)


# ---- The k nearest


def ours_nearest(points, values, at):
    return shepard.IDW(k=K).fit(points, values).predict(at)


def scipy_nearest(points, values, at):
    from scipy.spatial import cKDTree
    return weighted_mean(*cKDTree(points).query(at, K), values)


def scipy_nearest_threads(points, values, at):
    from scipy.spatial import cKDTree
    return weighted_mean(*cKDTree(points).query(at, K, workers=-1), values)


def sklearn_nearest(points, values, at):
    from sklearn.neighbors import KNeighborsRegressor
    return KNeighborsRegressor(K, weights=inverse_squares).fit(points, values).predict(at)


def pykdtree_nearest(points, values, at):
    from pykdtree.kdtree import KDTree
    return weighted_mean(*KDTree(points).query(at, k=K), values)


def verde_mean(points, values, at):
    import verde
    return verde.KNeighbors(K).fit((points[:, 0], points[:, 1]), values).predict(
        (at[:, 0], at[:, 1]))


# ---- All points


def ours_all(points, values, at):
    return shepard.IDW(k=None).fit(points, values).predict(at)


def ours_all_exact(points, values, at):
    return shepard.IDW(k=None, eps=0, precision="double").fit(points, values).predict(at)


def numpy_all(points, values, at):
    found = np.empty(len(at))
    for start in range(0, len(at), 1000):
        part = at[start:start + 1000]
        squared = ((part[:, None, :] - points[None, :, :]) ** 2).sum(axis=-1)
        weights = 1 / squared
        found[start:start + 1000] = weights @ values / weights.sum(axis=1)
    return found


# ---- Kriging from 16 points, covariance given

SILL, RANGE, NUGGET = 0.2, 0.3, 0.01


def ours_kriging(points, values, at):
    return shepard.Kriging("exponential", psill=SILL, range=RANGE, nugget=NUGGET, k=16).fit(
        points, values).predict(at)


def pykrige_kriging(points, values, at):
    from pykrige.ok import OrdinaryKriging
    # PyKrige's exponential model is psill (1 - exp(-3 h / range)) + nugget.
    parameters = {"psill": SILL, "range": 3 * RANGE, "nugget": NUGGET}
    model = OrdinaryKriging(points[:, 0], points[:, 1], values, variogram_model="exponential",
                            variogram_parameters=parameters)
    return model.execute("points", at[:, 0], at[:, 1], n_closest_points=16, backend="loop")[0].data


CASES = {
    "nearest": (None, [("shepard IDW(k=12)", ours_nearest, "numpy"),
                       ("SciPy cKDTree + NumPy", scipy_nearest, "scipy"),
                       ("SciPy cKDTree, workers=-1, + NumPy", scipy_nearest_threads, "scipy"),
                       ("scikit-learn KNeighborsRegressor", sklearn_nearest, "sklearn"),
                       ("pykdtree + NumPy", pykdtree_nearest, "pykdtree"),
                       ("verde KNeighbors (plain mean)", verde_mean, "verde")]),
    "all points": (20000, [("shepard IDW(k=None)", ours_all, "numpy"),
                           ("shepard IDW(k=None, eps=0), double", ours_all_exact, "numpy"),
                           ("NumPy, blocks of 1000 targets", numpy_all, "numpy")]),
    "kriging": (5000, [("shepard Kriging(k=16)", ours_kriging, "numpy"),
                       ("PyKrige, 16 nearest, loop", pykrige_kriging, "pykrige")]),
}
DISTRIBUTIONS = {"sklearn": "scikit-learn"}


def installed(module):
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def least_time(work, *arguments):
    """Least wall clock, least CPU seconds of all threads, and what the work has found."""
    started, walls, processors = time.perf_counter(), [], []
    while True:
        wall, processor = time.perf_counter(), time.process_time()
        found = work(*arguments)
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
        if time.perf_counter() - started + min(walls) > 10:
            return min(walls), min(processors), found


def run_case(name, count, entries):
    arrays = data(count)
    rows, ours = [], None
    for title, work, module in entries:
        if not installed(module):
            print(f"{title}: {module} is not installed, left out")
            continue
        wall, processor, found = least_time(work, *arrays)
        ours = (wall, processor, found) if ours is None else ours
        error = float(abs(found - ours[2]).max() / np.ptp(arrays[1]))
        known = (shepard.__version__ if title.startswith("shepard") else
                 version(DISTRIBUTIONS.get(module, module)))
        rows.append({"case": name, "points": count, "what": title, "wall": wall,
                     "cpu": processor, "wall_times": wall / ours[0],
                     "cpu_times": processor / ours[1], "difference": error, "version": known})
        print(f"{name:10} {count:8} {title:36} {wall:9.3f} s {wall / ours[0]:6.1f} x, CPU "
              f"{processor:9.3f} s {processor / ours[1]:6.1f} x, {error:8.1e}", flush=True)
    return rows


def through_field(points, values):
    field, parameters = shepard.Field(shepard.Points(points), values), shepard.Parameters("idw:k=12")
    return lambda at: field.predict(at, parameters)


def through_estimator(points, values):
    return shepard.IDW(k=K).fit(points, values).predict


def overhead(count, way):
    """Time of a prediction through the package, less that of the C call inside it, in us and %."""
    from shepard import _field
    points, values, at = data(count)
    predict = way(points, values)
    inside = []
    run = _field.run

    def timed(*arguments, **keys):
        begun = time.perf_counter()
        run(*arguments, **keys)
        inside.append(time.perf_counter() - begun)

    _field.run = timed
    try:
        best = np.inf
        for _ in range(max(5, 50000 // count)):
            begun = time.perf_counter()
            predict(at)
            best = min(best, time.perf_counter() - begun - inside[-1])
    finally:
        _field.run = run
    name = way.__name__.partition("_")[2]
    print(f"overhead   {count:8} {name:10} {best * 1e6:9.1f} us, {100 * best / min(inside):.2f} %")
    return {"targets": count, "through": name, "seconds": best, "part": best / min(inside)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1024000, help="of the k nearest")
    parser.add_argument("--results", help="JSON file to write")
    parser.add_argument("--only", action="append", choices=[*CASES, "overhead"])
    given = parser.parse_args()
    wanted = given.only or [*CASES, "overhead"]
    rows = []
    for name, (count, entries) in CASES.items():
        if name in wanted:
            rows += run_case(name, count or given.points, entries)
    costs = [overhead(count, way) for count in (1, 1000000)
             for way in (through_field, through_estimator)] if "overhead" in wanted else []
    if given.results:
        with open(given.results, "w") as file:
            json.dump({"machine": platform.processor() or platform.machine(),
                       "python": platform.python_version(), "rows": rows, "overhead": costs},
                      file, indent=1)
            file.write("\n")


main()
