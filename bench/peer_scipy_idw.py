# SPDX-License-Identifier: MIT
"""SciPy's cKDTree as a gridder, reading left out: CLOUD OUT CELLS K WORKERS.

Inverse distance weighting, power 2, of the K nearest points at the centres of CELLS x CELLS cells,
north-up, over a square of bench/cloud.h. Writes the raster as doubles and prints one
line of JSON.
"""
import json
import sys
import time

import numpy
from scipy.spatial import cKDTree

X0, Y0, SIDE = 500000.0, 5400000.0, 10000.0


def read_cloud(name):
    n, m = (int(count) for count in numpy.fromfile(name, numpy.uint64, 2))
    values = numpy.fromfile(name, numpy.float64, 2 * n + 2 * m + n, offset=16)
    return numpy.column_stack((values[:n], values[n: 2 * n])), values[2 * n + 2 * m:]


def interpolate(points, values, cells, k, workers):
    step = SIDE / cells
    x = X0 + step * (numpy.arange(cells) + 0.5)
    y = Y0 + SIDE - step * (numpy.arange(cells) + 0.5)
    targets = numpy.column_stack((numpy.tile(x, cells), numpy.repeat(y, cells)))
    distances, indices = cKDTree(points).query(targets, k=k, workers=workers)
    with numpy.errstate(divide="ignore"):
        weights = distances ** -2.0
    at_point = numpy.isinf(weights)
    hit = at_point.any(axis=1)
    weights[hit] = at_point[hit]
    return (weights * values[indices]).sum(axis=1) / weights.sum(axis=1), distances[:, -1].max()


def main():
    cloud, out, cells, k, workers = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    points, values = read_cloud(cloud)
    wall, cpu = time.perf_counter(), time.process_time()
    raster, farthest = interpolate(points, values, cells, k, workers)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    raster.tofile(out)
    print(json.dumps({"wall": wall, "cpu": cpu, "farthest": farthest}))


main()
